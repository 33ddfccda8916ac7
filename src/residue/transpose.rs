//! From rows by residue to the order of heaps.

use super::BLOCK_WORDS;

/// Turns the rows of a block into one row in the order of heaps.
pub(super) struct Layout {
    modulus: usize,
}

impl Layout {
    pub(super) fn new(modulus: usize) -> Self {
        Self { modulus }
    }

    /// Appends the bits of a block: `modulus` rows of 512 bits become 512 * modulus bits, bit `modulus * j + r` of which is
    /// bit j of row r.
    pub(super) fn append(&self, rows: &[[u64; BLOCK_WORDS]], output: &mut Vec<u64>) {
        let (mut word, mut filled) = (0_u64, 0);
        let groups = self.modulus.div_ceil(64);
        let mut squares = vec![[0_u64; 64]; groups];
        for index in 0..BLOCK_WORDS {
            for (square, rows) in squares.iter_mut().zip(rows.chunks(64)) {
                square.fill(0);
                square.iter_mut().zip(rows).for_each(|(word, row)| *word = row[index]);
                transpose(square);
            }
            for place in 0..64 {
                let mut width = self.modulus;
                for square in &squares {
                    let (bits, count) = (square[place], width.min(64));
                    width -= count;
                    word |= bits << filled;
                    if filled + count >= 64 {
                        output.push(word);
                        // Of `bits` the first 64 - filled are out.
                        word = if filled == 0 { 0 } else { bits >> (64 - filled) };
                        filled = filled + count - 64;
                    } else {
                        filled += count;
                    }
                }
            }
        }
        debug_assert_eq!(filled, 0, "512 times anything is whole words");
    }
}

/// Transposes a 64 by 64 matrix of bits, bit j of word i to bit i of word j, by halves (Warren, Hacker's Delight, 7-3).
fn transpose(matrix: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_ffff_ffff_u64);
    while width > 0 {
        for first in (0..64).step_by(2 * width) {
            for i in first..first + width {
                let swapped = (matrix[i] >> width ^ matrix[i + width]) & mask;
                matrix[i] ^= swapped << width;
                matrix[i + width] ^= swapped;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// Eight bytes for each byte: byte i is bit i.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte as u64) >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Numbers in binary, given plane by plane, one byte each.
pub(super) fn to_bytes(planes: &[Vec<u64>]) -> Vec<u8> {
    let words = planes.first().map_or(0, Vec::len);
    let mut bytes = vec![0_u8; 64 * words];
    for (index, bytes) in bytes.as_chunks_mut::<64>().0.iter_mut().enumerate() {
        let mut eights = [0_u64; 8];
        for (bit, plane) in planes.iter().enumerate() {
            for (eight, byte) in eights.iter_mut().zip(plane[index].to_le_bytes()) {
                *eight |= SPREAD[usize::from(byte)] << bit;
            }
        }
        bytes.as_chunks_mut::<8>().0.iter_mut().zip(eights).for_each(|(bytes, eight)| *bytes = eight.to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_out_in_the_order_of_heaps() {
        for modulus in [1, 2, 3, 30, 63, 64, 65, 100, 128, 210] {
            let mut state = 1_u64;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state ^ state >> 29
            };
            let rows: Vec<[u64; BLOCK_WORDS]> = (0..modulus).map(|_| std::array::from_fn(|_| next())).collect();
            let mut output = vec![7];
            Layout::new(modulus).append(&rows, &mut output);
            assert_eq!(output.len(), 1 + BLOCK_WORDS * modulus);
            for x in 0..512 * modulus {
                let (row, j) = (x % modulus, x / modulus);
                let expected = rows[row][j / 64] >> (j % 64) & 1;
                assert_eq!(output[1 + x / 64] >> (x % 64) & 1, expected, "mod {modulus}, heap {x}");
            }
        }
    }

    #[test]
    fn planes_become_bytes() {
        let planes = vec![vec![0b1011, 1 << 63], vec![0b0110, 0], vec![0b1000, 1 << 63]];
        let bytes = to_bytes(&planes);
        assert_eq!(bytes[..5], [1, 3, 2, 5, 0]);
        assert_eq!((bytes.len(), bytes[127], bytes[126]), (128, 5, 0));
    }
}
