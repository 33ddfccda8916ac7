//! `nimsieve study nim SET N`: how often each nim-value occurs, and how the largest grows.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::Value;

use super::{Files, Finding, sheets};
use crate::cli::context::{Context, grouped, object};
use crate::cli::{Game, parse_n};
use crate::plan::Plan;
use crate::sink::GrundyCounter;
use crate::study::fit::{Method, PowerLaw};
use crate::study::nim;

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    game: Game,

    /// Where the window of the fits starts
    #[arg(long, value_name = "A", default_value = "100", value_parser = parse_n)]
    from: u64,

    #[command(flatten)]
    files: Files,
}

impl Arguments {
    pub(super) fn run(&self, context: &Context) -> Result<ExitCode> {
        let open = self.files.open(context, self.game.n)?;
        let counter = count(&self.game, context)?;
        let origin = self.game.origin();
        let fits: Vec<PowerLaw> =
            Method::ALL.iter().filter_map(|&method| nim::fit(&counter, self.from, method)).collect();
        let table = sheets::fits(&origin, &fits, "");
        let below = match fits.is_empty() {
            true => String::new(),
            false => {
                format!("\nnumber of nim-values below n = c n^a, from n = {} on\n{}", grouped(self.from), table.text())
            }
        };
        let max = counter.max();
        let json = object([("max", max.map_or(Value::Null, |(max, _)| max.into())), ("fits", table.json_rows())]);
        let main = max.map_or_else(String::new, |(max, _)| max.to_string());
        let sheet = sheets::nim(&origin, &counter);
        Finding { name: "nim", sheet, above: String::new(), below, json, main }.show(&self.game, context, open)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Plays the game and counts its nim-values.
pub(in crate::cli) fn count(game: &Game, context: &Context) -> Result<GrundyCounter> {
    let plan = Plan::grundy(&game.set, game.n)?;
    context.check_memory(plan.estimate().memory)?;
    let mut counter = GrundyCounter::default();
    context.timed(game.n, |control| Ok(plan.run_into(control, &mut counter)?))?;
    Ok(counter)
}
