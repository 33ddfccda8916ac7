//! Where an engine puts what it finds: sinks, and the counters among them.
//!
//! An engine hands over consecutive, finished *blocks*, each covering a half-open range of positions; the first starts
//! at 0 and each next one where the last ended. A sink keeps of a block what it needs and no more, so a run far beyond
//! memory can be counted, or written to a file, as it goes. A pair of sinks is a sink.

mod statistics;

use std::ops::Range;

pub use statistics::{GapCounter, PowerCounter, ResidueCounter};

use crate::error::{Error, Result};

/// The cold positions within a range, as bits or as a list, whichever the engine has.
#[derive(Debug, Clone, Copy)]
pub enum ColdBlock<'a> {
    /// Bit i of `words`, least significant first, tells whether `start + i` is cold. `start` is a multiple of 64, and
    /// bits at and beyond `len` are 0.
    Bits {
        /// First position of the block.
        start: u64,
        /// Number of positions in the block.
        len: u64,
        /// `len` bits, in whole words.
        words: &'a [u64],
    },
    /// The cold positions themselves, increasing.
    List {
        /// First position of the block.
        start: u64,
        /// Number of positions in the block, cold or not.
        len: u64,
        /// The cold ones.
        positions: &'a [u64],
    },
}

impl ColdBlock<'_> {
    /// The positions that the block decides.
    pub fn range(&self) -> Range<u64> {
        let (Self::Bits { start, len, .. } | Self::List { start, len, .. }) = *self;
        start..start + len
    }

    /// The number of cold positions. O(block).
    pub fn count(&self) -> u64 {
        match self {
            Self::Bits { words, .. } => words.iter().map(|w| u64::from(w.count_ones())).sum(),
            Self::List { positions, .. } => positions.len() as u64,
        }
    }

    /// The largest cold position, if there is one.
    pub fn last(&self) -> Option<u64> {
        match self {
            Self::Bits { start, words, .. } => {
                let index = words.iter().rposition(|&w| w != 0)?;
                Some(start + 64 * index as u64 + u64::from(words[index].ilog2()))
            }
            Self::List { positions, .. } => positions.last().copied(),
        }
    }

    /// Calls `visit` with each cold position in increasing order, until it fails.
    ///
    /// # Errors
    /// What `visit` returns.
    pub fn try_for_each(&self, mut visit: impl FnMut(u64) -> Result<()>) -> Result<()> {
        match self {
            Self::Bits { start, words, .. } => try_for_each_bit(words, *start, visit),
            Self::List { positions, .. } => positions.iter().try_for_each(|&x| visit(x)),
        }
    }
}

/// Calls `visit` with `start + i` for every set bit i of `words`, in increasing order, until it fails.
pub(crate) fn try_for_each_bit(words: &[u64], start: u64, mut visit: impl FnMut(u64) -> Result<()>) -> Result<()> {
    for (base, &word) in (start..).step_by(64).zip(words) {
        let mut rest = word;
        while rest != 0 {
            visit(base + u64::from(rest.trailing_zeros()))?;
            rest &= rest - 1;
        }
    }
    Ok(())
}

/// Takes the cold positions as an engine finds them.
pub trait ColdSink: Send {
    /// Takes the next block.
    ///
    /// # Errors
    /// Whatever keeps the sink from taking it; the run ends with that error.
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()>;
}

impl<S: ColdSink + ?Sized> ColdSink for &mut S {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        (**self).accept(block)
    }
}

impl<S: ColdSink + ?Sized> ColdSink for Box<S> {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        (**self).accept(block)
    }
}

impl<S: ColdSink> ColdSink for Vec<S> {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        self.iter_mut().try_for_each(|sink| sink.accept(block))
    }
}

/// A sink that may be missing.
impl<S: ColdSink> ColdSink for Option<S> {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        self.iter_mut().try_for_each(|sink| sink.accept(block))
    }
}

impl<A: ColdSink, B: ColdSink> ColdSink for (A, B) {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        self.0.accept(block)?;
        self.1.accept(block)
    }
}

