//! Tables: what stays of a run in memory, and the questions that readers ask.
//!
//! A [`ColdTable`] keeps one bit a position, a [`GrundyTable`] one byte, or two once a nim-value needs them. Both are
//! sinks, so any engine can fill them. [`ColdPositions`] is the small trait through which everything downstream reads,
//! so that it does not matter where the positions are kept.

#[cfg(feature = "export")]
mod file;

use std::ops::Range;

use bitvec::order::Lsb0;
use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;

#[cfg(feature = "cli")]
pub(crate) use file::Codec;
#[cfg(feature = "export")]
pub use file::{
    Cold, ColdFile, ColdWriter, CounterFile, CounterWriter, Damage, Grundy, GrundyFile, GrundyWriter, TableFile,
    TableKind, TableWriter,
};

use crate::error::{Error, Result};
use crate::run::try_vec;
use crate::set::SubtractionSet;
use crate::sink::{ColdBlock, ColdSink, GrundyBlock, GrundyCounter, GrundySink, NimValues};

/// A set of decided positions that can be read: in memory, or wherever else it is kept.
pub trait ColdPositions: Send + Sync {
    /// The positions below this are decided.
    fn end(&self) -> u64;

    /// Calls `visit` with each cold position of `range`, increasing, until it fails.
    ///
    /// # Errors
    /// [`Error::BeyondTable`] when the range passes the end; what `visit` returns.
    fn visit(&self, range: Range<u64>, visit: &mut dyn FnMut(u64) -> Result<()>) -> Result<()>;

    /// The number of cold positions in `range`.
    ///
    /// # Errors
    /// As [`Self::visit`].
    fn count_within(&self, range: Range<u64>) -> Result<u64> {
        let mut count = 0;
        self.visit(range, &mut |_| {
            count += 1;
            Ok(())
        })?;
        Ok(count)
    }

    /// Tells whether the heap `x` is cold.
    ///
    /// # Errors
    /// As [`Self::visit`].
    fn is_cold(&self, x: u64) -> Result<bool> {
        Ok(self.count_within(x..x.saturating_add(1))? == 1)
    }
}

/// Hands the decided positions below `n` to a sink, in blocks.
///
/// # Errors
/// Whatever reading returns, and whatever the sink does.
pub fn feed(positions: &dyn ColdPositions, n: u64, sink: &mut dyn ColdSink) -> Result<()> {
    /// Cold positions of a block.
    const BLOCK: usize = 1 << 14;
    let end = positions.end().min(n);
    let mut start = 0;
    let mut block = Vec::with_capacity(BLOCK);
    let mut hand_over = |block: &mut Vec<u64>, end: u64| {
        let len = end - std::mem::replace(&mut start, end);
        let result = sink.accept(&ColdBlock::List { start: end - len, len, positions: block });
        block.clear();
        result
    };
    positions.visit(0..end, &mut |x| {
        block.push(x);
        if block.len() == BLOCK { hand_over(&mut block, x + 1) } else { Ok(()) }
    })?;
    hand_over(&mut block, end)
}

/// Decided nim-values that can be read: in memory, or wherever else they are kept.
pub trait GrundyValues: Send + Sync {
    /// The positions below this are decided.
    fn end(&self) -> u64;

    /// Hands the nim-values of `range` to a sink, in blocks, the first of which starts at `range.start`.
    ///
    /// # Errors
    /// [`Error::BeyondTable`] when the range passes the end; what the sink returns.
    fn feed(&self, range: Range<u64>, sink: &mut dyn GrundySink) -> Result<()>;
}

/// Refuses a heap at or beyond the end of a table.
fn within(heap: u64, end: u64) -> Result<usize> {
    if heap < end { Ok(heap as usize) } else { Err(Error::BeyondTable { heap, end }) }
}

