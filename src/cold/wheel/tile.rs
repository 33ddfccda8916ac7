//! One tile of 4096 columns, from the marks of the rows kept as lists to the last decision.
//!
//! What is far has been OR-ed in before. Then come, each for fewer columns at a time because it reaches nearer: marks
//! from the lists, windows of 512 columns, windows of 64 columns, and last, in increasing order of the numbers, the
//! moves that stay within a block of 64 columns. A number that passes is cold: it goes into its row, and if that row is
//! a list, its marks go into the rest of the tile at once.

use std::time::Instant;

use rayon::prelude::*;

use super::far::{Block, GROUP, RowPlan, SPAN_BAND};
use super::hot::Pending;
use super::marks::Tile;
use super::moves::Moves;
use super::report::Phases;
use super::roles::Roles;
use super::rows::{NONE, Rows};
use super::stage::lap;
use crate::kernel::{Cpu, STRIP, STRIP_WORDS, or_union, word_at};

/// Words of a span: a window of 512 columns.
const SPAN_WORDS: usize = 8;
/// With fewer rich rows than this a block of 64 columns is not worth the threads' while.
const MANY_ROWS: usize = 512;

/// The in-order part of a stage: scratch space that is kept from tile to tile.
#[derive(Debug, Default)]
pub(super) struct Resolver {
    /// Candidates of a block of 64 columns, by rich row.
    candidates: Vec<u64>,
    /// The bits of each slot: the 64 columns before, and the 64 that are being decided.
    recent: Vec<[u64; 2]>,
    /// The rows that have a candidate, for each of 64 columns.
    by_column: Vec<Vec<u32>>,
}

/// What decides a tile.
pub(super) struct TileWork<'a> {
    pub(super) cpu: Cpu,
    pub(super) moves: &'a Moves,
    pub(super) roles: &'a Roles,
    pub(super) plans: &'a [RowPlan],
    /// Numbers of hot rows that no dense row below the block makes hot.
    pub(super) pending: &'a [Pending],
}

impl Resolver {
    /// Decides a tile of the block and returns its cold numbers, increasing.
    pub(super) fn decide(
        &mut self,
        work: &TileWork<'_>,
        block: &mut Block,
        index: usize,
        rows: &mut Rows,
        phases: &mut Phases,
    ) -> Vec<u64> {
        let mut clock = Instant::now();
        let mut found = Vec::new();
        let start = block.from + STRIP as u32 * index as u32;
        let end = start + STRIP as u32;
        let mut pending = &work.pending[work.pending.partition_point(|p| p.column < start)..];
        pending = &pending[..pending.partition_point(|p| p.column < end)];
        self.by_column.resize(64, Vec::new());
        for column in (start..end).step_by(64) {
            if (column - start).is_multiple_of(64 * SPAN_WORDS as u32) {
                or_spans(work, block, column, rows);
            }
            self.open(work, block, column, rows);
            lap(&mut clock, &mut phases.near);
            let until = pending.partition_point(|p| p.column < column + 64);
            self.resolve(work, block, (column, end), &pending[..until], rows, &mut found);
            pending = &pending[until..];
            lap(&mut clock, &mut phases.resolve);
        }
        found
    }

    /// Finds the candidates of the 64 columns from `column` on: takes the moves that lead out of them.
    fn open(&mut self, work: &TileWork<'_>, block: &Block, column: u32, rows: &Rows) {
        self.recent.clear();
        self.recent.extend(
            (0..rows.dense().len() as u32)
                .map(|slot| [rows.word(slot, i64::from(column) - 64), rows.word(slot, column.into())]),
        );
        self.candidates.resize(work.plans.len(), 0);
        let (width, word) = (block.width(), ((column - block.from) / 64) as usize);
        let recent = &self.recent;
        let open = |(candidates, (plan, hot)): (&mut u64, (&RowPlan, &[u64]))| {
            *candidates = candidates_of(!hot[word], plan, recent, column, rows);
        };
        if work.plans.len() < MANY_ROWS {
            self.candidates.iter_mut().zip(work.plans.iter().zip(block.hot.chunks_exact(width))).for_each(open);
        } else {
            self.candidates
                .par_iter_mut()
                .zip(work.plans.par_iter().zip(block.hot.par_chunks_exact(width)))
                .with_min_len(GROUP)
                .for_each(open);
        }
    }

