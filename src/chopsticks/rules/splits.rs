//! Splits: fingers that move between one's own hands, without loss, without a hand that dies of it, and with another
//! multiset of hands as the result.
//!
//! A *transfer* moves fingers between live hands, a *division* from live hands to dead ones. With two hands there is one
//! way to do either; with more hands the published text names five, which are the values of [`Transfers`] and
//! [`Divisions`]. [`Splits`] joins one of each.

use std::fmt;
use std::str::FromStr;

use crate::chopsticks::rules::hands::{Counting, Stumps};
use crate::error::{Error, Result};

/// Moves of fingers between live hands, all of which stay live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Transfers {
    /// None.
    None,
    /// Between two hands.
    Single,
    /// Among any number of hands.
    Multiple,
    /// Between two hands, and they must hold the same after, or nearly (one finger apart) if `odd` is set.
    Halves {
        /// An odd total may be split as evenly as possible.
        odd: bool,
    },
}

/// Moves of fingers from live hands to dead ones, all of which are live after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Divisions {
    /// None.
    None,
    /// From one hand to one dead hand.
    Single,
    /// From one hand to one or more dead hands: *partition*.
    Partition,
    /// From one or more hands to one or more dead hands: *transfer and partition*. A live hand only gives.
    Several,
    /// Every new distribution that revives a hand: the wider reading of *transfer and partition*, in which the live
    /// hands may gain as well.
    Free,
    /// From one hand to one dead hand, and they must hold the same after, or nearly (one finger apart) if `odd` is set:
    /// the variant called splits.
    Halves {
        /// An odd number may be split as evenly as possible.
        odd: bool,
    },
}

/// Which splits are allowed. The result always differs as a multiset and no hand dies of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Splits {
    /// Between live hands.
    pub transfers: Transfers,
    /// From live hands to dead ones.
    pub divisions: Divisions,
}

impl Splits {
    /// Transfers and divisions between two hands: the base game.
    pub const ALL: Self = Self { transfers: Transfers::Single, divisions: Divisions::Single };
    /// No splits at all.
    pub const NONE: Self = Self { transfers: Transfers::None, divisions: Divisions::None };
    /// Transfers between two hands alone.
    pub const TRANSFERS: Self = Self { divisions: Divisions::None, ..Self::ALL };
    /// Divisions from one hand to one dead hand alone.
    pub const DIVISIONS: Self = Self { transfers: Transfers::None, ..Self::ALL };
    /// Only [0 2k] to [k k]: the variant called splits, in the reading that the published value of the game supports
    /// best.
    pub const HALVES: Self = Self { transfers: Transfers::None, divisions: Divisions::Halves { odd: false } };

    /// Tells whether more than two hands may be at work.
    pub(crate) const fn is_multiple(self) -> bool {
        matches!(self.transfers, Transfers::Multiple)
            || matches!(self.divisions, Divisions::Partition | Divisions::Several | Divisions::Free)
    }
}

impl Default for Splits {
    fn default() -> Self {
        Self::ALL
    }
}

/// The names after `--splits`, each for one kind or for both; any two that differ in kind are joined by a comma.
const NAMES: [(&str, Option<Transfers>, Option<Divisions>); 18] = [
    ("all", Some(Transfers::Single), Some(Divisions::Single)),
    ("none", Some(Transfers::None), Some(Divisions::None)),
    ("halves", Some(Transfers::None), Some(Divisions::Halves { odd: false })),
    ("halves-odd", Some(Transfers::None), Some(Divisions::Halves { odd: true })),
    ("pair-halves", Some(Transfers::Halves { odd: false }), Some(Divisions::Halves { odd: false })),
    ("pair-halves-odd", Some(Transfers::Halves { odd: true }), Some(Divisions::Halves { odd: true })),
    ("transfers", Some(Transfers::Single), None),
    ("single-transfer", Some(Transfers::Single), None),
    ("multiple-transfer", Some(Transfers::Multiple), None),
    ("transfer-halves", Some(Transfers::Halves { odd: false }), None),
    ("transfer-halves-odd", Some(Transfers::Halves { odd: true }), None),
    ("divisions", None, Some(Divisions::Single)),
    ("single-division", None, Some(Divisions::Single)),
    ("partition", None, Some(Divisions::Partition)),
    ("transfer-and-partition", None, Some(Divisions::Several)),
    ("free-division", None, Some(Divisions::Free)),
    ("division-halves", None, Some(Divisions::Halves { odd: false })),
    ("division-halves-odd", None, Some(Divisions::Halves { odd: true })),
];