/// The cold positions below n, one bit a position.
///
/// ```
/// use nimsieve::set::Squares;
/// let table = nimsieve::cold(&Squares, 40_000)?;
/// assert_eq!(table.iter().take(5).collect::<Vec<_>>(), [0, 2, 5, 7, 10]);
/// assert_eq!(table.range(10_000..20_000)?.filter(|x| x % 10 == 6).collect::<Vec<_>>(), [11_356]);
/// // From 13 the only winning move is to take 1.
/// assert_eq!(table.winning_moves(&Squares, 13)?, [1]);
/// assert!(table.is_cold(40_000).is_err());
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColdTable {
    set: String,
    bits: BitVec<u64, Lsb0>,
    count: u64,
    filled: u64,
}

impl ColdTable {
    /// Makes an empty table for the positions of `set` (in canonical form) below `n`; an engine fills it.
    ///
    /// # Errors
    /// [`Error::Memory`] when the system refuses n / 8 bytes.
    pub fn new(set: String, n: u64) -> Result<Self> {
        let words = try_vec("the table of cold positions", n.div_ceil(64), 0_u64)?;
        let mut bits = BitVec::from_vec(words);
        bits.truncate(n as usize);
        Ok(Self { set, bits, count: 0, filled: 0 })
    }

    /// The set in canonical form.
    pub fn set(&self) -> &str {
        &self.set
    }

    /// The number of positions decided: those below this are in the table.
    pub fn len(&self) -> u64 {
        self.filled
    }

    /// Tells whether no position is decided.
    pub fn is_empty(&self) -> bool {
        self.filled == 0
    }

    /// The number of cold positions. O(1).
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The largest cold position.
    pub fn largest(&self) -> Option<u64> {
        self.bits.last_one().map(|x| x as u64)
    }

    /// The positions as bits: bit x tells whether x is cold.
    pub fn as_bitslice(&self) -> &BitSlice<u64, Lsb0> {
        &self.bits
    }

    /// The same bits in 64-bit words, least significant first; bits beyond the table are 0.
    pub fn words(&self) -> &[u64] {
        self.bits.as_raw_slice()
    }

    /// Tells whether the heap `x` is cold. O(1).
    ///
    /// # Errors
    /// [`Error::BeyondTable`] when `x` is not below [`Self::len`].
    pub fn is_cold(&self, x: u64) -> Result<bool> {
        within(x, self.filled).map(|x| self.bits[x])
    }

    /// The cold positions, increasing.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        Ones::new(self.words(), 0..self.filled)
    }

    /// The cold positions in `range`, increasing.
    ///
    /// # Errors
    /// [`Error::BeyondTable`] when the range passes the table.
    pub fn range(&self, range: Range<u64>) -> Result<impl Iterator<Item = u64> + '_> {
        check_range(&range, self.filled)?;
        Ok(Ones::new(self.words(), range))
    }

    /// The moves from the heap `x` that win, as amounts to take, increasing; none when `x` is cold.
    /// O(|set up to x|).
    ///
    /// # Errors
    /// [`Error::BeyondTable`] when `x` is not below [`Self::len`].
    pub fn winning_moves(&self, set: &dyn SubtractionSet, x: u64) -> Result<Vec<u64>> {
        within(x, self.filled)?;
        Ok(set.elements().take_while(|&s| s <= x).filter(|s| self.bits[(x - s) as usize]).collect())
    }
}

impl ColdPositions for ColdTable {
    fn end(&self) -> u64 {
        self.filled
    }

    fn visit(&self, range: Range<u64>, visit: &mut dyn FnMut(u64) -> Result<()>) -> Result<()> {
        self.range(range)?.try_for_each(visit)
    }

    fn is_cold(&self, x: u64) -> Result<bool> {
        self.is_cold(x)
    }
}

