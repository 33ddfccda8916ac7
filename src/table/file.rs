//! Table files: the cold positions of a run on disk, written as the run proceeds.
//!
//! A file is a header and then blocks, each with a checksum of its own; it only ever grows at its end. Whatever moment
//! a run is killed at, the blocks before are sound, and the run continues from where they end; a finished table is
//! extended the same way. Reading goes by blocks, with an index of their ranges and counts in memory, so a table need
//! not fit it. All numbers are little-endian.
//!
//! ```text
//! header   "nimsieve"  u16 version  u16 kind (1: cold positions)  u32 length of the name  name  u32 checksum
//! block    "block"  u64 start  u64 end  u64 count  u32 length of the payload  payload  u32 checksum
//! payload  for each cold position, its distance from the one before (the first: from the start), as LEB128:
//!          seven bits a byte, least significant first, the top bit set in all but the last
//! ```
//!
//! The checksum is CRC-32 over everything in the header or block before it. Blocks cover consecutive half-open ranges
//! from 0 on. A gap between cold positions of Subtract-a-Square takes two bytes up to 16,383, and larger ones are rare
//! below 10^11.

use std::fs::{File, TryLockError};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::sink::{ColdBlock, ColdSink};
use crate::table::ColdPositions;

const MAGIC: &[u8; 8] = b"nimsieve";
const VERSION: u16 = 1;
const COLD: u16 = 1;
const BLOCK_MAGIC: &[u8; 5] = b"block";
/// Bytes of a block in front of its payload.
const BLOCK_HEAD: usize = 5 + 3 * 8 + 4;
/// Bytes of a checksum.
const CHECKSUM: usize = 4;
/// A block is written when its payload has reached this size. Larger ones lose more when a run is killed, smaller ones
/// make the index longer.
const PAYLOAD: usize = 1 << 16;
/// A payload that claims to be longer than this is damaged. One block of an engine may overfill a file's block.
const MAX_PAYLOAD: u32 = 1 << 28;
/// The longest name of a set.
const MAX_NAME: u32 = 1 << 20;
/// Time between two syncs. A kill of the machine, not just the run, loses no more than this.
const SYNC: Duration = Duration::from_secs(5);

/// Where a block stands in the file, and what it covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    offset: u64,
    payload: u32,
    start: u64,
    end: u64,
    count: u64,
}

/// A table on disk, open for reading.
///
/// ```
/// use nimsieve::set::{Squares, SubtractionSet};
/// use nimsieve::table::{ColdPositions, TableFile, TableWriter};
/// use nimsieve::{Plan, run::Control};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("squares.table");
/// let mut writer = TableWriter::create(&path, &Squares.name())?;
/// Plan::cold(&Squares, 100_000)?.run_into(&Control::new(), &mut writer)?;
/// writer.finish()?;
///
/// let (table, damage) = TableFile::open(&path)?;
/// assert!(damage.is_none());
/// assert_eq!((table.end(), table.count_within(0..100_000)?), (100_000, 2_781));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    set: String,
    entries: Vec<Entry>,
    /// Bytes of the sound part.
    len: u64,
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

impl TableFile {
    /// Opens a table and checks every block. Reads the whole file once; keeps 40 bytes a block.
    ///
    /// When a block is damaged or cut, the table consists of the sound blocks before it, and the damage is told.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Table`] when the file is no table, or of a version or kind that is not known here.
    pub fn open(path: impl AsRef<Path>) -> Result<(Self, Option<Damage>)> {
        let path = path.as_ref();
        let failed = |source| Error::io(path, source);
        let mut file = BufReader::with_capacity(1 << 18, File::open(path).map_err(failed)?);
        let (set, len) = read_header(path, &mut file)?;
        let mut table = Self { path: path.into(), set, entries: Vec::new(), len };
        loop {
            match read_block(&mut file, table.end()).map_err(failed)? {
                Found::Block { entry, .. } => {
                    let size = (BLOCK_HEAD + CHECKSUM) as u64 + u64::from(entry.payload);
                    table.entries.push(Entry { offset: table.len, ..entry });
                    table.len += size;
                }
                Found::End => return Ok((table, None)),
                Found::Damage(what) => {
                    let damage = Damage { offset: table.len, reached: table.end(), what: what.into() };
                    return Ok((table, Some(damage)));
                }
            }
        }
    }

