//! The examples, run: each asserts what it shows.

#![cfg(feature = "export")]
#![expect(dead_code, reason = "a test calls what the `main` of an example calls")]

use std::process::{Command, Stdio};

#[path = "../examples/chopsticks.rs"]
mod chopsticks;
#[path = "../examples/count.rs"]
mod count;
#[path = "../examples/exponent.rs"]
mod exponent;
#[path = "../examples/first_occurrences.rs"]
mod first_occurrences;
#[path = "../examples/heaps.rs"]
mod heaps;
#[path = "../examples/npy.rs"]
mod npy;
#[path = "../examples/own_set.rs"]
mod own_set;
#[path = "../examples/residues.rs"]
mod residues;

#[test]
fn all_of_them_run() {
    chopsticks::main().unwrap();
    assert_eq!(count::count("squares", "1e6").unwrap(), 13_952);
    exponent::main().unwrap();
    first_occurrences::main().unwrap();
    heaps::main().unwrap();
    own_set::main().unwrap();
    residues::main().unwrap();
    let here: Vec<String> = std::fs::read_dir("examples")
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".rs"))
        .collect();
    assert_eq!(here.len(), 8, "a new example is to be run here too: {here:?}");
}

/// The Python script reads what the example `npy` writes, with numpy alone.
#[test]
fn numpy_reads_the_example() {
    let folder = tempfile::tempdir().unwrap();
    npy::write(folder.path()).unwrap();
    let available = Command::new("python3").args(["-c", "import numpy"]).stderr(Stdio::null()).status();
    if !available.is_ok_and(|status| status.success()) {
        eprintln!("numpy is not installed: skipped");
        return;
    }
    let output = Command::new("python3").arg("examples/read_npy.py").arg(folder.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("2781 cold positions below 100000"), "{output:?}");
}
