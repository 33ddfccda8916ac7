//! What both kinds of engines have in common: a table with one line an engine, from which everything else follows.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::plan::{Estimate, Profile};

/// An engine as a plan sees it.
pub(crate) trait Planned: Copy + PartialEq + fmt::Display + FromStr<Err = Error> + 'static {
    /// What such a job can continue from.
    type Known<'a>: Copy;
    /// Every engine of the kind, the oracle first.
    fn engines() -> impl Iterator<Item = Self>;
    /// The name, as after `--engine`.
    fn label(self) -> &'static str;
    /// What the engine would take for the job that was profiled, or why it declines.
    fn weigh(self, profile: &Profile) -> Result<Estimate, String>;
}

/// Gives the `Engine` of a module its names, its parser and its place in plans, from the module's table `ENGINES` of
/// `Entry { engine, name, estimate, .. }`.
macro_rules! engines_from_table {
    ($kind:literal, $known:ty) => {
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
        }

        impl $crate::engine::Planned for Engine {
            type Known<'a> = &'a $known;
            fn engines() -> impl Iterator<Item = Self> {
                Self::all()
            }
            fn label(self) -> &'static str {
                self.name()
            }
            fn weigh(self, profile: &Profile) -> Result<Estimate, String> {
                (self.entry().estimate)(profile)
            }
        }

        impl std::fmt::Display for Engine {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for Engine {
            type Err = $crate::Error;

            fn from_str(name: &str) -> Result<Self> {
                Self::all().find(|engine| engine.name() == name).ok_or_else(|| $crate::Error::UnknownEngine {
                    kind: $kind,
                    name: name.into(),
                    known: Self::all().map(Self::name).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}
pub(crate) use engines_from_table;
