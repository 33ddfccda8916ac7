//! The bit-parallel engine: breadth first search that moves whole blocks of positions at a time.
//!
//! A set of positions (s_0, ..., s_{p-1}) is an array of *rows*, one for each (s_0, ..., s_{p-2}) in lexicographic
//! order, and bit s_{p-1} of a row tells whether the position is in the set. So a change of seat j < p - 1 from state t
//! to u, for all other seats at once, ORs blocks of rows into blocks of rows; a change of the last seat moves bits
//! within rows, as a few masked shifts; and the rotation of seats, (s_0, m, b) to (m, b, s_0), transposes an N by N bit
//! matrix for each m.
//!
//! One level, for the frontier F and the set of found positions V:
//!
//! ```text
//! for each tile q = (s_1 .. s_k), in parallel:            # what q pulls becomes one stretch of rows after rotation
//!     skip q if everything in its stretch of V is found
//!     for each state s' of the acting seat:
//!         A[s'] = OR of F[s, q]            over the turns s -> s' without a weapon
//!               | OR of F[s, q with t for u in one place]  over the turns with a weapon that hits t -> u
//!               | F[s, q] with the weapon's hits among the inner seats s_{k+1} .. s_{p-2} and the last seat
//!     R = A rotated;  new = R and not V[stretch];  V |= new;  next F[stretch] = new without the endings
//! ```
//!
//! A tile reads F, which nobody writes, and writes stretches of V and of the next F that nobody else touches: no locks
//! and no atomics. There are N^k tiles, so two players, who have no outer seat, have one tile and use one thread.
//! Blocks of F known to be empty are not read, which makes the thin first and last levels cheap.
//!
//! The transposition works on all rows of a tile at once: the butterfly steps exchange bits between row s and row
//! s + 2^i for every inner m in the same loop, so that it vectorises for any word size.
//!
//! Cost: N^p bits each for V, F and the next F, in words of 16, 32 or 64 bits; time O(levels * rows) at worst, with a
//! constant of a few word operations per seat. Rows of more than one word (N > 64) keep every seat but the last
//! outside, and move the last seat's bits one by one, once in the life of a position.

use std::ops::{AddAssign, BitAnd, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

use num_bigint::BigUint;
use rayon::prelude::*;

use crate::chopsticks::moves::{Machine, State, Weapon};
use crate::chopsticks::reach::{Ending, Found, Level};
use crate::error::Result;
use crate::run::{Control, try_vec};

/// The rows of a block: more make longer loops, fewer make finer skipping and a scratch area that stays in the cache.
const BLOCK_ROWS: usize = 256;

/// A machine word that holds a row or a part of it.
trait Word:
    Copy
    + Send
    + Sync
    + PartialEq
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitOrAssign
    + BitXorAssign
    + AddAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const BITS: u32;
    const ZERO: Self;
    /// The low bits of `word`.
    fn low(word: u64) -> Self;
    fn wide(self) -> u64;
    /// The number of its bits, in the same type, so that the lanes of a vector stay as they are.
    fn ones(self) -> Self;
    fn found(words: Vec<Self>) -> Found;
}

macro_rules! word {
    ($word:ty, $found:ident) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            fn low(word: u64) -> Self {
                word as Self
            }
            fn wide(self) -> u64 {
                self.into()
            }
            fn ones(self) -> Self {
                self.count_ones() as Self
            }
            fn found(words: Vec<Self>) -> Found {
                Found::$found(words)
            }
        }
    };
}

word!(u16, Rows16);
word!(u32, Rows32);
word!(u64, Rows64);

/// The bits of a word that serves `states` states, and the words of a row.
const fn word_size(states: usize) -> (u32, usize) {
    match states {
        0..=16 => (16, 1),
        17..=32 => (32, 1),
        _ => (64, states.div_ceil(64)),
    }
}

/// The number of inner seats, and the rows of a block: N to that number.
const fn inner_seats(states: usize, players: usize) -> (usize, usize) {
    let (mut inner, mut block) = (0, 1);
    while word_size(states).1 == 1 && inner + 2 < players && block * states <= BLOCK_ROWS {
        inner += 1;
        block *= states;
    }
    (inner, block)
}

