//! The game of two players and five fingers.

use std::collections::BTreeSet;

use crate::chopsticks::longest::{longest, verify};
use crate::chopsticks::solve::pitfalls;
use crate::chopsticks::{Machine, Overflow, State, Value, solve};
use crate::claims::lab::{after, base, before, five, winner};
use crate::claims::{Claim, Finding, Source};
use crate::error::Result;

const ROLLOVER: &str = "rollover, r = 5";
const CUTOFF: &str = "cutoff, r = 5";

const UNREACHABLE: &str = "0000 0100 0200 0300 0400 1100 1101 1200 1300 1400 2200 2202 2300 2400 3300 3303 3400 3444 \
                           4400 4404 4444";
const ENDINGS: &str = "0001 0002 0003 0004 0011 0012 0013 0014 0022 0023 0024 0033 0034 0044";
const LINE_OF_FIVE: &str = "1111 1211 1312 0113 1401 0014";
const LINES_OF_NINE: [&str; 2] =
    ["1111 1211 1212 2212 2322 0223 0202 0402 0104 0001", "1111 1211 1212 2312 2323 0323 0303 0103 0401 0004"];

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        statement: "a hand with five fingers or more is dead, and the numbers of the text are those of this game",
        source: Source::Japanese,
        reading: "the text's rule is cutoff; its numbers are 204 reachable positions and 14 endings",
        check: |lab| {
            let counts = |overflow| {
                let found = lab.reach(&Machine::new(&base(2, 5)?.overflow(overflow))?)?;
                Ok((found.reachable(), found.endings().len()))
            };
            let (rollover, cutoff) = (counts(Overflow::Rollover)?, counts(Overflow::Cutoff)?);
            let computed = format!(
                "with cutoff {} positions and {} endings, with rollover {} and {}",
                cutoff.0, cutoff.1, rollover.0, rollover.1
            );
            Ok(Finding::read(cutoff == (204, 14), rollover == (204, 14), computed))
        },
    },
    Claim {
        statement: "the game is solved: from every position best play is known",
        source: Source::Both,
        reading: ROLLOVER,
        check: |lab| {
            let machine = five()?;
            let tally = solve(&machine, None, lab.control)?.count(|_| true);
            let all = tally.wins + tally.losses + tally.draws;
            let computed =
                format!("of {all} positions {} won, {} lost, {} drawn", tally.wins, tally.losses, tally.draws);
            Ok(Finding::new(all == 225, computed))
        },
    },
    Claim {
        statement: "0132 is not written so, nor 1023 and 1032, but 0123",
        source: Source::Both,
        reading: "hands of a player in ascending order",
        check: |_| {
            let machine = five()?;
            let wrong = ["0132", "1023", "1032"].iter().filter(|code| machine.parse(code).is_err()).count();
            let right = machine.parse("0123").is_ok();
            Ok(Finding::new(wrong == 3 && right, format!("{wrong} of the three are refused, 0123 is read")))
        },
    },
    Claim {
        statement: "the start is 1111 and the next position must be 1211",
        source: Source::Both,
        reading: ROLLOVER,
        check: |_| {
            let machine = five()?;
            let start = machine.code(&machine.start());
            let next = after(&machine, &start)?.join(" ");
            Ok(Finding::new((start.as_str(), next.as_str()) == ("1111", "1211"), format!("{start}, then {next}")))
        },
    },
    Claim {
        statement: "the position after 1211 is 1212 or 1312",
        source: Source::Both,
        reading: ROLLOVER,
        check: |_| moves_are("1211", "1212 1312"),
    },
    Claim {
        statement: "the smallest position of a game is 0001, the largest 4434",
        source: Source::Both,
        reading: "rollover, r = 5: of the positions that can be reached, as numbers",
        check: |lab| {
            let machine = five()?;
            let mut codes: Vec<String> = lab.positions(&machine)?.iter().map(|seats| machine.code(seats)).collect();
            codes.sort();
            let (first, last) = (codes[0].as_str(), codes[codes.len() - 1].as_str());
            Ok(Finding::new((first, last) == ("0001", "4434"), format!("{first} and {last}")))
        },
    },
    Claim {
        statement: "111211 is a position of three players",
        source: Source::Both,
        reading: "rollover, r = 5; in reach of the start",
        check: |lab| {
            let machine = Machine::new(&base(3, 5)?)?;
            let found = lab.reach(&machine)?;
            let is_reached = found.contains(found.index().rank(&machine.parse("111211")?));
            let next = after(&machine, "111111")?.join(" ");
            Ok(Finding::new(is_reached, format!("after the first move: {next}")))
        },
    },
    Claim {
        statement: "there are 14 moves: 4 attacks, 4 divisions (02-11 03-12 04-13 04-22), 6 transfers (13-22 22-13 14-23 \
                    23-14 24-33 33-24)",
        source: Source::Both,
        reading: "rollover, r = 5; attacks A-C, A-D, B-C, B-D",
        check: |_| {
            let machine = five()?;
            let splits = own_turns(&machine);
            let divisions = splits.iter().filter(|split| split.starts_with('0')).count();
            let attacks = (0..machine.states() as State)
                .map(|s| machine.turns(s).iter().filter(|turn| turn.weapon.is_some()).count() * 2)
                .max()
                .unwrap_or(0);
            let expected = "02-11 03-12 04-13 04-22 13-22 14-23 22-13 23-14 24-33 33-24";
            let listed: Vec<&str> = splits.iter().map(String::as_str).collect();
            Ok(Finding::new(
                listed.join(" ") == expected && attacks == 4,
                format!("{attacks} attacks, {divisions} divisions, {} transfers", splits.len() - divisions),
            ))
        },
    },
    Claim {
        statement: "at most five of the moves can be made in one turn",
        source: Source::Both,
        reading: "rollover, r = 5; in reachable positions",
        check: |lab| {
            let machine = five()?;
            let mut most = 0;
            for seats in lab.positions(&machine)? {
                let mut moves = 0;
                machine.for_each_move(&seats, |_, _| moves += 1);
                most = most.max(moves);
            }
            Ok(Finding::new(most == 5, format!("at most {most}")))
        },
    },
    Claim {
        statement: "1312 can become 2213, 1313, 2413, 0113 or 1222",
        source: Source::Both,
        reading: ROLLOVER,
        check: |_| moves_are("1312", "0113 1222 1313 2213 2413"),
    },
    Claim {
        statement: "the shortest game has five moves, such as 1111 1211 1312 0113 1401 0014",
        source: Source::Both,
        reading: ROLLOVER,
        check: |lab| {
            let machine = five()?;
            let least = lab.reach(&machine)?.endings().iter().map(|ending| ending.depth).min();
            let legal = is_game(&machine, LINE_OF_FIVE)?;
            let computed =
                format!("{} moves; the line is {}", least.unwrap_or(0), if legal { "legal" } else { "illegal" });
            Ok(Finding::new(least == Some(5) && legal, computed))
        },
    },
    Claim {
        statement: "the longest game without a repeated position has nine moves",
        source: Source::Both,
        reading: "rollover, r = 5",
        check: |lab| {
            let machine = five()?;
            let found = longest(&machine, 100_000, None, lab.control)?;
            let deepest = lab.reach(&machine)?.endings().iter().map(|ending| ending.depth).max().unwrap_or(0);
            let proved = if found.is_proved() { "proved" } else { "at least" };
            let computed = format!(
                "{} moves ({proved}); {deepest} is the largest least number of moves to an ending",
                found.moves()
            );
            Ok(Finding::new(found.moves() == 9 && found.is_proved(), computed))
        },
    },
    Claim {
        statement: "two games of nine moves: 1111 1211 1212 2212 2322 0223 0202 0402 0104 0001 and 1111 1211 1212 2312 \
                    2323 0323 0303 0103 0401 0004",
        source: Source::Both,
        reading: "rollover, r = 5: both are games, and no shorter ones end there",
        check: |lab| {
            let machine = five()?;
            let found = lab.reach(&machine)?;
            let mut holds = true;
            for line in LINES_OF_NINE {
                let last = line.split(' ').next_back().unwrap_or("");
                let rank = found.index().rank(&machine.parse(last)?);
                holds &= is_game(&machine, line)?;
                holds &= found.endings().iter().any(|ending| ending.rank == rank && ending.depth == 9);
            }
            Ok(Finding::new(holds, if holds { "both, and neither ending can be reached sooner" } else { "not so" }))
        },
    },
    Claim {
        statement: "with repeated positions a game can go on for ever",
        source: Source::Both,
        reading: ROLLOVER,
        check: |lab| {
            let machine = five()?;
            let line = solve(&machine, None, lab.control)?.line(&machine.start());
            let back = line.repeats.map(|place| machine.code(&line.positions[place]));
            Ok(Finding::new(
                back.is_some(),
                format!("a line of best play comes back to {}", back.unwrap_or("none".into())),
            ))
        },
    },
    Claim {
        statement: "625 positions in base 5, most of them written wrongly",
        source: Source::Both,
        reading: "r^(2p) with hands in any order",
        check: |_| {
            let rules = base(2, 5)?;
            let (raw, distinct) = (rules.raw_positions(), rules.positions());
            let wrong = &raw - &distinct;
            Ok(Finding::new(
                raw == 625_u32.into() && &wrong * 2_u32 > raw,
                format!("{raw}, {wrong} of them not ascending"),
            ))
        },
    },
    Claim {
        statement: "15 pairs, and 225 positions that differ in function",
        source: Source::Both,
        reading: "C(r + 1, 2) and its square",
        check: |_| {
            let rules = base(2, 5)?;
            let (pairs, positions) = (rules.seat_states(), rules.positions());
            let holds = pairs == 15_u32.into() && positions == 225_u32.into();
            Ok(Finding::new(holds, format!("{pairs} and {positions}")))
        },
    },
    Claim {
        statement: "15^n positions for n players",
        source: Source::Both,
        reading: "r = 5, n = 1 to 4, counted one by one",
        check: |lab| {
            let mut counts = Vec::new();
            for players in 1..=4 {
                let found = lab.reach(&Machine::new(&base(players, 5)?)?)?;
                counts.push(found.reachable() + found.unreachable_count());
            }
            let holds = counts.iter().zip(1..).all(|(&count, n)| count == 15_u64.pow(n));
            Ok(Finding::new(holds, format!("{counts:?}")))
        },
    },
    Claim {
        statement: "21 positions cannot be reached, from 0000 and 0100 to 4404 and 4444 (a list)",
        source: Source::Both,
        reading: ROLLOVER,
        check: |lab| {
            let codes = lab.unreachable(&five()?)?;
            Ok(Finding::new(codes.join(" ") == UNREACHABLE, format!("{}: {}", codes.len(), codes.join(" "))))
        },
    },
    Claim {
        statement: "15 of these have a dead player who has just played, for nobody loses in his own turn",
        source: Source::Both,
        reading: ROLLOVER,
        check: |lab| {
            let count = lab.unreachable(&five()?)?.iter().filter(|code| code.ends_with("00")).count();
            Ok(Finding::new(count == 15, count.to_string()))
        },
    },
    Claim {
        statement: "4 of these are [k k] to act against [0 k]",
        source: Source::Both,
        reading: "rollover, r = 5: they have no predecessor",
        check: |lab| {
            let machine = five()?;
            let missing = lab.unreachable(&machine)?;
            let mut count = 0;
            for k in 1..5 {
                let code = format!("{k}{k}0{k}");
                count += usize::from(missing.contains(&code) && before(&machine, &code)?.is_empty());
            }
            Ok(Finding::new(count == 4, format!("{count} without a predecessor")))
        },
    },
    Claim {
        statement: "4444 has no predecessor, and 3444 is reached from 4444 alone",
        source: Source::Both,
        reading: ROLLOVER,
        check: |_| {
            let machine = five()?;
            let (first, second) = (before(&machine, "4444")?, before(&machine, "3444")?);
            let computed = format!("before 4444: {}; before 3444: {}", listed(&first), listed(&second));
            Ok(Finding::new(first.is_empty() && second == ["4444"], computed))
        },
    },
    Claim {
        statement: "204 positions can be reached",
        source: Source::Both,
        reading: ROLLOVER,
        check: |lab| {
            let count = lab.reachable(&base(2, 5)?)?;
            let cutoff = lab.reachable(&base(2, 5)?.overflow(Overflow::Cutoff))?;
            Ok(Finding::new(count == 204, format!("{count} (with cutoff {cutoff})")))
        },
    },
    Claim {
        statement: "14 endings can be reached, one for every live pair (a list)",
        source: Source::Both,
        reading: ROLLOVER,
        check: |lab| {
            let machine = five()?;
            let found = lab.reach(&machine)?;
            let codes: Vec<String> =
                found.endings().iter().map(|ending| machine.code(&found.index().unrank(ending.rank))).collect();
            Ok(Finding::new(codes.join(" ") == ENDINGS, format!("{}: {}", codes.len(), codes.join(" "))))
        },
    },
    Claim {
        statement: "the first player wins 8 of the 14 endings when they are reached in the least number of moves",
        source: Source::Both,
        reading: "rollover, r = 5: an odd number of moves",
        check: |lab| {
            let found = lab.reach(&five()?)?;
            let odd = found.endings().iter().filter(|ending| ending.depth % 2 == 1).count();
            Ok(Finding::new(odd == 8, format!("{odd} of {}", found.endings().len())))
        },
    },
    Claim {
        statement: "two perfect players go on for ever",
        source: Source::Spanish,
        reading: ROLLOVER,
        check: |lab| value_is(lab.value(&base(2, 5)?, None)?, Value::Draw),
    },
    Claim {
        statement: "two perfect players go on for ever",
        source: Source::Japanese,
        reading: CUTOFF,
        check: |lab| value_is(lab.value(&base(2, 5)?.overflow(Overflow::Cutoff), None)?, Value::Draw),
    },
    Claim {
        statement: "a beginner avoids losing by looking one move ahead",
        source: Source::Both,
        reading: "rollover, r = 5: who only avoids what loses to the next move never leaves a draw for a loss",
        check: |lab| {
            let machine = five()?;
            let solution = solve(&machine, None, lab.control)?;
            let found = lab.reach(&machine)?;
            let ranks = || (0..found.index().len()).filter(|&rank| found.contains(rank));
            let draws = ranks().filter(|&rank| solution.value_at(rank) == Value::Draw).count();
            let falls = |plies| pitfalls(&solution, ranks(), plies).len();
            let enough = (1..).find(|&plies| falls(plies) == 0).unwrap_or(0);
            let computed = format!(
                "from {} of {draws} drawn positions such a player can step into a loss; {enough} plies are enough",
                falls(1)
            );
            Ok(Finding::new(falls(1) == 0, computed))
        },
    },
    Claim {
        statement: "with cutoff the first player can force a win",
        source: Source::Both,
        reading: CUTOFF,
        check: |lab| {
            let mut wins = Vec::new();
            for r in 3..=7 {
                let value = lab.value(&base(2, r)?.overflow(Overflow::Cutoff), None)?;
                wins.push(format!("r = {r}: {}", winner(value)));
            }
            let value = lab.value(&base(2, 5)?.overflow(Overflow::Cutoff), None)?;
            Ok(Finding::new(matches!(value, Value::Win(_)), wins.join("; ")))
        },
    },
    Claim {
        statement: "with cutoff a winning strategy is to reach 1211, and then AB12 for any A and B, after each move",
        source: Source::Both,
        reading: "cutoff, r = 5: after the first move 1211, some move to AB12 or a win answers every reply",
        check: |lab| {
            let machine = Machine::new(&base(2, 5)?.overflow(Overflow::Cutoff))?;
            let solution = solve(&machine, None, lab.control)?;
            let mut stuck = Vec::new();
            for reply in after(&machine, "1211")? {
                let answers = machine.successors(&machine.parse(&reply)?);
                let follows = |seats: &Vec<State>| {
                    machine.code(seats).ends_with("12") || machine.code(seats) == "1211" || machine.is_over(seats)
                };
                if !answers.iter().any(follows) {
                    stuck.push(format!("{reply}, {}", winner(solution.value(&machine.parse(&reply)?))));
                }
            }
            Ok(Finding::new(stuck.is_empty(), format!("no such answer to {}", listed(&stuck))))
        },
    },
];

