//! Generators that sieve: semiprimes block by block, lucky numbers by doubling.

use super::Elements;

/// Semiprimes, the products of two primes: in a block each number is divided, on paper, by the prime powers up to
/// its square root. What these multiply to tells whether one larger prime is left.
///
/// About n log log n multiplications for those below n, and a block of memory with the primes below sqrt(n). Blocks double
/// up to a length: many readers want only the beginning.
pub(super) fn semiprimes() -> Elements<'static> {
    const FIRST: u64 = 1 << 10;
    const BLOCK: u64 = 1 << 16;
    let next = |&(_, end): &(u64, u64)| Some((end, end.checked_add((end + FIRST).min(BLOCK))?));
    let mut primes = primal_sieve::Primes::all().map(|p| p as u64).peekable();
    let mut small: Vec<u64> = Vec::new();
    Box::new(std::iter::successors(Some((0, FIRST)), next).flat_map(move |(start, end)| {
        while let Some(p) = primes.next_if(|&p| p.checked_mul(p).is_some_and(|square| square < end)) {
            small.push(p);
        }
        semiprimes_between(start, end, &small)
    }))
}

/// The semiprimes from `start` to `end`, given the primes whose squares are below `end`.
fn semiprimes_between(start: u64, end: u64, small: &[u64]) -> Vec<u64> {
    let len = (end - start) as usize;
    // For each number, the product of its prime factors among the small ones, and how many they are, up to 255.
    let (mut products, mut counts) = (vec![1_u64; len], vec![0_u8; len]);
    for &p in small {
        let powers = std::iter::successors(Some(p), |power| power.checked_mul(p)).take_while(|&power| power < end);
        for power in powers {
            for n in (start.next_multiple_of(power).max(power)..end).step_by(power as usize) {
                let index = (n - start) as usize;
                products[index] *= p;
                counts[index] += 1;
            }
        }
    }
    (start.max(2)..end)
        .filter(|&n| {
            let index = (n - start) as usize;
            counts[index] + u8::from(products[index] < n) == 2
        })
        .collect()
}

/// Lucky numbers: from the odd numbers strike out every third, from what is left every seventh, and so on with each
/// number that stays in its turn. Found below a bound, and once more below twice the bound when they are used up.
pub(super) fn lucky() -> Elements<'static> {
    const FIRST: u64 = 1 << 10;
    let bounds = std::iter::successors(Some(FIRST), |bound: &u64| bound.checked_mul(2));
    let starts = std::iter::once(0).chain(bounds.clone());
    Box::new(starts.zip(bounds).flat_map(|(start, end)| lucky_below(end).filter(move |&n| n >= start)))
}

/// The lucky numbers below `end`: about n / 3 deletions by rank, O(n log n) in all, and n / 8 bytes.
fn lucky_below(end: u64) -> impl Iterator<Item = u64> {
    // Odd numbers without every third, which are those = 5 mod 6.
    let mut left = Ranks::of((0..end / 2).map(|i| i % 3 != 2));
    let number = |index: u64| 2 * index + 1;
    // Ranks are from 0: the next to strike with is the third, 7.
    for rank in 2.. {
        if rank >= left.len() {
            break;
        }
        let step = number(left.position(rank));
        let struck = left.len() / step;
        if struck == 0 {
            break;
        }
        // From the top, so that the ranks below stay what they are.
        (1..=struck).rev().for_each(|times| left.remove(times * step - 1));
    }
    let words = left.words;
    let index = |(base, word): (u64, u64)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| base + bit);
    (0..).step_by(64).zip(words).flat_map(index).map(number)
}

/// A set of small numbers from which the k-th can be removed: bits, and above them a binary tree whose nodes count the
/// members on their left.
struct Ranks {
    words: Vec<u64>,
    /// Node i has the children 2i and 2i + 1; the leaves, from `leaves` on, are the words.
    left: Vec<u32>,
    leaves: usize,
    len: u64,
}

