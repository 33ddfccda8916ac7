//! The mex of many neighbouring positions at once, 32 values at a time.
//!
//! Each position of a group has a window of 32 values, from its own `base` on, and a bit for each of them: seen or
//! not among the options looked at so far. [`mark`] looks at the options of the whole group for many elements; the
//! options for one element are neighbours in the table. [`advance`] moves every base over the values seen. What a window
//! has left behind is reached for certain; nothing is said of the values beyond it.
//!
//! With vectors, an option costs a small part of an instruction. On bytes, the difference of option and base, moved by a
//! saturating addition so that only 0 to 15 keep the top bit clear, is the index of a table look-up within the vector,
//! which gives a byte of 1 << difference, or 0. On words it is the distance of a shift, which gives 0 when it is too far.

use super::cpu::{Cpu, Level};

/// Values of a window.
pub const WINDOW: usize = 32;

/// A nim-value as a table keeps it.
pub trait NimValue: Copy + Default + Send + Sync + 'static {
    /// Positions of a group: two vectors of 64 bytes.
    const LANES: usize;
    /// Values that fit.
    const LIMIT: usize;

    /// Makes a value that is below [`Self::LIMIT`].
    fn new(value: usize) -> Self;
    /// The value as a number.
    fn get(self) -> usize;
    #[doc(hidden)]
    fn mark(cpu: Cpu, options: Options<'_, Self>, base: &[Self], seen: &mut [u32]);
}

/// Which options to look at.
#[derive(Clone, Copy)]
pub struct Options<'a, V> {
    /// The nim-values from heap 0 on.
    pub values: &'a [V],
    /// The first position of the group.
    pub x: usize,
    /// The elements to subtract.
    pub elements: &'a [usize],
    /// Whether to fetch what the next group will look at into the second-level cache.
    pub ahead: bool,
}

impl<'a, V: NimValue> Options<'a, V> {
    /// The options of `N` positions from `x + skip` on, for one element.
    #[inline(always)]
    fn of<const N: usize>(&self, element: usize, skip: usize) -> &'a [V; N] {
        let start = self.x.wrapping_sub(element).wrapping_add(skip);
        let options = self.values.get(start..).and_then(<[V]>::first_chunk);
        options.expect("every option of the group is decided")
    }

    #[inline(always)]
    fn fetch_ahead(&self, element: usize) {
        if self.ahead {
            let next = self.values.as_ptr().wrapping_add(self.x.wrapping_sub(element).wrapping_add(V::LANES));
            prefetch(next.cast());
            prefetch(next.cast::<u8>().wrapping_add(64));
        }
    }
}

/// Asks for a line of 64 bytes in the second-level cache. A wish: the address need not be one of ours.
#[inline(always)]
fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a prefetch of any address has no effect but on the caches, and every x86-64 has it.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Sets, for each position x of the group and each element s, the bit of the value of x - s in the window of x, if it is
/// there. O(|elements|) steps of one group.
///
/// # Panics
/// When `base` and `seen` have not one entry a lane, or an option lies outside the table.
#[inline]
pub fn mark<V: NimValue>(cpu: Cpu, options: Options<'_, V>, base: &[V], seen: &mut [u32]) {
    V::mark(cpu, options, base, seen);
}

/// Moves each base over the values that were seen, up to 31 of them and not beyond the last window of the type, and the
/// bits with it. Tells whether any base moved.
pub fn advance<V: NimValue>(cpu: Cpu, base: &mut [V], seen: &mut [u32]) -> bool {
    match cpu.0 {
        Level::Portable => advance_body(base, seen),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Cpu` of this level exists only where AVX2 was detected.
        Level::Avx2 => unsafe { x86::advance_avx2(base, seen) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Cpu` of this level exists only where AVX-512F and AVX-512BW were detected.
        Level::Avx512 => unsafe { x86::advance_avx512(base, seen) },
    }
}

