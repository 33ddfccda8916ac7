//! The residue-class wheel: cold numbers crowd into few residue classes, and the wheel looks there.
//!
//! Write x = r + M j: row r, column j, one row a residue class mod M. To take s = M q + h is to go from row r, column j
//! to row r - h, column j - q (one column less where r < h), so "x is one move above a cold number" is, for a whole
//! row, an OR of rows shifted by q: no division and no search. For squares and M = 27625 = 5^3 13 17, at 10^10, only
//! 2,300 rows hold all but a handful of the cold numbers, and of the moves from one of these rows only one in thirty
//! leads into another. The rows share the work by the part they play (`roles`):
//!
//! - *rich* rows, where cold numbers live: every move into a row of bits is taken, by windows (`far`);
//! - *hot* rows, all others: a few windows from the densest places decide nearly every column (`hot`);
//! - rows that hold few cold numbers are kept as lists, and their members are single marks (`tile`).
//!
//! In outline:
//!
//! ```text
//! sieve the numbers below 10^6; choose moduli by how far they concentrate the cold numbers
//! for each stage (modulus), for each epoch (columns double): rows, roles, far plans
//!     for each block of tiles of 4096 columns:
//!         rich rows: OR windows of everything that is decided; hot rows: OR, probe the survivors   (all cores)
//!         for each tile: nearer windows, marks; for each 64 columns: nearest windows, then in order
//! ```
//!
//! *Exact.* Every bit that is OR-ed or probed is the bit of a cold number one legal move below: windows hang over
//! column 0 into zeros only, and columns not decided yet are 0. And every number that is called cold has had every
//! move tested. In a rich row: those into rows of bits by exactly one band of `far` each, whose window was wholly
//! decided when it was taken, or in order when they stay within 64 columns; those into lists by the marks of the
//! members that were there when the tile began, and of each later member when it was found. In a hot row: by the probe
//! of every dense row below the block, and in order, of the dense rows within the block and of all lists. The guesses
//! (moduli, roles, densities) only move work about. Nothing is asked of the set but its elements, and nothing of the
//! modulus but its size: a poor one is slow.
//!
//! T(n): for squares about 0.8 vector operations of 512 bits a number, from 10^9 to 10^11. M(n): the bits of the dense
//! rows, 2,300 / 27625 of n / 8 bytes, and the far plans, 0.1 to 0.2 GB at 10^11. The list of cold numbers is never
//! kept. Given up: tables above 4 GiB (n about 4 10^11), sets without a formula, which might concentrate as well.

mod choice;
mod far;
mod hot;
mod marks;
mod moves;
mod report;
mod roles;
mod rows;
mod stage;
mod tile;

use std::fmt;
use std::time::Instant;

pub use choice::MAX_MODULUS;
use choice::PREFIX;
pub(crate) use choice::stages;
pub use report::{EpochReport, Phases, Report, StageReport};

use super::{Job, sieve};
use crate::error::{Error, Result};
use crate::kernel::{Cpu, MAX_BYTES, STRIP};
use crate::plan::{Estimate, Profile, bytes};
use crate::run::Control;
use crate::set::{SubtractionSet, elements_below};
use crate::sink::{ColdBlock, ColdSink, SkipBelow};

/// Numbers from `from` to `to`, decided with one modulus.
#[derive(Debug, Clone, PartialEq)]
pub struct StagePlan {
    /// The number of rows.
    pub modulus: u32,
    /// The first number.
    pub from: u64,
    /// The end of the numbers.
    pub to: u64,
    /// M times the sum of the squared shares of the classes, measured near the beginning; `None` for a stage that was
    /// asked for.
    pub concentration: Option<f64>,
}

impl fmt::Display for StagePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "modulus {} from {} to {}", self.modulus, self.from, self.to)?;
        match self.concentration {
            Some(concentration) => write!(f, ", concentration {concentration:.1}"),
            None => Ok(()),
        }
    }
}

/// How the wheel is to go: by itself, or with stages, and blocks, that are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Where stages begin and their moduli; below the first, the sieve.
    stages: Option<Vec<(u64, u32)>>,
    /// Tiles of a block.
    tiles: Option<u32>,
    /// The vector instructions.
    cpu: Option<Cpu>,
}

impl Options {
    /// Forces the stages: where each begins, increasing, and its modulus. The sieve computes what lies below the first.
    pub fn stages(mut self, stages: impl IntoIterator<Item = (u64, u32)>) -> Self {
        self.stages = Some(stages.into_iter().collect());
        self
    }

