//! A row of bits with zeros on both sides, so that a window may hang over its ends.

use super::windows::{STRIP, STRIP_WORDS};
use crate::error::Result;
use crate::run::try_vec;

/// Bits 0 to n - 1 in 64-bit words, least significant first, with at least one strip of zeros before bit 0 and one
/// behind the last. Memory: n / 8 bytes and about 2 KiB.
#[derive(Debug)]
pub struct PaddedBits {
    words: Vec<u64>,
}

impl PaddedBits {
    /// Zero words in front of bit 0: a whole strip and one word, so that any window of a strip that touches a bit exists.
    const FRONT: usize = STRIP_WORDS + 1;

    /// Makes `n` zero bits, rounded up to whole strips.
    ///
    /// # Errors
    /// [`crate::Error::Memory`] when the system refuses the memory.
    pub fn zeros(what: &'static str, n: u64) -> Result<Self> {
        let words = n.div_ceil(STRIP).saturating_add(1).saturating_mul(STRIP_WORDS as u64);
        Ok(Self { words: try_vec(what, words.saturating_add(Self::FRONT as u64 + 1), 0)? })
    }

    /// The words from bit 0 on, the zeros behind included.
    pub fn words(&self) -> &[u64] {
        &self.words[Self::FRONT..]
    }

    /// The words from bit 0 on, for writing.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words[Self::FRONT..]
    }

    /// Sets one bit.
    pub fn set(&mut self, bit: u64) {
        self.words_mut()[(bit / 64) as usize] |= 1 << (bit % 64);
    }

    /// Reads one bit.
    pub fn get(&self, bit: u64) -> bool {
        self.words()[(bit / 64) as usize] >> (bit % 64) & 1 == 1
    }

    /// All words, and where bit 0 stands among their bits.
    pub(super) fn padded(&self) -> (&[u64], u64) {
        (&self.words, Self::FRONT as u64 * 64)
    }
}
