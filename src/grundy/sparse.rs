//! Sets with few elements, such as Fibonacci numbers and factorials: one contiguous read an element for many positions.
//!
//! With at most 63 elements below n every nim-value is below 64, and what a position reaches is a word of bits. A block of
//! 2^14 positions takes its moves in three groups. Those of at least two blocks lead to values that are known before the
//! block under way is begun, so they are made for the next block on other threads while this one is decided: for 1024
//! positions at a time each element is a contiguous read of bytes, turned into bits and OR-ed, all in vectors. The moves
//! between one block and two follow in the same way when the block's turn comes. The shorter ones lie within the
//! block and the one before, whose values are at hand as bits; [`crate::kernel::one_hot`] makes them eight positions
//! at a time. Words have 32 bits until a value needs more.
//!
//! T(n) = O(n |S below n|), about a tenth of a nanosecond an option and three a position; M(n) = one byte a position.

use rayon::prelude::*;

use super::Job;
use crate::error::{Error, Result};
use crate::kernel::Cpu;
use crate::kernel::one_hot::{LANES, Moves, OneHot, reach, resolve};
use crate::plan::{Estimate, Profile};
use crate::run::{Control, try_vec};
use crate::set::elements_below;
use crate::sink::{Fill, GrundyBlock, GrundySink, NimValues};

/// The most elements below n: nim-values are at most their number, and have to be below 64.
const MOST: usize = 63;
/// Positions of a block. A larger one has more of the moves made eight at a time, a smaller one more joins of threads.
const BLOCK: usize = 1 << 14;
/// Positions for which the far moves are made together: their words stay in the first-level cache.
const PIECE: usize = 1 << 10;

pub(super) fn estimate(profile: &Profile) -> Result<Estimate, String> {
    if profile.elements > MOST as f64 {
        return Err(format!(
            "it serves sets with at most {MOST} elements below n, and this one has more; flags serves all"
        ));
    }
    let operations = super::flags::options(profile);
    Ok(Estimate {
        operations,
        seconds: 0.12e-9 * operations + 3.5e-9 * profile.n as f64,
        memory: profile.n.saturating_add(16 * BLOCK as u64),
        method: format!("blocks of {BLOCK} positions as bits, the far moves of the next one on other threads"),
        stages: Vec::new(),
        may_give_up: false,
    })
}

pub(super) fn run(job: &Job<'_>, control: &Control, sink: &mut dyn GrundySink) -> Result<()> {
    let elements: Vec<usize> = elements_below(job.set, job.n, control)?.into_iter().map(|s| s as usize).collect();
    if elements.len() > MOST {
        let reason = format!("it has {} elements below {}, and at most {MOST} are served", elements.len(), job.n);
        return Err(Error::Declined { engine: "sparse", set: job.set.name(), reason });
    }
    let mut table = Table { values: try_vec("the table of nim-values", job.n, 0_u8)?, done: job.start() as usize };
    job.feed_known(job.n, &mut Fill::new(&mut table.values))?;
    // What does not fit 32 bits stops the first run at its block.
    if table.fill::<u32>(&elements, control, sink)? || table.fill::<u64>(&elements, control, sink)? {
        return Ok(());
    }
    unreachable!("at most {MOST} options leave one of 0 to {MOST} out")
}

struct Table {
    values: Vec<u8>,
    /// Positions decided.
    done: usize,
}

impl Table {
    /// Decides blocks until the end, and returns true, or until a value does not fit a word, and returns false.
    fn fill<W: OneHot>(&mut self, elements: &[usize], control: &Control, sink: &mut dyn GrundySink) -> Result<bool> {
        if self.values[..self.done].iter().any(|&value| u32::from(value) >= W::BITS) {
            return Ok(false);
        }
        let cpu = Cpu::best();
        let (near, rest) = elements.split_at(elements.partition_point(|&s| s < BLOCK));
        let (middle, far) = rest.split_at(rest.partition_point(|&s| s < 2 * BLOCK));
        let near = Moves::new(near.iter().copied());
        // The block under way behind the one before it, and what the far moves of the next one reach.
        let mut words = try_vec("a block of words", 2 * BLOCK as u64, W::NONE)?;
        let mut next = try_vec("a block of words", BLOCK as u64, W::NONE)?;
        make_moves(cpu, &mut next, &self.values, self.done, far);
        while self.done < self.values.len() {
            let start = self.done;
            let end = self.values.len().min(start + BLOCK);
            let (before, block) = words.split_at_mut(BLOCK);
            let known = start.min(BLOCK);
            before.fill(W::NONE);
            for (word, &value) in before[BLOCK - known..].iter_mut().zip(&self.values[start - known..start]) {
                *word = W::of(value);
            }
            block.copy_from_slice(&next);
            make_moves(cpu, block, &self.values, start, middle);
            let used = BLOCK + (end - start).next_multiple_of(LANES);
            rayon::join(
                || resolve(cpu, &mut words[..used], BLOCK, &near, W::ALL),
                || {
                    next.fill(W::NONE);
                    make_moves(cpu, &mut next, &self.values, start + BLOCK, far);
                },
            );
            let decided = &words[BLOCK..][..end - start];
            if decided.contains(&W::NONE) {
                return Ok(false);
            }
            self.values[start..end].iter_mut().zip(decided).for_each(|(value, word)| *value = word.value());
            self.done = end;
            sink.accept(&GrundyBlock { start: start as u64, values: NimValues::Bytes(&self.values[start..end]) })?;
            control.advance(end as u64)?;
        }
        Ok(true)
    }
}

/// ORs into the words of the positions from `start` on what the given moves reach, all of which lead to decided values.
fn make_moves<W: OneHot>(cpu: Cpu, words: &mut [W], values: &[u8], start: usize, moves: &[usize]) {
    if moves.is_empty() {
        return;
    }
    words.par_chunks_mut(PIECE).enumerate().for_each(|(piece, words)| {
        let x = start + piece * PIECE;
        let end = x + words.len();
        for &take in moves.iter().take_while(|&&s| s < end) {
            // The first positions may be too small for this move.
            let skipped = take.saturating_sub(x);
            reach(cpu, &mut words[skipped..], &values[x + skipped - take..]);
        }
    });
}
