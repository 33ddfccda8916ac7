//! `nimsieve chopsticks`: reach, unreachable, solve, play, longest, grid, variants, graph.

mod reach;
mod rules;
mod solve;
mod tables;

use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::chopsticks::{Engine, Graph, Machine, Rules};
use crate::run::{Control, with_threads};
use anyhow::{Result, bail};
use clap::{Subcommand, ValueEnum};
use serde_json::{Map, Value as Json};

use super::context::{Context, grouped, object};
use super::memory;
use super::play;
use super::progress::Levels;
use crate::export::{Output, Provenance};
pub(super) use rules::RuleArgs;
use rules::{VariantArgs, parse_u32};

/// What every command here needs.
struct Session<'a> {
    /// Print one JSON object.
    json: bool,
    /// Print the one main number only.
    quiet: bool,
    /// The most bytes of memory that an engine may take; no limit when there is none.
    memory: Option<u64>,
    /// Progress and the stop flag.
    control: &'a Control,
    /// Told of every level of a reach, as text.
    status: &'a (dyn Fn(&str) + Sync),
    /// Standard output.
    out: &'a mut dyn Write,
}

/// Enumerate and solve generalised (p, r) Chopsticks
#[derive(Debug, Subcommand)]
pub(super) enum ChopsticksCommand {
    /// Count the positions that can be reached, level by level
    Reach {
        /// How to enumerate: plain, bits
        #[arg(long, default_value_t)]
        engine: Engine,
        /// Also list the positions that cannot be reached
        #[arg(long)]
        list: bool,
        #[command(flatten)]
        rules: RuleArgs,
    },
    /// Count the positions that cannot be reached, without enumerating those that can
    Unreachable {
        /// Also list them
        #[arg(long)]
        list: bool,
        #[command(flatten)]
        rules: RuleArgs,
    },
    /// Tell who wins, how fast, and by which moves
    Solve {
        /// The position to solve, as 1312 or 0,10|3,11; the start when left out
        position: Option<String>,
        #[command(flatten)]
        rules: RuleArgs,
    },
    /// Play against the perfect player (two players)
    Play {
        #[command(flatten)]
        sides: play::Sides,
        /// The position to begin from; the start when left out
        position: Option<String>,
        #[command(flatten)]
        rules: RuleArgs,
    },
    /// Find the longest game without a repeated position
    Longest {
        /// Stop after this many steps of the search, with the best line so far and a bound
        #[arg(long, default_value = "100000", value_parser = crate::number::parse)]
        steps: u64,
        #[command(flatten)]
        rules: RuleArgs,
    },
    /// Tabulate reachable positions for ranges of players and rollover amounts
    Grid {
        /// Numbers of players, both ends included
        #[arg(long, short, default_value = "2..4", value_parser = parse_range)]
        players: RangeInclusive<u32>,
        /// Rollover amounts, both ends included
        #[arg(long, short, default_value = "2..10", value_parser = parse_range)]
        rollover: RangeInclusive<u32>,
        /// The form of the table; by default that of the file's ending, and text
        #[arg(long)]
        format: Option<TableFormat>,
        /// Write to this file; `-` is standard output
        #[arg(long, short)]
        output: Option<PathBuf>,
        #[command(flatten)]
        variant: VariantArgs,
    },
    /// Tabulate every variant: reachable positions, and who wins in how many plies
    Variants {
        /// Rollover amounts, both ends included
        #[arg(long, short, default_value = "3..7", value_parser = parse_range)]
        rollover: RangeInclusive<u32>,
        /// The form of the table; by default that of the file's ending, and text
        #[arg(long)]
        format: Option<VariantsFormat>,
        /// Write to this file; `-` is standard output
        #[arg(long, short)]
        output: Option<PathBuf>,
    },
    /// Write the graph of positions and moves
    Graph {
        /// The form of the graph; by default that of the file's ending, and dot
        #[arg(long)]
        format: Option<GraphFormat>,
        /// Write to this file; `-` is standard output
        #[arg(long, short)]
        output: Option<PathBuf>,
        #[command(flatten)]
        rules: RuleArgs,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TableFormat {
    #[value(alias = "txt")]
    Text,
    Csv,
    #[value(alias = "tex")]
    Latex,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum VariantsFormat {
    #[value(alias = "txt")]
    Text,
    Csv,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum GraphFormat {
    #[value(alias = "gv")]
    Dot,
    Graphml,
    Svg,
}

fn parse_range(text: &str) -> Result<RangeInclusive<u32>> {
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (parse_u32(first)?, parse_u32(last.strip_prefix('=').unwrap_or(last))?),
        None => (parse_u32(text)?, parse_u32(text)?),
    };
    if first > last {
        bail!("the range {text} is empty; expected the smaller end first, as in 2..10");
    }
    Ok(first..=last)
}

/// The name of a game, and how many positions are first reached after each number of moves.
#[cfg(feature = "plot")]
pub(super) fn levels(rules: &RuleArgs, context: &Context) -> Result<(String, Vec<crate::chopsticks::reach::Level>)> {
    let rules = rules.rules()?;
    let memory = (!context.options.force).then(memory::available);
    let machine = Machine::within(&rules, memory, context.control())?;
    let found = crate::chopsticks::reach(&machine, Engine::default(), memory, context.control(), |_| ())?;
    Ok((rules.to_string(), found.levels().to_vec()))
}

/// Runs one command.
pub(super) fn run(command: &ChopsticksCommand, context: &Context) -> Result<ExitCode> {
    if let ChopsticksCommand::Play { rules, sides, position } = command {
        return solve::run_play(&rules.rules()?, sides, position.as_deref(), context);
    }
    let levels = Levels::start(!context.options.no_status);
    let mut out = BufWriter::new(io::stdout().lock());
    let session = Session {
        json: context.options.json,
        quiet: context.options.quiet,
        memory: (!context.options.force).then(memory::available),
        control: context.control(),
        status: &|text| levels.show(text),
        out: &mut out,
    };
    run_command(command, session)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn run_command(command: &ChopsticksCommand, mut context: Session<'_>) -> Result<()> {
    match command {
        ChopsticksCommand::Reach { rules, engine, list } => {
            reach::run_reach(&rules.rules()?, *engine, *list, &mut context)?
        }
        ChopsticksCommand::Unreachable { rules, list } => reach::run_unreachable(&rules.rules()?, *list, &mut context)?,
        ChopsticksCommand::Solve { rules, position } => {
            let machine = Machine::within(&rules.rules()?, context.memory, context.control)?;
            let seats = match position {
                Some(code) => machine.parse(code)?,
                None => machine.start(),
            };
            if machine.players() == 2 {
                solve::run_solve(&machine, &seats, &mut context)?;
            } else {
                solve::run_coalition(&machine, &seats, &mut context)?;
            }
        }
        ChopsticksCommand::Play { .. } => {} // has standard output to itself
        ChopsticksCommand::Longest { rules, steps } => reach::run_longest(&rules.rules()?, *steps, &mut context)?,
        ChopsticksCommand::Grid { variant, players, rollover, format, output } => {
            let rules = variant.rules(*players.start(), *rollover.start())?;
            let range = (players.clone(), rollover.clone());
            tables::run_grid(&rules, range, *format, output.as_deref(), &mut context)?;
        }
        ChopsticksCommand::Variants { rollover, format, output } => {
            tables::run_variants(rollover.clone(), *format, output.as_deref(), &mut context)?;
        }
        ChopsticksCommand::Graph { rules, format, output } => {
            if context.json || context.quiet {
                bail!("a graph is written as dot, graphml or svg only, so leave out --json and --quiet; see --format");
            }
            let machine = Machine::within(&rules.rules()?, context.memory, context.control)?;
            let format = choose_format(*format, output.as_deref())?.unwrap_or(GraphFormat::Dot);
            let target = open(output.as_deref())?;
            let (control, memory) = (context.control, context.memory);
            let graph = with_threads(None, || Graph::new(&machine, memory, control))?;
            let mut text = Vec::new();
            match format {
                GraphFormat::Dot => graph.write_dot(&mut text)?,
                GraphFormat::Graphml => graph.write_graphml(&mut text)?,
                GraphFormat::Svg => text.extend_from_slice(graph.to_svg()?.as_bytes()),
            }
            finish(target, &text, context.out)?;
        }
    }
    Ok(())
}

/// The format that was asked for, or that the file's ending names; none for no file and a file without an ending.
fn choose_format<F: ValueEnum + Copy>(asked: Option<F>, path: Option<&Path>) -> Result<Option<F>> {
    let Some(ending) = path.and_then(Path::extension).filter(|_| asked.is_none()) else { return Ok(asked) };
    let ending = ending.to_string_lossy();
    let Ok(format) = F::from_str(&ending, true) else {
        let known: Vec<String> = F::value_variants()
            .iter()
            .filter_map(F::to_possible_value)
            .flat_map(|value| value.get_name_and_aliases().map(|name| format!(".{name}")).collect::<Vec<_>>())
            .collect();
        bail!("the ending .{ending} names no format; known: {}; or give --format", known.join(", "));
    };
    Ok(Some(format))
}

/// How many positions, in words.
fn positions(count: &(impl ToString + ?Sized)) -> String {
    let count = count.to_string();
    format!("{} position{}", grouped(&count), if count == "1" { "" } else { "s" })
}

/// Opens a file before the work begins; `None` is standard output.
fn open(path: Option<&Path>) -> Result<Option<Output>> {
    Ok(path.filter(|path| *path != Path::new("-")).map(Output::create).transpose()?)
}

/// Writes a table or a graph where it goes.
fn finish(target: Option<Output>, bytes: &[u8], out: &mut dyn Write) -> Result<()> {
    match target {
        Some(mut output) => {
            output.put(bytes)?;
            output.finish()?;
        }
        None => out.write_all(bytes)?,
    }
    Ok(())
}

/// The description of the rules with which every JSON answer begins.
fn rules_json(rules: &Rules) -> Map<String, Json> {
    let mut object = object([("tool", Provenance::TOOL.into()), ("command", "chopsticks".into())]);
    object.insert("rules".into(), rules.to_string().into());
    object.insert("players".into(), rules.player_count().into());
    object.insert("rollover".into(), rules.rollover().into());
    object.insert("hands".into(), rules.hand_count().into());
    object.insert("positions".into(), rules.positions().to_string().into());
    object
}

fn print_json(context: &mut Session<'_>, mut object: Map<String, Json>, more: Json) -> Result<()> {
    if let Json::Object(more) = more {
        object.extend(more);
    }
    writeln!(context.out, "{}", Json::Object(object))?;
    Ok(())
}
