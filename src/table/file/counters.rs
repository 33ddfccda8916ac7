//! What is kept of a run that keeps no table: how often and where first each nim-value occurs, and what the engine needs
//! to go on.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::TableKind;
use super::frame::{self, Found, MAX_PAYLOAD, read_block, read_header};
use super::writer::SYNC;
use crate::error::{Error, Result};
use crate::export::Output;
use crate::grundy::{Engine, State};
use crate::sink::{GrundyBlock, GrundyCounter, GrundySink};

/// The counts of a run on disk, and the state of its engine.
///
/// The file is a header and one block from 0 to the position reached. The payload of the block:
///
/// ```text
/// u16 length of the engine's name  name
/// u32 number of nim-values         for each: u64 positions that have it  u64 the first of them, 2^64 - 1 for none
/// the state of the engine          all that is left; its own business
/// ```
///
/// The file is replaced whole: at every moment it is what some earlier moment of the run had reached. Two runs at once
/// cannot damage it; the later one prevails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterFile {
    set: String,
    counter: GrundyCounter,
    engine: Engine,
    state: State,
    len: u64,
}

impl CounterFile {
    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Table`] when the file is no table, of another kind, or damaged;
    /// [`Error::UnknownEngine`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let failed = |source| Error::io(path, source);
        let damaged = |what: &str| {
            Error::Table(format!(
                "{}: {what}; a file of counts is sound as a whole or not at all, start anew",
                path.display()
            ))
        };
        let mut file = BufReader::with_capacity(1 << 18, File::open(path).map_err(failed)?);
        let header = read_header(path, &mut file)?.expect(path, TableKind::Counters)?;
        let (entry, payload) = match read_block(&mut file).map_err(failed)? {
            Found::Block { entry, payload } => (entry, payload),
            Found::End => return Err(damaged("the file is cut behind its header")),
            Found::Damage(what) => return Err(damaged(what)),
        };
        if file.read(&mut [0]).map_err(failed)? != 0 {
            return Err(damaged("there is something behind its block"));
        }
        let (engine, counter, bytes) =
            decode(&payload).ok_or_else(|| damaged("the block does not follow the format"))?;
        if entry.start != 0
            || counter.histogram().iter().sum::<u64>() != entry.end
            || counter.histogram().first() != Some(&entry.count)
        {
            return Err(damaged("the block contradicts itself"));
        }
        let state = State { reached: entry.end, bytes: bytes.to_vec() };
        Ok(Self { set: header.set, counter, engine: engine.parse()?, state, len: header.len + entry.size() })
    }

    /// The set in canonical form.
    pub fn set(&self) -> &str {
        &self.set
    }

    /// What was counted of the positions below [`State::reached`].
    pub fn counter(&self) -> &GrundyCounter {
        &self.counter
    }

    /// The engine whose state it is.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// What the engine needs to go on.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Bytes of the file.
    pub fn size(&self) -> u64 {
        self.len
    }

    /// The version of the format.
    pub fn version(&self) -> u16 {
        frame::VERSION
    }
}

fn encode(engine: Engine, counter: &GrundyCounter, state: &[u8]) -> Vec<u8> {
    let name = engine.name().as_bytes();
    let mut payload = Vec::with_capacity(6 + name.len() + 16 * counter.histogram().len() + state.len());
    payload.extend((name.len() as u16).to_le_bytes());
    payload.extend(name);
    payload.extend((counter.histogram().len() as u32).to_le_bytes());
    for (count, first) in counter.histogram().iter().zip(counter.first_occurrences()) {
        payload.extend(count.to_le_bytes());
        payload.extend(first.unwrap_or(u64::MAX).to_le_bytes());
    }
    payload.extend(state);
    payload
}

/// The engine's name, the counts, and the state.
fn decode(payload: &[u8]) -> Option<(&str, GrundyCounter, &[u8])> {
    let (len, rest) = payload.split_first_chunk()?;
    let (name, rest) = rest.split_at_checked(u16::from_le_bytes(*len).into())?;
    let (len, rest) = rest.split_first_chunk()?;
    let (pairs, state) = rest.split_at_checked((u32::from_le_bytes(*len) as usize).checked_mul(16)?)?;
    let pairs = pairs.as_chunks::<16>().0.iter().map(|pair| {
        let number = |at: usize| u64::from_le_bytes(pair[at..at + 8].try_into().expect("eight bytes"));
        (number(0), Some(number(8)).filter(|&first| first != u64::MAX))
    });
    Some((std::str::from_utf8(name).ok()?, GrundyCounter::from_pairs(pairs)?, state))
}

/// A sink that counts nim-values, and keeps the counts in a file along with the state that the engine offers.
///
/// ```
/// use nimsieve::grundy::Engine;
/// use nimsieve::sink::{GrundyBlock, GrundySink, NimValues};
/// use nimsieve::table::{CounterFile, CounterWriter};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("counts");
/// let mut writer = CounterWriter::create(&path, "squares", Engine::Flags)?;
/// writer.accept(&GrundyBlock { start: 0, values: NimValues::Bytes(&[0, 1, 0, 1, 2]) })?;
/// writer.offer_state(&|| b"whatever the engine needs".to_vec(), true)?;
/// let file = CounterFile::open(&path)?;
/// assert_eq!((file.counter().histogram(), file.state().reached), (&[2, 2, 1][..], 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CounterWriter {
    path: PathBuf,
    set: String,
    engine: Engine,
    counter: GrundyCounter,
    /// The positions below this are counted.
    reached: u64,
    /// What the file holds reaches to here.
    kept: u64,
    saved: Instant,
}

