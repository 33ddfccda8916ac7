//! One stage: a range of numbers decided with one modulus.
//!
//! A stage runs in *epochs*, over each of which the columns about double. Roles and far plans are made for an epoch,
//! the rows are copied into a table with room for it. Within an epoch it goes block by block of one to eight tiles; the
//! plans of hot rows are made again several times.

use std::time::{Duration, Instant};

use super::far::{self, Block, TILE_BAND};
use super::hot::{self, Densities, HotPlan, Span};
use super::marks::Marker;
use super::moves::Moves;
use super::report::StageReport;
use super::roles::{self, Roles};
use super::rows::{Rows, Walk, tally};
use super::tile::{Resolver, TileWork};
use super::{Options, StagePlan};
use crate::error::Result;
use crate::kernel::{Cpu, STRIP};
use crate::run::{Control, try_vec};
use crate::sink::{ColdBlock, ColdSink};

/// An epoch ends where the columns have grown by this factor.
const EPOCH: f64 = 2.0;
/// The least columns of an epoch.
const LEAST_EPOCH: u32 = 2 * STRIP as u32;
/// Plans of hot rows are made again when the columns have grown by this part.
const REPLAN: u32 = 4;

/// Where a run's blocks go.
pub(super) struct Output<'a> {
    pub(super) control: &'a Control,
    pub(super) sink: &'a mut dyn ColdSink,
}

/// Decides the numbers from `plan.from` to `plan.to`; `walk` goes over the cold numbers below, and the rows with all of
/// them are returned.
pub(super) fn run(
    plan: &StagePlan,
    elements: &[u64],
    options: &Options,
    walk: &Walk<'_>,
    output: &mut Output<'_>,
) -> Result<(Rows, StageReport)> {
    let clock = Instant::now();
    let m = u64::from(plan.modulus);
    let moves = Moves::new(&elements[..elements.partition_point(|&s| s < plan.to)], plan.modulus)?;
    let mut column = (plan.from / m / 64 * 64) as u32;
    let end = plan.to.div_ceil(m) as u32;
    let mut report = StageReport::new(plan);
    report.phases.plan += clock.elapsed();
    let mut rows: Option<Rows> = None;
    let mut resolver = Resolver::default();
    while column < end {
        let clock = Instant::now();
        let grown = ((f64::from(column) * EPOCH) as u32).max(column + LEAST_EPOCH).min(end);
        // Whole tiles, beginning with this one.
        let until = column + (grown - column).next_multiple_of(STRIP as u32);
        let from_rows = |visit: &mut dyn FnMut(u64)| {
            rows.as_ref().into_iter().for_each(|rows| rows.for_each(visit));
            Ok(())
        };
        let walk: &Walk<'_> = if rows.is_some() { &from_rows } else { walk };
        let tallies = tally(plan.modulus, column, walk)?;
        let dense = roles::dense(&tallies, column);
        let next = Rows::fill(plan.modulus, until + 64, &dense, walk)?;
        let densities = Densities::measure(&next, column);
        let span = span(options, column, until);
        let (roles, hot_plan) = Roles::decide(&next, &moves, &tallies, &densities, span);
        let mut epoch = Epoch {
            plan,
            options,
            moves: &moves,
            plans: far::plan(roles.rich(), &next, &moves, densities.densest()),
            block: Block { from: column, tiles: 0, hot: Vec::new() },
            marker: Marker::new(&moves, &roles, plan.modulus, column),
            rows: next,
            roles,
            hot_plan,
            hot_plan_until: span.to,
            report: &mut report,
        };
        epoch.report.phases.plan += clock.elapsed();
        epoch.note();
        while column < until {
            column = epoch.block(column, until, &mut resolver, output)?;
        }
        rows = Some(epoch.rows);
    }
    Ok((rows.expect("a stage has columns"), report))
}

/// The columns from `column` on that the next plan of hot rows is for.
fn span(options: &Options, column: u32, until: u32) -> Span {
    let to = (column + (column / REPLAN).max(STRIP as u32)).min(until);
    Span { from: column, to, block: options.block_at(column) }
}

/// Adds the time since `clock` to a phase, and starts the clock again.
pub(super) fn lap(clock: &mut Instant, phase: &mut Duration) {
    let now = Instant::now();
    *phase += now - *clock;
    *clock = now;
}

struct Epoch<'a> {
    plan: &'a StagePlan,
    options: &'a Options,
    moves: &'a Moves,
    rows: Rows,
    roles: Roles,
    plans: Vec<far::RowPlan>,
    marker: Marker,
    hot_plan: HotPlan,
    /// The column at which the hot rows are to be planned again.
    hot_plan_until: u32,
    block: Block,
    report: &'a mut StageReport,
}

