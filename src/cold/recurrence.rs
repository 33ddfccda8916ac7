//! The definition, the oracle of every other engine: a heap is cold if and only if no move leads to a cold heap.
//!
//! T(n) = O(n |S below n|) lookups, M(n) = n bytes and the list of the elements. Nobody optimises this.

use super::Job;
use super::wheel::Report;
use crate::error::Result;
use crate::plan::{Estimate, Profile};
use crate::run::{Control, try_vec};
use crate::set::elements_below;
use crate::sink::{ColdBlock, ColdSink};

/// Positions of a block handed to the sink.
const BLOCK: usize = 1 << 12;

pub(super) fn estimate(profile: &Profile) -> Result<Estimate, String> {
    // A hot position has found a cold option after about as many tries as one position in so many is cold; a cold one
    // goes through all its options. Far tries miss the cache.
    let tries = (profile.n as f64 / profile.cold.max(1.0)).min(profile.elements);
    let operations = profile.n as f64 * tries + 0.7 * profile.cold * profile.elements;
    Ok(Estimate {
        operations,
        seconds: 2e-9 * operations,
        memory: (profile.n as f64 + 8.0 * profile.elements) as u64,
        method: "every move of every position, one after the other".into(),
        stages: Vec::new(),
        may_give_up: false,
    })
}

pub(super) fn run(job: &Job<'_>, control: &Control, sink: &mut dyn ColdSink) -> Result<Option<Report>> {
    let elements = elements_below(job.set, job.n, control)?;
    let mut cold = try_vec("the table of the recurrence", job.n, false)?;
    job.visit_known(job.n, |x| {
        cold[x as usize] = true;
        Ok(())
    })?;
    for start in (job.start() as usize..cold.len()).step_by(BLOCK) {
        let end = cold.len().min(start + BLOCK);
        for x in start..end {
            let mut moves = elements.iter().map(|&s| s as usize).take_while(|&s| s <= x);
            cold[x] = !moves.any(|s| cold[x - s]);
        }
        let positions: Vec<u64> = (start..end).filter(|&x| cold[x]).map(|x| x as u64).collect();
        sink.accept(&ColdBlock::List { start: start as u64, len: (end - start) as u64, positions: &positions })?;
        control.advance(end as u64)?;
    }
    Ok(None)
}
