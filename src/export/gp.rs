//! PARI/GP: one vector, `v=[0,2,5];`, loaded with `read`. PARI's `readvec` is no way to read a b-file: it takes the line
//! `1 2` for 12.
//!
//! The provenance stands in comments, `\\` to the end of the line. GP reads the vector as one expression, for which about
//! 100 bytes of its stack go to each value: beyond some tens of thousands, raise `parisize` first.

use super::{Output, Provenance, Summary, Writer};
use crate::error::Result;

/// A PARI file under way.
pub(super) struct Gp {
    output: Output,
    first: bool,
}

impl Gp {
    pub(super) fn begin(mut output: Output, provenance: &Provenance) -> Result<Self> {
        for line in provenance.lines() {
            output.put(format!("\\\\ {line}\n").as_bytes())?;
        }
        output.put(b"v=[")?;
        Ok(Self { output, first: true })
    }
}

impl Writer for Gp {
    fn push(&mut self, _: u64, value: u64) -> Result<()> {
        if !std::mem::take(&mut self.first) {
            self.output.put(b",")?;
        }
        self.output.put(itoa::Buffer::new().format(value).as_bytes())
    }

    fn finish(mut self: Box<Self>, summary: &Summary) -> Result<()> {
        self.output.put(format!("];\n\\\\ sha256 {}\n", summary.sha256).as_bytes())?;
        self.output.finish()
    }
}
