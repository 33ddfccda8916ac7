//! Residue structure: nim-values and cold positions of sets that leave residues free, without a table of values.
//!
//! # The idea
//! Two members of one class (the heaps of one nim-value) never differ by an element. Let the elements of the set occupy
//! few residues of some modulus, apart from *exceptions*: elements up to 64 in residues that nothing larger occupies. The
//! odd primes beyond 5 occupy 8 of the 30 residues mod 30, with the exceptions 2, 3, 5. Then a class that has many members
//! in one residue can hardly have any where an element might lead from there. It settles: most of it lives in residues
//! between which no element leads, and a few small members stand elsewhere. For the primes the values 0-3, 7, 8 and
//! 10 live among the odd numbers, 4-6 and 11 among the even, 9 in 13, 18 and 23 mod 30.
//!
//! Learnt from the beginning of the game, for each class and each residue row of candidates x:
//! - the *list* of the members y from whose residue an element may lead to x. Where the class lives the list is short;
//!   elsewhere it is long, and *cut* to its first members, the witnesses.
//! - 512 heaps of a row, one a place, are lanes of a vector. "x - y is an element" is, for all of them, one window of
//!   the row of bits of the set's residue x - y; it is taken from the candidates ([`take_windows`]). A few dozen
//!   witnesses leave nobody in nearly every vector.
//! - what is left is tested against further members one by one; then the exceptions are made, which need only the last
//!   64 numbers of each class.
//!
//! # Why it is exact, and for which sets
//! Values go upwards: a heap has the least value v such that no member of class v is one move below. A heap that is
//! taken from the candidates of v has a witness, a member one element below it. A heap that is left as a member of v has
//! had *every* member tested from which a move could come: those in residues that no element links to its own cannot
//! give one, by the definition of "occupied", which counts all elements below n ([`Rows::class`]) and not a sample; all
//! others are in a list that was never cut; exceptions are looked up. Where a list was cut and no witness is found the
//! run ends with [`Error::Undecided`]; it does not guess. A new member that belongs to an uncut list ends its segment,
//! is added, and the segment is decided again, so a list is complete for every heap that is decided by it.
//!
//! So the method is exact for every set; it *serves* a set if multiples of some modulus up to 120 hold no element beyond 64
//! (else no class can live in a residue), if the elements are dense in what they occupy (else witnesses are few), and
//! if the classes of the first 65,536 heaps keep to residues, the second half as the first half showed. The primes,
//! the odd primes, primes of one class mod 4, odd numbers, arithmetic progressions do. What the beginning shows need not
//! hold further on: the cold positions of prime powers keep to residues for 78,767 heaps, but powers of 3 are too rare for
//! the witnesses that are kept, and the run ends with the error. So plans take the engine by themselves only for the
//! primes, where nothing of the kind was met below 2 * 10^10; for other sets it is there to be asked for. The primes
//! minus 1 are declined: they meet the multiples of every modulus, and any set of positive density holds two numbers that
//! differ by a p - 1 (Sarkozy 1978), so their classes are sparse.
//!
//! # Segments
//! A segment is decided from the lists, the set's rows and the last 64 numbers of each class before it. Segments are
//! decided in parallel, each from a history of its own: it decides the block before itself as if nothing had come
//! before. When that is what the segment before did leave, for all classes, the segment is right; if not, or if a list
//! must grow, it is decided again in order. For the primes that has not been seen beyond 2^21.
//!
//! # Cost
//! T(n) is n times a few vector operations per 512 heaps and class, and the sieve for the set; M(n) is a few megabytes a
//! thread, and for the primes 8 bytes for each prime below the square root of n; a set without rows of its own takes up to n / 8 bytes. Given
//! up: choosing the witnesses so that they complement each other (windows are a twentieth of the time as it is).

mod lists;
mod runner;
mod segment;
mod state;
mod structure;
#[cfg(test)]
mod tests;
mod transpose;

