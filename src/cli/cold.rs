//! `nimsieve cold SET N`: the cold positions below N.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::Value;

use super::context::{Context, grouped, object};
use super::output::{Outputs, Run};
use super::{parse_n, parse_set};
use crate::cold::Engine;
use crate::export::{ColdExport, Kind, Provenance};
use crate::plan::Plan;
use crate::set::{NamedSet, SubtractionSet};
use crate::sink::{ColdCounter, Misere};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The subtraction set
    #[arg(value_parser = parse_set)]
    set: NamedSet,

    /// The positions below N
    #[arg(value_parser = parse_n)]
    n: u64,

    /// Whoever cannot move wins
    #[arg(long)]
    misere: bool,

    /// The engine: recurrence, sieve or divide [default: what `nimsieve plan` picks]
    #[arg(long, value_name = "NAME", value_parser = |text: &str| text.parse::<Engine>())]
    engine: Option<Engine>,

    #[command(flatten)]
    outputs: Outputs,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    context.check_json(arguments.n)?;
    let set = &arguments.set;
    let least = crate::set::least(set)?;
    // The misere-cold positions below N are the cold ones below N - least, moved up.
    let played = if arguments.misere { arguments.n.saturating_sub(least) } else { arguments.n };
    let mut plan = Plan::cold(set, played)?;
    if let Some(engine) = arguments.engine {
        plan = plan.engine(engine)?;
    }
    context.check_memory(plan.estimate().memory)?;
    let kind = if arguments.misere { Kind::MisereCold } else { Kind::Cold };
    let provenance = Provenance { set: set.name(), n: arguments.n, kind };
    let (writers, files): (Vec<_>, Vec<_>) =
        arguments.outputs.open(context, &provenance)?.into_iter().map(super::output::Pending::split).unzip();
    let exports: Vec<ColdExport> = writers.into_iter().map(ColdExport::new).collect();
    let mut sink = (ColdCounter::default(), exports);
    let ((), seconds) = context.timed(played, |control| {
        if arguments.misere {
            let mut shifted = Misere::new(least, &mut sink);
            plan.run_into(control, &mut shifted)?;
            shifted.finish(arguments.n)?;
        } else {
            plan.run_into(control, &mut sink)?;
        }
        Ok(())
    })?;
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

fn report(arguments: &Arguments, context: &Context, counter: &ColdCounter, engine: &str, seconds: f64) -> Result<()> {
    let name = arguments.set.name();
    let misere = if arguments.misere { "misere-" } else { "" };
    let positions = if counter.count == 1 { "position" } else { "positions" };
    let mut lines =
        format!("{} {misere}cold {positions} of {name} below {}\n", grouped(counter.count), grouped(arguments.n));
    if let Some(largest) = counter.largest {
        lines += &format!("largest {}\n", grouped(largest));
    }
    let threads = rayon::current_num_threads();
    let plural = if threads == 1 { "" } else { "s" };
    lines += &format!("{seconds:.3} s, engine {engine}, {threads} thread{plural}\n");
    if context.options.time {
        lines += &format!("{:.3} ns a position\n", seconds * 1e9 / arguments.n.max(1) as f64);
    }
    let json = object([
        ("command", "cold".into()),
        ("set", name.into()),
        ("n", arguments.n.into()),
        ("misere", arguments.misere.into()),
        ("count", counter.count.into()),
        ("largest", counter.largest.map_or(Value::Null, Value::from)),
        ("engine", engine.into()),
        ("threads", threads.into()),
        ("seconds", seconds.into()),
    ]);
    context.answer(json, &counter.count.to_string(), &lines)
}
