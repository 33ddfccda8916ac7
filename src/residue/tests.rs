//! The engine with everything small: short beginnings, short lists, short segments.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::set::{Finite, NamedSet};

/// Everything as small as the prime game allows. Its beginning is over at some ten thousand: value 3 has even members up
/// to 5,566, and heap 6,826 has no move to a value 3 below 6,000. Mod 2 or 6 would not serve: value 9 lives in 13, 18 and
/// 23 mod 30.
fn small() -> Settings {
    Settings { prefix: 30_000, learnt: 60_000, reach: 20_000, windows: 64, further: 1024, strays: 16, blocks: 2 }
}

fn elements(set: &dyn SubtractionSet, end: u64) -> Vec<u64> {
    set.elements().take_while(|&s| s < end).collect()
}

fn by_modulus(set: &dyn SubtractionSet, modulus: usize) -> Learnt {
    let structure = Structure::of_elements(&elements(set, 5_000), modulus);
    Learnt { structure, values: Arc::default(), streams: false }
}

/// The nim-values below n, those of cold positions alone, and the counts, which must fit each other.
fn values(set: &dyn SubtractionSet, n: u64, modulus: usize, settings: &Settings) -> Result<Vec<u8>> {
    let learnt = by_modulus(set, modulus);
    let control = Control::new();
    let run =
        |wanted| Run { set, n, learnt: &learnt, wanted, settings: settings.clone(), control: &control, state: None };
    let mut values: Vec<u8> = Vec::new();
    run(Wanted::Values).run(&mut |piece| {
        let (start, more) = match piece {
            Piece::State { .. } => return Ok(()),
            Piece::Values { start, values } => (start, values),
            _ => panic!("values were asked for"),
        };
        assert_eq!(start, values.len() as u64);
        values.extend(more);
        Ok(())
    })?;
    let mut counted = vec![(0, u64::MAX); 256];
    let mut add = |value: usize, count: u64, first: u64| {
        counted[value].0 += count;
        counted[value].1 = first.min(counted[value].1);
    };
    run(Wanted::Counts).run(&mut |piece| {
        match piece {
            Piece::Values { start, values } => (start..).zip(values).for_each(|(x, &v)| add(v.into(), 1, x)),
            Piece::Counts { counts, .. } => {
                let some = counts.iter().enumerate().filter(|(_, (count, _))| *count > 0);
                some.for_each(|(value, &(count, first))| add(value, count, first));
            }
            Piece::State { .. } => {}
            Piece::Cold { .. } => panic!("counts were asked for"),
        }
        Ok(())
    })?;
    for (value, &(count, first)) in (0_u8..=255).zip(&counted) {
        assert_eq!(values.iter().filter(|&&v| v == value).count() as u64, count, "value {value}");
        assert_eq!(values.iter().position(|&v| v == value).map_or(u64::MAX, |x| x as u64), first, "value {value}");
    }
    let mut cold = Vec::new();
    run(Wanted::Cold).run(&mut |piece| {
        let (start, len, words) = match piece {
            Piece::State { .. } => return Ok(()),
            Piece::Cold { start, len, words } => (start, len, words),
            _ => panic!("cold positions were asked for"),
        };
        assert_eq!(start, cold.len() as u64);
        cold.extend((0..len as usize).map(|i| words[i / 64] >> (i % 64) & 1 == 1));
        assert_eq!(
            words.iter().map(|w| u64::from(w.count_ones())).sum::<u64>(),
            cold[start as usize..].iter().filter(|&&c| c).count() as u64
        );
        Ok(())
    })?;
    assert!(cold.iter().copied().eq(values.iter().map(|&v| v == 0)));
    assert_eq!(values.len() as u64, n);
    Ok(values)
}

fn expected(set: &dyn SubtractionSet, n: u64) -> Vec<u8> {
    play(&elements(set, n), n, 255)
}

fn check(set: &dyn SubtractionSet, ns: &[u64], moduli: &[usize], settings: &Settings) {
    let expected = expected(set, *ns.iter().max().unwrap());
    for &modulus in moduli {
        for &n in ns {
            let found = values(set, n, modulus, settings).unwrap();
            let wrong = found.iter().zip(&expected).position(|(a, b)| a != b);
            assert_eq!(wrong, None, "{} below {n}, modulus {modulus}", set.name());
        }
    }
}

