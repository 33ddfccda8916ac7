//! Positions: how they are numbered and how they are written.
//!
//! A position lists the states of the seats from the one to act to the one that acted last. Since seats are
//! independent, positions are the numbers of p digits in base N, the front seat first: a perfect index, with every
//! number from 0 to N^p - 1 a position.
//!
//! Written, a position is the digits of all hands: `1312` is [1 3] to act against [1 2]. From r = 11 on, where a hand
//! may need two digits, hands are separated: `0,10|3,11`. That form is understood for every r.

use crate::chopsticks::moves::{Machine, State};
use crate::error::{Error, Result};

/// The perfect index of positions: rank and unrank in O(p).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Index {
    states: u64,
    players: usize,
    len: u64,
}

impl Index {
    /// Makes the index of a game.
    ///
    /// # Errors
    /// [`Error::Chopsticks`] when there are 2^63 positions or more.
    pub fn new(machine: &Machine) -> Result<Self> {
        let (states, players) = (machine.states() as u64, machine.players());
        match machine.rules().positions().try_into() {
            Ok(len) if len < 1 << 63 => Ok(Self { states, players, len }),
            _ => Err(Error::Chopsticks(format!(
                "{} has {} positions, too many to enumerate",
                machine.rules(),
                machine.rules().positions()
            ))),
        }
    }

    /// The number of positions, N^p.
    #[expect(clippy::len_without_is_empty, reason = "there is always a position")]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// The number of a position.
    pub fn rank(&self, seats: &[State]) -> u64 {
        seats.iter().fold(0, |rank, &s| rank * self.states + u64::from(s))
    }

    /// The position with number `rank`, written into `seats`.
    pub fn unrank_into(&self, mut rank: u64, seats: &mut [State]) {
        for s in seats.iter_mut().rev() {
            *s = (rank % self.states) as State;
            rank /= self.states;
        }
    }

    /// The position with number `rank`.
    pub fn unrank(&self, rank: u64) -> Vec<State> {
        let mut seats = vec![0; self.players];
        self.unrank_into(rank, &mut seats);
        seats
    }
}

impl Machine {
    /// Writes a position; the one of no player is `-`.
    pub fn code(&self, seats: &[State]) -> String {
        if seats.is_empty() {
            return "-".into();
        }
        let seats: Vec<String> = seats.iter().map(|&s| self.join(self.hands(s))).collect();
        seats.join(if self.is_separated() { "|" } else { "" })
    }

    /// Tells whether a hand may need two digits.
    const fn is_separated(&self) -> bool {
        self.rules().rollover() > 10
    }

    fn join(&self, hands: &[u16]) -> String {
        let hands: Vec<String> = hands.iter().map(u16::to_string).collect();
        hands.join(if self.is_separated() { "," } else { "" })
    }

    /// Reads a position, with or without separators.
    ///
    /// # Errors
    /// [`Error::Chopsticks`] when the number of seats or hands is wrong, a hand is not a number below r, or the hands
    /// of a seat are not in ascending order.
    pub fn parse(&self, code: &str) -> Result<Vec<State>> {
        let (p, h, r) = (self.players(), self.rules().hand_count() as usize, self.rules().rollover());
        let example = self.code(&self.start());
        let wrong = |what: String| {
            Error::Chopsticks(format!("`{code}` is not a position of {}: {what}; the start is {example}", self.rules()))
        };
        let hand = |text: &str| match text.parse::<u16>() {
            Ok(c) if u32::from(c) < r && text.bytes().all(|b| b.is_ascii_digit()) => Ok(c),
            _ => Err(wrong(format!("expected a hand of 0 to {} fingers, found `{text}`", r - 1))),
        };
        let text = code.trim();
        if p == 0 && text == "-" {
            return Ok(Vec::new());
        }
        let hands: Vec<u16> = if text.contains(['|', ',']) {
            let seats: Vec<Vec<&str>> = text.split('|').map(|seat| seat.split(',').map(str::trim).collect()).collect();
            if seats.len() != p {
                return Err(wrong(format!("expected {p} seats separated by `|`, found {}", seats.len())));
            }
            let mut hands = Vec::new();
            for seat in seats {
                // One-digit hands need no commas: `13|12`.
                let packed = seat.len() == 1 && h > 1 && !self.is_separated();
                let before = hands.len();
                if packed {
                    for (i, c) in seat[0].char_indices() {
                        hands.push(hand(&seat[0][i..i + c.len_utf8()])?);
                    }
                } else {
                    for text in seat {
                        hands.push(hand(text)?);
                    }
                }
                if hands.len() - before != h {
                    return Err(wrong(format!("expected {h} hands a seat, found {}", hands.len() - before)));
                }
            }
            hands
        } else if self.is_separated() && p * h > 1 {
            return Err(wrong("hands may have two digits, so separate them with `,` and seats with `|`".into()));
        } else if self.is_separated() && p * h == 1 {
            vec![hand(text)?]
        } else {
            let digits = text.chars().count();
            if digits != p * h {
                return Err(wrong(format!("expected {} digits, found {digits}", p * h)));
            }
            text.char_indices().map(|(i, c)| hand(&text[i..i + c.len_utf8()])).collect::<Result<_>>()?
        };
        let mut seats = Vec::with_capacity(p);
        for seat in hands.chunks_exact(h) {
            seats.push(self.state(seat).ok_or_else(|| {
                let mut sorted = seat.to_vec();
                sorted.sort_unstable();
                let [right, wrote] = [sorted.as_slice(), seat].map(|hands| self.join(hands));
                wrong(format!("the hands of a seat must ascend: write {right}, not {wrote}"))
            })?);
        }
        Ok(seats)
    }
}
