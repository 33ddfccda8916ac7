//! The rules once more, written straight from their text on vectors of hands, slowly, and with no code of the library.
//!
//! A hand counts half fingers, so that one finger is 2; a dead hand is `None`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The kinds of transfers or of divisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    None,
    Single,
    /// Transfers among many hands, or a partition.
    Multiple,
    Several,
    Free,
    Halves,
    HalvesOdd,
}

/// A game, variant by variant.
#[derive(Debug, Clone, Copy)]
pub struct Game {
    pub p: usize,
    pub r: i32,
    pub h: usize,
    pub cutoff: bool,
    pub transfers: Split,
    pub divisions: Split,
    pub misere: bool,
    pub suns: bool,
    pub suicide: bool,
    pub swaps: Option<Option<u32>>,
    pub sudden_death: Option<Option<u32>>,
    /// Whether one hand may die without suicide.
    pub meta: Option<bool>,
    pub logan: bool,
    pub death_attack: bool,
    pub zombies: bool,
    pub self_attack: bool,
    /// Whether hands have signs.
    pub integers: Option<bool>,
    pub cherry_bomb: bool,
    /// Whether transfers stay.
    pub self_addition: Option<bool>,
    /// Whether splits move halves.
    pub stumps: Option<bool>,
}

pub const BASE: Game = Game {
    p: 2,
    r: 5,
    h: 2,
    cutoff: false,
    transfers: Split::Single,
    divisions: Split::Single,
    misere: false,
    suns: false,
    suicide: false,
    swaps: None,
    sudden_death: None,
    meta: None,
    logan: false,
    death_attack: false,
    zombies: false,
    self_attack: false,
    integers: None,
    cherry_bomb: false,
    self_addition: None,
    stumps: None,
};

type Hand = Option<i32>;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat {
    hands: Vec<Hand>,
    lives: u32,
    swaps: u32,
}

pub type Position = Vec<Seat>;

/// Who wins, for the player to act, in how many plies; a draw is `None`.
pub type Result = Option<(bool, u32)>;

impl Game {
    fn signed(&self) -> bool {
        self.integers == Some(true)
    }

    pub fn start(&self) -> Position {
        let fingers = if self.suns { self.r - 1 } else { 1 };
        let hand = Some(2 * fingers).filter(|&c| c > 0 && c < 2 * self.r);
        let mut seat = Seat { hands: vec![hand; self.h], lives: 0, swaps: 0 };
        if let Some(Some(lives)) = self.sudden_death
            && hand.is_some()
        {
            seat.lives = lives;
        }
        vec![seat; self.p]
    }

    fn is_out(&self, seat: &Seat) -> bool {
        let fingers = seat.hands.iter().flatten().sum::<i32>();
        seat.hands.iter().all(Option::is_none)
            || self.sudden_death == Some(None) && fingers <= 2
            || matches!(self.sudden_death, Some(Some(_))) && seat.lives == 0
    }

    pub fn is_over(&self, position: &Position) -> bool {
        position.iter().filter(|seat| !self.is_out(seat)).count() <= 1
    }

    /// What a hand becomes that had `c` and gains `a`.
    fn add(&self, c: Hand, a: i32) -> Hand {
        let (sum, end) = (c.unwrap_or(0) + a, 2 * self.r);
        if self.signed() {
            return Some(sum).filter(|sum| -end < *sum && *sum < end);
        }
        match sum {
            0 => None,
            _ if sum < end => Some(sum),
            _ if self.cutoff => None,
            _ => Some(sum - end).filter(|&rest| rest > 0),
        }
    }

    /// A seat after an attack on it.
    fn attacked(&self, before: &Seat, hands: Vec<Hand>) -> Seat {
        let one_finger = |hands: &[Hand]| {
            let live: Vec<i32> = hands.iter().flatten().copied().collect();
            live == [2]
        };
        let mut seat = Seat { hands, lives: before.lives, swaps: 0 };
        if matches!(self.sudden_death, Some(Some(_))) && one_finger(&seat.hands) && !one_finger(&before.hands) {
            seat.lives -= 1;
        }
        self.tidy(seat)
    }

