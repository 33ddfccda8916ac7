//! `nimsieve compare SET N`: every engine side by side.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use super::context::{Context, object};
use super::digest::Digest;
use super::plan::Kind;
use super::{Game, memory};
use crate::error::Error;
use crate::plan::{Estimate, Plan, bytes, duration};
use crate::run::Control;
use crate::set::SubtractionSet;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: Game,

    /// What is computed
    #[arg(long, default_value = "cold")]
    kind: Kind,

    /// Passes over engines that would take longer by estimate, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    limit: f64,
}

/// What one engine did.
struct Row {
    engine: &'static str,
    outcome: Outcome,
}

enum Outcome {
    Ran { seconds: f64, memory: Option<u64>, digest: String },
    Passed(String),
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let Game { set, n } = &arguments.game;
    context.check_json(*n)?;
    let rows = match arguments.kind {
        Kind::Cold => {
            let plan = Plan::cold(set, *n)?;
            let engines = plan.alternatives().into_iter();
            engines
                .map(|(engine, estimate)| {
                    measure(arguments, context, engine.name(), estimate, |control, digest| {
                        plan.clone().engine(engine)?.run_into(control, digest)
                    })
                })
                .collect::<Result<Vec<Row>>>()?
        }
        Kind::Grundy => {
            let plan = Plan::grundy(set, *n)?;
            let engines = plan.alternatives().into_iter();
            engines
                .map(|(engine, estimate)| {
                    measure(arguments, context, engine.name(), estimate, |control, digest| {
                        plan.clone().engine(engine)?.run_into(control, digest)
                    })
                })
                .collect::<Result<Vec<Row>>>()?
        }
    };
    report(arguments, context, &rows)
}

fn measure(
    arguments: &Arguments,
    context: &Context,
    engine: &'static str,
    estimate: Result<Estimate, String>,
    run: impl FnOnce(&Control, &mut Digest) -> crate::Result<()>,
) -> Result<Row> {
    let passed = |why: String| Ok(Row { engine, outcome: Outcome::Passed(why) });
    let estimate = match estimate {
        Ok(estimate) if estimate.seconds > arguments.limit => {
            return passed(format!("about {}, above --limit", duration(estimate.seconds)));
        }
        Ok(estimate) => estimate,
        Err(reason) => return passed(format!("declines: {reason}")),
    };
    if estimate.memory > memory::available() && !context.options.force {
        return passed(format!("needs about {} of memory; --force runs it", bytes(estimate.memory)));
    }
    let before = memory::resident().filter(|_| memory::reset_peak());
    let mut digest = Digest::default();
    match context.timed(arguments.game.n, |control| Ok(run(control, &mut digest)?)) {
        Ok(((), seconds)) => {
            let memory = before.and_then(|before| memory::peak().map(|peak| peak.saturating_sub(before)));
            Ok(Row { engine, outcome: Outcome::Ran { seconds, memory, digest: digest.finish() } })
        }
        Err(error) => match error.downcast_ref::<Error>() {
            Some(Error::ValueTooLarge { .. } | Error::Memory { .. }) => passed(error.to_string()),
            _ => Err(error),
        },
    }
}

fn report(arguments: &Arguments, context: &Context, rows: &[Row]) -> Result<ExitCode> {
    let digests: Vec<&String> = rows
        .iter()
        .filter_map(|row| match &row.outcome {
            Outcome::Ran { digest, .. } => Some(digest),
            Outcome::Passed(_) => None,
        })
        .collect();
    let same = digests.windows(2).all(|pair| pair[0] == pair[1]);
    let mut lines = format!("{:<11} {:>10} {:>11}  answer\n", "engine", "seconds", "memory");
    let mut json_rows = Vec::new();
    for Row { engine, outcome } in rows {
        match outcome {
            Outcome::Ran { seconds, memory, digest } => {
                let agrees = match digests[..] {
                    [_] => "alone",
                    [first, ..] if first == digest => "same",
                    _ => "DIFFERS",
                };
                let answer = format!("{agrees} {digest}");
                let memory_text = memory.map(|memory| memory.to_string());
                let shown = memory.map_or("-".into(), bytes);
                writeln!(lines, "{engine:<11} {seconds:>10.3} {shown:>11}  {answer}")?;
                json_rows.push(json!({"engine": engine, "seconds": seconds, "memory": memory_text, "digest": digest}));
            }
            Outcome::Passed(why) => {
                writeln!(lines, "{engine:<11} {:>10} {:>11}  {why}", "-", "-")?;
                json_rows.push(json!({"engine": engine, "passed": why}));
            }
        }
    }
    if !same {
        writeln!(lines, "the engines do not agree: please report this, with the command")?;
    }
    let kind = match arguments.kind {
        Kind::Cold => "cold",
        Kind::Grundy => "grundy",
    };
    let json = object([
        ("command", "compare".into()),
        ("set", arguments.game.set.name().into()),
        ("n", arguments.game.n.into()),
        ("kind", kind.into()),
        ("threads", rayon::current_num_threads().into()),
        // One answer, or none, agrees with nothing.
        ("agree", if digests.len() < 2 { Value::Null } else { same.into() }),
        ("engines", Value::Array(json_rows)),
    ]);
    context.answer(json, if same { "0" } else { "1" }, &lines)?;
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
