//! The Chopsticks commands: keys, files and bad input.

#![cfg(feature = "cli")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn chopsticks(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nimsieve"));
    command.current_dir(folder).arg("chopsticks").args(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let mut all = arguments.to_vec();
    all.push("--json");
    let output = chopsticks(folder.path(), &all);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn json_keys() {
    let reach = json(&["reach", "--players", "2", "--rollover", "5"]);
    assert_eq!(reach["positions"], "225");
    assert_eq!(reach["reachable"], 204);
    assert_eq!(reach["unreachable_count"], 21);
    assert_eq!(reach["endings"], 14);
    assert_eq!(reach["eccentricity"], 9);
    let solve = json(&["solve", "-r", "4"]);
    assert_eq!((&solve["value"], &solve["plies"]), (&"first".into(), &11.into()));
    assert_eq!(
        solve["wins"].as_u64().unwrap() + solve["losses"].as_u64().unwrap() + solve["draws"].as_u64().unwrap(),
        84
    );
    assert_eq!(json(&["solve"])["value"], "draw");
    assert_eq!(json(&["solve", "--cutoff", "--splits", "none"])["value"], "second");
    let longest = json(&["longest", "-r", "4"]);
    assert_eq!((&longest["moves"], &longest["proved"]), (&59.into(), &true.into()));
    assert_eq!(json(&["unreachable", "-p", "4", "-r", "5"])["reachable"], "50567");
    assert_eq!(json(&["grid", "--players", "2..3", "--rollover", "4"])["rows"][1]["reachable"], 973);
    assert_eq!(json(&["solve", "-p", "3", "-r", "3"])["seats"].as_array().unwrap().len(), 3);
}

/// A count that enumeration has not confirmed is a bound, and says so everywhere.
#[test]
fn bounds_are_called_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = chopsticks(folder.path(), arguments);
        assert!(output.status.success(), "{arguments:?}");
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let exact = json(&["unreachable"]);
    assert_eq!((&exact["unreachable_count"], &exact["reachable"]), (&21.into(), &"204".into()));
    assert_eq!((&exact["formula_unreachable"], &exact["formula_is"]), (&"21".into(), &"published".into()));
    assert_eq!(json(&["unreachable", "--misere"])["verified"], true);
    let bound = json(&["unreachable", "--cutoff"]);
    assert!(bound["unreachable_at_least"].is_u64() && bound["reachable_at_most"].is_string(), "{bound}");
    assert!(bound.get("unreachable_count").is_none() && bound.get("reachable").is_none(), "{bound}");
    assert_eq!((&bound["formula_is"], &bound["verified"]), (&Value::Null, &false.into()));
    let [text, _] = run(&["unreachable", "--cutoff"]);
    assert!(text.contains("at least") && text.contains("at most"), "{text}");
    let [_, warning] = run(&["unreachable", "--cutoff", "-q"]);
    assert!(warning.contains("lower bound"), "{warning}");
    assert_eq!(run(&["unreachable", "-q"])[1], "");
    let [text, _] = run(&["unreachable", "-p", "2", "-r", "1"]);
    assert!(text.contains("Proved") && text.contains(": 1 position\n"), "{text}");

    assert!(run(&["solve", "1101"])[0].contains("cannot be reached"));
    assert!(!run(&["solve", "1211"])[0].contains("cannot be reached"));
    assert_eq!(json(&["solve", "-p", "0"])["position"], "-");
    assert_eq!(json(&["grid", "-r", "3", "--cutoff"])["rules"], "(p, r) Chopsticks, cutoff");

    let readme = include_str!("../README.md");
    for (row, object) in [("unreachable", &exact), ("unreachable", &bound), ("solve", &json(&["solve"]))] {
        let line = readme.lines().find(|line| line.starts_with(&format!("| `chopsticks {row}` |"))).unwrap();
        let above = readme.lines().find(|line| line.starts_with("| `chopsticks reach` |")).unwrap();
        let common = above.split("`reachable`").next().unwrap();
        for key in object.as_object().unwrap().keys().filter(|key| !["tool", "command"].contains(&key.as_str())) {
            assert!([line, common].iter().any(|text| text.contains(&format!("`{key}`"))), "{row}: {key}");
        }
    }
}

/// With no player, one player or r = 1 there is a game all the same: it is over before it begins.
#[test]
fn trivial_games_are_answered() {
    for (players, rollover) in [("0", "5"), ("1", "5"), ("2", "1"), ("3", "1"), ("0", "1")] {
        assert_eq!(json(&["reach", "-p", players, "-r", rollover])["reachable"], 1, "({players}, {rollover})");
        json(&["solve", "-p", players, "-r", rollover]);
        json(&["unreachable", "-p", players, "-r", rollover]);
    }
}

