//! Table files: what a run decided, on disk, written as the run proceeds.
//!
//! A file is a header and then blocks, each with a checksum of its own. Blocks end at fixed multiples of positions, so
//! that the bytes depend on the set and on n alone: not on the engine, nor on where a run was stopped or killed. Only the
//! last block may end elsewhere; it is written again, at its place, as soon as there is more of it. Whatever moment a
//! run is killed at, the blocks before are sound, and the run continues from where they end; a finished table is
//! extended the same way. Reading goes by blocks, with an index of their ranges and counts in memory, so a table need
//! not fit it. All numbers are little-endian.
//!
//! ```text
//! header   "nimsieve"  u16 version  u16 kind  u32 length of the name  name of the set  u32 checksum
//! block    "block"  u64 start  u64 end  u64 cold positions  u32 length of the payload  payload  u32 checksum
//! ```
//!
//! The checksum is CRC-32 over everything in the header or block before it. Blocks cover consecutive half-open ranges
//! from 0 on. The kind tells what a payload is:
//!
//! | kind | what it holds | a block ends at multiples of |
//! |---|---|---|
//! | 1 | [`Cold`]: the cold positions | 2^22 |
//! | 2 | [`Grundy`]: the nim-values | 2^16 |
//! | 3 | [`CounterFile`]: counts and the state of an engine, in one block that is replaced whole | |
//!
//! A reader takes blocks of any length; tables whose cold positions were cut otherwise are read and extended.

mod cold;
mod counters;
mod frame;
mod grundy;
#[cfg(test)]
mod tests;
mod writer;

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub use cold::Cold;
pub use counters::{CounterFile, CounterWriter};
pub use grundy::Grundy;
pub use writer::TableWriter;

use crate::error::{Error, Result};
use frame::{Entry, Found, read_block, read_header};

/// A file of cold positions.
pub type ColdFile = TableFile<Cold>;
/// A file of nim-values.
pub type GrundyFile = TableFile<Grundy>;
/// A sink that appends to a file of cold positions.
pub type ColdWriter = TableWriter<Cold>;
/// A sink that appends to a file of nim-values.
pub type GrundyWriter = TableWriter<Grundy>;

/// What a table file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableKind {
    /// Cold positions: a [`ColdFile`].
    Cold,
    /// Nim-values: a [`GrundyFile`].
    Grundy,
    /// Counts of nim-values, and the state of an engine that keeps no table: a [`CounterFile`].
    Counters,
}

impl TableKind {
    const ALL: [(u16, Self); 3] = [(1, Self::Cold), (2, Self::Grundy), (3, Self::Counters)];

    /// The kind of a table file.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Table`] when the file is no table, or of a version or kind that is not known here.
    pub fn of_file(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let mut file = BufReader::new(File::open(path).map_err(|source| Error::io(path, source))?);
        Ok(read_header(path, &mut file)?.kind)
    }

    /// The number in the header.
    fn number(self) -> u16 {
        Self::ALL.iter().find(|(_, kind)| *kind == self).expect("every kind is listed").0
    }
}

impl fmt::Display for TableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cold => "cold positions",
            Self::Grundy => "nim-values",
            Self::Counters => "counts of nim-values",
        })
    }
}

/// How the blocks of one kind of table are made and read, with the block under way.
pub(crate) trait Codec: Default + Send {
    /// The kind of the table.
    const KIND: TableKind;
    /// Blocks end at multiples of this.
    const BLOCK: u64;

    /// Forgets the block under way and begins one at `start`.
    fn begin(&mut self, start: u64);

    /// Takes up the block under way where a sound one ended.
    fn reopen(&mut self, payload: &[u8], entry: &Entry);

    /// The payload of the block under way, and how many of its positions are cold.
    fn payload(&self) -> (Vec<u8>, u64);

    /// Tells whether a payload is what the head of its block says.
    fn is_sound(payload: &[u8], entry: &Entry) -> bool;
}

