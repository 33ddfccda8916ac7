//! Hot rows: rows in which a cold number is hardly ever found, decided by a few of the densest sources.
//!
//! Most residue classes hold next to no cold numbers, and a column of such a row needs no more than one witness. Windows
//! are taken from the densest places first, until the *cover*, the sum of their densities, which is the expected number
//! of witnesses of a column, passes [`COVER`]. Few columns survive that; each is probed in every dense row, densest
//! first, and what still stands is *pending*: it is decided in order, with every move, like any other candidate.
//!
//! Where a row is dense changes along the row: the density falls with the columns, and it is measured octave by octave
//! ([`Densities`]). For a hot row the moves into a dense row are a list of quotients, of which the largest lead to the
//! densest columns, so a plan takes them from the end of each list down to some level of density. It holds for a while,
//! during which its windows, at fixed falls, drift upwards into thinner columns; planning again is cheap.

use std::ops::Range;

use rayon::prelude::*;

use super::moves::Moves;
use super::rows::Rows;
use crate::kernel::{Cpu, STRIP, STRIP_WORDS, or_union};

/// Covers at which the windows of a row are cut into parts; after each, tiles with few survivors are done with OR-ing.
const PARTS: [f64; 4] = [5.0, 6.5, 8.0, COVER];
/// The cover at which a plan ends.
pub(super) const COVER: f64 = 15.0;
/// Survivors of a tile of 4096 columns that are probed one by one.
const FEW: u32 = 8;
/// Rows of a task.
const GROUP: usize = 64;

/// Levels of density: level l is a density of at least 2^(-l / 4), a fifth less than the level before; at the last,
/// about 0.003, a window is no longer worth its while.
const LEVELS: usize = 34;

/// The density of a level.
fn density_of(level: usize) -> f64 {
    (-(level as f64) / 4.0).exp2()
}

/// Columns of the shortest octave.
const SHORTEST: u32 = 2048;

/// Where the dense rows are dense, measured below some column, and the falls that lead there.
#[derive(Debug)]
pub(super) struct Densities {
    /// Where octaves end, increasing.
    octaves: Vec<u32>,
    /// The level of each octave of each slot, slot by slot; never better than in the octave before.
    levels: Vec<u8>,
    /// For each level, and within it each slot, the end of the octaves of at least that level.
    ends: Vec<u32>,
    /// The slots by number of cold columns, those with most first.
    slots: Vec<u32>,
}

impl Densities {
    /// Measures the dense rows below column `reached`. O(bits).
    pub(super) fn measure(rows: &Rows, reached: u32) -> Self {
        let octaves = octaves(reached);
        let slots = 0..rows.dense().len() as u32;
        let mut levels = vec![0; slots.len() * octaves.len()];
        let mut counts = vec![0_u32; slots.len()];
        let measure = |(slot, (levels, count)): (u32, (&mut [u8], &mut u32))| {
            let mut from = 0;
            let mut worst = 0;
            for (level, &to) in levels.iter_mut().zip(&octaves) {
                let cold = rows.count_words(slot, from / 64..to / 64);
                let density = f64::from(cold) / f64::from(to - from);
                worst = ((-4.0 * density.log2()).ceil().clamp(0.0, LEVELS as f64) as u8).max(worst);
                *level = worst;
                *count += cold;
                from = to;
            }
        };
        if !octaves.is_empty() {
            let places = levels.par_chunks_mut(octaves.len()).zip(&mut counts);
            slots.clone().into_par_iter().zip(places).for_each(measure);
        }
        let mut ends = vec![0; LEVELS * slots.len()];
        for (level, ends) in ends.chunks_mut(slots.len().max(1)).enumerate() {
            for (end, levels) in ends.iter_mut().zip(levels.chunks(octaves.len().max(1))) {
                let good = levels.partition_point(|&l| usize::from(l) <= level);
                *end = if good == 0 { 0 } else { octaves[good - 1] };
            }
        }
        let mut slots: Vec<u32> = slots.collect();
        slots.sort_by_key(|&slot| std::cmp::Reverse(counts[slot as usize]));
        Self { octaves, levels, ends, slots }
    }

    /// The slots, those with most cold columns first.
    pub(super) fn densest(&self) -> &[u32] {
        &self.slots
    }

