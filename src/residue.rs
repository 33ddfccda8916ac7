//! The engine on residue structure, for nim-values and for cold positions: HEAD TO BE WRITTEN.

mod lists;
mod segment;
mod structure;
mod transpose;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::kernel::Cpu;
use crate::plan::{Estimate, Profile};
use crate::run::Control;
use crate::set::{RowTable, Rows, SubtractionSet, elements_below};
use lists::Lists;
use segment::{Game, History, Segment, Trouble, decide};
pub(crate) use structure::{Learnt, Screening};
use structure::{Structure, play};

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
}

/// What somebody wants of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Cold,
    Values,
    /// Values where the engine has them at hand, counts where it does not.
    Counts,
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
    if profile.n > 1 << 60 {
        return Err("positions are served below 2^60".into());
    }
    let settings = Settings::default();
    let prefix = n.min(settings.prefix as f64);
    Ok(Estimate {
        operations: n,
        seconds: 5e-12 * prefix * prefix + 1e-9 * nanoseconds * (n - prefix) + 0.02,
        memory: settings.learnt + (64 << 20),
        method: format!(
            "residues mod {}, of which elements occupy {}; vectors of candidates against a few members of each class",
            learnt.structure.modulus,
            learnt.structure.occupied_count()
        ),
        stages: Vec::new(),
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
}

impl Run<'_> {
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
        values.truncate((block * unit) as usize);
        self.hand_over_values(0, &values, output)?;
        let mut runner = Runner {
            run: self,
            rows: &*rows,
            exceptional: &exceptional,
            history: History::of_values(&structure, &values, block, lists.len()),
            structure: &structure,
        };
        // Learn again at every doubling.
        let mut learnt_at = values.len() as u64;
        while block * unit < self.n && block * unit < self.settings.learnt {
            let heaps = (learnt_at / 8).min(self.settings.blocks as u64 * unit);
            let blocks = (heaps / unit).clamp(1, self.n.div_ceil(unit) - block);
            let segment = runner.decide_in_order(&mut lists, block, blocks)?;
            self.keep(&segment, &mut values);
            self.hand_over(&segment, block * unit, true, output)?;
            runner.history = segment.after;
            block += blocks;
            if block * unit >= 2 * learnt_at {
                learnt_at = block * unit;
                lists = Lists::learn(&structure, &values, self.levels(), &self.settings);
            }
        }
        drop(values);
        runner.rest(&mut lists, block, output)
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

    fn hand_over_values(
        &self,
        start: u64,
        values: &[u8],
        output: &mut dyn FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<()> {
        match self.wanted {
            Wanted::Cold => {
                let bits = |values: &[u8]| (0..).zip(values).fold(0, |word, (i, &v)| word | u64::from(v == 0) << i);
                let words: Vec<u64> = values.chunks(64).map(bits).collect();
                output(Piece::Cold { start, len: values.len() as u64, words: &words })?;
            }
            _ => output(Piece::Values { start, values })?,
        }
        self.control.advance(start + values.len() as u64)
    }

    /// Hands over a segment that starts at the heap `start`, as far as it is below n.
    fn hand_over(
        &self,
        segment: &Segment,
        start: u64,
        whole: bool,
        output: &mut dyn FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<()> {
        let all = 64 * segment.planes[0].len() as u64;
        let len = all.min(self.n - start);
        match self.wanted {
            Wanted::Cold => {
                let mut words = segment.planes[0][..len.div_ceil(64) as usize].to_vec();
                if let (1.., Some(last)) = (len % 64, words.last_mut()) {
                    *last &= (1 << (len % 64)) - 1;
                }
                output(Piece::Cold { start, len, words: &words })?;
            }
            Wanted::Counts if !whole && len == all => output(Piece::Counts { start, len, counts: &segment.counts })?,
            _ => output(Piece::Values { start, values: &segment.values()[..len as usize] })?,
        }
        self.control.advance(start + len)
    }
}

/// What goes through the segments of a run.
struct Runner<'a> {
    run: &'a Run<'a>,
    structure: &'a Structure,
    exceptional: &'a [Vec<(usize, u32)>],
    rows: &'a dyn Rows,
    history: History,
}

impl Runner<'_> {
    fn game<'b>(&'b self, lists: &'b Lists) -> Game<'b> {
        Game {
            structure: self.structure,
            exceptional: self.exceptional,
            lists,
            rows: self.rows,
            cpu: Cpu::best(),
            cold: self.run.wanted == Wanted::Cold,
        }
    }

    /// Decides blocks with the history at hand, and adds to the lists what must be in them.
    fn decide_in_order(&self, lists: &mut Lists, block: u64, blocks: u64) -> Result<Segment> {
        loop {
            match decide(&self.game(lists), block, blocks, Some(&self.history)) {
                Ok(segment) => return Ok(segment),
                Err(Trouble::Stray { value, heap }) => {
                    self.run.control.check()?;
                    if value >= Settings::LEVELS {
                        return Err(self.run.declined(format!("the nim-value of heap {heap} is above {value}")));
                    }
                    lists.insert(value, heap);
                }
                Err(Trouble::Cut { value, heap }) => {
                    return Err(Error::Undecided { set: self.run.set.name(), heap, value });
                }
            }
        }
    }

    /// Decides the heaps from a block to the end, several segments at once.
    ///
    /// Each segment starts from a history of its own, which it made by deciding the block before; when that is not what
    /// the segment before left, or when a list must grow, the segment is decided again in order.
    fn rest(
        &mut self,
        lists: &mut Lists,
        mut block: u64,
        output: &mut dyn FnMut(Piece<'_>) -> Result<()>,
    ) -> Result<()> {
        let unit = BLOCK * self.structure.modulus as u64;
        let end = self.run.n.div_ceil(unit);
        let size = self.run.settings.blocks as u64;
        while block < end {
            let segments: Vec<(u64, u64)> = (0..2 * rayon::current_num_threads() as u64)
                .map(|i| block + i * size)
                .take_while(|&first| first < end)
                .map(|first| (first, size.min(end - first)))
                .collect();
            let game = self.game(lists);
            let decided: Vec<Result<Segment, Trouble>> =
                segments.par_iter().map(|&(first, blocks)| decide(&game, first, blocks, None)).collect();
            for ((first, blocks), decided) in segments.into_iter().zip(decided) {
                let (segment, as_foreseen) = match decided {
                    Ok(segment) if segment.before.agrees(&self.history) => (segment, true),
                    _ => (self.decide_in_order(lists, first, blocks)?, false),
                };
                self.run.hand_over(&segment, first * unit, false, output)?;
                self.history = segment.after;
                block = first + blocks;
                if !as_foreseen {
                    // The lists may have grown.
                    break;
                }
            }
        }
        Ok(())
    }
}
