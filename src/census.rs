//! The census: the periods of every primitive set of a size, or of any size, up to a largest element.
//!
//! A set is *primitive* when its elements have no common divisor above 1; the game of any other set is that of a primitive
//! one, played with tokens in bundles. The sets stand in colexicographic order, the order of their bit masks: by largest
//! element first. So the census up to a smaller largest element is the beginning of one up to a larger, a place in the
//! order is a number, and a census that was broken off goes on from the last set that it told of.
//!
//! T: a search for two periods a set, on all threads; M: a batch of rows.

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::period::{Answer, Kind, Shape, Watch, find_in, survey};
use crate::run::Control;

/// Sets of a batch, which all threads share; a stop waits for the sets that are being searched and no longer.
const BATCH: u64 = 1 << 12;

/// Which sets are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    size: Option<u64>,
    max: u64,
    bound: u64,
    candidates: u64,
}

/// What is known of one set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The elements, increasing.
    pub set: Vec<u64>,
    /// Preperiod and period of the outcomes, unless none shows below the bound.
    pub outcome: Option<(u64, u64)>,
    /// Preperiod and period of the nim-values, and what can be said only when they are known.
    pub nim: Option<NimRow>,
}

/// What is known of the nim-values of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NimRow {
    /// The first position from which on they repeat.
    pub preperiod: u64,
    /// After how many positions they do.
    pub period: u64,
    /// The largest of all.
    pub largest: u64,
    /// They are 0, 1, 0, 1, ... at last.
    pub bipartite: bool,
}

impl Row {
    /// Whether the nim-values repeat from the first position on.
    pub fn is_pure(&self) -> Option<bool> {
        self.nim.map(|nim| nim.preperiod == 0)
    }
}

impl Census {
    /// The most sets of a census, primitive or not: a day's work.
    pub const MAX_SETS: u64 = 1_000_000_000;

    /// Plans a census of the sets of `size` elements, or of any number, that are at most `max`; periods are looked for
    /// among the values below `bound`.
    ///
    /// # Errors
    /// [`Error::Number`] when there are no such sets, or more than [`Self::MAX_SETS`].
    ///
    /// ```
    /// use nimsieve::census::{Census, Summary};
    /// use nimsieve::run::Control;
    ///
    /// let census = Census::new(Some(3), 10, 1_000_000)?;
    /// let mut summary = Summary::default();
    /// census.run(0, &Control::new(), |rows| {
    ///     rows.iter().for_each(|row| summary.add(row));
    ///     Ok(())
    /// })?;
    /// assert_eq!((summary.sets, summary.pure, summary.largest_preperiod), (109, 99, Some(21)));
    /// assert_eq!(summary.periods, Some((2, 45)));
    /// # Ok::<(), nimsieve::Error>(())
    /// ```
    pub fn new(size: Option<u64>, max: u64, bound: u64) -> Result<Self> {
        if max == 0 || size.is_some_and(|size| size == 0 || size > max) {
            return Err(Error::Number(match size {
                Some(size) => {
                    format!("there are no sets of {size} of the numbers 1 to {max}; expected a size from 1 to {max}")
                }
                None => "there are no sets of numbers up to 0; expected a largest element of at least 1".into(),
            }));
        }
        let (count, written) = match size {
            Some(size) => {
                let count = binomial(max, size);
                let written = count.map_or_else(|| "more than 10^30".to_owned(), |count| count.to_string());
                (count, format!("{written} sets of {size} of the numbers 1 to {max}"))
            }
            None => {
                let count = u32::try_from(max).ok().and_then(|max| 1_u128.checked_shl(max)).map(|count| count - 1);
                (count, format!("2^{max} - 1 sets of numbers up to {max}"))
            }
        };
        match count.and_then(|count| u64::try_from(count).ok()).filter(|&count| count <= Self::MAX_SETS) {
            Some(candidates) => Ok(Self { size, max, bound, candidates }),
            None => Err(Error::Number(format!(
                "there are {written}, and a census takes at most {}; lower the largest element{}",
                Self::MAX_SETS,
                if size.is_none() { ", or fix a size" } else { " or the size" }
            ))),
        }
    }

