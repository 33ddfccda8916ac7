//! `nimsieve reproduce --out DIR`: every published file from nothing, and a check of those that are there.
//!
//! A file is made by a command of this program, run in an empty folder by the program itself: whoever types the command gets
//! the same bytes. A new file is one line in [`ARTEFACTS`] and the same line in `data/README.md`, which a test compares.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::context::{Context, grouped, object};
use super::progress::Levels;
use crate::export::{Output, hex};

/// A published file.
struct Artefact {
    /// Its name.
    file: &'static str,
    /// What it holds.
    what: &'static str,
    /// The command that makes it, without the name of the program and without `-o FILE`.
    command: &'static str,
    /// Takes seconds at most, and is made with `--quick` too.
    quick: bool,
}

const fn quick(file: &'static str, what: &'static str, command: &'static str) -> Artefact {
    Artefact { file, what, command, quick: true }
}

const fn slow(file: &'static str, what: &'static str, command: &'static str) -> Artefact {
    Artefact { file, what, command, quick: false }
}

/// Every file under data/ but the timings and the records.
const ARTEFACTS: &[Artefact] = &[
    quick(
        "squares-counts-eppstein.csv",
        "cold positions at the doublings of 100 with their numbers, as in Eppstein's table",
        "study density squares 104858000 --from 100 --per-octave 1 --at-cold",
    ),
    slow(
        "squares-density.csv",
        "counts below n, local exponents, and the fit",
        "study density squares 2^30 --per-octave 8",
    ),
    slow("squares-fits.csv", "power laws, fitted and published", "study density squares 2^30 --per-octave 8 --fits"),
    slow("squares-fits.tex", "the same as LaTeX rows", "study density squares 2^30 --per-octave 8 --fits"),
    slow("squares-residues-5.csv", "cold positions by residue mod 5", "study residues squares 2^30 --modulus 5"),
    slow("squares-residues-65.csv", "cold positions by residue mod 65", "study residues squares 2^30 --modulus 65"),
    slow("squares-moduli.csv", "the most uneven moduli up to 400", "study residues squares 2^26 --rank 400 --top 100"),
    quick("squares-digits-5.csv", "base-5 digits by place", "study digits squares 4e6 --base 5"),
    slow("squares-gaps.csv", "gaps larger than all before", "study gaps squares 2^30"),
    slow("squares-moves.csv", "positions by number of winning moves", "study moves squares 1e7"),
    quick("squares-difference-free.csv", "sizes of square-difference-free sets", "study difference-free squares 1e6"),
    slow("squares-nim.csv", "nim-values: how often, and where first", "study nim squares 2^20"),
    quick("primes-nim.csv", "nim-values of the prime game: how often, and where first", "study nim primes 1e5"),
    quick("squares-cold.npy", "cold positions, for NumPy", "cold squares 1e6"),
    quick("squares-nim.npy", "nim-values, for NumPy", "grundy squares 1e5"),
    quick("squares-cold.gp", "cold positions, for PARI/GP", "cold squares 1e5"),
    quick(
        "b030194.txt",
        "A030194, cold positions of the triangular numbers, as a b-file",
        "oeis A030194 --terms 10000",
    ),
    quick("b019509.txt", "A019509, nim-values of the triangular numbers, as a b-file", "oeis A019509 --terms 10000"),
    quick(
        "chopsticks-grid.csv",
        "reachable positions of (p, r) Chopsticks",
        "chopsticks grid --players 2..4 --rollover 2..10",
    ),
    slow("squares-density.svg", "picture: counts and fit", "plot density squares 2^30"),
    slow("squares-exponent.svg", "picture: local exponents", "plot exponent squares 2^30"),
    slow("squares-residues-5.svg", "picture: residues mod 5 by octave", "plot residues squares 2^26 --modulus 5"),
    slow("squares-residues-65.svg", "picture: residues mod 65 by octave", "plot residues squares 2^26 --modulus 65"),
    quick("squares-digits-5.svg", "picture: base-5 digits", "plot digits squares 4e6 --base 5"),
    quick("squares-nim.svg", "picture: the nim-value of each position", "plot nim squares 2000"),
    quick("squares-histogram.svg", "picture: positions by nim-value", "plot histogram squares 1e5"),
    slow("squares-growth.svg", "picture: how many nim-values occur below n", "plot growth squares 2^20"),
    quick("chopsticks-depth.svg", "picture: positions of (2, 10) Chopsticks by depth", "plot chopsticks -p 2 -r 10"),
    slow(
        "squares-report.html",
        "a page on the squares: pictures, tables, provenance",
        "report squares 1e7 --modulus 5 --base 5",
    ),
];

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The folder
    #[arg(long, value_name = "DIR", default_value = "data")]
    out: PathBuf,

    /// Only the files that take seconds
    #[arg(long)]
    quick: bool,

    /// Write nothing; tell which files of the folder differ
    #[arg(long)]
    check: bool,

    /// Make nothing; list the files and their commands
    #[arg(long, conflicts_with = "check")]
    list: bool,
}

