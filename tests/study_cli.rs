//! `nimsieve study` and the formats: what is printed, what is written, and that the programs people use read it.

#![cfg(feature = "cli")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn nimsieve(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nimsieve")).current_dir(folder).args(arguments).output().unwrap()
}

fn prints(folder: &Path, arguments: &[&str]) -> String {
    let output = nimsieve(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn object(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&prints(folder, &[&["--json"], arguments].concat())).unwrap()
}

/// Tells whether a program is there, and says so when it is not.
fn is_installed(program: &str, test: &[&str]) -> bool {
    let found =
        Command::new(program).args(test).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        eprintln!("{program} is not installed, or lacks what is needed: skipped");
    }
    found
}

#[test]
fn answers_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let study = object(folder.path(), &["study", "residues", "squares", "1e6", "--modulus", "5"]);
    assert_eq!(
        study["rows"][1],
        json!({"class": 1, "positions": 8, "share": 0.000_573, "last": 522_121, "standing": ""})
    );
    assert_eq!((&study["modulus"], &study["empty"]), (&json!(5), &json!(0)));
    let study = object(folder.path(), &["study", "residues", "squares", "1e6", "--rank", "66", "--top", "3"]);
    assert_eq!(study["rows"][0]["modulus"], 65);
    assert_eq!(study["rows"].as_array().unwrap().len(), 3);
    let study = object(folder.path(), &["study", "digits", "squares", "4e6", "--base", "5"]);
    assert_eq!(study["rows"][0]["digit_2"], 18_520);
    let study = object(folder.path(), &["study", "gaps", "squares", "1e7"]);
    assert_eq!(study["rows"].as_array().unwrap().last().unwrap(), &json!({"gap": 1957, "after": 6_759_675}));
    let study = object(folder.path(), &["study", "nim", "primes", "10000"]);
    assert_eq!(study["rows"][11], json!({"nim_value": 11, "positions": 53, "first": 156}));
    let study = object(folder.path(), &["study", "moves", "squares", "100"]);
    assert_eq!(study["rows"][0], json!({"winning_moves": 0, "positions": 21, "first": 0, "last": 95}));
    let study = object(folder.path(), &["study", "density", "squares", "2^20"]);
    let announced = study["fits"].as_array().unwrap().iter().filter(|fit| fit["status"] == "announced").count();
    assert_eq!((announced, &study["fits"][2]["exponent"]), (2, &json!(0.69835)));
    assert_eq!(study["rows"].as_array().unwrap().last().unwrap()["count"], 14_421);
}

#[test]
fn the_table_of_counts_as_published() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["study", "density", "squares", "2000", "--from", "100", "--per-octave", "1", "--at-cold", "-o", "-"];
    let text = prints(folder.path(), &arguments);
    let rows: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(rows, ["position,count", "109,22", "204,39", "425,66", "827,99", "1625,158"]);
}

