//! Plans: what is estimated of sets of every form, at sizes from nothing to the limits of the numbers.

use nimsieve::set::{Finite, NamedSet, Polynomial, SubtractionSet, count_below};
use nimsieve::{Error, Plan, cold, grundy};

fn set(name: &str) -> NamedSet {
    name.parse().unwrap()
}

#[test]
fn elements_are_counted_exactly_where_the_form_tells() {
    for name in
        ["squares", "triangular", "poly:k^2-10k+26", "poly:100-k^2", "kth-powers:63", "allbut:2,3,7", "1,4,9", "poly:k"]
    {
        let set = set(name);
        for n in [0, 1, 2, 9, 10, 26, 27, 100, 101, 4096] {
            let counted = set.elements().take_while(|&s| s < n).count();
            assert_eq!(count_below(&set, n), counted as f64, "{name} below {n}");
        }
    }
    assert_eq!(Polynomial::kth_powers(2).unwrap().count_below(u64::MAX), (1 << 32) - 1);
    assert_eq!(Polynomial::kth_powers(1).unwrap().count_below(u64::MAX), u64::MAX - 1);
    assert_eq!(count_below(&set("kth-powers:63"), 1 << 63), 1.0);
}

#[test]
fn elements_are_extrapolated_well_enough_to_plan_where_it_does_not() {
    // The number of primes below 10^9 and 10^12, of Fibonacci numbers, and of sums of distinct powers of 4.
    for (name, n, expected) in [
        ("primes", 1_000_000_000, 50_847_534.0_f64),
        ("fibonacci", 1 << 62, 88.0),
        ("moser-de-bruijn", 1 << 40, 1_048_575.0),
    ] {
        let counted = count_below(&set(name), n);
        // Estimates of time are rough by a factor of two; counts had better not add much to that.
        assert!((expected / 1.5..expected * 1.5).contains(&counted), "{name} below {n}: {counted}");
    }
}

/// Sets whose elements are all far away look empty from the start; the planner must not believe it.
#[test]
fn far_finite_sets_are_planned_for_what_they_are() {
    for first in [2_200_000_u64, 5_000_000] {
        let far = Finite::new((0..100_000).map(|i| first + 7 * i)).unwrap();
        let plan = Plan::cold(&far, 120_000_000).unwrap();
        assert_eq!(plan.profile().elements, 100_000.0);
        assert_ne!(plan.chosen(), cold::Engine::Recurrence);
        assert!(plan.estimate().seconds > 0.1, "{:?}", plan.estimate());
    }
    assert_eq!(Plan::cold(&set("1,3000000"), 1 << 40).unwrap().profile().elements, 2.0);
    assert!(Plan::cold(&set("kth-powers:63"), 1 << 40).unwrap().estimate().memory < 1 << 40);
}

/// No estimate wraps around: a job that passes all memory says so.
#[test]
fn estimates_do_not_wrap_around() {
    for name in ["squares", "primes", "1,2", "powers-of:2", "allbut:2,3,7", "poly:k", "factorials"] {
        let set = set(name);
        for n in [1 << 55, 1 << 62, 1 << 63, (1 << 63) + 1, 760_690_656_769_439_412, u64::MAX] {
            for engine in cold::Engine::all() {
                if let Ok(plan) = Plan::cold(&set, n).unwrap().engine(engine) {
                    assert!(plan.estimate().memory >= n / 9, "{engine} on {name} below {n}: {:?}", plan.estimate());
                }
            }
            for engine in grundy::Engine::all() {
                if let Ok(plan) = Plan::grundy(&set, n).unwrap().engine(engine) {
                    assert!(plan.estimate().memory >= n / 9, "{engine} on {name} below {n}: {:?}", plan.estimate());
                }
            }
        }
    }
}

