//! Nim-values: the Grundy value of a heap is the least number that no move leads to (the mex of its options).
//!
//! [`grundy()`] does the right thing; [`Plan::grundy`] is there for whoever wants to look first, to choose an engine, or
//! to stream the values to a sink. The engines, from the definition up:
//!
//! | engine | idea | for |
//! |---|---|---|
//! | [`Engine::Recurrence`] | the definition | an oracle: anybody can check it by eye |
//! | [`Engine::Flags`] | groups of positions, flags for the values around the mex | everything |
//! | [`Engine::Levels`] | level by level, by convolutions (Eppstein 2018) and windows | dense sets |
//! | [`Engine::Residue`] | each value lives in few residues, and a few heaps of it decide the rest | primes and their like |
//! | [`Engine::Sparse`] | blocks of positions, a bit for each value reached | at most 63 elements below n |

mod flags;
mod levels;
mod recurrence;
mod residue;
mod sparse;

use crate::engine::engines_from_table;
use crate::error::Result;
use crate::plan::{Estimate, Plan, Profile};
use crate::run::Control;
use crate::set::SubtractionSet;
use crate::sink::{GrundySink, GrundySkipBelow};
use crate::table::{GrundyTable, GrundyValues};

pub use levels::MAX_N as LEVELS_MAX_N;
pub(crate) use levels::sample_counts;

/// Computes the nim-values of `set` below `n` with the engine that the planner finds best, on the current rayon pool.
///
/// The table takes a byte a position, or two when a value passes 255; time and working memory are the engine's
/// ([`Plan::grundy`] tells both).
///
/// # Errors
/// [`crate::Error::Set`] for a set that breaks its promise, [`crate::Error::Memory`] when the system refuses the
/// memory,
/// [`crate::Error::ValueTooLarge`] when a value passes 65,535.
///
/// ```
/// use nimsieve::set::Squares;
/// let table = nimsieve::grundy(&Squares, 100)?;
/// assert_eq!(table.iter().take(12).collect::<Vec<_>>(), [0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1]); // OEIS A014586
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn grundy(set: &dyn SubtractionSet, n: u64) -> Result<GrundyTable> {
    Plan::grundy(set, n)?.run()
}

/// The engines for nim-values. They differ in speed and memory, never in the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// The definition.
    Recurrence,
    /// Flags of values reached.
    Flags,
    /// One nim-value after the other.
    Levels,
    /// Residue structure.
    Residue,
    /// Sets with few elements.
    Sparse,
}

impl Engine {
    /// Tells whether the engine can go on from a [`State`], for it needs no table of what is below.
    pub fn keeps_state(self) -> bool {
        self == Self::Residue
    }
}

/// What an engine that keeps no table needs to go on behind the positions that it has handed over
/// ([`GrundySink::offer_state`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The positions below this were handed over.
    pub reached: u64,
    /// The engine's lists, in a form of its own; it tells its version there.
    pub bytes: Vec<u8>,
}

/// What the planner and [`Plan`] know of an engine.
struct Entry {
    engine: Engine,
    name: &'static str,
    estimate: fn(&Profile) -> Result<Estimate, String>,
    run: fn(&Job<'_>, &Control, &mut dyn GrundySink) -> Result<()>,
}

/// What an engine is to compute: the nim-values below `n`, given those that are known already.
///
/// An engine starts at a position that suits it, at or below the end of what is known; what it hands over of known
/// positions is cut off behind it.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) set: &'a dyn SubtractionSet,
    pub(crate) n: u64,
    /// What the plan measured of the set and the game.
    pub(crate) profile: &'a Profile,
    pub(crate) known: Option<&'a dyn GrundyValues>,
    /// Where an engine that keeps no table was; there are no known values then.
    pub(crate) state: Option<&'a State>,
}

impl Job<'_> {
    /// Where the unknown positions start.
    fn start(&self) -> u64 {
        let known = self.known.map_or(0, |known| known.end());
        self.state.map_or(known, |state| state.reached)
    }

    /// Hands the known values below `end` to a sink.
    fn feed_known(&self, end: u64, sink: &mut dyn GrundySink) -> Result<()> {
        match self.known {
            Some(known) => known.feed(0..end.min(known.end()), sink),
            None => Ok(()),
        }
    }
}

/// One line an engine.
const ENGINES: &[Entry] = &[
    Entry { engine: Engine::Recurrence, name: "recurrence", estimate: recurrence::estimate, run: recurrence::run },
    Entry { engine: Engine::Flags, name: "flags", estimate: flags::estimate, run: flags::run },
    Entry { engine: Engine::Levels, name: "levels", estimate: levels::estimate, run: levels::run },
    Entry { engine: Engine::Residue, name: "residue", estimate: residue::estimate, run: residue::run },
    Entry { engine: Engine::Sparse, name: "sparse", estimate: sparse::estimate, run: sparse::run },
];

engines_from_table!("grundy", dyn GrundyValues);

impl Engine {
    /// Decides the positions from the end of `job.known` to `job.n` and hands them to the sink.
    pub(crate) fn run(self, job: &Job<'_>, control: &Control, sink: &mut dyn GrundySink) -> Result<()> {
        if job.start() >= job.n {
            return Ok(());
        }
        match job.state {
            // An engine that goes on from its state starts exactly there: nothing is to be cut off.
            Some(_) => (self.entry().run)(job, control, sink),
            None => (self.entry().run)(job, control, &mut GrundySkipBelow::new(job.start(), sink)),
        }
    }
}
