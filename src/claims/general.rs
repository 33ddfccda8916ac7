//! Any number of players and fingers, and the degenerate games.

use num_bigint::BigUint;

use crate::chopsticks::{Machine, Overflow, Rules, Value, coalition};
use crate::claims::lab::{Lab, base, before, winner};
use crate::claims::{Claim, Finding, Source};
use crate::error::Result;

/// The rollover amounts for which a claim on every r is looked at.
const UP_TO: u32 = 20;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        statement: "a single player wins at once, and without players nobody can win",
        source: Source::Both,
        reading: "rollover, r = 5: the start is an ending, and its only seat is the last one live",
        check: |lab| {
            let one = Machine::new(&base(1, 5)?)?;
            let none = Machine::new(&base(0, 5)?)?;
            let value = coalition(&one, None, lab.control)?.value(&one.start(), 0);
            let counts = [lab.reachable(one.rules())?, lab.reachable(none.rules())?];
            let holds = value == Value::Win(0) && counts == [1, 1] && none.is_over(&none.start());
            Ok(Finding::new(holds, format!("{counts:?} positions; the single player has a {value}")))
        },
    },
    Claim {
        statement: "r^(2p) = r^4 positions for two players, redundant ones included",
        source: Source::Both,
        reading: "r = 2 to 20",
        check: |_| every(2..=UP_TO, |r| Ok(base(2, r)?.raw_positions() == BigUint::from(r).pow(4))),
    },
    Claim {
        statement: "C(r + 1, 2) pairs and C(r + 1, 2)^p positions that differ in function",
        source: Source::Both,
        reading: "r = 2 to 20: the states of the tables, counted, for p = 2",
        check: |_| {
            every(2..=UP_TO, |r| {
                let machine = Machine::new(&base(2, r)?)?;
                let pairs = (r * (r + 1) / 2) as usize;
                Ok(machine.states() == pairs && machine.rules().positions() == BigUint::from(pairs).pow(2))
            })
        },
    },
    Claim {
        statement: "for r > 2, C(r + 1, 2)^2 - (C(r + 1, 2) + (r - 1) + 2) positions can be reached",
        source: Source::Both,
        reading: "rollover, two players, r = 3 to 20",
        check: |lab| {
            let mut wrong = Vec::new();
            let mut missing = Vec::new();
            for r in 3..=UP_TO {
                let pairs = u64::from(r * (r + 1) / 2);
                let formula = pairs * pairs - (pairs + u64::from(r - 1) + 2);
                let machine = Machine::new(&base(2, r)?)?;
                let found = lab.reach(&machine)?;
                if found.reachable() != formula {
                    wrong.push(format!("{r}: {}", i128::from(found.reachable()) - i128::from(formula)));
                    let half = machine.parse(&separated([0, 0, r / 2, r / 2]))?;
                    missing.push(!found.contains(found.index().rank(&half)));
                }
            }
            let halves = !missing.is_empty() && missing.iter().all(|&missing| missing);
            let also = if halves { "; [0 0] against [k k] with k = r / 2 is not reached either" } else { "" };
            let computed =
                format!("true less formula: {}{also}", if wrong.is_empty() { "0".into() } else { wrong.join(", ") });
            Ok(Finding::new(wrong.is_empty(), computed))
        },
    },
    Claim {
        statement: "C(r + 1, 2) of the unreachable positions have a dead player who has just played",
        source: Source::Both,
        reading: "rollover, two players, r = 3 to 20",
        check: |lab| {
            every_in(lab, 3..=UP_TO, |lab, r| {
                let machine = Machine::new(&base(2, r)?)?;
                let found = lab.reach(&machine)?;
                let dead = machine.state(&[0, 0]).map_or(0, u64::from);
                let states = machine.states() as u64;
                Ok((0..states).all(|s| !found.contains(s * states + dead)) && states == u64::from(r * (r + 1) / 2))
            })
        },
    },
    Claim {
        statement: "r - 1 of the unreachable positions are [k k] to act against [0 k]",
        source: Source::Both,
        reading: "rollover, two players, r = 3 to 20",
        check: |lab| {
            every_in(lab, 3..=UP_TO, |lab, r| {
                let machine = Machine::new(&base(2, r)?)?;
                let missing = lab.unreachable(&machine)?;
                Ok((1..r).all(|k| missing.contains(&code(r, [k, k, 0, k]))))
            })
        },
    },
    Claim {
        statement: "one unreachable position has r - 1 in every hand, and it is the only one before [r - 2, r - 1] against \
                    [r - 1, r - 1]",
        source: Source::Both,
        reading: "rollover, two players, r = 3 to 20",
        check: |lab| {
            every_in(lab, 3..=UP_TO, |lab, r| {
                let machine = Machine::new(&base(2, r)?)?;
                let missing = lab.unreachable(&machine)?;
                let (full, next) = (code(r, [r - 1; 4]), code(r, [r - 2, r - 1, r - 1, r - 1]));
                let only = before(&machine, &next)? == std::slice::from_ref(&full);
                Ok(missing.contains(&full) && missing.contains(&next) && before(&machine, &full)?.is_empty() && only)
            })
        },
    },
    Claim {
        statement: "204 positions for 2 players",
        source: Source::Both,
        reading: "rollover, r = 5",
        check: |lab| {
            let count = lab.reachable(&base(2, 5)?)?;
            Ok(Finding::new(count == 204, count.to_string()))
        },
    },
    Claim {
        statement: "3,337 positions for 3 players",
        source: Source::Both,
        reading: "rollover, r = 5; a dead seat passes, which takes a turn",
        check: |lab| {
            let count = lab.reachable(&base(3, 5)?)?;
            Ok(Finding::new(count == 3_337, count.to_string()))
        },
    },
    Claim {
        statement: "more than 25,000 positions for 4 players",
        source: Source::Both,
        reading: "rollover, r = 5; a dead seat passes, which takes a turn",
        check: |lab| {
            let count = lab.reachable(&base(4, 5)?)?;
            Ok(Finding::new(count > 25_000, count.to_string()))
        },
    },
    Claim {
        statement: "r = 1 is trivial: every hand starts dead",
        source: Source::Both,
        reading: "two and three players",
        check: |lab| {
            let counts = [lab.reachable(&base(2, 1)?)?, lab.reachable(&base(3, 1)?)?];
            let dead = base(2, 1)?.start_fingers() == 0;
            Ok(Finding::new(counts == [1, 1] && dead, format!("{counts:?} positions, all hands of the start dead")))
        },
    },
    Claim {
        statement: "at r = 2 nothing can be split, and rollover and cutoff are the same game",
        source: Source::Both,
        reading: "2 to 5 players: the same moves from every position, and none that touches nobody but a dead seat's pass",
        check: |_| {
            let mut same = true;
            for p in 2..=5 {
                let machines = [Overflow::Rollover, Overflow::Cutoff]
                    .map(|overflow| base(p, 2).and_then(|rules| Machine::new(&rules.overflow(overflow))));
                let [rollover, cutoff] = machines;
                let (rollover, cutoff) = (rollover?, cutoff?);
                for s in 0..rollover.states() as u16 {
                    same &= rollover.turns(s) == cutoff.turns(s);
                    same &= !rollover.is_live(s) || rollover.turns(s).iter().all(|turn| turn.weapon.is_some());
                    same &= rollover.hits(0, s) == cutoff.hits(0, s);
                }
            }
            Ok(Finding::new(same, if same { "the same tables" } else { "other tables" }))
        },
    },
    Claim {
        statement: "at r = 2 there are 2^p - 1 reachable positions",
        source: Source::Both,
        reading: "rollover, p = 2 to 7, endings included",
        check: |lab| {
            let mut counts = Vec::new();
            let mut without_ending = 0;
            for p in 2..=7 {
                let found = lab.reach(&Machine::new(&base(p, 2)?)?)?;
                counts.push(found.reachable());
                if p == 2 {
                    without_ending = found.reachable() - found.endings().len() as u64;
                }
            }
            let by_formula = counts.iter().zip(2_u32..).all(|(&count, p)| count == 3_u64.pow(p) - 2 * u64::from(p) - 1);
            let formula = if by_formula { ", which is 3^p - 2p - 1" } else { "" };
            let computed = format!("{counts:?}{formula}; {without_ending} for p = 2 if the ending is left out");
            Ok(Finding::new(counts.iter().zip(2_u32..).all(|(&count, p)| count == 2_u64.pow(p) - 1), computed))
        },
    },
    Claim {
        statement: "at r = 2 a game has 2p - 1 moves",
        source: Source::Both,
        reading: "rollover, p = 2 to 4; whether a dead player's pass is a move, and whether attacks alone count",
        check: |_| {
            let mut texts = Vec::new();
            let (mut literally, mut otherwise) = (true, true);
            for p in 2..=4_u32 {
                let machine = Machine::new(&base(p, 2)?)?;
                let all = lengths(&machine, &machine.start(), true);
                let attacks = lengths(&machine, &machine.start(), false);
                literally &= all == (2 * p - 1, 2 * p - 1);
                otherwise &= attacks.1 == 2 * p - 1;
                texts.push(format!("p = {p}: {} to {} moves, {} to {} attacks", all.0, all.1, attacks.0, attacks.1));
            }
            let most = if otherwise { "; 2p - 1 is the most attacks" } else { "" };
            Ok(Finding::read(literally, otherwise, format!("{}{most}", texts.join("; "))))
        },
    },
    Claim {
        statement: "at r = 2 the first of two players wins",
        source: Source::Both,
        reading: "rollover and cutoff alike",
        check: |lab| {
            let value = lab.value(&base(2, 2)?, None)?;
            Ok(Finding::new(matches!(value, Value::Win(_)), winner(value)))
        },
    },
    Claim {
        statement: "with one hand each, the position after k moves is (F(k+2) mod r, F(k+1) mod r), and every move is forced",
        source: Source::Both,
        reading: "rollover, r = 2 to 60, from the player to act",
        check: |_| {
            every(2..=60, |r| {
                let line = forced_line(&base(2, r)?.hands(1)?)?;
                let (mut low, mut high) = (1 % r, 1 % r);
                Ok(line.iter().all(|&hands| {
                    let expected = (high, low);
                    (low, high) = (high, (low + high) % r);
                    hands == expected
                }))
            })
        },
    },
    Claim {
        statement: "with one hand each, the number of positions is the least k with r dividing F(k+2), and a game has k + 1 moves",
        source: Source::Both,
        reading: "rollover, r = 2 to 60; or the two numbers the other way round",
        check: |_| {
            let (mut literally, mut exchanged) = (true, true);
            let mut example = String::new();
            for r in 2..=60 {
                let positions = forced_line(&base(2, r)?.hands(1)?)?.len() as u32;
                let (mut k, mut low, mut high) = (1, 1 % r, 2 % r);
                while high != 0 {
                    (low, high, k) = (high, (low + high) % r, k + 1);
                }
                literally &= (positions, positions - 1) == (k, k + 1);
                exchanged &= (positions, positions - 1) == (k + 1, k);
                if r == 5 {
                    example = format!("; r = 5: k = {k}, {positions} positions, {} moves", positions - 1);
                }
            }
            let text = if exchanged { "k + 1 positions and k moves: the two are exchanged" } else { "neither" };
            Ok(Finding::new(literally, format!("{text}{example}")))
        },
    },
    Claim {
        statement: "with one hand each, one side or the other wins, depending on r",
        source: Source::Both,
        reading: "rollover, r = 2 to 60",
        check: |lab| {
            let (mut first, mut second) = (0, 0);
            for r in 2..=60 {
                match lab.value(&base(2, r)?.hands(1)?, None)? {
                    Value::Win(_) => first += 1,
                    Value::Loss(_) => second += 1,
                    Value::Draw => {}
                }
            }
            let computed = format!("the first player wins for {first} of these r, the second for {second}");
            Ok(Finding::new(first + second == 59 && first > 0 && second > 0, computed))
        },
    },
];

