//! Generalised Chopsticks: engines against each other, against definitions written again here, and known numbers.

use std::collections::{BTreeMap, HashMap};

use nimsieve::Error;
use nimsieve::chopsticks::{
    Divisions, Engine, Machine, Overflow, Reach, Rules, Splits, State, Transfers, Value, coalition, reach, solve,
    unreachable,
};
use nimsieve::run::Control;

fn base(p: u32, r: u32) -> Rules {
    Rules::new(p, r).unwrap()
}

fn reached(machine: &Machine, engine: Engine) -> Reach {
    reach(machine, engine, None, &Control::new(), |_| ()).unwrap()
}

/// Rollover and cutoff, with every kind of splits.
fn variants(rules: Rules) -> impl Iterator<Item = Rules> {
    let overflows = [Overflow::Rollover, Overflow::Cutoff];
    let splits = [Splits::ALL, Splits::NONE, Splits::TRANSFERS, Splits::DIVISIONS];
    overflows.into_iter().flat_map(move |o| splits.map(|s| rules.overflow(o).splits(s)))
}

// ---------------------------------------------------------------- known numbers

#[test]
fn reachable_counts_of_the_base_game() {
    for (p, r, expected) in [
        (2, 3, 26),
        (2, 4, 84),
        (2, 5, 204),
        (3, 3, 196),
        (3, 4, 973),
        (3, 5, 3_337),
        (4, 2, 72),
        (4, 3, 1_265),
        (4, 4, 9_955),
        (4, 5, 50_567),
    ] {
        let machine = Machine::new(&base(p, r)).unwrap();
        for engine in Engine::ALL {
            assert_eq!(reached(&machine, engine).reachable(), expected, "({p}, {r}) with {engine}");
        }
    }
}

#[test]
fn rollover_two_is_the_parity_game() {
    // 3^p - 2p - 1; for p = 2 that is 4, the ending included.
    for p in 2..=8 {
        let found = reached(&Machine::new(&base(p, 2)).unwrap(), Engine::Bits);
        assert_eq!(found.reachable(), 3_u64.pow(p) - 2 * u64::from(p) - 1, "p = {p}");
    }
}

#[test]
fn the_two_player_game_of_five() {
    let rules = base(2, 5);
    assert_eq!((rules.raw_positions(), rules.positions()), (625_u32.into(), 225_u32.into()));
    let machine = Machine::new(&rules).unwrap();
    let found = reached(&machine, Engine::Bits);
    let code = |rank| machine.code(&found.index().unrank(rank));

    let missing: Vec<String> = found.unreachable().map(code).collect();
    assert_eq!(
        missing.join(" "),
        "0000 0100 0200 0300 0400 1100 1101 1200 1300 1400 2200 2202 2300 2400 3300 3303 3400 3444 4400 4404 4444"
    );
    let mut endings: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for ending in found.endings() {
        endings.entry(ending.depth).or_default().push(code(ending.rank));
    }
    let expected =
        [(5, "0014"), (6, "0022 0024 0034"), (7, "0003 0012 0013 0023 0033"), (8, "0002 0011 0044"), (9, "0001 0004")];
    assert_eq!(endings, expected.map(|(depth, codes)| (depth, codes.split(' ').map(String::from).collect())).into());
    assert_eq!(found.eccentricity(), 9);
    // The first player has made the last of an odd number of moves.
    assert_eq!(found.endings().iter().filter(|ending| ending.depth % 2 == 1).count(), 8);
    assert_eq!((0..225).filter(|&rank| found.contains(rank)).map(code).max().unwrap(), "4434");
}

#[test]
fn kinds_of_moves_and_the_widest_turn() {
    let machine = Machine::new(&base(2, 5)).unwrap();
    let (mut attacks, mut divisions, mut transfers) = (Vec::new(), 0, 0);
    for s in 0..machine.states() as State {
        for turn in machine.turns(s) {
            match turn.weapon {
                Some(weapon) => attacks.push(weapon),
                None if !machine.is_live(s) => assert_eq!(turn.other, s, "a dead seat can only pass"),
                None if machine.hands(s)[0] == 0 => divisions += 1,
                None => transfers += 1,
            }
        }
    }
    attacks.sort_unstable();
    attacks.dedup();
    assert_eq!((attacks.len(), divisions, transfers), (4, 4, 6));

    let found = reached(&machine, Engine::Plain);
    let widest = (0..225).filter(|&rank| found.contains(rank)).map(|rank| found.index().unrank(rank));
    assert_eq!(widest.map(|seats| machine.successors(&seats).len()).max(), Some(5));
    let after: Vec<String> =
        machine.successors(&machine.parse("1312").unwrap()).iter().map(|seats| machine.code(seats)).collect();
    assert_eq!(after, ["0113", "1222", "1313", "2213", "2413"]);
}

