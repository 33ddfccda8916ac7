//! What a run of the wheel did, stage by stage and phase by phase: plain data that prints.

use std::fmt;
use std::time::Duration;

use super::StagePlan;

/// Wall time by phase.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Phases {
    /// Rows, roles and plans.
    pub plan: Duration,
    /// Windows of 4096 columns into rich rows.
    pub far: Duration,
    /// Windows into hot rows, and the probes of what survives.
    pub hot: Duration,
    /// Single marks from rows kept as lists.
    pub marks: Duration,
    /// Windows of 512 and of 64 columns.
    pub near: Duration,
    /// The decisions in order.
    pub resolve: Duration,
    /// What the sink took.
    pub sink: Duration,
}

impl Phases {
    /// The phases with their names.
    pub fn named(&self) -> [(&'static str, Duration); 7] {
        [
            ("plan", self.plan),
            ("far", self.far),
            ("hot", self.hot),
            ("marks", self.marks),
            ("near", self.near),
            ("resolve", self.resolve),
            ("sink", self.sink),
        ]
    }

    /// The sum of all phases.
    pub fn total(&self) -> Duration {
        self.named().iter().map(|(_, time)| *time).sum()
    }
}

/// Who played which part from a column on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EpochReport {
    /// The first column.
    pub column: u32,
    /// Rows kept as bits.
    pub dense: usize,
    /// Rows kept as lists that hold a cold number.
    pub listed: usize,
    /// Rows in which every move is tested.
    pub rich: usize,
    /// Rows that a few windows decide.
    pub hot: usize,
    /// Bytes of the bit rows and the far plans.
    pub bytes: u64,
}

/// What one stage did.
#[derive(Debug, Clone, PartialEq)]
pub struct StageReport {
    /// The stage as it was planned.
    pub plan: StagePlan,
    /// The parts of the rows, epoch by epoch.
    pub epochs: Vec<EpochReport>,
    /// Wall time.
    pub phases: Phases,
    /// Cold numbers found.
    pub cold: u64,
    /// Numbers of hot rows that had to be decided in order.
    pub pending: u64,
}

impl StageReport {
    pub(super) fn new(plan: &StagePlan) -> Self {
        Self { plan: plan.clone(), epochs: Vec::new(), phases: Phases::default(), cold: 0, pending: 0 }
    }

    pub(super) fn epoch(&mut self, epoch: EpochReport) {
        self.epochs.push(epoch);
    }
}

/// What a run did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Wall time of the sieve that began.
    pub sieve: Duration,
    /// The stages that followed.
    pub stages: Vec<StageReport>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "sieve      {:.3} s", self.sieve.as_secs_f64())?;
        for stage in &self.stages {
            writeln!(f, "stage      {}: {:.3} s", stage.plan, stage.phases.total().as_secs_f64())?;
            write!(f, "  time    ")?;
            for (name, time) in stage.phases.named() {
                write!(f, " {name} {:.3}", time.as_secs_f64())?;
            }
            writeln!(f, "\n  found    {} cold, {} of hot rows decided in order", stage.cold, stage.pending)?;
            for epoch in &stage.epochs {
                writeln!(
                    f,
                    "  column   {}: {} dense, {} listed, {} rich, {} hot, {}",
                    epoch.column,
                    epoch.dense,
                    epoch.listed,
                    epoch.rich,
                    epoch.hot,
                    crate::plan::bytes(epoch.bytes)
                )?;
            }
        }
        Ok(())
    }
}
