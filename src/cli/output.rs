//! The `-o` option: files that are opened before the run and completed after it.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde_json::{Value, json};

use super::context::Context;
use crate::export::{self, BFileOptions, Format, Output, Provenance, Summary, Writer};

/// Where results go.
#[derive(Debug, Args)]
pub(super) struct Outputs {
    /// Write the values to a file: .txt (b-file), .csv, .npy, .json; `-` is standard output. May be repeated
    #[arg(short, long = "output", value_name = "FILE")]
    output: Vec<PathBuf>,

    /// The format of all files: bfile, csv, npy, npy-bits, json
    #[arg(long, value_name = "NAME", value_parser = |text: &str| text.parse::<Format>())]
    format: Option<Format>,

    /// Start b-files with # lines that tell their provenance
    #[arg(long)]
    header: bool,
}

/// A file under way, with what is needed to finish it.
pub(super) struct Pending {
    pub(super) writer: Box<dyn Writer>,
    target: PathBuf,
    format: Format,
}

/// What a side-car tells beside the provenance.
pub(super) struct Run<'a> {
    pub(super) engine: &'a str,
    pub(super) seconds: f64,
}

impl Outputs {
    /// Tells whether results go to standard output, which must then hold nothing else.
    pub(super) fn use_stdout(&self) -> bool {
        self.output.iter().any(|path| path == Path::new("-"))
    }

    /// Opens every file.
    pub(super) fn open(&self, context: &Context, provenance: &Provenance) -> Result<Vec<Pending>> {
        if self.use_stdout() && context.options.json {
            bail!("--json and -o - both want standard output; give one of them a file");
        }
        let mut pending = Vec::new();
        for path in &self.output {
            let format = match self.format {
                Some(format) => format,
                None if path == Path::new("-") => Format::BFile,
                None => Format::of_path(path)?,
            };
            if self.output.iter().filter(|other| *other == path).count() > 1 {
                bail!("{} is given twice after -o", path.display());
            }
            let output = Output::create(path)?;
            let options = BFileOptions { header: self.header, ..BFileOptions::default() };
            let writer = export::writer(format, output, provenance, options)?;
            pending.push(Pending { writer, target: path.clone(), format });
        }
        Ok(pending)
    }
}

impl Pending {
    /// Splits the writer from what completes it.
    pub(super) fn split(self) -> (Box<dyn Writer>, Finished) {
        (self.writer, Finished { target: self.target, format: self.format })
    }
}

/// A file whose values are written.
pub(super) struct Finished {
    target: PathBuf,
    format: Format,
}

impl Finished {
    /// Writes the side-car of a format that has no room for its provenance.
    pub(super) fn side_car(&self, provenance: &Provenance, summary: &Summary, run: &Run<'_>) -> Result<()> {
        let bare = matches!(self.format, Format::Npy | Format::NpyBits);
        if !bare || !self.target.is_file() {
            return Ok(());
        }
        let mut path = self.target.clone().into_os_string();
        path.push(".json");
        let object: Value = json!({
            "tool": Provenance::TOOL,
            "set": provenance.set,
            "kind": provenance.kind.name(),
            "n": provenance.n,
            "format": self.format.name(),
            "count": summary.count,
            "sha256": summary.sha256,
            "engine": run.engine,
            "threads": rayon::current_num_threads(),
            "seconds": run.seconds,
        });
        let mut output = Output::create(Path::new(&path))?;
        output.put(format!("{object:#}\n").as_bytes())?;
        output.finish().with_context(|| format!("cannot complete the side-car of {}", self.target.display()))
    }
}
