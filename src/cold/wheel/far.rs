//! Plans of rich rows: every move from a row into a dense row, as windows sorted by distance and byte class.
//!
//! A rich row is one where cold numbers live, so every move must be tested for every column. The moves into dense rows
//! are windows of the table of bits: for the tile of columns from j on, a move that falls by q columns into slot s is
//! the window at `position(s) + j - q`. Tiles begin at multiples of 64 columns, so the byte class of that window
//! depends on q alone, and its byte offset is kept without j.
//!
//! Moves are sorted into *bands* by q. Those below 64 are kept as slots and falls, to be probed in order; a window of W
//! columns may be used as soon as the columns it covers are decided, so nearer bands take narrower windows ([`BANDS`]). The farthest are cut into long bands only so that one band of many rows stays in the cache.

use std::ops::Range;

use rayon::prelude::*;

use super::moves::Moves;
use super::rows::Rows;
use crate::kernel::{Cpu, STRIP, STRIP_WORDS, or_union};

/// Where bands begin, in columns of fall. Windows of 512 columns from the first on, of 4096 from the second; the next
/// ones are blocks of 2, 4 and 8 tiles; from the last on all bands are as wide as it is far.
const BANDS: [u32; 6] = [512, 4096, 8192, 16_384, 32_768, 131_072];

/// The band of windows of 512 columns.
pub(super) const SPAN_BAND: usize = 0;
/// The first band of windows of 4096 columns.
pub(super) const TILE_BAND: usize = 1;

/// The band of a fall of at least 512.
fn band(fall: u32) -> usize {
    let last = BANDS[BANDS.len() - 1];
    if fall < last {
        BANDS.partition_point(|&start| start <= fall) - 1
    } else {
        BANDS.len() - 2 + (fall / last) as usize
    }
}

/// Where a band begins.
fn band_start(band: usize) -> u32 {
    let last = BANDS.len() - 1;
    if band <= last { BANDS[band] } else { BANDS[last] * (band - last + 1) as u32 }
}

/// The first band at or beyond a distance that is the start of a band.
pub(super) fn band_from(start: u32) -> usize {
    let band = band(start);
    debug_assert_eq!(band_start(band), start);
    band
}

/// The moves of one rich row.
#[derive(Debug, Default)]
pub(super) struct RowPlan {
    /// Moves that fall by less than 64 columns, `slot << 6 | fall`, the nearest first.
    pub(super) near: Vec<u32>,
    /// Moves that fall by 64 to 511 columns, as bits of the table less the column, those into the densest rows first.
    pub(super) words: Vec<i64>,
    /// Where the offsets of each band and class begin, band by band, and the end of the last.
    starts: Vec<u32>,
    /// Byte offsets of windows, wrapped around at 2^32.
    offsets: Vec<u32>,
}

impl RowPlan {
    /// Plans `row`: all moves that fall by less than `rows.columns()`.
    fn new(row: u32, rows: &Rows, moves: &Moves, ranks: &[u32]) -> Self {
        let mut plan = Self::default();
        let bands = band(rows.columns().max(BANDS[0])) + 1;
        let mut starts = vec![0_u32; 8 * bands + 1];
        let each = |visit: &mut dyn FnMut(u32, u32)| {
            moves.for_each_source(row, rows.dense_set(), |source, carry, quotients| {
                let slot = rows.slot(source);
                for &quotient in quotients.iter().take_while(|&&q| q + carry < rows.columns()) {
                    visit(slot, quotient + carry);
                }
            });
        };
        let key = |fall: u32| 8 * band(fall) + (fall.wrapping_neg() % 8) as usize;
        let mut words = Vec::new();
        each(&mut |slot, fall| match fall {
            0..64 => plan.near.push(slot << 6 | fall),
            64..512 => words.push((ranks[slot as usize], rows.position(slot) as i64 - i64::from(fall))),
            _ => starts[key(fall) + 1] += 1,
        });
        plan.near.sort_unstable_by_key(|near| near & 63);
        words.sort_unstable();
        plan.words = words.into_iter().map(|(_, position)| position).collect();
        for key in 0..8 * bands {
            starts[key + 1] += starts[key];
        }
        let mut ends = starts.clone();
        let mut offsets = vec![0; starts[8 * bands] as usize];
        each(&mut |slot, fall| {
            if fall >= 512 {
                let end = &mut ends[key(fall)];
                offsets[*end as usize] = rows.window(slot, fall).0;
                *end += 1;
            }
        });
        (plan.starts, plan.offsets) = (starts, offsets);
        plan
    }

