//! `nimsieve plot KIND SET N -o x.svg`: pictures, as SVG files or with characters.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use sha2::{Digest, Sha256};

use super::chopsticks::{self, RuleArgs};
use super::context::{Context, object};
use super::study::{GridArgs, Source, count_nim_values};
use super::{Game, parse_n};
use crate::export::{Output, hex};
use crate::plan::Plan;
use crate::plot::{Picture, Theme, figures};
use crate::set::SubtractionSet;
use crate::sink::GrundyCounter;
use crate::study::density::density;
use crate::study::digits::digits;
use crate::study::residues::by_octave;
use crate::table::GrundyTable;

/// Draw a game: as an SVG file with -o, else with characters
#[derive(Debug, Subcommand)]
pub(super) enum PlotCommand {
    /// Counts of cold positions, with the fitted power law
    Density {
        #[command(flatten)]
        source: Source,
        #[command(flatten)]
        grid: GridArgs,
        #[command(flatten)]
        target: Target,
    },
    /// The local exponent of the counts
    Exponent {
        #[command(flatten)]
        source: Source,
        #[command(flatten)]
        grid: GridArgs,
        #[command(flatten)]
        target: Target,
    },
    /// Residue classes by octave
    Residues {
        #[command(flatten)]
        source: Source,
        /// The modulus
        #[arg(long, value_name = "M", default_value = "5", value_parser = parse_n)]
        modulus: u64,
        #[command(flatten)]
        target: Target,
    },
    /// Digits by place
    Digits {
        #[command(flatten)]
        source: Source,
        /// The base
        #[arg(long, value_name = "B", default_value = "10", value_parser = parse_n)]
        base: u64,
        #[command(flatten)]
        target: Target,
    },
    /// The nim-value of each position
    Nim {
        #[command(flatten)]
        game: Game,
        #[command(flatten)]
        target: Target,
    },
    /// How many positions have each nim-value
    Histogram {
        #[command(flatten)]
        game: Game,
        #[command(flatten)]
        target: Target,
    },
    /// How the number of nim-values grows
    Growth {
        #[command(flatten)]
        game: Game,
        /// Where the window of the fit starts
        #[arg(long, value_name = "A", default_value = "100", value_parser = parse_n)]
        from: u64,
        #[command(flatten)]
        target: Target,
    },
    /// Chopsticks: positions by their distance from the start
    Chopsticks {
        #[command(flatten)]
        rules: RuleArgs,
        #[command(flatten)]
        target: Target,
    },
}

/// Where a picture goes, and for which ground it is.
#[derive(Debug, Args)]
pub(super) struct Target {
    /// Write the picture as SVG; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// auto: white, and dark in browsers whose reader prefers that; light; dark
    #[arg(long, default_value = "auto", value_parser = |text: &str| text.parse::<Theme>())]
    theme: Theme,
}

/// The largest modulus and base of a picture.
const MAX_COLUMNS: u64 = 512;

pub(super) fn run(command: &PlotCommand, context: &Context) -> Result<ExitCode> {
    match command {
        PlotCommand::Density { source, grid, target } => target.draw("density", context, || {
            let Game { set, n } = &source.game;
            Ok(figures::density(&set.name(), *n, &density(&*source.positions(context)?, *n, &grid.grid())?))
        }),
        PlotCommand::Exponent { source, grid, target } => target.draw("exponent", context, || {
            let Game { set, n } = &source.game;
            Ok(figures::exponent(&set.name(), *n, &density(&*source.positions(context)?, *n, &grid.grid())?))
        }),
        PlotCommand::Residues { source, modulus, target } => target.draw("residues", context, || {
            let Game { set, n } = &source.game;
            drawable("modulus", *modulus)?;
            let octaves = by_octave(&*source.positions(context)?, *n, *modulus)?;
            Ok(figures::residues(&set.name(), *n, *modulus, &octaves))
        }),
        PlotCommand::Digits { source, base, target } => target.draw("digits", context, || {
            let Game { set, n } = &source.game;
            drawable("base", *base)?;
            Ok(figures::digits(&set.name(), *n, &digits(&*source.positions(context)?, *n, *base)?))
        }),
        PlotCommand::Nim { game, target } => target.draw("nim", context, || {
            let table = nim_values(game, context)?;
            Ok(figures::nim_values(&game.set.name(), game.n, table.values()))
        }),
        PlotCommand::Histogram { game, target } => target.draw("histogram", context, || {
            Ok(figures::histogram(&game.set.name(), game.n, &count_nim_values(game, context)?))
        }),
        PlotCommand::Growth { game, from, target } => target.draw("growth", context, || {
            let counter: GrundyCounter = count_nim_values(game, context)?;
            Ok(figures::growth(&game.set.name(), game.n, *from, &counter))
        }),
        PlotCommand::Chopsticks { rules, target } => target.draw("chopsticks", context, || {
            let (name, levels) = chopsticks::levels(rules, context)?;
            Ok(figures::chopsticks(&name, &levels))
        }),
    }
}

/// Refuses more columns than a picture has room for.
fn drawable(what: &str, columns: u64) -> Result<()> {
    if columns > MAX_COLUMNS {
        bail!(
            "a picture has room for {MAX_COLUMNS} columns, and the {what} is {columns}; `nimsieve study` counts them all"
        );
    }
    Ok(())
}

/// Plays the game and keeps its nim-values.
pub(super) fn nim_values(game: &Game, context: &Context) -> Result<GrundyTable> {
    let plan = Plan::grundy(&game.set, game.n)?;
    context.check_memory(plan.estimate().memory.saturating_add(game.n))?;
    let mut table = GrundyTable::with_capacity(game.set.name(), game.n)?;
    context.timed(game.n, |control| Ok(plan.run_into(control, &mut table)?))?;
    Ok(table)
}

impl Target {
    /// Makes a picture and puts it where it is wanted.
    fn draw(&self, kind: &str, context: &Context, make: impl FnOnce() -> Result<Picture>) -> Result<ExitCode> {
        let Some(path) = &self.output else {
            if context.options.json {
                bail!("a picture of characters is no JSON object; leave --json out, or write an SVG file with -o");
            }
            let picture = make()?;
            context.print(&picture.text(columns()))?;
            return Ok(ExitCode::SUCCESS);
        };
        let use_stdout = path == Path::new("-");
        if use_stdout && context.options.json {
            bail!("--json and -o - both want standard output; give the picture a file");
        }
        let is_svg = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
        if !use_stdout && !is_svg {
            bail!(
                "pictures are SVG: end the name {} in .svg; other programs turn that into PDF or PNG",
                path.display()
            );
        }
        let mut output = Output::create(path)?;
        let picture = make()?;
        let svg = picture.svg(self.theme)?;
        output.put(svg.as_bytes())?;
        output.finish()?;
        if use_stdout {
            return Ok(ExitCode::SUCCESS);
        }
        let (title, sha256) = (&picture.caption().title, hex(&Sha256::digest(&svg)));
        let json = object([
            ("command", "plot".into()),
            ("kind", kind.into()),
            ("title", title.clone().into()),
            ("file", path.display().to_string().into()),
            ("sha256", sha256.clone().into()),
        ]);
        context.answer(json, &sha256, &format!("{title}: {}\nsha256 {sha256}\n", path.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The width of the terminal as its shell tells, or that of a page.
fn columns() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(80)
}
