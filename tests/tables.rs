//! Table files under a real program: killed, interrupted, cut, damaged, extended, on a full disk.

#![cfg(all(feature = "cli", unix))]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use nimsieve::GrundyTable;
use nimsieve::set::Squares;
use nimsieve::table::{ColdFile, ColdPositions, GrundyFile, GrundyValues};

fn nimsieve(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nimsieve")).current_dir(folder).args(arguments).output().unwrap()
}

/// Runs that must succeed, in one folder; returns what the last one printed.
fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let output = nimsieve(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&succeed(folder, &[&["--json"], arguments].concat())).unwrap()
}

fn positions(path: &Path) -> Vec<u64> {
    let (table, damage) = ColdFile::open(path).unwrap();
    assert_eq!(damage, None);
    cold_of(&table)
}

fn cold_of(table: &ColdFile) -> Vec<u64> {
    let mut all = Vec::new();
    table
        .visit(0..table.end(), &mut |x| {
            all.push(x);
            Ok(())
        })
        .unwrap();
    all
}

fn values_of(table: &GrundyFile) -> Vec<u16> {
    let mut all = GrundyTable::new("test".into());
    table.feed(0..table.end(), &mut all).unwrap();
    all.iter().collect()
}

/// Kills a run at twenty-four moments from its start to its end, each time going on from what the last one left, with one
/// engine and then the next; at the end the table has the bytes of one that was written in a single run. `check` opens
/// the table after each kill and compares what is in it.
fn kill_and_go_on(run: &[&str], engines: &[&str], longest: u64, check: impl Fn(&Path) -> nimsieve::Result<()>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    succeed(folder.path(), &[run, &["--table", "whole"]].concat());
    let mut hits = 0;
    let mut state = 12_345_u64;
    for round in 0..24 {
        // A fresh start now and then, so that kills fall into every part of a run.
        if round % 6 == 0 {
            let _ = std::fs::remove_file(&path);
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_nimsieve"))
            .current_dir(folder.path())
            .args(run)
            .args(["--table", "t", "--resume", "-q", "--engine", engines[round % engines.len()]])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // From nothing up to a sixth of the longest, two sixths, ...
        let most = (round as u64 % 6 + 1) * longest * 1000 / 6;
        std::thread::sleep(Duration::from_micros(((state >> 32) * most) >> 32));
        hits += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        if check(&path).is_err() && path.exists() {
            // Killed before the header was complete: there is nothing to go on from.
            std::fs::remove_file(&path).unwrap();
        }
    }
    assert!(hits > 0, "some kill must hit a run that is under way");
    succeed(folder.path(), &[run, &["--table", "t", "--resume"]].concat());
    assert!(check(&path).is_ok());
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("t") == read("whole"), "the bytes are those of a single run");
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let expected: Vec<u64> = nimsieve::cold(&Squares, 30_000_000).unwrap().iter().collect();
    kill_and_go_on(&["cold", "squares", "3e7"], &["sieve", "wheel"], 200, |path| {
        let found = cold_of(&ColdFile::open(path)?.0);
        assert_eq!(found, expected[..found.len()]);
        Ok(())
    });
}

#[test]
fn a_killed_run_of_nim_values_goes_on_to_the_same_bytes() {
    let expected: Vec<u16> = nimsieve::grundy(&Squares, 1_000_000).unwrap().iter().collect();
    kill_and_go_on(&["grundy", "squares", "1e6"], &["flags", "recurrence"], 600, |path| {
        let found = values_of(&GrundyFile::open(path)?.0);
        assert!(found == expected[..found.len()]);
        Ok(())
    });
}

/// Starts a run that keeps the table `t`, and interrupts it when the table is there; it must say how to go on.
fn interrupt(folder: &Path, arguments: &[&str]) {
    let path = folder.join("t");
    let mut child = Command::new(env!("CARGO_BIN_EXE_nimsieve"))
        .current_dir(folder)
        .args(arguments)
        .args(["--table", "t"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first sync is due after some seconds; what is found before the interrupt is kept all the same.
    while !path.exists() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(800));
    assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("--resume") && message.contains("stopped"), "{message}");
}

