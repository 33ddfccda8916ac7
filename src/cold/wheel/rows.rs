//! The cold numbers, one row a residue class: as bits where they are many, as a list of columns where they are few.
//!
//! The bit rows lie one behind the other in a single table, so that a window of any of them is one 32-bit byte offset.
//! In front of each row there are zeros as wide as the widest window, which may therefore hang over column 0; bits of
//! columns that are not decided yet are 0 as well and add nothing.

use crate::error::Result;
use crate::kernel::{MAX_BYTES, word_at, zeros_in_large_pages};
use crate::run::try_vec;

/// No slot: the row is kept as a list.
pub(super) const NONE: u32 = u32::MAX;

/// Zero columns in front of every bit row: the widest block of columns that is worked on at once.
pub(super) const FRONT: u32 = 32_768;

/// Cold numbers by row.
#[derive(Debug)]
pub(super) struct Rows {
    modulus: u32,
    /// There is room for the columns below this.
    columns: u32,
    /// For each row its slot in the table of bits, or [`NONE`].
    slots: Vec<u32>,
    /// For each slot its row.
    dense: Vec<u32>,
    /// One bit a row, in words: whether it has a slot.
    dense_set: Vec<u64>,
    bits: Vec<u64>,
    stride: u64,
    /// For each row without a slot its columns, increasing.
    members: Vec<Vec<u32>>,
}

/// How many cold numbers a row has, over the older and the newer half of the columns.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) older: u32,
    pub(super) newer: u32,
}

impl Rows {
    /// Bytes that `dense` bit rows of `columns` columns take.
    pub(super) fn bytes(dense: u64, columns: u64) -> u64 {
        8 * (dense * Self::stride(columns) + 16)
    }

    /// Words of a bit row with its zeros. An odd number of cache lines, lest the rows fall on the same sets.
    fn stride(columns: u64) -> u64 {
        ((u64::from(FRONT) + columns) / 64 + 2).next_multiple_of(8) | 8
    }

    /// Makes rows for `columns` columns, those marked in `dense` as bits.
    pub(super) fn new(modulus: u32, columns: u32, dense: &[bool]) -> Result<Self> {
        let dense: Vec<u32> = (0..modulus).filter(|&row| dense[row as usize]).collect();
        let mut slots = vec![NONE; modulus as usize];
        let mut dense_set = vec![0; modulus as usize / 64 + 1];
        for (slot, &row) in (0..).zip(&dense) {
            slots[row as usize] = slot;
            dense_set[(row / 64) as usize] |= 1 << (row % 64);
        }
        let stride = Self::stride(columns.into());
        let bytes = Self::bytes(dense.len() as u64, columns.into());
        if bytes + u64::from(columns) / 8 >= MAX_BYTES {
            return Err(crate::Error::Memory { what: "the bit rows of the wheel, at most 4 GiB,", needed: bytes });
        }
        Ok(Self {
            modulus,
            columns,
            slots,
            bits: zeros_in_large_pages("the bit rows of the wheel", bytes / 8)?,
            dense,
            dense_set,
            stride,
            members: try_vec("the lists of the wheel", modulus.into(), Vec::new())?,
        })
    }

    /// Makes rows for `columns` columns, those marked in `dense` as bits, and fills them.
    pub(super) fn fill(modulus: u32, columns: u32, dense: &[bool], walk: &Walk<'_>) -> Result<Self> {
        let mut rows = Self::new(modulus, columns, dense)?;
        let m = u64::from(modulus);
        walk(&mut |x| {
            let (row, column) = ((x % m) as u32, (x / m) as u32);
            match rows.slots[row as usize] {
                NONE => rows.members[row as usize].push(column),
                _ => rows.insert(row, column),
            }
        })?;
        rows.members.iter_mut().for_each(|members| members.sort_unstable());
        Ok(rows)
    }

    /// Adds a cold number; those of one row must come in increasing order.
    pub(super) fn insert(&mut self, row: u32, column: u32) {
        match self.slots[row as usize] {
            NONE => {
                let members = &mut self.members[row as usize];
                debug_assert!(members.last().is_none_or(|&last| last < column), "columns come in increasing order");
                members.push(column);
            }
            slot => {
                debug_assert!(column < self.columns, "there is room for the column");
                let position = self.position(slot) + u64::from(column);
                self.bits[(position / 64) as usize] |= 1 << (position % 64);
            }
        }
    }

