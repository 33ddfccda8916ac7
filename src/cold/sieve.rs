//! The segmented bit sieve: each cold c makes c + s hot for every element s.
//!
//! Positions are decided segment by segment. What earlier, finished segments do to a segment is taken on all cores;
//! inside the segment it goes in order. Three ways of doing the first, the larger part, chosen by their cost:
//!
//! - *by elements*: OR the window of the cold table at x - s for each s: |S below x| windows.
//! - *by cold positions*: OR the window of the set's indicator at x - c for each cold c: c(x) windows. For dense sets,
//!   whose cold positions are fewer than their elements.
//! - *marks*: for each s, walk the list of the cold positions that land in the segment and set their bits. For sparse
//!   sets whose cold positions are so rare that a window holds less than a few of them.
//!
//! T(n) = n |S below n| / 512 vector operations by windows, and about the number of pairs c + s < n by marks;
//! M(n) = n / 8 bytes and the lists. Given up: early exit from strips that are all hot (squares leave every strip with
//! candidates until the last few elements).

use rayon::prelude::*;

use super::Job;
use super::strips::{Strips, close_above};
use super::wheel::Report;
use crate::error::{Error, Result};
use crate::kernel::{Cpu, STRIP};
use crate::plan::{Estimate, Profile};
use crate::run::{Control, try_vec};
use crate::set::{EARLY, elements_below};
use crate::sink::{ColdBlock, ColdSink, try_for_each_bit};

/// Positions of a segment. Windows like long segments: the 256 KiB of this one are longer than the distance of
/// neighbouring windows up to n of about 10^11, so that they overlap in the cache.
const SEGMENT: u64 = 1 << 21;
/// Positions of the pieces of a segment that marks are made in: 64 KiB of bits. Marks land all over their piece, which
/// must stay in the first two levels of the cache: pieces eight times larger were half as fast.
const PIECE: u64 = 1 << 19;

/// A set with more than one element in this many positions is dense: it has an indicator, and never uses marks.
const DENSE: u64 = 128;

/// One mark costs about as much as this many vector operations of an OR of windows. On one thread below 3 * 10^8 squares
/// windows alone were 1.2 times faster than marks alone, below 10^9 marks were 1.8 times faster: the windows of 30,000
/// elements no longer fit any cache.
const MARK_COST: f64 = 0.9;

/// The three ways of making a segment hot from what is below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By elements throughout.
    Elements,
    /// By elements, then marks once the cold positions are rare enough.
    ElementsThenMarks,
    /// By cold positions.
    Cold,
}

/// The way for a job, by its size alone: the same job always goes the same way.
fn way(profile: &Profile) -> Way {
    let dense = profile.elements > profile.n as f64 / DENSE as f64;
    match dense {
        true if profile.cold < profile.elements => Way::Cold,
        true => Way::Elements,
        false => Way::ElementsThenMarks,
    }
}

pub(super) fn estimate(profile: &Profile) -> Result<Estimate, String> {
    /// Seconds of a vector when windows overlap in the cache, as those of the primes below 10^7 do.
    const DENSE_COST: f64 = 0.35e-9;
    let (n, elements, cold) = (profile.n as f64, profile.elements, profile.cold);
    let vector = Cpu::best().vector_bits() as f64;
    let windows = n * elements / vector;
    let rare = MARK_COST * cold / n.max(1.0) < 1.0 / vector;
    let (operations, cost, memory, method) = match way(profile) {
        Way::Cold => {
            let method = "windows of the set's indicator, one for each cold position";
            (n * cold / vector, DENSE_COST, n / 4.0 + 16.0 * cold, method)
        }
        Way::ElementsThenMarks if rare => {
            let method = "windows of the cold table for each element, then single marks as cold positions thin out";
            (profile.pairs(), 1.0e-9, n / 8.0 + 16.0 * cold + 32.0 * elements, method)
        }
        Way::Elements | Way::ElementsThenMarks => {
            let method = "windows of the cold table, one for each element";
            // Windows of a sparse set are far from each other.
            let cost = if way(profile) == Way::Elements { DENSE_COST } else { 1.0e-9 };
            (windows, cost, n / 8.0 + 16.0 * elements, method)
        }
    };
    let small = (SEGMENT / 4) as f64;
    Ok(Estimate {
        operations,
        seconds: cost * operations + 0.2e-9 * n,
        memory: (memory + small) as u64,
        method: method.into(),
        stages: Vec::new(),
        may_give_up: false,
    })
}

