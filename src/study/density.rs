//! Density: counts of cold positions on a geometric grid, power laws fitted to them, and local exponents.
//!
//! The exponent of Subtract-a-Square's cold positions is not known to exist. A fit over a window describes that window;
//! the local exponents, one an octave, tell whether there is one number to be described.

use super::fit::{Method, PowerLaw};
use crate::error::{Error, Result};
use crate::table::ColdPositions;

/// Where counts are taken: `from`, and `per_octave` points to each doubling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// The first point.
    pub from: u64,
    /// Points to a doubling of n.
    pub per_octave: u32,
}

impl Default for Grid {
    /// Four points an octave from 1024 on.
    fn default() -> Self {
        Self { from: 1024, per_octave: 4 }
    }
}

impl Grid {
    /// The points from × 2^(i / per_octave), rounded to integers, that are at most `n`, and `n` itself.
    ///
    /// # Errors
    /// [`Error::Number`] when the grid starts at 0 or has no points, or more than a thousand, to an octave.
    pub fn points(&self, n: u64) -> Result<Vec<u64>> {
        let Self { from, per_octave } = *self;
        if from == 0 || !(1..=1000).contains(&per_octave) {
            return Err(Error::Number(format!(
                "a grid from {from} with {per_octave} points an octave is none; expected at least 1, and 1 to 1000 points"
            )));
        }
        let point = |i: u32| from as f64 * (f64::from(i) / f64::from(per_octave)).exp2();
        // Whole octaves by shifts, so that they are exact.
        let exact = |i: u32| match i % per_octave {
            0 => from.checked_shl(i / per_octave).filter(|p| p >> (i / per_octave) == from),
            _ => (point(i) < 2_f64.powi(63)).then(|| point(i).round() as u64),
        };
        let mut points: Vec<u64> = (0..64 * per_octave).map_while(exact).take_while(|&p| p <= n).collect();
        points.dedup();
        if points.last().is_none_or(|&last| last < n) {
            points.push(n);
        }
        Ok(points)
    }
}

/// A count of cold positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The bound.
    pub n: u64,
    /// The number of cold positions below it.
    pub count: u64,
    /// The first cold position at or beyond it, if one is known.
    pub next: Option<u64>,
}

/// The counts on a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Density {
    counts: Vec<Count>,
}

/// Counts the cold positions below each point of a grid up to `n`. One pass.
///
/// # Errors
/// [`Error::BeyondTable`] when the positions are not decided up to `n`; as [`Grid::points`]; what reading returns.
///
/// ```
/// use nimsieve::set::Squares;
/// use nimsieve::study::density::{Grid, density};
/// use nimsieve::study::fit::Method;
///
/// let table = nimsieve::cold(&Squares, 1 << 20)?;
/// let density = density(&table, 1 << 20, &Grid::default())?;
/// let fit = density.fit(Method::LeastSquares).unwrap();
/// assert!((fit.exponent - 0.694).abs() < 0.001);
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn density(positions: &dyn ColdPositions, n: u64, grid: &Grid) -> Result<Density> {
    let points = grid.points(n)?;
    let mut counts: Vec<Count> = Vec::with_capacity(points.len());
    let mut seen = 0;
    positions.visit(0..n, &mut |x| {
        while let Some(&point) = points.get(counts.len()).filter(|&&point| point <= x) {
            counts.push(Count { n: point, count: seen, next: Some(x) });
        }
        seen += 1;
        Ok(())
    })?;
    counts.extend(points[counts.len()..].iter().map(|&n| Count { n, count: seen, next: None }));
    Ok(Density { counts })
}

impl Density {
    /// The counts, by growing n.
    pub fn counts(&self) -> &[Count] {
        &self.counts
    }

    /// The counts moved on to the next cold position, which is counted in: pairs of a cold position and its number, 0
    /// being the first. So D. Eppstein's table goes, over the doublings of 100.
    pub fn at_cold(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.counts.iter().filter_map(|count| Some((count.next?, count.count + 1)))
    }

    /// The local exponent at each point: the slope of log count over log n back to the nearest point at least an octave
    /// below, where there is one with a count.
    pub fn slopes(&self) -> Vec<Option<f64>> {
        self.counts
            .iter()
            .enumerate()
            .map(|(index, here)| {
                // Rounded points may miss their octave by one.
                let back =
                    self.counts[..index].iter().rfind(|back| back.n.saturating_mul(2) <= here.n.saturating_add(1))?;
                let rise = (here.count as f64 / back.count as f64).ln();
                Some(rise / (here.n as f64 / back.n as f64).ln()).filter(|slope| slope.is_finite())
            })
            .collect()
    }

    /// A power law fitted over the whole grid; `None` when there are too few points with a count.
    pub fn fit(&self, method: Method) -> Option<PowerLaw> {
        PowerLaw::fit(&self.points(), method)
    }

    /// The points that a fit takes: those with a count.
    pub fn points(&self) -> Vec<(f64, f64)> {
        self.counts.iter().filter(|c| c.count > 0).map(|c| (c.n as f64, c.count as f64)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Squares;

    #[test]
    fn grids_hit_whole_octaves_and_end_at_n() {
        let grid = Grid { from: 100, per_octave: 1 };
        assert_eq!(grid.points(900).unwrap(), [100, 200, 400, 800, 900]);
        assert_eq!(grid.points(800).unwrap(), [100, 200, 400, 800]);
        assert_eq!(grid.points(5).unwrap(), [5]);
        let fine = Grid { from: 1, per_octave: 3 }.points(20).unwrap();
        assert_eq!(fine, [1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20]);
        assert!(Grid { from: 3, per_octave: 1 }.points(u64::MAX).unwrap().windows(2).all(|p| p[0] < p[1]));
        assert!(Grid { from: 0, per_octave: 1 }.points(9).is_err());
        assert!(Grid { from: 1, per_octave: 0 }.points(9).is_err());
    }

    #[test]
    fn counts_agree_with_the_table() {
        let table = crate::cold(&Squares, 5000).unwrap();
        for n in [0, 1, 2, 3, 64, 100, 4999, 5000] {
            let density = density(&table, n, &Grid { from: 1, per_octave: 5 }).unwrap();
            for count in density.counts() {
                assert_eq!(count.count, table.iter().filter(|&x| x < count.n).count() as u64);
                assert_eq!(count.next, table.iter().find(|&x| x >= count.n && x < n));
            }
        }
        assert!(density(&table, 5001, &Grid::default()).is_err());
    }

    #[test]
    fn slopes_go_back_an_octave() {
        let table = crate::cold(&Squares, 1 << 12).unwrap();
        let density = density(&table, 1 << 12, &Grid { from: 256, per_octave: 2 }).unwrap();
        let count = |n: u64| table.iter().filter(|&x| x < n).count() as f64;
        let slopes = density.slopes();
        assert_eq!(slopes[..2], [None, None]);
        assert!((slopes[2].unwrap() - (count(512) / count(256)).log2()).abs() < 1e-12);
        assert!((slopes.last().unwrap().unwrap() - (count(4096) / count(2048)).log2()).abs() < 1e-12);
    }
}
