//! The command line: options, formats, and every kind of bad input.

#![cfg(feature = "cli")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use nimsieve::sink::GrundySink;
use serde_json::Value;
use tempfile::TempDir;

/// The program, in a folder of its own.
fn nimsieve(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nimsieve")).current_dir(folder).args(arguments).output().unwrap()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// What the program prints, when it succeeds.
fn prints(arguments: &[&str]) -> String {
    let output = nimsieve(folder().path(), arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output).to_owned()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&prints(arguments)).unwrap()
}

/// The message of a run that fails with exit code 2 and prints nothing else.
fn fails(folder: &Path, arguments: &[&str]) -> String {
    let output = nimsieve(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    assert_eq!(stdout(&output), "", "{arguments:?}");
    assert!(!stderr(&output).contains("panicked"), "{arguments:?}: {}", stderr(&output));
    stderr(&output).to_owned()
}

#[test]
fn main_job() {
    let lines = prints(&["cold", "squares", "1e6"]);
    assert!(lines.starts_with("13,952 cold positions of squares below 1,000,000\nlargest 999,960\n"), "{lines}");
    assert_eq!(prints(&["-q", "cold", "squares", "1e6"]), "13952\n");
    // OEIS A297963: nim-value 28 first occurs at 6,133, and 29 at 6,809.
    assert_eq!(prints(&["grundy", "squares", "6809", "-q"]), "28\n");
    assert_eq!(prints(&["grundy", "squares", "6810", "-q"]), "29\n");
}

#[test]
fn a_double_check_computes_everything_another_way() {
    // One run by each engine, and the other way that it is checked by.
    for (arguments, other) in [
        (&["squares", "2e6"][..], "wheel"),
        (&["squares", "2e6", "--engine", "sieve"], "wheel"),
        (&["squares", "1e5"], "divide"),
        (&["primes", "1e5", "--engine", "divide"], "sieve"),
        (&["squares", "1e5", "--misere"], "divide"),
        (&["squares", "2e6", "--modulus", "325"], "wheel"),
    ] {
        let mut all = vec!["cold"];
        all.extend(arguments);
        all.push("--double-check");
        let text = prints(&all);
        assert!(text.contains("double check agrees") && text.contains(&format!("engine {other}")), "{text}");
        all.push("--json");
        assert_eq!(json(&all)["double_check"], true);
    }
    assert_eq!(json(&["--json", "cold", "squares", "100"])["double_check"], Value::Null);
    assert!(fails(folder().path(), &["cold", "squares", "1e6", "--modulus", "0"]).contains("modulus"));
    assert!(
        fails(folder().path(), &["cold", "squares", "1e6", "--modulus", "65", "--engine", "sieve"]).contains("wheel")
    );
}

#[test]
fn json_keys() {
    let cold = json(&["--json", "cold", "squares", "1e6", "--engine", "divide", "-t", "1"]);
    assert_eq!(cold["count"], 13_952);
    assert_eq!(cold["largest"], 999_960);
    assert_eq!(cold["engine"], "divide");
    assert_eq!(cold["threads"], 1);
    assert!(cold["seconds"].is_f64());
    let grundy = json(&["--json", "grundy", "primes", "1000"]);
    assert_eq!(grundy["max"], 11);
    assert_eq!(grundy["max_at"], 156);
    assert_eq!(grundy["first"], serde_json::json!([0, 2, 4, 6, 8, 19, 21, 23, 43, 48, 67, 156]));
    assert_eq!(grundy["histogram"].as_array().unwrap().len(), 12);
    let moves = json(&["--json", "moves", "squares", "13"]);
    assert_eq!(moves["moves"], serde_json::json!([{"heap": 0, "take": 1, "leave": 12}]));
    let empty = json(&["--json", "cold", "squares", "0"]);
    assert_eq!((&empty["count"], &empty["largest"]), (&Value::from(0), &Value::Null));
    let plan = json(&["--json", "plan", "squares", "1e9"]);
    assert!(plan["engines"]["divide"]["declines"].is_string());
    assert!(json(&["--json", "sets"])["sets"].as_array().unwrap().len() > 15);
    assert!(json(&["--json", "oeis"])["sequences"].as_array().unwrap().len() > 15);
}

#[test]
fn sizes_that_may_pass_2_to_the_53_are_strings() {
    let plan = json(&["--json", "plan", "squares", "2^53"]);
    assert!(plan["n"].is_u64() && plan["memory"].as_str().unwrap().parse::<u64>().is_ok(), "{plan}");
    assert!(plan["engines"]["sieve"]["memory"].is_string());
    let compared = json(&["--json", "compare", "squares", "1000"]);
    assert!(!compared["engines"].as_array().unwrap().iter().any(|row| row["memory"].is_number()), "{compared}");
}

/// The README's table names every key, nested ones too.
#[test]
fn the_readme_lists_every_json_key() {
    fn keys(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::Object(object) => object.iter().for_each(|(key, value)| {
                into.push(key.clone());
                keys(value, into);
            }),
            Value::Array(array) => array.iter().for_each(|value| keys(value, into)),
            _ => {}
        }
    }
    let folder = folder();
    std::fs::write(folder.path().join("b.txt"), "0 0\n1 3\n").unwrap();
    for command in ["cold", "grundy"] {
        assert!(nimsieve(folder.path(), &[command, "squares", "100", "--table", command]).status.success());
    }
    let counts = folder.path().join("counts");
    let mut counts =
        nimsieve::table::CounterWriter::create(counts, "squares", nimsieve::grundy::Engine::Flags).unwrap();
    nimsieve::Plan::grundy(&nimsieve::set::Squares, 100).unwrap().run_into(&Default::default(), &mut counts).unwrap();
    counts.offer_state(&Vec::new, true).unwrap();
    assert!(nimsieve(folder.path(), &["period", "2,8,9", "-o", "p.json"]).status.success());
    let readme = include_str!("../README.md");
    for (row, arguments) in [
        ("cold", &["cold", "squares", "100"][..]),
        ("grundy", &["grundy", "squares", "100"]),
        ("moves", &["moves", "squares", "13"]),
        ("period", &["period", "2,8,9"]),
        ("period --check", &["period", "--check", "p.json"]),
        ("census", &["census", "--max", "4"]),
        ("heaps", &["heaps", "squares", "100"]),
        ("remoteness", &["remoteness", "squares", "100"]),
        ("oeis A...", &["oeis", "A030193", "--terms", "3"]),
        ("oeis A...", &["oeis", "A030193", "--terms", "3", "-o", "c.txt"]),
        ("oeis", &["oeis"]),
        ("verify", &["verify", "b.txt", "--set", "squares", "--kind", "cold"]),
        ("plan", &["plan", "squares", "100"]),
        ("compare", &["compare", "squares", "100"]),
        ("compare", &["compare", "squares", "100,200"]),
        ("sets", &["sets"]),
        ("claims", &["claims"]),
        ("table", &["table", "cold"]),
        ("table", &["table", "grundy"]),
        ("table", &["table", "counts"]),
        ("study density", &["study", "density", "squares", "5000"]),
        ("study density", &["study", "density", "squares", "5000", "--at-cold"]),
        ("study residues", &["study", "residues", "squares", "100", "--modulus", "5"]),
        ("study residues", &["study", "residues", "squares", "100", "--rank", "5"]),
        ("study digits", &["study", "digits", "squares", "100", "--base", "2"]),
        ("study gaps", &["study", "gaps", "squares", "100"]),
        ("study gaps", &["study", "gaps", "squares", "100", "--histogram"]),
        ("study moves", &["study", "moves", "squares", "100"]),
        ("study nim", &["study", "nim", "squares", "1000"]),
        ("study difference-free", &["study", "difference-free", "squares", "100"]),
        #[cfg(feature = "plot")]
        ("plot", &["plot", "density", "squares", "5000", "-o", "x.svg"]),
        #[cfg(feature = "plot")]
        ("report", &["report", "squares", "2000", "-o", "x.html"]),
        #[cfg(feature = "plot")]
        ("reproduce", &["reproduce", "--list"]),
        ("chopsticks reach", &["chopsticks", "reach", "--list"]),
        ("chopsticks grid", &["chopsticks", "grid", "--rollover", "3"]),
        ("-o x.json", &["cold", "squares", "100", "-o", "x.json"]),
        ("-o x.json", &["grundy", "squares", "100", "-o", "x.json"]),
        ("-o x.json", &["remoteness", "squares", "100", "-o", "x.json"]),
        ("x.npy.json", &["cold", "squares", "100", "-o", "x.npy"]),
    ] {
        let output = nimsieve(folder.path(), &[&["--json"], arguments].concat());
        let text = match row.ends_with("json") {
            true => std::fs::read_to_string(folder.path().join(row.trim_start_matches("-o "))).unwrap(),
            false => stdout(&output).to_owned(),
        };
        let line = readme.lines().find(|line| line.starts_with(&format!("| `{row}` |"))).unwrap();
        let mut found = Vec::new();
        keys(&serde_json::from_str(&text).unwrap(), &mut found);
        // Engines by name, in a plan, are no keys of their own.
        let is_engine = |key: &String| key.parse::<nimsieve::cold::Engine>().is_ok();
        found.retain(|key| !["tool", "command"].contains(&&key[..]) && !is_engine(key));
        assert!(found.len() > 1, "{row}");
        for key in found {
            assert!(line.contains(&format!("`{key}`")), "{row}: {key}");
        }
    }
}

