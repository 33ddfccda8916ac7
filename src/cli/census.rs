//! `nimsieve census`: the periods of every primitive set up to a largest element, as CSV.
//!
//! Rows go to `FILE.partial` as they come, and the file gets its name when they are all there. A run that was broken off
//! leaves the rows it had; `--resume` cuts off a row that is not whole and goes on behind the last, so the bytes are the
//! same in the end.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde_json::{Value, json};

use super::context::{Context, grouped, object};
use super::parse_n;
use super::progress::Course;
use crate::Error;
use crate::census::{Census, NimRow, Row, Summary};
use crate::export::{Output, Provenance};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// How many elements the sets have [default: any number]
    #[arg(long, value_name = "K", value_parser = parse_n)]
    size: Option<u64>,

    /// The largest element that a set may have
    #[arg(long, value_name = "M", value_parser = parse_n)]
    max: u64,

    /// Look for periods among the values below N
    #[arg(long, value_name = "N", default_value = "1e8", value_parser = parse_n)]
    bound: u64,

    /// Write a row for each set to a CSV file; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Go on where a run that was broken off has left FILE.partial
    #[arg(long, requires = "output")]
    resume: bool,
}

/// The names of the columns. Elements have spaces between them, so that programs that know no quotes read the file.
const COLUMNS: &str = "set,size,largest_element,outcome_preperiod,outcome_period,nim_preperiod,nim_period,largest_nim_value,\
                       purely_periodic,bipartite";

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let census = Census::new(arguments.size, arguments.max, arguments.bound)?;
    crate::export::check_json(arguments.bound)?;
    let to_stdout = arguments.output.as_deref() == Some(Path::new("-"));
    if to_stdout && (context.options.json || arguments.resume) {
        bail!("-o - can neither be resumed nor share standard output with --json; give a file");
    }
    let header = format!("# {}\n# {}\n{COLUMNS}\n", Provenance::TOOL, census.describe());
    let mut summary = Summary::default();
    let mut from = 0;
    let mut rows = match &arguments.output {
        None => Rows::None,
        Some(_) if to_stdout => Rows::Standard(Output::create(Path::new("-"))?),
        Some(path) => {
            let mut partial = Partial::open(path, &header, arguments.resume)?;
            from = partial.read(&census, &header, &mut summary)?;
            Rows::Partial(partial)
        }
    };
    if let Rows::Standard(output) = &mut rows {
        output.put(header.as_bytes())?;
    }
    let total = census.candidates();
    let done = context.timed_over(Course::of("sets", total), |control| {
        census.run(from, control, |batch| {
            let mut text = String::new();
            for row in batch {
                summary.add(row);
                text += &csv_line(row);
            }
            rows.put(text.as_bytes())
        })?;
        Ok(())
    });
    let ((), seconds) = match &rows {
        Rows::Partial(Partial { path, .. }) => {
            done.with_context(|| format!("the rows so far are in {}; --resume goes on behind them", path.display()))?
        }
        _ => done?,
    };
    rows.finish()?;
    if to_stdout {
        return Ok(ExitCode::SUCCESS);
    }
    report(&census, &summary, arguments, seconds, context)?;
    Ok(ExitCode::SUCCESS)
}

fn report(census: &Census, summary: &Summary, arguments: &Arguments, seconds: f64, context: &Context) -> Result<()> {
    let of_size = arguments.size.map_or(String::new(), |size| format!(" of {size} elements"));
    let mut lines = format!("{} primitive sets{of_size} up to {}\n", grouped(summary.sets), grouped(arguments.max));
    lines += &format!("{} purely periodic, {} bipartite", grouped(summary.pure), grouped(summary.bipartite));
    if summary.open > 0 {
        lines +=
            &format!(", {} with a period that does not show below {}", grouped(summary.open), grouped(arguments.bound));
    }
    lines += "\n";
    if let (Some(preperiod), Some((low, high)), Some(value)) =
        (summary.largest_preperiod, summary.periods, summary.largest_value)
    {
        let (preperiod, low, high) = (grouped(preperiod), grouped(low), grouped(high));
        lines +=
            &format!("nim-values: largest preperiod {preperiod}, periods {low} to {high}, largest value {value}\n");
    }
    lines += &format!("{seconds:.3} s\n");
    let json = object([
        ("command", "census".into()),
        ("size", arguments.size.into()),
        ("max", arguments.max.into()),
        ("bound", arguments.bound.into()),
        ("candidates", census.candidates().into()),
        ("sets", summary.sets.into()),
        ("purely_periodic", summary.pure.into()),
        ("bipartite", summary.bipartite.into()),
        ("open", summary.open.into()),
        ("largest_preperiod", summary.largest_preperiod.into()),
        ("periods", summary.periods.map_or(Value::Null, |(low, high)| json!([low, high]))),
        ("largest_nim_value", summary.largest_value.into()),
        ("seconds", seconds.into()),
    ]);
    context.answer(json, &summary.sets.to_string(), &lines)
}

