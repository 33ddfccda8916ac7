//! A sum of heaps as a game for [`dialogue`](super::dialogue).
//!
//! A *small* sum, of at most [`EXACT_POSITIONS`] positions and [`EXACT_MOVES`] moves in all of them, is solved whole for
//! the length of the game when the winner hurries and the loser delays (its *remoteness*): from below, a position from
//! which a move leaves a lost one is won, one move after the soonest of these; any other is lost, one move after the
//! latest of what it can leave. So the parity of the remoteness tells who wins. Larger sums are played by their
//! nim-values, and a single heap too large for these by the table of cold positions: then the computer still always wins
//! when it can, but takes the largest of the winning moves instead of the fastest, and the smallest move when it must
//! lose.

use crate::error::Result;
use crate::number;
use crate::plan::Plan;
use crate::play::{Ending, Game};
use crate::run::{Control, try_vec};
use crate::set::{NamedSet, SubtractionSet, least};
use crate::sum::{Heap, Move, Play, is_cold, winning_moves};
use crate::table::{ColdTable, GrundyTable};

/// The most positions that are solved for the length of the game.
pub const EXACT_POSITIONS: u64 = 1 << 22;
/// The most moves, in all of these positions.
pub const EXACT_MOVES: u64 = 1 << 28;
/// A single heap whose nim-value would take longer than this is played by its table of cold positions.
const NIM_VALUE_SECONDS: f64 = 2.0;

/// What is known of the positions.
enum Knowledge {
    /// The remoteness of every position, the last heap running fastest.
    Exact(Vec<u32>),
    /// The nim-values of the set of each heap, by the number of the table.
    Nim { tables: Vec<GrundyTable>, table_of: Vec<usize> },
    /// The cold positions of the only heap; in misere play they are moved up by `shift`.
    Cold { table: ColdTable, shift: u64 },
}

/// Heaps to take from, each by its own set.
pub struct Heaps {
    sets: Vec<NamedSet>,
    /// The sizes at the start, which the knowledge covers.
    sizes: Vec<u64>,
    heaps: Vec<u64>,
    play: Play,
    knowledge: Knowledge,
    history: Vec<Move>,
}

impl std::fmt::Debug for Heaps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Heaps {:?} of {:?}", self.heaps, self.sets)
    }
}

/// What is taken from a heap of `heap` tokens.
fn takes(set: &NamedSet, heap: u64) -> impl Iterator<Item = u64> + '_ {
    set.elements().take_while(move |&take| take <= heap)
}

impl Heaps {
    /// Makes a game of heaps and learns all that is needed to play it well.
    ///
    /// # Errors
    /// Those of the engines, when a heap is too large for them.
    pub fn new(heaps: Vec<(NamedSet, u64)>, play: Play, control: &Control) -> Result<Self> {
        let (sets, sizes): (Vec<NamedSet>, Vec<u64>) = heaps.into_iter().unzip();
        let knowledge = match is_small(&sets, &sizes) {
            true => Knowledge::Exact(remoteness(&sets, &sizes, play, control)?),
            false => learn(&sets, &sizes, play, control)?,
        };
        Ok(Self { sets, heaps: sizes.clone(), sizes, play, knowledge, history: Vec::new() })
    }

    /// The bytes that [`Self::new`] takes, about.
    ///
    /// # Errors
    /// Those of the planner.
    pub fn memory(heaps: &[(NamedSet, u64)]) -> Result<u64> {
        let (sets, sizes): (Vec<NamedSet>, Vec<u64>) = heaps.iter().cloned().unzip();
        if is_small(&sets, &sizes) {
            return Ok(4 * EXACT_POSITIONS);
        }
        let mut bytes = 0_u64;
        for (set, &size) in sets.iter().zip(&sizes) {
            let n = size.saturating_add(1);
            let plan = Plan::grundy(set, n)?;
            bytes = bytes.saturating_add(if by_cold(&plan, sets.len()) {
                Plan::cold(set, n)?.estimate().memory.saturating_add(n / 8)
            } else {
                plan.estimate().memory.saturating_add(2 * n)
            });
        }
        Ok(bytes)
    }

