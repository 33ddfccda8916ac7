//! The OEIS sequences that this program can make: set, kind, offset and shift of each, and the range that is published.

use crate::error::{Error, Result};
use crate::plan::{Estimate, Plan};
use crate::remoteness::{self, remoteness};
use crate::run::Control;
use crate::set::{NamedSet, SubtractionSet};
use crate::sink::{ColdBlock, ColdSink, GrundyBlock, GrundySink};
use crate::sum::Play;

/// What the terms of a sequence are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terms {
    /// The cold positions.
    Cold,
    /// The cold positions without 0.
    ColdWithoutZero,
    /// The odd cold positions.
    OddCold,
    /// The nim-values of 0, 1, 2, ...
    NimValues,
    /// The first position with nim-value 0, 1, 2, ...
    FirstOccurrences,
    /// The remoteness of 0, 1, 2, ...
    Remoteness,
}

/// A sequence of the OEIS and how it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sequence {
    /// Its number.
    pub id: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// The subtraction set, in the grammar of names.
    pub set: &'static str,
    /// What its terms are.
    pub terms: Terms,
    /// The index of its first term.
    pub offset: u64,
    /// What is added to each term.
    pub shift: u64,
    /// How many terms are published: in the b-file where there is one of its own, else in the entry.
    pub published: u64,
    /// How far the game must be played for them: they are all found below this position.
    pub reach: u64,
    /// Line feeds after the last line of the published b-file.
    pub final_newlines: u8,
}

/// How far the first round plays when fewer terms than the published ones are asked for.
const FIRST_ROUND: u64 = 1 << 12;

const fn sequence(
    id: &'static str,
    meaning: &'static str,
    set: &'static str,
    terms: Terms,
    offset: u64,
    published: u64,
    reach: u64,
) -> Sequence {
    Sequence { id, meaning, set, terms, offset, shift: 0, published, reach, final_newlines: 0 }
}

/// Every sequence, by number.
pub const SEQUENCES: &[Sequence] = &[
    sequence("A001581", "cold positions but 0, Fibonacci numbers", "fibonacci", Terms::ColdWithoutZero, 1, 1000, 5813),
    sequence("A014586", "nim-values, squares", "squares", Terms::NimValues, 0, 10_001, 10_001),
    sequence("A014587", "nim-values, factorials", "factorials", Terms::NimValues, 0, 10_001, 10_001),
    sequence("A014588", "nim-values, Fibonacci numbers", "fibonacci", Terms::NimValues, 0, 10_001, 10_001),
    sequence("A014589", "nim-values, primes", "primes", Terms::NimValues, 0, 10_001, 10_001),
    sequence(
        "A019307",
        "first position of each nim-value, Fibonacci",
        "fibonacci",
        Terms::FirstOccurrences,
        0,
        19,
        1_357_691_961,
    ),
    sequence("A019509", "nim-values, triangular numbers", "triangular", Terms::NimValues, 0, 99, 99),
    Sequence {
        final_newlines: 6,
        ..sequence("A025043", "cold positions, primes", "primes", Terms::Cold, 1, 10_000, 67_674)
    },
    sequence("A030193", "cold positions, squares", "squares", Terms::Cold, 0, 61_300, 8_388_563),
    sequence("A030194", "cold positions, triangular numbers", "triangular", Terms::Cold, 0, 58, 509),
    Sequence {
        shift: 1,
        final_newlines: 7,
        ..sequence("A072545", "cold positions plus 1, primes", "primes", Terms::Cold, 0, 10_001, 67_682)
    },
    sequence("A120904", "odd cold positions, Fibonacci numbers", "fibonacci", Terms::OddCold, 1, 101, 63_050),
    Sequence {
        shift: 1,
        final_newlines: 1,
        ..sequence("A224839", "misere-cold positions, squares", "squares", Terms::Cold, 1, 1000, 23_076)
    },
    sequence("A275432", "cold positions, practical numbers", "practical", Terms::Cold, 0, 50, 106_990),
    sequence("A297963", "first position of each nim-value, squares", "squares", Terms::FirstOccurrences, 0, 46, 23_473),
    sequence("A338027", "remoteness, squares", "squares", Terms::Remoteness, 0, 10_001, 10_001),
    sequence(
        "A355556",
        "first position of each nim-value, factorials",
        "factorials",
        Terms::FirstOccurrences,
        0,
        13,
        6_302_798_388,
    ),
    sequence("A355557", "first position of each nim-value, primes", "primes", Terms::FirstOccurrences, 0, 12, 157),
];

