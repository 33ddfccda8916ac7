//! Moves: how many moves win from each position.
//!
//! A move wins when it leads to a cold position, so the winning moves of all positions are the sums of a cold position and
//! an element of the set, counted with multiplicity: O(cold × elements) increments of counters that a tile of positions
//! keeps in cache.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::residues::within;
use crate::error::{Error, Result};
use crate::run::Control;
use crate::set::{SubtractionSet, elements_below};
use crate::table::ColdPositions;

/// Positions of a tile: 32-bit counters of that many take 256 KiB. A larger tile leaves the second cache, in a smaller one
/// an element finds few cold positions for its search.
const TILE: u64 = 1 << 16;

/// How many moves win.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WinningMoves {
    rows: Vec<Row>,
}

/// The positions from which a number of moves win.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Row {
    /// How many positions.
    pub positions: u64,
    /// The first of them.
    pub first: Option<u64>,
    /// The last of them.
    pub last: Option<u64>,
}

/// Counts the positions below `n` by the number of moves of `set` that win from them. In memory it keeps the cold
/// positions as a list (8 bytes each) and the elements.
///
/// # Errors
/// [`Error::BeyondTable`] when the positions are not decided up to `n`; [`Error::Set`] when the set breaks its promise;
/// [`Error::Stopped`]; [`Error::Memory`]; what reading returns.
///
/// ```
/// use nimsieve::run::Control;
/// use nimsieve::set::Squares;
/// use nimsieve::study::moves::winning_moves;
/// let study = winning_moves(&nimsieve::cold(&Squares, 1000)?, &Squares, 1000, &Control::new())?;
/// assert_eq!(study.rows()[0].positions, 115); // no move wins from a cold position
/// assert_eq!(study.rows()[2].first, Some(6)); // 6 - 1 = 5 and 6 - 4 = 2
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn winning_moves(
    positions: &dyn ColdPositions,
    set: &dyn SubtractionSet,
    n: u64,
    control: &Control,
) -> Result<WinningMoves> {
    within(positions, n)?;
    let elements = elements_below(set, n, control)?;
    let mut cold: Vec<u64> = Vec::new();
    positions.visit(0..n, &mut |x| {
        if cold.len() == cold.capacity() {
            let needed = 8 * (2 * cold.len() + 1024) as u64;
            let refusal = |_| Error::Memory { what: "the list of cold positions", needed };
            cold.try_reserve_exact(cold.len() + 1024).map_err(refusal)?;
        }
        cold.push(x);
        Ok(())
    })?;
    /// Tiles between two reports of progress.
    const BATCH: u64 = 64;
    let tiles = n.div_ceil(TILE);
    let mut all = WinningMoves::default();
    for batch in (0..tiles).step_by(BATCH as usize) {
        let parts: Vec<WinningMoves> = (batch..tiles.min(batch + BATCH))
            .into_par_iter()
            .map(|tile| {
                control.check()?;
                Ok(count_tile(&cold, &elements, tile * TILE..n.min((tile + 1) * TILE)))
            })
            .collect::<Result<_>>()?;
        parts.iter().for_each(|part| all.append(part));
        control.advance(n.min((batch + BATCH) * TILE))?;
    }
    Ok(all)
}

fn count_tile(cold: &[u64], elements: &[u64], tile: Range<u64>) -> WinningMoves {
    let mut counts = vec![0_u32; (tile.end - tile.start) as usize];
    for &s in elements.iter().take_while(|&&s| s < tile.end) {
        let first = cold.partition_point(|&x| x + s < tile.start);
        for &x in cold[first..].iter().take_while(|&&x| x + s < tile.end) {
            counts[(x + s - tile.start) as usize] += 1;
        }
    }
    let mut found = WinningMoves::default();
    for (x, &count) in tile.zip(&counts) {
        found.add(count as usize, Row { positions: 1, first: Some(x), last: Some(x) });
    }
    found
}

impl WinningMoves {
    /// By number of winning moves: 0, 1, 2, ... Those with 0 are the cold positions.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The mean number of winning moves of a hot position.
    pub fn mean(&self) -> Option<f64> {
        let hot: u64 = self.rows.iter().skip(1).map(|row| row.positions).sum();
        let moves: f64 = self.rows.iter().enumerate().map(|(moves, row)| moves as f64 * row.positions as f64).sum();
        (hot > 0).then(|| moves / hot as f64)
    }

    fn append(&mut self, later: &Self) {
        later.rows.iter().enumerate().for_each(|(moves, row)| self.add(moves, *row));
    }

    /// Adds positions that come after those that are counted.
    fn add(&mut self, moves: usize, later: Row) {
        if moves >= self.rows.len() {
            self.rows.resize(moves + 1, Row::default());
        }
        let row = &mut self.rows[moves];
        row.positions += later.positions;
        row.first = row.first.or(later.first);
        row.last = later.last.or(row.last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::{NamedSet, Squares};

    #[test]
    fn counts_agree_with_the_table() {
        for (set, n) in [("squares", 3 * TILE + 17), ("primes", TILE + 1), ("allbut:2,3,7", 900), ("1,4,9", TILE)] {
            let set: NamedSet = set.parse().unwrap();
            let table = crate::cold(&set, n).unwrap();
            let study = winning_moves(&table, &set, n, &Control::new()).unwrap();
            assert_eq!(study.rows()[0].positions, table.count());
            assert_eq!(study.rows().iter().map(|row| row.positions).sum::<u64>(), n);
            let wins = |x: u64| table.winning_moves(&set, x).unwrap().len();
            let mut expected = vec![Row::default(); study.rows().len()];
            for x in (0..n).filter(|x| n < 1000 || x % TILE < 40 || x % 997 == 0) {
                let row = &mut expected[wins(x)];
                row.first.get_or_insert(x);
                assert!(study.rows()[wins(x)].first <= Some(x) && Some(x) <= study.rows()[wins(x)].last);
            }
            for (moves, row) in study.rows().iter().enumerate().filter(|(_, row)| row.positions > 0) {
                assert_eq!(wins(row.first.unwrap()), moves);
                assert_eq!(wins(row.last.unwrap()), moves);
            }
        }
    }

    #[test]
    fn small_games_in_full() {
        let n = 2000;
        let table = crate::cold(&Squares, n).unwrap();
        let study = winning_moves(&table, &Squares, n, &Control::new()).unwrap();
        for (moves, row) in study.rows().iter().enumerate() {
            let members: Vec<u64> =
                (0..n).filter(|&x| table.winning_moves(&Squares, x).unwrap().len() == moves).collect();
            let expected =
                Row { positions: members.len() as u64, first: members.first().copied(), last: members.last().copied() };
            assert_eq!(*row, expected);
        }
        assert!(winning_moves(&table, &Squares, n + 1, &Control::new()).is_err());
        assert_eq!(winning_moves(&table, &Squares, 0, &Control::new()).unwrap().mean(), None);
        let stopped = Control::new();
        stopped.stop();
        assert!(matches!(winning_moves(&table, &Squares, n, &stopped), Err(Error::Stopped { .. })));
    }
}
