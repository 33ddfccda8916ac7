//! Studies against published values, and the same from a table in memory and from a table file.

#![cfg(feature = "cli")]

use nimsieve::run::Control;
use nimsieve::set::{NamedSet, Squares, SubtractionSet};
use nimsieve::study::density::{Density, Grid, density};
use nimsieve::study::difference_free::{BASE_5, RUZSA, check, largest_square_difference_free};
use nimsieve::study::digits::digits;
use nimsieve::study::fit::Method;
use nimsieve::study::gaps::gaps;
use nimsieve::study::moves::winning_moves;
use nimsieve::study::residues::{by_octave, ranking, residues};
use nimsieve::table::{ColdPositions, TableFile, TableWriter};
use nimsieve::{ColdTable, Plan};

fn squares(n: u64) -> ColdTable {
    nimsieve::cold(&Squares, n).unwrap()
}

/// D. Eppstein, Faster evaluation of subtraction games (FUN 2018): the cold positions at the doublings of 100, with their
/// numbers.
const EPPSTEIN: [(u64, u64); 6] = [(109, 22), (204, 39), (425, 66), (827, 99), (1625, 158), (104_857_942, 358_248)];

#[test]
fn the_published_table_of_counts() {
    let doublings = Grid { from: 100, per_octave: 1 };
    let below = density(&squares(2000), 2000, &doublings).unwrap();
    assert_eq!(below.at_cold().collect::<Vec<_>>(), EPPSTEIN[..5]);
}

#[test]
fn the_published_table_of_counts_to_its_end() {
    let doublings = Grid { from: 100, per_octave: 1 };
    let n = 104_858_000;
    let all: Vec<(u64, u64)> = density(&squares(n), n, &doublings).unwrap().at_cold().collect();
    assert_eq!((all.len(), all[20]), (21, EPPSTEIN[5]));
    assert_eq!(all[..5], EPPSTEIN[..5]);
}

#[test]
fn base_5_digits_below_four_million() {
    let study = digits(&squares(4_000_000), 4_000_000, 5).unwrap();
    assert_eq!(study.counts()[0], [15_179, 8, 18_520, 36, 2_803]);
    let numbers: u64 = study.counts()[0].iter().sum();
    assert!(study.counts().iter().all(|place| place.iter().sum::<u64>() <= numbers));
    assert_eq!(study.counts().last().unwrap()[0], 0, "zeros in front are left out");
}

#[test]
fn classes_that_die_out() {
    let n = 1 << 23;
    let study = residues(&squares(n), n, 5).unwrap();
    assert_eq!(study.died_out().collect::<Vec<_>>(), [(1, 8, 522_121), (3, 36, 3_687_288)]);
}

/// To 2^30: the classes, and the fit beside Eppstein's 0.8972 n^0.69835.
#[test]
#[ignore = "seconds and 128 MiB: cargo test --release --test study -- --ignored"]
fn to_two_to_the_thirty() {
    let n = 1 << 30;
    let table = squares(n);
    let study = residues(&table, n, 5).unwrap();
    assert_eq!(study.died_out().collect::<Vec<_>>(), [(1, 8, 522_121), (3, 36, 3_687_288)]);
    let counts = density(&table, n, &Grid { from: 1024, per_octave: 8 }).unwrap();
    let fit = counts.fit(Method::RepeatedMedians).unwrap();
    assert!((fit.exponent - 0.69835).abs() <= fit.error.unwrap(), "{fit:?}");
    assert!((fit.at(2_f64.powi(30)) / (0.8972 * 2_f64.powf(30.0 * 0.69835)) - 1.0).abs() < 0.01, "{fit:?}");
}

/// Eppstein's law is one of the window: a fit over it agrees within its error, the fit of half of the window need not.
#[test]
fn the_published_exponent_lies_within_the_error() {
    let n = 1 << 26;
    let counts: Density = density(&squares(n), n, &Grid { from: 1024, per_octave: 8 }).unwrap();
    for method in Method::ALL {
        let fit = counts.fit(method).unwrap();
        assert!((fit.exponent - 0.69835).abs() <= 2.0 * fit.error.unwrap(), "{fit:?}");
        assert!(fit.error.unwrap() < 0.005 && fit.deviation < 0.1, "{fit:?}");
    }
}

#[test]
fn sets_without_square_differences() {
    for n in [100, 346, 5000, 100_000] {
        let cold: Vec<u64> = squares(n).iter().collect();
        let report = check(&cold, &Squares, n, &Control::new()).unwrap();
        assert!(report.is_maximal(), "{report:?}");
        for set in [RUZSA, BASE_5] {
            let members: Vec<u64> = set.members(n).collect();
            assert_eq!(members.len() as u64, set.count_below(n));
            assert!(check(&members, &Squares, n, &Control::new()).unwrap().is_difference_free());
        }
        if let Some(largest) = largest_square_difference_free(n) {
            assert!(cold.len() as u64 <= largest && RUZSA.count_below(n) <= largest);
        }
    }
    // A100719 as published: its first terms, for the numbers 1 to n.
    let published = [1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8, 8, 8, 9, 9, 10, 10, 10, 10, 10, 10];
    let ours: Vec<u64> = (1..=28).map(|n| largest_square_difference_free(n).unwrap()).collect();
    assert_eq!(ours, published);
    // Ruzsa's set is smaller at first, and wins: his exponent is larger.
    assert!(RUZSA.count_below(346) < 60 && RUZSA.count_below(10_000_000) > 69_489);
}

#[test]
fn tables_in_memory_and_in_files_give_the_same_studies() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["squares", "primes", "triangular"] {
        let set: NamedSet = name.parse().unwrap();
        let n = 200_000;
        let path = folder.path().join(name);
        let mut writer = TableWriter::create(&path, &set.name()).unwrap();
        Plan::cold(&set, n).unwrap().run_into(&Control::new(), &mut writer).unwrap();
        writer.finish().unwrap();
        let (file, damage) = TableFile::open(&path).unwrap();
        assert!(damage.is_none());
        let memory = nimsieve::cold(&set, n).unwrap();
        for n in [0, 1, 77_777, n] {
            let both: [&dyn ColdPositions; 2] = [&memory, &file];
            let grid = Grid { from: 3, per_octave: 3 };
            let [a, b] = both.map(|table| density(table, n, &grid).unwrap());
            assert_eq!(a, b);
            let [a, b] = both.map(|table| residues(table, n, 12).unwrap());
            assert_eq!(a, b);
            let [a, b] = both.map(|table| ranking(table, n, 20).unwrap());
            assert_eq!(a, b);
            let [a, b] = both.map(|table| by_octave(table, n, 7).unwrap());
            assert_eq!(a, b);
            let [a, b] = both.map(|table| digits(table, n, 7).unwrap());
            assert_eq!(a, b);
            let [a, b] = both.map(|table| gaps(table, n).unwrap());
            assert_eq!(a, b);
            let [a, b] = both.map(|table| winning_moves(table, &set, n, &Control::new()).unwrap());
            assert_eq!(a, b);
        }
        for table in [&memory as &dyn ColdPositions, &file] {
            assert!(residues(table, n + 1, 5).is_err() && density(table, n + 1, &Grid::default()).is_err());
        }
    }
}