use crate::error::{Error, Result};
use crate::grundy::State;
use crate::plan::{Estimate, Profile};
use crate::run::Control;
use crate::set::{RowTable, Rows, SubtractionSet, elements_below};
use lists::Lists;
use runner::Runner;
use segment::{History, Segment};
use state::Saved;
pub(crate) use structure::Learnt;
use structure::{Structure, play};

/// The largest n: 2^44, some days of work.
const MAX_N: u64 = 1 << 44;
/// Places of a row that are decided at once: the lanes of one vector.
const BLOCK: u64 = 512;
/// Words of a block in one row.
const BLOCK_WORDS: usize = (BLOCK / 64) as usize;
/// In a table of nim-values: not decided, because only lower ones were asked for.
pub(crate) const UNDECIDED: u8 = u8::MAX;

/// The sizes of things. Tests make them small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Heaps that are played by the definition, to learn where the classes live.
    pub(crate) prefix: u64,
    /// Heaps after which the lists are learnt anew for the last time; they were at every doubling before.
    pub(crate) learnt: u64,
    /// Members up to about this heap have windows.
    pub(crate) reach: u64,
    /// Windows that a candidate is tested against, where the lists are cut.
    pub(crate) windows: usize,
    /// Members beyond those, tested one by one.
    pub(crate) further: usize,
    /// The longest list that is kept complete.
    pub(crate) strays: usize,
    /// Blocks of a segment.
    pub(crate) blocks: usize,
}

impl Settings {
    /// Nim-values that the engine is ready for.
    pub(crate) const LEVELS: usize = 64;
}

impl Default for Settings {
    fn default() -> Self {
        Self { prefix: 1 << 16, learnt: 1 << 21, reach: 1 << 19, windows: 128, further: 2048, strays: 64, blocks: 256 }
    }
}

/// What the engine hands over, in order and without gaps.
pub(crate) enum Piece<'a> {
    /// Bit i of the words tells whether `start + i` is cold; `start` is a multiple of 64.
    Cold { start: u64, len: u64, words: &'a [u64] },
    /// The nim-values from `start` on.
    Values { start: u64, values: &'a [u8] },
    /// How many of the `len` heaps from `start` on have each nim-value, and the first of them.
    Counts { start: u64, len: u64, counts: &'a [(u64, u64)] },
    /// What it would take to go on behind the last piece, if it is asked for, and whether it is the last of the run.
    State { save: &'a dyn Fn() -> Vec<u8>, last: bool },
}

/// What somebody wants of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Cold,
    Values,
    /// Values in the beginning and at the end, counts between.
    Counts,
}

impl Wanted {
    /// The same, but values in the place of counts.
    fn with_values(self) -> Self {
        if self == Self::Counts { Self::Values } else { self }
    }
}

/// What was learnt for a job, or the reason why the engine declines it.
pub(crate) fn learnt<'a>(set: &dyn SubtractionSet, learnt: &'a Result<Learnt, String>) -> Result<&'a Learnt> {
    learnt.as_ref().map_err(|reason| declined(set, reason.clone()))
}

fn declined(set: &dyn SubtractionSet, reason: String) -> Error {
    Error::Declined { engine: "residue", set: set.name(), reason }
}

/// What a run takes, at `nanoseconds` a position on one thread.
pub(crate) fn estimate(profile: &Profile, learnt: &Learnt, nanoseconds: f64) -> Result<Estimate, String> {
    let n = profile.n as f64;
    if profile.n > MAX_N {
        return Err(format!("positions are served below {MAX_N}"));
    }
    let settings = Settings::default();
    let prefix = n.min(settings.prefix as f64);
    Ok(Estimate {
        operations: n,
        seconds: 5e-12 * prefix * prefix + 1e-9 * nanoseconds * (n - prefix) + 0.02,
        memory: settings.learnt + (32 << 20) + if learnt.streams { profile.n.isqrt() } else { profile.n / 8 },
        method: format!(
            "residues mod {}, of which elements occupy {}; vectors of candidates against a few members of each class",
            learnt.structure.modulus,
            learnt.structure.occupied_count()
        ),
        stages: Vec::new(),
        may_give_up: !learnt.streams,
    })
}

