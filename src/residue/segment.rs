//! One segment: all heaps of some blocks, decided from the lists alone.

use super::lists::Lists;
use super::structure::Structure;
use super::transpose::{Layout, to_bytes};
use super::{BLOCK, BLOCK_WORDS, Wanted};
use crate::kernel::{Cpu, KILL_WORDS, take_windows};
use crate::set::Rows;

/// One bit for each place of a block in a row.
type Lanes = [u64; BLOCK_WORDS];

/// What a segment is decided from.
#[derive(Clone, Copy)]
pub(super) struct Game<'a> {
    pub(super) structure: &'a Structure,
    /// The structure's moves by exceptions.
    pub(super) exceptional: &'a [Vec<(usize, u32)>],
    pub(super) lists: &'a Lists,
    pub(super) rows: &'a dyn Rows,
    /// The values of the first heaps, which are known already: lists need not decide them.
    pub(super) beginning: &'a [u8],
    pub(super) cpu: Cpu,
    pub(super) wanted: Wanted,
}

/// The last 64 places of each class and row, all that exceptions can see of what came before. Empty where there are no
/// exceptions.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    words: Vec<Vec<u64>>,
}

impl History {
    /// The history of a game whose first heaps have these values, before the block `block`.
    pub(super) fn of_values(structure: &Structure, values: &[u8], block: u64, classes: usize) -> Self {
        let mut history = Self { words: vec![vec![0; structure.modulus]; classes] };
        let end = (block * BLOCK) as usize;
        for j in end.saturating_sub(64)..end {
            for row in 0..structure.modulus {
                if let Some(words) = history.words.get_mut(usize::from(values[j * structure.modulus + row])) {
                    words[row] |= 1 << (j + 64 - end);
                }
            }
        }
        history
    }

    fn word(&self, value: usize, row: usize) -> u64 {
        self.words.get(value).map_or(0, |words| words[row])
    }

    /// Whether the two show the same.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let all_zero = |words: &[Vec<u64>]| words.iter().flatten().all(|&word| word == 0);
        let common = self.words.len().min(other.words.len());
        self.words[..common] == other.words[..common]
            && all_zero(&self.words[common..])
            && all_zero(&other.words[common..])
    }
}

/// What the heaps of a segment came to.
pub(super) struct Segment {
    /// What the segment was told or found of the heaps before it, and what it leaves.
    pub(super) before: History,
    pub(super) after: History,
    /// The values in binary, plane by plane, in the order of heaps: one plane for cold positions, none for counts.
    pub(super) planes: Vec<Vec<u64>>,
    /// How many heaps have each value, and the first of them.
    pub(super) counts: Vec<(u64, u64)>,
}

impl Segment {
    /// One byte a heap.
    pub(super) fn values(&self) -> Vec<u8> {
        to_bytes(&self.planes)
    }
}

/// Why a segment cannot be decided as things are. The heaps below are decided rightly.
#[derive(Debug, Clone, Copy)]
pub(super) enum Trouble {
    /// A heap of this value belongs to a list that must be complete.
    Stray { value: usize, heap: u64 },
    /// A list was cut, and what is kept of it does not decide whether this heap has this value.
    Cut { value: usize, heap: u64 },
}

impl Trouble {
    fn heap(&self) -> u64 {
        let (Self::Stray { heap, .. } | Self::Cut { heap, .. }) = *self;
        heap
    }

    /// Of two the one that comes first.
    fn first(one: Option<Self>, other: Self) -> Option<Self> {
        match one {
            Some(one) if one.heap() <= other.heap() => Some(one),
            _ => Some(other),
        }
    }
}

/// Whether no lane is set: quicker than a comparison.
#[inline]
fn is_empty(lanes: &Lanes) -> bool {
    lanes.iter().fold(0, |all, word| all | word) == 0
}

/// Whether two differ: quicker than a comparison.
#[inline]
fn differ(one: &Lanes, other: &Lanes) -> bool {
    one.iter().zip(other).fold(0, |all, (a, b)| all | a ^ b) != 0
}

/// The rows of the set around a segment, each in eight copies, copy c moved down by c bits.
struct Table {
    words: Vec<u64>,
}

impl Table {
    /// Covers the blocks from `first` on, and the lists' span in front of them.
    fn new(game: &Game<'_>, first: u64, blocks: u64) -> Self {
        let geometry = &game.lists.geometry;
        let modulus = game.structure.modulus;
        let mut words = vec![0; game.structure.occupied_count() * 8 * geometry.stride];
        let len = ((geometry.span + blocks * BLOCK) / 64) as usize;
        let mut row = vec![0_u64; len + 1];
        let occupied = (0..modulus).filter(|&residue| game.structure.occupied[residue]);
        for (residue, copies) in occupied.zip(words.chunks_exact_mut(8 * geometry.stride)) {
            // Below place 0 there are no elements.
            let start = (first * BLOCK).saturating_sub(geometry.span);
            let missing = (geometry.span - (first * BLOCK).min(geometry.span)) / 64;
            game.rows.fill(residue as u64, start, &mut row[missing as usize..len]);
            for (bit, copy) in copies.chunks_exact_mut(geometry.stride).enumerate() {
                for (word, pair) in copy.iter_mut().zip(row.windows(2)) {
                    *word = pair[0] >> bit | pair[1] << 1 << (63 - bit);
                }
            }
        }
        Self { words }
    }
}

