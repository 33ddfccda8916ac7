//! What is left of a vector of candidates after windows of a table of bits were taken from it.
//!
//! 512 candidates are lanes of one vector. Windows are taken away, `lanes &= !window`, a few at a time, until the list of
//! windows or the lanes run out; most vectors are empty long before the list ends. A window begins at any byte; a table
//! that is read at any bit is kept in eight copies, each moved by one bit more.
//!
//! Cost: one unaligned load and one AND-NOT for each vector of a window, one test in four windows.

use super::cpu::{Cpu, Level};

/// Words of a window: 512 bits.
pub const KILL_WORDS: usize = 8;

/// Windows between two tests for lanes that are left.
const PATIENCE: usize = 4;

/// Takes from `lanes` the windows of `table` that begin at byte `base + offset` for each of `offsets` in order, until no
/// lane is left. Returns how many windows were taken, rounded up to a few.
///
/// # Panics
/// When a window does not lie in the table, with one word after it.
pub fn take_windows(cpu: Cpu, lanes: &mut [u64; KILL_WORDS], table: &[u64], base: usize, offsets: &[u32]) -> usize {
    match cpu.0 {
        Level::Portable => take_portable(lanes, table, base, offsets),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => {
            // SAFETY: a `Cpu` of this level exists only where AVX2 was detected.
            unsafe { x86::take_avx2(lanes, table, base, offsets) }
        }
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => {
            // SAFETY: a `Cpu` of this level exists only where AVX-512F was detected.
            unsafe { x86::take_avx512(lanes, table, base, offsets) }
        }
    }
}

/// By words: right on any machine, whatever its byte order.
fn take_portable(lanes: &mut [u64; KILL_WORDS], table: &[u64], base: usize, offsets: &[u32]) -> usize {
    let mut taken = 0;
    for some in offsets.chunks(PATIENCE) {
        for &offset in some {
            let start = base + offset as usize;
            let (word, bit) = (start / 8, 8 * (start % 8));
            let window = &table[word..=word + KILL_WORDS];
            for (lane, pair) in lanes.iter_mut().zip(window.windows(2)) {
                *lane &= !(pair[0] >> bit | pair[1] << 1 << (63 - bit));
            }
        }
        taken += some.len();
        if *lanes == [0; KILL_WORDS] {
            break;
        }
    }
    taken
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{KILL_WORDS, PATIENCE};
    use std::arch::x86_64::*;

    /// Bytes that a window may touch, the word behind it among them, as the portable body does.
    const WINDOW: usize = KILL_WORDS * 8 + 8;

    /// The bytes of words; x86-64 is little-endian, so bit i of the words is bit i % 8 of byte i / 8.
    #[inline(always)]
    fn bytes(words: &[u64]) -> &[u8] {
        // SAFETY: the memory of the words, all of it initialised, seen as bytes, which have no alignment of their own.
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
    }

    #[inline(always)]
    fn window(table: &[u8], base: usize, offset: u32) -> *const u8 {
        table[base + offset as usize..][..WINDOW].as_ptr()
    }

    #[target_feature(enable = "avx512f")]
    pub(super) fn take_avx512(lanes: &mut [u64; KILL_WORDS], table: &[u64], base: usize, offsets: &[u32]) -> usize {
        let table = bytes(table);
        // SAFETY: the lanes are 64 bytes.
        let mut left = unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) };
        let mut taken = 0;
        for some in offsets.chunks(PATIENCE) {
            for &offset in some {
                // SAFETY: a window has 72 bytes, of which this takes 64.
                let window = unsafe { _mm512_loadu_si512(window(table, base, offset).cast()) };
                left = _mm512_andnot_si512(window, left);
            }
            taken += some.len();
            if _mm512_test_epi64_mask(left, left) == 0 {
                break;
            }
        }
        // SAFETY: the lanes are 64 bytes.
        unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), left) };
        taken
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn take_avx2(lanes: &mut [u64; KILL_WORDS], table: &[u64], base: usize, offsets: &[u32]) -> usize {
        let table = bytes(table);
        let place: *mut u64 = lanes.as_mut_ptr();
        // SAFETY: the lanes are 64 bytes, two vectors of 32.
        let (mut low, mut high) =
            unsafe { (_mm256_loadu_si256(place.cast()), _mm256_loadu_si256(place.add(4).cast())) };
        let mut taken = 0;
        for some in offsets.chunks(PATIENCE) {
            for &offset in some {
                let window = window(table, base, offset);
                // SAFETY: a window has 72 bytes, of which this takes 64.
                let (first, second) =
                    unsafe { (_mm256_loadu_si256(window.cast()), _mm256_loadu_si256(window.add(32).cast())) };
                low = _mm256_andnot_si256(first, low);
                high = _mm256_andnot_si256(second, high);
            }
            taken += some.len();
            let any = _mm256_or_si256(low, high);
            if _mm256_testz_si256(any, any) == 1 {
                break;
            }
        }
        // SAFETY: the lanes are 64 bytes, two vectors of 32.
        unsafe {
            _mm256_storeu_si256(place.cast(), low);
            _mm256_storeu_si256(place.add(4).cast(), high);
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(words: usize) -> Vec<u64> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        };
        (0..words).map(|_| next() & next() & next()).collect()
    }

    #[test]
    fn every_cpu_level_agrees_with_the_definition() {
        let table = noise(40);
        for offsets in [vec![], vec![0_u32], vec![3, 17, 18], (0..200).step_by(7).collect(), (0..240).collect()] {
            for base in [0, 5] {
                let mut expected = [u64::MAX; KILL_WORDS];
                for &offset in &offsets {
                    for bit in 0..512 {
                        let at = 8 * (base + offset as usize) + bit;
                        expected[bit / 64] &= !((table[at / 64] >> (at % 64) & 1) << (bit % 64));
                    }
                }
                for &cpu in Cpu::available() {
                    let mut lanes = [u64::MAX; KILL_WORDS];
                    let taken = take_windows(cpu, &mut lanes, &table, base, &offsets);
                    assert_eq!(lanes, expected, "{cpu:?}, base {base}, {offsets:?}");
                    assert!(taken == offsets.len() || lanes == [0; KILL_WORDS] && taken < offsets.len());
                }
            }
        }
    }

    #[test]
    fn a_window_outside_the_table_is_refused() {
        for &cpu in Cpu::available() {
            let outside = || take_windows(cpu, &mut [1; KILL_WORDS], &[0; 20], 0, &[96]);
            assert!(std::panic::catch_unwind(outside).is_err(), "{cpu:?}");
        }
    }
}