    /// The set in canonical form.
    pub fn set(&self) -> &str {
        &self.set
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
        VERSION
    }
}

impl ColdPositions for TableFile {
    fn end(&self) -> u64 {
        self.entries.last().map_or(0, |entry| entry.end)
    }

    /// Reads the blocks that the range touches. They were checked when the table was opened, and are checked again.
    fn visit(&self, range: Range<u64>, visit: &mut dyn FnMut(u64) -> Result<()>) -> Result<()> {
        super::check_range(&range, self.end())?;
        if range.is_empty() {
            return Ok(());
        }
        let failed = |source| Error::io(&self.path, source);
        let first = self.entries.partition_point(|entry| entry.end <= range.start);
        let mut file = BufReader::with_capacity(1 << 18, File::open(&self.path).map_err(failed)?);
        file.seek(SeekFrom::Start(self.entries[first].offset)).map_err(failed)?;
        for entry in self.entries[first..].iter().take_while(|entry| entry.start < range.end) {
            let Found::Block { positions, .. } = read_block(&mut file, entry.start).map_err(failed)? else {
                return Err(Error::Table(format!(
                    "{}: the block at byte {} has changed since the table was opened",
                    self.path.display(),
                    entry.offset
                )));
            };
            positions.into_iter().filter(|x| range.contains(x)).try_for_each(&mut *visit)?;
        }
        Ok(())
    }

    fn count_within(&self, range: Range<u64>) -> Result<u64> {
        super::check_range(&range, self.end())?;
        // Whole blocks by the index, the two at the ends by their positions.
        let mut count = 0;
        for entry in self.entries.iter().filter(|entry| entry.start < range.end && range.start < entry.end) {
            if range.start <= entry.start && entry.end <= range.end {
                count += entry.count;
            } else {
                let part = range.start.max(entry.start)..range.end.min(entry.end);
                self.visit(part, &mut |_| {
                    count += 1;
                    Ok(())
                })?;
            }
        }
        Ok(count)
    }
}

fn read_header(path: &Path, file: &mut impl Read) -> Result<(String, u64)> {
    let refused = |why: String| Error::Table(format!("{}: {why}", path.display()));
    let mut head = [0; 16];
    let mut name = Vec::new();
    let mut checksum = [0; CHECKSUM];
    let mut read = || -> std::io::Result<bool> {
        file.read_exact(&mut head)?;
        let len = u32::from_le_bytes([head[12], head[13], head[14], head[15]]);
        if &head[..8] != MAGIC || len > MAX_NAME {
            return Ok(false);
        }
        name.resize(len as usize, 0);
        file.read_exact(&mut name)?;
        file.read_exact(&mut checksum)?;
        Ok(true)
    };
    match read() {
        Ok(true) => {}
        Ok(false) => return Err(refused("this is not a table of nimsieve".into())),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            return Err(refused("this is not a table of nimsieve, or one cut in its header; start anew".into()));
        }
        Err(error) => return Err(Error::io(path, error)),
    }
    if u32::from_le_bytes(checksum) != checksum_of(&[&head, &name]) {
        return Err(refused("the header is damaged; nothing in it can be trusted".into()));
    }
    let (version, kind) = (u16::from_le_bytes([head[8], head[9]]), u16::from_le_bytes([head[10], head[11]]));
    if version != VERSION || kind != COLD {
        return Err(refused(format!(
            "a table of version {version} and kind {kind}; this program reads version {VERSION} and kind {COLD}"
        )));
    }
    let len = (head.len() + name.len() + CHECKSUM) as u64;
    let name = String::from_utf8(name).map_err(|_| refused("the name of the set is no text".into()))?;
    Ok((name, len))
}

