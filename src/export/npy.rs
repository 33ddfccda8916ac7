//! NumPy's NPY format, version 1.0: a short header in ASCII, then the numbers as they lie in memory.
//!
//! The header tells how many numbers follow, which is known only at the end; so the numbers go to an unnamed temporary
//! file first, and header and numbers to the target when it is finished.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

use super::{Output, Summary, Writer};
use crate::error::{Error, Result};

/// The header of a one-dimensional array, padded so that the numbers start at a multiple of 64 bytes.
fn header(kind: &str, len: u64) -> Vec<u8> {
    let mut dictionary = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({len},), }}");
    let padding = 63 - (10 + dictionary.len()) % 64;
    dictionary.push_str(&" ".repeat(padding));
    dictionary.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((dictionary.len() as u16).to_le_bytes());
    bytes.extend(dictionary.bytes());
    bytes
}

/// Numbers that wait for their header.
struct Spool {
    output: Output,
    waiting: BufWriter<File>,
}

impl Spool {
    fn begin(output: Output) -> Result<Self> {
        let file = tempfile::tempfile().map_err(|source| Error::io("a temporary file", source))?;
        Ok(Self { output, waiting: BufWriter::new(file) })
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.waiting.write_all(bytes).map_err(|source| Error::io("a temporary file", source))
    }

    /// Writes header and numbers, the numbers through `copy`.
    fn finish(self, header: &[u8], copy: impl FnOnce(&mut dyn Read, &mut Output) -> io::Result<()>) -> Result<()> {
        let Self { mut output, waiting } = self;
        let spooled = |source| Error::io("a temporary file", source);
        let mut file = waiting.into_inner().map_err(|error| spooled(error.into_error()))?;
        file.rewind().map_err(spooled)?;
        output.put(header)?;
        copy(&mut BufReader::with_capacity(1 << 16, file), &mut output)
            .map_err(|source| Error::io(output.name(), source))?;
        output.finish()
    }
}

fn copy_all(numbers: &mut dyn Read, output: &mut Output) -> io::Result<()> {
    io::copy(numbers, output).map(drop)
}

/// Positions, eight bytes each, signed as numpy's own integers are.
pub(super) struct Positions {
    spool: Spool,
}

impl Positions {
    pub(super) fn begin(output: Output) -> Result<Self> {
        Ok(Self { spool: Spool::begin(output)? })
    }
}

impl Writer for Positions {
    fn push(&mut self, _: u64, value: u64) -> Result<()> {
        let value = i64::try_from(value)
            .map_err(|_| Error::Format(format!("{value} passes the 63 bits of a position in an NPY file")))?;
        self.spool.put(&value.to_le_bytes())
    }

    fn finish(self: Box<Self>, summary: &Summary) -> Result<()> {
        self.spool.finish(&header("<i8", summary.count), copy_all)
    }
}

/// Nim-values: one byte each when all fit, else two.
pub(super) struct Values {
    spool: Spool,
    max: u64,
}

impl Values {
    pub(super) fn begin(output: Output) -> Result<Self> {
        Ok(Self { spool: Spool::begin(output)?, max: 0 })
    }
}

impl Writer for Values {
    fn push(&mut self, _: u64, value: u64) -> Result<()> {
        self.max = self.max.max(value);
        self.spool.put(&(value as u16).to_le_bytes())
    }

    fn finish(self: Box<Self>, summary: &Summary) -> Result<()> {
        if self.max > 255 {
            return self.spool.finish(&header("<u2", summary.count), copy_all);
        }
        // A single byte has no byte order: numpy itself writes `|u1`, and reads `<u1` as the same.
        self.spool.finish(&header("|u1", summary.count), |numbers, output| {
            let mut pairs = vec![0; 1 << 16];
            loop {
                let len = read_full(numbers, &mut pairs)?;
                if len == 0 {
                    return Ok(());
                }
                let narrow: Vec<u8> = pairs[..len].iter().step_by(2).copied().collect();
                output.write_all(&narrow)?;
            }
        })
    }
}

/// Fills the buffer as far as there is something to read.
fn read_full(numbers: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match numbers.read(&mut buffer[len..])? {
            0 => break,
            read => len += read,
        }
    }
    Ok(len)
}

/// Cold positions as bits: `ceil(n / 64)` words, least significant bit first.
pub(super) struct Bits {
    output: Output,
    words: u64,
    written: u64,
    current: u64,
}

impl Bits {
    pub(super) fn begin(mut output: Output, n: u64) -> Result<Self> {
        let words = n.div_ceil(64);
        output.put(&header("<u8", words))?;
        Ok(Self { output, words, written: 0, current: 0 })
    }

    /// Writes the words before word `index`.
    fn advance(&mut self, index: u64) -> Result<()> {
        while self.written < index {
            self.output.put(&std::mem::take(&mut self.current).to_le_bytes())?;
            self.written += 1;
        }
        Ok(())
    }
}

impl Writer for Bits {
    fn push(&mut self, _: u64, value: u64) -> Result<()> {
        self.advance(value / 64)?;
        self.current |= 1 << (value % 64);
        Ok(())
    }

    fn finish(mut self: Box<Self>, _: &Summary) -> Result<()> {
        self.advance(self.words)?;
        self.output.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_follow_the_format() {
        for len in [0, 1, 99_999_999_999] {
            let header = header("<i8", len);
            assert_eq!(header.len() % 64, 0);
            assert_eq!(&header[..8], b"\x93NUMPY\x01\x00");
            assert_eq!(usize::from(u16::from_le_bytes([header[8], header[9]])) + 10, header.len());
            assert_eq!(header.last(), Some(&b'\n'));
        }
    }
}