/// The bytes that [`run`] takes, beside the tables of the machine.
pub(super) fn memory(machine: &Machine) -> BigUint {
    let (states, players) = (machine.states(), machine.players());
    let (bits, per_row) = word_size(states);
    let (inner, block) = inner_seats(states, players);
    let power = |seats: usize| BigUint::from(states).pow(seats as u32);
    // Every thread that has a tile to work on has an image and its rotation.
    let threads = BigUint::from(rayon::current_num_threads()).min(power(players.saturating_sub(2 + inner)));
    let scratch = (per_row * bits as usize + states) * per_row * block * (bits as usize / 8);
    // Three sets of rows; the flags and counters of blocks are below 1/64 of that. The machine in the form of
    // arrivals takes up to 256 bytes a state besides what the turns take.
    power(players.saturating_sub(1)) * per_row * (bits / 8) * 3_u32 * 65_u32 / 64_u32 + threads * scratch + 256 * states
}

/// Runs the engine on a game whose start is not over.
pub(super) fn run(
    machine: &Machine,
    control: &Control,
    report: &mut impl FnMut(Level, u64) -> Result<()>,
) -> Result<(Found, Vec<Ending>)> {
    match word_size(machine.states()).0 {
        16 => search::<u16>(machine, control, report),
        32 => search::<u32>(machine, control, report),
        _ => search::<u64>(machine, control, report),
    }
}

/// A way for the acting seat to come into a state by hitting another seat.
struct Strike<W> {
    from: State,
    weapons: Vec<Weapon>,
    /// All hits of the weapons, for inner seats; empty when there are none.
    hits: Vec<(State, State)>,
    /// All hits of the weapons as masked shifts of a row, to the left if positive; empty when a row has many words.
    shifts: Vec<(W, i32)>,
}

/// How the acting seat may come into one state.
struct Arrivals<W> {
    /// From these states by a turn without a weapon.
    alone: Vec<State>,
    strikes: Vec<Strike<W>>,
}

/// The shape of the arrays, and the machine in the form that the inner loops want.
struct Shape<'a, W> {
    machine: &'a Machine,
    states: usize,
    per_row: usize,
    /// N^i for i = 0 ..= number of outer seats.
    powers: Vec<usize>,
    /// The number of seats that distinguish tiles.
    outer: usize,
    /// The distances between rows that differ by one in an inner seat, from the outermost inner seat to the last.
    runs: Vec<usize>,
    /// The rows of a block: N to the number of inner seats.
    block: usize,
    arrivals: Vec<Arrivals<W>>,
    live: Vec<bool>,
    /// The bits of dead states in a row, for each word of it.
    dead: Vec<W>,
    /// All bits that are states, for each word of a row.
    every: Vec<W>,
    /// For each row of a stretch, how many of its seats outside the tile's prefix are live.
    stretch_live: Vec<u8>,
}

impl<'a, W: Word> Shape<'a, W> {
    fn new(machine: &'a Machine) -> Self {
        let states = machine.states();
        let per_row = word_size(states).1;
        let (inner, block) = inner_seats(states, machine.players());
        let outer = machine.players() - 2 - inner;
        let live: Vec<bool> = (0..states).map(|s| machine.is_live(s as State)).collect();
        let mask = |keep: &dyn Fn(usize) -> bool| -> Vec<W> {
            let mut words = vec![0_u64; per_row];
            for s in (0..states).filter(|&s| keep(s)) {
                words[s / W::BITS as usize] |= 1 << (s % W::BITS as usize);
            }
            words.into_iter().map(W::low).collect()
        };
        let stretch_live = (0..block * states)
            .map(|mut row| {
                let mut count = 0;
                for _ in 0..=inner {
                    count += u8::from(live[row % states]);
                    row /= states;
                }
                count
            })
            .collect();
        Self {
            machine,
            states,
            per_row,
            powers: (0..=outer as u32).map(|i| states.pow(i)).collect(),
            outer,
            runs: (0..inner as u32).rev().map(|i| states.pow(i)).collect(),
            block,
            arrivals: (0..states).map(|s| Arrivals::new(machine, s as State, per_row == 1)).collect(),
            dead: mask(&|s| !live[s]),
            every: mask(&|_| true),
            live,
            stretch_live,
        }
    }

    fn tiles(&self) -> usize {
        self.powers[self.outer]
    }

    const fn block_words(&self) -> usize {
        self.block * self.per_row
    }

    const fn stretch_words(&self) -> usize {
        self.states * self.block_words()
    }

    /// The positions of a stretch.
    const fn stretch_positions(&self) -> usize {
        self.states * self.block * self.states
    }

    /// The state of outer seat `seat` (0 is s_1) in tile `q`.
    fn digit(&self, q: usize, seat: usize) -> usize {
        q / self.powers[self.outer - 1 - seat] % self.states
    }
}

