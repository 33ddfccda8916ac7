//! From rules to tables: the only place that reads the rules.

use num_bigint::BigUint;

use crate::chopsticks::moves::seats::Seats;
use crate::chopsticks::moves::{Lists, Machine, State, Turn, Weapon};
use crate::chopsticks::rules::own::{self, Kind};
use crate::chopsticks::rules::seats::Shape;
use crate::chopsticks::rules::{Marks, Rules};
use crate::error::{Error, Result};
use crate::run::Control;

impl Machine {
    /// Compiles the rules. Time and memory are those of the tables: see the head of the module.
    ///
    /// # Errors
    /// Those of [`Rules::check`], and [`Error::Chopsticks`] when a seat has more than [`Self::MAX_STATES`] states.
    pub fn new(rules: &Rules) -> Result<Self> {
        Self::within(rules, None, &Control::new())
    }

    /// The bytes that the tables of a game take at most while they are made, about.
    pub fn memory(rules: &Rules) -> BigUint {
        let (symbols, h) = (rules.shape().counting.symbols(), rules.hand_count());
        // A weapon may hit every hand; the lists are kept in both directions, each with an end for every state.
        let hits = u64::from(symbols) * (2 * h * size_of::<State>() as u32 + 2 * size_of::<u32>() as u32) as u64;
        // The sum of two hands has up to A / 2 splits, and A / 3 on average. Kept twice, and as pairs in growing lists.
        let pairs = u64::from(h * (h - 1) / 2);
        let mut turns = BigUint::from(u64::from(h + 1) + pairs * u64::from(symbols / 3 + 1));
        if rules.has_own_variants() {
            // Meta splits once more; suicide, own hands hit, flips, additions and passes are a few turns a pair or hand.
            turns += pairs * u64::from(symbols / 4 + 3) + 3 * u64::from(h) + 2;
        }
        if rules.split_rule().is_multiple() {
            // All hands but the last, which the total gives.
            turns += rules.seat_states() * h / (symbols + h - 1);
        }
        rules.seat_states() * (turns * (8 * size_of::<Turn>() as u32) + hits)
    }

    /// Compiles the rules like [`Self::new`], in at most `memory` bytes, and stops when told to.
    ///
    /// # Errors
    /// As [`Self::new`], when the tables need more than `memory` bytes, and [`Error::Stopped`].
    pub fn within(rules: &Rules, memory: Option<u64>, control: &Control) -> Result<Self> {
        rules.check()?;
        let states = rules.seat_states();
        if states > Self::MAX_STATES.into() {
            return Err(Error::Chopsticks(format!(
                "a seat of {rules} has {states} states and the tables hold {}; lower the rollover amount or the hands",
                Self::MAX_STATES
            )));
        }
        let needed = Self::memory(rules);
        if let Some(limit) = memory.filter(|&limit| needed > limit.into()) {
            return Err(Error::Chopsticks(format!(
                "the tables of {rules} need about {needed} bytes of memory, and {limit} are allowed; lower the \
                 rollover amount or the hands"
            )));
        }
        let shape = rules.shape();
        let seats = Seats::new(shape, rules.hand_count() as usize);
        debug_assert_eq!(BigUint::from(seats.len()), states, "{rules}");
        let live = (0..seats.len()).map(|s| shape.is_live(seats.hands(s), seats.marks(s))).collect();
        let compiler = Compiler { rules, shape, seats: &seats, live };

        let turns = compiler.turns(control)?;
        let turns_into = turns.iter().map(|&(s, t)| (t.other, Turn { other: s, weapon: t.weapon })).collect();
        let (mut hits, mut hits_into) = (Vec::new(), Vec::new());
        for weapon in 0..compiler.weapons() {
            control.check()?;
            let list = compiler.hits(weapon);
            hits_into.push(Lists::new(seats.len(), list.iter().map(|&(t, u)| (u, t)).collect()));
            hits.push(Lists::new(seats.len(), list));
        }
        let start = vec![shape.counting.start(rules.start_fingers()); rules.hand_count() as usize];
        Ok(Self {
            rules: *rules,
            start: compiler.state(start.clone(), shape.fresh(&start)),
            turns: Lists::new(seats.len(), turns),
            turns_into: Lists::new(seats.len(), turns_into),
            hits,
            hits_into,
            live: compiler.live,
            seats,
        })
    }
}

struct Compiler<'a> {
    rules: &'a Rules,
    shape: Shape,
    seats: &'a Seats,
    live: Vec<bool>,
}