#[test]
fn an_interrupted_run_keeps_what_it_has_and_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    interrupt(folder.path(), &["cold", "squares", "3e9", "--engine", "sieve"]);
    let (table, damage) = ColdFile::open(folder.path().join("t")).unwrap();
    assert_eq!((table.set(), damage), ("squares", None));
    assert!(table.end() > 0);
}

#[test]
fn a_finished_table_is_extended_and_read_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| succeed(folder.path(), arguments);
    assert_eq!(run(&["-q", "cold", "squares", "1e5", "--table", "t"]), "2781\n");
    assert_eq!(run(&["-q", "cold", "squares", "1e6", "--table", "t", "--resume", "--engine", "divide"]), "13952\n");
    assert_eq!(run(&["-q", "cold", "squares", "1e6", "--table", "once"]), "13952\n");
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("t") == read("once"), "the bytes are those of a single run");
    // A smaller n is answered from the table, and takes nothing away.
    assert_eq!(run(&["-q", "cold", "squares", "1e4", "--table", "t", "--resume"]), "579\n");
    assert_eq!(run(&["-q", "table", "t"]), "13952\n");
    assert_eq!(run(&["-q", "table", "t", "--below", "1e5"]), "2781\n");
    run(&["table", "t", "-o", "from-table.txt", "-o", "from-table.csv"]);
    run(&["cold", "squares", "1e6", "-o", "from-run.txt", "-o", "from-run.csv"]);
    for ending in ["txt", "csv"] {
        let read = |name: &str| std::fs::read(folder.path().join(format!("{name}.{ending}"))).unwrap();
        assert_eq!(read("from-table"), read("from-run"));
    }
    let counts = run(&["--json", "table", "t", "--check", "--residues", "5", "--gaps", "--powers"]);
    let counts: serde_json::Value = serde_json::from_str(&counts).unwrap();
    assert_eq!(counts["residues"][0]["counts"][1], 8);
    assert_eq!(counts["residues"][0]["last"][1], 522_121);
    assert_eq!(counts["below"]["1000000"], 13_952);
    let same = run(&["--json", "cold", "squares", "1e6", "--residues", "5", "--gaps", "--powers"]);
    let same: serde_json::Value = serde_json::from_str(&same).unwrap();
    for key in ["residues", "below", "largest_gap", "count", "largest"] {
        assert_eq!(counts[key], same[key], "{key}");
    }
}

