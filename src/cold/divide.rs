//! Divide and conquer (D. Eppstein, Faster Evaluation of Subtraction Games, FUN 2018, arXiv:1804.06515).
//!
//! To decide an interval whose moves to everything below it are known: decide its left half; *convolve* the cold
//! indicator of the left half with the indicator of the set; make hot, in the right half, what the convolution hits;
//! decide the right half.
//!
//! *Exact.* Let the interval be [a, a + 2h) and let C be the cold positions of [a, a + h), taken relative to a, and S
//! the elements below 2h. A position a + y of the right half (h <= y < 2h) has a move into the left half if and only if
//! y = c + s for some c in C and s in S: a move to c < y takes s = y - c < 2h. The convolution is computed cyclically
//! with length 2h only, which leaves the right half exact (`crate::convolve::spectra`); each output there is the number
//! of pairs, at most h < 2^27 < P, found modulo the prime P, so it is 0 mod P if and only if it is 0. By induction over the intervals every position has had each of its moves tested when it is
//! decided: the moves that stay in a leaf by word operations ([`super::strips`]), every other at the one level where it
//! crosses from a left half to its right half.
//!
//! T(n) = O(n log^2 n), whatever the set; M(n): 16 bytes a position of the padded length, the power of two above n (the
//! data, the spectra of the set for each length, the roots). Given up: the left half of the cyclic output, and a
//! shorter transform when n is just above a power of two.

use super::Job;
use super::strips::{Strips, close_above};
use super::wheel::Report;
use crate::convolve::spectra::Spectra;
use crate::error::{Error, Result};
use crate::kernel::ntt::MAX_LEN;
use crate::plan::{Estimate, Profile};
use crate::run::{Control, try_vec};
use crate::set::visit_below;
use crate::sink::{ColdBlock, ColdSink};

/// The largest n that the engine serves: beyond, there are no roots of unity.
pub const MAX_N: u64 = MAX_LEN as u64;

/// Positions below which word operations are used. For primes the two cost the same between 2^16 and 2^18; for sparse
/// sets a larger leaf would be better still, but for those there is the sieve.
const LEAF: u64 = 1 << 17;

pub(super) fn estimate(profile: &Profile) -> Result<Estimate, String> {
    if profile.n > MAX_N {
        return Err(limit());
    }
    let n = profile.n as f64;
    let padded = profile.n.next_power_of_two().max(LEAF);
    let levels = (padded / LEAF).ilog2();
    let butterflies: f64 = (0..levels).map(|level| padded as f64 * f64::from((padded >> level).ilog2())).sum::<f64>()
        * (n / padded as f64);
    let leaf_words = n * leaf_elements(profile) / 512.0;
    Ok(Estimate {
        operations: butterflies + leaf_words,
        seconds: 1.0e-9 * butterflies + 1.0e-9 * leaf_words + 0.2e-9 * n,
        memory: if levels == 0 { n as u64 / 8 } else { 16 * padded + padded / 8 },
        method: format!("{levels} levels of transforms above leaves of {LEAF} positions by word operations"),
        stages: Vec::new(),
        may_give_up: false,
    })
}

/// Elements of the set below the length of a leaf, about.
fn leaf_elements(profile: &Profile) -> f64 {
    profile.elements * (LEAF as f64 / profile.n as f64).min(1.0)
}

pub(super) fn run(job: &Job<'_>, control: &Control, sink: &mut dyn ColdSink) -> Result<Option<Report>> {
    if job.n > MAX_N {
        return Err(Error::Declined { engine: "divide", set: job.set.name(), reason: limit() });
    }
    run_with_leaf(job, LEAF, control, sink).map(|()| None)
}

/// Why larger n are declined.
fn limit() -> String {
    format!("it serves n up to 2^27 = {MAX_N}, where its roots of unity end; use another engine")
}

