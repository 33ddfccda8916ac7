//! The sequences whose periods are looked for: outcomes and nim-values, made in order with memory for one window only.

use super::Kind;
use super::search::Values;
use crate::error::Result;
use crate::kernel::Cpu;
use crate::kernel::one_hot::{LANES, Moves, OneHot, resolve};
use crate::run::try_vec;

/// What is done for each kind of sequence, whatever the form of its values.
pub(super) trait Task {
    /// What comes out.
    type Output;
    /// Does it for the sequence that `make` begins; `read` gives the number that a value stands for.
    fn run<V: Values>(self, make: impl Fn() -> Result<V>, read: impl Fn(V::Value) -> i64) -> Result<Self::Output>;
}

/// Runs a task on a sequence of a finite set: words as narrow as the number of elements allows.
pub(super) fn with_finite<T: Task>(elements: &[u64], kind: Kind, task: T) -> Result<T::Output> {
    let count = elements.len() as u32;
    match kind {
        // 1 for cold, 0 for hot.
        Kind::Outcome => task.run(|| Hot::<u8>::of(elements, u8::ZERO), i64::from),
        Kind::Nim if count <= u8::BITS => with_width::<u8, T>(elements, task),
        Kind::Nim if count <= u16::BITS => with_width::<u16, T>(elements, task),
        Kind::Nim if count <= u32::BITS => with_width::<u32, T>(elements, task),
        Kind::Nim if count <= u64::BITS => with_width::<u64, T>(elements, task),
        Kind::Nim => task.run(|| Ring::new(elements, Stamps::new(elements)?), i64::from),
    }
}

fn with_width<W: OneHot, T: Task>(elements: &[u64], task: T) -> Result<T::Output> {
    task.run(|| Hot::<W>::of(elements, W::ALL), |word| word.value().into())
}

/// Runs a task on a sequence of an all-but set: outcomes (1 for cold), or the differences of neighbouring nim-values.
pub(super) fn with_all_but<T: Task>(excluded: &[u64], kind: Kind, task: T) -> Result<T::Output> {
    match kind {
        Kind::Outcome => task.run(|| Ok(ColdAllBut::new(excluded)), i64::from),
        Kind::Nim => task.run(|| Differences::new(excluded), |difference| difference),
    }
}

/// How values are made from those before.
trait Rule {
    type Value: Copy + Eq;
    /// What stands before the first value.
    const NOTHING: Self::Value;
    /// Decides `values[start..]`, a multiple of [`LANES`].
    fn decide(&mut self, values: &mut [Self::Value], start: usize);
}

/// The values of a finite set under way: those of the last window, and those that nobody has asked for yet.
struct Ring<R: Rule> {
    rule: R,
    order: usize,
    values: Vec<R::Value>,
    /// Where the next value to hand out stands; a window stands before it.
    next: usize,
    /// Values before it that are kept: a window, rounded up.
    history: usize,
}

impl<R: Rule> Ring<R> {
    fn new(elements: &[u64], rule: R) -> Result<Self> {
        let order = elements.last().copied().unwrap_or(1);
        let history = order.saturating_add(LANES as u64);
        let values = try_vec("a window of values as long as the largest element", history, R::NOTHING)?;
        let history = values.len();
        Ok(Self { rule, order: order as usize, values, next: history, history })
    }
}

impl<R: Rule> Values for Ring<R> {
    type Value = R::Value;

    fn order(&self) -> usize {
        self.order
    }

    fn next(&mut self, len: usize) -> &[R::Value] {
        let waiting = self.values.len() - self.next;
        if waiting < len {
            self.values.copy_within(self.next - self.history.., 0);
            self.next = self.history;
            let start = self.history + waiting;
            self.values.truncate(start);
            self.values.resize(start + (len - waiting).next_multiple_of(LANES), R::NOTHING);
            self.rule.decide(&mut self.values, start);
        }
        let start = self.next;
        self.next += len;
        &self.values[start..self.next]
    }
}

/// Values as single bits: sets of at most 64 elements, and the outcomes of every set.
struct OneHots<W> {
    cpu: Cpu,
    moves: Moves,
    keep: W,
}

impl<W: OneHot> Rule for OneHots<W> {
    type Value = W;
    const NOTHING: W = W::NONE;

    fn decide(&mut self, values: &mut [W], start: usize) {
        resolve(self.cpu, values, start, &self.moves, self.keep);
    }
}

type Hot<W> = Ring<OneHots<W>>;

impl<W: OneHot> Hot<W> {
    fn of(elements: &[u64], keep: W) -> Result<Self> {
        let moves = Moves::new(elements.iter().map(|&s| s as usize));
        Ring::new(elements, OneHots { cpu: Cpu::best(), moves, keep })
    }
}

