//! What a live seat may do to its own hands in place of an attack: splits and the variants that add to them.

use crate::chopsticks::rules::hands::{Counting, Integers, Stumps};
use crate::chopsticks::rules::{Rules, splits};

/// Exchanging two live hands that differ, which changes nothing and passes the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Swaps {
    /// No swaps.
    #[default]
    Off,
    /// As often as one likes.
    Unlimited,
    /// At most this many in a row; then the seat must attack another one. Being attacked, or any other own move, starts
    /// the count again.
    InARow(u32),
}

/// Combining two hands that hold more than r fingers: r are taken off and the rest is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Meta {
    /// Not allowed.
    #[default]
    Off,
    /// Both hands are live after, except that with suicide one may be dead: so the published counts of moves.
    Live,
    /// One of the hands may be dead after, with suicide or without.
    Any,
}

/// A live hand may gain a finger, and may die of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SelfAddition {
    /// Not allowed.
    #[default]
    Off,
    /// In place of transfers: so the published list of what a turn may be.
    InsteadOfTransfers,
    /// Beside all splits that the game has.
    BesideTransfers,
}

/// What the own turn of a seat is, for what it does to the seat's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A swap of two live hands.
    Swap,
    /// One's own hand hit another one.
    Attack,
    /// Anything else.
    Other,
}

/// Calls `visit` with the hands (sorted or not) that a live seat may have after a turn that touches nobody else, and
/// what kind of turn that is. A result may come more than once.
pub(crate) fn for_each(rules: &Rules, counting: Counting, hands: &[u16], visit: &mut impl FnMut(&[u16], Kind)) {
    let mut after = hands.to_vec();
    // Changes two hands, reports, and takes the change back.
    let mut change = |i: usize, x: u16, j: usize, y: u16, kind: Kind| {
        after[i] = x;
        after[j] = y;
        visit(&after, kind);
        after[i] = hands[i];
        after[j] = hands[j];
    };
    let allowed = rules.allowed_splits();
    for j in 1..hands.len() {
        for i in 0..j {
            let (a, b) = (hands[i], hands[j]);
            if a == 0 && b == 0 {
                continue;
            }
            for (x, y) in splits::of_pair(allowed, rules.stumps, counting, a, b) {
                change(i, x, j, y, Kind::Other);
            }
            if rules.self_attack {
                for (i, j, a, b) in [(i, j, a, b), (j, i, b, a)] {
                    if a > 0 && (b > 0 || rules.death_attack) {
                        change(i, a, j, counting.add(b, a), Kind::Attack);
                    }
                }
            }
            if a == 0 {
                continue;
            }
            let sum = counting.value(a) + counting.value(b);
            if rules.suicide && sum.abs() < counting.limit() && counting.value(a) != 0 && counting.value(b) != 0 {
                change(i, 0, j, counting.live(sum), Kind::Other);
            }
            if rules.meta != Meta::Off && sum > counting.limit() {
                let rest = sum - counting.limit();
                let least = i32::from(rules.meta == Meta::Live && !rules.suicide);
                for x in least..=rest - least {
                    // Splits move whole fingers, so that with half fingers one of the two gets whole ones.
                    if rules.stumps != Stumps::Ones || x % counting.finger() == 0 {
                        change(i, x as u16, j, (rest - x) as u16, Kind::Other);
                    }
                }
            }
        }
    }
    for (i, &c) in hands.iter().enumerate().filter(|&(_, &c)| c > 0) {
        if rules.self_addition != SelfAddition::Off {
            change(i, counting.grow(c, counting.finger()), i, counting.grow(c, counting.finger()), Kind::Other);
        }
        let flipped = match rules.integers {
            Integers::Off => c,
            Integers::Complement => counting.live(counting.limit() - counting.value(c)),
            Integers::Signed => counting.live(-counting.value(c)),
        };
        if flipped != c {
            change(i, flipped, i, flipped, Kind::Other);
        }
    }
    let total: i32 = hands.iter().map(|&c| counting.value(c)).sum();
    let live = hands.iter().filter(|&&c| c > 0).count();
    if rules.stumps != Stumps::Off && live == 1 && total == counting.finger() && hands.len() > 1 {
        let last = hands.len() - 1;
        change(last - 1, 1, last, 1, Kind::Other);
    }
    if rules.logan && live > 0 && live < hands.len() {
        visit(hands, Kind::Other);
    }
    // Hands are sorted, so that two live ones differ if the least and the greatest do.
    if rules.swaps != Swaps::Off && hands[hands.len() - live..].first() != hands.last() {
        visit(hands, Kind::Swap);
    }
    if allowed.is_multiple() {
        splits::of_many(allowed, counting.symbols(), hands, &mut |after| {
            if after != hands {
                visit(after, Kind::Other);
            }
        });
    }
}
