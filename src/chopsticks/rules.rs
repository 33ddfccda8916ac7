//! The rules of a game of Chopsticks, as data.
//!
//! A [`Rules`] value only *describes* a game. One function reads it, [`Machine::new`](super::Machine::new), which turns
//! it into tables of what a seat may do to itself and to another; every engine works on those tables. A variant is
//! therefore a field here and a few lines there:
//!
//! - what a seat does to itself (splits, suicide, swaps, meta, a flipped sign, a touch of one's own hand) is an *own
//!   turn* from one seat state to another;
//! - what it does to another seat (an attack, the cherry bomb) is a *strike*: its own state before and after, and a map
//!   of the other seat's states;
//! - what a seat has to remember (lives, swaps in a row, half fingers, a sign, being a zombie) is part of its *state*,
//!   and so of the index;
//! - who counts as alive (sudden death, zombies) is one flag per state, and who wins is the [`Winner`].

use std::fmt;

use num_bigint::BigUint;

use crate::error::{Error, Result};

/// What a hand becomes whose fingers reach the rollover amount r.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Overflow {
    /// c fingers hit by a become (c + a) mod r.
    #[default]
    Rollover,
    /// c fingers hit by a become c + a if that is below r, and 0 otherwise.
    Cutoff,
}

impl Overflow {
    /// What a hand of `c` fingers becomes when one of `a` hits it.
    pub const fn add(self, c: u32, a: u32, rollover: u32) -> u32 {
        match self {
            Self::Rollover => (c + a) % rollover,
            Self::Cutoff if c + a < rollover => c + a,
            Self::Cutoff => 0,
        }
    }
}

/// Which splits, moves of fingers between two of one's own hands, are allowed. The result always differs as a multiset
/// and no hand dies of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Splits {
    /// Fingers move between two live hands, both of which stay live.
    pub transfers: bool,
    /// Fingers move from a live hand to a dead one, and both are live after.
    pub divisions: bool,
}

impl Splits {
    /// Transfers and divisions: the base game.
    pub const ALL: Self = Self { transfers: true, divisions: true };
    /// No splits at all.
    pub const NONE: Self = Self { transfers: false, divisions: false };
    /// Transfers alone.
    pub const TRANSFERS: Self = Self { transfers: true, divisions: false };
    /// Divisions alone.
    pub const DIVISIONS: Self = Self { transfers: false, divisions: true };

    /// The name after `--splits`.
    pub const fn name(self) -> &'static str {
        match (self.transfers, self.divisions) {
            (true, true) => "all",
            (true, false) => "transfers",
            (false, true) => "divisions",
            (false, false) => "none",
        }
    }
}

impl Default for Splits {
    fn default() -> Self {
        Self::ALL
    }
}

/// How many fingers every hand holds at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Start {
    /// One finger. (With r = 1 a hand holds none, and the game is over before it begins.)
    #[default]
    Ones,
    /// r - 1 fingers: the variant called suns.
    Suns,
}

/// Who wins a two-player game that ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Winner {
    /// The player who still has a live hand.
    #[default]
    Alive,
    /// The player whose hands are all dead: misere.
    Dead,
}

/// The rules of one game of (p, r) Chopsticks.
///
/// A seat owns `hands` hands of 0 to r - 1 fingers, none of them being a dead hand. The seat at the front acts: one of
/// its live hands hits a live hand of another live seat, or it splits. Then it goes to the back. A dead seat at the
/// front goes to the back as well, which takes a turn. The game ends as soon as at most one seat is live.
///
/// ```
/// use nimsieve::chopsticks::{Overflow, Rules};
///
/// let rules = Rules::new(2, 5)?.overflow(Overflow::Cutoff);
/// assert_eq!(rules.to_string(), "(2, 5) Chopsticks, cutoff");
/// assert_eq!(rules.positions(), 225_u32.into());
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    players: u32,
    rollover: u32,
    hands: u32,
    overflow: Overflow,
    splits: Splits,
    start: Start,
    winner: Winner,
}

impl Rules {
    /// The most players.
    pub const MAX_PLAYERS: u32 = 1_000;
    /// The largest rollover amount.
    pub const MAX_ROLLOVER: u32 = 10_000;
    /// The most hands a seat may have.
    pub const MAX_HANDS: u32 = 20;

    /// Makes the base game of `players` seats with two hands each and rollover amount `rollover`.
    ///
    /// No player and a single player are games that are over at once, and so is r = 1, in which every hand is dead.
    ///
    /// # Errors
    /// [`Error::Chopsticks`] when r = 0, where a hand has no value to hold, or when a number is beyond its limit.
    pub fn new(players: u32, rollover: u32) -> Result<Self> {
        if rollover == 0 {
            return Err(Error::Chopsticks(
                "a rollover amount of 0 leaves no value for a hand; expected at least 1, and at least 2 for a real game"
                    .into(),
            ));
        }
        limit("players", players, Self::MAX_PLAYERS)?;
        limit("a rollover amount", rollover, Self::MAX_ROLLOVER)?;
        Ok(Self { players, rollover, ..BASE })
    }

