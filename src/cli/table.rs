//! `nimsieve table FILE`: describes a table file, verifies it, counts in it and exports it. And the `--table` option of a
//! run, which writes one.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde_json::Value;

use super::context::{Context, grouped, object};
use super::output::{Outputs, Run};
use super::parse_n;
use super::statistics::Wanted;
use crate::export::{ColdExport, Kind, Provenance};
use crate::plan::bytes;
use crate::sink::ColdCounter;
use crate::table::{ColdFile, ColdPositions, ColdWriter, Damage, feed};

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

    #[command(flatten)]
    statistics: Wanted,

    #[command(flatten)]
    outputs: Outputs,
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    // Opening reads every block and checks it.
    let (table, damage) = ColdFile::open(&arguments.file)?;
    let n = match arguments.below {
        Some(below) if below > table.end() => {
            bail!("the table covers the positions below {} and --below {below} is above that", table.end())
        }
        Some(below) => below,
        None => table.end(),
    };
    context.check_json(n)?;
    let provenance = Provenance { set: table.set().to_owned(), n, kind: Kind::Cold };
    let (writers, files): (Vec<_>, Vec<_>) =
        arguments.outputs.open(context, &provenance)?.into_iter().map(super::output::Pending::split).unzip();
    let exports: Vec<ColdExport> = writers.into_iter().map(ColdExport::new).collect();
    let mut sink = (ColdCounter::default(), (arguments.statistics.counters()?, exports));
    let ((), seconds) = context.timed(n, |control| {
        control.check()?;
        Ok(feed(&table, n, &mut sink)?)
    })?;
    let (counter, (statistics, exports)) = sink;
    for (export, file) in exports.into_iter().zip(files) {
        let summary = export.finish()?;
        file.side_car(&provenance, &summary, &Run { engine: "table", seconds })?;
    }
    let code = if arguments.check && damage.is_some() { ExitCode::from(1) } else { ExitCode::SUCCESS };
    if arguments.outputs.use_stdout() {
        return Ok(code);
    }
    let mut lines = format!(
        "{}: cold positions of {} below {}\n{} positions",
        arguments.file.display(),
        table.set(),
        grouped(table.end()),
        grouped(table.count()),
    );
    if n < table.end() {
        lines += &format!(", {} of them below {}", grouped(counter.count), grouped(n));
    }
    if let Some(largest) = counter.largest {
        lines += &format!(", the largest {}", grouped(largest));
    }
    lines += &format!(
        "\nformat version {}, {} blocks, {}: {}\n",
        table.version(),
        grouped(table.blocks() as u64),
        bytes(table.size()),
        damage.as_ref().map_or_else(|| "all sound".to_owned(), describe),
    );
    lines += &statistics.lines(n)?;
    let mut json = object([
        ("command", "table".into()),
        ("set", table.set().into()),
        ("n", n.into()),
        ("reached", table.end().into()),
        ("count", counter.count.into()),
        ("largest", counter.largest.map_or(Value::Null, Value::from)),
        ("version", table.version().into()),
        ("blocks", table.blocks().into()),
        ("bytes", table.size().into()),
        ("sound", damage.is_none().into()),
        ("damage", damage.as_ref().map_or(Value::Null, |damage| describe(damage).into())),
    ]);
    json.extend(statistics.json(n));
    context.answer(json, &counter.count.to_string(), &lines)?;
    Ok(code)
}

fn describe(damage: &Damage) -> String {
    format!("damaged at byte {} ({}), good below position {}", damage.offset, damage.what, grouped(damage.reached))
}

/// The table file of a run.
#[derive(Debug, Args)]
pub(super) struct Keep {
    /// Keep the cold positions in a table file, written as the run proceeds
    #[arg(long, value_name = "FILE", conflicts_with = "misere")]
    table: Option<PathBuf>,

    /// Continue or extend the table file
    #[arg(long, requires = "table")]
    resume: bool,
}

/// A table that is open for writing, and what it held before.
pub(super) struct Kept {
    pub(super) known: Option<ColdFile>,
    pub(super) writer: ColdWriter,
    path: PathBuf,
}

impl Keep {
    /// Opens the table of a run over `set`, if there is one.
    pub(super) fn open(&self, context: &Context, set: &str) -> Result<Option<Kept>> {
        let Some(path) = &self.table else { return Ok(None) };
        if !path.exists() {
            let writer = ColdWriter::create(path, set)?;
            return Ok(Some(Kept { known: None, writer, path: path.clone() }));
        }
        if !self.resume {
            bail!("{} is there already; --resume continues it, or give another name", path.display());
        }
        let (table, damage) = ColdFile::open(path)?;
        if table.set() != set {
            bail!("{} is a table of {}, not of {set}; give another name", path.display(), table.set());
        }
        if let Some(damage) = damage {
            context.warn(&format!("{}: {}; going on from there", path.display(), describe(&damage)));
        }
        let writer = ColdWriter::append(&table)?;
        Ok(Some(Kept { known: Some(table), writer, path: path.clone() }))
    }
}

impl Kept {
    /// Completes the table, after a run that ended or was stopped; tells how to go on after the latter.
    pub(super) fn finish(writer: ColdWriter, path: &Path, outcome: Result<()>) -> Result<()> {
        let reached = writer.reached();
        writer.finish()?;
        outcome.with_context(|| {
            format!("{} holds the positions below {}; --resume goes on from there", path.display(), grouped(reached))
        })
    }

    /// The parts: what is known, the sink, and the file's name.
    pub(super) fn split(self) -> (Option<ColdFile>, ColdWriter, PathBuf) {
        (self.known, self.writer, self.path)
    }
}
