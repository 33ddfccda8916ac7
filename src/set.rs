//! Subtraction sets: what may be taken from a heap.
//!
//! A set is a strictly increasing sequence of positive integers, finite or not. It knows nothing of engines; what an
//! engine may exploit of its shape (a polynomial, a finite list, a finite complement) it tells through
//! [`SubtractionSet::form`].

mod all_but;
pub(crate) mod finite;
mod named;
mod polynomial;
mod random;
mod rows;
mod sequence;
mod sieved;
mod union;

pub use all_but::AllBut;
pub use finite::Finite;
pub use named::{NamedSet, SETS, SetSyntax};
pub use polynomial::Polynomial;
pub use random::Random;
pub use rows::{ClassElements, PrimeRows, RowTable, Rows};
pub use sequence::{PowersOf, SEQUENCES, Sequence};
pub use union::Union;

use std::sync::LazyLock;

use crate::error::{Error, Result};
use crate::run::Control;

/// The elements of a set, strictly increasing and at least 1.
pub type Elements<'a> = Box<dyn Iterator<Item = u64> + 'a>;

/// What is known of the shape of a set. Engines use it; a set that tells nothing is served by the general engines.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Form<'a> {
    /// The positive values of a polynomial at 1, 2, 3, ...
    Polynomial(&'a Polynomial),
    /// These elements and no others, increasing.
    Finite(&'a [u64]),
    /// Every positive integer except these, increasing.
    AllBut(&'a [u64]),
    /// Nothing is known.
    Other,
}

/// A set of positive integers, any one of which may be taken from a heap that is at least as large.
///
/// Two methods make a set; the rest has defaults. A set of one's own:
///
/// ```
/// use nimsieve::set::{Elements, SubtractionSet};
///
/// struct NearSquares; // k^2 + 1
///
/// impl SubtractionSet for NearSquares {
///     fn name(&self) -> String {
///         "near-squares".into()
///     }
///     fn elements(&self) -> Elements<'_> {
///         Box::new((1..).map_while(|k: u64| k.checked_mul(k)?.checked_add(1)))
///     }
/// }
///
/// let table = nimsieve::cold(&NearSquares, 1_000)?;
/// assert_eq!(table.iter().take(8).collect::<Vec<_>>(), [0, 1, 4, 7, 8, 15, 16, 19]);
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub trait SubtractionSet: Send + Sync {
    /// The set in canonical form: for the sets that the grammar knows, the text that parses back to the same set.
    fn name(&self) -> String;

    /// The elements in strictly increasing order, all at least 1, as far as they are below 2^64.
    fn elements(&self) -> Elements<'_>;

    /// The shape of the set, for the engines that can use it.
    fn form(&self) -> Form<'_> {
        Form::Other
    }

    /// The elements below `n` by the residue classes of `modulus`, for a set that has a quick way to them; `None`, the
    /// default, for any other, which goes into a [`RowTable`].
    ///
    /// # Errors
    /// What keeps that way from being made ready.
    fn rows(&self, _modulus: u64, _n: u64) -> Result<Option<Box<dyn Rows + '_>>> {
        Ok(None)
    }
    /// About how many elements lie below a large `n`, for a set that knows without a look at them.
    fn expected_below(&self, _n: u64) -> Option<f64> {
        None
    }
}

impl<S: SubtractionSet + ?Sized> SubtractionSet for &S {
    fn name(&self) -> String {
        (**self).name()
    }
    fn elements(&self) -> Elements<'_> {
        (**self).elements()
    }
    fn form(&self) -> Form<'_> {
        (**self).form()
    }
    fn rows(&self, modulus: u64, n: u64) -> Result<Option<Box<dyn Rows + '_>>> {
        (**self).rows(modulus, n)
    }
    fn expected_below(&self, n: u64) -> Option<f64> {
        (**self).expected_below(n)
    }
}

/// The squares 1, 4, 9, 16, ...: the game Subtract-a-Square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Squares;

static SQUARES: LazyLock<Polynomial> = LazyLock::new(|| Polynomial::kth_powers(2).expect("k^2 is a polynomial"));

impl SubtractionSet for Squares {
    fn name(&self) -> String {
        SQUARES.name()
    }
    fn elements(&self) -> Elements<'_> {
        SQUARES.elements()
    }
    fn form(&self) -> Form<'_> {
        Form::Polynomial(&SQUARES)
    }
}

