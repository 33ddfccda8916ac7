//! Sums of heaps: a move takes from one heap, and whoever cannot move anywhere loses (or, in misere play, wins).
//!
//! Normal play (Sprague 1935, Grundy 1939): a sum is cold if and only if the nim-sum (exclusive or) of the nim-values of
//! its heaps is 0.
//!
//! Misere play: subtraction games are *tame* (T. S. Ferguson, On sums of graph games with last player losing, Int. J.
//! Game Theory 3, 1974): a sum is cold exactly when the nim-values, taken as heaps, are cold in misere Nim. That is, when
//! some nim-value is at least 2, if and only if the nim-sum is 0; when all are 0 or 1, if and only if it is 1. The heaps
//! may be of different sets.
//!
//! # Why
//! *Lemma.* Let k be the least element of a heap's set and g its nim-values. (a) If g(x) = 0 then g(x + k) = 1. (b) If
//! g(x) = 1 then x >= k and g(x - k) = 0. By induction on the larger heap. (a) x + k has the option x of nim-value 0. If it
//! had an option x + k - s of nim-value 1, then by (b) g(x - s) = 0, though x - s is an option of x, whose nim-value is 0.
//! (b) x has an option of nim-value 0, so x >= k. If x - k had an option x - k - s of nim-value 0, then by (a) g(x - s) = 1,
//! though x - s is an option of x, whose nim-value is 1. So x - k has no such option: g(x - k) = 0.
//!
//! *Corollary.* A heap x >= k of nim-value 0 has an option of nim-value 1: x - k, an option of x, is hot, so some x - k - s
//! has nim-value 0, and x - s has nim-value 1 by (a).
//!
//! *Theorem.* Call a sum lost if it is cold by the rule above, else won. Every move from a lost sum leads to a won one: it
//! changes the nim-value of one heap, v say. Is some value at least 2 and the nim-sum 0, then two values are at least 2;
//! one stays, and the nim-sum is not 0 any more. Are all 0 or 1 and the nim-sum 1, then either v becomes its opposite, and
//! the nim-sum 0, or it becomes the only value of at least 2, and the nim-sum is not 0. And from a won sum, unless no move
//! is left, which wins, some move leads to a lost one. Is some value at least 2 and the nim-sum not 0: if two are, the move
//! of normal play that makes the nim-sum 0 leaves one; if one is, its heap has options of nim-values 0 and 1, and one of
//! them makes the nim-sum 1. Are all 0 or 1 and the nim-sum 0: if some value is 1, its heap has an option of nim-value 0; if
//! none is, a heap from which a move exists has an option of nim-value 1 by the corollary. Either makes the nim-sum 1.

mod count;

pub use count::{SumCount, count_sums};

use crate::error::Result;
use crate::set::SubtractionSet;
use crate::table::GrundyTable;

/// Who wins when the last move is made: whoever made it, or the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Play {
    /// Whoever cannot move loses.
    #[default]
    Normal,
    /// Whoever cannot move wins.
    Misere,
}

/// One heap of a sum: its set, that set's nim-values, and its size.
#[derive(Debug, Clone, Copy)]
pub struct Heap<'a, S: SubtractionSet> {
    /// What may be taken from it.
    pub set: &'a S,
    /// The nim-values of the set, at least up to the heap's size.
    pub table: &'a GrundyTable,
    /// How many tokens it has.
    pub size: u64,
}

/// A move in a sum of heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// Which heap, counted from 0.
    pub heap: usize,
    /// How much is taken from it.
    pub take: u64,
}

/// What decides a sum: the nim-sum, and how many nim-values are above 1.
#[derive(Debug, Clone, Copy, Default)]
struct Standing {
    nim_sum: u16,
    above_one: usize,
}

impl Standing {
    /// With one more heap of this nim-value.
    fn with(self, value: u16) -> Self {
        Self { nim_sum: self.nim_sum ^ value, above_one: self.above_one + usize::from(value > 1) }
    }

    /// Without a heap of this nim-value, which must be among those counted.
    fn without(self, value: u16) -> Self {
        Self { nim_sum: self.nim_sum ^ value, above_one: self.above_one - usize::from(value > 1) }
    }

    fn is_cold(self, play: Play) -> bool {
        match play {
            Play::Misere if self.above_one == 0 => self.nim_sum == 1,
            _ => self.nim_sum == 0,
        }
    }
}

/// Tells from the nim-values of the heaps whether their sum is cold.
pub fn is_cold(values: impl IntoIterator<Item = u16>, play: Play) -> bool {
    values.into_iter().fold(Standing::default(), Standing::with).is_cold(play)
}

/// The moves that win from a sum of heaps, by heap and amount; none when the sum is cold.
///
/// O(moves) time: a move changes one heap, and the others are known by their nim-sum and the number of their values
/// above 1.
///
/// # Errors
/// [`crate::Error::BeyondTable`] when a heap is not in its table.
///
/// ```
/// use nimsieve::set::Squares;
/// use nimsieve::sum::{Heap, Move, Play, winning_moves};
/// let table = nimsieve::grundy(&Squares, 100)?;
/// let heap = |size| Heap { set: &Squares, table: &table, size };
/// assert_eq!(winning_moves(&[heap(13)], Play::Normal)?, [Move { heap: 0, take: 1 }]);
/// // 2 and 5 are cold, and so is their sum.
/// assert!(winning_moves(&[heap(2), heap(5)], Play::Normal)?.is_empty());
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn winning_moves<S: SubtractionSet>(heaps: &[Heap<'_, S>], play: Play) -> Result<Vec<Move>> {
    let values = heaps.iter().map(|heap| heap.table.value(heap.size)).collect::<Result<Vec<u16>>>()?;
    let all = values.iter().copied().fold(Standing::default(), Standing::with);
    let mut moves = Vec::new();
    for (index, (heap, &value)) in heaps.iter().zip(&values).enumerate() {
        let others = all.without(value);
        for take in heap.set.elements().take_while(|&s| s <= heap.size) {
            if others.with(heap.table.value(heap.size - take)?).is_cold(play) {
                moves.push(Move { heap: index, take });
            }
        }
    }
    Ok(moves)
}
