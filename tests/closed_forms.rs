//! Closed forms against the tables, value by value and move by move.

use nimsieve::closed_form::ClosedForm;
use nimsieve::run::Control;
use nimsieve::set::{NamedSet, SubtractionSet, elements_below};
use num_bigint::BigUint;
use proptest::prelude::*;

fn form(set: &NamedSet) -> ClosedForm {
    ClosedForm::of(set, 10_000_000, &Control::new()).unwrap().unwrap()
}

fn big(text: &str) -> BigUint {
    nimsieve::number::parse_big(text).unwrap()
}

/// The first `n` heaps, and all winning moves of the first `moves`.
fn check(name: &str, n: u64, moves: u64) {
    let set: NamedSet = name.parse().unwrap();
    assert!(ClosedForm::may_serve(&set));
    let form = form(&set);
    let table = nimsieve::cold(&set, n).unwrap();
    let elements = elements_below(&set, n, &Control::new()).unwrap();
    for x in 0..n {
        let heap = BigUint::from(x);
        assert_eq!(form.is_cold(&heap), table.is_cold(x).unwrap(), "heap {x} of {name}");
        if x < moves {
            let cold = elements.iter().take_while(|&&s| s <= x).filter(|&&s| table.is_cold(x - s).unwrap());
            let expected: Vec<BigUint> = cold.map(|&s| s.into()).collect();
            let found = form.winning_moves(&heap, usize::MAX);
            assert_eq!((found.takes, found.complete), (expected.clone(), true), "heap {x} of {name}");
            let few = form.winning_moves(&heap, 1);
            assert_eq!(
                (few.takes.len(), few.complete),
                (expected.len().min(1), expected.len() < 2),
                "heap {x} of {name}"
            );
        }
    }
    if form.nim_value(&BigUint::ZERO).is_some() {
        assert!(ClosedForm::may_tell_nim_values(&set));
        let values = nimsieve::grundy(&set, n.min(50_000)).unwrap();
        for (x, value) in (0_u64..).zip(values.iter()) {
            assert_eq!(form.nim_value(&x.into()), Some(value.into()), "heap {x} of {name}");
        }
    }
}

#[test]
fn the_first_hundred_thousand_heaps() {
    for name in [
        "powers-of:2",
        "powers-of:3",
        "powers-of:4",
        "powers-of:5",
        "powers-of:6",
        "powers-of:7",
        "powers-of:10",
        "powers-of:65535",
        "powers-of:65536",
        "moser-de-bruijn",
        "prime-powers-1",
        "1,8,27,64,125",
        "2,8,9",
        "7",
        "1,23,64",
        "allbut:2,3,7",
        "allbut:1",
        "allbut:1,2,5,11",
    ] {
        let many = name.contains("prime") || name.contains("allbut") || name.contains("moser");
        check(name, 100_000, if many { 1500 } else { 20_000 });
    }
}

#[test]
fn heaps_of_any_size() {
    let cases = [
        // 10^100 = 1 mod 3.
        ("powers-of:2", "10^100", false),
        ("powers-of:2", "10^100-1", true),
        ("powers-of:3", "10^100", true),
        ("powers-of:3", "10^100+1", false),
        // 10 = -1 mod 11.
        ("powers-of:10", "10^100+1", true),
        ("powers-of:10", "10^101", false),
        ("moser-de-bruijn", "2*4^5000", true),
        ("moser-de-bruijn", "4^5000", false),
        ("prime-powers-1", "6^300", true),
        ("prime-powers-1", "6^300+5", false),
        // Purely periodic with period 14: seven cold, seven hot.
        ("7", "14*10^100+6", true),
        ("7", "14*10^100+7", false),
        ("allbut:2,3,7", "10^100", false),
    ];
    for (name, heap, cold) in cases {
        let set: NamedSet = name.parse().unwrap();
        let heap = big(heap);
        let form = form(&set);
        assert_eq!(form.is_cold(&heap), cold, "{name} {heap}");
        let winning = form.winning_moves(&heap, 5);
        assert_eq!(winning.takes.is_empty(), cold, "{name} {heap}");
        for take in winning.takes {
            assert!(form.is_cold(&(&heap - take)), "{name} {heap}");
        }
    }
    // The only winning move from a + 2b takes a.
    let set: NamedSet = "moser-de-bruijn".parse().unwrap();
    let (a, b) = (big("4^100+4^7+1"), big("4^99+4^50"));
    let winning = form(&set).winning_moves(&(&a + 2_u32 * &b), 5);
    assert_eq!((winning.takes, winning.complete), (vec![a], true));
    // Period 4, saltus 2.
    let set: NamedSet = "allbut:2,3,7".parse().unwrap();
    let form = form(&set);
    let value = |heap: &BigUint| form.nim_value(heap).unwrap();
    assert_eq!(value(&big("10^100+4")) - value(&big("10^100")), 2_u32.into());
}

#[test]
fn sets_without_a_closed_form() {
    for name in ["squares", "primes", "fibonacci"] {
        let set: NamedSet = name.parse().unwrap();
        assert!(!ClosedForm::may_serve(&set), "{name}");
        assert_eq!(ClosedForm::of(&set, 1000, &Control::new()).unwrap(), None, "{name}");
    }
    // A period that does not show below the bound.
    let set: NamedSet = "1,8,27,64,125".parse().unwrap();
    assert_eq!(ClosedForm::of(&set, 200, &Control::new()).unwrap(), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Moves to any nim-value, not only 0.
    #[test]
    fn moves_to_a_value(numbers in prop::collection::btree_set(1_u64..12, 1..5), all_but: bool, x in 0_u64..300) {
        let list = numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        let set: NamedSet = if all_but { format!("allbut:{list}") } else { list }.parse().unwrap();
        let form = form(&set);
        let table = nimsieve::grundy(&set, 300).unwrap();
        for value in 0..=table.max().unwrap().0 {
            let moves = set.elements().take_while(|&s| s <= x);
            let expected: Vec<BigUint> =
                moves.filter(|s| table.value(x - s).unwrap() == value).map(BigUint::from).collect();
            let found = form.moves_to(&x.into(), &value.into(), usize::MAX).unwrap();
            prop_assert_eq!((found.takes, found.complete), (expected, true));
        }
    }
}
