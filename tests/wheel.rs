//! The wheel against the recurrence and the sieve, with its stages forced early, and against known values.
//!
//! By itself the wheel leaves the first million numbers to the sieve; here it begins near 0, with every modulus, with
//! blocks of every size, and with stages that change wherever they like.

use nimsieve::cold::wheel::{Options, run_with};
use nimsieve::cold::{Engine, wheel};
use nimsieve::kernel::Cpu;
use nimsieve::run::{Control, with_threads};
use nimsieve::set::{NamedSet, SubtractionSet};
use nimsieve::sink::{ColdBlock, ColdCounter, ColdSink};
use nimsieve::{ColdTable, Error, Plan, Result};
use proptest::prelude::*;

fn named(name: &str) -> NamedSet {
    name.parse().unwrap()
}

fn by_wheel(set: &dyn SubtractionSet, n: u64, options: &Options) -> ColdTable {
    let mut table = ColdTable::new(set.name(), n).unwrap();
    run_with(set, n, options, &Control::new(), &mut table).unwrap();
    assert_eq!(table.len(), n, "blocks cover everything below n");
    table
}

fn by_engine(set: &dyn SubtractionSet, n: u64, engine: Engine) -> ColdTable {
    Plan::cold(set, n).unwrap().engine(engine).unwrap().run().unwrap()
}

/// Compares and names the first difference.
fn assert_same(found: &ColdTable, expected: &ColdTable, what: &str) {
    let difference = found.iter().zip(expected.iter()).find(|(a, b)| a != b);
    assert_eq!(difference, None, "{what}: first difference");
    assert_eq!(found.count(), expected.count(), "{what}");
}

/// Stages that begin so early that whole rows are still empty.
#[test]
fn small_n_with_every_modulus_forced_early() {
    for name in ["squares", "cubes", "triangular", "pronic", "kth-powers:4", "polygonal:5", "poly:2k^2+k"] {
        let set = named(name);
        let oracle = by_engine(&set, 60_000, Engine::Recurrence);
        for modulus in [2, 3, 25, 64, 65, 91, 99, 325, 1105, 1625] {
            for (n, from) in [(1, 0), (4095, 0), (4096, 1), (60_000, 0), (59_999, 777), (60_000, 30_001)] {
                let found = by_wheel(&set, n, &Options::default().stages([(from, modulus)]));
                let expected: Vec<u64> = oracle.range(0..n).unwrap().collect();
                assert!(found.iter().eq(expected), "{name} below {n}, modulus {modulus} from {from}");
            }
        }
    }
}

/// The record modulus, which needs a while to have columns at all.
#[test]
fn the_record_modulus_forced_early() {
    let set = named("squares");
    let n = 3_000_017;
    let expected = by_engine(&set, n, Engine::Sieve);
    for from in [50_000, 1_000_003] {
        let found = by_wheel(&set, n, &Options::default().stages([(from, 27_625)]));
        assert_same(&found, &expected, &format!("27625 from {from}"));
    }
}

#[test]
fn stages_in_a_chain_with_shifted_bounds_and_blocks() {
    let set = named("squares");
    let n = 6_000_001;
    let expected = by_engine(&set, n, Engine::Sieve);
    let chains: [&[(u64, u32)]; 6] = [
        &[(10_000, 65), (200_000, 325), (1_000_000, 1105), (2_500_000, 1625)],
        &[(9_999, 65), (500_001, 1625), (1_234_567, 1105), (4_000_000, 65)],
        &[(70_000, 325), (70_001, 65), (70_066, 1105)],
        &[(4_096, 5), (40_960, 13), (409_600, 17), (5_999_999, 64)],
        &[(123_456, 99)],
        &[(300_000, 1105), (5_000_000, 27_625)],
    ];
    for (chain, tiles) in chains.into_iter().zip([1, 2, 4, 8].into_iter().cycle()) {
        let options = Options::default().stages(chain.iter().copied()).block_tiles(tiles);
        assert_same(&by_wheel(&set, n, &options), &expected, &format!("{chain:?} in blocks of {tiles}"));
    }
}

