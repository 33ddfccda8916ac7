//! Pictures, pages and the published files: drawn alike every time, whole, and as the commands say.

#![cfg(feature = "plot")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn nimsieve(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nimsieve")).current_dir(folder).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn runs(folder: &Path, arguments: &[&str]) -> String {
    let output = nimsieve(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

const PICTURES: [&[&str]; 8] = [
    &["density", "squares", "50000"],
    &["exponent", "squares", "50000"],
    &["residues", "squares", "50000", "--modulus", "65"],
    &["digits", "squares", "50000", "--base", "5"],
    &["nim", "squares", "1000"],
    &["histogram", "primes", "1000"],
    &["growth", "squares", "20000"],
    &["chopsticks", "-r", "6"],
];

/// Every tag that opens closes, in order: enough to see that a picture is whole, without a parser.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap();
        let name = tag.split([' ', '\n', '/']).find(|part| !part.is_empty()).unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn every_picture_is_whole_and_the_same_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let rsvg = Command::new("rsvg-convert").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !rsvg {
        eprintln!("rsvg-convert is not installed: pictures are not rendered");
    }
    for picture in PICTURES {
        let draw = |extra: &[&str]| runs(folder.path(), &[&["plot"], picture, &["-o", "-"], extra].concat());
        let svg = draw(&[]);
        assert_eq!(svg, draw(&["-t", "1"]), "{picture:?}");
        assert_well_formed(&svg);
        assert!(svg.contains("<title>") && svg.contains("<desc>nimsieve "), "{picture:?}");
        assert!(svg.contains("prefers-color-scheme:dark"), "{picture:?}");
        let (light, dark) = (draw(&["--theme", "light"]), draw(&["--theme", "dark"]));
        assert!(!light.contains("<style>") && !dark.contains("<style>") && light != dark, "{picture:?}");
        assert!(light.contains("fill=\"#FFFFFF\"") && !dark.contains("fill=\"#FFFFFF\""), "{picture:?}");
        if rsvg {
            std::fs::write(folder.path().join("x.svg"), &svg).unwrap();
            let output =
                Command::new("rsvg-convert").args(["x.svg", "-o", "x.png"]).current_dir(folder.path()).output();
            let output = output.unwrap();
            assert!(output.status.success(), "{picture:?}: {}", text(&output.stderr));
            assert!(std::fs::metadata(folder.path().join("x.png")).unwrap().len() > 3000, "{picture:?}");
        }
        let characters = runs(folder.path(), &[&["plot"], picture].concat());
        assert!(characters.lines().count() > 8 && characters.lines().all(|line| line.chars().count() <= 260));
    }
}

#[test]
fn pictures_show_what_was_counted() {
    let folder = tempfile::tempdir().unwrap();
    // Every nim-value below 1000 is one speck: as many as positions.
    let svg = runs(folder.path(), &["plot", "nim", "squares", "1000", "--theme", "light", "-o", "-"]);
    let blue = svg.matches("fill=\"#0072B2\"").count();
    assert_eq!(blue, 1000);
    // As many bars as nim-values.
    let svg = runs(folder.path(), &["plot", "histogram", "primes", "1000", "--theme", "light", "-o", "-"]);
    assert_eq!(svg.matches("fill=\"#0072B2\"").count(), 12);
    // The units of the base-5 digits.
    let svg = runs(folder.path(), &["plot", "digits", "squares", "4e6", "--base", "5", "-o", "-"]);
    assert!(svg.contains(&format!("{:.2}", 100.0 * 18_520.0 / 36_546.0)));
}

