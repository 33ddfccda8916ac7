//! The rules compiled to tables: the states of a seat, what a seat may do to itself, and what it may do to another.
//!
//! A turn changes the seat at the front and at most one other seat, and then the front goes to the back. So a whole
//! game is described by a few tables over the N states of *one* seat, however many seats there are:
//!
//! - `live`: which states still play;
//! - the *turns* of a state: the state the seat is in afterwards, and the *weapon* it uses on another seat, if any;
//! - the *hits* of a weapon: which states of a live seat it turns into which.
//!
//! In the base game the weapons are the finger counts 1 to r - 1, an attack leaves the attacker as it is, a split is a
//! turn without a weapon, and so is the pass of a dead seat. The tables are kept in both directions, so that engines
//! may push from a position to the next or pull from the last.
//!
//! Size: for h = 2 about r^3 / 2 pairs each of splits and of hits, hence a million entries at r = 100.

use num_bigint::BigUint;

use crate::chopsticks::rules::Rules;
use crate::error::{Error, Result};
use crate::run::Control;

/// The number of a seat's state: the rank of its sorted hands in lexicographic order.
pub type State = u16;

/// The number of a weapon. In the base game weapon w is a hand of w + 1 fingers.
pub type Weapon = u16;

/// One way to use a turn, seen from one end of it: the state at the other end, and the weapon that is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn {
    /// The state of the acting seat at the other end: after the turn among [`Machine::turns`], before it among
    /// [`Machine::turns_into`].
    pub other: State,
    /// What is done to another seat; nothing in a split or a pass.
    pub weapon: Option<Weapon>,
}

/// Lists of values, one list per key, in one allocation.
#[derive(Debug, Clone)]
struct Lists<T> {
    ends: Vec<u32>,
    values: Vec<T>,
}

impl<T: Copy + Ord> Lists<T> {
    fn new(keys: usize, mut pairs: Vec<(State, T)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut ends = vec![0; keys];
        for &(key, _) in &pairs {
            ends[usize::from(key)] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        let mut values: Vec<T> = pairs.into_iter().map(|(_, value)| value).collect();
        // The pairs took more, and there may be thousands of lists.
        values.shrink_to_fit();
        Self { ends, values }
    }

    fn of(&self, key: State) -> &[T] {
        let key = usize::from(key);
        let start = if key == 0 { 0 } else { self.ends[key - 1] };
        &self.values[start as usize..self.ends[key] as usize]
    }
}

/// The rules of a game as tables over the states of one seat.
///
/// ```
/// use nimsieve::chopsticks::{Machine, Rules};
///
/// let machine = Machine::new(&Rules::new(2, 5)?)?;
/// let mut after = Vec::new();
/// machine.for_each_move(&machine.parse("1312")?, |_, next| after.push(machine.code(next)));
/// after.sort();
/// assert_eq!(after, ["0113", "1222", "1313", "2213", "2413"]);
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Machine {
    rules: Rules,
    /// The sorted hands of every state, `hands` values each.
    fingers: Vec<u16>,
    live: Vec<bool>,
    start: State,
    turns: Lists<Turn>,
    turns_into: Lists<Turn>,
    hits: Vec<Lists<State>>,
    hits_into: Vec<Lists<State>>,
}

impl Machine {
    /// The most states of a seat that the tables hold.
    pub const MAX_STATES: u32 = 1 << 15;

    /// Compiles the rules. Time and memory are those of the tables: see the head of the module.
    ///
    /// # Errors
    /// [`Error::Chopsticks`] when a seat has more than [`Self::MAX_STATES`] states.
    pub fn new(rules: &Rules) -> Result<Self> {
        Self::within(rules, None, &Control::new())
    }

    /// The bytes that the tables of a game take at most while they are made, about.
    pub fn memory(rules: &Rules) -> BigUint {
        let (r, h) = (rules.rollover(), rules.hand_count());
        // A weapon may hit every hand; the lists are kept in both directions, each with an end for every state.
        let hits = (r - 1) * (2 * h * size_of::<State>() as u32 + 2 * size_of::<u32>() as u32);
        // The sum of two hands has up to r / 2 splits, and r / 3 on average. Kept twice, and as pairs in growing lists.
        let pairs = h * (h - 1) / 2;
        let turns = (h + 1 + pairs * (r / 3 + 1)) * 8 * size_of::<Turn>() as u32;
        rules.seat_states() * (u64::from(hits) + u64::from(turns))
    }

