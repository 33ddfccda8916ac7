//! Remoteness against its definition, and the line of play.

use nimsieve::remoteness::remoteness;
use nimsieve::run::Control;
use nimsieve::set::{Finite, NamedSet, Squares, SubtractionSet};
use nimsieve::sum::Play;
use proptest::prelude::*;

/// Remoteness and whether the heap is cold, by the definition.
fn by_definition(set: &dyn SubtractionSet, n: u64, play: Play) -> Vec<(u32, bool)> {
    let mut known: Vec<(u32, bool)> = Vec::new();
    for x in 0..n {
        let options: Vec<(u32, bool)> =
            set.elements().take_while(|&s| s <= x).map(|s| known[(x - s) as usize]).collect();
        let cold = options.iter().filter(|(_, cold)| *cold).map(|(length, _)| length + 1);
        known.push(match (options.is_empty(), cold.min()) {
            (true, _) => (0, play == Play::Normal),
            (false, Some(shortest)) => (shortest, false),
            (false, None) => (options.iter().map(|(length, _)| length + 1).max().unwrap(), true),
        });
    }
    known
}

fn check(set: &dyn SubtractionSet, n: u64) {
    for play in [Play::Normal, Play::Misere] {
        let table = remoteness(set, n, play, &Control::new()).unwrap();
        let expected = by_definition(set, n, play);
        assert_eq!(table.lengths().len(), expected.len());
        for (x, &(length, cold)) in (0..).zip(&expected) {
            let found = (table.of(x).unwrap(), table.is_cold(x).unwrap());
            assert_eq!(found, (length, cold), "heap {x} of {}, {play:?}", set.name());
            let line = table.line(set, x).unwrap();
            assert_eq!(line.len() as u32, length + 1, "{line:?}");
            for (left, pair) in (0..length).rev().zip(line.windows(2)) {
                assert!(set.elements().take_while(|&s| s <= pair[0]).any(|s| s == pair[0] - pair[1]));
                assert_eq!(table.of(pair[1]).unwrap(), left);
            }
        }
        assert!(table.of(n).is_err() && table.line(set, n).is_err());
    }
}

#[test]
fn known_sets() {
    for name in ["squares", "primes", "fibonacci", "1,2,3", "5", "allbut:2,3,7", "3,5"] {
        let set: NamedSet = name.parse().unwrap();
        check(&set, 400);
    }
    for n in 0..5 {
        check(&Squares, n);
    }
}

/// So many moves that they are shared among the threads.
#[test]
fn heaps_with_many_moves() {
    let set: NamedSet = "poly:k".parse().unwrap();
    let n = 70_000;
    // Every heap but 0 can be taken whole; in misere play every heap but 1 can be cut down to 1.
    let table = remoteness(&set, n, Play::Normal, &Control::new()).unwrap();
    assert!(table.lengths()[0] == 0 && table.lengths()[1..].iter().all(|&length| length == 1));
    let table = remoteness(&set, n, Play::Misere, &Control::new()).unwrap();
    assert!(table.lengths()[..2] == [0, 1] && table.lengths()[2..].iter().all(|&length| length == 2));
    let odd: NamedSet = "poly:2k-1".parse().unwrap();
    // The parity decides, and whoever wins takes the heap.
    let table = remoteness(&odd, n, Play::Normal, &Control::new()).unwrap();
    assert!(table.lengths()[1..].iter().zip(1..).all(|(&length, x)| length == if x % 2 == 1 { 1 } else { 2 }));
}

#[test]
fn squares_below_a_million() {
    let table = remoteness(&Squares, 1_000_000, Play::Normal, &Control::new()).unwrap();
    let cold = table.lengths().iter().filter(|length| *length % 2 == 0).count();
    assert_eq!(cold, 13_952);
}

#[test]
fn refusals() {
    let ones = Finite::new([1]).unwrap();
    let message = remoteness(&ones, 1 << 33, Play::Normal, &Control::new()).unwrap_err().to_string();
    assert!(message.contains("ask for less than"), "{message}");
    let stopped = Control::new();
    stopped.stop();
    assert!(remoteness(&Squares, 100, Play::Normal, &stopped).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_sets(elements in prop::collection::btree_set(1_u64..60, 1..9), n in 0_u64..300) {
        check(&Finite::new(elements).unwrap(), n);
    }
}
