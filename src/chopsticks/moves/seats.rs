//! The states of a seat in order, and the way back from hands and marks to a state.

use crate::chopsticks::moves::State;
use crate::chopsticks::rules::Marks;
use crate::chopsticks::rules::seats::Shape;

/// Every state of a seat, in lexicographic order of its sorted hands and then of its marks.
#[derive(Debug, Clone)]
pub(super) struct Seats {
    hands: usize,
    /// `hands` symbols for each state.
    symbols: Vec<u16>,
    /// For each state, in games in which seats remember anything; else nothing.
    marks: Vec<Marks>,
}

impl Seats {
    pub(super) fn new(shape: Shape, hands: usize) -> Self {
        let multisets = multisets(shape.counting.symbols() as u16, hands);
        if !shape.has_marks() {
            return Self { hands, symbols: multisets, marks: Vec::new() };
        }
        let (mut symbols, mut marks) = (Vec::new(), Vec::new());
        for seat in multisets.chunks_exact(hands) {
            for mark in shape.marks(seat) {
                symbols.extend_from_slice(seat);
                marks.push(mark);
            }
        }
        Self { hands, symbols, marks }
    }

    pub(super) const fn len(&self) -> usize {
        self.symbols.len() / self.hands
    }

    pub(super) fn hands(&self, state: usize) -> &[u16] {
        &self.symbols[state * self.hands..][..self.hands]
    }

    pub(super) fn marks(&self, state: usize) -> Marks {
        self.marks.get(state).copied().unwrap_or_default()
    }

    pub(super) fn find(&self, hands: &[u16], marks: Marks) -> Option<State> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.hands(middle).cmp(hands).then_with(|| self.marks(middle).cmp(&marks)) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle as State),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// All sorted multisets of `h` values below `r`, flattened, in lexicographic order.
fn multisets(r: u16, h: usize) -> Vec<u16> {
    let mut all = Vec::new();
    let mut hands = vec![0; h];
    loop {
        all.extend_from_slice(&hands);
        // The next multiset raises the last value that can be raised, and all behind it to the same.
        let Some(i) = hands.iter().rposition(|&c| c + 1 < r) else { return all };
        let raised = hands[i] + 1;
        hands[i..].fill(raised);
    }
}