#[test]
fn bad_input_is_an_error_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (&["reach", "-r", "0"][..], "expected at least 1"),
        (&["reach", "-r", "99999"], "limit"),
        (&["reach", "--hands", "0"], "at least 1 hand"),
        (&["reach", "-p", "30", "-r", "100"], "too many to enumerate"),
        (&["reach", "-p", "9", "-r", "9"], ""),
        (&["solve", "111"], "expected 4 digits"),
        (&["solve", "2111"], "ascend"),
        (&["solve", "1151"], "1111"),
        (&["solve", "11a1"], "1111"),
        (&["solve", ""], ""),
        (&["grid", "--players", "4..2"], "smaller end first"),
        (&["grid", "-o", "no/such/folder.csv"], "no/such"),
        (&["graph", "-p", "4", "-r", "9", "--format", "svg"], ""),
        (&["reach", "--engine", "fast"], "plain"),
        (&["graph", "--json"], "--json"),
        (&["graph", "-q"], "--quiet"),
        (&["graph", "-o", "x.png"], ".graphml"),
        (&["grid", "-o", "x.xls"], ".csv"),
    ] {
        let output = chopsticks(folder.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected) && !message.contains("panicked"), "{arguments:?}: {message}");
    }
    // (30, 100) still has a number of positions, exactly.
    let output = chopsticks(folder.path(), &["reach", "-p", "30", "-r", "100"]);
    let expected = num_bigint::BigUint::from(5050_u32).pow(30).to_string();
    assert!(String::from_utf8_lossy(&output.stderr).contains(&expected));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn files_are_in_the_form_of_their_ending() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, file, start) in [
        (&["grid", "--rollover", "3..4"][..], "grid.csv", "players,"),
        (&["grid", "--rollover", "3..4"], "grid.tex", ""),
        (&["graph", "-r", "3"], "graph.dot", "digraph"),
        (&["graph", "-r", "3"], "graph.graphml", "<?xml"),
        (&["graph", "-r", "3"], "graph.svg", "<svg"),
    ] {
        let mut all = arguments.to_vec();
        all.extend(["-o", file]);
        assert!(chopsticks(folder.path(), &all).status.success(), "{file}");
        let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(text.starts_with(start), "{file}: {}", &text[..text.len().min(80)]);
        assert!(text.len() > 100, "{file}");
    }
}

/// Each line of the kept table is what its options give.
#[test]
fn the_options_of_the_table_are_those_of_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut reader = csv::Reader::from_reader(&include_bytes!("../data/chopsticks-variants.csv")[..]);
    let mut lines = 0;
    for line in reader.records().map(Result::unwrap).filter(|line| &line[2] == "4") {
        let mut arguments = vec!["reach", "-q", "-r", &line[2]];
        arguments.extend(line[0].split_whitespace());
        if &line[3] == "cutoff" {
            arguments.push("--cutoff");
        }
        let output = chopsticks(folder.path(), &arguments);
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), &line[5], "{arguments:?}");
        lines += 1;
    }
    assert!(lines > 80, "{lines}");
}

#[test]
fn variants_on_the_command_line() {
    for (arguments, value, plies) in [
        (&["solve", "--cutoff", "--suicide"][..], "second", 26),
        (&["solve", "--cutoff", "--self-attack"], "first", 23),
        (&["solve", "--cutoff", "--suns"], "first", 7),
        (&["solve", "--cutoff", "--hands", "3", "--splits", "transfers"], "first", 15),
    ] {
        let found = json(arguments);
        assert_eq!((&found["value"], &found["plies"]), (&value.into(), &plies.into()), "{arguments:?}");
    }
    assert_eq!(json(&["reach", "--stumps"])["reachable"], 2_956);
    assert_eq!(json(&["solve", "--sudden-death=3", "11:3|01:0"])["value"], "first");
}

#[test]
fn bad_combinations_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (&["reach", "--zombies"][..], "three or more players"),
        (&["solve", "--integers=signed"], "rollover"),
        (&["solve", "--cutoff", "--integers", "--meta"], "meta"),
        (&["reach", "--swaps=0"], "at least 1"),
        (&["reach", "--swaps=x"], "x"),
        (&["reach", "--hands", "3", "--cherry-bomb"], "cherry bomb"),
        (&["reach", "--splits", "some"], "multiple-transfer"),
        (&["reach", "--meta=maybe"], "possible values"),
        (&["reach", "--sudden-death=1e6", "-r", "50"], "states"),
        (&["grid", "--players", "2..3", "--rollover", "3", "--zombies"], "three or more players"),
        (&["play", "-p", "3"], "plays against one"),
        (&["play", "--json"], "--json"),
        (&["variants", "-o", "x.tex"], ".csv"),
        (&["variants", "-r", "0"], "at least 1"),
    ] {
        let output = chopsticks(folder.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected) && !message.contains("panicked"), "{arguments:?}: {message}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn play_from_a_script() {
    use std::io::Write as _;
    use std::process::Stdio;
    let play = |arguments: &[&str], lines: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nimsieve"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(play(&["play", "squares", "100"], "").starts_with("A heap of 100, squares.\n"));
    assert!(play(&["play", "squares@13", "primes@20"], "nonsense\nquit\n").contains("or type help"));
    assert!(
        play(&["play", "squares", "9", "--misere", "--first", "computer"], "hint\n").contains("The computer: take")
    );
    assert!(play(&["chopsticks", "play", "-r", "4"], "hint\n").contains("wins in 11; best: 1211"));
    assert!(play(&["chopsticks", "play", "--cutoff", "1101"], "value\n").contains("A draw"));
}

#[test]
fn variants_as_json_and_csv() {
    let table = json(&["variants", "-r", "3"]);
    let rows = table["rows"].as_array().unwrap();
    let first = &rows[0];
    assert_eq!((&first["options"], &first["reachable"], &first["value"]), (&"".into(), &26.into(), &"draw".into()));
    let readme = include_str!("../README.md");
    let line = readme.lines().find(|line| line.starts_with("| `chopsticks variants` |")).unwrap();
    for key in first.as_object().unwrap().keys() {
        assert!(line.contains(&format!("`{key}`")), "{key}");
    }
    let folder = tempfile::tempdir().unwrap();
    assert!(chopsticks(folder.path(), &["variants", "-r", "3", "-o", "v.csv"]).status.success());
    let text = std::fs::read_to_string(folder.path().join("v.csv")).unwrap();
    assert_eq!(text.lines().count(), rows.len() + 1);
    assert!(include_str!("../data/chopsticks-variants.csv").starts_with(&text));
}
