//! The variants of Chopsticks: known numbers, and each rule by a second route that shares no code.

use std::collections::{BTreeMap, BTreeSet};

use nimsieve::chopsticks::{
    Divisions, Engine, Integers, Machine, Meta, Overflow, Rules, SelfAddition, Splits, Start, Stumps, SuddenDeath,
    Swaps, Transfers, Value, Winner, reach, solve,
};
use nimsieve::run::Control;
use proptest::prelude::*;

#[path = "variants/naive.rs"]
mod naive;

use naive::{Game, Split};

fn base(p: u32, r: u32) -> Rules {
    Rules::new(p, r).unwrap()
}

fn measured(rules: &Rules) -> (u64, Value) {
    let machine = Machine::new(rules).unwrap();
    let found = reach(&machine, Engine::Bits, None, &Control::new(), |_| ()).unwrap();
    (found.reachable(), solve(&machine, None, &Control::new()).unwrap().value(&machine.start()))
}

/// Found by an independent program: r = 5, two players.
#[test]
fn check_values() {
    let five = base(2, 5);
    let three_hands = five.hands(3).unwrap().splits(Splits::TRANSFERS);
    for (rules, rollover, cutoff) in [
        (five, (204, Value::Draw), (171, Value::Draw)),
        (five.splits(Splits::NONE), (200, Value::Draw), (92, Value::Loss(8))),
        (five.suicide(true), (207, Value::Draw), (191, Value::Loss(26))),
        (five.self_attack(true), (208, Value::Draw), (199, Value::Win(23))),
        (five.meta(Meta::Live), (204, Value::Draw), (171, Value::Draw)),
        (five.death_attack(true), (210, Value::Draw), (188, Value::Draw)),
        (five.splits(Splits::TRANSFERS), (204, Value::Draw), (144, Value::Loss(10))),
        (five.start(Start::Suns), (206, Value::Draw), (172, Value::Win(7))),
        (three_hands, (1_182, Value::Draw), (1_022, Value::Win(15))),
        (five.stumps(Stumps::Ones), (2_956, Value::Draw), (2_621, Value::Draw)),
    ] {
        assert_eq!(measured(&rules), rollover, "{rules}");
        let rules = rules.overflow(Overflow::Cutoff);
        assert_eq!(measured(&rules), cutoff, "{rules}");
    }
}

// ---------------------------------------------------------------- the rules by a second route

/// The library's rules for a game of the naive kind.
fn rules_of(game: &Game) -> Option<Rules> {
    let rules = base(game.p as u32, game.r as u32)
        .hands(game.h as u32)
        .unwrap()
        .overflow(if game.cutoff { Overflow::Cutoff } else { Overflow::Rollover })
        .splits(Splits {
            transfers: match game.transfers {
                Split::None => Transfers::None,
                Split::Single => Transfers::Single,
                Split::Multiple | Split::Several | Split::Free => Transfers::Multiple,
                Split::Halves => Transfers::Halves { odd: false },
                Split::HalvesOdd => Transfers::Halves { odd: true },
            },
            divisions: match game.divisions {
                Split::None => Divisions::None,
                Split::Single => Divisions::Single,
                Split::Multiple => Divisions::Partition,
                Split::Several => Divisions::Several,
                Split::Free => Divisions::Free,
                Split::Halves => Divisions::Halves { odd: false },
                Split::HalvesOdd => Divisions::Halves { odd: true },
            },
        })
        .start(if game.suns { Start::Suns } else { Start::Ones })
        .winner(if game.misere { Winner::Dead } else { Winner::Alive })
        .suicide(game.suicide)
        .swaps(match game.swaps {
            None => Swaps::Off,
            Some(None) => Swaps::Unlimited,
            Some(Some(most)) => Swaps::InARow(most),
        })
        .sudden_death(match game.sudden_death {
            None => SuddenDeath::Off,
            Some(None) => SuddenDeath::Total,
            Some(Some(lives)) => SuddenDeath::Lives(lives),
        })
        .meta(match game.meta {
            None => Meta::Off,
            Some(false) => Meta::Live,
            Some(true) => Meta::Any,
        })
        .logan(game.logan)
        .death_attack(game.death_attack)
        .zombies(game.zombies)
        .self_attack(game.self_attack)
        .integers(match game.integers {
            None => Integers::Off,
            Some(false) => Integers::Complement,
            Some(true) => Integers::Signed,
        })
        .cherry_bomb(game.cherry_bomb)
        .self_addition(match game.self_addition {
            None => SelfAddition::Off,
            Some(false) => SelfAddition::InsteadOfTransfers,
            Some(true) => SelfAddition::BesideTransfers,
        })
        .stumps(match game.stumps {
            None => Stumps::Off,
            Some(false) => Stumps::Ones,
            Some(true) => Stumps::Any,
        });
    rules.check().is_ok().then_some(rules)
}

