//! Hot rows: rows in which a cold number is hardly ever found, decided by a few of the densest sources.
//!
//! Most residue classes hold next to no cold numbers, and a column of such a row needs no more than one witness. Windows
//! are taken from the densest places first, until the *cover*, the sum of their densities, which is the expected number
//! of witnesses of a column, passes [`COVER`]. Few columns survive that; each is probed in every dense row, densest
//! first, and what still stands is *pending*: it is decided in order, with every move, like any other candidate.
//!
//! Where a row is dense changes along the row: the density falls with the columns. So the unit of planning is a
//! *stretch*: a slot and an octave of columns, with its measured density. A plan holds for a while, during which its
//! windows, at fixed falls, drift upwards into thinner columns; planning again is cheap.

use rayon::prelude::*;

use super::moves::Moves;
use super::rows::Rows;
use crate::kernel::{Cpu, STRIP_WORDS, or_union};

/// Covers at which the windows of a row are cut into parts; after each, tiles with few survivors are done with OR-ing.
const PARTS: [f64; 4] = [5.0, 6.5, 8.0, COVER];
/// The cover at which a plan ends.
pub(super) const COVER: f64 = 15.0;
/// Survivors of a tile of 4096 columns that are probed one by one.
const FEW: u32 = 8;
/// Windows from stretches thinner than this are not worth their while.
const THIN: f64 = 0.003;
/// Rows of a task.
const GROUP: usize = 64;

/// A slot between two columns, and how many of its columns are cold there.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    density: f64,
    slot: u32,
    columns: (u32, u32),
}

/// The dense places below column `reached`, densest first.
#[derive(Debug)]
pub(super) struct Stretches {
    stretches: Vec<Stretch>,
    /// The slots by density, densest first.
    slots: Vec<u32>,
}

impl Stretches {
    /// Measures the dense rows. O(bits).
    pub(super) fn measure(rows: &Rows, reached: u32) -> Self {
        let reached = reached / 64 * 64;
        let slots = 0..rows.dense().len() as u32;
        let mut stretches: Vec<Stretch> = slots
            .clone()
            .into_par_iter()
            .flat_map_iter(|slot| {
                octaves(reached).map(move |(from, to)| {
                    let count = rows.count_words(slot, from / 64..to / 64);
                    Stretch { density: f64::from(count) / f64::from(to - from), slot, columns: (from, to) }
                })
            })
            .collect();
        let mut counts = vec![0.0; slots.len()];
        for stretch in &stretches {
            counts[stretch.slot as usize] += stretch.density * f64::from(stretch.columns.1 - stretch.columns.0);
        }
        stretches.retain(|stretch| stretch.density > THIN);
        stretches.sort_by(|a, b| b.density.total_cmp(&a.density));
        let mut slots: Vec<u32> = slots.collect();
        slots.sort_by(|&a, &b| counts[b as usize].total_cmp(&counts[a as usize]));
        Self { stretches, slots }
    }
}

/// Cuts the columns below `reached` in two and the lower half in two again, down to 2048 columns.
fn octaves(reached: u32) -> impl Iterator<Item = (u32, u32)> {
    let mut end = reached;
    std::iter::from_fn(move || {
        let start = if end > 4096 { (end * 3 / 4) / 64 * 64 } else { 0 };
        let octave = (start, end);
        end = start;
        (octave.0 < octave.1).then_some(octave)
    })
}

/// The windows of one hot row.
#[derive(Debug)]
struct HotRow {
    row: u32,
    cover: f64,
    /// Where each part and class begins, part by part, and the end of the last.
    starts: [u32; 8 * PARTS.len() + 1],
    offsets: Vec<u32>,
}

