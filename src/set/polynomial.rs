//! Values of a polynomial at 1, 2, 3, ...: squares, cubes, triangular and polygonal numbers, and any other.

use std::fmt::Write;

use super::{Elements, Form, SubtractionSet};
use crate::error::{Error, Result};

/// The positive values of an integer-valued polynomial p(k) = (c0 + c1 k + c2 k^2 + ...) / d at k = 1, 2, 3, ...
///
/// A polynomial need not grow from the start: its first values are sorted, and from some k on it is strictly
/// increasing and above them all.
///
/// ```
/// use nimsieve::set::{Polynomial, SubtractionSet};
/// let hexagonal = Polynomial::polygonal(6)?;
/// assert_eq!(hexagonal.elements().take(5).collect::<Vec<_>>(), [1, 6, 15, 28, 45]);
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polynomial {
    /// Coefficients of the numerator, constant term first, the last one not 0.
    numerator: Vec<i128>,
    denominator: i128,
    /// Positive values at the arguments below `tail`, sorted, without repetition.
    head: Vec<u64>,
    /// From this argument on the polynomial is strictly increasing, positive and above the head; `None`: no such values.
    tail: Option<u64>,
}

impl Polynomial {
    /// Largest degree accepted: at degree 64 only k = 1 gives a value below 2^64.
    const MAX_DEGREE: usize = 63;
    /// How many values may come before the polynomial grows.
    const MAX_HEAD: i128 = 1_000_000;

    /// Makes a set of the positive values of the polynomial with these integer coefficients, constant term first.
    ///
    /// # Errors
    /// [`Error::Set`] when no value is positive, or the polynomial is too large or too irregular to be handled.
    pub fn new(coefficients: &[i64]) -> Result<Self> {
        Self::with_denominator(coefficients.iter().map(|&c| c.into()).collect(), 1)
    }

    /// Makes the set of k-th powers 1, 2^e, 3^e, ...
    ///
    /// # Errors
    /// [`Error::Set`] when the exponent is 0 or above 63.
    pub fn kth_powers(exponent: u32) -> Result<Self> {
        if exponent == 0 || exponent as usize > Self::MAX_DEGREE {
            return Err(Error::Set(format!("kth-powers:{exponent} needs an exponent from 1 to {}", Self::MAX_DEGREE)));
        }
        let mut coefficients = vec![0; exponent as usize + 1];
        coefficients[exponent as usize] = 1;
        Self::new(&coefficients)
    }

    /// Makes the set of polygonal numbers with `sides` sides: ((sides - 2) k^2 - (sides - 4) k) / 2.
    ///
    /// # Errors
    /// [`Error::Set`] when there are fewer than 3 sides or more than 2^32.
    pub fn polygonal(sides: u64) -> Result<Self> {
        if !(3..=1 << 32).contains(&sides) {
            return Err(Error::Set(format!("polygonal:{sides} needs a number of sides from 3 to 2^32")));
        }
        let sides = i128::from(sides);
        Self::with_denominator(vec![0, 4 - sides, sides - 2], 2)
    }

    fn with_denominator(mut numerator: Vec<i128>, denominator: i128) -> Result<Self> {
        while numerator.last() == Some(&0) {
            numerator.pop();
        }
        let common = numerator.iter().fold(denominator, |g, &c| gcd(g, c.abs()));
        let mut polynomial = Self {
            numerator: numerator.iter().map(|c| c / common).collect(),
            denominator: denominator / common,
            head: Vec::new(),
            tail: None,
        };
        if polynomial.numerator.len() > Self::MAX_DEGREE + 1 {
            return Err(Error::Set(format!("a polynomial may have a degree of at most {}", Self::MAX_DEGREE)));
        }
        polynomial.split()?;
        if polynomial.head.is_empty() && polynomial.tail.is_none() {
            return Err(Error::Set(format!(
                "{} has no positive value below 2^64 at k = 1, 2, 3, ...; a subtraction set needs one",
                polynomial.name()
            )));
        }
        Ok(polynomial)
    }

