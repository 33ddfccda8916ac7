//! Who wins: retrograde analysis.
//!
//! The winner hurries, the loser delays, and play without end is a draw. Values are found backwards from the endings,
//! ply by ply: a position with a move to a position lost for the other side is won, one ply later than the soonest of
//! these; a position all of whose moves lead to positions won for the other side is lost, one ply later than the last
//! of these. A counter per position tells how many of its moves are not yet known to lose. What is never decided is a
//! draw.
//!
//! [`solve`] treats two players. [`coalition`] treats any number: one seat against all the others, who act as one. Its
//! value for a seat is a win if the seat can force to be the last one live, a loss if the others can force it out, a
//! draw otherwise. With two players both agree.
//!
//! Cost: every move of a decided position is looked at once; 4 bytes for each position (and, for coalitions, each
//! seat), and 8 for each position of a ply.

use std::collections::HashSet;
use std::fmt;

use crate::chopsticks::moves::{Machine, State, Weapon};
use crate::chopsticks::position::Index;
use crate::chopsticks::rules::Winner;
use crate::error::{Error, Result};
use crate::run::{Control, try_vec};

/// What best play leads to, for the side to act, and after how many plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to act wins.
    Win(u32),
    /// The side to act loses.
    Loss(u32),
    /// Nobody can force the end, or the game is over and nobody is live.
    Draw,
}

impl Value {
    /// The number of plies to the end; none in a draw.
    pub const fn plies(self) -> Option<u32> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// The same outcome from the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies),
            Self::Loss(plies) => Self::Win(plies),
            Self::Draw => Self::Draw,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(plies) => write!(f, "win in {plies}"),
            Self::Loss(plies) => write!(f, "loss in {plies}"),
            Self::Draw => f.write_str("draw"),
        }
    }
}

/// A value in two bytes: twice the plies, plus one for a win; or nothing yet, which in the end is a draw.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Packed(u16);

impl Packed {
    const OPEN: Self = Self(u16::MAX);
    const MAX_PLIES: u32 = (u16::MAX as u32 - 2) / 2;

    const fn value(self) -> Value {
        let plies = self.0 as u32 / 2;
        match self.0 {
            u16::MAX => Value::Draw,
            code if code % 2 == 1 => Value::Win(plies),
            _ => Value::Loss(plies),
        }
    }

    const fn new(won: bool, plies: u32) -> Self {
        Self(plies as u16 * 2 + won as u16)
    }
}

/// A game as retrograde analysis sees it: numbered positions, seen from the side to act.
trait Game {
    /// The number of positions.
    fn len(&self) -> u64;

    /// Whether the side to act has won, in a position that is decided without a move.
    fn ending(&self, position: u64) -> Option<bool>;

    /// The number of moves from `position`.
    fn moves(&self, position: u64) -> u16;

    /// Calls `visit` with every undecided position before `position`, once a move, and whether the same side acts in
    /// both.
    fn for_each_before(&self, position: u64, visit: impl FnMut(u64, bool));
}

fn retrograde(game: &impl Game, control: &Control) -> Result<Vec<Packed>> {
    const UNCOUNTED: u16 = u16::MAX;
    let mut values = try_vec("the values of positions", game.len(), Packed::OPEN)?;
    let mut open_moves = try_vec("the counters of positions", game.len(), UNCOUNTED)?;
    let mut ply: Vec<u64> = Vec::new();
    for position in 0..game.len() {
        if position.is_multiple_of(65_536) {
            control.check()?;
        }
        if let Some(won) = game.ending(position) {
            values[position as usize] = Packed::new(won, 0);
            ply.push(position);
        }
    }
    let mut decided = 0_u64;
    for plies in 1.. {
        if ply.is_empty() {
            return Ok(values);
        }
        if plies > Packed::MAX_PLIES {
            return Err(Error::Chopsticks(format!(
                "a forced win takes more than {} plies, more than the table holds",
                Packed::MAX_PLIES
            )));
        }
        let mut next = Vec::new();
        for position in ply {
            if decided.is_multiple_of(65_536) {
                control.advance(decided)?;
            }
            decided += 1;
            let won = matches!(values[position as usize].value(), Value::Win(_));
            game.for_each_before(position, |before, same_side| {
                let value = &mut values[before as usize];
                if *value != Packed::OPEN {
                    return;
                }
                if won == same_side {
                    *value = Packed::new(true, plies);
                    next.push(before);
                    return;
                }
                let open = &mut open_moves[before as usize];
                if *open == UNCOUNTED {
                    *open = game.moves(before);
                }
                *open -= 1;
                if *open == 0 {
                    *value = Packed::new(false, plies);
                    next.push(before);
                }
            });
        }
        ply = next;
    }
    unreachable!("plies are counted up to a limit")
}

