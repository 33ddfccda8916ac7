//! Many convolutions with one set: which positions lie one move above some members, block against block.
//!
//! Members are the bits of a block of h positions, targets those of a block of h positions that starts d h further on,
//! d >= 1. A move from target y to member c, each counted from the start of its block, takes s = d h + y - c, which lies
//! in ((d - 1) h, (d + 1) h). So with s' = s - (d - 1) h the sums c + s' = h + y stand in the right half of a
//! convolution of length 2h of the members with the *part* of the set from (d - 1) h on.
//!
//! *Exact.* It is computed cyclically with length N = 2h only: a sum c + s' >= N comes back as c + s' - N < h, in the
//! left half, which is not read. Each output is a number of pairs modulo the prime P of [`crate::kernel::ntt`]; several
//! products may be added up, as long as there are fewer than P pairs, and then it is 0 if and only if no pair meets.

use crate::convolve::transform::expand;
use crate::error::Result;
use crate::kernel::ntt::Roots;
use crate::run::try_vec;

/// The spectra of parts of a set.
pub(crate) struct Spectra {
    roots: Roots,
    parts: Vec<Part>,
}

struct Part {
    start: u64,
    spectrum: Vec<u32>,
}

impl Spectra {
    /// Prepares for blocks of at most `half` positions, a power of two. 8 `half` bytes.
    pub(crate) fn new(half: u64) -> Result<Self> {
        Ok(Self { roots: Roots::new(2 * half as usize)?, parts: Vec::new() })
    }

    /// Adds the part of the set, given as bits, that serves blocks of `half` positions at a distance of `distance` blocks.
    /// 8 `half` bytes.
    pub(crate) fn add(&mut self, set: &[u64], half: u64, distance: u64) -> Result<()> {
        let start = (distance - 1) * half;
        let mut indicator = try_vec("a transform of the set", 2 * half, 0)?;
        expand(&mut indicator, set.get((start / 64) as usize..).unwrap_or_default());
        self.parts.push(Part { start, spectrum: self.roots.spectrum(indicator) });
        Ok(())
    }

    fn part(&self, half: usize, distance: u64) -> &[u32] {
        let start = (distance - 1) * half as u64;
        let part = self.parts.iter().find(|part| part.start == start && part.spectrum.len() == 2 * half);
        &part.expect("every length and distance that is asked for was added").spectrum
    }

    /// Makes hot, in the block next to that of the members, what lies one move above one of them. Both are bits, of equal
    /// length but for what is cut off the end of `hot`; `data` is room for two numbers a bit of `members`.
    pub(crate) fn hit(&self, data: &mut [u32], members: &[u64], hot: &mut [u64]) {
        expand(data, members);
        self.roots.forward(data);
        self.roots.multiply_and_return(data, self.part(data.len() / 2, 1));
        read(data, hot);
    }

    /// Adds to `sum` the product of the members of a block and the part of the set at a distance. `data`, as long as the
    /// sum, holds the members as numbers 0 and 1 in its left half, and zeros.
    pub(crate) fn add_hits(&self, sum: &mut [u32], data: &mut [u32], distance: u64) {
        self.roots.forward(data);
        self.roots.add_product(sum, data, self.part(data.len() / 2, distance));
    }

    /// Makes hot what a sum of products hits; the sum is used up.
    pub(crate) fn finish(&self, sum: &mut [u32], hot: &mut [u64]) {
        self.roots.backward(sum);
        read(sum, hot);
    }
}

/// Reads the right half of a convolution that came back reversed: the output at y, from h to 2h - 1, stands at 2h - y.
fn read(counts: &[u32], hot: &mut [u64]) {
    let half = counts.len() / 2;
    for (word, counts) in hot.iter_mut().zip(counts[1..=half].rchunks(64)) {
        for (bit, &count) in counts.iter().rev().enumerate() {
            *word |= u64::from(count != 0) << bit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(members: impl IntoIterator<Item = u64>, len: u64) -> Vec<u64> {
        let mut words = vec![0; (len / 64) as usize];
        members.into_iter().for_each(|x| words[(x / 64) as usize] |= 1 << (x % 64));
        words
    }

    /// Several blocks of members against a later block, against the definition.
    #[test]
    fn hits_are_moves() {
        const HALF: u64 = 256;
        let set: Vec<u64> = (1..5 * HALF).filter(|s| s * s % 101 < 3).collect();
        let words = bits(set.iter().copied(), 5 * HALF);
        let members: Vec<u64> = (0..4 * HALF).filter(|c| c * c % 67 < 2).collect();
        let mut spectra = Spectra::new(HALF).unwrap();
        (1..5).for_each(|distance| spectra.add(&words, HALF, distance).unwrap());
        let expected = |block: u64, from: u64| {
            let start = block * HALF;
            let reached =
                |y: &u64| members.iter().any(|&c| (from..start).contains(&c) && set.contains(&(start + y - c)));
            bits((0..HALF).filter(reached), HALF)
        };
        let of_block = |block: u64| members.iter().filter(move |&&c| c / HALF == block).map(|c| c % HALF);
        for block in 1..5 {
            let mut hot = vec![0; (HALF / 64) as usize];
            let mut data = vec![0; 2 * HALF as usize];
            spectra.hit(&mut data, &bits(of_block(block - 1), HALF), &mut hot);
            assert_eq!(hot, expected(block, (block - 1) * HALF), "from the block before {block}");

            let mut sum = vec![0; 2 * HALF as usize];
            for earlier in 0..block {
                data.fill(0);
                of_block(earlier).for_each(|c| data[c as usize] = 1);
                spectra.add_hits(&mut sum, &mut data, block - earlier);
            }
            hot.fill(0);
            spectra.finish(&mut sum, &mut hot);
            assert_eq!(hot, expected(block, 0), "from all blocks before {block}");
        }
    }
}
