//! The number-theoretic transform modulo the prime 15 * 2^27 + 1, and what a convolution does with it.
//!
//! A transform of length N = 2^k is k passes of butterflies. The forward transform ends in a scrambled order that is the
//! same for both factors of a product, and the backward one starts from it, so nothing is ever put in order. A pass
//! whose butterflies span at least a vector runs along the data; for the last four, which would work inside a vector,
//! each block of 256 is transposed as a 16 by 16 matrix first, and then they too run along rows. The backward
//! transform uses the same roots and so returns the sequence reversed (x at -x mod N); readers allow for that, and no
//! second table of roots is needed.
//!
//! Numbers are below the prime and in Montgomery form with R = 2^32 where they are multiplied by a root or a spectrum.

use rayon::prelude::*;

use super::cpu::{Cpu, Level};
use crate::error::Result;
use crate::run::try_vec;

/// The modulus, a prime below 2^31.
pub const MODULUS: u32 = 15 * (1 << 27) + 1;
/// The longest transform: the modulus minus one is divisible by 2^27 and no higher power of 2.
pub const MAX_LEN: usize = 1 << 27;
/// The shortest transform.
pub const MIN_LEN: usize = BLOCK;

/// A generator of the multiplicative group.
const GENERATOR: u32 = 31;
/// Elements of the blocks that are transposed.
const BLOCK: usize = 256;
/// Rows and columns of such a block.
const SIDE: usize = 16;
/// Below this length a transform stays on one thread.
const PARALLEL: usize = 1 << 16;
/// Elements of a pass that one task takes.
const PASS_CHUNK: usize = 1 << 14;

const P: u64 = MODULUS as u64;
/// -1 / MODULUS mod 2^32.
const NEGATED_INVERSE: u64 = {
    let mut inverse: u32 = 1;
    let mut i = 0;
    while i < 5 {
        inverse = inverse.wrapping_mul(2_u32.wrapping_sub(MODULUS.wrapping_mul(inverse)));
        i += 1;
    }
    inverse.wrapping_neg() as u64
};
const R: u32 = ((1 << 32) % P) as u32;

/// a b / R mod P, for a b < P R.
#[inline(always)]
fn mul(a: u32, b: u32) -> u32 {
    let product = u64::from(a) * u64::from(b);
    // The low halves cancel; masks instead of casts keep this in 64-bit lanes, where vectors multiply.
    let m = ((product & 0xffff_ffff) * NEGATED_INVERSE) & 0xffff_ffff;
    let sum = ((product + m * P) >> 32) as u32;
    sum.min(sum.wrapping_sub(MODULUS))
}

#[inline(always)]
fn add(a: u32, b: u32) -> u32 {
    let sum = a + b;
    sum.min(sum.wrapping_sub(MODULUS))
}

#[inline(always)]
fn sub(a: u32, b: u32) -> u32 {
    let difference = a.wrapping_sub(b);
    difference.min(difference.wrapping_add(MODULUS))
}

/// a^e mod P, the slow way.
const fn power(a: u32, mut e: u64) -> u32 {
    let (mut base, mut result) = (a as u64, 1);
    while e > 0 {
        if e & 1 == 1 {
            result = result * base % P;
        }
        base = base * base % P;
        e >>= 1;
    }
    result as u32
}

/// The roots of unity for transforms up to a length: entries h to 2h - 1 are the powers of a 2h-th root, for every
/// power of two h.
#[derive(Debug)]
pub struct Roots {
    roots: Vec<u32>,
    cpu: Cpu,
}

impl Roots {
    /// Makes the roots for transforms of at most `len` elements. 4 `len` bytes.
    ///
    /// # Errors
    /// [`crate::Error::Memory`] when the system refuses the memory.
    ///
    /// # Panics
    /// When `len` is not a power of two from [`MIN_LEN`] to [`MAX_LEN`]: there are no such roots.
    pub fn new(len: usize) -> Result<Self> {
        Self::with_cpu(len, Cpu::best())
    }

