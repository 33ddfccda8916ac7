//! What is said of the variants.

use std::collections::BTreeSet;

use crate::chopsticks::{
    Divisions, Integers, Machine, Meta, Overflow, Rules, SelfAddition, Splits, Start, Swaps, Transfers, Value,
};
use crate::claims::chopsticks::{listed, own_turns};
use crate::claims::lab::{Lab, after, base, both_overflows, winner};
use crate::claims::{Claim, Finding, Source};
use crate::error::Result;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        statement: "suicide: 1201 can become 0103, the reply 0401 is forced, and then the first player wins quickly",
        source: Source::Both,
        reading: "rollover, r = 5, with suicide (without it 1201 does not become 0103)",
        check: |lab| {
            let rules = base(2, 5)?.suicide(true);
            let machine = Machine::new(&rules)?;
            let plain = after(&Machine::new(&base(2, 5)?)?, "1201")?;
            let (first, second) = (after(&machine, "1201")?, after(&machine, "0103")?);
            let value = lab.value(&rules, Some("0401"))?;
            let computed = format!(
                "after 1201: {} (base game: {}); after 0103: {}; 0401 is a {value}",
                listed(&first),
                listed(&plain),
                listed(&second)
            );
            let holds = first.contains(&"0103".to_owned()) && second == ["0401"] && value == Value::Win(1);
            Ok(Finding::new(holds, computed))
        },
    },
    Claim {
        statement: "swaps: the game is often a draw by repetition",
        source: Source::Both,
        reading: "swaps without a limit, r = 3 to 7: the value of the start",
        check: |lab| {
            let mut draws = Vec::new();
            let mut all = 0;
            for r in 3..=7 {
                for (name, rules) in both_overflows(base(2, r)?.swaps(Swaps::Unlimited)) {
                    all += 1;
                    if lab.value(&rules, None)? == Value::Draw {
                        draws.push(format!("{name} {r}"));
                    }
                }
            }
            Ok(Finding::new(
                2 * draws.len() > all,
                format!("a draw in {} of {all} games: {}", draws.len(), draws.join(", ")),
            ))
        },
    },
    Claim {
        statement: "meta allows two more moves, 34-11 and 44-12",
        source: Source::Both,
        reading: "r = 5: kinds of own turns beyond those of the base game",
        check: |_| {
            let more = beyond(&base(2, 5)?.meta(Meta::Live), &[base(2, 5)?])?;
            Ok(Finding::new(more == ["34-11", "44-12"], listed(&more)))
        },
    },
    Claim {
        statement: "meta and suicide together allow four more, 24-01, 33-01, 34-02 and 44-03",
        source: Source::Both,
        reading: "r = 5: own turns that neither of the two gives alone",
        check: |_| {
            let rules = base(2, 5)?;
            let more = beyond(&rules.meta(Meta::Live).suicide(true), &[rules.meta(Meta::Live), rules.suicide(true)])?;
            Ok(Finding::new(more == ["24-01", "33-01", "34-02", "44-03"], listed(&more)))
        },
    },
    Claim {
        statement: "meta and suicide together make at most 20 moves in all",
        source: Source::Both,
        reading: "r = 5: 14 moves, two of meta and four of both together; or all kinds of moves that the rules have",
        check: |_| {
            let rules = base(2, 5)?;
            let count = |rules: &Rules| Ok::<_, crate::Error>(4 + own_turns(&Machine::new(rules)?).len());
            let both = rules.meta(Meta::Live).suicide(true);
            let alone = beyond(&rules.suicide(true), &[rules])?;
            let (all, listed_only) = (count(&both)?, count(&both)? - alone.len());
            let computed = format!("{listed_only} as listed; {all} with those of suicide itself: {}", listed(&alone));
            Ok(Finding::read(all == 20, listed_only == 20, computed))
        },
    },
    Claim {
        statement: "splits (only into halves): the second player can force a win",
        source: Source::Both,
        reading: "even or odd numbers, of a lone hand or any pair, rollover or cutoff, r = 3 to 7",
        check: |lab| {
            let mut readings = Vec::new();
            for odd in [false, true] {
                for pairs in [false, true] {
                    let transfers = if pairs { Transfers::Halves { odd } } else { Transfers::None };
                    readings.push(Splits { transfers, divisions: Divisions::Halves { odd } });
                }
            }
            second_wins(lab, |rules| readings.iter().map(|&splits| rules.splits(splits)).collect(), 5)
        },
    },
    Claim {
        statement: "with division and suicide only the second player can force a win",
        source: Source::Both,
        reading: "divisions only, splits into halves, or all splits; with suicide; rollover or cutoff, r = 3 to 7",
        check: |lab| {
            let kinds = [Splits::DIVISIONS, Splits::HALVES, Splits::ALL];
            let literal = lab.value(&base(2, 5)?.splits(Splits::DIVISIONS).suicide(true), None)?;
            let mut finding =
                second_wins(lab, |rules| kinds.map(|splits| rules.splits(splits).suicide(true)).to_vec(), 5)?;
            finding.computed.insert_str(0, &format!("literally (divisions, rollover, r = 5) {}; ", winner(literal)));
            Ok(finding)
        },
    },
    Claim {
        statement: "suns: 4444 cannot be reached in the normal game",
        source: Source::Both,
        reading: "rollover, r = 5",
        check: |lab| {
            let machine = Machine::new(&base(2, 5)?)?;
            let suns = Machine::new(&base(2, 5)?.start(Start::Suns))?;
            let start = suns.code(&suns.start());
            let holds = start == "4444" && lab.unreachable(&machine)?.contains(&start);
            Ok(Finding::new(holds, format!("{start} is {}", if holds { "not reached" } else { "reached" })))
        },
    },
    Claim {
        statement: "integers: with rollover a flip of the sign is the same as putting 5 - a for a",
        source: Source::Both,
        reading: "hands modulo 5, and 0 is a dead hand: attacks and flips on signed hands, taken modulo 5, are those on \
                  unsigned ones (a live 0 would be another game)",
        check: |_| {
            let r = 5_i32;
            let machine = Machine::new(&base(2, 5)?.integers(Integers::Complement))?;
            let signed = (1 - r..r).filter(|&a| a != 0);
            let flips = signed.clone().all(|a| {
                let (hand, flipped) = (a.rem_euclid(r) as u16, (-a).rem_euclid(r) as u16);
                // A lone hand shows the flip; there are no other own turns that keep a hand dead.
                let turns = machine.state(&[0, hand]).map(|s| machine.turns(s).iter());
                let target = machine.state(&[0, flipped]);
                turns.into_iter().flatten().any(|turn| turn.weapon.is_none() && Some(turn.other) == target)
            });
            let attacks = signed.clone().all(|a| {
                signed.clone().all(|c| {
                    let lone = |value: i32| machine.state(&[0, value.rem_euclid(r) as u16]);
                    let weapon = (a.rem_euclid(r) - 1) as u16;
                    lone(c).zip(lone(c + a)).is_some_and(|(target, hit)| machine.hits(weapon, target) == [hit])
                })
            });
            Ok(Finding::new(flips && attacks, format!("flips {}, attacks {}", same(flips), same(attacks))))
        },
    },
    Claim {
        statement: "touching one's own hands adds two moves (A-B and B-A)",
        source: Source::Both,
        reading: "rollover, r = 5: own turns of a pair beyond those of the base game",
        check: |_| {
            let more = beyond(&base(2, 5)?.self_attack(true), &[base(2, 5)?])?;
            let pairs: BTreeSet<&str> = more.iter().filter_map(|turn| turn.split('-').next()).collect();
            let most = pairs.iter().map(|pair| more.iter().filter(|turn| turn.starts_with(pair)).count()).max();
            Ok(Finding::new(most == Some(2), format!("at most {} more from a pair", most.unwrap_or(0))))
        },
    },
    Claim {
        statement: "cherry bomb: with two players the position becomes 1101, an easy forced win",
        source: Source::Both,
        reading: "r = 5, rollover or cutoff, with the cherry bomb or without; also as the player to act sees it, 0111",
        check: |lab| {
            let mut values = Vec::new();
            let mut all = true;
            for (name, rules) in both_overflows(base(2, 5)?) {
                for rules in [rules, rules.cherry_bomb(true)] {
                    for code in ["1101", "0111"] {
                        let value = lab.value(&rules, Some(code))?;
                        all &= value != Value::Draw;
                        values.push(format!("{code} {name}: {value}"));
                    }
                }
            }
            values.sort();
            values.dedup();
            Ok(Finding::new(all, values.join("; ")))
        },
    },
    Claim {
        statement: "self-addition: a hand of 4 can destroy itself, and dead hands come back",
        source: Source::Both,
        reading: "r = 5",
        check: |_| {
            let turns = own_turns(&Machine::new(&base(2, 5)?.self_addition(SelfAddition::InsteadOfTransfers))?);
            let has = |turn: &str| turns.contains(turn);
            let holds = has("04-00") && has("14-01") && has("04-22") && !has("13-22");
            Ok(Finding::new(holds, format!("{} kinds of own turns, 04-00, 14-01 and 04-22 among them", turns.len())))
        },
    },
];