impl Ranks {
    fn of(members: impl Iterator<Item = bool>) -> Self {
        let mut words: Vec<u64> = Vec::new();
        for (index, member) in members.enumerate() {
            if index % 64 == 0 {
                words.push(0);
            }
            words[index / 64] |= u64::from(member) << (index % 64);
        }
        let leaves = words.len().next_power_of_two();
        let (mut left, mut counts) = (vec![0; leaves], vec![0; 2 * leaves]);
        for (count, word) in counts[leaves..].iter_mut().zip(&words) {
            *count = word.count_ones();
        }
        for node in (1..leaves).rev() {
            left[node] = counts[2 * node];
            counts[node] = counts[2 * node] + counts[2 * node + 1];
        }
        Self { words, left, leaves, len: u64::from(counts[1]) }
    }

    fn len(&self) -> u64 {
        self.len
    }

    /// The member of a rank, from 0.
    fn position(&self, rank: u64) -> u64 {
        let (mut node, mut rank) = (1, rank as u32);
        while node < self.leaves {
            let right = rank >= self.left[node];
            rank -= if right { self.left[node] } else { 0 };
            node = 2 * node + usize::from(right);
        }
        let word = node - self.leaves;
        64 * word as u64 + u64::from(nth_bit(self.words[word], rank))
    }

    /// Removes the member of a rank, from 0.
    fn remove(&mut self, rank: u64) {
        let (mut node, mut rank) = (1, rank as u32);
        while node < self.leaves {
            let right = rank >= self.left[node];
            match right {
                true => rank -= self.left[node],
                false => self.left[node] -= 1,
            }
            node = 2 * node + usize::from(right);
        }
        let word = &mut self.words[node - self.leaves];
        *word &= !(1 << nth_bit(*word, rank));
        self.len -= 1;
    }
}

/// The place of the set bit of a rank, from 0.
fn nth_bit(mut word: u64, rank: u32) -> u32 {
    for _ in 0..rank {
        word &= word - 1;
    }
    word.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: strike out of a list.
    #[test]
    fn lucky_numbers_agree_with_the_definition() {
        const END: u64 = 200_000;
        let mut list: Vec<u64> = (1..END).step_by(2).collect();
        let mut turn = 1;
        while turn < list.len() && list[turn] as usize <= list.len() {
            let step = list[turn] as usize;
            list = list.iter().enumerate().filter(|(i, _)| (i + 1) % step != 0).map(|(_, &n)| n).collect();
            turn += 1;
        }
        // Over eight changes of the bound, the last at 2^17.
        assert!(lucky().take_while(|&n| n < END).eq(list));
    }

    #[test]
    fn semiprimes_agree_with_the_definition() {
        let factors = |n: u64| {
            let (mut rest, mut count) = (n, 0);
            for p in 2..=n.isqrt() {
                while rest.is_multiple_of(p) {
                    (rest, count) = (rest / p, count + 1);
                }
            }
            count + u32::from(rest > 1)
        };
        assert!(semiprimes().take_while(|&n| n < 5_000).eq((2..5_000).filter(|&n| factors(n) == 2)));
        // Around the ends of the last short block, at 2^16 - 2^10, and of the first long one.
        for edge in [64_512, 130_048] {
            let near = (edge - 100..edge + 100).filter(|&n| factors(n) == 2);
            assert!(semiprimes().skip_while(|&n| n < edge - 100).take_while(|&n| n < edge + 100).eq(near));
        }
    }

    /// How many there are up to powers of ten (A066265).
    #[test]
    fn semiprimes_are_as_many_as_published() {
        for (last, count) in
            [(10, 4), (100, 34), (1_000, 299), (10_000, 2_625), (100_000, 23_378), (1_000_000, 210_035)]
        {
            assert_eq!(semiprimes().take_while(|&n| n <= last).count(), count, "up to {last}");
        }
    }
}