/// Decides the heaps of `blocks` blocks from block `first` on. Without a history, the block before is decided as if
/// nothing came before it, and what it shows is the history.
pub(super) fn decide(game: &Game<'_>, first: u64, blocks: u64, history: Option<&History>) -> Result<Segment, Trouble> {
    let warm_up = u64::from(history.is_none() && first > 0 && !game.structure.exceptions.is_empty());
    let table = Table::new(game, first - warm_up, blocks + warm_up);
    let mut state = State::new(game, history.cloned().unwrap_or_default());
    let layout = Layout::new(game.structure.modulus);
    let classes = game.lists.len();
    let planes = match game.wanted {
        Wanted::Cold => 1,
        Wanted::Values => (usize::BITS - (classes.max(2) - 1).leading_zeros()) as usize,
        Wanted::Counts => 0,
    };
    let block_words = BLOCK_WORDS * game.structure.modulus;
    let mut segment = Segment {
        before: state.history.clone(),
        after: History::default(),
        planes: vec![Vec::with_capacity(block_words * blocks as usize); planes],
        counts: vec![(0, u64::MAX); classes],
    };
    for index in 0..blocks + warm_up {
        let block = first - warm_up + index;
        state.block(game, &table, block, (index * BLOCK / 8) as usize)?;
        if index < warm_up {
            segment.before = state.history.clone();
            continue;
        }
        if game.wanted == Wanted::Cold {
            layout.append(&state.members[0], &mut segment.planes[0]);
            continue;
        }
        for (bit, plane) in segment.planes.iter_mut().enumerate() {
            let ones = (0..classes).filter(|value| value >> bit & 1 == 1);
            let mut rows = vec![[0; BLOCK_WORDS]; game.structure.modulus];
            for value in ones {
                for (row, members) in rows.iter_mut().zip(&state.members[value]) {
                    row.iter_mut().zip(members).for_each(|(word, member)| *word |= member);
                }
            }
            layout.append(&rows, plane);
        }
        for (count, members) in segment.counts.iter_mut().zip(&state.members) {
            let more: u32 = members.iter().flatten().map(|word| word.count_ones()).sum();
            if count.0 == 0 && more > 0 {
                count.1 = least(members, block, game.structure.modulus);
            }
            count.0 += u64::from(more);
        }
    }
    segment.after = state.history;
    Ok(segment)
}

/// The least heap of a block that has its bit set.
fn least(rows: &[Lanes], block: u64, modulus: usize) -> u64 {
    let heaps = rows.iter().enumerate().filter_map(|(row, lanes)| {
        let word = lanes.iter().position(|&word| word != 0)?;
        Some(heap(block, modulus, row, 64 * word as u64 + u64::from(lanes[word].trailing_zeros())))
    });
    heaps.min().unwrap_or(u64::MAX)
}

fn heap(block: u64, modulus: usize, row: usize, lane: u64) -> u64 {
    modulus as u64 * (block * BLOCK + lane) + row as u64
}

/// Calls `visit` with each lane that is set.
fn for_each_lane(lanes: &Lanes, mut visit: impl FnMut(u64)) {
    for (base, &word) in (0..).step_by(64).zip(lanes) {
        let mut rest = word;
        while rest != 0 {
            visit(base + u64::from(rest.trailing_zeros()));
            rest &= rest - 1;
        }
    }
}

/// What is at work in one block.
struct State {
    history: History,
    /// For each class and row.
    members: Vec<Vec<Lanes>>,
    /// For each row the heaps that have no value yet.
    open: Vec<Lanes>,
    /// For each row the open heaps that no listed member of the class at work reaches.
    candidates: Vec<Lanes>,
    /// Of these the ones for which the lists are not complete.
    undecided: Vec<(usize, u64)>,
}

impl State {
    fn new(game: &Game<'_>, history: History) -> Self {
        let modulus = game.structure.modulus;
        let nothing = || vec![[0; BLOCK_WORDS]; modulus];
        let classes = game.lists.len();
        Self {
            history,
            members: vec![nothing(); classes],
            open: nothing(),
            candidates: nothing(),
            undecided: Vec::new(),
        }
    }

