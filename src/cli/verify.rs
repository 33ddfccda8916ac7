//! `nimsieve verify FILE --set SET --kind KIND`: recomputes a b-file and reports the first line that differs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use serde_json::Value;

use super::context::{Context, grouped, object};
use super::{parse_n, parse_set};
use crate::export::read_bfile;
use crate::plan::Plan;
use crate::set::{NamedSet, SubtractionSet};
use crate::sink::{ColdBlock, ColdSink, GrundyBlock, GrundySink};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Each value is the next cold position
    Cold,
    /// Each line is a heap and its nim-value
    Grundy,
}

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The b-file
    file: PathBuf,

    /// The subtraction set
    #[arg(long, value_parser = parse_set)]
    set: NamedSet,

    /// What its values are
    #[arg(long)]
    kind: Kind,

    /// What the file adds to each cold position, or to each heap
    #[arg(long, value_name = "K", default_value = "0", value_parser = parse_n)]
    shift: u64,

    /// Cold positions that the file leaves out at its start
    #[arg(long, value_name = "K", default_value = "0", value_parser = parse_n)]
    skip: u64,
}

/// A line of the file: its number, and the index and the value on it.
#[derive(Debug, Clone, Copy)]
struct Line {
    number: u64,
    index: u64,
    value: u64,
}

/// What the comparison found.
#[derive(Debug, Clone, Copy)]
struct Mismatch {
    line: Line,
    expected: Option<u64>,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let mut lines = Vec::new();
    read_bfile(&arguments.file, |number, index, value| {
        lines.push(Line { number, index, value });
        Ok(())
    })?;
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        bail!("{} holds no pairs of an index and a value", arguments.file.display());
    };
    let shift = arguments.shift;
    // A value far beyond its neighbours must not make the run long: what comes after the first fall, or below the
    // shift, is wrong already.
    let n = match arguments.kind {
        Kind::Cold => {
            let sound = lines.windows(2).take_while(|pair| pair[0].value < pair[1].value).count();
            lines[sound].value.saturating_sub(shift).checked_add(1)
        }
        Kind::Grundy if first.index < shift => {
            bail!("the file starts at index {} and --shift is {shift}; expected an index of at least that", first.index)
        }
        Kind::Grundy => (last.index - shift).checked_add(1),
    };
    let n = n.context("the file reaches heap 2^64 - 1, which is too large")?;
    let mismatch = match arguments.kind {
        Kind::Cold => verify_cold(arguments, context, &lines, n)?,
        Kind::Grundy => verify_grundy(arguments, context, &lines, n)?,
    };
    report(arguments, context, &lines, mismatch)
}

fn verify_cold(arguments: &Arguments, context: &Context, lines: &[Line], n: u64) -> Result<Option<Mismatch>> {
    let plan = Plan::cold(&arguments.set, n)?;
    context.check_memory(plan.estimate().memory)?;
    let mut check = ColdCheck { lines, next: 0, skip: arguments.skip, shift: arguments.shift, mismatch: None };
    context.timed(n, |control| Ok(plan.run_into(control, &mut check)?))?;
    // Lines that no cold position below n was left for.
    let left = lines.get(check.next).map(|&line| Mismatch { line, expected: None });
    Ok(check.mismatch.or(left))
}

fn verify_grundy(arguments: &Arguments, context: &Context, lines: &[Line], n: u64) -> Result<Option<Mismatch>> {
    let plan = Plan::grundy(&arguments.set, n)?;
    context.check_memory(plan.estimate().memory)?;
    let mut check = GrundyCheck { lines, shift: arguments.shift, mismatch: None };
    context.timed(n, |control| Ok(plan.run_into(control, &mut check)?))?;
    Ok(check.mismatch)
}

/// Compares cold positions with lines, one by one.
struct ColdCheck<'a> {
    lines: &'a [Line],
    next: usize,
    skip: u64,
    shift: u64,
    mismatch: Option<Mismatch>,
}

impl ColdSink for ColdCheck<'_> {
    fn accept(&mut self, block: &ColdBlock<'_>) -> crate::Result<()> {
        block.try_for_each(|x| {
            if self.skip > 0 {
                self.skip -= 1;
            } else if let Some(&line) = self.lines.get(self.next) {
                let expected = Some(x + self.shift);
                if self.mismatch.is_none() && Some(line.value) != expected {
                    self.mismatch = Some(Mismatch { line, expected });
                }
                self.next += 1;
            }
            Ok(())
        })
    }
}

/// Compares nim-values with lines, by index.
struct GrundyCheck<'a> {
    lines: &'a [Line],
    shift: u64,
    mismatch: Option<Mismatch>,
}

impl GrundySink for GrundyCheck<'_> {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> crate::Result<()> {
        let first = self.lines[0].index - self.shift;
        for (x, value) in (block.start..).zip(block.values.iter()) {
            let Some(&line) = x.checked_sub(first).and_then(|i| self.lines.get(i as usize)) else { continue };
            if self.mismatch.is_none() && line.value != u64::from(value) {
                self.mismatch = Some(Mismatch { line, expected: Some(value.into()) });
            }
        }
        Ok(())
    }
}

fn report(arguments: &Arguments, context: &Context, lines: &[Line], mismatch: Option<Mismatch>) -> Result<ExitCode> {
    let path: &Path = &arguments.file;
    let name = path.display();
    let set = arguments.set.name();
    let (text, code) = match mismatch {
        None => (format!("{name}: all {} lines agree with {set}\n", grouped(lines.len() as u64)), ExitCode::SUCCESS),
        Some(Mismatch { line, expected }) => {
            let expected = expected.map_or("no such position".into(), |expected| expected.to_string());
            let (number, index, value) = (line.number, line.index, line.value);
            let text = format!(
                "{name}: line {number} differs from {set}: index {index}, expected {expected}, found {value}\n"
            );
            (text, ExitCode::from(1))
        }
    };
    let json = object([
        ("command", "verify".into()),
        ("file", name.to_string().into()),
        ("set", set.into()),
        ("lines", lines.len().into()),
        ("agrees", mismatch.is_none().into()),
        ("line", mismatch.map_or(Value::Null, |m| m.line.number.into())),
        ("index", mismatch.map_or(Value::Null, |m| m.line.index.into())),
        ("expected", mismatch.and_then(|m| m.expected).map_or(Value::Null, Value::from)),
        ("found", mismatch.map_or(Value::Null, |m| m.line.value.into())),
    ]);
    let main = mismatch.map_or(0, |m| m.line.number).to_string();
    context.answer(json, &main, &text)?;
    Ok(code)
}