impl<W: Word> Arrivals<W> {
    fn new(machine: &Machine, to: State, single_word: bool) -> Self {
        let mut alone = Vec::new();
        let mut strikes: Vec<Strike<W>> = Vec::new();
        for turn in machine.turns_into(to) {
            match turn.weapon {
                None => alone.push(turn.other),
                Some(weapon) => match strikes.iter_mut().find(|strike| strike.from == turn.other) {
                    Some(strike) => strike.weapons.push(weapon),
                    None => strikes.push(Strike {
                        from: turn.other,
                        weapons: vec![weapon],
                        hits: Vec::new(),
                        shifts: Vec::new(),
                    }),
                },
            }
        }
        if single_word {
            for strike in &mut strikes {
                for &weapon in &strike.weapons {
                    for t in 0..machine.states() as State {
                        strike.hits.extend(machine.hits(weapon, t).iter().map(|&u| (t, u)));
                    }
                }
                strike.hits.sort_unstable();
                strike.hits.dedup();
                let mut shifts: Vec<(u64, i32)> = Vec::new();
                for &(t, u) in &strike.hits {
                    let by = i32::from(u) - i32::from(t);
                    match shifts.iter_mut().find(|shift| shift.1 == by) {
                        Some(shift) => shift.0 |= 1 << t,
                        None => shifts.push((1 << t, by)),
                    }
                }
                strike.shifts = shifts.into_iter().map(|(mask, by)| (W::low(mask), by)).collect();
            }
        }
        Self { alone, strikes }
    }
}

/// The frontier: its rows, and which of its blocks are not empty.
struct Frontier<W> {
    words: Vec<W>,
    filled: Vec<bool>,
}

impl<W: Word> Frontier<W> {
    fn new(shape: &Shape<'_, W>) -> Result<Self> {
        let blocks = (shape.tiles() * shape.states) as u64;
        Ok(Self {
            words: try_vec("the frontier", blocks * shape.block_words() as u64, W::ZERO)?,
            filled: try_vec("the frontier", blocks, false)?,
        })
    }

    /// The rows of acting state `s` in tile `q`, unless they are empty.
    fn block(&self, shape: &Shape<'_, W>, s: State, q: usize) -> Option<&[W]> {
        let block = usize::from(s) * shape.tiles() + q;
        let len = shape.block_words();
        self.filled[block].then(|| &self.words[block * len..][..len])
    }
}

/// What one worker needs to process a tile.
struct Scratch<W> {
    /// A: for each acting state, padded to whole words, `per_row` planes of `block` words.
    image: Vec<W>,
    /// The rotated image, in the layout of a stretch.
    rotated: Vec<W>,
}

fn search<W: Word>(
    machine: &Machine,
    control: &Control,
    report: &mut impl FnMut(Level, u64) -> Result<()>,
) -> Result<(Found, Vec<Ending>)> {
    let shape = Shape::<W>::new(machine);
    let mut frontier = Frontier::new(&shape)?;
    let mut next = Frontier::new(&shape)?;
    let mut found = try_vec("the set of positions found", frontier.words.len() as u64, W::ZERO)?;
    let mut missing = try_vec("the counters of tiles", shape.tiles() as u64, shape.stretch_positions() as u64)?;

    let start = machine.start();
    let row = start[..start.len() - 1].iter().fold(0, |row, &s| row * shape.states + usize::from(s));
    let last = usize::from(start[start.len() - 1]);
    let word = row * shape.per_row + last / W::BITS as usize;
    frontier.words[word] = W::low(1 << (last % W::BITS as usize));
    found[word] = frontier.words[word];
    frontier.filled[row / shape.block] = true;
    missing[row / (shape.block * shape.states)] -= 1;
    report(Level { depth: 0, positions: 1, endings: 0 }, 1)?;

    let (mut endings, mut total) = (Vec::new(), 1);
    for depth in 1.. {
        let scratch = || Scratch {
            image: vec![W::ZERO; shape.per_row * W::BITS as usize * shape.block_words()],
            rotated: vec![W::ZERO; shape.stretch_words()],
        };
        let (positions, mut ended) = found
            .par_chunks_mut(shape.stretch_words())
            .zip(next.words.par_chunks_mut(shape.stretch_words()))
            .zip(next.filled.par_chunks_mut(shape.states))
            .zip(&mut missing)
            .enumerate()
            .map_init(scratch, |scratch, (q, (((found, next), filled), missing))| {
                // A stopped level is thrown away, so what is left undone does not matter.
                if control.is_stopped() {
                    return (0, Vec::new());
                }
                let mut tile = Tile { shape: &shape, q, found, next, filled };
                let (new, endings) = if *missing > 0 && tile.pull(&frontier, scratch) {
                    tile.settle(scratch, depth)
                } else {
                    tile.clear()
                };
                *missing -= new;
                (new, endings)
            })
            .reduce(
                || (0, Vec::new()),
                |mut a, mut b| {
                    a.1.append(&mut b.1);
                    (a.0 + b.0, a.1)
                },
            );
        control.check()?;
        if positions == 0 {
            break;
        }
        total += positions;
        report(Level { depth, positions, endings: ended.len() as u64 }, total)?;
        endings.append(&mut ended);
        std::mem::swap(&mut frontier, &mut next);
    }
    Ok((W::found(found), endings))
}

