//! What holds for every kind of table with blocks: each test runs for both.

use super::*;
use crate::sink::{ColdBlock, ColdSink, GrundyBlock, GrundySink, NimValues};
use crate::table::{ColdPositions, GrundyTable, GrundyValues};

/// A kind of blocks with a game of its own: three blocks, the last one not full, and short payloads.
trait Sample: Codec {
    const N: u64 = 2 * Self::BLOCK + 300;

    /// What a table of the positions in `range` holds.
    fn values(range: Range<u64>) -> Vec<u64>;
    fn put(writer: &mut TableWriter<Self>, range: Range<u64>) -> Result<()>;
    fn read(table: &TableFile<Self>, range: Range<u64>) -> Result<Vec<u64>>;
}

impl Sample for Cold {
    fn values(range: Range<u64>) -> Vec<u64> {
        let last = 2 * Self::BLOCK - 5;
        let all = (0..last).step_by(99_991).chain((last..).step_by(7));
        all.take_while(|&x| x < range.end).filter(|x| range.contains(x)).collect()
    }

    fn put(writer: &mut TableWriter<Self>, range: Range<u64>) -> Result<()> {
        let (start, len) = (range.start, range.end - range.start);
        writer.accept(&ColdBlock::List { start, len, positions: &Self::values(range) })
    }

    fn read(table: &TableFile<Self>, range: Range<u64>) -> Result<Vec<u64>> {
        let mut found = Vec::new();
        table.visit(range.clone(), &mut |x| {
            found.push(x);
            Ok(())
        })?;
        assert_eq!(table.count_within(range).unwrap(), found.len() as u64);
        Ok(found)
    }
}

impl Sample for Grundy {
    fn values(range: Range<u64>) -> Vec<u64> {
        // No bits in the first two blocks, nine in the last: a short file.
        range.map(|x| if x < 2 * Self::BLOCK { 0 } else { x * x / 7 % 450 }).collect()
    }

    fn put(writer: &mut TableWriter<Self>, range: Range<u64>) -> Result<()> {
        let start = range.start;
        let words: Vec<u16> = Self::values(range).into_iter().map(|value| value as u16).collect();
        let bytes: Vec<u8> = words.iter().filter_map(|&value| value.try_into().ok()).collect();
        // Both forms of a block, where the values allow it.
        let values = if bytes.len() == words.len() { NimValues::Bytes(&bytes) } else { NimValues::Words(&words) };
        writer.accept(&GrundyBlock { start, values })
    }

    fn read(table: &TableFile<Self>, range: Range<u64>) -> Result<Vec<u64>> {
        let mut found = GrundyTable::new("test".into());
        table.feed(range, &mut found)?;
        Ok(found.iter().map(u64::from).collect())
    }
}

/// A whole table, written at once.
fn sample<C: Sample>(path: &Path) -> Vec<u8> {
    let _ = std::fs::remove_file(path);
    let mut writer = TableWriter::<C>::create(path, "test").unwrap();
    C::put(&mut writer, 0..C::N).unwrap();
    writer.finish().unwrap();
    std::fs::read(path).unwrap()
}

fn open<C: Sample>(path: &Path) -> (TableFile<C>, Option<Damage>) {
    TableFile::open(path).unwrap()
}

/// Steps from one position to another.
fn cut_at(mut positions: Vec<u64>, start: u64, end: u64) -> Vec<Range<u64>> {
    positions.retain(|x| (start + 1..end).contains(x));
    positions.push(end);
    positions.sort_unstable();
    positions.dedup();
    positions.iter().scan(start, |from, &to| Some(std::mem::replace(from, to)..to)).collect()
}

/// Positions on both sides of where blocks end, and others.
fn edges<C: Sample>() -> Vec<u64> {
    let around = |x: u64| [x - 1, x, x + 1];
    [[1, 2, C::BLOCK / 3], around(C::BLOCK), around(2 * C::BLOCK - 4), around(2 * C::BLOCK), around(C::N - 8)].concat()
}

