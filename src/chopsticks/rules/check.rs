//! Which rules make a game together.

use crate::chopsticks::rules::Rules;
use crate::chopsticks::rules::hands::{Integers, Overflow, Stumps};
use crate::chopsticks::rules::own::{Meta, Swaps};
use crate::chopsticks::rules::seats::SuddenDeath;
use crate::error::{Error, Result};

impl Rules {
    /// Tells whether the rules make a game together; [`Machine::new`](crate::chopsticks::Machine::new) asks first.
    ///
    /// # Errors
    /// [`Error::Chopsticks`] with the first reason why they do not, and what to change:
    ///
    /// - zombies need a third player;
    /// - what happens between two hands of a seat needs two hands; the cherry bomb, which names both, exactly two;
    /// - a limit of 0 swaps or 0 lives leaves no game;
    /// - signed hands need cutoff, for with rollover -a and r - a are the same; and they have no total that could be
    ///   above r (meta) or at most 1 (sudden death), no halves (stumps) and no parts (splits of many hands);
    /// - half fingers are not split among more than two hands.
    pub fn check(&self) -> Result<()> {
        let between = [
            (self.suicide, "suicide"),
            (self.swaps != Swaps::Off, "swaps"),
            (self.meta != Meta::Off, "meta"),
            (self.logan, "the Logan clause"),
            (self.self_attack, "self-attack"),
            (self.stumps != Stumps::Off, "stumps"),
        ];
        let two_hands = between.iter().find(|&&(on, _)| on && self.hands < 2);
        let is_signed = self.integers == Integers::Signed;
        let reason = if self.zombies && self.players < 3 {
            "zombies need three or more players: with two, the game is over when one is out; add players".into()
        } else if let Some((_, name)) = two_hands {
            format!("{name} is a move between two hands of a player, and each has {}; give them two", self.hands)
        } else if self.cherry_bomb && self.hands != 2 {
            format!("the cherry bomb leaves [1 1] and [0 1], two hands each, and a player has {}", self.hands)
        } else if self.swaps == Swaps::InARow(0) {
            "a limit of 0 swaps allows none and would make every seat attack; expected at least 1, or no swaps".into()
        } else if self.sudden_death == SuddenDeath::Lives(0) {
            "a seat without lives is out; expected at least 1 life".into()
        } else if is_signed && self.overflow == Overflow::Rollover {
            "with rollover -a and r - a are the same hand; take integers as complement, or cutoff for signed hands"
                .into()
        } else if is_signed && self.meta != Meta::Off {
            "meta takes r off a total above r, and signed hands may be worth that much in two ways; leave one out"
                .into()
        } else if is_signed && self.sudden_death != SuddenDeath::Off {
            "sudden death counts the fingers that are left, and signed hands may count 0 or less; leave one out".into()
        } else if is_signed && self.stumps != Stumps::Off {
            "signed hands and half fingers are not played together; leave one out".into()
        } else if (is_signed || self.stumps != Stumps::Off) && self.splits.is_multiple() {
            format!("splits {} move whole fingers without a sign; leave out stumps or integers", self.splits)
        } else {
            return Ok(());
        };
        Err(Error::Chopsticks(format!("{self}: {reason}")))
    }
}
