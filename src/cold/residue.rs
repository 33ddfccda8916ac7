//! Cold positions by residue structure ([`crate::residue`]).

use super::Job;
use super::wheel::Report;
use crate::error::Result;
use crate::plan::{Estimate, Profile};
use crate::residue::{Piece, Run, Settings, Wanted};
use crate::run::Control;
use crate::sink::{ColdBlock, ColdSink};

pub(super) fn estimate(profile: &Profile) -> Result<Estimate, String> {
    let learnt = profile.residue.as_ref().map_err(String::clone)?;
    crate::residue::estimate(profile, learnt, 0.3)
}

pub(super) fn run(job: &Job<'_>, control: &Control, sink: &mut dyn ColdSink) -> Result<Option<Report>> {
    let learnt = crate::residue::learnt(job.set, &job.profile.residue)?;
    let (wanted, settings) = (Wanted::Cold, Settings::default());
    let run = Run { set: job.set, n: job.n, learnt, wanted, settings, control, state: None };
    run.run(&mut |piece| match piece {
        Piece::Cold { start, len, words } => sink.accept(&ColdBlock::Bits { start, len, words }),
        Piece::State { .. } => Ok(()),
        _ => unreachable!("cold positions were asked for"),
    })?;
    Ok(None)
}