/// Several epochs, hot plans of several ages, blocks of every size in one run.
#[test]
fn long_stages_agree_with_the_sieve() {
    let set = named("squares");
    let n = 20_000_003;
    let expected = by_engine(&set, n, Engine::Sieve);
    for tiles in [1, 2, 4, 8] {
        for chain in [&[(1 << 20, 65)][..], &[(100_000, 65), (4_000_000, 325)], &[(2_000_000, 1105)]] {
            let options = Options::default().stages(chain.iter().copied()).block_tiles(tiles);
            assert_same(&by_wheel(&set, n, &options), &expected, &format!("{chain:?} in blocks of {tiles}"));
        }
    }
    assert_same(&by_wheel(&set, n, &Options::default()), &expected, "stages chosen by the wheel");
}

#[test]
fn other_polynomials_agree_with_the_sieve() {
    for (name, modulus) in [
        ("cubes", 91),
        ("triangular", 99),
        ("pronic", 36),
        ("kth-powers:4", 17),
        ("polygonal:5", 17),
        ("poly:2k^2", 65),
        ("poly:2k^2+k", 27),
        ("poly:k^2+1", 12),
        ("poly:k^2-10k+26", 65),
    ] {
        let set = named(name);
        let n = 4_000_000;
        let expected = by_engine(&set, n, Engine::Sieve);
        let found = by_wheel(&set, n, &Options::default().stages([(60_000, modulus)]));
        assert_same(&found, &expected, &format!("{name}, modulus {modulus}"));
        // Whatever the wheel makes of it by itself, and if it declines it says so.
        match Plan::cold(&set, n).unwrap().engine(Engine::Wheel) {
            Ok(plan) => assert_same(&plan.run().unwrap(), &expected, name),
            Err(Error::Declined { engine: "wheel", .. }) => {}
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

/// Nothing is asked of the set: the wheel is right for any, if asked for; it only declines to choose a modulus.
#[test]
fn sets_without_a_formula() {
    for name in ["primes", "fibonacci", "1,4,9,5000", "4095,4096,4097"] {
        let set = named(name);
        let expected = by_engine(&set, 300_000, Engine::Sieve);
        let found = by_wheel(&set, 300_000, &Options::default().stages([(5_000, 30)]));
        assert_same(&found, &expected, name);
        assert!(Plan::cold(&set, 300_000).unwrap().engine(Engine::Wheel).is_err(), "{name}");
    }
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let set = named("squares");
    let n = 100_000;
    for options in [
        Options::default().modulus(0),
        Options::default().modulus(1),
        Options::default().modulus(wheel::MAX_MODULUS + 1),
        Options::default().stages([(20_000, 65), (10_000, 1105)]),
        Options::default().stages([(20_000, 65), (20_000, 1105)]),
        Options::default().stages([(1_000, 65), (2_000, 0)]),
        Options::default().block_tiles(0),
        Options::default().block_tiles(3),
        Options::default().block_tiles(16),
        Options::default().stages([(1_000, 65)]).block_tiles(5),
    ] {
        let mut counter = ColdCounter::default();
        let refused = run_with(&set, n, &options, &Control::new(), &mut counter);
        assert!(matches!(refused, Err(Error::Declined { engine: "wheel", .. })), "{options:?}");
        assert_eq!(counter.count, 0, "{options:?}: refused before anything is handed over");
    }
    // Too many columns for 32 bits; refused before the elements are listed.
    let refused = run_with(&set, 1 << 33, &Options::default().modulus(2), &Control::new(), &mut ColdCounter::default());
    assert!(matches!(refused, Err(Error::Declined { .. })));
}

#[test]
fn an_empty_chain_is_the_sieve_alone() {
    let set = named("squares");
    let found = by_wheel(&set, 50_000, &Options::default().stages([]));
    assert_same(&found, &by_engine(&set, 50_000, Engine::Recurrence), "no stages");
}

#[test]
fn threads_do_not_change_the_result() {
    let set = named("squares");
    let options = Options::default().stages([(50_000, 65), (600_000, 1625)]);
    let run = |threads| with_threads(Some(threads), || Ok(by_wheel(&set, 3_000_000, &options))).unwrap();
    let one = run(1);
    assert!(one == run(2) && one == run(5));
}

#[test]
fn vector_instructions_do_not_change_the_result() {
    let set = named("squares");
    let expected = by_engine(&set, 2_500_000, Engine::Sieve);
    for &cpu in Cpu::available() {
        let options = Options::default().stages([(50_000, 65), (900_000, 1105)]).cpu(cpu);
        assert_same(&by_wheel(&set, 2_500_000, &options), &expected, cpu.name());
    }
}

/// From what is known below the sieve's share, at its end, inside a stage and where a stage begins.
#[test]
fn a_run_continues_from_what_is_known() {
    let set = named("squares");
    let n = 22_000_000;
    let expected = by_engine(&set, n, Engine::Sieve);
    for end in [1, 4096, 700_001, 1 << 20, 1_200_003, 13_000_000, 19_194_500, n - 1] {
        let known = by_engine(&set, end, Engine::Sieve);
        let plan = Plan::cold(&set, n).unwrap().engine(Engine::Wheel).unwrap().continue_from(&known);
        assert_same(&plan.run().unwrap(), &expected, &format!("from {end}"));
    }
}

/// Blocks come in order, without a hole, and none holds what lies outside it.
#[test]
fn blocks_follow_each_other() {
    #[derive(Default)]
    struct Follow {
        reached: u64,
        blocks: u64,
    }
    impl ColdSink for Follow {
        fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
            assert_eq!(block.range().start, self.reached);
            self.reached = block.range().end;
            self.blocks += 1;
            block.try_for_each(|x| {
                assert!(block.range().contains(&x));
                Ok(())
            })
        }
    }
    let mut follow = Follow::default();
    let options = Options::default().stages([(10_001, 65), (1_000_001, 1105)]);
    run_with(&named("squares"), 5_000_011, &options, &Control::new(), &mut follow).unwrap();
    assert_eq!(follow.reached, 5_000_011);
    assert!(follow.blocks > 5);
}

#[test]
fn a_run_can_be_stopped_within_a_stage() {
    /// Asks for the end once a position is reached.
    struct StopAt<'a>(&'a Control, u64);
    impl ColdSink for StopAt<'_> {
        fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
            if block.range().end >= self.1 {
                self.0.stop();
            }
            Ok(())
        }
    }
    let control = Control::new();
    let options = Options::default().stages([(10_000, 65)]);
    let stopped = run_with(&named("squares"), 5_000_000, &options, &control, &mut StopAt(&control, 1_000_000));
    assert!(matches!(stopped, Err(Error::Stopped { reached }) if (1_000_000..2_000_000).contains(&reached)));
}

