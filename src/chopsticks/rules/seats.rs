//! The states of one seat: its hands, and what the rules have it remember besides.
//!
//! A seat remembers its *lives* and how many of its last turns in a row were *swaps*. Only what can matter is kept, so
//! that the index of positions stays perfect: a seat that is out has no lives left to count, and swaps in a row are
//! counted only while two live hands differ. A zombie needs no mark, for it is a seat that is out.

use num_bigint::BigUint;

use crate::chopsticks::rules::Rules;
use crate::chopsticks::rules::hands::Counting;
use crate::chopsticks::rules::own::Swaps;

/// Losing with a single finger left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SuddenDeath {
    /// A seat is out when all its hands are dead.
    #[default]
    Off,
    /// A seat is out as soon as its hands have at most one finger in all.
    Total,
    /// A seat has this many lives and loses one each time an attack (a cherry bomb too) turns its hands into [0 1] from
    /// something else. It is out without lives, and when all its hands are dead.
    Lives(u32),
}

/// What a seat remembers beside its hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Marks {
    /// The lives left; 0 in games without lives and for a seat that is out.
    pub lives: u32,
    /// How many of its last turns in a row were swaps, in games that limit them.
    pub swaps: u32,
}

/// The shape of the states of a seat.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    lives: u32,
    swaps: u32,
    by_total: bool,
    pub(crate) counting: Counting,
}

impl Shape {
    pub(crate) const fn new(rules: &Rules) -> Self {
        let lives = if let SuddenDeath::Lives(lives) = rules.sudden_death { lives } else { 0 };
        let swaps = if let Swaps::InARow(most) = rules.swaps { most } else { 0 };
        let by_total = matches!(rules.sudden_death, SuddenDeath::Total);
        Self { lives, swaps, by_total, counting: Counting::new(rules) }
    }

    /// Tells whether seats remember anything.
    pub(crate) const fn has_marks(self) -> bool {
        self.lives > 0 || self.swaps > 0
    }

    pub(crate) const fn has_lives(self) -> bool {
        self.lives > 0
    }

    /// Tells whether a seat with these hands is in the state called [0 1].
    pub(crate) fn is_single_finger(self, hands: &[u16]) -> bool {
        let (last, rest) = hands.split_last().expect("a seat has a hand");
        self.counting.value(*last) == self.counting.finger() && *last > 0 && rest.iter().all(|&c| c == 0)
    }

    /// Tells whether a seat plays.
    pub(crate) fn is_live(self, hands: &[u16], marks: Marks) -> bool {
        let total = || hands.iter().map(|&c| self.counting.value(c)).sum::<i32>();
        hands.iter().any(|&c| c > 0)
            && !(self.has_lives() && marks.lives == 0)
            && !(self.by_total && total() <= self.counting.finger())
    }

    /// What a seat with these sorted hands may remember, in ascending order.
    pub(crate) fn marks(self, hands: &[u16]) -> Vec<Marks> {
        let mut live = hands.iter().filter(|&&c| c > 0);
        let first = live.next();
        if first.is_none() {
            return vec![Marks::default()];
        }
        let least = u32::from(self.has_lives() && !self.is_single_finger(hands));
        let swaps = if first == hands.last() { 0 } else { self.swaps };
        (least..=self.lives)
            .flat_map(|lives| {
                (0..=if self.has_lives() && lives == 0 { 0 } else { swaps }).map(move |swaps| Marks { lives, swaps })
            })
            .collect()
    }

    /// What a seat remembers that has all its lives and has not swapped.
    pub(crate) fn fresh(self, hands: &[u16]) -> Marks {
        Marks { lives: if hands.iter().any(|&c| c > 0) { self.lives } else { 0 }, swaps: 0 }
    }

    /// The number of states of a seat of `hands` hands.
    pub(crate) fn states(self, hands: u32) -> BigUint {
        let symbols = self.counting.symbols();
        let mut multisets = BigUint::from(1_u32);
        for i in 0..hands {
            multisets = multisets * (symbols + i) / (i + 1);
        }
        if !self.has_marks() || symbols < 2 {
            return multisets;
        }
        // All but the dead seat and those whose live hands are alike.
        let unlike = &multisets - 1_u32 - BigUint::from(hands) * (symbols - 1);
        let marked = multisets + unlike * self.swaps;
        match self.lives {
            0 => marked,
            // The dead seat has no lives to count; [0 1] may have none left, if there is a finger that is not the end.
            lives => (marked - 1_u32) * lives + 1_u32 + u32::from(self.counting.limit() > self.counting.finger()),
        }
    }
}
