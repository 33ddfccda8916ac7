//! `nimsieve oeis ANUMBER`: a sequence of the OEIS as a b-file.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::context::{Context, grouped, object};
use super::parse_n;
use crate::export::{Output, Provenance, hex};
use crate::oeis::{SEQUENCES, Sequence};
use crate::plan::duration;
use crate::set::SubtractionSet;

/// Seconds by estimate that nobody should have to wait unwarned.
const LONG: f64 = 60.0;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The sequence, such as A030193; without it, all that can be made are listed
    #[arg(value_name = "ANUMBER")]
    id: Option<String>,

    /// How many terms [default: as many as are published, which may take hours]
    #[arg(long, value_name = "K", value_parser = parse_n)]
    terms: Option<u64>,

    /// The b-file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// End the file with as many line feeds as the published one
    #[arg(long)]
    published_newlines: bool,

    /// Start with # lines that tell the provenance
    #[arg(long)]
    header: bool,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let Some(id) = &arguments.id else { return list(context) };
    let sequence = Sequence::find(id)?;
    let count = arguments.terms.unwrap_or(sequence.published);
    context.check_json(count)?;
    let standard = Path::new("-");
    if arguments.output.as_deref() == Some(standard) && context.options.json {
        bail!("--json and -o - both want standard output; leave -o out, or give it a file");
    }
    let path = arguments.output.as_deref().unwrap_or(standard);
    // With --json alone the object holds the terms, and there is no b-file.
    let mut output = (arguments.output.is_some() || !context.options.json).then(|| Output::create(path)).transpose()?;
    let (terms, seconds) = compute(sequence, count, context)?;

    let mut hash = Sha256::new();
    let mut put = |text: &str| -> Result<()> {
        hash.update(text);
        output.as_mut().map_or(Ok(()), |output| output.put(text.as_bytes()))?;
        Ok(())
    };
    if arguments.header {
        put(&format!("# {} {}: {}\n", sequence.id, sequence.meaning, Provenance::TOOL))?;
    }
    for (index, term) in (sequence.offset..).zip(&terms) {
        put(&format!("{index} {term}\n"))?;
    }
    if arguments.published_newlines {
        put(&"\n".repeat(sequence.final_newlines.into()))?;
    }
    let sha256 = hex(&hash.finalize());
    output.map_or(Ok(()), Output::finish)?;
    if path == standard && !context.options.json {
        return Ok(ExitCode::SUCCESS);
    }
    let name = path.display().to_string();
    let lines = format!("{} terms of {} in {name}\nsha256 {sha256}\n", grouped(count), sequence.id);
    let mut json = object([
        ("command", "oeis".into()),
        ("sequence", sequence.id.into()),
        ("set", sequence.subtraction_set()?.name().into()),
        ("offset", sequence.offset.into()),
        ("terms", count.into()),
        ("sha256", sha256.into()),
        ("seconds", seconds.into()),
    ]);
    match &arguments.output {
        Some(_) => json.insert("file".into(), name.into()),
        None => json.insert("values".into(), terms.into()),
    };
    context.answer(json, &count.to_string(), &lines)?;
    Ok(ExitCode::SUCCESS)
}

/// Computes the terms round by round, each with its own bar, and with a warning before one that takes long.
fn compute(sequence: &Sequence, count: u64, context: &Context) -> Result<(Vec<u64>, f64)> {
    let set = sequence.subtraction_set()?;
    let (mut terms, mut total) = (Vec::new(), 0.0);
    for n in sequence.rounds(count) {
        context.check_json(n)?;
        let estimate = sequence.estimate(&set, n, count)?;
        let asked = || {
            let (count, n) = (grouped(count), grouped(n));
            format!("{count} terms of {} need the positions below {n}; --terms K asks for fewer", sequence.id)
        };
        context.check_memory(estimate.memory).with_context(asked)?;
        if estimate.seconds > LONG {
            context.warn(&format!("{}; about {} on one thread", asked(), duration(estimate.seconds)));
        }
        let (found, seconds) = context.timed(n, |control| Ok(sequence.compute_below(&set, n, count, control)?))?;
        total += seconds;
        terms = found;
        if terms.len() as u64 >= count {
            break;
        }
    }
    Ok((sequence.enough(terms, count)?, total))
}

fn list(context: &Context) -> Result<ExitCode> {
    let mut lines = String::new();
    for sequence in SEQUENCES {
        writeln!(lines, "{}  {:>6} terms  {}", sequence.id, sequence.published, sequence.meaning)?;
    }
    let rows: Vec<Value> = SEQUENCES
        .iter()
        .map(|s| json!({"id": s.id, "meaning": s.meaning, "set": s.set, "offset": s.offset, "terms": s.published}))
        .collect();
    let main = SEQUENCES.iter().map(|sequence| sequence.id).collect::<Vec<_>>().join("\n");
    context.answer(object([("sequences", rows.into())]), &main, &lines)?;
    Ok(ExitCode::SUCCESS)
}
