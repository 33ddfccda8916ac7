//! Published values: the OEIS's b-files byte for byte, its terms, and counts found in the literature.

#![cfg(feature = "export")]

use std::fmt::Write;

use nimsieve::oeis::{SEQUENCES, Sequence, Terms};
use nimsieve::run::Control;
use nimsieve::set::{NamedSet, Squares};
use nimsieve::sink::{ColdCounter, GrundyCounter};
use nimsieve::{ColdTable, Plan, cold, grundy};
use sha2::{Digest, Sha256};

/// Number, SHA-256 of the published b-file, published terms.
fn published() -> Vec<(&'static str, Option<&'static str>, Vec<u64>)> {
    include_str!("data/oeis.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let terms = fields[2].split(',').map(|term| term.parse().unwrap()).collect();
            (fields[0], (fields[1] != "-").then_some(fields[1]), terms)
        })
        .collect()
}

fn find(id: &str) -> &'static Sequence {
    Sequence::find(id).unwrap()
}

#[test]
fn b_files_byte_for_byte() {
    let mut checked = 0;
    for (id, sha256, _) in published() {
        let Some(sha256) = sha256 else { continue };
        let sequence = find(id);
        let terms = sequence.compute(sequence.published, &Control::new()).unwrap();
        let mut text = String::new();
        for (index, term) in (sequence.offset..).zip(terms) {
            writeln!(text, "{index} {term}").unwrap();
        }
        text += &"\n".repeat(sequence.final_newlines.into());
        assert_eq!(nimsieve::export::hex(&Sha256::digest(&text)), sha256, "{id}");
        checked += 1;
    }
    assert_eq!(checked, 11);
}

/// The game is played just as far as the published terms need.
#[test]
fn the_reach_of_a_sequence_is_its_last_term() {
    for (id, _, terms) in published() {
        let sequence = find(id);
        let reach = match sequence.terms {
            Terms::NimValues | Terms::Remoteness => sequence.published,
            Terms::FirstOccurrences => {
                assert_eq!(terms.len() as u64, sequence.published, "{id}: all are listed");
                terms.into_iter().max().unwrap() + 1 - sequence.shift
            }
            _ => *sequence.compute(sequence.published, &Control::new()).unwrap().last().unwrap() + 1 - sequence.shift,
        };
        assert_eq!(sequence.reach, reach, "{id}");
        assert_eq!(sequence.rounds(sequence.published).next(), Some(reach), "{id}");
    }
}

#[test]
fn rounds_go_as_far_as_they_must() {
    let squares = find("A030193");
    let rounds: Vec<u64> = squares.rounds(10).take(12).collect();
    assert_eq!((rounds[0], rounds[1], rounds[10], rounds[11]), (1 << 12, 1 << 13, 1 << 22, squares.reach));
    assert_eq!(squares.rounds(squares.published + 1).next(), Some(2 * squares.reach));
    assert_eq!(squares.rounds(0).count(), 0);
    assert!(squares.rounds(1).all(|n| n <= 1 << 63));
    // One value a heap.
    assert_eq!(find("A014586").rounds(77).collect::<Vec<_>>(), [77]);
    // More terms than are published.
    let fibonacci = find("A001581").compute(1100, &Control::new()).unwrap();
    assert_eq!((fibonacci.len(), fibonacci[999]), (1100, 5812));
}

#[test]
fn terms_below_a_million() {
    let published = published();
    assert_eq!(published.len(), SEQUENCES.len(), "every sequence has published terms");
    for (id, _, terms) in published {
        let sequence = find(id);
        let below: Vec<u64> = match sequence.terms {
            Terms::NimValues | Terms::Remoteness => terms,
            _ => terms.into_iter().filter(|&term| term < 1_000_000).collect(),
        };
        let set = sequence.subtraction_set().unwrap();
        let found = sequence.compute_below(&set, 1_000_000, below.len() as u64, &Control::new()).unwrap();
        assert_eq!(found, below, "{id}");
    }
}