impl HotRow {
    /// Plans a row for columns from `from` to `to`, in blocks of `block` columns.
    fn new(row: u32, rows: &Rows, moves: &Moves, stretches: &Stretches, from: u32, to: u32, block: u32) -> Self {
        let mut plan = Self { row, cover: 0.0, starts: [0; _], offsets: Vec::new() };
        let middle = from + (to - from) / 2;
        let mut part = 0;
        let mut chosen: Vec<(u32, u32)> = Vec::new();
        'cover: for stretch in &stretches.stretches {
            let (carry, quotients) = moves.between(row, stretch.slot_row(rows));
            if quotients.is_empty() {
                continue;
            }
            // Falls that lead from the middle into the stretch, and from the start to decided columns.
            let least = (middle + 1).saturating_sub(stretch.columns.1).max(block);
            let most = (middle - stretch.columns.0.min(middle)).min(from);
            let first = quotients.partition_point(|&q| q + carry < least);
            for &quotient in quotients[first..].iter().take_while(|&&q| q + carry <= most) {
                let (offset, bit) = rows.window(stretch.slot, quotient + carry);
                plan.starts[8 * part + bit as usize + 1] += 1;
                chosen.push((offset, (8 * part) as u32 + bit));
                plan.cover += stretch.density;
                while plan.cover >= PARTS[part] {
                    part += 1;
                    if part == PARTS.len() {
                        break 'cover;
                    }
                }
            }
        }
        for key in 0..8 * PARTS.len() {
            plan.starts[key + 1] += plan.starts[key];
        }
        let mut ends = plan.starts;
        plan.offsets = vec![0; chosen.len()];
        for (offset, key) in chosen {
            let end = &mut ends[key as usize];
            plan.offsets[*end as usize] = offset;
            *end += 1;
        }
        plan
    }

    /// ORs the windows into the tiles of the row from column `from` on, as long as many columns survive.
    fn cover(&self, cpu: Cpu, tiles: &mut [[u64; STRIP_WORDS]], rows: &Rows, from: u32) {
        for part in 0..PARTS.len() {
            let many = |tile: &[u64; STRIP_WORDS]| tile.iter().map(|w| w.count_zeros()).sum::<u32>() > FEW;
            let open: u64 = tiles.iter().enumerate().map(|(i, tile)| u64::from(many(tile)) << i).sum();
            if open == 0 {
                return;
            }
            for bit in 0..8 {
                let key = 8 * part + bit as usize;
                let offsets = &self.offsets[self.starts[key] as usize..self.starts[key + 1] as usize];
                if offsets.is_empty() {
                    continue;
                }
                for (i, tile) in tiles.iter_mut().enumerate().filter(|(i, _)| open >> i & 1 == 1) {
                    or_union(cpu, tile, rows.table(), from / 8 + 512 * i as u32, offsets, bit);
                }
            }
        }
    }
}

impl Stretch {
    fn slot_row(&self, rows: &Rows) -> u32 {
        rows.dense()[self.slot as usize]
    }
}

/// A plan for all hot rows.
#[derive(Debug, Default)]
pub(super) struct HotPlan {
    rows: Vec<HotRow>,
    slots: Vec<u32>,
}

/// A number that no dense row has made hot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pending {
    pub(super) column: u32,
    pub(super) row: u32,
}

impl HotPlan {
    /// Plans the rows of `hot` for columns from `from` to `to`, in blocks of `block` columns.
    pub(super) fn new(
        hot: &[u32],
        rows: &Rows,
        moves: &Moves,
        stretches: &Stretches,
        (from, to): (u32, u32),
        block: u32,
    ) -> Self {
        let rows = hot.par_iter().map(|&row| HotRow::new(row, rows, moves, stretches, from, to, block)).collect();
        Self { rows, slots: stretches.slots.clone() }
    }

    /// The rows with their covers.
    pub(super) fn covers(&self) -> impl Iterator<Item = (u32, f64)> {
        self.rows.iter().map(|row| (row.row, row.cover))
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> u64 {
        self.rows.iter().map(|row| size_of::<HotRow>() as u64 + 4 * row.offsets.len() as u64).sum()
    }

    /// Finds what stays open in the `tiles` tiles from column `from` on, in increasing order. `closed` tells for each row
    /// which columns are not to be decided: those before and those from.
    pub(super) fn sieve(
        &self,
        cpu: Cpu,
        rows: &Rows,
        moves: &Moves,
        from: u32,
        tiles: usize,
        open: impl Fn(u32) -> std::ops::Range<u32> + Sync,
    ) -> Vec<Pending> {
        let mut pending: Vec<Pending> = self
            .rows
            .par_chunks(GROUP)
            .flat_map_iter(|group| {
                let mut pending = Vec::new();
                let mut buffer = vec![[0; STRIP_WORDS]; tiles];
                for plan in group {
                    buffer.as_flattened_mut().fill(0);
                    close(buffer.as_flattened_mut(), from, open(plan.row));
                    plan.cover(cpu, &mut buffer, rows, from);
                    for (base, &word) in (from..).step_by(64).zip(buffer.as_flattened()) {
                        let mut rest = !word;
                        while rest != 0 {
                            let column = base + rest.trailing_zeros();
                            rest &= rest - 1;
                            if !self.has_witness(rows, moves, plan.row, column) {
                                pending.push(Pending { column, row: plan.row });
                            }
                        }
                    }
                }
                pending
            })
            .collect();
        pending.sort_unstable();
        pending
    }

    /// Looks for a cold number in a dense row, one move below.
    fn has_witness(&self, rows: &Rows, moves: &Moves, row: u32, column: u32) -> bool {
        self.slots.iter().any(|&slot| {
            let (carry, quotients) = moves.between(row, rows.dense()[slot as usize]);
            quotients.iter().take_while(|&&q| q + carry <= column).any(|&q| rows.get(slot, column - q - carry))
        })
    }
}

/// Makes hot, in the words from column `from` on, the columns outside `open`.
pub(super) fn close(words: &mut [u64], from: u32, open: std::ops::Range<u32>) {
    for (base, word) in (from..).step_by(64).zip(words) {
        if base < open.start || base + 64 > open.end {
            for bit in 0..64 {
                *word |= u64::from(!open.contains(&(base + bit))) << bit;
            }
        }
    }
}
