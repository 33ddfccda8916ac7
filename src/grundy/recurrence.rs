//! The definition, the oracle of every other engine: the nim-value of a heap is the mex of the nim-values one move away.
//!
//! T(n) = O(n |S below n|), M(n) = 2 n bytes and the list of the elements. Nobody optimises this.

use super::Job;
use crate::error::{Error, Result};
use crate::plan::{Estimate, Profile};
use crate::run::{Control, try_vec};
use crate::set::elements_below;
use crate::sink::{Fill, GrundyBlock, GrundySink, NimValues};

/// Positions of a block handed to the sink.
const BLOCK: usize = 1 << 12;

pub(super) fn estimate(profile: &Profile) -> Result<Estimate, String> {
    let operations = super::flags::options(profile);
    Ok(Estimate {
        operations,
        seconds: 2e-9 * operations + 30e-9 * profile.n as f64,
        memory: (2.0 * profile.n as f64 + 8.0 * profile.elements) as u64,
        method: "the mex of every position, one after the other".into(),
        stages: Vec::new(),
        may_give_up: false,
    })
}

pub(super) fn run(job: &Job<'_>, control: &Control, sink: &mut dyn GrundySink) -> Result<()> {
    let elements = elements_below(job.set, job.n, control)?;
    let mut values = try_vec("the table of the recurrence", job.n, 0_u16)?;
    job.feed_known(job.n, &mut Fill::new(&mut values))?;
    for start in (job.start() as usize..values.len()).step_by(BLOCK) {
        let end = values.len().min(start + BLOCK);
        for x in start..end {
            // The mex of k options is at most k.
            let options = elements.partition_point(|&s| s as usize <= x);
            let mut reached = vec![false; options + 1];
            for &s in &elements[..options] {
                let value = usize::from(values[x - s as usize]);
                if value <= options {
                    reached[value] = true;
                }
            }
            let mex = reached.iter().position(|reached| !reached).expect("k options leave one of 0 to k out");
            values[x] = u16::try_from(mex).map_err(|_| Error::ValueTooLarge { heap: x as u64 })?;
        }
        sink.accept(&GrundyBlock { start: start as u64, values: NimValues::Words(&values[start..end]) })?;
        control.advance(end as u64)?;
    }
    Ok(())
}
