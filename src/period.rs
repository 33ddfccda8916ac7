//! Certified periods: from where on, and after how many positions, outcomes and nim-values repeat.
//!
//! # Finite sets
//! Let m be the largest element. From position m on, the value of x, be it the outcome or the nim-value, is computed in
//! the same way from the m values before it, so two equal windows of m values are followed by equal values for ever:
//!
//! > If g(y + p) = g(y) for the m positions y = a, ..., a + m - 1, then for all y >= a.
//!
//! There are finitely many windows, so a period always exists (Golomb 1966), though nothing useful bounds it.
//!
//! # All-but sets
//! Let E be the numbers left out and e the largest. Let R(x) be the set of the nim-values of the positions y < x - e; all
//! these are options of x. R(x) = {0, ..., a(x) - 1} for some a(x): let a(x) be the least number that is not in R(x). A
//! position y < x - e has another nim-value than a(x), and not a larger one, for then it would have an option, which is
//! below x - e too, with nim-value a(x). So R(x) is known by a(x) alone, the e values before x do the rest, and what
//! matters of them is how far they are above a(x).
//!
//! a(x) can be read off: g(y) is not in R(y), so g(y) >= a(y) for every y. With y = x - e - 1 this says that the largest
//! member of R(x), which is a(x) - 1, is attained among the e + 1 positions from x - 2e - 1 to x - e - 1: if not there,
//! then below x - 2e - 1, and it is less than a(x - e - 1) <= g(x - e - 1). Therefore 2e + 1 values in a row, up to a
//! constant added to all, determine all that follow, up to the same constant:
//!
//! > If g(y + p) = g(y) + t for the 2e + 1 positions y = a, ..., a + 2e, then for all y >= a.
//!
//! The nim-values are *arithmetic periodic* with saltus t. (That they are at last is Theorem IV.2.7 in A. N. Siegel,
//! Combinatorial Game Theory, 2013; the window is what a program needs beyond it.) The search runs on the 2e differences
//! of neighbours. Outcomes are simple: a heap above e can be taken whole, so it is hot; and e + 1 outcomes in a row come
//! again only if all are hot, for a cold one would come again above the last cold heap, which is among them.
//!
//! # Least
//! If p and q are periods from some positions on, then so is their greatest common divisor. Hence p is the least period if
//! and only if p / q is none for each prime q that divides p, and one window tells. The preperiod a is the least if and
//! only if a = 0 or the agreement fails at a - 1. [`Certificate::check`] computes the values from nothing, compares these
//! windows and nothing else.
//!
//! # Infinite sets
//! No window proves anything there. The nim-values of the factorials look 25-periodic up to 5,049, far beyond any
//! window; the one of 5,050 is the first 4.
//!
//! How a period is found is told in `period/search.rs`: T = O((preperiod + period + m) |S|), M = O(m).

mod certificate;
mod search;
mod values;

use std::fmt;
use std::str::FromStr;

pub use certificate::{Certificate, Flaw};

use crate::error::{Error, Result};
use crate::run::Control;
use crate::set::{Form, SubtractionSet, finite};
use search::{Recurrence, Values, preperiod, recurrence, stream};
use values::{Task, with_all_but, with_finite};

/// Which sequence of a game repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Cold or hot.
    Outcome,
    /// The nim-value.
    Nim,
}

impl Kind {
    /// Both, outcomes first.
    pub const BOTH: [Self; 2] = [Self::Outcome, Self::Nim];

    /// `outcome` or `nim`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Outcome => "outcome",
            Self::Nim => "nim",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::BOTH
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| Error::Format(format!("`{name}` is no kind of period; expected outcome or nim")))
    }
}

/// A set whose periods can be proved, and its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// The elements, increasing.
    Finite(Vec<u64>),
    /// The numbers left out, increasing.
    AllBut(Vec<u64>),
}