fn csv_line(row: &Row) -> String {
    let set: Vec<String> = row.set.iter().map(u64::to_string).collect();
    let (preperiod, period) = row.outcome.map_or_else(Default::default, |(a, p)| (a.to_string(), p.to_string()));
    let nim = row.nim.map_or_else(
        || ",,,,".to_owned(),
        |nim| {
            let NimRow { preperiod, period, largest, bipartite } = nim;
            format!("{preperiod},{period},{largest},{},{bipartite}", preperiod == 0)
        },
    );
    let largest = row.set.last().copied().unwrap_or(0);
    format!("{},{},{largest},{preperiod},{period},{nim}\n", set.join(" "), row.set.len())
}

/// Reads a line that [`csv_line`] wrote.
fn parse_line(line: &str) -> Option<Row> {
    let fields: Vec<&str> = line.split(',').collect();
    let &[set, _, _, outcome_preperiod, outcome_period, preperiod, period, largest, _, bipartite] = &fields[..] else {
        return None;
    };
    let set = set.split(' ').map(|element| element.parse().ok()).collect::<Option<Vec<u64>>>()?;
    let pair = |a: &str, p: &str| Some((a.parse().ok()?, p.parse().ok()?));
    let outcome = pair(outcome_preperiod, outcome_period);
    let nim = match pair(preperiod, period) {
        Some((preperiod, period)) => {
            Some(NimRow { preperiod, period, largest: largest.parse().ok()?, bipartite: bipartite.parse().ok()? })
        }
        None => None,
    };
    let row = Row { set, outcome, nim };
    // What reads back to the same bytes was written here.
    (csv_line(&row).trim_end() == line).then_some(row)
}

/// Where the rows go.
enum Rows {
    None,
    Standard(Output),
    Partial(Partial),
}

impl Rows {
    fn put(&mut self, bytes: &[u8]) -> crate::Result<()> {
        match self {
            Self::None => Ok(()),
            Self::Standard(output) => output.put(bytes),
            Self::Partial(partial) => partial.put(bytes),
        }
    }

    fn finish(self) -> crate::Result<()> {
        match self {
            Self::None => Ok(()),
            Self::Standard(output) => output.finish(),
            Self::Partial(partial) => partial.finish(),
        }
    }
}

/// A file under the name that says it is not complete.
struct Partial {
    target: PathBuf,
    path: PathBuf,
    file: BufWriter<File>,
}

impl Partial {
    /// Begins a file, or opens the one that an earlier run has left.
    fn open(target: &Path, header: &str, resume: bool) -> Result<Self> {
        if target.is_dir() {
            bail!("{} is a folder; expected the name of a CSV file", target.display());
        }
        let mut name = OsString::from(target);
        name.push(".partial");
        let path = PathBuf::from(name);
        let failed = |source| Error::io(&path, source);
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let mut file = match options.create_new(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::AlreadyExists && resume => {
                let file = options.create_new(false).open(&path).map_err(failed)?;
                return Ok(Self { target: target.into(), file: BufWriter::new(file), path });
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                bail!("{} is there from a run that was broken off; go on with --resume, or remove it", path.display())
            }
            Err(error) => return Err(failed(error).into()),
        };
        file.write_all(header.as_bytes()).and_then(|()| file.rewind()).map_err(failed)?;
        Ok(Self { target: target.into(), file: BufWriter::new(file), path })
    }

    /// Counts the rows that are there, cuts off what is not whole, and tells where the census goes on.
    fn read(&mut self, census: &Census, header: &str, summary: &mut Summary) -> Result<u64> {
        let mut text = String::new();
        let failed = |source| Error::io(&self.path, source);
        let file = self.file.get_mut();
        file.read_to_string(&mut text).map_err(failed)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let Some(rows) = text[..whole].strip_prefix(header) else {
            bail!(
                "{} does not begin as the rows of this census do; expected\n{header}give the command that began it, or \
                 remove it",
                self.path.display()
            );
        };
        let mut next = 0;
        for line in rows.lines() {
            let row = parse_line(line);
            let index = row.as_ref().and_then(|row| census.index(&row.set)).filter(|&index| index >= next);
            let (Some(row), Some(index)) = (row, index) else {
                bail!("{} holds `{line}`, which is no row that comes here; remove the file", self.path.display());
            };
            summary.add(&row);
            next = index + 1;
        }
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
        Ok(next)
    }

    /// Adds rows, so that they are there if the program ends.
    fn put(&mut self, bytes: &[u8]) -> crate::Result<()> {
        self.file.write_all(bytes).and_then(|()| self.file.flush()).map_err(|source| Error::io(&self.path, source))
    }

    /// Gives the file its name.
    fn finish(mut self) -> crate::Result<()> {
        let done = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        done.map_err(|source| Error::io(&self.path, source))?;
        std::fs::rename(&self.path, &self.target).map_err(|source| Error::io(&self.target, source))
    }
}
