#![doc = include_str!("../README.md")]
#![doc = include_str!("theory.md")]
#![warn(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

pub mod census;
pub mod chopsticks;
pub mod claims;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod closed_form;
pub mod cold;
pub mod convolve;
mod engine;
pub mod error;
#[cfg(feature = "export")]
pub mod export;
pub mod grundy;
pub mod kernel;
pub mod number;
pub mod oeis;
pub mod period;
pub mod plan;
pub mod play;
#[cfg(feature = "plot")]
pub mod plot;
pub mod remoteness;
mod residue;
pub mod run;
pub mod set;
pub mod sink;
pub mod study;
pub mod sum;
pub mod table;

pub use cold::cold;
pub use error::{Error, Result};
pub use grundy::grundy;
pub use plan::Plan;
pub use table::{ColdTable, GrundyTable};
