//! A set by residue classes: one row of bits for each residue of a modulus.
//!
//! Bit j of row r tells whether `modulus * j + r` is an element. Engines that work on residue classes read a set in
//! this shape, a stretch of a row at a time and at any place. A set that has a quick way to such rows gives it through
//! [`SubtractionSet::rows`](super::SubtractionSet::rows), as the primes do with a segmented sieve ([`PrimeRows`]); every
//! other set is written into a [`RowTable`].

use crate::error::{Error, Result};
use crate::run::{Control, try_vec};
use crate::set::{SubtractionSet, visit_below};

/// What a residue class holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClassElements {
    /// These elements and no others, increasing.
    Listed(Vec<u64>),
    /// More than is worth listing.
    Many,
}

/// The elements of a set below some n, by the residue classes of a modulus.
pub trait Rows: Send + Sync {
    /// The elements below n of one residue class.
    ///
    /// # Panics
    /// When the residue is not below the modulus.
    fn class(&self, residue: u64) -> ClassElements;

    /// Overwrites `words`, least significant bit first: bit i tells whether `modulus * (first + i) + residue` is an
    /// element. What lies at or beyond n may be given as 0.
    ///
    /// # Panics
    /// When the residue is not below the modulus.
    fn fill(&self, residue: u64, first: u64, words: &mut [u64]);

    /// Tells whether `x` < n is an element.
    fn contains(&self, x: u64) -> bool;
}

/// The rows of any set, all kept: n / 8 bytes, less for the classes that hold nothing.
#[derive(Debug)]
pub struct RowTable {
    modulus: u64,
    rows: Vec<Vec<u64>>,
}

impl RowTable {
    /// Elements of a class that are listed, and not only called many.
    const LISTED: usize = 64;

    /// Goes through the elements of `set` below `n`.
    ///
    /// # Errors
    /// As [`visit_below`]; [`Error::Number`] when the modulus is 0; [`Error::Memory`] when the rows do not fit.
    pub fn new(set: &dyn SubtractionSet, modulus: u64, n: u64, control: &Control) -> Result<Self> {
        let width = n.checked_div(modulus).ok_or_else(|| Error::Number("a modulus is at least 1".into()))? / 64 + 1;
        let mut rows = vec![Vec::new(); modulus as usize];
        visit_below(set, n, control, |s| {
            let row = &mut rows[(s % modulus) as usize];
            if row.is_empty() {
                *row = try_vec("the residue classes of the set", width, 0_u64)?;
            }
            let j = s / modulus;
            row[(j / 64) as usize] |= 1 << (j % 64);
            Ok(())
        })?;
        Ok(Self { modulus, rows })
    }
}

impl Rows for RowTable {
    fn class(&self, residue: u64) -> ClassElements {
        let row = &self.rows[residue as usize];
        let count: u32 = row.iter().map(|word| word.count_ones()).sum();
        if count as usize > Self::LISTED {
            return ClassElements::Many;
        }
        let bits = (0..64 * row.len() as u64).filter(|j| row[(j / 64) as usize] >> (j % 64) & 1 == 1);
        ClassElements::Listed(bits.map(|j| self.modulus * j + residue).collect())
    }

    fn fill(&self, residue: u64, first: u64, words: &mut [u64]) {
        let row = &self.rows[residue as usize];
        let at = |index: u64| usize::try_from(index).ok().and_then(|index| row.get(index)).copied().unwrap_or(0);
        let bit = first % 64;
        for (index, word) in (first / 64..).zip(words) {
            *word = at(index) >> bit | at(index + 1) << 1 << (63 - bit);
        }
    }

    fn contains(&self, x: u64) -> bool {
        let j = x / self.modulus;
        let word = self.rows[(x % self.modulus) as usize].get((j / 64) as usize);
        word.is_some_and(|word| word >> (j % 64) & 1 == 1)
    }
}

/// The rows of the primes, by a segmented sieve of Eratosthenes in every class that is coprime to the modulus.
///
/// A stretch of L bits costs about L (log log n - log log 64) steps and one division for each prime up to the square
/// root of n. Memory: 12 bytes for each of those primes, and a table of the primes below 2^22.
#[derive(Debug)]
pub struct PrimeRows {
    modulus: u64,
    /// The primes up to the square root of n that do not divide the modulus, each with the inverse of the modulus.
    base: Vec<(u32, u32)>,
    /// Bit i tells whether 2 i + 1 is prime.
    small: Vec<u64>,
}

impl PrimeRows {
    /// Numbers whose primality is looked up, if they are below n.
    const SMALL: u64 = 1 << 22;

    /// Makes ready for the primes below `n`.
    ///
    /// # Errors
    /// [`Error::Number`] when the modulus is 0, or n above 2^62.
    pub fn new(modulus: u64, n: u64) -> Result<Self> {
        if modulus == 0 || n > 1 << 62 {
            return Err(Error::Number(format!(
                "primes by residue classes mod {modulus} are served below 2^62, not {n}"
            )));
        }
        let root = n.isqrt() as usize + 1;
        let looked_up = Self::SMALL.min(n.next_multiple_of(128)) as usize;
        let sieve = primal_sieve::Sieve::new(root.max(looked_up));
        let base = sieve.primes_from(2).take_while(|&p| p <= root).map(|p| p as u64);
        let base = base.filter(|p| !modulus.is_multiple_of(*p)).map(|p| (p as u32, inverse(modulus % p, p) as u32));
        let mut small = vec![0; looked_up / 128];
        for p in sieve.primes_from(3).take_while(|&p| p < looked_up) {
            small[p / 128] |= 1 << (p / 2 % 64);
        }
        Ok(Self { modulus, base: base.collect(), small })
    }
}

