//! `nimsieve cold SET N`: the cold positions below N.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::Value;

use super::context::{Context, grouped, object};
use super::digest::Digest;
use super::keep::{Keep, Kept};
use super::output::{Outputs, Run};
use super::statistics::{Statistics, Wanted};
use super::{Game, parse_n};
use crate::cold::Engine;
use crate::cold::wheel::{Options, Report};
use crate::export::{ColdExport, Kind, Provenance};
use crate::plan::Plan;
use crate::set::SubtractionSet;
use crate::sink::{ColdCounter, Misere};
use crate::table::{Cold, ColdPositions, feed};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: Game,

    /// Whoever cannot move wins
    #[arg(long, conflicts_with = "table")]
    misere: bool,

    /// The engine: recurrence, sieve, divide, wheel or residue [default: what `nimsieve plan` picks]
    #[arg(long, value_name = "NAME", value_parser = |text: &str| text.parse::<Engine>())]
    engine: Option<Engine>,

    /// Force one modulus on the engine `wheel`
    #[arg(long, value_name = "M", value_parser = parse_n)]
    modulus: Option<u64>,

    /// Compute everything once more in another way, and compare
    #[arg(long)]
    double_check: bool,

    #[command(flatten)]
    keep: Keep,

    #[command(flatten)]
    statistics: Wanted,

    #[command(flatten)]
    outputs: Outputs,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    context.check_json(arguments.game.n)?;
    let set = &arguments.game.set;
    let least = crate::set::least(set)?;
    // The misere-cold positions below N are the cold ones below N - least, moved up.
    let played = if arguments.misere { arguments.game.n.saturating_sub(least) } else { arguments.game.n };
    let mut plan = Plan::cold(set, played)?;
    if let Some(engine) = arguments.engine {
        plan = plan.engine(engine)?;
    }
    if let Some(modulus) = arguments.modulus {
        if arguments.engine.is_some_and(|engine| engine != Engine::Wheel) {
            bail!("--modulus is for the engine wheel");
        }
        plan = plan.wheel(Options::default().modulus(u32::try_from(modulus).unwrap_or(u32::MAX)))?;
    }
    context.check_memory(plan.estimate().memory)?;
    let kind = if arguments.misere { Kind::MisereCold } else { Kind::Cold };
    let provenance = Provenance { set: set.name(), n: arguments.game.n, kind };
    let (writers, files): (Vec<_>, Vec<_>) =
        arguments.outputs.open(context, &provenance)?.into_iter().map(super::output::Pending::split).unzip();
    let exports: Vec<ColdExport> = writers.into_iter().map(ColdExport::new).collect();
    let Kept { known, mut writer } = arguments.keep.open::<Cold>(context, &set.name())?;
    let digest = arguments.double_check.then(Digest::default);
    let mut sink = ((ColdCounter::default(), digest), (arguments.statistics.counters()?, exports));
    let mut report = None;
    let start = known.as_ref().map_or(0, ColdPositions::end).min(played);
    let course = context.course(start, played, || plan.growth());
    let outcome = context.timed_over(course, |control| {
        if let Some(known) = &known {
            feed(known, played, &mut sink)?;
            plan = plan.clone().continue_from(known);
        }
        if arguments.misere {
            let mut shifted = Misere::new(least, &mut sink);
            report = plan.run_reported(control, &mut shifted)?;
            shifted.finish(arguments.game.n)?;
        } else {
            report = plan.run_reported(control, &mut (&mut sink, &mut writer))?;
        }
        Ok(())
    });
    let ((), seconds) = arguments.keep.finish(writer, outcome)?;
    let ((counter, digest), (statistics, exports)) = sink;
    let engine = plan.chosen().name();
    for (export, file) in exports.into_iter().zip(files) {
        let summary = export.finish()?;
        file.side_car(&provenance, &summary, &Run { engine, seconds })?;
    }
    let check = digest.map(|digest| double_check(&plan, least, arguments, context, digest)).transpose()?;
    let agrees = check.as_ref().is_none_or(|check| check.agrees);
    let code = if agrees { ExitCode::SUCCESS } else { ExitCode::from(1) };
    if arguments.outputs.use_stdout() {
        return Ok(code);
    }
    let found = Found { counter, statistics, engine, seconds, report, check };
    print(arguments, context, &found)?;
    Ok(code)
}

/// What a run found.
struct Found {
    counter: ColdCounter,
    statistics: Statistics,
    engine: &'static str,
    seconds: f64,
    report: Option<Report>,
    check: Option<Check>,
}

/// What a second run found.
struct Check {
    agrees: bool,
    engine: &'static str,
    method: String,
    seconds: f64,
}

/// Computes the positions once more in another way and compares their digest.
fn double_check(
    plan: &Plan<'_, Engine>,
    least: u64,
    arguments: &Arguments,
    context: &Context,
    digest: Digest,
) -> Result<Check> {
    let other = plan.another_way()?;
    context.check_memory(other.estimate().memory)?;
    let mut second = Digest::default();
    let ((), seconds) = context.timed(other.profile().n, |control| {
        if arguments.misere {
            let mut shifted = Misere::new(least, &mut second);
            other.run_into(control, &mut shifted)?;
            shifted.finish(arguments.game.n)?;
            return Ok(());
        }
        Ok(other.run_into(control, &mut second)?)
    })?;
    let agrees = second.finish() == digest.finish();
    Ok(Check { agrees, engine: other.chosen().name(), method: other.estimate().method.clone(), seconds })
}

fn print(arguments: &Arguments, context: &Context, found: &Found) -> Result<()> {
    let Found { counter, statistics, engine, seconds, report, check } = found;
    let name = arguments.game.set.name();
    let misere = if arguments.misere { "misere-" } else { "" };
    let positions = if counter.count == 1 { "position" } else { "positions" };
    let mut lines =
        format!("{} {misere}cold {positions} of {name} below {}\n", grouped(counter.count), grouped(arguments.game.n));
    if let Some(largest) = counter.largest {
        lines += &format!("largest {}\n", grouped(largest));
    }
    lines += &statistics.lines(arguments.game.n)?;
    let threads = rayon::current_num_threads();
    let plural = if threads == 1 { "" } else { "s" };
    lines += &format!("{seconds:.3} s, engine {engine}, {threads} thread{plural}\n");
    if let Some(check) = check {
        let verdict = if check.agrees { "agrees" } else { "DIFFERS: please report this, with the command" };
        lines +=
            &format!("double check {verdict}: {:.3} s, engine {}, {}\n", check.seconds, check.engine, check.method);
    }
    if context.options.time {
        if let Some(report) = report {
            lines += &report.to_string();
        }
        lines += &format!("{:.3} ns a position\n", seconds * 1e9 / arguments.game.n.max(1) as f64);
    }
    let mut json = object([
        ("command", "cold".into()),
        ("set", name.into()),
        ("n", arguments.game.n.into()),
        ("misere", arguments.misere.into()),
        ("count", counter.count.into()),
        ("largest", counter.largest.map_or(Value::Null, Value::from)),
        ("engine", (*engine).into()),
        ("threads", threads.into()),
        ("seconds", (*seconds).into()),
        ("double_check", check.as_ref().map_or(Value::Null, |check| check.agrees.into())),
    ]);
    json.extend(statistics.json(arguments.game.n));
    context.answer(json, &counter.count.to_string(), &lines)
}
