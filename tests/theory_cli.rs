//! The commands `period`, `census` and `remoteness`: what they print, what they refuse, and how they go on.

#![cfg(feature = "cli")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn nimsieve(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nimsieve")).current_dir(folder).args(arguments).output().unwrap()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn prints(folder: &Path, arguments: &[&str]) -> String {
    let output = nimsieve(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn fails(folder: &Path, arguments: &[&str]) -> String {
    let output = nimsieve(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    let message = text(&output.stderr);
    assert!(!message.contains("panicked"), "{message}");
    message
}

#[test]
fn periods_in_every_form() {
    let folder = folder();
    let print = |arguments: &[&str]| prints(folder.path(), arguments);
    assert_eq!(print(&["period", "1,8,27,64,125", "-q"]), "264 7\n");
    let found: Value = serde_json::from_str(&print(&["period", "1,8,27,64,125", "--json"])).unwrap();
    assert_eq!(found["outcome"], json!({"preperiod": 263, "period": 7, "saltus": 0}));
    assert_eq!(found["nim"], json!({"preperiod": 264, "period": 7, "saltus": 0}));
    let found: Value = serde_json::from_str(&print(&["period", "allbut:2,3,7", "--json"])).unwrap();
    assert_eq!((&found["nim"]["period"], &found["nim"]["saltus"]), (&json!(4), &json!(2)));
    // A bound that is too low is an answer, and no error.
    let found: Value = serde_json::from_str(&print(&["period", "1,8,27,64,125", "--bound", "200", "--json"])).unwrap();
    assert_eq!((&found["nim"], &found["bound"]), (&Value::Null, &json!(200)));
    assert_eq!(print(&["period", "1,8,27,64,125", "--bound", "200", "-q"]), "- -\n");
    let lines = print(&["period", "1,8,27,64,125", "--bound", "200"]);
    assert!(lines.contains("no period shows below 200") && lines.contains("--bound N looks further"), "{lines}");
}

#[test]
fn certificates_are_checked_on_their_own() {
    let folder = folder();
    let path = folder.path();
    prints(path, &["period", "2,8,9", "-o", "c.json"]);
    let whole = std::fs::read_to_string(path.join("c.json")).unwrap();
    assert!(prints(path, &["period", "--check", "c.json"]).starts_with("proved: for every x >= 11"));
    // What --json prints can be checked too.
    std::fs::write(path.join("d.json"), prints(path, &["period", "allbut:1,4", "--json"])).unwrap();
    assert_eq!(prints(path, &["period", "--check", "d.json", "-q"]), "proved\n");
    for (from, to, flaw) in [
        ("\"preperiod\": 21", "\"preperiod\": 20", "does not agree"),
        ("\"preperiod\": 21", "\"preperiod\": 22", "from 21 on"),
        ("\"period\": 11", "\"period\": 22", "11 is a period too"),
        ("2,8,9", "2,8,10", "does not agree"),
    ] {
        let changed = whole
            .replace(from, to)
            .replace("\"window\": 9", if to == "2,8,10" { "\"window\": 10" } else { "\"window\": 9" });
        assert_ne!(changed, whole);
        std::fs::write(path.join("wrong.json"), changed).unwrap();
        let output = nimsieve(path, &["period", "--check", "wrong.json"]);
        assert_eq!(output.status.code(), Some(1), "{to}");
        assert!(
            text(&output.stdout).contains("WRONG") && text(&output.stdout).contains(flaw),
            "{}",
            text(&output.stdout)
        );
    }
    for (content, expected) in [
        ("", "expected the JSON"),
        ("{}", "certificates"),
        (r#"{"certificates": []}"#, "no certificate"),
        (r#"{"certificates": [{"set": "1,2"}]}"#, "kind"),
        (&whole.replace("\"nim\"", "\"cold\"")[..], "outcome or nim"),
        (&whole.replace("\"window\": 9", "\"window\": 8")[..], "9 prove the claim"),
        (&whole.replace("\"period\": 11", "\"period\": 0")[..], "at least 1"),
        (&whole.replace("\"period\": 11", "\"period\": 9223372036854775807")[..], "2^63"),
        (&whole.replace("2,8,9", "squares")[..], "infinite"),
        (&whole.replace("2,8,9", "0,8,9")[..], "0"),
    ] {
        std::fs::write(path.join("bad.json"), content).unwrap();
        let message = fails(path, &["period", "--check", "bad.json"]);
        assert!(message.contains(expected), "{content}: {message}");
    }
    assert!(fails(path, &["period", "--check", "none.json"]).contains("none.json"));
}

#[test]
fn bad_input_names_the_way_out() {
    let folder = folder();
    for (arguments, expected) in [
        (&["period", ""][..], "known:"),
        (&["period", "0,1"], "at least 1"),
        (&["period", "squares"], "expected a finite set"),
        (&["period"], "SET"),
        (&["period", "1,2", "--bound", "1e30"], "limit"),
        (&["period", "1,2", "-o", "/no/such/folder/c.json"], "folder"),
        (&["period", "1,2", "-o", "-", "--json"], "standard output"),
        (&["census", "--size", "4", "--max", "7000"], "lower the largest element or the size"),
        (&["census", "--max", "1e12"], "fix a size"),
        (&["census", "--size", "0", "--max", "7"], "size from 1 to 7"),
        (&["census", "--size", "3", "--max", "2"], "size from 1 to 2"),
        (&["census", "--max", "0"], "at least 1"),
        (&["census", "--max", "4", "-o", "."], "folder"),
        (&["census", "--max", "4", "--resume"], "output"),
        (&["census", "--max", "4", "-o", "-", "--json"], "give a file"),
        (&["remoteness", "squares", "100", "--from", "100"], "below 100"),
        (&["remoteness", "1", "1e10", "--force"], "ask for less"),
    ] {
        let message = fails(folder.path(), arguments);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn a_census_that_was_broken_off_comes_to_the_same_bytes() {
    let folder = folder();
    let path = folder.path();
    prints(path, &["census", "--max", "9", "-o", "whole.csv"]);
    let whole = std::fs::read(path.join("whole.csv")).unwrap();
    assert_eq!(prints(path, &["census", "--max", "9", "-o", "-"]).into_bytes(), whole);
    let summary = prints(path, &["census", "--max", "9", "--json"]);
    let header = text(&whole).lines().take(3).map(|line| line.len() + 1).sum::<usize>();
    // Cut off between rows, within rows, and right behind the header.
    for cut in (header..=whole.len()).step_by(97) {
        std::fs::write(path.join("cut.csv.partial"), &whole[..cut]).unwrap();
        let found = prints(path, &["census", "--max", "9", "-o", "cut.csv", "--resume", "--json"]);
        assert_eq!(std::fs::read(path.join("cut.csv")).unwrap(), whole, "cut at {cut}");
        assert!(!path.join("cut.csv.partial").exists());
        let counted = |text: &str| {
            let mut object: Value = serde_json::from_str(text).unwrap();
            object["seconds"] = Value::Null;
            object
        };
        assert_eq!(counted(&found), counted(&summary));
    }
    std::fs::write(path.join("new.csv.partial"), &whole).unwrap();
    assert!(fails(path, &["census", "--max", "9", "-o", "new.csv"]).contains("--resume"));
    assert!(fails(path, &["census", "--max", "8", "-o", "new.csv", "--resume"]).contains("does not begin"));
    let mut broken = text(&whole);
    broken.insert_str(header, "1 2,2,2,0,3,0,3,2,true,true\n");
    std::fs::write(path.join("new.csv.partial"), broken).unwrap();
    assert!(fails(path, &["census", "--max", "9", "-o", "new.csv", "--resume"]).contains("no row that comes here"));
}

#[cfg(unix)]
#[test]
fn a_killed_census_goes_on() {
    let folder = folder();
    let path = folder.path();
    let arguments = ["census", "--size", "4", "--max", "30", "-o", "killed.csv"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_nimsieve")).current_dir(path).args(arguments).spawn().unwrap();
    let partial = path.join("killed.csv.partial");
    // Until there are rows, or it was quicker than that.
    while std::fs::metadata(&partial).map_or(0, |metadata| metadata.len()) < 4000 && child.try_wait().unwrap().is_none()
    {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let rest = [&arguments[..], &["--resume"]].concat();
    prints(path, &rest);
    prints(path, &["census", "--size", "4", "--max", "30", "-o", "whole.csv"]);
    assert!(std::fs::read(path.join("killed.csv")).unwrap() == std::fs::read(path.join("whole.csv")).unwrap());
}

#[test]
fn remoteness_in_every_form() {
    let folder = folder();
    let print = |arguments: &[&str]| prints(folder.path(), arguments);
    let b_file = print(&["remoteness", "squares", "12", "-o", "-"]);
    assert_eq!(b_file, "0 0\n1 1\n2 2\n3 3\n4 1\n5 2\n6 3\n7 4\n8 5\n9 1\n10 4\n11 3\n");
    assert_eq!(print(&["remoteness", "squares", "12", "-q"]), "5\n");
    let found: Value = serde_json::from_str(&print(&["remoteness", "squares", "12", "--json"])).unwrap();
    assert_eq!((&found["max"], &found["max_at"], &found["line"]), (&json!(5), &json!(8), &json!([8, 7, 6, 5, 4, 0])));
    let misere = print(&["remoteness", "squares", "12", "--misere", "--from", "3"]);
    assert!(misere.contains("heap 3: cold, remoteness 3\nline of play: 3 2 1 0\n"), "{misere}");
    print(&["remoteness", "squares", "50", "-o", "r.csv", "-o", "r.json", "-o", "r.npy"]);
    let csv = std::fs::read_to_string(folder.path().join("r.csv")).unwrap();
    assert!(csv.contains("kind remoteness") && csv.contains("heap,remoteness\n0,0\n1,1\n"), "{csv}");
    let empty: Value = serde_json::from_str(&print(&["remoteness", "squares", "0", "--json"])).unwrap();
    assert_eq!((&empty["max"], &empty["line"]), (&Value::Null, &json!([])));
}

#[test]
fn sums_of_several_heaps_are_counted() {
    let folder = folder();
    let found: Value =
        serde_json::from_str(&prints(folder.path(), &["heaps", "1,2", "9", "--heaps", "40", "--json"])).unwrap();
    let counts = found["counts"].as_array().unwrap();
    // 0, 1 and 2 three times each.
    assert_eq!(counts[1], json!({"heaps": 2, "sums": "81", "cold": "27", "misere_cold": "27"}));
    assert_eq!(counts[39]["sums"], (9_u128.pow(40)).to_string());
    assert_eq!(prints(folder.path(), &["heaps", "1,2", "9", "--heaps", "2", "-q"]), "27\n");
    for heaps in ["0", "1e9"] {
        assert!(fails(folder.path(), &["heaps", "1,2", "9", "--heaps", heaps]).contains("expected 1 to"));
    }
}

#[test]
fn heaps_that_no_table_holds() {
    let folder = folder();
    let print = |arguments: &[&str]| prints(folder.path(), arguments);
    assert!(print(&["moves", "powers-of:3", "10^100"]).contains("cold, nim-value 0\nno winning move\nclosed form: "));
    let lines = print(&["moves", "moser-de-bruijn", "4^60+2"]);
    assert!(lines.contains("leaving 2\nclosed form"), "{lines}");
    let lines = print(&["moves", "prime-powers-1", "10^100"]);
    assert!(lines.contains("hot\ntake 4, leaving") && lines.contains("not all winning moves are listed"), "{lines}");
    // The game of 1, 2, 3 has period 4; in misere play 1 mod 4 is cold.
    assert!(print(&["moves", "1,2,3", "10^100"]).contains("cold, nim-value 0\nno winning move"));
    let found: Value = serde_json::from_str(&print(&["moves", "1,2,3", "10^100", "--misere", "--json"])).unwrap();
    assert_eq!(
        (&found["outcome"], &found["moves"][0]["take"], &found["complete"]),
        (&json!("hot"), &json!("3"), &json!(true))
    );
    // A sum with a heap that has only a table.
    let lines = print(&["moves", "1,2,3@10^100+3", "squares@13"]);
    assert!(lines.contains("nim-sum 2: hot\n") && lines.contains("take 2 from heap 1, leaving 1"), "{lines}");
    let found: Value =
        serde_json::from_str(&print(&["moves", "1,2,3@10^100+1", "1,2,3@10^100", "--misere", "--json"])).unwrap();
    let readme = include_str!("../README.md");
    let row = readme.lines().find(|line| line.starts_with("| `moves` by a closed form |")).unwrap();
    for key in found.as_object().unwrap().keys().filter(|key| !["tool", "command"].contains(&&key[..])) {
        assert!(row.contains(&format!("`{key}`")), "{key}");
    }
    assert_eq!((&found["outcome"], &found["moves"]), (&json!("cold"), &json!([])));
    for (arguments, expected) in [
        (&["moves", "squares", "10^100"][..], "there is one for powers-of:B"),
        (&["moves", "moser-de-bruijn@10^100", "1,2@5"], "ask for one heap"),
        (&["moves", "1,2", "10^99999"], "too large"),
    ] {
        let message = fails(folder.path(), arguments);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}