/// Two seats: position s N + t has a seat in state s to act against one in state t.
struct Duel<'a> {
    machine: &'a Machine,
    states: usize,
    misere: bool,
    live: Vec<bool>,
    /// The states before a turn without a weapon, and before one with a weapon, by the state after it.
    alone_into: Vec<Vec<State>>,
    armed_into: Vec<Vec<(State, Weapon)>>,
    /// The number of turns without a weapon, and the turns with one, by the state before them.
    alone: Vec<u16>,
    armed: Vec<Vec<Weapon>>,
}

impl<'a> Duel<'a> {
    fn new(machine: &'a Machine) -> Self {
        let all = || 0..machine.states() as State;
        let (mut alone_into, mut armed_into, mut alone, mut armed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for s in all() {
            let into = machine.turns_into(s).iter();
            alone_into.push(into.clone().filter(|turn| turn.weapon.is_none()).map(|turn| turn.other).collect());
            armed_into.push(into.filter_map(|turn| Some((turn.other, turn.weapon?))).collect());
            let from = machine.turns(s).iter();
            alone.push(from.clone().filter(|turn| turn.weapon.is_none()).count() as u16);
            armed.push(from.filter_map(|turn| turn.weapon).collect());
        }
        Self {
            machine,
            states: machine.states(),
            misere: machine.rules().winner_rule() == Winner::Dead,
            live: all().map(|s| machine.is_live(s)).collect(),
            alone_into,
            armed_into,
            alone,
            armed,
        }
    }

    const fn split(&self, position: u64) -> (usize, usize) {
        (position as usize / self.states, position as usize % self.states)
    }
}

impl Game for Duel<'_> {
    fn len(&self) -> u64 {
        (self.states * self.states) as u64
    }

    fn ending(&self, position: u64) -> Option<bool> {
        let (acts, waits) = self.split(position);
        (self.live[acts] != self.live[waits]).then(|| self.live[acts] != self.misere)
    }

    fn moves(&self, position: u64) -> u16 {
        let (acts, waits) = self.split(position);
        let hits = |&weapon: &Weapon| self.machine.hits(weapon, waits as State).len() as u16;
        self.alone[acts] + self.armed[acts].iter().map(hits).sum::<u16>()
    }

    fn for_each_before(&self, position: u64, mut visit: impl FnMut(u64, bool)) {
        let (waited, acted) = self.split(position);
        let mut visit = |acts: State, waits: State| {
            if self.live[usize::from(acts)] && self.live[usize::from(waits)] {
                visit((usize::from(acts) * self.states + usize::from(waits)) as u64, false);
            }
        };
        for &before in &self.alone_into[acted] {
            visit(before, waited as State);
        }
        for &(before, weapon) in &self.armed_into[acted] {
            for &target in self.machine.hits_into(weapon, waited as State) {
                visit(before, target);
            }
        }
    }
}

/// The values of all positions of a two-player game.
#[derive(Clone)]
pub struct Solution<'a> {
    machine: &'a Machine,
    index: Index,
    values: Vec<Packed>,
}

impl fmt::Debug for Solution<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Solution of {}", self.machine.rules())
    }
}

/// A move to choose from, seen from the side that makes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The position after the move, from the view of the next to act.
    pub after: Vec<State>,
    /// What the move leads to, for the side that makes it, counted from before the move.
    pub value: Value,
    /// How many different positions the other side can reply with.
    pub replies: usize,
    /// How many of these replies lose for the side that makes them.
    pub losing_replies: usize,
}

/// A line of best play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The positions, the first included.
    pub positions: Vec<Vec<State>>,
    /// The first position comes back after the last one at this place: the line is a draw by repetition.
    pub repeats: Option<usize>,
}

