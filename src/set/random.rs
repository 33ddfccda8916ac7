//! Random sets, written `random:DENSITY:SEED`: each number is in or out by itself, and everywhere the same.
//!
//! The number k is in the set if and only if the k-th output of SplitMix64 started with the seed, taken as a number below
//! 2^64, is below DENSITY * 2^64 (G. L. Steele, D. Lea and C. H. Flood, Fast splittable pseudorandom number generators,
//! OOPSLA 2014; the generator has a counter for a state, so the k-th output is a function of k and the seed alone). The
//! rule is part of the name: it does not change between machines or versions.

use super::{Elements, SubtractionSet};
use crate::error::{Error, Result};

/// The set that holds each positive integer with the same probability, chosen by a seed.
///
/// ```
/// use nimsieve::set::{Random, SubtractionSet};
/// let set = Random::new(0.25, 1)?;
/// let below = set.elements().take_while(|&k| k <= 100_000).count();
/// assert!((24_500..25_500).contains(&below));
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Random {
    density: f64,
    seed: u64,
}

impl Random {
    /// The least density: below it, to find the next element of the set takes too long.
    pub const MIN_DENSITY: f64 = 0.00001;

    /// Makes the set of a density, the probability of each number, and a seed.
    ///
    /// # Errors
    /// [`Error::Set`] when the density is below [`Self::MIN_DENSITY`], above 1, or no number.
    pub fn new(density: f64, seed: u64) -> Result<Self> {
        if !(Self::MIN_DENSITY..=1.0).contains(&density) {
            let least = Self::MIN_DENSITY;
            return Err(Error::Set(format!("random:{density}:{seed} needs a density from {least} to 1")));
        }
        Ok(Self { density, seed })
    }

    /// What the hash of an element stays below. Exact: the density times a power of two.
    fn limit(self) -> u128 {
        (self.density * 2_f64.powi(64)) as u128
    }
}

impl SubtractionSet for Random {
    fn name(&self) -> String {
        format!("random:{}:{}", self.density, self.seed)
    }

    fn elements(&self) -> Elements<'_> {
        let (limit, seed) = (self.limit(), self.seed);
        Box::new((1..=u64::MAX).filter(move |&k| u128::from(output(seed, k)) < limit))
    }

    fn expected_below(&self, n: u64) -> Option<f64> {
        Some(self.density * n.saturating_sub(1) as f64)
    }
}

/// The k-th output, from 1, of SplitMix64 started with `seed`.
fn output(seed: u64, k: u64) -> u64 {
    let mut z = seed.wrapping_add(k.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of the generator from the seed 1234567, as other implementations give them.
    #[test]
    fn outputs_are_those_of_the_generator() {
        let outputs: Vec<u64> = (1..=5).map(|k| output(1_234_567, k)).collect();
        assert_eq!(
            outputs,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }

    /// Each count is binomial: beyond five standard deviations one would not believe it.
    #[test]
    fn counts_are_near_the_density() {
        const N: u64 = 200_000;
        for density in [0.001, 0.3, 0.5, 0.97] {
            for seed in [0, 1, 7, u64::MAX] {
                let set = Random::new(density, seed).unwrap();
                let count = set.elements().take_while(|&k| k <= N).count() as f64;
                let deviation = (N as f64 * density * (1.0 - density)).sqrt();
                assert!((count - density * N as f64).abs() < 5.0 * deviation, "{}: {count}", set.name());
            }
        }
    }

    #[test]
    fn density_one_is_every_number() {
        let all = Random::new(1.0, 3).unwrap();
        assert!(all.elements().take(1000).eq(1..=1000));
    }

    #[test]
    fn densities_out_of_range_are_refused() {
        for density in [0.0, -0.5, 1.000001, 1e-9, f64::NAN, f64::INFINITY] {
            assert!(Random::new(density, 1).is_err(), "{density}");
        }
    }
}