#[test]
fn oeis_in_json_holds_the_terms() {
    let object = json(&["--json", "oeis", "A072545", "--terms", "4"]);
    assert_eq!((&object["sequence"], &object["offset"], &object["terms"]), (&"A072545".into(), &0.into(), &4.into()));
    assert_eq!(object["values"], serde_json::json!([1, 2, 10, 11]));
    let folder = folder();
    let output = nimsieve(folder.path(), &["--json", "oeis", "A072545", "--terms", "4", "-o", "b.txt"]);
    let filed: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!((&filed["file"], &filed["sha256"]), (&"b.txt".into(), &object["sha256"]));
}

#[test]
fn compare_runs_every_engine_and_they_agree() {
    for kind in ["cold", "grundy"] {
        let compared = json(&["--json", "compare", "triangular", "20000", "--kind", kind]);
        assert_eq!(compared["agree"], true);
        let ran = compared["engines"].as_array().unwrap().iter().filter(|row| row["digest"].is_string()).count();
        assert!(ran >= 2, "{compared}");
    }
    let alone = json(&["--json", "compare", "squares", "1e9", "--limit", "0.000001"]);
    assert_eq!(alone["agree"], Value::Null, "nothing ran");
    let text = prints(&["compare", "squares", "1e9", "--limit", "0.0001"]);
    assert!(text.contains("above --limit") && text.contains("declines"), "{text}");
}