    /// The number of sets that are looked at, primitive or not.
    pub fn candidates(&self) -> u64 {
        self.candidates
    }

    /// What is counted, on one line.
    pub fn describe(&self) -> String {
        let size = self.size.map_or("any".to_owned(), |size| size.to_string());
        format!("census of primitive sets, size {size}, max {}, bound {}", self.max, self.bound)
    }

    /// The set at a place in the order, counted from 0, primitive or not.
    fn set(&self, mut index: u64) -> Vec<u64> {
        let Some(size) = self.size else {
            return (1..=64).filter(|bit| (index + 1) >> (bit - 1) & 1 == 1).collect();
        };
        // The largest element first: m with C(m - 1, size) sets before all that end with m.
        let mut set = Vec::with_capacity(size as usize);
        let mut limit = self.max;
        for left in (1..=size).rev() {
            let before = |m: u64| binomial(m - 1, left).unwrap_or(u128::MAX);
            let (mut low, mut high) = (left, limit);
            while low < high {
                let middle = low + (high - low).div_ceil(2);
                if before(middle) <= index.into() { low = middle } else { high = middle - 1 }
            }
            index -= before(low) as u64;
            set.push(low);
            limit = low - 1;
        }
        set.reverse();
        set
    }

    /// The place of a set in the order, if the census has it.
    pub fn index(&self, set: &[u64]) -> Option<u64> {
        let increasing = set.is_sorted_by(|a, b| a < b) && set.first().is_some_and(|&first| first > 0);
        if !increasing || *set.last()? > self.max || self.size.is_some_and(|size| size != set.len() as u64) {
            return None;
        }
        match self.size {
            None => Some(set.iter().map(|element| 1 << (element - 1)).sum::<u64>() - 1),
            Some(_) => (1..).zip(set).map(|(place, &element)| Some(binomial(element - 1, place)? as u64)).sum(),
        }
    }

    /// Searches the sets from a place in the order on, and hands the rows to `visit` in order, batch by batch. The control
    /// counts sets, primitive or not.
    ///
    /// # Errors
    /// [`Error::Stopped`], and whatever `visit` returns.
    pub fn run(&self, from: u64, control: &Control, mut visit: impl FnMut(&[Row]) -> Result<()>) -> Result<()> {
        let mut start = from;
        while start < self.candidates {
            let end = self.candidates.min(start + BATCH);
            let rows: Vec<Option<Row>> = (0..(end - start) as usize)
                .into_par_iter()
                .with_max_len(64)
                .map(|index| {
                    let set = self.set(start + index as u64);
                    let common = set.iter().fold(0, |a, &b| gcd(a, b));
                    if common == 1 { self.row(set, control).map(Some) } else { Ok(None) }
                })
                .collect::<Result<_>>()?;
            visit(&rows.into_iter().flatten().collect::<Vec<_>>())?;
            start = end;
            control.advance(start)?;
        }
        Ok(())
    }

    fn row(&self, set: Vec<u64>, control: &Control) -> Result<Row> {
        let shape = Shape::Finite(set);
        let watch = Watch::hidden(control);
        let period = |kind| match find_in(shape.clone(), kind, self.bound, watch)? {
            Answer::Period(certificate) => Ok(Some((certificate.preperiod(), certificate.period()))),
            Answer::NotFound { .. } => Ok::<_, Error>(None),
        };
        let (outcome, nim) = (period(Kind::Outcome)?, period(Kind::Nim)?);
        let nim = nim
            .map(|(preperiod, period)| {
                let (largest, last) = survey(&shape, preperiod + period, watch)?;
                // With a period of 2 there are two values at least.
                let bipartite = period == 2 && (last == [0, 1] || last == [1, 0]);
                Ok::<_, Error>(NimRow { preperiod, period, largest, bipartite })
            })
            .transpose()?;
        let Shape::Finite(set) = shape else { unreachable!("it was made finite") };
        Ok(Row { set, outcome, nim })
    }
}