/// Counts the cold positions and remembers the largest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ColdCounter {
    /// The number of cold positions so far.
    pub count: u64,
    /// The largest cold position so far.
    pub largest: Option<u64>,
}

impl ColdSink for ColdCounter {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        self.count += block.count();
        self.largest = block.last().or(self.largest);
        Ok(())
    }
}

/// Passes on what lies at or above a position, and cuts off what is below.
pub(crate) struct SkipBelow<'a> {
    start: u64,
    inner: &'a mut dyn ColdSink,
    kept: Vec<u64>,
}

impl<'a> SkipBelow<'a> {
    pub(crate) fn new(start: u64, inner: &'a mut dyn ColdSink) -> Self {
        Self { start, inner, kept: Vec::new() }
    }
}

impl ColdSink for SkipBelow<'_> {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        let range = block.range();
        if range.start >= self.start {
            return self.inner.accept(block);
        }
        if range.end <= self.start {
            return Ok(());
        }
        self.kept.clear();
        block.try_for_each(|x| {
            if x >= self.start {
                self.kept.push(x);
            }
            Ok(())
        })?;
        let (start, len) = (self.start, range.end - self.start);
        self.inner.accept(&ColdBlock::List { start, len, positions: &self.kept })
    }
}

/// Turns the cold positions of normal play into those of misere play, where whoever cannot move wins.
///
/// The misere-cold heaps of any subtraction game are the normal cold heaps plus the least element s: in normal play a
/// heap x has nim-value 1 if and only if x - s has nim-value 0 (Ferguson 1974), and the heaps of nim-value 1 are those
/// from which the player to move loses when the last move loses. Below s there is no move, and the player to move wins.
#[derive(Debug)]
pub struct Misere<S> {
    least: u64,
    reached: u64,
    shifted: Vec<u64>,
    inner: S,
}

impl<S: ColdSink> Misere<S> {
    /// Makes an adapter in front of `inner` for a set whose least element is `least`.
    pub fn new(least: u64, inner: S) -> Self {
        Self { least, reached: 0, shifted: Vec::new(), inner }
    }

    /// Hands over what is below `n` and was not covered by any block: when n is at most the least element.
    ///
    /// # Errors
    /// What the inner sink returns.
    pub fn finish(mut self, n: u64) -> Result<S> {
        if self.reached < n {
            let (start, len) = (self.reached, n - self.reached);
            self.inner.accept(&ColdBlock::List { start, len, positions: &[] })?;
        }
        Ok(self.inner)
    }
}

impl<S: ColdSink> ColdSink for Misere<S> {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        self.shifted.clear();
        block.try_for_each(|x| {
            self.shifted.push(x + self.least);
            Ok(())
        })?;
        let end = block.range().end + self.least;
        let (start, len) = (self.reached, end - self.reached);
        self.reached = end;
        self.inner.accept(&ColdBlock::List { start, len, positions: &self.shifted })
    }
}

/// The nim-values of a range of positions, one or two bytes each.
#[derive(Debug, Clone, Copy)]
pub enum NimValues<'a> {
    /// One byte a position.
    Bytes(&'a [u8]),
    /// Two bytes a position.
    Words(&'a [u16]),
}

impl NimValues<'_> {
    /// The number of positions.
    pub fn len(&self) -> usize {
        match self {
            Self::Bytes(values) => values.len(),
            Self::Words(values) => values.len(),
        }
    }

    /// Tells whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values of a range of indices.
    ///
    /// # Panics
    /// When the range passes the end.
    pub fn slice(&self, range: Range<usize>) -> Self {
        match self {
            Self::Bytes(values) => Self::Bytes(&values[range]),
            Self::Words(values) => Self::Words(&values[range]),
        }
    }

    /// The values one by one.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        let (bytes, words): (&[u8], &[u16]) = match self {
            Self::Bytes(bytes) => (bytes, &[]),
            Self::Words(words) => (&[], words),
        };
        bytes.iter().map(|&v| u16::from(v)).chain(words.iter().copied())
    }
}