impl Sequence {
    /// Finds a sequence by its number, such as `A030193`.
    ///
    /// # Errors
    /// [`Error::Set`] when this program cannot make it, with those that it can.
    pub fn find(id: &str) -> Result<&'static Self> {
        SEQUENCES.iter().find(|sequence| sequence.id.eq_ignore_ascii_case(id)).ok_or_else(|| {
            let known: Vec<&str> = SEQUENCES.iter().map(|sequence| sequence.id).collect();
            Error::Set(format!("{id} is not among the sequences made here; known: {}", known.join(" ")))
        })
    }

    /// The subtraction set.
    ///
    /// # Errors
    /// Never for a sequence of [`SEQUENCES`].
    pub fn subtraction_set(&self) -> Result<NamedSet> {
        self.set.parse()
    }

    /// How far the game is played, round by round, until there are `count` terms.
    ///
    /// A nim-value a heap needs one round, and so do the published terms, of which it is known. Fewer terms are looked for
    /// below 2^12, 2^13, ..., more terms below twice as much each time. A round ends with the last term that is wanted, so
    /// that at most about twice the needed work is done.
    pub fn rounds(&self, count: u64) -> impl Iterator<Item = u64> + use<> {
        let reach = self.reach;
        let (first, one) = match self.terms {
            _ if count == 0 => (None, true),
            Terms::NimValues | Terms::Remoteness => (Some(count), true),
            _ if count < self.published => (Some(FIRST_ROUND.min(reach)), false),
            _ if count == self.published => (Some(reach), false),
            _ => (Some(2 * reach), false),
        };
        std::iter::successors(first, move |&n| {
            let next = n.checked_mul(2).filter(|&next| !one && next <= 1 << 63)?;
            Some(if n < reach { next.min(reach) } else { next })
        })
    }

    /// What [`Self::compute_below`] would take, with the memory for the terms.
    ///
    /// # Errors
    /// As [`Plan::cold`] and [`Plan::grundy`].
    pub fn estimate(&self, set: &dyn SubtractionSet, n: u64, count: u64) -> Result<Estimate> {
        let mut estimate = match self.terms {
            Terms::Cold | Terms::ColdWithoutZero | Terms::OddCold => Plan::cold(set, n)?.estimate().clone(),
            Terms::NimValues => Plan::grundy(set, n.min(count))?.estimate().clone(),
            Terms::FirstOccurrences => Plan::grundy(set, n)?.estimate().clone(),
            Terms::Remoteness => remoteness::estimate(set, n.min(count))?,
        };
        // While the terms are handed over there are two lists of them.
        let each = (size_of::<Option<u64>>() + size_of::<u64>()) as u64;
        let kept = if self.terms == Terms::FirstOccurrences { 1 << 16 } else { n };
        estimate.memory = estimate.memory.saturating_add(kept.min(count).saturating_mul(each));
        Ok(estimate)
    }

    /// Computes the first `count` terms, in [`Self::rounds`].
    ///
    /// # Errors
    /// [`Error::Stopped`] when the control says so, and whatever a run returns. [`Error::Number`] when the game below
    /// 2^63 would not have enough terms.
    ///
    /// ```
    /// let sequence = nimsieve::oeis::Sequence::find("A030193")?;
    /// assert_eq!(sequence.compute(8, &nimsieve::run::Control::new())?, [0, 2, 5, 7, 10, 12, 15, 17]);
    /// # Ok::<(), nimsieve::Error>(())
    /// ```
    pub fn compute(&self, count: u64, control: &Control) -> Result<Vec<u64>> {
        let set = self.subtraction_set()?;
        let mut found = Vec::new();
        for n in self.rounds(count) {
            found = self.compute_below(&set, n, count, control)?;
            if found.len() as u64 >= count {
                break;
            }
        }
        self.enough(found, count)
    }

    /// Hands the terms on, if they are as many as were wanted.
    ///
    /// # Errors
    /// [`Error::Number`].
    pub(crate) fn enough(&self, found: Vec<u64>, count: u64) -> Result<Vec<u64>> {
        if found.len() as u64 >= count {
            return Ok(found);
        }
        Err(Error::Number(format!("{} has fewer than {count} terms below 2^63; ask for fewer", self.id)))
    }

    /// Computes the terms from the positions below `n`, at most `count`.
    ///
    /// # Errors
    /// Whatever a run returns.
    pub fn compute_below(&self, set: &dyn SubtractionSet, n: u64, count: u64, control: &Control) -> Result<Vec<u64>> {
        let mut collector = Collector { sequence: self, wanted: count, filled: 0, terms: Vec::new() };
        let result = match self.terms {
            Terms::Cold | Terms::ColdWithoutZero | Terms::OddCold => {
                Plan::cold(set, n)?.run_into(control, &mut collector)
            }
            // One value a heap: no more heaps than terms.
            Terms::NimValues => Plan::grundy(set, n.min(count))?.run_into(control, &mut collector),
            Terms::FirstOccurrences => Plan::grundy(set, n)?.run_into(control, &mut collector),
            Terms::Remoteness => {
                let table = remoteness(set, n.min(count), Play::Normal, control)?;
                return Ok(table.lengths().iter().map(|&length| u64::from(length)).collect());
            }
        };
        match result {
            // It was the collector that ended the run, not the user.
            Err(Error::Stopped { .. }) if collector.is_full() && !control.is_stopped() => {}
            other => other?,
        }
        Ok(collector.terms.into_iter().take(count as usize).map_while(|term| term).collect())
    }
}

