//! Difference-free sets: no two members differ by an element of the subtraction set.
//!
//! The cold positions of a game are such a set, and a maximal one: each other position can move to a cold position, so it
//! could not be added. They are made greedily and are far from the largest. For the squares that question has a history:
//! Furstenberg (1977) and Sárközy (1978) proved that a set without square differences has density 0; Pintz, Steiger and
//! Szemerédi (1988) that it has at most n / (log n)^(c log log log log n) members up to n; Ruzsa (1984) built sets of n^0.733.
//!
//! # Ruzsa's set
//!
//! Let m be squarefree and R a set of residues mod m of which no two differ by a square mod m. Take the numbers whose base-m
//! digits at the places 0, 2, 4, ... are in R, and whose other digits are free. Let j be the lowest place where two of them
//! differ, so that their difference is m^j d with d not divisible by m. If j is even, m^j is a square; were the difference
//! one, d would be a square too, and d is congruent to a difference of two members of R: it is none. If j is odd, some prime
//! divides m and not d; it divides the difference exactly j times, an odd number, and so the difference is no square.

use std::path::Path;

use crate::error::{Error, Result};
use crate::number::lines;
use crate::run::{Control, try_vec};
use crate::set::{SubtractionSet, elements_below};

/// What is found of a set of members below n.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The number of members.
    pub size: u64,
    /// Two members that differ by an element, the smaller first: of all such pairs the one with the least larger member,
    /// and of those the one with the least difference. `None` when the set is difference-free.
    pub broken: Option<(u64, u64)>,
    /// The least number below n that could be added to a difference-free set and leaves it so. `None` when the set is
    /// maximal, or not difference-free.
    pub addable: Option<u64>,
}

impl Report {
    /// Tells whether no two members differ by an element of the set.
    pub fn is_difference_free(&self) -> bool {
        self.broken.is_none()
    }

    /// Tells whether the set is difference-free and no number below n could be added.
    pub fn is_maximal(&self) -> bool {
        self.is_difference_free() && self.addable.is_none()
    }
}

/// Checks whether `members`, strictly increasing and below `n`, are free of differences in `set`, and whether they are
/// maximal among the numbers below `n`. O(members × elements) time and n / 4 bytes.
///
/// # Errors
/// [`Error::Number`] when the members are not increasing or not below `n`; [`Error::Set`] when the set breaks its promise;
/// [`Error::Memory`]; [`Error::Stopped`].
///
/// ```
/// use nimsieve::run::Control;
/// use nimsieve::set::Squares;
/// use nimsieve::study::difference_free::check;
/// let cold: Vec<u64> = nimsieve::cold(&Squares, 1000)?.iter().collect();
/// assert!(check(&cold, &Squares, 1000, &Control::new())?.is_maximal());
/// let report = check(&[0, 2, 11], &Squares, 12, &Control::new())?;
/// assert_eq!(report.broken, Some((2, 11)));
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn check(members: &[u64], set: &dyn SubtractionSet, n: u64, control: &Control) -> Result<Report> {
    if let Some(pair) = members.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(Error::Number(format!("the members must be increasing, but {} follows {}", pair[1], pair[0])));
    }
    if let Some(&last) = members.last().filter(|&&last| last >= n) {
        return Err(Error::Number(format!("{last} is not below {n}; raise n, or leave it out")));
    }
    let elements = elements_below(set, n, control)?;
    let mut is_member = Bits::new(n)?;
    let mut blocked = Bits::new(n)?;
    for &x in members {
        is_member.insert(x);
        blocked.insert(x);
    }
    let mut broken = None;
    for &x in members {
        control.check()?;
        for &s in &elements {
            let below = x.checked_sub(s);
            if let Some(y) = below {
                if broken.is_none() && is_member.contains(y) {
                    broken = Some((y, x));
                }
                blocked.insert(y);
            }
            match x.checked_add(s).filter(|&y| y < n) {
                Some(y) => blocked.insert(y),
                None if below.is_none() => break,
                None => {}
            }
        }
    }
    let addable = if broken.is_some() { None } else { blocked.first_missing(n) };
    Ok(Report { size: members.len() as u64, broken, addable })
}

