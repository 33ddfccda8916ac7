//! Byte flags: the mex of 32 neighbouring positions at a time.
//!
//! For 32 consecutive positions and one element s, the options x - s are 32 consecutive values of the table; each sets a
//! byte in the row of flags of its own position, `flag[lane][G(x - s)] = 1`: one contiguous read, and one store an
//! option. When every far element has been through, the flags of a lane are packed to bits, and the moves that are left,
//! those shorter than a super-block, are made in order on the bits; the mex is the first zero.
//!
//! A super-block is 1024 positions. Its far moves, s >= 1024, land in finished super-blocks, so its blocks of 32 are
//! independent of each other and go to all cores. Values are kept in one byte until one passes 255, then the table is
//! widened once to two.
//!
//! T(n): one store an option, n |S below n| of them; M(n): one or two bytes a position.

use rayon::prelude::*;

use super::Job;
use crate::error::{Error, Result};
use crate::plan::{Estimate, Profile};
use crate::run::{Control, try_vec};
use crate::set::elements_below;
use crate::sink::{Fill, GrundyBlock, GrundySink, NimValues};

/// Positions that share a pass over the elements.
const LANES: usize = 32;
/// Positions whose far moves are made together, in parallel.
const SUPER_BLOCK: usize = 1024;
/// Bytes between the ends of the lanes' rows, beyond the values: without them the rows would fall on the same few sets
/// of the first-level cache.
const GAP: usize = 64;

/// Options of all positions, about: the sum over x of the number of elements up to x.
pub(super) fn options(profile: &Profile) -> f64 {
    0.7 * profile.n as f64 * profile.elements
}

pub(super) fn estimate(profile: &Profile) -> Result<Estimate, String> {
    let operations = options(profile);
    Ok(Estimate {
        operations,
        seconds: 0.5e-9 * operations + 20e-9 * profile.n as f64,
        memory: (2.0 * profile.n as f64 + 16.0 * profile.elements) as u64,
        method: format!("blocks of {LANES} positions, far moves of {SUPER_BLOCK} positions on all threads"),
        stages: Vec::new(),
    })
}

/// A nim-value as the table keeps it.
trait Value: Copy + Default + TryFrom<u16> + Send + Sync + 'static {
    /// Values that fit.
    const LIMIT: usize;
    fn new(value: usize) -> Self;
    fn get(self) -> usize;
    fn block(values: &[Self]) -> NimValues<'_>;
}

impl Value for u8 {
    const LIMIT: usize = 1 << 8;
    fn new(value: usize) -> Self {
        value as Self
    }
    fn get(self) -> usize {
        self.into()
    }
    fn block(values: &[Self]) -> NimValues<'_> {
        NimValues::Bytes(values)
    }
}

impl Value for u16 {
    const LIMIT: usize = 1 << 16;
    fn new(value: usize) -> Self {
        value as Self
    }
    fn get(self) -> usize {
        self.into()
    }
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
        (wide.done, wide.max) = (table.done, table.max);
        wide.values.iter_mut().zip(&table.values[..table.done]).for_each(|(wide, &narrow)| *wide = narrow.into());
    } else {
        wide.know(job)?;
    }
    drop(table);
    if wide.fill(&elements, control, sink)? {
        return Ok(());
    }
    // The super-block that did not fit holds the first such heap; the fill stopped right there.
    Err(Error::ValueTooLarge { heap: wide.done as u64 })
}

struct Table<V> {
    values: Vec<V>,
    /// Positions decided.
    done: usize,
    /// The largest value so far.
    max: usize,
}

impl<V: Value> Table<V> {
    /// A table for the positions below `n`, none of them decided.
    fn new(n: u64) -> Result<Self> {
        Ok(Self { values: try_vec("the table of nim-values", n, V::default())?, done: 0, max: 0 })
    }

    /// Takes over what is known already.
    ///
    /// # Errors
    /// [`Error::ValueTooLarge`] when a known value does not fit.
    fn know(&mut self, job: &Job<'_>) -> Result<()> {
        self.done = job.start() as usize;
        job.feed_known(job.n, &mut Fill::new(&mut self.values))?;
        self.max = self.values[..self.done].iter().map(|value| value.get()).max().unwrap_or(0);
        Ok(())
    }