    fn with_cpu(len: usize, cpu: Cpu) -> Result<Self> {
        assert!(len.is_power_of_two() && (MIN_LEN..=MAX_LEN).contains(&len), "no roots of unity of order {len}");
        let mut roots = try_vec("the roots of a transform", len as u64, 0)?;
        let half = len / 2;
        let root = power(GENERATOR, (P - 1) / len as u64);
        let (root, mut value) = ((u64::from(root) * u64::from(R) % P) as u32, R);
        for entry in &mut roots[half..] {
            *entry = value;
            value = mul(value, root);
        }
        for i in (1..half).rev() {
            roots[i] = roots[2 * i];
        }
        Ok(Self { roots, cpu })
    }

    /// Transforms in place, into scrambled order. O(len log len).
    ///
    /// # Panics
    /// When the length is not a power of two from [`MIN_LEN`] up to what the roots were made for.
    pub fn forward(&self, data: &mut [u32]) {
        self.check(data.len());
        self.forward_part(data);
    }

    fn forward_part(&self, data: &mut [u32]) {
        if data.len() == BLOCK {
            return run(self.cpu, Work::ForwardBlock { block: data, roots: &self.roots });
        }
        let half = data.len() / 2;
        let (low, high) = data.split_at_mut(half);
        let roots = &self.roots[half..2 * half];
        if half < PARALLEL {
            run(self.cpu, Work::ForwardPass { low, high, roots });
            self.forward_part(low);
            self.forward_part(high);
        } else {
            let parts =
                low.par_chunks_mut(PASS_CHUNK).zip(high.par_chunks_mut(PASS_CHUNK)).zip(roots.par_chunks(PASS_CHUNK));
            parts.for_each(|((low, high), roots)| run(self.cpu, Work::ForwardPass { low, high, roots }));
            rayon::join(|| self.forward_part(low), || self.forward_part(high));
        }
    }

    /// Multiplies the scrambled transform by a [`Self::spectrum`] and transforms back in place: element -x mod len is then
    /// the cyclic convolution at x. O(len log len).
    ///
    /// # Panics
    /// As [`Self::forward`], and when the lengths differ.
    pub fn multiply_and_return(&self, data: &mut [u32], spectrum: &[u32]) {
        self.check(data.len());
        assert_eq!(data.len(), spectrum.len(), "both factors have one length");
        self.return_part(data, Some(spectrum));
    }

    /// Transforms a sum of products back in place; see [`Self::add_product`]. As [`Self::multiply_and_return`] without
    /// the multiplication.
    ///
    /// # Panics
    /// As [`Self::forward`].
    pub fn backward(&self, data: &mut [u32]) {
        self.check(data.len());
        self.return_part(data, None);
    }

    /// Adds to `sum` the product of a scrambled transform and a [`Self::spectrum`], element by element.
    ///
    /// # Panics
    /// When the lengths differ.
    pub fn add_product(&self, sum: &mut [u32], data: &[u32], spectrum: &[u32]) {
        assert!(sum.len() == data.len() && data.len() == spectrum.len(), "sum and factors have one length");
        let parts =
            sum.par_chunks_mut(PASS_CHUNK).zip(data.par_chunks(PASS_CHUNK)).zip(spectrum.par_chunks(PASS_CHUNK));
        parts.for_each(|((sum, data), spectrum)| run(self.cpu, Work::AddProduct { sum, data, spectrum }));
    }

    fn return_part(&self, data: &mut [u32], spectrum: Option<&[u32]>) {
        if data.len() == BLOCK {
            return run(self.cpu, Work::BackwardBlock { block: data, spectrum, roots: &self.roots });
        }
        let half = data.len() / 2;
        let (low, high) = data.split_at_mut(half);
        let (low_spectrum, high_spectrum) = spectrum.map(|spectrum| spectrum.split_at(half)).unzip();
        let roots = &self.roots[half..2 * half];
        if half < PARALLEL {
            self.return_part(low, low_spectrum);
            self.return_part(high, high_spectrum);
            run(self.cpu, Work::BackwardPass { low, high, roots });
        } else {
            rayon::join(|| self.return_part(low, low_spectrum), || self.return_part(high, high_spectrum));
            let parts =
                low.par_chunks_mut(PASS_CHUNK).zip(high.par_chunks_mut(PASS_CHUNK)).zip(roots.par_chunks(PASS_CHUNK));
            parts.for_each(|((low, high), roots)| run(self.cpu, Work::BackwardPass { low, high, roots }));
        }
    }