#[test]
fn the_planner_takes_the_wheel_when_it_is_faster() {
    let squares = named("squares");
    assert_eq!(Plan::cold(&squares, 1_000_000).unwrap().chosen(), Engine::Sieve);
    let plan = Plan::cold(&squares, 1_000_000_000).unwrap();
    assert_eq!(plan.chosen(), Engine::Wheel);
    let stages = plan.profile().wheel.clone().unwrap();
    assert!(stages.len() >= 2, "{stages:?}");
    assert!(stages.windows(2).all(|pair| pair[0].to == pair[1].from && pair[0].modulus < pair[1].modulus));
    assert!(stages.iter().all(|stage| stage.modulus.is_multiple_of(65)), "{stages:?}");
    // Memory is stated: 10^11 in 2 GB.
    let plan = Plan::cold(&squares, 100_000_000_000).unwrap();
    assert!(plan.estimate().memory < 2_000_000_000, "{}", plan.estimate().memory);
    assert!(plan.to_string().contains("modulus 65"), "{plan}");
    for name in ["primes", "fibonacci", "poly:k", "1,4,9"] {
        let set = named(name);
        let declined = Plan::cold(&set, 10_000_000).unwrap().engine(Engine::Wheel);
        assert!(matches!(declined, Err(Error::Declined { engine: "wheel", .. })), "{name}");
    }
}

