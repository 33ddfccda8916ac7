//! The README's console blocks, run as they stand.

#![cfg(feature = "cli")]

use std::path::Path;

#[test]
fn console_blocks() {
    // In a copy, because the tour writes a file.
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("README.md");
    std::fs::copy("README.md", &copy).unwrap();
    std::env::set_current_dir(folder.path()).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_nimsieve"));
    trycmd::TestCases::new().register_bin("nimsieve", program).case(copy);
}
