//! Flags of values reached: the mex of neighbouring positions, a group at a time.
//!
//! # Idea
//! For 128 consecutive positions and one element s, the options x - s are 128 consecutive bytes of the table. So one
//! vector operation does the same with all of them; the question is what. Each position has a *window*: a value `base`,
//! and 32 flags for the values from there on. The values of the options set those flags that they meet; every 64 elements,
//! each window slides over the values that were reached, its base first. The elements go round and round, until no
//! window has moved for a whole round. Values far above the mex are never looked at, and a value below it only until
//! it is reached for the first time: six or seven rounds are enough for squares below 2^22, nine below 2^24.
//!
//! A super-block is a few groups. Elements that lead from a group to below its super-block are *far*: the far moves of the
//! groups are independent of each other and go to all threads. Then the groups are decided in order. The windows are
//! completed by the moves to earlier groups of the super-block, again for a whole group at a time, and by those within the
//! group one by one. The mex is the first flag that is not set.
//!
//! Where windows are slow, byte flags do the far moves: for each option one store, `flag[lane][value] = 1`, in rows for 32
//! positions. That is the case without vectors of at least 256 bits, and for sets such as {1, 2, 3, ...} whose nim-values
//! grow so fast that the windows never arrive. A super-block whose windows take too many rounds tells.
//!
//! # Exactness
//! A window passes a value only when an option had it. When no window of a group moved during a round, every flag of
//! every window was compared with every far option of its position. So all values below `base` are reached, and of the 32
//! from there on exactly those whose flag is set. The later moves only add to that. If they set all flags that were
//! left, the heap is decided by the definition (one heap in some hundred).
//!
//! # Cost
//! T(n): n |S below n| options, each in a few rounds. The reads of all rounds but the first come from the second-level
//! cache. M(n): one byte a position up to the value 255; from the first larger one
//! on two bytes a position, and while the table is copied, once, three bytes for the positions decided by then.
//!
//! # Given up
//! Byte flags for everything, bound by one store a cycle: 1.3 times as long for squares below 2^22 and 1.8 times below 2^20,
//! in processor time on a busy machine. Rounds below were counted, not timed. Windows of
//! 16 values need half as many more rounds, which outweighs the half of the instructions. Going round a part of the
//! elements that fits in the first-level cache before the next part has its turn takes 1.7 times as many rounds.
//! Byte flags for the first eighth to half of the elements, then windows: within a tenth either way. Flags for 16 and 64
//! positions at a time, a bit plane for each value, and a mex that stops early did not help either.
//!
//! An end of the rounds when at most two, three, or six windows of a group have moved during the last one, those few lanes
//! then being decided by flags: no difference beyond the noise for squares below 3·10^6 and 2^22. What the rounds save, the
//! lanes take. A second plane of bytes for the values from 225 to 479, where windows go on from the last of the first plane,
//! in the place of two bytes a position: 1.1 to 1.2 times as long for squares below 2^22, and 1.2 times below 6.5·10^6, in
//! processor time on a busy machine. Likely reasons, not measured: words take hardly more instructions a position, and
//! windows that change planes need some more rounds.

use rayon::prelude::*;

mod far;

use super::Job;
use crate::error::{Error, Result};
use crate::kernel::{Cpu, NimValue, WINDOW, mark_one, reserve_in_large_pages};
use crate::plan::{Estimate, Profile};
use crate::run::Control;
use crate::set::elements_below;
use crate::sink::{Fill, GrundyBlock, GrundySink, NimValues};
use far::{Far, Split, Windows};

/// Groups of a super-block for each thread. More balance the threads better, but leave fewer moves far.
const GROUPS_A_THREAD: usize = 4;
/// Groups of a super-block at least. With fewer, joining the threads takes its time.
const LEAST_GROUPS: usize = 8;
/// Super-blocks that are left to byte flags after windows were slow.
const FLAGGED: usize = 63;

/// Options of all positions, about: the sum over x of the number of elements up to x.
pub(super) fn options(profile: &Profile) -> f64 {
    0.7 * profile.n as f64 * profile.elements
}

pub(super) fn estimate(profile: &Profile) -> Result<Estimate, String> {
    let options = options(profile);
    let levels = profile.levels.unwrap_or(1.0);
    let rounds = 2.0 + levels / LEVELS_A_ROUND;
    let bytes = if levels < 256.0 { 1.0 } else { 2.0 };
    let seconds = (SECONDS_A_ROUND * rounds).min(SECONDS_BY_FLAGS) * options;
    Ok(Estimate {
        operations: options,
        seconds: seconds + SECONDS_A_POSITION * profile.n as f64,
        memory: (bytes * profile.n as f64 + 16.0 * profile.elements) as u64,
        method: format!("windows of {WINDOW} values for groups of positions, far moves on all threads"),
        stages: Vec::new(),
        may_give_up: false,
    })
}