/// Calls `visit` with each element of `set` below `n`, increasing, and checks that the set keeps its promise. O(count)
/// time.
///
/// # Errors
/// [`Error::Set`] when an element is 0 or does not follow the one before; [`Error::Stopped`] when the control says so;
/// what `visit` returns.
pub fn visit_below(
    set: &dyn SubtractionSet,
    n: u64,
    control: &Control,
    mut visit: impl FnMut(u64) -> Result<()>,
) -> Result<()> {
    /// Elements between two looks at the stop flag.
    const PATIENCE: u64 = 1 << 14;
    let mut previous = 0;
    for (index, s) in (0_u64..).zip(set.elements()) {
        if s <= previous {
            return Err(Error::Set(format!(
                "the elements of {} must be positive and strictly increasing, but {s} follows {previous}",
                set.name()
            )));
        }
        if s >= n {
            break;
        }
        if index.is_multiple_of(PATIENCE) {
            control.check()?;
        }
        visit(s)?;
        previous = s;
    }
    Ok(())
}

/// The elements of `set` below `n`, checked to be positive and strictly increasing. O(count) time and 8 bytes each.
///
/// # Errors
/// As [`visit_below`], and [`Error::Memory`] when the list does not fit.
pub fn elements_below(set: &dyn SubtractionSet, n: u64, control: &Control) -> Result<Vec<u64>> {
    let mut elements: Vec<u64> = Vec::new();
    visit_below(set, n, control, |s| {
        if elements.len() == elements.capacity() {
            let grown = elements.len().max(1 << 10);
            let needed = 8 * (elements.len() + grown) as u64;
            let refusal = |_| Error::Memory { what: "the list of the set's elements", needed };
            elements.try_reserve_exact(grown).map_err(refusal)?;
        }
        elements.push(s);
        Ok(())
    })?;
    Ok(elements)
}

/// How many elements of `set` lie below `n`: exact where the form of the set tells, or where there are few enough to
/// count; else what the set expects, or continued from the first 65,536 as the power of n that they suggest.
pub fn count_below(set: &dyn SubtractionSet, n: u64) -> f64 {
    /// Elements that are counted.
    const COUNTED: usize = 1 << 16;
    /// Up to here they are counted, whatever a set expects.
    const NEAR: u64 = 1 << 18;
    match set.form() {
        Form::Finite(elements) => elements.partition_point(|&s| s < n) as f64,
        Form::AllBut(excluded) => n.saturating_sub(1) as f64 - excluded.partition_point(|&s| s < n) as f64,
        Form::Polynomial(polynomial) => polynomial.count_below(n) as f64,
        Form::Other => {
            if let Some(expected) = set.expected_below(n).filter(|_| n > NEAR) {
                return expected;
            }
            let counted: Vec<u64> = set.elements().take_while(|&s| s < n).take(COUNTED).collect();
            match counted.last() {
                Some(&last) if counted.len() == COUNTED => {
                    let early = counted.partition_point(|&s| s < last / EARLY);
                    extrapolate(early as f64, COUNTED as f64, last, n)
                }
                _ => counted.len() as f64,
            }
        }
    }
}

/// Two counts of which the first goes this many times less far tell a power of n. Sequences that come in clusters, such as
/// the sums of distinct powers of 4, would mislead a shorter comparison.
pub(crate) const EARLY: u64 = 64;

/// Continues a count from its values below `sample / EARLY` and below `sample` to `n`, as the power of n that they
/// suggest.
pub(crate) fn extrapolate(early: f64, whole: f64, sample: u64, n: u64) -> f64 {
    if n <= sample || whole == 0.0 {
        return whole;
    }
    let exponent = if early > 0.0 { (whole / early).ln() / (EARLY as f64).ln() } else { 1.0 };
    whole * (n as f64 / sample as f64).powf(exponent.clamp(0.0, 1.0))
}

/// The least element of `set`, the smallest heap from which a move exists.
///
/// # Errors
/// [`Error::Set`] when the set is empty.
pub fn least(set: &dyn SubtractionSet) -> Result<u64> {
    match set.elements().next() {
        Some(0) => Err(Error::Set(format!("{} contains 0; a move must take at least 1", set.name()))),
        Some(least) => Ok(least),
        None => Err(Error::Set(format!("{} is empty; a subtraction set needs at least one element", set.name()))),
    }
}
