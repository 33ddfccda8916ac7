//! Levels: one nim-value after the other, each as the cold positions of what the lower ones left over.
//!
//! Level v holds the positions of nim-value v. *Exact:* G(x) = v if and only if x is in no level below v, and no x - s
//! lies in level v. For if x is in no lower level, then G(x) >= v, so x has moves to each of 0, ..., v - 1, and G(x) = v
//! if and only if it has none to v. So level v is the set of cold positions of a game on what is left over, in which the
//! other positions are hot from the start, and whatever finds cold positions finds levels. A class need not be dense for
//! that: the work below depends on how many positions there are, and hardly on how many levels.
//!
//! The positions are cut into at most eight *blocks*. A block is decided level by level and handed on before the next:
//!
//! ```text
//! for each block, for each level v until every position of the block has one:
//!     hot = positions that have a level
//!     hot |= members of v in earlier blocks + S         (windows, or transforms summed over the blocks)
//!     divide and conquer inside the block: left half; hot |= left half's members + S; right half
//! ```
//!
//! What a half, or an earlier block, hits is computed in one of two ways: with few members, an OR of the windows of the
//! set's indicator, one for each member ([`crate::cold::Strips`]); with many, a transform ([`crate::convolve`]; the
//! method of Eppstein, FUN 2018). Since each position is a member once, all windows together cost n^2 / 1024 vector
//! operations at most, however many levels there are: sets with thousands of nim-values, each of few positions, such as
//! random ones, are served by windows, and sets with few nim-values, such as primes, by transforms.
//!
//! T(n) = min(n^2, L n log^2 n) about, for L levels; M(n): below 20 bytes a position of the padded length (the lists of
//! the levels' members 4, values 1/4, with transforms 16 more in spectra, roots and data, less for n below half of it).
//! The length of a block is limited by the roots of unity, n by the eight blocks. Given up: a test of single candidates
//! once there are few.

use std::ops::Range;

use super::Job;
use crate::cold::Strips;
use crate::convolve::spectra::Spectra;
use crate::error::{Error, Result};
use crate::kernel::ntt::MAX_LEN;
use crate::kernel::{Cpu, PaddedBits, STRIP};
use crate::plan::{Estimate, Profile};
use crate::run::{Control, try_vec};
use crate::set::{EARLY, visit_below};
use crate::sink::{Fill, GrundyBlock, GrundySink, NimValues};

/// Blocks that the positions are cut into, at most. More: results come earlier and transforms are shorter, but each
/// block needs those of all earlier ones.
const BLOCKS: u64 = 8;
/// Positions below which there are windows only: together they cost less than the shortest transforms.
const LEAF: u64 = 1 << 17;
/// The largest n that the engine serves: beyond, a block would be longer than half a transform.
pub const MAX_N: u64 = BLOCKS * MAX_LEN as u64 / 2;
/// Members from which a transform is cheaper than their windows, for each doubling of its length: both costs grow with
/// the length, that of the transform with its logarithm besides.
const FEW: u64 = 400;

/// The lengths that a job is cut into.
#[derive(Debug, Clone, Copy)]
struct Cut {
    /// Positions of a block: a power of two, or whole strips when there is one block only.
    block: u64,
    /// A power of two.
    leaf: u64,
    /// As [`FEW`]; `None` for windows only.
    few: Option<u64>,
}

impl Cut {
    fn of(profile: &Profile) -> Self {
        let n = profile.n;
        let block = n.div_ceil(BLOCKS).next_power_of_two().max(LEAF).min(n.next_multiple_of(STRIP).max(STRIP));
        let cut = Self { block, leaf: LEAF, few: Some(FEW) };
        // Level 0 is the densest, or nearly so. With no use for transforms their memory is not taken.
        let members = profile.cold * (block as f64 / profile.n.max(1) as f64).min(1.0);
        let useful = n > LEAF && cut.prefers_transform(members as u64, block, 1);
        Self { few: useful.then_some(FEW), ..cut }
    }

    /// Tells whether so many transforms cost less than the windows of the members among `half` positions.
    fn prefers_transform(self, members: u64, half: u64, transforms: u64) -> bool {
        self.few.is_some_and(|few| members > few * transforms * u64::from(half.ilog2() + 1))
    }

    /// The lengths of the halves inside a block.
    fn halves(self) -> impl Iterator<Item = u64> {
        std::iter::successors(Some(self.block / 2), |half| Some(half / 2)).take_while(move |&half| half >= self.leaf)
    }
}