fn checksum_of(parts: &[&[u8]]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

enum Found {
    Block { entry: Entry, positions: Vec<u64> },
    End,
    Damage(&'static str),
}

/// Reads the block that must start at position `start`.
fn read_block(file: &mut impl Read, start: u64) -> std::io::Result<Found> {
    let mut head = [0; BLOCK_HEAD];
    match read_full(file, &mut head)? {
        0 => return Ok(Found::End),
        BLOCK_HEAD => {}
        _ => return Ok(Found::Damage("the file is cut in the head of a block")),
    }
    let number = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("eight bytes"));
    let payload = u32::from_le_bytes(head[29..33].try_into().expect("four bytes"));
    let entry = Entry { offset: 0, payload, start: number(5), end: number(13), count: number(21) };
    if &head[..5] != BLOCK_MAGIC || payload > MAX_PAYLOAD {
        return Ok(Found::Damage("the head of a block is damaged"));
    }
    let mut rest = vec![0; payload as usize + CHECKSUM];
    if read_full(file, &mut rest)? < rest.len() {
        return Ok(Found::Damage("the file is cut inside a block"));
    }
    let (bytes, checksum) = rest.split_at(payload as usize);
    if checksum != checksum_of(&[&head, bytes]).to_le_bytes() {
        return Ok(Found::Damage("the checksum of a block is wrong"));
    }
    match decode(bytes, &entry) {
        Some(positions) if entry.start == start && entry.start < entry.end => Ok(Found::Block { entry, positions }),
        _ => Ok(Found::Damage("a block contradicts itself or the one before")),
    }
}

/// Reads as many bytes as there are, up to the buffer's length.
fn read_full(file: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match file.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}

/// The positions of a payload, if it is what its head says.
fn decode(mut bytes: &[u8], entry: &Entry) -> Option<Vec<u64>> {
    let mut positions = Vec::with_capacity(bytes.len() / 2);
    let mut position = entry.start;
    while !bytes.is_empty() {
        let mut gap = 0_u64;
        let mut shift = 0;
        loop {
            let (&byte, rest) = bytes.split_first()?;
            bytes = rest;
            gap |= u64::from(byte & 0x7f).checked_shl(shift).filter(|_| shift < 63)?;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
        position = position.checked_add(gap)?;
        if position >= entry.end || (gap == 0 && !positions.is_empty()) {
            return None;
        }
        positions.push(position);
    }
    (positions.len() as u64 == entry.count).then_some(positions)
}

/// A sink that appends to a table file.
///
/// While it is open the file is locked, so that two runs cannot write to one table.
#[derive(Debug)]
pub struct TableWriter {
    path: PathBuf,
    file: File,
    payload: Vec<u8>,
    /// The block under way.
    start: u64,
    end: u64,
    count: u64,
    previous: u64,
    synced: Instant,
}

impl TableWriter {
    /// Begins a new table of the set with this canonical name.
    ///
    /// # Errors
    /// [`Error::Io`] when there is a file of that name already, or it cannot be written.
    pub fn create(path: impl AsRef<Path>, set: &str) -> Result<Self> {
        let path = path.as_ref();
        let failed = |source| Error::io(path, source);
        let file = File::options().write(true).create_new(true).open(path).map_err(failed)?;
        let mut writer = Self::locked(path, file, 0)?;
        let mut header = MAGIC.to_vec();
        header.extend(VERSION.to_le_bytes());
        header.extend(COLD.to_le_bytes());
        header.extend((set.len() as u32).to_le_bytes());
        header.extend(set.as_bytes());
        header.extend(checksum_of(&[&header]).to_le_bytes());
        writer.file.write_all(&header).map_err(failed)?;
        writer.sync()?;
        Ok(writer)
    }

    /// Continues a table behind its last sound block; what is damaged behind it is cut off.
    ///
    /// # Errors
    /// [`Error::Io`], and [`Error::Table`] when another run writes to it.
    pub fn append(table: &TableFile) -> Result<Self> {
        let failed = |source| Error::io(&table.path, source);
        let file = File::options().read(true).write(true).open(&table.path).map_err(failed)?;
        let mut writer = Self::locked(&table.path, file, table.end())?;
        writer.file.set_len(table.len).map_err(failed)?;
        writer.file.seek(SeekFrom::End(0)).map_err(failed)?;
        writer.sync()?;
        Ok(writer)
    }

    fn locked(path: &Path, file: File, end: u64) -> Result<Self> {
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Table(format!("{} is being written by another run; wait for it", path.display())));
            }
            // A file system without locks is no reason to refuse.
            Err(TryLockError::Error(_)) => {}
        }
        let payload = Vec::with_capacity(2 * PAYLOAD);
        Ok(Self { path: path.into(), file, payload, start: end, end, count: 0, previous: end, synced: Instant::now() })
    }

    fn sync(&mut self) -> Result<()> {
        self.file.sync_data().map_err(|source| Error::io(&self.path, source))?;
        self.synced = Instant::now();
        Ok(())
    }

    /// Writes the block under way.
    fn write_block(&mut self) -> Result<()> {
        if self.start == self.end {
            return Ok(());
        }
        let mut block = Vec::with_capacity(BLOCK_HEAD + self.payload.len() + CHECKSUM);
        block.extend(BLOCK_MAGIC);
        for number in [self.start, self.end, self.count] {
            block.extend(number.to_le_bytes());
        }
        block.extend((self.payload.len() as u32).to_le_bytes());
        block.extend(&self.payload);
        block.extend(checksum_of(&[&block]).to_le_bytes());
        self.file.write_all(&block).map_err(|source| Error::io(&self.path, source))?;
        self.payload.clear();
        (self.start, self.count, self.previous) = (self.end, 0, self.end);
        Ok(())
    }

    /// The positions below this were handed over.
    pub fn reached(&self) -> u64 {
        self.end
    }

    /// Writes what is left and syncs the file. A run that was stopped calls this as well: it keeps what is decided.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn finish(mut self) -> Result<()> {
        self.write_block()?;
        self.file.sync_all().map_err(|source| Error::io(&self.path, source))
    }
}