#[test]
fn tiny_and_bad_pictures() {
    let folder = tempfile::tempdir().unwrap();
    for kind in ["density", "exponent", "residues", "digits", "nim", "histogram", "growth"] {
        for n in ["0", "1", "2", "7"] {
            runs(folder.path(), &["plot", kind, "squares", n]);
            runs(folder.path(), &["plot", kind, "squares", n, "-o", "x.svg"]);
            assert_well_formed(&std::fs::read_to_string(folder.path().join("x.svg")).unwrap());
        }
    }
    for (arguments, message) in [
        (&["plot", "density", "squares", "100", "-o", "x.png"][..], "end the name x.png in .svg"),
        (&["plot", "residues", "squares", "100", "--modulus", "1000"], "512 columns"),
        (&["plot", "residues", "squares", "100", "--modulus", "0"], "expected one from 1"),
        (&["plot", "digits", "squares", "100", "--base", "1"], "expected one from 2"),
        (&["plot", "density", "squares", "100", "--theme", "red"], "auto, light, dark"),
        (&["--json", "plot", "density", "squares", "100"], "-o"),
        (&["report", "squares", "100", "-o", "no/x.html"], "there is no folder"),
        (&["report", "squares", "100", "--base", "1"], "from 2 to 512"),
    ] {
        let output = nimsieve(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(message), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn a_page_is_self_contained_and_the_same_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let make = |extra: &[&str]| {
        runs(folder.path(), &[&["report", "squares", "1e5", "--nim-below", "5000", "-o", "-"], extra].concat())
    };
    let html = make(&[]);
    assert_eq!(html, make(&["-t", "1"]));
    assert_eq!(html.matches("<svg ").count(), 7);
    assert_eq!(html.matches("<svg ").count(), html.matches("</svg>").count());
    for outside in ["src=", "<link", "@import", "<script", "url("] {
        assert!(!html.contains(outside), "{outside}");
    }
    // The cold positions below 10^5, and the hash that the files carry too.
    assert!(html.contains("there are 2,781 cold positions"));
    runs(folder.path(), &["cold", "squares", "1e5", "-o", "x.json"]);
    let object: Value = serde_json::from_slice(&std::fs::read(folder.path().join("x.json")).unwrap()).unwrap();
    assert!(html.contains(object["sha256"].as_str().unwrap()));
    for n in ["0", "1", "5"] {
        runs(folder.path(), &["report", "primes", n, "-o", "x.html"]);
    }
}

/// The published files as the program lists them: name, meaning, command.
fn published(quick: bool) -> Vec<[String; 3]> {
    let listed = runs(
        Path::new("."),
        &[&["--json", "reproduce", "--list"][..], if quick { &["--quick"] } else { &[] }].concat(),
    );
    let object: Value = serde_json::from_str(&listed).unwrap();
    let rows = object["files"].as_array().unwrap().iter();
    rows.map(|row| ["file", "what", "made_by"].map(|key| row[key].as_str().unwrap().to_owned())).collect()
}

#[test]
fn the_published_files_are_those_that_are_listed() {
    let readme = include_str!("../data/README.md");
    let mut files = BTreeSet::from(["README.md".to_owned(), "SHA256SUMS".to_owned()]);
    for [file, what, command] in published(false) {
        assert!(readme.contains(&format!("| `{file}` | {what} | `{command}` |\n")), "data/README.md on {file}");
        files.insert(file);
    }
    let there = std::fs::read_dir("data").unwrap().map(|entry| entry.unwrap());
    let (folders, there): (Vec<_>, Vec<_>) = there.partition(|entry| entry.file_type().unwrap().is_dir());
    let there: BTreeSet<String> = there.iter().map(|entry| entry.file_name().into_string().unwrap()).collect();
    assert_eq!(there, files);
    for folder in folders {
        assert!(["records", "measured"].contains(&folder.file_name().to_str().unwrap()), "{folder:?}");
    }
    let size: u64 = files.iter().map(|file| std::fs::metadata(Path::new("data").join(file)).unwrap().len()).sum();
    assert!(size < 5_000_000, "{size} bytes");
}

#[test]
fn quick_files_are_reproduced() {
    let checked = nimsieve(Path::new("."), &["reproduce", "--quick", "--check", "--out", "data"]);
    assert!(checked.status.success(), "{}{}", text(&checked.stdout), text(&checked.stderr));
    let folder = tempfile::tempdir().unwrap();
    let lines = runs(folder.path(), &["reproduce", "--quick", "--out", "new/data", "-t", "1"]);
    for [file, ..] in published(true) {
        assert!(lines.contains(&format!("{file} ")), "{file}");
        let read = |folder: &Path| std::fs::read(folder.join(&file)).unwrap();
        assert!(read(&folder.path().join("new/data")) == read(Path::new("data")), "{file}");
    }
    // One byte more, one file less: both are told.
    let out = folder.path().join("new/data");
    let [changed, missing] = [&published(true)[0][0], &published(true)[1][0]];
    let mut bytes = std::fs::read(out.join(changed)).unwrap();
    bytes.push(b'\n');
    std::fs::write(out.join(changed), bytes).unwrap();
    std::fs::remove_file(out.join(missing)).unwrap();
    let output = nimsieve(folder.path(), &["--json", "reproduce", "--quick", "--check", "--out", "new/data"]);
    assert_eq!(output.status.code(), Some(1));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["different"], 2);
    assert_eq!((&object["files"][0]["state"], &object["files"][1]["state"]), (&"differs".into(), &"missing".into()));
}

#[test]
#[ignore = "a minute, and 128 MiB: cargo test --release --test plot -- --ignored"]
fn all_files_are_reproduced() {
    let checked = nimsieve(Path::new("."), &["reproduce", "--check", "--out", "data"]);
    assert!(checked.status.success(), "{}{}", text(&checked.stdout), text(&checked.stderr));
}
