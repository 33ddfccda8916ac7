//! The longest game in which no position comes back.
//!
//! This is the longest simple path from the start in the graph of reachable positions, an NP-hard problem in general.
//! The search is branch and bound on a relaxation that is easy: instead of one path, choose for every position at most
//! one move out of it and at most one into it, such that every position on a chosen move has both, except that the path
//! may end anywhere. In other words, add an arc from every position to the start and a loop at every other position,
//! and ask for the heaviest *assignment*: a permutation of the positions along arcs, moves weighing 1 and added arcs 0.
//! Its cycle through the start is a path, and if every other position is on its loop, that path is a longest one. If
//! not, some other cycle of moves must be broken:
//!
//! ```text
//! search(assignment, fixed, excluded):
//!     if its weight is not above the best line: return
//!     if it has no cycle of moves but the one through the start: it is the best line; return
//!     take the cycle with the fewest moves that are not fixed: e_1, ..., e_k
//!     for i = 1 .. k: search with e_1 .. e_{i-1} fixed and e_i excluded
//! ```
//!
//! Some move of the cycle is missing in every path, and the first missing one says in which branch the path is, so no
//! path is lost and none is looked at twice. The assignment of a branch differs from that of its parent in one row, so
//! one shortest augmenting path (Dijkstra on reduced costs, which dual potentials keep at 0 or above) repairs it.
//!
//! When every branch is exhausted the line is proved to be a longest one; when a limit of steps is reached first, the
//! largest weight among the branches that are left is an upper bound. Every line is checked move by move against the
//! rules before it is returned.
//!
//! Cost: O(m log n) for a step, for n positions and m moves; memory O(n + m) for each branch that waits. Waiting
//! branches take at most 1 GiB, or half of the memory that is allowed if that is less: before they would take more,
//! half of them is given up, and the largest weight given up goes into the bound.
//!
//! What was given up: cuts. The relaxation is so tight for rollover that it settles r = 10 (2,833 moves) in a second;
//! for cutoff from r = 7 on a few moves of a gap remain, which inequalities of the travelling salesman might close.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::chopsticks::moves::{Machine, State};
use crate::chopsticks::reach::{Engine, reach};
use crate::error::{Error, Result};
use crate::run::Control;

/// The longest line found, and what is known of longer ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Longest {
    /// The positions of the line, from the start on, none of them twice.
    pub line: Vec<Vec<State>>,
    /// No line has more moves than this.
    pub bound: u32,
    /// The steps of the search.
    pub steps: u64,
}

impl Longest {
    /// The number of moves of the line.
    pub const fn moves(&self) -> u32 {
        self.line.len() as u32 - 1
    }

    /// Tells whether the line is proved to be a longest one.
    pub const fn is_proved(&self) -> bool {
        self.moves() == self.bound
    }
}

/// The most positions that the search accepts.
pub const MAX_POSITIONS: u64 = 20_000;

/// The branches that must fit into memory for a search to make sense.
const MIN_BRANCHES: usize = 8;

/// The memory for branches that wait. When it is full, half of them is given up as if the steps had run out for it; a
/// larger value proves more in large games.
const BRANCH_BYTES: usize = 1 << 30;