/// Reads the members of a set, one number a line, or one index and one number as in a b-file; sorted. Blank lines and
/// what follows `#` are passed over.
///
/// # Errors
/// [`Error::Io`]; [`Error::Line`] for a line that is neither, is not text, or is longer than 4096 bytes.
pub fn read_members(path: &Path) -> Result<Vec<u64>> {
    let mut members = Vec::new();
    lines::for_each_line(path, |number, line| {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace().map(str::parse::<u64>);
        match (words.next(), words.next(), words.next()) {
            (None, ..) => {}
            (Some(Ok(member)), None, None) | (Some(Ok(_)), Some(Ok(member)), None) => members.push(member),
            _ => {
                let message = format!("expected a number below 2^64, or an index and one, found `{line}`");
                return Err(Error::Line { path: path.into(), line: number, message });
            }
        }
        Ok(())
    })?;
    members.sort_unstable();
    members.dedup();
    Ok(members)
}

/// A bit for each number below n.
struct Bits(Vec<u64>);

impl Bits {
    fn new(n: u64) -> Result<Self> {
        Ok(Self(try_vec("the bits of a difference-free set", n.div_ceil(64), 0)?))
    }

    fn insert(&mut self, x: u64) {
        self.0[(x / 64) as usize] |= 1 << (x % 64);
    }

    fn contains(&self, x: u64) -> bool {
        self.0[(x / 64) as usize] >> (x % 64) & 1 == 1
    }

    fn first_missing(&self, n: u64) -> Option<u64> {
        let (index, word) = (0_u64..).zip(&self.0).find(|(_, word)| **word != u64::MAX)?;
        Some(64 * index + u64::from(word.trailing_ones())).filter(|&x| x < n)
    }
}

/// A set of numbers by their base-m digits: those at even places are in a set of residues, the others are free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DigitSet {
    /// The base m, squarefree.
    pub base: u64,
    /// The residues, increasing, of which no two differ by a square mod m; 0 is one.
    pub residues: &'static [u64],
}

/// Ruzsa's set of 1984, of about n^0.733077 members below n.
pub const RUZSA: DigitSet = DigitSet { base: 65, residues: &[0, 2, 5, 22, 24, 43, 46] };

/// The same in base 5, of about n^0.715338 members below n.
pub const BASE_5: DigitSet = DigitSet { base: 5, residues: &[0, 2] };

impl DigitSet {
    /// Tells whether `x` is a member. O(log x).
    pub fn contains(&self, x: u64) -> bool {
        let (mut rest, mut even) = (x, true);
        while rest > 0 {
            if even && !self.residues.contains(&(rest % self.base)) {
                return false;
            }
            rest /= self.base;
            even = !even;
        }
        true
    }

    /// The number of members below `n`. O(log n).
    pub fn count_below(&self, n: u64) -> u64 {
        let mut digits = Vec::new();
        let mut rest = n;
        while rest > 0 {
            digits.push(rest % self.base);
            rest /= self.base;
        }
        // Members that agree with n down to some place, have a smaller digit there, and any digits below.
        let mut count = 0;
        for (place, &digit) in digits.iter().enumerate().rev() {
            let is_even = place % 2 == 0;
            let smaller = match is_even {
                true => self.residues.partition_point(|&r| r < digit) as u64,
                false => digit,
            };
            let (free, bound) = (place as u32 / 2, place.div_ceil(2) as u32);
            count += smaller * self.base.pow(free) * (self.residues.len() as u64).pow(bound);
            if is_even && !self.residues.contains(&digit) {
                break;
            }
        }
        count
    }

    /// The members below `n`, increasing.
    pub fn members(&self, n: u64) -> impl Iterator<Item = u64> + '_ {
        (0..n).filter(|&x| self.contains(x))
    }
}

/// The least n such that 1..n, or the numbers below n, have a subset of 1, 2, 3, ... members without square differences
/// (OEIS A210570).
const LEAST_N: &[u16] = &[
    1, 3, 6, 8, 11, 13, 16, 18, 21, 23, 35, 38, 43, 48, 53, 58, 66, 68, 71, 73, 81, 86, 92, 97, 102, 107, 112, 118,
    120, 125, 131, 133, 138, 144, 146, 151, 157, 159, 164, 189, 199, 203, 206, 208, 219, 223, 236, 242, 248, 253, 258,
    263, 266, 269, 283, 285, 288, 293, 311, 314, 323, 328, 331, 334, 343, 346,
];

