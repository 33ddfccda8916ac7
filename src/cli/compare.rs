//! `nimsieve compare SET N`: every engine side by side.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Map, Value, json};

use super::context::{Context, grouped, object};
use super::digest::Digest;
use super::measured::{Measured, Table};
use super::plan::Kind;
use super::{memory, parse_n, parse_set};
use crate::engine::Planned;
use crate::error::Error;
use crate::plan::{Estimate, Plan, bytes, duration};
use crate::run::Control;
use crate::set::{NamedSet, SubtractionSet};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The subtraction set
    #[arg(value_parser = parse_set)]
    set: NamedSet,

    /// The positions below N; several with commas between
    #[arg(value_parser = parse_n, value_delimiter = ',', required = true)]
    n: Vec<u64>,

    /// Another set, after the first. May be repeated
    #[arg(long, value_name = "SET", value_parser = parse_set)]
    also: Vec<NamedSet>,

    /// What is computed; both with a comma between
    #[arg(long, default_value = "cold", value_delimiter = ',')]
    kind: Vec<Kind>,

    /// Passes over engines that would take longer by estimate, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    limit: f64,

    /// Write a CSV file that names the machine, with one row an engine, a set and an N
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// One game, by every engine.
struct Case {
    set: String,
    n: u64,
    kind: Kind,
    rows: Vec<Row>,
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
    let Arguments { set, n, also, kind, output, .. } = arguments;
    n.iter().try_for_each(|&n| context.check_json(n))?;
    // Opened before the long run, so that a bad name fails at once.
    let table = output.as_ref().map(|path| Table::create(path)).transpose()?;
    let mut cases = Vec::new();
    for &kind in kind {
        for set in std::iter::once(set).chain(also) {
            for &n in n {
                let rows = match kind {
                    Kind::Cold => rows(&Plan::cold(set, n)?, arguments, context, |plan, control, digest| {
                        plan.run_into(control, digest)
                    }),
                    Kind::Grundy => rows(&Plan::grundy(set, n)?, arguments, context, |plan, control, digest| {
                        plan.run_into(control, digest)
                    }),
                };
                cases.push(Case { set: set.name(), n, kind, rows: rows? });
            }
        }
    }
    if let Some(table) = table {
        table.finish(arguments.limit, cases.iter().flat_map(Case::measured))?;
    }
    report(context, &cases)
}

/// Runs every engine of a plan that serves it.
fn rows<E: Planned>(
    plan: &Plan<'_, E>,
    arguments: &Arguments,
    context: &Context,
    run: impl Fn(&Plan<'_, E>, &Control, &mut Digest) -> crate::Result<()>,
) -> Result<Vec<Row>> {
    let measured = |(engine, estimate): (E, Result<Estimate, String>)| {
        let run = |control: &Control, digest: &mut Digest| run(&plan.clone().engine(engine)?, control, digest);
        let outcome = measure(arguments.limit, context, plan.profile().n, estimate, run)?;
        Ok(Row { engine: engine.label(), outcome })
    };
    plan.alternatives().into_iter().map(measured).collect()
}

fn measure(
    limit: f64,
    context: &Context,
    n: u64,
    estimate: Result<Estimate, String>,
    run: impl FnOnce(&Control, &mut Digest) -> crate::Result<()>,
) -> Result<Outcome> {
    let passed = |why: String| Ok(Outcome::Passed(why));
    let estimate = match estimate {
        Ok(estimate) if estimate.seconds > limit => {
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
    match context.timed(n, |control| Ok(run(control, &mut digest)?)) {
        Ok(((), seconds)) => {
            let memory = before.and_then(|before| memory::peak().map(|peak| peak.saturating_sub(before)));
            Ok(Outcome::Ran { seconds, memory, digest: digest.finish() })
        }
        Err(error) => match error.downcast_ref::<Error>() {
            Some(
                Error::ValueTooLarge { .. } | Error::Memory { .. } | Error::Undecided { .. } | Error::Declined { .. },
            ) => passed(error.to_string()),
            _ => Err(error),
        },
    }
}

impl Case {
    /// The answers that were computed.
    fn digests(&self) -> Vec<&String> {
        let rows = self.rows.iter();
        rows.filter_map(|row| match &row.outcome {
            Outcome::Ran { digest, .. } => Some(digest),
            Outcome::Passed(_) => None,
        })
        .collect()
    }

    fn agrees(&self) -> bool {
        self.digests().windows(2).all(|pair| pair[0] == pair[1])
    }

    /// The rows as a file keeps them.
    fn measured(&self) -> impl Iterator<Item = Measured<'_>> {
        self.rows.iter().map(|Row { engine, outcome }| {
            let base = Measured { set: &self.set, n: self.n, kind: self.kind.name(), engine, ..Measured::default() };
            match outcome {
                Outcome::Ran { seconds, memory, digest } => {
                    Measured { seconds: Some(*seconds), memory: *memory, digest, ..base }
                }
                Outcome::Passed(why) => Measured { passed: why, ..base },
            }
        })
    }

    fn lines(&self) -> Result<String> {
        let digests = self.digests();
        let mut lines = format!("{:<11} {:>10} {:>11}  answer\n", "engine", "seconds", "memory");
        for Row { engine, outcome } in &self.rows {
            match outcome {
                Outcome::Ran { seconds, memory, digest } => {
                    let agrees = match digests[..] {
                        [_] => "alone",
                        [first, ..] if first == digest => "same",
                        _ => "DIFFERS",
                    };
                    let shown = memory.map_or("-".into(), bytes);
                    writeln!(lines, "{engine:<11} {seconds:>10.3} {shown:>11}  {agrees} {digest}")?;
                }
                Outcome::Passed(why) => writeln!(lines, "{engine:<11} {:>10} {:>11}  {why}", "-", "-")?,
            }
        }
        if !self.agrees() {
            writeln!(lines, "the engines do not agree: please report this, with the command")?;
        }
        Ok(lines)
    }

    fn json(&self) -> Map<String, Value> {
        let row = |Row { engine, outcome }: &Row| match outcome {
            Outcome::Ran { seconds, memory, digest } => {
                let memory = memory.map(|memory| memory.to_string());
                json!({"engine": engine, "seconds": seconds, "memory": memory, "digest": digest})
            }
            Outcome::Passed(why) => json!({"engine": engine, "passed": why}),
        };
        object([
            ("set", self.set.as_str().into()),
            ("n", self.n.into()),
            ("kind", self.kind.name().into()),
            // One answer, or none, agrees with nothing.
            ("agree", if self.digests().len() < 2 { Value::Null } else { self.agrees().into() }),
            ("engines", self.rows.iter().map(row).collect()),
        ])
    }
}

fn report(context: &Context, cases: &[Case]) -> Result<ExitCode> {
    let same = cases.iter().all(Case::agrees);
    let mut json = object([("command", "compare".into()), ("threads", rayon::current_num_threads().into())]);
    let mut lines = String::new();
    match cases {
        [case] => {
            json.extend(case.json());
            lines = case.lines()?;
        }
        _ => {
            json.insert("cases".into(), cases.iter().map(|case| Value::from(case.json())).collect());
            for (index, case) in cases.iter().enumerate() {
                let gap = if index == 0 { "" } else { "\n" };
                writeln!(lines, "{gap}{} of {} below {}", case.kind.meaning(), case.set, grouped(case.n))?;
                lines += &case.lines()?;
            }
        }
    }
    context.answer(json, if same { "0" } else { "1" }, &lines)?;
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