    /// The level of a column below the last octave's end.
    fn level(&self, slot: u32, column: u32) -> usize {
        let octave = self.octaves.partition_point(|&end| end <= column);
        usize::from(self.levels[slot as usize * self.octaves.len() + octave])
    }

    /// The end of the columns of a slot that are of a level or better.
    fn end(&self, slot: u32, level: usize) -> u32 {
        self.ends[level * self.slots.len() + slot as usize]
    }
}

/// Cuts the columns below `reached` into octaves of a quarter of what lies below their ends, and returns the ends.
fn octaves(reached: u32) -> Vec<u32> {
    let mut ends = Vec::new();
    let mut end = reached / 64 * 64;
    while end > 0 {
        ends.push(end);
        let start = (u64::from(end) * 3 / 4) as u32 / 64 * 64;
        end = if start < SHORTEST { 0 } else { start };
    }
    ends.reverse();
    ends
}

/// The columns that a plan is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// The first column.
    pub(super) from: u32,
    /// The column at which the next plan is made.
    pub(super) to: u32,
    /// Columns of a block: only moves that fall by as much lead to what is decided.
    pub(super) block: u32,
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

/// A dense row that a hot row can move to, while the hot row is planned.
#[derive(Debug)]
struct Lead {
    slot: u32,
    carry: u32,
    /// The column that the next move leads to, seen from the middle of the span; past all columns if there is none.
    column: u32,
    /// The quotients that were not taken yet, among all; the largest lead to the lowest and densest columns.
    quotients: Range<u32>,
}

impl Lead {
    /// Looks at the next move.
    fn look(&mut self, quotients: &[u32], middle: u32, block: u32) {
        self.column = u32::MAX;
        if !self.quotients.is_empty() {
            let fall = quotients[self.quotients.end as usize - 1] + self.carry;
            if fall >= block {
                self.column = middle - fall;
            }
        }
    }
}

/// Scratch space of a planner.
#[derive(Debug, Default)]
struct Planner {
    leads: Vec<Lead>,
    /// Windows that were taken: offset, class, level.
    taken: Vec<(u32, u8, u8)>,
    /// The level at which the row before was covered: the guess for the next.
    guess: usize,
}

impl Planner {
    /// Plans a row.
    fn plan(
        &mut self,
        row: u32,
        rows: &Rows,
        moves: &Moves,
        densities: &Densities,
        reach: &[Range<u32>],
        span: Span,
    ) -> HotRow {
        let middle = span.from + (span.to - span.from) / 2;
        self.leads.clear();
        self.taken.clear();
        let quotients = moves.quotients();
        moves.for_each_residue(row, rows.dense_set(), |source, carry, residue| {
            let range = reach[residue as usize].clone();
            if !range.is_empty() {
                let mut lead = Lead { slot: rows.slot(source), carry, column: 0, quotients: range };
                lead.look(quotients, middle, span.block);
                self.leads.push(lead);
            }
        });
        let mut counts = [0_u32; LEVELS + 1];
        let mut level = self.guess.min(LEVELS - 1);
        let mut step = 2;
        let mut cover: f64;
        loop {
            for lead in &mut self.leads {
                let end = densities.end(lead.slot, level);
                while lead.column < end {
                    let level = densities.level(lead.slot, lead.column);
                    let (offset, bit) = rows.window(lead.slot, middle - lead.column);
                    counts[level] += 1;
                    self.taken.push((offset, bit as u8, level as u8));
                    lead.quotients.end -= 1;
                    lead.look(quotients, middle, span.block);
                }
            }
            cover = counts.iter().enumerate().map(|(level, &count)| f64::from(count) * density_of(level)).sum();
            if cover >= COVER || level == LEVELS - 1 {
                break;
            }
            level = (level + step).min(LEVELS - 1);
            step *= 2;
        }
        self.finish(row, cover, &counts)
    }

