//! How many sums of k heaps are cold: counted from the histogram of the nim-values, exactly.

use num_bigint::{BigInt, BigUint};

use crate::error::{Error, Result};
use crate::run::try_vec;

/// The sums of some number of heaps, the heaps told apart and each below n.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SumCount {
    /// How many heaps.
    pub heaps: u32,
    /// All sums: n to the power of `heaps`.
    pub sums: BigUint,
    /// Those that are cold in normal play.
    pub cold: BigUint,
    /// Those that are cold in misere play.
    pub misere_cold: BigUint,
}

/// Counts the cold sums of 1, 2, ..., `heaps` heaps, given how often each nim-value occurs among the heaps.
///
/// A sum is cold when the exclusive or of its nim-values is 0, so the count is the value at 0 of the k-fold convolution of
/// the histogram h under exclusive or. The Walsh-Hadamard transform H(w), the sum of (-1)^|v and w| h(v) over v, turns
/// that into a power: the count is the mean of H(w)^k. In misere play (see the head of [`crate::sum`]) the sums of heaps
/// with nim-values 0 and 1 alone change sides, those with an even number of ones against those with an odd number, and
/// the difference of the two is (h(0) - h(1))^k.
///
/// O(L log L) additions for L, the power of two above the largest nim-value, then `heaps` L products of big integers.
///
/// # Errors
/// [`Error::Number`] when the counts pass 2^63 together, [`Error::Memory`].
///
/// ```
/// use nimsieve::sum::count_sums;
///
/// // Below 10 the nim-values of the squares are 0 1 0 1 2 0 1 0 1 2.
/// let counts = count_sums(&[4, 4, 2], 2)?;
/// assert_eq!(counts[0].cold, 4_u32.into());
/// assert_eq!(counts[1].cold, (16_u32 + 16 + 4).into());
/// assert_eq!(counts[1].misere_cold, (16_u32 + 16 + 4).into());
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn count_sums(histogram: &[u64], heaps: u32) -> Result<Vec<SumCount>> {
    let total: u128 = histogram.iter().map(|&count| u128::from(count)).sum();
    if total >= 1 << 63 {
        return Err(Error::Number(format!("{total} heaps pass 2^63; count those below a smaller n")));
    }
    let length = histogram.len().max(2).next_power_of_two();
    let mut transform = try_vec("the transform of a histogram", length as u64, 0_i64)?;
    transform.iter_mut().zip(histogram).for_each(|(place, &count)| *place = count as i64);
    let difference = BigInt::from(transform[0] - transform[1]);
    walsh_hadamard(&mut transform);
    // Equal numbers have equal powers, and there are few different ones.
    transform.sort_unstable();
    let groups: Vec<(BigInt, usize)> =
        transform.chunk_by(|a, b| a == b).map(|group| (BigInt::from(group[0]), group.len())).collect();
    let mut powers = vec![BigInt::from(1); groups.len()];
    let (mut sums, mut swapped) = (BigUint::from(1_u32), BigInt::from(1));
    let mut counts = Vec::new();
    for heaps in 1..=heaps {
        sums *= total;
        swapped *= &difference;
        powers.iter_mut().zip(&groups).for_each(|(power, (value, _))| *power *= value);
        let all: BigInt = powers.iter().zip(&groups).map(|(power, (_, count))| power * BigInt::from(*count)).sum();
        let cold = all / BigInt::from(length);
        let misere_cold = (&cold - &swapped).magnitude().clone();
        counts.push(SumCount { heaps, sums: sums.clone(), cold: cold.magnitude().clone(), misere_cold });
    }
    Ok(counts)
}

/// The Walsh-Hadamard transform, in place; the length is a power of two.
fn walsh_hadamard(values: &mut [i64]) {
    let mut half = 1;
    while half < values.len() {
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sum::{Play, is_cold};

    #[test]
    fn counts_agree_with_enumeration() {
        for values in
            [&[0_u16, 1, 0, 1, 2, 0, 3, 4, 1, 2][..], &[0], &[0, 0, 0], &[0, 1, 2, 3, 4, 5, 6, 7, 8], &[1, 1, 0]]
        {
            let mut histogram = vec![0; usize::from(*values.iter().max().unwrap()) + 1];
            values.iter().for_each(|&value| histogram[usize::from(value)] += 1);
            let counts = count_sums(&histogram, 4).unwrap();
            let mut sums: Vec<Vec<u16>> = vec![Vec::new()];
            for count in counts {
                sums = sums
                    .iter()
                    .flat_map(|sum| values.iter().map(move |&value| [&sum[..], &[value]].concat()))
                    .collect();
                let cold = |play| sums.iter().filter(|sum| is_cold(sum.iter().copied(), play)).count();
                assert_eq!(count.sums, sums.len().into());
                assert_eq!(count.cold, cold(Play::Normal).into(), "{values:?} {}", count.heaps);
                assert_eq!(count.misere_cold, cold(Play::Misere).into(), "{values:?} {}", count.heaps);
            }
        }
        assert!(count_sums(&[1 << 63], 1).is_err());
        assert_eq!(count_sums(&[], 1).unwrap()[0].cold, 0_u32.into());
    }
}
