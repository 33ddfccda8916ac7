//! The perfect player, and the dialogue with it.

use std::collections::HashMap;

use nimsieve::chopsticks::{Machine, Overflow, Rules, Splits, State, Value, solve};
use nimsieve::play::{Chopsticks, Ending, Game, Heaps, Side, dialogue};
use nimsieve::run::Control;
use nimsieve::set::{NamedSet, SubtractionSet};
use nimsieve::sum::Play;
use proptest::prelude::*;

fn heaps(position: &[(&str, u64)], play: Play) -> Heaps {
    let heaps = position.iter().map(|&(set, heap)| (set.parse().unwrap(), heap)).collect();
    Heaps::new(heaps, play, &Control::new()).unwrap()
}

/// Whether the player to move wins, and how long the game is when the winner hurries and the loser delays.
fn remoteness(
    sets: &[NamedSet],
    heaps: &[u64],
    misere: bool,
    known: &mut HashMap<Vec<u64>, (bool, u32)>,
) -> (bool, u32) {
    if let Some(&found) = known.get(heaps) {
        return found;
    }
    let mut after = Vec::new();
    for i in 0..heaps.len() {
        for take in sets[i].elements().take_while(|&take| take <= heaps[i]) {
            let mut next = heaps.to_vec();
            next[i] -= take;
            after.push(remoteness(sets, &next, misere, known));
        }
    }
    let lost = after.iter().filter(|(won, _)| !won).map(|&(_, moves)| moves).min();
    let found = match (lost, after.iter().map(|&(_, moves)| moves).max()) {
        (Some(soonest), _) => (true, soonest + 1),
        (None, Some(latest)) => (false, latest + 1),
        (None, None) => (misere, 0),
    };
    known.insert(heaps.to_vec(), found);
    found
}

/// The computer against itself: how many moves, and whether the first player has won.
fn play_out(game: &mut impl Game) -> (bool, u32) {
    let mut moves = 0;
    loop {
        if let Some(ending) = game.ending() {
            assert!(game.best().is_none());
            return ((ending == Ending::Acting) == (moves % 2 == 0), moves);
        }
        let best = game.best().unwrap();
        assert!(best < game.count());
        game.play(best);
        moves += 1;
    }
}

#[test]
fn winners_hurry_and_losers_delay() {
    for play in [Play::Normal, Play::Misere] {
        for set in ["squares", "primes", "1,3,4", "2,5", "allbut:1,4"] {
            let sets: Vec<NamedSet> = vec![set.parse().unwrap()];
            let mut known = HashMap::new();
            for heap in 0..60 {
                let expected = remoteness(&sets, &[heap], play == Play::Misere, &mut known);
                assert_eq!(play_out(&mut heaps(&[(set, heap)], play)), expected, "{set} {heap} {play:?}");
            }
        }
        let sets: Vec<NamedSet> = ["squares", "primes"].map(|set| set.parse().unwrap()).to_vec();
        let mut known = HashMap::new();
        for (a, b) in (0..14).flat_map(|a| (0..14).map(move |b| (a, b))) {
            let expected = remoteness(&sets, &[a, b], play == Play::Misere, &mut known);
            assert_eq!(play_out(&mut heaps(&[("squares", a), ("primes", b)], play)), expected, "{a} {b} {play:?}");
        }
    }
}

/// Too large to be solved for lengths: still won when they can be.
#[test]
fn large_heaps_are_won_when_they_can_be() {
    for play in [Play::Normal, Play::Misere] {
        for position in [&[("squares", 3_000), ("squares", 2_500)][..], &[("squares", 3_000), ("primes", 2_000)]] {
            let mut game = heaps(position, play);
            assert!(["wins", "loses"].iter().any(|end| game.value().ends_with(end)), "{}", game.value());
            let won = game.value().starts_with("hot");
            assert_eq!(play_out(&mut game).0, won, "{position:?}");
        }
    }
    // A single heap too large for nim-values.
    let mut game = heaps(&[("squares", 40_000_000)], Play::Misere);
    let won = game.value().starts_with("hot");
    let table = nimsieve::cold(&nimsieve::set::Squares, 40_000_000).unwrap();
    assert_eq!(won, !table.is_cold(39_999_999).unwrap());
    assert_eq!(play_out(&mut game).0, won);
}