    /// Decides the 64 columns from `column` on, in order.
    fn resolve(
        &mut self,
        work: &TileWork<'_>,
        block: &mut Block,
        (column, end): (u32, u32),
        pending: &[Pending],
        rows: &mut Rows,
        found: &mut Vec<u64>,
    ) {
        let m = u64::from(rows.modulus());
        let (width, word) = (block.width(), ((column - block.from) / 64) as usize);
        for &place in work.roles.by_row() {
            let mut rest = self.candidates[place as usize];
            while rest != 0 {
                self.by_column[rest.trailing_zeros() as usize].push(work.roles.rich()[place as usize]);
                rest &= rest - 1;
            }
        }
        for p in pending {
            let candidates = &mut self.by_column[(p.column - column) as usize];
            candidates.insert(candidates.partition_point(|&row| row < p.row), p.row);
        }
        for bit in 0..64 {
            for row in std::mem::take(&mut self.by_column[bit as usize]) {
                let here = column + bit;
                let hot = match work.roles.place(row) {
                    NONE => is_hot(work, rows, row, here, block.from),
                    place => {
                        block.hot[place as usize * width + word] >> bit & 1 == 1
                            || work.plans[place as usize].near.iter().take_while(|&near| near & 63 <= bit).any(|near| {
                                let (slot, fall) = ((near >> 6) as usize, near & 63);
                                self.recent[slot][1] >> (bit - fall) & 1 == 1
                            })
                    }
                };
                if hot {
                    continue;
                }
                found.push(u64::from(row) + m * u64::from(here));
                rows.insert(row, here);
                match rows.slot(row) {
                    NONE => {
                        let mut rest = Tile { marks: &mut block.hot, width, from: block.from, end };
                        rest.mark_above((row, here), work.moves.by_size(), work.moves, work.roles);
                    }
                    slot => self.recent[slot as usize][1] |= 1 << bit,
                }
            }
        }
    }
}

/// The columns among `open` that no move out of the block of 64 columns from `column` on makes hot.
fn candidates_of(mut open: u64, plan: &RowPlan, recent: &[[u64; 2]], column: u32, rows: &Rows) -> u64 {
    for &near in &plan.near {
        if open == 0 {
            return 0;
        }
        let (slot, fall) = ((near >> 6) as usize, near & 63);
        open &= !(recent[slot][0] >> 1 >> (63 - fall));
    }
    for &position in &plan.words {
        if open == 0 {
            return 0;
        }
        open &= !word_at(rows.table(), position.wrapping_add(i64::from(column)) as u64);
    }
    open
}

/// ORs the windows of 512 columns into the span from `column` on, for the rows that have candidates there.
fn or_spans(work: &TileWork<'_>, block: &mut Block, column: u32, rows: &Rows) {
    let (width, word) = (block.width(), ((column - block.from) / 64) as usize);
    block.hot.par_chunks_exact_mut(width).zip(work.plans).with_min_len(GROUP).for_each(|(hot, plan)| {
        let span: &mut [u64; SPAN_WORDS] = hot[word..].first_chunk_mut().expect("tiles are made of whole spans");
        if span.iter().any(|&w| w != u64::MAX) {
            for (bit, offsets) in plan.classes(SPAN_BAND) {
                or_union(work.cpu, span, rows.table(), column / 8, offsets, bit);
            }
        }
    });
}

/// Tells whether a number of a hot row, to which no dense row below column `from` leads, has a move to a cold number:
/// into a dense row from `from` on, or into a list.
fn is_hot(work: &TileWork<'_>, rows: &Rows, row: u32, column: u32, from: u32) -> bool {
    let recent = (0..).zip(rows.dense()).any(|(slot, &source)| {
        let (carry, quotients) = work.moves.between(row, source);
        let falls = quotients.iter().map(|q| q + carry).take_while(|&fall| fall + from <= column);
        falls.into_iter().any(|fall| rows.get(slot, column - fall))
    });
    recent
        || (0..).zip(rows.members()).filter(|(_, members)| !members.is_empty()).any(|(source, members)| {
            let (carry, quotients) = work.moves.between(row, source);
            !quotients.is_empty()
                && members.iter().any(|member| {
                    column.checked_sub(member + carry).is_some_and(|q| quotients.binary_search(&q).is_ok())
                })
        })
}

const _: () = assert!(STRIP_WORDS.is_multiple_of(SPAN_WORDS));
