//! The yardsticks that ratios are measured against. Frozen: they are never made faster.

/// Counts the cold numbers of Subtract-a-Square below `n` with a plain forward bit sieve, one thread, in segments of
/// 64 KiB: each cold number marks what lies a square above it.
pub fn plain_sieve(n: u64) -> u64 {
    const SEGMENT: u64 = 8 * 64 * 1024;
    let mut cold: Vec<u64> = Vec::new();
    // For each cold number the root of its next mark.
    let mut roots: Vec<u64> = Vec::new();
    let mut hot = vec![0_u64; (SEGMENT / 64) as usize];
    for start in (0..n).step_by(SEGMENT as usize) {
        let end = n.min(start + SEGMENT);
        hot.fill(0);
        for (&c, root) in cold.iter().zip(&mut roots) {
            let mut x = c + *root * *root;
            while x < end {
                hot[((x - start) / 64) as usize] |= 1 << (x % 64);
                *root += 1;
                x = c + *root * *root;
            }
        }
        for x in start..end {
            if hot[((x - start) / 64) as usize] >> (x % 64) & 1 == 0 {
                let mut root = 1;
                while x + root * root < end {
                    let y = x + root * root;
                    hot[((y - start) / 64) as usize] |= 1 << (y % 64);
                    root += 1;
                }
                cold.push(x);
                roots.push(root);
            }
        }
    }
    cold.len() as u64
}