impl ColdSink for TableWriter {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        let range = block.range();
        if range.start != self.end {
            return Err(Error::Table(format!(
                "{}: a block from {} was handed to a table that ends at {}",
                self.path.display(),
                range.start,
                self.end
            )));
        }
        let (payload, previous, count) = (&mut self.payload, &mut self.previous, &mut self.count);
        block.try_for_each(|x| {
            let mut gap = x - *previous;
            while gap >= 0x80 {
                payload.push(gap as u8 | 0x80);
                gap >>= 7;
            }
            payload.push(gap as u8);
            *previous = x;
            *count += 1;
            Ok(())
        })?;
        self.end = range.end;
        // A block is also closed when a sync is due, so that a slow run loses little.
        let due = self.synced.elapsed() >= SYNC;
        if self.payload.len() >= PAYLOAD || due {
            self.write_block()?;
        }
        if due {
            self.sync()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small table with several blocks, and the positions that went into it.
    fn sample(path: &Path) -> Vec<u64> {
        let mut writer = TableWriter::create(path, "test").unwrap();
        let mut all = Vec::new();
        for block in 0..6_u64 {
            let positions: Vec<u64> = (0..50).map(|i| block * 100_000 + i * i * 40).collect();
            writer.accept(&ColdBlock::List { start: block * 100_000, len: 100_000, positions: &positions }).unwrap();
            writer.write_block().unwrap();
            all.extend(positions);
        }
        writer.finish().unwrap();
        all
    }

    fn read(table: &TableFile, range: Range<u64>) -> Vec<u64> {
        let mut found = Vec::new();
        table
            .visit(range, &mut |x| {
                found.push(x);
                Ok(())
            })
            .unwrap();
        found
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        let all = sample(&path);
        let (table, damage) = TableFile::open(&path).unwrap();
        assert_eq!((table.set(), table.blocks(), table.end(), damage), ("test", 6, 600_000, None));
        assert_eq!(table.size(), path.metadata().unwrap().len());
        for range in [0..600_000, 0..0, 5..6, 0..1, 99_999..200_001, 150_000..150_001, 599_999..600_000] {
            let expected: Vec<u64> = all.iter().copied().filter(|x| range.contains(x)).collect();
            assert_eq!(read(&table, range.clone()), expected);
            assert_eq!(table.count_within(range).unwrap(), expected.len() as u64);
        }
        assert!(table.is_cold(40).unwrap() && !table.is_cold(41).unwrap());
        assert!(table.is_cold(600_000).is_err());
    }

    /// Every byte of the file in turn is changed: the damage is recognised, and what is before it is kept.
    #[test]
    fn a_flipped_byte_is_recognised_wherever_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        let all = sample(&path);
        let bytes = std::fs::read(&path).unwrap();
        let (whole, _) = TableFile::open(&path).unwrap();
        let mut flips = 0;
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            std::fs::write(&path, &damaged).unwrap();
            flips += 1;
            let Ok((table, damage)) = TableFile::open(&path) else {
                assert!((at as u64) < whole.entries[0].offset, "byte {at}: only the header makes a file unreadable");
                continue;
            };
            let hit = whole.entries.iter().rposition(|entry| entry.offset <= at as u64).unwrap();
            let damage = damage.unwrap_or_else(|| panic!("byte {at} was not noticed"));
            assert_eq!((damage.reached, damage.offset), (hit as u64 * 100_000, whole.entries[hit].offset), "byte {at}");
            assert_eq!(read(&table, 0..table.end()), all[..hit * 50]);
        }
        assert!(flips > 200);
    }

    #[test]
    fn a_file_cut_anywhere_keeps_its_sound_part_and_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        let all = sample(&path);
        let bytes = std::fs::read(&path).unwrap();
        let (whole, _) = TableFile::open(&path).unwrap();
        for len in whole.entries[0].offset as usize..bytes.len() {
            std::fs::write(&path, &bytes[..len]).unwrap();
            let (table, damage) = TableFile::open(&path).unwrap();
            let sound = whole.entries.iter().filter(|e| e.offset + 37 + u64::from(e.payload) <= len as u64).count();
            assert_eq!(table.blocks(), sound, "cut at {len}");
            assert_eq!(damage.is_none(), table.size() == len as u64, "cut at {len}");
            if len % 17 == 0 {
                let mut writer = TableWriter::append(&table).unwrap();
                let rest: Vec<u64> = all[sound * 50..].to_vec();
                let start = table.end();
                writer.accept(&ColdBlock::List { start, len: 600_000 - start, positions: &rest }).unwrap();
                writer.finish().unwrap();
                let (table, damage) = TableFile::open(&path).unwrap();
                assert_eq!((damage, read(&table, 0..600_000)), (None, all.clone()));
            }
        }
    }

    #[test]
    fn two_runs_cannot_write_to_one_table() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        sample(&path);
        let (table, _) = TableFile::open(&path).unwrap();
        let first = TableWriter::append(&table).unwrap();
        assert!(TableWriter::append(&table).is_err());
        drop(first);
        assert!(TableWriter::append(&table).is_ok());
        assert!(TableWriter::create(&path, "test").is_err(), "a table is never overwritten");
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        for bytes in [&b""[..], b"nimsieve", b"0 0\n1 2\n2 5\n3 7\n4 10\n", &[0xff; 64]] {
            std::fs::write(&path, bytes).unwrap();
            assert!(matches!(TableFile::open(&path), Err(Error::Table(_))), "{bytes:?}");
        }
    }
}
