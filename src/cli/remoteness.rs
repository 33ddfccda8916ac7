//! `nimsieve remoteness SET N`: how long games last when the winner hurries and the loser delays.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::Value;

use super::context::{Context, grouped, object};
use super::output::{Outputs, Pending, Run};
use super::{Game, parse_n};
use crate::export::{Kind, Provenance, ValueExport};
use crate::remoteness::{Remoteness, estimate, remoteness};
use crate::set::SubtractionSet;
use crate::sum::Play;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: Game,

    /// Whoever cannot move wins
    #[arg(long)]
    misere: bool,

    /// Show the line of play from this heap [default: the first of those with the largest remoteness]
    #[arg(long, value_name = "HEAP", value_parser = parse_n)]
    from: Option<u64>,

    #[command(flatten)]
    outputs: Outputs,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let Game { set, n } = &arguments.game;
    context.check_json(*n)?;
    context.check_memory(estimate(set, *n)?.memory)?;
    if let Some(heap) = arguments.from.filter(|heap| heap >= n) {
        return Err(crate::Error::BeyondTable { heap, end: *n }.into());
    }
    let (play, kind) = match arguments.misere {
        true => (Play::Misere, Kind::MisereRemoteness),
        false => (Play::Normal, Kind::Remoteness),
    };
    let provenance = Provenance { set: set.name(), n: *n, kind };
    let files = arguments.outputs.open(context, &provenance)?;
    let (table, seconds) = context.timed(*n, |control| Ok(remoteness(set, *n, play, control)?))?;
    for (writer, file) in files.into_iter().map(Pending::split) {
        let mut export = ValueExport::new(writer);
        table.lengths().iter().try_for_each(|&length| export.push(length.into()))?;
        let summary = export.finish()?;
        file.side_car(&provenance, &summary, &Run { engine: "remoteness", seconds })?;
    }
    if arguments.outputs.use_stdout() {
        return Ok(ExitCode::SUCCESS);
    }
    report(arguments, context, &table, seconds)?;
    Ok(ExitCode::SUCCESS)
}

fn report(arguments: &Arguments, context: &Context, table: &Remoteness, seconds: f64) -> Result<()> {
    let Game { set, n } = &arguments.game;
    let name = set.name();
    let misere = if arguments.misere { "misere " } else { "" };
    let max = table.max();
    let mut lines = match max {
        Some((max, at)) => format!(
            "largest {misere}remoteness {} of {name} below {}, first at {}\n",
            grouped(max),
            grouped(*n),
            grouped(at)
        ),
        None => format!("no positions below 0 of {name}\n"),
    };
    let from = arguments.from.or(max.map(|(_, at)| at));
    let line = from.map_or(Ok(Vec::new()), |heap| table.line(set, heap))?;
    if let Some(heap) = from {
        let outcome = if table.is_cold(heap)? { "cold" } else { "hot" };
        writeln!(lines, "heap {}: {outcome}, remoteness {}", grouped(heap), grouped(table.of(heap)?))?;
        let heaps: Vec<String> = line.iter().map(u64::to_string).collect();
        writeln!(lines, "line of play: {}", heaps.join(" "))?;
    }
    writeln!(lines, "{seconds:.3} s")?;
    let json = object([
        ("command", "remoteness".into()),
        ("set", name.into()),
        ("n", (*n).into()),
        ("misere", arguments.misere.into()),
        ("max", max.map_or(Value::Null, |(max, _)| max.into())),
        ("max_at", max.map_or(Value::Null, |(_, at)| at.into())),
        ("line", line.into()),
        ("threads", rayon::current_num_threads().into()),
        ("seconds", seconds.into()),
    ]);
    let main = max.map_or_else(String::new, |(max, _)| max.to_string());
    context.answer(json, &main, &lines)
}
