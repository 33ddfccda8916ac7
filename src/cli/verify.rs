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
use crate::run::Control;
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
    expected: Expected,
}

/// What a line should say.
#[derive(Debug, Clone, Copy)]
enum Expected {
    Value(u64),
    /// No cold position is left below this.
    NoneBelow(u64),
}

/// Where the play of cold positions starts, and how much further each round goes. A round ends at the first line that
/// differs, so one that goes too far costs memory and no time.
const FIRST_ROUND: u64 = 1 << 16;
const GROWTH: u64 = 4;

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let mut lines = Vec::new();
    read_bfile(&arguments.file, |number, index, value| {
        lines.push(Line { number, index, value });
        Ok(())
    })?;
    if lines.is_empty() {
        bail!("{} holds no pairs of an index and a value", arguments.file.display());
    }
    let mismatch = match arguments.kind {
        Kind::Cold => verify_cold(arguments, context, &lines)?,
        Kind::Grundy => verify_grundy(arguments, context, &lines)?,
    };
    report(arguments, context, &lines, mismatch)
}

/// Plays further and further until every line is compared or one differs: a corrupt value, however large, does not set
/// how far the game is played.
fn verify_cold(arguments: &Arguments, context: &Context, lines: &[Line]) -> Result<Option<Mismatch>> {
    // As far as a sound file needs: values that rise from line to line.
    let sound = lines.windows(2).take_while(|pair| pair[0].value < pair[1].value).count();
    let needed = lines[sound].value.saturating_sub(arguments.shift).saturating_add(1);
    let mut n = FIRST_ROUND.min(needed);
    // A line that is wrong for certain, because everything up to its value is decided, and how far that is.
    let mut wrong = None;
    loop {
        let plan = Plan::cold(&arguments.set, n)?;
        match (context.check_memory(plan.estimate().memory), wrong) {
            (Err(_), Some(_)) => return Ok(wrong),
            (checked, _) => checked?,
        }
        let mut check =
            ColdCheck { lines, next: 0, skip: arguments.skip, shift: arguments.shift, last: None, mismatch: None };
        context.timed(n, |control| until_decided(control, plan.run_into(control, &mut check)))?;
        if check.is_decided() {
            return Ok(check.mismatch);
        }
        // What should stand on a wrong line is searched for a little longer; some games have no cold position any more.
        let line = lines[check.next];
        if line.value.checked_sub(arguments.shift).is_none_or(|x| x < n) {
            wrong = Some(Mismatch { line, expected: Expected::NoneBelow(n) });
            if n >= FIRST_ROUND.max(check.last.map_or(0, |x| x.saturating_mul(GROWTH))) {
                return Ok(wrong);
            }
        }
        n = match n.saturating_mul(GROWTH) {
            further if n < needed => further.min(needed),
            further => further.max(FIRST_ROUND),
        };
    }
}

fn verify_grundy(arguments: &Arguments, context: &Context, lines: &[Line]) -> Result<Option<Mismatch>> {
    let (first, last) = (lines[0].index, lines[lines.len() - 1].index);
    let shift = arguments.shift;
    let Some(start) = first.checked_sub(shift) else {
        bail!("the file starts at index {first} and --shift is {shift}; expected an index of at least that");
    };
    let n = (last - shift).checked_add(1).context("the file reaches heap 2^64 - 1, which is too large")?;
    let plan = Plan::grundy(&arguments.set, n)?;
    context.check_memory(plan.estimate().memory)?;
    let mut check = GrundyCheck { lines, start, mismatch: None };
    context.timed(n, |control| until_decided(control, plan.run_into(control, &mut check)))?;
    Ok(check.mismatch)
}

/// How a sink ends a run that has nothing more to tell: as if the user had stopped it.
fn decided(reached: u64) -> crate::Error {
    crate::Error::Stopped { reached }
}

/// The result of a run, where an end by [`decided`] is none: it is the check's own when nobody asked the run to stop.
fn until_decided(control: &Control, result: crate::Result<()>) -> Result<()> {
    match result {
        Err(crate::Error::Stopped { .. }) if !control.is_stopped() => Ok(()),
        other => Ok(other?),
    }
}

/// Compares cold positions with lines, one by one.
struct ColdCheck<'a> {
    lines: &'a [Line],
    next: usize,
    skip: u64,
    shift: u64,
    /// The last position that was compared.
    last: Option<u64>,
    mismatch: Option<Mismatch>,
}

impl ColdCheck<'_> {
    /// Tells whether there is nothing more to compare.
    fn is_decided(&self) -> bool {
        self.mismatch.is_some() || self.next == self.lines.len()
    }
}

impl ColdSink for ColdCheck<'_> {
    fn accept(&mut self, block: &ColdBlock<'_>) -> crate::Result<()> {
        block.try_for_each(|x| {
            if self.skip > 0 {
                self.skip -= 1;
                return Ok(());
            }
            let Some(&line) = self.lines.get(self.next) else { return Err(decided(x)) };
            if line.value.checked_sub(self.shift) != Some(x) {
                self.mismatch = Some(Mismatch { line, expected: Expected::Value(x.saturating_add(self.shift)) });
                return Err(decided(x));
            }
            self.last = Some(x);
            self.next += 1;
            Ok(())
        })
    }
}

/// Compares nim-values with lines, by index.
struct GrundyCheck<'a> {
    lines: &'a [Line],
    /// The heap of the first line.
    start: u64,
    mismatch: Option<Mismatch>,
}

impl GrundySink for GrundyCheck<'_> {
    fn accept(&mut self, block: &GrundyBlock<'_>) -> crate::Result<()> {
        for (x, value) in (block.start..).zip(block.values.iter()) {
            let Some(&line) = x.checked_sub(self.start).and_then(|i| self.lines.get(i as usize)) else { continue };
            if line.value != u64::from(value) {
                self.mismatch = Some(Mismatch { line, expected: Expected::Value(value.into()) });
                return Err(decided(x));
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
            let expected = match expected {
                Expected::Value(value) => value.to_string(),
                Expected::NoneBelow(n) => format!("the end (no cold position is left below {n})"),
            };
            let (number, index, value) = (line.number, line.index, line.value);
            let text = format!(
                "{name}: line {number} differs from {set}: index {index}, expected {expected}, found {value}\n"
            );
            (text, ExitCode::from(1))
        }
    };
    let expected = mismatch.and_then(|m| match m.expected {
        Expected::Value(value) => Some(value),
        Expected::NoneBelow(_) => None,
    });
    let json = object([
        ("command", "verify".into()),
        ("file", name.to_string().into()),
        ("set", set.into()),
        ("lines", lines.len().into()),
        ("agrees", mismatch.is_none().into()),
        ("line", mismatch.map_or(Value::Null, |m| m.line.number.into())),
        // Numbers that somebody else wrote may be any size.
        ("index", mismatch.map_or(Value::Null, |m| m.line.index.to_string().into())),
        ("expected", expected.map_or(Value::Null, |value| value.to_string().into())),
        ("found", mismatch.map_or(Value::Null, |m| m.line.value.to_string().into())),
    ]);
    let main = mismatch.map_or(0, |m| m.line.number).to_string();
    context.answer(json, &main, &text)?;
    Ok(code)
}
