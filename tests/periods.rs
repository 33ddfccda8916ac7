//! Periods against brute force, and what is published of them.

use std::collections::HashMap;

use nimsieve::census::{Census, Row, Summary};
use nimsieve::period::{Answer, Certificate, Kind, find};
use nimsieve::run::Control;
use nimsieve::set::{AllBut, Finite, NamedSet, SubtractionSet};
use proptest::prelude::*;

fn certificate(set: &dyn SubtractionSet, kind: Kind, bound: u64) -> Certificate {
    match find(set, kind, bound, &Control::new()).unwrap() {
        Answer::Period(certificate) => certificate,
        answer => panic!("{}: {answer:?}", set.name()),
    }
}

/// Preperiod, period and saltus.
fn numbers(set: &dyn SubtractionSet, kind: Kind) -> (u64, u64, u64) {
    let certificate = certificate(set, kind, 10_000_000);
    assert_eq!(certificate.check(&Control::new()).unwrap(), None, "{}", certificate.claim());
    (certificate.preperiod(), certificate.period(), certificate.saltus())
}

fn named(set: &str, kind: Kind) -> (u64, u64, u64) {
    numbers(&set.parse::<NamedSet>().unwrap(), kind)
}

/// The mex of the options, one position after the other.
fn nim_values(is_move: impl Fn(usize) -> bool, n: usize) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::new();
    for x in 0..n {
        // No nim-value is larger than its heap.
        let mut reached = vec![false; x + 1];
        (1..=x).filter(|&s| is_move(s)).for_each(|s| reached[values[x - s] as usize] = true);
        values.push(reached.iter().position(|reached| !reached).unwrap() as u64);
    }
    values
}

/// The values of a finite set until a window of them comes again: the least preperiod and period by the definition.
fn by_windows(elements: &[u64], kind: Kind) -> (u64, u64) {
    let largest = *elements.last().unwrap() as usize;
    let mut values: Vec<u64> = Vec::new();
    let mut seen: HashMap<Vec<u64>, u64> = HashMap::new();
    for x in 0_usize.. {
        let options: Vec<u64> =
            elements.iter().filter(|&&s| s as usize <= x).map(|&s| values[x - s as usize]).collect();
        values.push(match kind {
            Kind::Nim => (0..).find(|value| !options.contains(value)).unwrap(),
            Kind::Outcome => u64::from(!options.contains(&1)),
        });
        if values.len() >= largest {
            let start = values.len() - largest;
            if let Some(first) = seen.insert(values[start..].to_vec(), start as u64) {
                return (first, start as u64 - first);
            }
        }
    }
    unreachable!()
}

#[test]
fn published_periods() {
    for (set, outcome, nim) in [
        ("1,8,27,64,125", (263, 7, 0), (264, 7, 0)),
        ("2,8,9", (11, 11, 0), (21, 11, 0)),
        // Whoever may take 1 to k plays mod k + 1.
        ("1,2,3,4,5", (0, 6, 0), (0, 6, 0)),
        // One element s: s cold heaps, s heaps of nim-value 1, and so on.
        ("7", (0, 14, 0), (0, 14, 0)),
    ] {
        assert_eq!(named(set, Kind::Outcome), outcome, "{set}");
        assert_eq!(named(set, Kind::Nim), nim, "{set}");
    }
    let (_, period, saltus) = named("allbut:2,3,7", Kind::Nim);
    assert_eq!((period, saltus), (4, 2));
}

/// Why infinite sets are refused.
#[test]
fn the_factorial_game_looks_periodic_and_is_not() {
    let set: NamedSet = "factorials".parse().unwrap();
    let table = nimsieve::grundy(&set, 6000).unwrap();
    let values: Vec<u16> = table.iter().collect();
    let first_difference = (0..5975).find(|&x| values[x] != values[x + 25]).unwrap();
    assert_eq!((first_difference + 25, values[5050]), (5050, 4));
    let message = find(&set, Kind::Nim, 1000, &Control::new()).unwrap_err().to_string();
    assert!(message.contains("infinite") && message.contains("expected a finite set"), "{message}");
}

#[test]
fn a_bound_is_an_answer() {
    let set: NamedSet = "1,8,27,64,125".parse().unwrap();
    for bound in [0, 1, 125, 126, 300, 395] {
        let answer = find(&set, Kind::Nim, bound, &Control::new()).unwrap();
        assert!(matches!(answer, Answer::NotFound { bound: told, .. } if told == bound), "{answer:?}");
    }
    // As little as it takes to see the window come again, from wherever the search takes it.
    assert!(matches!(find(&set, Kind::Nim, 1300, &Control::new()).unwrap(), Answer::Period(_)));
    // A window that no bound holds, or no memory.
    let huge = Finite::new([1, 1 << 60]).unwrap();
    assert!(matches!(find(&huge, Kind::Nim, 1000, &Control::new()).unwrap(), Answer::NotFound { .. }));
    assert!(find(&huge, Kind::Nim, u64::MAX, &Control::new()).is_err());
}

