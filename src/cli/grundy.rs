//! `nimsieve grundy SET N`: the nim-values below N.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::Value;

use super::Game;
use super::context::{Context, grouped, object};
use super::output::{Outputs, Run};
use crate::export::{GrundyExport, Kind, Provenance};
use crate::grundy::Engine;
use crate::plan::Plan;
use crate::set::SubtractionSet;
use crate::sink::GrundyCounter;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: Game,

    /// The engine: recurrence, flags or sparse [default: what `nimsieve plan` picks]
    #[arg(long, value_name = "NAME", value_parser = |text: &str| text.parse::<Engine>())]
    engine: Option<Engine>,

    /// Print how often and where first each nim-value occurs
    #[arg(long)]
    histogram: bool,

    /// Print where first each nim-value occurs
    #[arg(long)]
    first: bool,

    #[command(flatten)]
    outputs: Outputs,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    context.check_json(arguments.game.n)?;
    let set = &arguments.game.set;
    let mut plan = Plan::grundy(set, arguments.game.n)?;
    if let Some(engine) = arguments.engine {
        plan = plan.engine(engine)?;
    }
    context.check_memory(plan.estimate().memory)?;
    let provenance = Provenance { set: set.name(), n: arguments.game.n, kind: Kind::Grundy };
    let (writers, files): (Vec<_>, Vec<_>) =
        arguments.outputs.open(context, &provenance)?.into_iter().map(super::output::Pending::split).unzip();
    let exports: Vec<GrundyExport> = writers.into_iter().map(GrundyExport::new).collect();
    let mut sink = (GrundyCounter::default(), exports);
    let ((), seconds) = context.timed(arguments.game.n, |control| Ok(plan.run_into(control, &mut sink)?))?;
    let (counter, exports) = sink;
    let engine = plan.chosen().name();
    for (export, file) in exports.into_iter().zip(files) {
        let summary = export.finish()?;
        file.side_car(&provenance, &summary, &Run { engine, seconds })?;
    }
    if arguments.outputs.use_stdout() {
        return Ok(ExitCode::SUCCESS);
    }
    report(arguments, context, &counter, engine, seconds)?;
    Ok(ExitCode::SUCCESS)
}

fn report(arguments: &Arguments, context: &Context, counter: &GrundyCounter, engine: &str, seconds: f64) -> Result<()> {
    let name = arguments.game.set.name();
    let mut lines = match counter.max() {
        Some((max, at)) => {
            format!("largest nim-value {max} of {name} below {}, first at {}\n", grouped(arguments.game.n), grouped(at))
        }
        None => format!("no positions below 0 of {name}\n"),
    };
    if arguments.histogram {
        writeln!(lines, "{:>9} {:>15} {:>15}", "nim-value", "positions", "first")?;
        for (value, (count, first)) in counter.histogram().iter().zip(counter.first_occurrences()).enumerate() {
            let first = first.map_or("-".into(), grouped);
            writeln!(lines, "{value:>9} {:>15} {first:>15}", grouped(*count))?;
        }
    }
    if arguments.first {
        writeln!(lines, "{:>9} {:>15}", "nim-value", "first")?;
        for (value, first) in counter.first_occurrences().iter().enumerate() {
            writeln!(lines, "{value:>9} {:>15}", first.map_or("-".into(), grouped))?;
        }
    }
    let threads = rayon::current_num_threads();
    let plural = if threads == 1 { "" } else { "s" };
    writeln!(lines, "{seconds:.3} s, engine {engine}, {threads} thread{plural}")?;
    if context.options.time {
        writeln!(lines, "{:.3} ns a position", seconds * 1e9 / arguments.game.n.max(1) as f64)?;
    }
    let max = counter.max();
    let json = object([
        ("command", "grundy".into()),
        ("set", name.into()),
        ("n", arguments.game.n.into()),
        ("max", max.map_or(Value::Null, |(max, _)| max.into())),
        ("max_at", max.map_or(Value::Null, |(_, at)| at.into())),
        ("first", counter.first_occurrences().iter().copied().collect()),
        ("histogram", counter.histogram().iter().copied().collect()),
        ("engine", engine.into()),
        ("threads", threads.into()),
        ("seconds", seconds.into()),
    ]);
    let main = max.map_or_else(String::new, |(max, _)| max.to_string());
    context.answer(json, &main, &lines)
}