impl Shape {
    /// Looks at a set.
    ///
    /// # Errors
    /// [`Error::Set`] when it is infinite and not an all-but set.
    ///
    /// ```
    /// use nimsieve::period::Shape;
    /// use nimsieve::set::{NamedSet, Squares};
    /// assert!(Shape::of(&"1,2,5".parse::<NamedSet>()?).is_ok());
    /// assert!(Shape::of(&Squares).is_err());
    /// # Ok::<(), nimsieve::Error>(())
    /// ```
    pub fn of(set: &dyn SubtractionSet) -> Result<Self> {
        match set.form() {
            Form::Finite(elements) => Ok(Self::Finite(elements.to_vec())),
            Form::AllBut(excluded) => Ok(Self::AllBut(excluded.to_vec())),
            Form::Polynomial(_) | Form::Other => Err(Error::Set(format!(
                "{} is infinite, and however long its values repeat, that proves no period: those of the factorials look \
                 25-periodic up to 5,049 and then are not; expected a finite set, as in 1,4,9, or one like allbut:2,3,7",
                set.name()
            ))),
        }
    }

    /// The set as the grammar writes it, without the name of a file.
    pub fn name(&self) -> String {
        match self {
            Self::Finite(elements) => finite::join(elements),
            Self::AllBut(excluded) => format!("allbut:{}", finite::join(excluded)),
        }
    }

    /// The largest number of the list.
    pub fn largest(&self) -> u64 {
        let (Self::Finite(numbers) | Self::AllBut(numbers)) = self;
        numbers.last().copied().unwrap_or(0)
    }

    /// Values in a row whose recurrence proves a period.
    pub fn window(&self, kind: Kind) -> u64 {
        match (self, kind) {
            (Self::AllBut(_), Kind::Nim) => self.largest().saturating_mul(2).saturating_add(1),
            (Self::AllBut(_), Kind::Outcome) => self.largest().saturating_add(1),
            (Self::Finite(_), _) => self.largest(),
        }
    }

    fn run<T: Task>(&self, kind: Kind, task: T) -> Result<T::Output> {
        match self {
            Self::Finite(elements) => with_finite(elements, kind, task),
            Self::AllBut(excluded) => with_all_but(excluded, kind, task),
        }
    }

    /// Whether the sequence that is computed is that of the differences of the values.
    fn by_differences(&self, kind: Kind) -> bool {
        matches!((self, kind), (Self::AllBut(_), Kind::Nim))
    }

    /// Bytes that a search takes, about.
    pub fn memory(&self) -> u64 {
        // Three windows of values, one of lengths; a value takes up to 8 bytes.
        self.largest().saturating_mul(48)
    }
}

/// The control of a search, and whether it is to show how far the search is.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'a> {
    control: &'a Control,
    shows: bool,
}

impl<'a> Watch<'a> {
    /// Looks at the stop flag only: for what is one part of many.
    pub(crate) fn hidden(control: &'a Control) -> Self {
        Self { control, shows: false }
    }

    /// Tells that the values below `x` are there.
    fn reached(self, x: u64) -> Result<()> {
        if self.shows { self.control.advance(x) } else { self.control.check() }
    }
}

/// What a search for a period came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// There it is.
    Period(Certificate),
    /// None shows below the bound.
    NotFound {
        /// The values below this were looked at.
        bound: u64,
        /// The window from here on does not come again below the bound: either the preperiod is larger than this, or the
        /// period is not below `bound` - `from` - the length of a window.
        from: u64,
    },
}

impl Answer {
    /// The certificate, if there is one.
    pub fn certificate(&self) -> Option<&Certificate> {
        match self {
            Self::Period(certificate) => Some(certificate),
            Self::NotFound { .. } => None,
        }
    }
}

/// Finds the least preperiod and the least period of the outcomes or the nim-values of a set, looking at the values below
/// `bound`.
///
/// O(bound |S|) time at most, and O(preperiod + period) values in any case; memory for a few windows.
///
/// # Errors
/// [`Error::Set`] for a set whose period cannot be proved, [`Error::Memory`] when a window does not fit,
/// [`Error::Stopped`].
///
/// ```
/// use nimsieve::period::{Kind, find};
/// use nimsieve::run::Control;
/// use nimsieve::set::Finite;
///
/// let set = Finite::new([2, 8, 9])?;
/// let outcomes = find(&set, Kind::Outcome, 1000, &Control::new())?;
/// let values = find(&set, Kind::Nim, 1000, &Control::new())?;
/// let found = |answer: &nimsieve::period::Answer| answer.certificate().map(|c| (c.preperiod(), c.period()));
/// assert_eq!((found(&outcomes), found(&values)), (Some((11, 11)), Some((21, 11))));
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn find(set: &dyn SubtractionSet, kind: Kind, bound: u64, control: &Control) -> Result<Answer> {
    let shape = Shape::of(set)?;
    crate::set::least(set)?;
    find_in(shape, kind, bound, Watch { control, shows: true })
}

