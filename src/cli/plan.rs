//! `nimsieve plan SET N`: what would run, and why.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use super::Game;
use super::context::{Context, object};
use crate::engine::Planned;
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

impl Kind {
    /// The name, as after `--kind`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Grundy => "grundy",
        }
    }

    /// What is computed, in words.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::Cold => "cold positions",
            Self::Grundy => "nim-values",
        }
    }
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let Game { set, n } = &arguments.game;
    context.check_json(*n)?;
    match arguments.kind {
        Kind::Cold => explain(Plan::cold(set, *n)?, arguments, context),
        Kind::Grundy => explain(Plan::grundy(set, *n)?, arguments, context),
    }
}

fn explain<E: Planned>(mut plan: Plan<'_, E>, arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    if let Some(engine) = &arguments.engine {
        plan = plan.engine(engine.parse()?)?;
    }
    let as_json = |estimate: Result<Estimate, String>| match estimate {
        Ok(Estimate { seconds, memory, method, .. }) => {
            json!({"seconds": seconds, "memory": memory.to_string(), "method": method})
        }
        Err(reason) => json!({"declines": reason}),
    };
    let engines: Map<String, Value> =
        plan.alternatives().into_iter().map(|(engine, estimate)| (engine.to_string(), as_json(estimate))).collect();
    let (engine, chosen) = (plan.chosen().label(), plan.estimate());
    let object = object([
        ("command", "plan".into()),
        ("set", arguments.game.set.name().into()),
        ("n", arguments.game.n.into()),
        ("engine", engine.into()),
        ("threads", rayon::current_num_threads().into()),
        ("seconds", chosen.seconds.into()),
        ("memory", chosen.memory.to_string().into()),
        ("operations", chosen.operations.into()),
        ("method", chosen.method.clone().into()),
        ("engines", engines.into()),
    ]);
    context.answer(object, engine, &plan.to_string())?;
    Ok(ExitCode::SUCCESS)
}
