//! Counters for studies of long runs: by residue, by power of ten, and the largest gap. None keeps the positions.

use super::{ColdBlock, ColdSink};
use crate::error::{Error, Result};

/// Counts the cold positions in each residue class and remembers the last of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResidueCounter {
    counts: Vec<u64>,
    last: Vec<Option<u64>>,
}

impl ResidueCounter {
    /// The largest modulus: two numbers are kept for each class.
    pub const MAX_MODULUS: u64 = 10_000_000;

    /// Counts by residue modulo `modulus`.
    ///
    /// # Errors
    /// [`Error::Number`] when the modulus is 0 or above [`Self::MAX_MODULUS`].
    pub fn new(modulus: u64) -> Result<Self> {
        if !(1..=Self::MAX_MODULUS).contains(&modulus) {
            return Err(Error::Number(format!(
                "{modulus} is no modulus to count by; expected one from 1 to {}",
                Self::MAX_MODULUS
            )));
        }
        Ok(Self { counts: vec![0; modulus as usize], last: vec![None; modulus as usize] })
    }

    /// The number of cold positions in each class 0, 1, ..., modulus - 1.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The largest cold position of each class so far.
    pub fn last(&self) -> &[Option<u64>] {
        &self.last
    }
}

impl ColdSink for ResidueCounter {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        let modulus = self.counts.len() as u64;
        block.try_for_each(|x| {
            let class = (x % modulus) as usize;
            self.counts[class] += 1;
            self.last[class] = Some(x);
            Ok(())
        })
    }
}

/// Finds the gaps between neighbouring cold positions that are larger than all before, and where each first occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GapCounter {
    previous: Option<u64>,
    records: Vec<(u64, u64)>,
}

impl GapCounter {
    /// The largest gap and the cold position that it first comes after.
    pub fn largest(&self) -> Option<(u64, u64)> {
        self.records.last().copied()
    }

    /// The gaps larger than all before, increasing, each with the cold position that it comes after.
    pub fn records(&self) -> &[(u64, u64)] {
        &self.records
    }
}

impl ColdSink for GapCounter {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        block.try_for_each(|x| {
            if let Some(previous) = self.previous.replace(x)
                && self.largest().is_none_or(|(gap, _)| x - previous > gap)
            {
                self.records.push((x - previous, previous));
            }
            Ok(())
        })
    }
}

/// Counts the cold positions below each power of ten.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PowerCounter {
    /// Cold positions with 1, 2, 3, ... digits.
    by_digits: Vec<u64>,
}

impl PowerCounter {
    /// Pairs of 10^k and the number of cold positions below it, for every power of ten up to the first that is above all.
    pub fn below(&self) -> impl Iterator<Item = (u128, u64)> + '_ {
        let mut total = 0;
        (1..).zip(&self.by_digits).map(move |(digits, count)| {
            total += count;
            (10_u128.pow(digits), total)
        })
    }
}

impl ColdSink for PowerCounter {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        block.try_for_each(|x| {
            let digits = x.checked_ilog10().unwrap_or(0) as usize;
            if digits >= self.by_digits.len() {
                self.by_digits.resize(digits + 1, 0);
            }
            self.by_digits[digits] += 1;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;
    use crate::run::Control;
    use crate::set::Squares;

    #[test]
    fn counts_agree_with_the_table() {
        let n = 1_000_000;
        let mut sinks = (ResidueCounter::new(5).unwrap(), (GapCounter::default(), PowerCounter::default()));
        Plan::cold(&Squares, n).unwrap().run_into(&Control::new(), &mut sinks).unwrap();
        let (residues, (gaps, powers)) = sinks;
        let all: Vec<u64> = crate::cold(&Squares, n).unwrap().iter().collect();
        for class in 0..5 {
            let members: Vec<u64> = all.iter().copied().filter(|x| x % 5 == class).collect();
            assert_eq!(residues.counts()[class as usize], members.len() as u64);
            assert_eq!(residues.last()[class as usize], members.last().copied());
        }
        // The eight cold numbers that are 1 mod 5 below 2^30.
        assert_eq!((residues.counts()[1], residues.last()[1]), (8, Some(522_121)));
        let largest = all.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
        let after = all.windows(2).find(|pair| pair[1] - pair[0] == largest).unwrap()[0];
        assert_eq!(gaps.largest(), Some((largest, after)));
        let below: Vec<(u128, u64)> = powers.below().collect();
        let expected = [(10, 4), (100, 21), (1000, 115), (10_000, 579), (100_000, 2781), (1_000_000, 13_952)];
        assert_eq!(below, expected);
        assert!(ResidueCounter::new(0).is_err());
    }
}
