#![doc = "nimsieve"]
pub mod error;
pub mod number;
pub mod run;
pub mod set;
pub mod sink;

pub use error::{Error, Result};
