//! Studies: what number theorists measure of a game, from its cold positions or its nim-values.
//!
//! A study of cold positions reads [`ColdPositions`](crate::table::ColdPositions) and nothing else, so that it does not
//! matter whether they are in memory or in a table file; it passes over them once, increasing, unless it says otherwise.
//! A study returns plain data; what is printed, drawn or written of it is decided elsewhere.
//!
//! | module | question |
//! |---|---|
//! | [`density`] | how many are there, and which power of n is that? |
//! | [`residues`] | which residue classes do they like, and which do they leave? |
//! | [`digits`] | which digits do they have? |
//! | [`gaps`] | how far apart are they? |
//! | [`moves`] | how many moves win from a hot position? |
//! | [`nim`] | how does the largest nim-value grow? |
//! | [`difference_free`] | is a set free of differences in another, and could it be larger? |

pub mod density;
pub mod difference_free;
pub mod digits;
pub mod fit;
pub mod gaps;
pub mod moves;
pub mod nim;
pub mod published;
pub mod residues;