    /// Sorts the hands; a seat without hands has no lives.
    fn tidy(&self, mut seat: Seat) -> Seat {
        seat.hands.sort();
        if seat.hands.iter().all(Option::is_none) {
            seat.lives = 0;
        }
        seat
    }

    /// The ways to hit a hand of `seat` with `a`.
    fn hits(&self, seat: &Seat, a: i32) -> Vec<Seat> {
        let mut after = Vec::new();
        for (i, &c) in seat.hands.iter().enumerate() {
            if c.is_some() || self.death_attack {
                let mut hands = seat.hands.clone();
                hands[i] = self.add(c, a);
                after.push(self.attacked(seat, hands));
            }
        }
        after
    }

    pub fn moves(&self, position: &Position) -> BTreeSet<Position> {
        let mut after = BTreeSet::new();
        if self.is_over(position) {
            return after;
        }
        let me = &position[0];
        // Puts seat 0 and one other seat where they belong after the turn.
        let mut go = |mine: Seat, other: Option<(usize, Seat)>| {
            let mut next = position.clone();
            next[0] = mine;
            if let Some((i, seat)) = other {
                next[i] = seat;
            }
            next.rotate_left(1);
            after.insert(next);
        };
        let others: Vec<usize> = (1..position.len()).filter(|&i| !self.is_out(&position[i])).collect();
        if self.is_out(me) {
            if self.zombies {
                for &i in &others {
                    self.hits(&position[i], 2).into_iter().for_each(|seat| go(me.clone(), Some((i, seat))));
                }
            } else {
                go(me.clone(), None);
            }
            return after;
        }
        let rested = Seat { swaps: 0, ..me.clone() };
        for &a in me.hands.iter().flatten() {
            for &i in &others {
                self.hits(&position[i], a).into_iter().for_each(|seat| go(rested.clone(), Some((i, seat))));
            }
        }
        if let Some(Some(most)) = self.swaps
            && me.swaps == most
        {
            return after;
        }
        if self.cherry_bomb
            && me.hands.iter().all(Option::is_some)
            && me.hands.iter().flatten().sum::<i32>() == 2 * self.r
        {
            for &i in &others {
                let target = self.attacked(&position[i], vec![None, Some(2)]);
                go(Seat { hands: vec![Some(2); 2], ..rested.clone() }, Some((i, target)));
            }
        }
        for hands in self.own_changes(&me.hands) {
            go(self.tidy(Seat { hands, ..rested.clone() }), None);
        }
        if self.self_attack {
            for i in 0..self.h {
                for j in 0..self.h {
                    if let Some(a) = me.hands[i]
                        && i != j
                        && (me.hands[j].is_some() || self.death_attack)
                    {
                        let mut hands = me.hands.clone();
                        hands[j] = self.add(hands[j], a);
                        go(self.attacked(me, hands), None);
                    }
                }
            }
        }
        let live: BTreeSet<i32> = me.hands.iter().flatten().copied().collect();
        if self.logan && me.hands.contains(&None) {
            go(rested.clone(), None);
        }
        if let Some(limit) = self.swaps
            && live.len() > 1
        {
            go(Seat { swaps: if limit.is_some() { me.swaps + 1 } else { 0 }, ..me.clone() }, None);
        }
        after
    }