impl Epoch<'_> {
    /// Decides a block of tiles from `column` on and returns the column behind it.
    fn block(&mut self, column: u32, until: u32, resolver: &mut Resolver, output: &mut Output<'_>) -> Result<u32> {
        let cpu = self.options.cpu.unwrap_or_else(Cpu::best);
        let size = self.options.block_at(column);
        let tile = STRIP as u32;
        let mut clock = Instant::now();
        if column >= self.hot_plan_until {
            let span = span(self.options, column, until);
            let densities = Densities::measure(&self.rows, column);
            self.hot_plan = HotPlan::new(self.roles.hot(), &self.rows, self.moves, &densities, span);
            self.hot_plan_until = span.to;
            lap(&mut clock, &mut self.report.phases.plan);
        }
        let tiles = (size.min(until - column) / tile) as usize;
        self.open_block(column, tiles)?;
        let near_bands = TILE_BAND..far::band_from(tile * tiles.next_power_of_two() as u32);
        far::or_far(cpu, &mut self.block, &self.plans, &self.rows, 0..tiles, near_bands.end..usize::MAX);
        lap(&mut clock, &mut self.report.phases.far);
        let open = |row| self.open_columns(row);
        let pending = self.hot_plan.sieve(cpu, &self.rows, self.moves, column, tiles, open);
        self.report.pending += pending.len() as u64;
        lap(&mut clock, &mut self.report.phases.hot);
        let work = TileWork { cpu, moves: self.moves, roles: &self.roles, plans: &self.plans, pending: &pending };
        for index in 0..tiles {
            far::or_far(cpu, &mut self.block, &self.plans, &self.rows, index..index + 1, near_bands.clone());
            lap(&mut clock, &mut self.report.phases.far);
            self.marker.mark(&mut self.block, index, self.moves, &self.roles, &self.rows);
            lap(&mut clock, &mut self.report.phases.marks);
            let found = resolver.decide(&work, &mut self.block, index, &mut self.rows, &mut self.report.phases);
            clock = Instant::now();
            let m = u64::from(self.plan.modulus);
            let first = u64::from(column + tile * index as u32);
            let start = (first * m).max(self.plan.from);
            let end = ((first + STRIP) * m).min(self.plan.to);
            self.report.cold += found.len() as u64;
            if start < end {
                output.sink.accept(&ColdBlock::List { start, len: end - start, positions: &found })?;
                output.control.advance(end)?;
            }
            lap(&mut clock, &mut self.report.phases.sink);
        }
        Ok(column + tile * tiles as u32)
    }

    /// The columns of a row whose numbers this stage decides.
    fn open_columns(&self, row: u32) -> std::ops::Range<u32> {
        let m = u64::from(self.plan.modulus);
        let columns = |x: u64| x.saturating_sub(row.into()).div_ceil(m) as u32;
        columns(self.plan.from)..columns(self.plan.to)
    }

    /// Begins a block in which nothing is hot but what this stage does not decide.
    fn open_block(&mut self, column: u32, tiles: usize) -> Result<()> {
        self.block.from = column;
        self.block.tiles = tiles;
        let width = self.block.width();
        let words = self.roles.rich().len() * width;
        if self.block.hot.len() < words {
            self.block.hot = try_vec("a block of the wheel", words as u64, 0)?;
        }
        self.block.hot.truncate(words);
        self.block.hot.fill(0);
        let m = u64::from(self.plan.modulus);
        let (first, last) = (u64::from(column) * m, (u64::from(column) + 64 * width as u64) * m);
        if first < self.plan.from || last > self.plan.to {
            for (place, &row) in self.roles.rich().iter().enumerate() {
                let open = self.open_columns(row);
                hot::close(&mut self.block.hot[place * width..][..width], column, open);
            }
        }
        Ok(())
    }

    /// Notes in the report who plays which part.
    fn note(&mut self) {
        let plans: u64 = self.plans.iter().map(far::RowPlan::bytes).sum();
        self.report.epoch(super::report::EpochReport {
            column: self.block.from,
            dense: self.rows.dense().len(),
            listed: self.rows.members().iter().filter(|members| !members.is_empty()).count(),
            rich: self.roles.rich().len(),
            hot: self.roles.hot().len(),
            bytes: Rows::bytes(self.rows.dense().len() as u64, self.rows.columns().into()) + plans,
        });
    }
}