/// One tile at work: the stretch of rows that it alone writes.
struct Tile<'a, W> {
    shape: &'a Shape<'a, W>,
    q: usize,
    found: &'a mut [W],
    next: &'a mut [W],
    filled: &'a mut [bool],
}

impl<W: Word> Tile<'_, W> {
    /// Empties what is left of the frontier before last.
    fn clear(&mut self) -> (u64, Vec<Ending>) {
        for (block, filled) in self.next.chunks_exact_mut(self.shape.block_words()).zip(&mut *self.filled) {
            if *filled {
                block.fill(W::ZERO);
                *filled = false;
            }
        }
        (0, Vec::new())
    }

    /// Computes the image of the frontier, before rotation, and tells whether there is any.
    fn pull(&self, frontier: &Frontier<W>, scratch: &mut Scratch<W>) -> bool {
        let (shape, q) = (self.shape, self.q);
        let mut any = false;
        // The last rotation may have left bits in the rows that only pad the squares.
        scratch.image[shape.stretch_words()..].fill(W::ZERO);
        for (image, arrivals) in scratch.image.chunks_exact_mut(shape.block_words()).zip(&shape.arrivals) {
            image.fill(W::ZERO);
            for &from in &arrivals.alone {
                if let Some(block) = frontier.block(shape, from, q) {
                    or(image, block);
                    any = true;
                }
            }
            for strike in &arrivals.strikes {
                for seat in 0..shape.outer {
                    let power = shape.powers[shape.outer - 1 - seat];
                    let result = shape.digit(q, seat);
                    let others = q - result * power;
                    for &weapon in &strike.weapons {
                        for &target in shape.machine.hits_into(weapon, result as State) {
                            let tile = others + usize::from(target) * power;
                            if let Some(block) = frontier.block(shape, strike.from, tile) {
                                or(image, block);
                                any = true;
                            }
                        }
                    }
                }
                if let Some(block) = frontier.block(shape, strike.from, q) {
                    strike.hit_inner(shape, image, block);
                    strike.hit_last(shape.machine, image, block);
                    any = true;
                }
            }
        }
        any
    }

    /// Rotates the image into place and keeps what is new: in the set found, and in the next frontier unless it is an
    /// ending. Returns the number of new positions and the endings among them.
    fn settle(&mut self, scratch: &mut Scratch<W>, depth: u32) -> (u64, Vec<Ending>) {
        let shape = self.shape;
        rotate(shape, &mut scratch.image, &mut scratch.rotated);
        let len = shape.block_words();
        let mut count = 0;
        for (i, filled) in self.filled.iter_mut().enumerate() {
            let block = i * len..(i + 1) * len;
            let (found, next) = (&mut self.found[block.clone()], &mut self.next[block.clone()]);
            let new = keep_new(&scratch.rotated[block], found, next);
            *filled = new > 0;
            count += new;
        }
        let endings = if count > 0 { self.take_endings(depth) } else { Vec::new() };
        (count, endings)
    }

    /// Takes the endings out of the next frontier.
    fn take_endings(&mut self, depth: u32) -> Vec<Ending> {
        let shape = self.shape;
        let prefix = (0..shape.outer).filter(|&seat| shape.live[shape.digit(self.q, seat)]).count();
        let mut endings = Vec::new();
        if prefix > 1 {
            return endings;
        }
        let first_row = self.q * shape.stretch_live.len();
        for (row, &live) in shape.stretch_live.iter().enumerate() {
            let over = match prefix + usize::from(live) {
                0 => &shape.every,
                1 => &shape.dead,
                _ => continue,
            };
            for (i, &over) in over.iter().enumerate() {
                let word = &mut self.next[row * shape.per_row + i];
                let mut ended = (*word & over).wide();
                *word = *word & !over;
                while ended != 0 {
                    let state = i * W::BITS as usize + ended.trailing_zeros() as usize;
                    endings.push(Ending { rank: ((first_row + row) * shape.states + state) as u64, depth });
                    ended &= ended - 1;
                }
            }
        }
        endings
    }
}

