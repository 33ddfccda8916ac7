//! Strips: 4096 positions decided together, by word operations. What `sieve` and `divide` have in common.
//!
//! A position x is hot if and only if x - s is cold for some element s. For the strip of positions from x on, the
//! positions made hot by one s are the window of the cold table at x - s, and the positions made hot by one cold c are
//! the window of the set's indicator at x - c; so a strip is an OR of windows ([`crate::kernel::or_windows`]), taken
//! over whichever is the shorter list. Last come the moves that stay inside the strip, from each cold position in
//! increasing order.
//!
//! *Frontier.* A window at x - s may be used once all of it is decided. While everything below a frontier f is decided,
//! the elements s >= x - f + 4096 have windows that end below f. So as the frontier moves from f to g, each strip needs
//! just the elements in `x - g + 4096 .. x - f + 4096`, and a block of strips can be served together, in parallel. When
//! the strip itself is next (g = x) the remaining windows, s from 1 to x - f + 4095, hang over into the strip, whose own
//! table words are still 0 and add nothing.
//!
//! Cost: |S below n| / 512 vector operations a position by elements, or c(n) / 512 by cold positions.

use std::ops::{Range, RangeInclusive};

use rayon::prelude::*;

use crate::error::Result;
use crate::kernel::{Cpu, PaddedBits, STRIP, STRIP_WORDS, Shifts, or_windows};
use crate::run::Control;
use crate::set::{SubtractionSet, visit_below};
use crate::sink::try_for_each_bit;

/// Bits over which the shifts of a chunk may spread: half a MiB of the source, which with what the group of strips adds
/// stays in a second-level cache while every strip of the group goes over it. Windows of neighbouring shifts overlap as
/// soon as the group is longer than their distance, and then most of what is read is in the cache already.
const SPREAD: u64 = 1 << 22;
/// Shifts of a chunk, at least and at most: fewer store the accumulators more often than they OR.
const CHUNK: RangeInclusive<usize> = 16..=256;
/// Strips of a group, at most. More leave fewer tasks for the threads, fewer have less overlap.
const GROUP: usize = 128;
/// Windows that are taken on one thread: for fewer, to call others costs more than they help.
const ALONE: usize = 1 << 12;
/// Strips of a sub-block: the unit in which a block is solved in order.
const SUB_BLOCK: u64 = 16 * STRIP;

/// The hot bits of a strip.
type Strip = [u64; STRIP_WORDS];

/// Which list the windows are taken over.
#[derive(Debug)]
enum Source {
    /// Over the elements of the set, from the table of cold positions.
    Elements(Shifts),
    /// Over the cold positions found so far, from the indicator of the set.
    Cold { indicator: PaddedBits, cold: Shifts },
}

/// How the moves inside a strip are made.
#[derive(Debug)]
enum Near {
    /// One by one: the elements below [`STRIP`].
    Few(Vec<u64>),
    /// As words: the indicator of those elements.
    Many(Box<Strip>),
}

impl Near {
    /// From this many elements below [`STRIP`] on, OR-ing 64 words is cheaper than setting single bits.
    const MANY: usize = 48;

    fn new(elements: &[u64]) -> Self {
        let near = &elements[..elements.partition_point(|&s| s < STRIP)];
        if near.len() < Self::MANY {
            return Self::Few(near.to_vec());
        }
        let mut words = Box::new([0; STRIP_WORDS]);
        for s in near {
            words[(s / 64) as usize] |= 1 << (s % 64);
        }
        Self::Many(words)
    }

    /// Makes hot what lies one move above the cold position at `offset` in the strip.
    fn mark(&self, hot: &mut Strip, offset: usize) {
        match self {
            Self::Few(elements) => {
                for s in elements {
                    let target = offset + *s as usize;
                    if target >= STRIP as usize {
                        break;
                    }
                    hot[target / 64] |= 1 << (target % 64);
                }
            }
            Self::Many(indicator) => {
                let (word, bit) = (offset / 64, offset % 64);
                let mut carried = 0;
                for (h, &w) in hot[word..].iter_mut().zip(indicator.iter()) {
                    *h |= w << bit | carried;
                    carried = w >> 1 >> (63 - bit);
                }
            }
        }
    }
}

