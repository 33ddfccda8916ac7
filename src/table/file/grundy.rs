//! Blocks of nim-values: as many bits a position as the largest value of the block needs.

use std::ops::Range;

use super::frame::Entry;
use super::{Codec, GrundyFile, GrundyWriter, TableKind};
use crate::error::Result;
use crate::sink::{GrundyBlock, GrundySink, NimValues};
use crate::table::GrundyValues;

/// Blocks of nim-values.
///
/// A payload is a byte that tells the bits b of a value, 0 to 16, as few as the largest value of the block needs, and
/// then the values, b bits each, least significant first, without gaps: value i takes the bits from i b on, and the last
/// byte is filled up with zeros. A block holds at most 2^16 positions. Below 2^24 the nim-values of Subtract-a-Square
/// take nine bits, those of the primes four.
#[derive(Debug, Default)]
pub struct Grundy {
    values: Vec<u16>,
}

impl Grundy {
    /// The longest payload: every value of two bytes.
    #[cfg(test)]
    const LARGEST: usize = 1 + 2 * Self::BLOCK as usize;

    fn extend(&mut self, values: NimValues<'_>) {
        match values {
            NimValues::Bytes(values) => self.values.extend(values.iter().map(|&value| u16::from(value))),
            NimValues::Words(values) => self.values.extend_from_slice(values),
        }
    }
}

impl Codec for Grundy {
    const KIND: TableKind = TableKind::Grundy;
    const BLOCK: u64 = 1 << 16;

    fn begin(&mut self, _: u64) {
        self.values.clear();
    }

    fn reopen(&mut self, payload: &[u8], entry: &Entry) {
        if let Some(values) = Decoded::new(payload, entry) {
            self.extend(values.all());
        }
    }

    fn payload(&self) -> (Vec<u8>, u64) {
        let zeros = self.values.iter().filter(|&&value| value == 0).count() as u64;
        (pack(&self.values), zeros)
    }

    fn is_sound(payload: &[u8], entry: &Entry) -> bool {
        Decoded::new(payload, entry).is_some()
    }
}

/// Values that share a group: b bits each are b bytes.
const GROUP: usize = 8;

/// The payload of a block.
fn pack(values: &[u16]) -> Vec<u8> {
    // All bits that occur need as many bits as the largest value.
    let bits = (u16::BITS - values.iter().fold(0, |all, value| all | value).leading_zeros()) as usize;
    let mut payload = Vec::with_capacity(1 + (values.len() * bits).div_ceil(8));
    payload.push(bits as u8);
    for group in values.chunks(GROUP) {
        // Four values fit eight bytes.
        let half = |values: &[u16]| values.iter().rev().fold(0_u64, |word, &value| word << bits | u64::from(value));
        let (low, high) = group.split_at(group.len().min(GROUP / 2));
        let word = u128::from(half(low)) | u128::from(half(high)) << (GROUP / 2 * bits);
        payload.extend_from_slice(&word.to_le_bytes()[..(group.len() * bits).div_ceil(8)]);
    }
    payload
}

/// The first `len` values of `bits` bits each; `bytes` holds that many.
fn unpack<V>(bytes: &[u8], bits: usize, len: usize, value: impl Fn(u64) -> V) -> Vec<V> {
    if bits == 0 {
        return (0..len).map(|_| value(0)).collect();
    }
    let mask = (1 << bits) - 1;
    let mut values = Vec::with_capacity(len + GROUP);
    for group in bytes.chunks(bits) {
        let mut word = [0; 16];
        word[..group.len()].copy_from_slice(group);
        let word = u128::from_le_bytes(word);
        for mut half in [word as u64, (word >> (GROUP / 2 * bits)) as u64] {
            for _ in 0..GROUP / 2 {
                values.push(value(half & mask));
                // Sixteen bits at most, four times.
                half >>= bits;
            }
        }
    }
    values.truncate(len);
    values
}

/// The values of a block, in bytes where they fit.
enum Decoded {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

impl Decoded {
    /// The values of a payload, if it is what its head says.
    fn new(payload: &[u8], entry: &Entry) -> Option<Self> {
        let (&bits, bytes) = payload.split_first()?;
        let (bits, len) = (usize::from(bits), entry.end - entry.start);
        if bits > u16::BITS as usize || len > Grundy::BLOCK || bytes.len() != (len as usize * bits).div_ceil(8) {
            return None;
        }
        let (values, zeros) = if bits <= u8::BITS as usize {
            let values = unpack(bytes, bits, len as usize, |value| value as u8);
            let zeros = values.iter().filter(|&&value| value == 0).count();
            (Self::Bytes(values), zeros)
        } else {
            let values = unpack(bytes, bits, len as usize, |value| value as u16);
            let zeros = values.iter().filter(|&&value| value == 0).count();
            (Self::Words(values), zeros)
        };
        (zeros as u64 == entry.count).then_some(values)
    }

    fn all(&self) -> NimValues<'_> {
        match self {
            Self::Bytes(values) => NimValues::Bytes(values),
            Self::Words(values) => NimValues::Words(values),
        }
    }
}

impl GrundyValues for GrundyFile {
    fn end(&self) -> u64 {
        self.reached()
    }

    /// Reads the blocks that the range touches.
    fn feed(&self, range: Range<u64>, sink: &mut dyn GrundySink) -> Result<()> {
        self.read(range.clone(), |entry, payload| {
            let Some(decoded) = Decoded::new(payload, entry) else { return Ok(()) };
            let start = range.start.max(entry.start);
            let part = start - entry.start..range.end.min(entry.end) - entry.start;
            let values = decoded.all().slice(part.start as usize..part.end as usize);
            sink.accept(&GrundyBlock { start, values })
        })
    }
}

impl GrundySink for GrundyWriter {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        self.expect(block.start)?;
        let end = block.start + block.values.len() as u64;
        let mut start = block.start;
        while start < end {
            let until = self.limit().min(end);
            let part = (start - block.start) as usize..(until - block.start) as usize;
            self.codec.extend(block.values.slice(part));
            self.reach(until)?;
            start = until;
        }
        self.settle()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_any_width_and_number_are_packed_and_unpacked() {
        let mut state = 1_u64;
        for bits in 0..=16 {
            for len in [0_usize, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 1000, 65_536] {
                let mut values: Vec<u16> = Vec::with_capacity(len);
                for _ in 0..len {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    values.push(((state >> 40) & ((1 << bits) - 1)) as u16);
                }
                // The width is that of the largest value.
                if let (Some(last), 1..) = (values.last_mut(), bits) {
                    *last |= 1 << (bits - 1);
                }
                let payload = pack(&values);
                let bits = if len == 0 { 0 } else { bits };
                assert_eq!((usize::from(payload[0]), payload.len()), (bits, 1 + (len * bits).div_ceil(8)));
                assert!(payload.len() <= Grundy::LARGEST);
                // Bit by bit, as the format says.
                for (i, &value) in values.iter().enumerate() {
                    for bit in 0..bits {
                        let at = i * bits + bit;
                        assert_eq!(payload[1 + at / 8] >> (at % 8) & 1, (value >> bit & 1) as u8);
                    }
                }
                assert_eq!(unpack(&payload[1..], bits, len, |value| value as u16), values);
            }
        }
    }
}
