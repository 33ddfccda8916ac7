//! The options that say which game of Chopsticks is played.

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};

use crate::chopsticks::{
    Integers, Meta, Overflow, Rules, SelfAddition, Splits, Start, Stumps, SuddenDeath, Swaps, Winner,
};

/// Which game is played.
#[derive(Debug, Args)]
pub(in crate::cli) struct RuleArgs {
    /// The number of players, p
    #[arg(long, short, default_value = "2", value_parser = parse_u32)]
    players: u32,
    /// The rollover amount, r: a hand holds 0 to r - 1 fingers
    #[arg(long, short, default_value = "5", value_parser = parse_u32)]
    rollover: u32,
    #[command(flatten)]
    variant: VariantArgs,
}

/// How the game differs from the base game.
#[derive(Debug, Args)]
#[command(next_help_heading = "Variants")]
pub(in crate::cli) struct VariantArgs {
    /// The number of hands of a player
    #[arg(long, default_value = "2", value_parser = parse_u32)]
    hands: u32,
    /// A hand that reaches the rollover amount is dead, rather than keeping the rest
    #[arg(long)]
    cutoff: bool,
    /// Which splits are allowed: all, none, transfers, divisions; halves (only 0,2k to k,k), halves-odd, pair-halves,
    /// pair-halves-odd; for more hands also multiple-transfer, partition, transfer-and-partition, free-division; one
    /// kind of transfers and one of divisions are joined by a comma
    #[arg(long, default_value = "all", value_name = "KINDS", value_parser = |text: &str| text.parse::<Splits>())]
    splits: Splits,
    /// Every hand starts with r - 1 fingers
    #[arg(long)]
    suns: bool,
    /// The player whose hands are all dead wins
    #[arg(long)]
    misere: bool,
    /// Two live hands may be put into one of them; the other is dead
    #[arg(long)]
    suicide: bool,
    /// Two live hands that differ may be exchanged, which passes the turn; at most K times in a row if K is given
    #[arg(long, value_name = "K", num_args = 0..=1, require_equals = true, value_parser = parse_u32)]
    swaps: Option<Option<u32>>,
    /// A player with a single finger left is out; with LIVES, an attack that leaves 0,1 takes one of so many lives
    #[arg(long, value_name = "LIVES", num_args = 0..=1, require_equals = true, value_parser = parse_u32)]
    sudden_death: Option<Option<u32>>,
    /// Two hands above r in all may give r up and split the rest; `any` lets one of them die, `live` only with suicide
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "live")]
    meta: Option<MetaName>,
    /// A dead hand may be exchanged for a live one of the same player, which passes the turn
    #[arg(long)]
    logan: bool,
    /// The dead hands of a live opponent may be hit, and count as 0 before
    #[arg(long)]
    death_attack: bool,
    /// A player who is out goes on attacking with one finger (three or more players)
    #[arg(long)]
    zombies: bool,
    /// A live hand may hit the player's own other hand
    #[arg(long)]
    self_attack: bool,
    /// The sign of a hand may be flipped: a becomes r - a (`complement`), or hands count from -(r - 1) to r - 1
    /// (`signed`, with cutoff); `auto` is complement with rollover and signed with cutoff
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    integers: Option<IntegersName>,
    /// Two hands of r fingers in all may go off: they become 1,1, and those of another player 0,1
    #[arg(long)]
    cherry_bomb: bool,
    /// A live hand may gain a finger, `instead-of-transfers` or `beside-transfers`
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "instead-of-transfers")]
    self_addition: Option<SelfAdditionName>,
    /// Fingers may be halved: 0,1 to 0.5,0.5 alone (`ones`), or by splits of any number of halves (`any`)
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "ones")]
    stumps: Option<StumpsName>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum MetaName {
    Live,
    Any,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum IntegersName {
    Auto,
    Complement,
    Signed,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SelfAdditionName {
    InsteadOfTransfers,
    BesideTransfers,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum StumpsName {
    Ones,
    Any,
}

pub(super) fn parse_u32(text: &str) -> Result<u32> {
    let value = crate::number::parse(text)?;
    u32::try_from(value).map_err(|_| anyhow!("{value} is too large; the limit is {}", u32::MAX))
}

impl VariantArgs {
    /// The rules for so many players and fingers.
    pub(super) fn rules(&self, players: u32, rollover: u32) -> crate::Result<Rules> {
        let overflow = if self.cutoff { Overflow::Cutoff } else { Overflow::Rollover };
        let integers = match (self.integers, overflow) {
            (None, _) => Integers::Off,
            (Some(IntegersName::Complement), _) | (Some(IntegersName::Auto), Overflow::Rollover) => {
                Integers::Complement
            }
            (Some(IntegersName::Signed), _) | (Some(IntegersName::Auto), Overflow::Cutoff) => Integers::Signed,
        };
        let rules = Rules::new(players, rollover)?
            .hands(self.hands)?
            .overflow(overflow)
            .splits(self.splits)
            .start(if self.suns { Start::Suns } else { Start::Ones })
            .winner(if self.misere { Winner::Dead } else { Winner::Alive })
            .suicide(self.suicide)
            .swaps(self.swaps.map_or(Swaps::Off, |most| most.map_or(Swaps::Unlimited, Swaps::InARow)))
            .sudden_death(match self.sudden_death {
                None => SuddenDeath::Off,
                Some(None) => SuddenDeath::Total,
                Some(Some(lives)) => SuddenDeath::Lives(lives),
            })
            .meta(match self.meta {
                None => Meta::Off,
                Some(MetaName::Live) => Meta::Live,
                Some(MetaName::Any) => Meta::Any,
            })
            .logan(self.logan)
            .death_attack(self.death_attack)
            .zombies(self.zombies)
            .self_attack(self.self_attack)
            .integers(integers)
            .cherry_bomb(self.cherry_bomb)
            .self_addition(match self.self_addition {
                None => SelfAddition::Off,
                Some(SelfAdditionName::InsteadOfTransfers) => SelfAddition::InsteadOfTransfers,
                Some(SelfAdditionName::BesideTransfers) => SelfAddition::BesideTransfers,
            })
            .stumps(match self.stumps {
                None => Stumps::Off,
                Some(StumpsName::Ones) => Stumps::Ones,
                Some(StumpsName::Any) => Stumps::Any,
            });
        rules.check()?;
        Ok(rules)
    }
}

impl RuleArgs {
    pub(super) fn rules(&self) -> crate::Result<Rules> {
        self.variant.rules(self.players, self.rollover)
    }
}
