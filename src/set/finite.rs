//! Finite sets, written `1,4,9` or read from a file.

use std::path::Path;

use super::{Elements, Form, SubtractionSet};
use crate::error::{Error, Result};
use crate::number::{self, lines};

/// A finite subtraction set, sorted, without repetition.
///
/// ```
/// use nimsieve::set::Finite;
/// let table = nimsieve::cold(&Finite::new([3, 1, 4])?, 15)?;
/// assert_eq!(table.iter().collect::<Vec<_>>(), [0, 2, 7, 9, 14]);
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finite {
    elements: Vec<u64>,
    /// Where the set was read from, when it was.
    file: Option<String>,
}

impl Finite {
    /// Makes a set of the given numbers, in any order; repetitions count once.
    ///
    /// # Errors
    /// [`Error::Set`] when there is no number, or a 0.
    pub fn new(elements: impl IntoIterator<Item = u64>) -> Result<Self> {
        let mut elements: Vec<u64> = elements.into_iter().collect();
        elements.sort_unstable();
        elements.dedup();
        match elements.first() {
            None => Err(Error::Set("a finite set needs at least one number, as in 1,4,9".into())),
            Some(0) => Err(Error::Set("0 cannot be in a subtraction set; a move must take at least 1".into())),
            Some(_) => Ok(Self { elements, file: None }),
        }
    }

    /// Reads a set from a text file: one number a line, `#` starts a comment, blank lines are passed over.
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be read, [`Error::Line`] for a line that is not a number of at least 1, is not
    /// UTF-8 or has more than 4096 bytes, and [`Error::Set`] when there is no number at all.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let mut elements = Vec::new();
        lines::for_each_line(path, |line, text| {
            let text = text.split('#').next().unwrap_or_default().trim();
            let malformed = |message: String| Err(Error::Line { path: path.into(), line, message });
            match number::parse(text) {
                _ if text.is_empty() => Ok(()),
                Ok(0) => malformed("0 cannot be in a subtraction set; expected a number of at least 1".into()),
                Ok(element) => {
                    elements.push(element);
                    Ok(())
                }
                Err(error) => malformed(error.to_string()),
            }
        })?;
        if elements.is_empty() {
            return Err(Error::Set(format!("{} holds no number; expected one a line", path.display())));
        }
        Ok(Self { file: Some(path.display().to_string()), ..Self::new(elements)? })
    }
}

impl SubtractionSet for Finite {
    fn name(&self) -> String {
        match &self.file {
            Some(path) => format!("file:{path}"),
            None => join(&self.elements),
        }
    }
    fn elements(&self) -> Elements<'_> {
        Box::new(self.elements.iter().copied())
    }
    fn form(&self) -> Form<'_> {
        Form::Finite(&self.elements)
    }
}

/// Writes numbers with commas between them, as the grammar reads them.
pub(crate) fn join(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}