impl fmt::Display for Splits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let both = NAMES.iter().find(|name| {
            name.1.unwrap_or(Transfers::None) == self.transfers && name.2.unwrap_or(Divisions::None) == self.divisions
        });
        if let Some((name, ..)) = both {
            return f.write_str(name);
        }
        let name = |found: Option<&(&'static str, _, _)>| found.map_or("none", |&(name, ..)| name);
        let transfers = NAMES.iter().find(|name| name.1 == Some(self.transfers) && name.2.is_none());
        let divisions = NAMES.iter().find(|name| name.2 == Some(self.divisions) && name.1.is_none());
        write!(f, "{},{}", name(transfers), name(divisions))
    }
}

impl FromStr for Splits {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (mut transfers, mut divisions) = (None, None);
        for part in text.split(',') {
            let Some(&(_, of_live, of_dead)) = NAMES.iter().find(|name| name.0 == part.trim()) else {
                let known: Vec<&str> = NAMES.iter().map(|name| name.0).collect();
                return Err(Error::Chopsticks(format!(
                    "there are no splits `{part}`; known: {}; join a kind of transfers and one of divisions by a comma, \
                     as in multiple-transfer,partition",
                    known.join(", ")
                )));
            };
            if of_live.is_some() && transfers.is_some() || of_dead.is_some() && divisions.is_some() {
                return Err(Error::Chopsticks(format!(
                    "`{text}` names the same kind of splits twice; expected at most one kind of transfers and one of \
                     divisions, as in multiple-transfer,partition"
                )));
            }
            transfers = transfers.or(of_live);
            divisions = divisions.or(of_dead);
        }
        Ok(Self { transfers: transfers.unwrap_or(Transfers::None), divisions: divisions.unwrap_or(Divisions::None) })
    }
}

/// What two hands `a` and `b`, at least one of them live, may hold after a split between them.
pub(crate) fn of_pair(splits: Splits, stumps: Stumps, counting: Counting, a: u16, b: u16) -> Vec<(u16, u16)> {
    let both_live = a > 0 && b > 0;
    let halves = match (both_live, splits.transfers, splits.divisions) {
        (true, Transfers::None, _) | (false, _, Divisions::None) => return Vec::new(),
        (true, Transfers::Halves { odd }, _) | (false, _, Divisions::Halves { odd }) => Some(odd),
        _ => None,
    };
    let mut found = if counting.is_signed() { signed(counting, a, b) } else { unsigned(stumps, counting, a, b) };
    if let Some(odd) = halves {
        let apart = |&(x, y): &(u16, u16)| x.abs_diff(y);
        let least = found.iter().map(apart).chain(both_live.then(|| a.abs_diff(b))).min().unwrap_or(0);
        found.retain(|pair| apart(pair) == least && (odd || least == 0));
    }
    found
}

/// Without signs: x and y with the sum of `a` and `b`, both live. Unless halves may move, one of the hands keeps or
/// gains whole fingers, and then so does the other.
fn unsigned(stumps: Stumps, counting: Counting, a: u16, b: u16) -> Vec<(u16, u16)> {
    let sum = a + b;
    let is_whole = |x: u16, y: u16| stumps != Stumps::Ones || (x ^ a) & 1 == 0 || (y ^ a) & 1 == 0;
    (1..=sum / 2)
        .map(|x| (x, sum - x))
        .filter(|&(x, y)| i32::from(y) < counting.limit() && is_whole(x, y) && (x, y) != (a.min(b), a.max(b)))
        .collect()
}