/// Finds the longest line from the start without a repeated position, or the longest within `steps` steps and `memory`
/// bytes.
///
/// [`Control::reached`] counts the steps.
///
/// # Errors
/// [`Error::Chopsticks`] when more than [`MAX_POSITIONS`] positions can be reached or `memory` does not hold even a few
/// branches, those of [`reach()`], and [`Error::Stopped`].
///
/// ```
/// use nimsieve::chopsticks::{Machine, Rules, longest};
///
/// let machine = Machine::new(&Rules::new(2, 3)?)?;
/// let found = longest(&machine, 1_000, None, &nimsieve::run::Control::new())?;
/// assert_eq!((found.moves(), found.is_proved()), (15, true));
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn longest(machine: &Machine, steps: u64, memory: Option<u64>, control: &Control) -> Result<Longest> {
    let PositionGraph { positions, moves } =
        position_graph(machine, MAX_POSITIONS, "the search for the longest game", memory, control)?;
    let mut search = Search { graph: Graph::new(&moves), best: vec![0], steps: 0, limit: steps, bound: 0, control };
    let mut root = Assignment::new(&search.graph);
    let budget = memory.map_or(BRANCH_BYTES, |limit| BRANCH_BYTES.min((limit / 2) as usize));
    let most = budget / root.bytes();
    if most < MIN_BRANCHES {
        return Err(Error::Chopsticks(format!(
            "the search for the longest game of {} needs at least {} bytes of memory, and {} are allowed; lower the \
             rollover amount or the players",
            machine.rules(),
            2 * MIN_BRANCHES * root.bytes(),
            memory.unwrap_or(u64::MAX)
        )));
    }
    for row in 0..positions.len() {
        control.check()?;
        if !root.augment(&search.graph, row) {
            return Err(Error::Chopsticks("the relaxation has no solution, which cannot be".into()));
        }
    }
    search.explore(root, most)?;
    let line: Vec<Vec<State>> = search.best.iter().map(|&v| positions[v].clone()).collect();
    verify(machine, &line)?;
    let bound = search.bound.max(line.len() as u32 - 1);
    Ok(Longest { line, bound, steps: search.steps })
}

/// Checks that a line starts at the start, is made of legal moves, and never comes back to a position.
///
/// # Errors
/// [`Error::Chopsticks`] that names the first move that is wrong.
pub fn verify(machine: &Machine, line: &[Vec<State>]) -> Result<()> {
    if line.first() != Some(&machine.start()) {
        return Err(Error::Chopsticks("the line does not begin at the start".into()));
    }
    for pair in line.windows(2) {
        if !machine.successors(&pair[0]).contains(&pair[1]) {
            let codes = [machine.code(&pair[0]), machine.code(&pair[1])];
            return Err(Error::Chopsticks(format!("no move leads from {} to {}", codes[0], codes[1])));
        }
    }
    let mut sorted: Vec<&Vec<State>> = line.iter().collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::Chopsticks(format!("the line comes back to {}", machine.code(pair[0])))),
        None => Ok(()),
    }
}

/// The positions that can be reached, the start first and then by rank.
pub(crate) struct PositionGraph {
    pub positions: Vec<Vec<State>>,
    /// For each position, the numbers of those that one move leads to.
    pub moves: Vec<Vec<usize>>,
}

/// Lists the positions that can be reached and the moves between them.
///
/// # Errors
/// [`Error::Chopsticks`] when there are more than `limit`, with `what` they are for.
pub(crate) fn position_graph(
    machine: &Machine,
    limit: u64,
    what: &str,
    memory: Option<u64>,
    control: &Control,
) -> Result<PositionGraph> {
    // A game far beyond the limit is not enumerated to find out.
    if machine.rules().positions() > (limit * 64).into() {
        return Err(Error::Chopsticks(format!(
            "{} has {} positions; {what} takes at most {limit}",
            machine.rules(),
            machine.rules().positions()
        )));
    }
    let found = reach(machine, Engine::Bits, memory, control, |_| ())?;
    if found.reachable() > limit {
        return Err(Error::Chopsticks(format!(
            "{} has {} reachable positions; {what} takes at most {limit}",
            machine.rules(),
            found.reachable()
        )));
    }
    let index = found.index();
    let start = index.rank(&machine.start());
    let others = (0..index.len()).filter(|&rank| found.contains(rank) && rank != start);
    let ranks: Vec<u64> = std::iter::once(start).chain(others).collect();
    let number = |rank: u64| {
        if rank == start { 0 } else { 1 + ranks[1..].binary_search(&rank).expect("moves lead to reachable positions") }
    };
    let positions: Vec<Vec<State>> = ranks.iter().map(|&rank| index.unrank(rank)).collect();
    let moves = positions
        .iter()
        .map(|seats| {
            control.check()?;
            Ok(machine.successors(seats).iter().map(|next| number(index.rank(next))).collect())
        })
        .collect::<Result<_>>()?;
    Ok(PositionGraph { positions, moves })
}