    /// Compiles the rules like [`Self::new`], in at most `memory` bytes, and stops when told to.
    ///
    /// # Errors
    /// As [`Self::new`], when the tables need more than `memory` bytes, and [`Error::Stopped`].
    pub fn within(rules: &Rules, memory: Option<u64>, control: &Control) -> Result<Self> {
        let states = rules.seat_states();
        if states > Self::MAX_STATES.into() {
            return Err(Error::Chopsticks(format!(
                "a seat of {rules} has {states} states and the tables hold {}; lower the rollover amount or the hands",
                Self::MAX_STATES
            )));
        }
        let needed = Self::memory(rules);
        if let Some(limit) = memory.filter(|&limit| needed > limit.into()) {
            return Err(Error::Chopsticks(format!(
                "the tables of {rules} need about {needed} bytes of memory, and {limit} are allowed; lower the \
                 rollover amount or the hands"
            )));
        }
        let (r, h) = (rules.rollover(), rules.hand_count() as usize);
        let fingers = multisets(r as u16, h);
        let seats: Vec<&[u16]> = fingers.chunks_exact(h).collect();
        let number = |seat: &[u16]| seats.binary_search(&seat).expect("sorted hands are a state") as State;
        let live: Vec<bool> = seats.iter().map(|seat| seat.iter().any(|&c| c > 0)).collect();
        // `replace` gives the state in which hand i holds c fingers and all else is as it was.
        let replace = |seat: &[u16], changes: &[(usize, u32)]| {
            let mut after = seat.to_vec();
            for &(i, c) in changes {
                after[i] = c as u16;
            }
            after.sort_unstable();
            number(&after)
        };

        let mut turns: Vec<(State, Turn)> = Vec::new();
        for (s, seat) in (0..).zip(&seats) {
            control.check()?;
            if !live[usize::from(s)] {
                turns.push((s, Turn { other: s, weapon: None }));
            }
            turns.extend(seat.iter().filter(|&&a| a > 0).map(|&a| (s, Turn { other: s, weapon: Some(a - 1) })));
            for (i, j) in pairs(h) {
                for (x, y) in splits(rules, u32::from(seat[i]), u32::from(seat[j])) {
                    let after = replace(seat, &[(i, x), (j, y)]);
                    if after != s {
                        turns.push((s, Turn { other: after, weapon: None }));
                    }
                }
            }
        }
        let turns_into = turns.iter().map(|&(s, t)| (t.other, Turn { other: s, weapon: t.weapon })).collect();

        let mut hits = Vec::new();
        let mut hits_into = Vec::new();
        for a in 1..r {
            control.check()?;
            let mut list: Vec<(State, State)> = Vec::new();
            for (t, seat) in (0..).zip(&seats) {
                for (i, &c) in seat.iter().enumerate().filter(|&(_, &c)| c > 0) {
                    list.push((t, replace(seat, &[(i, rules.overflow_rule().add(c.into(), a, r))])));
                }
            }
            hits_into.push(Lists::new(seats.len(), list.iter().map(|&(t, u)| (u, t)).collect()));
            hits.push(Lists::new(seats.len(), list));
        }

        Ok(Self {
            rules: *rules,
            start: number(&vec![rules.start_fingers() as u16; h]),
            turns: Lists::new(seats.len(), turns),
            turns_into: Lists::new(seats.len(), turns_into),
            fingers,
            live,
            hits,
            hits_into,
        })
    }

    /// The rules that were compiled.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The number of seats, p.
    pub const fn players(&self) -> usize {
        self.rules.player_count() as usize
    }

    /// The number of states of a seat, N.
    pub const fn states(&self) -> usize {
        self.live.len()
    }

    /// The sorted hands of a state.
    pub fn hands(&self, state: State) -> &[u16] {
        let h = self.rules.hand_count() as usize;
        &self.fingers[usize::from(state) * h..][..h]
    }

