//! A subtraction set of one's own: the squarefree numbers. Four is the least number that is none, so the cold positions
//! are the multiples of four; the program checks that as far as it plays.

use std::error::Error;

use nimsieve::set::{Elements, SubtractionSet};

struct Squarefree;

impl SubtractionSet for Squarefree {
    fn name(&self) -> String {
        "squarefree".into()
    }

    fn elements(&self) -> Elements<'_> {
        let is_squarefree = |&k: &u64| (2..).take_while(|d| d * d <= k).all(|d| k % (d * d) != 0);
        Box::new((1..).filter(is_squarefree))
    }
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let table = nimsieve::cold(&Squarefree, 10_000)?;
    println!("{} cold positions below {}", table.count(), table.len());
    assert!(table.iter().eq((0..10_000).step_by(4)));
    Ok(())
}