    /// Every move; a large heap may have millions.
    fn all_moves(&self) -> impl Iterator<Item = Move> + '_ {
        let heaps = self.sets.iter().zip(&self.heaps).enumerate();
        heaps.flat_map(|(heap, (set, &size))| takes(set, size).map(move |take| Move { heap, take }))
    }

    fn is_over(&self) -> bool {
        // A set without elements has no move either.
        self.sets.iter().zip(&self.heaps).all(|(set, &heap)| takes(set, heap).next().is_none())
    }

    fn rank(&self, heaps: &[u64]) -> usize {
        heaps.iter().zip(&self.sizes).fold(0, |rank, (&heap, &size)| rank * (size as usize + 1) + heap as usize)
    }

    /// The remoteness after a move, where that is known.
    fn after(&self, table: &[u32], step: Move) -> u32 {
        let mut heaps = self.heaps.clone();
        heaps[step.heap] -= step.take;
        table[self.rank(&heaps)]
    }

    /// The moves that win, and the number of moves to the end where it is known.
    fn standing(&self) -> (bool, Option<u32>) {
        match &self.knowledge {
            Knowledge::Exact(table) => {
                let remoteness = table[self.rank(&self.heaps)];
                (wins(remoteness, self.play), Some(remoteness))
            }
            Knowledge::Nim { tables, table_of } => {
                let values = self.heaps.iter().zip(table_of).map(|(&heap, &i)| tables[i].value(heap).unwrap_or(0));
                (!is_cold(values, self.play), None)
            }
            Knowledge::Cold { table, shift } => (!is_shifted_cold(table, *shift, self.heaps[0]), None),
        }
    }

    fn winning(&self) -> Vec<Move> {
        match &self.knowledge {
            Knowledge::Exact(table) => {
                self.all_moves().filter(|&step| !wins(self.after(table, step), self.play)).collect()
            }
            Knowledge::Nim { tables, table_of } => {
                let heaps: Vec<Heap<'_, NamedSet>> = self
                    .sets
                    .iter()
                    .zip(table_of)
                    .zip(&self.heaps)
                    .map(|((set, &i), &size)| Heap { set, table: &tables[i], size })
                    .collect();
                winning_moves(&heaps, self.play).unwrap_or_default()
            }
            Knowledge::Cold { table, shift } => {
                let leaves_cold = |step: &Move| is_shifted_cold(table, *shift, self.heaps[0] - step.take);
                self.all_moves().filter(leaves_cold).collect()
            }
        }
    }

    fn describe(&self, step: Move) -> String {
        let left = self.heaps[step.heap] - step.take;
        if self.heaps.len() == 1 {
            format!("take {}, leaving {left}", step.take)
        } else {
            format!("take {} from heap {}, leaving {left}", step.take, step.heap + 1)
        }
    }
}

/// Tells whether the player to act wins, from the length of the game: whoever cannot move has the remoteness 0.
fn wins(remoteness: u32, play: Play) -> bool {
    (remoteness % 2 == 1) == (play == Play::Normal)
}

fn is_shifted_cold(table: &ColdTable, shift: u64, heap: u64) -> bool {
    heap.checked_sub(shift).is_some_and(|x| table.is_cold(x).unwrap_or(false))
}

/// Tells whether every position can be solved for the length of the game.
fn is_small(sets: &[NamedSet], sizes: &[u64]) -> bool {
    let positions = sizes.iter().try_fold(1_u64, |product, size| product.checked_mul(size.checked_add(1)?));
    let Some(positions) = positions.filter(|&positions| positions <= EXACT_POSITIONS) else { return false };
    // No heap is above the limit now, so that its moves can be counted.
    let moves: u64 = sets.iter().zip(sizes).map(|(set, &size)| takes(set, size).count() as u64).sum();
    positions.saturating_mul(moves) <= EXACT_MOVES
}

/// The remoteness of every position of a small sum.
fn remoteness(sets: &[NamedSet], sizes: &[u64], play: Play, control: &Control) -> Result<Vec<u32>> {
    let positions = sizes.iter().map(|&size| size + 1).product::<u64>();
    let mut table = try_vec("the lengths of games", positions, 0_u32)?;
    let mut strides = vec![1_usize; sizes.len()];
    for i in (1..sizes.len()).rev() {
        strides[i - 1] = strides[i] * (sizes[i] as usize + 1);
    }
    let moves: Vec<Vec<u64>> = sets.iter().zip(sizes).map(|(set, &size)| takes(set, size).collect()).collect();
    for position in 0..table.len() {
        if position % 4_096 == 0 {
            control.advance(position as u64)?;
        }
        let (mut soonest, mut latest) = (u32::MAX, None);
        for ((takes, &stride), &size) in moves.iter().zip(&strides).zip(sizes) {
            let heap = (position / stride) as u64 % (size + 1);
            for &take in takes.iter().take_while(|&&take| take <= heap) {
                let after = table[position - take as usize * stride];
                latest = latest.max(Some(after));
                if !wins(after, play) {
                    soonest = soonest.min(after);
                }
            }
        }
        table[position] = match latest {
            None => 0,
            Some(_) if soonest < u32::MAX => soonest + 1,
            Some(latest) => latest + 1,
        };
    }
    Ok(table)
}

/// Tells whether a game is played by cold positions rather than by nim-values.
fn by_cold(plan: &Plan<'_, crate::grundy::Engine>, heaps: usize) -> bool {
    heaps == 1 && plan.estimate().seconds > NIM_VALUE_SECONDS
}

