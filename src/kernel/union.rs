//! Unions of windows that lie anywhere in one table of bits, sorted by byte class.
//!
//! The wheel's inner operation: OR into a target of W words the windows of a table that begin at many bit positions.
//! As in [`super::or_windows`], bytes can be read from any address for nothing and only the last three bits of a
//! position cost something, so windows come sorted by those three bits: the windows of a class are OR-ed as they lie in
//! memory, and their union is moved into place once. A window is given by four bytes, its byte offset in the table, and
//! the target's own place by a base that is added to all: a plan of windows is made once and serves every target of a
//! row. Offsets wrap around at 2^32 ([`MAX_BYTES`]), so that a base may make up for an offset below zero.
//!
//! Cost: one unaligned load and one OR for each vector of a window; a merge of a class costs about as much as three
//! windows.

use super::cpu::{Cpu, Level};

/// The longest table in bytes that windows can be taken from: offsets have 32 bits.
pub const MAX_BYTES: u64 = 1 << 32;

/// ORs into `target` the `W`-word windows of `table` whose first bits stand at `8 * (base + offset) + bit` for each of
/// `offsets`; the sums wrap around at 2^32. W is 64 or 8.
///
/// O(W |offsets|) words.
///
/// # Panics
/// When `bit` is above 7 or a window does not lie in the table, with one word of the table after it.
pub fn or_union<const W: usize>(cpu: Cpu, target: &mut [u64; W], table: &[u64], base: u32, offsets: &[u32], bit: u32) {
    const { assert!(W == 64 || W == 8, "windows of 4096 or 512 bits") };
    assert!(bit < 8, "a byte has eight bits");
    match cpu.0 {
        Level::Portable => or_portable(target, table, base, offsets, bit),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => {
            // SAFETY: a `Cpu` of this level exists only where AVX2 was detected.
            unsafe { x86::or_avx2(target, table, base, offsets, bit) }
        }
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => {
            // SAFETY: a `Cpu` of this level exists only where AVX-512F was detected.
            unsafe { x86::or_avx512(target, table, base, offsets, bit) }
        }
    }
}

/// The 64 bits of `table` from bit `position` on.
///
/// # Panics
/// When they do not lie in the table, with one word after them.
#[inline(always)]
pub fn word_at(table: &[u64], position: u64) -> u64 {
    let (word, bit) = ((position / 64) as usize, position % 64);
    table[word] >> bit | table[word + 1] << 1 << (63 - bit)
}

