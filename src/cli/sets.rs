//! `nimsieve sets`: the grammar of subtraction sets.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use super::context::{Context, object};
use crate::set::{SEQUENCES, SETS};

pub(super) fn run(context: &Context) -> Result<ExitCode> {
    let shaped = SETS.iter().map(|syntax| (syntax.written, syntax.meaning));
    let rows: Vec<_> = shaped.chain(SEQUENCES.iter().map(|sequence| (sequence.name, sequence.meaning))).collect();
    let (mut lines, mut names) = (String::new(), String::new());
    for (written, meaning) in &rows {
        writeln!(lines, "{written:18}{meaning}")?;
        writeln!(names, "{written}")?;
    }
    let sets: Vec<Value> =
        rows.iter().map(|(written, meaning)| json!({"written": written, "meaning": meaning})).collect();
    context.answer(object([("sets", sets.into())]), names.trim_end(), &lines)?;
    Ok(ExitCode::SUCCESS)
}