/// What a seat may do to its own hands, as `04-13`, in order and each once.
pub(super) fn own_turns(machine: &Machine) -> BTreeSet<String> {
    let hands = |s: State| machine.hands(s).iter().map(ToString::to_string).collect::<String>();
    let mut turns = BTreeSet::new();
    for s in (0..machine.states() as State).filter(|&s| machine.is_live(s)) {
        let own = machine.turns(s).iter().filter(|turn| turn.weapon.is_none());
        turns.extend(own.map(|turn| format!("{}-{}", hands(s), hands(turn.other))));
    }
    turns
}

fn moves_are(code: &str, expected: &str) -> Result<Finding> {
    let codes = after(&five()?, code)?.join(" ");
    Ok(Finding::new(codes == expected, codes.clone()))
}

fn value_is(value: Value, expected: Value) -> Result<Finding> {
    Ok(Finding::new(value == expected, winner(value)))
}

/// Tells whether a line is a game from the start to an end, without a repeated position.
fn is_game(machine: &Machine, line: &str) -> Result<bool> {
    let line = line.split(' ').map(|code| machine.parse(code)).collect::<Result<Vec<_>>>()?;
    Ok(verify(machine, &line).is_ok() && line.last().is_some_and(|seats| machine.is_over(seats)))
}

/// The items, or that there are none.
pub(super) fn listed(items: &[String]) -> String {
    if items.is_empty() { "none".into() } else { items.join(", ") }
}
