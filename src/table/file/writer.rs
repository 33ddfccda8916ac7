//! The sink that appends to a table file, for every kind of blocks.

use std::fs::{File, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::frame::{self, MAX_PAYLOAD};
use super::{Codec, TableFile};
use crate::error::{Error, Result};

/// Time between two syncs. A kill of the machine, not just the run, loses no more than this.
pub(super) const SYNC: Duration = Duration::from_secs(5);

/// A sink that appends to a table file: cold positions or nim-values, whichever the file is of.
///
/// While it is open the file is locked, so that two runs cannot write to one table.
#[derive(Debug)]
#[expect(private_bounds, reason = "the two kinds of blocks are all there are")]
pub struct TableWriter<C: Codec> {
    path: PathBuf,
    file: File,
    /// The byte at which the block under way stands, or will.
    offset: u64,
    /// The block under way: its range so far, and where it has to end.
    start: u64,
    end: u64,
    limit: u64,
    /// What was written of it reaches to here.
    written: u64,
    pub(super) codec: C,
    synced: Instant,
}

#[expect(private_bounds, reason = "the two kinds of blocks are all there are")]
impl<C: Codec> TableWriter<C> {
    /// Begins a new table of the set with this canonical name.
    ///
    /// # Errors
    /// [`Error::Io`] when there is a file of that name already, or it cannot be written.
    pub fn create(path: impl AsRef<Path>, set: &str) -> Result<Self> {
        let path = path.as_ref();
        let failed = |source| Error::io(path, source);
        let file = File::options().write(true).create_new(true).open(path).map_err(failed)?;
        let header = frame::header(C::KIND, set);
        let mut writer = Self::locked(path, file, header.len() as u64, 0)?;
        writer.file.write_all(&header).map_err(failed)?;
        writer.sync()?;
        Ok(writer)
    }

    /// Continues a table behind its last sound block; what is damaged behind it is cut off. A last block that ends early
    /// is taken up again.
    ///
    /// # Errors
    /// [`Error::Io`], and [`Error::Table`] when another run writes to it.
    pub fn append(table: &TableFile<C>) -> Result<Self> {
        let failed = |source| Error::io(&table.path, source);
        let file = File::options().read(true).write(true).open(&table.path).map_err(failed)?;
        let mut writer = Self::locked(&table.path, file, table.len, table.reached())?;
        writer.file.set_len(table.len).map_err(failed)?;
        if let Some(last) = table.entries.last().filter(|last| !last.end.is_multiple_of(C::BLOCK)) {
            table.read(last.start..last.end, |entry, payload| {
                writer.codec.reopen(payload, entry);
                Ok(())
            })?;
            (writer.offset, writer.start) = (last.offset, last.start);
        }
        writer.sync()?;
        Ok(writer)
    }

    /// A writer that goes on at a byte and a position.
    fn locked(path: &Path, file: File, offset: u64, end: u64) -> Result<Self> {
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Table(format!("{} is being written by another run; wait for it", path.display())));
            }
            // A file system without locks is no reason to refuse.
            Err(TryLockError::Error(_)) => {}
        }
        let mut codec = C::default();
        codec.begin(end);
        let limit = Self::limit_after(end);
        let path = path.into();
        Ok(Self { path, file, offset, start: end, end, limit, written: end, codec, synced: Instant::now() })
    }

    /// Where a block has to end that reaches to `position`.
    fn limit_after(position: u64) -> u64 {
        (position / C::BLOCK).saturating_add(1).saturating_mul(C::BLOCK)
    }

    fn sync(&mut self) -> Result<()> {
        self.file.sync_data().map_err(|source| Error::io(&self.path, source))?;
        self.synced = Instant::now();
        Ok(())
    }

    /// Writes the block under way, as far as it is, at its place; returns its size. What stood there before was
    /// shorter, for a payload never shrinks as its block grows.
    fn write_block(&mut self) -> Result<u64> {
        let failed = |source| Error::io(&self.path, source);
        let (payload, count) = self.codec.payload();
        if payload.len() > MAX_PAYLOAD as usize {
            return Err(Error::Table(format!(
                "{}: the block at position {} has {} bytes and a reader takes {MAX_PAYLOAD}; start anew",
                self.path.display(),
                self.start,
                payload.len()
            )));
        }
        let block = frame::block(self.start, self.end, count, &payload);
        self.file.seek(SeekFrom::Start(self.offset)).map_err(failed)?;
        self.file.write_all(&block).map_err(failed)?;
        self.written = self.end;
        Ok(block.len() as u64)
    }

    /// The positions below this were handed over.
    pub fn reached(&self) -> u64 {
        self.end
    }

    /// Refuses a block of an engine that does not start where the last one ended.
    pub(super) fn expect(&self, start: u64) -> Result<()> {
        if start == self.end {
            return Ok(());
        }
        Err(Error::Table(format!(
            "{}: a block from {start} was handed to a table that ends at {}",
            self.path.display(),
            self.end
        )))
    }

    /// Where the block under way has to end.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// Takes note that the codec has everything below `position`, which is at most the limit; writes a block that is
    /// full.
    pub(super) fn reach(&mut self, position: u64) -> Result<()> {
        self.end = position;
        if position == self.limit {
            self.offset += self.write_block()?;
            self.start = position;
            self.limit = Self::limit_after(position);
            self.codec.begin(position);
        }
        Ok(())
    }

    /// Syncs when it is time to, with what there is of the block under way, so that a slow run loses little.
    pub(super) fn settle(&mut self) -> Result<()> {
        if self.synced.elapsed() >= SYNC {
            self.keep()?;
            self.sync()?;
        }
        Ok(())
    }

    /// Writes what is not written yet of the block under way.
    pub(super) fn keep(&mut self) -> Result<()> {
        if self.written < self.end {
            self.write_block()?;
        }
        Ok(())
    }

    /// Writes what is left and syncs the file. A run that was stopped calls this as well: it keeps what is decided.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn finish(mut self) -> Result<()> {
        self.keep()?;
        self.file.sync_all().map_err(|source| Error::io(&self.path, source))
    }
}
