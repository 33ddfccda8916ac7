//! Misere play, sums of heaps and the questions that tables answer, against brute force.

use std::collections::HashMap;

use nimsieve::run::Control;
use nimsieve::set::{Finite, NamedSet, SubtractionSet, least};
use nimsieve::sink::{ColdBlock, ColdSink, Misere};
use nimsieve::sum::{Heap, Move, Play, winning_moves};
use nimsieve::table::ColdPositions;
use nimsieve::{ColdTable, Error, Plan};
use proptest::prelude::*;

/// Misere play by definition: without a move the player to move has won; else he wins by a move to a cold heap.
fn misere_cold(set: &dyn SubtractionSet, n: u64) -> Vec<u64> {
    let mut cold = vec![false; n as usize];
    for x in 0..n {
        let mut moves = set.elements().take_while(|&s| s <= x).peekable();
        cold[x as usize] = moves.peek().is_some() && !moves.any(|s| cold[(x - s) as usize]);
    }
    (0..n).filter(|&x| cold[x as usize]).collect()
}

fn misere_by_shift(set: &dyn SubtractionSet, n: u64) -> ColdTable {
    let least = least(set).unwrap();
    let mut sink = Misere::new(least, ColdTable::new(set.name(), n).unwrap());
    Plan::cold(set, n.saturating_sub(least)).unwrap().run_into(&Control::new(), &mut sink).unwrap();
    sink.finish(n).unwrap()
}

/// Whether the player to move wins a sum of heaps, by search.
fn wins(set: &[u64], heaps: &mut Vec<u64>, play: Play, known: &mut HashMap<Vec<u64>, bool>) -> bool {
    let mut key = heaps.clone();
    key.sort_unstable();
    if let Some(&known) = known.get(&key) {
        return known;
    }
    let (mut any_move, mut wins_somehow) = (false, false);
    for i in 0..heaps.len() {
        for &s in set.iter().filter(|&&s| s <= heaps[i]).collect::<Vec<_>>() {
            any_move = true;
            heaps[i] -= s;
            wins_somehow |= !wins(set, heaps, play, known);
            heaps[i] += s;
        }
    }
    let result = if any_move { wins_somehow } else { play == Play::Misere };
    known.insert(key, result);
    result
}

