//! `nimsieve oeis ANUMBER`: a sequence of the OEIS as a b-file.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::context::{Context, grouped, object};
use super::parse_n;
use crate::export::{Output, hex};
use crate::oeis::{SEQUENCES, Sequence};
use crate::set::SubtractionSet;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The sequence, such as A030193; without it, all that can be made are listed
    #[arg(value_name = "ANUMBER")]
    id: Option<String>,

    /// How many terms [default: as many as are published]
    #[arg(long, value_name = "K", value_parser = parse_n)]
    terms: Option<u64>,

    /// The b-file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,

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
    let to_stdout = arguments.output == std::path::Path::new("-");
    if to_stdout && context.options.json {
        anyhow::bail!("--json and a b-file on standard output exclude each other; give -o FILE");
    }
    let mut output = Output::create(&arguments.output)?;
    let (terms, seconds) = context.timed(0, |control| Ok(sequence.compute(count, control)?))?;
    let mut text = String::new();
    if arguments.header {
        writeln!(text, "# {} {}: {}", sequence.id, sequence.meaning, crate::export::Provenance::TOOL)?;
    }
    for (index, term) in (sequence.offset..).zip(&terms) {
        writeln!(text, "{index} {term}")?;
    }
    if arguments.published_newlines {
        text += &"\n".repeat(sequence.final_newlines.into());
    }
    output.put(text.as_bytes())?;
    output.finish()?;
    if to_stdout {
        return Ok(ExitCode::SUCCESS);
    }
    let sha256 = hex(&Sha256::digest(text.as_bytes()));
    let name = arguments.output.display();
    let lines = format!("{} terms of {} in {name}\nsha256 {sha256}\n", grouped(count), sequence.id);
    let json = object([
        ("command", "oeis".into()),
        ("sequence", sequence.id.into()),
        ("set", sequence.subtraction_set()?.name().into()),
        ("terms", count.into()),
        ("file", name.to_string().into()),
        ("sha256", sha256.into()),
        ("seconds", seconds.into()),
    ]);
    context.answer(json, &count.to_string(), &lines)?;
    Ok(ExitCode::SUCCESS)
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
