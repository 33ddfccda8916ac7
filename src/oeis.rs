//! The OEIS sequences that this program can make: set, kind, offset and shift of each, and the range that is published.

use crate::error::{Error, Result};
use crate::plan::Plan;
use crate::run::Control;
use crate::set::{NamedSet, SubtractionSet};
use crate::sink::{ColdBlock, ColdSink, GrundyBlock, GrundySink};

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
    /// Line feeds after the last line of the published b-file.
    pub final_newlines: u8,
}

const fn sequence(
    id: &'static str,
    meaning: &'static str,
    set: &'static str,
    terms: Terms,
    offset: u64,
    published: u64,
) -> Sequence {
    Sequence { id, meaning, set, terms, offset, shift: 0, published, final_newlines: 0 }
}

/// Every sequence, by number.
pub const SEQUENCES: &[Sequence] = &[
    sequence("A001581", "cold positions but 0, Fibonacci numbers", "fibonacci", Terms::ColdWithoutZero, 1, 1000),
    sequence("A014586", "nim-values, squares", "squares", Terms::NimValues, 0, 10_001),
    sequence("A014587", "nim-values, factorials", "factorials", Terms::NimValues, 0, 10_001),
    sequence("A014588", "nim-values, Fibonacci numbers", "fibonacci", Terms::NimValues, 0, 10_001),
    sequence("A014589", "nim-values, primes", "primes", Terms::NimValues, 0, 10_001),
    sequence("A019307", "first position of each nim-value, Fibonacci", "fibonacci", Terms::FirstOccurrences, 0, 19),
    sequence("A019509", "nim-values, triangular numbers", "triangular", Terms::NimValues, 0, 99),
    Sequence { final_newlines: 6, ..sequence("A025043", "cold positions, primes", "primes", Terms::Cold, 1, 10_000) },
    sequence("A030193", "cold positions, squares", "squares", Terms::Cold, 0, 61_300),
    sequence("A030194", "cold positions, triangular numbers", "triangular", Terms::Cold, 0, 58),
    Sequence {
        shift: 1,
        final_newlines: 7,
        ..sequence("A072545", "cold positions plus 1, primes", "primes", Terms::Cold, 0, 10_001)
    },
    sequence("A120904", "odd cold positions, Fibonacci numbers", "fibonacci", Terms::OddCold, 1, 101),
    Sequence {
        shift: 1,
        final_newlines: 1,
        ..sequence("A224839", "misere-cold positions, squares", "squares", Terms::Cold, 1, 1000)
    },
    sequence("A275432", "cold positions, practical numbers", "practical", Terms::Cold, 0, 50),
    sequence("A297963", "first position of each nim-value, squares", "squares", Terms::FirstOccurrences, 0, 46),
    sequence("A355556", "first position of each nim-value, factorials", "factorials", Terms::FirstOccurrences, 0, 13),
    sequence("A355557", "first position of each nim-value, primes", "primes", Terms::FirstOccurrences, 0, 12),
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

    /// Computes the first `count` terms.
    ///
    /// Plays the game below 2^16, 2^17, ... until there are enough, so that at most about twice the needed work is done.
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
        for exponent in 12..63 {
            let n = 1_u64 << exponent;
            let found = self.compute_below(&set, n, count, control)?;
            if found.len() as u64 >= count {
                return Ok(found);
            }
        }
        Err(Error::Number(format!("{} has fewer than {count} terms below 2^63", self.id)))
    }

    /// Computes the terms from the positions below `n`, at most `count`.
    ///
    /// # Errors
    /// Whatever a run returns.
    pub fn compute_below(&self, set: &dyn SubtractionSet, n: u64, count: u64, control: &Control) -> Result<Vec<u64>> {
        let mut collector = Collector { sequence: self, wanted: count, terms: Vec::new() };
        match self.terms {
            Terms::Cold | Terms::ColdWithoutZero | Terms::OddCold => {
                Plan::cold(set, n)?.run_into(control, &mut collector)?;
            }
            // One value a heap: no more heaps than terms.
            Terms::NimValues => Plan::grundy(set, n.min(count))?.run_into(control, &mut collector)?,
            Terms::FirstOccurrences => Plan::grundy(set, n)?.run_into(control, &mut collector)?,
        }
        Ok(collector.terms.into_iter().take(count as usize).map_while(|term| term).collect())
    }
}

/// Keeps the terms that come, as far as they are wanted. A first occurrence that is not there yet is `None`.
struct Collector<'a> {
    sequence: &'a Sequence,
    wanted: u64,
    terms: Vec<Option<u64>>,
}

impl Collector<'_> {
    fn push(&mut self, term: u64) {
        if (self.terms.len() as u64) < self.wanted {
            self.terms.push(Some(term + self.sequence.shift));
        }
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
                self.push(x);
            }
            Ok(())
        })
    }
}

impl GrundySink for Collector<'_> {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
        for (x, value) in (block.start..).zip(block.values.iter()) {
            if self.sequence.terms == Terms::NimValues {
                self.push(value.into());
                continue;
            }
            let value = usize::from(value);
            if value >= self.terms.len() {
                self.terms.resize(value + 1, None);
            }
            self.terms[value].get_or_insert(x + self.sequence.shift);
        }
        Ok(())
    }
}