/// Keeps the terms that come, as far as they are wanted. A first occurrence that is not there yet is `None`.
struct Collector<'a> {
    sequence: &'a Sequence,
    wanted: u64,
    /// How many of the wanted terms are there.
    filled: u64,
    terms: Vec<Option<u64>>,
}

impl Collector<'_> {
    fn is_full(&self) -> bool {
        self.filled >= self.wanted
    }

    /// Puts a term at its place, unless it is not wanted or there is one already.
    fn put(&mut self, index: usize, term: u64) {
        if index as u64 >= self.wanted {
            return;
        }
        if index >= self.terms.len() {
            self.terms.resize(index + 1, None);
        }
        if self.terms[index].is_none() {
            self.terms[index] = Some(term + self.sequence.shift);
            self.filled += 1;
        }
    }

    /// Ends the run when every wanted term is there.
    fn go_on(&self, reached: u64) -> Result<()> {
        if self.is_full() { Err(Error::Stopped { reached }) } else { Ok(()) }
    }
}

impl ColdSink for Collector<'_> {
    fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
        block.try_for_each(|x| {
            let belongs = match self.sequence.terms {
                Terms::ColdWithoutZero => x > 0,
                Terms::OddCold => x % 2 == 1,
                _ => true,
            };
            if belongs {
                self.put(self.terms.len(), x);
            }
            self.go_on(x)
        })
    }
}

impl GrundySink for Collector<'_> {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        for (x, value) in (block.start..).zip(block.values.iter()) {
            match self.sequence.terms {
                Terms::NimValues => self.put(self.terms.len(), value.into()),
                _ => self.put(value.into(), x),
            }
        }
        self.go_on(block.start + block.values.len() as u64)
    }
}
