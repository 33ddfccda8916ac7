//! The shared battery: every engine against the definition, on sets of every kind and around every edge.
//!
//! A new engine is covered by being listed in `Engine::all()`; an engine that declines a set says so and is passed over,
//! and every engine must serve something.

use std::collections::HashSet;

use nimsieve::run::Control;
use nimsieve::set::{Finite, NamedSet, SubtractionSet};
use nimsieve::sink::{GrundyBlock, GrundySink};
use nimsieve::{ColdTable, Error, GrundyTable, Plan, cold, grundy};
use proptest::prelude::*;
use rayon::prelude::*;

/// Sets of every kind: sparse and dense, finite and not, with and without 1, with elements next to word and strip edges.
const SETS: &[&str] = &[
    "squares",
    "cubes",
    "kth-powers:5",
    "triangular",
    "pronic",
    "polygonal:5",
    "poly:2k^2+k",
    "poly:k^2-10k+26",
    "powers-of:2",
    "primes",
    "primes-1",
    "prime-powers",
    "prime-powers-1",
    "fibonacci",
    "lucas",
    "factorials",
    "practical",
    "moser-de-bruijn",
    "semiprimes",
    "composites",
    "lucky",
    "random:0.3:7",
    "random:0.01:1",
    "union(squares,cubes,7)",
    "union(primes,random:0.1:2)",
    "1",
    "2",
    "64",
    "1,4,9",
    "2,8,9",
    "63,64,65",
    "1,1023,1024,1025",
    "4095,4096,4097",
    "allbut:1",
    "allbut:2,3,7",
    "poly:k",
    "poly:k^2+3000",
];

/// The tables of every engine but the oracle.
fn cold_tables(set: &dyn SubtractionSet, n: u64) -> Vec<(cold::Engine, ColdTable)> {
    let mut tables = Vec::new();
    let plan = Plan::cold(set, n).unwrap();
    for engine in cold::Engine::all().filter(|engine| *engine != cold::Engine::Recurrence) {
        match plan.clone().engine(engine) {
            Ok(plan) => tables.push((engine, plan.run().unwrap())),
            Err(Error::Declined { .. }) => {}
            Err(error) => panic!("{engine} on {} below {n}: {error}", set.name()),
        }
    }
    tables
}

/// The tables of every engine but the oracle.
fn grundy_tables(set: &dyn SubtractionSet, n: u64) -> Vec<(grundy::Engine, GrundyTable)> {
    let mut tables = Vec::new();
    let plan = Plan::grundy(set, n).unwrap();
    for engine in grundy::Engine::all().filter(|engine| *engine != grundy::Engine::Recurrence) {
        match plan.clone().engine(engine) {
            Ok(plan) => tables.push((engine, plan.run().unwrap())),
            Err(Error::Declined { .. }) => {}
            Err(error) => panic!("{engine} on {} below {n}: {error}", set.name()),
        }
    }
    tables
}

/// The definition once more, written apart from the engines: nim-values by a search over all smaller heaps.
fn nim_values(set: &dyn SubtractionSet, n: u64) -> Vec<u16> {
    let elements: HashSet<u64> = set.elements().take_while(|&s| s < n).collect();
    let mut values: Vec<u16> = Vec::new();
    for x in 0..n {
        let options: HashSet<u16> =
            (0..x).filter(|y| elements.contains(&(x - y))).map(|y| values[y as usize]).collect();
        values.push((0..).find(|v| !options.contains(v)).unwrap());
    }
    values
}

/// Compares every engine with known nim-values at one n.
fn check(set: &dyn SubtractionSet, values: &[u16], n: u64) {
    let values = &values[..n as usize];
    let cold_positions: Vec<u64> = (0..n).filter(|&x| values[x as usize] == 0).collect();
    for (engine, table) in cold_tables(set, n) {
        assert_eq!(table.len(), n, "{engine} on {}", set.name());
        assert_eq!(table.count(), cold_positions.len() as u64, "{engine} on {} below {n}", set.name());
        assert!(table.iter().eq(cold_positions.iter().copied()), "{engine} on {} below {n}", set.name());
    }
    for (engine, table) in grundy_tables(set, n) {
        assert_eq!(table.len(), n, "{engine} on {}", set.name());
        let wrong = table.iter().zip(values).position(|(a, &b)| a != b);
        assert_eq!(wrong, None, "{engine} on {} below {n}: first wrong heap", set.name());
    }
}

