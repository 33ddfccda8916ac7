//! Gaps: how far apart neighbouring cold positions are.

use std::collections::BTreeMap;

use super::residues::within;
use crate::error::Result;
use crate::sink::{ColdBlock, ColdSink, GapCounter};
use crate::table::{ColdPositions, feed};

/// The gaps between neighbouring cold positions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gaps {
    previous: Option<u64>,
    histogram: BTreeMap<u64, u64>,
    records: GapCounter,
}

/// Finds the gaps between the cold positions below `n`.
///
/// # Errors
/// [`crate::Error::BeyondTable`] when the positions are not decided up to `n`; what reading returns.
///
/// ```
/// use nimsieve::set::Squares;
/// use nimsieve::study::gaps::gaps;
/// let study = gaps(&nimsieve::cold(&Squares, 100)?, 100)?;
/// assert_eq!(study.records(), [(2, 0), (3, 2), (12, 22), (13, 72)]); // the gap and the position before it
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn gaps(positions: &dyn ColdPositions, n: u64) -> Result<Gaps> {
    within(positions, n)?;
    let mut gaps = Gaps::default();
    feed(positions, n, &mut gaps)?;
    Ok(gaps)
}

impl ColdSink for Gaps {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        block.try_for_each(|x| {
            if let Some(previous) = self.previous.replace(x) {
                *self.histogram.entry(x - previous).or_default() += 1;
            }
            Ok(())
        })?;
        self.records.accept(block)
    }
}

impl Gaps {
    /// How often each gap occurs, by size.
    pub fn histogram(&self) -> &BTreeMap<u64, u64> {
        &self.histogram
    }

    /// The gaps that are larger than all before, with the cold position that each comes after.
    pub fn records(&self) -> &[(u64, u64)] {
        self.records.records()
    }

    /// The mean gap.
    pub fn mean(&self) -> Option<f64> {
        let count: u64 = self.histogram.values().sum();
        let sum: u128 = self.histogram.iter().map(|(&gap, &count)| u128::from(gap) * u128::from(count)).sum();
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// The smallest gap that at least half of the gaps do not pass.
    pub fn median(&self) -> Option<u64> {
        let count: u64 = self.histogram.values().sum();
        let mut seen = 0;
        self.histogram
            .iter()
            .find(|(_, often)| {
                seen += **often;
                2 * seen >= count
            })
            .map(|(&gap, _)| gap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Squares;

    #[test]
    fn gaps_agree_with_the_list() {
        let n = 200_000;
        let table = crate::cold(&Squares, n).unwrap();
        let all: Vec<u64> = table.iter().collect();
        let mut expected: Vec<u64> = all.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let study = gaps(&table, n).unwrap();
        let from_histogram: Vec<u64> =
            study.histogram().iter().flat_map(|(&gap, &count)| std::iter::repeat_n(gap, count as usize)).collect();
        expected.sort_unstable();
        assert_eq!(from_histogram, expected);
        assert_eq!(study.records().last().unwrap().0, *expected.last().unwrap());
        assert_eq!(study.median(), Some(expected[(expected.len() - 1) / 2]));
        assert!((study.mean().unwrap() - *all.last().unwrap() as f64 / expected.len() as f64).abs() < 1e-9);
        let none = gaps(&table, 1).unwrap();
        assert!(none.mean().is_none() && none.median().is_none() && none.records().is_empty());
    }
}