#[test]
fn difference_free_sets_of_all_kinds() {
    let folder = tempfile::tempdir().unwrap();
    let study = object(folder.path(), &["study", "difference-free", "squares", "300"]);
    assert_eq!(
        (&study["difference_free"], &study["maximal"], &study["size"]),
        (&json!(true), &json!(true), &json!(51))
    );
    assert_eq!(study["rows"][3], json!({"members": "a largest one (A100719)", "size": 58}));
    std::fs::write(folder.path().join("mine.txt"), "# mine\n0\n2\n\n11 # breaks it\n299\n").unwrap();
    let of_mine =
        |n: &str| nimsieve(folder.path(), &["study", "difference-free", "squares", n, "--members", "file:mine.txt"]);
    let output = of_mine("299");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("299 is not below N"));
    let output = of_mine("300");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("2 and 11 differ by 9"));
    // A b-file is a list of members too.
    assert!(nimsieve(folder.path(), &["cold", "squares", "300", "-o", "b.txt"]).status.success());
    let study = object(folder.path(), &["study", "difference-free", "squares", "300", "--members", "file:b.txt"]);
    assert_eq!((&study["maximal"], &study["size"]), (&json!(true), &json!(51)));
    let study = object(folder.path(), &["study", "difference-free", "squares", "300", "--members", "ruzsa"]);
    assert_eq!((&study["maximal"], &study["size"], &study["addable"]), (&json!(false), &json!(33), &json!(12)));
    let output = nimsieve(folder.path(), &["study", "difference-free", "squares", "300", "--members", "primes"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn studies_of_a_table_file() {
    let folder = tempfile::tempdir().unwrap();
    prints(folder.path(), &["cold", "squares", "1e5", "--table", "t"]);
    for study in [
        &["study", "density", "squares", "1e5"][..],
        &["study", "residues", "squares", "1e5", "--modulus", "7"],
        &["study", "gaps", "squares", "5e4", "--histogram"],
        &["study", "difference-free", "squares", "1e4"],
    ] {
        let (computed, read) =
            (prints(folder.path(), study), prints(folder.path(), &[study, &["--table", "t"]].concat()));
        assert_eq!(computed, read);
    }
    for (arguments, message) in [
        (["study", "gaps", "squares", "1e6", "--table", "t"], "covers the positions below 100000"),
        (["study", "gaps", "cubes", "1e4", "--table", "t"], "a table of squares"),
    ] {
        let output = nimsieve(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{output:?}");
    }
}

#[test]
fn every_form_of_a_study_holds_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    prints(
        folder.path(),
        &[
            "study",
            "residues",
            "squares",
            "1e5",
            "--modulus",
            "5",
            "-o",
            "x.csv",
            "-o",
            "x.tex",
            "-o",
            "x.json",
            "-o",
            "x.txt",
        ],
    );
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let csv = read("x.csv");
    assert!(csv.starts_with("# nimsieve ") && csv.contains("\n# set squares\n# n 100000\n# modulus 5\n"));
    let mut rows = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(csv.as_bytes());
    let counts: Vec<u64> = rows.records().map(|row| row.unwrap()[1].parse().unwrap()).collect();
    let object: Value = serde_json::from_str(&read("x.json")).unwrap();
    let from_json: Vec<u64> =
        object["rows"].as_array().unwrap().iter().map(|row| row["positions"].as_u64().unwrap()).collect();
    assert_eq!(counts, from_json);
    let keys: Vec<&str> = object.as_object().unwrap().keys().map(|key| &key[..]).collect();
    assert_eq!(keys, ["tool", "study", "set", "n", "modulus", "rows", "sha256"]);
    let hash = object["sha256"].as_str().unwrap();
    assert!(csv.ends_with(&format!("# sha256 {hash}\n")) && read("x.tex").ends_with(&format!("% sha256 {hash}\n")));
    let table = nimsieve::cold(&nimsieve::set::Squares, 100_000).unwrap();
    assert_eq!(counts[2], table.iter().filter(|x| x % 5 == 2).count() as u64);
}

#[test]
fn bad_studies_are_errors_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, message) in [
        (&["study", "residues", "squares", "100", "--modulus", "0"][..], "expected one from 1 to"),
        (&["study", "residues", "squares", "100", "--rank", "1"], "expected a limit from 2"),
        (&["study", "residues", "squares", "100"], "--modulus"),
        (&["study", "digits", "squares", "100", "--base", "1"], "expected one from 2"),
        (&["study", "density", "squares", "100", "--from", "0"], "expected at least 1"),
        (&["study", "density", "squares", "100", "-o", "x.npy"], "end it in .csv"),
        (&["study", "density", "squares", "100", "-o", "a.csv", "-o", "a.csv"], "written twice"),
        (&["study", "density", "squares", "2^60"], "--force"),
        (&["study", "difference-free", "squares", "2^60", "--members", "ruzsa"], "--force"),
        (&["study", "gaps", "squares", "100", "-o", "no/x.csv"], "there is no folder"),
        (&["study", "difference-free", "squares", "9", "--members", "file:none"], "none"),
    ] {
        let output = nimsieve(folder.path(), arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(message) && !error.contains("panicked"), "{arguments:?}: {error}");
    }
    for study in ["density", "digits", "gaps", "moves", "nim", "difference-free"] {
        for n in ["0", "1", "2"] {
            prints(folder.path(), &["study", study, "squares", n]);
        }
    }
    for n in ["0", "1"] {
        prints(folder.path(), &["study", "residues", "squares", n, "--modulus", "5"]);
        prints(folder.path(), &["study", "residues", "squares", n, "--rank", "5"]);
    }
}