/// The nim-values of the positions from `start` on.
#[derive(Debug, Clone, Copy)]
pub struct GrundyBlock<'a> {
    /// First position of the block.
    pub start: u64,
    /// The nim-values, one a position.
    pub values: NimValues<'a>,
}

impl GrundyBlock<'_> {
    /// The block without its first `count` positions, or as many as it has.
    fn skip(&self, count: usize) -> Self {
        let count = count.min(self.values.len());
        Self { start: self.start + count as u64, values: self.values.slice(count..self.values.len()) }
    }
}

/// Takes the nim-values as an engine finds them.
pub trait GrundySink: Send {
    /// Takes the next block.
    ///
    /// # Errors
    /// Whatever keeps the sink from taking it; the run ends with that error.
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()>;

    /// Whether the sink needs the values of all blocks; one that does not may be handed [`GrundyCounts`] for some of
    /// them, by an engine that has those at less cost.
    fn needs_values(&self) -> bool {
        true
    }

    /// Takes the counts of the next block, in the place of its values. Called only while the sink does not need values.
    ///
    /// # Errors
    /// As [`Self::accept`].
    fn accept_counts(&mut self, _counts: &GrundyCounts<'_>) -> Result<()> {
        Ok(())
    }

    /// An engine that keeps no table offers here, after its blocks, what it needs to go on behind the last of them; a sink
    /// that keeps such states asks for it when it is time to, and for certain when `last` says that the run ends here.
    ///
    /// # Errors
    /// Whatever keeps the sink from keeping it; the run ends with that error.
    fn offer_state(&mut self, state: &dyn Fn() -> Vec<u8>, last: bool) -> Result<()> {
        let _ = (state, last);
        Ok(())
    }
}

/// What counters keep of a block.
#[derive(Debug, Clone, Copy)]
pub struct GrundyCounts<'a> {
    /// First position of the block.
    pub start: u64,
    /// Number of positions in the block.
    pub len: u64,
    /// For each nim-value from 0 on how many positions of the block have it, and the first of them; that is meaningless
    /// where there are none.
    pub counts: &'a [(u64, u64)],
}

impl<S: GrundySink + ?Sized> GrundySink for &mut S {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        (**self).accept(block)
    }
    fn needs_values(&self) -> bool {
        (**self).needs_values()
    }
    fn accept_counts(&mut self, counts: &GrundyCounts<'_>) -> Result<()> {
        (**self).accept_counts(counts)
    }
    fn offer_state(&mut self, state: &dyn Fn() -> Vec<u8>, last: bool) -> Result<()> {
        (**self).offer_state(state, last)
    }
}

impl<S: GrundySink + ?Sized> GrundySink for Box<S> {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        (**self).accept(block)
    }
    fn needs_values(&self) -> bool {
        (**self).needs_values()
    }
    fn accept_counts(&mut self, counts: &GrundyCounts<'_>) -> Result<()> {
        (**self).accept_counts(counts)
    }
    fn offer_state(&mut self, state: &dyn Fn() -> Vec<u8>, last: bool) -> Result<()> {
        (**self).offer_state(state, last)
    }
}

impl<S: GrundySink> GrundySink for Vec<S> {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        self.iter_mut().try_for_each(|sink| sink.accept(block))
    }
    fn needs_values(&self) -> bool {
        self.iter().any(GrundySink::needs_values)
    }
    fn accept_counts(&mut self, counts: &GrundyCounts<'_>) -> Result<()> {
        self.iter_mut().try_for_each(|sink| sink.accept_counts(counts))
    }
    fn offer_state(&mut self, state: &dyn Fn() -> Vec<u8>, last: bool) -> Result<()> {
        self.iter_mut().try_for_each(|sink| sink.offer_state(state, last))
    }
}

