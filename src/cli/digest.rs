//! A cheap digest of a run's answer, to compare answers without keeping them.

use crate::sink::{ColdBlock, ColdSink, GrundyBlock, GrundySink};

/// Digests cold positions or nim-values, so that answers can be compared without being kept.
///
/// A cryptographic hash of every position would take longer than some engines. This one takes whole words: 64 positions,
/// or four nim-values, at a time, whatever the blocks that they come in. It serves to tell answers apart that no
/// adversary made, and they differ unnoticed with a probability of about 2^-64.
#[derive(Default)]
pub(super) struct Digest {
    state: u64,
    /// Cold positions: the word under way and its index. Nim-values: the last up to three.
    word: u64,
    index: u64,
}

impl Digest {
    /// Mixes in one word, by a folded multiplication: both halves of the product matter.
    fn mix(&mut self, word: u64) {
        const KEY: u64 = 0x9e37_79b9_7f4a_7c15;
        const ODD: u64 = 0xd6e8_feb8_6659_fd93;
        let product = u128::from((self.state ^ word).wrapping_add(KEY)) * u128::from(ODD);
        self.state = (self.state.rotate_left(23) ^ word).wrapping_add((product as u64) ^ (product >> 64) as u64);
    }

    /// Takes 64 positions as bits, or some of them; indices do not fall.
    fn cold_word(&mut self, index: u64, bits: u64) {
        if index != self.index {
            self.flush();
            self.index = index;
        }
        self.word |= bits;
    }

    fn flush(&mut self) {
        let (index, word) = (self.index, std::mem::take(&mut self.word));
        if word != 0 {
            self.mix(index);
            self.mix(word);
        }
    }

    /// The digest, in hexadecimal.
    pub(super) fn finish(mut self) -> String {
        self.flush();
        format!("{:016x}", self.state)
    }
}

impl ColdSink for Digest {
    fn accept(&mut self, block: &ColdBlock<'_>) -> crate::Result<()> {
        match *block {
            ColdBlock::Bits { start, words, .. } => {
                for (index, &word) in (start / 64..).zip(words).filter(|(_, word)| **word != 0) {
                    self.cold_word(index, word);
                }
            }
            ColdBlock::List { positions, .. } => positions.iter().for_each(|x| self.cold_word(x / 64, 1 << (x % 64))),
        }
        Ok(())
    }
}

impl GrundySink for Digest {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> crate::Result<()> {
        for (x, value) in (block.start..).zip(block.values.iter()) {
            self.word = self.word << 16 | u64::from(value);
            if x % 4 == 3 {
                let word = std::mem::take(&mut self.word);
                self.mix(word);
            }
        }
        Ok(())
    }
}
