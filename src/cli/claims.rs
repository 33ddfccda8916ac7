//! `nimsieve claims`: every published claim, computed anew.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::{Value, json};

use super::context::{Context, object};
use crate::claims::{Row, Verdict, all, write_csv};
use crate::export::Output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Write the table to this file as CSV; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let path = arguments.output.as_deref();
    let to_stdout = path == Some(Path::new("-"));
    if to_stdout && context.options.json {
        bail!("--json and -o - both want standard output; give one of them a file");
    }
    if let Some(path) = path.filter(|path| !to_stdout && path.extension().is_none_or(|ending| ending != "csv")) {
        bail!("claims are written as CSV only; expected a name that ends in .csv, found {}", path.display());
    }
    let output = path.filter(|_| !to_stdout).map(Output::create).transpose()?;
    let (rows, _) = context.timed(CLAIMS, |control| Ok(all(control)?))?;
    let mut csv = Vec::new();
    write_csv(&rows, &mut csv)?;
    if to_stdout {
        context.print(&String::from_utf8_lossy(&csv))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(mut output) = output {
        output.put(&csv)?;
        output.finish()?;
    }
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let json = object([
        ("command", "claims".into()),
        ("holds", count(Verdict::Holds).into()),
        ("fails", count(Verdict::Fails).into()),
        ("ambiguous", count(Verdict::Ambiguous).into()),
        ("claims", rows.iter().map(as_json).collect()),
    ]);
    let mut lines = String::new();
    for row in &rows {
        lines += &format!("{:<9}  {}: {}\n", row.verdict, row.topic.name(), row.statement);
        lines += &format!("           computed  {}\n", row.computed);
        lines += &format!("           reading   {}\n", row.reading);
        lines += &format!("           source    {}\n", row.source.name());
    }
    lines += &format!(
        "{} claims: {} hold, {} fail, {} ambiguous\n",
        rows.len(),
        count(Verdict::Holds),
        count(Verdict::Fails),
        count(Verdict::Ambiguous)
    );
    context.answer(json, &count(Verdict::Fails).to_string(), &lines)?;
    Ok(ExitCode::SUCCESS)
}

/// About how many claims there are, for the progress bar.
const CLAIMS: u64 = 80;

fn as_json(row: &Row) -> Value {
    json!({
        "topic": row.topic.name(),
        "statement": row.statement,
        "source": row.source.name(),
        "reading": row.reading,
        "computed": row.computed,
        "verdict": row.verdict.name(),
    })
}
