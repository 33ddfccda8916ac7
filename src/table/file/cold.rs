//! Blocks of cold positions: their distances.

use std::ops::Range;

use super::frame::Entry;
use super::{Codec, ColdFile, ColdWriter, TableKind};
use crate::error::Result;
use crate::sink::{ColdBlock, ColdSink};
use crate::table::ColdPositions;

/// Blocks of cold positions.
///
/// A payload holds, for each cold position, its distance from the one before (the first: from the start of the block),
/// as LEB128: seven bits a byte, least significant first, the top bit set in all but the last. A gap between cold
/// positions of Subtract-a-Square takes two bytes up to 16,383, and larger ones are rare below 10^11.
#[derive(Debug, Default)]
pub struct Cold {
    payload: Vec<u8>,
    count: u64,
    /// The last position, or the start of the block.
    previous: u64,
}

impl Cold {
    pub(super) fn push(&mut self, x: u64) {
        let mut gap = x - self.previous;
        while gap >= 0x80 {
            self.payload.push(gap as u8 | 0x80);
            gap >>= 7;
        }
        self.payload.push(gap as u8);
        self.previous = x;
        self.count += 1;
    }
}

impl Codec for Cold {
    const KIND: TableKind = TableKind::Cold;
    // 30,000 bytes at the beginning of Subtract-a-Square, 4,000 at 10^11, 4 MiB at the very most.
    const BLOCK: u64 = 1 << 22;

    fn begin(&mut self, start: u64) {
        self.payload.clear();
        (self.count, self.previous) = (0, start);
    }

    fn reopen(&mut self, payload: &[u8], entry: &Entry) {
        self.payload = payload.to_vec();
        self.count = entry.count;
        self.previous = decode(payload, entry).and_then(|positions| positions.last().copied()).unwrap_or(entry.start);
    }

    fn payload(&self) -> (Vec<u8>, u64) {
        (self.payload.clone(), self.count)
    }

    fn is_sound(payload: &[u8], entry: &Entry) -> bool {
        decode(payload, entry).is_some()
    }
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

impl ColdPositions for ColdFile {
    fn end(&self) -> u64 {
        self.reached()
    }

    /// Reads the blocks that the range touches.
    fn visit(&self, range: Range<u64>, visit: &mut dyn FnMut(u64) -> Result<()>) -> Result<()> {
        self.read(range.clone(), |entry, payload| {
            let positions = decode(payload, entry).unwrap_or_default();
            positions.into_iter().filter(|x| range.contains(x)).try_for_each(&mut *visit)
        })
    }

    fn count_within(&self, range: Range<u64>) -> Result<u64> {
        super::super::check_range(&range, self.reached())?;
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

impl ColdSink for ColdWriter {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        let range = block.range();
        self.expect(range.start)?;
        block.try_for_each(|x| {
            self.fill_to(x)?;
            self.codec.push(x);
            Ok(())
        })?;
        self.fill_to(range.end)?;
        self.reach(range.end)?;
        self.settle()
    }
}

impl ColdWriter {
    /// Completes the blocks that end at or before `position`.
    fn fill_to(&mut self, position: u64) -> Result<()> {
        while self.limit() <= position {
            self.reach(self.limit())?;
        }
        Ok(())
    }
}