/// The arcs by their tail: moves, an arc to the start (position 0), and loops at all others.
struct Graph {
    first: Vec<usize>,
    arcs: Vec<(usize, i32)>,
}

impl Graph {
    fn new(moves: &[Vec<usize>]) -> Self {
        let (mut first, mut arcs) = (vec![0], Vec::new());
        for (tail, heads) in moves.iter().enumerate() {
            // A move back to the start ends a path like any other, so the arc to the start replaces it. The loop of
            // the start is that arc as well: it stands for the line without a move.
            arcs.extend(heads.iter().filter(|&&head| head != 0 && head != tail).map(|&head| (head, -1)));
            arcs.push((0, 0));
            if tail != 0 {
                arcs.push((tail, 0));
            }
            first.push(arcs.len());
        }
        Self { first, arcs }
    }

    const fn len(&self) -> usize {
        self.first.len() - 1
    }
}

const NONE: usize = usize::MAX;

/// An optimal assignment under the restrictions of a branch, with the dual potentials that prove it.
#[derive(Clone)]
struct Assignment {
    /// The arc that leaves each position, and the tail of the arc that enters it.
    arc: Vec<usize>,
    tail: Vec<usize>,
    row_price: Vec<i32>,
    column_price: Vec<i32>,
    excluded: Vec<bool>,
    /// Tails whose arc may not change any more; their heads are closed to others.
    fixed: Vec<bool>,
}

impl Assignment {
    fn new(graph: &Graph) -> Self {
        let n = graph.len();
        Self {
            arc: vec![NONE; n],
            tail: vec![NONE; n],
            row_price: vec![-1; n],
            column_price: vec![0; n],
            excluded: vec![false; graph.arcs.len()],
            fixed: vec![false; n],
        }
    }

    /// The memory that a branch takes.
    const fn bytes(&self) -> usize {
        self.arc.len() * (2 * size_of::<usize>() + 2 * size_of::<i32>() + 1) + self.excluded.len()
    }

    /// The number of moves chosen.
    fn weight(&self, graph: &Graph) -> u32 {
        self.arc.iter().filter(|&&arc| graph.arcs[arc].1 < 0).count() as u32
    }

    /// Gives `row`, which has no arc, one by the cheapest exchange; tells whether there is any.
    fn augment(&mut self, graph: &Graph, row: usize) -> bool {
        let n = graph.len();
        let mut distance = vec![i32::MAX; n];
        let mut via = vec![NONE; n];
        let mut from = vec![NONE; n];
        let mut done: Vec<usize> = Vec::new();
        let mut is_done = vec![false; n];
        let mut heap = BinaryHeap::new();
        let (mut tail, mut travelled) = (row, 0);
        let last = loop {
            for arc in graph.first[tail]..graph.first[tail + 1] {
                let (head, cost) = graph.arcs[arc];
                if self.excluded[arc] || is_done[head] || (self.tail[head] != NONE && self.fixed[self.tail[head]]) {
                    continue;
                }
                let reduced = travelled + cost - self.row_price[tail] - self.column_price[head];
                if reduced < distance[head] {
                    (distance[head], via[head], from[head]) = (reduced, arc, tail);
                    heap.push(Reverse((reduced, head)));
                }
            }
            let head = loop {
                match heap.pop() {
                    None => return false,
                    Some(Reverse((_, head))) if is_done[head] => (),
                    Some(Reverse((_, head))) => break head,
                }
            };
            travelled = distance[head];
            is_done[head] = true;
            if self.tail[head] == NONE {
                break head;
            }
            done.push(head);
            tail = self.tail[head];
        };
        self.row_price[row] += travelled;
        for &head in &done {
            let gain = travelled - distance[head];
            self.column_price[head] -= gain;
            self.row_price[self.tail[head]] += gain;
        }
        let mut head = last;
        loop {
            let tail = from[head];
            self.tail[head] = tail;
            let freed = std::mem::replace(&mut self.arc[tail], via[head]);
            if tail == row {
                return true;
            }
            head = graph.arcs[freed].0;
        }
    }

