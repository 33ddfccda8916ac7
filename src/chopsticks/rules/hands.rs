//! How a hand counts: in fingers, in half fingers (*stumps*), or in fingers with a sign (*integers*).
//!
//! Every hand is a *symbol* from 0 up, and 0 is a dead hand in all games. Without signs the symbol is what the hand
//! counts, in fingers or in half fingers; with signs, where a hand may be live and count 0, symbol c stands for
//! c - r, so that 1 to 2r - 1 are -(r - 1) to r - 1.

use crate::chopsticks::rules::Rules;

/// What a hand becomes whose fingers reach the rollover amount r.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Overflow {
    /// c fingers hit by a become (c + a) mod r.
    #[default]
    Rollover,
    /// c fingers hit by a become c + a if that is below r, and 0 otherwise.
    Cutoff,
}

/// Half fingers: the variant called stumps (or knubs).
///
/// A hand counts in halves and dies at r whole fingers. The published rule names one move, [0 1] to [1/2 1/2]; that
/// splits otherwise move whole fingers is our reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Stumps {
    /// Whole fingers only.
    #[default]
    Off,
    /// Splits move whole fingers, and a seat whose only live hand has one finger may make two halves of it.
    Ones,
    /// Splits move any multiple of half a finger.
    Any,
}

/// Flipping the sign of an own hand, which costs the turn: the variant called integers.
///
/// A flip must change the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Integers {
    /// No flips.
    #[default]
    Off,
    /// A live hand of a fingers may become r - a: what the published rule says a flip is with rollover, where hands
    /// count modulo r. It can be played with cutoff too.
    Complement,
    /// Hands count -(r - 1) to r - 1, a live hand may count 0, and a hand dies when its size reaches r (cutoff only).
    ///
    /// A split moves fingers that the giving hand has, of its sign. It may be left with 0, for that does not kill it.
    Signed,
}

/// The symbols of hands and what they count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counting {
    overflow: Overflow,
    is_signed: bool,
    /// What one finger counts: 2 with half fingers.
    finger: i32,
    /// A hand dies when its size reaches this.
    limit: i32,
}

impl Counting {
    pub(crate) const fn new(rules: &Rules) -> Self {
        let finger = if matches!(rules.stumps, Stumps::Off) { 1 } else { 2 };
        Self {
            overflow: rules.overflow,
            is_signed: matches!(rules.integers, Integers::Signed),
            finger,
            limit: rules.rollover as i32 * finger,
        }
    }

    /// The number of symbols, that of the dead hand included.
    pub(crate) const fn symbols(self) -> u32 {
        if self.is_signed { 2 * self.limit as u32 } else { self.limit as u32 }
    }

    /// What one finger counts.
    pub(crate) const fn finger(self) -> i32 {
        self.finger
    }

    /// What a hand may not reach.
    pub(crate) const fn limit(self) -> i32 {
        self.limit
    }

    pub(crate) const fn is_signed(self) -> bool {
        self.is_signed
    }

    /// What a hand counts; a dead one 0.
    pub(crate) const fn value(self, symbol: u16) -> i32 {
        if self.is_signed && symbol > 0 { symbol as i32 - self.limit } else { symbol as i32 }
    }

    /// The live hand that counts `value`, whose size is below the limit; without signs, 0 is dead.
    pub(crate) const fn live(self, value: i32) -> u16 {
        if self.is_signed { (value + self.limit) as u16 } else { value as u16 }
    }

    /// The hand of `fingers` fingers at the start, dead if that reaches the limit.
    pub(crate) const fn start(self, fingers: u32) -> u16 {
        if fingers == 0 || fingers as i32 * self.finger >= self.limit {
            0
        } else {
            self.live(fingers as i32 * self.finger)
        }
    }

    /// What hand `c` becomes when hand `a` hits it; a dead hand counts as 0 before.
    pub(crate) const fn add(self, c: u16, a: u16) -> u16 {
        self.grow(c, self.value(a))
    }

    /// What hand `c` becomes when it gains `value`.
    pub(crate) const fn grow(self, c: u16, value: i32) -> u16 {
        let sum = self.value(c) + value;
        match self.overflow {
            _ if sum.abs() < self.limit => self.live(sum),
            Overflow::Rollover => self.live(sum % self.limit),
            Overflow::Cutoff => 0,
        }
    }

    /// Tells whether a hand may need more than one character.
    pub(crate) const fn is_wide(self) -> bool {
        self.symbols() > 10 || self.finger > 1 || self.is_signed
    }

    /// Writes a hand: `3`, `0.5`, `-2`; with signs, where 0 is live, a dead one is `x`.
    pub(crate) fn write(self, symbol: u16) -> String {
        let value = self.value(symbol);
        match (self.is_signed, self.finger) {
            (true, _) if symbol == 0 => "x".into(),
            (_, 1) => value.to_string(),
            _ => format!("{}{}", value / 2, if value % 2 == 0 { "" } else { ".5" }),
        }
    }

    /// Reads a hand as [`Self::write`] writes it.
    pub(crate) fn read(self, text: &str) -> Option<u16> {
        if self.is_signed && text == "x" {
            return Some(0);
        }
        let (negative, digits) = match text.strip_prefix('-').filter(|_| self.is_signed) {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let (digits, half) = match digits.strip_suffix(".5").filter(|_| self.finger > 1) {
            Some(digits) => (digits, 1),
            None => (digits, 0),
        };
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let size = digits.parse::<i32>().ok()?.checked_mul(self.finger)?.checked_add(half)?;
        (size < self.limit).then(|| self.live(if negative { -size } else { size }))
    }

    /// The hands there are, in words.
    pub(crate) fn range(self) -> String {
        let last = self.write(self.symbols() as u16 - 1);
        match (self.is_signed, self.finger) {
            (true, _) => format!("-{last} to {last} fingers, or x for a dead one"),
            (_, 1) => format!("0 to {last} fingers"),
            _ => format!("0 to {last} fingers in steps of 0.5"),
        }
    }
}