/// The inverse of `a` modulo the prime `p`, which does not divide it: a^(p - 2).
fn inverse(a: u64, p: u64) -> u64 {
    let (mut result, mut power, mut exponent) = (1, a, p - 2);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * power % p;
        }
        power = power * power % p;
        exponent /= 2;
    }
    result % p
}

/// The greatest common divisor.
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Rows for PrimeRows {
    fn class(&self, residue: u64) -> ClassElements {
        assert!(residue < self.modulus, "a residue is below its modulus");
        match gcd(residue, self.modulus) {
            1 => ClassElements::Many,
            // Every number of the class is a multiple of g, and at least g.
            g => {
                let own = g % self.modulus == residue && self.contains(g);
                ClassElements::Listed(own.then_some(g).into_iter().collect())
            }
        }
    }

    fn fill(&self, residue: u64, first: u64, words: &mut [u64]) {
        if let ClassElements::Listed(primes) = self.class(residue) {
            words.fill(0);
            let end = first + 64 * words.len() as u64;
            for j in primes.into_iter().map(|p| p / self.modulus).filter(|j| (first..end).contains(j)) {
                words[((j - first) / 64) as usize] |= 1 << ((j - first) % 64);
            }
            return;
        }
        words.fill(u64::MAX);
        let len = 64 * words.len() as u64;
        let last = self.modulus * (first + len - 1) + residue;
        for &(p, inverse) in self.base.iter().take_while(|(p, _)| u64::from(*p).pow(2) <= last) {
            let (p, inverse) = (u64::from(p), u64::from(inverse));
            // p divides modulus * j + residue if and only if j = zero mod p; below p^2 smaller primes do the work.
            let zero = (p - residue % p) * inverse % p;
            let least = first.max((p * p).saturating_sub(residue).div_ceil(self.modulus));
            let start = least + (zero + p - least % p) % p - first;
            if p < 64 {
                cross_off_small(words, start, p);
            } else {
                let mut j = start;
                while j < len {
                    words[(j / 64) as usize] &= !(1 << (j % 64));
                    j += p;
                }
            }
        }
        // 1 is no prime.
        if residue == 1 && first == 0 {
            words[0] &= !1;
        }
        if self.modulus == 1 && first <= 1 {
            (first..2).for_each(|j| words[0] &= !(1 << (j - first)));
        }
    }

    fn contains(&self, x: u64) -> bool {
        match x {
            2 => true,
            _ if x.is_multiple_of(2) => false,
            _ => match self.small.get((x / 128) as usize) {
                Some(word) => word >> (x / 2 % 64) & 1 == 1,
                None => primal_check::miller_rabin(x),
            },
        }
    }
}

/// Clears bits start, start + p, start + 2 p, ... for p < 64, a word at a time.
fn cross_off_small(words: &mut [u64], start: u64, p: u64) {
    let Some(words) = words.get_mut((start / 64) as usize..) else { return };
    // Where the next multiple lies in the word.
    let mut next = start % 64;
    let every = (0..64).step_by(p as usize).fold(0_u64, |mask, bit| mask | 1 << bit);
    for word in words {
        *word &= !(every << next);
        next += (64 - next).div_ceil(p) * p - 64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Sequence;

    #[test]
    fn the_sieve_gives_the_rows_of_the_elements() {
        let primes = Sequence::named("primes").unwrap();
        for modulus in [1, 2, 3, 6, 30, 49, 77, 210] {
            let n = 300_000;
            let table = RowTable::new(&primes, modulus, n, &Control::new()).unwrap();
            let sieve = PrimeRows::new(modulus, n).unwrap();
            for residue in 0..modulus {
                for (first, len) in [(0, 7), (1, 3), (63, 2), (64, 1), (100, 5), (1000, 2)] {
                    if modulus * (first + 64 * len as u64) >= n {
                        continue;
                    }
                    let (mut a, mut b) = (vec![5; len], vec![7; len]);
                    table.fill(residue, first, &mut a);
                    sieve.fill(residue, first, &mut b);
                    assert_eq!(a, b, "mod {modulus}, residue {residue}, from {first}");
                }
                if let ClassElements::Listed(elements) = sieve.class(residue) {
                    assert_eq!(table.class(residue), ClassElements::Listed(elements), "mod {modulus}: {residue}");
                }
            }
            assert!((0..5000).all(|x| table.contains(x) == sieve.contains(x)));
        }
    }

    #[test]
    fn far_stretches_agree_with_a_test_of_each_number() {
        let n = 10_u64.pow(12) + 1_000_000;
        let sieve = PrimeRows::new(30, n).unwrap();
        for residue in [1, 7, 29] {
            let first = 10_u64.pow(12) / 30;
            let mut words = [0; 20];
            sieve.fill(residue, first, &mut words);
            for i in 0..1280 {
                let x = 30 * (first + i) + residue;
                assert_eq!(words[(i / 64) as usize] >> (i % 64) & 1 == 1, sieve.contains(x), "{x}");
            }
        }
    }
}
