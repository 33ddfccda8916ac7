//! The moves of a set as shifts between rows.
//!
//! With M rows, the number x stands in row x mod M, column x / M. To take s = M q + h leads from row r, column j to row
//! r - h, column j - q; when r < h the row is r - h + M and the column one less, the *carry*. So everything about s is
//! its quotient q and its residue h, and the moves between two rows are the quotients of one residue. Nothing is
//! assumed about the set: not even that it is a polynomial.

use std::ops::Range;

use crate::error::Result;
use crate::kernel::word_at;
use crate::run::try_vec;

/// Residue and quotient of an element.
pub(super) type Step = (u32, u32);

/// The elements of a set below n, by size and by residue. Memory: 12 bytes an element and 4 a residue.
#[derive(Debug)]
pub(super) struct Moves {
    modulus: u32,
    /// Where the quotients of each residue begin, and the end of the last.
    starts: Vec<u32>,
    /// The quotients of each residue, increasing.
    quotients: Vec<u32>,
    /// Residue and quotient of each element, in the order of the elements.
    by_size: Vec<Step>,
    /// One bit a residue: whether any element has it. Most have none, and this table stays in the first cache.
    present: Vec<u64>,
    /// The same bits from the last residue down to 0, twice over.
    mirrored: Vec<u64>,
}

impl Moves {
    /// Sorts increasing `elements`, whose quotients must fit 32 bits.
    pub(super) fn new(elements: &[u64], modulus: u32) -> Result<Self> {
        let m = u64::from(modulus);
        let mut by_size = try_vec("the moves of the wheel", elements.len() as u64, (0, 0))?;
        let mut starts = vec![0; modulus as usize + 1];
        let mut present = vec![0_u64; modulus as usize / 64 + 1];
        for (slot, s) in by_size.iter_mut().zip(elements) {
            let residue = (s % m) as u32;
            *slot = (residue, u32::try_from(s / m).expect("stages keep columns below 2^32"));
            starts[residue as usize + 1] += 1;
            present[(residue / 64) as usize] |= 1 << (residue % 64);
        }
        for residue in 0..modulus as usize {
            starts[residue + 1] += starts[residue];
        }
        let mut ends = starts.clone();
        let mut quotients = try_vec("the moves of the wheel", elements.len() as u64, 0)?;
        for &(residue, quotient) in &by_size {
            let end = &mut ends[residue as usize];
            quotients[*end as usize] = quotient;
            *end += 1;
        }
        let mut mirrored = vec![0; modulus as usize / 32 + 3];
        for place in 0..2 * modulus {
            let residue = modulus - 1 - place % modulus;
            let bit = present[(residue / 64) as usize] >> (residue % 64) & 1;
            mirrored[(place / 64) as usize] |= bit << (place % 64);
        }
        Ok(Self { modulus, starts, quotients, by_size, present, mirrored })
    }

    /// Residue and quotient of each element, smallest element first.
    pub(super) fn by_size(&self) -> &[Step] {
        &self.by_size
    }

    /// The elements by class of their residues modulo a divisor of the modulus, smallest element first in each class.
    pub(super) fn by_class(&self, divisor: u32) -> Vec<Vec<Step>> {
        assert!(self.modulus.is_multiple_of(divisor), "classes of rows are classes of numbers");
        let mut classes = vec![Vec::new(); divisor as usize];
        self.by_size.iter().for_each(|&step| classes[(step.0 % divisor) as usize].push(step));
        classes
    }

    /// The moves from row `target` down to row `source`: the carry, and the quotients in increasing order.
    #[inline(always)]
    pub(super) fn between(&self, target: u32, source: u32) -> (u32, &[u32]) {
        let carry = u32::from(source > target);
        let residue = (target + carry * self.modulus - source) as usize;
        if self.present[residue / 64] >> (residue % 64) & 1 == 0 {
            return (carry, &[]);
        }
        (carry, &self.quotients[self.starts[residue] as usize..self.starts[residue + 1] as usize])
    }