/// `cargo test --release --test published -- --ignored --exact every_first_occurrence_of_sparse_sets`
#[test]
#[ignore = "a minute and 6 GB of memory; the command is in the documentation of the test"]
fn every_first_occurrence_of_sparse_sets() {
    for (id, _, terms) in published().into_iter().filter(|(id, ..)| ["A019307", "A355556"].contains(id)) {
        let sequence = find(id);
        assert_eq!(sequence.compute(sequence.published, &Control::new()).unwrap(), terms, "{id}");
    }
}

fn count(set: &str, n: u64) -> ColdCounter {
    let set: NamedSet = set.parse().unwrap();
    let mut counter = ColdCounter::default();
    Plan::cold(&set, n).unwrap().run_into(&Control::new(), &mut counter).unwrap();
    counter
}

#[test]
fn cold_numbers_of_subtract_a_square() {
    for (n, expected) in
        [(10, 4), (100, 21), (1000, 115), (10_000, 579), (100_000, 2781), (1_000_000, 13_952), (10_000_000, 69_489)]
    {
        assert_eq!(count("squares", n).count, expected, "below {n}");
    }
}

#[test]
fn forty_million_and_the_one_that_ends_in_6() {
    let table = nimsieve::cold(&Squares, 40_000_000).unwrap();
    assert_eq!(table.count(), 183_496);
    assert_eq!(table.largest(), Some(39_999_980));
    assert_eq!(table.iter().filter(|x| x % 10 == 6).collect::<Vec<_>>(), [11_356]);
    no_two_differ_by_a_square(&table);
}

/// No two cold numbers differ by a square, checked against the table itself on its first 100,000 positions.
fn no_two_differ_by_a_square(table: &ColdTable) {
    let cold: Vec<u64> = table.range(0..100_000).unwrap().collect();
    for (i, &a) in cold.iter().enumerate() {
        assert!(cold[..i].iter().all(|&b| (a - b).isqrt().pow(2) != a - b), "{a}");
    }
}

#[test]
fn cold_numbers_of_the_prime_game() {
    let counter = count("primes", 1_000_000);
    assert_eq!((counter.count, counter.largest), (163_912, Some(999_997)));
    let table = nimsieve::cold(&"primes".parse::<NamedSet>().unwrap(), 1_000_000).unwrap();
    assert_eq!(table.iter().filter(|x| x % 2 == 0).collect::<Vec<_>>(), [0, 10, 34, 100, 310]);
}

#[test]
fn largest_nim_values_of_squares() {
    let mut counter = GrundyCounter::default();
    Plan::grundy(&Squares, 1 << 20).unwrap().run_into(&Control::new(), &mut counter).unwrap();
    assert_eq!(counter.max().unwrap().0, 170);
}

/// `cargo test --release --test published -- --ignored --exact largest_nim_value_below_2_to_the_24`
#[test]
#[ignore = "a quarter of a minute; the command is in the documentation of the test"]
fn largest_nim_value_below_2_to_the_24() {
    let mut counter = GrundyCounter::default();
    Plan::grundy(&Squares, 1 << 24).unwrap().run_into(&Control::new(), &mut counter).unwrap();
    assert_eq!(counter.max(), Some((450, 16_669_564)));
    assert!(counter.first_occurrences().iter().all(Option::is_some), "every value up to the largest occurs");
}

/// `cargo test --release --test published -- --ignored --exact largest_nim_value_below_2_to_the_22`
#[test]
#[ignore = "some seconds; the command is in the documentation of the test"]
fn largest_nim_value_below_2_to_the_22() {
    let mut counter = GrundyCounter::default();
    Plan::grundy(&Squares, 1 << 22).unwrap().run_into(&Control::new(), &mut counter).unwrap();
    assert_eq!(counter.max().unwrap().0, 278);
}

/// `cargo test --release --test published -- --ignored --exact cold_numbers_to_a_thousand_million`
#[test]
#[ignore = "a minute; the command is in the documentation of the test"]
fn cold_numbers_to_a_thousand_million() {
    assert_eq!(count("squares", 100_000_000).count, 346_814);
    let counter = count("squares", 1_000_000_000);
    assert_eq!((counter.count, counter.largest), (1_727_524, Some(999_999_930)));
    let counter = count("squares", 1 << 30);
    assert_eq!((counter.count, counter.largest), (1_816_355, Some(1_073_739_877)));
}

