//! OEIS b-files: an index and a value a line, one space between, ASCII, LF.

use std::path::Path;

use super::{Output, Provenance, Summary, Writer};
use crate::error::{Error, Result};
use crate::number::lines;

/// How a b-file deviates from plain lines from index 0 on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BFileOptions {
    /// The index of the first value: the sequence's offset.
    pub offset: u64,
    /// Starts with `#` lines that tell the provenance.
    pub header: bool,
    /// Line feeds after the last line, as some published files have them.
    pub final_newlines: u8,
}

/// A b-file under way.
pub(super) struct BFile {
    output: Output,
    options: BFileOptions,
}

impl BFile {
    pub(super) fn begin(mut output: Output, provenance: &Provenance, options: BFileOptions) -> Result<Self> {
        if options.header {
            for line in provenance.lines() {
                output.put(format!("# {line}\n").as_bytes())?;
            }
        }
        Ok(Self { output, options })
    }
}

impl Writer for BFile {
    fn push(&mut self, index: u64, value: u64) -> Result<()> {
        let mut digits = itoa::Buffer::new();
        self.output.put(digits.format(index + self.options.offset).as_bytes())?;
        self.output.put(b" ")?;
        self.output.put(digits.format(value).as_bytes())?;
        self.output.put(b"\n")
    }

    fn finish(mut self: Box<Self>, _: &Summary) -> Result<()> {
        self.output.put(&b"\n".repeat(self.options.final_newlines.into()))?;
        self.output.finish()
    }
}

/// Reads a b-file and calls `visit` with line number (from 1), index and value of each pair, until it fails. Blank lines
/// and lines that start with `#` are passed over.
///
/// # Errors
/// [`Error::Io`]; [`Error::Line`] for a line that is not text or not two numbers, or whose index does not follow the one before;
/// what `visit` returns.
pub fn read_bfile(path: &Path, mut visit: impl FnMut(u64, u64, u64) -> Result<()>) -> Result<()> {
    let mut previous: Option<u64> = None;
    lines::for_each_line(path, |number, line| {
        if line.trim().is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let malformed = |message: String| Error::Line { path: path.into(), line: number, message };
        let mut numbers = line.split_ascii_whitespace().map(str::parse::<u64>);
        let (Some(Ok(index)), Some(Ok(value)), None) = (numbers.next(), numbers.next(), numbers.next()) else {
            return Err(malformed(format!("expected an index and a value below 2^64, as in `12 39`, found `{line}`")));
        };
        if let Some(previous) = previous
            && previous.checked_add(1) != Some(index)
        {
            return Err(malformed(format!("expected index {}, found {index}", previous.wrapping_add(1))));
        }
        previous = Some(index);
        visit(number, index, value)
    })
}