    /// Finds from where on the polynomial is increasing, and collects what comes before.
    fn split(&mut self) -> Result<()> {
        let rises = self.numerator.len() > 1 && self.numerator.last().is_some_and(|&c| c > 0);
        // From here on the polynomial rises strictly, or, if it does not rise for ever, has no positive value.
        let settled = match rises {
            true if self.numerator[1..].iter().all(|&c| c >= 0) => 0,
            true => root_bound(&difference(&self.numerator)),
            false => root_bound(&self.numerator),
        };
        let irregular = || {
            Error::Set(format!(
                "{} rises and falls up to k = {settled} or further; at most {} such values are handled",
                self.name(),
                Self::MAX_HEAD
            ))
        };
        if settled > Self::MAX_HEAD {
            return Err(irregular());
        }
        let mut head = Vec::new();
        let mut k = 1;
        let constant = self.numerator.len() == 1;
        // The value at k, if a move of that size can ever be made; larger ones are as good as absent.
        let value = |k: i128| -> Result<Option<i128>> {
            self.evaluate(k)
                .map(Some)
                .ok_or_else(|| Error::Set(format!("{} is too large already at k = {k}", self.name())))
        };
        while k <= settled || (constant && k == 1) {
            head.extend(value(k)?.filter(|&v| v > 0));
            k += 1;
        }
        let mut tail = None;
        if rises {
            let top = head.iter().copied().max().unwrap_or(0);
            while self.evaluate(k).is_some_and(|v| v <= top) {
                head.extend(self.evaluate(k).filter(|&v| v > 0));
                k += 1;
                if k > 4 * Self::MAX_HEAD {
                    return Err(irregular());
                }
            }
            tail = self.evaluate(k).and_then(|v| u64::try_from(v).ok()).and(u64::try_from(k).ok());
        }
        self.head = head.into_iter().filter_map(|v| u64::try_from(v).ok()).collect();
        self.head.sort_unstable();
        self.head.dedup();
        self.tail = tail;
        Ok(())
    }

    /// The value at `k`, or `None` where 128 bits do not hold it.
    fn evaluate(&self, k: i128) -> Option<i128> {
        let numerator = self.numerator.iter().rev().try_fold(0_i128, |sum, &c| sum.checked_mul(k)?.checked_add(c))?;
        debug_assert_eq!(numerator % self.denominator, 0, "integer-valued");
        Some(numerator / self.denominator)
    }

    /// The value at `k`, if it is at least 1 and below 2^64.
    pub fn value(&self, k: u64) -> Option<u64> {
        self.evaluate(k.into()).and_then(|v| u64::try_from(v).ok()).filter(|&v| v >= 1)
    }

    /// The number of values below `n`. O(log n) evaluations.
    pub fn count_below(&self, n: u64) -> u64 {
        let head = self.head.partition_point(|&s| s < n) as u64;
        let Some(start) = self.tail else { return head };
        // The tail rises strictly from `start` on, so its value at start + i is more than i.
        let (mut low, mut high) = (start, start.saturating_add(n));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.value(middle).is_some_and(|value| value < n) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        head + (low - start)
    }

    /// The coefficients of the numerator, constant term first.
    pub fn numerator(&self) -> &[i128] {
        &self.numerator
    }

    /// The denominator: 1, or 2 for the polygonal numbers with an odd number of sides.
    pub fn denominator(&self) -> i128 {
        self.denominator
    }

    /// The degree.
    pub fn degree(&self) -> usize {
        self.numerator.len().saturating_sub(1)
    }

    /// The values before the regular part, sorted, and the argument at which that part starts: from there on p is
    /// strictly increasing, positive and above the head. `None`: there are no further values below 2^64.
    pub fn parts(&self) -> (&[u64], Option<u64>) {
        (&self.head, self.tail)
    }
}

impl SubtractionSet for Polynomial {
    fn name(&self) -> String {
        let c = &self.numerator;
        if self.denominator == 1 && c.len() > 1 && c.last() == Some(&1) && c[..c.len() - 1].iter().all(|&c| c == 0) {
            return match c.len() - 1 {
                1 => "poly:k".into(),
                2 => "squares".into(),
                3 => "cubes".into(),
                e => format!("kth-powers:{e}"),
            };
        }
        if let [0, b, a] = c[..] {
            // 2 p(k) / d = (s - 2) k^2 - (s - 4) k
            let (a, b) = (a * (2 / self.denominator), b * (2 / self.denominator));
            if a >= 1 && a == 2 - b {
                return if a == 1 { "triangular".into() } else { format!("polygonal:{}", a + 2) };
            }
            if (a, b) == (2, 2) {
                return "pronic".into();
            }
        }
        debug_assert_eq!(self.denominator, 1, "only polygonal numbers have a denominator");
        format!("poly:{}", written(c))
    }