/// With signs: one hand gives some of its fingers, or all of them, to the other.
fn signed(counting: Counting, a: u16, b: u16) -> Vec<(u16, u16)> {
    let mut found = Vec::new();
    for (giver, taker) in [(a, b), (b, a)] {
        let (has, had) = (counting.value(giver), counting.value(taker));
        if giver == 0 {
            continue;
        }
        for moved in 1..=has.abs() {
            let (x, y) = (has - moved * has.signum(), had + moved * has.signum());
            if y.abs() < counting.limit() {
                let (x, y) = (counting.live(x), counting.live(y));
                if (x.min(y), x.max(y)) != (a.min(b), a.max(b)) {
                    found.push((x.min(y), x.max(y)));
                }
            }
        }
    }
    found
}

/// Calls `visit` with what the sorted `hands` may become by splits that more than two of them may take part in.
pub(crate) fn of_many(splits: Splits, symbols: u32, hands: &[u16], visit: &mut impl FnMut(&[u16])) {
    let dead = hands.iter().filter(|&&c| c == 0).count();
    let live = &hands[dead..];
    let (total, most) = (live.iter().map(|&c| u32::from(c)).sum::<u32>(), symbols - 1);
    let mut after = hands.to_vec();
    let mut all_of = |live_after: usize| {
        let dead_after = hands.len() - live_after;
        after[..dead_after].fill(0);
        ascending(&mut after, dead_after, 1, most, total, visit);
    };
    if splits.transfers == Transfers::Multiple {
        all_of(live.len());
    }
    if splits.divisions == Divisions::Free {
        (live.len() + 1..=hands.len()).for_each(&mut all_of);
    }
    let mut part = |given: &[u16]| {
        let moved: u32 = live.iter().zip(given).map(|(&had, &has)| u32::from(had - has)).sum();
        for revived in 1..=dead {
            let mut parts = vec![0; revived];
            ascending(&mut parts, 0, 1, most, moved, &mut |parts: &[u16]| {
                let mut after = vec![0; dead - revived];
                after.extend(parts.iter().chain(given));
                after.sort_unstable();
                visit(&after);
            });
        }
    };
    match splits.divisions {
        Divisions::Partition => {
            for (i, &c) in live.iter().enumerate() {
                let mut given = live.to_vec();
                for left in 1..c {
                    given[i] = left;
                    part(&given);
                }
            }
        }
        Divisions::Several if dead > 0 => keep(live, &mut live.to_vec(), 0, &mut part),
        _ => (),
    }
}

/// Calls `visit` with what the ascending `live` hands may keep, 1 or more each, from hand `i` on. Whatever each of them
/// keeps, the least of them has the least of it or more, and so on: so ascending ways are all there are.
fn keep(live: &[u16], given: &mut [u16], i: usize, visit: &mut impl FnMut(&[u16])) {
    if i == live.len() {
        visit(given);
        return;
    }
    let least = if i == 0 { 1 } else { given[i - 1] };
    for left in least..=live[i] {
        given[i] = left;
        keep(live, given, i + 1, visit);
    }
}

/// Fills `values` from `i` on with ascending values from `least` to `most` that sum to `sum`, in all ways.
fn ascending(values: &mut [u16], i: usize, least: u32, most: u32, sum: u32, visit: &mut impl FnMut(&[u16])) {
    let left = (values.len() - i) as u32;
    if left == 0 {
        if sum == 0 {
            visit(values);
        }
        return;
    }
    for value in least..=most.min(sum / left) {
        values[i] = value as u16;
        ascending(values, i + 1, value, most, sum - value, visit);
    }
}