/// Sets for each width of words, and for the stamps beyond 64 elements.
#[test]
fn sets_of_every_size() {
    for count in [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 70] {
        // Odd numbers: cold and hot alternate. With 2 among them: something less plain.
        let odd = Finite::new((0..count).map(|k| 2 * k + 1)).unwrap();
        assert_eq!(numbers(&odd, Kind::Outcome), (0, 2, 0));
        assert_eq!(numbers(&odd, Kind::Nim), (0, 2, 0));
        let elements: Vec<u64> = (0..count).map(|k| k + 2 + k / 3).collect();
        let set = Finite::new(elements.clone()).unwrap();
        for kind in Kind::BOTH {
            let (preperiod, period) = by_windows(&elements, kind);
            assert_eq!(numbers(&set, kind), (preperiod, period, 0), "{elements:?} {kind}");
        }
    }
}

#[test]
fn primitive_triples_up_to_ten() {
    let census = Census::new(Some(3), 10, 1_000_000).unwrap();
    let (mut summary, mut rows) = (Summary::default(), Vec::new());
    census
        .run(0, &Control::new(), |batch| {
            batch.iter().for_each(|row| summary.add(row));
            rows.extend_from_slice(batch);
            Ok(())
        })
        .unwrap();
    assert_eq!((summary.sets, summary.pure, summary.open), (109, 99, 0));
    assert_eq!((summary.largest_preperiod, summary.periods), (Some(21), Some((2, 45))));
    let worst: Vec<&Row> = rows.iter().filter(|row| row.nim.unwrap().preperiod == 21).collect();
    assert_eq!(worst[0].set, [2, 8, 9]);
    for row in &rows {
        assert_eq!(row.outcome.unwrap(), by_windows(&row.set, Kind::Outcome), "{:?}", row.set);
        let nim = row.nim.unwrap();
        assert_eq!((nim.preperiod, nim.period), by_windows(&row.set, Kind::Nim), "{:?}", row.set);
        let values = nim_values(|s| row.set.contains(&(s as u64)), (nim.preperiod + nim.period) as usize);
        assert_eq!(nim.largest, values.iter().copied().max().unwrap());
        let mut last = values[nim.preperiod as usize..].to_vec();
        last.sort_unstable();
        assert_eq!(nim.bipartite, last == [0, 1], "{:?}", row.set);
        // Moves of odd numbers, 1 among them, change the parity and nothing else.
        let odd = row.set.iter().all(|s| s % 2 == 1);
        assert!(nim.bipartite || !odd || row.set[0] > 1, "{:?}", row.set);
    }
}

/// A census from any place on is the rest of the whole.
#[test]
fn a_census_goes_on_anywhere() {
    let census = Census::new(None, 8, 1_000_000).unwrap();
    let rows = |from| {
        let mut rows = Vec::new();
        let keep = |batch: &[Row]| {
            rows.extend_from_slice(batch);
            Ok(())
        };
        census.run(from, &Control::new(), keep).unwrap();
        rows
    };
    let all = rows(0);
    for (place, row) in all.iter().enumerate().step_by(7) {
        assert_eq!(rows(census.index(&row.set).unwrap()), all[place..]);
    }
    assert_eq!(rows(census.candidates()), []);
}

/// `cargo test --release --test periods -- --ignored --exact triples_up_to_a_hundred`
#[test]
#[ignore = "a minute; the command is in the documentation of the test"]
fn triples_up_to_a_hundred() {
    let census = Census::new(Some(3), 100, 100_000_000).unwrap();
    let mut summary = Summary::default();
    let count = |batch: &[Row]| {
        batch.iter().for_each(|row| summary.add(row));
        Ok(())
    };
    census.run(0, &Control::new(), count).unwrap();
    // Primitive triples by the Moebius function: the sum of mu(d) C(100 / d, 3).
    assert_eq!((summary.sets, summary.open), (135_739, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn periods_of_random_sets_are_the_least(elements in prop::collection::btree_set(1_u64..24, 1..8)) {
        let elements: Vec<u64> = elements.into_iter().collect();
        let set = Finite::new(elements.clone()).unwrap();
        for kind in Kind::BOTH {
            let (preperiod, period) = by_windows(&elements, kind);
            prop_assert_eq!(numbers(&set, kind), (preperiod, period, 0));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn saltus_of_random_all_but_sets(excluded in prop::collection::btree_set(1_u64..16, 1..6)) {
        let set = AllBut::new(excluded.iter().copied()).unwrap();
        let (preperiod, period, saltus) = numbers(&set, Kind::Nim);
        let n = (preperiod + 3 * period + 100) as usize;
        prop_assume!(n < 4000);
        let values = nim_values(|s| !excluded.contains(&(s as u64)), n);
        let holds = |a: usize, p: usize, t: u64| (a..n - p).all(|x| values[x + p] == values[x] + t);
        let (a, p) = (preperiod as usize, period as usize);
        prop_assert!(holds(a, p, saltus));
        prop_assert!(a == 0 || !holds(a - 1, p, saltus));
        for smaller in 1..p {
            let t = values[n - 1].saturating_sub(values[n - 1 - smaller]);
            prop_assert!(!holds(n - 2 * p, smaller, t), "{} is a period", smaller);
        }
        let cold: Vec<usize> = (0..n).filter(|&x| values[x] == 0).collect();
        prop_assert_eq!(numbers(&set, Kind::Outcome), (*cold.last().unwrap() as u64 + 1, 1, 0));
    }
}
