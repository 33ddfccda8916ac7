//! The positions that cannot be reached, found without enumerating those that can.
//!
//! Let U be the least set that contains every position without a predecessor and every position all of whose
//! predecessors are in U, the start itself excepted. [`unreachable()`] computes U.
//!
//! **U is unreachable.** By induction over the order in which positions enter U: a position of U is not the start, so a
//! game that reaches it has a last move into it, from a predecessor; all predecessors entered U earlier and cannot be
//! reached.
//!
//! **What is not in U** is the start or has a predecessor that is not in U. Walk backwards from it: the walk stays
//! outside U, and since positions are finitely many it meets the start, so that the position can be reached, or goes
//! round a cycle. So *U is all of the unreachable positions if and only if every cycle of positions can be reached from
//! the start* (a cycle that cannot be reached never enters U). That is not proved here for all p and r: breadth-first
//! search confirms it for the base game in every case of [`VERIFIED`], and the tests hold the two against each other.
//! For other rules (cutoff, other splits) it may fail, and then the size of U is a lower bound.
//!
//! **The positions without a predecessor** are listed from the tables of the machine. Look at the seat at the back,
//! which acted last, and its state b. Let T(b) be the states that a live seat may have given a live one in a turn that
//! left it in b: an attack is a legal predecessor whenever some other seat's state is in T(b), for two seats were live
//! before it. So a position without a predecessor has all its front seats outside T(b). If a live seat can come into b
//! by itself (a split), that was possible unless no front seat is live, and if b is a dead seat that passed, unless at
//! most one front seat is live. This leaves few candidates, and each is checked against its real predecessors.
//!
//! In the base game with two hands this gives: for b = [0 0], which only comes from a pass, at most one live seat, not
//! at the back; for live b, with T(b) everything except [k k] where k is the only finger count in b, every front seat
//! [k k] and b = [0 k], or b = [k k] if no split leads there, and one always does unless k = r - 1. So there are
//! 1 + (p - 1)(N - 1) + (r - 1) + 1 positions without a predecessor, less one when r = 2, where the start is among them.
//!
//! Cost: O(size of U times the predecessors of the successors of a position), about p^2 r^2; memory O(p) for each
//! position of U.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use num_bigint::BigUint;

use crate::chopsticks::moves::{Machine, State};
use crate::chopsticks::rules::{Rules, Winner};
use crate::error::{Error, Result};
use crate::run::Control;

/// The largest r, for each number of players, up to which breadth-first search found exactly the positions of U in the
/// base game.
pub const VERIFIED: [(u32, u32); 9] = [(2, 100), (3, 20), (4, 12), (5, 7), (6, 6), (7, 5), (8, 4), (9, 3), (10, 3)];

/// The ranges of p and r in which breadth-first search confirmed the conjecture for three and more players: those of
/// [`VERIFIED`] with r > p. For more players it was only compared with the size of U.
pub fn formula_verified() -> impl Iterator<Item = (u32, RangeInclusive<u32>)> {
    VERIFIED.into_iter().filter(|&(p, most)| p > 2 && most > p).map(|(p, most)| (p, p + 1..=most))
}

/// What [`formula`] is for these rules: `published` (known to fail by one for every even r from 4 on) with two players,
/// a `conjecture` with more, nothing where there is none.
pub fn formula_kind(rules: &Rules) -> Option<&'static str> {
    formula(rules).map(|_| if rules.player_count() == 2 { "published" } else { "conjecture" })
}

/// Tells whether the game is the base game but for who wins, which has no say in what can be reached.
fn is_base(rules: &Rules) -> bool {
    rules.winner(Winner::Alive).is_base()
}

/// Tells whether the game is over before it begins: no other position than the start can be reached, and all others are
/// in U.
pub fn is_over_at_once(rules: &Rules) -> bool {
    rules.player_count() < 2 || rules.rollover() == 1
}

/// Tells whether the positions of U are known to be all the unreachable ones of this game: in the range of
/// [`VERIFIED`], and in games that are over at once.
pub fn is_verified(rules: &Rules) -> bool {
    let (p, r) = (rules.player_count(), rules.rollover());
    is_over_at_once(rules) || is_base(rules) && VERIFIED.iter().any(|&(players, most)| p == players && r <= most)
}

/// The positions that cannot be reached.
#[derive(Debug, Clone)]
pub struct Unreachable {
    sources: u64,
    positions: Vec<Box<[State]>>,
}

impl Unreachable {
    /// The number of positions.
    pub const fn count(&self) -> u64 {
        self.positions.len() as u64
    }

    /// How many of them have no predecessor at all.
    pub const fn without_predecessor(&self) -> u64 {
        self.sources
    }

    /// The positions in lexicographic order, which is the order of the [`Index`](super::Index).
    pub fn positions(&self) -> impl Iterator<Item = &[State]> {
        self.positions.iter().map(AsRef::as_ref)
    }
}