/// The cold table so far, and all that is needed to decide the next strip.
#[derive(Debug)]
pub(crate) struct Strips {
    cold: PaddedBits,
    source: Source,
    near: Near,
    cpu: Cpu,
}

impl Strips {
    /// Takes windows over the elements of the set. Memory: n / 8 bytes, and 8 an element.
    pub(super) fn by_elements(elements: &[u64], n: u64) -> Result<Self> {
        Ok(Self {
            cold: PaddedBits::zeros("the table of cold positions", n)?,
            source: Source::Elements(Shifts::new(elements)?),
            near: Near::new(elements),
            cpu: Cpu::best(),
        })
    }

    /// Takes windows over the cold positions. Memory: n / 4 bytes, and 8 a cold position; the elements are never listed.
    pub(super) fn by_cold(set: &dyn SubtractionSet, n: u64, control: &Control) -> Result<Self> {
        let mut indicator = PaddedBits::zeros("the indicator of the set", n)?;
        visit_below(set, n, control, |s| {
            indicator.set(s);
            Ok(())
        })?;
        Self::by_indicator(indicator, n)
    }

    /// As [`Self::by_cold`], given the indicator of the set, which may reach beyond the `n` positions that are decided
    /// here: windows may come from cold positions outside them.
    pub(crate) fn by_indicator(indicator: PaddedBits, n: u64) -> Result<Self> {
        let mut near = Vec::new();
        try_for_each_bit(&indicator.words()[..STRIP_WORDS], 0, |s| {
            near.push(s);
            Ok(())
        })?;
        let cold = PaddedBits::zeros("the table of cold positions", n)?;
        let source = Source::Cold { indicator, cold: Shifts::default() };
        Ok(Self { cold, source, near: Near::new(&near), cpu: Cpu::best() })
    }

    /// Forgets every cold position: a new game with the same set.
    pub(crate) fn clear(&mut self) {
        self.cold.words_mut().fill(0);
    }

    /// Writes a cold position into the table only.
    pub(crate) fn set_cold(&mut self, x: u64) {
        self.cold.set(x);
    }

    /// Takes the windows of [`Self::advance`] over these cold positions, increasing, and those that are found from now on.
    pub(crate) fn take_windows_over(&mut self, positions: impl Iterator<Item = u64>) -> Result<()> {
        let Source::Cold { cold, .. } = &mut self.source else { return Ok(()) };
        cold.clear();
        positions.into_iter().try_for_each(|x| {
            cold.reserve(1)?;
            cold.push(x);
            Ok(())
        })
    }

    /// As [`Self::take_windows_over`], over the cold positions of the table in `range`, a multiple of 64 at both ends.
    pub(crate) fn take_windows_within(&mut self, range: Range<u64>) -> Result<()> {
        let Self { source: Source::Cold { cold: list, .. }, cold, .. } = self else { return Ok(()) };
        list.clear();
        try_for_each_bit(&cold.words()[(range.start / 64) as usize..(range.end / 64) as usize], range.start, |x| {
            list.reserve(1)?;
            list.push(x);
            Ok(())
        })
    }

    /// Takes over a cold position that is known already. They come in increasing order, before any strip is resolved.
    pub(super) fn know(&mut self, x: u64) -> Result<()> {
        self.cold.set(x);
        if let Source::Cold { cold, .. } = &mut self.source {
            cold.reserve(1)?;
            cold.push(x);
        }
        Ok(())
    }

    /// The table of cold positions, complete as far as strips were resolved.
    pub(crate) fn cold(&self) -> &PaddedBits {
        &self.cold
    }

