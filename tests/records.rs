//! The published records: what can be computed again in a second is, on every run of the tests.

use nimsieve::set::Squares;
use nimsieve::sink::PowerCounter;
use nimsieve::{Plan, run::Control};

/// The counts below powers of ten in the record file, for all powers that the file lists.
fn recorded() -> Vec<(u32, u64)> {
    include_str!("../data/records/squares-1e11.txt")
        .lines()
        .filter_map(|line| line.strip_prefix("below 10^"))
        .map(|rest| {
            let (power, count) = rest.split_once(' ').unwrap();
            (power.trim().parse().unwrap(), count.trim().replace(',', "").parse().unwrap())
        })
        .collect()
}

#[test]
fn counts_below_powers_of_ten() {
    let recorded = recorded();
    assert_eq!(recorded.iter().map(|(power, _)| *power).collect::<Vec<_>>(), (1..=11).collect::<Vec<_>>());
    let mut counter = PowerCounter::default();
    Plan::cold(&Squares, 10_000_000).unwrap().run_into(&Control::new(), &mut counter).unwrap();
    let computed: Vec<(u32, u64)> = counter.below().map(|(power, count)| (power.ilog10(), count)).collect();
    assert_eq!(computed.len(), 7);
    assert_eq!(computed, recorded[..7]);
}
