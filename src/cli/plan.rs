//! `nimsieve plan SET N`: what would run, and why.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use super::Game;
use super::context::{Context, object};
use crate::plan::{Estimate, Plan};
use crate::set::SubtractionSet;

/// What is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    /// Cold positions
    Cold,
    /// Nim-values
    Grundy,
}

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: Game,

    /// What would be computed
    #[arg(long, default_value = "cold")]
    kind: Kind,

    /// The engine [default: the fastest by estimate]
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let Arguments { game: Game { set, n }, kind, engine } = arguments;
    context.check_json(*n)?;
    let (json, main, lines) = match kind {
        Kind::Cold => {
            let mut plan = Plan::cold(set, *n)?;
            if let Some(engine) = engine {
                plan = plan.engine(engine.parse()?)?;
            }
            let json = as_json(plan.estimate(), plan.alternatives().into_iter().map(|(e, a)| (e.name(), a)));
            (json, plan.chosen().name(), plan.to_string())
        }
        Kind::Grundy => {
            let mut plan = Plan::grundy(set, *n)?;
            if let Some(engine) = engine {
                plan = plan.engine(engine.parse()?)?;
            }
            let json = as_json(plan.estimate(), plan.alternatives().into_iter().map(|(e, a)| (e.name(), a)));
            (json, plan.chosen().name(), plan.to_string())
        }
    };
    let mut object = object([
        ("command", "plan".into()),
        ("set", set.name().into()),
        ("n", (*n).into()),
        ("engine", main.into()),
        ("threads", rayon::current_num_threads().into()),
    ]);
    object.extend(json);
    context.answer(object, main, &lines)?;
    Ok(ExitCode::SUCCESS)
}

fn as_json(
    chosen: &Estimate,
    alternatives: impl Iterator<Item = (&'static str, Result<Estimate, String>)>,
) -> Map<String, Value> {
    let engines: Map<String, Value> = alternatives
        .map(|(name, estimate)| {
            let value = match estimate {
                Ok(estimate) => {
                    let memory = estimate.memory.to_string();
                    json!({"seconds": estimate.seconds, "memory": memory, "method": estimate.method})
                }
                Err(reason) => json!({"declines": reason}),
            };
            (name.to_owned(), value)
        })
        .collect();
    object([
        ("seconds", chosen.seconds.into()),
        ("memory", chosen.memory.to_string().into()),
        ("operations", chosen.operations.into()),
        ("method", chosen.method.clone().into()),
        ("engines", engines.into()),
    ])
}