#[test]
fn checks_of_cutoff_and_splits() {
    let table = [
        (Overflow::Rollover, Splits::ALL, 204, 14, Value::Draw),
        (Overflow::Cutoff, Splits::ALL, 171, 11, Value::Draw),
        (Overflow::Rollover, Splits::NONE, 200, 14, Value::Draw),
        (Overflow::Cutoff, Splits::NONE, 92, 8, Value::Loss(8)),
        (Overflow::Rollover, Splits::TRANSFERS, 204, 14, Value::Draw),
        (Overflow::Cutoff, Splits::TRANSFERS, 144, 10, Value::Loss(10)),
    ];
    for (overflow, splits, reachable, endings, value) in table {
        let machine = Machine::new(&base(2, 5).overflow(overflow).splits(splits)).unwrap();
        let found = reached(&machine, Engine::Bits);
        let solution = solve(&machine, None, &Control::new()).unwrap();
        assert_eq!(found.reachable(), reachable, "{}", machine.rules());
        assert_eq!(found.endings().len(), endings, "{}", machine.rules());
        assert_eq!(solution.value(&machine.start()), value, "{}", machine.rules());
    }
}

#[test]
fn variants_that_are_settings_of_the_rules() {
    use nimsieve::chopsticks::{Start, Winner};
    let value = |rules: &Rules| {
        let machine = Machine::new(rules).unwrap();
        let solution = solve(&machine, None, &Control::new()).unwrap();
        (reached(&machine, Engine::Bits).reachable(), solution.value(&machine.start()))
    };
    let suns = base(2, 5).start(Start::Suns);
    assert_eq!(value(&suns), (206, Value::Draw));
    assert_eq!(value(&suns.overflow(Overflow::Cutoff)), (172, Value::Win(7)));
    let three = base(2, 5).hands(3).unwrap().splits(Splits::TRANSFERS);
    assert_eq!(value(&three), (1_182, Value::Draw));
    assert_eq!(value(&three.overflow(Overflow::Cutoff)), (1_022, Value::Win(15)));
    // Every move is forced at r = 2, so misere turns the result around.
    assert_eq!(value(&base(2, 2)).1, Value::Win(3));
    assert_eq!(value(&base(2, 2).winner(Winner::Dead)).1, Value::Loss(3));
}

#[test]
fn values_of_the_start() {
    for (r, value) in [(2, Value::Win(3)), (3, Value::Draw), (4, Value::Win(11)), (5, Value::Draw)] {
        let machine = Machine::new(&base(2, r)).unwrap();
        assert_eq!(solve(&machine, None, &Control::new()).unwrap().value(&machine.start()), value, "r = {r}");
    }
    let machine = Machine::new(&base(2, 5)).unwrap();
    let found = reached(&machine, Engine::Bits);
    let solution = solve(&machine, None, &Control::new()).unwrap();
    assert_eq!(solution.count(|rank| found.contains(rank)).draws, 162);
    let reachable = || (0..225).filter(|&rank| found.contains(rank));
    assert_eq!(nimsieve::chopsticks::solve::pitfalls(&solution, reachable(), 1).len(), 11);
    assert_eq!(nimsieve::chopsticks::solve::pitfalls(&solution, reachable(), 3).len(), 0);
    for code in ["1101", "0111"] {
        for overflow in [Overflow::Rollover, Overflow::Cutoff] {
            let machine = Machine::new(&base(2, 5).overflow(overflow)).unwrap();
            let solution = solve(&machine, None, &Control::new()).unwrap();
            assert_eq!(solution.value(&machine.parse(code).unwrap()), Value::Draw, "{code} {overflow:?}");
        }
    }
}

#[test]
fn one_hand_each_counts_in_fibonacci_numbers() {
    for r in 2..60_u64 {
        let machine = Machine::new(&base(2, r as u32).hands(1).unwrap()).unwrap();
        let (mut seats, mut low, mut high) = (machine.start(), 1, 1);
        loop {
            let hands = [machine.hands(seats[0])[0], machine.hands(seats[1])[0]].map(u64::from);
            assert_eq!(hands, [high, low], "r = {r}");
            match machine.successors(&seats).as_slice() {
                [] => break,
                [next] => seats = next.clone(),
                more => panic!("{} moves with one hand each, r = {r}", more.len()),
            }
            (low, high) = (high, (low + high) % r);
        }
        assert_eq!(high, 0, "the line ends when a hand dies, r = {r}");
    }
}

// ---------------------------------------------------------------- engines against each other

#[test]
fn bits_equals_plain() {
    let mut games = 0;
    let sizes = [(2, 12), (3, 6), (4, 5), (5, 3), (6, 3)];
    for (p, r, h) in
        sizes.into_iter().flat_map(|(p, most)| (1..=most).flat_map(move |r| [(p, r, 1), (p, r, 2), (p, r, 3)]))
    {
        for rules in variants(base(p, r).hands(h).unwrap()).filter(|rules| rules.positions() <= 300_000_u32.into()) {
            compare(&rules);
            games += 1;
        }
    }
    assert!(games > 500, "{games}");
}

/// Word edges: N = 15, 21, 28, 36, 55, 66, 78 states lie on both sides of 16, 32 and 64; h = 1 gives N = r exactly.
#[test]
fn bits_equals_plain_at_word_edges() {
    for r in [15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129] {
        compare(&base(2, r).hands(1).unwrap());
        compare(&base(3, r.min(65)).hands(1).unwrap());
    }
    for r in [9, 10, 11, 12, 22] {
        compare(&base(2, r));
    }
    compare(&base(3, 11));
    compare(&base(3, 10));
}

fn compare(rules: &Rules) {
    let machine = Machine::new(rules).unwrap();
    let (plain, bits) = (reached(&machine, Engine::Plain), reached(&machine, Engine::Bits));
    assert_eq!(plain.levels(), bits.levels(), "{rules}");
    assert_eq!(plain.endings(), bits.endings(), "{rules}");
    assert!((0..plain.index().len()).all(|rank| plain.contains(rank) == bits.contains(rank)), "{rules}");
}