/// As [`find`], for a set that was looked at.
pub(crate) fn find_in(shape: Shape, kind: Kind, bound: u64, watch: Watch<'_>) -> Result<Answer> {
    if bound <= shape.window(kind) {
        // No window is over before the bound.
        return Ok(Answer::NotFound { bound, from: 0 });
    }
    match shape.run(kind, Find { bound, grows: shape.by_differences(kind), watch })? {
        Found::Period { preperiod, period, saltus } => {
            Ok(Answer::Period(Certificate::new(shape, kind, preperiod, period, saltus)))
        }
        Found::Nothing { from } => Ok(Answer::NotFound { bound, from }),
    }
}

/// The nim-values of the positions below `n`.
pub(crate) fn values_below(shape: &Shape, n: u64, watch: Watch<'_>) -> Result<Vec<u64>> {
    shape.run(Kind::Nim, Collect { n, grows: shape.by_differences(Kind::Nim), watch })
}

/// The largest nim-value below `n` of a finite set, and the last two, of which there must be that many.
pub(crate) fn survey(shape: &Shape, n: u64, watch: Watch<'_>) -> Result<(u64, [u64; 2])> {
    shape.run(Kind::Nim, Survey { n, watch })
}

struct Find<'a> {
    bound: u64,
    /// The values are differences of numbers that grow.
    grows: bool,
    watch: Watch<'a>,
}

enum Found {
    Period { preperiod: u64, period: u64, saltus: u64 },
    Nothing { from: u64 },
}

impl Task for Find<'_> {
    type Output = Found;

    fn run<V: Values>(self, make: impl Fn() -> Result<V>, read: impl Fn(V::Value) -> i64) -> Result<Found> {
        let Self { bound, grows, watch } = self;
        match recurrence(&mut make()?, bound, watch)? {
            Recurrence::NotFound { from } => Ok(Found::Nothing { from }),
            Recurrence::Found { from, period } => {
                let preperiod = preperiod(&make, from, period, Watch::hidden(watch.control))?;
                if !grows {
                    return Ok(Found::Period { preperiod, period, saltus: 0 });
                }
                let mut total = 0;
                stream(&mut make()?, preperiod + period, Watch::hidden(watch.control), |start, piece| {
                    let skipped = preperiod.saturating_sub(start).min(piece.len() as u64) as usize;
                    total += piece[skipped..].iter().map(|&value| read(value)).sum::<i64>();
                    Ok(true)
                })?;
                // Nim-values are not negative, so they cannot fall for ever.
                Ok(Found::Period { preperiod, period, saltus: total as u64 })
            }
        }
    }
}

struct Collect<'a> {
    n: u64,
    /// The values are differences of numbers that grow.
    grows: bool,
    watch: Watch<'a>,
}

impl Task for Collect<'_> {
    type Output = Vec<u64>;

    fn run<V: Values>(self, make: impl Fn() -> Result<V>, read: impl Fn(V::Value) -> i64) -> Result<Vec<u64>> {
        let mut values = Vec::new();
        let refusal = |_| Error::Memory { what: "the nim-values of a period", needed: self.n.saturating_mul(8) };
        values.try_reserve_exact(usize::try_from(self.n).unwrap_or(usize::MAX)).map_err(refusal)?;
        // The nim-value of 0 is 0.
        let mut sum = 0;
        stream(&mut make()?, self.n, self.watch, |_, piece| {
            values.extend(piece.iter().map(|&value| {
                let value = read(value);
                let before = sum;
                sum += value;
                if self.grows { before as u64 } else { value as u64 }
            }));
            Ok(true)
        })?;
        Ok(values)
    }
}

struct Survey<'a> {
    n: u64,
    watch: Watch<'a>,
}

impl Task for Survey<'_> {
    type Output = (u64, [u64; 2]);

    fn run<V: Values>(self, make: impl Fn() -> Result<V>, read: impl Fn(V::Value) -> i64) -> Result<Self::Output> {
        let (mut largest, mut last) = (0, [0; 2]);
        stream(&mut make()?, self.n, self.watch, |_, piece| {
            for &value in piece {
                let value = read(value) as u64;
                largest = value.max(largest);
                last = [last[1], value];
            }
            Ok(true)
        })?;
        Ok((largest, last))
    }
}