    /// The state with these sorted hands, if it is one.
    pub fn state(&self, hands: &[u16]) -> Option<State> {
        let (mut low, mut high) = (0, self.states());
        while low < high {
            let middle = low.midpoint(high);
            match self.hands(middle as State).cmp(hands) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle as State),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Tells whether a seat in this state still plays.
    pub fn is_live(&self, state: State) -> bool {
        self.live[usize::from(state)]
    }

    /// The turns that a seat in state `from` has; a weapon needs a seat that it hits.
    pub fn turns(&self, from: State) -> &[Turn] {
        self.turns.of(from)
    }

    /// The turns that leave a seat in state `to`.
    pub fn turns_into(&self, to: State) -> &[Turn] {
        self.turns_into.of(to)
    }

    /// What `weapon` may turn a seat in state `target` into.
    pub fn hits(&self, weapon: Weapon, target: State) -> &[State] {
        self.hits[usize::from(weapon)].of(target)
    }

    /// What `weapon` may have turned into `result`.
    pub fn hits_into(&self, weapon: Weapon, result: State) -> &[State] {
        self.hits_into[usize::from(weapon)].of(result)
    }

    /// The position at the start, from the front seat to the back seat.
    pub fn start(&self) -> Vec<State> {
        vec![self.start; self.players()]
    }

    /// Tells whether the game is over: at most one seat is live.
    pub fn is_over(&self, seats: &[State]) -> bool {
        seats.iter().filter(|&&s| self.is_live(s)).count() <= 1
    }

    /// Calls `visit` with every move from `seats` and the position after it, from the next seat's view.
    ///
    /// Each move comes once; with cutoff two of them may lead to the same position. A finished game has no move.
    pub fn for_each_move(&self, seats: &[State], mut visit: impl FnMut(Move, &[State])) {
        if self.is_over(seats) {
            return;
        }
        let back = seats.len() - 1;
        let mut next: Vec<State> = seats[1..].iter().chain(&seats[..1]).copied().collect();
        for &turn in self.turns(seats[0]) {
            next[back] = turn.other;
            let Some(weapon) = turn.weapon else {
                visit(Move { turn, target: None }, &next);
                continue;
            };
            for seat in 0..back {
                let target = next[seat];
                for &result in self.hits(weapon, target) {
                    next[seat] = result;
                    visit(Move { turn, target: Some((seat + 1, target, result)) }, &next);
                }
                next[seat] = target;
            }
        }
    }

    /// Calls `visit` with every position that has a move to `seats`, once for each such move.
    pub fn for_each_before(&self, seats: &[State], mut visit: impl FnMut(&[State])) {
        let Some((&acted, front)) = seats.split_last() else { return };
        let mut before: Vec<State> = std::iter::once(acted).chain(front.iter().copied()).collect();
        for &turn in self.turns_into(acted) {
            before[0] = turn.other;
            let Some(weapon) = turn.weapon else {
                if !self.is_over(&before) {
                    visit(&before);
                }
                continue;
            };
            for seat in 1..before.len() {
                let result = before[seat];
                for &target in self.hits_into(weapon, result) {
                    before[seat] = target;
                    if !self.is_over(&before) {
                        visit(&before);
                    }
                }
                before[seat] = result;
            }
        }
    }

    /// The positions that one move leads to, sorted and each once.
    pub fn successors(&self, seats: &[State]) -> Vec<Vec<State>> {
        let mut list = Vec::new();
        self.for_each_move(seats, |_, next| list.push(next.to_vec()));
        list.sort_unstable();
        list.dedup();
        list
    }
}

/// A move: the turn of the front seat and what it does to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The front seat's state after the move, and its weapon.
    pub turn: Turn,
    /// The seat that is hit, counted from the front seat 0, with its states before and after.
    pub target: Option<(usize, State, State)>,
}

/// All sorted multisets of `h` values below `r`, flattened, in lexicographic order.
fn multisets(r: u16, h: usize) -> Vec<u16> {
    let mut all = Vec::new();
    let mut hands = vec![0; h];
    loop {
        all.extend_from_slice(&hands);
        // The next multiset raises the last value that can be raised, and all behind it to the same.
        let Some(i) = hands.iter().rposition(|&c| c + 1 < r) else { return all };
        let raised = hands[i] + 1;
        hands[i..].fill(raised);
    }
}

fn pairs(h: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..h).flat_map(move |i| (i + 1..h).map(move |j| (i, j)))
}

/// What two hands of `a` and `b` fingers may be split into, unordered.
fn splits(rules: &Rules, a: u32, b: u32) -> impl Iterator<Item = (u32, u32)> {
    let splits = rules.split_rule();
    let allowed = match (a > 0, b > 0) {
        (true, true) => splits.transfers,
        (false, false) => false,
        _ => splits.divisions,
    };
    let (sum, r) = (a + b, rules.rollover());
    let smaller = if allowed { 1..sum / 2 + 1 } else { 0..0 };
    smaller.map(move |x| (x, sum - x)).filter(move |&(_, y)| y < r)
}