/// One run of the engine.
pub(crate) struct Run<'a> {
    pub(crate) set: &'a dyn SubtractionSet,
    pub(crate) n: u64,
    pub(crate) learnt: &'a Learnt,
    pub(crate) wanted: Wanted,
    pub(crate) settings: Settings,
    pub(crate) control: &'a Control,
    /// Where a run was that handed over everything below `state.reached`.
    pub(crate) state: Option<&'a State>,
}

impl Run<'_> {
    /// The heaps below this were handed over by an earlier run.
    fn from(&self) -> u64 {
        self.state.map_or(0, |state| state.reached)
    }

    fn levels(&self) -> usize {
        if self.wanted == Wanted::Cold { 1 } else { Settings::LEVELS }
    }

    /// Decides all heaps below n and hands them over.
    pub(crate) fn run(&self, output: &mut dyn FnMut(Piece<'_>) -> Result<()>) -> Result<()> {
        let mut values = self.beginning()?;
        if values.len() as u64 >= self.n {
            values.truncate(self.n as usize);
            return self.hand_over_values(0, &values, output);
        }
        let modulus = self.learnt.structure.modulus;
        let unit = BLOCK * modulus as u64;
        let rows = self.rows(self.n.div_ceil(unit) * unit)?;
        let structure = Structure::of_rows(&*rows, modulus);
        if structure.occupied[0] {
            return Err(self.declined(format!("elements beyond 64 are multiples of {modulus}")));
        }
        let exceptional = structure.exceptional_moves();
        let mut lists = Lists::learn(&structure, &values, self.levels(), &self.settings);
        let mut block = values.len() as u64 / unit;
        let beginning = values.clone();
        values.truncate((block * unit) as usize);
        self.hand_over_values(0, &values, output)?;
        let mut runner = Runner {
            run: self,
            rows: &*rows,
            exceptional: &exceptional,
            history: History::of_values(&structure, &values, block, lists.len()),
            structure: &structure,
            beginning: &beginning,
            strays: Vec::new(),
        };
        // Learn again at every doubling.
        let mut learnt_at = values.len() as u64;
        while block * unit < self.n && block * unit < self.settings.learnt {
            let heaps = (learnt_at / 8).min(self.settings.blocks as u64 * unit);
            let blocks = (heaps / unit).clamp(1, self.n.div_ceil(unit) - block);
            let segment = runner.decide_in_order(&mut lists, block, blocks, self.wanted.with_values())?;
            self.keep(&segment, &mut values);
            self.hand_over(&segment, block * unit, blocks * unit, &Vec::new, output)?;
            runner.history = segment.after;
            block += blocks;
            if block * unit >= 2 * learnt_at {
                learnt_at = block * unit;
                lists = Lists::learn(&structure, &values, self.levels(), &self.settings);
            }
        }
        drop(values);
        let (structure, history) = (structure.clone(), std::mem::take(&mut runner.history));
        let mut saved = Saved { structure, learnt: block, block, history, strays: Vec::new() };
        if let Some(earlier) = self.state.and_then(|state| Saved::from_bytes(&state.bytes))
            && earlier.goes_on(&saved)
        {
            earlier.strays.iter().for_each(|&(value, heap)| lists.insert(value, heap));
            saved = earlier;
        }
        runner.rest(&mut lists, saved, output)
    }

    /// The heaps that are played by the definition.
    fn beginning(&self) -> Result<Vec<u8>> {
        let len = self.settings.prefix.min(self.n);
        if self.learnt.values.len() as u64 >= len {
            return Ok(self.learnt.values[..len as usize].to_vec());
        }
        let elements = elements_below(self.set, len, self.control)?;
        let values = play(&elements, len, self.levels());
        match self.wanted != Wanted::Cold && values.contains(&UNDECIDED) {
            true => Err(self.declined(format!("more than {} nim-values occur below {len}", Settings::LEVELS))),
            false => Ok(values),
        }
    }

    fn rows(&self, end: u64) -> Result<Box<dyn Rows + '_>> {
        let modulus = self.learnt.structure.modulus as u64;
        match self.set.rows(modulus, end)? {
            Some(rows) => Ok(rows),
            None => Ok(Box::new(RowTable::new(self.set, modulus, end, self.control)?)),
        }
    }

    fn declined(&self, reason: String) -> Error {
        declined(self.set, reason)
    }

    /// Appends the values of a segment.
    fn keep(&self, segment: &Segment, values: &mut Vec<u8>) {
        match self.wanted {
            Wanted::Cold => {
                values.extend(segment.values().into_iter().map(|cold| if cold == 1 { 0 } else { UNDECIDED }))
            }
            _ => values.extend(segment.values()),
        }
    }

    /// Hands over the values from `start` on, as far as no earlier run did.
    fn hand_over_values(
        &self,
        start: u64,
        values: &[u8],
        output: &mut dyn FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<()> {
        let end = start + values.len() as u64;
        let start = self.from().clamp(start, end);
        let values = &values[values.len() - (end - start) as usize..];
        match self.wanted {
            _ if values.is_empty() => return self.control.check(),
            Wanted::Cold => {
                let bits = |values: &[u8]| (0..).zip(values).fold(0, |word, (i, &v)| word | u64::from(v == 0) << i);
                let words: Vec<u64> = values.chunks(64).map(bits).collect();
                output(Piece::Cold { start, len: values.len() as u64, words: &words })?;
            }
            _ => output(Piece::Values { start, values })?,
        }
        self.advance(end, &Vec::new, output)
    }

    /// Tells how far the run is, and offers what it takes to go on from there.
    fn advance(
        &self,
        end: u64,
        save: &dyn Fn() -> Vec<u8>,
        output: &mut dyn FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<()> {
        let goes_on = self.control.advance(end);
        output(Piece::State { save, last: goes_on.is_err() || end == self.n })?;
        goes_on
    }

    /// Whether a segment of the heaps from `start` to `end` has to have values where counts are wanted: when it is handed
    /// over in part.
    fn wanted_of(&self, start: u64, end: u64) -> Wanted {
        let whole = end <= self.n && !(start..end).contains(&self.from());
        if whole || start == self.from() && end <= self.n { self.wanted } else { self.wanted.with_values() }
    }

    /// Hands over a segment of `all` heaps from `start` on, as far as it is below n and no earlier run did, and offers
    /// what it takes to go on behind it.
    fn hand_over(
        &self,
        segment: &Segment,
        start: u64,
        all: u64,
        save: &dyn Fn() -> Vec<u8>,
        output: &mut dyn FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<()> {
        let len = all.min(self.n - start);
        let skip = self.from().saturating_sub(start).min(len);
        match self.wanted {
            _ if skip == len => return self.control.check(),
            Wanted::Cold => {
                let mut words = segment.planes[0][..len.div_ceil(64) as usize].to_vec();
                if let (1.., Some(last)) = (len % 64, words.last_mut()) {
                    *last &= (1 << (len % 64)) - 1;
                }
                output(Piece::Cold { start, len, words: &words })?;
            }
            Wanted::Counts if segment.planes.is_empty() => {
                output(Piece::Counts { start, len, counts: &segment.counts })?
            }
            _ => {
                let values = &segment.values()[skip as usize..len as usize];
                output(Piece::Values { start: start + skip, values })?;
            }
        }
        self.advance(start + len, save, output)
    }
}