    /// The hands after a turn that is no attack and no pass.
    fn own_changes(&self, hands: &[Hand]) -> Vec<Vec<Hand>> {
        let mut found = Vec::new();
        let end = 2 * self.r;
        let transfers = if self.self_addition == Some(false) { Split::None } else { self.transfers };
        // Fingers that move from hand i to hand j.
        let step = if self.stumps == Some(true) { 1 } else { 2 };
        for i in 0..hands.len() {
            for j in 0..hands.len() {
                let (Some(a), b) = (hands[i], hands[j]) else { continue };
                let kind = if b.is_some() { transfers } else { self.divisions };
                if i == j || kind == Split::None {
                    continue;
                }
                // Gives `moved` of hand i to hand j, if hand i is live after and hand j does not die.
                let give = |moved: i32| {
                    let moved = moved * a.signum();
                    let (x, y) = (a - moved, b.unwrap_or(0) + moved);
                    (moved.abs() <= a.abs() && (self.signed() || x > 0) && y.abs() < end).then_some((x, y))
                };
                let amounts = || (step..=a.abs()).step_by(step as usize).filter_map(give);
                let halves = matches!(kind, Split::Halves | Split::HalvesOdd);
                let even = |&(x, y): &(i32, i32)| (x - y).abs();
                // As even as it can be made from either side, or as it is.
                let reverse = Game { transfers, ..*self }.give_back(hands, i, j, step);
                let least = amounts().chain(reverse).map(|pair| even(&pair)).chain(b.map(|b| (a - b).abs())).min();
                for (x, y) in amounts() {
                    if halves && (Some(even(&(x, y))) != least || kind == Split::Halves && x != y) {
                        continue;
                    }
                    let mut after = hands.to_vec();
                    after[i] = Some(x);
                    after[j] = Some(y);
                    let mut sorted = after.clone();
                    sorted.sort();
                    if sorted != hands {
                        found.push(after);
                    }
                }
            }
        }
        self.many(hands, transfers, &mut found);
        let mut set = |changes: &[(usize, Hand)]| {
            let mut after = hands.to_vec();
            changes.iter().for_each(|&(i, c)| after[i] = c);
            found.push(after);
        };
        for i in 0..hands.len() {
            let Some(a) = hands[i] else { continue };
            if self.self_addition.is_some() {
                set(&[(i, self.add(Some(a), 2))]);
            }
            let flipped = match self.integers {
                None => a,
                Some(false) => end - a,
                Some(true) => -a,
            };
            if flipped != a {
                set(&[(i, Some(flipped))]);
            }
            for (j, &b) in hands.iter().enumerate().skip(i + 1) {
                let Some(b) = b else { continue };
                if self.suicide && a != 0 && b != 0 && (a + b).abs() < end {
                    set(&[(i, None), (j, Some(a + b))]);
                }
                if let Some(any) = self.meta
                    && a + b > end
                {
                    let rest = a + b - end;
                    for x in 0..=rest {
                        let y = rest - x;
                        let may_die = any || self.suicide;
                        let whole = match self.stumps {
                            None => x % 2 == 0 && y % 2 == 0,
                            Some(false) => x % 2 == 0 || y % 2 == 0,
                            Some(true) => true,
                        };
                        if whole && (may_die || x > 0 && y > 0) {
                            set(&[(i, Some(x).filter(|&x| x > 0)), (j, Some(y).filter(|&y| y > 0))]);
                        }
                    }
                }
            }
        }
        let live: Vec<i32> = hands.iter().flatten().copied().collect();
        if self.stumps.is_some() && live == [2] {
            let mut after = vec![None; hands.len()];
            after[0] = Some(1);
            after[1] = Some(1);
            found.push(after);
        }
        found
    }

    /// What hands i and j may hold after hand j gave to hand i.
    fn give_back(&self, hands: &[Hand], i: usize, j: usize, step: i32) -> Vec<(i32, i32)> {
        let (Some(a), Some(b)) = (hands[i], hands[j]) else { return Vec::new() };
        (step..=b.abs())
            .step_by(step as usize)
            .map(|moved| (a + moved * b.signum(), b - moved * b.signum()))
            .filter(|&(x, y)| (self.signed() || y > 0) && x.abs() < 2 * self.r)
            .collect()
    }