/// The two oracles of the library against the one of this file.
fn check_oracles(set: &dyn SubtractionSet, values: &[u16]) {
    let n = values.len() as u64;
    let table = Plan::grundy(set, n).unwrap().engine(grundy::Engine::Recurrence).unwrap().run().unwrap();
    assert!(table.iter().eq(values.iter().copied()), "the recurrence of {}", set.name());
    let table = Plan::cold(set, n).unwrap().engine(cold::Engine::Recurrence).unwrap().run().unwrap();
    assert!(table.iter().eq((0..n).filter(|&x| values[x as usize] == 0)), "the recurrence of {}", set.name());
}

/// Every n to 400, and those next to the edges of words to 3000.
#[test]
fn every_n_and_the_edges_of_words() {
    const N: u64 = 3000;
    SETS.par_iter().for_each(|name| {
        let set: NamedSet = name.parse().unwrap();
        let values = nim_values(&set, N);
        check_oracles(&set, &values);
        let near_an_edge = |n: u64| n <= 400 || (n + 1) % 64 <= 2;
        (0..=N).filter(|&n| near_an_edge(n)).for_each(|n| check(&set, &values, n));
    });
}

#[test]
fn every_engine_serves_something() {
    let squares: NamedSet = "squares".parse().unwrap();
    let primes: NamedSet = "primes".parse().unwrap();
    for engine in cold::Engine::all() {
        assert!(
            [&squares, &primes].iter().any(|set| Plan::cold(*set, 100).unwrap().engine(engine).is_ok()),
            "{engine}"
        );
    }
    for engine in grundy::Engine::all() {
        assert!(
            [&squares, &primes].iter().any(|set| Plan::grundy(*set, 100).unwrap().engine(engine).is_ok()),
            "{engine}"
        );
    }
}

/// Around the ends of words, flag blocks, super-blocks, strips, sub-blocks, and the leaf of `divide`.
#[test]
fn edges_of_words_strips_and_blocks() {
    for name in ["squares", "primes", "allbut:2,3,7", "1,4,9", "4095,4096,4097"] {
        let set: NamedSet = name.parse().unwrap();
        let n = (1 << 15) + 2;
        let oracle = Plan::grundy(&set, n).unwrap().engine(grundy::Engine::Recurrence).unwrap().run().unwrap();
        let values: Vec<u16> = oracle.iter().collect();
        for edge in [64, 1024, 2048, 4096, 8192, 1 << 15] {
            for n in edge - 2..=edge + 2 {
                check(&set, &values, n);
            }
        }
    }
}

/// Around the end of a leaf and of a segment, where only the recurrence for cold positions is quick enough.
#[test]
fn edges_of_leaves_and_segments() {
    for name in ["squares", "1,4,9", "fibonacci", "cubes"] {
        let set: NamedSet = name.parse().unwrap();
        let last = (1 << 19) + 4097;
        let oracle = Plan::cold(&set, last).unwrap().engine(cold::Engine::Recurrence).unwrap().run().unwrap();
        for edge in [1_u64 << 17, 1 << 18, 1 << 19] {
            for n in [edge - 1, edge, edge + 1, edge + 4097] {
                for (engine, table) in cold_tables(&set, n) {
                    assert!(table.iter().eq(oracle.range(0..n).unwrap()), "{engine} on {name} below {n}");
                }
            }
        }
    }
}

/// Sieve and divide share nothing above the strips; they must agree over several segments.
#[test]
fn engines_agree_over_several_segments() {
    for name in ["squares", "triangular", "primes", "practical", "allbut:5,6", "moser-de-bruijn"] {
        let set: NamedSet = name.parse().unwrap();
        let n = 3_000_017;
        let plan = |engine| Plan::cold(&set, n).unwrap().engine(engine).unwrap().run().unwrap();
        assert!(plan(cold::Engine::Sieve) == plan(cold::Engine::Divide), "{name}");
    }
}

