//! Prints where each nim-value of the prime game occurs first: OEIS A355557.

use std::error::Error;

use nimsieve::set::NamedSet;
use nimsieve::sink::GrundyCounter;
use nimsieve::{Plan, run::Control};

pub fn main() -> Result<(), Box<dyn Error>> {
    let primes: NamedSet = "primes".parse()?;
    let mut counter = GrundyCounter::default();
    Plan::grundy(&primes, 10_000)?.run_into(&Control::new(), &mut counter)?;
    for (value, first) in counter.first_occurrences().iter().enumerate() {
        if let Some(first) = first {
            println!("{value:2} first at {first}");
        }
    }
    assert_eq!(counter.max(), Some((11, 156)));
    Ok(())
}
