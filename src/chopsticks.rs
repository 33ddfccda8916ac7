//! Generalised (p, r) Chopsticks: p seats, hands of 0 to r - 1 fingers.
//!
//! [`Rules`] say what the game is; a [`Machine`] is the rules compiled to tables over the states of one seat; the
//! engines work on the machine and never look at the rules:
//!
//! - [`reach`](mod@reach): every position that can be reached, level by level, by a plain engine and a bit-parallel one;
//! - [`unreachable`](mod@unreachable): the other positions, without enumerating anything;
//! - [`solve`](mod@solve): who wins, how fast, and with which moves;
//! - [`longest`](mod@longest): the longest game without a repeated position;
//! - [`grid`](mod@grid), [`variants`](mod@variants) and [`graph`](mod@graph): tables and drawings of the above.

pub mod graph;
pub mod grid;
pub mod longest;
pub mod moves;
pub mod position;
pub mod reach;
pub mod rules;
pub mod solve;
pub mod unreachable;
pub mod variants;

pub use graph::Graph;
pub use longest::{Longest, longest};
pub use moves::{Machine, Move, State, Turn, Weapon};
pub use position::Index;
pub use reach::{Engine, Reach, reach};
pub use rules::{
    Divisions, Integers, Marks, Meta, Overflow, Rules, SelfAddition, Splits, Start, Stumps, SuddenDeath, Swaps,
    Transfers, Winner,
};
pub use solve::{Choice, Coalition, Line, Solution, Tally, Value, coalition, solve};
pub use unreachable::{Unreachable, unreachable};