/// Solves a two-player game for all N^2 positions, reachable or not.
///
/// [`Control::reached`] counts the decided positions.
///
/// # Errors
/// [`Error::Chopsticks`] when there are not two players or more than `memory` bytes are needed, [`Error::Memory`] when
/// the system refuses them, and [`Error::Stopped`].
///
/// ```
/// use nimsieve::chopsticks::{Machine, Rules, Value, solve};
///
/// let machine = Machine::new(&Rules::new(2, 4)?)?;
/// let solution = solve(&machine, None, &nimsieve::run::Control::new())?;
/// assert_eq!(solution.value(&machine.start()), Value::Win(11));
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn solve<'a>(machine: &'a Machine, memory: Option<u64>, control: &Control) -> Result<Solution<'a>> {
    if machine.players() != 2 {
        return Err(Error::Chopsticks(format!(
            "a game has one value only with two players, and {} has {}; ask for the value of each seat against the \
             coalition of the others",
            machine.rules(),
            machine.players()
        )));
    }
    let index = Index::new(machine)?;
    allow(machine, index.len(), memory)?;
    let values = retrograde(&Duel::new(machine), control)?;
    Ok(Solution { machine, index, values })
}

/// Refuses work on `positions` positions that needs more than `memory` bytes.
fn allow(machine: &Machine, positions: u64, memory: Option<u64>) -> Result<()> {
    // Two bytes for a value and two for a counter; a ply may hold most of the positions, 8 bytes each.
    let needed = Machine::memory(machine.rules()) + positions.saturating_mul(12);
    match memory {
        Some(limit) if needed > limit.into() => Err(Error::Chopsticks(format!(
            "solving the {positions} positions of {} may need {needed} bytes of memory, and {limit} are allowed; lower \
             the rollover amount or the players",
            machine.rules()
        ))),
        _ => Ok(()),
    }
}

impl Solution<'_> {
    /// The value of a position for the player to act. O(1).
    pub fn value(&self, seats: &[State]) -> Value {
        self.values[self.index.rank(seats) as usize].value()
    }

    /// The value of the position of number `rank`, which is below N^2.
    pub fn value_at(&self, rank: u64) -> Value {
        self.values[rank as usize].value()
    }

    /// How many positions are won, lost and drawn for the player to act, among those that `keep` accepts.
    pub fn count(&self, keep: impl Fn(u64) -> bool) -> Tally {
        let mut tally = Tally::default();
        for (rank, packed) in (0..).zip(&self.values).filter(|&(rank, _)| keep(rank)) {
            let (count, longest) = match packed.value() {
                Value::Win(plies) => (&mut tally.wins, plies),
                Value::Loss(plies) => (&mut tally.losses, plies),
                Value::Draw => (&mut tally.draws, 0),
            };
            *count += 1;
            if longest > tally.longest.0 {
                tally.longest = (longest, rank);
            }
        }
        tally
    }

    /// The moves from a position, best first, each position after a move once.
    ///
    /// Wins come first, the soonest first; then draws, those first after which the most replies lose; then losses, the
    /// latest first.
    pub fn choices(&self, seats: &[State]) -> Vec<Choice> {
        let mut choices: Vec<Choice> = self
            .machine
            .successors(seats)
            .into_iter()
            .map(|after| {
                let value = match self.value(&after).reversed() {
                    Value::Win(plies) => Value::Win(plies + 1),
                    Value::Loss(plies) => Value::Loss(plies + 1),
                    Value::Draw => Value::Draw,
                };
                let replies = self.machine.successors(&after);
                let losing_replies = replies.iter().filter(|reply| matches!(self.value(reply), Value::Win(_))).count();
                Choice { after, value, replies: replies.len(), losing_replies }
            })
            .collect();
        choices.sort_by_key(|choice| match choice.value {
            Value::Win(plies) => (0, i64::from(plies), 0),
            Value::Draw => (1, -(choice.losing_replies as i64), choice.replies),
            Value::Loss(plies) => (2, -i64::from(plies), 0),
        });
        choices
    }

    /// Follows the best moves from a position to the end, or until a position comes back.
    pub fn line(&self, seats: &[State]) -> Line {
        let mut positions = vec![seats.to_vec()];
        loop {
            let here = &positions[positions.len() - 1];
            let Some(best) = self.choices(here).into_iter().next() else {
                return Line { positions, repeats: None };
            };
            if let Some(place) = positions.iter().position(|seats| *seats == best.after) {
                return Line { positions, repeats: Some(place) };
            }
            positions.push(best.after);
        }
    }
}