    /// Decides one block, whose first places stand at byte `base` of the table's rows, behind the span.
    fn block(&mut self, game: &Game<'_>, table: &Table, block: u64, base: usize) -> Result<(), Trouble> {
        let modulus = game.structure.modulus;
        self.open.fill([u64::MAX; BLOCK_WORDS]);
        let mut trouble = None;
        let levels = if game.wanted == Wanted::Cold { 1 } else { game.lists.len() };
        for value in 0..levels {
            self.test(game, table, value, block, base);
            self.take_over(game, value, block);
            self.resolve(game, value);
            for &(row, lane) in &self.undecided {
                // An exception may have decided it all the same.
                if self.members[value][row][(lane / 64) as usize] >> (lane % 64) & 1 == 1 {
                    let heap = heap(block, modulus, row, lane);
                    trouble = Trouble::first(trouble, Trouble::Cut { value, heap });
                }
            }
            for row in 0..modulus {
                let members = &self.members[value][row];
                self.open[row].iter_mut().zip(members).for_each(|(open, member)| *open &= !member);
                if game.lists.classes[value].matters[row] && !is_empty(members) {
                    for_each_lane(members, |lane| {
                        let heap = heap(block, modulus, row, lane);
                        if !game.lists.knows(value, heap) {
                            trouble = Trouble::first(trouble, Trouble::Stray { value, heap });
                        }
                    });
                }
            }
        }
        if game.wanted != Wanted::Cold && !self.open.iter().all(is_empty) {
            let stray = Trouble::Stray { value: levels, heap: least(&self.open, block, modulus) };
            trouble = Trouble::first(trouble, stray);
        }
        match trouble {
            Some(trouble) => Err(trouble),
            None => {
                self.remember(game);
                Ok(())
            }
        }
    }

    /// Leaves as candidates of a class the open heaps that no listed member reaches.
    fn test(&mut self, game: &Game<'_>, table: &Table, value: usize, block: u64, base: usize) {
        const { assert!(BLOCK_WORDS == KILL_WORDS) };
        let modulus = game.structure.modulus;
        self.undecided.clear();
        for (row, target) in game.lists.classes[value].targets.iter().enumerate() {
            let mut lanes = self.open[row];
            if !is_empty(&lanes) {
                take_windows(game.cpu, &mut lanes, &table.words, base, &target.windows);
            }
            let nothing_more = target.complete && target.further.is_empty();
            if !nothing_more && !is_empty(&lanes) {
                for_each_lane(&lanes.clone(), |lane| {
                    let x = heap(block, modulus, row, lane);
                    let reached = target.further.iter().any(|&y| y < x && game.rows.contains(x - y));
                    if reached {
                        lanes[(lane / 64) as usize] &= !(1 << (lane % 64));
                    } else if !target.complete {
                        self.undecided.push((row, lane));
                    }
                });
            }
            self.candidates[row] = lanes;
        }
    }

    /// Puts in what is known already.
    fn take_over(&mut self, game: &Game<'_>, value: usize, block: u64) {
        let modulus = game.structure.modulus;
        let start = heap(block, modulus, 0, 0);
        let Some(known) = usize::try_from(start).ok().and_then(|start| game.beginning.get(start..)) else { return };
        for (x, &known) in known.iter().take(BLOCK as usize * modulus).enumerate() {
            let (lane, row) = (x / modulus, x % modulus);
            let bit = 1 << (lane % 64);
            self.candidates[row][lane / 64] &= !bit;
            self.candidates[row][lane / 64] |= if usize::from(known) == value { bit } else { 0 };
        }
        self.undecided.retain(|&(row, lane)| lane as usize * modulus + row >= known.len());
    }

    /// Of the candidates those from which no exception leads to a member.
    ///
    /// The members are the one solution of "a candidate is a member if no exception leads from it to one": heap by heap
    /// from below. Rows are gone through in order until nothing changes; each time at least one more place is right.
    /// Only the first rows look at later ones, one place down or more.
    fn resolve(&mut self, game: &Game<'_>, value: usize) {
        if game.structure.exceptions.is_empty() {
            self.members[value].copy_from_slice(&self.candidates);
            return;
        }
        self.members[value].fill([0; BLOCK_WORDS]);
        for row in 0..game.structure.modulus {
            self.members[value][row] = self.spared(game, value, row);
        }
        let looks_down = |row: &usize| game.exceptional[*row].iter().any(|(_, places)| *places > 0);
        let first = (0..game.structure.modulus).take_while(looks_down).count();
        while (0..first).any(|row| differ(&self.members[value][row], &self.spared(game, value, row))) {
            for row in 0..game.structure.modulus {
                self.members[value][row] = self.spared(game, value, row);
            }
        }
    }

    /// The candidates of a row from which no exception leads to what are members so far.
    fn spared(&self, game: &Game<'_>, value: usize, row: usize) -> Lanes {
        let mut lanes = self.candidates[row];
        if is_empty(&lanes) {
            return lanes;
        }
        for &(to, places) in &game.exceptional[row] {
            let members = &self.members[value][to];
            if places == 0 {
                lanes.iter_mut().zip(members).for_each(|(lane, member)| *lane &= !member);
                continue;
            }
            let mut before = self.history.word(value, to);
            for (lane, &word) in lanes.iter_mut().zip(members) {
                *lane &= !if places < 64 { word << places | before >> (64 - places) } else { before };
                before = word;
            }
        }
        lanes
    }

    fn remember(&mut self, game: &Game<'_>) {
        if !game.structure.exceptions.is_empty() {
            let last = |rows: &Vec<Lanes>| rows.iter().map(|lanes| lanes[BLOCK_WORDS - 1]).collect();
            self.history.words = self.members.iter().map(last).collect();
        }
    }
}
