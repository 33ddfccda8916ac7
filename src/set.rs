//! Subtraction sets: what may be taken from a heap.
//!
//! A set is a strictly increasing sequence of positive integers, finite or not. It knows nothing of engines; what an
//! engine may exploit of its shape (a polynomial, a finite list, a finite complement) it tells through
//! [`SubtractionSet::form`].

mod all_but;
mod finite;
mod named;
mod polynomial;
mod sequence;

pub use all_but::AllBut;
pub use finite::Finite;
pub use named::{NamedSet, SETS, SetSyntax};
pub use polynomial::Polynomial;
pub use sequence::{PowersOf, SEQUENCES, Sequence};

use std::sync::LazyLock;

use crate::error::{Error, Result};

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

/// The elements of `set` below `n`, checked to be positive and strictly increasing. O(count) time and 8 bytes each.
///
/// # Errors
/// [`Error::Set`] when the set breaks its promise, [`Error::Memory`] when the list does not fit.
pub fn elements_below(set: &dyn SubtractionSet, n: u64) -> Result<Vec<u64>> {
    let mut elements: Vec<u64> = Vec::new();
    let mut previous = 0;
    for s in set.elements() {
        if s <= previous {
            return Err(Error::Set(format!(
                "the elements of {} must be positive and strictly increasing, but {s} follows {previous}",
                set.name()
            )));
        }
        if s >= n {
            break;
        }
        if elements.len() == elements.capacity() {
            let grown = elements.len().max(1 << 10);
            let needed = 8 * (elements.len() + grown) as u64;
            let refusal = |_| Error::Memory { what: "the list of the set's elements", needed };
            elements.try_reserve_exact(grown).map_err(refusal)?;
        }
        elements.push(s);
        previous = s;
    }
    Ok(elements)
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
