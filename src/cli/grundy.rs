//! `nimsieve grundy SET N`: the nim-values below N.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde_json::{Map, Value};

use super::Game;
use super::context::{Context, grouped, object};
use super::keep::{Keep, Kept};
use super::output::{Outputs, Run};
use crate::export::{GrundyExport, Kind, Provenance};
use crate::grundy::Engine;
use crate::plan::Plan;
use crate::set::SubtractionSet;
use crate::sink::GrundyCounter;
use crate::table::{CounterFile, CounterWriter, Grundy, GrundyValues};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: Game,

    /// The engine: recurrence, flags, levels, residue or sparse [default: what `nimsieve plan` picks]
    #[arg(long, value_name = "NAME", value_parser = |text: &str| text.parse::<Engine>())]
    engine: Option<Engine>,

    /// Print how often and where first each nim-value occurs
    #[arg(long)]
    histogram: bool,

    /// Print where first each nim-value occurs
    #[arg(long)]
    first: bool,

    #[command(flatten)]
    keep: Keep,

    /// Keep only the counts in a file, and what an engine without a table needs to go on
    #[arg(long, value_name = "FILE", conflicts_with = "table")]
    counters: Option<PathBuf>,

    #[command(flatten)]
    outputs: Outputs,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let n = arguments.game.n;
    context.check_json(n)?;
    let set = &arguments.game.set;
    let mut plan = Plan::grundy(set, n)?;
    if let Some(engine) = arguments.engine {
        plan = plan.engine(engine)?;
    }
    let counts = arguments.counts()?;
    if let Some((path, counts)) = &counts {
        plan = plan_with_counts(plan, path, counts.as_ref(), arguments)?;
    }
    context.check_memory(plan.estimate().memory)?;
    let provenance = Provenance { set: set.name(), n, kind: Kind::Grundy };
    let (writers, files): (Vec<_>, Vec<_>) =
        arguments.outputs.open(context, &provenance)?.into_iter().map(super::output::Pending::split).unzip();
    let exports: Vec<GrundyExport> = writers.into_iter().map(GrundyExport::new).collect();
    let (Kept { known, mut writer }, kept_counts) = match &counts {
        None => (arguments.keep.open::<Grundy>(context, &set.name())?, None),
        Some((path, None)) => {
            let writer = CounterWriter::create(path, &set.name(), plan.chosen())?;
            (Kept { known: None, writer: None }, Some(writer))
        }
        Some((path, Some(file))) => (Kept { known: None, writer: None }, Some(CounterWriter::resume(path, file)?)),
    };
    let counter = kept_counts.is_none().then(GrundyCounter::default);
    let mut sink = ((counter, kept_counts), exports);
    let start = match &counts {
        Some((_, Some(file))) => file.state().reached,
        _ => known.as_ref().map_or(0, GrundyValues::end).min(n),
    };
    let course = context.course(start, n, || plan.growth());
    let outcome = context.timed_over(course, |control| {
        if let Some(known) = &known {
            known.feed(0..start, &mut sink)?;
            plan = plan.clone().continue_from(known);
        }
        Ok(plan.run_into(control, &mut (&mut sink, &mut writer))?)
    });
    let ((counter, kept_counts), exports) = sink;
    let ((), seconds) = match &kept_counts {
        Some(counts) if counts.kept() > 0 => outcome.with_context(|| going_on(arguments, counts))?,
        _ => arguments.keep.finish(writer, outcome)?,
    };
    let engine = plan.chosen().name();
    for (export, file) in exports.into_iter().zip(files) {
        let summary = export.finish()?;
        file.side_car(&provenance, &summary, &Run { engine, seconds })?;
    }
    if arguments.outputs.use_stdout() {
        return Ok(ExitCode::SUCCESS);
    }
    let counter = counter.as_ref().or(kept_counts.as_ref().map(CounterWriter::counter)).expect("one of them counts");
    report(arguments, context, counter, engine, seconds)?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// The file that keeps the counts, if one does, and what it holds.
    fn counts(&self) -> Result<Option<(&PathBuf, Option<CounterFile>)>> {
        let Some(path) = &self.counters else { return Ok(None) };
        if !path.exists() {
            return Ok(Some((path, None)));
        }
        if !self.keep.resume {
            bail!("{} is there already; --resume continues it, or give another name", path.display());
        }
        let file = CounterFile::open(path)?;
        let (set, name) = (self.game.set.name(), path.display());
        if file.set() != set {
            bail!("{name} has the counts of {}, not of {set}; give another name", file.set());
        }
        let reached = file.state().reached;
        if reached > self.game.n {
            bail!(
                "{name} has the counts below {reached}, which cannot be taken back; ask for at least that, or start anew"
            );
        }
        if let Some(engine) = self.engine.filter(|&engine| engine != file.engine()) {
            bail!("{name} holds the state of {}, with which {engine} cannot go on; leave --engine out", file.engine());
        }
        if self.outputs.any() {
            bail!("{name} holds no nim-values, so -o would miss those below {reached}; keep them with --table");
        }
        Ok(Some((path, Some(file))))
    }
}