    /// Forces one modulus for everything above the sieve's share.
    pub fn modulus(self, modulus: u32) -> Self {
        self.stages([(PREFIX, modulus)])
    }

    /// Stages that have nothing in common with these but the numbers: moduli that are smaller by their least prime factor,
    /// boundaries half as far again, and other blocks.
    pub(crate) fn other_than(stages: &[StagePlan]) -> Self {
        let other = |stage: &StagePlan| {
            let modulus = stage.modulus;
            let least = (2..=modulus).find(|d| modulus.is_multiple_of(*d)).unwrap_or(modulus);
            let modulus = if least < modulus { modulus / least } else { modulus + 1 };
            (stage.from + stage.from / 2, modulus)
        };
        Self::default().stages(stages.iter().map(other)).block_tiles(2)
    }

    /// Forces blocks of 1, 2, 4 or 8 tiles of 4096 columns.
    pub fn block_tiles(mut self, tiles: u32) -> Self {
        self.tiles = Some(tiles);
        self
    }

    /// Forces a level of vector instructions; without it, the best.
    pub fn cpu(mut self, cpu: Cpu) -> Self {
        self.cpu = Some(cpu);
        self
    }

    /// Columns of a block that begins at `column`: longer blocks read longer runs of memory, but only moves that fall
    /// by more than a block can be taken at once.
    fn block_at(&self, column: u32) -> u32 {
        let tiles = self.tiles.unwrap_or(match column {
            0..25_000 => 1,
            25_000..50_000 => 2,
            50_000..100_000 => 4,
            _ => 8,
        });
        tiles * STRIP as u32
    }

    /// Turns what was asked for into stages, or says what does not fit.
    pub(crate) fn plan(&self, n: u64) -> Option<Result<Vec<StagePlan>, String>> {
        if let Some(tiles) = self.tiles
            && ![1, 2, 4, 8].contains(&tiles)
        {
            return Some(Err(format!("a block has 1, 2, 4 or 8 tiles, not {tiles}")));
        }
        let stages = self.stages.as_ref()?;
        let ends = stages.iter().skip(1).map(|&(from, _)| from).chain([u64::MAX]);
        let mut plans = Vec::new();
        for (&(from, modulus), to) in stages.iter().zip(ends) {
            if !(2..=MAX_MODULUS).contains(&modulus) {
                return Some(Err(format!("a modulus lies between 2 and {MAX_MODULUS}, not at {modulus}")));
            }
            if from >= to {
                return Some(Err(format!(
                    "stages begin one above the other, but one begins at {from} and the next at {to}"
                )));
            }
            if n / u64::from(modulus) >= 1 << 31 {
                return Some(Err(format!(
                    "{n} has too many columns for the modulus {modulus}; take one of at least {}",
                    n >> 30
                )));
            }
            if from < n {
                plans.push(StagePlan { modulus, from, to: to.min(n), concentration: None });
            }
        }
        Some(Ok(plans))
    }
}

pub(super) fn estimate(profile: &Profile) -> Result<Estimate, String> {
    let stages = profile.wheel.as_ref().map_err(Clone::clone)?;
    let mut estimate = sieve::estimate(profile)?;
    let Some(first) = stages.first() else {
        estimate.method = format!("the sieve alone: below {PREFIX} there is nothing to turn");
        return Ok(estimate);
    };
    // Elements below x grow like a power of x, and so do the cold positions; both are known at n.
    let n = profile.n as f64;
    estimate.operations = 0.0;
    estimate.seconds = 0.02 + 2e-9 * first.from as f64;
    for stage in stages {
        let concentration = stage.concentration.unwrap_or(1.0);
        let numbers = (stage.to - stage.from) as f64;
        let elements = profile.elements * (stage.to as f64 / n).sqrt();
        let operations = numbers * (2.0 * elements / 512.0 / concentration.powi(2) + 0.6);
        estimate.operations += operations;
        estimate.seconds += 1.4e-9 * operations + 0.4e-9 * numbers;
        // As many classes as if all dense ones were equally so, about; half as much again while an epoch takes over.
        let dense = 0.75 * f64::from(stage.modulus) / concentration;
        let columns = numbers / f64::from(stage.modulus);
        let plans = 4.0 * 1.5 * dense * elements / concentration.powf(1.5);
        let table = dense * (columns + f64::from(rows::FRONT)) / 8.0;
        if table > MAX_BYTES as f64 {
            return Err(format!(
                "its bit rows would take about {}, and 32-bit offsets reach 4 GiB; lower n",
                bytes(table as u64)
            ));
        }
        let bits = 1.5 * table;
        estimate.memory = (bits + plans) as u64 + 16 * elements as u64 + (64 << 20);
    }
    let row_count = |stage: &StagePlan| 0.75 * f64::from(stage.modulus) / stage.concentration.unwrap_or(1.0);
    estimate.stages =
        stages.iter().map(|stage| format!("{stage}, about {:.0} rows of bits", row_count(stage).ceil())).collect();
    let moduli: Vec<String> = stages.iter().map(|s| format!("{} from {:.1e}", s.modulus, s.from as f64)).collect();
    estimate.method = format!("rows by residue class: modulus {}", moduli.join(", "));
    Ok(estimate)
}

