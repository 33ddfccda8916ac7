//! CSV with named columns; the provenance stands in `#` lines, the hash in the last one.

use std::path::PathBuf;

use super::{Output, Provenance, Summary, Writer};
use crate::error::{Error, Result};

/// A CSV file under way.
pub(super) struct Csv {
    rows: csv::Writer<Output>,
    name: PathBuf,
}

impl Csv {
    pub(super) fn begin(mut output: Output, provenance: &Provenance) -> Result<Self> {
        for line in provenance.lines() {
            output.put(format!("# {line}\n").as_bytes())?;
        }
        let name = output.name().to_path_buf();
        let mut csv = Self { rows: csv::Writer::from_writer(output), name };
        let index = if provenance.kind.is_by_heap() { "heap" } else { "index" };
        csv.record([index, provenance.kind.column()])?;
        Ok(csv)
    }

    fn record(&mut self, fields: [&str; 2]) -> Result<()> {
        self.rows.write_record(fields).map_err(|error| Error::io(&self.name, plain(error)))
    }
}

impl Writer for Csv {
    fn push(&mut self, index: u64, value: u64) -> Result<()> {
        let (mut first, mut second) = (itoa::Buffer::new(), itoa::Buffer::new());
        self.record([first.format(index), second.format(value)])
    }

    fn finish(self: Box<Self>, summary: &Summary) -> Result<()> {
        let Self { rows, name } = *self;
        let mut output = rows.into_inner().map_err(|error| Error::io(name, error.into_error()))?;
        output.put(format!("# sha256 {}\n", summary.sha256).as_bytes())?;
        output.finish()
    }
}

/// The I/O error within one of the csv crate, whose own conversion hides that a pipe was closed.
fn plain(error: csv::Error) -> std::io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => std::io::Error::other(format!("{other:?}")),
    }
}