/// Several games in one run, and a file that any reader of CSV takes.
#[test]
fn compare_keeps_what_it_measured() {
    let folder = folder();
    let arguments =
        ["--json", "compare", "squares", "1e3,2e3", "--also", "1,4,9", "--kind", "cold,grundy", "-o", "x.csv"];
    let output = nimsieve(folder.path(), &arguments);
    let compared: Value = serde_json::from_str(stdout(&output)).unwrap();
    let cases = compared["cases"].as_array().unwrap();
    let games: Vec<_> =
        cases.iter().map(|case| (case["kind"].as_str().unwrap(), case["set"].as_str().unwrap())).collect();
    assert_eq!(games[..4], [("cold", "squares"), ("cold", "squares"), ("cold", "1,4,9"), ("cold", "1,4,9")]);
    assert!(cases.len() == 8 && cases.iter().all(|case| case["agree"] == true), "{compared}");

    let text = std::fs::read_to_string(folder.path().join("x.csv")).unwrap();
    for start in ["# nimsieve ", "# machine ", "# threads "] {
        assert!(text.lines().any(|line| line.starts_with(start) && line.len() > start.len()), "{start} in\n{text}");
    }
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let engines: usize = cases.iter().map(|case| case["engines"].as_array().unwrap().len()).sum();
    assert_eq!(rows.len(), engines);
    // Every row has a time or a reason, never both.
    assert!(rows.iter().all(|row| row[4].parse::<f64>().is_ok() == row[7].is_empty()), "{text}");
    assert_eq!(rows.last().unwrap()[0], *"1,4,9");

    let nowhere = nimsieve(folder.path(), &["compare", "squares", "100", "-o", "no/such/folder/x.csv"]);
    assert_eq!(nowhere.status.code(), Some(2));
}

#[test]
fn moves_at_the_end_of_the_game() {
    assert!(prints(&["moves", "squares", "0"]).contains("no move is left: the player to move has lost"));
    assert!(prints(&["moves", "squares", "0", "--misere"]).contains("no move is left: the player to move has won"));
    assert!(prints(&["moves", "primes", "1", "1", "--misere"]).contains("the player to move has won"));
    assert!(prints(&["moves", "primes", "10"]).contains("no winning move"));
    assert_eq!(json(&["--json", "moves", "squares", "0", "--misere"])["over"], true);
    assert_eq!(json(&["--json", "moves", "squares", "2", "--misere"])["over"], false);
}