    /// The number of bands.
    pub(super) fn bands(&self) -> usize {
        self.starts.len() / 8
    }

    /// The offsets of each class of a band, with the class.
    pub(super) fn classes(&self, band: usize) -> impl Iterator<Item = (u32, &[u32])> {
        (0..8).filter_map(move |bit| {
            let key = 8 * band + bit as usize;
            let (start, end) = (*self.starts.get(key)?, *self.starts.get(key + 1)?);
            (start < end).then(|| (bit, &self.offsets[start as usize..end as usize]))
        })
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> u64 {
        4 * (self.near.len() + 2 * self.words.len() + self.starts.len() + self.offsets.len()) as u64
    }
}

/// Plans the rows of `rich`, on all threads; `densest` are the slots, densest first.
pub(super) fn plan(rich: &[u32], rows: &Rows, moves: &Moves, densest: &[u32]) -> Vec<RowPlan> {
    let mut ranks = vec![0; densest.len()];
    (0..).zip(densest).for_each(|(rank, &slot)| ranks[slot as usize] = rank);
    rich.par_iter().map(|&row| RowPlan::new(row, rows, moves, &ranks)).collect()
}

/// Rows that are served together, band by band, and share what the band holds of their sources. More rows share
/// more, fewer leave more tasks to the threads.
pub(super) const GROUP: usize = 96;

/// A block of tiles of all rich rows: the bits of columns that are known to be hot, row by row.
#[derive(Debug)]
pub(super) struct Block {
    /// The first column.
    pub(super) from: u32,
    /// Tiles in a row.
    pub(super) tiles: usize,
    pub(super) hot: Vec<u64>,
}

impl Block {
    /// Words of a row.
    pub(super) fn width(&self) -> usize {
        self.tiles * STRIP_WORDS
    }
}

/// ORs into the given tiles of all rich rows the windows of the bands in `bands`, on all threads.
pub(super) fn or_far(
    cpu: Cpu,
    block: &mut Block,
    plans: &[RowPlan],
    rows: &Rows,
    tiles: Range<usize>,
    bands: Range<usize>,
) {
    let (width, from) = (block.width(), block.from);
    block
        .hot
        .par_chunks_mut(GROUP * width)
        .zip(plans.par_chunks(GROUP))
        .for_each(|(hot, plans)| or_bands(cpu, hot, plans, rows, from, tiles.clone(), bands.clone()));
}

/// As [`or_far`], for a group of rows. What falls from every column below column 0 is left out.
fn or_bands(
    cpu: Cpu,
    hot: &mut [u64],
    plans: &[RowPlan],
    rows: &Rows,
    from: u32,
    tiles: Range<usize>,
    bands: Range<usize>,
) {
    let width = hot.len() / plans.len();
    let tile = |index: usize| from + STRIP as u32 * index as u32;
    let limit = tile(tiles.end);
    let end = bands.end.min(plans.iter().map(RowPlan::bands).max().unwrap_or(0));
    let mut within = Vec::new();
    for band in (bands.start..end).take_while(|&band| band_start(band) < limit) {
        let whole = band_start(band + 1) <= limit;
        for (hot, plan) in hot.chunks_exact_mut(width).zip(plans) {
            let (hot, _) = hot.as_chunks_mut::<STRIP_WORDS>();
            for (bit, mut offsets) in plan.classes(band) {
                if !whole {
                    within.clear();
                    within.extend(offsets.iter().copied().filter(|&offset| rows.fall(offset, bit) < limit));
                    offsets = &within;
                }
                for index in tiles.clone() {
                    or_union(cpu, &mut hot[index], rows.table(), tile(index) / 8, offsets, bit);
                }
            }
        }
    }
}