/// Nim-values of the game for each round of windows beyond the first two: squares take 5 rounds with 171 values, 6.6 with
/// 279 and 9.4 with 451.
const LEVELS_A_ROUND: f64 = 60.0;
/// An option in one round of windows, on one thread.
const SECONDS_A_ROUND: f64 = 0.035e-9;
/// An option by byte flags.
const SECONDS_BY_FLAGS: f64 = 0.45e-9;
/// What a position costs beside its far moves.
const SECONDS_A_POSITION: f64 = 25e-9;

/// How a type of values is handed over.
trait Value: NimValue + TryFrom<u16> {
    fn block(values: &[Self]) -> NimValues<'_>;
}

impl Value for u8 {
    fn block(values: &[Self]) -> NimValues<'_> {
        NimValues::Bytes(values)
    }
}

impl Value for u16 {
    fn block(values: &[Self]) -> NimValues<'_> {
        NimValues::Words(values)
    }
}

pub(super) fn run(job: &Job<'_>, control: &Control, sink: &mut dyn GrundySink) -> Result<()> {
    let elements = elements_below(job.set, job.n, control)?;
    let elements: Vec<usize> = elements.into_iter().map(|s| s as usize).collect();
    let mut table = Table::<u8>::new(job.n)?;
    let narrow = match table.know(job) {
        Ok(()) => true,
        Err(Error::ValueTooLarge { .. }) => false,
        Err(error) => return Err(error),
    };
    if narrow && table.fill(&elements, control, sink)? {
        return Ok(());
    }
    let mut wide = Table::<u16>::new(job.n)?;
    if narrow {
        wide.values.extend(table.values.iter().map(|&value| u16::from(value)));
        wide.max = table.max;
    } else {
        wide.know(job)?;
    }
    drop(table);
    if wide.fill(&elements, control, sink)? {
        return Ok(());
    }
    // The fill stopped right before the first heap whose value did not fit.
    Err(Error::ValueTooLarge { heap: wide.values.len() as u64 })
}

struct Table<V> {
    /// The values that are decided.
    values: Vec<V>,
    /// Positions to decide in all.
    n: usize,
    /// The largest value so far.
    max: usize,
    ways: Ways,
    /// For the definition, a flag for each value that is reached.
    reached: Vec<u8>,
}

impl<V: Value> Table<V> {
    /// A table for the positions below `n`, none of them decided.
    fn new(n: u64) -> Result<Self> {
        let values = reserve_in_large_pages("the table of nim-values", n)?;
        Ok(Self { values, n: n as usize, max: 0, ways: Ways::new(Cpu::best()), reached: Vec::new() })
    }

    /// Takes over what is known already.
    ///
    /// # Errors
    /// [`Error::ValueTooLarge`] when a known value does not fit.
    fn know(&mut self, job: &Job<'_>) -> Result<()> {
        self.values.resize(job.start() as usize, V::default());
        job.feed_known(job.n, &mut Fill::new(&mut self.values))?;
        self.max = self.values.iter().map(|value| value.get()).max().unwrap_or(0);
        Ok(())
    }