    /// The transform of a factor that is used many times, scaled so that [`Self::multiply_and_return`] needs no division.
    pub fn spectrum(&self, mut data: Vec<u32>) -> Vec<u32> {
        self.forward(&mut data);
        let inverse_len = power((data.len() as u64 % P) as u32, P - 2);
        // R^2 / len: one R is taken off by this multiplication, the other by that with the spectrum.
        let scale = (u64::from(inverse_len) * u64::from(R) % P * u64::from(R) % P) as u32;
        data.iter_mut().for_each(|x| *x = mul(*x, scale));
        data
    }

    fn check(&self, len: usize) {
        assert!(
            len.is_power_of_two() && (MIN_LEN..=self.roots.len()).contains(&len),
            "a transform of {len} elements with roots for {}",
            self.roots.len()
        );
    }
}

/// One unit of work for a vector level.
enum Work<'a> {
    ForwardPass { low: &'a mut [u32], high: &'a mut [u32], roots: &'a [u32] },
    BackwardPass { low: &'a mut [u32], high: &'a mut [u32], roots: &'a [u32] },
    ForwardBlock { block: &'a mut [u32], roots: &'a [u32] },
    BackwardBlock { block: &'a mut [u32], spectrum: Option<&'a [u32]>, roots: &'a [u32] },
    AddProduct { sum: &'a mut [u32], data: &'a [u32], spectrum: &'a [u32] },
}

/// Does the work with the instructions of the CPU: one body, compiled for each level.
fn run(cpu: Cpu, work: Work<'_>) {
    match cpu.0 {
        Level::Portable => body(work),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Cpu` of this level exists only where AVX2 was detected.
        Level::Avx2 => unsafe { body_avx2(work) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Cpu` of this level exists only where AVX-512F and AVX-512BW were detected.
        Level::Avx512 => unsafe { body_avx512(work) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn body_avx2(work: Work<'_>) {
    body(work);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn body_avx512(work: Work<'_>) {
    body(work);
}

#[inline(always)]
fn body(work: Work<'_>) {
    match work {
        Work::ForwardPass { low, high, roots } => forward_pass(low, high, roots),
        Work::BackwardPass { low, high, roots } => backward_pass(low, high, roots),
        Work::ForwardBlock { block, roots } => forward_block(block, roots),
        Work::BackwardBlock { block, spectrum, roots } => backward_block(block, spectrum, roots),
        Work::AddProduct { sum, data, spectrum } => add_product(sum, data, spectrum),
    }
}

#[inline(always)]
fn forward_pass(low: &mut [u32], high: &mut [u32], roots: &[u32]) {
    for ((a, b), &w) in low.iter_mut().zip(high).zip(roots) {
        (*a, *b) = (add(*a, *b), mul(sub(*a, *b), w));
    }
}

#[inline(always)]
fn backward_pass(low: &mut [u32], high: &mut [u32], roots: &[u32]) {
    for ((a, b), &w) in low.iter_mut().zip(high).zip(roots) {
        let turned = mul(*b, w);
        (*a, *b) = (add(*a, turned), sub(*a, turned));
    }
}

#[inline(always)]
fn forward_block(block: &mut [u32], roots: &[u32]) {
    for half in [128, 64, 32, 16] {
        for part in block.chunks_exact_mut(2 * half) {
            let (low, high) = part.split_at_mut(half);
            forward_pass(low, high, &roots[half..2 * half]);
        }
    }
    let mut rows = transposed(block);
    for half in [8, 4, 2, 1] {
        for part in rows.chunks_exact_mut(2 * half) {
            let (low, high) = part.split_at_mut(half);
            for ((low, high), &w) in low.iter_mut().zip(high).zip(&roots[half..2 * half]) {
                forward_pass(low, high, &[w; SIDE]);
            }
        }
    }
    block.copy_from_slice(rows.as_flattened());
}

#[inline(always)]
fn add_product(sum: &mut [u32], data: &[u32], spectrum: &[u32]) {
    for ((sum, &x), &s) in sum.iter_mut().zip(data).zip(spectrum) {
        *sum = add(*sum, mul(x, s));
    }
}

#[inline(always)]
fn backward_block(block: &mut [u32], spectrum: Option<&[u32]>, roots: &[u32]) {
    if let Some(spectrum) = spectrum {
        block.iter_mut().zip(spectrum).for_each(|(x, &s)| *x = mul(*x, s));
    }
    let (rows, _) = block.as_chunks_mut::<SIDE>();
    for half in [1, 2, 4, 8] {
        for part in rows.chunks_exact_mut(2 * half) {
            let (low, high) = part.split_at_mut(half);
            for ((low, high), &w) in low.iter_mut().zip(high).zip(&roots[half..2 * half]) {
                backward_pass(low, high, &[w; SIDE]);
            }
        }
    }
    let rows = transposed(block);
    block.copy_from_slice(rows.as_flattened());
    for half in [16, 32, 64, 128] {
        for part in block.chunks_exact_mut(2 * half) {
            let (low, high) = part.split_at_mut(half);
            backward_pass(low, high, &roots[half..2 * half]);
        }
    }
}

#[inline(always)]
fn transposed(block: &[u32]) -> [[u32; SIDE]; SIDE] {
    let mut rows = [[0; SIDE]; SIDE];
    for (column, values) in block.chunks_exact(SIDE).enumerate() {
        for (row, &value) in rows.iter_mut().zip(values) {
            row[column] = value;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cyclic convolution by definition.
    fn cyclic(a: &[u32], b: &[u32]) -> Vec<u32> {
        let mut result = vec![0_u64; a.len()];
        for (i, &x) in a.iter().enumerate() {
            for (j, &y) in b.iter().enumerate() {
                let slot = &mut result[(i + j) % a.len()];
                *slot = (*slot + u64::from(x) * u64::from(y)) % P;
            }
        }
        result.into_iter().map(|x| x as u32).collect()
    }

    #[test]
    fn convolution_agrees_with_the_definition_on_every_cpu_level() {
        for &cpu in Cpu::available() {
            let roots = Roots::with_cpu(4096, cpu).unwrap();
            for len in [256, 512, 2048] {
                let mut state = len as u64;
                let mut random = || {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    ((state >> 33) % P) as u32
                };
                let a: Vec<u32> = (0..len).map(|_| random()).collect();
                let b: Vec<u32> = (0..len).map(|_| random()).collect();
                let expected = cyclic(&a, &b);
                let spectrum = roots.spectrum(b);
                let mut data = a;
                roots.forward(&mut data);
                let mut sum = vec![0; len];
                (0..2).for_each(|_| roots.add_product(&mut sum, &data, &spectrum));
                roots.backward(&mut sum);
                roots.multiply_and_return(&mut data, &spectrum);
                let in_order = |data: &[u32]| -> Vec<u32> { (0..len).map(|x| data[(len - x) % len]).collect() };
                assert_eq!(in_order(&data), expected, "{cpu:?}, length {len}");
                let doubled: Vec<u32> = expected.iter().map(|&x| add(x, x)).collect();
                assert_eq!(in_order(&sum), doubled, "{cpu:?}, a sum of length {len}");
            }
        }
    }

    #[test]
    fn the_modulus_has_the_roots_it_needs() {
        assert_eq!((P - 1) % MAX_LEN as u64, 0);
        assert_eq!(power(GENERATOR, (P - 1) / 2), MODULUS - 1, "a generator is no square");
        assert_ne!(power(GENERATOR, (P - 1) / 3), 1);
        assert_ne!(power(GENERATOR, (P - 1) / 5), 1);
        assert!((2..46_341).all(|d| !MODULUS.is_multiple_of(d)), "2^31 is below 46,341^2");
        let refused = std::panic::catch_unwind(|| Roots::new(2 * MAX_LEN));
        assert!(refused.is_err(), "a transform without roots must not be silently wrong");
    }
}
