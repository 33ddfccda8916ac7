//! Residues: how cold positions spread over the classes of a modulus, which classes they leave, and which modulus shows
//! the most structure.
//!
//! With p the share of each class, the *concentration* of a modulus M is M sum p^2: 1 when all classes are alike, M when
//! one holds everything, M / j when the positions keep evenly to j classes. It never falls when the modulus
//! is multiplied (a class is cut into parts, and the sum of squares is least for equal ones), so a ranking is led by
//! multiples of what matters.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::error::{Error, Result};
use crate::sink::{ColdBlock, ColdSink, ResidueCounter};
use crate::table::{ColdPositions, feed};

/// Cold positions below n by residue class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Residues {
    n: u64,
    counter: ResidueCounter,
}

/// Counts the cold positions below `n` by residue modulo `modulus`, and finds the last of each class.
///
/// # Errors
/// [`Error::Number`] for a modulus that [`ResidueCounter::new`] refuses; [`Error::BeyondTable`] when the positions are
/// not decided up to `n`; what reading returns.
///
/// ```
/// use nimsieve::set::Squares;
/// use nimsieve::study::residues::residues;
/// let study = residues(&nimsieve::cold(&Squares, 2_000_000)?, 2_000_000, 5)?;
/// let left: Vec<_> = study.died_out().collect();
/// assert_eq!(left[0], (1, 8, 522_121)); // class 1: eight positions, the last 522,121
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn residues(positions: &dyn ColdPositions, n: u64, modulus: u64) -> Result<Residues> {
    let mut counter = ResidueCounter::new(modulus)?;
    within(positions, n)?;
    feed(positions, n, &mut counter)?;
    Ok(Residues { n, counter })
}

/// Refuses an `n` beyond what is decided.
pub(super) fn within(positions: &dyn ColdPositions, n: u64) -> Result<()> {
    let end = positions.end();
    if n > end { Err(Error::BeyondTable { heap: n - 1, end }) } else { Ok(()) }
}

impl Residues {
    /// The modulus.
    pub fn modulus(&self) -> u64 {
        self.counter.counts().len() as u64
    }

    /// The number of cold positions in each class.
    pub fn counts(&self) -> &[u64] {
        self.counter.counts()
    }

    /// The last cold position of each class.
    pub fn last(&self) -> &[Option<u64>] {
        self.counter.last()
    }

    /// The number of cold positions.
    pub fn total(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// M sum p^2; 1 when there are no positions.
    pub fn concentration(&self) -> f64 {
        let total = self.total() as f64;
        if total == 0.0 {
            return 1.0;
        }
        self.modulus() as f64 * self.counts().iter().map(|&count| (count as f64 / total).powi(2)).sum::<f64>()
    }

    /// The classes without a cold position.
    pub fn empty(&self) -> impl Iterator<Item = u64> + '_ {
        (0..).zip(self.counts()).filter(|(_, count)| **count == 0).map(|(class, _)| class)
    }

    /// The classes that *died out*: they have members, all of them below n / 2; as class, count and last member. That is
    /// what is seen below n; whether another one comes later is a question for a larger n, or for a proof.
    pub fn died_out(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let rows = (0..).zip(self.counts().iter().zip(self.last()));
        rows.filter_map(|(class, (&count, last))| Some((class, count, (*last)?))).filter(|row| row.2 < self.n / 2)
    }
}

/// What the classes of one modulus show.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The modulus.
    pub modulus: u64,
    /// M sum p^2.
    pub concentration: f64,
    /// Classes without a member.
    pub empty: u64,
    /// Classes without a member at or above n / 2, but with one below.
    pub died_out: u64,
}

/// The largest limit of a ranking, for the counters of all moduli up to it are kept at once.
pub const MAX_LIMIT: u64 = 4096;