    /// Decides super-blocks until the end, and returns true, or until a value does not fit, and returns false with
    /// `done` at the first position that is not decided.
    fn fill(&mut self, elements: &[usize], control: &Control, sink: &mut dyn GrundySink) -> Result<bool> {
        let near = elements.partition_point(|&s| s < SUPER_BLOCK);
        let (near, far) = elements.split_at(near);
        let mut seen = Vec::new();
        while self.done < self.values.len() {
            let start = self.done;
            // After a change of width the first super-block is shorter, so that the next ones are aligned again.
            let end = (start + 1).next_multiple_of(SUPER_BLOCK).min(self.values.len());
            let words = self.max / 64 + 1;
            seen.clear();
            seen.resize((end - start) * words, 0_u64);
            let values = &self.values[..start];
            seen.par_chunks_mut(LANES * words).enumerate().for_each(|(block, seen)| {
                far_values(values, far, start + block * LANES, seen, words, self.max);
            });
            let fits = self.resolve(near, start, end, &seen, words);
            sink.accept(&GrundyBlock { start: start as u64, values: V::block(&self.values[start..self.done]) })?;
            control.advance(self.done as u64)?;
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Decides the positions from `start` to `end` in order, given the values that their far moves reach.
    fn resolve(&mut self, near: &[usize], start: usize, end: usize, seen: &[u64], words: usize) -> bool {
        let mut reached = Vec::new();
        for (x, far) in (start..end).zip(seen.chunks_exact(words)) {
            reached.clear();
            reached.extend_from_slice(far);
            // One more than the largest value is never reached, so there is always a zero.
            reached.resize((self.max + 1) / 64 + 1, 0);
            for &s in near.iter().take_while(|&&s| s <= x) {
                let value = self.values[x - s].get();
                reached[value / 64] |= 1 << (value % 64);
            }
            let word = reached.iter().position(|&w| w != u64::MAX).expect("max + 1 is not reached");
            let mex = word * 64 + reached[word].trailing_ones() as usize;
            if mex >= V::LIMIT {
                return false;
            }
            self.values[x] = V::new(mex);
            self.max = self.max.max(mex);
            self.done = x + 1;
        }
        true
    }
}

/// Sets, for each of the positions from `x` on, the bits of the values that its far moves reach: `words` words a
/// position in `seen`, up to 32 positions. Every far element is at least a super-block, so all options are decided.
fn far_values<V: Value>(values: &[V], far: &[usize], x: usize, seen: &mut [u64], words: usize, max: usize) {
    match max {
        0..128 => far_values_below::<V, 128>(values, far, x, seen, words),
        128..256 => far_values_below::<V, 256>(values, far, x, seen, words),
        256..512 => far_values_below::<V, 512>(values, far, x, seen, words),
        512..1024 => far_values_below::<V, 1024>(values, far, x, seen, words),
        1024..8192 => far_values_below::<V, 8192>(values, far, x, seen, words),
        _ => far_values_below::<V, 65_536>(values, far, x, seen, words),
    }
}

/// As [`far_values`], when all values are below the power of two `VALUES`.
fn far_values_below<V: Value, const VALUES: usize>(
    values: &[V],
    far: &[usize],
    x: usize,
    seen: &mut [u64],
    words: usize,
) {
    if far.is_empty() {
        return;
    }
    let row = VALUES + GAP;
    let mut flags = vec![0_u8; LANES * row];
    let lanes = seen.len() / words;
    // The options of a whole block are inside the table from s <= x on; for the last few the first lanes have none.
    let whole = far.partition_point(|&s| s <= x);
    for &s in &far[..whole] {
        let options = &values[x - s..];
        match options.first_chunk::<LANES>() {
            Some(options) => set_flags::<V, VALUES>(&mut flags, row, options),
            None => set_flags::<V, VALUES>(&mut flags, row, options),
        }
    }
    for &s in far[whole..].iter().take_while(|&&s| s < x + lanes) {
        let skipped = s - x;
        let options = &values[..(lanes - skipped).min(values.len())];
        set_flags::<V, VALUES>(&mut flags[skipped * row..], row, options);
    }
    for (seen, flags) in seen.chunks_exact_mut(words).zip(flags.chunks_exact(row)) {
        for (word, flags) in seen.iter_mut().zip(flags[..VALUES].chunks_exact(64)) {
            *word = pack(flags);
        }
    }
}

/// Sets the flag of each option in the row of its lane.
#[inline(always)]
fn set_flags<V: Value, const VALUES: usize>(flags: &mut [u8], row: usize, options: &[V]) {
    for (flags, value) in flags.chunks_exact_mut(row).zip(options) {
        flags[value.get() & (VALUES - 1)] = 1;
    }
}

/// Packs 64 bytes that are 0 or 1 to 64 bits.
fn pack(flags: &[u8]) -> u64 {
    flags.as_chunks::<8>().0.iter().rev().fold(0, |word, &bytes| {
        // Byte i, moved to bit 7 of the top byte by its own factor, becomes bit i.
        word << 8 | u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}
