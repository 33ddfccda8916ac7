//! The command line: the only part that parses arguments, prints, and draws progress.
//!
//! Exit codes: 0 fine, 1 a check found a mismatch, 2 an error. A reader that closes the pipe (`| head`) ends the program
//! quietly.

mod census;
mod chopsticks;
mod claims;
mod cold;
mod compare;
mod context;
mod digest;
mod grundy;
mod heaps;
mod keep;
mod measured;
mod memory;
mod moves;
mod oeis;
mod output;
mod period;
mod plan;
mod play;
#[cfg(feature = "plot")]
mod plot;
mod progress;
mod remoteness;
#[cfg(feature = "plot")]
mod report;
#[cfg(feature = "plot")]
mod reproduce;
mod sets;
mod signals;
mod statistics;
mod study;
mod table;
mod verify;

use std::io;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, Parser, Subcommand};

use context::Context;

use crate::number;
use crate::set::NamedSet;

/// A fast research toolkit for subtraction games.
///
/// SET is the name of a subtraction set (`nimsieve sets` lists them), such as squares, primes, kth-powers:5, 1,4,9 or
/// allbut:2,3,7. N means the positions below N, and may be written 4e7, 1.5e6, 2^32, 10**9, 3*10^8+1, 1_000_000 or
/// 64Ki.
#[derive(Debug, Parser)]
#[command(name = "nimsieve", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    options: Options,

    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
struct Options {
    /// Threads that compute [default: all cores]
    #[arg(short, long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print the one main number only
    #[arg(short, long, global = true)]
    quiet: bool,

    /// Print one JSON object
    #[arg(long, global = true, conflicts_with = "quiet")]
    json: bool,

    /// Print where the time went
    #[arg(long, global = true)]
    time: bool,

    /// Draw no progress bar
    #[arg(long, global = true)]
    no_status: bool,

    /// Run even if the memory looks too small
    #[arg(long, global = true)]
    force: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Compute the cold positions below N
    Cold(cold::Arguments),
    /// Compute the nim-values below N
    Grundy(grundy::Arguments),
    /// Find the winning moves from a heap, or from a sum of heaps
    Moves(moves::Arguments),
    /// Find the periods of outcomes and nim-values, with certificates, or check a certificate
    Period(period::Arguments),
    /// Find the periods of every primitive set up to a largest element
    Census(census::Arguments),
    /// Compute how long games last when the winner hurries and the loser delays
    Remoteness(remoteness::Arguments),
    /// Count the cold sums of several heaps below N
    Heaps(heaps::Arguments),
    /// Make a sequence of the OEIS as a b-file
    Oeis(oeis::Arguments),
    /// Recompute a b-file and report the first line that differs
    Verify(verify::Arguments),
    /// Enumerate and solve generalised (p, r) Chopsticks
    #[command(subcommand)]
    Chopsticks(chopsticks::ChopsticksCommand),
    /// Play heaps against the perfect player
    Play(play::Arguments),
    /// Check every published claim on these games
    Claims(claims::Arguments),
    /// Explain what would run, how long and in how much memory
    Plan(plan::Arguments),
    /// Run every engine side by side, on one game or several
    Compare(compare::Arguments),
    /// Describe, verify, count in and export a table file
    Table(table::Arguments),
    /// Measure a game: counts and exponents, residues, digits, gaps, moves, nim-values
    #[command(subcommand)]
    Study(study::StudyCommand),
    /// Draw a game: as an SVG file with -o, else with characters
    #[cfg(feature = "plot")]
    #[command(subcommand)]
    Plot(plot::PlotCommand),
    /// Write a page about a game: pictures, tables and provenance in one HTML file
    #[cfg(feature = "plot")]
    Report(report::Arguments),
    /// Make every published file again, or check those that are there
    #[cfg(feature = "plot")]
    Reproduce(reproduce::Arguments),
    /// List the subtraction sets and how they are written
    Sets,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// What is played, and how far.
#[derive(Debug, Args)]
struct Game {
    /// The subtraction set
    #[arg(value_parser = parse_set)]
    set: NamedSet,

    /// The positions below N
    #[arg(value_parser = parse_n)]
    n: u64,
}

/// Reads N.
fn parse_n(text: &str) -> Result<u64, String> {
    number::parse(text).map_err(|error| error.to_string())
}

/// Reads SET.
fn parse_set(text: &str) -> Result<NamedSet, String> {
    text.parse().map_err(|error: crate::Error| error.to_string())
}

/// Runs the program and returns its exit code.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("nimsieve: {}", describe(&error));
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode> {
    let context = Context::new(cli.options)?;
    match cli.command {
        Command::Cold(arguments) => cold::run(&arguments, &context),
        Command::Grundy(arguments) => grundy::run(&arguments, &context),
        Command::Moves(arguments) => moves::run(&arguments, &context),
        Command::Period(arguments) => period::run(&arguments, &context),
        Command::Census(arguments) => census::run(&arguments, &context),
        Command::Remoteness(arguments) => remoteness::run(&arguments, &context),
        Command::Heaps(arguments) => heaps::run(&arguments, &context),
        Command::Oeis(arguments) => oeis::run(&arguments, &context),
        Command::Verify(arguments) => verify::run(&arguments, &context),
        Command::Chopsticks(command) => chopsticks::run(&command, &context),
        Command::Play(arguments) => play::run(&arguments, &context),
        Command::Claims(arguments) => claims::run(&arguments, &context),
        Command::Plan(arguments) => plan::run(&arguments, &context),
        Command::Compare(arguments) => compare::run(&arguments, &context),
        Command::Table(arguments) => table::run(&arguments, &context),
        Command::Study(command) => study::run(&command, &context),
        #[cfg(feature = "plot")]
        Command::Plot(command) => plot::run(&command, &context),
        #[cfg(feature = "plot")]
        Command::Report(arguments) => report::run(&arguments, &context),
        #[cfg(feature = "plot")]
        Command::Reproduce(arguments) => reproduce::run(&arguments, &context),
        Command::Sets => sets::run(&context),
        Command::Completions { .. } if context.options.json => {
            bail!("a completion script is no JSON object; leave --json out")
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            let mut command = <Cli as clap::CommandFactory>::command();
            clap_complete::generate(shell, &mut command, "nimsieve", &mut script);
            context.print(&String::from_utf8_lossy(&script))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Tells whether somebody closed the other end of a pipe.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = match cause.downcast_ref::<crate::Error>() {
            Some(crate::Error::Io { source, .. }) => Some(source),
            _ => cause.downcast_ref::<io::Error>(),
        };
        io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// An error and its causes on one line, without saying anything twice.
fn describe(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}