#[test]
fn unreachable_is_the_complement() {
    for (p, most) in [(0, 3), (1, 6), (2, 16), (3, 10), (4, 6), (5, 4), (6, 3), (7, 3)] {
        for r in 1..=most {
            let machine = Machine::new(&base(p, r)).unwrap();
            let found = reached(&machine, Engine::Bits);
            let by_rule = unreachable(&machine, None, &Control::new()).unwrap();
            let ranks: Vec<u64> = by_rule.positions().map(|seats| found.index().rank(seats)).collect();
            assert_eq!(ranks, found.unreachable().collect::<Vec<_>>(), "({p}, {r})");
        }
    }
}

/// The case that the module calls by name: for other rules the list may be too short, never too long.
#[test]
fn unreachable_is_sound_for_all_rules() {
    let mut short = 0;
    for (p, r) in [(2, 3), (2, 4), (2, 5), (2, 6), (2, 7), (2, 8), (3, 3), (3, 4), (3, 5), (4, 3)] {
        for rules in variants(base(p, r)) {
            let machine = Machine::new(&rules).unwrap();
            let found = reached(&machine, Engine::Bits);
            let by_rule = unreachable(&machine, None, &Control::new()).unwrap();
            assert!(by_rule.positions().all(|seats| !found.contains(found.index().rank(seats))), "{rules}");
            short += u64::from(by_rule.count() < found.unreachable_count());
        }
    }
    assert!(short > 0, "the lower bound is attained everywhere, so say so in the module");
}

/// The position that the published formula leaves out.
#[test]
fn even_rollover_amounts_miss_a_pair_of_halves() {
    for r in (4..=16).step_by(2) {
        let machine = Machine::new(&base(2, r)).unwrap();
        let (dead, half) = (machine.state(&[0, 0]).unwrap(), machine.state(&[r as u16 / 2; 2]).unwrap());
        let found = reached(&machine, Engine::Bits);
        assert!(!found.contains(found.index().rank(&[dead, half])), "r = {r}");
        let by_rule = unreachable(&machine, None, &Control::new()).unwrap();
        assert!(by_rule.positions().any(|seats| seats == [dead, half]), "r = {r}");
        // Not because it has no predecessor, which is what the formula counts.
        let mut before = 0;
        machine.for_each_before(&[dead, half], |_| before += 1);
        assert!(before > 0, "r = {r}");
    }
}

#[test]
fn what_is_known_of_the_unreachable() {
    use nimsieve::chopsticks::Winner;
    use nimsieve::chopsticks::unreachable::{formula, formula_kind, formula_verified, is_verified};
    let misere = base(3, 5).winner(Winner::Dead);
    assert!(is_verified(&misere) && formula(&misere) == formula(&base(3, 5)));
    assert!(!is_verified(&base(3, 5).overflow(Overflow::Cutoff)) && !is_verified(&base(3, 21)));
    let ranges: Vec<_> = formula_verified().collect();
    assert_eq!(ranges, [(3, 4..=20), (4, 5..=12), (5, 6..=7)]);
    let kinds = [(2, 4), (3, 4), (4, 4)].map(|(p, r)| formula_kind(&base(p, r)));
    assert_eq!(kinds, [Some("published"), Some("conjecture"), None]);
    // Small answers are given, whatever the formula would say.
    for (p, memory) in [(3, 4_096), (30, 1 << 16)] {
        let machine = Machine::new(&base(p, 2)).unwrap();
        let found = unreachable(&machine, Some(memory), &Control::new()).unwrap();
        assert_eq!(found.count(), 2 * u64::from(p) + 1);
    }
    let machine = Machine::new(&base(4, 3)).unwrap();
    assert!(unreachable(&machine, Some(1 << 16), &Control::new()).is_ok());
}

#[test]
fn positions_without_a_predecessor_are_those_of_the_module_head() {
    for (p, r) in [(2, 3), (2, 5), (2, 8), (3, 4), (3, 5), (4, 4), (5, 3)] {
        let rules = base(p, r);
        let machine = Machine::new(&rules).unwrap();
        let listed = unreachable(&machine, None, &Control::new()).unwrap().without_predecessor();
        let n = machine.states() as u64;
        let (p, r) = (u64::from(p), u64::from(r));
        assert_eq!(listed, 1 + (p - 1) * (n - 1) + (r - 1) + 1, "{rules}");

        // Written again: everything that is after something is not without a predecessor.
        let index = nimsieve::chopsticks::Index::new(&machine).unwrap();
        let mut has = vec![false; index.len() as usize];
        for rank in 0..index.len() {
            machine.for_each_move(&index.unrank(rank), |_, next| has[index.rank(next) as usize] = true);
        }
        assert_eq!(has.iter().filter(|&&has| !has).count() as u64, listed, "{rules}");
    }
}