/// Against every way in which the other player may answer.
#[test]
fn the_computer_keeps_what_it_has_in_chopsticks() {
    let base = |r| Rules::new(2, r).unwrap();
    let cutoff = base(5).overflow(Overflow::Cutoff);
    for rules in
        [base(4), base(5), cutoff, cutoff.suicide(true), cutoff.splits(Splits::NONE), base(3).self_attack(true)]
    {
        let machine = Machine::new(&rules).unwrap();
        let solution = solve(&machine, None, &Control::new()).unwrap();
        let mut pending: Vec<Vec<State>> = vec![machine.start()];
        pending.extend(machine.successors(&machine.start()));
        let mut seen = pending.clone();
        // The computer is to act in each of these.
        while let Some(seats) = pending.pop() {
            let mut game = Chopsticks::new(&machine, &solution, seats.clone());
            let value = solution.value(&seats);
            let Some(best) = game.best() else { continue };
            let code = game.name(best).split(' ').next().unwrap().to_owned();
            let after = machine.parse(&code).unwrap();
            match (value, solution.value(&after)) {
                (Value::Win(plies), Value::Loss(left)) => assert_eq!(left + 1, plies),
                (Value::Loss(plies), Value::Win(left)) => assert_eq!(left + 1, plies),
                (Value::Draw, Value::Draw) => {}
                other => panic!("{rules}: {other:?} at {}", machine.code(&seats)),
            }
            game.play(best);
            assert!(game.undo() && !game.undo());
            for next in machine.successors(&after) {
                if !seen.contains(&next) {
                    seen.push(next.clone());
                    pending.push(next);
                }
            }
        }
    }
}

/// In a drawn position the computer leaves as many ways to go wrong as it can.
#[test]
fn a_draw_is_made_hard_to_hold() {
    let machine = Machine::new(&Rules::new(2, 5).unwrap()).unwrap();
    let solution = solve(&machine, None, &Control::new()).unwrap();
    let traps = |seats: &[State]| {
        machine.successors(seats).iter().filter(|next| matches!(solution.value(next), Value::Win(_))).count()
    };
    let mut drawn = 0;
    for rank in 0..225 {
        let seats = nimsieve::chopsticks::Index::new(&machine).unwrap().unrank(rank);
        let game = Chopsticks::new(&machine, &solution, seats.clone());
        let (Value::Draw, Some(best)) = (solution.value(&seats), game.best()) else { continue };
        let chosen = machine.parse(game.name(best).split(' ').next().unwrap()).unwrap();
        let draws = machine.successors(&seats).into_iter().filter(|next| solution.value(next) == Value::Draw);
        assert_eq!(Some(traps(&chosen)), draws.map(|next| traps(&next)).max());
        drawn += 1;
    }
    assert!(drawn > 100, "{drawn}");
}

