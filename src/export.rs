//! Data files: one format a file, each written as the values come, whole or not at all.
//!
//! Whatever is exported is a sequence of values with consecutive indices: the i-th cold position, or the nim-value of the
//! heap i. A format is therefore one implementation of [`Writer`]; [`ColdExport`] and [`GrundyExport`] feed it from an
//! engine's blocks. A file of a format with comments carries its provenance: tool, version, set, n and the hash of
//! the values. It names no engine and no time, so the same command gives the same bytes on any machine; those go into
//! the JSON side-car of formats without comments.

mod bfile;
mod certificate;
mod csv;
mod gp;
pub mod html;
mod json;
mod latex;
mod npy;
mod output;
mod sheet;

use std::path::Path;
use std::str::FromStr;

use sha2::{Digest, Sha256};

pub use bfile::{BFileOptions, read_bfile};
pub use certificate::{certificate_json, read_certificates};
pub use json::check_json;
pub use output::Output;
#[cfg(feature = "cli")]
pub(crate) use output::exit;
pub use sheet::{Cell, Sheet, SheetFormat};

use crate::error::{Error, Result};
use crate::sink::{ColdBlock, ColdSink, GrundyBlock, GrundySink};

/// What the values of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Cold positions, increasing.
    Cold,
    /// Cold positions of misere play, increasing.
    MisereCold,
    /// Nim-values of the heaps 0, 1, 2, ...
    Grundy,
    /// Remoteness of the heaps 0, 1, 2, ...
    Remoteness,
    /// Remoteness of the heaps 0, 1, 2, ... in misere play.
    MisereRemoteness,
}

impl Kind {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::MisereCold => "misere-cold",
            Self::Grundy => "grundy",
            Self::Remoteness => "remoteness",
            Self::MisereRemoteness => "misere-remoteness",
        }
    }

    /// What a value is, as the name of a column.
    fn column(self) -> &'static str {
        match self {
            Self::Cold | Self::MisereCold => "position",
            Self::Grundy => "nim_value",
            Self::Remoteness | Self::MisereRemoteness => "remoteness",
        }
    }

    /// Whether the values are those of the heaps 0, 1, 2, ..., and not positions.
    fn is_by_heap(self) -> bool {
        !matches!(self, Self::Cold | Self::MisereCold)
    }
}

/// Where the values of a file come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// The set in canonical form.
    pub set: String,
    /// The positions below this were decided.
    pub n: u64,
    /// What the values are.
    pub kind: Kind,
}

impl Provenance {
    /// Name and version of the program.
    pub const TOOL: &str = concat!("nimsieve ", env!("CARGO_PKG_VERSION"));

    /// The lines of a comment block, without the comment sign.
    fn lines(&self) -> [String; 4] {
        [
            Self::TOOL.to_owned(),
            format!("set {}", self.set),
            format!("kind {}", self.kind.name()),
            format!("n {}", self.n),
        ]
    }
}

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Index and value, one pair a line, as the OEIS takes it.
    BFile,
    /// Named columns, with the provenance in comment lines.
    Csv,
    /// NumPy: positions as 8-byte integers, nim-values as 1 or 2 bytes.
    Npy,
    /// NumPy: the cold positions as bits, in 8-byte words, least significant bit first.
    NpyBits,
    /// One object.
    Json,
    /// PARI/GP: one vector.
    Gp,
    /// Rows for a LaTeX table.
    Latex,
}

impl Format {
    const ALL: [(&'static str, Self); 7] = [
        ("bfile", Self::BFile),
        ("csv", Self::Csv),
        ("npy", Self::Npy),
        ("npy-bits", Self::NpyBits),
        ("json", Self::Json),
        ("gp", Self::Gp),
        ("tex", Self::Latex),
    ];

    /// The name, as after `--format`.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, format)| *format == self).expect("every format is listed").0
    }

    /// The format that a file's ending asks for: `.txt`, `.csv`, `.npy`, `.json`, `.gp` or `.tex`, in small or
    /// capital letters.
    ///
    /// # Errors
    /// [`Error::Format`] when the ending says nothing.
    pub fn of_path(path: &Path) -> Result<Self> {
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        match ending.as_deref() {
            Some("txt") => Ok(Self::BFile),
            Some("csv") => Ok(Self::Csv),
            Some("npy") => Ok(Self::Npy),
            Some("json") => Ok(Self::Json),
            Some("gp") => Ok(Self::Gp),
            Some("tex") => Ok(Self::Latex),
            _ => Err(Error::Format(format!(
                "the name {} tells no format; end it in .txt (b-file), .csv, .npy, .json, .gp or .tex, or give --format",
                path.display()
            ))),
        }
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|(name, _)| *name).collect();
            Error::Format(format!("there is no format `{name}`; known: {}", known.join(", ")))
        })
    }
}