    fn elements(&self) -> Elements<'_> {
        let tail = self.tail.map(|start| (start..).map_while(|k| self.value(k)));
        Box::new(self.head.iter().copied().chain(tail.into_iter().flatten()))
    }

    fn form(&self) -> Form<'_> {
        match self.tail {
            Some(_) => Form::Polynomial(self),
            None => Form::Finite(&self.head),
        }
    }
}

/// A polynomial as it is written, read from the left.
///
/// ```text
/// polynomial = ["+" | "-"] term (("+" | "-") term)*
/// term       = factor ("*" factor)*
/// factor     = digits | [digits] "k" [("^" | "**") digits]
/// ```
///
/// White space may stand around an operator and nowhere else: `2 3k` is a slip of the hand, and no 23k.
struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
}

/// Reads a polynomial in k, such as `2k^2+k`, `k^3 - 2*k + 5` or `2*3k**2*k`.
pub(super) fn parse(text: &str) -> Result<Polynomial> {
    let mut parser = Parser { text, rest: text.trim() };
    if parser.rest.is_empty() {
        return Err(parser.malformed("nothing is written"));
    }
    let mut coefficients: Vec<i64> = Vec::new();
    let mut negative = parser.sign().unwrap_or(false);
    loop {
        let (coefficient, degree) = parser.term()?;
        if coefficients.len() <= degree {
            coefficients.resize(degree + 1, 0);
        }
        let signed = if negative { -coefficient } else { coefficient };
        coefficients[degree] = coefficients[degree].checked_add(signed).ok_or_else(|| parser.oversized())?;
        match parser.sign() {
            Some(sign) => negative = sign,
            None if parser.rest.is_empty() => return Polynomial::new(&coefficients),
            None => return Err(parser.malformed(&format!("expected + - * or the end at `{}`", parser.rest))),
        }
    }
}

impl Parser<'_> {
    fn malformed(&self, what: &str) -> Error {
        Error::Set(format!("poly:{}: {what}; expected a polynomial in k, such as 2k^2+k", self.text))
    }

    fn oversized(&self) -> Error {
        self.malformed("a coefficient passes 2^63 - 1")
    }

    /// Passes over an operator and the white space around it.
    fn take(&mut self, operator: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(operator);
        self.rest = rest.map_or(self.rest, str::trim_start);
        rest.is_some()
    }

    /// Passes over a sign, and tells whether it was a minus.
    fn sign(&mut self) -> Option<bool> {
        if self.take("-") { Some(true) } else { self.take("+").then_some(false) }
    }

    /// A coefficient of at least 0 and a degree.
    fn term(&mut self) -> Result<(i64, usize)> {
        let (mut coefficient, mut degree) = (1_i64, 0_usize);
        loop {
            let (factor, power) = self.factor()?;
            coefficient = coefficient.checked_mul(factor).ok_or_else(|| self.oversized())?;
            degree = degree.saturating_add(power);
            if degree > Polynomial::MAX_DEGREE {
                return Err(self.malformed(&format!("the degree may be at most {}", Polynomial::MAX_DEGREE)));
            }
            if !self.take("*") {
                return Ok((coefficient, degree));
            }
        }
    }

    fn factor(&mut self) -> Result<(i64, usize)> {
        let start = self.rest;
        let coefficient = self.digits()?;
        let Some(rest) = self.rest.strip_prefix('k') else {
            let coefficient = coefficient.ok_or_else(|| self.malformed(&format!("`{start}` is not a term")))?;
            return Ok((coefficient, 0));
        };
        self.rest = rest;
        let degree = if self.take("^") || self.take("**") {
            let degree = self.digits()?.ok_or_else(|| self.malformed("expected digits after ^"))?;
            usize::try_from(degree).unwrap_or(usize::MAX)
        } else {
            1
        };
        Ok((coefficient.unwrap_or(1), degree))
    }

    /// The digits that come next, if there are any.
    fn digits(&mut self) -> Result<Option<i64>> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        if digits.is_empty() {
            return Ok(None);
        }
        let number = digits.parse().map_err(|_| self.oversized())?;
        self.rest = rest;
        Ok(Some(number))
    }
}

