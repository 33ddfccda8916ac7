//! Unions of sets, written `union(A,B)`.

use std::iter::Peekable;

use super::{Elements, Finite, Form, NamedSet, SubtractionSet, count_below};
use crate::error::{Error, Result};

/// The numbers that are in at least one of several sets.
///
/// Members are kept in the order of their names, each once, and lists of numbers are put together, so that equal unions
/// have equal names.
///
/// ```
/// use nimsieve::set::{NamedSet, SubtractionSet};
/// let set: NamedSet = "union(squares,union(5,cubes),2,5)".parse()?;
/// assert_eq!(set.name(), "union(2,5,cubes,squares)");
/// assert_eq!(set.elements().take(7).collect::<Vec<_>>(), [1, 2, 4, 5, 8, 9, 16]);
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Union {
    /// At least two.
    members: Vec<NamedSet>,
    /// The elements, when every member is finite.
    finite: Option<Vec<u64>>,
}

impl Union {
    /// Unites sets. A union of sets that are all the same, or all lists, is no [`Union`] but that one set.
    ///
    /// # Errors
    /// [`Error::Set`] when there is no set.
    pub fn of(sets: impl IntoIterator<Item = NamedSet>) -> Result<NamedSet> {
        let (lists, mut members): (Vec<NamedSet>, Vec<NamedSet>) = sets.into_iter().partition(is_list);
        if !lists.is_empty() {
            members.push(NamedSet::new(Finite::new(merged(&lists))?));
        }
        members.sort_by_key(SubtractionSet::name);
        members.dedup_by_key(|set| set.name());
        match members.len() {
            0 => Err(Error::Set("a union needs sets, as in union(squares,cubes)".into())),
            1 => Ok(members.remove(0)),
            _ => {
                let all_finite = members.iter().all(|set| matches!(set.form(), Form::Finite(_)));
                let finite = all_finite.then(|| merged(&members).collect());
                Ok(NamedSet::new(Self { members, finite }))
            }
        }
    }
}

/// Tells whether a set is written as a list of numbers.
fn is_list(set: &NamedSet) -> bool {
    set.name().starts_with(|c: char| c.is_ascii_digit())
}

/// The elements of several increasing sets in order, each once.
fn merged(sets: &[NamedSet]) -> Merged<'_> {
    Merged { fronts: sets.iter().map(|set| set.elements().peekable()).collect() }
}

struct Merged<'a> {
    fronts: Vec<Peekable<Elements<'a>>>,
}

impl Iterator for Merged<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let least = self.fronts.iter_mut().filter_map(|front| front.peek().copied()).min()?;
        for front in &mut self.fronts {
            front.next_if_eq(&least);
        }
        Some(least)
    }
}

impl SubtractionSet for Union {
    fn name(&self) -> String {
        let names: Vec<String> = self.members.iter().map(SubtractionSet::name).collect();
        format!("union({})", names.join(","))
    }

    fn elements(&self) -> Elements<'_> {
        match &self.finite {
            Some(elements) => Box::new(elements.iter().copied()),
            None => Box::new(merged(&self.members)),
        }
    }

    fn form(&self) -> Form<'_> {
        match &self.finite {
            Some(elements) => Form::Finite(elements),
            None => Form::Other,
        }
    }

    /// As if a number were in one member or not whatever it is in the others.
    fn expected_below(&self, n: u64) -> Option<f64> {
        let all = n.saturating_sub(1) as f64;
        let missed = |set: &NamedSet| 1.0 - (count_below(set, n) / all.max(1.0)).clamp(0.0, 1.0);
        Some(all * (1.0 - self.members.iter().map(missed).product::<f64>()))
    }
}