    /// The same rules for `players` seats and rollover amount `rollover`.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn sized(self, players: u32, rollover: u32) -> Result<Self> {
        Self::new(players, rollover).map(|_| Self { players, rollover, ..self })
    }

    /// Gives every seat `hands` hands. With more than two, a split moves fingers between two of them.
    ///
    /// # Errors
    /// [`Error::Chopsticks`] when there is no hand or more than [`Self::MAX_HANDS`].
    pub fn hands(self, hands: u32) -> Result<Self> {
        if hands == 0 {
            return Err(Error::Chopsticks("a seat without hands cannot play; expected at least 1 hand".into()));
        }
        limit("hands", hands, Self::MAX_HANDS)?;
        Ok(Self { hands, ..self })
    }

    /// Chooses between rollover and cutoff.
    pub const fn overflow(self, overflow: Overflow) -> Self {
        Self { overflow, ..self }
    }

    /// Chooses the splits.
    pub const fn splits(self, splits: Splits) -> Self {
        Self { splits, ..self }
    }

    /// Chooses the start.
    pub const fn start(self, start: Start) -> Self {
        Self { start, ..self }
    }

    /// Chooses the winner.
    pub const fn winner(self, winner: Winner) -> Self {
        Self { winner, ..self }
    }

    /// The number of seats, p.
    pub const fn player_count(&self) -> u32 {
        self.players
    }

    /// The rollover amount, r: a hand holds 0 to r - 1 fingers.
    pub const fn rollover(&self) -> u32 {
        self.rollover
    }

    /// The number of hands of a seat, h.
    pub const fn hand_count(&self) -> u32 {
        self.hands
    }

    /// Rollover or cutoff.
    pub const fn overflow_rule(&self) -> Overflow {
        self.overflow
    }

    /// The splits that are allowed.
    pub const fn split_rule(&self) -> Splits {
        self.splits
    }

    /// Who wins.
    pub const fn winner_rule(&self) -> Winner {
        self.winner
    }

    /// The fingers of every hand at the start.
    pub const fn start_fingers(&self) -> u32 {
        match self.start {
            Start::Ones => 1 % self.rollover,
            Start::Suns => self.rollover - 1,
        }
    }

    /// The rules without p and r, as in `Chopsticks, cutoff`.
    pub const fn variant(&self) -> Variant {
        Variant(*self)
    }

    /// Tells whether these are the rules of the base game: rollover, all splits, two hands of one finger each.
    pub fn is_base(&self) -> bool {
        Self { players: BASE.players, rollover: BASE.rollover, ..*self } == BASE
    }

    /// The number of states of one seat: N = C(r + h - 1, h) multisets of hands.
    pub fn seat_states(&self) -> BigUint {
        let mut count = BigUint::from(1_u32);
        for i in 0..self.hands {
            count = count * (self.rollover + i) / (i + 1);
        }
        count
    }

    /// The number of positions that differ in function: N^p.
    pub fn positions(&self) -> BigUint {
        self.seat_states().pow(self.players)
    }

    /// The number of positions when the order of hands counts: r^(h p).
    pub fn raw_positions(&self) -> BigUint {
        BigUint::from(self.rollover).pow(self.hands * self.players)
    }
}

const BASE: Rules = Rules {
    players: 2,
    rollover: 5,
    hands: 2,
    overflow: Overflow::Rollover,
    splits: Splits::ALL,
    start: Start::Ones,
    winner: Winner::Alive,
};

fn limit(what: &str, value: u32, limit: u32) -> Result<()> {
    if value > limit {
        return Err(Error::Chopsticks(format!("{value} is too many for {what}; the limit is {limit}")));
    }
    Ok(())
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}) {}", self.players, self.rollover, self.variant())
    }
}

/// The rules without the numbers of players and fingers, as they are written.
#[derive(Debug)]
pub struct Variant(Rules);

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = &self.0;
        write!(f, "Chopsticks")?;
        if rules.hands != BASE.hands {
            write!(f, ", hands {}", rules.hands)?;
        }
        if rules.overflow == Overflow::Cutoff {
            write!(f, ", cutoff")?;
        }
        if rules.splits != Splits::ALL {
            write!(f, ", splits {}", rules.splits.name())?;
        }
        if rules.start == Start::Suns {
            write!(f, ", suns")?;
        }
        if rules.winner == Winner::Dead {
            write!(f, ", misere")?;
        }
        Ok(())
    }
}