/// Writes a polynomial in k, highest power first.
fn written(coefficients: &[i128]) -> String {
    let mut text = String::new();
    for (degree, &c) in coefficients.iter().enumerate().rev().filter(|(_, c)| **c != 0) {
        match (text.is_empty(), c < 0) {
            (_, true) => text.push('-'),
            (false, false) => text.push('+'),
            (true, false) => {}
        }
        if c.abs() != 1 || degree == 0 {
            let _ = write!(text, "{}", c.abs());
        }
        match degree {
            0 => {}
            1 => text.push('k'),
            _ => {
                let _ = write!(text, "k^{degree}");
            }
        }
    }
    if text.is_empty() { "0".into() } else { text }
}

/// The coefficients of p(k + 1) - p(k).
fn difference(coefficients: &[i128]) -> Vec<i128> {
    let mut result = vec![0_i128; coefficients.len().saturating_sub(1)];
    for (degree, &c) in coefficients.iter().enumerate() {
        let mut binomial = 1_i128;
        for (power, slot) in result.iter_mut().enumerate().take(degree) {
            *slot = slot.saturating_add(c.saturating_mul(binomial));
            binomial = binomial.saturating_mul((degree - power) as i128) / (power as i128 + 1);
        }
    }
    result
}

/// A number from which on the polynomial has no root and keeps the sign of its leading coefficient: Fujiwara's bound
/// 2 max |c_(d-i) / c_d|^(1/i), rounded up, and 0 for a single term.
fn root_bound(coefficients: &[i128]) -> i128 {
    let Some((&leading, others)) = coefficients.split_last() else { return 0 };
    let degree = others.len();
    others
        .iter()
        .enumerate()
        .filter(|(_, c)| **c != 0)
        .map(|(i, &c)| {
            let ratio = c.unsigned_abs() as f64 / leading.unsigned_abs() as f64;
            (2.0 * ratio.powf(1.0 / (degree - i) as f64)).ceil() as i128 + 1
        })
        .max()
        .unwrap_or(0)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(text: &str, count: usize) -> Vec<u64> {
        parse(text).unwrap().elements().take(count).collect()
    }

    #[test]
    fn values_in_order_whatever_the_start_looks_like() {
        assert_eq!(elements("2k^2+k", 4), [3, 10, 21, 36]);
        assert_eq!(elements("k^2-10k+26", 6), [1, 2, 5, 10, 17, 26]);
        assert_eq!(elements("100-k^2", 99), [19, 36, 51, 64, 75, 84, 91, 96, 99]);
        assert_eq!(elements("7", 9), [7]);
        assert_eq!(elements("k^2-1", 4), [3, 8, 15, 24]);
        assert_eq!(elements("k^63", 9), [1, 1 << 63]);
    }

    #[test]
    fn products_are_multiplied_and_not_run_together() {
        for (written, plain) in [
            ("2*3k", "6k"),
            ("3*2", "6"),
            ("2*3k^2*k", "6k^3"),
            ("k*k", "k^2"),
            ("2 * k ** 2 + 3*k", "2k^2+3k"),
            ("k**3", "k^3"),
            ("k ^ 2 - 1", "k^2-1"),
            (" +k", "k"),
        ] {
            assert_eq!(parse(written).unwrap(), parse(plain).unwrap(), "{written}");
        }
    }

    #[test]
    fn heads_agree_with_evaluation() {
        for text in ["k^3-30k^2+200k+50", "k^4-20k^3+7", "3k^2-100k", "k^5-9k^4+3k", "5k-60"] {
            let p = parse(text).unwrap();
            let mut expected: Vec<u64> = (1..2000).filter_map(|k| p.value(k)).collect();
            expected.sort_unstable();
            expected.dedup();
            expected.truncate(500);
            assert_eq!(p.elements().take(expected.len()).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn refusals() {
        for text in [
            "",
            "0",
            "-k",
            "-5",
            "k-k",
            "x",
            "k^",
            "k^64",
            "2k2",
            "k^2+",
            "--k",
            "99999999999999999999k",
            "k^2-99999999k",
            "2 3k",
            "2 k",
            "k 2",
            "k^2 5",
            "k k",
            "kk",
            "2^3k",
            "2*",
            "*2k",
            "2*-k",
            "2***k",
            "k^32*k^32",
            "4611686018427387904*2k",
            "+",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(Polynomial::kth_powers(0).is_err());
        assert!(Polynomial::polygonal(2).is_err());
    }
}