/// The size of a largest set of numbers below n without two that differ by a square (OEIS A100719), where it is known here.
pub fn largest_square_difference_free(n: u64) -> Option<u64> {
    let known = LEAST_N.last().map_or(0, |&last| u64::from(last));
    (n <= known).then(|| LEAST_N.partition_point(|&least| u64::from(least) <= n) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::{NamedSet, Squares};

    fn free(members: &[u64], n: u64) -> Report {
        check(members, &Squares, n, &Control::new()).unwrap()
    }

    #[test]
    fn cold_positions_are_maximal_and_fall_apart_when_touched() {
        for set in ["squares", "primes", "triangular", "1,4,9", "powers-of:3"] {
            let set: NamedSet = set.parse().unwrap();
            for n in [0, 1, 2, 63, 64, 65, 1000] {
                let cold: Vec<u64> = crate::cold(&set, n).unwrap().iter().collect();
                let report = check(&cold, &set, n, &Control::new()).unwrap();
                assert!(report.is_maximal() && report.size == cold.len() as u64, "{n}: {report:?}");
                // Without one member it is free still, and no longer maximal.
                let Some(&middle) = cold.get(cold.len() / 2) else { continue };
                let fewer: Vec<u64> = cold.iter().copied().filter(|&x| x != middle).collect();
                let report = check(&fewer, &set, n, &Control::new()).unwrap();
                assert!(report.is_difference_free() && report.addable.is_some_and(|x| x <= middle));
            }
        }
    }

    #[test]
    fn reports_agree_with_all_pairs() {
        let is_square = |x: u64| x > 0 && x.isqrt().pow(2) == x;
        let mut state = 7_u64;
        for round in 0..300 {
            let n = 5 + round % 90;
            let members: Vec<u64> = (0..n)
                .filter(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    state >> 61 == 0
                })
                .collect();
            let pairs = members.iter().flat_map(|&y| members.iter().map(move |&x| (x, y)).filter(move |&(x, _)| x < y));
            let broken = pairs.filter(|(x, y)| is_square(y - x)).min_by_key(|&(x, y)| (y, y - x));
            let report = free(&members, n);
            assert_eq!(report.broken, broken);
            if broken.is_none() {
                let fits = |x: &u64| members.iter().all(|&y| x != &y && !is_square(x.abs_diff(y)));
                assert_eq!(report.addable, (0..n).find(fits));
            }
        }
    }

    #[test]
    fn digit_sets_are_difference_free_and_counted_right() {
        for (set, n) in [(RUZSA, 20_000), (BASE_5, 20_000)] {
            let members: Vec<u64> = set.members(n).collect();
            assert!(free(&members, n).is_difference_free());
            for n in (0..n).step_by(7) {
                assert_eq!(set.count_below(n), members.partition_point(|&x| x < n) as u64, "{n}");
            }
            assert!(set.count_below(u64::MAX) > 1 << 45);
        }
        // One more residue and it is none: 0 and 1 differ by 1.
        let broken = DigitSet { base: 65, residues: &[0, 1] };
        assert_eq!(free(&broken.members(70).collect::<Vec<_>>(), 70).broken, Some((0, 1)));
    }

    #[test]
    fn the_largest_are_as_large_as_exhaustion_finds() {
        // Branch and bound over the numbers below n, the largest first.
        fn largest(candidates: &[u64], size: u64, best: &mut u64) {
            *best = (*best).max(size);
            if size + candidates.len() as u64 <= *best {
                return;
            }
            let Some((&x, rest)) = candidates.split_last() else { return };
            let kept: Vec<u64> = rest.iter().copied().filter(|y| (x - y).isqrt().pow(2) != x - y).collect();
            largest(&kept, size + 1, best);
            largest(rest, size, best);
        }
        for n in 1..=50_u64 {
            let mut best = 0;
            largest(&(0..n).collect::<Vec<_>>(), 0, &mut best);
            assert_eq!(largest_square_difference_free(n), Some(best), "{n}");
        }
        assert_eq!(largest_square_difference_free(346), Some(66));
        assert_eq!(largest_square_difference_free(347), None);
    }

    #[test]
    fn bad_members_are_refused() {
        assert!(check(&[3, 2], &Squares, 9, &Control::new()).is_err());
        assert!(check(&[3, 9], &Squares, 9, &Control::new()).is_err());
    }
}
