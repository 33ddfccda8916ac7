//! Shifted OR: the union of many windows of one row of bits.
//!
//! A window of a row is [`STRIP`] consecutive bits from any bit on. To take the union of windows one would shift each
//! into place and OR it in. Bytes can be read from any address for nothing, so only the last three bits of a shift cost
//! something; shifts are therefore kept by their class mod 8, the windows of one class are OR-ed together as they lie
//! in memory, eight vectors of accumulators deep, and the union is shifted into place once per class. What is left per
//! window is one unaligned load and one OR for each vector.

use std::ops::Range;

use super::PaddedBits;
use super::cpu::{Cpu, Level};
use crate::error::{Error, Result};

/// Bits of a window: eight vectors of 512.
pub const STRIP: u64 = 4096;
/// Words of a window.
pub const STRIP_WORDS: usize = 64;

/// Words that the windows of a class are accumulated in: a strip, and one word for the bits that move into it.
const WIDE: usize = STRIP_WORDS + 1;

/// Shifts, sorted within each class mod 8.
#[derive(Debug, Clone, Default)]
pub struct Shifts {
    classes: [Vec<u64>; 8],
}

impl Shifts {
    /// Sorts increasing shifts into classes. 8 bytes a shift.
    ///
    /// # Errors
    /// [`Error::Memory`] when the system refuses the memory.
    pub fn new(shifts: &[u64]) -> Result<Self> {
        let mut counts = [0; 8];
        shifts.iter().for_each(|shift| counts[(shift % 8) as usize] += 1);
        let mut sorted = Self::default();
        for (class, count) in sorted.classes.iter_mut().zip(counts) {
            class.try_reserve_exact(count).map_err(|_| refusal(shifts.len()))?;
        }
        shifts.iter().for_each(|&shift| sorted.push(shift));
        Ok(sorted)
    }

    /// Makes room for `more` shifts of any class.
    ///
    /// # Errors
    /// [`Error::Memory`] when the system refuses the memory.
    pub fn reserve(&mut self, more: usize) -> Result<()> {
        let len = self.len();
        self.classes.iter_mut().try_for_each(|class| class.try_reserve(more)).map_err(|_| refusal(len + more))
    }

    /// Adds a shift that is larger than all before.
    pub fn push(&mut self, shift: u64) {
        let class = &mut self.classes[(shift % 8) as usize];
        debug_assert!(class.last().is_none_or(|&last| last < shift), "shifts come in increasing order");
        class.push(shift);
    }

    /// Removes every shift; the memory stays.
    pub fn clear(&mut self) {
        self.classes.iter_mut().for_each(Vec::clear);
    }

    /// The number of shifts.
    pub fn len(&self) -> usize {
        self.classes.iter().map(Vec::len).sum()
    }

    /// Tells whether there is no shift.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The classes that have shifts within `range`, each with those shifts.
    pub fn within(&self, range: Range<u64>) -> impl Iterator<Item = ShiftClass<'_>> {
        self.classes.iter().filter_map(move |class| {
            let start = class.partition_point(|&s| s < range.start);
            let len = class[start..].partition_point(|&s| s < range.end);
            (len > 0).then(|| ShiftClass { shifts: &class[start..start + len] })
        })
    }
}

fn refusal(shifts: usize) -> Error {
    Error::Memory { what: "a list of shifts", needed: 8 * shifts as u64 }
}

/// Increasing shifts of one class mod 8, at least one.
#[derive(Debug, Clone, Copy)]
pub struct ShiftClass<'a> {
    shifts: &'a [u64],
}

impl<'a> ShiftClass<'a> {
    /// How many neighbouring shifts of the class spread over about `bits` bits.
    pub fn len_within(self, bits: u64) -> usize {
        let (first, last) = self.bounds();
        let spread = (last - first).max(1);
        (self.shifts.len() as u64 * bits / spread) as usize
    }

