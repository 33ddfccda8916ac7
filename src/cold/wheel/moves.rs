//! The moves of a set as shifts between rows.
//!
//! With M rows, the number x stands in row x mod M, column x / M. To take s = M q + h leads from row r, column j to row
//! r - h, column j - q; when r < h the row is r - h + M and the column one less, the *carry*. So everything about s is
//! its quotient q and its residue h, and the moves between two rows are the quotients of one residue. Nothing is
//! assumed about the set: not even that it is a polynomial.

use crate::error::Result;
use crate::run::try_vec;

/// The elements of a set below n, by size and by residue. Memory: 12 bytes an element and 4 a residue.
#[derive(Debug)]
pub(super) struct Moves {
    modulus: u32,
    /// Where the quotients of each residue begin, and the end of the last.
    starts: Vec<u32>,
    /// The quotients of each residue, increasing.
    quotients: Vec<u32>,
    /// Residue and quotient of each element, in the order of the elements.
    by_size: Vec<(u32, u32)>,
    /// One bit a residue: whether any element has it. Most have none, and this table stays in the first cache.
    present: Vec<u64>,
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
        Ok(Self { modulus, starts, quotients, by_size, present })
    }

    /// Residue and quotient of each element, smallest element first.
    pub(super) fn by_size(&self) -> &[(u32, u32)] {
        &self.by_size
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

    /// Where the move with this residue and quotient leads to from below: the row and column that can reach `row`,
    /// `column` by it.
    #[inline(always)]
    pub(super) fn above(&self, row: u32, column: u32, (residue, quotient): (u32, u32)) -> (u32, u32) {
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
                for (&step, y) in moves.by_size().iter().zip(elements.iter().map(|s| x - s)) {
                    assert_eq!(moves.above((y % m) as u32, (y / m) as u32, step), (row, column));
                }
            }
        }
    }
}
