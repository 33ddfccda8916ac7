//! `nimsieve play` and `nimsieve chopsticks play`: against the perfect player.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use super::context::Context;
use super::moves::parse_table_heaps;
use crate::export::exit;
use crate::play::{Game, Heaps, Side, dialogue};
use crate::sum::Play;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// SET HEAP... for heaps of one set, or SET@HEAP... for a sum of heaps of different sets
    #[arg(required = true, value_name = "SET HEAP... | SET@HEAP")]
    position: Vec<String>,

    /// Whoever cannot move wins
    #[arg(long)]
    misere: bool,

    #[command(flatten)]
    sides: Sides,
}

/// Who begins.
#[derive(Debug, Args)]
pub(super) struct Sides {
    /// Who makes the first move
    #[arg(long, default_value = "human", value_name = "WHO")]
    first: First,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum First {
    Human,
    Computer,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    check(context.options.json)?;
    let heaps = parse_table_heaps(&arguments.position)?;
    context.check_memory(Heaps::memory(&heaps)?)?;
    let play = if arguments.misere { Play::Misere } else { Play::Normal };
    let largest = heaps.iter().map(|&(_, heap)| heap).max().unwrap_or(0);
    let (mut game, _) = context.timed(largest, |control| Ok(Heaps::new(heaps, play, control)?))?;
    converse(&mut game, &arguments.sides, context)
}

/// Refuses what a dialogue cannot be.
pub(super) fn check(json: bool) -> Result<()> {
    if json {
        bail!("a game is a dialogue and no JSON object, so leave out --json; see `moves` and `chopsticks solve`");
    }
    Ok(())
}

/// Lets the person at the terminal, or the script at the other end, play.
pub(super) fn converse(game: &mut impl Game, sides: &Sides, context: &Context) -> Result<ExitCode> {
    let first = match sides.first {
        First::Human => Side::Human,
        First::Computer => Side::Computer,
    };
    let prompt = io::stdin().is_terminal() && io::stdout().is_terminal();
    std::thread::scope(|scope| {
        // A line that is being waited for cannot be interrupted, so somebody else looks for Ctrl-C.
        let (done, wait) = std::sync::mpsc::channel::<()>();
        scope.spawn(move || {
            while wait.recv_timeout(Duration::from_millis(50)) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                if context.control().is_stopped() {
                    exit(0);
                }
            }
        });
        let result = dialogue(game, first, prompt, io::stdin().lock(), &mut io::stdout());
        drop(done);
        result
    })?;
    Ok(ExitCode::SUCCESS)
}
