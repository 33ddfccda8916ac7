//! Remoteness: how long the game lasts when the winner hurries and the loser delays (Steinhaus; C. A. B. Smith, Graphs
//! and composite games, J. Combin. Theory 1, 1966; OEIS A338027 for the squares).
//!
//! The remoteness of a heap from which no move exists is 0. From a cold heap every move loses, and the longest is chosen:
//! one more than the largest remoteness one move away. From a hot heap a winning move is chosen, the shortest: one more
//! than the smallest remoteness among the cold heaps one move away. In misere play the heaps without a move are won, and
//! the rest is the same. So the parity tells who wins: in normal play the cold heaps are those of even remoteness, in
//! misere play those of odd remoteness.
//!
//! Every cold heap hands its remoteness, plus one, to the heaps one move above it, which keep the least that they are
//! handed; a heap that nothing was handed to is cold. All options are looked at from cold heaps only. So the cost is
//! that of a sieve: T(n) = O(cold heaps below n times |S below n|), far less than the n |S below n| of the definition;
//! M(n) = 4 bytes a heap. When a heap has very many moves, they are shared among the threads.

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::plan::{Estimate, Profile};
use crate::run::{Control, try_vec};
use crate::set::{SubtractionSet, elements_below, least};
use crate::sum::Play;

/// What stands for a remoteness that is not known.
const UNKNOWN: u32 = u32::MAX;
/// Moves that one thread makes at a time: some microseconds of work.
const GRAIN: usize = 1 << 14;
/// Heaps between two looks at the control.
const BLOCK: usize = 1 << 12;

/// The remoteness of the heaps below n.
///
/// ```
/// use nimsieve::remoteness::remoteness;
/// use nimsieve::run::Control;
/// use nimsieve::set::Squares;
/// use nimsieve::sum::Play;
///
/// let table = remoteness(&Squares, 100, Play::Normal, &Control::new())?;
/// assert_eq!(&table.lengths()[..10], [0, 1, 2, 3, 1, 2, 3, 4, 5, 1]); // OEIS A338027
/// assert_eq!(table.line(&Squares, 8)?, [8, 7, 6, 5, 4, 0]);
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remoteness {
    play: Play,
    lengths: Vec<u32>,
}

/// Computes the remoteness of the heaps below `n`.
///
/// O(cold heaps times |S below n|) time, 4 n bytes and the list of the elements.
///
/// # Errors
/// [`Error::Set`] for a set that breaks its promise, [`Error::Number`] when a game may last 2^32 - 1 moves,
/// [`Error::Memory`], [`Error::Stopped`].
pub fn remoteness(set: &dyn SubtractionSet, n: u64, play: Play, control: &Control) -> Result<Remoteness> {
    let least = least(set)?;
    if n / least >= u64::from(UNKNOWN) {
        return Err(Error::Number(format!(
            "games from heaps below {n} may last 2^32 - 1 moves or more; ask for less than {}",
            u128::from(UNKNOWN) * u128::from(least)
        )));
    }
    let elements = elements_below(set, n, control)?;
    let mut lengths = try_vec("the table of remoteness", n, UNKNOWN)?;
    for x in 0..lengths.len() {
        if x.is_multiple_of(BLOCK) {
            control.advance(x as u64)?;
        }
        if (x as u64) < least {
            lengths[x] = 0;
            if play == Play::Misere {
                continue;
            }
        } else if lengths[x] != UNKNOWN {
            continue;
        } else {
            let moves = elements.partition_point(|&s| s <= x as u64);
            lengths[x] = 1 + longest(&lengths[..x], &elements[..moves]);
        }
        let (below, above) = lengths.split_at_mut(x + 1);
        let moves = elements.partition_point(|&s| s <= above.len() as u64);
        hand_on(above, 1, &elements[..moves], below[x] + 1);
    }
    Ok(Remoteness { play, lengths })
}

/// What [`remoteness()`] would take, on one thread.
///
/// # Errors
/// [`Error::Set`] for a set that breaks its promise.
pub fn estimate(set: &dyn SubtractionSet, n: u64) -> Result<Estimate> {
    let profile = Profile::measure(set, n)?;
    let operations = 2.0 * profile.pairs();
    Ok(Estimate {
        operations,
        seconds: 1e-9 * operations + 2e-9 * n as f64,
        memory: (4.0 * n as f64 + 8.0 * profile.elements) as u64,
        method: "all moves from cold heaps, and those to them".into(),
        stages: Vec::new(),
        may_give_up: false,
    })
}

/// The largest remoteness that a move leads to; the moves are made from the end of `below`.
fn longest(below: &[u32], moves: &[u64]) -> u32 {
    let of = |moves: &[u64]| moves.iter().map(|&s| below[below.len() - s as usize]).max().unwrap_or(0);
    if moves.len() < 2 * GRAIN { of(moves) } else { moves.par_chunks(GRAIN).map(of).max().unwrap_or(0) }
}

/// Lowers to `length` what heaps keep; the heap `first + i` moves above the cold one has its place at `heaps[i]`.
fn hand_on(heaps: &mut [u32], first: u64, moves: &[u64], length: u32) {
    if moves.len() < 2 * GRAIN {
        for &s in moves {
            let heap = &mut heaps[(s - first) as usize];
            *heap = length.min(*heap);
        }
        return;
    }
    let (low, high) = moves.split_at(moves.len() / 2);
    let (near, far) = heaps.split_at_mut((high[0] - first) as usize);
    rayon::join(|| hand_on(near, first, low, length), || hand_on(far, high[0], high, length));
}

impl Remoteness {
    /// The remoteness of each heap.
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// The remoteness of a heap.
    ///
    /// # Errors
    /// [`Error::BeyondTable`].
    pub fn of(&self, heap: u64) -> Result<u32> {
        let beyond = Error::BeyondTable { heap, end: self.lengths.len() as u64 };
        usize::try_from(heap).ok().and_then(|heap| self.lengths.get(heap)).copied().ok_or(beyond)
    }

    /// Tells whether the player to move loses.
    ///
    /// # Errors
    /// [`Error::BeyondTable`].
    pub fn is_cold(&self, heap: u64) -> Result<bool> {
        let even = self.of(heap)?.is_multiple_of(2);
        Ok(even == (self.play == Play::Normal))
    }

    /// The largest remoteness and the first heap that has it.
    pub fn max(&self) -> Option<(u32, u64)> {
        let max = *self.lengths.iter().max()?;
        let at = self.lengths.iter().position(|&length| length == max)?;
        Some((max, at as u64))
    }

    /// The heaps of a game in which the winner hurries and the loser delays, from `heap` to the end; of equally good moves
    /// the one that takes least is made. `set` is the one that the table was made for.
    ///
    /// O(length of the game times |S below heap|) time.
    ///
    /// # Errors
    /// [`Error::BeyondTable`].
    pub fn line(&self, set: &dyn SubtractionSet, heap: u64) -> Result<Vec<u64>> {
        let mut line = vec![heap];
        let mut at = heap;
        for left in (0..self.of(heap)?).rev() {
            // The length tells the move: no losing move is longer, and a winning one that is shorter does not exist.
            let cold = !self.is_cold(at)?;
            let mut next = None;
            for take in set.elements().take_while(|&s| s <= at) {
                if self.of(at - take)? == left && self.is_cold(at - take)? == cold {
                    next = Some(at - take);
                    break;
                }
            }
            let Some(next) = next else { break };
            line.push(next);
            at = next;
        }
        Ok(line)
    }
}