/// What is needed to play large heaps.
fn learn(sets: &[NamedSet], sizes: &[u64], play: Play, control: &Control) -> Result<Knowledge> {
    let (mut tables, mut table_of) = (Vec::<GrundyTable>::new(), Vec::new());
    for set in sets {
        let name = set.name();
        if let Some(known) = tables.iter().position(|table| table.set() == name) {
            table_of.push(known);
            continue;
        }
        let largest = sets.iter().zip(sizes).filter(|(other, _)| other.name() == name).map(|(_, &size)| size).max();
        let n = largest.unwrap_or(0).saturating_add(1);
        let plan = Plan::grundy(set, n)?;
        if by_cold(&plan, sets.len()) {
            let mut table = ColdTable::new(name, n)?;
            Plan::cold(set, n)?.run_into(control, &mut table)?;
            return Ok(Knowledge::Cold { table, shift: if play == Play::Misere { least(set)? } else { 0 } });
        }
        let mut table = GrundyTable::new(name);
        plan.run_into(control, &mut table)?;
        table_of.push(tables.len());
        tables.push(table);
    }
    Ok(Knowledge::Nim { tables, table_of })
}

impl Game for Heaps {
    fn position(&self) -> String {
        match (self.heaps.as_slice(), self.sets.as_slice()) {
            ([heap], [set]) => format!("A heap of {heap}, {set}."),
            _ => {
                let heaps = (1..).zip(self.heaps.iter().zip(&self.sets));
                let texts: Vec<String> = heaps.map(|(i, (heap, set))| format!("heap {i}: {heap} of {set}")).collect();
                format!("{}.", texts.join("; "))
            }
        }
    }

    fn count(&self) -> usize {
        self.all_moves().count()
    }

    fn moves(&self, limit: usize) -> Vec<String> {
        self.all_moves().take(limit).map(|step| self.describe(step)).collect()
    }

    fn name(&self, number: usize) -> String {
        self.all_moves().nth(number).map_or_else(String::new, |step| self.describe(step))
    }

    fn best(&self) -> Option<usize> {
        let winning = self.winning();
        let chosen = match &self.knowledge {
            Knowledge::Exact(table) if winning.is_empty() => {
                self.all_moves().max_by_key(|&step| self.after(table, step))
            }
            Knowledge::Exact(table) => winning.into_iter().min_by_key(|&step| self.after(table, step)),
            _ if winning.is_empty() => self.all_moves().min_by_key(|step| step.take),
            _ => winning.into_iter().max_by_key(|step| step.take),
        };
        self.all_moves().position(|step| Some(step) == chosen)
    }

    fn value(&self) -> String {
        let (won, moves) = self.standing();
        let outcome = if won { "hot: the player to move wins" } else { "cold: the player to move loses" };
        match moves {
            Some(moves) => format!("{outcome} in {moves} move{}", if moves == 1 { "" } else { "s" }),
            None => outcome.into(),
        }
    }

    fn ending(&self) -> Option<Ending> {
        self.is_over().then_some(if self.play == Play::Misere { Ending::Acting } else { Ending::Waiting })
    }

    fn read(&self, text: &str) -> std::result::Result<usize, String> {
        let words = text.split([' ', '\t', ',', ':']).filter(|word| !["", "take", "from", "heap"].contains(word));
        let numbers: Vec<u64> = words
            .map(|word| number::parse(word).map_err(|_| format!("`{text}` is no move. {}", self.help())))
            .collect::<std::result::Result<_, _>>()?;
        let (take, heap) = match (numbers.as_slice(), self.heaps.len()) {
            (&[take], 1) => (take, 1),
            (&[take, heap], _) => (take, heap),
            _ => return Err(format!("`{text}` is no move. {}", self.help())),
        };
        let index = usize::try_from(heap).ok().and_then(|heap| heap.checked_sub(1));
        let Some(index) = index.filter(|&index| index < self.heaps.len()) else {
            return Err(format!("There is no heap {heap}; expected 1 to {}", self.heaps.len()));
        };
        let wanted = Move { heap: index, take };
        self.all_moves().position(|step| step == wanted).ok_or_else(|| {
            let size = self.heaps[index];
            let mut some: Vec<String> = takes(&self.sets[index], size).take(9).map(|take| take.to_string()).collect();
            if some.len() == 9 {
                some[8] = "...".into();
            }
            if some.is_empty() {
                format!("Nothing can be taken from a heap of {size}")
            } else {
                format!("{take} cannot be taken from a heap of {size}; expected one of {}", some.join(", "))
            }
        })
    }

    fn play(&mut self, number: usize) {
        let step = self.all_moves().nth(number);
        if let Some(step) = step {
            self.heaps[step.heap] -= step.take;
            self.history.push(step);
        }
    }

    fn undo(&mut self) -> bool {
        let Some(step) = self.history.pop() else { return false };
        self.heaps[step.heap] += step.take;
        true
    }

    fn help(&self) -> &'static str {
        if self.heaps.len() == 1 {
            "A move is how many to take, as in 4 or take 4"
        } else {
            "A move is how many to take and from which heap, as in 4 from 2"
        }
    }
}
