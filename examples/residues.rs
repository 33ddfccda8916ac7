//! Which residue classes mod 5 do the cold positions of Subtract-a-Square leave?

use std::error::Error;

use nimsieve::set::Squares;
use nimsieve::study::residues::residues;

pub fn main() -> Result<(), Box<dyn Error>> {
    let n = 1 << 23;
    let study = residues(&nimsieve::cold(&Squares, n)?, n, 5)?;
    for (class, (count, last)) in study.counts().iter().zip(study.last()).enumerate() {
        println!("{class} mod 5: {count:6} cold positions below {n}, the last {last:?}");
    }
    for (class, count, last) in study.died_out() {
        println!("class {class} has {count}, and none after {last}");
    }
    assert_eq!(study.died_out().collect::<Vec<_>>(), [(1, 8, 522_121), (3, 36, 3_687_288)]);
    Ok(())
}