/// Sets for `levels`: dense, with few nim-values and with thousands.
const DENSE: &[&str] =
    &["primes", "practical", "random:0.3:7", "composites", "lucky", "semiprimes", "union(primes,squares)"];

fn levels_agree_with_flags(n: u64) {
    DENSE.par_iter().for_each(|name| {
        let set: NamedSet = name.parse().unwrap();
        let run = |engine| match Plan::grundy(&set, n).unwrap().engine(engine).unwrap().run() {
            Ok(table) => Ok(table),
            // Two engines must refuse the same heap.
            Err(Error::ValueTooLarge { heap }) => Err(heap),
            Err(error) => panic!("{engine} on {name}: {error}"),
        };
        assert!(run(grundy::Engine::Levels) == run(grundy::Engine::Flags), "{name} below {n}");
    });
}

#[test]
fn levels_agree_with_flags_below_40000() {
    levels_agree_with_flags(40_000);
}

/// Eight blocks, and transforms between them; of the composites both engines refuse the same heap.
#[test]
#[ignore = "minutes: cargo test --release --test engines -- --ignored levels_agree_with_flags"]
fn levels_agree_with_flags_below_a_million() {
    levels_agree_with_flags(1_000_000);
}

/// Transforms inside blocks of several leaves and between blocks.
#[test]
#[ignore = "up to an hour: cargo test --release --test engines -- --ignored levels_agree_on_primes"]
fn levels_agree_on_primes_below_ten_million() {
    let primes: NamedSet = "primes".parse().unwrap();
    let plan = Plan::grundy(&primes, 10_000_000).unwrap();
    let others = plan.alternatives().into_iter().filter(|(engine, _)| *engine != grundy::Engine::Levels);
    let fastest = others.filter_map(|(engine, estimate)| Some((engine, estimate.ok()?.seconds)));
    let (other, _) = fastest.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    let run = |engine| plan.clone().engine(engine).unwrap().run().unwrap();
    assert!(run(grundy::Engine::Levels) == run(other), "levels and {other}");
}

/// A level of the nim-values is a game of its own: level 0 is the cold positions, which `divide` finds too.
#[test]
fn level_zero_is_cold() {
    for name in ["primes", "semiprimes", "lucky"] {
        let set: NamedSet = name.parse().unwrap();
        let n = 700_001;
        let values = Plan::grundy(&set, n).unwrap().engine(grundy::Engine::Levels).unwrap().run().unwrap();
        let cold = Plan::cold(&set, n).unwrap().engine(cold::Engine::Divide).unwrap().run().unwrap();
        let level = (0_u64..).zip(values.iter()).filter(|&(_, value)| value == 0).map(|(x, _)| x);
        assert!(cold.iter().eq(level), "{name}");
    }
}

/// A run that is stopped says up to where it handed values over, though more have a level by then.
#[test]
fn levels_stop_between_blocks() {
    struct StopAtOnce<'a> {
        control: &'a Control,
        end: u64,
    }
    impl GrundySink for StopAtOnce<'_> {
        fn accept(&mut self, block: &GrundyBlock<'_>) -> nimsieve::Result<()> {
            assert_eq!(block.start, self.end);
            self.end += block.values.len() as u64;
            self.control.stop();
            Ok(())
        }
    }
    let primes: NamedSet = "primes".parse().unwrap();
    let control = Control::new();
    let mut sink = StopAtOnce { control: &control, end: 0 };
    let plan = Plan::grundy(&primes, 300_000).unwrap().engine(grundy::Engine::Levels).unwrap();
    let stopped = plan.run_into(&control, &mut sink);
    assert!(sink.end > 0 && sink.end < 300_000);
    assert!(matches!(stopped, Err(Error::Stopped { reached }) if reached == sink.end), "{stopped:?}");
}