/// Nim-values of larger sets: a stamp for each value that a position reaches.
struct Stamps {
    elements: Vec<usize>,
    /// The last round in which each value was reached.
    reached: Vec<u64>,
    round: u64,
}

impl Stamps {
    fn new(elements: &[u64]) -> Result<Self> {
        // k options leave one of 0 to k out.
        let reached = try_vec("the marks of nim-values", elements.len() as u64 + 1, 0_u64)?;
        Ok(Self { elements: elements.iter().map(|&s| s as usize).collect(), reached, round: 0 })
    }
}

impl Rule for Stamps {
    type Value = u32;
    const NOTHING: u32 = u32::MAX;

    fn decide(&mut self, values: &mut [u32], start: usize) {
        for x in start..values.len() {
            self.round += 1;
            for &s in &self.elements {
                if let Some(reached) = self.reached.get_mut(values[x - s] as usize) {
                    *reached = self.round;
                }
            }
            let mex = self.reached.iter().position(|&round| round != self.round);
            values[x] = mex.expect("k options leave one of 0 to k out") as u32;
        }
    }
}

/// The outcomes of an all-but set. A heap above the largest number left out is hot: it can be taken whole.
struct ColdAllBut {
    excluded: Vec<u64>,
    cold: Vec<u64>,
    x: u64,
    made: Vec<u8>,
}

impl ColdAllBut {
    fn new(excluded: &[u64]) -> Self {
        Self { excluded: excluded.to_vec(), cold: Vec::new(), x: 0, made: Vec::new() }
    }
}

impl Values for ColdAllBut {
    type Value = u8;

    fn order(&self) -> usize {
        largest(&self.excluded) as usize + 1
    }

    fn next(&mut self, len: usize) -> &[u8] {
        self.made.clear();
        for x in self.x..self.x + len as u64 {
            let cold = x <= largest(&self.excluded)
                && self.cold.iter().all(|&c| self.excluded.binary_search(&(x - c)).is_ok());
            if cold {
                self.cold.push(x);
            }
            self.made.push(cold.into());
        }
        self.x += len as u64;
        &self.made
    }
}

/// The differences of neighbouring nim-values of an all-but set.
///
/// Of the positions more than e below x, e the largest number left out, every one is an option of x; their nim-values
/// are 0, 1, ..., `base` - 1 and no others (see the head of the module above). The window decides the rest.
struct Differences {
    excluded: Vec<u64>,
    /// The nim-values of the last e positions, by position mod e.
    window: Vec<u64>,
    base: u64,
    /// The last round in which each value from the base on was reached.
    reached: Vec<u64>,
    /// The position that comes next, and the nim-value before it.
    x: u64,
    last: u64,
    made: Vec<i64>,
}

impl Differences {
    fn new(excluded: &[u64]) -> Result<Self> {
        let span = largest(excluded);
        let mut differences = Self {
            excluded: excluded.to_vec(),
            window: try_vec("a window of values as long as the largest number left out", span, 0_u64)?,
            base: 0,
            reached: try_vec("the marks of nim-values", span.saturating_add(1), 0_u64)?,
            x: 0,
            last: 0,
            made: Vec::new(),
        };
        differences.last = differences.step();
        Ok(differences)
    }

    /// The nim-value of the next position.
    fn step(&mut self) -> u64 {
        let span = self.window.len() as u64;
        let x = self.x;
        let round = x + 1;
        let mut excluded = self.excluded.iter().peekable();
        for take in 1..=span.min(x) {
            if excluded.next_if_eq(&&take).is_some() {
                continue;
            }
            let value = self.window[((x - take) % span) as usize];
            if let Some(above) = value.checked_sub(self.base) {
                // At most span options, so their values are at most span above the base.
                self.reached[above as usize] = round;
            }
        }
        let mex = self.reached.iter().position(|&reached| reached != round).expect("fewer options than marks") as u64;
        let value = self.base + mex;
        if x >= span {
            // The position that leaves the window is an option of all that follow.
            self.base += u64::from(self.window[(x % span) as usize] == self.base);
        }
        self.window[(x % span) as usize] = value;
        self.x += 1;
        value
    }
}

impl Values for Differences {
    type Value = i64;

    fn order(&self) -> usize {
        2 * self.window.len()
    }

    fn next(&mut self, len: usize) -> &[i64] {
        self.made.clear();
        for _ in 0..len {
            let value = self.step();
            self.made.push(value as i64 - self.last as i64);
            self.last = value;
        }
        &self.made
    }
}

fn largest(excluded: &[u64]) -> u64 {
    excluded.last().copied().unwrap_or(1)
}