    /// Calls `visit` with every cold number, rows in increasing order, within a row increasing.
    pub(super) fn for_each(&self, visit: &mut dyn FnMut(u64)) {
        let m = u64::from(self.modulus);
        for row in 0..self.modulus {
            let number = |column: u32| u64::from(row) + m * u64::from(column);
            match self.slots[row as usize] {
                NONE => self.members[row as usize].iter().for_each(|&column| visit(number(column))),
                slot => {
                    let first = (self.position(slot) / 64) as usize;
                    let words = &self.bits[first..first + self.columns.div_ceil(64) as usize];
                    for (base, &word) in (0..).step_by(64).zip(words) {
                        let mut rest = word;
                        while rest != 0 {
                            visit(number(base + rest.trailing_zeros()));
                            rest &= rest - 1;
                        }
                    }
                }
            }
        }
    }

    pub(super) fn modulus(&self) -> u32 {
        self.modulus
    }

    pub(super) fn columns(&self) -> u32 {
        self.columns
    }

    /// The row of each slot, increasing.
    pub(super) fn dense(&self) -> &[u32] {
        &self.dense
    }

    /// The rows that have slots, one bit a row.
    pub(super) fn dense_set(&self) -> &[u64] {
        &self.dense_set
    }

    /// The slot of a row, or [`NONE`].
    pub(super) fn slot(&self, row: u32) -> u32 {
        self.slots[row as usize]
    }

    /// The columns of each row that is kept as a list.
    pub(super) fn members(&self) -> &[Vec<u32>] {
        &self.members
    }

    /// The table of all bit rows.
    pub(super) fn table(&self) -> &[u64] {
        &self.bits
    }

    /// Where in the table column 0 of a slot stands, in bits: a multiple of 64.
    #[inline(always)]
    pub(super) fn position(&self, slot: u32) -> u64 {
        64 * self.stride * u64::from(slot) + u64::from(FRONT)
    }

    /// The window that lies `fall` columns below column 0 of a slot: its byte offset, wrapped around at 2^32, and its
    /// byte class.
    #[inline(always)]
    pub(super) fn window(&self, slot: u32, fall: u32) -> (u32, u32) {
        let position = self.position(slot) as i64 - i64::from(fall);
        ((position >> 3) as u32, position as u32 % 8)
    }

    /// The fall of a window, for falls below the number of columns: the inverse of [`Self::window`].
    pub(super) fn fall(&self, offset: u32, bit: u32) -> u32 {
        // What lies beyond the table was below 0 and wrapped around; there is room between the two.
        let wrapped = u64::from(offset) >= 8 * self.bits.len() as u64;
        let byte = i64::from(offset) - if wrapped { MAX_BYTES as i64 } else { 0 };
        (i64::from(FRONT) - 8 * byte - i64::from(bit)).rem_euclid(64 * self.stride as i64) as u32
    }

    /// Reads one bit.
    #[inline(always)]
    pub(super) fn get(&self, slot: u32, column: u32) -> bool {
        let position = self.position(slot) + u64::from(column);
        self.bits[(position / 64) as usize] >> (position % 64) & 1 == 1
    }

    /// The word of 64 columns from `column` on, which may lie up to [`FRONT`] before column 0.
    #[inline(always)]
    pub(super) fn word(&self, slot: u32, column: i64) -> u64 {
        word_at(&self.bits, self.position(slot).wrapping_add_signed(column))
    }

    /// Counts the cold numbers of a slot in words of columns.
    pub(super) fn count_words(&self, slot: u32, words: std::ops::Range<u32>) -> u32 {
        let first = (self.position(slot) / 64) as usize;
        self.bits[first + words.start as usize..first + words.end as usize].iter().map(|w| w.count_ones()).sum()
    }
}

/// A walk over cold numbers, in any order.
pub(super) type Walk<'a> = dyn Fn(&mut dyn FnMut(u64)) -> Result<()> + 'a;

/// Counts the cold numbers of each row, those below column `reached` / 2 and the others.
pub(super) fn tally(modulus: u32, reached: u32, walk: &Walk<'_>) -> Result<Vec<Tally>> {
    let mut tallies = vec![Tally::default(); modulus as usize];
    let half = u64::from(reached / 2) * u64::from(modulus);
    walk(&mut |x| {
        let tally = &mut tallies[(x % u64::from(modulus)) as usize];
        if x < half { tally.older += 1 } else { tally.newer += 1 }
    })?;
    Ok(tallies)
}
