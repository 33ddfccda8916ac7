//! The studies of cold positions: density, residues, digits, gaps, moves.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Map, Value};

use super::sheets;
use super::{Files, Finding, Source};
use crate::cli::context::{Context, grouped, object};
use crate::cli::parse_n;
use crate::set::SubtractionSet;
use crate::study::density::{Density as Counts, Grid, density};
use crate::study::digits::digits;
use crate::study::fit::{Method, PowerLaw};
use crate::study::gaps::gaps;
use crate::study::moves::winning_moves;
use crate::study::residues::{ranking, residues};

/// Where counts are taken, and fits are made.
#[derive(Debug, Args)]
pub(in crate::cli) struct GridArgs {
    /// Where the grid, and the window of the fits, starts; it ends at N
    #[arg(long, value_name = "A", default_value = "1024", value_parser = parse_n)]
    from: u64,

    /// Points of the grid to each doubling of n
    #[arg(long, value_name = "K", default_value_t = 4)]
    per_octave: u32,
}

impl GridArgs {
    pub(in crate::cli) fn grid(&self) -> Grid {
        Grid { from: self.from, per_octave: self.per_octave }
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Density {
    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    grid: GridArgs,

    /// Move each point on to the next cold position, and count that in
    #[arg(long)]
    at_cold: bool,

    /// Show the fits, in place of the counts
    #[arg(long, conflicts_with = "at_cold")]
    fits: bool,

    #[command(flatten)]
    files: Files,
}

impl Density {
    pub(super) fn run(&self, context: &Context) -> Result<ExitCode> {
        let (game, origin) = (&self.source.game, self.source.origin());
        let open = self.files.open(context, game.n)?;
        let grid = self.grid.grid();
        // A bad grid fails before the work.
        grid.points(game.n)?;
        let positions = self.source.positions(context)?;
        let counts = density(&*positions, game.n, &grid)?;
        let fits: Vec<PowerLaw> = Method::ALL.iter().filter_map(|&method| counts.fit(method)).collect();
        let table = sheets::fits(&origin, &fits, &game.set.name());
        let json = object([("fits", table.json_rows())]);
        let main = fits.first().map_or_else(String::new, |fit| format!("{:.5}", fit.exponent));
        let below = format!("\n{}{}", window(&counts), table.text());
        let (sheet, above, below) = match (self.fits, self.at_cold) {
            (true, _) => (table, window(&counts), String::new()),
            (_, true) => (sheets::at_cold(&origin, &counts), String::new(), String::new()),
            _ => (sheets::density(&origin, &counts), String::new(), below),
        };
        Finding { name: "density", sheet, above, below, json, main }.show(game, context, open)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// What the fits were made of, as a line.
fn window(counts: &Counts) -> String {
    let points = counts.points();
    match (points.first(), points.last()) {
        (Some(first), Some(last)) => format!(
            "count = c n^a over {} points from n = {} to {}\n",
            points.len(),
            grouped(first.0 as u64),
            grouped(last.0 as u64)
        ),
        _ => "no points with a count\n".into(),
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Residues {
    #[command(flatten)]
    source: Source,

    /// The modulus
    #[arg(long, value_name = "M", value_parser = parse_n, required_unless_present = "rank")]
    modulus: Option<u64>,

    /// Rank the moduli from 2 to LIMIT by concentration instead
    #[arg(long, value_name = "LIMIT", value_parser = parse_n, conflicts_with = "modulus")]
    rank: Option<u64>,

    /// How many moduli of the ranking to show
    #[arg(long, value_name = "K", default_value_t = 20, requires = "rank")]
    top: usize,

    #[command(flatten)]
    files: Files,
}

impl Residues {
    pub(super) fn run(&self, context: &Context) -> Result<ExitCode> {
        let (game, origin) = (&self.source.game, self.source.origin());
        let open = self.files.open(context, game.n)?;
        let positions = self.source.positions(context)?;
        let finding = if let Some(limit) = self.rank {
            let ranked = ranking(&*positions, game.n, limit)?;
            let sheet = sheets::ranking(&origin, &ranked[..self.top.min(ranked.len())]);
            let main = ranked[0].modulus.to_string();
            Finding { name: "residues", sheet, above: String::new(), below: String::new(), json: Map::new(), main }
        } else {
            let study = residues(&*positions, game.n, self.modulus.unwrap_or(1))?;
            let concentration = format!("{:.5}", study.concentration());
            let (empty, died_out) = (study.empty().count(), study.died_out().count());
            let below = format!(
                "concentration {concentration} (1: all classes alike, {}: one class only)\n\
                 {empty} classes empty, {died_out} died out (members, none of them at or above N / 2)\n",
                study.modulus()
            );
            let json = object([
                ("modulus", study.modulus().into()),
                ("concentration", study.concentration().into()),
                ("empty", empty.into()),
                ("died_out", died_out.into()),
            ]);
            let sheet = sheets::residues(&origin, &study);
            Finding { name: "residues", sheet, above: String::new(), below, json, main: concentration }
        };
        finding.show(game, context, open)?;
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Digits {
    #[command(flatten)]
    source: Source,

    /// The base
    #[arg(long, value_name = "B", default_value = "10", value_parser = parse_n)]
    base: u64,

    #[command(flatten)]
    files: Files,
}

impl Digits {
    pub(super) fn run(&self, context: &Context) -> Result<ExitCode> {
        let (game, origin) = (&self.source.game, self.source.origin());
        let open = self.files.open(context, game.n)?;
        let positions = self.source.positions(context)?;
        let study = digits(&*positions, game.n, self.base)?;
        let sheet = sheets::digits(&origin, &study);
        let json = object([("base", self.base.into())]);
        let main = study.counts().len().to_string();
        let below = "place 0 is the units; position 0 and zeros in front are left out\n".into();
        Finding { name: "digits", sheet, above: String::new(), below, json, main }.show(game, context, open)?;
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Gaps {
    #[command(flatten)]
    source: Source,

    /// Show how often each gap occurs, in place of the gaps larger than all before
    #[arg(long)]
    histogram: bool,

    #[command(flatten)]
    files: Files,
}

impl Gaps {
    pub(super) fn run(&self, context: &Context) -> Result<ExitCode> {
        let (game, origin) = (&self.source.game, self.source.origin());
        let open = self.files.open(context, game.n)?;
        let positions = self.source.positions(context)?;
        let study = gaps(&*positions, game.n)?;
        let sheet = match self.histogram {
            true => sheets::gap_histogram(&origin, &study),
            false => sheets::gap_records(&origin, &study),
        };
        let largest = study.records().last().map(|&(gap, _)| gap);
        let json = object([
            ("largest", largest.map_or(Value::Null, Value::from)),
            ("mean", study.mean().map_or(Value::Null, Value::from)),
            ("median", study.median().map_or(Value::Null, Value::from)),
        ]);
        let below = match (study.mean(), study.median()) {
            (Some(mean), Some(median)) => format!("mean gap {mean:.3}, median {}\n", grouped(median)),
            _ => "fewer than two cold positions\n".into(),
        };
        let main = largest.map_or_else(String::new, |gap| gap.to_string());
        Finding { name: "gaps", sheet, above: String::new(), below, json, main }.show(game, context, open)?;
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Moves {
    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    files: Files,
}

impl Moves {
    pub(super) fn run(&self, context: &Context) -> Result<ExitCode> {
        let (game, origin) = (&self.source.game, self.source.origin());
        let open = self.files.open(context, game.n)?;
        let positions = self.source.positions(context)?;
        let (study, _) =
            context.timed(game.n, |control| Ok(winning_moves(&*positions, &game.set, game.n, control)?))?;
        let sheet = sheets::moves(&origin, &study);
        let json = object([("mean", study.mean().map_or(Value::Null, Value::from))]);
        let below = match study.mean() {
            Some(mean) => format!("a hot position has {mean:.3} winning moves in the mean\n"),
            None => "no hot positions\n".into(),
        };
        let main = study.mean().map_or_else(String::new, |mean| format!("{mean:.3}"));
        Finding { name: "moves", sheet, above: String::new(), below, json, main }.show(game, context, open)?;
        Ok(ExitCode::SUCCESS)
    }
}