/// A sink that may be missing.
impl<S: GrundySink> GrundySink for Option<S> {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        self.iter_mut().try_for_each(|sink| sink.accept(block))
    }
    fn needs_values(&self) -> bool {
        self.iter().any(GrundySink::needs_values)
    }
    fn accept_counts(&mut self, counts: &GrundyCounts<'_>) -> Result<()> {
        self.iter_mut().try_for_each(|sink| sink.accept_counts(counts))
    }
    fn offer_state(&mut self, state: &dyn Fn() -> Vec<u8>, last: bool) -> Result<()> {
        self.iter_mut().try_for_each(|sink| sink.offer_state(state, last))
    }
}

impl<A: GrundySink, B: GrundySink> GrundySink for (A, B) {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        self.0.accept(block)?;
        self.1.accept(block)
    }
    fn needs_values(&self) -> bool {
        self.0.needs_values() || self.1.needs_values()
    }
    fn accept_counts(&mut self, counts: &GrundyCounts<'_>) -> Result<()> {
        self.0.accept_counts(counts)?;
        self.1.accept_counts(counts)
    }
    fn offer_state(&mut self, state: &dyn Fn() -> Vec<u8>, last: bool) -> Result<()> {
        self.0.offer_state(state, last)?;
        self.1.offer_state(state, last)
    }
}

/// Hands the cold positions among nim-values, those of value 0, to a sink of cold positions.
///
/// ```
/// use nimsieve::sink::{ColdCounter, ColdOf};
/// use nimsieve::{Plan, run::Control, set::Squares};
/// let mut counter = ColdOf::new(ColdCounter::default());
/// Plan::grundy(&Squares, 10_000)?.run_into(&Control::new(), &mut counter)?;
/// assert_eq!(counter.into_inner().count, 579);
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Debug)]
pub struct ColdOf<S> {
    inner: S,
    positions: Vec<u64>,
}

impl<S: ColdSink> ColdOf<S> {
    /// Makes an adapter in front of `inner`.
    pub fn new(inner: S) -> Self {
        Self { inner, positions: Vec::new() }
    }

    /// The sink behind it.
    pub fn into_inner(self) -> S {
        self.inner
    }
}

impl<S: ColdSink> GrundySink for ColdOf<S> {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        self.positions.clear();
        let values = (block.start..).zip(block.values.iter());
        self.positions.extend(values.filter(|&(_, value)| value == 0).map(|(x, _)| x));
        let len = block.values.len() as u64;
        self.inner.accept(&ColdBlock::List { start: block.start, len, positions: &self.positions })
    }
}

/// Writes the values into a slice, from its beginning on.
pub(crate) struct Fill<'a, V> {
    values: &'a mut [V],
    filled: usize,
}

impl<'a, V> Fill<'a, V> {
    pub(crate) fn new(values: &'a mut [V]) -> Self {
        Self { values, filled: 0 }
    }
}

impl<V: TryFrom<u16> + Send> GrundySink for Fill<'_, V> {
    /// # Errors
    /// [`Error::ValueTooLarge`] when a value does not fit.
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        for (x, value) in (block.start..).zip(block.values.iter()) {
            self.values[self.filled] = V::try_from(value).map_err(|_| Error::ValueTooLarge { heap: x })?;
            self.filled += 1;
        }
        Ok(())
    }
}

/// Passes on the values of the positions at or above one, and cuts off those below.
pub(crate) struct GrundySkipBelow<'a> {
    start: u64,
    inner: &'a mut dyn GrundySink,
}

impl<'a> GrundySkipBelow<'a> {
    pub(crate) fn new(start: u64, inner: &'a mut dyn GrundySink) -> Self {
        Self { start, inner }
    }
}

impl GrundySink for GrundySkipBelow<'_> {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        let known = self.start.saturating_sub(block.start);
        match known < block.values.len() as u64 {
            true => self.inner.accept(&block.skip(known as usize)),
            false => Ok(()),
        }
    }

    /// Counts cannot be cut: as long as there is something to cut off, values are needed.
    fn needs_values(&self) -> bool {
        self.start > 0 || self.inner.needs_values()
    }

    fn accept_counts(&mut self, counts: &GrundyCounts<'_>) -> Result<()> {
        self.inner.accept_counts(counts)
    }
    fn offer_state(&mut self, state: &dyn Fn() -> Vec<u8>, last: bool) -> Result<()> {
        self.inner.offer_state(state, last)
    }
}

