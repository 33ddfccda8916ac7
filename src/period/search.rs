//! The search for a recurrence: Brent's algorithm on windows, with the windows compared by Knuth, Morris and Pratt.
//!
//! A sequence in which every window of `order` values determines the next value runs, from some position on, through the
//! same values again and again; it is periodic from the position r on if and only if the window at r comes again, and
//! then the distance to its next occurrence is the least period. So a window is remembered and looked for in what
//! follows, and when twice as much has been seen without it, a later one is taken (R. P. Brent, An improved Monte Carlo
//! factorization algorithm, BIT 20 (1980) 176-184). To look for a window is to look for a word in a text, and takes
//! constant time a value (Knuth, Morris, Pratt, Fast pattern matching in strings, SIAM J. Comput. 6 (1977) 323-350).
//!
//! The preperiod is found by two readers of the sequence, one a period ahead of the other: it starts behind the last
//! difference.
//!
//! T = O(preperiod + period + order) values; M = O(order) words, whatever the period.

use super::Watch;
use crate::error::{Error, Result};

/// A sequence that is made in order.
pub(super) trait Values {
    /// A value, in whatever form is compared fastest.
    type Value: Copy + Eq;
    /// How many values in a row determine all that follow.
    fn order(&self) -> usize;
    /// The next `len` values; more may be made, and wait.
    fn next(&mut self, len: usize) -> &[Self::Value];
}

/// Values asked for at once: at first few, for most periods are short.
const FIRST: usize = 256;
/// The most values asked for at once, unless a window is longer.
const MOST: usize = 1 << 14;

/// Calls `visit` with the values in order, and the position of the first of each piece, below `end`.
pub(super) fn stream<V: Values>(
    values: &mut V,
    end: u64,
    watch: Watch<'_>,
    mut visit: impl FnMut(u64, &[V::Value]) -> Result<bool>,
) -> Result<()> {
    let (mut x, mut len) = (0, FIRST);
    let most = MOST.max(values.order());
    while x < end {
        let wanted = (end - x).min(len as u64) as usize;
        if !visit(x, values.next(wanted))? {
            break;
        }
        x += wanted as u64;
        len = (2 * len).min(most);
        watch.reached(x)?;
    }
    Ok(())
}

/// What a search came to.
pub(super) enum Recurrence {
    /// The window at `from` comes again for the first time `period` later.
    Found { from: u64, period: u64 },
    /// The window at `from`, the last that was looked for, does not come again below the bound.
    NotFound { from: u64 },
}