/// The own turns that a game has and none of the others.
fn beyond(rules: &Rules, others: &[Rules]) -> Result<Vec<String>> {
    let mut turns = own_turns(&Machine::new(rules)?);
    for other in others {
        for turn in own_turns(&Machine::new(other)?) {
            turns.remove(&turn);
        }
    }
    Ok(turns.into_iter().collect())
}

/// In which of the readings the second player wins; literally if in one with r = `literally`.
fn second_wins(lab: &Lab<'_>, readings: impl Fn(Rules) -> Vec<Rules>, literally: u32) -> Result<Finding> {
    let (mut wins, mut all, mut literal) = (Vec::new(), 0, false);
    for r in 3..=7 {
        for (_, rules) in both_overflows(base(2, r)?) {
            for rules in readings(rules) {
                all += 1;
                if let Value::Loss(plies) = lab.value(&rules, None)? {
                    literal |= r == literally && rules.overflow_rule() == Overflow::Rollover;
                    wins.push(format!("{rules} (in {plies})"));
                }
            }
        }
    }
    let computed = format!("the second player wins {} of {all} games: {}", wins.len(), listed(&wins));
    Ok(Finding::read(literal, !wins.is_empty(), computed))
}

const fn same(is_same: bool) -> &'static str {
    if is_same { "agree" } else { "differ" }
}