    /// Cuts the class into runs of at most `len` shifts.
    pub fn chunks(self, len: usize) -> impl Iterator<Item = Self> {
        self.shifts.chunks(len).map(|shifts| Self { shifts })
    }

    /// The shifts of the class within `range`, if there are any.
    pub fn within(self, range: Range<u64>) -> Option<Self> {
        let start = self.shifts.partition_point(|&s| s < range.start);
        let end = self.shifts.partition_point(|&s| s < range.end);
        (start < end).then(|| Self { shifts: &self.shifts[start..end] })
    }

    /// The smallest and the largest shift.
    pub fn bounds(self) -> (u64, u64) {
        (self.shifts[0], self.shifts[self.shifts.len() - 1])
    }
}

/// ORs into `target`, the strip of bits from `x` on, the windows of `source` at `x - s` for every shift s of `class`.
///
/// Bits of the source below 0 count as 0. O(64 |class|) words.
///
/// # Panics
/// When a window lies outside the padded source: when a shift passes `x + STRIP`, or x - s the source's length.
pub fn or_windows(cpu: Cpu, target: &mut [u64; STRIP_WORDS], x: u64, source: &PaddedBits, class: ShiftClass<'_>) {
    let (words, zero) = source.padded();
    match cpu.0 {
        Level::Portable => or_portable(target, words, zero + x, class.shifts),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => {
            let mut wide = [0; WIDE];
            // SAFETY: a `Cpu` of this level exists only where AVX2 was detected.
            unsafe { x86::accumulate_avx2(&mut wide, words, zero + x, class.shifts) };
            or_narrowed(target, &wide, (zero + x - class.shifts[0]) % 8);
        }
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => {
            let mut wide = [0; WIDE];
            // SAFETY: a `Cpu` of this level exists only where AVX-512F was detected.
            unsafe { x86::accumulate_avx512(&mut wide, words, zero + x, class.shifts) };
            or_narrowed(target, &wide, (zero + x - class.shifts[0]) % 8);
        }
    }
}

/// Shifts every window into place by words: right on any machine, whatever its byte order.
fn or_portable(target: &mut [u64; STRIP_WORDS], source: &[u64], base: u64, shifts: &[u64]) {
    for &shift in shifts {
        let (word, bit) = (((base - shift) / 64) as usize, (base - shift) % 64);
        let window = &source[word..word + WIDE];
        for (t, pair) in target.iter_mut().zip(window.windows(2)) {
            *t |= pair[0] >> bit | pair[1] << 1 << (63 - bit);
        }
    }
}