pub(super) fn run(job: &Job<'_>, control: &Control, sink: &mut dyn ColdSink) -> Result<Option<Report>> {
    run_with(job, SEGMENT, MARK_COST, control, sink).map(|()| None)
}

/// As `run`, with segments of another length, in whole strips, and marks weighed by another cost.
fn run_with(job: &Job<'_>, segment: u64, mark_cost: f64, control: &Control, sink: &mut dyn ColdSink) -> Result<()> {
    let n = job.n;
    let way = way(job.profile);
    let mut sieve = match way {
        Way::Cold => {
            Sieve { strips: Strips::by_cold(job.set, n, control)?, marks: None, elements: Vec::new(), count: 0 }
        }
        Way::Elements | Way::ElementsThenMarks => {
            let elements = elements_below(job.set, n, control)?;
            Sieve { strips: Strips::by_elements(&elements, n)?, marks: None, elements, count: 0 }
        }
    };
    let mut hot = try_vec("a segment", segment.min(n.next_multiple_of(STRIP)) / 64, 0_u64)?;
    let first = job.start_in(STRIP);
    job.visit_known(first, |x| sieve.know(x))?;
    for start in (first..n).step_by(segment as usize) {
        let len = segment.min(n - start);
        let words = len.div_ceil(64) as usize;
        let hot = &mut hot[..(len.next_multiple_of(STRIP) / 64) as usize];
        hot.fill(0);
        close_above(hot, start, n);
        sieve.segment(hot, start, if way == Way::ElementsThenMarks { mark_cost } else { f64::INFINITY })?;
        let first = (start / 64) as usize;
        let block = ColdBlock::Bits { start, len, words: &sieve.strips.cold().words()[first..first + words] };
        sieve.count += block.count();
        sink.accept(&block)?;
        control.advance(start + len)?;
    }
    Ok(())
}

/// Plays the game below `n` in one block: for samples.
pub(crate) fn sample(elements: &[u64], n: u64) -> Result<Vec<u64>> {
    let small = &elements[..elements.partition_point(|&s| s < n)];
    let mut strips = Strips::by_elements(small, n)?;
    let mut hot = try_vec("a sample", n.next_multiple_of(STRIP) / 64, 0)?;
    close_above(&mut hot, 0, n);
    strips.solve(&mut hot, 0)?;
    let mut cold = Vec::new();
    try_for_each_bit(strips.cold().words(), 0, |x| {
        cold.push(x);
        Ok(())
    })?;
    Ok(cold)
}

/// Counts the cold positions below `n / EARLY`, and below `n`: for samples.
pub(crate) fn sample_counts(elements: &[u64], n: u64) -> Result<[u64; 2]> {
    let cold = sample(elements, n)?;
    Ok([cold.partition_point(|&x| x < n / EARLY) as u64, cold.len() as u64])
}

struct Sieve {
    strips: Strips,
    /// There once marks have become cheaper than windows.
    marks: Option<Marks>,
    elements: Vec<u64>,
    /// Cold positions so far.
    count: u64,
}

impl Sieve {
    /// Takes over a cold position that is known already, below those that are decided here.
    fn know(&mut self, x: u64) -> Result<()> {
        self.count += 1;
        self.strips.know(x)
    }

    /// Decides the segment from `start` on.
    fn segment(&mut self, hot: &mut [u64], start: u64, mark_cost: f64) -> Result<()> {
        if self.marks.is_none() && self.marks_are_cheaper(start, mark_cost) {
            self.marks = Some(Marks::new(&self.strips, &self.elements, start)?);
        }
        match &mut self.marks {
            Some(marks) => marks.mark(hot, start),
            None => self.strips.advance(hot, start, 0..start),
        }
        self.strips.solve(hot, start)?;
        match &mut self.marks {
            Some(marks) => marks.extend(&self.strips, start, hot.len()),
            None => Ok(()),
        }
    }

    /// Compares the cost of one element over one segment: a mark for each cold position against windows.
    fn marks_are_cheaper(&self, start: u64, mark_cost: f64) -> bool {
        let density = self.count as f64 / start.max(1) as f64;
        let windows = 1.0 / Cpu::best().vector_bits() as f64;
        start > 0 && density * mark_cost < windows
    }
}

/// The list of cold positions, and for each element where in it the next segment's marks begin.
struct Marks {
    cold: Vec<u64>,
    elements: Vec<u64>,
    cursors: Vec<usize>,
}

impl Marks {
    /// Elements walked by one task. Each task marks a segment of its own, and they are OR-ed at the end.
    const CHUNK: usize = 2048;

