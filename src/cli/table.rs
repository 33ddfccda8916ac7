//! `nimsieve table FILE`: describes a table file, verifies it, counts in it and exports it.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::{Map, Value};

use super::context::{Context, grouped, object};
use super::keep::describe;
use super::output::{Outputs, Pending, Run};
use super::statistics::Wanted;
use super::{grundy, parse_n};
use crate::export::{ColdExport, GrundyExport, Kind, Provenance};
use crate::plan::bytes;
use crate::sink::{ColdCounter, ColdOf, GrundyCounter};
use crate::table::{Codec, ColdFile, CounterFile, Damage, GrundyFile, GrundyValues, TableFile, TableKind, feed};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The table file
    file: PathBuf,

    /// End with exit code 1 when the file is damaged
    #[arg(long)]
    check: bool,

    /// Read the positions below N only
    #[arg(long, value_name = "N", value_parser = parse_n)]
    below: Option<u64>,

    /// Print how often and where first each nim-value occurs
    #[arg(long)]
    histogram: bool,

    #[command(flatten)]
    statistics: Wanted,

    #[command(flatten)]
    outputs: Outputs,
}

/// What is said of a file.
struct Answer {
    /// The main number.
    main: String,
    lines: String,
    json: Map<String, Value>,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let kind = TableKind::of_file(&arguments.file)?;
    if kind == TableKind::Cold && arguments.histogram {
        bail!("{} is a table of cold positions; --histogram is for nim-values", arguments.file.display());
    }
    // Opening reads every block and checks it.
    let (answer, is_sound) = match kind {
        TableKind::Cold => {
            let (table, damage) = TableFile::open(&arguments.file)?;
            (cold(&table, damage.as_ref(), arguments, context)?, damage.is_none())
        }
        TableKind::Grundy => {
            let (table, damage) = TableFile::open(&arguments.file)?;
            (nim_values(&table, damage.as_ref(), arguments, context)?, damage.is_none())
        }
        TableKind::Counters => (counters(&CounterFile::open(&arguments.file)?, arguments, context)?, true),
    };
    if !arguments.outputs.use_stdout() {
        context.answer(answer.json, &answer.main, &answer.lines)?;
    }
    Ok(if arguments.check && !is_sound { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// A table of cold positions.
fn cold(table: &ColdFile, damage: Option<&Damage>, arguments: &Arguments, context: &Context) -> Result<Answer> {
    let n = arguments.n(table.reached(), context)?;
    let exporting = Exporting::open(table.set(), n, Kind::Cold, arguments, context)?;
    let exports: Vec<ColdExport> = exporting.writers.into_iter().map(ColdExport::new).collect();
    let mut sink = (ColdCounter::default(), (arguments.statistics.counters()?, exports));
    let ((), seconds) = context.timed(n, |control| {
        control.check()?;
        Ok(feed(table, n, &mut sink)?)
    })?;
    let (counter, (statistics, exports)) = sink;
    for (export, file) in exports.into_iter().zip(exporting.files) {
        file.side_car(&exporting.provenance, &export.finish()?, &Run { engine: "table", seconds })?;
    }
    let mut lines = format!(
        "{}: cold positions of {} below {}\n{} positions",
        arguments.file.display(),
        table.set(),
        grouped(table.reached()),
        grouped(table.count()),
    );
    if n < table.reached() {
        lines += &format!(", {} of them below {}", grouped(counter.count), grouped(n));
    }
    if let Some(largest) = counter.largest {
        lines += &format!(", the largest {}", grouped(largest));
    }
    lines += "\n";
    lines += &soundness(table, damage);
    lines += &statistics.lines(n)?;
    let mut json = head(TableKind::Cold, table.set(), n, table.reached());
    json.extend(object([
        ("count", counter.count.into()),
        ("largest", counter.largest.map_or(Value::Null, Value::from)),
    ]));
    json.extend(soundness_json(table, damage));
    json.extend(statistics.json(n));
    Ok(Answer { main: counter.count.to_string(), lines, json })
}

/// A table of nim-values. Statistics are those of the cold positions, whose nim-value is 0.
fn nim_values(table: &GrundyFile, damage: Option<&Damage>, arguments: &Arguments, context: &Context) -> Result<Answer> {
    let n = arguments.n(table.reached(), context)?;
    let exporting = Exporting::open(table.set(), n, Kind::Grundy, arguments, context)?;
    let exports: Vec<GrundyExport> = exporting.writers.into_iter().map(GrundyExport::new).collect();
    let statistics = arguments.statistics.any().then(|| arguments.statistics.counters()).transpose()?;
    let mut sink = (GrundyCounter::default(), (statistics.map(ColdOf::new), exports));
    let ((), seconds) = context.timed(n, |control| {
        control.check()?;
        Ok(table.feed(0..n, &mut sink)?)
    })?;
    let (counter, (statistics, exports)) = sink;
    for (export, file) in exports.into_iter().zip(exporting.files) {
        file.side_car(&exporting.provenance, &export.finish()?, &Run { engine: "table", seconds })?;
    }
    let mut answer = counted(TableKind::Grundy, table.set(), n, table.reached(), &counter, arguments)?;
    answer.lines += &soundness(table, damage);
    answer.json.extend(soundness_json(table, damage));
    if arguments.histogram {
        answer.lines += &grundy::histogram(&counter)?;
    }
    if let Some(statistics) = statistics.map(ColdOf::into_inner) {
        answer.lines += &statistics.lines(n)?;
        answer.json.extend(statistics.json(n));
    }
    Ok(answer)
}

/// Counts of nim-values, without the values.
fn counters(file: &CounterFile, arguments: &Arguments, context: &Context) -> Result<Answer> {
    let (name, reached) = (arguments.file.display(), file.state().reached);
    if arguments.outputs.any() || arguments.statistics.any() {
        bail!("{name} holds counts and no positions; for files and statistics keep the values, with --table");
    }
    if arguments.n(reached, context)? < reached {
        bail!("{name} holds counts below {reached}, and --below would need the values; keep them with --table");
    }
    let mut answer = counted(TableKind::Counters, file.set(), reached, reached, file.counter(), arguments)?;
    answer.lines += &format!(
        "format version {}, the state of engine {}, {}: sound\n",
        file.version(),
        file.engine(),
        bytes(file.size())
    );
    if arguments.histogram {
        answer.lines += &grundy::histogram(file.counter())?;
    }
    answer.json.extend(object([
        ("engine", file.engine().name().into()),
        ("version", file.version().into()),
        ("bytes", file.size().into()),
        ("sound", true.into()),
    ]));
    Ok(answer)
}

impl Arguments {
    /// How far the table is to be read.
    fn n(&self, reached: u64, context: &Context) -> Result<u64> {
        let n = match self.below {
            Some(below) if below > reached => {
                bail!("the table covers the positions below {reached} and --below {below} is above that")
            }
            Some(below) => below,
            None => reached,
        };
        context.check_json(n)?;
        Ok(n)
    }
}

/// The files that a table goes to.
struct Exporting {
    provenance: Provenance,
    writers: Vec<Box<dyn crate::export::Writer>>,
    files: Vec<super::output::Finished>,
}

impl Exporting {
    fn open(set: &str, n: u64, kind: Kind, arguments: &Arguments, context: &Context) -> Result<Self> {
        let provenance = Provenance { set: set.to_owned(), n, kind };
        let (writers, files) = arguments.outputs.open(context, &provenance)?.into_iter().map(Pending::split).unzip();
        Ok(Self { provenance, writers, files })
    }
}

/// The keys of every kind of table.
fn head(kind: TableKind, set: &str, n: u64, reached: u64) -> Map<String, Value> {
    let kind = match kind {
        TableKind::Cold => "cold",
        TableKind::Grundy => "grundy",
        TableKind::Counters => "counters",
    };
    object([
        ("command", "table".into()),
        ("kind", kind.into()),
        ("set", set.into()),
        ("n", n.into()),
        ("reached", reached.into()),
    ])
}

/// What is said of counts of nim-values, wherever they come from.
fn counted(
    kind: TableKind,
    set: &str,
    n: u64,
    reached: u64,
    counter: &GrundyCounter,
    arguments: &Arguments,
) -> Result<Answer> {
    let mut lines = format!("{}: {kind} of {set} below {}\n", arguments.file.display(), grouped(reached));
    let within = if n < reached { format!(" below {}", grouped(n)) } else { String::new() };
    if let Some((max, at)) = counter.max() {
        lines += &format!("largest nim-value {max}{within}, first at {}\n", grouped(at));
    }
    let mut json = head(kind, set, n, reached);
    json.extend(grundy::as_json(counter));
    let main = counter.max().map_or_else(String::new, |(max, _)| max.to_string());
    Ok(Answer { main, lines, json })
}

/// The line on the file itself.
fn soundness<C: Codec>(table: &TableFile<C>, damage: Option<&Damage>) -> String {
    let blocks = table.blocks();
    format!(
        "format version {}, {} block{}, {}: {}\n",
        table.version(),
        grouped(blocks as u64),
        if blocks == 1 { "" } else { "s" },
        bytes(table.size()),
        damage.map_or_else(|| "all sound".to_owned(), describe),
    )
}

fn soundness_json<C: Codec>(table: &TableFile<C>, damage: Option<&Damage>) -> Map<String, Value> {
    object([
        ("version", table.version().into()),
        ("blocks", table.blocks().into()),
        ("bytes", table.size().into()),
        ("sound", damage.is_none().into()),
        ("damage", damage.map_or(Value::Null, |damage| describe(damage).into())),
    ])
}
