//! Which row plays which part, decided from what was found so far.
//!
//! A *dense* row has bits, the others are lists. A *rich* row is a target where every move is tested for every column;
//! the others are *hot*: a few windows decide nearly all their columns. Dense rows are rich. Wrong guesses cost time,
//! never exactness.

use super::hot::{Densities, HotPlan, Span};
use super::moves::Moves;
use super::rows::{NONE, Rows, Tally};

/// A row of the newer half of the columns is kept as bits when one column in this many is cold. With bits for thinner
/// rows the far plans grow; with lists for thicker ones, the marks.
const DENSE: u32 = 6000;
/// A row is rich when one column in this many of the newer half is cold. A cold number of a hot row costs a search
/// through all dense rows and all lists; a rich row costs all its windows.
const RICH: u32 = 8000;
/// A row whose plan covers less than this would leave too many columns to single probes, and is rich.
const LEAST_COVER: f64 = 7.0;

/// Tells for each row whether it is to be dense, from counts up to column `reached`.
pub(super) fn dense(tallies: &[Tally], reached: u32) -> Vec<bool> {
    let columns = reached - reached / 2;
    tallies.iter().map(|tally| tally.newer.saturating_mul(DENSE) > columns).collect()
}

/// Who is rich and who is hot.
#[derive(Debug, Default)]
pub(super) struct Roles {
    /// The rich rows, those of one class modulo the sharing divisor together: they have sources in common.
    rich: Vec<u32>,
    /// For each row its place among the rich, or [`NONE`].
    places: Vec<u32>,
    /// The places in increasing order of their rows.
    by_row: Vec<u32>,
    /// One bit a row: whether it is rich. Small enough for the first cache.
    rich_set: Vec<u64>,
    hot: Vec<u32>,
}

impl Roles {
    /// Decides, and returns the plan of the hot rows for the span.
    pub(super) fn decide(
        rows: &Rows,
        moves: &Moves,
        tallies: &[Tally],
        densities: &Densities,
        span: Span,
    ) -> (Self, HotPlan) {
        let modulus = rows.modulus();
        let columns = span.from - span.from / 2;
        let thin = |row: &u32| rows.slot(*row) == NONE && tallies[*row as usize].newer.saturating_mul(RICH) <= columns;
        let sharing = (2..=32).rev().find(|d| modulus.is_multiple_of(*d)).unwrap_or(1);
        let mut rows_by_class: Vec<u32> = (0..modulus).collect();
        rows_by_class.sort_by_key(|row| (row % sharing, *row));
        let thin_rows: Vec<u32> = rows_by_class.iter().copied().filter(thin).collect();
        let mut plan = HotPlan::new(&thin_rows, rows, moves, densities, span);
        let hot = plan.retain_covered(LEAST_COVER);
        let mut is_hot = vec![false; modulus as usize];
        hot.iter().for_each(|&row| is_hot[row as usize] = true);
        let rich: Vec<u32> = rows_by_class.into_iter().filter(|&row| !is_hot[row as usize]).collect();
        let mut places = vec![NONE; modulus as usize];
        let mut rich_set = vec![0; modulus as usize / 64 + 1];
        for (place, &row) in (0..).zip(&rich) {
            places[row as usize] = place;
            rich_set[(row / 64) as usize] |= 1 << (row % 64);
        }
        let by_row = places.iter().copied().filter(|&place| place != NONE).collect();
        (Self { rich, places, by_row, rich_set, hot }, plan)
    }

    /// The rich rows, in the order of their places.
    pub(super) fn rich(&self) -> &[u32] {
        &self.rich
    }

    /// Tells whether a row is rich.
    #[inline(always)]
    pub(super) fn is_rich(&self, row: u32) -> bool {
        self.rich_set[(row / 64) as usize] >> (row % 64) & 1 == 1
    }

    /// The place of a row among the rich, or [`NONE`].
    #[inline(always)]
    pub(super) fn place(&self, row: u32) -> u32 {
        self.places[row as usize]
    }

    /// The places in increasing order of their rows.
    pub(super) fn by_row(&self) -> &[u32] {
        &self.by_row
    }

    /// The hot rows, by class like the rich.
    pub(super) fn hot(&self) -> &[u32] {
        &self.hot
    }
}
