//! The rules of a game of Chopsticks, as data.
//!
//! A [`Rules`] value only *describes* a game. One function reads it, [`Machine::new`](super::Machine::new), which turns
//! it into tables of what a seat may do to itself and to another; every engine works on those tables. A variant is
//! therefore a field here and a few lines in the module of its family:
//!
//! - what a hand may hold and how it grows (cutoff, half fingers, signs) is in `rules/hands.rs`;
//! - what a seat does to itself (splits, suicide, swaps, meta, a flipped sign, a touch of one's own hand) is an *own
//!   turn* from one seat state to another: `rules/splits.rs` and `rules/own.rs`;
//! - what it does to another seat (an attack, the cherry bomb) is a *strike*: its own state before and after, and a map
//!   of the other seat's states;
//! - what a seat has to remember (lives, swaps in a row) is part of its *state*, and so of the index; who counts as
//!   alive (sudden death, zombies) is one flag per state: `rules/seats.rs`;
//! - which of them go together is said by [`Rules::check`], in `rules/check.rs`.
//!
//! Variants combine freely but for what `check` refuses. Where the published text of a variant leaves a choice, one
//! reading is the default and the others that make sense are values of the same option:
//!
//! | variant | what is chosen | what else is offered |
//! |---|---|---|
//! | misere | who is out first wins; a value for two players only | |
//! | suicide | two live hands with less than r fingers become one; with more hands, any two of them | |
//! | swaps | two live hands that differ; no limit | [`Swaps::InARow`]: at most K in a row, then only attacks on others |
//! | sudden death | out at a total of one finger, however it comes about | [`SuddenDeath::Lives`]: an attack to \[0 1] costs a life |
//! | meta | both hands live after, one may die with suicide | [`Meta::Any`]: one may die without it |
//! | Logan clause | a pass for a seat with a dead and a live hand; it does not count as a swap | |
//! | death attack | dead hands of seats that are in play; with self-attack, one's own too | |
//! | zombies | out is out: an attack with one finger each turn, never a target; the last seat in play wins | |
//! | splits into halves | even numbers of a lone hand: [`Splits::HALVES`] | odd numbers, pairs of live hands: [`Transfers::Halves`], [`Divisions::Halves`] |
//! | stumps | splits move whole fingers, but \[0 1] may become halves | [`Stumps::Any`]: splits move any number of halves |
//! | more hands | one hand to one other: [`Splits::ALL`] | [`Transfers::Multiple`], [`Divisions::Partition`], [`Divisions::Several`], [`Divisions::Free`] |
//! | integers | r - a for a with rollover, a sign with cutoff (the command line's choice) | each by name: [`Integers`] |
//! | self-attack | a live hand hits another live one of the seat | with swaps, death attack and cutoff by their options |
//! | cherry bomb | both hands become 1, and the target \[0 1], whatever it held | |
//! | self-addition | one finger for a live hand; divisions stay, transfers do not | [`SelfAddition::BesideTransfers`] |

mod check;
pub(crate) mod hands;
mod names;
pub(crate) mod own;
pub(crate) mod seats;
pub(crate) mod splits;

use num_bigint::BigUint;

use crate::error::{Error, Result};