/// Looks for a window that comes again, among the values below `bound`.
pub(super) fn recurrence<V: Values>(values: &mut V, bound: u64, watch: Watch<'_>) -> Result<Recurrence> {
    let order = values.order();
    let mut window = Window { from: 0, values: Vec::new(), failure: Vec::new(), matched: 0, order };
    let mut found = None;
    stream(values, bound, watch, |start, piece| {
        for (x, &value) in (start..).zip(piece) {
            if let Some(period) = window.push(x, value)? {
                found = Some(period);
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    Ok(match found {
        Some(period) => Recurrence::Found { from: window.from, period },
        None => Recurrence::NotFound { from: window.from },
    })
}

/// A window that is remembered, and how much of it the last values match.
struct Window<T> {
    /// Where it starts.
    from: u64,
    values: Vec<T>,
    /// For each of its beginnings, the length of the longest shorter one that it also ends with.
    failure: Vec<usize>,
    /// How much of the window the values before now end with.
    matched: usize,
    order: usize,
}

impl<T: Copy + Eq> Window<T> {
    /// Takes the value at `x`, and returns the distance to the window when it ends here again.
    #[inline]
    fn push(&mut self, x: u64, value: T) -> Result<Option<u64>> {
        if self.values.len() < self.order {
            self.remember(value)?;
            return Ok(None);
        }
        self.matched = extend(&self.values, &self.failure, self.matched, value);
        if self.matched == self.order {
            return Ok(Some(x + 1 - self.order as u64 - self.from));
        }
        // Four windows at least, so that what is remembered does not change all the time.
        if x - self.from > self.from + 4 * self.order as u64 {
            self.from = x + 1;
            self.values.clear();
            self.failure.clear();
        }
        Ok(None)
    }

    /// Adds a value to the window.
    fn remember(&mut self, value: T) -> Result<()> {
        if self.values.len() == self.values.capacity() {
            let grown = self.values.len().max(64);
            let needed = (self.values.len() + grown) as u64 * (size_of::<T>() + size_of::<usize>()) as u64;
            let refusal = |_| Error::Memory { what: "a window of values as long as the largest element", needed };
            self.values.try_reserve_exact(grown).map_err(refusal)?;
            self.failure.try_reserve_exact(grown).map_err(refusal)?;
        }
        let matched = match self.values.len() {
            0 => 0,
            _ => extend(&self.values, &self.failure, self.failure[self.values.len() - 1], value),
        };
        self.values.push(value);
        self.failure.push(matched);
        self.matched = matched;
        Ok(())
    }
}

/// How much of the pattern the text ends with, when it ended with `matched`, less than all, before `value`.
#[inline]
fn extend<T: Copy + Eq>(pattern: &[T], failure: &[usize], mut matched: usize, value: T) -> usize {
    while matched > 0 && pattern[matched] != value {
        matched = failure[matched - 1];
    }
    if pattern[matched] == value { matched + 1 } else { 0 }
}

/// The least position from which the sequence has the period, given that it has it from `from` on.
pub(super) fn preperiod<V: Values>(
    make: impl Fn() -> Result<V>,
    from: u64,
    period: u64,
    watch: Watch<'_>,
) -> Result<u64> {
    if from == 0 {
        return Ok(0);
    }
    let (mut here, mut ahead) = (make()?, make()?);
    stream(&mut ahead, period, watch, |_, _| Ok(true))?;
    let mut preperiod = 0;
    stream(&mut here, from, watch, |start, piece| {
        let later = ahead.next(piece.len());
        if let Some(last) = piece.iter().zip(later).rposition(|(a, b)| a != b) {
            preperiod = start + last as u64 + 1;
        }
        Ok(true)
    })?;
    Ok(preperiod)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Control;

    /// The rho-shaped sequence 0, 1, ..., tail + period - 1, tail, ...; of order 1.
    struct Rho {
        tail: u64,
        period: u64,
        x: u64,
        made: Vec<u64>,
    }

    impl Values for Rho {
        type Value = u64;
        fn order(&self) -> usize {
            1
        }
        fn next(&mut self, len: usize) -> &[u64] {
            let fold = |x: u64| if x < self.tail { x } else { self.tail + (x - self.tail) % self.period };
            self.made = (self.x..self.x + len as u64).map(fold).collect();
            self.x += len as u64;
            &self.made
        }
    }

    #[test]
    fn every_small_rho_is_measured() {
        let control = Control::new();
        for tail in 0..40 {
            for period in 1..40 {
                let make = || Ok(Rho { tail, period, x: 0, made: Vec::new() });
                let Recurrence::Found { from, period: found } =
                    recurrence(&mut make().unwrap(), 1000, Watch::hidden(&control)).unwrap()
                else {
                    panic!("{tail} {period}");
                };
                assert_eq!((found, preperiod(make, from, period, Watch::hidden(&control)).unwrap()), (period, tail));
            }
        }
    }

    #[test]
    fn a_bound_that_is_too_low_is_an_answer() {
        let mut values = Rho { tail: 1000, period: 7, x: 0, made: Vec::new() };
        let recurrence = recurrence(&mut values, 900, Watch::hidden(&Control::new())).unwrap();
        assert!(matches!(recurrence, Recurrence::NotFound { from } if from < 900));
    }
}
