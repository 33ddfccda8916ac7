//! All-but sets: every positive integer except finitely many.

use super::{Elements, Form, SubtractionSet};
use crate::error::{Error, Result};
use crate::set::finite;

/// Every positive integer except the listed ones.
///
/// ```
/// use nimsieve::set::AllBut;
/// // Without 2, 3 and 7 the nim-values are arithmetic periodic: period 4, saltus 2.
/// let table = nimsieve::grundy(&AllBut::new([2, 3, 7])?, 1_000)?;
/// assert_eq!(table.value(900)? - table.value(896)?, 2);
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllBut {
    excluded: Vec<u64>,
}

impl AllBut {
    /// Makes the set of all positive integers except `excluded`, given in any order.
    ///
    /// # Errors
    /// [`Error::Set`] when nothing is excluded, or 0 is (it never was in a subtraction set).
    pub fn new(excluded: impl IntoIterator<Item = u64>) -> Result<Self> {
        let mut excluded: Vec<u64> = excluded.into_iter().collect();
        excluded.sort_unstable();
        excluded.dedup();
        match excluded.first() {
            None => Err(Error::Set("expected the numbers left out, as in allbut:2,3,7; all numbers: poly:k".into())),
            Some(0) => {
                Err(Error::Set("0 is never in a subtraction set; leave it out of the list after allbut:".into()))
            }
            Some(_) => Ok(Self { excluded }),
        }
    }
}

impl SubtractionSet for AllBut {
    fn name(&self) -> String {
        format!("allbut:{}", finite::join(&self.excluded))
    }
    fn elements(&self) -> Elements<'_> {
        let mut excluded = self.excluded.iter().copied().peekable();
        Box::new((1..=u64::MAX).filter(move |x| excluded.next_if_eq(x).is_none()))
    }
    fn form(&self) -> Form<'_> {
        Form::AllBut(&self.excluded)
    }
}