#[test]
fn the_conjectured_formula() {
    use nimsieve::chopsticks::unreachable::formula;
    for p in 2..=11 {
        for r in p + 1..=14 {
            let machine = Machine::new(&base(p, r)).unwrap();
            let count = unreachable(&machine, None, &Control::new()).unwrap().count();
            // With two players the published formula is one short for even r from 4 on.
            let extra = u32::from(p == 2 && r % 2 == 0);
            assert_eq!(formula(machine.rules()).unwrap() + extra, count.into(), "({p}, {r})");
        }
    }
    assert_eq!(formula(&base(8, 9)).unwrap(), (7_u32 * 44 + 9 + 283).into());
    assert_eq!(formula(&base(4, 4)), None);
    assert_eq!(formula(&base(2, 5).overflow(Overflow::Cutoff)), None);
}

// ---------------------------------------------------------------- values by a second route

/// Raw positions: hands in any order, seats from the one to act on.
type Raw = Vec<[u32; 2]>;

/// The positions after a raw one, by the rules as one would say them.
fn raw_moves(rules: &Rules, seats: &Raw) -> Vec<Raw> {
    let live = |seat: &[u32; 2]| seat[0] + seat[1] > 0;
    let r = rules.rollover();
    if seats.iter().filter(|seat| live(seat)).count() < 2 {
        return Vec::new();
    }
    let mut after = Vec::new();
    if !live(&seats[0]) {
        after.push(seats.clone());
    }
    for seat in 1..seats.len() {
        for (mine, theirs) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let (a, c) = (seats[0][mine], seats[seat][theirs]);
            if a > 0 && c > 0 {
                let mut next = seats.clone();
                let sum = a + c;
                next[seat][theirs] = match rules.overflow_rule() {
                    _ if sum < r => sum,
                    Overflow::Rollover => sum - r,
                    Overflow::Cutoff => 0,
                };
                after.push(next);
            }
        }
    }
    let [a, b] = seats[0];
    let divides = a == 0 || b == 0;
    let Splits { transfers, divisions } = rules.split_rule();
    if if divides { divisions != Divisions::None } else { transfers != Transfers::None } {
        for x in 1..r {
            for y in 1..r {
                if x + y == a + b && (x, y) != (a, b) && (x, y) != (b, a) {
                    let mut next = seats.clone();
                    next[0] = [x, y];
                    after.push(next);
                }
            }
        }
    }
    for next in &mut after {
        next.rotate_left(1);
    }
    after
}

/// The value of every raw position for seat `hero` of it against all others, by sweeping over all positions until a
/// sweep changes nothing. Plies of the first sweep that decides a position are its plies, because sweep k only uses
/// what sweep k - 1 knew.
fn raw_values(rules: &Rules) -> HashMap<(Raw, usize), Value> {
    let (p, r) = (rules.player_count() as usize, rules.rollover());
    let mut all: Vec<Raw> = vec![Vec::new()];
    for _ in 0..p {
        all = all.iter().flat_map(|seats| (0..r * r).map(|s| [seats.as_slice(), &[[s / r, s % r]]].concat())).collect();
    }
    // For the hero: who is out has lost, who is alone has won; in misere play the other way round.
    let misere = rules.winner_rule() == nimsieve::chopsticks::Winner::Dead;
    let mut known: HashMap<(Raw, usize), Value> = HashMap::new();
    let mut open = Vec::new();
    for seats in all {
        let live = seats.iter().filter(|seat| **seat != [0, 0]).count();
        for hero in 0..p {
            if live == 0 {
                continue;
            } else if seats[hero] == [0, 0] {
                known.insert((seats.clone(), hero), if misere { Value::Win(0) } else { Value::Loss(0) });
            } else if live == 1 {
                known.insert((seats.clone(), hero), if misere { Value::Loss(0) } else { Value::Win(0) });
            } else {
                open.push((raw_moves(rules, &seats), seats.clone(), hero));
            }
        }
    }
    for ply in 1.. {
        let mut new = Vec::new();
        open.retain(|(after, seats, hero)| {
            let next_hero = (hero + p - 1) % p;
            let values: Vec<Option<&Value>> = after.iter().map(|next| known.get(&(next.clone(), next_hero))).collect();
            let won = |value: &Option<&Value>| matches!(value, Some(Value::Win(_)));
            let lost = |value: &Option<&Value>| matches!(value, Some(Value::Loss(_)));
            // The hero chooses when it acts, the others when they do.
            let (win, loss) = if *hero == 0 {
                (values.iter().any(won), values.iter().all(lost))
            } else {
                (values.iter().all(won), values.iter().any(lost))
            };
            if win || loss {
                new.push(((seats.clone(), *hero), if win { Value::Win(ply) } else { Value::Loss(ply) }));
            }
            !(win || loss)
        });
        if new.is_empty() {
            return known;
        }
        known.extend(new);
    }
    unreachable!()
}

fn sorted_state(machine: &Machine, seats: &Raw) -> Vec<State> {
    let sort = |&[a, b]: &[u32; 2]| machine.state(&[a.min(b) as u16, a.max(b) as u16]).unwrap();
    seats.iter().map(sort).collect()
}

