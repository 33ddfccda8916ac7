//! Plays a sum of heaps: squares from 13, primes from 20, and 1, 2 or 3 from 9. Which moves win?

use std::error::Error;

use nimsieve::set::NamedSet;
use nimsieve::sum::{Heap, Play, winning_moves};

pub fn main() -> Result<(), Box<dyn Error>> {
    let games = [("squares", 13), ("primes", 20), ("1,2,3", 9)];
    let sets = games.iter().map(|(set, _)| set.parse()).collect::<Result<Vec<NamedSet>, _>>()?;
    let tables = sets.iter().map(|set| nimsieve::grundy(set, 100)).collect::<Result<Vec<_>, _>>()?;
    let heaps: Vec<Heap<'_, NamedSet>> =
        sets.iter().zip(&tables).zip(games).map(|((set, table), (_, size))| Heap { set, table, size }).collect();
    let moves = winning_moves(&heaps, Play::Normal)?;
    for winning in &moves {
        let heap = &heaps[winning.heap];
        println!("take {} from the heap of {} ({})", winning.take, heap.size, heap.set);
    }
    assert_eq!(moves.iter().map(|m| (m.heap, m.take)).collect::<Vec<_>>(), [(1, 11), (1, 19)]);
    Ok(())
}