/// ORs accumulated windows into the target, all moved down by `bit` < 8 places.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn or_narrowed(target: &mut [u64; STRIP_WORDS], wide: &[u64; WIDE], bit: u64) {
    for (t, pair) in target.iter_mut().zip(wide.windows(2)) {
        *t |= pair[0] >> bit | pair[1] << 1 << (63 - bit);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{STRIP_WORDS, WIDE};
    use std::arch::x86_64::*;

    /// Bytes of a window as it lies in memory, with the byte that its last bits may reach into.
    const WINDOW: usize = STRIP_WORDS * 8 + 8;

    /// The bytes of words; x86-64 is little-endian, so bit i of the words is bit i % 8 of byte i / 8.
    fn bytes(words: &[u64]) -> &[u8] {
        // SAFETY: the memory of the words, all of it initialised, seen as bytes, which have no alignment of their own.
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
    }

    /// The window of the source that holds bit `base - shift` in its first byte.
    #[inline(always)]
    fn window(bytes: &[u8], base: u64, shift: u64) -> &[u8; WINDOW] {
        let start = ((base - shift) / 8) as usize;
        bytes[start..].first_chunk().expect("the source is padded by a strip")
    }

    #[target_feature(enable = "avx512f")]
    pub(super) fn accumulate_avx512(wide: &mut [u64; WIDE], source: &[u64], base: u64, shifts: &[u64]) {
        let bytes = bytes(source);
        let mut vectors = [_mm512_setzero_si512(); 8];
        let mut last = 0;
        for &shift in shifts {
            let window = window(bytes, base, shift);
            for (i, vector) in vectors.iter_mut().enumerate() {
                // SAFETY: a window has 520 bytes, of which vector i < 8 takes those from 64 i to 64 i + 63.
                let loaded = unsafe { _mm512_loadu_si512(window.as_ptr().add(64 * i).cast()) };
                *vector = _mm512_or_si512(*vector, loaded);
            }
            last |= window[STRIP_WORDS * 8];
        }
        for (i, vector) in vectors.iter().enumerate() {
            // SAFETY: `wide` has 65 words, of which vector i < 8 takes those from 8 i to 8 i + 7.
            unsafe { _mm512_storeu_si512(wide.as_mut_ptr().add(8 * i).cast(), *vector) };
        }
        wide[STRIP_WORDS] = u64::from(last);
    }

    /// As above, in two passes of eight vectors: AVX2 has sixteen registers.
    #[target_feature(enable = "avx2")]
    pub(super) fn accumulate_avx2(wide: &mut [u64; WIDE], source: &[u64], base: u64, shifts: &[u64]) {
        let bytes = bytes(source);
        for half in 0..2 {
            let mut vectors = [_mm256_setzero_si256(); 8];
            let mut last = 0;
            for &shift in shifts {
                let window = window(bytes, base, shift);
                for (i, vector) in vectors.iter_mut().enumerate() {
                    // SAFETY: a window has 520 bytes, of which half h < 2, vector i < 8 takes 32 from 256 h + 32 i on.
                    let loaded = unsafe { _mm256_loadu_si256(window.as_ptr().add(256 * half + 32 * i).cast()) };
                    *vector = _mm256_or_si256(*vector, loaded);
                }
                last |= window[STRIP_WORDS * 8];
            }
            for (i, vector) in vectors.iter().enumerate() {
                // SAFETY: `wide` has 65 words, of which half h < 2, vector i < 8 takes four from 32 h + 4 i on.
                unsafe { _mm256_storeu_si256(wide.as_mut_ptr().add(32 * half + 4 * i).cast(), *vector) };
            }
            wide[STRIP_WORDS] = u64::from(last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, bit by bit.
    fn or_by_bits(target: &mut [u64; STRIP_WORDS], x: u64, source: &PaddedBits, shifts: &[u64]) {
        for i in 0..STRIP {
            let hit = shifts.iter().any(|&s| (x + i).checked_sub(s).is_some_and(|bit| source.get(bit)));
            target[(i / 64) as usize] |= u64::from(hit) << (i % 64);
        }
    }

    #[test]
    fn every_cpu_level_agrees_with_the_definition() {
        let n = 5 * STRIP;
        let mut source = PaddedBits::zeros("test", n).unwrap();
        let mut state = 1_u64;
        for bit in 0..n {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if state >> 59 == 0 {
                source.set(bit);
            }
        }
        for x in [0, STRIP, 3 * STRIP, 4 * STRIP] {
            for shifts in [
                vec![1],
                vec![8, 16, 64],
                (1..200).collect(),
                vec![63, 64, 65, 127, 128, 4095],
                (0..x + STRIP).step_by(61).collect(),
            ] {
                let mut expected = [1; STRIP_WORDS];
                or_by_bits(&mut expected, x, &source, &shifts);
                for &cpu in Cpu::available() {
                    let mut target = [1; STRIP_WORDS];
                    for class in Shifts::new(&shifts).unwrap().within(0..u64::MAX) {
                        class.chunks(7).for_each(|part| or_windows(cpu, &mut target, x, &source, part));
                    }
                    assert_eq!(target, expected, "{cpu:?}, x = {x}, shifts {shifts:?}");
                }
            }
        }
    }
}