impl ColdSink for ColdTable {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        let range = block.range();
        within(range.end.saturating_sub(1), self.bits.len() as u64)?;
        let words = self.bits.as_raw_mut_slice();
        match block {
            ColdBlock::Bits { start, words: block, .. } => {
                words[(start / 64) as usize..][..block.len()].copy_from_slice(block);
            }
            ColdBlock::List { positions, .. } => {
                positions.iter().for_each(|x| words[(x / 64) as usize] |= 1 << (x % 64));
            }
        }
        self.count += block.count();
        self.filled = range.end;
        Ok(())
    }
}

/// The positions of the set bits within a range, word by word.
struct Ones<'a> {
    words: &'a [u64],
    index: usize,
    current: u64,
    end: u64,
}

impl<'a> Ones<'a> {
    fn new(words: &'a [u64], range: Range<u64>) -> Self {
        let index = (range.start / 64) as usize;
        let current = words.get(index).map_or(0, |word| word & u64::MAX << (range.start % 64));
        Self { words, index, current, end: range.end }
    }
}

impl Iterator for Ones<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        while self.current == 0 {
            self.index += 1;
            self.current = *self.words.get(self.index)?;
            if self.index as u64 * 64 >= self.end {
                return None;
            }
        }
        let x = self.index as u64 * 64 + u64::from(self.current.trailing_zeros());
        self.current &= self.current - 1;
        (x < self.end).then_some(x)
    }
}

fn check_range(range: &Range<u64>, end: u64) -> Result<()> {
    if range.end > end { Err(Error::BeyondTable { heap: range.end - 1, end }) } else { Ok(()) }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Values {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

/// The nim-values of the positions below n, one byte each, or two once a value passes 255.
///
/// ```
/// use nimsieve::set::NamedSet;
/// let primes: NamedSet = "primes".parse()?;
/// let table = nimsieve::grundy(&primes, 10_000)?;
/// assert_eq!(table.first_occurrence(11), Some(156)); // OEIS A355557
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct GrundyTable {
    set: String,
    values: Values,
    /// Positions that are expected in all.
    capacity: usize,
    counter: GrundyCounter,
}

/// Tables are equal when they are of one set and hold the same values.
impl PartialEq for GrundyTable {
    fn eq(&self, other: &Self) -> bool {
        self.set == other.set && self.values == other.values
    }
}

impl Eq for GrundyTable {}

impl GrundyTable {
    /// Makes an empty table for `set` (in canonical form); an engine fills it.
    pub fn new(set: String) -> Self {
        Self { set, values: Values::Bytes(Vec::new()), capacity: 0, counter: GrundyCounter::default() }
    }

    /// As [`Self::new`], with room for `n` positions taken at once, so that it need not grow.
    ///
    /// # Errors
    /// [`Error::Memory`] when the system refuses n bytes.
    pub fn with_capacity(set: String, n: u64) -> Result<Self> {
        let refusal = || Error::Memory { what: "the table of nim-values", needed: n };
        let capacity = usize::try_from(n).map_err(|_| refusal())?;
        let mut values = Vec::new();
        values.try_reserve_exact(capacity).map_err(|_| refusal())?;
        Ok(Self { set, values: Values::Bytes(values), capacity, counter: GrundyCounter::default() })
    }

    /// The set in canonical form.
    pub fn set(&self) -> &str {
        &self.set
    }

    /// The values as they are kept.
    pub fn values(&self) -> NimValues<'_> {
        match &self.values {
            Values::Bytes(values) => NimValues::Bytes(values),
            Values::Words(values) => NimValues::Words(values),
        }
    }

    /// The number of positions decided.
    pub fn len(&self) -> u64 {
        self.values().len() as u64
    }

    /// Tells whether no position is decided.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nim-value of the heap `x`. O(1).
    ///
    /// # Errors
    /// [`Error::BeyondTable`] when `x` is not below [`Self::len`].
    pub fn value(&self, x: u64) -> Result<u16> {
        within(x, self.len()).map(|x| self.at(x))
    }

    fn at(&self, x: usize) -> u16 {
        match &self.values {
            Values::Bytes(values) => values[x].into(),
            Values::Words(values) => values[x],
        }
    }

    /// The nim-values of the positions from 0 on.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.len() as usize).map(|x| self.at(x))
    }

    /// The nim-values of the positions in `range`.
    ///
    /// # Errors
    /// [`Error::BeyondTable`] when the range passes the table.
    pub fn range(&self, range: Range<u64>) -> Result<impl Iterator<Item = u16> + '_> {
        check_range(&range, self.len())?;
        Ok((range.start as usize..range.end as usize).map(|x| self.at(x)))
    }

    /// How many positions have each nim-value, from 0 to the largest that occurs.
    pub fn histogram(&self) -> &[u64] {
        self.counter.histogram()
    }

    /// The first position with the nim-value `value`, if it occurs in the table.
    pub fn first_occurrence(&self, value: u16) -> Option<u64> {
        self.counter.first_occurrences().get(usize::from(value)).copied().flatten()
    }

    /// The first position of each nim-value, from 0 to the largest that occurs.
    pub fn first_occurrences(&self) -> &[Option<u64>] {
        self.counter.first_occurrences()
    }

    /// The largest nim-value and its first position; `None` for an empty table.
    pub fn max(&self) -> Option<(u16, u64)> {
        self.counter.max()
    }

    /// The moves from the heap `x` to a heap of nim-value `value`, as amounts to take, increasing. With 0 they are the
    /// moves that win from a single heap. O(|set up to x|).
    ///
    /// # Errors
    /// [`Error::BeyondTable`] when `x` is not below [`Self::len`].
    pub fn moves_to_value(&self, set: &dyn SubtractionSet, x: u64, value: u16) -> Result<Vec<u64>> {
        within(x, self.len())?;
        Ok(set.elements().take_while(|&s| s <= x).filter(|s| self.at((x - s) as usize) == value).collect())
    }

    /// The moves that win from the single heap `x`, as amounts to take, increasing; none when `x` is cold.
    ///
    /// # Errors
    /// As [`Self::moves_to_value`].
    pub fn winning_moves(&self, set: &dyn SubtractionSet, x: u64) -> Result<Vec<u64>> {
        self.moves_to_value(set, x, 0)
    }
}