pub(super) fn estimate(profile: &Profile) -> Result<Estimate, String> {
    let n = profile.n;
    if n > MAX_N {
        return Err(format!("it serves n up to 2^29 = {MAX_N}, where its roots of unity end; use another engine"));
    }
    let cut = Cut::of(profile);
    let (positions, levels) = (n as f64, profile.levels.unwrap_or(1.0));
    let vector = Cpu::best().vector_bits() as f64;
    /// Seconds of a vector of a window, of a butterfly, and of a look at a strip for one level.
    const WINDOW: f64 = 0.5e-9;
    const BUTTERFLY: f64 = 0.2e-9;
    const LOOK: f64 = 250e-9;
    let cheaper = |windows: f64, butterflies: f64| match cut.few {
        Some(_) => (WINDOW * windows).min(BUTTERFLY * butterflies),
        None => WINDOW * windows,
    };
    let length = |half: f64| 2.0 * half * (2.0 * half).log2();
    let block = positions.min(cut.block as f64);
    let mut seconds = WINDOW * positions * block.min(cut.leaf as f64) / 2.0 / vector;
    for half in cut.halves().map(|half| half as f64) {
        seconds += positions / (2.0 * half) * cheaper(half * half / vector, 2.0 * levels * length(half));
    }
    for earlier in 1..n.div_ceil(cut.block.max(1)) {
        let members = earlier as f64 * block;
        seconds += cheaper(members * block / vector, (earlier as f64 + 1.0) * levels * length(block));
    }
    seconds += LOOK * levels * positions / STRIP as f64 + 5e-9 * positions;
    let memory = match cut.few {
        // Lists; set; values, bits and two rows of numbers of a block; roots, spectra inside and between the blocks.
        Some(_) => 4 * n + n / 8 + 27 * cut.block + 8 * cut.block * n.div_ceil(cut.block),
        None => 4 * n + n / 8 + 4 * cut.block,
    };
    Ok(Estimate {
        operations: positions * positions / 2.0 / vector,
        seconds,
        memory: memory + (1 << 16),
        method: format!(
            "about {levels:.0} levels in {} by {}",
            match n.div_ceil(cut.block) {
                0 | 1 => "one block".into(),
                blocks => format!("each of {blocks} blocks"),
            },
            if cut.few.is_some() { "windows and transforms" } else { "windows" }
        ),
        stages: Vec::new(),
        may_give_up: false,
    })
}

/// Counts the nim-values of the positions below `n / EARLY`, and below `n`: for samples.
pub(crate) fn sample_counts(elements: &[u64], n: u64) -> Result<[u64; 2]> {
    let mut indicator = PaddedBits::zeros("a sample", n)?;
    elements.iter().take_while(|&&s| s < n).for_each(|&s| indicator.set(s));
    let cut = Cut { block: n.next_multiple_of(STRIP).max(STRIP), leaf: n.next_power_of_two().max(STRIP), few: None };
    let mut levels = Levels::new(indicator, cut, n, &Control::new())?;
    levels.solve_block(0..n, 0, &Control::new())?;
    let count = |end: u64| levels.values[..end as usize].iter().max().map_or(0, |&max| u64::from(max) + 1);
    Ok([count(n / EARLY), count(n)])
}

pub(super) fn run(job: &Job<'_>, control: &Control, sink: &mut dyn GrundySink) -> Result<()> {
    run_with(job, Cut::of(job.profile), control, sink)
}

fn run_with(job: &Job<'_>, cut: Cut, control: &Control, sink: &mut dyn GrundySink) -> Result<()> {
    let n = job.n;
    let mut indicator = PaddedBits::zeros("the indicator of the set", n)?;
    visit_below(job.set, n, control, |s| {
        indicator.set(s);
        Ok(())
    })?;
    let mut levels = Levels::new(indicator, cut, n, control)?;
    for start in (0..n).step_by(cut.block as usize) {
        let end = n.min(start + cut.block);
        let known = job.start().clamp(start, end) - start;
        if let Some(table) = job.known.filter(|_| known > 0) {
            table.feed(start..start + known, &mut Fill::new(&mut levels.values))?;
        }
        // Strips are decided as a whole.
        let known = if start + known == end { known } else { known / STRIP * STRIP };
        let open = match levels.solve_block(start..end, known, control) {
            Err(Error::Stopped { .. }) => {
                // Progress counted positions that have a level; what was handed over is whole blocks.
                let reached = start.max(job.start());
                return control.advance(reached).and(Err(Error::Stopped { reached }));
            }
            open => open?.map(|x| start + x),
        };
        let decided = (open.unwrap_or(end) - start) as usize;
        sink.accept(&GrundyBlock { start, values: NimValues::Words(&levels.values[..decided]) })?;
        if let Some(heap) = open {
            return Err(Error::ValueTooLarge { heap });
        }
        control.advance(end)?;
        if end < n {
            levels.keep()?;
        }
    }
    Ok(())
}