/// Compares everything that both routes know of a game, if it is one and small enough.
fn compare(game: &Game) -> bool {
    let Some(rules) = rules_of(game).filter(|rules| rules.positions() <= 15_000_u32.into()) else { return false };
    let machine = Machine::new(&rules).unwrap();
    let index = nimsieve::chopsticks::Index::new(&machine).unwrap();
    assert_eq!(index.len(), (machine.states() as u64).pow(game.p as u32), "{rules}");
    let naive: BTreeMap<String, u32> =
        game.reach().into_iter().map(|(position, depth)| (game.code(&position), depth)).collect();
    for engine in Engine::ALL {
        let found = reach(&machine, engine, None, &Control::new(), |_| ()).unwrap();
        let mut levels = vec![0; found.levels().len()];
        let codes: BTreeSet<String> = (0..index.len())
            .filter(|&rank| found.contains(rank))
            .map(|rank| machine.code(&index.unrank(rank)))
            .collect();
        assert!(codes.iter().eq(naive.keys()), "{rules} with {engine}: {:?}", {
            let naive: BTreeSet<String> = naive.keys().cloned().collect();
            codes.symmetric_difference(&naive).take(10).cloned().collect::<Vec<_>>()
        });
        naive.values().for_each(|&depth| levels[depth as usize] += 1);
        assert!(found.levels().iter().map(|level| level.positions).eq(levels), "{rules} with {engine}");
    }
    let by_rule = nimsieve::chopsticks::unreachable(&machine, None, &Control::new()).unwrap();
    assert!(by_rule.positions().all(|seats| !naive.contains_key(&machine.code(seats))), "{rules}");
    if game.p == 2 {
        let solution = solve(&machine, None, &Control::new()).unwrap();
        for (position, value) in game.values(game.reach().into_keys()) {
            let code = game.code(&position);
            let seats = machine.parse(&code).unwrap();
            assert_eq!(machine.code(&seats), code);
            let expected = match value {
                None => Value::Draw,
                Some((true, plies)) => Value::Win(plies),
                Some((false, plies)) => Value::Loss(plies),
            };
            assert_eq!(solution.value(&seats), expected, "{rules}: {code}");
        }
    }
    true
}

/// Every variant alone, in each of its readings.
fn single_variants() -> Vec<Game> {
    let game = naive::BASE;
    let mut games = vec![
        game,
        Game { misere: true, ..game },
        Game { suns: true, ..game },
        Game { suicide: true, ..game },
        Game { swaps: Some(None), ..game },
        Game { swaps: Some(Some(1)), ..game },
        Game { swaps: Some(Some(3)), ..game },
        Game { sudden_death: Some(None), ..game },
        Game { sudden_death: Some(Some(1)), ..game },
        Game { sudden_death: Some(Some(3)), ..game },
        Game { meta: Some(false), ..game },
        Game { meta: Some(true), ..game },
        Game { meta: Some(false), suicide: true, ..game },
        Game { logan: true, ..game },
        Game { death_attack: true, ..game },
        Game { self_attack: true, ..game },
        Game { integers: Some(false), ..game },
        Game { integers: Some(true), ..game },
        Game { cherry_bomb: true, ..game },
        Game { self_addition: Some(false), ..game },
        Game { self_addition: Some(true), ..game },
        Game { stumps: Some(false), ..game },
        Game { stumps: Some(true), ..game },
    ];
    let kinds =
        [Split::None, Split::Single, Split::Multiple, Split::Several, Split::Free, Split::Halves, Split::HalvesOdd];
    for transfers in [kinds[0], kinds[1], kinds[2], kinds[5], kinds[6]] {
        games.extend(kinds.map(|divisions| Game { transfers, divisions, ..game }));
    }
    games
}

