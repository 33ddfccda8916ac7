//! Every position that can be reached from the start, level by level.
//!
//! Level d holds the positions whose least number of moves from the start is d. Two engines compute the levels:
//!
//! - `plain`, breadth first search as anybody would write it. It is the oracle, and nobody optimises it.
//! - `bits` (in `reach/bits.rs`), which moves whole blocks of positions with word operations, from three players on in parallel.
//!
//! Both give the same [`Reach`]: one bit per position, the size of every level, and the endings with their depth.

mod bits;

use std::fmt;
use std::str::FromStr;

use num_bigint::BigUint;

use crate::chopsticks::moves::Machine;
use crate::chopsticks::position::Index;
use crate::error::{Error, Result};
use crate::run::{Control, try_vec};

/// The ways to enumerate the reachable positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Engine {
    /// Breadth first, one position at a time: the oracle.
    Plain,
    /// Breadth first, whole levels as bits, in parallel.
    #[default]
    Bits,
}

impl Engine {
    /// The engines, from the definition up.
    pub const ALL: [Self; 2] = [Self::Plain, Self::Bits];

    /// The name after `--engine`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Bits => "bits",
        }
    }

    /// The bytes of memory that this game needs in the current thread pool, with the tables of the machine; `plain`
    /// also needs 16 for each position of the two largest neighbouring levels, which nobody knows beforehand.
    pub fn memory(self, machine: &Machine) -> BigUint {
        let engine = match self {
            Self::Plain => machine.rules().positions() / 8_u32 + 8_u32,
            Self::Bits => bits::memory(machine),
        };
        engine + Machine::memory(machine.rules())
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|engine| engine.name() == name).ok_or_else(|| Error::UnknownEngine {
            kind: "chopsticks",
            name: name.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}

/// The positions first reached after the same number of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// The number of moves.
    pub depth: u32,
    /// How many positions are first reached after `depth` moves.
    pub positions: u64,
    /// How many of them are endings.
    pub endings: u64,
}

/// A position in which the game is over, and how soon it can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ending {
    /// The number of the position in the [`Index`].
    pub rank: u64,
    /// The least number of moves that lead to it.
    pub depth: u32,
}

/// The set of positions found, in the layout of the engine that found them.
#[derive(Debug, Clone)]
enum Found {
    /// Bit i is position i.
    Flat(Vec<u64>),
    /// Rows of one word: bit i of word j is position j N + i.
    Rows16(Vec<u16>),
    /// As before, for 17 to 32 states.
    Rows32(Vec<u32>),
    /// Rows of as many words as N bits need.
    Rows64(Vec<u64>),
}

/// All that is known of the positions that can be reached.
#[derive(Debug, Clone)]
pub struct Reach {
    index: Index,
    states: u64,
    found: Found,
    levels: Vec<Level>,
    endings: Vec<Ending>,
}

impl Reach {
    /// The number of positions that can be reached.
    pub fn reachable(&self) -> u64 {
        self.levels.iter().map(|level| level.positions).sum()
    }

    /// The number of positions that cannot.
    pub fn unreachable_count(&self) -> u64 {
        self.index.len() - self.reachable()
    }

    /// The levels, from the start on.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The largest least number of moves from the start to a position.
    pub fn eccentricity(&self) -> u32 {
        self.levels.last().map_or(0, |level| level.depth)
    }

    /// The endings that can be reached, by rank.
    pub fn endings(&self) -> &[Ending] {
        &self.endings
    }

    /// The index that ranks refer to.
    pub const fn index(&self) -> &Index {
        &self.index
    }

