//! Fits c n^a to the number of cold positions of Subtract-a-Square below n, over windows that start later and later.

use std::error::Error;

use nimsieve::set::Squares;
use nimsieve::study::density::{Grid, density};
use nimsieve::study::fit::Method;

pub fn main() -> Result<(), Box<dyn Error>> {
    let n = 1 << 24;
    let table = nimsieve::cold(&Squares, n)?;
    for octave in [10, 13, 16, 19] {
        let counts = density(&table, n, &Grid { from: 1 << octave, per_octave: 8 })?;
        for method in Method::ALL {
            let fit = counts.fit(method).ok_or("too few points")?;
            let (c, a, error) = (fit.coefficient, fit.exponent, fit.error.unwrap_or(f64::NAN));
            println!("2^{octave}..2^24  {:16}  {c:.4} n^{a:.5}  error {error:.5}", method.name());
        }
    }
    Ok(())
}
