//! Positions: how they are numbered and how they are written.
//!
//! A position lists the states of the seats from the one to act to the one that acted last. Since seats are
//! independent, positions are the numbers of p digits in base N, the front seat first: a perfect index, with every
//! number from 0 to N^p - 1 a position.
//!
//! Written, a position is the digits of all hands: `1312` is [1 3] to act against [1 2]. From r = 11 on, where a hand
//! may need two digits, hands are separated: `0,10|3,11`. So they are with half fingers, `0.5,1|0,1.5`, and with signs,
//! `x,-2|0,3`, where `x` is a dead hand and 0 a live one. That form is understood for every game. What a seat remembers
//! follows its hands: `12:3~1|11:2` is [1 2] with three lives after one swap against [1 1] with two lives.

use crate::chopsticks::moves::{Machine, State};
use crate::chopsticks::rules::Marks;
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
        let shape = self.rules().shape();
        let seats: Vec<String> = seats
            .iter()
            .map(|&s| {
                let (mut text, marks) = (self.join(self.hands(s)), self.marks(s));
                if shape.has_lives() && self.hands(s).iter().any(|&c| c > 0) {
                    text.push_str(&format!(":{}", marks.lives));
                }
                if marks.swaps > 0 {
                    text.push_str(&format!("~{}", marks.swaps));
                }
                text
            })
            .collect();
        seats.join(if self.is_wide() || shape.has_marks() { "|" } else { "" })
    }

    /// Writes a hand, as in [`Machine::hands`].
    pub fn hand_code(&self, hand: u16) -> String {
        self.rules().shape().counting.write(hand)
    }

    /// Tells whether a hand may need more than one character.
    const fn is_wide(&self) -> bool {
        self.rules().shape().counting.is_wide()
    }

    fn join(&self, hands: &[u16]) -> String {
        let counting = self.rules().shape().counting;
        let hands: Vec<String> = hands.iter().map(|&c| counting.write(c)).collect();
        hands.join(if self.is_wide() { "," } else { "" })
    }

    /// Reads a position, with or without separators. A seat whose marks are left out has all its lives and has not
    /// swapped.
    ///
    /// # Errors
    /// [`Error::Chopsticks`] when the number of seats or hands is wrong, there is no such hand, the hands of a seat are
    /// not in ascending order, or a seat cannot have its marks.
    pub fn parse(&self, code: &str) -> Result<Vec<State>> {
        let (p, h) = (self.players(), self.rules().hand_count() as usize);
        let counting = self.rules().shape().counting;
        let wrong = |what: String| {
            let example = self.code(&self.start());
            Error::Chopsticks(format!("`{code}` is not a position of {}: {what}; the start is {example}", self.rules()))
        };
        let hand = |text: &str| {
            counting.read(text).ok_or_else(|| wrong(format!("expected a hand of {}, found `{text}`", counting.range())))
        };
        let text = code.trim();
        if p == 0 && text == "-" {
            return Ok(Vec::new());
        }
        let seats: Vec<&str> = if text.contains(['|', ',']) || p * h == 1 || (p == 1 && text.contains([':', '~'])) {
            text.split('|').collect()
        } else if self.is_wide() && p * h > 1 {
            return Err(wrong("a hand may need two characters, so separate hands with `,` and seats with `|`".into()));
        } else {
            let digits = text.chars().count();
            if digits != p * h {
                return Err(wrong(format!("expected {} digits, found {digits}", p * h)));
            }
            let bounds: Vec<usize> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
            bounds.windows(h + 1).step_by(h).map(|ends| &text[ends[0]..ends[h]]).collect()
        };
        if seats.len() != p {
            return Err(wrong(format!("expected {p} seats separated by `|`, found {}", seats.len())));
        }
        seats
            .into_iter()
            .map(|seat| {
                let (seat, swaps) = cut(seat, '~').map_err(&wrong)?;
                let (seat, lives) = cut(seat, ':').map_err(&wrong)?;
                // Hands of one digit need no commas: `13|12`.
                let texts: Vec<&str> = if seat.contains(',') || h == 1 || self.is_wide() {
                    seat.split(',').map(str::trim).collect()
                } else {
                    seat.char_indices().map(|(i, c)| &seat[i..i + c.len_utf8()]).collect()
                };
                let hands = texts.into_iter().map(hand).collect::<Result<Vec<u16>>>()?;
                if hands.len() != h {
                    return Err(wrong(format!("expected {h} hands a seat, found {}", hands.len())));
                }
                let mut sorted = hands.clone();
                sorted.sort_unstable();
                if sorted != hands {
                    let [right, wrote] = [&sorted, &hands].map(|hands| self.join(hands));
                    return Err(wrong(format!("the hands of a seat must ascend: write {right}, not {wrote}")));
                }
                let fresh = self.rules().shape().fresh(&hands);
                let marks = Marks { lives: lives.unwrap_or(fresh.lives), swaps: swaps.unwrap_or(fresh.swaps) };
                self.marked_state(&hands, marks).ok_or_else(|| {
                    wrong(format!("no seat has {}, {} lives and {} swaps", self.join(&hands), marks.lives, marks.swaps))
                })
            })
            .collect()
    }
}

/// Cuts a number off the end of `seat`, behind the last `sign`.
fn cut(seat: &str, sign: char) -> std::result::Result<(&str, Option<u32>), String> {
    let Some((seat, number)) = seat.rsplit_once(sign) else { return Ok((seat, None)) };
    match number.trim().parse() {
        Ok(number) => Ok((seat, Some(number))),
        Err(_) => Err(format!("expected a number after `{sign}`, found `{number}`")),
    }
}