    /// Decides super-blocks until the end, and returns true, or until a value does not fit, and returns false with
    /// all values before it decided.
    fn fill(&mut self, elements: &[usize], control: &Control, sink: &mut dyn GrundySink) -> Result<bool> {
        let groups = (GROUPS_A_THREAD * rayon::current_num_threads()).max(LEAST_GROUPS);
        let mut groups: Vec<Windows<V>> = (0..groups).map(|_| Windows::new()).collect();
        let super_block = groups.len() * V::LANES;
        while self.values.len() < self.n {
            let start = self.values.len();
            let end = (start + super_block).min(self.n);
            let groups = &mut groups[..(end - start).div_ceil(V::LANES)];
            let slide = self.ways.slide();
            let slid = groups
                .par_iter_mut()
                .zip((start..end).into_par_iter().step_by(V::LANES))
                .map(|(windows, x)| {
                    let far = &elements[elements.partition_point(|&s| s < x - start + V::LANES)..];
                    let far = Far { cpu: self.ways.cpu, values: &self.values, elements: far, x, max: self.max };
                    let slid = slide && far.slide(windows);
                    if !slid {
                        far.flag(windows);
                    }
                    usize::from(slid)
                })
                .sum();
            if slide {
                self.ways.learn(slid, groups.len());
            }
            let fits = groups.iter_mut().all(|windows| self.resolve(elements, start, end, windows));
            sink.accept(&GrundyBlock { start: start as u64, values: V::block(&self.values[start..]) })?;
            control.advance(self.values.len() as u64)?;
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Decides the next group of positions, of the super-block from `start` to `end`, given the windows after its far
    /// moves. Returns false when a value does not fit.
    fn resolve(&mut self, elements: &[usize], start: usize, end: usize, windows: &mut Windows<V>) -> bool {
        let x = self.values.len();
        let near = elements.partition_point(|&s| s < V::LANES);
        let middle = elements.partition_point(|&s| s < x - start + V::LANES);
        let (near, middle) = (&elements[..near], &elements[near..middle]);
        windows.mark(self.ways.cpu, &Split::new(middle, x, V::LANES), &self.values, false);
        for ((x, base), seen) in (x..end).zip(&windows.base).zip(&windows.seen) {
            let (base, mut seen) = (base.get(), *seen);
            for &s in near.iter().take_while(|&&s| s <= x) {
                mark_one(self.values[x - s].get(), base, &mut seen);
            }
            let place = seen.trailing_ones() as usize;
            let mex = if place < WINDOW { base + place } else { self.mex(elements, x) };
            if mex >= V::LIMIT {
                return false;
            }
            self.max = self.max.max(mex);
            self.values.push(V::new(mex));
        }
        true
    }

    /// The mex of all options of `x`, by the definition.
    #[cold]
    fn mex(&mut self, elements: &[usize], x: usize) -> usize {
        self.reached.clear();
        self.reached.resize(self.max + 2, 0);
        for s in &elements[..elements.partition_point(|&s| s <= x)] {
            self.reached[self.values[x - s].get()] = 1;
        }
        self.reached.iter().position(|&reached| reached == 0).expect("one more than the largest value is never reached")
    }
}

/// Which way the far moves go: windows, unless they turned out to be slow.
struct Ways {
    cpu: Cpu,
    /// Super-blocks that are left to flags before windows are tried again.
    flagged: usize,
}

impl Ways {
    fn new(cpu: Cpu) -> Self {
        Self { cpu, flagged: 0 }
    }

    /// Tells whether the next super-block tries windows. Without wide vectors, flags are faster.
    fn slide(&mut self) -> bool {
        let slide = self.flagged == 0;
        self.flagged = self.flagged.saturating_sub(1);
        slide && self.cpu.vector_bits() >= 256
    }

    /// Learns how many of the groups of a super-block that tried windows came to their end by them.
    fn learn(&mut self, slid: usize, groups: usize) {
        if 2 * slid < groups {
            self.flagged = FLAGGED;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;
    use crate::grundy::Engine;
    use crate::set::NamedSet;
    use crate::sink::GrundySink;

    #[derive(Default)]
    struct Values(Vec<u16>);

    impl GrundySink for Values {
        fn accept(&mut self, block: &GrundyBlock<'_>) -> Result<()> {
            assert_eq!(block.start, self.0.len() as u64);
            self.0.extend(block.values.iter());
            Ok(())
        }
    }

    /// Values by one way and instruction set alone, as far as they fit.
    fn values<V: Value>(elements: &[usize], n: u64, ways: Ways) -> (bool, Vec<u16>) {
        let mut table = Table::<V>::new(n).unwrap();
        table.ways = ways;
        let mut values = Values::default();
        let fits = table.fill(elements, &Control::new(), &mut values).unwrap();
        assert!(table.values.iter().map(|value| value.get()).eq(values.0.iter().map(|&value| usize::from(value))));
        (fits, values.0)
    }

    #[test]
    fn windows_and_flags_on_every_cpu_level_agree_with_the_recurrence() {
        for name in
            ["squares", "triangular", "fibonacci", "primes", "poly:k^2+1000", "1,127,128,129,1023,1024,1025", "poly:k"]
        {
            let set: NamedSet = name.parse().unwrap();
            let n = 6_000;
            let oracle = Plan::grundy(&set, n).unwrap().engine(Engine::Recurrence).unwrap().run().unwrap();
            let oracle: Vec<u16> = oracle.iter().collect();
            let in_bytes = oracle.iter().position(|&value| value > 255);
            let elements = elements_below(&set, n, &Control::new()).unwrap();
            let elements: Vec<usize> = elements.into_iter().map(|s| s as usize).collect();
            for &cpu in Cpu::available() {
                for flagged in [0, usize::MAX] {
                    let (fits, bytes) = values::<u8>(&elements, n, Ways { cpu, flagged });
                    assert_eq!(fits, in_bytes.is_none(), "{name}, {cpu:?}");
                    assert!(bytes == oracle[..in_bytes.unwrap_or(oracle.len())], "{name}, {cpu:?}");
                    let (fits, words) = values::<u16>(&elements, n, Ways { cpu, flagged });
                    assert!(fits && words == oracle, "{name}, {cpu:?}");
                }
            }
        }
    }

    #[test]
    fn slow_windows_leave_super_blocks_to_flags_for_a_while() {
        let mut ways = Ways::new(Cpu::best());
        if ways.cpu.vector_bits() < 256 {
            assert!(!ways.slide());
            return;
        }
        for slid in [8, 4] {
            assert!(ways.slide());
            ways.learn(slid, 8);
        }
        assert!(ways.slide());
        ways.learn(3, 8);
        for _ in 0..FLAGGED {
            assert!(!ways.slide());
        }
        assert!(ways.slide());
    }
}
