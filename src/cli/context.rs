//! What every command shares: the options, the control of the run, and how things are printed.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};

use super::progress::{self, Course, Progress};
use super::{Options, memory, signals};
use crate::export::{self, Provenance};
use crate::plan::bytes;
use crate::run::Control;

/// The options of the run and its control.
pub(super) struct Context {
    pub(super) options: Options,
    control: Arc<Control>,
}

impl Context {
    /// Prepares a run: the first Ctrl-C asks it to stop, the second ends it at once.
    pub(super) fn new(options: Options) -> Result<Self> {
        let control = Arc::new(Control::new());
        signals::listen(Arc::clone(&control))?;
        if let Some(threads) = options.threads {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads.into())
                .build_global()
                .with_context(|| format!("cannot start {threads} threads"))?;
        }
        Ok(Self { options, control })
    }

    /// The control of the run, for commands that time themselves.
    pub(super) fn control(&self) -> &Control {
        &self.control
    }

    /// Runs `work` under a progress bar that counts to `total` positions; returns its result and the seconds it took.
    pub(super) fn timed<T>(&self, total: u64, work: impl FnOnce(&Control) -> Result<T>) -> Result<(T, f64)> {
        self.timed_over(Course::to(total), work)
    }

    /// As [`Self::timed`], for a run over part of the positions.
    pub(super) fn timed_over<T>(&self, course: Course, work: impl FnOnce(&Control) -> Result<T>) -> Result<(T, f64)> {
        let progress = (!self.options.no_status).then(|| Progress::start(Arc::clone(&self.control), course));
        let start = Instant::now();
        let result = work(&self.control);
        let seconds = start.elapsed().as_secs_f64();
        drop(progress);
        Ok((result?, seconds))
    }

    /// The course of a run that goes on from `start`. How its work grows is found out when somebody is to see it.
    pub(super) fn course(&self, start: u64, end: u64, growth: impl FnOnce() -> f64) -> Course {
        if self.options.no_status || !progress::is_visible() {
            return Course::to(end);
        }
        Course::new(start, end, growth())
    }

    /// Refuses what needs more memory than the machine has free, unless it is forced.
    pub(super) fn check_memory(&self, needed: u64) -> Result<()> {
        let available = memory::available();
        if needed > available && !self.options.force {
            bail!(
                "this needs about {} of memory and {} are free; lower N, or run it all the same with --force",
                bytes(needed),
                bytes(available)
            );
        }
        Ok(())
    }

    /// Refuses with `--json` what might put a number above 2^53 into the object: every position and every count is bounded
    /// by N, and many readers of JSON round larger ones without a word. Sizes of another kind are strings.
    pub(super) fn check_json(&self, n: u64) -> Result<()> {
        if self.options.json {
            export::check_json(n)?;
        }
        Ok(())
    }

    /// Tells on standard error what the user may want to know before it is too late.
    pub(super) fn warn(&self, text: &str) {
        if !self.options.quiet {
            // A warning that cannot be written is no reason to fail.
            let _ = writeln!(io::stderr(), "nimsieve: {text}");
        }
    }

    /// Prints text as it is on standard output.
    pub(super) fn print(&self, text: &str) -> Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(())
    }

    /// Prints an answer: as a JSON object, as its main number alone, or as lines for people.
    pub(super) fn answer(&self, json: Map<String, Value>, main: &str, lines: &str) -> Result<()> {
        if self.options.json {
            let mut object = Map::new();
            object.insert("tool".into(), Provenance::TOOL.into());
            object.extend(json);
            self.print(&format!("{}\n", Value::Object(object)))
        } else if self.options.quiet {
            self.print(&format!("{main}\n"))
        } else {
            self.print(lines)
        }
    }
}

/// A number with commas between groups of three digits.
pub(super) fn grouped(number: impl ToString) -> String {
    crate::number::grouped_by(number, ",")
}

/// Makes a JSON object of pairs.
pub(super) fn object<const N: usize>(pairs: [(&str, Value); N]) -> Map<String, Value> {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