    /// The quotients of all residues.
    pub(super) fn quotients(&self) -> &[u32] {
        &self.quotients
    }

    /// For each residue, where its quotients stand among all, those above `most` left out.
    pub(super) fn ranges_to(&self, most: u32) -> Vec<Range<u32>> {
        let ranges = self.starts.windows(2).map(|ends| {
            let quotients = &self.quotients[ends[0] as usize..ends[1] as usize];
            ends[0]..ends[0] + quotients.partition_point(|&q| q <= most) as u32
        });
        ranges.collect()
    }

    /// Calls `visit` with each row of the bit set `sources` that a move leads to from row `target`, with the carry and
    /// the residue of the moves. Rows are compared with residues 64 at a time.
    pub(super) fn for_each_residue(&self, target: u32, sources: &[u64], mut visit: impl FnMut(u32, u32, u32)) {
        // Source s is left by residue target - s mod M: bit M - 1 - target + s of the doubled, mirrored residues.
        let first = u64::from(self.modulus - 1 - target);
        for (index, &sources) in sources.iter().enumerate() {
            let mut rest = sources & word_at(&self.mirrored, first + 64 * index as u64);
            while rest != 0 {
                let source = 64 * index as u32 + rest.trailing_zeros();
                rest &= rest - 1;
                let carry = u32::from(source > target);
                visit(source, carry, target + carry * self.modulus - source);
            }
        }
    }

    /// As [`Self::for_each_residue`], with the quotients themselves, increasing.
    pub(super) fn for_each_source<'a>(
        &'a self,
        target: u32,
        sources: &[u64],
        mut visit: impl FnMut(u32, u32, &'a [u32]),
    ) {
        self.for_each_residue(target, sources, |source, carry, residue| {
            let (start, end) = (self.starts[residue as usize], self.starts[residue as usize + 1]);
            visit(source, carry, &self.quotients[start as usize..end as usize]);
        });
    }

    /// Where the move with this residue and quotient leads to from below: the row and column that can reach `row`,
    /// `column` by it.
    #[inline(always)]
    pub(super) fn above(&self, row: u32, column: u32, (residue, quotient): Step) -> (u32, u32) {
        let sum = row + residue;
        let carry = u32::from(sum >= self.modulus);
        (sum - carry * self.modulus, column + quotient + carry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_lead_where_subtraction_does() {
        let elements: Vec<u64> = (1..200).map(|k| k * k).collect();
        for modulus in [2, 65, 91] {
            let moves = Moves::new(&elements, modulus).unwrap();
            let m = u64::from(modulus);
            for x in 50_000_u64..50_200 {
                let (row, column) = ((x % m) as u32, (x / m) as u32);
                let mut reached: Vec<u64> = Vec::new();
                for source in 0..modulus {
                    let (carry, quotients) = moves.between(row, source);
                    assert!(quotients.is_sorted());
                    reached.extend(quotients.iter().map(|q| u64::from(source) + m * u64::from(column - q - carry)));
                }
                reached.sort_unstable();
                let expected: Vec<u64> = elements.iter().rev().map(|s| x - s).collect();
                assert_eq!(reached, expected, "modulus {modulus}, x = {x}");
                let mut sources = Vec::new();
                let all = vec![u64::MAX >> (64 - modulus % 64); 1];
                let wide = [vec![u64::MAX; modulus as usize / 64], all].concat();
                moves.for_each_source(row, &wide, |source, carry, quotients| {
                    assert_eq!((carry, quotients), moves.between(row, source));
                    sources.push(source);
                });
                assert!(sources.iter().copied().eq((0..modulus).filter(|&s| !moves.between(row, s).1.is_empty())));
                for (&step, y) in moves.by_size().iter().zip(elements.iter().map(|s| x - s)) {
                    assert_eq!(moves.above((y % m) as u32, (y / m) as u32, step), (row, column));
                }
            }
        }
    }
}