fn check_raw(rules: &Rules) {
    let machine = Machine::new(rules).unwrap();
    let index = nimsieve::chopsticks::Index::new(&machine).unwrap();
    let raw = raw_values(rules);
    // Misere names a winner for two players only.
    let seats_of = coalition(&machine, None, &Control::new()).ok();
    let duel = (machine.players() == 2).then(|| solve(&machine, None, &Control::new()).unwrap());
    let mut decided = vec![0; index.len() as usize];
    for ((raw_seats, hero), &value) in &raw {
        let seats = sorted_state(&machine, raw_seats);
        if let Some(seats_of) = &seats_of {
            assert_eq!(seats_of.value(&seats, *hero), value, "{rules}: {} seat {hero}", machine.code(&seats));
        }
        if let Some(duel) = &duel {
            let expected = if *hero == 0 { value } else { value.reversed() };
            assert_eq!(duel.value(&seats), expected, "{rules}: {}", machine.code(&seats));
        }
        decided[index.rank(&seats) as usize] |= 1 << hero;
    }
    // What the sweep left open is a draw.
    for rank in 0..index.len() {
        let seats = index.unrank(rank);
        for hero in 0..machine.players() {
            if decided[rank as usize] >> hero & 1 == 0 {
                let draw = |seats_of: &nimsieve::chopsticks::Coalition| seats_of.value(&seats, hero) == Value::Draw;
                assert!(seats_of.as_ref().is_none_or(draw), "{rules}: {} seat {hero}", machine.code(&seats));
                assert!(duel.as_ref().is_none_or(|duel| duel.value(&seats) == Value::Draw));
            }
        }
    }
}

#[test]
fn values_by_a_sweep_over_raw_hands() {
    for r in 2..=6 {
        variants(base(2, r)).for_each(|rules| check_raw(&rules));
        variants(base(2, r).winner(nimsieve::chopsticks::Winner::Dead)).for_each(|rules| check_raw(&rules));
    }
    variants(base(3, 2)).chain(variants(base(3, 3))).for_each(|rules| check_raw(&rules));
}

/// Four seats and larger three-seat games by the same route: `cargo test --release --test chopsticks -- --ignored`.
#[test]
#[ignore = "half a minute"]
fn values_by_a_sweep_over_raw_hands_at_length() {
    for rules in [base(3, 4), base(3, 4).overflow(Overflow::Cutoff), base(4, 3), base(2, 9)] {
        check_raw(&rules);
    }
}

/// The range named by `unreachable::VERIFIED`: `cargo test --release --test chopsticks -- --ignored`.
#[test]
#[ignore = "half a minute and 1 GiB"]
fn unreachable_is_verified_where_it_says_so() {
    for (p, most) in nimsieve::chopsticks::unreachable::VERIFIED {
        for r in 2..=most {
            let machine = Machine::new(&base(p, r)).unwrap();
            let found = reached(&machine, Engine::Bits);
            let by_rule = unreachable(&machine, None, &Control::new()).unwrap();
            assert!(by_rule.positions().all(|seats| !found.contains(found.index().rank(seats))), "({p}, {r})");
            assert_eq!(by_rule.count(), found.unreachable_count(), "({p}, {r})");
        }
    }
}

// ---------------------------------------------------------------- best play

#[test]
fn lines_of_best_play_are_as_long_as_promised() {
    for rules in [base(2, 4), base(2, 5).overflow(Overflow::Cutoff).splits(Splits::NONE), base(2, 3)] {
        let machine = Machine::new(&rules).unwrap();
        let solution = solve(&machine, None, &Control::new()).unwrap();
        let index = nimsieve::chopsticks::Index::new(&machine).unwrap();
        for rank in 0..index.len() {
            let line = solution.line(&index.unrank(rank));
            for pair in line.positions.windows(2) {
                assert!(machine.successors(&pair[0]).contains(&pair[1]), "{rules}: an illegal move");
            }
            match solution.value_at(rank).plies() {
                Some(plies) => {
                    assert_eq!((line.positions.len(), line.repeats), (plies as usize + 1, None), "{rules}");
                    assert!(machine.is_over(line.positions.last().unwrap()));
                }
                None => assert_eq!(line.repeats.is_some(), !machine.is_over(&line.positions[0]), "{rules}"),
            }
        }
    }
}

#[test]
fn choices_are_ranked() {
    let machine = Machine::new(&base(2, 5)).unwrap();
    let solution = solve(&machine, None, &Control::new()).unwrap();
    let index = nimsieve::chopsticks::Index::new(&machine).unwrap();
    for rank in 0..index.len() {
        let choices = solution.choices(&index.unrank(rank));
        if let Some(best) = choices.first() {
            assert_eq!(best.value, solution.value_at(rank));
        }
        for pair in choices.windows(2) {
            if let [Value::Draw, Value::Draw] = [pair[0].value, pair[1].value] {
                assert!(pair[0].losing_replies >= pair[1].losing_replies);
            }
        }
    }
}

/// Of a published line, 1201 -> 0103 -> 0401, only the second move is one of the base game, and forced and lost. The
/// first is none: a touch leaves the attacker as it is, and 1 and 2 split into nothing else, so that 12 stands in both
/// positions after 1201.
#[test]
fn the_published_line_from_1201_is_no_line_of_the_base_game() {
    let machine = Machine::new(&base(2, 5)).unwrap();
    let after = |code: &str| {
        let seats = machine.successors(&machine.parse(code).unwrap());
        seats.iter().map(|seats| machine.code(seats)).collect::<Vec<_>>()
    };
    assert_eq!(after("1201"), ["0212", "0312"]);
    assert_eq!(after("0103"), ["0401"]);
    let solution = solve(&machine, None, &Control::new()).unwrap();
    assert_eq!(solution.value(&machine.parse("0103").unwrap()), Value::Loss(2));
}

// ---------------------------------------------------------------- the longest game