impl GrundyValues for GrundyTable {
    fn end(&self) -> u64 {
        self.len()
    }

    fn feed(&self, range: Range<u64>, sink: &mut dyn GrundySink) -> Result<()> {
        check_range(&range, self.len())?;
        if range.is_empty() {
            return Ok(());
        }
        let values = self.values().slice(range.start as usize..range.end as usize);
        sink.accept(&GrundyBlock { start: range.start, values })
    }
}

impl GrundySink for GrundyTable {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        let len = self.len() as usize + block.values.len();
        let refusal = |bytes: usize| move |_| Error::Memory { what: "the table of nim-values", needed: bytes as u64 };
        if let (Values::Bytes(bytes), NimValues::Words(words)) = (&self.values, block.values)
            && words.iter().any(|&v| v > 255)
        {
            let mut wide = Vec::new();
            let expected = self.capacity.max(len);
            wide.try_reserve_exact(expected).map_err(refusal(2 * expected))?;
            wide.extend(bytes.iter().map(|&v| u16::from(v)));
            self.values = Values::Words(wide);
        }
        match (&mut self.values, block.values) {
            (Values::Bytes(values), NimValues::Bytes(block)) => {
                values.try_reserve(block.len()).map_err(refusal(len))?;
                values.extend_from_slice(block);
            }
            (Values::Bytes(values), NimValues::Words(block)) => {
                values.try_reserve(block.len()).map_err(refusal(len))?;
                values.extend(block.iter().map(|&v| v as u8));
            }
            (Values::Words(values), block) => {
                values.try_reserve(block.len()).map_err(refusal(2 * len))?;
                values.extend(block.iter());
            }
        }
        self.counter.accept(block)
    }
}
