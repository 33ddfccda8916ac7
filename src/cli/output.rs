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
    /// Write the values to a file: .txt (b-file), .csv, .npy, .json, .gp (PARI), .tex (LaTeX rows); `-` is standard output. May be repeated
    #[arg(short, long = "output", value_name = "FILE")]
    output: Vec<PathBuf>,

    /// The format of all files: bfile, csv, npy, npy-bits, json, gp, tex
    #[arg(long, value_name = "NAME", value_parser = |text: &str| text.parse::<Format>())]
    format: Option<Format>,

    /// Start b-files with # lines that tell their provenance
    #[arg(long)]
    header: bool,
}

/// A file under way, with what is needed to finish it.
pub(super) struct Pending {
    writer: Box<dyn Writer>,
    finished: Finished,
}

/// What a side-car tells beside the provenance.
pub(super) struct Run<'a> {
    pub(super) engine: &'a str,
    pub(super) seconds: f64,
}

impl Outputs {
    /// Tells whether results go anywhere.
    pub(super) fn any(&self) -> bool {
        !self.output.is_empty()
    }

    /// Tells whether results go to standard output, which must then hold nothing else.
    pub(super) fn use_stdout(&self) -> bool {
        self.output.iter().any(|path| path == Path::new("-"))
    }

    /// Opens every file, side-cars too.
    pub(super) fn open(&self, context: &Context, provenance: &Provenance) -> Result<Vec<Pending>> {
        if self.use_stdout() && context.options.json {
            bail!("--json and -o - both want standard output; give one of them a file");
        }
        let mut pending = Vec::new();
        let mut taken = Vec::new();
        for path in &self.output {
            let format = match self.format {
                Some(format) => format,
                None if path == Path::new("-") => Format::BFile,
                None => Format::of_path(path)?,
            };
            let output = create(path, &mut taken)?;
            let bare = matches!(format, Format::Npy | Format::NpyBits);
            let side_car = match bare && output.is_file() {
                true => {
                    export::check_json(provenance.n)?;
                    let mut path = path.clone().into_os_string();
                    path.push(".json");
                    let path = PathBuf::from(path);
                    Some(create(&path, &mut taken).with_context(|| {
                        format!("{} is the side-car of an NPY file, which has no room for its origin", path.display())
                    })?)
                }
                false => None,
            };
            let options = BFileOptions { header: self.header, ..BFileOptions::default() };
            let writer = export::writer(format, output, provenance, options)?;
            pending.push(Pending { writer, finished: Finished { side_car, format } });
        }
        Ok(pending)
    }
}

/// Opens a file that no other output goes to, under whatever name.
fn create(path: &Path, taken: &mut Vec<PathBuf>) -> Result<Output> {
    let output = Output::create(path)?;
    if taken.iter().any(|other| other == output.target()) {
        bail!("{} would be written twice; give each file after -o a name of its own", path.display());
    }
    taken.push(output.target().to_path_buf());
    Ok(output)
}

impl Pending {
    /// Splits the writer from what completes it.
    pub(super) fn split(self) -> (Box<dyn Writer>, Finished) {
        (self.writer, self.finished)
    }
}

/// A file whose values are written.
pub(super) struct Finished {
    side_car: Option<Output>,
    format: Format,
}

impl Finished {
    /// Writes the side-car of a format that has no room for its provenance.
    pub(super) fn side_car(self, provenance: &Provenance, summary: &Summary, run: &Run<'_>) -> Result<()> {
        let Some(mut output) = self.side_car else { return Ok(()) };
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
        output.put(format!("{object:#}\n").as_bytes())?;
        Ok(output.finish()?)
    }
}
