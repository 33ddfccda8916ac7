//! What a run that keeps no table needs to go on.
//!
//! The lists up to where they were learnt for the last time are learnt again, in a fraction of a second. What is kept is
//! what was added to them after that, and the last 64 numbers of each class before the last segment.

use super::segment::History;
use super::structure::Structure;

/// The version of the form below.
const VERSION: u8 = 1;

/// Where a run is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Saved {
    pub(super) structure: Structure,
    /// The block at which the lists were learnt for the last time.
    pub(super) learnt: u64,
    /// The first block to decide.
    pub(super) block: u64,
    /// The history before that block.
    pub(super) history: History,
    /// What was added to the lists behind `learnt`, value and heap.
    pub(super) strays: Vec<(usize, u64)>,
}

impl Saved {
    /// Whether a run that has learnt what `other` says can go on from here. With a larger n a set may occupy more
    /// residues, and then it has to start anew.
    pub(super) fn goes_on(&self, other: &Self) -> bool {
        self.structure == other.structure && self.learnt == other.learnt
    }

    /// Writes down everything, little-endian: the version; the modulus, a byte for each residue, and the exceptions; the
    /// two blocks; the history; the strays. Lists are led by their lengths.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        let mut put = |number: u64| bytes.extend(number.to_le_bytes());
        put(self.structure.modulus as u64);
        self.structure.occupied.iter().for_each(|&occupied| put(occupied.into()));
        put(self.structure.exceptions.len() as u64);
        self.structure.exceptions.iter().for_each(|&s| put(s));
        put(self.learnt);
        put(self.block);
        put(self.history.words().len() as u64);
        self.history.words().iter().flatten().for_each(|&word| put(word));
        put(self.strays.len() as u64);
        self.strays.iter().for_each(|&(value, heap)| {
            put(value as u64);
            put(heap);
        });
        bytes
    }

    /// Reads what [`Self::to_bytes`] wrote; `None` for anything else.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&version, rest) = bytes.split_first()?;
        let (numbers, more) = rest.as_chunks::<8>();
        if version != VERSION || !more.is_empty() {
            return None;
        }
        let mut numbers = numbers.iter().map(|number| u64::from_le_bytes(*number));
        let mut take = |count: u64| -> Option<Vec<u64>> {
            let count = usize::try_from(count).ok().filter(|&count| count <= bytes.len() / 8)?;
            let taken: Vec<u64> = numbers.by_ref().take(count).collect();
            (taken.len() == count).then_some(taken)
        };
        let modulus = take(1)?[0];
        let occupied: Vec<bool> = take(modulus)?.into_iter().map(|occupied| occupied == 1).collect();
        let exceptions = take(1)?[0];
        let exceptions = take(exceptions)?;
        let blocks = take(2)?;
        let classes = take(1)?[0];
        let words = take(classes.checked_mul(modulus)?)?;
        let strays = take(1)?[0];
        let strays = take(strays.checked_mul(2)?)?;
        if modulus == 0 || numbers.next().is_some() {
            return None;
        }
        Some(Self {
            structure: Structure { modulus: modulus as usize, occupied, exceptions },
            learnt: blocks[0],
            block: blocks[1],
            history: History::of_words(words.chunks(modulus as usize).map(<[u64]>::to_vec).collect()),
            strays: strays.chunks(2).map(|pair| (pair[0] as usize, pair[1])).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let structure =
            Structure { modulus: 6, occupied: vec![false, true, false, false, false, true], exceptions: vec![2, 3] };
        let history = History::of_words(vec![vec![1, 2, 3, 4, 5, u64::MAX], vec![0; 6]]);
        let saved = Saved { structure, learnt: 70, block: 90, history, strays: vec![(3, 4_000_000), (11, 5_000_000)] };
        let bytes = saved.to_bytes();
        assert_eq!(Saved::from_bytes(&bytes).as_ref(), Some(&saved));
        for len in 0..bytes.len() {
            assert_eq!(Saved::from_bytes(&bytes[..len]), None, "cut at {len}");
        }
        assert_eq!(Saved::from_bytes(&[&bytes[..], &[0; 8]].concat()), None);
        assert_eq!(Saved::from_bytes(&[2]), None);
    }
}