#[inline(always)]
fn advance_body<V: NimValue>(base: &mut [V], seen: &mut [u32]) -> bool {
    let last = (V::LIMIT - WINDOW) as u32;
    let mut moved = 0;
    for (base, seen) in base.iter_mut().zip(seen) {
        // The lowest bit not seen, or the last, by itself; its place is the exponent it has as a float.
        let bits = *seen & (u32::MAX >> 1);
        let lowest = !bits & (bits + 1);
        let place = ((lowest.cast_signed() as f32).to_bits() >> 23 & 0xff) - 127;
        let steps = place.min(last - base.get() as u32);
        *seen >>= steps;
        *base = V::new(base.get() + steps as usize);
        moved |= steps;
    }
    moved != 0
}

/// Marks by the definition.
#[inline(always)]
fn mark_plainly<V: NimValue, const LANES: usize>(options: Options<'_, V>, base: &[V; LANES], seen: &mut [u32; LANES]) {
    for &element in options.elements {
        options.fetch_ahead(element);
        for ((&base, seen), value) in base.iter().zip(&mut *seen).zip(options.of::<LANES>(element, 0)) {
            mark_one(value.get(), base.get(), seen);
        }
    }
}

/// Marks one value in one window.
#[inline(always)]
pub fn mark_one(value: usize, base: usize, seen: &mut u32) {
    let place = value.wrapping_sub(base);
    if place < WINDOW {
        *seen |= 1 << place;
    }
}

/// One entry a lane.
#[inline(always)]
fn lanes<'a, V: NimValue, const LANES: usize>(
    base: &'a [V],
    seen: &'a mut [u32],
) -> (&'a [V; LANES], &'a mut [u32; LANES]) {
    (base.try_into().expect("a base for each lane"), seen.try_into().expect("bits for each lane"))
}

impl NimValue for u8 {
    const LANES: usize = 128;
    const LIMIT: usize = 1 << 8;

    #[inline(always)]
    fn new(value: usize) -> Self {
        value as Self
    }
    #[inline(always)]
    fn get(self) -> usize {
        self.into()
    }
    fn mark(cpu: Cpu, options: Options<'_, Self>, base: &[Self], seen: &mut [u32]) {
        let (base, seen) = lanes(base, seen);
        match cpu.0 {
            Level::Portable => mark_plainly(options, base, seen),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Cpu` of this level exists only where AVX2 was detected.
            Level::Avx2 => unsafe { x86::mark_bytes_avx2(options, base, seen) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Cpu` of this level exists only where AVX-512F and AVX-512BW were detected.
            Level::Avx512 => unsafe { x86::mark_bytes_avx512(options, base, seen) },
        }
    }
}

impl NimValue for u16 {
    const LANES: usize = 64;
    const LIMIT: usize = 1 << 16;