/// A heap too large for nim-values is told by the cold positions, in misere play too.
#[test]
fn moves_from_a_large_heap() {
    let moves = |play: &[&str]| {
        let object = json(&[&["--json", "moves", "squares", "2e7"], play].concat());
        assert_eq!(object["nim_values"], Value::Null, "no nim-values are computed");
        (object["outcome"].clone(), object["moves"].clone())
    };
    // The misere-cold heaps are the cold ones plus 1.
    let table = nimsieve::cold(&nimsieve::set::Squares, 20_000_001).unwrap();
    for (play, shift) in [(&[][..], 0), (&["--misere"], 1)] {
        let (outcome, found) = moves(play);
        let takes: Vec<u64> = (1..).map(|k: u64| k * k).take_while(|s| s + shift <= 20_000_000).collect();
        let expected: Vec<u64> = takes.into_iter().filter(|s| table.is_cold(20_000_000 - shift - s).unwrap()).collect();
        assert_eq!(outcome, if table.is_cold(20_000_000 - shift).unwrap() { "cold" } else { "hot" });
        let found: Vec<u64> = found.as_array().unwrap().iter().map(|m| m["take"].as_u64().unwrap()).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn files_with_an_at_sign_are_sets() {
    let folder = folder();
    std::fs::write(folder.path().join("a@b.txt"), "1\n4\n9\n").unwrap();
    for arguments in [["moves", "file:a@b.txt", "13"], ["moves", "file:a@b.txt@13", "-q"]] {
        let output = nimsieve(folder.path(), &arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn every_format_holds_the_same_values() {
    let folder = folder();
    let files = ["x.txt", "x.csv", "x.json", "x.npy"];
    let mut arguments = vec!["cold", "primes", "20000"];
    files.iter().for_each(|file| arguments.extend(["-o", file]));
    assert!(nimsieve(folder.path(), &arguments).status.success());
    let read = |file: &str| std::fs::read(folder.path().join(file)).unwrap();
    let expected: Vec<u64> =
        nimsieve::cold(&"primes".parse::<nimsieve::set::NamedSet>().unwrap(), 20_000).unwrap().iter().collect();

    let text = String::from_utf8(read("x.txt")).unwrap();
    let from_text: Vec<u64> = text.lines().map(|line| line.split_once(' ').unwrap().1.parse().unwrap()).collect();
    assert_eq!(from_text, expected);

    let text = String::from_utf8(read("x.csv")).unwrap();
    let mut rows = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    assert_eq!(rows.headers().unwrap(), vec!["index", "position"]);
    let from_csv: Vec<u64> = rows.records().map(|row| row.unwrap()[1].parse().unwrap()).collect();
    assert_eq!(from_csv, expected);
    assert!(text.contains("# set primes\n") && text.contains("# n 20000\n"));

    let object: Value = serde_json::from_slice(&read("x.json")).unwrap();
    assert_eq!(object["positions"], Value::from(expected.clone()));
    assert_eq!(object["count"], expected.len());
    assert!(text.ends_with(&format!("# sha256 {}\n", object["sha256"].as_str().unwrap())));

    let bytes = read("x.npy");
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let from_npy: Vec<u64> = bytes[start..].as_chunks::<8>().0.iter().map(|&word| u64::from_le_bytes(word)).collect();
    assert_eq!(from_npy, expected);
    let side_car: Value = serde_json::from_slice(&read("x.npy.json")).unwrap();
    assert_eq!(side_car["sha256"], object["sha256"]);
    assert_eq!(side_car["count"], expected.len());

    assert!(
        nimsieve(folder.path(), &["cold", "primes", "20000", "-o", "b.npy", "--format", "npy-bits"]).status.success()
    );
    let bytes = read("b.npy");
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let table = nimsieve::cold(&"primes".parse::<nimsieve::set::NamedSet>().unwrap(), 20_000).unwrap();
    let words: Vec<u64> = bytes[start..].as_chunks::<8>().0.iter().map(|&word| u64::from_le_bytes(word)).collect();
    assert_eq!(words, table.words());
}

/// numpy itself reads the files, where it is installed.
#[test]
fn numpy_reads_the_files() {
    let available = Command::new("python3").args(["-c", "import numpy"]).stderr(Stdio::null()).status();
    if !available.is_ok_and(|status| status.success()) {
        eprintln!("numpy is not installed: skipped");
        return;
    }
    let folder = folder();
    for arguments in [
        ["grundy", "primes", "500", "-o", "narrow.npy"],
        ["grundy", "allbut:1", "2000", "-o", "wide.npy"],
        ["cold", "squares", "500", "-o", "cold.npy"],
    ] {
        assert!(nimsieve(folder.path(), &arguments).status.success());
    }
    let script = "import numpy as n; a = [n.load(f + '.npy') for f in ('narrow', 'wide', 'cold')]; \
                  print([x.dtype.str for x in a], [x.shape[0] for x in a], int(a[0].max()), int(a[1].max()), a[2][:4].tolist())";
    let output = Command::new("python3").current_dir(folder.path()).args(["-c", script]).output().unwrap();
    let wide = nimsieve::grundy(&"allbut:1".parse::<nimsieve::set::NamedSet>().unwrap(), 2000).unwrap();
    let count = nimsieve::cold(&nimsieve::set::Squares, 500).unwrap().count();
    let max = wide.max().unwrap().0;
    let expected = format!("['|u1', '<u2', '<i8'] [500, 2000, {count}] 11 {max} [0, 2, 5, 7]\n");
    assert_eq!(stdout(&output), expected, "{}", stderr(&output));
}

#[test]
fn the_same_bytes_whatever_runs() {
    let folder = folder();
    let mut files = Vec::new();
    for (index, extra) in
        [["--engine", "sieve"], ["--engine", "divide"], ["--engine", "recurrence"], ["-t", "1"]].iter().enumerate()
    {
        let file = format!("{index}.csv");
        let mut arguments = vec!["cold", "squares", "50000", "-o", &file];
        arguments.extend(extra);
        assert!(nimsieve(folder.path(), &arguments).status.success());
        files.push(std::fs::read(folder.path().join(&file)).unwrap());
    }
    assert!(files.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn verify_finds_the_first_line_that_differs() {
    let folder = folder();
    let path = folder.path();
    let write = |name: &str, text: &str| std::fs::write(path.join(name), text).unwrap();
    write("good.txt", "# cold\n0 0\n1 2\n\n2 5\n3 7\n");
    write("bad.txt", "0 0\n1 2\n2 6\n3 8\n");
    write("long.txt", "0 0\n1 2\n2 5\n3 6\n");
    write("shifted.txt", "1 1\n2 3\n3 6\n");
    write("values.txt", "5 0\n6 1\n7 0\n8 1\n9 2\n");
    write("wrong.txt", "5 0\n6 1\n7 0\n8 2\n9 2\n");
    let verify = |file: &str, kind: &str, extra: &[&str]| {
        let mut arguments = vec!["verify", file, "--set", "squares", "--kind", kind];
        arguments.extend(extra);
        let output = nimsieve(path, &arguments);
        (output.status.code().unwrap(), stdout(&output).to_owned())
    };
    assert_eq!(verify("good.txt", "cold", &[]).0, 0);
    let (code, text) = verify("bad.txt", "cold", &[]);
    assert_eq!(code, 1);
    assert!(text.contains("line 3") && text.contains("index 2, expected 5, found 6"), "{text}");
    let (code, text) = verify("long.txt", "cold", &[]);
    assert_eq!(code, 1);
    assert!(text.contains("line 4") && text.contains("found 6"), "{text}");
    assert_eq!(verify("shifted.txt", "cold", &["--shift", "1"]).0, 0);
    assert_eq!(verify("shifted.txt", "cold", &[]).0, 1);
    assert_eq!(verify("values.txt", "grundy", &[]).0, 0);
    let (code, text) = verify("wrong.txt", "grundy", &[]);
    assert_eq!(code, 1);
    assert!(text.contains("line 4") && text.contains("index 8, expected 1, found 2"), "{text}");

    // One corrupt value, however large, neither sets how far the game is played nor hides what should stand there.
    write("huge.txt", "0 0\n1 2\n2 18446744073709551615\n3 7\n");
    write("large.txt", "0 0\n1 2\n2 1000000000000000\n3 7\n");
    write("falls.txt", "0 0\n1 2\n2 5\n3 3\n4 10\n");
    for (file, line, found) in [("huge.txt", 3, "18446744073709551615"), ("large.txt", 3, "1000000000000000")] {
        let (code, text) = verify(file, "cold", &[]);
        assert_eq!(code, 1);
        assert!(text.contains(&format!("line {line} ")) && text.contains("expected 5,"), "{text}");
        assert!(text.contains(found), "{text}");
    }
    let (code, text) = verify("falls.txt", "cold", &[]);
    assert_eq!(code, 1);
    assert!(text.contains("line 4") && text.contains("expected 7, found 3"), "{text}");
    let (code, text) = verify("bad.txt", "cold", &["--json"]);
    let object: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &object["expected"], &object["found"]), (1, &Value::from("5"), &Value::from("6")));
    // Only 0 is cold when everything may be taken.
    write("none.txt", "0 0\n1 5\n");
    let output = nimsieve(path, &["verify", "none.txt", "--set", "poly:k", "--kind", "cold"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("no cold position is left"), "{}", stdout(&output));
    // A wrong value near the start ends the check of a long file there.
    let far: String = (0..2_000_000).map(|i| format!("{i} {}\n", if i == 3 { 9 } else { i % 2 })).collect();
    write("far.txt", &far);
    let (code, text) = verify("far.txt", "grundy", &[]);
    assert_eq!(code, 1);
    assert!(text.contains("line 4 ") && text.contains("expected 1, found 9"), "{text}");
    std::fs::write(path.join("latin.txt"), b"0 0\n1 \xe9\n").unwrap();
    assert!(fails(path, &["verify", "latin.txt", "--set", "squares", "--kind", "cold"]).contains("line 2"));
    write("windows.txt", "\u{feff}0 0\r\n1 2\r\n");
    assert_eq!(verify("windows.txt", "cold", &[]).0, 0);

    write("gap.txt", "0 0\n2 2\n");
    let message = fails(path, &["verify", "gap.txt", "--set", "squares", "--kind", "cold"]);
    assert!(message.contains("line 2") && message.contains("expected index 1"), "{message}");
    write("text.txt", "0 0\nx y\n");
    assert!(fails(path, &["verify", "text.txt", "--set", "squares", "--kind", "cold"]).contains("line 2"));
    write("empty.txt", "");
    fails(path, &["verify", "empty.txt", "--set", "squares", "--kind", "cold"]);
    std::fs::write(path.join("binary.txt"), [0xff, 0xfe, 0, 1]).unwrap();
    fails(path, &["verify", "binary.txt", "--set", "squares", "--kind", "grundy"]);
    fails(path, &["verify", "absent.txt", "--set", "squares", "--kind", "cold"]);
}

#[test]
fn bad_input_is_an_error_with_a_way_out() {
    let folder = folder();
    let path = folder.path();
    std::fs::write(path.join("zero.set"), "1\n4\n0 # none\n").unwrap();
    std::fs::write(path.join("word.set"), "1\nfour\n").unwrap();
    std::fs::write(path.join("empty.set"), "# nothing\n").unwrap();
    std::fs::write(path.join("latin.set"), b"1\n4 # caf\xe9\n").unwrap();
    std::fs::write(path.join("long.set"), format!("1\n{}\n", "9".repeat(5000))).unwrap();
    std::fs::write(path.join("windows.set"), "\u{feff}# squares\r\n9\r\n1\r\n4\r\n").unwrap();
    std::fs::write(path.join("good.set"), "# squares\n9\n1\n\n4 # two\n").unwrap();
    for (arguments, expected) in [
        (&["cold", "square", "10"][..], "known: squares"),
        (&["cold", "", "10"], "not a subtraction set"),
        (&["cold", "0,1", "10"], "must take at least 1"),
        (&["cold", "1,-4", "10"], "negative"),
        (&["cold", "poly:-k^2", "10"], "no positive value"),
        (&["cold", "poly:k^2x", "10"], "at `x`"),
        (&["cold", "poly:k^2+x", "10"], "is not a term"),
        (&["cold", "poly:2 3k", "10"], "at ` 3k`"),
        (&["cold", "poly:k^2 5", "10"], "at ` 5`"),
        (&["cold", "file:latin.set", "10"], "line 2"),
        (&["cold", "file:long.set", "10"], "line 2"),
        (&["cold", "squares", "1.5"], "not an integer"),
        (&["cold", "1,2^64", "10"], "2^64 - 1"),
        (&["cold", "file:zero.set", "10"], "line 3"),
        (&["cold", "file:word.set", "10"], "line 2"),
        (&["cold", "file:empty.set", "10"], "no number"),
        (&["cold", "file:none.set", "10"], "none.set"),
        (&["cold", "file:.", "10"], ""),
        (&["cold", "squares", "1e20"], "too large"),
        (&["cold", "squares", "-5"], ""),
        (&["cold", "squares", "x"], "not a number"),
        (&["cold", "squares", "10", "--engine", "fast"], "known: recurrence"),
        (&["cold", "squares", "1e9", "--engine", "divide"], "declines"),
        (&["cold", "squares", "1e18"], "--force"),
        (&["grundy", "squares", "1e15"], "--force"),
        (&["grundy", "poly:k", "70000"], "65536"),
        (&["cold", "squares", "10", "-o", "no/such/folder/x.txt"], "no/such/folder"),
        (&["cold", "squares", "10", "-o", "no/x.txt"], "no/x.txt: there is no folder no;"),
        (&["cold", "squares", "10", "-o", "."], ""),
        (&["cold", "squares", "10", "-o", "x.npy", "-o", "x.npy.json"], "twice"),
        (&["cold", "squares", "10", "-o", "x.npy.json", "-o", "./x.npy"], "twice"),
        (&["cold", "squares", "10", "-o", "x.txt", "-o", "./x.txt"], "twice"),
        (&["cold", "squares", "10", "-o", "-", "-o", "-"], "twice"),
        (&["cold", "squares", "10", "-o", ""], ""),
        (&["cold", "squares", "10", "-o", "x.png"], "--format"),
        (&["cold", "squares", "10", "-o", "x.txt", "--format", "png"], "known: bfile"),
        (&["cold", "squares", "10", "-o", "x.txt", "-o", "x.txt"], "twice"),
        (&["grundy", "squares", "10", "-o", "x.npy", "--format", "npy-bits"], "npy"),
        (&["cold", "squares", "10", "--json", "-o", "-"], "standard output"),
        (&["cold", "squares", "10", "-t", "0"], ""),
        (&["moves", "squares"], "at least one heap"),
        (&["moves", "squares", "x"], "not a number"),
        (&["moves", "squares@13", "20"], "not both"),
        (&["moves", "squares", "13", "primes@20"], "not both"),
        (&["moves", "squares", "2^53+1", "--json"], "2^53"),
        (&["cold", "squares", "2^53+1", "--json", "--force"], "2^53"),
        (&["cold", "squares", "2^53+1", "--force", "-o", "x.json"], "2^53"),
        (&["plan", "squares", "2^53+1", "--json"], "2^53"),
        (&["compare", "squares", "2^53+1", "--json"], "2^53"),
        (&["oeis", "A014586", "--terms", "1e15"], "--force"),
        (&["oeis", "A014586", "--terms", "1e15"], "--terms K"),
        (&["oeis", "A030193", "--json", "-o", "-"], "standard output"),
        (&["completions", "bash", "--json"], "no JSON object"),
        (&["moves", "squares", "2^64-1"], ""),
        (&["oeis", "A000001"], "known: A001581"),
        (&["oeis", "A030193", "-o", "no/such/x.txt"], "no/such"),
        (&["verify"], ""),
        (&["plan", "squares", "10", "--engine", "x"], "known"),
    ] {
        let message = fails(path, arguments);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    assert!(std::fs::read_dir(path).unwrap().all(|entry| entry.unwrap().path().extension().unwrap() == "set"));
    for set in ["file:good.set", "file:windows.set"] {
        assert_eq!(stdout(&nimsieve(path, &["-q", "cold", set, "100"])), prints(&["-q", "cold", "1,4,9", "100"]));
    }
}

#[test]
fn tiny_n() {
    for n in ["0", "1", "2"] {
        for set in ["squares", "primes", "5", "allbut:1"] {
            let count = json(&["--json", "cold", set, n])["count"].as_u64().unwrap();
            let values = json(&["--json", "grundy", set, n]);
            assert_eq!(values["histogram"].as_array().unwrap().first().map_or(0, |c| c.as_u64().unwrap()), count);
            prints(&["cold", set, n, "--misere"]);
            prints(&["cold", set, n]);
            prints(&["grundy", set, n, "--histogram"]);
            prints(&["plan", set, n]);
        }
    }
    assert_eq!(prints(&["oeis", "A030193", "--terms", "0"]), "");
}

#[test]
fn a_failed_run_leaves_what_was_there() {
    let folder = folder();
    let target = folder.path().join("x.txt");
    std::fs::write(&target, "old\n").unwrap();
    fails(folder.path(), &["grundy", "poly:k", "70000", "-o", "x.txt"]);
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "old\n");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn the_citation_names_this_version() {
    let citation = include_str!("../CITATION.cff");
    assert!(citation.lines().any(|line| line == concat!("version: ", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn endings_may_be_in_capitals() {
    let folder = folder();
    assert!(nimsieve(folder.path(), &["cold", "squares", "1.5e2", "-o", "X.TXT"]).status.success());
    assert!(std::fs::read_to_string(folder.path().join("X.TXT")).unwrap().starts_with("0 0\n1 2\n"));
}

#[test]
fn a_side_car_that_cannot_be_written_fails_before_the_run() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("x.npy.json")).unwrap();
    // A run of minutes: the message comes at once, and nothing is left.
    let message = fails(folder.path(), &["grundy", "squares", "1e8", "-o", "x.npy"]);
    assert!(message.contains("x.npy.json") && message.contains("side-car"), "{message}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
mod unix {
    /// A sequence that takes minutes tells so before it starts, unless the user wants quiet.
    #[test]
    fn a_long_sequence_warns_at_the_start() {
        for (extra, warned) in [(&[][..], true), (&["-q"], false)] {
            let folder = folder();
            let mut child = Command::new(env!("CARGO_BIN_EXE_nimsieve"))
                .current_dir(folder.path())
                .args([&["oeis", "A014586", "--terms", "1e8", "-o", "x.txt", "--force"], extra].concat())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            if warned {
                let mut first = String::new();
                let mut lines = std::io::BufReader::new(child.stderr.as_mut().unwrap());
                std::io::BufRead::read_line(&mut lines, &mut first).unwrap();
                assert!(first.contains("--terms K") && first.contains("below 100,000,000"), "{first}");
            } else {
                std::thread::sleep(std::time::Duration::from_secs(1));
            }
            send(&child, "TERM");
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(2));
            assert!(!stderr(&output).contains("--terms"), "{}", stderr(&output));
        }
    }

    use super::*;
    use std::io::Read;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_closed_pipe_ends_quietly() {
        for format in ["bfile", "csv", "npy", "npy-bits", "json"] {
            // Every format fills the pipe many times over.
            let mut child = Command::new(env!("CARGO_BIN_EXE_nimsieve"))
                .args(["cold", "primes", "2e6", "-o", "-", "--format", format])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut first = [0];
            child.stdout.take().unwrap().read_exact(&mut first).unwrap();
            let output = child.wait_with_output().unwrap();
            assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{format}");
        }
    }

    #[test]
    fn files_can_be_read_by_others_and_links_stay() {
        let folder = folder();
        let path = folder.path();
        std::os::unix::fs::symlink("real.txt", path.join("link.txt")).unwrap();
        std::fs::write(path.join("real.txt"), "").unwrap();
        assert!(nimsieve(path, &["cold", "squares", "10", "-o", "link.txt", "-o", "new.txt"]).status.success());
        assert!(path.join("link.txt").is_symlink());
        let expected = "0 0\n1 2\n2 5\n3 7\n";
        assert_eq!(std::fs::read_to_string(path.join("real.txt")).unwrap(), expected);
        std::fs::write(path.join("plain"), "").unwrap();
        let mode = |name: &str| path.join(name).metadata().unwrap().permissions().mode();
        assert_eq!(mode("new.txt"), mode("plain"), "as any new file");
    }

    #[test]
    fn endless_files_fail_at_once() {
        let folder = folder();
        for arguments in
            [&["cold", "file:/dev/zero", "10"][..], &["verify", "/dev/zero", "--set", "squares", "--kind", "cold"]]
        {
            assert!(fails(folder.path(), arguments).contains("line 1"), "{arguments:?}");
        }
    }

    #[test]
    fn devices_are_written_to_and_not_replaced() {
        assert!(prints(&["cold", "squares", "100", "-o", "/dev/null", "--format", "bfile"]).contains("21 cold"));
        assert!(!Path::new("/dev/null").is_file());
        if Path::new("/dev/full").exists() {
            let message = fails(folder().path(), &["cold", "squares", "1e6", "-o", "/dev/full", "--format", "csv"]);
            assert!(message.contains("/dev/full"), "{message}");
        }
    }

    #[test]
    fn a_full_disk_is_an_error_and_leaves_nothing() {
        // A limit on the size of files stands for the full disk; the signal that comes with it is ignored.
        let folder = folder();
        let script =
            format!("trap '' XFSZ; ulimit -f 8; exec {} cold primes 1e6 -o x.txt", env!("CARGO_BIN_EXE_nimsieve"));
        let output = Command::new("bash").current_dir(folder.path()).args(["-c", &script]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("x.txt"), "{}", stderr(&output));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_link_to_nothing_yet_gets_its_file() {
        let folder = folder();
        let path = folder.path();
        std::fs::create_dir(path.join("there")).unwrap();
        std::os::unix::fs::symlink("there/new.txt", path.join("link.txt")).unwrap();
        assert!(nimsieve(path, &["cold", "squares", "3", "-o", "link.txt"]).status.success());
        assert!(path.join("link.txt").is_symlink());
        assert_eq!(std::fs::read_to_string(path.join("there/new.txt")).unwrap(), "0 0\n1 2\n");
        // Two names of one file, by a link.
        assert!(fails(path, &["cold", "squares", "3", "-o", "link.txt", "-o", "there/new.txt"]).contains("twice"));
        std::os::unix::fs::symlink("loop.txt", path.join("loop.txt")).unwrap();
        assert!(fails(path, &["cold", "squares", "3", "-o", "loop.txt"]).contains("loop.txt"));
    }

    #[test]
    fn a_file_that_is_replaced_keeps_its_mode() {
        let folder = folder();
        for mode in [0o600, 0o666, 0o640] {
            let target = folder.path().join("x.txt");
            std::fs::write(&target, "").unwrap();
            std::fs::set_permissions(&target, std::fs::Permissions::from_mode(mode)).unwrap();
            assert!(nimsieve(folder.path(), &["cold", "squares", "10", "-o", "x.txt"]).status.success());
            assert_eq!(target.metadata().unwrap().permissions().mode() & 0o777, mode);
        }
    }

    /// Starts a run of minutes, and returns when its temporary file is there.
    fn long_run(folder: &Path, before: &str) -> std::process::Child {
        // bash becomes the program, so the process keeps its number.
        let script = format!("{before} exec {} grundy squares 1e8 -o x.txt", env!("CARGO_BIN_EXE_nimsieve"));
        let mut child = Command::new("bash")
            .current_dir(folder)
            .args(["-c", &script])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while std::fs::read_dir(folder).unwrap().count() == 0 {
            assert!(child.try_wait().unwrap().is_none(), "it runs for minutes");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        child
    }

    fn send(child: &std::process::Child, signal: &str) {
        assert!(Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap().success());
    }

    #[test]
    fn a_signal_stops_the_run_and_leaves_nothing() {
        for signal in ["INT", "TERM", "HUP"] {
            let folder = folder();
            let child = long_run(folder.path(), "");
            send(&child, signal);
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{signal}");
            assert!(stderr(&output).contains("stopped"), "{}", stderr(&output));
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn a_second_signal_ends_the_run_at_once_and_leaves_nothing() {
        let folder = folder();
        let child = long_run(folder.path(), "");
        // Whether the second one comes before the run has seen the first is a matter of luck; nothing is left either way.
        send(&child, "INT");
        send(&child, "TERM");
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(2));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nohup_keeps_the_run_alive() {
        let folder = folder();
        let mut child = long_run(folder.path(), "trap '' HUP;");
        send(&child, "HUP");
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(child.try_wait().unwrap().is_none(), "the signal was ignored, and still is");
        send(&child, "TERM");
        assert!(stderr(&child.wait_with_output().unwrap()).contains("stopped"));
    }
}