impl CounterWriter {
    /// Begins to count nim-values of the set with this canonical name, for an engine that offers its state.
    ///
    /// # Errors
    /// [`Error::Io`] when there is a file of that name already, or it cannot be written; [`Error::Table`] when the name is
    /// that of no regular file.
    pub fn create(path: impl AsRef<Path>, set: &str, engine: Engine) -> Result<Self> {
        let path = path.as_ref();
        if path.exists() {
            return Err(Error::io(path, std::io::ErrorKind::AlreadyExists.into()));
        }
        let writer = Self {
            path: path.into(),
            set: set.into(),
            engine,
            counter: GrundyCounter::default(),
            reached: 0,
            kept: 0,
            saved: Instant::now(),
        };
        writer.output()?;
        Ok(writer)
    }

    /// Goes on counting where a file ended.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn resume(path: impl AsRef<Path>, file: &CounterFile) -> Result<Self> {
        let reached = file.state.reached;
        let writer = Self {
            path: path.as_ref().into(),
            set: file.set.clone(),
            engine: file.engine,
            counter: file.counter.clone(),
            reached,
            kept: reached,
            saved: Instant::now(),
        };
        writer.output()?;
        Ok(writer)
    }

    /// The file that is to replace the one there is. What is dropped leaves nothing behind.
    fn output(&self) -> Result<Output> {
        let output = Output::create(&self.path)?;
        if !output.is_file() {
            return Err(Error::Table(format!("{} is no regular file; give another name", self.path.display())));
        }
        Ok(output)
    }

    /// What was counted.
    pub fn counter(&self) -> &GrundyCounter {
        &self.counter
    }

    /// The positions below this are counted, and in the file.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    fn save(&mut self, state: &[u8]) -> Result<()> {
        let payload = encode(self.engine, &self.counter, state);
        if payload.len() > MAX_PAYLOAD as usize {
            return Err(Error::Table(format!(
                "{}: the state of the engine takes {} bytes, and the file holds {MAX_PAYLOAD}; keep the values with --table",
                self.path.display(),
                payload.len()
            )));
        }
        let cold = self.counter.histogram().first().copied().unwrap_or(0);
        let mut output = self.output()?;
        output.put(&frame::header(TableKind::Counters, &self.set))?;
        output.put(&frame::block(0, self.reached, cold, &payload))?;
        output.finish()?;
        (self.kept, self.saved) = (self.reached, Instant::now());
        Ok(())
    }
}

impl GrundySink for CounterWriter {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        if block.start != self.reached {
            return Err(Error::Table(format!(
                "{}: a block from {} was handed to counts that end at {}",
                self.path.display(),
                block.start,
                self.reached
            )));
        }
        self.reached += block.values.len() as u64;
        self.counter.accept(block)
    }

    fn offer_state(&mut self, state: &dyn Fn() -> Vec<u8>, last: bool) -> Result<()> {
        if self.kept < self.reached && (last || self.saved.elapsed() >= SYNC) { self.save(&state()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::NimValues;

    /// Counts of a few values, with a state that nobody understands.
    fn sample(path: &Path) {
        let mut writer = CounterWriter::create(path, "test", Engine::Flags).unwrap();
        writer.accept(&GrundyBlock { start: 0, values: NimValues::Words(&[0, 300, 1, 0, 2]) }).unwrap();
        writer.offer_state(&|| panic!("no state is wanted so soon"), false).unwrap();
        assert!(!path.exists());
        writer.offer_state(&|| vec![7; 20], true).unwrap();
    }

    #[test]
    fn counts_go_on_where_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        sample(&path);
        assert_eq!(TableKind::of_file(&path).unwrap(), TableKind::Counters);
        let file = CounterFile::open(&path).unwrap();
        assert_eq!((file.set(), file.engine(), file.size()), ("test", Engine::Flags, path.metadata().unwrap().len()));
        assert_eq!(*file.state(), State { reached: 5, bytes: vec![7; 20] });
        assert_eq!(file.counter().max(), Some((300, 1)));
        assert_eq!(file.counter().first_occurrences()[..5], [Some(0), Some(2), Some(4), None, None]);
        let mut writer = CounterWriter::resume(&path, &file).unwrap();
        assert!(writer.accept(&GrundyBlock { start: 4, values: NimValues::Bytes(&[9]) }).is_err(), "counted already");
        writer.accept(&GrundyBlock { start: 5, values: NimValues::Bytes(&[3, 0]) }).unwrap();
        writer.offer_state(&|| vec![8], true).unwrap();
        let file = CounterFile::open(&path).unwrap();
        assert_eq!((file.state().reached, &file.state().bytes[..], file.counter().histogram()[0]), (7, &[8][..], 3));
        assert_eq!(file.counter().first_occurrences()[3], Some(5));
        // The same in one go.
        let other = folder.path().join("other");
        let mut writer = CounterWriter::create(&other, "test", Engine::Flags).unwrap();
        writer.accept(&GrundyBlock { start: 0, values: NimValues::Words(&[0, 300, 1, 0, 2, 3, 0]) }).unwrap();
        writer.offer_state(&|| vec![8], true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&other).unwrap());
        assert!(CounterWriter::create(&path, "test", Engine::Flags).is_err(), "what is there is not overwritten");
    }

    #[test]
    fn a_damaged_file_is_refused_wherever_it_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        sample(&path);
        let bytes = std::fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            std::fs::write(&path, &damaged).unwrap();
            assert!(matches!(CounterFile::open(&path), Err(Error::Table(_))), "byte {at}");
            std::fs::write(&path, &bytes[..at]).unwrap();
            assert!(matches!(CounterFile::open(&path), Err(Error::Table(_))), "cut at {at}");
        }
        std::fs::write(&path, [&bytes[..], b"\0"].concat()).unwrap();
        assert!(CounterFile::open(&path).is_err(), "one byte too many");
    }
}