    fn new(strips: &Strips, elements: &[u64], start: u64) -> Result<Self> {
        let what = "the elements' walks";
        let mut list = try_vec(what, elements.len() as u64, 0)?;
        list.copy_from_slice(elements);
        let mut marks = Self { cold: Vec::new(), elements: list, cursors: try_vec(what, elements.len() as u64, 0)? };
        marks.extend(strips, 0, (start / 64) as usize)?;
        let cold = &marks.cold;
        for (cursor, s) in marks.cursors.iter_mut().zip(elements) {
            *cursor = cold.partition_point(|c| c + s < start);
        }
        Ok(marks)
    }

    /// Appends the cold positions among the `words` from position `start` on.
    fn extend(&mut self, strips: &Strips, start: u64, words: usize) -> Result<()> {
        let first = (start / 64) as usize;
        let words = &strips.cold().words()[first..first + words];
        let count: usize = words.iter().map(|word| word.count_ones() as usize).sum();
        let needed = 8 * (self.cold.len() + count) as u64;
        let refusal = |_| Error::Memory { what: "the list of cold positions", needed };
        self.cold.try_reserve(count).map_err(refusal)?;
        try_for_each_bit(words, start, |x| {
            self.cold.push(x);
            Ok(())
        })
    }

    /// Marks every c + s in the segment from `start` on.
    fn mark(&mut self, hot: &mut [u64], start: u64) {
        let end = start + hot.len() as u64 * 64;
        let used = self.elements.partition_point(|&s| s < end);
        let cold = &self.cold;
        let chunks =
            self.elements[..used].par_chunks(Self::CHUNK).zip(self.cursors[..used].par_chunks_mut(Self::CHUNK));
        let marked = chunks
            .fold(
                || vec![0; hot.len()],
                |mut hot, (elements, cursors)| {
                    for (start, piece) in (start..).step_by(PIECE as usize).zip(hot.chunks_mut(PIECE as usize / 64)) {
                        let end = start + piece.len() as u64 * 64;
                        for (&s, cursor) in elements.iter().zip(&mut *cursors) {
                            *cursor += mark_run(piece, start, end, s, &cold[*cursor..]);
                        }
                    }
                    hot
                },
            )
            .reduce_with(|mut a, b| {
                or_into(&mut a, &b);
                a
            });
        if let Some(marked) = marked {
            or_into(hot, &marked);
        }
    }
}

/// Marks c + s for the cold positions at the front of the list, as long as they stay below `end`; returns how many cold
/// positions are done with. Those at the very front whose mark fell below `start` were found after that segment was
/// marked, and made their moves inside it.
fn mark_run(hot: &mut [u64], start: u64, end: u64, s: u64, cold: &[u64]) -> usize {
    let Some(limit) = end.checked_sub(s) else { return 0 };
    let passed = cold.iter().take_while(|&&c| c + s < start).count();
    let mut done = passed;
    for &c in &cold[passed..] {
        if c >= limit {
            break;
        }
        let offset = c + s - start;
        hot[(offset / 64) as usize] |= 1 << (offset % 64);
        done += 1;
    }
    done
}

fn or_into(target: &mut [u64], source: &[u64]) {
    target.iter_mut().zip(source).for_each(|(t, s)| *t |= s);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::{NamedSet, SubtractionSet};
    use crate::table::ColdTable;

    /// Short segments, so that marks and windows cross many segment edges at sizes the oracle can follow.
    #[test]
    fn short_segments_agree_with_the_recurrence() {
        for name in ["squares", "triangular", "fibonacci", "5,4096,4097,70000", "primes", "allbut:2,3,7", "practical"] {
            let set: NamedSet = name.parse().unwrap();
            for n in [STRIP - 1, STRIP, STRIP + 1, 12 * STRIP + 77, 25 * STRIP] {
                let mut expected = ColdTable::new(set.name(), n).unwrap();
                let profile = Profile::measure(&set, n).unwrap();
                let job = Job { set: &set, n, profile: &profile, known: None, wheel: &Default::default() };
                super::super::recurrence::run(&job, &Control::new(), &mut expected).unwrap();
                for (segment, mark_cost) in [(STRIP, 0.0), (3 * STRIP, 0.0), (9 * STRIP, 1e9), (10 * STRIP, 0.05)] {
                    let mut table = ColdTable::new(set.name(), n).unwrap();
                    run_with(&job, segment, mark_cost, &Control::new(), &mut table).unwrap();
                    assert!(table == expected, "{name}, n = {n}, segment {segment}, mark cost {mark_cost}");
                }
            }
        }
    }
}
