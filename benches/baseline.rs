//! Frozen yardsticks: the plain way of doing each job in a few lines. Ratios are measured against these, so they are
//! never made faster.

/// Counts the cold numbers of Subtract-a-Square below `n`: a forward sieve in segments of 64 KiB of bits, one thread.
pub fn plain_sieve(n: u64) -> u64 {
    const SEGMENT: u64 = 64 * 1024 * 8;
    let mut cold: Vec<u64> = Vec::new();
    // For each k, the first cold position whose mark at distance k^2 has not been made yet.
    let mut next: Vec<usize> = Vec::new();
    let mut hot = vec![0_u64; SEGMENT as usize / 64];
    for start in (0..n).step_by(SEGMENT as usize) {
        let end = (start + SEGMENT).min(n);
        hot.fill(0);
        while ((next.len() as u64 + 1).pow(2)) < end {
            next.push(0);
        }
        for (k, next) in (1_u64..).zip(&mut next) {
            while let Some(&c) = cold.get(*next) {
                let x = c + k * k;
                if x >= end {
                    break;
                }
                if x >= start {
                    hot[((x - start) / 64) as usize] |= 1 << ((x - start) % 64);
                }
                *next += 1;
            }
        }
        for x in start..end {
            if hot[((x - start) / 64) as usize] >> ((x - start) % 64) & 1 == 0 {
                cold.push(x);
                let mut k = 1;
                while x + k * k < end {
                    hot[((x + k * k - start) / 64) as usize] |= 1 << ((x + k * k - start) % 64);
                    k += 1;
                }
            }
        }
    }
    cold.len() as u64
}

/// The largest nim-value of Subtract-a-Square below `n`: the mex by an array of stamps, one thread.
pub fn stamp_mex(n: usize) -> u16 {
    let mut values = vec![0_u16; n];
    let mut stamps = vec![usize::MAX; 1 << 16];
    for x in 0..n {
        let mut k = 1;
        while k * k <= x {
            stamps[usize::from(values[x - k * k])] = x;
            k += 1;
        }
        values[x] = (0..).find(|&value| stamps[usize::from(value)] != x).unwrap();
    }
    values.into_iter().max().unwrap_or(0)
}

/// The sum of the nim-values below `n` of a finite set: a ring buffer as long as the largest element, one thread.
pub fn ring_mex(set: &[usize], n: usize) -> u64 {
    let mask = (set.iter().max().unwrap() + 1).next_power_of_two() - 1;
    let mut ring = vec![0_usize; mask + 1];
    let mut stamps = vec![usize::MAX; set.len() + 1];
    let mut sum = 0;
    for x in 0..n {
        for &s in set {
            if s <= x {
                stamps[ring[(x - s) & mask]] = x;
            }
        }
        let mex = stamps.iter().position(|&stamp| stamp != x).unwrap();
        ring[x & mask] = mex;
        sum += mex as u64;
    }
    sum
}