/// The moduli from 2 to `limit`, the most concentrated first; of equals the smaller. O(limit) time for each cold position,
/// spread over threads.
///
/// # Errors
/// [`Error::Number`] for a limit below 2 or above [`MAX_LIMIT`]; as [`residues`].
pub fn ranking(positions: &dyn ColdPositions, n: u64, limit: u64) -> Result<Vec<Ranked>> {
    if !(2..=MAX_LIMIT).contains(&limit) {
        return Err(Error::Number(format!(
            "moduli up to {limit} cannot be ranked; expected a limit from 2 to {MAX_LIMIT}"
        )));
    }
    within(positions, n)?;
    let mut counters = (2..=limit).map(ResidueCounter::new).collect::<Result<AllModuli>>()?;
    feed(positions, n, &mut counters)?;
    let mut ranked: Vec<Ranked> = counters
        .0
        .into_iter()
        .map(|counter| {
            let study = Residues { n, counter };
            Ranked {
                modulus: study.modulus(),
                concentration: study.concentration(),
                empty: study.empty().count() as u64,
                died_out: study.died_out().count() as u64,
            }
        })
        .collect();
    ranked.sort_by(|a, b| b.concentration.total_cmp(&a.concentration));
    Ok(ranked)
}

/// Counters that share the work on a block.
struct AllModuli(Vec<ResidueCounter>);

impl FromIterator<ResidueCounter> for AllModuli {
    fn from_iter<I: IntoIterator<Item = ResidueCounter>>(counters: I) -> Self {
        Self(counters.into_iter().collect())
    }
}

impl ColdSink for AllModuli {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        (&mut self.0).into_par_iter().try_for_each(|counter| counter.accept(block))
    }
}

/// Counts by class within each octave: pairs of the first position of the octave [2^k, 2^(k+1)), cut at n, and its counts.
/// Position 0 is in none.
///
/// # Errors
/// As [`residues`].
pub fn by_octave(positions: &dyn ColdPositions, n: u64, modulus: u64) -> Result<Vec<(u64, Vec<u64>)>> {
    within(positions, n)?;
    let empty = ResidueCounter::new(modulus)?.counts().to_vec();
    let mut octaves: Vec<(u64, Vec<u64>)> = (0..n.checked_ilog2().map_or(0, |k| k + u32::from(!n.is_power_of_two())))
        .map(|k| (1 << k, empty.clone()))
        .collect();
    positions.visit(1.min(n)..n, &mut |x| {
        octaves[x.ilog2() as usize].1[(x % modulus) as usize] += 1;
        Ok(())
    })?;
    Ok(octaves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Squares;

    #[test]
    fn concentration_at_the_ends() {
        let table = crate::cold(&"1".parse::<crate::set::NamedSet>().unwrap(), 1000).unwrap();
        // The even numbers: one class of two, half the classes of four, and all three classes of three nearly alike.
        assert_eq!(residues(&table, 1000, 2).unwrap().concentration(), 2.0);
        assert_eq!(residues(&table, 1000, 4).unwrap().concentration(), 2.0);
        assert!((residues(&table, 1000, 3).unwrap().concentration() - 1.0).abs() < 1e-4);
        assert_eq!(residues(&table, 0, 7).unwrap().concentration(), 1.0);
        assert_eq!(residues(&table, 1000, 4).unwrap().empty().collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn rankings_and_octaves_agree_with_single_studies() {
        let n = 300_000;
        let table = crate::cold(&Squares, n).unwrap();
        let ranked = ranking(&table, n, 70).unwrap();
        assert!(ranked.windows(2).all(|pair| pair[0].concentration >= pair[1].concentration));
        assert_eq!(ranked.len(), 69);
        for row in &ranked {
            let study = residues(&table, n, row.modulus).unwrap();
            assert_eq!(row.concentration, study.concentration());
            assert_eq!((row.empty, row.died_out), (study.empty().count() as u64, study.died_out().count() as u64));
        }
        assert_eq!(ranked[0].modulus, 65);
        let octaves = by_octave(&table, n, 5).unwrap();
        assert_eq!(octaves.len(), 19);
        let sums: Vec<u64> = (0..5).map(|class| octaves.iter().map(|octave| octave.1[class]).sum()).collect();
        let mut expected = residues(&table, n, 5).unwrap().counts().to_vec();
        expected[0] -= 1;
        assert_eq!(sums, expected);
    }

    #[test]
    fn bad_moduli_are_refused() {
        let table = crate::cold(&Squares, 100).unwrap();
        assert!(residues(&table, 100, 0).is_err() && ranking(&table, 100, 1).is_err());
        assert!(residues(&table, 101, 5).is_err() && by_octave(&table, 100, 0).is_err());
    }
}