/// Shifts every window into place by words: right on any machine, whatever its byte order.
fn or_portable<const W: usize>(target: &mut [u64; W], table: &[u64], base: u32, offsets: &[u32], bit: u32) {
    for &offset in offsets {
        let position = u64::from(base.wrapping_add(offset)) * 8 + u64::from(bit);
        let (word, bit) = ((position / 64) as usize, position % 64);
        let window = &table[word..=word + W];
        for (t, pair) in target.iter_mut().zip(window.windows(2)) {
            *t |= pair[0] >> bit | pair[1] << 1 << (63 - bit);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    /// The bytes of words; x86-64 is little-endian, so bit i of the words is bit i % 8 of byte i / 8.
    #[inline(always)]
    fn bytes(words: &[u64]) -> &[u8] {
        // SAFETY: the memory of the words, all of it initialised, seen as bytes, which have no alignment of their own.
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
    }

    /// The window at an offset, with the word behind it, into whose first byte a window of a class may reach.
    #[inline(always)]
    fn window(table: &[u8], base: u32, offset: u32, len: usize) -> &[u8] {
        let start = base.wrapping_add(offset) as usize;
        &table[start..][..len]
    }

    /// Vectors of 512 bits that windows are accumulated in at once.
    const LANES: usize = 8;

    #[target_feature(enable = "avx512f")]
    pub(super) fn or_avx512<const W: usize>(
        target: &mut [u64; W],
        table: &[u64],
        base: u32,
        offsets: &[u32],
        bit: u32,
    ) {
        let table = bytes(table);
        let vectors = W / 8;
        let mut sums = [_mm512_setzero_si512(); LANES];
        let mut last = 0;
        for &offset in offsets {
            let window = window(table, base, offset, W * 8 + 8);
            for (i, sum) in sums[..vectors].iter_mut().enumerate() {
                // SAFETY: a window has 8 W + 8 bytes, of which vector i < W / 8 takes those from 64 i to 64 i + 63.
                let loaded = unsafe { _mm512_loadu_si512(window.as_ptr().add(64 * i).cast()) };
                *sum = _mm512_or_si512(*sum, loaded);
            }
            last |= window[W * 8];
        }
        let (down, up) = (_mm_cvtsi32_si128(bit as i32), _mm_cvtsi32_si128(64 - bit as i32));
        let mut next = _mm512_set1_epi64(i64::from(last));
        for i in (0..vectors).rev() {
            // Word w takes its upper bits from word w + 1; a shift by 64 gives 0.
            let following = _mm512_alignr_epi64::<1>(next, sums[i]);
            let moved = _mm512_or_si512(_mm512_srl_epi64(sums[i], down), _mm512_sll_epi64(following, up));
            // SAFETY: the target has W words, of which vector i < W / 8 takes those from 8 i to 8 i + 7.
            unsafe {
                let place = target.as_mut_ptr().add(8 * i).cast();
                _mm512_storeu_si512(place, _mm512_or_si512(moved, _mm512_loadu_si512(place)));
            }
            next = sums[i];
        }
    }

    /// As above, at most eight vectors of 256 bits at a time: AVX2 has sixteen registers.
    #[target_feature(enable = "avx2")]
    pub(super) fn or_avx2<const W: usize>(target: &mut [u64; W], table: &[u64], base: u32, offsets: &[u32], bit: u32) {
        let table = bytes(table);
        // The union with its last byte, and one word of room.
        let mut wide = [0_u64; 66];
        let vectors = (W / 4).min(LANES);
        for part in 0..W / 4 / vectors {
            let first = part * vectors;
            let mut sums = [_mm256_setzero_si256(); LANES];
            let mut last = 0;
            for &offset in offsets {
                let window = window(table, base, offset, W * 8 + 8);
                for (i, sum) in sums[..vectors].iter_mut().enumerate() {
                    // SAFETY: a window has 8 W + 8 bytes, of which vector f + i < W / 4 takes 32 from 32 (f + i) on.
                    let loaded = unsafe { _mm256_loadu_si256(window.as_ptr().add(32 * (first + i)).cast()) };
                    *sum = _mm256_or_si256(*sum, loaded);
                }
                last |= window[W * 8];
            }
            for (i, sum) in sums[..vectors].iter().enumerate() {
                // SAFETY: `wide` has 66 words, of which vector f + i < W / 4 <= 16 takes four from 4 (f + i) on.
                unsafe { _mm256_storeu_si256(wide.as_mut_ptr().add(4 * (first + i)).cast(), *sum) };
            }
            wide[W] = u64::from(last);
        }
        for (t, pair) in target.iter_mut().zip(wide.windows(2)) {
            *t |= pair[0] >> bit | pair[1] << 1 << (63 - bit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words with about one bit in 32 set.
    fn noise(words: usize) -> Vec<u64> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        };
        (0..words).map(|_| next() & next() & next() & next() & next()).collect()
    }

    /// The definition, bit by bit.
    fn or_by_bits<const W: usize>(target: &mut [u64; W], table: &[u64], first: u64) {
        for i in 0..64 * W as u64 {
            let position = first + i;
            let hit = table[(position / 64) as usize] >> (position % 64) & 1;
            target[(i / 64) as usize] |= hit << (i % 64);
        }
    }

    fn every_level_agrees<const W: usize>() {
        let table = noise(W + 200);
        for bit in 0..8 {
            for offsets in [vec![], vec![0_u32], vec![191 * 8], (0..190 * 8).step_by(37).collect(), vec![7, 64, 65, 66]]
            {
                for base in [0, 1, 8] {
                    // Offsets below zero are made up for by the base.
                    for lowered in [0, 5_000_000] {
                        let mut expected = [1; W];
                        for &offset in &offsets {
                            or_by_bits(&mut expected, &table, u64::from(base + offset) * 8 + u64::from(bit));
                        }
                        let placed: Vec<u32> = offsets.iter().map(|o| o.wrapping_sub(lowered)).collect();
                        for &cpu in Cpu::available() {
                            let mut target = [1; W];
                            or_union(cpu, &mut target, &table, base + lowered, &placed, bit);
                            assert_eq!(target, expected, "{cpu:?}, {W} words, bit {bit}, base {base}, {offsets:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_cpu_level_agrees_with_the_definition() {
        every_level_agrees::<64>();
        every_level_agrees::<8>();
    }

    #[test]
    fn a_window_outside_the_table_is_refused() {
        let table = noise(80);
        for &cpu in Cpu::available() {
            let outside = std::panic::catch_unwind(|| or_union(cpu, &mut [0; 64], &table, 0, &[17 * 8], 0));
            assert!(outside.is_err(), "{cpu:?}");
        }
    }

    #[test]
    fn words_at_any_bit() {
        let table = noise(4);
        for position in 0..=128 {
            let mut expected = [0];
            or_by_bits(&mut expected, &table, position);
            assert_eq!(word_at(&table, position), expected[0]);
        }
    }
}
