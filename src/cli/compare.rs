//! `nimsieve compare SET N`: every engine side by side.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::context::{Context, object};
use super::plan::Kind;
use super::{memory, parse_n, parse_set};
use crate::error::Error;
use crate::plan::{Estimate, Plan, bytes, duration};
use crate::run::Control;
use crate::set::{NamedSet, SubtractionSet};
use crate::sink::{ColdBlock, ColdSink, GrundyBlock, GrundySink};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The subtraction set
    #[arg(value_parser = parse_set)]
    set: NamedSet,

    /// The positions below N
    #[arg(value_parser = parse_n)]
    n: u64,

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
    Ran { seconds: f64, memory: Option<u64>, hash: String },
    Passed(String),
}

/// Hashes cold positions or nim-values, so that answers can be compared without being kept.
#[derive(Default)]
struct Hash(Sha256);

impl ColdSink for Hash {
    fn accept(&mut self, block: &ColdBlock<'_>) -> crate::Result<()> {
        block.try_for_each(|x| {
            self.0.update(x.to_le_bytes());
            Ok(())
        })
    }
}

impl GrundySink for Hash {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> crate::Result<()> {
        block.values.iter().for_each(|value| self.0.update(value.to_le_bytes()));
        Ok(())
    }
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let Arguments { set, n, .. } = arguments;
    let rows = match arguments.kind {
        Kind::Cold => {
            let plan = Plan::cold(set, *n)?;
            let engines = plan.alternatives().into_iter();
            engines
                .map(|(engine, estimate)| {
                    measure(arguments, context, engine.name(), estimate, |control, hash| {
                        plan.clone().engine(engine)?.run_into(control, hash)
                    })
                })
                .collect::<Result<Vec<Row>>>()?
        }
        Kind::Grundy => {
            let plan = Plan::grundy(set, *n)?;
            let engines = plan.alternatives().into_iter();
            engines
                .map(|(engine, estimate)| {
                    measure(arguments, context, engine.name(), estimate, |control, hash| {
                        plan.clone().engine(engine)?.run_into(control, hash)
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
    run: impl FnOnce(&Control, &mut Hash) -> crate::Result<()>,
) -> Result<Row> {
    let passed = |why: String| Ok(Row { engine, outcome: Outcome::Passed(why) });
    let estimate = match estimate {
        Ok(estimate) if estimate.seconds > arguments.limit => {
            return passed(format!("about {}, above --limit", duration(estimate.seconds)));
        }
        Ok(estimate) => estimate,
        Err(reason) => return passed(format!("declines: {reason}")),
    };
    if estimate.memory > memory::available() {
        return passed(format!("needs about {} of memory", bytes(estimate.memory)));
    }
    let before = memory::resident().filter(|_| memory::reset_peak());
    let mut hash = Hash::default();
    match context.timed(arguments.n, |control| Ok(run(control, &mut hash)?)) {
        Ok(((), seconds)) => {
            let memory = before.and_then(|before| memory::peak().map(|peak| peak.saturating_sub(before)));
            let hash = crate::export::hex(&hash.0.finalize());
            Ok(Row { engine, outcome: Outcome::Ran { seconds, memory, hash } })
        }
        Err(error) => match error.downcast_ref::<Error>() {
            Some(Error::ValueTooLarge { .. } | Error::Memory { .. }) => passed(error.to_string()),
            _ => Err(error),
        },
    }
}

fn report(arguments: &Arguments, context: &Context, rows: &[Row]) -> Result<ExitCode> {
    let hashes: Vec<&String> = rows
        .iter()
        .filter_map(|row| match &row.outcome {
            Outcome::Ran { hash, .. } => Some(hash),
            Outcome::Passed(_) => None,
        })
        .collect();
    let same = hashes.windows(2).all(|pair| pair[0] == pair[1]);
    let mut lines = format!("{:<11} {:>10} {:>11}  answer\n", "engine", "seconds", "memory");
    let mut json_rows = Vec::new();
    for Row { engine, outcome } in rows {
        match outcome {
            Outcome::Ran { seconds, memory, hash } => {
                let agrees = if Some(&hash) == hashes.first() { "same" } else { "DIFFERS" };
                let answer = format!("{agrees} {}", &hash[..12]);
                let shown = memory.map_or("-".into(), bytes);
                writeln!(lines, "{engine:<11} {seconds:>10.3} {shown:>11}  {answer}")?;
                json_rows.push(json!({"engine": engine, "seconds": seconds, "memory": memory, "sha256": hash}));
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
        ("set", arguments.set.name().into()),
        ("n", arguments.n.into()),
        ("kind", kind.into()),
        ("threads", rayon::current_num_threads().into()),
        ("agree", same.into()),
        ("engines", Value::Array(json_rows)),
    ]);
    context.answer(json, if same { "0" } else { "1" }, &lines)?;
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