#[test]
fn bad_tables_are_errors_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert!(nimsieve(path, &["cold", "squares", "3e6", "--table", "t"]).status.success());
    std::fs::write(path.join("text"), "0 0\n1 2\n2 5\n3 7\n").unwrap();
    let mut bytes = std::fs::read(path.join("t")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(path.join("flipped"), &bytes).unwrap();
    for (arguments, expected) in [
        (&["cold", "squares", "1e4", "--table", "t"][..], "--resume"),
        (&["cold", "primes", "1e4", "--table", "t", "--resume"], "a table of squares"),
        (&["cold", "squares", "1e4", "--resume"], "--table"),
        (&["cold", "squares", "1e4", "--table", "text", "--resume"], "not a table"),
        (&["cold", "squares", "1e4", "--table", "t", "--resume", "--misere"], "--misere"),
        (&["cold", "squares", "1e4", "--table", "no/such/t"], "no/such"),
        (&["cold", "squares", "1e4", "--residues", "0"], "modulus"),
        (&["table", "text"], "not a table"),
        (&["table", "none"], "none"),
        (&["table", "t", "--below", "1e9"], "covers"),
    ] {
        let output = nimsieve(path, arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    // A damaged table is described, --check ends with 1, and --resume mends it.
    let output = nimsieve(path, &["table", "flipped", "--check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("good below position"));
    let output = nimsieve(path, &["-q", "cold", "squares", "3e6", "--table", "flipped", "--resume"]);
    assert!(output.status.success());
    assert_eq!(positions(&path.join("flipped")), positions(&path.join("t")));
}

#[test]
fn a_full_disk_keeps_the_sound_part() {
    let folder = tempfile::tempdir().unwrap();
    // A limit on the size of files stands for the full disk; the signal that comes with it is ignored.
    let program = env!("CARGO_BIN_EXE_nimsieve");
    let script = format!("trap '' XFSZ; ulimit -f 160; exec {program} cold squares 3e7 --table t");
    let output = Command::new("bash").current_dir(folder.path()).args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let (table, _) = ColdFile::open(folder.path().join("t")).unwrap();
    assert!(table.end() > 0, "the blocks before the limit are there");
    assert!(nimsieve(folder.path(), &["cold", "squares", "3e7", "--table", "t", "--resume"]).status.success());
    assert_eq!(positions(&folder.path().join("t")).len() as u64, nimsieve::cold(&Squares, 30_000_000).unwrap().count());
}

#[test]
fn a_table_of_nim_values_is_extended_described_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| succeed(folder.path(), arguments);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    // The largest below 2^20 is 170. OEIS A297963: 28 first occurs at 6,133, 29 at 6,809.
    assert_eq!(run(&["-q", "grundy", "squares", "6809", "--table", "t"]), "28\n");
    assert_eq!(run(&["-q", "grundy", "squares", "6810", "--table", "t", "--resume", "--engine", "recurrence"]), "29\n");
    assert_eq!(run(&["-q", "grundy", "squares", "2^20", "--table", "t", "--resume", "-t", "1"]), "170\n");
    run(&["grundy", "squares", "2^20", "--table", "once"]);
    assert!(read("t") == read("once"), "the bytes are those of a single run");
    // A smaller n is answered from the table, and takes nothing away.
    assert_eq!(run(&["-q", "grundy", "squares", "6809", "--table", "t", "--resume", "-o", "small.csv"]), "28\n");
    run(&["grundy", "squares", "6809", "-o", "small-run.csv"]);
    assert_eq!(read("small.csv"), read("small-run.csv"));
    assert!(read("t") == read("once"));
    assert_eq!(run(&["-q", "table", "t"]), "170\n");
    assert_eq!(run(&["-q", "table", "t", "--below", "6809"]), "28\n");
    run(&["table", "t", "-o", "table.txt", "-o", "table.csv", "-o", "table.npy", "-o", "table.json"]);
    run(&["grundy", "squares", "2^20", "-o", "run.txt", "-o", "run.csv", "-o", "run.npy", "-o", "run.json"]);
    for ending in ["txt", "csv", "npy", "json"] {
        assert!(read(&format!("table.{ending}")) == read(&format!("run.{ending}")), "{ending}");
    }
    let table = json(folder.path(), &["table", "t", "--check", "--residues", "5", "--gaps"]);
    let same = json(folder.path(), &["grundy", "squares", "2^20"]);
    for key in ["max", "max_at", "first", "histogram", "set", "n"] {
        assert_eq!(table[key], same[key], "{key}");
    }
    assert_eq!((&table["kind"], &table["sound"], &table["blocks"]), (&"grundy".into(), &true.into(), &16.into()));
    // Statistics are those of the cold positions.
    let cold = json(folder.path(), &["cold", "squares", "2^20", "--residues", "5", "--gaps"]);
    assert_eq!((&table["residues"], &table["largest_gap"]), (&cold["residues"], &cold["largest_gap"]));
    assert_eq!(table["histogram"][0], cold["count"]);
    let text = run(&["table", "t", "--histogram", "--below", "100"]);
    assert!(
        text.contains("nim-values of squares below 1,048,576") && text.contains("nim-value       positions"),
        "{text}"
    );
}

/// Two bytes a value, and continued where the values were still of one byte.
#[test]
fn wide_nim_values_are_kept_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    for n in ["500", "300000"] {
        succeed(folder.path(), &["grundy", "1,2,3,4,5,6,7", n, "--table", "narrow", "--resume"]);
    }
    for n in ["500", "4000"] {
        succeed(folder.path(), &["grundy", "allbut:1", n, "--table", "wide", "--resume", "--engine", "flags"]);
    }
    let set: nimsieve::set::NamedSet = "allbut:1".parse().unwrap();
    let (table, damage) = GrundyFile::open(folder.path().join("wide")).unwrap();
    assert_eq!((values_of(&table), damage), (nimsieve::grundy(&set, 4000).unwrap().iter().collect(), None));
    let (table, _) = GrundyFile::open(folder.path().join("narrow")).unwrap();
    assert!((0..300_000_u32).map(|x| (x % 8) as u16).eq(values_of(&table)));
    assert!(table.size() < 300_000 * 3 / 8 + 300, "three bits a value");
}

#[test]
fn an_interrupted_run_of_nim_values_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    interrupt(folder.path(), &["grundy", "squares", "2^26", "--engine", "flags"]);
    let (table, damage) = GrundyFile::open(folder.path().join("t")).unwrap();
    assert_eq!((table.set(), damage), ("squares", None));
    assert!(table.end() > 0);
}

#[test]
fn tables_of_nim_values_that_do_not_fit_are_refused_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    succeed(path, &["grundy", "squares", "2e5", "--table", "t"]);
    succeed(path, &["cold", "squares", "1e5", "--table", "cold"]);
    let mut bytes = std::fs::read(path.join("t")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(path.join("flipped"), &bytes).unwrap();
    for (arguments, expected) in [
        (&["grundy", "squares", "1e4", "--table", "t"][..], "--resume"),
        (&["grundy", "primes", "1e4", "--table", "t", "--resume"], "a table of squares"),
        (&["grundy", "squares", "1e4", "--table", "cold", "--resume"], "of cold positions, where one of nim-values"),
        (&["cold", "squares", "1e4", "--table", "t", "--resume"], "of nim-values, where one of cold positions"),
        (&["grundy", "squares", "1e4", "--resume"], "--table"),
        (&["grundy", "squares", "1e4", "--table", "no/such/t"], "no/such"),
        (&["grundy", "squares", "1e4", "--table", "t", "--counters", "c"], "cannot be used with"),
        (&["table", "t", "--below", "1e9"], "covers"),
        (&["table", "t", "-o", "x.npy", "--format", "npy-bits"], "npy-bits holds cold positions"),
        (&["table", "cold", "--histogram"], "nim-values"),
        // Nothing but a table serves these engines.
        (&["grundy", "squares", "1e4", "--counters", "c", "--engine", "flags"], "keep the values with --table"),
        (&["grundy", "squares", "1e4", "--counters", "c"], "keep the values with --table"),
        (&["grundy", "squares", "1e4", "--counters", "t"], "--resume"),
        (&["grundy", "squares", "1e4", "--counters", "t", "--resume"], "where one of counts"),
    ] {
        let output = nimsieve(path, arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    assert!(!path.join("c").exists() && !path.join("x.npy").exists());
    // A damaged table is described, --check ends with 1, and --resume mends it.
    let output = nimsieve(path, &["table", "flipped", "--check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("good below position"));
    let output = nimsieve(path, &["-q", "grundy", "squares", "2e5", "--table", "flipped", "--resume"]);
    assert!(output.status.success());
    assert!(std::fs::read(path.join("flipped")).unwrap() == std::fs::read(path.join("t")).unwrap());
}

#[test]
fn a_full_disk_keeps_the_sound_nim_values() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_nimsieve");
    let script = format!("trap '' XFSZ; ulimit -f 160; exec {program} grundy squares 3e5 --table t");
    let output = Command::new("bash").current_dir(folder.path()).args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let (table, damage) = GrundyFile::open(folder.path().join("t")).unwrap();
    assert!(table.end() > 0 && damage.is_some(), "the blocks before the limit are there");
    succeed(folder.path(), &["grundy", "squares", "3e5", "--table", "t", "--resume"]);
    succeed(folder.path(), &["grundy", "squares", "3e5", "--table", "whole"]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("t") == read("whole"));
}

/// Counts and the state of an engine, written by the library; the state is nobody's.
#[test]
fn a_file_of_counts_is_described_and_its_engine_asked_for() {
    use nimsieve::sink::GrundySink;
    use nimsieve::table::CounterWriter;
    let folder = tempfile::tempdir().unwrap();
    let set: nimsieve::set::NamedSet = "primes".parse().unwrap();
    let mut writer =
        CounterWriter::create(folder.path().join("c"), "primes", nimsieve::grundy::Engine::Recurrence).unwrap();
    nimsieve::grundy(&set, 10_000).unwrap().feed(0..10_000, &mut writer).unwrap();
    writer.offer_state(&|| b"nothing".to_vec(), true).unwrap();
    let described = json(folder.path(), &["table", "c", "--check"]);
    let run = json(folder.path(), &["grundy", "primes", "1e4"]);
    for key in ["max", "max_at", "first", "histogram", "set", "n"] {
        assert_eq!(described[key], run[key], "{key}");
    }
    assert_eq!((&described["kind"], &described["engine"]), (&"counters".into(), &"recurrence".into()));
    let text = succeed(folder.path(), &["table", "c", "--histogram"]);
    assert!(text.contains("counts of nim-values of primes below 10,000") && text.contains("156"), "{text}");
    for (arguments, expected) in [
        (&["table", "c", "-o", "x.csv"][..], "--table"),
        (&["table", "c", "--gaps"], "--table"),
        (&["table", "c", "--below", "5000"], "--below"),
        (&["grundy", "squares", "1e5", "--counters", "c", "--resume"], "counts of primes"),
        (&["grundy", "primes", "1e5", "--counters", "c"], "--resume"),
        (&["grundy", "primes", "5000", "--counters", "c", "--resume"], "cannot be taken back"),
        (&["grundy", "primes", "1e5", "--counters", "c", "--resume", "--engine", "flags"], "leave --engine out"),
        (&["grundy", "primes", "1e5", "--counters", "c", "--resume", "-o", "x.csv"], "--table"),
        // A state of an engine that has none is nobody's.
        (&["grundy", "primes", "1e5", "--counters", "c", "--resume"], "table of nim-values only"),
        (&["grundy", "primes", "1e5", "--table", "c", "--resume"], "counts of nim-values"),
    ] {
        let output = nimsieve(folder.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

/// A run that keeps its counts alone is killed again and again, and ends with the counts of a run in one go.
#[cfg(unix)]
#[test]
fn killed_runs_that_keep_counts_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    const N: &str = "4e8";
    let mut kills = 0;
    for round in 0_u64..12 {
        let file = path.join("c");
        let mut command = Command::new(env!("CARGO_BIN_EXE_nimsieve"));
        command.current_dir(path).args(["-q", "grundy", "primes", N, "--counters", "c"]);
        command.args(file.exists().then_some("--resume"));
        let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(150 + 90 * round));
        if round % 3 == 2 {
            // Ctrl-C saves what there is.
            Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        } else {
            child.kill().unwrap();
        }
        kills += u32::from(!child.wait().unwrap().success());
    }
    assert!(kills > 0);
    succeed(path, &["grundy", "primes", N, "--counters", "c", "--resume"]);
    let whole = json(path, &["grundy", "primes", N]);
    let kept = json(path, &["table", "c"]);
    for key in ["max", "max_at", "first", "histogram"] {
        assert_eq!(kept[key], whole[key], "{key}");
    }
}
