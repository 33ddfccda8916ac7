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
    let Some(rules) = rules_of(game).filter(|rules| rules.positions() <= 40_000_u32.into()) else { return false };
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
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn combinations_by_two_routes(game in any_game()) {
        prop_assume!(compare(&game));
    }
}
