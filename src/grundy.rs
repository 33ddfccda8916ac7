//! Nim-values: the Grundy value of a heap is the least number that no move leads to (the mex of its options).
//!
//! [`grundy()`] does the right thing; [`Plan::grundy`] is there for whoever wants to look first, to choose an engine, or
//! to stream the values to a sink. The engines, from the definition up:
//!
//! | engine | idea | for |
//! |---|---|---|
//! | [`Engine::Recurrence`] | the definition | an oracle: anybody can check it by eye |
//! | [`Engine::Flags`] | blocks of positions, a byte flag for each value reached | everything |

mod flags;
mod recurrence;

use crate::engine::engines_from_table;
use crate::error::Result;
use crate::plan::{Estimate, Plan, Profile};
use crate::run::Control;
use crate::set::SubtractionSet;
use crate::sink::GrundySink;
use crate::table::GrundyTable;

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
    /// Byte flags.
    Flags,
}

/// What the planner and [`Plan`] know of an engine.
struct Entry {
    engine: Engine,
    name: &'static str,
    estimate: fn(&Profile) -> Result<Estimate, String>,
    run: fn(&dyn SubtractionSet, u64, &Control, &mut dyn GrundySink) -> Result<()>,
}

/// One line an engine.
const ENGINES: &[Entry] = &[
    Entry { engine: Engine::Recurrence, name: "recurrence", estimate: recurrence::estimate, run: recurrence::run },
    Entry { engine: Engine::Flags, name: "flags", estimate: flags::estimate, run: flags::run },
];

engines_from_table!("grundy");

impl Engine {
    pub(crate) fn run(
        self,
        set: &dyn SubtractionSet,
        n: u64,
        control: &Control,
        sink: &mut dyn GrundySink,
    ) -> Result<()> {
        (self.entry().run)(set, n, control, sink)
    }
}