/// Squares below 4 10^7: the count and the last from `plain_sieve` in benches/baseline.rs; of the numbers 1 and 3 mod 5,
/// which are known to be rare, all those that are known to 10^11.
#[test]
fn known_values_at_forty_million() {
    let table = by_engine(&named("squares"), 40_000_000, Engine::Wheel);
    assert_eq!((table.count(), table.largest()), (183_496, Some(39_999_980)));
    let class = |residue| table.iter().filter(|x| x % 5 == residue).collect::<Vec<_>>();
    assert_eq!((class(1).len(), class(1).last()), (8, Some(&522_121)));
    assert_eq!((class(3).len(), class(3).last()), (36, Some(&3_687_288)));
    assert_eq!(table.iter().filter(|x| x % 10 == 6).collect::<Vec<_>>(), [11_356]);
}

/// The whole list below 10^9, about ten seconds for the wheel and a minute or so for the sieve:
/// `cargo test --release --test wheel -- --ignored --nocapture the_list`
#[test]
#[ignore = "a minute or two"]
fn the_list_below_1e9_is_that_of_the_sieve() {
    let set = named("squares");
    let n = 1_000_000_000;
    let found = by_engine(&set, n, Engine::Wheel);
    assert_eq!((found.count(), found.largest()), (1_727_524, Some(999_999_930)));
    let expected = by_engine(&set, n, Engine::Sieve);
    assert_same(&found, &expected, "stages chosen by the wheel");
    let shifted = Options::default().stages([(2_000_003, 65), (9_000_001, 1625), (400_000_007, 27_625)]).block_tiles(2);
    assert_same(&by_wheel(&set, n, &shifted), &expected, "shifted stages");
}

/// Counts to 10^10, about half a minute:
/// `cargo test --release --test wheel -- --ignored --nocapture known_values_to_1e10`
#[test]
#[ignore = "half a minute or more"]
fn known_values_to_1e10() {
    #[derive(Default)]
    struct Values {
        below: Vec<u64>,
        count: u64,
        last: u64,
        gap: (u64, u64),
        classes: [(u64, u64); 5],
    }
    const MARKS: [u64; 3] = [1_000_000_000, 1 << 30, 10_000_000_000];
    impl ColdSink for Values {
        fn accept(&mut self, block: &ColdBlock<'_>) -> Result<()> {
            block.try_for_each(|x| {
                while MARKS.get(self.below.len()).is_some_and(|&mark| x >= mark) {
                    self.below.push(self.count);
                }
                self.count += 1;
                self.gap = self.gap.max((x - self.last, self.last));
                self.last = x;
                let class = &mut self.classes[(x % 5) as usize];
                *class = (class.0 + 1, x);
                Ok(())
            })
        }
    }
    let mut values = Values::default();
    let plan = Plan::cold(&nimsieve::set::Squares, MARKS[2]).unwrap().engine(Engine::Wheel).unwrap();
    plan.run_into(&Control::new(), &mut values).unwrap();
    assert_eq!(values.below, [1_727_524, 1_816_355]);
    assert_eq!((values.count, values.last), (8_595_163, 9_999_998_400));
    assert_eq!(values.gap, (26_873, 9_947_134_507));
    assert_eq!((values.classes[1], values.classes[3]), ((8, 522_121), (36, 3_687_288)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_modulus_and_any_bounds(
        modulus in 2_u32..3000,
        other in 2_u32..300,
        from in 0_u64..40_000,
        length in 1_u64..60_000,
        n in 1_u64..150_000,
        tiles in prop::sample::select(vec![1_u32, 2, 4, 8]),
        name in prop::sample::select(vec!["squares", "triangular", "cubes", "poly:k^2+3000", "poly:3k^2-100k"]),
    ) {
        let set = named(name);
        let options = Options::default().stages([(from, modulus), (from + length, other)]).block_tiles(tiles);
        let found = by_wheel(&set, n, &options);
        let expected = by_engine(&set, n, Engine::Sieve);
        prop_assert!(found == expected);
    }
}
