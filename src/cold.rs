//! Cold positions: the heaps from which the player to move loses.
//!
//! [`cold()`] does the right thing; [`Plan::cold`] is there for whoever wants to look first, to choose an engine, or to
//! stream the result to a sink. The engines, from the definition up:
//!
//! | engine | idea | for |
//! |---|---|---|
//! | [`Engine::Recurrence`] | the definition | an oracle: anybody can check it by eye |
//! | [`Engine::Sieve`] | each cold position marks hot what lies one move above | everything |
//! | [`Engine::Divide`] | divide and conquer with exact convolutions (Eppstein 2018) | large dense sets |
//! | [`Engine::Wheel`] | rows by residue class, and few of them matter | polynomials beyond a few million |
//! | [`Engine::Residue`] | cold positions keep to few residues, and a few of them decide the rest | primes and their like |

mod divide;
mod recurrence;
mod residue;
mod sieve;
mod strips;
pub mod wheel;

use crate::engine::engines_from_table;
use crate::error::Result;
use crate::plan::{Estimate, Plan, Profile};
use crate::run::Control;
use crate::set::SubtractionSet;
use crate::sink::{ColdSink, SkipBelow};
use crate::table::{ColdPositions, ColdTable};

pub use divide::MAX_N as DIVIDE_MAX_N;
pub(crate) use sieve::sample_counts;
pub(crate) use strips::Strips;

/// Computes the cold positions of `set` below `n` with the engine that the planner finds best, on the current rayon pool.
///
/// The table takes n / 8 bytes; time and working memory are the engine's ([`Plan::cold`] tells both).
///
/// # Errors
/// [`crate::Error::Set`] for a set that breaks its promise, [`crate::Error::Memory`] when the system refuses the
/// memory.
///
/// ```
/// use nimsieve::set::Squares;
/// let table = nimsieve::cold(&Squares, 1_000_000)?;
/// assert_eq!(table.count(), 13_952); // OEIS A030193
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn cold(set: &dyn SubtractionSet, n: u64) -> Result<ColdTable> {
    Plan::cold(set, n)?.run()
}

/// The engines for cold positions. They differ in speed and memory, never in the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// The definition.
    Recurrence,
    /// The segmented bit sieve.
    Sieve,
    /// Eppstein's divide and conquer.
    Divide,
    /// The residue-class wheel.
    Wheel,
    /// Residue structure.
    Residue,
}

/// What the planner and [`Plan`] know of an engine.
struct Entry {
    engine: Engine,
    name: &'static str,
    estimate: fn(&Profile) -> Result<Estimate, String>,
    run: fn(&Job<'_>, &Control, &mut dyn ColdSink) -> Result<Option<wheel::Report>>,
}

/// What an engine is to compute: the positions below `n`, given those that are known already.
///
/// An engine starts at a position that suits it, at or below the end of what is known; what it hands over of known
/// positions is cut off behind it.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) set: &'a dyn SubtractionSet,
    pub(crate) n: u64,
    /// What the plan measured of the set and the game.
    pub(crate) profile: &'a Profile,
    pub(crate) known: Option<&'a dyn ColdPositions>,
    /// How the wheel is to go.
    pub(crate) wheel: &'a wheel::Options,
}

impl Job<'_> {
    /// Where the unknown positions start.
    fn start(&self) -> u64 {
        self.known.map_or(0, |known| known.end())
    }

    /// The multiple of `unit` from which an engine that works in such units has to start.
    fn start_in(&self, unit: u64) -> u64 {
        self.start() / unit * unit
    }

    /// Calls `visit` with each known cold position below `end`, increasing.
    fn visit_known(&self, end: u64, mut visit: impl FnMut(u64) -> Result<()>) -> Result<()> {
        match self.known {
            Some(known) => known.visit(0..end.min(known.end()), &mut visit),
            None => Ok(()),
        }
    }
}

/// One line an engine.
const ENGINES: &[Entry] = &[
    Entry { engine: Engine::Recurrence, name: "recurrence", estimate: recurrence::estimate, run: recurrence::run },
    Entry { engine: Engine::Sieve, name: "sieve", estimate: sieve::estimate, run: sieve::run },
    Entry { engine: Engine::Divide, name: "divide", estimate: divide::estimate, run: divide::run },
    Entry { engine: Engine::Wheel, name: "wheel", estimate: wheel::estimate, run: wheel::run },
    Entry { engine: Engine::Residue, name: "residue", estimate: residue::estimate, run: residue::run },
];

engines_from_table!("cold", dyn ColdPositions);

impl Engine {
    /// Decides the positions from the end of `job.known` to `job.n` and hands them to the sink.
    pub(crate) fn run(
        self,
        job: &Job<'_>,
        control: &Control,
        sink: &mut dyn ColdSink,
    ) -> Result<Option<wheel::Report>> {
        if job.start() >= job.n {
            return Ok(None);
        }
        (self.entry().run)(job, control, &mut SkipBelow::new(job.start(), sink))
    }
}