/// Around the ends of blocks of 15,360 heaps and segments of one.
#[test]
fn edges_of_blocks_and_segments() {
    let primes: NamedSet = "primes".parse().unwrap();
    let settings = Settings { learnt: 31_000, blocks: 1, ..small() };
    let ns: Vec<u64> = [30_000, 30_720, 46_080, 61_440].iter().flat_map(|edge| edge - 1..=edge + 1).collect();
    check(&primes, &[&ns[..], &[0, 1, 40_000]].concat(), &[30], &settings);
}

#[test]
fn sets_with_residues_to_spare() {
    let primes: NamedSet = "primes".parse().unwrap();
    check(&primes, &[100_000], &[30, 60], &small());
    let odd_primes = Finite::new(elements(&primes, 100_000).into_iter().skip(1)).unwrap();
    check(&odd_primes, &[100_000], &[30], &small());
    for (name, moduli) in [("poly:2k-1", &[2, 4][..]), ("poly:3k-1", &[3, 6])] {
        check(
            &name.parse::<NamedSet>().unwrap(),
            &[20_000],
            moduli,
            &Settings { prefix: 2_000, learnt: 7_000, ..small() },
        );
    }
}

/// With one witness and no more, some heap is not decided; the engine must say so, not guess.
#[test]
fn a_cut_list_is_an_error_and_no_guess() {
    let primes: NamedSet = "primes".parse().unwrap();
    let settings = Settings { windows: 1, further: 0, ..small() };
    match values(&primes, 80_000, 30, &settings) {
        Err(Error::Undecided { heap, value, .. }) => {
            assert!((30_000..92_160).contains(&heap));
            assert!(value < 12);
        }
        other => panic!("{other:?}"),
    }
}

/// A member that matters is missing from its list until it is put in; then it is a witness for every row that it can
/// reach and that is complete.
#[test]
fn lists_grow() {
    let primes: NamedSet = "primes".parse().unwrap();
    let structure = by_modulus(&primes, 30).structure;
    let mut lists = Lists::learn(&structure, &expected(&primes, 6_000), 64, &small());
    assert_eq!(lists.len(), 12);
    let count = |lists: &Lists, row: usize| lists.classes[0].targets[row].windows.len();
    let before: Vec<usize> = (0..30).map(|row| count(&lists, row)).collect();
    // Cold positions are odd but for 0, 10, 34, 100 and 310; odd ones need not be known.
    assert!(lists.knows(0, 310) && !lists.knows(0, 902) && lists.knows(0, 901));
    lists.insert(0, 902);
    assert!(lists.knows(0, 902) && !lists.knows(0, 932));
    for (row, before) in before.into_iter().enumerate() {
        let more = lists.classes[0].targets[row].complete && structure.leads(row, 2);
        assert_eq!(count(&lists, row), before + usize::from(more), "row {row}");
        assert!(more || row % 2 == 0 || row % 3 == 2 || row % 5 == 2, "row {row}");
    }
}

/// A set that does not keep to residues: multiples of the modulus turn up late.
#[test]
fn a_structure_that_does_not_last_is_refused() {
    let set = Finite::new((0..3000).map(|k| 2 * k + 1).chain([8_000])).unwrap();
    let settings = Settings { prefix: 2_000, learnt: 7_000, ..small() };
    assert!(matches!(values(&set, 20_000, 2, &settings), Err(Error::Declined { .. })));
    // As an exception it would have to be small.
    let set = Finite::new((0..12_000).map(|k| 2 * k + 1).chain([8])).unwrap();
    check(&set, &[20_000], &[2], &settings);
}

