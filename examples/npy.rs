//! Writes cold positions and nim-values for NumPy; `read_npy.py` beside this file reads them.

use std::error::Error;
use std::path::{Path, PathBuf};

use nimsieve::export::{BFileOptions, ColdExport, Format, GrundyExport, Kind, Output, Provenance, writer};
use nimsieve::set::{Squares, SubtractionSet};
use nimsieve::{Plan, run::Control};

pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    let (set, n) = (Squares.name(), 100_000);
    let open = |name: &str, kind: Kind| {
        let provenance = Provenance { set: set.clone(), n, kind };
        writer(Format::Npy, Output::create(&folder.join(name))?, &provenance, BFileOptions::default())
    };
    let mut cold = ColdExport::new(open("cold.npy", Kind::Cold)?);
    let mut nim = GrundyExport::new(open("nim.npy", Kind::Grundy)?);
    Plan::cold(&Squares, n)?.run_into(&Control::new(), &mut cold)?;
    Plan::grundy(&Squares, n)?.run_into(&Control::new(), &mut nim)?;
    println!("{} positions in cold.npy, {} values in nim.npy", cold.finish()?.count, nim.finish()?.count);
    Ok(())
}

pub fn main() -> Result<(), Box<dyn Error>> {
    write(&std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from))
}