/// Counts how often each nim-value occurs and remembers where it occurred first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrundyCounter {
    histogram: Vec<u64>,
    first: Vec<Option<u64>>,
}

impl GrundyCounter {
    /// A counter as its file has it: for each nim-value how many positions have it and the first of them. `None` when
    /// these contradict each other.
    #[cfg(feature = "export")]
    pub(crate) fn from_pairs(pairs: impl Iterator<Item = (u64, Option<u64>)>) -> Option<Self> {
        let (histogram, first): (Vec<u64>, Vec<Option<u64>>) = pairs.unzip();
        let agree = histogram.iter().zip(&first).all(|(&count, first)| (count > 0) == first.is_some());
        (agree && histogram.last() != Some(&0)).then_some(Self { histogram, first })
    }

    /// How many positions have each nim-value, from 0 to the largest that occurred.
    pub fn histogram(&self) -> &[u64] {
        &self.histogram
    }

    /// The first position of each nim-value, from 0 to the largest that occurred.
    pub fn first_occurrences(&self) -> &[Option<u64>] {
        &self.first
    }

    /// The largest nim-value and its first position; `None` before the first block.
    pub fn max(&self) -> Option<(u16, u64)> {
        let value = u16::try_from(self.first.len().checked_sub(1)?).ok()?;
        Some((value, self.first[usize::from(value)]?))
    }
}

impl GrundyCounter {
    /// Counts values of one byte. Neighbours are often equal, and a counter that was just written is slow to read; so four
    /// histograms take turns. Where a value is first is looked up once, when it is new.
    fn count_bytes(&mut self, start: u64, bytes: &[u8]) {
        let mut turns = [[0_u32; 256]; 4];
        for bytes in bytes.chunks(4) {
            bytes.iter().zip(&mut turns).for_each(|(&byte, turn)| turn[usize::from(byte)] += 1);
        }
        for value in 0..256 {
            let count: u64 = turns.iter().map(|turn| u64::from(turn[value])).sum();
            if count == 0 {
                continue;
            }
            if value >= self.histogram.len() {
                self.histogram.resize(value + 1, 0);
                self.first.resize(value + 1, None);
            }
            if self.histogram[value] == 0 {
                let place = bytes.iter().position(|&byte| usize::from(byte) == value);
                self.first[value] = place.map(|place| start + place as u64);
            }
            self.histogram[value] += count;
        }
    }
}

impl GrundySink for GrundyCounter {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        /// Values for which the counters of their own are worth the while.
        const MANY: usize = 1 << 10;
        /// So that a counter of 32 bits suffices.
        const MOST: usize = 1 << 20;
        if let NimValues::Bytes(bytes) = block.values
            && bytes.len() >= MANY
        {
            for (start, bytes) in (block.start..).step_by(MOST).zip(bytes.chunks(MOST)) {
                self.count_bytes(start, bytes);
            }
            return Ok(());
        }
        for (x, value) in (block.start..).zip(block.values.iter()) {
            let value = usize::from(value);
            if value >= self.histogram.len() {
                self.histogram.resize(value + 1, 0);
                self.first.resize(value + 1, None);
            }
            self.histogram[value] += 1;
            self.first[value].get_or_insert(x);
        }
        Ok(())
    }

    fn needs_values(&self) -> bool {
        false
    }

    fn accept_counts(&mut self, counts: &GrundyCounts<'_>) -> Result<()> {
        for (value, &(count, first)) in counts.counts.iter().enumerate().filter(|(_, (count, _))| *count > 0) {
            if value >= self.histogram.len() {
                self.histogram.resize(value + 1, 0);
                self.first.resize(value + 1, None);
            }
            self.histogram[value] += count;
            self.first[value].get_or_insert(first);
        }
        Ok(())
    }
}