fn what_was_written_is_read<C: Sample>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    let bytes = sample::<C>(&path);
    let (table, damage) = open::<C>(&path);
    assert_eq!((table.set(), table.blocks(), table.reached(), damage), ("test", 3, C::N, None));
    assert_eq!((table.size(), TableKind::of_file(&path).unwrap()), (bytes.len() as u64, C::KIND));
    let edges = [vec![0, C::N], edges::<C>()].concat();
    for &start in &edges {
        for &end in edges.iter().filter(|&&end| end >= start) {
            assert!(C::read(&table, start..end).unwrap() == C::values(start..end), "{start}..{end}");
        }
    }
    assert!(matches!(C::read(&table, 5..C::N + 1), Err(Error::BeyondTable { .. })));
}

/// The bytes are the same in whatever pieces the positions come, and wherever the run was stopped or killed.
fn the_bytes_depend_on_nothing_but_the_positions<C: Sample>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    let whole = sample::<C>(&path);
    for (stop, kill) in [(false, false), (true, false), (true, true)] {
        std::fs::remove_file(&path).unwrap();
        let mut writer = TableWriter::<C>::create(&path, "test").unwrap();
        for range in cut_at(edges::<C>(), 0, C::N) {
            let end = range.end;
            C::put(&mut writer, range).unwrap();
            if stop {
                // What a sync does, and the rest of a killed run is lost; a stopped one finishes.
                writer.keep().unwrap();
                if kill {
                    drop(writer)
                } else {
                    writer.finish().unwrap()
                }
                let (table, damage) = open::<C>(&path);
                assert_eq!((table.reached(), damage), (end, None));
                assert!(C::read(&table, 0..end).unwrap() == C::values(0..end));
                writer = TableWriter::append(&table).unwrap();
                assert_eq!(writer.reached(), end);
            }
        }
        assert!(C::put(&mut writer, 0..1).is_err(), "a block out of turn");
        writer.finish().unwrap();
        assert!(std::fs::read(&path).unwrap() == whole, "{stop} {kill}");
    }
}

/// A table that is open for reading stays readable while a run goes on in it.
fn a_reader_bears_with_a_writer<C: Sample>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    let mut writer = TableWriter::<C>::create(&path, "test").unwrap();
    let reached = C::BLOCK + 50;
    C::put(&mut writer, 0..reached).unwrap();
    writer.finish().unwrap();
    let (table, _) = open::<C>(&path);
    let mut writer = TableWriter::append(&table).unwrap();
    C::put(&mut writer, reached..C::N).unwrap();
    assert!(C::read(&table, 5..reached).unwrap() == C::values(5..reached));
    assert!(C::read(&table, 0..reached + 1).is_err());
}

/// Every byte of the file in turn is changed: the damage is recognised, and what is before it is kept.
fn a_flipped_byte_is_recognised_wherever_it_is<C: Sample>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    let bytes = sample::<C>(&path);
    let (whole, _) = open::<C>(&path);
    let mut refused = 0;
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        std::fs::write(&path, &damaged).unwrap();
        let Ok((table, damage)) = TableFile::<C>::open(&path) else {
            refused += 1;
            assert!((at as u64) < whole.entries[0].offset, "byte {at}: only the header makes a file unreadable");
            continue;
        };
        let hit = whole.entries.iter().rposition(|entry| entry.offset <= at as u64).unwrap();
        let damage = damage.unwrap_or_else(|| panic!("byte {at} was not noticed"));
        assert_eq!((damage.reached, damage.offset), (whole.entries[hit].start, whole.entries[hit].offset), "byte {at}");
        assert_eq!(table.blocks(), hit);
    }
    assert_eq!(refused, whole.entries[0].offset);
}

fn a_file_cut_anywhere_keeps_its_sound_part_and_goes_on_to_the_same_bytes<C: Sample>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    let bytes = sample::<C>(&path);
    let (whole, _) = open::<C>(&path);
    let header = whole.entries[0].offset as usize;
    for len in 0..bytes.len() {
        std::fs::write(&path, &bytes[..len]).unwrap();
        if len < header {
            assert!(TableFile::<C>::open(&path).is_err(), "cut at {len}");
            continue;
        }
        let (table, damage) = open::<C>(&path);
        let sound = whole.entries.iter().filter(|entry| entry.offset + entry.size() <= len as u64).count();
        assert_eq!(table.blocks(), sound, "cut at {len}");
        assert_eq!(damage.is_none(), table.size() == len as u64, "cut at {len}");
        if len % 67 == 0 || damage.is_none() {
            let mut writer = TableWriter::append(&table).unwrap();
            C::put(&mut writer, table.reached()..C::N).unwrap();
            writer.finish().unwrap();
            assert!(std::fs::read(&path).unwrap() == bytes, "cut at {len}");
        }
    }
}

