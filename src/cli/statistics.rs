//! Counts beside the main number: by residue, below powers of ten, and the largest gap.

use std::fmt::Write;

use anyhow::Result;
use clap::Args;
use serde_json::{Map, Value, json};

use super::context::grouped;
use super::parse_n;
use crate::sink::{ColdBlock, ColdSink, GapCounter, PowerCounter, ResidueCounter};

/// Which statistics are wanted.
#[derive(Debug, Args)]
pub(super) struct Wanted {
    /// Count by residue modulo M, with the last member of each class; may be repeated
    #[arg(long, value_name = "M", value_parser = parse_n)]
    residues: Vec<u64>,

    /// Tell the largest gap between cold positions
    #[arg(long)]
    gaps: bool,

    /// Count below each power of ten
    #[arg(long)]
    powers: bool,
}

/// The counters that are wanted, as a sink.
pub(super) struct Statistics {
    residues: Vec<ResidueCounter>,
    gaps: Option<GapCounter>,
    powers: Option<PowerCounter>,
}

impl Wanted {
    /// Tells whether any are.
    pub(super) fn any(&self) -> bool {
        !self.residues.is_empty() || self.gaps || self.powers
    }

    pub(super) fn counters(&self) -> Result<Statistics> {
        Ok(Statistics {
            residues: self
                .residues
                .iter()
                .map(|&modulus| ResidueCounter::new(modulus))
                .collect::<crate::Result<_>>()?,
            gaps: self.gaps.then(GapCounter::default),
            powers: self.powers.then(PowerCounter::default),
        })
    }
}

impl ColdSink for Statistics {
    fn accept(&mut self, block: &ColdBlock<'_>) -> crate::Result<()> {
        self.residues.accept(block)?;
        self.gaps.accept(block)?;
        self.powers.accept(block)
    }
}

impl Statistics {
    /// Counts below powers of ten up to `n`.
    fn powers_below(&self, n: u64) -> Vec<(u128, u64)> {
        let powers = self.powers.iter().flat_map(PowerCounter::below);
        powers.filter(|&(power, _)| power <= u128::from(n)).collect()
    }

    /// Lines for people.
    pub(super) fn lines(&self, n: u64) -> Result<String> {
        let mut lines = String::new();
        for (power, count) in self.powers_below(n) {
            writeln!(lines, "below 10^{:<2} {:>15}", power.ilog10(), grouped(count))?;
        }
        for counter in &self.residues {
            writeln!(lines, "mod {:<6} {:>15} {:>20}", counter.counts().len(), "positions", "last")?;
            for (class, (&count, last)) in counter.counts().iter().zip(counter.last()).enumerate() {
                let last = last.map_or("-".into(), grouped);
                writeln!(lines, "{class:>10} {:>15} {last:>20}", grouped(count))?;
            }
        }
        if let Some((gap, after)) = self.gaps.as_ref().and_then(GapCounter::largest) {
            writeln!(lines, "largest gap {}, after {}", grouped(gap), grouped(after))?;
        }
        Ok(lines)
    }

    /// The keys of a JSON object.
    pub(super) fn json(&self, n: u64) -> Map<String, Value> {
        let mut object = Map::new();
        if self.powers.is_some() {
            let below = self.powers_below(n).into_iter();
            let below: Map<String, Value> = below.map(|(power, count)| (power.to_string(), count.into())).collect();
            object.insert("below".into(), below.into());
        }
        if !self.residues.is_empty() {
            let rows = self.residues.iter();
            let rows = rows.map(|c| json!({"modulus": c.counts().len(), "counts": c.counts(), "last": c.last()}));
            object.insert("residues".into(), rows.collect());
        }
        if let Some(gaps) = &self.gaps {
            let largest = gaps.largest().map_or(Value::Null, |(gap, after)| json!({"gap": gap, "after": after}));
            object.insert("largest_gap".into(), largest);
        }
        object
    }
}