#[test]
fn every_variant_by_two_routes() {
    let mut compared = 0;
    for game in single_variants() {
        for (r, cutoff) in (2..=6).flat_map(|r| [(r, false), (r, true)]) {
            compared += usize::from(compare(&Game { r, cutoff, ..game }));
        }
    }
    assert!(compared > 400, "{compared}");
}

#[test]
fn variants_with_more_hands_and_players() {
    let mut compared = 0;
    for game in single_variants() {
        for cutoff in [false, true] {
            for (p, r, h) in [(2, 3, 3), (2, 4, 3), (2, 3, 4), (2, 5, 1), (3, 3, 2), (3, 2, 2), (4, 2, 2), (3, 4, 1)] {
                compared += usize::from(compare(&Game { p, r, h, cutoff, ..game }));
                compared += usize::from(compare(&Game { p, r, h, cutoff, zombies: true, ..game }));
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

fn any_split() -> impl Strategy<Value = Split> {
    prop_oneof![
        3 => Just(Split::Single),
        1 => Just(Split::None),
        1 => Just(Split::Multiple),
        1 => Just(Split::Several),
        1 => Just(Split::Free),
        1 => Just(Split::Halves),
        1 => Just(Split::HalvesOdd),
    ]
}

/// Mostly off, so that many games are ones.
fn sometimes() -> impl Strategy<Value = bool> {
    prop::bool::weighted(0.25)
}

fn any_game() -> impl Strategy<Value = Game> {
    let option = |values: std::ops::RangeInclusive<u32>| prop::option::weighted(0.25, prop::option::of(values));
    let flag = || prop::option::weighted(0.25, any::<bool>());
    let shape = prop_oneof![
        6 => (Just(2), 2..=6, Just(2)),
        2 => (Just(2), 2..=4, Just(3)),
        1 => (Just(2), 2..=6, Just(1)),
        2 => (Just(3), 2..=4, Just(2)),
    ];
    (
        (shape, any::<bool>(), any_split(), any_split(), sometimes(), sometimes()),
        (sometimes(), option(1..=3), option(1..=3), flag(), sometimes(), sometimes()),
        (sometimes(), sometimes(), flag(), sometimes(), flag(), flag()),
    )
        .prop_map(
            |(
                ((p, r, h), cutoff, transfers, divisions, misere, suns),
                (suicide, swaps, sudden_death, meta, logan, death_attack),
                (zombies, self_attack, integers, cherry_bomb, self_addition, stumps),
            )| Game {
                p,
                r,
                h,
                cutoff,
                // The five kinds of transfers: three kinds of divisions have no counterpart.
                transfers: match transfers {
                    Split::Several | Split::Free => Split::Multiple,
                    other => other,
                },
                divisions,
                misere,
                suns,
                suicide,
                swaps,
                sudden_death,
                meta,
                logan,
                death_attack,
                zombies,
                self_attack,
                integers,
                cherry_bomb,
                self_addition,
                stumps,
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn combinations_by_two_routes(game in any_game()) {
        prop_assume!(compare(&game));
    }
}

// ---------------------------------------------------------------- the table

/// The first part of the file, made again: `nimsieve chopsticks variants -o data/chopsticks-variants.csv`.
#[test]
fn the_table_of_variants_is_as_kept() {
    use nimsieve::chopsticks::variants;
    let kept = include_str!("../data/chopsticks-variants.csv");
    let rows = variants::table(3..=5, None, &Control::new()).unwrap();
    let mut made = Vec::new();
    variants::write_csv(&rows, &mut made).unwrap();
    let made = String::from_utf8(made).unwrap();
    assert!(kept.starts_with(&made), "the table differs");
    assert_eq!(kept.lines().count(), 1 + 5 * rows.len() / 3);
    let mut text = Vec::new();
    variants::write_text(&rows, &mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap().lines().count(), rows.len() + 1);
}

// ---------------------------------------------------------------- what changes nothing

/// With two hands, splits among many are those between two.
#[test]
fn neutral_options_change_nothing() {
    for (r, overflow) in (2..=7).flat_map(|r| [(r, Overflow::Rollover), (r, Overflow::Cutoff)]) {
        let rules = base(2, r).overflow(overflow);
        let many = |transfers, divisions| rules.splits(Splits { transfers, divisions });
        let mut neutral = vec![
            many(Transfers::Multiple, Divisions::Partition),
            many(Transfers::Multiple, Divisions::Several),
            many(Transfers::Single, Divisions::Free),
        ];
        if r <= 3 {
            // Nobody has more than r + 1 fingers.
            neutral.push(rules.meta(Meta::Live));
        }
        if r == 2 {
            neutral.extend([rules.suicide(true), rules.splits(Splits::NONE), rules.swaps(Swaps::Unlimited)]);
        }
        for other in neutral {
            same_game(&rules, &other);
        }
    }
}

fn same_game(rules: &Rules, other: &Rules) {
    let [one, two] = [rules, other].map(|rules| Machine::new(rules).unwrap());
    let [found, found_too] =
        [&one, &two].map(|machine| reach(machine, Engine::Bits, None, &Control::new(), |_| ()).unwrap());
    assert_eq!((found.levels(), found.endings()), (found_too.levels(), found_too.endings()), "{other}");
    if rules.player_count() == 2 {
        let [values, values_too] = [&one, &two].map(|machine| solve(machine, None, &Control::new()).unwrap());
        for rank in 0..found.index().len() {
            assert_eq!(found.contains(rank), found_too.contains(rank), "{other}");
            assert_eq!(values.value_at(rank), values_too.value_at(rank), "{other}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every variant switched on and off again leaves the rules of the base game, which are those of the fast path.
    #[test]
    fn variants_switched_off_leave_the_base_game(
        order in Just((0..13).collect::<Vec<usize>>()).prop_shuffle(),
        r in 2_u32..=6,
        p in 2_u32..=3,
    ) {
        let mut rules = base(p, r);
        for on in [true, false] {
            for &step in &order {
                rules = match step {
                    0 => rules.suicide(on),
                    1 => rules.swaps(if on { Swaps::InARow(2) } else { Swaps::Off }),
                    2 => rules.sudden_death(if on { SuddenDeath::Lives(2) } else { SuddenDeath::Off }),
                    3 => rules.meta(if on { Meta::Any } else { Meta::Off }),
                    4 => rules.logan(on),
                    5 => rules.death_attack(on),
                    6 => rules.zombies(on),
                    7 => rules.self_attack(on),
                    8 => rules.integers(if on { Integers::Complement } else { Integers::Off }),
                    9 => rules.cherry_bomb(on),
                    10 => rules.self_addition(if on { SelfAddition::InsteadOfTransfers } else { SelfAddition::Off }),
                    11 => rules.stumps(if on { Stumps::Any } else { Stumps::Off }),
                    _ => rules.splits(if on { Splits::HALVES } else { Splits::ALL }),
                };
                prop_assert!(!on || rules != base(p, r));
            }
        }
        prop_assert!(rules.is_base());
        same_game(&base(p, r), &rules);
    }
}

#[test]
fn bad_combinations_are_refused_with_the_reason() {
    let five = base(2, 5);
    for (rules, word) in [
        (five.zombies(true), "three or more players"),
        (five.hands(1).unwrap().suicide(true), "suicide is a move between two hands"),
        (five.hands(1).unwrap().swaps(Swaps::Unlimited), "swaps is"),
        (five.hands(3).unwrap().cherry_bomb(true), "cherry bomb"),
        (five.swaps(Swaps::InARow(0)), "at least 1"),
        (five.sudden_death(SuddenDeath::Lives(0)), "at least 1 life"),
        (five.integers(Integers::Signed), "complement"),
        (five.overflow(Overflow::Cutoff).integers(Integers::Signed).meta(Meta::Live), "meta"),
        (five.overflow(Overflow::Cutoff).integers(Integers::Signed).sudden_death(SuddenDeath::Total), "sudden death"),
        (five.overflow(Overflow::Cutoff).integers(Integers::Signed).stumps(Stumps::Ones), "half fingers"),
        (
            five.stumps(Stumps::Ones).splits(Splits { transfers: Transfers::Multiple, ..Splits::ALL }),
            "multiple-transfer",
        ),
    ] {
        let message = rules.check().unwrap_err().to_string();
        assert!(message.contains(word) && message.starts_with(&rules.to_string()), "{message}");
        assert_eq!(Machine::new(&rules).unwrap_err().to_string(), message);
    }
    // Too many states of a seat, with the figure.
    let rules = base(2, 100).sudden_death(SuddenDeath::Lives(1_000));
    assert!(Machine::new(&rules).unwrap_err().to_string().contains(&rules.seat_states().to_string()));
    let rules = base(2, 5).swaps(Swaps::InARow(u32::MAX)).sudden_death(SuddenDeath::Lives(u32::MAX));
    assert!(Machine::new(&rules).unwrap_err().to_string().contains("states"));
}

#[test]
fn splits_have_names() {
    for (text, written) in [
        ("all", "all"),
        ("single-transfer,single-division", "all"),
        ("single-transfer", "transfers"),
        ("divisions", "divisions"),
        ("multiple-transfer,transfer-and-partition", "multiple-transfer,transfer-and-partition"),
        ("partition, multiple-transfer", "multiple-transfer,partition"),
        ("pair-halves", "pair-halves"),
        ("free-division", "free-division"),
    ] {
        let splits: Splits = text.parse().unwrap();
        assert_eq!(splits.to_string(), written);
        assert_eq!(splits.to_string().parse::<Splits>().unwrap(), splits);
    }
    for (text, word) in [("", "known"), ("halfs", "halves"), ("transfers,transfers", "twice"), ("all,none", "twice")] {
        let message = text.parse::<Splits>().unwrap_err().to_string();
        assert!(message.contains(word), "{text}: {message}");
    }
    let two = Splits { transfers: Transfers::Halves { odd: true }, divisions: Divisions::Single };
    assert_eq!(two.to_string(), "transfer-halves-odd,divisions");
    // Every pair of kinds has a name that is read again.
    for odd in [false, true] {
        for transfers in [Transfers::None, Transfers::Single, Transfers::Multiple, Transfers::Halves { odd }] {
            for divisions in [
                Divisions::None,
                Divisions::Single,
                Divisions::Partition,
                Divisions::Several,
                Divisions::Free,
                Divisions::Halves { odd },
            ] {
                let splits = Splits { transfers, divisions };
                assert_eq!(splits.to_string().parse::<Splits>().unwrap(), splits, "{splits}");
            }
        }
    }
}

#[test]
fn positions_of_variants_are_read_and_written() {
    let cutoff = base(2, 5).overflow(Overflow::Cutoff);
    for (rules, start, good, bad) in [
        (base(2, 5).stumps(Stumps::Ones), "1,1|1,1", "0.5,0.5|0,4.5", "0.25,1|1,1"),
        (cutoff.integers(Integers::Signed), "1,1|1,1", "x,-4|0,3", "0,5|1,1"),
        (base(2, 5).sudden_death(SuddenDeath::Lives(3)), "11:3|11:3", "01:0|24:1", "11:0|11:3"),
        (base(2, 5).swaps(Swaps::InARow(2)), "11|11", "12~2|04", "11~1|11"),
        (base(2, 5).swaps(Swaps::InARow(2)).sudden_death(SuddenDeath::Lives(2)), "11:2|11:2", "12:1~2|00", "12:1~3|11"),
    ] {
        let machine = Machine::new(&rules).unwrap();
        assert_eq!(machine.code(&machine.start()), start, "{rules}");
        assert_eq!(machine.code(&machine.parse(good).unwrap()), good, "{rules}");
        assert!(machine.parse(bad).is_err(), "{rules}: {bad}");
        for junk in ["", ":", "~", "11:|11", "11~x|11", "|||", "11:99|11", "-1,1|1,1|", "\u{0661}1|11"] {
            assert!(machine.parse(junk).is_err(), "{rules}: {junk}");
        }
    }
    // Without marks all lives are there.
    let machine = Machine::new(&base(2, 5).sudden_death(SuddenDeath::Lives(3))).unwrap();
    assert_eq!(machine.code(&machine.parse("1211").unwrap()), "12:3|11:3");
    assert_eq!(machine.code(&machine.parse("00|11:2").unwrap()), "00|11:2");
}

/// Many hands are compiled in no time although their fingers can be kept in millions of ways.
#[test]
fn many_hands_are_compiled_soon() {
    for divisions in [Divisions::Partition, Divisions::Several, Divisions::Free] {
        let rules = base(2, 3).hands(20).unwrap().splits(Splits { transfers: Transfers::Multiple, divisions });
        assert_eq!(Machine::new(&rules).unwrap().states(), 231);
    }
}