/// As [`wins`], with a set for each heap.
fn wins_sum(sets: &[Vec<u64>], heaps: &mut Vec<u64>, play: Play, known: &mut HashMap<Vec<u64>, bool>) -> bool {
    if let Some(&known) = known.get(heaps) {
        return known;
    }
    let (mut any_move, mut wins_somehow) = (false, false);
    for (i, set) in sets.iter().enumerate() {
        for &s in set {
            if s <= heaps[i] {
                any_move = true;
                heaps[i] -= s;
                wins_somehow |= !wins_sum(sets, heaps, play, known);
                heaps[i] += s;
            }
        }
    }
    let result = if any_move { wins_somehow } else { play == Play::Misere };
    known.insert(heaps.clone(), result);
    result
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn misere_is_the_shifted_game(elements in prop::collection::btree_set(1_u64..60, 1..8), n in 0_u64..400) {
        let set = Finite::new(elements).unwrap();
        let table = misere_by_shift(&set, n);
        prop_assert_eq!(table.len(), n);
        prop_assert_eq!(table.iter().collect::<Vec<_>>(), misere_cold(&set, n));
    }

    #[test]
    fn sums_agree_with_search(
        elements in prop::collection::btree_set(1_u64..10, 1..5),
        heaps in prop::collection::vec(0_u64..14, 1..4),
        misere: bool,
    ) {
        let play = if misere { Play::Misere } else { Play::Normal };
        let list: Vec<u64> = elements.iter().copied().collect();
        let set = Finite::new(elements).unwrap();
        let table = nimsieve::grundy(&set, 14).unwrap();
        let sum: Vec<Heap<'_, Finite>> = heaps.iter().map(|&size| Heap { set: &set, table: &table, size }).collect();
        let found = winning_moves(&sum, play).unwrap();
        let mut known = HashMap::new();
        let mut expected = Vec::new();
        for (heap, &size) in heaps.iter().enumerate() {
            for &take in list.iter().filter(|&&s| s <= size) {
                let mut after = heaps.clone();
                after[heap] -= take;
                if !wins(&list, &mut after, play, &mut known) {
                    expected.push(Move { heap, take });
                }
            }
        }
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn sums_of_different_sets_agree_with_search(
        sets in prop::collection::vec(prop::collection::btree_set(1_u64..8, 1..4), 3),
        sizes in prop::collection::vec(0_u64..10, 3),
        misere: bool,
    ) {
        let play = if misere { Play::Misere } else { Play::Normal };
        let lists: Vec<Vec<u64>> = sets.iter().map(|set| set.iter().copied().collect()).collect();
        let sets: Vec<Finite> = sets.into_iter().map(|set| Finite::new(set).unwrap()).collect();
        let tables: Vec<_> = sets.iter().map(|set| nimsieve::grundy(set, 10).unwrap()).collect();
        let sum: Vec<Heap<'_, Finite>> = (sets.iter().zip(&tables).zip(&sizes))
            .map(|((set, table), &size)| Heap { set, table, size })
            .collect();
        let mut known = HashMap::new();
        let mut expected = Vec::new();
        for (heap, list) in lists.iter().enumerate() {
            for &take in list.iter().filter(|&&s| s <= sizes[heap]) {
                let mut after = sizes.clone();
                after[heap] -= take;
                if !wins_sum(&lists, &mut after, play, &mut known) {
                    expected.push(Move { heap, take });
                }
            }
        }
        prop_assert_eq!(winning_moves(&sum, play).unwrap(), expected);
        let values = sum.iter().map(|heap| heap.table.value(heap.size).unwrap());
        prop_assert_eq!(nimsieve::sum::is_cold(values, play), !wins_sum(&lists, &mut sizes.clone(), play, &mut known));
    }

    #[test]
    fn tables_answer_as_their_positions_do(elements in prop::collection::btree_set(1_u64..90, 1..9), a in 0_u64..700, b in 0_u64..700) {
        let set = Finite::new(elements).unwrap();
        let table = nimsieve::cold(&set, 700).unwrap();
        let all: Vec<u64> = (0..700).filter(|&x| table.is_cold(x).unwrap()).collect();
        prop_assert_eq!(table.iter().collect::<Vec<_>>(), &all[..]);
        prop_assert_eq!(table.largest(), all.last().copied());
        let (a, b) = (a.min(b), a.max(b));
        let within: Vec<u64> = all.iter().copied().filter(|x| (a..b).contains(x)).collect();
        prop_assert_eq!(table.range(a..b).unwrap().collect::<Vec<_>>(), &within[..]);
        prop_assert_eq!(table.count_within(a..b).unwrap(), within.len() as u64);
        let values = nimsieve::grundy(&set, 700).unwrap();
        for x in [a, b] {
            let moves = table.winning_moves(&set, x).unwrap();
            prop_assert_eq!(&moves, &values.winning_moves(&set, x).unwrap());
            prop_assert_eq!(moves.is_empty(), table.is_cold(x).unwrap());
        }
    }
}

#[test]
fn misere_squares_are_the_normal_ones_plus_one() {
    let set: NamedSet = "squares".parse().unwrap();
    let table = misere_by_shift(&set, 3000);
    assert_eq!(table.iter().take(8).collect::<Vec<_>>(), [1, 3, 6, 8, 11, 13, 16, 18]); // OEIS A224839
    assert_eq!(table.iter().collect::<Vec<_>>(), misere_cold(&set, 3000));
}

#[test]
fn subtract_a_square_from_13() {
    let set: NamedSet = "squares".parse().unwrap();
    let table = nimsieve::cold(&set, 14).unwrap();
    assert_eq!(table.winning_moves(&set, 13).unwrap(), [1]);
    assert!([12, 7, 10].iter().all(|&x| table.is_cold(x).unwrap()));
}

#[test]
fn a_heap_beyond_the_table_is_an_error_that_says_how_far_it_goes() {
    let set: NamedSet = "squares".parse().unwrap();
    let table = nimsieve::cold(&set, 100).unwrap();
    let message = table.is_cold(100).unwrap_err().to_string();
    assert!(message.contains("heap 100") && message.contains("below 100"), "{message}");
    assert!(table.range(0..101).is_err() && table.range(0..100).is_ok());
    assert!(table.winning_moves(&set, u64::MAX).is_err());
    let table = nimsieve::grundy(&set, 100).unwrap();
    assert!(matches!(table.value(100), Err(Error::BeyondTable { heap: 100, end: 100 })));
    assert!(table.range(99..101).is_err());
}

#[test]
fn a_stopped_run_says_how_far_it_came() {
    /// Stops the run at the third block, and remembers where that ended.
    struct Stopper<'a> {
        blocks: u32,
        end: u64,
        control: &'a Control,
    }
    impl ColdSink for Stopper<'_> {
        fn accept(&mut self, block: &ColdBlock<'_>) -> nimsieve::Result<()> {
            self.blocks += 1;
            self.end = block.range().end;
            if self.blocks == 3 {
                self.control.stop();
            }
            Ok(())
        }
    }
    let set: NamedSet = "squares".parse().unwrap();
    let control = Control::new();
    let plan = Plan::cold(&set, 20_000_000).unwrap().engine(nimsieve::cold::Engine::Sieve).unwrap();
    let mut stopper = Stopper { blocks: 0, end: 0, control: &control };
    match plan.run_into(&control, &mut stopper) {
        Err(Error::Stopped { reached }) => {
            assert_eq!(reached, stopper.end);
            assert!(0 < reached && reached < 20_000_000 && stopper.blocks == 3);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_set_that_breaks_its_promise_is_refused() {
    struct Broken(Vec<u64>);
    impl SubtractionSet for Broken {
        fn name(&self) -> String {
            "broken".into()
        }
        fn elements(&self) -> nimsieve::set::Elements<'_> {
            Box::new(self.0.iter().copied())
        }
    }
    for elements in [vec![], vec![0, 1], vec![1, 3, 2], vec![1, 1]] {
        assert!(matches!(nimsieve::cold(&Broken(elements.clone()), 100), Err(Error::Set(_))), "{elements:?}");
        assert!(matches!(nimsieve::grundy(&Broken(elements.clone()), 100), Err(Error::Set(_))), "{elements:?}");
    }
}

#[test]
fn memory_that_no_machine_has_is_refused_as_a_value() {
    let set: NamedSet = "1,2".parse().unwrap();
    for n in [1 << 55, u64::MAX] {
        assert!(matches!(nimsieve::cold(&set, n), Err(Error::Memory { .. })), "{n}");
        assert!(matches!(nimsieve::grundy(&set, n), Err(Error::Memory { .. })), "{n}");
    }
}

/// A run that is continued from what is known finds what a run from 0 finds, wherever it is cut.
#[test]
fn engines_continue_from_known_positions() {
    for name in ["squares", "primes", "allbut:2,3,7", "1,4,9", "triangular"] {
        let set: NamedSet = name.parse().unwrap();
        for (engine, n) in nimsieve::cold::Engine::all().flat_map(|engine| [(engine, 9000), (engine, 300_000)]) {
            if engine == nimsieve::cold::Engine::Recurrence && n > 9000 {
                continue;
            }
            let whole = nimsieve::cold(&set, n).unwrap();
            for cut in [0, 1, 63, 64, 4095, 4096, 4097, 131_071, 131_072, 200_000, n - 1, n] {
                let known = nimsieve::cold(&set, cut.min(n)).unwrap();
                let plan = Plan::cold(&set, n).unwrap().engine(engine);
                let Ok(plan) = plan else { continue };
                assert!(plan.continue_from(&known).run().unwrap() == whole, "{engine} on {name} from {cut}");
            }
        }
    }
    let set: NamedSet = "squares".parse().unwrap();
    let known = nimsieve::cold(&set, 1000).unwrap();
    let plan = Plan::cold(&set, 500).unwrap().continue_from(&known);
    assert_eq!(plan.run().unwrap(), nimsieve::cold(&set, 500).unwrap());
}

/// Ten thousand heaps with a hundred moves each: a million moves, and 10^10 steps if each looked at every heap.
#[test]
fn a_sum_of_many_heaps_takes_time_by_moves() {
    let set: NamedSet = "squares".parse().unwrap();
    let table = nimsieve::grundy(&set, 10_001).unwrap();
    let sum: Vec<Heap<'_, NamedSet>> =
        (0..10_000).map(|i| Heap { set: &set, table: &table, size: 10_000 - i % 7 }).collect();
    for play in [Play::Normal, Play::Misere] {
        let found = winning_moves(&sum, play).unwrap();
        // The check is as slow as the search was: a few moves are enough.
        for &Move { heap, take } in found.iter().take(3) {
            let after = sum.iter().enumerate().map(|(i, h)| if i == heap { h.size - take } else { h.size });
            assert!(nimsieve::sum::is_cold(after.map(|size| table.value(size).unwrap()), play));
        }
    }
}
