//! Nim-values as single bits: the mex of eight neighbouring positions at a time.
//!
//! The nim-value v is kept as the word with bit v alone. The set of values that the moves of a position reach is then
//! an OR of words, and its mex, the lowest bit that is not set, is `!reached & (reached + 1)`, a single bit again.
//!
//! A set of k elements needs words of k bits and no more: the mex is at most k, and the value k, which would be bit k, is
//! kept as 0. It can be left out of every union, because bit k matters only where bits 0 to k - 1 are all set, and that
//! takes k options with those values already.
//!
//! What the next eight positions reach is held in registers, eight lanes as wide as a word. When a position is decided,
//! the lanes move down by one and its value goes to every lane that is a move away; since it is a single bit, one
//! multiplication by the word that has a 1 in each of those lanes does that without a carry. That covers the moves up to
//! eight. A longer one leads to finished words at least a block away, and its eight options are one contiguous read.

use std::ops::BitOrAssign;

use super::cpu::{Cpu, Level};

/// Positions decided at once. Longer moves lead to finished positions.
pub const LANES: usize = 8;

/// A word that holds a nim-value as a single bit, or a set of nim-values.
pub trait OneHot: Copy + Eq + Send + Sync + BitOrAssign + 'static {
    /// Values that have a bit of their own; the value `BITS` is kept as 0.
    const BITS: u32;
    /// No bit set.
    const NONE: Self;
    /// Every bit set.
    const ALL: Self;
    /// The bit of nim-value 0.
    const ZERO: Self;
    /// The nim-value whose bit this is.
    fn value(self) -> u8;
    /// The bit of a nim-value of at most `BITS`.
    fn of(value: u8) -> Self;
    /// The body of [`resolve`].
    #[doc(hidden)]
    fn decide(words: &mut [Self], start: usize, moves: &Moves, keep: Self);
}

macro_rules! one_hot {
    ($($word:ident: $registers:literal),*) => {$(
        impl OneHot for $word {
            const BITS: u32 = <$word>::BITS;
            const NONE: Self = 0;
            const ALL: Self = <$word>::MAX;
            const ZERO: Self = 1;

            #[inline(always)]
            fn value(self) -> u8 {
                self.trailing_zeros() as u8
            }

            #[inline(always)]
            fn of(value: u8) -> Self {
                Self::ZERO.checked_shl(value.into()).unwrap_or(0)
            }

            #[inline(always)]
            fn decide(words: &mut [Self], start: usize, moves: &Moves, keep: Self) {
                /// Lanes of a register.
                const WIDTH: usize = 64 / <$word>::BITS as usize;
                /// Eight lanes as they lie in registers, the first one lowest.
                #[inline(always)]
                fn packed(lanes: &[$word; LANES]) -> [u64; $registers] {
                    std::array::from_fn(|register| {
                        let lanes = lanes[register * WIDTH..][..WIDTH].iter().rev();
                        lanes.fold(0, |word: u64, &lane| word.checked_shl(<$word>::BITS).unwrap_or(0) | u64::from(lane))
                    })
                }
                // A 1 in the lowest bit of each lane that is a move away.
                let lane = |distance: usize| $word::from(moves.near >> distance & 1 == 1);
                let near: [u64; $registers] = packed(&std::array::from_fn(lane));
                let first = if moves.near & 1 == 1 { keep } else { 0 };
                // What the near moves from before reach; positions before the first have no value.
                let mut carried = [0_u64; $registers];
                for (before, &value) in words[start.saturating_sub(LANES)..start].iter().rev().enumerate().rev() {
                    // `before` + 1 positions ahead of the first.
                    let lane = |distance: usize| {
                        let is_move = distance + before < LANES && moves.near >> (distance + before) & 1 == 1;
                        if is_move { value } else { 0 }
                    };
                    let reached = packed(&std::array::from_fn(lane));
                    carried.iter_mut().zip(reached).for_each(|(carried, reached)| *carried |= reached);
                }
                for x in (start..words.len()).step_by(LANES) {
                    let (before, block) = words.split_at_mut(x);
                    let Some(block) = block.first_chunk_mut::<LANES>() else { return };
                    let mut far = *block;
                    for &take in &moves.far {
                        let options: &[$word; LANES] = before[x - take..].first_chunk().expect("outside the block");
                        far.iter_mut().zip(options).for_each(|(far, &option)| *far |= option);
                    }
                    let far = packed(&far);
                    let mut reached: [u64; $registers] = std::array::from_fn(|i| carried[i] | far[i]);
                    let mut lowest = reached[0] as $word;
                    for value in block {
                        let mex = !lowest & lowest.wrapping_add(1);
                        *value = mex & keep;
                        let moved: [u64; $registers] = std::array::from_fn(|i| {
                            let above = reached.get(i + 1).copied().unwrap_or(0);
                            match WIDTH {
                                1 => above,
                                _ => reached[i].wrapping_shr(<$word>::BITS) | above.wrapping_shl(64 - <$word>::BITS),
                            }
                        });
                        // The next position waits for this value alone, so what it takes from it makes no detour.
                        lowest = moved[0] as $word | mex & first;
                        reached = std::array::from_fn(|i| moved[i] | u64::from(*value) * near[i]);
                    }
                    carried = reached;
                }
            }
        }
    )*};
}
one_hot!(u8: 1, u16: 2, u32: 4, u64: 8);