/// PARI/GP reads the vector with `read`.
#[test]
fn gp_reads_the_files() {
    let folder = tempfile::tempdir().unwrap();
    prints(folder.path(), &["cold", "squares", "1e5", "-o", "cold.gp"]);
    prints(folder.path(), &["grundy", "primes", "300", "-o", "nim.gp"]);
    let text = std::fs::read_to_string(folder.path().join("cold.gp")).unwrap();
    assert!(text.starts_with("\\\\ nimsieve ") && text.contains("\nv=[0,2,5,7,"));
    if !is_installed("gp", &["--version"]) {
        return;
    }
    let script = "read(\"cold.gp\"); print(#v, \" \", v[1..4], \" \", v[#v], \" \", vecsum(v));\n\
                  read(\"nim.gp\"); print(#v, \" \", vecmax(v), \" \", v[157]);\nquit\n";
    std::fs::write(folder.path().join("script.gp"), script).unwrap();
    let output = Command::new("gp").args(["-f", "-q", "script.gp"]).current_dir(folder.path()).output().unwrap();
    let table = nimsieve::cold(&nimsieve::set::Squares, 100_000).unwrap();
    let (last, sum) = (table.largest().unwrap(), table.iter().sum::<u64>());
    let expected = format!("2781 [0, 2, 5, 7] {last} {sum}\n300 11 11\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{}", String::from_utf8_lossy(&output.stderr));
}

/// LaTeX rows hold the same numbers, in groups of three; LaTeX itself sets them, where it is installed.
#[test]
fn latex_rows() {
    let folder = tempfile::tempdir().unwrap();
    prints(folder.path(), &["cold", "squares", "2000", "-o", "cold.tex"]);
    prints(folder.path(), &["study", "density", "squares", "1e6", "--fits", "-o", "fits.tex"]);
    let text = std::fs::read_to_string(folder.path().join("cold.tex")).unwrap();
    let numbers = |row: &str| -> Vec<u64> {
        row.trim_end_matches(" \\\\").split(" & ").map(|cell| cell.replace("\\,", "").parse().unwrap()).collect()
    };
    let body = text.split("\\midrule\n").nth(1).unwrap().split("\\bottomrule").next().unwrap();
    let rows: Vec<Vec<u64>> = body.lines().map(numbers).collect();
    let expected = nimsieve::cold(&nimsieve::set::Squares, 2000).unwrap();
    assert!(rows.iter().map(|row| row[1]).eq(expected.iter()) && rows[7][0] == 7);
    assert!(text.contains(" & 1\\,795 \\\\\n"), "{text}");
    if !is_installed("pdflatex", &["--version"]) {
        return;
    }
    let document = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n\
                    \\begin{tabular}{lrrrrl}\\input{fits.tex}\\end{tabular}\n\\end{document}\n";
    std::fs::write(folder.path().join("d.tex"), document).unwrap();
    let output = Command::new("pdflatex")
        .args(["-interaction=batchmode", "-halt-on-error", "d.tex"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// numpy takes the CSV file unchanged.
#[test]
fn numpy_reads_the_csv_files() {
    if !is_installed("python3", &["-c", "import numpy"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    prints(folder.path(), &["study", "gaps", "squares", "1e6", "-o", "gaps.csv"]);
    let script = "import numpy as n; a = n.genfromtxt('gaps.csv', delimiter=',', names=True, dtype=None); \
                  print(a.dtype.names, int(a['gap'].max()), int(a['after'][-1]))";
    let output = Command::new("python3").args(["-c", script]).current_dir(folder.path()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "('gap', 'after') 943 835952\n", "{output:?}");
}
