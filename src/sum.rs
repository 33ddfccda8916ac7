//! Sums of heaps: a move takes from one heap, and whoever cannot move anywhere loses (or, in misere play, wins).
//!
//! Normal play (Sprague 1935, Grundy 1939): a sum is cold if and only if the nim-sum (exclusive or) of the nim-values of
//! its heaps is 0.
//!
//! Misere play: subtraction games are *tame* (T. S. Ferguson, On sums of graph games with last player losing, Int. J.
//! Game Theory 3, 1974): a sum is cold exactly when the nim-values, taken as heaps, are cold in misere Nim. That is, when
//! some nim-value is at least 2, if and only if the nim-sum is 0; when all are 0 or 1, if and only if it is 1.

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