#[test]
fn longest_games_without_repetition() {
    use nimsieve::chopsticks::longest;
    let cutoff = |r| base(2, r).overflow(Overflow::Cutoff);
    for (rules, moves) in [(base(2, 3), 15), (base(2, 4), 59), (base(2, 5), 171), (cutoff(5), 132)] {
        let machine = Machine::new(&rules).unwrap();
        let found = longest(&machine, 10_000, None, &Control::new()).unwrap();
        assert_eq!((found.moves(), found.is_proved()), (moves, true), "{rules}");
        let mut seen = std::collections::HashSet::new();
        assert!(found.line.iter().all(|seats| seen.insert(seats)), "{rules}: a repeated position");
        assert!(found.line.windows(2).all(|pair| machine.successors(&pair[0]).contains(&pair[1])), "{rules}");
    }
}

/// Every simple path, one by one.
#[test]
fn longest_games_by_exhaustion() {
    use nimsieve::chopsticks::longest;
    fn walk(machine: &Machine, path: &mut Vec<Vec<State>>) -> usize {
        let mut longest = path.len() - 1;
        for next in machine.successors(&path[path.len() - 1]) {
            if !path.contains(&next) {
                path.push(next);
                longest = longest.max(walk(machine, path));
                path.pop();
            }
        }
        longest
    }
    let small = [(2, 1, 2), (2, 2, 2), (3, 2, 2), (4, 2, 1), (2, 9, 1), (3, 3, 1), (2, 3, 2)];
    for rules in small.into_iter().flat_map(|(p, r, h)| variants(base(p, r).hands(h).unwrap())) {
        let machine = Machine::new(&rules).unwrap();
        let found = longest(&machine, 100_000, None, &Control::new()).unwrap();
        let exhausted = walk(&machine, &mut vec![machine.start()]);
        assert_eq!((found.moves() as usize, found.is_proved()), (exhausted, true), "{rules}");
    }
}

#[test]
fn a_search_cut_short_says_what_it_knows() {
    use nimsieve::chopsticks::longest;
    let machine = Machine::new(&base(2, 5)).unwrap();
    let proved = longest(&machine, 10_000, None, &Control::new()).unwrap().moves();
    for steps in [0, 1, 5, 20] {
        let found = longest(&machine, steps, None, &Control::new()).unwrap();
        assert!(found.moves() <= proved && proved <= found.bound, "{} {}", found.moves(), found.bound);
    }
    assert!(!longest(&machine, 0, None, &Control::new()).unwrap().is_proved());
    // The path of the relaxation is there without a step.
    assert!(longest(&machine, 0, None, &Control::new()).unwrap().moves() > 1);
    // Little memory gives up branches, and the bound still holds.
    let seven = Machine::new(&base(2, 7).overflow(Overflow::Cutoff)).unwrap();
    for machine in [&machine, &seven] {
        for limit in [200_000, 1_000_000] {
            let Ok(found) = longest(machine, 500, Some(limit), &Control::new()) else { continue };
            let free = longest(machine, 500, None, &Control::new()).unwrap();
            assert!(found.bound >= free.moves() && free.bound >= found.moves(), "{limit}");
        }
    }
    let error = longest(&seven, 500, Some(100_000), &Control::new()).unwrap_err().to_string();
    assert!(error.contains("bytes"), "{error}");
    let error = longest(&Machine::new(&base(5, 5)).unwrap(), 1, None, &Control::new()).unwrap_err().to_string();
    assert!(error.contains("reachable positions") && error.contains("20000"), "{error}");
}

#[test]
fn lines_are_verified() {
    use nimsieve::chopsticks::longest::verify;
    let machine = Machine::new(&base(2, 5)).unwrap();
    let line = |codes: &[&str]| codes.iter().map(|code| machine.parse(code).unwrap()).collect::<Vec<_>>();
    verify(&machine, &line(&["1111", "1211", "1212"])).unwrap();
    for (codes, word) in [(&["1211", "1212"][..], "start"), (&["1111", "1212"], "1212"), (&[], "start")] {
        let message = verify(&machine, &line(codes)).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    }
    // 2424 -> 2433 -> 3333 -> 3324 -> 2424 is a cycle of splits.
    let mut round = longest_to(&machine, "2424");
    round.extend(line(&["2433", "3333", "3324", "2424"]));
    assert!(verify(&machine, &round).unwrap_err().to_string().contains("2424"));
}

/// A shortest line from the start to a position.
fn longest_to(machine: &Machine, code: &str) -> Vec<Vec<State>> {
    let target = machine.parse(code).unwrap();
    let mut lines = vec![vec![machine.start()]];
    loop {
        if let Some(line) = lines.iter().find(|line| line.last() == Some(&target)) {
            return line.clone();
        }
        let grow = |line: &Vec<Vec<State>>| {
            let next = machine.successors(line.last().unwrap()).into_iter();
            next.map(|seats| [line.as_slice(), &[seats]].concat()).collect::<Vec<_>>()
        };
        lines = lines.iter().flat_map(grow).collect();
    }
}

// ---------------------------------------------------------------- tables and drawings