impl Compiler<'_> {
    fn states(&self) -> impl Iterator<Item = (State, &[u16], Marks)> {
        (0..self.seats.len()).map(|s| (s as State, self.seats.hands(s), self.seats.marks(s)))
    }

    /// The state with these hands in any order; marks that cannot matter are dropped.
    fn state(&self, mut hands: Vec<u16>, mut marks: Marks) -> State {
        hands.sort_unstable();
        let mut live = hands.iter().filter(|&&c| c > 0);
        match live.next() {
            None => marks = Marks::default(),
            first if first == hands.last() => marks.swaps = 0,
            Some(_) => {}
        }
        self.seats.find(&hands, marks).expect("sorted hands with marks that matter are a state")
    }

    /// The marks of a seat after an attack that may have cost it a life.
    fn attacked(&self, before: &[u16], after: &[u16], marks: Marks) -> Marks {
        let sorted = |hands: &[u16]| {
            let mut hands = hands.to_vec();
            hands.sort_unstable();
            self.shape.is_single_finger(&hands)
        };
        let lost = self.shape.has_lives() && sorted(after) && !sorted(before);
        Marks { lives: marks.lives - u32::from(lost), swaps: 0 }
    }

    /// The hand of one finger, if that is not the end of a hand.
    fn one(&self) -> Option<u16> {
        Some(self.shape.counting.start(1)).filter(|&c| c > 0)
    }

    /// The weapons: a hand each, and one for the cherry bomb.
    fn weapons(&self) -> Weapon {
        (self.shape.counting.symbols() - 1) as Weapon + Weapon::from(self.bomb().is_some())
    }

    /// The number of the cherry bomb, if there is one.
    fn bomb(&self) -> Option<Weapon> {
        (self.rules.has_cherry_bomb() && self.one().is_some()).then_some((self.shape.counting.symbols() - 1) as Weapon)
    }

    fn turns(&self, control: &Control) -> Result<Vec<(State, Turn)>> {
        let mut turns: Vec<(State, Turn)> = Vec::new();
        for (s, hands, marks) in self.states() {
            control.check()?;
            if !self.live[usize::from(s)] {
                let zombie = self.one().filter(|_| self.rules.has_zombies());
                turns.push((s, Turn { other: s, weapon: zombie.map(|c| c - 1) }));
                continue;
            }
            let rested = Marks { swaps: 0, ..marks };
            let calm = self.state(hands.to_vec(), rested);
            turns.extend(hands.iter().filter(|&&a| a > 0).map(|&a| (s, Turn { other: calm, weapon: Some(a - 1) })));
            if self.rules.swap_limit() == Some(marks.swaps) {
                continue;
            }
            if let Some((weapon, one)) = self.bomb().zip(self.one())
                && self.goes_off(hands)
            {
                turns.push((s, Turn { other: self.state(vec![one; 2], rested), weapon: Some(weapon) }));
            }
            let mut own: Vec<State> = Vec::new();
            own::for_each(self.rules, self.shape.counting, hands, &mut |after, kind| {
                let marks = match kind {
                    Kind::Swap if self.rules.swap_limit().is_some() => Marks { swaps: marks.swaps + 1, ..marks },
                    Kind::Attack => self.attacked(hands, after, rested),
                    Kind::Swap | Kind::Other => rested,
                };
                own.push(self.state(after.to_vec(), marks));
                // With many hands the same result may come in thousands of ways.
                if own.len() > usize::from(State::MAX) {
                    own.sort_unstable();
                    own.dedup();
                }
            });
            own.sort_unstable();
            own.dedup();
            turns.extend(own.into_iter().map(|other| (s, Turn { other, weapon: None })));
        }
        Ok(turns)
    }

    /// Tells whether two hands hold exactly the rollover amount.
    fn goes_off(&self, hands: &[u16]) -> bool {
        let value = |c| self.shape.counting.value(c);
        matches!(*hands, [a, b] if a > 0 && value(a) + value(b) == self.shape.counting.limit())
    }

    /// What a weapon turns live seats into.
    fn hits(&self, weapon: Weapon) -> Vec<(State, State)> {
        let mut list = Vec::new();
        for (t, hands, marks) in self.states().filter(|&(t, ..)| self.live[usize::from(t)]) {
            let mut hit = |after: Vec<u16>| {
                let marks = self.attacked(hands, &after, marks);
                list.push((t, self.state(after, marks)));
            };
            if self.bomb() == Some(weapon) {
                hit(vec![0, self.one().unwrap_or(0)]);
                continue;
            }
            for (i, &c) in hands.iter().enumerate().filter(|&(_, &c)| c > 0 || self.rules.hits_dead_hands()) {
                let mut after = hands.to_vec();
                after[i] = self.shape.counting.add(c, weapon + 1);
                hit(after);
            }
        }
        list
    }
}