    /// Sorts what was taken into parts and classes, densest levels first, and leaves out what is beyond the last part.
    fn finish(&mut self, row: u32, cover: f64, counts: &[u32; LEVELS + 1]) -> HotRow {
        let mut sum = 0.0;
        let mut part_of = [PARTS.len(); LEVELS + 1];
        for (level, &count) in counts.iter().enumerate() {
            part_of[level] = PARTS.partition_point(|&end| end <= sum);
            if part_of[level] < PARTS.len() {
                self.guess = level;
            }
            sum += f64::from(count) * density_of(level);
        }
        let key = |bit: u8, level: u8| 8 * part_of[usize::from(level)] + usize::from(bit);
        let mut starts = [0; 8 * PARTS.len() + 1];
        let kept = |&&(_, _, level): &&(u32, u8, u8)| part_of[usize::from(level)] < PARTS.len();
        self.taken.iter().filter(kept).for_each(|&(_, bit, level)| starts[key(bit, level) + 1] += 1);
        for key in 0..8 * PARTS.len() {
            starts[key + 1] += starts[key];
        }
        let mut ends = starts;
        let mut offsets = vec![0; starts[8 * PARTS.len()] as usize];
        for &(offset, bit, level) in self.taken.iter().filter(kept) {
            let end = &mut ends[key(bit, level)];
            offsets[*end as usize] = offset;
            *end += 1;
        }
        HotRow { row, cover, starts, offsets }
    }
}

impl HotRow {
    /// ORs the windows into the tiles of the row from column `from` on, part by part, as long as many columns of a tile
    /// survive, and then probes each survivor in the windows of the parts that are left.
    fn cover(&self, cpu: Cpu, tiles: &mut [[u64; STRIP_WORDS]], rows: &Rows, from: u32) {
        let mut open: Vec<usize> = (0..tiles.len()).collect();
        let first = |index: usize| from + STRIP as u32 * index as u32;
        for part in 0..=PARTS.len() {
            open.retain(|&index| {
                let tile = &mut tiles[index];
                let few = part == PARTS.len() || tile.iter().map(|w| w.count_zeros()).sum::<u32>() <= FEW;
                if few {
                    self.probe(tile, rows, first(index), part);
                }
                !few
            });
            if open.is_empty() {
                return;
            }
            for (bit, offsets) in self.classes(part) {
                for &index in &open {
                    or_union(cpu, &mut tiles[index], rows.table(), first(index) / 8, offsets, bit);
                }
            }
        }
    }

    /// The windows of a part, by class.
    fn classes(&self, part: usize) -> impl Iterator<Item = (u32, &[u32])> {
        (0..8).filter_map(move |bit| {
            let key = 8 * part + bit as usize;
            let offsets = &self.offsets[self.starts[key] as usize..self.starts[key + 1] as usize];
            (!offsets.is_empty()).then_some((bit, offsets))
        })
    }

    /// Probes each column of the tile that is still open in the windows of the parts from `part` on.
    fn probe(&self, tile: &mut [u64; STRIP_WORDS], rows: &Rows, from: u32, part: usize) {
        for (base, word) in (from..).step_by(64).zip(tile) {
            let mut rest = !*word;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let hit = (part..PARTS.len()).flat_map(|part| self.classes(part)).any(|(class, offsets)| {
                    let place = u64::from(class) + u64::from(bit);
                    offsets.iter().any(|&offset| {
                        let position = 8 * u64::from((base / 8).wrapping_add(offset)) + place;
                        rows.table()[(position / 64) as usize] >> (position % 64) & 1 == 1
                    })
                });
                *word |= u64::from(hit) << bit;
            }
        }
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
    /// Plans the rows of `hot`.
    pub(super) fn new(hot: &[u32], rows: &Rows, moves: &Moves, densities: &Densities, span: Span) -> Self {
        // What leads below column 0 from the first column of the span is of no use; with the carry, from the second.
        let reach = moves.ranges_to(span.from.saturating_sub(1));
        let plan = |planner: &mut Planner, &row: &u32| planner.plan(row, rows, moves, densities, &reach, span);
        let rows = hot.par_iter().with_min_len(GROUP).map_init(Planner::default, plan).collect();
        Self { rows, slots: densities.slots.clone() }
    }

    /// Parts with the rows whose windows cover less than `cover`, and returns the others.
    pub(super) fn retain_covered(&mut self, cover: f64) -> Vec<u32> {
        self.rows.retain(|row| row.cover >= cover);
        self.rows.iter().map(|row| row.row).collect()
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
        open: impl Fn(u32) -> Range<u32> + Sync,
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
pub(super) fn close(words: &mut [u64], from: u32, open: Range<u32>) {
    for (base, word) in (from..).step_by(64).zip(words) {
        if base < open.start || base + 64 > open.end {
            for bit in 0..64 {
                *word |= u64::from(!open.contains(&(base + bit))) << bit;
            }
        }
    }
}