impl<W: Word> Strike<W> {
    /// Hits the inner seats, whose changes move rows within a block.
    fn hit_inner(&self, shape: &Shape<'_, W>, image: &mut [W], block: &[W]) {
        for &run in &shape.runs {
            let group = run * shape.states;
            for (image, block) in image.chunks_exact_mut(group).zip(block.chunks_exact(group)) {
                if run == 1 {
                    for &(t, u) in &self.hits {
                        image[usize::from(u)] |= block[usize::from(t)];
                    }
                } else {
                    for &(t, u) in &self.hits {
                        or(&mut image[usize::from(u) * run..][..run], &block[usize::from(t) * run..][..run]);
                    }
                }
            }
        }
    }

    /// Hits the last seat, whose changes move bits within rows.
    fn hit_last(&self, machine: &Machine, image: &mut [W], block: &[W]) {
        for &(mask, by) in &self.shifts {
            let shift = by.unsigned_abs();
            if by >= 0 {
                image.iter_mut().zip(block).for_each(|(x, &y)| *x |= (y & mask) << shift);
            } else {
                image.iter_mut().zip(block).for_each(|(x, &y)| *x |= (y & mask) >> shift);
            }
        }
        if self.shifts.is_empty() {
            for (i, &word) in block.iter().enumerate() {
                let mut bits = word.wide();
                while bits != 0 {
                    let target = i * W::BITS as usize + bits.trailing_zeros() as usize;
                    for &weapon in &self.weapons {
                        for &result in machine.hits(weapon, target as State) {
                            let result = usize::from(result);
                            image[result / W::BITS as usize] |= W::low(1 << (result % W::BITS as usize));
                        }
                    }
                    bits &= bits - 1;
                }
            }
        }
    }
}

fn or<W: Word>(into: &mut [W], from: &[W]) {
    into.iter_mut().zip(from).for_each(|(x, &y)| *x |= y);
}

/// Adds `image` to `found` and leaves in `next` what was new; returns how many positions that is, which a word holds:
/// the three are one block, and a block of one-word rows has at most [`BLOCK_ROWS`] of them.
fn keep_new<W: Word>(image: &[W], found: &mut [W], next: &mut [W]) -> u64 {
    let mut count = W::ZERO;
    for ((&image, found), next) in image.iter().zip(found).zip(next) {
        let new = image & !*found;
        *found |= new;
        *next = new;
        count += new.ones();
    }
    count.wide()
}

/// Moves bit b of row (s, m) to bit s of row (m, b), for every s, m and b. Destroys `image`.
fn rotate<W: Word>(shape: &Shape<'_, W>, image: &mut [W], rotated: &mut [W]) {
    let bits = W::BITS as usize;
    let (per_row, row) = (shape.per_row, shape.block_words());
    for (i, square) in image.chunks_exact_mut(bits * row).enumerate() {
        for plane in 0..per_row {
            transpose(square, row, plane * shape.block, shape.block);
        }
        // Word `plane` of row x of square i now holds, at its bits, the acting states of word i for last state x.
        for (x, image) in square.chunks_exact(row).enumerate() {
            for (plane, image) in image.chunks_exact(shape.block).enumerate() {
                let last = plane * bits + x;
                if last < shape.states {
                    let into = rotated[last * per_row + i..].iter_mut().step_by(shape.states * per_row);
                    into.zip(image).for_each(|(into, &word)| *into = word);
                }
            }
        }
    }
}

/// Transposes, for each of `lanes` neighbouring words from `first` on, the square of bits that `W::BITS` rows at a
/// distance of `row` words make.
fn transpose<W: Word>(square: &mut [W], row: usize, first: usize, lanes: usize) {
    let mut distance = W::BITS / 2;
    while distance > 0 {
        // The lower group of `distance` bits in every two.
        let mask = W::low(u64::MAX / ((1 << distance) + 1));
        let step = distance as usize;
        for upper in (0..W::BITS as usize).filter(|upper| upper & step == 0) {
            let (low, high) = square.split_at_mut((upper + step) * row);
            let low = &mut low[upper * row + first..][..lanes];
            let high = &mut high[first..][..lanes];
            for (x, y) in low.iter_mut().zip(high) {
                let exchange = (*x >> distance ^ *y) & mask;
                *y ^= exchange;
                *x ^= exchange << distance;
            }
        }
        distance /= 2;
    }
}