/// A file in one format, under way.
pub trait Writer: Send {
    /// Takes the next value.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be written.
    fn push(&mut self, index: u64, value: u64) -> Result<()>;

    /// Completes the file and puts it in place under its name.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be written.
    fn finish(self: Box<Self>, summary: &Summary) -> Result<()>;
}

/// What is known of a file's values when they are all written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The number of values.
    pub count: u64,
    /// SHA-256, in hexadecimal, of the values in decimal, each followed by a line feed.
    pub sha256: String,
}

/// Begins a file of a format.
///
/// # Errors
/// [`Error::Format`] when the format does not hold such values; [`Error::Io`].
pub fn writer(format: Format, output: Output, provenance: &Provenance, bfile: BFileOptions) -> Result<Box<dyn Writer>> {
    Ok(match format {
        Format::BFile => Box::new(bfile::BFile::begin(output, provenance, bfile)?),
        Format::Csv => Box::new(csv::Csv::begin(output, provenance)?),
        Format::Json => Box::new(json::Json::begin(output, provenance)?),
        Format::Gp => Box::new(gp::Gp::begin(output, provenance)?),
        Format::Latex => Box::new(latex::Latex::begin(output, provenance)?),
        Format::Npy if provenance.kind == Kind::Grundy => Box::new(npy::Values::begin(output)?),
        Format::Npy => Box::new(npy::Positions::begin(output)?),
        Format::NpyBits if provenance.kind.is_by_heap() => {
            return Err(Error::Format("npy-bits holds cold positions, not values; use npy".into()));
        }
        Format::NpyBits => Box::new(npy::Bits::begin(output, provenance.n)?),
    })
}

/// Numbers the values of a file and hashes them on their way into it.
struct Numbered {
    writer: Box<dyn Writer>,
    next: u64,
    hash: Sha256,
}

impl Numbered {
    fn push(&mut self, value: u64) -> Result<()> {
        let mut text = itoa::Buffer::new();
        self.hash.update(text.format(value).as_bytes());
        self.hash.update(b"\n");
        self.writer.push(self.next, value)?;
        self.next += 1;
        Ok(())
    }

    fn finish(self) -> Result<Summary> {
        let summary = Summary { count: self.next, sha256: hex(&self.hash.finalize()) };
        self.writer.finish(&summary)?;
        Ok(summary)
    }
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A sink that writes cold positions to a file, the first with index 0.
pub struct ColdExport(Numbered);

impl ColdExport {
    /// Feeds a writer.
    pub fn new(writer: Box<dyn Writer>) -> Self {
        Self(Numbered { writer, next: 0, hash: Sha256::new() })
    }

    /// Completes the file.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be written.
    pub fn finish(self) -> Result<Summary> {
        self.0.finish()
    }
}

impl ColdSink for ColdExport {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        block.try_for_each(|x| self.0.push(x))
    }
}

/// Writes values to a file as they come, the first with index 0.
pub struct ValueExport(Numbered);

impl ValueExport {
    /// Feeds a writer.
    pub fn new(writer: Box<dyn Writer>) -> Self {
        Self(Numbered { writer, next: 0, hash: Sha256::new() })
    }

    /// Takes the next value.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be written.
    pub fn push(&mut self, value: u64) -> Result<()> {
        self.0.push(value)
    }

    /// Completes the file.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be written.
    pub fn finish(self) -> Result<Summary> {
        self.0.finish()
    }
}

/// A sink that writes nim-values to a file, with the heap as index.
pub struct GrundyExport(Numbered);

impl GrundyExport {
    /// Feeds a writer.
    pub fn new(writer: Box<dyn Writer>) -> Self {
        Self(Numbered { writer, next: 0, hash: Sha256::new() })
    }

    /// Completes the file.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be written.
    pub fn finish(self) -> Result<Summary> {
        self.0.finish()
    }
}

impl GrundySink for GrundyExport {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        block.values.iter().try_for_each(|value| self.0.push(value.into()))
    }
}