fn two_runs_cannot_write_to_one_table<C: Sample>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    sample::<C>(&path);
    let (table, _) = open::<C>(&path);
    let first = TableWriter::append(&table).unwrap();
    assert!(TableWriter::append(&table).is_err());
    drop(first);
    assert!(TableWriter::append(&table).is_ok());
    assert!(TableWriter::<C>::create(&path, "test").is_err(), "a table is never overwritten");
}

macro_rules! for_both_kinds {
    ($($name:ident)*) => {
        mod cold {
            $(#[test] fn $name() { super::$name::<super::Cold>() })*
        }
        mod grundy {
            $(#[test] fn $name() { super::$name::<super::Grundy>() })*
        }
    };
}

for_both_kinds! {
    what_was_written_is_read
    the_bytes_depend_on_nothing_but_the_positions
    a_reader_bears_with_a_writer
    a_flipped_byte_is_recognised_wherever_it_is
    a_file_cut_anywhere_keeps_its_sound_part_and_goes_on_to_the_same_bytes
    two_runs_cannot_write_to_one_table
}

/// The blocks of a table need not end where this program ends them.
#[test]
fn blocks_of_any_length_are_read_and_extended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    let mut bytes = frame::header(TableKind::Cold, "test");
    let ends = [0, 70_000, 5_000_000, 5_000_001, 8_000_000];
    for pair in ends.windows(2) {
        let mut blocks = Cold::default();
        blocks.begin(pair[0]);
        Cold::values(pair[0]..pair[1]).into_iter().for_each(|x| blocks.push(x));
        let (payload, count) = blocks.payload();
        bytes.extend(frame::block(pair[0], pair[1], count, &payload));
    }
    std::fs::write(&path, &bytes).unwrap();
    let (table, damage) = open::<Cold>(&path);
    assert_eq!((table.blocks(), table.reached(), damage), (4, 8_000_000, None));
    assert_eq!(Cold::read(&table, 0..8_000_000).unwrap(), Cold::values(0..8_000_000));
    let mut writer = TableWriter::append(&table).unwrap();
    Cold::put(&mut writer, 8_000_000..Cold::N).unwrap();
    writer.finish().unwrap();
    let (table, damage) = open::<Cold>(&path);
    assert_eq!((table.blocks(), table.reached(), damage), (5, Cold::N, None));
    assert_eq!(Cold::read(&table, 0..Cold::N).unwrap(), Cold::values(0..Cold::N));
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    for bytes in [&b""[..], b"nimsieve", b"0 0\n1 2\n2 5\n3 7\n4 10\n", &[0xff; 64]] {
        std::fs::write(&path, bytes).unwrap();
        assert!(matches!(ColdFile::open(&path), Err(Error::Table(_))), "{bytes:?}");
        assert!(matches!(GrundyFile::open(&path), Err(Error::Table(_))), "{bytes:?}");
        assert!(matches!(CounterFile::open(&path), Err(Error::Table(_))), "{bytes:?}");
        assert!(TableKind::of_file(&path).is_err());
    }
    sample::<Cold>(&path);
    let message = GrundyFile::open(&path).unwrap_err().to_string();
    assert!(message.contains("of cold positions, where one of nim-values"), "{message}");
    assert!(CounterFile::open(&path).is_err());
    sample::<Grundy>(&path);
    assert!(ColdFile::open(&path).is_err());
}

/// A block that is sound by its checksum and nonsense in itself takes no memory and is damage.
#[test]
fn a_block_that_contradicts_itself_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    for (end, zeros, payload) in [
        (u64::MAX, u64::MAX, &[0][..]),
        (5, 5, &[]),
        (5, 5, &[17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        (8, 7, &[1, 0]),
        (8, 8, &[1, 0, 0]),
        (9, 9, &[1, 0]),
    ] {
        let bytes = [frame::header(TableKind::Grundy, "test"), frame::block(0, end, zeros, payload)].concat();
        std::fs::write(&path, bytes).unwrap();
        let (table, damage) = GrundyFile::open(&path).unwrap();
        assert_eq!((table.blocks(), damage.unwrap().reached), (0, 0), "{end} {payload:?}");
    }
}