pub use hands::{Integers, Overflow, Stumps};
pub use names::Variant;
pub use own::{Meta, SelfAddition, Swaps};
pub use seats::{Marks, SuddenDeath};
pub use splits::{Divisions, Splits, Transfers};

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
    suicide: bool,
    swaps: Swaps,
    sudden_death: SuddenDeath,
    meta: Meta,
    logan: bool,
    death_attack: bool,
    zombies: bool,
    self_attack: bool,
    integers: Integers,
    cherry_bomb: bool,
    self_addition: SelfAddition,
    stumps: Stumps,
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

    /// Gives every seat `hands` hands. With more than two, a split moves fingers between two of them, unless
    /// [`Self::splits`] says otherwise.
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

    /// Suicide: two live hands may be put into one of them, which stays live, and the other is dead.
    ///
    /// With more hands this goes for any two of them.
    pub const fn suicide(self, suicide: bool) -> Self {
        Self { suicide, ..self }
    }

    /// Chooses whether two live hands that differ may be exchanged, which passes the turn.
    pub const fn swaps(self, swaps: Swaps) -> Self {
        Self { swaps, ..self }
    }

    /// Chooses whether a seat with a single finger is out or loses a life.
    pub const fn sudden_death(self, sudden_death: SuddenDeath) -> Self {
        Self { sudden_death, ..self }
    }

    /// Chooses whether two hands with more than r fingers may give r up.
    pub const fn meta(self, meta: Meta) -> Self {
        Self { meta, ..self }
    }

    /// The Logan clause: a dead hand may be exchanged for a live one of the same seat, which passes the turn.
    pub const fn logan(self, logan: bool) -> Self {
        Self { logan, ..self }
    }

    /// Death attack: the dead hand of a live seat may be hit, and counts as 0 before.
    pub const fn death_attack(self, death_attack: bool) -> Self {
        Self { death_attack, ..self }
    }

    /// Zombies, for three or more players: a seat that is out attacks with one finger when it is its turn. It does
    /// nothing else, cannot be hit, and does not come back.
    pub const fn zombies(self, zombies: bool) -> Self {
        Self { zombies, ..self }
    }

    /// The variant without a name: a live own hand may hit another live own hand (with death attack, a dead one too).
    pub const fn self_attack(self, self_attack: bool) -> Self {
        Self { self_attack, ..self }
    }

    /// Chooses whether the sign of an own hand may be flipped.
    pub const fn integers(self, integers: Integers) -> Self {
        Self { integers, ..self }
    }

    /// The cherry bomb: two own hands that hold r fingers may go off, which leaves \[1 1] of them and turns the hands of
    /// another live seat, at the actor's choice, into \[0 1].
    pub const fn cherry_bomb(self, cherry_bomb: bool) -> Self {
        Self { cherry_bomb, ..self }
    }

    /// Chooses whether a live own hand may gain a finger.
    pub const fn self_addition(self, self_addition: SelfAddition) -> Self {
        Self { self_addition, ..self }
    }

    /// Chooses whether fingers may be halved.
    pub const fn stumps(self, stumps: Stumps) -> Self {
        Self { stumps, ..self }
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

    /// The splits that are left when self-addition takes the place of transfers.
    pub(crate) fn allowed_splits(&self) -> Splits {
        match self.self_addition {
            SelfAddition::InsteadOfTransfers => Splits { transfers: Transfers::None, ..self.splits },
            _ => self.splits,
        }
    }

    /// Tells whether dead hands of live seats may be hit.
    pub(crate) const fn hits_dead_hands(&self) -> bool {
        self.death_attack
    }

    /// Tells whether seats that are out go on attacking.
    pub(crate) const fn has_zombies(&self) -> bool {
        self.zombies
    }

    /// Tells whether there is a cherry bomb.
    pub(crate) const fn has_cherry_bomb(&self) -> bool {
        self.cherry_bomb
    }

    /// Tells whether a seat has own turns beside splits.
    pub(crate) fn has_own_variants(&self) -> bool {
        let splits_only = Self {
            suicide: false,
            swaps: Swaps::Off,
            meta: Meta::Off,
            logan: false,
            self_attack: false,
            integers: Integers::Off,
            cherry_bomb: false,
            self_addition: SelfAddition::Off,
            stumps: Stumps::Off,
            ..*self
        };
        *self != splits_only
    }

    /// The states of a seat.
    pub(crate) const fn shape(&self) -> seats::Shape {
        seats::Shape::new(self)
    }

    /// The most swaps that a seat may make in a row, where that is limited.
    pub(crate) const fn swap_limit(&self) -> Option<u32> {
        match self.swaps {
            Swaps::InARow(most) => Some(most),
            _ => None,
        }
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

    /// The number of states of one seat, N: C(r + h - 1, h) multisets of hands, and more where hands may be half or
    /// negative or a seat has lives or counts its swaps.
    pub fn seat_states(&self) -> BigUint {
        self.shape().states(self.hands)
    }

    /// The number of positions that differ in function: N^p.
    pub fn positions(&self) -> BigUint {
        self.seat_states().pow(self.players)
    }

    /// The number of positions when the order of hands counts, r^(h p); lives and swaps are left out.
    pub fn raw_positions(&self) -> BigUint {
        BigUint::from(self.shape().counting.symbols()).pow(self.hands * self.players)
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
    suicide: false,
    swaps: Swaps::Off,
    sudden_death: SuddenDeath::Off,
    meta: Meta::Off,
    logan: false,
    death_attack: false,
    zombies: false,
    self_attack: false,
    integers: Integers::Off,
    cherry_bomb: false,
    self_addition: SelfAddition::Off,
    stumps: Stumps::Off,
};

fn limit(what: &str, value: u32, limit: u32) -> Result<()> {
    if value > limit {
        return Err(Error::Chopsticks(format!("{value} is too many for {what}; the limit is {limit}")));
    }
    Ok(())
}