/// Makes a plan keep counts: with the engine whose state the file holds, or the fastest that has such a state.
fn plan_with_counts<'s>(
    plan: Plan<'s, Engine>,
    path: &Path,
    file: Option<&'s CounterFile>,
    arguments: &Arguments,
) -> Result<Plan<'s, Engine>> {
    if let Some(file) = file {
        return Ok(plan.continue_state(file.engine(), file.state())?);
    }
    if plan.chosen().keeps_state() {
        return Ok(plan);
    }
    let set = arguments.game.set.name();
    let refused = |who: String| {
        format!("{who} goes on from counts alone, as {} would hold; keep the values with --table", path.display())
    };
    if let Some(engine) = arguments.engine {
        bail!(refused(format!("engine `{engine}` needs a table of what is below and never")));
    }
    let alternatives = plan.alternatives().into_iter().filter(|(engine, _)| engine.keeps_state());
    let served = alternatives.filter_map(|(engine, estimate)| Some((engine, estimate.ok()?)));
    let fastest = served.min_by(|a, b| a.1.seconds.total_cmp(&b.1.seconds));
    let (engine, _) = fastest.with_context(|| refused(format!("no engine that serves {set}")))?;
    Ok(plan.engine(engine)?)
}

/// How to go on after a run that was stopped.
fn going_on(arguments: &Arguments, counts: &CounterWriter) -> String {
    let path = arguments.counters.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    format!("{path} has the counts below {}; --resume goes on from there", grouped(counts.kept()))
}

/// How often and where first each nim-value occurs, for people.
pub(super) fn histogram(counter: &GrundyCounter) -> Result<String> {
    let mut lines = String::new();
    writeln!(lines, "{:>9} {:>15} {:>15}", "nim-value", "positions", "first")?;
    for (value, (count, first)) in counter.histogram().iter().zip(counter.first_occurrences()).enumerate() {
        let first = first.map_or("-".into(), grouped);
        writeln!(lines, "{value:>9} {:>15} {first:>15}", grouped(*count))?;
    }
    Ok(lines)
}

/// The same and the largest, as keys of a JSON object.
pub(super) fn as_json(counter: &GrundyCounter) -> Map<String, Value> {
    let max = counter.max();
    object([
        ("max", max.map_or(Value::Null, |(max, _)| max.into())),
        ("max_at", max.map_or(Value::Null, |(_, at)| at.into())),
        ("first", counter.first_occurrences().iter().copied().collect()),
        ("histogram", counter.histogram().iter().copied().collect()),
    ])
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
        lines += &histogram(counter)?;
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
    let mut json = object([("command", "grundy".into()), ("set", name.into()), ("n", arguments.game.n.into())]);
    json.extend(as_json(counter));
    json.extend(object([("engine", engine.into()), ("threads", threads.into()), ("seconds", seconds.into())]));
    let main = counter.max().map_or_else(String::new, |(max, _)| max.to_string());
    context.answer(json, &main, &lines)
}