pub(super) fn run(job: &Job<'_>, control: &Control, sink: &mut dyn ColdSink) -> Result<Option<Report>> {
    run_job(job, control, sink).map(Some)
}

/// Computes the cold positions of `set` below `n` into a sink, with these options, and reports what was done.
///
/// # Errors
/// [`Error::Declined`] when the options do not fit each other or nothing concentrates, and those of
/// [`Plan::run_into`](crate::Plan::run_into).
///
/// ```
/// use nimsieve::cold::wheel::{Options, run_with};
/// use nimsieve::{run::Control, set::Squares, sink::ColdCounter};
/// let mut counter = ColdCounter::default();
/// let options = Options::default().stages([(20_000, 65), (300_000, 1105)]);
/// let report = run_with(&Squares, 1_000_000, &options, &Control::new(), &mut counter)?;
/// assert_eq!(counter.count, 13_952);
/// assert_eq!(report.stages.len(), 2);
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn run_with(
    set: &dyn SubtractionSet,
    n: u64,
    options: &Options,
    control: &Control,
    sink: &mut dyn ColdSink,
) -> Result<Report> {
    let profile = Profile::measure(set, n)?;
    run_job(&Job { set, n, profile: &profile, known: None, wheel: options }, control, sink)
}

/// As [`run_with`], from the end of what is known.
fn run_job(job: &Job<'_>, control: &Control, sink: &mut dyn ColdSink) -> Result<Report> {
    let &Job { set, n, wheel: options, .. } = job;
    let declined = |reason| Error::Declined { engine: "wheel", set: set.name(), reason };
    let plans = match options.plan(n) {
        Some(plans) => plans,
        None => job.profile.wheel.clone(),
    };
    let mut plans = plans.map_err(declined)?;
    let mut report = Report::default();
    let clock = Instant::now();
    // The sieve's share, as far as it is not known.
    let prefix = plans.first().map_or(n, |stage| stage.from);
    let start = job.start();
    let mut beginning = Vec::new();
    if start < prefix {
        job.visit_known(start, |x| {
            beginning.push(x);
            Ok(())
        })?;
        let mut both = (Keep(&mut beginning), &mut *sink);
        sieve::run(&Job { n: prefix, ..*job }, control, &mut SkipBelow::new(start, &mut both))?;
    }
    report.sieve = clock.elapsed();
    plans.retain(|stage| start < stage.to);
    if let Some(first) = plans.first_mut() {
        first.from = first.from.max(start);
    }
    let elements = elements_below(set, n, control)?;
    let mut rows: Option<rows::Rows> = None;
    let mut output = stage::Output { control, sink };
    for plan in &plans {
        let old = rows.take();
        let walk = |visit: &mut dyn FnMut(u64)| {
            match &old {
                Some(rows) => rows.for_each(visit),
                None if start < prefix => beginning.iter().for_each(|&x| visit(x)),
                None => job.visit_known(start, |x| {
                    visit(x);
                    Ok(())
                })?,
            }
            Ok(())
        };
        let (done, stage) = stage::run(plan, &elements, options, &walk, &mut output)?;
        rows = Some(done);
        report.stages.push(stage);
    }
    Ok(report)
}

/// Keeps the positions of the beginning.
struct Keep<'a>(&'a mut Vec<u64>);

impl ColdSink for Keep<'_> {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        block.try_for_each(|x| {
            self.0.push(x);
            Ok(())
        })
    }
}
