//! `nimsieve heaps SET N`: how many sums of several heaps below N are cold.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::{Value, json};

use super::context::{Context, grouped, object};
use super::{Game, parse_n};
use crate::plan::Plan;
use crate::set::SubtractionSet;
use crate::sink::GrundyCounter;
use crate::sum::{SumCount, count_sums};

/// The counts have about as many digits as the heaps have together, so more would be a long list of long numbers.
const MOST: u64 = 10_000;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: Game,

    /// Count the sums of 1 to K heaps
    #[arg(long, value_name = "K", default_value = "4", value_parser = parse_n)]
    heaps: u64,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let Arguments { game: Game { set, n }, heaps } = arguments;
    context.check_json(*n)?;
    if !(1..=MOST).contains(heaps) {
        bail!("{heaps} heaps are too few or too many to list the counts of; expected 1 to {MOST}");
    }
    let plan = Plan::grundy(set, *n)?;
    context.check_memory(plan.estimate().memory)?;
    let mut counter = GrundyCounter::default();
    let ((), seconds) = context.timed(*n, |control| Ok(plan.run_into(control, &mut counter)?))?;
    let counts = count_sums(counter.histogram(), *heaps as u32)?;
    let rows: Vec<[String; 4]> = counts.iter().map(row).collect();
    let titles = ["heaps", "sums", "cold", "misere-cold"];
    let width = |column: usize| rows.iter().map(|row| row[column].len()).fold(titles[column].len(), usize::max);
    let mut lines = format!("sums of heaps of {} below {}, the heaps told apart\n", set.name(), grouped(*n));
    for row in [titles.map(str::to_owned)].iter().chain(&rows) {
        let [heaps, sums, cold, misere] = row;
        let (a, b, c, d) = (width(0), width(1), width(2), width(3));
        writeln!(lines, "{heaps:>a$}  {sums:>b$}  {cold:>c$}  {misere:>d$}")?;
    }
    let json = object([
        ("command", "heaps".into()),
        ("set", set.name().into()),
        ("n", (*n).into()),
        ("counts", counts.iter().map(as_json).collect()),
        ("seconds", seconds.into()),
    ]);
    let main = counts.last().map(|count| count.cold.to_string()).unwrap_or_default();
    context.answer(json, &main, &lines)?;
    Ok(ExitCode::SUCCESS)
}

fn row(count: &SumCount) -> [String; 4] {
    [grouped(count.heaps), grouped(&count.sums), grouped(&count.cold), grouped(&count.misere_cold)]
}

fn as_json(count: &SumCount) -> Value {
    json!({
        "heaps": count.heaps,
        "sums": count.sums.to_string(),
        "cold": count.cold.to_string(),
        "misere_cold": count.misere_cold.to_string(),
    })
}