/// `cargo test --release --test published -- --ignored --exact cold_numbers_of_the_prime_game_to_ten_million`
#[test]
#[ignore = "some seconds; the command is in the documentation of the test"]
fn cold_numbers_of_the_prime_game_to_ten_million() {
    assert_eq!(count("primes", 10_000_000).count, 1_741_797);
}

/// What runs of earlier programs found of the prime game, and the first place of each of its nim-values (A355557).
#[test]
fn nim_values_of_the_prime_game() {
    let primes: NamedSet = "primes".parse().unwrap();
    let mut counter = GrundyCounter::default();
    let plan = Plan::grundy(&primes, 10_000_000).unwrap().engine(grundy::Engine::Residue).unwrap();
    plan.run_into(&Control::new(), &mut counter).unwrap();
    let first: Vec<u64> = counter.first_occurrences().iter().map(|first| first.unwrap()).collect();
    assert_eq!(first, [0, 2, 4, 6, 8, 19, 21, 23, 43, 48, 67, 156]);
    assert_eq!(counter.histogram()[0], 1_741_797);
    assert_eq!(counter.histogram().iter().sum::<u64>(), 10_000_000);
}

/// Value by value: to 10^5 against the definition, to 10^6 against byte flags.
#[test]
fn nim_values_of_the_prime_game_by_other_engines() {
    let primes: NamedSet = "primes".parse().unwrap();
    let table = |n, engine| Plan::grundy(&primes, n).unwrap().engine(engine).unwrap().run().unwrap();
    let residue = table(1_000_000, grundy::Engine::Residue);
    assert!(residue.iter().take(100_000).eq(table(100_000, grundy::Engine::Recurrence).iter()));
    let flags = table(300_000, grundy::Engine::Flags);
    assert!(residue.iter().take(300_000).eq(flags.iter()));
    let cold = Plan::cold(&primes, 1_000_000).unwrap().engine(cold::Engine::Residue).unwrap().run().unwrap();
    assert!(cold.iter().eq((0..).zip(residue.iter()).filter(|(_, v)| *v == 0).map(|(x, _)| x)));
    let sieve = Plan::cold(&primes, 1_000_000).unwrap().engine(cold::Engine::Sieve).unwrap().run().unwrap();
    assert!(cold == sieve);
}

/// `cargo test --release --test published -- --ignored --exact the_prime_game_to_ten_million_by_two_engines`
#[test]
#[ignore = "some minutes; the command is in the documentation of the test"]
fn the_prime_game_to_ten_million_by_two_engines() {
    let primes: NamedSet = "primes".parse().unwrap();
    let cold = |engine| Plan::cold(&primes, 10_000_000).unwrap().engine(engine).unwrap().run().unwrap();
    assert!(cold(cold::Engine::Residue) == cold(cold::Engine::Divide));
    let table = |engine| Plan::grundy(&primes, 10_000_000).unwrap().engine(engine).unwrap().run().unwrap();
    assert!(table(grundy::Engine::Residue) == table(grundy::Engine::Flags));
}

/// `cargo test --release --test published -- --ignored --exact the_prime_game_to_a_hundred_million`
#[test]
#[ignore = "a second or two; the command is in the documentation of the test"]
fn the_prime_game_to_a_hundred_million() {
    let primes: NamedSet = "primes".parse().unwrap();
    let table = Plan::cold(&primes, 100_000_000).unwrap().engine(cold::Engine::Residue).unwrap().run().unwrap();
    assert_eq!(table.count(), 18_222_709);
    assert_eq!(table.iter().filter(|x| x % 2 == 0).collect::<Vec<_>>(), [0, 10, 34, 100, 310]);
    let mut counter = GrundyCounter::default();
    let plan = Plan::grundy(&primes, 100_000_000).unwrap().engine(grundy::Engine::Residue).unwrap();
    plan.run_into(&Control::new(), &mut counter).unwrap();
    assert_eq!(counter.histogram()[0], 18_222_709);
    assert_eq!(counter.max(), Some((11, 156)));
}