/// The list of hashes, as `sha256sum -c` reads it.
const SUMS: &str = "SHA256SUMS";

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let wanted: Vec<&Artefact> = ARTEFACTS.iter().filter(|artefact| artefact.quick || !arguments.quick).collect();
    if arguments.list {
        return list(&wanted, context);
    }
    if !arguments.check {
        fs::create_dir_all(&arguments.out).with_context(|| format!("cannot make {}", arguments.out.display()))?;
    }
    let sums = Sums::read(&arguments.out.join(SUMS))?;
    let mut made = Sums::default();
    let (mut lines, mut rows, mut different) = (String::new(), Vec::new(), 0);
    let status = Levels::start(!context.options.no_status);
    for artefact in &wanted {
        context.control().check()?;
        status.show(&format!("{}: nimsieve {}", artefact.file, artefact.command));
        let bytes = artefact.make(context)?;
        let sha256 = hex(&Sha256::digest(&bytes));
        let path = arguments.out.join(artefact.file);
        let state = if arguments.check {
            match fs::read(&path) {
                Ok(there) if there != bytes => "differs",
                Ok(_) if sums.get(artefact.file) != Some(&sha256) => "same, but not in SHA256SUMS",
                Ok(_) => "same",
                Err(_) => "missing",
            }
        } else {
            let mut output = Output::create(&path)?;
            output.put(&bytes)?;
            output.finish()?;
            "made"
        };
        different += usize::from(!["made", "same"].contains(&state));
        writeln!(lines, "{:32} {:>10} bytes  {state}", artefact.file, grouped(bytes.len()))?;
        rows.push(json!({"file": artefact.file, "bytes": bytes.len(), "sha256": sha256, "state": state}));
        made.0.push((artefact.file.to_owned(), sha256));
    }
    drop(status);
    if arguments.check {
        writeln!(lines, "{different} of {} files differ", wanted.len())?;
    } else {
        // What was not made this time keeps its line.
        made.0.extend(sums.0.into_iter().filter(|(file, _)| !wanted.iter().any(|artefact| artefact.file == file)));
        made.write(&arguments.out.join(SUMS))?;
    }
    let json = object([
        ("command", "reproduce".into()),
        ("out", arguments.out.display().to_string().into()),
        ("different", different.into()),
        ("files", rows.into()),
    ]);
    context.answer(json, &different.to_string(), &lines)?;
    Ok(if different == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn list(wanted: &[&Artefact], context: &Context) -> Result<ExitCode> {
    let mut lines = String::new();
    for artefact in wanted {
        writeln!(lines, "{}: {}\n  nimsieve {} -o {0}", artefact.file, artefact.what, artefact.command)?;
    }
    let row = |artefact: &&Artefact| -> Value {
        let command = format!("nimsieve {} -o {}", artefact.command, artefact.file);
        json!({"file": artefact.file, "what": artefact.what, "made_by": command, "quick": artefact.quick})
    };
    let rows: Vec<Value> = wanted.iter().map(row).collect();
    let json = object([("command", "reproduce".into()), ("files", rows.into())]);
    context.answer(json, &wanted.len().to_string(), &lines)?;
    Ok(ExitCode::SUCCESS)
}

impl Artefact {
    /// Runs the command in an empty folder, and returns what it wrote.
    fn make(&self, context: &Context) -> Result<Vec<u8>> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let program = std::env::current_exe().context("cannot find the program itself")?;
        let mut command = Command::new(program);
        command.args(self.command.split(' ')).args(["-o", self.file, "--no-status"]);
        if let Some(threads) = context.options.threads {
            command.args(["--threads", &threads.to_string()]);
        }
        if context.options.force {
            command.arg("--force");
        }
        command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let result = command.output().context("cannot start the program itself")?;
        if !result.status.success() {
            bail!("`nimsieve {}` failed: {}", self.command, String::from_utf8_lossy(&result.stderr).trim());
        }
        fs::read(folder.path().join(self.file)).with_context(|| format!("`nimsieve {}` wrote no file", self.command))
    }
}

/// Files and their hashes.
#[derive(Default)]
struct Sums(Vec<(String, String)>);

impl Sums {
    /// Reads a list that may not be there yet.
    fn read(path: &Path) -> Result<Self> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let pairs = text.lines().filter_map(|line| line.split_once("  "));
        Ok(Self(pairs.map(|(hash, file)| (file.to_owned(), hash.to_owned())).collect()))
    }

    fn get(&self, file: &str) -> Option<&String> {
        self.0.iter().find(|(name, _)| name == file).map(|(_, hash)| hash)
    }

    /// Writes the list, by name.
    fn write(mut self, path: &Path) -> Result<()> {
        self.0.sort();
        let mut output = Output::create(path)?;
        for (file, hash) in &self.0 {
            output.put(format!("{hash}  {file}\n").as_bytes())?;
        }
        Ok(output.finish()?)
    }
}
