//! Marks: single hits of the cold numbers that are kept in lists.
//!
//! A list's members are too few for windows. Each makes one mark for every move that leads from it into a rich row of
//! the tile; other rows ask the lists themselves, when a number of theirs comes to that. Only one residue in ten or so is
//! a rich row, so moves are walked by class modulo a small divisor of the modulus, and only those classes that lead
//! from the member's class to one with rich rows.

use rayon::prelude::*;

use super::far::Block;
use super::moves::{Moves, Step};
use super::roles::Roles;
use super::rows::{NONE, Rows};
use crate::kernel::{STRIP, STRIP_WORDS};

/// A class of moves is worth its search when about this many of its moves lead into one tile.
const WORTHWHILE: u32 = 8;
/// The most classes: beyond, the lists of classes grow with little gain.
const MOST_CLASSES: u32 = 128;

/// The moves by class, and where they may lead.
#[derive(Debug)]
pub(super) struct Marker {
    divisor: u32,
    moves: Vec<Vec<Step>>,
    /// For each class of rows, the classes of moves that lead to a class with rich rows.
    leading: Vec<Vec<u32>>,
    /// Marks of one tile, one set a task.
    marks: Vec<Vec<u64>>,
}

impl Marker {
    /// Sorts the moves for an epoch that begins at `column`.
    pub(super) fn new(moves: &Moves, roles: &Roles, modulus: u32, column: u32) -> Self {
        // Moves from near column 0 into a tile at the start of the epoch.
        let below = |end: u32| moves.by_size().partition_point(|&(_, quotient)| quotient < end) as u32;
        let steps = below(column) - below(column.saturating_sub(STRIP as u32));
        let most = (steps / WORTHWHILE).clamp(1, MOST_CLASSES);
        let divisor = (1..=most).rev().find(|&d| modulus.is_multiple_of(d)).unwrap_or(1);
        let by_class = moves.by_class(divisor);
        let mut rich = vec![false; divisor as usize];
        roles.rich().iter().for_each(|row| rich[(row % divisor) as usize] = true);
        let leads = |from: u32, by: u32| !by_class[by as usize].is_empty() && rich[((from + by) % divisor) as usize];
        let leading = (0..divisor).map(|from| (0..divisor).filter(|&by| leads(from, by)).collect()).collect();
        Self { divisor, moves: by_class, leading, marks: Vec::new() }
    }

    /// Marks, in one tile of the block, what lies one move above the members of all lists, on all threads.
    pub(super) fn mark(&mut self, block: &mut Block, index: usize, moves: &Moves, roles: &Roles, rows: &Rows) {
        let start = block.from + STRIP as u32 * index as u32;
        let lists: Vec<(u32, &[u32])> = (0..)
            .zip(rows.members())
            .filter(|(_, list)| !list.is_empty())
            .map(|(row, list)| (row, &list[..]))
            .collect();
        self.marks.resize_with(rayon::current_num_threads(), Vec::new);
        let tasks = self.marks.len();
        let (divisor, by_class, leading) = (self.divisor, &self.moves, &self.leading);
        self.marks.par_iter_mut().enumerate().for_each(|(task, marks)| {
            marks.clear();
            marks.resize(roles.rich().len() * STRIP_WORDS, 0);
            let mut tile = Tile { marks, width: STRIP_WORDS, from: start, end: start + STRIP as u32 };
            for &(row, list) in lists.iter().skip(task).step_by(tasks) {
                for &class in &leading[(row % divisor) as usize] {
                    let steps = &by_class[class as usize];
                    // Members rise, so the first move into the tile falls back.
                    let mut first = steps.len();
                    for &column in list {
                        let above = |&step: &Step| moves.above(row, column, step).1 < start;
                        first = gallop_back(&steps[..first], above);
                        tile.mark_above((row, column), &steps[first..], moves, roles);
                    }
                }
            }
        });
        let width = block.width();
        let tiles = block.hot.par_chunks_exact_mut(width).map(|row| &mut row[index * STRIP_WORDS..][..STRIP_WORDS]);
        tiles.enumerate().with_min_len(64).for_each(|(place, tile)| {
            for marks in &self.marks {
                tile.iter_mut().zip(&marks[place * STRIP_WORDS..][..STRIP_WORDS]).for_each(|(t, m)| *t |= m);
            }
        });
    }
}

/// As `partition_point`, for a place that is looked for near the end.
fn gallop_back<T>(items: &[T], mut below: impl FnMut(&T) -> bool) -> usize {
    let mut step = 1;
    while step < items.len() && !below(&items[items.len() - step]) {
        step *= 2;
    }
    let start = items.len().saturating_sub(step);
    start + items[start..].partition_point(below)
}

/// Rich rows between two columns, where marks go.
pub(super) struct Tile<'a> {
    pub(super) marks: &'a mut [u64],
    /// Words of a row.
    pub(super) width: usize,
    /// The first column of the words.
    pub(super) from: u32,
    pub(super) end: u32,
}

impl Tile<'_> {
    /// Marks what lies above one cold number by the moves of `steps`, smallest first, up to the end; none may lead
    /// below the first column.
    pub(super) fn mark_above(&mut self, (row, column): (u32, u32), steps: &[Step], moves: &Moves, roles: &Roles) {
        for &step in steps {
            let (row, column) = moves.above(row, column, step);
            if column >= self.end {
                break;
            }
            let place = roles.place(row);
            if place != NONE {
                let offset = (column - self.from) as usize;
                self.marks[place as usize * self.width + offset / 64] |= 1 << (offset % 64);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn galloping_finds_the_partition_point() {
        for len in 0..40 {
            let items: Vec<usize> = (0..len).collect();
            for place in 0..=len {
                assert_eq!(gallop_back(&items, |&item| item < place), place);
            }
        }
    }
}