/// The block that is being decided, and what is kept of earlier ones.
struct Levels {
    cut: Cut,
    strips: Strips,
    /// Earlier blocks.
    blocks: Vec<Members>,
    transforms: Option<Transforms>,
    /// Of the block: the positions without a level, the hot bits of the present level, the nim-values.
    open: Vec<u64>,
    hot: Vec<u64>,
    values: Vec<u16>,
}

/// The positions of a block, counted from its start, by nim-value.
struct Members {
    positions: Vec<u32>,
    /// Where in `positions` each nim-value starts, and the end.
    starts: Vec<u32>,
}

impl Members {
    /// Sorts by counting. 4 bytes a position, and 4 a nim-value.
    fn new(values: &[u16]) -> Result<Self> {
        let levels = values.iter().max().map_or(0, |&max| usize::from(max) + 1);
        let mut starts = vec![0_u32; levels + 1];
        values.iter().for_each(|&value| starts[usize::from(value) + 1] += 1);
        (1..=levels).for_each(|level| starts[level] += starts[level - 1]);
        let mut positions = try_vec("the members of levels", values.len() as u64, 0_u32)?;
        let mut next = starts.clone();
        for (x, &value) in (0..).zip(values) {
            let slot = &mut next[usize::from(value)];
            positions[*slot as usize] = x;
            *slot += 1;
        }
        Ok(Self { positions, starts })
    }

    fn of(&self, level: usize) -> &[u32] {
        match self.starts.get(level..level + 2) {
            Some(bounds) => &self.positions[bounds[0] as usize..bounds[1] as usize],
            None => &[],
        }
    }
}

/// Spectra of the set for the halves of a block and between blocks, and room for two sequences.
struct Transforms {
    spectra: Spectra,
    sum: Vec<u32>,
    data: Vec<u32>,
}

impl Levels {
    fn new(set: PaddedBits, cut: Cut, n: u64, control: &Control) -> Result<Self> {
        let transforms = match cut.few {
            None => None,
            Some(_) => {
                let mut spectra = Spectra::new(cut.block)?;
                for half in cut.halves() {
                    control.check()?;
                    spectra.add(set.words(), half, 1)?;
                }
                for distance in 1..n.div_ceil(cut.block) {
                    control.check()?;
                    spectra.add(set.words(), cut.block, distance)?;
                }
                let row = || try_vec("a transform", 2 * cut.block, 0_u32);
                Some(Transforms { spectra, sum: row()?, data: row()? })
            }
        };
        let words = || try_vec("the bits of a block", cut.block / 64, 0_u64);
        Ok(Self {
            cut,
            strips: Strips::by_indicator(set, cut.block)?,
            blocks: Vec::new(),
            transforms,
            open: words()?,
            hot: words()?,
            values: try_vec("the nim-values of a block", cut.block, 0)?,
        })
    }

    /// Gives every position of a block its nim-value; the first `known` of `values` are there. Returns the first
    /// position, counted from the block's start, whose value passes 65,535, if there is one.
    fn solve_block(&mut self, block: Range<u64>, known: u64, control: &Control) -> Result<Option<u64>> {
        let len = block.end - block.start;
        for (base, word) in (0..).step_by(64).zip(&mut self.open) {
            let below = |end: u64| u64::MAX.checked_shr((base + 64 - end.clamp(base, base + 64)) as u32).unwrap_or(0);
            *word = below(len) & !below(known);
        }
        let words = (len.next_multiple_of(STRIP) / 64) as usize;
        let members = Members::new(&self.values[..known as usize])?;
        let mut found = block.start + known;
        for level in 0..=u16::MAX {
            if self.open[..words].iter().all(|&word| word == 0) {
                return Ok(None);
            }
            control.advance(found)?;
            self.strips.clear();
            members.of(level.into()).iter().for_each(|&x| self.strips.set_cold(x.into()));
            self.hot[..words].iter_mut().zip(&self.open).for_each(|(hot, open)| *hot = !open);
            self.hit_from_earlier(level.into(), words, control)?;
            self.solve(0, self.cut.block.next_power_of_two(), words as u64 * 64, known, control)?;
            for ((word, base), open) in
                self.strips.cold().words()[..words].iter().zip((0..).step_by(64)).zip(&mut self.open)
            {
                let members = word & *open;
                *open ^= members;
                found += u64::from(members.count_ones());
                let mut rest = members;
                while rest != 0 {
                    self.values[base + rest.trailing_zeros() as usize] = level;
                    rest &= rest - 1;
                }
            }
        }
        let word = self.open.iter().position(|&word| word != 0);
        Ok(word.map(|word| 64 * word as u64 + u64::from(self.open[word].trailing_zeros())))
    }

