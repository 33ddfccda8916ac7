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