#[test]
fn the_planner_prefers_what_is_faster() {
    for (name, n, expected) in [
        ("squares", 40_000_000, cold::Engine::Wheel),
        ("squares", 100, cold::Engine::Sieve),
        ("triangular", 40_000_000, cold::Engine::Sieve),
        ("primes", 30_000_000, cold::Engine::Residue),
        ("allbut:2,3,7", 10_000_000, cold::Engine::Sieve),
        ("1,4,9", 1_000_000_000, cold::Engine::Sieve),
    ] {
        assert_eq!(Plan::cold(&set(name), n).unwrap().chosen(), expected, "{name} below {n}");
    }
    for (name, n, expected) in [
        ("squares", 1 << 20, grundy::Engine::Flags),
        ("1,4,9", 1_000_000, grundy::Engine::Sparse),
        ("practical", 1_000_000, grundy::Engine::Levels),
        ("random:0.3:7", 1_000_000, grundy::Engine::Levels),
        ("semiprimes", 1_000_000, grundy::Engine::Levels),
    ] {
        assert_eq!(Plan::grundy(&set(name), n).unwrap().chosen(), expected, "nim-values of {name} below {n}");
    }
    let squares = set("squares");
    let plan = Plan::cold(&squares, 1 << 30).unwrap();
    assert!(matches!(plan.engine(cold::Engine::Divide), Err(Error::Declined { engine: "divide", .. })));
}

/// At most 20 bytes a position of the padded length, and nothing longer than the roots of unity allow.
#[test]
fn levels_keep_to_their_limits() {
    for name in ["primes", "lucky", "random:0.3:7", "squares"] {
        let set = set(name);
        let levels = |n| Plan::grundy(&set, n).unwrap().engine(grundy::Engine::Levels);
        for n in [1 << 20, (1 << 20) + 1, 10_000_000, (1 << 27) - 1, (1 << 28) + 1, grundy::LEVELS_MAX_N] {
            let memory = levels(n).unwrap().estimate().memory;
            assert!(memory <= 20 * n.next_power_of_two(), "{name} below {n}: {memory}");
        }
        let refused = levels(grundy::LEVELS_MAX_N + 1).map(drop);
        assert!(matches!(&refused, Err(Error::Declined { engine: "levels", reason, .. }) if reason.contains("2^29")));
    }
}

/// How many nim-values there are tells what `levels` costs: few of primes, one in 45 positions of a random set.
#[test]
fn nim_values_are_estimated() {
    for (name, n, expected) in
        [("primes", 10_000_000, 12.0), ("random:0.3:7", 1_000_000, 30_300.0), ("squares", 1 << 24, 451.0)]
    {
        let levels = Plan::grundy(&set(name), n).unwrap().profile().levels.unwrap();
        assert!((expected / 2.0..expected * 2.0).contains(&levels), "{name} below {n}: {levels}");
    }
    assert_eq!(Plan::grundy(&set("primes"), 157).unwrap().profile().levels, Some(12.0));
}

#[test]
fn a_plan_prints_what_it_would_do() {
    let text = Plan::cold(&set("primes"), 10_000_000).unwrap().threads(2).to_string();
    for part in ["primes", "n = 10000000", "divide", "threads    2", "memory", "instead    sieve"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(set("primes").name() == "primes");
}

/// What the beginning of these games shows of residues does not hold further on; the planner takes engines that cannot
/// give up. The cold positions of prime powers and 1 are the multiples of 6.
#[test]
fn the_planner_takes_no_engine_that_may_give_up() {
    let prime_powers = set("prime-powers-1");
    let plan = Plan::cold(&prime_powers, 200_000).unwrap();
    assert!(!plan.estimate().may_give_up);
    assert!(plan.run().unwrap().iter().eq((0..200_000).step_by(6)));
    let learnt = plan.engine(cold::Engine::Residue).unwrap();
    assert!(learnt.estimate().may_give_up);
    assert!(matches!(learnt.run(), Err(Error::Undecided { heap: 100_000..200_000, value: 0, .. })));
    let plan = Plan::grundy(&prime_powers, 200_000).unwrap();
    assert!(!plan.estimate().may_give_up);
}