    #[inline(always)]
    fn new(value: usize) -> Self {
        value as Self
    }
    #[inline(always)]
    fn get(self) -> usize {
        self.into()
    }
    fn mark(cpu: Cpu, options: Options<'_, Self>, base: &[Self], seen: &mut [u32]) {
        let (base, seen) = lanes(base, seen);
        match cpu.0 {
            Level::Portable => mark_plainly(options, base, seen),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Cpu` of this level exists only where AVX2 was detected.
            Level::Avx2 => unsafe { x86::mark_words_avx2(options, base, seen) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Cpu` of this level exists only where AVX-512F and AVX-512BW were detected.
            Level::Avx512 => unsafe { x86::mark_words_avx512(options, base, seen) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{NimValue, Options, advance_body};

    /// 1 << i for i < 8, then zeros: the low byte of 1 << i.
    const LOW: i64 = i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
    /// What is added so that only 0 to 15 keep the top bit clear.
    const TOP: i8 = 0x70;
    /// The truth table of "a or b or c".
    const OR: i32 = 0xfe;

    #[target_feature(enable = "avx2")]
    pub(super) fn advance_avx2<V: NimValue>(base: &mut [V], seen: &mut [u32]) -> bool {
        advance_body(base, seen)
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn advance_avx512<V: NimValue>(base: &mut [V], seen: &mut [u32]) -> bool {
        advance_body(base, seen)
    }

    /// Adds the bits to those seen: the bytes of the bits of each lane, the lowest first.
    #[inline(always)]
    fn join<const LANES: usize>(seen: &mut [u32], bytes: &[[u8; LANES]; 4]) {
        for (lane, seen) in seen.iter_mut().enumerate().take(LANES) {
            *seen |= u32::from_le_bytes([bytes[0][lane], bytes[1][lane], bytes[2][lane], bytes[3][lane]]);
        }
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    fn load512<T>(part: &[T]) -> __m512i {
        assert!(size_of_val(part) >= 64);
        // SAFETY: the slice has at least 64 bytes, and the load needs no alignment.
        unsafe { _mm512_loadu_si512(part.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    fn store512<T>(part: &mut [T], vector: __m512i) {
        assert!(size_of_val(part) >= 64);
        // SAFETY: the slice has at least 64 bytes, any of which any integer may hold, and the store needs no alignment.
        unsafe { _mm512_storeu_si512(part.as_mut_ptr().cast(), vector) }
    }

    #[target_feature(enable = "avx2")]
    fn load256<T>(part: &[T]) -> __m256i {
        assert!(size_of_val(part) >= 32);
        // SAFETY: the slice has at least 32 bytes, and the load needs no alignment.
        unsafe { _mm256_loadu_si256(part.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    fn store256<T>(part: &mut [T], vector: __m256i) {
        assert!(size_of_val(part) >= 32);
        // SAFETY: the slice has at least 32 bytes, any of which any integer may hold, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(part.as_mut_ptr().cast(), vector) }
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn mark_bytes_avx512(options: Options<'_, u8>, base: &[u8; 128], seen: &mut [u32; 128]) {
        let tables = [_mm_set_epi64x(0, LOW), _mm_set_epi64x(LOW, 0)].map(|table| _mm512_broadcast_i32x4(table));
        let (top, half) = (_mm512_set1_epi8(TOP), _mm512_set1_epi8(16));
        let bases = [load512(&base[..64]), load512(&base[64..])];
        let mut bits = [[_mm512_setzero_si512(); 4]; 2];
        // The bits of two elements are joined by one instruction; a single one at the end is looked at twice.
        let (pairs, single) = options.elements.as_chunks::<2>();
        for [first, second] in pairs.iter().copied().chain(single.iter().map(|&s| [s, s])) {
            options.fetch_ahead(first);
            options.fetch_ahead(second);
            let (first, second) = (options.of::<128>(first, 0), options.of::<128>(second, 0));
            for i in 0..2 {
                let places = |options: &[u8; 128]| {
                    let place = _mm512_sub_epi8(load512(&options[64 * i..][..64]), bases[i]);
                    [_mm512_adds_epu8(place, top), _mm512_adds_epu8(_mm512_sub_epi8(place, half), top)]
                };
                let (first, second) = (places(first), places(second));
                for (j, bits) in bits[i].iter_mut().enumerate() {
                    let byte = |places: [__m512i; 2]| _mm512_shuffle_epi8(tables[j % 2], places[j / 2]);
                    *bits = _mm512_ternarylogic_epi64::<OR>(*bits, byte(first), byte(second));
                }
            }
        }
        let mut bytes = [[0_u8; 128]; 4];
        for i in 0..2 {
            for (bytes, &bits) in bytes.iter_mut().zip(&bits[i]) {
                store512(&mut bytes[64 * i..][..64], bits);
            }
        }
        join(seen, &bytes);
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn mark_words_avx512(options: Options<'_, u16>, base: &[u16; 64], seen: &mut [u32; 64]) {
        let (one, half) = (_mm512_set1_epi16(1), _mm512_set1_epi16(16));
        let bases = [load512(&base[..32]), load512(&base[32..])];
        let mut bits = [[_mm512_setzero_si512(); 2]; 2];
        for &element in options.elements {
            options.fetch_ahead(element);
            let options = options.of::<64>(element, 0);
            for i in 0..2 {
                let place = _mm512_sub_epi16(load512(&options[32 * i..][..32]), bases[i]);
                bits[i][0] = _mm512_or_si512(bits[i][0], _mm512_sllv_epi16(one, place));
                bits[i][1] = _mm512_or_si512(bits[i][1], _mm512_sllv_epi16(one, _mm512_sub_epi16(place, half)));
            }
        }
        let mut words = [[0_u16; 64]; 2];
        for i in 0..2 {
            store512(&mut words[0][32 * i..][..32], bits[i][0]);
            store512(&mut words[1][32 * i..][..32], bits[i][1]);
        }
        for ((seen, &low), &high) in seen.iter_mut().zip(&words[0]).zip(&words[1]) {
            *seen |= u32::from(low) | u32::from(high) << 16;
        }
    }

    /// The byte of the bits of each place that table 0 or 1, at part 0 or 1 of the window, gives.
    #[target_feature(enable = "avx2")]
    fn look_up256(places: __m256i) -> [__m256i; 4] {
        let tables = [_mm_set_epi64x(0, LOW), _mm_set_epi64x(LOW, 0)].map(|table| _mm256_broadcastsi128_si256(table));
        let (top, half) = (_mm256_set1_epi8(TOP), _mm256_set1_epi8(16));
        let low = _mm256_adds_epu8(places, top);
        let high = _mm256_adds_epu8(_mm256_sub_epi8(places, half), top);
        [(0, low), (1, low), (0, high), (1, high)].map(|(table, place)| _mm256_shuffle_epi8(tables[table], place))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn mark_bytes_avx2(options: Options<'_, u8>, base: &[u8; 128], seen: &mut [u32; 128]) {
        // A vector at a time: with the bits of more there are not enough registers.
        for lane in (0..128).step_by(32) {
            let base = load256(&base[lane..][..32]);
            let mut bits = [_mm256_setzero_si256(); 4];
            for &element in options.elements {
                if lane == 0 {
                    options.fetch_ahead(element);
                }
                let found = look_up256(_mm256_sub_epi8(load256(options.of::<32>(element, lane)), base));
                for (bits, found) in bits.iter_mut().zip(found) {
                    *bits = _mm256_or_si256(*bits, found);
                }
            }
            let mut bytes = [[0_u8; 32]; 4];
            for (bytes, bits) in bytes.iter_mut().zip(bits) {
                store256(bytes, bits);
            }
            join(&mut seen[lane..][..32], &bytes);
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn mark_words_avx2(options: Options<'_, u16>, base: &[u16; 64], seen: &mut [u32; 64]) {
        /// A pack takes the halves of 128 bits in turns; this puts them in order.
        const IN_ORDER: i32 = 0b11_01_10_00;
        let byte = _mm256_set1_epi16(0xff);
        for lane in (0..64).step_by(32) {
            let bases = [load256(&base[lane..][..16]), load256(&base[lane + 16..][..16])];
            let mut bits = [_mm256_setzero_si256(); 4];
            for &element in options.elements {
                if lane == 0 {
                    options.fetch_ahead(element);
                }
                let options = options.of::<32>(element, lane);
                let place =
                    |i: usize| _mm256_min_epu16(_mm256_sub_epi16(load256(&options[16 * i..][..16]), bases[i]), byte);
                let found = look_up256(_mm256_packus_epi16(place(0), place(1)));
                for (bits, found) in bits.iter_mut().zip(found) {
                    *bits = _mm256_or_si256(*bits, found);
                }
            }
            let mut bytes = [[0_u8; 32]; 4];
            for (bytes, bits) in bytes.iter_mut().zip(bits) {
                store256(bytes, _mm256_permute4x64_epi64::<IN_ORDER>(bits));
            }
            join(&mut seen[lane..][..32], &bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random.
    fn random(seed: u64) -> impl FnMut(usize) -> usize {
        let mut state = seed;
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        }
    }

    fn marks_agree_with_the_definition<V: NimValue>(limits: &[usize]) {
        let mut random = random(V::LIMIT as u64);
        for &limit in limits {
            let values: Vec<V> = (0..4000).map(|_| V::new(limit - 1 - random(limit.min(60)))).collect();
            let elements: Vec<usize> = (0..7).map(|_| V::LANES + random(3000)).collect();
            for count in 0..elements.len() {
                let base: Vec<V> = (0..V::LANES).map(|_| V::new(limit - 32 - random((limit - 31).min(50)))).collect();
                let before: Vec<u32> = (0..V::LANES).map(|_| random(1 << 31) as u32 & random(1 << 31) as u32).collect();
                let x = 4000 - random(500);
                let elements = &elements[..count];
                let mut expected = before.clone();
                for (lane, seen) in expected.iter_mut().enumerate() {
                    for s in elements {
                        let (value, base) = (values[x + lane - s].get(), base[lane].get());
                        if (base..base + 32).contains(&value) {
                            *seen |= 1 << (value - base);
                        }
                    }
                }
                for &cpu in Cpu::available() {
                    for ahead in [false, true] {
                        let mut seen = before.clone();
                        mark(cpu, Options { values: &values, x, elements, ahead }, &base, &mut seen);
                        assert!(seen == expected, "{cpu:?}, values below {limit}, {count} elements");
                    }
                }
            }
        }
    }

    #[test]
    fn bytes_and_words_are_marked_as_by_the_definition() {
        marks_agree_with_the_definition::<u8>(&[32, 33, 100, 255, 256]);
        marks_agree_with_the_definition::<u16>(&[32, 100, 256, 300, 32_768 + 8, 65_535, 65_536]);
    }

    fn bases_move_over_what_was_seen<V: NimValue>() {
        let mut random = random(7);
        let last = V::LIMIT - WINDOW;
        for round in 0..1000 {
            let base: Vec<V> = (0..V::LANES).map(|_| V::new(last - random([1, 4, 20, last + 1][round % 4]))).collect();
            let seen: Vec<u32> = (0..V::LANES).map(|_| u32::MAX >> random(32) & !(1 << random(60).min(31))).collect();
            let expected: Vec<(usize, u32)> = base
                .iter()
                .zip(&seen)
                .map(|(base, &seen)| {
                    let steps = (seen.trailing_ones() as usize).min(31).min(last - base.get());
                    (base.get() + steps, seen >> steps)
                })
                .collect();
            for &cpu in Cpu::available() {
                let (mut base_after, mut seen_after) = (base.clone(), seen.clone());
                let moved = advance(cpu, &mut base_after, &mut seen_after);
                assert!(base_after.iter().map(|b| b.get()).zip(seen_after).eq(expected.iter().copied()), "{cpu:?}");
                assert_eq!(moved, base.iter().zip(&expected).any(|(base, after)| base.get() != after.0), "{cpu:?}");
            }
        }
    }

    #[test]
    fn bases_move_over_what_was_seen_and_stop_at_the_last_window() {
        bases_move_over_what_was_seen::<u8>();
        bases_move_over_what_was_seen::<u16>();
    }

    #[test]
    #[should_panic = "every option of the group is decided"]
    fn an_option_that_is_not_decided_is_refused() {
        let options = Options { values: &[0_u8; 300], x: 300, elements: &[127], ahead: false };
        mark(Cpu::best(), options, &[0; 128], &mut [0; 128]);
    }
}
