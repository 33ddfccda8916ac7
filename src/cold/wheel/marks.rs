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
use super::rows::Rows;
use crate::kernel::{STRIP, STRIP_WORDS};

/// A class of moves is worth its search when about this many of its moves lead into one tile.
const WORTHWHILE: u32 = 8;
/// The most classes: beyond, the lists of classes grow with little gain.
const MOST_CLASSES: u32 = 128;

/// The moves by class, where they may lead, and how far each member has come.
#[derive(Debug)]
pub(super) struct Marker {
    divisor: u32,
    moves: Vec<Vec<Step>>,
    /// For each class of rows, the classes of moves that lead to a class with rich rows.
    leading: Vec<Vec<u32>>,
    /// For each row kept as a list, for each member and each leading class, the first move that was not made yet.
    cursors: Vec<Vec<u32>>,
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
        let cursors = vec![Vec::new(); modulus as usize];
        Self { divisor, moves: by_class, leading, cursors, marks: Vec::new() }
    }

    /// Marks, in one tile of the block, what lies one move above the members of all lists, on all threads. Within an
    /// epoch tiles must come one after the other.
    pub(super) fn mark(&mut self, block: &mut Block, index: usize, moves: &Moves, roles: &Roles, rows: &Rows) {
        let from = block.from + STRIP as u32 * index as u32;
        let tasks = rayon::current_num_threads();
        let share = self.cursors.len().div_ceil(tasks);
        self.marks.resize_with(tasks, Vec::new);
        let (divisor, by_class, leading) = (self.divisor, &self.moves, &self.leading);
        let mark = |task: usize, cursors: &mut [Vec<u32>], marks: &mut Vec<u64>| {
            marks.clear();
            marks.resize(roles.rich().len() * STRIP_WORDS, 0);
            let mut tile = Tile { marks, width: STRIP_WORDS, from, end: from + STRIP as u32 };
            for (row, cursors) in (task * share..).zip(cursors) {
                let list = &rows.members()[row];
                let row = row as u32;
                let classes = &leading[(row % divisor) as usize];
                let mut known = cursors.len();
                for (member, &column) in list.iter().enumerate() {
                    for (place, &class) in (member * classes.len()..).zip(classes) {
                        let steps = &by_class[class as usize];
                        if place == known {
                            let above = |&step: &Step| moves.above(row, column, step).1 < from;
                            cursors.push(steps.partition_point(above) as u32);
                            known += 1;
                        }
                        let cursor = &mut cursors[place];
                        *cursor += tile.mark_above((row, column), &steps[*cursor as usize..], moves, roles);
                    }
                }
            }
        };
        let shares = self.cursors.par_chunks_mut(share).zip(&mut self.marks).enumerate();
        shares.for_each(|(task, (cursors, marks))| mark(task, cursors, marks));
        let width = block.width();
        let tiles = block.hot.par_chunks_exact_mut(width).map(|row| &mut row[index * STRIP_WORDS..][..STRIP_WORDS]);
        tiles.enumerate().with_min_len(64).for_each(|(place, tile)| {
            // There may be fewer shares than tasks.
            for marks in self.marks.iter().filter(|marks| !marks.is_empty()) {
                tile.iter_mut().zip(&marks[place * STRIP_WORDS..][..STRIP_WORDS]).for_each(|(t, m)| *t |= m);
            }
        });
    }
}

/// Moves looked at before their marks are made.
const HITS: usize = 64;

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
    /// below the first column. Returns how many led into the tile.
    pub(super) fn mark_above(
        &mut self,
        (row, column): (u32, u32),
        steps: &[Step],
        moves: &Moves,
        roles: &Roles,
    ) -> u32 {
        // One move in three or so leads to a rich row, and no branch predictor knows which: hits are collected without
        // a branch, and marked afterwards.
        let mut hits = [(0, 0); HITS];
        let mut made = 0;
        for steps in steps.chunks(HITS) {
            let (mut count, mut within) = (0, 0);
            for &step in steps {
                let (row, column) = moves.above(row, column, step);
                if column >= self.end {
                    break;
                }
                within += 1;
                hits[count] = (row, column - self.from);
                count += usize::from(roles.is_rich(row));
            }
            for &(row, offset) in &hits[..count] {
                let word = roles.place(row) as usize * self.width + (offset / 64) as usize;
                self.marks[word] |= 1 << (offset % 64);
            }
            made += within;
            if within < steps.len() as u32 {
                break;
            }
        }
        made
    }
}
