//! How rules are written.

use std::fmt;

use crate::chopsticks::rules::hands::{Integers, Overflow, Stumps};
use crate::chopsticks::rules::own::{Meta, SelfAddition, Swaps};
use crate::chopsticks::rules::seats::SuddenDeath;
use crate::chopsticks::rules::{BASE, Rules, Start, Winner};

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}) {}", self.players, self.rollover, self.variant())
    }
}

/// The rules without the numbers of players and fingers, as they are written.
#[derive(Debug)]
pub struct Variant(pub(super) Rules);

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
        if rules.splits != BASE.splits {
            write!(f, ", splits {}", rules.splits)?;
        }
        if rules.start == Start::Suns {
            write!(f, ", suns")?;
        }
        if rules.suicide {
            write!(f, ", suicide")?;
        }
        match rules.swaps {
            Swaps::Off => {}
            Swaps::Unlimited => write!(f, ", swaps")?,
            Swaps::InARow(most) => write!(f, ", swaps {most}")?,
        }
        match rules.sudden_death {
            SuddenDeath::Off => {}
            SuddenDeath::Total => write!(f, ", sudden death")?,
            SuddenDeath::Lives(lives) => write!(f, ", sudden death {lives}")?,
        }
        match rules.meta {
            Meta::Off => {}
            Meta::Live => write!(f, ", meta")?,
            Meta::Any => write!(f, ", meta any")?,
        }
        if rules.logan {
            write!(f, ", Logan clause")?;
        }
        if rules.death_attack {
            write!(f, ", death attack")?;
        }
        if rules.zombies {
            write!(f, ", zombies")?;
        }
        if rules.self_attack {
            write!(f, ", self-attack")?;
        }
        match rules.integers {
            Integers::Off => {}
            Integers::Complement => write!(f, ", integers")?,
            Integers::Signed => write!(f, ", integers signed")?,
        }
        if rules.cherry_bomb {
            write!(f, ", cherry bomb")?;
        }
        match rules.self_addition {
            SelfAddition::Off => {}
            SelfAddition::InsteadOfTransfers => write!(f, ", self-addition")?,
            SelfAddition::BesideTransfers => write!(f, ", self-addition beside transfers")?,
        }
        match rules.stumps {
            Stumps::Off => {}
            Stumps::Ones => write!(f, ", stumps")?,
            Stumps::Any => write!(f, ", stumps any")?,
        }
        if rules.winner == Winner::Dead {
            write!(f, ", misere")?;
        }
        Ok(())
    }
}
