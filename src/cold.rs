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

mod divide;
mod recurrence;
mod sieve;
mod strips;
pub mod wheel;

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::plan::{Estimate, Plan, Profile};
use crate::run::Control;
use crate::set::SubtractionSet;
use crate::sink::ColdSink;
use crate::table::ColdTable;

pub use divide::MAX_N as DIVIDE_MAX_N;
pub(crate) use sieve::sample;

/// Computes the cold positions of `set` below `n` with the engine that the planner finds best, on the current rayon pool.
///
/// The table takes n / 8 bytes; time and working memory are the engine's ([`Plan::cold`] tells both).
///
/// # Errors
/// [`Error::Set`] for a set that breaks its promise, [`Error::Memory`] when the system refuses the memory.
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
}

/// What the planner and [`Plan`] know of an engine.
struct Entry {
    engine: Engine,
    name: &'static str,
    estimate: fn(&Profile) -> Result<Estimate, String>,
    run: fn(&dyn SubtractionSet, u64, &Control, &mut dyn ColdSink) -> Result<()>,
}

/// One line an engine.
const ENGINES: &[Entry] = &[
    Entry { engine: Engine::Recurrence, name: "recurrence", estimate: recurrence::estimate, run: recurrence::run },
    Entry { engine: Engine::Sieve, name: "sieve", estimate: sieve::estimate, run: sieve::run },
    Entry { engine: Engine::Divide, name: "divide", estimate: divide::estimate, run: divide::run },
    Entry { engine: Engine::Wheel, name: "wheel", estimate: wheel::estimate, run: wheel::run },
];

impl Engine {
    /// Every engine, the oracle first.
    pub fn all() -> impl Iterator<Item = Self> {
        ENGINES.iter().map(|entry| entry.engine)
    }

    fn entry(self) -> &'static Entry {
        ENGINES.iter().find(|entry| entry.engine == self).expect("every engine has its line in the table")
    }

    /// The name, as after `--engine`.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// What the engine would take for the job that was profiled, or why it declines.
    pub(crate) fn estimate(self, profile: &Profile) -> Result<Estimate, String> {
        (self.entry().estimate)(profile)
    }

    pub(crate) fn run(
        self,
        set: &dyn SubtractionSet,
        n: u64,
        control: &Control,
        sink: &mut dyn ColdSink,
    ) -> Result<()> {
        (self.entry().run)(set, n, control, sink)
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::all().find(|engine| engine.name() == name).ok_or_else(|| Error::UnknownEngine {
            kind: "cold",
            name: name.into(),
            known: Self::all().map(Self::name).collect::<Vec<_>>().join(", "),
        })
    }
}
