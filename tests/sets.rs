//! Sets that are made of others, or of chance: against plain definitions.

use std::collections::BTreeSet;

use nimsieve::set::{Finite, NamedSet, Random, SubtractionSet, Union, count_below};
use proptest::prelude::*;

fn named(name: &str) -> NamedSet {
    name.parse().unwrap()
}

fn first(name: &str, count: usize) -> Vec<u64> {
    named(name).elements().take(count).collect()
}

/// The rule of random sets is fixed for ever: a published name must stand for the same numbers.
#[test]
fn random_sets_do_not_change() {
    assert_eq!(first("random:0.3:7", 12), [2, 6, 9, 11, 22, 27, 32, 34, 37, 39, 40, 44]);
    // By the rule, written once more.
    let hash = |seed: u64, k: u64| {
        let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(k));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    for (density, seed, limit) in [(0.5, 0, 1_u64 << 63), (0.25, 99, 1 << 62), (0.75, u64::MAX, 3 << 62)] {
        let expected = (1..5_000).filter(|&k| hash(seed, k) < limit);
        assert!(Random::new(density, seed).unwrap().elements().take_while(|&k| k < 5_000).eq(expected));
    }
}

#[test]
fn unions_know_their_form_and_about_how_many_they_are() {
    let finite = named("union(poly:100-k^2,5,7)");
    let elements = vec![5, 7, 19, 36, 51, 64, 75, 84, 91, 96, 99];
    assert!(matches!(finite.form(), nimsieve::set::Form::Finite(form) if form == elements));
    assert_eq!(finite.elements().collect::<Vec<_>>(), elements);
    assert_eq!(count_below(&finite, 1 << 60), 11.0);
    for (name, n, expected) in [
        // 10^5 squares and 2,154 cubes, of which 46 are both; 30% and 20% of the numbers are in one of two in 44%.
        ("union(squares,cubes)", 10_000_000_000, 102_108.0),
        ("union(random:0.3:1,random:0.2:2)", 1_000_000_000, 4.4e8),
        ("random:0.001:5", 1 << 40, 1.0995e9),
    ] {
        let counted = count_below(&named(name), n);
        assert!((expected * 0.99..expected * 1.01).contains(&counted), "{name} below {n}: {counted}");
    }
}

/// Large enough that counts below n are estimates: the planner should not be misled by more than a factor of 1.5.
#[test]
fn named_sets_are_counted_well_enough_to_plan() {
    // A066265; and 10^9 - 2 numbers from 2 on less 50,847,534 primes.
    for (name, n, expected) in
        [("semiprimes", 1_000_000_000, 160_788_536.0), ("composites", 1_000_000_000, 949_152_464.0)]
    {
        let counted = count_below(&named(name), n);
        assert!((expected / 1.5..expected * 1.5).contains(&counted), "{name} below {n}: {counted}");
    }
    let lucky = named("lucky");
    let exact = lucky.elements().take_while(|&s| s < 10_000_000).count() as f64;
    let counted = count_below(&lucky, 10_000_000);
    assert!((exact / 1.5..exact * 1.5).contains(&counted), "{counted} for {exact}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn unions_merge(
        lists in prop::collection::vec(prop::collection::btree_set(1_u64..300, 1..40), 0..4),
        names in prop::sample::subsequence(
            vec!["squares", "primes", "random:0.2:3", "allbut:2,3,7", "fibonacci", "lucky", "poly:60-k", "composites"],
            0..4,
        ),
    ) {
        prop_assume!(lists.len() + names.len() > 0);
        let lists = lists.into_iter().map(|list| NamedSet::new(Finite::new(list).unwrap()));
        let sets: Vec<NamedSet> = lists.chain(names.iter().map(|name| named(name))).collect();
        let expected: BTreeSet<u64> =
            sets.iter().flat_map(|set| set.elements().take_while(|&s| s < 500)).collect();
        let union = Union::of(sets.clone()).unwrap();
        prop_assert!(union.elements().take_while(|&s| s < 500).eq(expected.iter().copied()));
        // The name says it all, whatever the order.
        let read = named(&union.name());
        prop_assert_eq!(read.name(), union.name());
        prop_assert!(read.elements().take_while(|&s| s < 500).eq(expected));
        prop_assert_eq!(Union::of(sets.into_iter().rev()).unwrap().name(), union.name());
    }
}