#[test]
fn what_the_beginning_shows() {
    for (name, cold, grundy) in [
        ("primes", true, true),
        ("poly:2k-1", true, true),
        ("prime-powers", true, false),
        ("squares", false, false),
        ("primes-1", false, false),
        ("practical", false, false),
        ("allbut:2,3,7", false, false),
        ("fibonacci", false, false),
        ("1,4,9", false, false),
    ] {
        let set: NamedSet = name.parse().unwrap();
        let of_cold = Learnt::of(&set, 10_000_000, 1);
        let of_grundy = of_cold.clone().and_then(|_| Learnt::of(&set, 10_000_000, Settings::LEVELS));
        assert_eq!((of_cold.is_ok(), of_grundy.is_ok()), (cold, grundy), "{name}: {of_cold:?}, {of_grundy:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Random sets of a modulus: right, or an error that says why, and never anything else.
    #[test]
    fn right_or_an_error(
        modulus in 2_usize..13,
        holes in 1_u64..0xfff,
        keep in 1_u64..4,
        exceptions in prop::collection::btree_set(1_u64..=64, 0..5),
        seed in any::<u64>(),
        n in 3_000_u64..12_000,
        prefix in 50_u64..900,
    ) {
        let mut state = seed;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        let regular = (1..n).filter(|s| s % modulus as u64 != 0 && holes >> (s % modulus as u64) & 1 == 1);
        let mut elements: Vec<u64> = regular.filter(|_| random() % 4 < keep).chain(exceptions).collect();
        elements.sort_unstable();
        elements.dedup();
        prop_assume!(!elements.is_empty());
        let set = Finite::new(elements).unwrap();
        match values(&set, n, modulus, &Settings { prefix, learnt: 3_000, reach: 2_000, ..small() }) {
            Ok(found) => prop_assert!(found == expected(&set, n)),
            Err(Error::Undecided { .. } | Error::Declined { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// What a run hands over, values and counts alike, by nim-value: how many heaps have it, and the first. And what it offers
/// at its end.
fn counted(set: &dyn SubtractionSet, n: u64, state: Option<&State>) -> (Vec<(u64, u64)>, State) {
    let learnt = by_modulus(set, 30);
    let control = Control::new();
    let settings = Settings { blocks: 1, ..small() };
    let run = Run { set, n, learnt: &learnt, wanted: Wanted::Counts, settings, control: &control, state };
    let mut counted = vec![(0, u64::MAX); 16];
    let mut reached = state.map_or(0, |state| state.reached);
    let mut bytes = None;
    run.run(&mut |piece| {
        let mut add = |value: usize, count: u64, first: u64| {
            counted[value] = (counted[value].0 + count, first.min(counted[value].1));
        };
        match piece {
            Piece::Values { start, values } => {
                assert_eq!(start, reached);
                reached += values.len() as u64;
                (start..).zip(values).for_each(|(x, &v)| add(v.into(), 1, x));
            }
            Piece::Counts { start, len, counts } => {
                assert_eq!(start, reached);
                reached += len;
                let some = counts.iter().enumerate().filter(|(_, (count, _))| *count > 0);
                some.for_each(|(value, &(count, first))| add(value, count, first));
            }
            Piece::State { save, last } => {
                assert_eq!(last, reached == n);
                bytes = Some(save());
            }
            Piece::Cold { .. } => panic!("counts were asked for"),
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(reached, n);
    (counted, State { reached, bytes: bytes.unwrap() })
}

/// A run goes on from wherever another ended: while it learnt, in the middle of a block, at an edge.
#[test]
fn runs_go_on_from_a_state() {
    let primes: NamedSet = "primes".parse().unwrap();
    let end = 170_000;
    let (whole, _) = counted(&primes, end, None);
    for middle in [1, 29_999, 40_000, 61_440, 76_800, 76_801, 100_000, 153_599, 153_600, end - 1] {
        let (first, state) = counted(&primes, middle, None);
        let (second, _) = counted(&primes, end, Some(&state));
        let both = first.iter().zip(&second).map(|(a, b)| (a.0 + b.0, a.1.min(b.1)));
        assert!(both.eq(whole.iter().copied()), "{middle}");
        // What nobody wrote is no state: the run starts anew, and hands over only what is missing.
        let (second, _) = counted(&primes, end, Some(&State { bytes: b"nobody".to_vec(), ..state }));
        assert_eq!(second.iter().map(|pair| pair.0).sum::<u64>(), end - middle);
    }
}
