//! Digits: how often each digit stands at each place of the cold positions, written in some base.

use super::residues::within;
use crate::error::{Error, Result};
use crate::table::ColdPositions;

/// The largest base: all places times all digits are counted.
pub const MAX_BASE: u64 = 100_000;

/// Digits by place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digits {
    base: u64,
    counts: Vec<Vec<u64>>,
}

/// Counts the digits of the cold positions below `n` in base `base`. Position 0 is left out, and zeros in front of a number
/// are no digits of it.
///
/// # Errors
/// [`Error::Number`] for a base below 2 or above [`MAX_BASE`]; [`Error::BeyondTable`] when the positions are not decided
/// up to `n`; what reading returns.
///
/// ```
/// use nimsieve::set::Squares;
/// use nimsieve::study::digits::digits;
/// let study = digits(&nimsieve::cold(&Squares, 4_000_000)?, 4_000_000, 5)?;
/// assert_eq!(study.counts()[0], [15_179, 8, 18_520, 36, 2_803]); // the units
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn digits(positions: &dyn ColdPositions, n: u64, base: u64) -> Result<Digits> {
    if !(2..=MAX_BASE).contains(&base) {
        return Err(Error::Number(format!("{base} is no base to count digits in; expected one from 2 to {MAX_BASE}")));
    }
    within(positions, n)?;
    let mut counts: Vec<Vec<u64>> = Vec::new();
    positions.visit(1.min(n)..n, &mut |x| {
        let (mut rest, mut place) = (x, 0);
        while rest > 0 {
            if place == counts.len() {
                counts.push(vec![0; base as usize]);
            }
            counts[place][(rest % base) as usize] += 1;
            rest /= base;
            place += 1;
        }
        Ok(())
    })?;
    Ok(Digits { base, counts })
}

impl Digits {
    /// The base.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// The counts of the digits 0, 1, ..., base - 1, by place; the units first.
    pub fn counts(&self) -> &[Vec<u64>] {
        &self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Squares;

    #[test]
    fn digits_by_hand() {
        // 2, 5, 7, 10, 12, 15 in base 5: 2, 10, 12, 20, 22, 30.
        let table = crate::cold(&Squares, 17).unwrap();
        assert_eq!(digits(&table, 17, 5).unwrap().counts(), [vec![3, 0, 3, 0, 0], vec![0, 2, 2, 1, 0]]);
        assert!(digits(&table, 1, 5).unwrap().counts().is_empty());
        assert!(digits(&table, 17, 1).is_err() && digits(&table, 18, 5).is_err());
    }
}
