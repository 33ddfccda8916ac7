//! What all table files are made of: a header and framed blocks with checksums, whatever the blocks hold.

use std::io::{ErrorKind, Read, Result as IoResult};
use std::path::Path;

use super::TableKind;
use crate::error::{Error, Result};

pub(super) const VERSION: u16 = 1;
const MAGIC: &[u8; 8] = b"nimsieve";
const BLOCK_MAGIC: &[u8; 5] = b"block";
/// Bytes of a block in front of its payload.
const BLOCK_HEAD: usize = 5 + 3 * 8 + 4;
/// Bytes of a checksum.
const CHECKSUM: usize = 4;
/// A payload that claims to be longer than this is damaged.
pub(super) const MAX_PAYLOAD: u32 = 1 << 28;
/// The longest name of a set.
const MAX_NAME: u32 = 1 << 20;

/// Where a block stands in the file, and what it covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(super) offset: u64,
    pub(super) payload: u32,
    pub(super) start: u64,
    pub(super) end: u64,
    /// Cold positions in the block.
    pub(super) count: u64,
}

impl Entry {
    /// Bytes of the whole block.
    pub(super) fn size(&self) -> u64 {
        (BLOCK_HEAD + CHECKSUM) as u64 + u64::from(self.payload)
    }
}

/// What the head of a file tells.
pub(super) struct Header {
    pub(super) kind: TableKind,
    /// The set in canonical form.
    pub(super) set: String,
    /// Bytes of the header.
    pub(super) len: u64,
}

impl Header {
    /// The header, if the file is of this kind.
    pub(super) fn expect(self, path: &Path, kind: TableKind) -> Result<Self> {
        if self.kind == kind {
            return Ok(self);
        }
        Err(Error::Table(format!(
            "{}: a table of {}, where one of {kind} was expected; give another name",
            path.display(),
            self.kind
        )))
    }
}

/// The header of a new file.
pub(super) fn header(kind: TableKind, set: &str) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.extend(kind.number().to_le_bytes());
    header.extend((set.len() as u32).to_le_bytes());
    header.extend(set.as_bytes());
    header.extend(checksum_of(&[&header]).to_le_bytes());
    header
}

pub(super) fn read_header(path: &Path, file: &mut impl Read) -> Result<Header> {
    let refused = |why: String| Error::Table(format!("{}: {why}", path.display()));
    let mut head = [0; 16];
    let mut name = Vec::new();
    let mut checksum = [0; CHECKSUM];
    let mut read = || -> IoResult<bool> {
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
    let (version, number) = (u16::from_le_bytes([head[8], head[9]]), u16::from_le_bytes([head[10], head[11]]));
    let kind = TableKind::ALL.iter().find(|(known, _)| *known == number).map(|&(_, kind)| kind);
    let Some(kind) = kind.filter(|_| version == VERSION) else {
        return Err(refused(format!(
            "a table of version {version} and kind {number}; this program reads version {VERSION} and kinds 1 to {}",
            TableKind::ALL.len()
        )));
    };
    let len = (head.len() + name.len() + CHECKSUM) as u64;
    let set = String::from_utf8(name).map_err(|_| refused("the name of the set is no text".into()))?;
    Ok(Header { kind, set, len })
}

fn checksum_of(parts: &[&[u8]]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

/// A whole block. The payload is at most [`MAX_PAYLOAD`] bytes.
pub(super) fn block(start: u64, end: u64, count: u64, payload: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(BLOCK_HEAD + payload.len() + CHECKSUM);
    block.extend(BLOCK_MAGIC);
    for number in [start, end, count] {
        block.extend(number.to_le_bytes());
    }
    block.extend((payload.len() as u32).to_le_bytes());
    block.extend(payload);
    block.extend(checksum_of(&[&block]).to_le_bytes());
    block
}

/// What stands where a block may begin.
pub(super) enum Found {
    /// A block whose checksum is right. Its offset is not known here.
    Block {
        entry: Entry,
        payload: Vec<u8>,
    },
    End,
    Damage(&'static str),
}

pub(super) fn read_block(file: &mut impl Read) -> IoResult<Found> {
    let mut head = [0; BLOCK_HEAD];
    match read_full(file, &mut head)? {
        0 => return Ok(Found::End),
        BLOCK_HEAD => {}
        _ => return Ok(Found::Damage("the file is cut in the head of a block")),
    }
    let number = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("eight bytes"));
    let payload = u32::from_le_bytes(head[29..33].try_into().expect("four bytes"));
    let entry = Entry { offset: 0, payload, start: number(5), end: number(13), count: number(21) };
    if &head[..5] != BLOCK_MAGIC || payload > MAX_PAYLOAD || entry.start >= entry.end {
        return Ok(Found::Damage("the head of a block is damaged"));
    }
    let mut rest = Vec::new();
    file.take(u64::from(payload) + CHECKSUM as u64).read_to_end(&mut rest)?;
    if rest.len() < payload as usize + CHECKSUM {
        return Ok(Found::Damage("the file is cut inside a block"));
    }
    let checksum = rest.split_off(payload as usize);
    if checksum != checksum_of(&[&head, &rest]).to_le_bytes() {
        return Ok(Found::Damage("the checksum of a block is wrong"));
    }
    Ok(Found::Block { entry, payload: rest })
}

/// Reads as many bytes as there are, up to the buffer's length.
fn read_full(file: &mut impl Read, buffer: &mut [u8]) -> IoResult<usize> {
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