/// The moves of a finite set, by whether they stay within a block.
#[derive(Debug, Clone)]
pub struct Moves {
    /// Bit d - 1 is set when d, at most [`LANES`], is a move.
    near: u8,
    /// Longer moves, increasing.
    far: Vec<usize>,
}

impl Moves {
    /// Sorts positive moves.
    pub fn new(moves: impl IntoIterator<Item = usize>) -> Self {
        let mut sorted = Self { near: 0, far: Vec::new() };
        for take in moves {
            match take {
                1..=LANES => sorted.near |= 1 << (take - 1),
                _ => sorted.far.push(take),
            }
        }
        sorted.far.sort_unstable();
        sorted
    }

    /// The largest move of more than [`LANES`], or 0.
    fn reach(&self) -> usize {
        self.far.last().copied().unwrap_or(0)
    }
}

/// Decides the positions `words[start..]`, whose words are 0 or the values that other moves reach; those before `start`
/// are decided. Of the results only the bits of `keep` stay: [`OneHot::ALL`] for nim-values, [`OneHot::ZERO`] for
/// outcomes.
///
/// # Panics
/// When a move is longer than `start`, or the rest is no multiple of [`LANES`].
pub fn resolve<W: OneHot>(cpu: Cpu, words: &mut [W], start: usize, moves: &Moves, keep: W) {
    assert!(moves.reach() <= start && (words.len() - start).is_multiple_of(LANES));
    match cpu.0 {
        Level::Portable => W::decide(words, start, moves, keep),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Cpu` of this level exists only where AVX2 was detected.
        Level::Avx2 => unsafe { x86::resolve_avx2(words, start, moves, keep) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Cpu` of this level exists only where AVX-512F and AVX-512BW were detected.
        Level::Avx512 => unsafe { x86::resolve_avx512(words, start, moves, keep) },
    }
}

/// ORs into each word the bit of the nim-value at the same place, as far as both reach.
pub fn reach<W: OneHot>(cpu: Cpu, words: &mut [W], values: &[u8]) {
    match cpu.0 {
        Level::Portable => reach_body(words, values),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Cpu` of this level exists only where AVX2 was detected.
        Level::Avx2 => unsafe { x86::reach_avx2(words, values) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Cpu` of this level exists only where AVX-512F and AVX-512BW were detected.
        Level::Avx512 => unsafe { x86::reach_avx512(words, values) },
    }
}

#[inline(always)]
fn reach_body<W: OneHot>(words: &mut [W], values: &[u8]) {
    for (word, &value) in words.iter_mut().zip(values) {
        *word |= W::of(value);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Moves, OneHot, reach_body};

    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn reach_avx2<W: OneHot>(words: &mut [W], values: &[u8]) {
        reach_body(words, values);
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub(super) unsafe fn reach_avx512<W: OneHot>(words: &mut [W], values: &[u8]) {
        reach_body(words, values);
    }

    #[target_feature(enable = "avx2,bmi1,bmi2")]
    pub(super) unsafe fn resolve_avx2<W: OneHot>(words: &mut [W], start: usize, moves: &Moves, keep: W) {
        W::decide(words, start, moves, keep);
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2")]
    pub(super) unsafe fn resolve_avx512<W: OneHot>(words: &mut [W], start: usize, moves: &Moves, keep: W) {
        W::decide(words, start, moves, keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mex by the definition, for moves out of `takes`.
    fn by_definition(takes: &[usize], n: usize) -> Vec<u8> {
        let mut values: Vec<u8> = Vec::new();
        for x in 0..n {
            let options: Vec<u8> = takes.iter().filter(|&&s| s <= x).map(|&s| values[x - s]).collect();
            values.push((0..).find(|value| !options.contains(value)).unwrap());
        }
        values
    }

    fn check<W: OneHot + std::fmt::Debug>(takes: &[usize]) {
        let n = 512;
        let expected = by_definition(takes, n);
        let start = takes.iter().max().unwrap().next_multiple_of(LANES);
        for &cpu in Cpu::available() {
            for (keep, outcome) in [(W::ALL, false), (W::ZERO, true)] {
                let mut words = vec![W::NONE; start + n];
                resolve(cpu, &mut words, start, &Moves::new(takes.iter().copied()), keep);
                for (x, (&word, &value)) in words[start..].iter().zip(&expected).enumerate() {
                    if outcome {
                        assert_eq!(word == W::ZERO, value == 0, "{takes:?}, heap {x}, {cpu:?}");
                    } else {
                        assert_eq!((word.value(), word), (value, W::of(value)), "{takes:?}, heap {x}, {cpu:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_width_agrees_with_the_definition() {
        for takes in [&[1][..], &[7], &[8], &[9], &[1, 2, 3, 4, 5, 6, 7, 8], &[2, 8, 9], &[1, 23, 64], &[7, 8, 15, 16]]
        {
            check::<u8>(takes);
            check::<u16>(takes);
            check::<u32>(takes);
            check::<u64>(takes);
        }
        // As many elements as the word has bits: the largest value is kept as 0.
        let all: Vec<usize> = (1..=64).collect();
        check::<u16>(&all[..16]);
        check::<u32>(&all[..32]);
        check::<u64>(&all);
    }
}