    /// Makes hot, in the strips from `x` on, what the move of the frontier through `frontier` allows to decide.
    /// All strips must lie at or above the frontier's end.
    fn advance_group(&self, hot: &mut [Strip], x: u64, frontier: &Range<u64>) {
        let (source, shifts) = match &self.source {
            Source::Elements(_) => (&self.cold, self.shifts()),
            Source::Cold { indicator, .. } => (indicator, self.shifts()),
        };
        // The shifts that the strip at x needs.
        let needed = |x: u64| match &self.source {
            Source::Elements(_) if frontier.end == x => 1..x - frontier.start + STRIP,
            Source::Elements(_) => x - frontier.end + STRIP..x - frontier.start + STRIP,
            Source::Cold { .. } => frontier.clone(),
        };
        let last = x + STRIP * (hot.len() as u64 - 1);
        let any = needed(x).start..needed(last).end;
        for class in shifts.within(any) {
            for chunk in class.chunks(class.len_within(SPREAD).clamp(*CHUNK.start(), *CHUNK.end())) {
                let (first, last) = chunk.bounds();
                for (x, strip) in (x..).step_by(STRIP as usize).zip(hot.iter_mut()) {
                    if is_full(strip) {
                        continue;
                    }
                    let range = needed(x);
                    if range.start <= first && last < range.end {
                        or_windows(self.cpu, strip, x, source, chunk);
                    } else if let Some(part) = chunk.within(range) {
                        or_windows(self.cpu, strip, x, source, part);
                    }
                }
            }
        }
    }

    /// The list that windows are taken over.
    fn shifts(&self) -> &Shifts {
        let (Source::Elements(shifts) | Source::Cold { cold: shifts, .. }) = &self.source;
        shifts
    }

    /// As [`Self::advance_group`], on all threads.
    pub(crate) fn advance(&self, hot: &mut [u64], x: u64, frontier: Range<u64>) {
        if frontier.is_empty() {
            return;
        }
        let strips = strips_of(hot);
        let windows = strips.len() * self.shifts().len();
        if windows < ALONE {
            return self.advance_group(strips, x, &frontier);
        }
        // Two tasks a thread, so that a slow core does not hold up the others for long.
        let group = strips.len().div_ceil(2 * rayon::current_num_threads()).min(GROUP);
        strips.par_chunks_mut(group).enumerate().for_each(|(index, part)| {
            self.advance_group(part, x + (index * group) as u64 * STRIP, &frontier);
        });
    }

    /// Decides the strip at `x`, whose moves to everything below `x` are in.
    fn resolve(&mut self, hot: &mut Strip, x: u64) -> Result<()> {
        if let Source::Cold { cold, .. } = &mut self.source {
            // A class mod 8 gets at most this many.
            cold.reserve(STRIP as usize / 8)?;
        }
        let first_word = (x / 64) as usize;
        for word in 0..STRIP_WORDS {
            let mut candidates = !hot[word];
            let mut cold = 0;
            while candidates != 0 {
                let bit = candidates.trailing_zeros() as usize;
                cold |= 1 << bit;
                if let Source::Cold { cold, .. } = &mut self.source {
                    cold.push(x + (64 * word + bit) as u64);
                }
                self.near.mark(hot, 64 * word + bit);
                candidates = !hot[word] & (u64::MAX - 1) << bit;
            }
            self.cold.words_mut()[first_word + word] = cold;
        }
        Ok(())
    }

    /// Decides the block of strips from `start` on, whose moves to everything below `start` are in, in order.
    pub(crate) fn solve(&mut self, hot: &mut [u64], start: u64) -> Result<()> {
        for (sub_start, part) in (start..).step_by(SUB_BLOCK as usize).zip(hot.chunks_mut((SUB_BLOCK / 64) as usize)) {
            self.advance(part, sub_start, start..sub_start);
            for (x, strip) in (sub_start..).step_by(STRIP as usize).zip(strips_of(part)) {
                if is_full(strip) {
                    // Whatever was known to be cold there stays.
                    continue;
                }
                self.advance_group(std::slice::from_mut(strip), x, &(sub_start..x));
                self.resolve(strip, x)?;
            }
        }
        Ok(())
    }
}

/// Tells whether nothing is left to decide in a strip.
fn is_full(strip: &Strip) -> bool {
    strip.iter().all(|&word| word == u64::MAX)
}

/// Words as strips; there must be whole ones.
fn strips_of(words: &mut [u64]) -> &mut [Strip] {
    let (strips, rest) = words.as_chunks_mut();
    assert!(rest.is_empty(), "blocks are made of whole strips");
    strips
}

/// Makes the positions from `n` on hot, in the block of hot bits that starts at `start`, so that nothing is found there.
pub(super) fn close_above(hot: &mut [u64], start: u64, n: u64) {
    for (base, word) in (start..).step_by(64).zip(hot) {
        if base >= n {
            *word = u64::MAX;
        } else if base + 64 > n {
            *word |= u64::MAX << (n - base);
        }
    }
}