    /// The arcs of the cycle through `start`.
    fn cycle(&self, graph: &Graph, start: usize) -> Vec<usize> {
        let mut arcs = vec![self.arc[start]];
        loop {
            let head = graph.arcs[arcs[arcs.len() - 1]].0;
            if head == start {
                return arcs;
            }
            arcs.push(self.arc[head]);
        }
    }
}

struct Search<'a> {
    graph: Graph,
    best: Vec<usize>,
    steps: u64,
    limit: u64,
    /// The largest weight among the branches that were left for lack of steps or memory.
    bound: u32,
    control: &'a Control,
}

impl Search<'_> {
    /// Looks at the branches from `root` on, at most `most` of which wait at any time.
    fn explore(&mut self, root: Assignment, most: usize) -> Result<()> {
        let mut branches = vec![(root.weight(&self.graph), root)];
        while let Some((weight, assignment)) = branches.pop() {
            if weight < self.best.len() as u32 {
                continue;
            }
            let path = assignment.cycle(&self.graph, 0);
            let mut on_cycle = vec![false; self.graph.len()];
            let mut path_heads: Vec<usize> = path.iter().map(|&arc| self.graph.arcs[arc].0).collect();
            path_heads.rotate_right(1);
            path_heads.iter().for_each(|&v| on_cycle[v] = true);
            if path_heads.len() > self.best.len() {
                self.best = path_heads;
            }
            if self.steps >= self.limit {
                self.bound = self.bound.max(weight);
                continue;
            }
            // The cycle with the fewest moves that may still be excluded.
            let mut shortest: Option<(usize, Vec<(usize, usize)>)> = None;
            for v in 0..self.graph.len() {
                if on_cycle[v] {
                    continue;
                }
                let cycle = assignment.cycle(&self.graph, v);
                let tails = std::iter::once(v).chain(cycle.iter().map(|&arc| self.graph.arcs[arc].0));
                let arcs: Vec<(usize, usize)> = tails.zip(cycle.iter().copied()).collect();
                arcs.iter().for_each(|&(tail, _)| on_cycle[tail] = true);
                let free = arcs.iter().filter(|&&(tail, _)| !assignment.fixed[tail]).count();
                if arcs.len() > 1 && shortest.as_ref().is_none_or(|best| free < best.0) {
                    shortest = Some((free, arcs));
                }
            }
            let Some((_, cycle)) = shortest else { continue };
            let mut parent = assignment;
            let mut children = Vec::new();
            for (tail, arc) in cycle {
                if parent.fixed[tail] {
                    continue;
                }
                self.steps += 1;
                self.control.advance(self.steps)?;
                let mut child = parent.clone();
                child.excluded[arc] = true;
                child.arc[tail] = NONE;
                child.tail[self.graph.arcs[arc].0] = NONE;
                if child.augment(&self.graph, tail) {
                    let weight = child.weight(&self.graph);
                    if weight >= self.best.len() as u32 {
                        // The parent and its child at work are two more.
                        if branches.len() + children.len() + 3 > most {
                            self.make_room(&mut branches, &mut children);
                        }
                        children.push((weight, child));
                    }
                }
                parent.fixed[tail] = true;
            }
            // The most promising branch is looked at first.
            children.sort_by_key(|child| child.0);
            branches.append(&mut children);
        }
        Ok(())
    }

    /// Gives up the older half of the branches, or the lighter half of the children where these are more.
    fn make_room(&mut self, branches: &mut Vec<(u32, Assignment)>, children: &mut Vec<(u32, Assignment)>) {
        let half = if branches.len() >= children.len() {
            branches
        } else {
            children.sort_by_key(|child| child.0);
            children
        };
        let given_up = half.drain(..half.len().div_ceil(2)).map(|branch| branch.0);
        self.bound = given_up.fold(self.bound, u32::max);
    }
}
