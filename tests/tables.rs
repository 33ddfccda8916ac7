//! Table files under a real program: killed, interrupted, cut, damaged, extended, on a full disk.

#![cfg(all(feature = "cli", unix))]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use nimsieve::set::Squares;
use nimsieve::table::{ColdFile, ColdPositions};

fn nimsieve(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nimsieve")).current_dir(folder).args(arguments).output().unwrap()
}

fn positions(path: &Path) -> Vec<u64> {
    let (table, damage) = ColdFile::open(path).unwrap();
    assert_eq!(damage, None);
    let mut all = Vec::new();
    table
        .visit(0..table.end(), &mut |x| {
            all.push(x);
            Ok(())
        })
        .unwrap();
    all
}

/// Killed at twenty-four moments from its start to its end, a run that is resumed ends with the same positions.
#[test]
fn a_killed_run_goes_on_where_it_was() {
    let n = 30_000_000_u64;
    let expected: Vec<u64> = nimsieve::cold(&Squares, n).unwrap().iter().collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    let mut moments = 0;
    let mut state = 12_345_u64;
    for round in 0..24 {
        // A fresh start now and then, so that kills fall into every part of a run.
        if round % 6 == 0 {
            let _ = std::fs::remove_file(&path);
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_nimsieve"))
            .current_dir(folder.path())
            .args(["cold", "squares", &n.to_string(), "--table", "t", "--resume", "-q"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_micros(1000 * (round % 6) * 8 + (state >> 40) % 30_000));
        moments += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        if let Ok((table, _)) = ColdFile::open(&path) {
            let mut index = 0;
            table
                .visit(0..table.end(), &mut |x| {
                    assert_eq!(x, expected[index]);
                    index += 1;
                    Ok(())
                })
                .unwrap();
        } else if path.exists() {
            // Killed before the header was complete: there is nothing to go on from.
            std::fs::remove_file(&path).unwrap();
        }
    }
    assert!(moments > 0, "some kill must hit a run that is under way");
    let output = nimsieve(folder.path(), &["-q", "cold", "squares", &n.to_string(), "--table", "t", "--resume"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{}\n", expected.len()));
    assert_eq!(positions(&path), expected);
}

#[test]
fn an_interrupted_run_keeps_what_it_has_and_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    let mut child = Command::new(env!("CARGO_BIN_EXE_nimsieve"))
        .current_dir(folder.path())
        .args(["cold", "squares", "3e9", "--engine", "sieve", "--table", "t"])
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
    let (table, damage) = ColdFile::open(&path).unwrap();
    assert_eq!((table.set(), damage), ("squares", None));
    assert!(table.end() > 0);
}

#[test]
fn a_finished_table_is_extended_and_read_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = nimsieve(folder.path(), arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(run(&["-q", "cold", "squares", "1e5", "--table", "t"]), "2781\n");
    let before = std::fs::read(folder.path().join("t")).unwrap();
    assert_eq!(run(&["-q", "cold", "squares", "1e6", "--table", "t", "--resume", "--engine", "divide"]), "13952\n");
    let after = std::fs::read(folder.path().join("t")).unwrap();
    assert_eq!(after[..before.len()], before, "what was there stays as it was");
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
