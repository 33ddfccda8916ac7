//! `nimsieve study`: what is measured of a game, as a table on the screen and in files.

mod cold;
mod difference_free;
mod nim;
pub(super) mod sheets;

#[cfg(feature = "plot")]
pub(super) use self::{cold::GridArgs, nim::count as count_nim_values};

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use serde_json::{Map, Value};

use super::Game;
use super::context::{Context, object};
use crate::export::{Output, Sheet, SheetFormat};
use crate::plan::Plan;
use crate::set::SubtractionSet;
use crate::table::{ColdPositions, ColdTable, TableFile};

/// Measure a game: counts and exponents, residues, digits, gaps, moves, nim-values
#[derive(Debug, Subcommand)]
pub(super) enum StudyCommand {
    /// Count on a geometric grid and fit power laws
    Density(cold::Density),
    /// Count by residue class, or rank moduli by how uneven their classes are
    Residues(cold::Residues),
    /// Count the digits at each place
    Digits(cold::Digits),
    /// Find the gaps between cold positions
    Gaps(cold::Gaps),
    /// Count the positions by the number of moves that win
    Moves(cold::Moves),
    /// Count the nim-values and fit the growth of the largest
    Nim(nim::Arguments),
    /// Tell whether a set is free of differences in SET, and could be larger
    DifferenceFree(difference_free::Arguments),
}

pub(super) fn run(command: &StudyCommand, context: &Context) -> Result<ExitCode> {
    match command {
        StudyCommand::Density(arguments) => arguments.run(context),
        StudyCommand::Residues(arguments) => arguments.run(context),
        StudyCommand::Digits(arguments) => arguments.run(context),
        StudyCommand::Gaps(arguments) => arguments.run(context),
        StudyCommand::Moves(arguments) => arguments.run(context),
        StudyCommand::Nim(arguments) => arguments.run(context),
        StudyCommand::DifferenceFree(arguments) => arguments.run(context),
    }
}

/// Where the cold positions come from.
#[derive(Debug, Args)]
pub(super) struct Source {
    #[command(flatten)]
    pub(super) game: Game,

    /// Read the cold positions from this table file instead of computing them
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

impl Source {
    /// The cold positions below N at least: computed into a table in memory, or in a table file.
    pub(super) fn positions(&self, context: &Context) -> Result<Box<dyn ColdPositions>> {
        let Game { set, n } = &self.game;
        if let Some(path) = &self.table {
            let (table, _) = TableFile::open(path)?;
            if table.set() != set.name() {
                bail!("{} is a table of {}, not of {}", path.display(), table.set(), set.name());
            }
            if table.end() < *n {
                bail!(
                    "{} covers the positions below {}; lower N, or extend it with `cold --resume`",
                    path.display(),
                    table.end()
                );
            }
            return Ok(Box::new(table));
        }
        let plan = Plan::cold(set, *n)?;
        context.check_memory(plan.estimate().memory.saturating_add(n / 8))?;
        let mut table = ColdTable::new(set.name(), *n)?;
        context.timed(*n, |control| Ok(plan.run_into(control, &mut table)?))?;
        Ok(Box::new(table))
    }

    /// Set and N, as a sheet names them.
    pub(super) fn origin(&self) -> [(&'static str, String); 2] {
        self.game.origin()
    }
}

impl Game {
    /// Set and N, as a sheet names them.
    pub(super) fn origin(&self) -> [(&'static str, String); 2] {
        [("set", self.set.name()), ("n", self.n.to_string())]
    }
}

/// Files that a study goes to.
#[derive(Debug, Args)]
struct Files {
    /// Write the table to a file: .csv, .tex (LaTeX rows), .json, .txt; `-` is standard output. May be repeated
    #[arg(short, long = "output", value_name = "FILE")]
    output: Vec<PathBuf>,

    /// The format of all files: csv, tex, json, txt
    #[arg(long, value_name = "NAME", value_parser = |text: &str| text.parse::<SheetFormat>())]
    format: Option<SheetFormat>,
}

/// Files that are open and wait for their contents.
struct OpenFiles {
    files: Vec<(SheetFormat, Output)>,
    use_stdout: bool,
}

impl Files {
    /// Opens every file, so that a bad name fails before the work.
    fn open(&self, context: &Context, n: u64) -> Result<OpenFiles> {
        context.check_json(n)?;
        let use_stdout = self.output.iter().any(|path| path == Path::new("-"));
        if use_stdout && context.options.json {
            bail!("--json and -o - both want standard output; give one of them a file");
        }
        let mut files: Vec<(SheetFormat, Output)> = Vec::new();
        for path in &self.output {
            let format = match self.format {
                Some(format) => format,
                None if path == Path::new("-") => SheetFormat::Csv,
                None => SheetFormat::of_path(path)?,
            };
            let output = Output::create(path)?;
            if files.iter().any(|(_, other)| other.target() == output.target()) {
                bail!("{} would be written twice; give each file after -o a name of its own", path.display());
            }
            files.push((format, output));
        }
        Ok(OpenFiles { files, use_stdout })
    }
}

/// What a study found, ready to be shown.
struct Finding {
    /// As after `nimsieve study`.
    name: &'static str,
    /// The table.
    sheet: Sheet,
    /// Lines above the table.
    above: String,
    /// Lines below the table.
    below: String,
    /// Keys beside `set`, `n` and `rows`.
    json: Map<String, Value>,
    /// The one main number.
    main: String,
}

impl Finding {
    fn show(self, game: &Game, context: &Context, open: OpenFiles) -> Result<()> {
        let Self { name, sheet, above, below, json, main } = self;
        for (format, output) in open.files {
            sheet.write(format, output)?;
        }
        if open.use_stdout {
            return Ok(());
        }
        let mut all = object([
            ("command", format!("study {name}").into()),
            ("set", game.set.name().into()),
            ("n", game.n.into()),
        ]);
        all.extend(json);
        all.insert("rows".into(), sheet.json_rows());
        context.answer(all, &main, &format!("{above}{}{below}", sheet.text()))
    }
}
