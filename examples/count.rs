//! Counts the cold positions of a game: `cargo run --release --example count -- squares 40000000`.

use std::error::Error;

use nimsieve::set::NamedSet;
use nimsieve::sink::ColdCounter;
use nimsieve::{Plan, run::Control};

pub fn count(set: &str, n: &str) -> Result<u64, Box<dyn Error>> {
    let (set, n): (NamedSet, u64) = (set.parse()?, nimsieve::number::parse(n)?);
    // A counter takes the positions as the engine finds them: nothing else is kept.
    let mut counter = ColdCounter::default();
    Plan::cold(&set, n)?.run_into(&Control::new(), &mut counter)?;
    println!("{} cold positions of {set} below {n}, the largest {:?}", counter.count, counter.largest);
    Ok(counter.count)
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (set, n) = (arguments.next(), arguments.next());
    count(set.as_deref().unwrap_or("squares"), n.as_deref().unwrap_or("1e6")).map(drop)
}