    /// Tells whether the position of number `rank` can be reached. O(1).
    pub fn contains(&self, rank: u64) -> bool {
        if rank >= self.index.len() {
            return false;
        }
        let (row, bit) = ((rank / self.states) as usize, rank % self.states);
        match &self.found {
            Found::Flat(words) => words[(rank / 64) as usize] >> (rank % 64) & 1 == 1,
            Found::Rows16(words) => words[row] >> bit & 1 == 1,
            Found::Rows32(words) => words[row] >> bit & 1 == 1,
            Found::Rows64(words) => {
                let per_row = self.states.div_ceil(64) as usize;
                words[row * per_row + (bit / 64) as usize] >> (bit % 64) & 1 == 1
            }
        }
    }

    /// The numbers of the positions that cannot be reached, increasing. O(N^p) for all of them.
    pub fn unreachable(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.index.len()).filter(|&rank| !self.contains(rank))
    }
}

/// Finds every position that can be reached from the start.
///
/// `observe` is called after each level. [`Control::reached`] counts the positions found.
///
/// # Errors
/// [`Error::Chopsticks`] when the positions are too many to number or need more than `memory` bytes, [`Error::Memory`]
/// when the system refuses that memory, and [`Error::Stopped`].
///
/// ```
/// use nimsieve::chopsticks::{Engine, Machine, Rules, reach};
///
/// let machine = Machine::new(&Rules::new(3, 5)?)?;
/// let found = reach(&machine, Engine::Bits, None, &nimsieve::run::Control::new(), |_| ())?;
/// assert_eq!(found.reachable(), 3_337);
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn reach(
    machine: &Machine,
    engine: Engine,
    memory: Option<u64>,
    control: &Control,
    mut observe: impl FnMut(&Level),
) -> Result<Reach> {
    let index = Index::new(machine)
        .map_err(|error| Error::Chopsticks(format!("{error}; `unreachable` counts without enumerating them")))?;
    let needed = engine.memory(machine);
    if let Some(limit) = memory.filter(|&limit| needed > limit.into()) {
        return Err(Error::Chopsticks(format!(
            "the {} positions of {} need {needed} bytes of memory in engine `{engine}`, and {limit} are allowed; \
             `unreachable` counts without enumerating them",
            index.len(),
            machine.rules()
        )));
    }
    // Games that are over at once have no level to compute, and no seat for the bits of a word when p = 0.
    let engine = if machine.is_over(&machine.start()) { Engine::Plain } else { engine };
    let mut levels = Vec::new();
    let mut report = |level: Level, total: u64| {
        levels.push(level);
        observe(&level);
        control.advance(total)
    };
    let (found, mut endings) = match engine {
        Engine::Plain => plain(machine, &index, &mut report)?,
        Engine::Bits => bits::run(machine, control, &mut report)?,
    };
    endings.sort_unstable();
    Ok(Reach { index, states: machine.states() as u64, found, levels, endings })
}

/// Breadth first search, straight from the definition.
fn plain(
    machine: &Machine,
    index: &Index,
    report: &mut impl FnMut(Level, u64) -> Result<()>,
) -> Result<(Found, Vec<Ending>)> {
    let mut found = try_vec("the set of positions found", index.len().div_ceil(64), 0_u64)?;
    let mut is_new = |rank: u64| {
        let (word, bit) = (&mut found[(rank / 64) as usize], 1 << (rank % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    };
    let mut endings = Vec::new();
    let mut frontier = vec![index.rank(&machine.start())];
    is_new(frontier[0]);
    let mut total = 0;
    for depth in 0.. {
        let mut next = Vec::new();
        let ended = endings.len();
        for &rank in &frontier {
            let seats = index.unrank(rank);
            if machine.is_over(&seats) {
                endings.push(Ending { rank, depth });
            }
            machine.for_each_move(&seats, |_, after| next.extend(Some(index.rank(after)).filter(|&rank| is_new(rank))));
        }
        let positions = frontier.len() as u64;
        total += positions;
        report(Level { depth, positions, endings: (endings.len() - ended) as u64 }, total)?;
        frontier = next;
        if frontier.is_empty() {
            break;
        }
    }
    Ok((Found::Flat(found), endings))
}
