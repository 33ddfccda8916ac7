//! Exact boolean convolution: which numbers are a sum of one member of each of two sets.
//!
//! Two methods, both exact. [`Method::Shift`] ORs the larger set, shifted by each member of the smaller: its cost is
//! that member count times n / 512. [`Method::Transform`] counts the sums with a number-theoretic transform: its cost
//! does not depend on the sets. For one convolution with the squares the shifts win at every length from 2^14 to 2^24;
//! for dense sets the transform does.

pub(crate) mod spectra;
mod transform;

pub use transform::MAX_N;

use crate::error::{Error, Result};
use crate::kernel::{Cpu, PaddedBits, STRIP, Shifts, or_windows};

/// How a convolution is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// A shifted OR for each member of the smaller set.
    Shift,
    /// A number-theoretic transform modulo a 31-bit prime.
    Transform,
}

/// Computes which of 0, ..., n - 1 are the sum of a member of `a` and a member of `b`. Sets and result are bits in 64-bit
/// words, least significant first; bits at and beyond `n` are ignored.
///
/// # Errors
/// [`Error::Number`] when n passes [`MAX_N`] for a transform, or the sets are too short; [`Error::Memory`].
///
/// ```
/// use nimsieve::convolve::{Method, sums};
/// // {0, 2} + {1, 4} = {1, 3, 4, 6}
/// assert_eq!(sums(Method::Shift, &[0b101], &[0b10010], 64)?, [0b1011010]);
/// assert_eq!(sums(Method::Transform, &[0b101], &[0b10010], 64)?, [0b1011010]);
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn sums(method: Method, a: &[u64], b: &[u64], n: u64) -> Result<Vec<u64>> {
    let needed = n.div_ceil(64) as usize;
    if a.len() < needed || b.len() < needed {
        return Err(Error::Number(format!("a convolution of {n} bits needs {needed} words of each set")));
    }
    let mut result = match method {
        Method::Shift => by_shifts(&a[..needed], &b[..needed], n)?,
        Method::Transform => transform::sums(&a[..needed], &b[..needed], n)?,
    };
    if !n.is_multiple_of(64)
        && let Some(last) = result.last_mut()
    {
        *last &= u64::MAX >> (64 - n % 64);
    }
    Ok(result)
}

fn by_shifts(a: &[u64], b: &[u64], n: u64) -> Result<Vec<u64>> {
    let count = |words: &[u64]| words.iter().map(|w| u64::from(w.count_ones())).sum::<u64>();
    let (few, many) = if count(a) < count(b) { (a, b) } else { (b, a) };
    let mut source = PaddedBits::zeros("a factor of a convolution", n)?;
    source.words_mut()[..many.len()].copy_from_slice(many);
    let mut shifts = Shifts::default();
    crate::sink::try_for_each_bit(few, 0, |s| {
        shifts.reserve(1)?;
        shifts.push(s);
        Ok(())
    })?;
    let mut result = crate::run::try_vec("a convolution", n.next_multiple_of(STRIP) / 64, 0)?;
    for (x, strip) in (0..).step_by(STRIP as usize).zip(result.as_chunks_mut().0) {
        for class in shifts.within(0..x + STRIP) {
            or_windows(Cpu::best(), strip, x, &source, class);
        }
    }
    result.truncate(n.div_ceil(64) as usize);
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    /// An independent oracle: in base 2^32 each count stays inside its digit, so a product of integers is a convolution.
    fn by_big_integers(a: &[u64], b: &[u64], n: u64) -> Vec<u64> {
        let digits =
            |words: &[u64]| BigUint::new((0..n).map(|x| (words[(x / 64) as usize] >> (x % 64) & 1) as u32).collect());
        let product = (digits(a) * digits(b)).to_u32_digits();
        let mut result = vec![0; n.div_ceil(64) as usize];
        for x in 0..n {
            let hit = product.get(x as usize).is_some_and(|&count| count > 0);
            result[(x / 64) as usize] |= u64::from(hit) << (x % 64);
        }
        result
    }

    fn random_words(len: usize, density_bits: u32, mut state: u64) -> Vec<u64> {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        };
        (0..len).map(|_| (0..density_bits).fold(u64::MAX, |w, _| w & next())).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn methods_agree_with_big_integers(n in 1_u64..6000, thin_a in 0_u32..8, thin_b in 0_u32..8, seed: u64) {
            let len = n.div_ceil(64) as usize;
            let (a, b) = (random_words(len, thin_a, seed), random_words(len, thin_b, !seed));
            let expected = by_big_integers(&a, &b, n);
            prop_assert_eq!(&sums(Method::Shift, &a, &b, n).unwrap(), &expected);
            prop_assert_eq!(&sums(Method::Transform, &a, &b, n).unwrap(), &expected);
        }
    }

    #[test]
    fn full_sets_around_a_power_of_two() {
        for n in [255, 256, 257, 4095, 4096, 4097] {
            let full = vec![u64::MAX; 65];
            let odd = vec![0xaaaa_aaaa_aaaa_aaaa; 65];
            for (a, b) in [(&full, &full), (&full, &odd), (&odd, &odd)] {
                assert_eq!(sums(Method::Shift, a, b, n).unwrap(), sums(Method::Transform, a, b, n).unwrap(), "n = {n}");
            }
        }
    }
}