/// A position of two players as it is written.
fn code(r: u32, hands: [u32; 4]) -> String {
    if r > 10 { separated(hands) } else { hands.map(|c| c.to_string()).concat() }
}

fn separated([a, b, c, d]: [u32; 4]) -> String {
    format!("{a},{b}|{c},{d}")
}

/// Holds if it holds for every r.
fn every(range: std::ops::RangeInclusive<u32>, check: impl Fn(u32) -> Result<bool>) -> Result<Finding> {
    let mut wrong = Vec::new();
    for r in range.clone() {
        if !check(r)? {
            wrong.push(r);
        }
    }
    let all = format!("so for all r from {} to {}", range.start(), range.end());
    Ok(Finding::new(wrong.is_empty(), if wrong.is_empty() { all } else { format!("not so for r = {wrong:?}") }))
}

fn every_in(
    lab: &Lab<'_>,
    range: std::ops::RangeInclusive<u32>,
    check: impl Fn(&Lab<'_>, u32) -> Result<bool>,
) -> Result<Finding> {
    every(range, |r| check(lab, r))
}

/// The least and the most moves to an ending in a game in which no position comes back.
fn lengths(machine: &Machine, seats: &[u16], count_passes: bool) -> (u32, u32) {
    let (mut least, mut most) = (u32::MAX, 0);
    machine.for_each_move(seats, |played, next| {
        let (low, high) = lengths(machine, next, count_passes);
        let this = u32::from(count_passes || played.target.is_some());
        least = least.min(low + this);
        most = most.max(high + this);
    });
    (if least == u32::MAX { 0 } else { least }, most)
}

/// The hands of the player to act and of the other, from the start to the end of a game of one hand each; the line is cut
/// where a move is not forced.
fn forced_line(rules: &Rules) -> Result<Vec<(u32, u32)>> {
    let machine = Machine::new(rules)?;
    let mut seats = machine.start();
    let mut line = Vec::new();
    loop {
        line.push((machine.hands(seats[0])[0].into(), machine.hands(seats[1])[0].into()));
        let mut next = machine.successors(&seats);
        match (next.pop(), next.is_empty()) {
            (Some(only), true) => seats = only,
            _ => return Ok(line),
        }
    }
}