/// Computes the positions that cannot be reached. See the module for what is proved of them.
///
/// # Errors
/// [`Error::Chopsticks`] when they need more than `memory` bytes, and [`Error::Stopped`] when told to stop.
///
/// ```
/// use nimsieve::chopsticks::{Machine, Rules, unreachable};
///
/// let machine = Machine::new(&Rules::new(2, 5)?)?;
/// let found = unreachable(&machine, None, &nimsieve::run::Control::new())?;
/// assert_eq!(found.count(), 21);
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn unreachable(machine: &Machine, memory: Option<u64>, control: &Control) -> Result<Unreachable> {
    let start = machine.start();
    // A box in the set and one in the list, the states in each of them; and as much again for the spare room of both
    // and of the allocator. Measured: 113 bytes for five players.
    let bytes = 2 * (2 * size_of::<Box<[State]>>() + 2 * start.len() + 16);
    let mut found: HashSet<Box<[State]>> = HashSet::new();
    let mut pending: Vec<Box<[State]>> = Vec::new();
    let enough = |found: &HashSet<Box<[State]>>| {
        control.advance(found.len() as u64)?;
        match memory {
            Some(limit) if (found.len() * bytes) as u64 > limit => Err(Error::Chopsticks(format!(
                "the unreachable positions of {} need more than the {limit} bytes of memory that are allowed; {} were \
                 found so far",
                machine.rules(),
                found.len()
            ))),
            _ => Ok(()),
        }
    };
    if let Some((limit, estimate)) = memory.zip(estimate(machine.rules())) {
        let needed = estimate * bytes;
        if needed > limit.into() {
            return Err(Error::Chopsticks(format!(
                "the unreachable positions of {} need about {needed} bytes of memory, and {limit} are allowed; lower \
                 the number of players",
                machine.rules()
            )));
        }
    }
    for_each_source(machine, &mut |seats| {
        if seats != start && found.insert(seats.into()) {
            pending.push(seats.into());
        }
        enough(&found)
    })?;
    let sources = found.len() as u64;
    while let Some(seats) = pending.pop() {
        enough(&found)?;
        machine.for_each_move(&seats, |_, next| {
            if next == start || found.contains(next) {
                return;
            }
            let mut all = true;
            machine.for_each_before(next, |before| all = all && found.contains(before));
            if all {
                found.insert(next.into());
                pending.push(next.into());
            }
        });
    }
    let mut positions: Vec<_> = found.into_iter().collect();
    positions.sort_unstable();
    Ok(Unreachable { sources, positions })
}

/// Calls `visit` with every position without a predecessor.
fn for_each_source(machine: &Machine, visit: &mut impl FnMut(&[State]) -> Result<()>) -> Result<()> {
    let Some(front) = machine.players().checked_sub(1) else {
        return visit(&[]);
    };
    let states = 0..machine.states() as State;
    for back in states.clone() {
        // How many front seats may be live, and which states no attack gives them.
        let mut cap = front;
        let mut hit = vec![false; machine.states()];
        for turn in machine.turns_into(back) {
            let was_live = machine.is_live(turn.other);
            match turn.weapon {
                None => cap = cap.min(usize::from(!was_live)),
                Some(weapon) if was_live => {
                    for result in states.clone() {
                        let targets = machine.hits_into(weapon, result);
                        hit[usize::from(result)] |= targets.iter().any(|&target| machine.is_live(target));
                    }
                }
                Some(_) => (),
            }
        }
        let (live, dead): (Vec<State>, Vec<State>) =
            states.clone().filter(|&s| !hit[usize::from(s)]).partition(|&s| machine.is_live(s));
        let mut seats = vec![back; front + 1];
        for_each_front(&mut seats, 0, cap, &live, &dead, &mut |seats| {
            let mut is_source = true;
            machine.for_each_before(seats, |_| is_source = false);
            if is_source { visit(seats) } else { Ok(()) }
        })?;
    }
    Ok(())
}

/// Fills the front seats from `seat` on with `live` states, at most `cap` of them, and `dead` ones, in all ways.
fn for_each_front(
    seats: &mut [State],
    seat: usize,
    cap: usize,
    live: &[State],
    dead: &[State],
    visit: &mut impl FnMut(&[State]) -> Result<()>,
) -> Result<()> {
    if seat + 1 == seats.len() {
        return visit(seats);
    }
    for &s in dead {
        seats[seat] = s;
        for_each_front(seats, seat + 1, cap, live, dead, visit)?;
    }
    if cap > 0 {
        for &s in live {
            seats[seat] = s;
            for_each_front(seats, seat + 1, cap - 1, live, dead, visit)?;
        }
    }
    Ok(())
}

/// A formula for the number of unreachable positions of the base game.
///
/// For p >= 3 and r > p it is (p - 1)(N - 1) + r + h(p) with h(3), h(4), h(5) = 5, 11, 25 and
/// h(n) = 2 h(n - 1) + h(n - 2) - h(n - 3): **a conjecture**. Breadth-first search confirmed it for p = 3 with r = 4..20,
/// p = 4 with r = 5..12 and p = 5 with r = 6..7 ([`formula_verified`]). From h(6) on it was only compared with the size
/// of U, up to p = 11 and r = 14 by the tests.
///
/// For p = 2 and r > 2 it is the published N + (r - 1) + 2, which is one too few for every even r from 4 on, where
/// [0 0 | k k] with k = r / 2 is not reached either. Elsewhere there is none.
pub fn formula(rules: &Rules) -> Option<BigUint> {
    let (p, r, n) = (rules.player_count(), rules.rollover(), rules.seat_states());
    if !is_base(rules) {
        return None;
    }
    match p {
        2 if r > 2 => Some(n + (r - 1) + 2_u32),
        3.. if r > p => estimate(rules),
        _ => None,
    }
}

/// About how many positions cannot be reached, for three or more players: the formula for r > p, and 2p + 1 for r = 2.
/// In between the formula is far off, and nothing is known beforehand.
fn estimate(rules: &Rules) -> Option<BigUint> {
    let (p, r, n) = (rules.player_count(), rules.rollover(), rules.seat_states());
    if !is_base(rules) || p < 3 {
        return None;
    }
    if r == 2 {
        return Some((2 * p + 1).into());
    }
    if r <= p {
        return None;
    }
    let mut h: [BigUint; 3] = [5_u32, 11, 25].map(BigUint::from);
    for _ in 3..p {
        let [a, b, c] = h;
        let next = &c * 2_u32 + &b - a;
        h = [b, c, next];
    }
    let [h, ..] = h;
    Some((n - 1_u32) * (p - 1) + r + h)
}