/// As `run`, with leaves of another length: a power of two of at least two strips.
fn run_with_leaf(job: &Job<'_>, leaf: u64, control: &Control, sink: &mut dyn ColdSink) -> Result<()> {
    let n = job.n;
    let padded = n.next_power_of_two().max(leaf);
    let mut near = Vec::new();
    let mut set = try_vec("the indicator of the set", padded / 64, 0_u64)?;
    visit_below(job.set, n, control, |s| {
        set[(s / 64) as usize] |= 1 << (s % 64);
        if s < 2 * leaf {
            near.push(s);
        }
        Ok(())
    })?;
    let mut divide = Divide {
        n,
        known: job.start_in(leaf),
        leaf,
        strips: Strips::by_elements(&near, padded)?,
        hot: try_vec("the hot bits", padded / 64, 0)?,
        transforms: if padded > leaf { Some(Transforms::new(&set, padded, leaf, control)?) } else { None },
        control,
        sink,
    };
    job.visit_known(divide.known, |x| divide.strips.know(x))?;
    divide.solve(0, padded)
}

struct Divide<'a> {
    n: u64,
    /// The positions below this are known; a multiple of the leaf.
    known: u64,
    leaf: u64,
    strips: Strips,
    hot: Vec<u64>,
    transforms: Option<Transforms>,
    control: &'a Control,
    sink: &'a mut dyn ColdSink,
}

impl Divide<'_> {
    /// Decides the interval of `len` positions from `start` on, whose moves to what lies below are in.
    fn solve(&mut self, start: u64, len: u64) -> Result<()> {
        if start >= self.n || start + len <= self.known {
            return Ok(());
        }
        self.control.check()?;
        if len <= self.leaf {
            return self.solve_leaf(start, len);
        }
        let half = len / 2;
        self.solve(start, half)?;
        if start + half < self.n
            && let Some(transforms) = &mut self.transforms
        {
            let left = (start / 64) as usize..((start + half) / 64) as usize;
            let right = left.end..left.end + left.len();
            transforms.hit(&self.strips.cold().words()[left], &mut self.hot[right]);
        }
        self.solve(start + half, half)
    }

    fn solve_leaf(&mut self, start: u64, len: u64) -> Result<()> {
        let words = (start / 64) as usize..((start + len) / 64) as usize;
        let hot = &mut self.hot[words.clone()];
        close_above(hot, start, self.n);
        self.strips.solve(hot, start)?;
        let len = len.min(self.n - start);
        let words = &self.strips.cold().words()[words][..len.div_ceil(64) as usize];
        self.sink.accept(&ColdBlock::Bits { start, len, words })?;
        self.control.advance(start + len)
    }
}

/// The spectra of the set, one for each length of interval, and room for the other factor.
struct Transforms {
    spectra: Spectra,
    data: Vec<u32>,
}

impl Transforms {
    fn new(set: &[u64], padded: u64, leaf: u64, control: &Control) -> Result<Self> {
        let mut spectra = Spectra::new(padded / 2)?;
        let mut half = padded / 2;
        while half >= leaf {
            control.check()?;
            spectra.add(set, half, 1)?;
            half /= 2;
        }
        Ok(Self { spectra, data: try_vec("a transform", padded, 0)? })
    }

    /// Makes hot, in the right half of an interval, what lies one move above the cold positions of the left half.
    fn hit(&mut self, cold: &[u64], hot: &mut [u64]) {
        self.spectra.hit(&mut self.data[..2 * 64 * cold.len()], cold, hot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::STRIP;
    use crate::set::{NamedSet, SubtractionSet};
    use crate::table::ColdTable;

    /// Small leaves, so that every level of the recursion is gone through at sizes the oracle can follow.
    #[test]
    fn small_leaves_agree_with_the_recurrence() {
        for name in ["squares", "primes", "allbut:2,3,7", "1", "practical"] {
            let set: NamedSet = name.parse().unwrap();
            for n in [1, 2 * STRIP - 1, 2 * STRIP, 2 * STRIP + 1, 5 * STRIP + 77, 8 * STRIP] {
                let mut expected = ColdTable::new(set.name(), n).unwrap();
                let profile = Profile::measure(&set, n).unwrap();
                let job = Job { set: &set, n, profile: &profile, known: None, wheel: &Default::default() };
                super::super::recurrence::run(&job, &Control::new(), &mut expected).unwrap();
                for leaf in [2 * STRIP, 4 * STRIP] {
                    let mut table = ColdTable::new(set.name(), n).unwrap();
                    run_with_leaf(&job, leaf, &Control::new(), &mut table).unwrap();
                    assert_eq!(table, expected, "{name}, n = {n}, leaf {leaf}");
                }
            }
        }
    }
}
