//! Word kernels: what the engines do millions of times, on raw 64-bit words.
//!
//! Each kernel is written once over words in safe, portable Rust; where a CPU can do better there is a thin wrapper for
//! it beside the portable body, and [`Cpu`] picks one at run time. This folder is the only place with `unsafe`, and each
//! use stands with its reason. All variants give the same bits; the tests run every one that the machine has.

mod bits;
mod cpu;
mod huge;
mod kill;
mod mex;
pub mod ntt;
pub mod one_hot;
mod union;
mod windows;

pub use bits::PaddedBits;
pub use cpu::Cpu;
pub use huge::{reserve_in_large_pages, zeros_in_large_pages};
pub use kill::{KILL_WORDS, take_windows};
pub use mex::{NimValue, Options, WINDOW, advance, mark, mark_one};
pub use union::{MAX_BYTES, or_union, word_at};
pub use windows::{STRIP, STRIP_WORDS, Shifts, or_windows};
