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
//! turn without a weapon, and so is the pass of a dead seat. Variants add turns, hits and states; `moves/compile.rs`
//! makes the tables from the rules. They are kept in both directions, so that engines may push from a position to the
//! next or pull from the last.
//!
//! Size: for h = 2 about r^3 / 2 pairs each of splits and of hits, hence a million entries at r = 100.

mod compile;
mod seats;

use seats::Seats;

use crate::chopsticks::rules::{Marks, Rules};

/// The number of a seat's state: the rank of its sorted hands in lexicographic order, and of its marks after that.
pub type State = u16;

/// The number of a weapon. In the base game weapon w is a hand of w + 1 fingers; see [`Machine::weapon_hand`].
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
    seats: Seats,
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

    /// The sorted hands of a state: 0 is a dead hand, and others are fingers, in the variant stumps half fingers, and
    /// with signed hands fingers plus r.
    pub fn hands(&self, state: State) -> &[u16] {
        self.seats.hands(usize::from(state))
    }

    /// What a seat in this state remembers beside its hands.
    pub fn marks(&self, state: State) -> Marks {
        self.seats.marks(usize::from(state))
    }

    /// The state with these sorted hands, if it is one, of a seat that has all its lives and has not swapped.
    pub fn state(&self, hands: &[u16]) -> Option<State> {
        self.marked_state(hands, self.rules.shape().fresh(hands))
    }

    /// The state with these sorted hands and marks, if it is one.
    pub fn marked_state(&self, hands: &[u16], marks: Marks) -> Option<State> {
        self.seats.find(hands, marks)
    }

    /// The hand that a weapon is, as in [`Self::hands`]; none for the cherry bomb.
    pub fn weapon_hand(&self, weapon: Weapon) -> Option<u16> {
        (u32::from(weapon) + 1 < self.rules.shape().counting.symbols()).then_some(weapon + 1)
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