fn talk(game: &mut impl Game, first: Side, lines: &str) -> String {
    let mut out = Vec::new();
    dialogue(game, first, false, lines.as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_dialogue_from_start_to_end() {
    let mut game = heaps(&[("squares", 13)], Play::Normal);
    let text = talk(&mut game, Side::Human, "value\nhint\n5\ntake 1\nundo\nmoves\n9\n");
    let expected = [
        "A heap of 13, squares.",
        "hot: the player to move wins in 7 moves",
        "hot: the player to move wins in 7 moves; best: take 1, leaving 12",
        "5 cannot be taken from a heap of 13; expected one of 1, 4, 9; or type help",
        "You: take 1, leaving 12",
    ];
    assert!(text.starts_with(&expected.join("\n")), "{text}");
    assert!(text.contains("   2  take 4, leaving 9\n"), "{text}");
    assert!(
        text.ends_with("You: take 9, leaving 4\nThe computer: take 4, leaving 0\nThe computer has won.\n"),
        "{text}"
    );

    // From 13 the first player wins by 1, and the answers to what the computer leaves are cold.
    let mut game = heaps(&[("squares", 13)], Play::Normal);
    let mut lines = String::new();
    loop {
        let text = talk(&mut heaps(&[("squares", 13)], Play::Normal), Side::Human, &lines);
        if text.contains("has won") || text.contains("have won") {
            assert!(text.ends_with("You have won.\n"), "{text}");
            break;
        }
        let hint = talk(&mut game, Side::Human, &format!("{lines}hint\n"));
        let take = hint.rsplit("best: take ").next().unwrap().split(',').next().unwrap().to_owned();
        lines += &format!("{take}\n");
        game = heaps(&[("squares", 13)], Play::Normal);
    }

    let mut game = heaps(&[("squares", 4), ("1,2", 5)], Play::Normal);
    let text = talk(&mut game, Side::Computer, "1\n4 from 1\nundo\n1 from 9\nquit\n1 from 1\n");
    assert!(text.contains("heap 1: 4 of squares; heap 2: 5 of 1,2."), "{text}");
    assert!(text.contains("from heap") && text.contains("There is no heap 9"), "{text}");
    assert_eq!(
        talk(&mut heaps(&[("squares", 0)], Play::Normal), Side::Human, ""),
        "A heap of 0, squares.\nThe computer has won.\n"
    );
    assert!(talk(&mut heaps(&[("squares", 0)], Play::Misere), Side::Human, "").ends_with("You have won.\n"));
}

#[test]
fn a_dialogue_in_chopsticks() {
    let machine = Machine::new(&Rules::new(2, 4).unwrap()).unwrap();
    let solution = solve(&machine, None, &Control::new()).unwrap();
    let new = || Chopsticks::new(&machine, &solution, machine.start());
    let text = talk(&mut new(), Side::Human, "value\nmoves\n1211\n");
    assert!(text.contains("The player to act wins in 11\n   1  1211  hit with 1: 11 into 12\n"), "{text}");
    assert!(text.contains("You: 1211  hit with 1: 11 into 12\nThe computer: "), "{text}");
    for junk in ["2", "0", "99999999999999999999", "1312", "hit", "-1"] {
        let text = talk(&mut new(), Side::Human, junk);
        assert!(text.contains("expected a number from 1 or one of 1211; or type help"), "{junk}: {text}");
    }
    // Following the hints wins in the eleven plies.
    let mut lines = String::new();
    let mut moves = 0;
    let text = loop {
        let text = talk(&mut new(), Side::Human, &format!("{lines}hint\n"));
        if text.contains("won") {
            break text;
        }
        let code = text.rsplit("best: ").next().unwrap().split(' ').next().unwrap().to_owned();
        lines += &format!("{code}\n");
        moves += 1;
    };
    assert_eq!(moves, 6);
    assert!(text.ends_with("You have won.\n"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever is typed, the dialogue goes on to the end of the input and never fails.
    #[test]
    fn any_input_is_answered(bytes in prop::collection::vec(any::<u8>(), 0..400), computer in any::<bool>()) {
        let first = if computer { Side::Computer } else { Side::Human };
        let mut out = Vec::new();
        dialogue(&mut heaps(&[("squares", 30)], Play::Normal), first, true, &bytes[..], &mut out).unwrap();
        let machine = Machine::new(&Rules::new(2, 5).unwrap()).unwrap();
        let solution = solve(&machine, None, &Control::new()).unwrap();
        let mut game = Chopsticks::new(&machine, &solution, machine.start());
        dialogue(&mut game, first, true, &bytes[..], &mut out).unwrap();
    }

    #[test]
    fn commands_in_any_order(
        commands in prop::collection::vec(
            prop_oneof![Just("undo"), Just("hint"), Just("value"), Just("moves"), Just("help"), Just("1"), Just("2"), Just("4 from 2"), Just("")],
            0..40,
        ),
        computer in any::<bool>(),
    ) {
        let first = if computer { Side::Computer } else { Side::Human };
        let text = talk(&mut heaps(&[("1,2,4", 9), ("squares", 9)], Play::Misere), first, &commands.join("\n"));
        prop_assert!(text.starts_with("heap 1: 9"), "{text}");
        let machine = Machine::new(&Rules::new(2, 5).unwrap().suicide(true)).unwrap();
        let solution = solve(&machine, None, &Control::new()).unwrap();
        talk(&mut Chopsticks::new(&machine, &solution, machine.start()), first, &commands.join("\n"));
    }
}