#[test]
fn the_grid_and_its_formats() {
    use nimsieve::chopsticks::grid;
    let rows = grid::grid(2..=4, 2..=6, &base(2, 5), None, &Control::new()).unwrap();
    assert_eq!(rows.len(), 15);
    for row in &rows {
        let (p, r) = (row.rules.player_count(), row.rules.rollover());
        assert_eq!(row.unreachable() + row.reachable, row.rules.positions());
        let expected = match (p, r) {
            (2, r) if r > 2 => Some(if r % 2 == 0 { -1 } else { 0 }),
            (p, r) if p > 2 && r > p => Some(0),
            _ => None,
        };
        assert_eq!(row.difference(), expected.map(Into::into), "({p}, {r})");
    }
    let rows = &rows[..4];
    let written = |write: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    let csv = written(&|out| grid::write_csv(rows, out));
    assert_eq!(
        csv.lines().next(),
        Some("players,rollover,positions,reachable,unreachable,formula,difference,endings,eccentricity,rules")
    );
    assert_eq!(csv.lines().nth(4), Some("2,5,225,204,21,204,0,14,9,\"(2, 5) Chopsticks\""));
    let text = written(&|out| grid::write_text(rows, out));
    assert_eq!(
        text.lines().nth(5).unwrap().split_whitespace().collect::<Vec<_>>().join(","),
        "2,5,225,204,21,204,0,14,9"
    );
    assert_eq!(text.lines().next(), Some("(p, r) Chopsticks"));
    let latex = written(&|out| grid::write_latex(rows, out));
    assert!(latex.starts_with("% (p, r) Chopsticks\n"), "{latex}");
    let cutoff = grid::grid(3..=3, 5..=5, &base(2, 5).overflow(Overflow::Cutoff), None, &Control::new()).unwrap();
    assert_eq!(grid::title(&cutoff).unwrap(), "(p, r) Chopsticks, cutoff");
    assert!(grid::remarks(&cutoff).is_empty() && grid::remarks(rows).len() == 1);
    assert!(latex.contains("$2$ & $4$ & $100$ & $84$ & $16$ & $85$ & $-1$ & $8$ & $8$ \\"), "{latex}");
}

#[test]
fn graphs_have_every_position_and_move() {
    use nimsieve::chopsticks::Graph;
    for rules in [base(2, 2), base(2, 5), base(3, 3), base(2, 12).hands(1).unwrap(), base(0, 3), base(2, 1)] {
        let machine = Machine::new(&rules).unwrap();
        let found = reached(&machine, Engine::Plain);
        let graph = Graph::new(&machine, None, &Control::new()).unwrap();
        let edges: usize = graph.nodes.iter().map(|node| node.moves.len()).sum();
        assert_eq!(graph.nodes.len() as u64, found.reachable());
        assert_eq!(graph.nodes[0].code, machine.code(&machine.start()));
        for level in found.levels() {
            let nodes = graph.nodes.iter().filter(|node| node.depth == level.depth);
            assert_eq!(nodes.clone().count() as u64, level.positions, "{rules}");
            assert_eq!(nodes.filter(|node| node.is_ending).count() as u64, level.endings, "{rules}");
        }
        let (mut dot, mut graphml) = (Vec::new(), Vec::new());
        graph.write_dot(&mut dot).unwrap();
        graph.write_graphml(&mut graphml).unwrap();
        let count = |text: &str, part: &str| text.matches(part).count();
        let (dot, graphml) = (String::from_utf8(dot).unwrap(), String::from_utf8(graphml).unwrap());
        assert_eq!((count(&dot, "[label="), count(&dot, " -> ")), (graph.nodes.len(), edges), "{rules}");
        assert_eq!((count(&graphml, "<node "), count(&graphml, "<edge ")), (graph.nodes.len(), edges), "{rules}");
        let svg = graph.to_svg().unwrap();
        assert_eq!((count(&svg, "<rect x="), count(&svg, "<path ")), (graph.nodes.len(), edges), "{rules}");
        assert!(svg.trim_end().ends_with("</svg>"));
    }
    for (p, explained) in [(2, true), (3, false)] {
        let graph = Graph::new(&Machine::new(&base(p, 3)).unwrap(), None, &Control::new()).unwrap();
        assert_eq!(graph.to_svg().unwrap().contains("won by the player to act"), explained);
    }
    let large = Graph::new(&Machine::new(&base(3, 5)).unwrap(), None, &Control::new()).unwrap();
    assert!(large.to_svg().unwrap_err().to_string().contains("3337"));
}

// ---------------------------------------------------------------- degenerate games and bad input

#[test]
fn trivial_games_are_over_at_once() {
    for (p, r) in [(0, 5), (1, 5), (2, 1), (3, 1), (0, 1), (1, 1), (1, 2)] {
        let machine = Machine::new(&base(p, r)).unwrap();
        for engine in Engine::ALL {
            let found = reached(&machine, engine);
            assert_eq!((found.reachable(), found.endings().len(), found.eccentricity()), (1, 1, 0), "({p}, {r})");
        }
        let missing = unreachable(&machine, None, &Control::new()).unwrap().count();
        assert_eq!(machine.rules().positions(), (missing + 1).into(), "({p}, {r})");
    }
    let machine = Machine::new(&base(2, 1)).unwrap();
    assert_eq!(solve(&machine, None, &Control::new()).unwrap().value(&machine.start()), Value::Draw);
    let machine = Machine::new(&base(1, 5)).unwrap();
    assert_eq!(coalition(&machine, None, &Control::new()).unwrap().value(&machine.start(), 0), Value::Win(0));
}