    /// Makes hot what lies one move above a member of the level in an earlier block.
    fn hit_from_earlier(&mut self, level: usize, words: usize, control: &Control) -> Result<()> {
        let Self { cut, strips, blocks, transforms, hot, .. } = self;
        let (hot, len) = (&mut hot[..words], cut.block);
        let here = blocks.len() as u64;
        let by_transform = |members: &Members| cut.prefers_transform(members.of(level).len() as u64, len, 1);
        let few = (0..).zip(&*blocks).filter(|(_, members)| !by_transform(members));
        let positions =
            few.flat_map(|(block, members)| members.of(level).iter().map(move |&x| block * len + u64::from(x)));
        strips.take_windows_over(positions)?;
        strips.advance(hot, here * len, 0..here * len);
        let Some(Transforms { spectra, sum, data }) = transforms else { return Ok(()) };
        let mut added = false;
        for (distance, members) in (1..).zip(blocks.iter().rev()).filter(|(_, members)| by_transform(members)) {
            control.check()?;
            if !added {
                sum.fill(0);
                added = true;
            }
            data.fill(0);
            members.of(level).iter().for_each(|&x| data[x as usize] = 1);
            spectra.add_hits(sum, data, distance);
        }
        if added {
            control.check()?;
            spectra.finish(sum, hot);
        }
        Ok(())
    }

    /// Decides, for the present level, the interval of `len` positions from `start` on, as far as `end`, whose moves to
    /// everything below it are in.
    fn solve(&mut self, start: u64, len: u64, end: u64, known: u64, control: &Control) -> Result<()> {
        let word = |x: u64| (x.min(end) / 64) as usize;
        if self.hot[word(start)..word(start + len)].iter().all(|&word| word == u64::MAX) {
            return Ok(());
        }
        if len <= self.cut.leaf {
            self.strips.take_windows_within(start..known.clamp(start, start + len))?;
            return self.strips.solve(&mut self.hot[word(start)..word(start + len)], start);
        }
        let (half, middle) = (len / 2, start + len / 2);
        self.solve(start, half, end, known, control)?;
        let right = &mut self.hot[word(middle)..word(start + len)];
        if right.iter().any(|&word| word != u64::MAX) {
            let left = &self.strips.cold().words()[word(start)..word(middle)];
            let members = left.iter().map(|word| u64::from(word.count_ones())).sum();
            match &mut self.transforms {
                Some(transforms) if self.cut.prefers_transform(members, half, 2) => {
                    control.check()?;
                    transforms.spectra.hit(&mut transforms.data[..2 * half as usize], left, right);
                }
                _ if members > 0 => {
                    self.strips.take_windows_within(start..middle)?;
                    self.strips.advance(right, middle, start..middle);
                }
                _ => {}
            }
        }
        self.solve(middle, half, end, known, control)
    }

    /// Keeps the members of the block that was decided last, for the blocks that come.
    fn keep(&mut self) -> Result<()> {
        self.blocks.push(Members::new(&self.values)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::{NamedSet, SubtractionSet};
    use crate::table::{GrundyTable, GrundyValues};

    /// Short blocks and leaves, so that every way is gone at sizes that the oracle can follow: windows and transforms,
    /// inside blocks and between them, from the beginning and from what is known.
    #[test]
    fn short_blocks_agree_with_the_recurrence() {
        let control = Control::new();
        for name in ["squares", "primes", "allbut:2,3,7", "practical", "random:0.3:7", "lucky", "63,64,65"] {
            let set: NamedSet = name.parse().unwrap();
            for n in [STRIP + 1, 4 * STRIP, 4 * STRIP + 77] {
                let profile = Profile::measure(&set, n).unwrap();
                let table = || GrundyTable::with_capacity(set.name(), n).unwrap();
                let job = Job { set: &set, n, profile: &profile, known: None, state: None };
                let mut expected = table();
                super::super::recurrence::run(&job, &control, &mut expected).unwrap();
                let known_end = 2 * n / 3;
                let mut known = GrundyTable::with_capacity(set.name(), known_end).unwrap();
                super::super::recurrence::run(&Job { n: known_end, ..job }, &control, &mut known).unwrap();
                for (blocks, few) in [(1, None), (1, Some(0)), (2, Some(1)), (4, Some(0)), (4, None), (8, Some(3))] {
                    let cut = Cut { block: blocks * STRIP, leaf: STRIP, few };
                    let mut found = table();
                    run_with(&job, cut, &control, &mut found).unwrap();
                    assert_eq!(found, expected, "{name}, n = {n}, {cut:?}");
                    let mut rest = table();
                    known.feed(0..known_end, &mut rest).unwrap();
                    let mut sink = crate::sink::GrundySkipBelow::new(known_end, &mut rest);
                    run_with(&Job { known: Some(&known), ..job }, cut, &control, &mut sink).unwrap();
                    assert_eq!(rest, expected, "{name}, n = {n}, {cut:?}, known below {known_end}");
                }
            }
        }
    }
}