    /// Splits among many hands: of all the ways to hold the same fingers, those that the rule allows.
    fn many(&self, hands: &[Hand], transfers: Split, found: &mut Vec<Vec<Hand>>) {
        let multiple = transfers == Split::Multiple;
        let divides = matches!(self.divisions, Split::Multiple | Split::Several | Split::Free);
        if !multiple && !divides {
            return;
        }
        let size = |hand: Hand| hand.unwrap_or(0) / 2;
        let fingers = |hands: &[Hand]| hands.iter().map(|&hand| size(hand)).sum::<i32>();
        let mut all = vec![Vec::new()];
        for _ in hands {
            let grow = |part: &Vec<Hand>| {
                let values = (0..self.r).map(|c| Some(2 * c).filter(|&c| c > 0));
                values.map(|c| [part.as_slice(), &[c]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(grow).collect();
        }
        for after in all.into_iter().filter(|after| fingers(after) == fingers(hands)) {
            let mut sorted = after.clone();
            sorted.sort();
            if sorted == hands {
                continue;
            }
            let pairs = || hands.iter().zip(&after).map(|(&before, &after)| (before, after));
            let dies = pairs().any(|(before, after)| before.is_some() && after.is_none());
            let revives = pairs().any(|(before, after)| before.is_none() && after.is_some());
            let changed = pairs().filter(|(before, after)| before.is_some() && before != after).count();
            let gains = pairs().any(|(before, after)| before.is_some() && after > before);
            let allowed = if revives {
                match self.divisions {
                    Split::Multiple => changed == 1 && !gains,
                    Split::Several => !gains,
                    Split::Free => true,
                    _ => false,
                }
            } else {
                multiple
            };
            if allowed && !dies {
                found.push(after);
            }
        }
    }

    /// Every position that can be reached, with its least number of moves.
    pub fn reach(&self) -> BTreeMap<Position, u32> {
        let mut found = BTreeMap::from([(self.start(), 0)]);
        let mut level = vec![self.start()];
        for depth in 1.. {
            let mut next = Vec::new();
            for after in level.iter().flat_map(|position| self.moves(position)) {
                if !found.contains_key(&after) {
                    found.insert(after.clone(), depth);
                    next.push(after);
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        found
    }

    /// The values of the two-player game: sweep after sweep over all positions, until one changes nothing. Sweep k
    /// uses what sweep k - 1 knew, so that its number is the number of plies.
    pub fn values(&self, positions: impl Iterator<Item = Position>) -> HashMap<Position, Result> {
        let mut known = HashMap::new();
        let mut open = Vec::new();
        for position in positions {
            match (self.is_out(&position[0]), self.is_out(&position[1])) {
                (false, false) => open.push((self.moves(&position), position)),
                (true, true) => {
                    known.insert(position, None);
                }
                (mine, _) => {
                    known.insert(position, Some((mine == self.misere, 0)));
                }
            }
        }
        for plies in 1.. {
            let mut new = Vec::new();
            open.retain(|(after, position)| {
                let wins = |next: &Position| matches!(known.get(next), Some(Some((false, _))));
                let loses = |next: &Position| matches!(known.get(next), Some(Some((true, _))));
                let won = after.iter().any(wins);
                let decided = won || after.iter().all(loses);
                if decided {
                    new.push((position.clone(), Some((won, plies))));
                }
                !decided
            });
            if new.is_empty() {
                break;
            }
            known.extend(new);
        }
        known.extend(open.into_iter().map(|(_, position)| (position, None)));
        known
    }

    /// How the library writes a position.
    pub fn code(&self, position: &Position) -> String {
        let wide = self.signed() || self.stumps.is_some() || self.r > 10;
        let counts = matches!(self.sudden_death, Some(Some(_))) || matches!(self.swaps, Some(Some(_)));
        let hand = |hand: &Hand| match hand {
            None if self.signed() => "x".to_owned(),
            None => "0".to_owned(),
            Some(c) if c % 2 == 0 => (c / 2).to_string(),
            Some(c) => format!("{}.5", c / 2),
        };
        let seats: Vec<String> = position
            .iter()
            .map(|seat| {
                let hands: Vec<String> = seat.hands.iter().map(hand).collect();
                let mut text = hands.join(if wide { "," } else { "" });
                if matches!(self.sudden_death, Some(Some(_))) && seat.hands.iter().any(Option::is_some) {
                    text += &format!(":{}", seat.lives);
                }
                if seat.swaps > 0 {
                    text += &format!("~{}", seat.swaps);
                }
                text
            })
            .collect();
        seats.join(if wide || counts { "|" } else { "" })
    }
}