/// How many positions are won, lost and drawn for the player to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Won.
    pub wins: u64,
    /// Lost.
    pub losses: u64,
    /// Drawn.
    pub draws: u64,
    /// The most plies that a forced win takes, and the first position where it does.
    pub longest: (u32, u64),
}

/// One seat against all others: position (seats, o), with o the number of the seat, as a digit behind the seats.
struct Hunt<'a> {
    machine: &'a Machine,
    index: Index,
    players: u64,
}

impl Hunt<'_> {
    fn split(&self, position: u64) -> (Vec<State>, usize) {
        (self.index.unrank(position / self.players), (position % self.players) as usize)
    }
}

impl Game for Hunt<'_> {
    fn len(&self) -> u64 {
        self.index.len() * self.players
    }

    fn ending(&self, position: u64) -> Option<bool> {
        let (seats, seat) = self.split(position);
        let live = seats.iter().filter(|&&s| self.machine.is_live(s)).count();
        let in_play = self.machine.is_live(seats[seat]);
        (live > 0 && (!in_play || live == 1)).then_some(in_play == (seat == 0))
    }

    fn moves(&self, position: u64) -> u16 {
        let mut moves = 0;
        self.machine.for_each_move(&self.split(position).0, |_, _| moves += 1);
        moves
    }

    fn for_each_before(&self, position: u64, mut visit: impl FnMut(u64, bool)) {
        let (seats, seat) = self.split(position);
        let before = (seat + 1) % seats.len();
        self.machine.for_each_before(&seats, |seats| {
            // A seat that was out already had lost.
            if self.machine.is_live(seats[before]) {
                let position = self.index.rank(seats) * self.players + before as u64;
                visit(position, (seat == 0) == (before == 0));
            }
        });
    }
}

/// The values of every seat against the coalition of all others, in all positions.
#[derive(Clone)]
pub struct Coalition {
    index: Index,
    players: u64,
    values: Vec<Packed>,
}

impl fmt::Debug for Coalition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Coalition of {} seats", self.players)
    }
}

impl Coalition {
    /// The value for seat number `seat` (0 is to act) in a position: the plies are those until it is the last one live
    /// or is out.
    pub fn value(&self, seats: &[State], seat: usize) -> Value {
        let value = self.values[(self.index.rank(seats) * self.players) as usize + seat].value();
        if seat == 0 { value } else { value.reversed() }
    }
}

/// Solves the game of each seat against all others acting as one, for any number of players.
///
/// # Errors
/// [`Error::Chopsticks`] for misere with other than two players, where nobody is *the* loser, or when more than
/// `memory` bytes are needed; [`Error::Memory`] and [`Error::Stopped`].
pub fn coalition(machine: &Machine, memory: Option<u64>, control: &Control) -> Result<Coalition> {
    if machine.rules().winner_rule() == Winner::Dead {
        return Err(Error::Chopsticks(
            "misere names a winner only for two players; leave it out to value each seat against a coalition".into(),
        ));
    }
    let index = Index::new(machine)?;
    let players = machine.players() as u64;
    allow(machine, index.len().saturating_mul(players), memory)?;
    let values = retrograde(&Hunt { machine, index, players }, control)?;
    Ok(Coalition { index, players, values })
}

/// The drawn positions from which a player who looks `plies` moves ahead can still step into a loss, among `ranks`.
///
/// Such a player leaves out every move after which a loss within `plies` further plies can be seen.
pub fn pitfalls(solution: &Solution<'_>, ranks: impl Iterator<Item = u64>, plies: u32) -> Vec<u64> {
    let seen = |value: Value| matches!(value, Value::Win(in_plies) if in_plies <= plies);
    let falls = |rank: &u64| {
        let seats = solution.index.unrank(*rank);
        let after: HashSet<Vec<State>> = solution.machine.successors(&seats).into_iter().collect();
        let lost = |seats: &Vec<State>| matches!(solution.value(seats), Value::Win(_));
        solution.value_at(*rank) == Value::Draw && after.iter().any(|seats| lost(seats) && !seen(solution.value(seats)))
    };
    ranks.filter(falls).collect()
}
