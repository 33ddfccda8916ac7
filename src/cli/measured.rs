//! The file of `nimsieve compare -o`: what each engine took, and on which machine.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use sysinfo::{CpuRefreshKind, RefreshKind, System};

use crate::export::{Output, Provenance};
use crate::kernel::Cpu;

/// A CSV file with a row for each engine, set and N.
pub(super) struct Table {
    output: Output,
    path: PathBuf,
}

/// A row: what an engine took, or why it was passed over.
#[derive(Default)]
pub(super) struct Measured<'a> {
    pub(super) set: &'a str,
    pub(super) n: u64,
    pub(super) kind: &'a str,
    pub(super) engine: &'a str,
    pub(super) seconds: Option<f64>,
    pub(super) memory: Option<u64>,
    pub(super) digest: &'a str,
    pub(super) passed: &'a str,
}

impl Table {
    pub(super) fn create(path: &Path) -> Result<Self> {
        Ok(Self { output: Output::create(path)?, path: path.into() })
    }

    /// Writes everything: the machine and the columns' units in `#` lines, then the rows.
    pub(super) fn finish<'a>(mut self, limit: f64, rows: impl Iterator<Item = Measured<'a>>) -> Result<()> {
        let threads = rayon::current_num_threads();
        for line in [
            Provenance::TOOL.to_owned(),
            format!("machine {}, {} vectors", machine(), Cpu::best().name()),
            format!("threads {threads}"),
            format!("limit {limit} s: engines that would take longer by estimate are passed over"),
            "seconds of wall time; memory: bytes at the peak above those before the run".to_owned(),
        ] {
            self.output.put(format!("# {line}\n").as_bytes())?;
        }
        let mut csv = csv::Writer::from_writer(self.output);
        let failed = || format!("cannot write {}", self.path.display());
        csv.write_record(["set", "n", "kind", "engine", "seconds", "memory", "digest", "passed"])
            .with_context(failed)?;
        for row in rows {
            let seconds = row.seconds.map_or(String::new(), |seconds| format!("{seconds:.4}"));
            let memory = row.memory.map_or(String::new(), |memory| memory.to_string());
            let n = row.n.to_string();
            csv.write_record([row.set, &n, row.kind, row.engine, &seconds, &memory, row.digest, row.passed])
                .with_context(failed)?;
        }
        let output = csv.into_inner().map_err(|error| error.into_error()).with_context(failed)?;
        Ok(output.finish()?)
    }
}

/// What the system calls the CPU.
fn machine() -> String {
    let refresh = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
    let system = System::new_with_specifics(refresh);
    let brand = system.cpus().first().map(|cpu| cpu.brand().trim().to_owned()).filter(|brand| !brand.is_empty());
    format!("{}, {} cores", brand.unwrap_or_else(|| std::env::consts::ARCH.into()), system.cpus().len())
}