#[test]
fn bad_rules_are_errors() {
    for (result, word) in [
        (Rules::new(2, 0), "rollover"),
        (Rules::new(2, u32::MAX), "limit"),
        (Rules::new(u32::MAX, 5), "limit"),
        (base(2, 5).hands(0), "hand"),
        (base(2, 5).hands(u32::MAX), "limit"),
    ] {
        let message = result.unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    }
    assert!(Machine::new(&base(2, 10_000)).unwrap_err().to_string().contains("50005000"));
}

#[test]
fn games_too_large_are_refused_with_the_figure() {
    let machine = Machine::new(&base(30, 100)).unwrap();
    assert_eq!(machine.rules().positions().to_string().len(), 112);
    for engine in Engine::ALL {
        let error = reach(&machine, engine, None, &Control::new(), |_| ()).unwrap_err().to_string();
        assert!(error.contains(&machine.rules().positions().to_string()), "{error}");
    }
    let machine = Machine::new(&base(8, 5)).unwrap();
    let error = reach(&machine, Engine::Bits, Some(1 << 20), &Control::new(), |_| ()).unwrap_err().to_string();
    assert!(error.contains("bytes") && error.contains("1048576"), "{error}");
    let error = coalition(&machine, Some(1 << 20), &Control::new()).unwrap_err().to_string();
    assert!(error.contains("bytes") && error.contains("1048576"), "{error}");
    let error = unreachable(&Machine::new(&base(12, 12)).unwrap(), Some(1 << 10), &Control::new()).unwrap_err();
    assert!(error.to_string().contains("1024"), "{error}");
    let error = unreachable(&Machine::new(&base(30, 31)).unwrap(), Some(1 << 30), &Control::new()).unwrap_err();
    assert!(error.to_string().contains("about"), "{error}");
    let error = unreachable(&Machine::new(&base(30, 5)).unwrap(), Some(1 << 20), &Control::new()).unwrap_err();
    assert!(error.to_string().contains("were found so far"), "{error}");
    let error = solve(&Machine::new(&base(2, 50)).unwrap(), Some(1 << 20), &Control::new()).unwrap_err().to_string();
    assert!(error.contains("bytes") && !error.contains("unreachable"), "{error}");
    assert!(solve(&machine, None, &Control::new()).unwrap_err().to_string().contains("two players"));
}

/// `reach -r 200` was measured at 382 MB, tables included; two players have one tile, so threads do not matter.
#[test]
fn memory_is_that_of_the_blocks_in_use() {
    let machine = Machine::new(&base(2, 200)).unwrap();
    let needed = Engine::Bits.memory(&machine);
    assert!(needed > 382_000_000_u32.into() && needed < 1_000_000_000_u32.into(), "{needed}");
    let error = Machine::within(&base(2, 10_000).hands(1).unwrap(), Some(1 << 30), &Control::new()).unwrap_err();
    assert!(error.to_string().contains("1073741824"), "{error}");
    let control = Control::new();
    control.stop();
    assert!(matches!(Machine::within(&base(2, 5), None, &control), Err(Error::Stopped { .. })));
}

#[test]
fn positions_are_read_and_written() {
    let five = Machine::new(&base(2, 5)).unwrap();
    for code in ["1312", "13|12", "1,3|1,2", " 1312 "] {
        assert_eq!(five.code(&five.parse(code).unwrap()), "1312");
    }
    for (code, word) in [
        ("131", "4 digits"),
        ("13121", "4 digits"),
        ("", "4 digits"),
        ("3112", "write 13, not 31"),
        ("1321", "ascend"),
        ("1512", "0 to 4"),
        ("13x2", "`x`"),
        ("1,3|1", "seat"),
        ("1,3,1|1,2", "seat"),
        ("1,3|1,2|1,1", "2 seats"),
        ("1,+3|1,2", "`+3`"),
        ("13\u{0661}2", "0 to 4"),
        ("|", "hand"),
    ] {
        let message = five.parse(code).unwrap_err().to_string();
        assert!(message.contains(word), "{code}: {message}");
    }
    let twelve = Machine::new(&base(2, 12)).unwrap();
    assert_eq!(twelve.code(&twelve.parse("0,10|3,11").unwrap()), "0,10|3,11");
    assert!(twelve.parse("1111").unwrap_err().to_string().contains("separate"));
    for (p, r, h) in [(0, 5, 2), (1, 3, 1), (1, 12, 1), (2, 11, 2), (3, 4, 3), (2, 12, 1)] {
        let machine = Machine::new(&base(p, r).hands(h).unwrap()).unwrap();
        let index = nimsieve::chopsticks::Index::new(&machine).unwrap();
        for rank in 0..index.len() {
            let seats = index.unrank(rank);
            assert_eq!(index.rank(&seats), rank);
            assert_eq!(machine.parse(&machine.code(&seats)).unwrap(), seats, "({p}, {r}, {h})");
        }
    }
}

#[test]
fn a_stopped_run_says_so() {
    let machine = Machine::new(&base(5, 5)).unwrap();
    let control = Control::new();
    control.stop();
    for engine in Engine::ALL {
        assert!(matches!(reach(&machine, engine, None, &control, |_| ()), Err(Error::Stopped { .. })));
    }
    assert!(matches!(unreachable(&machine, None, &control), Err(Error::Stopped { .. })));
    assert!(matches!(coalition(&machine, None, &control), Err(Error::Stopped { .. })));
}
