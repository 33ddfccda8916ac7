//! The `--table` option of a run: what it decides is kept in a file as it proceeds.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::context::{Context, grouped};
use crate::table::{Codec, Damage, TableFile, TableWriter};

/// The table file of a run.
#[derive(Debug, Args)]
pub(super) struct Keep {
    /// Keep the result in a table file, written as the run proceeds
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,

    /// Continue or extend the file
    #[arg(long)]
    pub(super) resume: bool,
}

/// A table that is open for writing, and what it held before: nothing of both for a run that keeps none.
pub(super) struct Kept<C: Codec> {
    pub(super) known: Option<TableFile<C>>,
    pub(super) writer: Option<TableWriter<C>>,
}

impl Keep {
    /// Opens the table of a run over `set`, if there is one.
    pub(super) fn open<C: Codec>(&self, context: &Context, set: &str) -> Result<Kept<C>> {
        let Some(path) = &self.table else {
            if self.resume {
                bail!("--resume continues a file; name it with --table");
            }
            return Ok(Kept { known: None, writer: None });
        };
        if !path.exists() {
            return Ok(Kept { known: None, writer: Some(TableWriter::create(path, set)?) });
        }
        if !self.resume {
            bail!("{} is there already; --resume continues it, or give another name", path.display());
        }
        let (table, damage) = TableFile::open(path)?;
        if table.set() != set {
            bail!("{} is a table of {}, not of {set}; give another name", path.display(), table.set());
        }
        if let Some(damage) = damage {
            context.warn(&format!("{}: {}; going on from there", path.display(), describe(&damage)));
        }
        let writer = TableWriter::append(&table)?;
        Ok(Kept { known: Some(table), writer: Some(writer) })
    }

    /// Completes the table, after a run that ended or was stopped; tells how to go on after the latter.
    pub(super) fn finish<C: Codec, T>(&self, writer: Option<TableWriter<C>>, outcome: Result<T>) -> Result<T> {
        let (Some(writer), Some(path)) = (writer, &self.table) else { return outcome };
        let reached = writer.reached();
        writer.finish()?;
        outcome.with_context(|| {
            format!("{} holds the positions below {}; --resume goes on from there", path.display(), grouped(reached))
        })
    }
}

/// What is wrong with a table, in words.
pub(super) fn describe(damage: &Damage) -> String {
    format!("damaged at byte {} ({}), good below position {}", damage.offset, damage.what, grouped(damage.reached))
}