/// `cargo test --release --test engines -- --ignored --exact nim_values_of_squares_to_2_to_the_20`
#[test]
#[ignore = "some seconds; the command is in the documentation of the test"]
fn nim_values_of_squares_to_2_to_the_20() {
    let set: NamedSet = "squares".parse().unwrap();
    let plan = |engine| Plan::grundy(&set, 1 << 20).unwrap().engine(engine).unwrap();
    let oracle = plan(grundy::Engine::Recurrence).run().unwrap();
    for threads in [1, 2] {
        let table = plan(grundy::Engine::Flags).threads(threads).run().unwrap();
        assert!(table == oracle, "{threads} threads");
        assert_eq!(table.first_occurrences(), oracle.first_occurrences());
    }
}

/// Nim-values that pass one byte in the middle of a block, and values of two bytes.
#[test]
fn values_above_one_byte() {
    let set: NamedSet = "allbut:2,3,7".parse().unwrap();
    let n = 5000;
    let values = nim_values(&set, n);
    assert!(values.iter().any(|&v| v > 2000));
    for n in [500, 511, 512, 520, 1023, 1024, 1025, 4999, n] {
        check(&set, &values, n);
    }
}

#[test]
fn a_value_above_two_bytes_is_an_error_that_names_the_heap() {
    // All moves are allowed, so the nim-value of a heap is the heap.
    let set: NamedSet = "poly:k".parse().unwrap();
    for engine in [grundy::Engine::Flags, grundy::Engine::Levels] {
        let plan = |n| Plan::grundy(&set, n).unwrap().engine(engine).unwrap();
        assert!(matches!(plan(66_000).run(), Err(Error::ValueTooLarge { heap: 65_536 })), "{engine}");
        assert_eq!(plan(65_536).run().unwrap().max(), Some((65_535, 65_535)), "{engine}");
    }
}

#[test]
fn threads_do_not_change_the_result() {
    for name in ["squares", "primes"] {
        let set: NamedSet = name.parse().unwrap();
        for engine in cold::Engine::all().filter(|engine| *engine != cold::Engine::Recurrence) {
            match Plan::cold(&set, 700_000).unwrap().engine(engine) {
                Ok(plan) => {
                    let run = |threads| plan.clone().threads(threads).run().unwrap();
                    assert!(run(1) == run(3), "{engine} on {name}");
                }
                Err(Error::Declined { .. }) => {}
                Err(error) => panic!("{engine} on {name}: {error}"),
            }
        }
        let run = |threads| Plan::grundy(&set, 30_000).unwrap().threads(threads).run().unwrap();
        assert!(run(1) == run(3), "nim-values of {name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_finite_sets(elements in prop::collection::btree_set(1_u64..200, 1..12), n in 0_u64..1500) {
        let set = Finite::new(elements).unwrap();
        let values = nim_values(&set, n);
        check_oracles(&set, &values);
        check(&set, &values, n);
    }

    #[test]
    fn random_finite_sets_with_far_elements(elements in prop::collection::btree_set(1_u64..9000, 1..40), n in 7000_u64..9000) {
        let set = Finite::new(elements).unwrap();
        let oracle = Plan::grundy(&set, n).unwrap().engine(grundy::Engine::Recurrence).unwrap().run().unwrap();
        check(&set, &oracle.iter().collect::<Vec<_>>(), n);
    }
}

/// Every engine for nim-values continues from where another stopped, wherever that is, and hands over the rest alone.
#[test]
fn nim_values_are_continued() {
    const N: u64 = 9_000;
    for name in ["squares", "primes", "allbut:2,3,7", "1,1023,1024,1025"] {
        let set: NamedSet = name.parse().unwrap();
        let whole = Plan::grundy(&set, N).unwrap().engine(grundy::Engine::Recurrence).unwrap().run().unwrap();
        for known in [1, 31, 32, 33, 1023, 1024, 1025, 5_000, N - 1, N] {
            let first = Plan::grundy(&set, known).unwrap().run().unwrap();
            for engine in grundy::Engine::all() {
                let Ok(plan) = Plan::grundy(&set, N).unwrap().engine(engine) else { continue };
                assert_eq!(plan.continue_from(&first).run().unwrap(), whole, "{engine} on {name} from {known}");
            }
        }
    }
}