/// A table on disk, open for reading.
///
/// ```
/// use nimsieve::set::{Squares, SubtractionSet};
/// use nimsieve::table::{ColdFile, ColdPositions, ColdWriter};
/// use nimsieve::{Plan, run::Control};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("squares.table");
/// let mut writer = ColdWriter::create(&path, &Squares.name())?;
/// Plan::cold(&Squares, 100_000)?.run_into(&Control::new(), &mut writer)?;
/// writer.finish()?;
///
/// let (table, damage) = ColdFile::open(&path)?;
/// assert!(damage.is_none());
/// assert_eq!((table.end(), table.count_within(0..100_000)?), (100_000, 2_781));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Nim-values go the same way, and a run can continue from them:
///
/// ```
/// use nimsieve::set::{Squares, SubtractionSet};
/// use nimsieve::table::{GrundyFile, GrundyWriter};
/// use nimsieve::{Plan, run::Control};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("squares.nim");
/// let mut writer = GrundyWriter::create(&path, &Squares.name())?;
/// Plan::grundy(&Squares, 6_000)?.run_into(&Control::new(), &mut writer)?;
/// writer.finish()?;
///
/// let (known, _) = GrundyFile::open(&path)?;
/// let table = Plan::grundy(&Squares, 7_000)?.continue_from(&known).run()?;
/// assert_eq!(table.first_occurrence(29), Some(6_809)); // OEIS A297963
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[expect(private_bounds, reason = "the two kinds of blocks are all there are")]
pub struct TableFile<C: Codec> {
    path: PathBuf,
    set: String,
    entries: Vec<Entry>,
    /// Bytes of the sound part.
    len: u64,
    codec: PhantomData<fn() -> C>,
}

/// What is wrong with the end of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The blocks before this byte are sound.
    pub offset: u64,
    /// The positions below this are decided by sound blocks.
    pub reached: u64,
    /// What was found instead of a sound block.
    pub what: String,
}

#[expect(private_bounds, reason = "the two kinds of blocks are all there are")]
impl<C: Codec> TableFile<C> {
    /// Opens a table and checks every block. Reads the whole file once; keeps 40 bytes a block.
    ///
    /// When a block is damaged or cut, the table consists of the sound blocks before it, and the damage is told.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Table`] when the file is no table, or of another kind, or of a version that is not known
    /// here.
    pub fn open(path: impl AsRef<Path>) -> Result<(Self, Option<Damage>)> {
        let path = path.as_ref();
        let failed = |source| Error::io(path, source);
        let mut file = BufReader::with_capacity(1 << 18, File::open(path).map_err(failed)?);
        let header = read_header(path, &mut file)?.expect(path, C::KIND)?;
        let mut table =
            Self { path: path.into(), set: header.set, entries: Vec::new(), len: header.len, codec: PhantomData };
        loop {
            let what = match read_block(&mut file).map_err(failed)? {
                Found::Block { entry, payload } if entry.start == table.reached() && C::is_sound(&payload, &entry) => {
                    table.entries.push(Entry { offset: table.len, ..entry });
                    table.len += entry.size();
                    continue;
                }
                Found::Block { .. } => "a block contradicts itself or the one before",
                Found::End => return Ok((table, None)),
                Found::Damage(what) => what,
            };
            let damage = Damage { offset: table.len, reached: table.reached(), what: what.into() };
            return Ok((table, Some(damage)));
        }
    }

    /// The set in canonical form.
    pub fn set(&self) -> &str {
        &self.set
    }

    /// The positions below this are decided by sound blocks.
    pub fn reached(&self) -> u64 {
        self.entries.last().map_or(0, |entry| entry.end)
    }

    /// The number of cold positions.
    pub fn count(&self) -> u64 {
        self.entries.iter().map(|entry| entry.count).sum()
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.entries.len()
    }

    /// Bytes of the sound part of the file.
    pub fn size(&self) -> u64 {
        self.len
    }

    /// The version of the format.
    pub fn version(&self) -> u16 {
        frame::VERSION
    }

    /// Hands the blocks that the range touches to `visit`. They were checked when the table was opened, and are checked
    /// again. The last one may have been written again since, with more in it.
    fn read(&self, range: Range<u64>, mut visit: impl FnMut(&Entry, &[u8]) -> Result<()>) -> Result<()> {
        super::check_range(&range, self.reached())?;
        if range.is_empty() {
            return Ok(());
        }
        let failed = |source| Error::io(&self.path, source);
        let first = self.entries.partition_point(|entry| entry.end <= range.start);
        let mut file = BufReader::with_capacity(1 << 18, File::open(&self.path).map_err(failed)?);
        file.seek(SeekFrom::Start(self.entries[first].offset)).map_err(failed)?;
        for known in self.entries[first..].iter().take_while(|entry| entry.start < range.end) {
            match read_block(&mut file).map_err(failed)? {
                Found::Block { entry, payload }
                    if entry.start == known.start && entry.end >= known.end && C::is_sound(&payload, &entry) =>
                {
                    visit(&entry, &payload)?;
                }
                _ => {
                    return Err(Error::Table(format!(
                        "{}: the block at byte {} has changed since the table was opened",
                        self.path.display(),
                        known.offset
                    )));
                }
            }
        }
        Ok(())
    }
}
