//! Nim-values by residue structure ([`crate::residue`]).

use super::Job;
use crate::error::{Error, Result};
use crate::plan::{Estimate, Profile};
use crate::residue::{Piece, Run, Settings, Wanted};
use crate::run::Control;
use crate::sink::{GrundyBlock, GrundyCounts, GrundySink, NimValues};

pub(super) fn estimate(profile: &Profile) -> Result<Estimate, String> {
    let learnt = profile.residue.as_ref().map_err(String::clone)?;
    crate::residue::estimate(profile, learnt, 1.0)
}

pub(super) fn run(job: &Job<'_>, control: &Control, sink: &mut dyn GrundySink) -> Result<()> {
    let learnt = crate::residue::learnt(job.set, &job.profile.residue)?;
    let wanted = if sink.needs_values() { Wanted::Values } else { Wanted::Counts };
    let settings = Settings::default();
    let prefix = settings.prefix;
    let run = Run { set: job.set, n: job.n, learnt, wanted, settings, control, state: job.state };
    let decided = run.run(&mut |piece| match piece {
        Piece::Values { start, values } => sink.accept(&GrundyBlock { start, values: NimValues::Bytes(values) }),
        Piece::Counts { start, len, counts } => sink.accept_counts(&GrundyCounts { start, len, counts }),
        Piece::State { save, last } => sink.offer_state(save, last),
        Piece::Cold { .. } => unreachable!("values were asked for"),
    });
    match decided {
        // So few heaps are played by the definition whatever the set, and a plan does not look how many values they have;
        // nothing was handed over yet.
        Err(Error::Declined { .. }) if job.n <= prefix => super::recurrence::run(job, control, sink),
        decided => decided,
    }
}
