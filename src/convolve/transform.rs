//! Convolution by a number-theoretic transform.
//!
//! Exact: modulo a prime P the cyclic convolution of length N of two 0/1 sequences gives, at each place, the number of
//! pairs that meet there, mod P. There are at most N <= 2^27 < P such pairs, so the residue is 0 if and only if no pair
//! meets. Roots of unity of order N exist for every power of two N up to 2^27, and asking for a longer transform is
//! refused, not computed wrongly.

use crate::error::{Error, Result};
use crate::kernel::ntt::{MAX_LEN, MIN_LEN, MODULUS, Roots};
use crate::run::try_vec;

const _: () = assert!(MAX_LEN < MODULUS as usize, "no count reaches the modulus");

/// The longest convolution of two sequences of `n` bits: the sums must not wrap around.
pub const MAX_N: u64 = MAX_LEN as u64 / 2;

/// Writes bits as numbers 0 and 1 into the front of `numbers`, as many as there are bits, and zeros behind.
pub(super) fn expand(numbers: &mut [u32], bits: &[u64]) {
    let (front, behind) = numbers.split_at_mut((bits.len() * 64).min(numbers.len()));
    for (chunk, &word) in front.chunks_mut(64).zip(bits) {
        for (bit, number) in chunk.iter_mut().enumerate() {
            *number = (word >> bit) as u32 & 1;
        }
    }
    behind.fill(0);
}

/// See [`super::sums`]. Transforms twice as long as the sequences: nothing wraps around.
pub(super) fn sums(a: &[u64], b: &[u64], n: u64) -> Result<Vec<u64>> {
    if n > MAX_N {
        return Err(Error::Number(format!("a transform takes at most {MAX_N} positions; {n} were asked for")));
    }
    let clear_above = |words: &[u64]| {
        let mut words = words.to_vec();
        if !n.is_multiple_of(64)
            && let Some(last) = words.last_mut()
        {
            *last &= u64::MAX >> (64 - n % 64);
        }
        words
    };
    let len = (2 * n as usize).next_power_of_two().max(MIN_LEN);
    let roots = Roots::new(len)?;
    let mut factor = try_vec("a transform", len as u64, 0)?;
    expand(&mut factor, &clear_above(b));
    let spectrum = roots.spectrum(factor);
    let mut data = try_vec("a transform", len as u64, 0)?;
    expand(&mut data, &clear_above(a));
    roots.forward(&mut data);
    roots.multiply_and_return(&mut data, &spectrum);
    let mut result = try_vec("a convolution", a.len() as u64, 0)?;
    for x in 0..n as usize {
        result[x / 64] |= u64::from(data[(len - x) % len] != 0) << (x % 64);
    }
    Ok(result)
}