/// What the rows of a census amount to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of primitive sets.
    pub sets: u64,
    /// Those whose nim-values repeat from the first position on.
    pub pure: u64,
    /// Those whose nim-values are 0, 1, 0, 1, ... at last.
    pub bipartite: u64,
    /// Those for which one of the two periods does not show below the bound.
    pub open: u64,
    /// The largest preperiod of nim-values.
    pub largest_preperiod: Option<u64>,
    /// The smallest and the largest period of nim-values.
    pub periods: Option<(u64, u64)>,
    /// The largest nim-value.
    pub largest_value: Option<u64>,
}

impl Summary {
    /// Counts a row.
    pub fn add(&mut self, row: &Row) {
        self.sets += 1;
        self.open += u64::from(row.outcome.is_none() || row.nim.is_none());
        if let Some(nim) = row.nim {
            self.pure += u64::from(nim.preperiod == 0);
            self.bipartite += u64::from(nim.bipartite);
            self.largest_preperiod = self.largest_preperiod.max(Some(nim.preperiod));
            self.largest_value = self.largest_value.max(Some(nim.largest));
            let (low, high) = self.periods.unwrap_or((nim.period, nim.period));
            self.periods = Some((low.min(nim.period), high.max(nim.period)));
        }
    }
}

/// The number of subsets of `k` of `n` things, unless it passes 10^30.
fn binomial(n: u64, k: u64) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let k = k.min(n - k);
    let mut count = 1_u128;
    for i in 1..=k {
        // C(n - k + i, i) grows with i and is an integer each time.
        count = count.checked_mul((n - k + i).into())? / u128::from(i);
        if count > 10_u128.pow(30) {
            return None;
        }
    }
    Some(count)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_sets_belong_together() {
        for census in [
            Census::new(Some(3), 12, 1).unwrap(),
            Census::new(None, 9, 1).unwrap(),
            Census::new(Some(1), 5, 1).unwrap(),
        ] {
            let sets: Vec<Vec<u64>> = (0..census.candidates()).map(|index| census.set(index)).collect();
            let mask = |set: &Vec<u64>| set.iter().map(|element| 1_u64 << element).sum::<u64>();
            assert!(sets.is_sorted_by_key(mask));
            for (index, set) in (0..).zip(&sets) {
                assert_eq!(census.index(set), Some(index));
            }
        }
        let census = Census::new(Some(3), 12, 1).unwrap();
        for set in [&[1, 2][..], &[1, 2, 13], &[2, 1, 3], &[0, 1, 2], &[]] {
            assert_eq!(census.index(set), None, "{set:?}");
        }
        // The beginning of a larger census.
        assert_eq!(census.set(100), Census::new(Some(3), 50, 1).unwrap().set(100));
    }

    #[test]
    fn too_many_sets_are_refused_with_their_number() {
        // 1,000,999,000 quadruples of 394 numbers are too many; of 10^12 there is no need to speak.
        for (size, max, count) in [
            (Some(4), 10_000, "416416712497500"),
            (None, 40, "2^40 - 1"),
            (None, u64::MAX, "2^18446744073709551615 - 1"),
            (Some(1 << 40), 1 << 50, "more than 10^30"),
        ] {
            let message = Census::new(size, max, 1).unwrap_err().to_string();
            assert!(message.contains(count) && message.contains("lower"), "{message}");
        }
        assert!(Census::new(Some(4), 3, 1).is_err());
        assert!(Census::new(None, 0, 1).is_err());
        assert_eq!(Census::new(Some(3), 100, 1).unwrap().candidates(), 161_700);
    }
}
