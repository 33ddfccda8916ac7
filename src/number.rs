//! Numbers as people write them: `1e10`, `1.5e6`, `10**9`, `2^32`, `3*10^8+1`, `1_000_000`, `64Ki`.
//!
//! The value is computed exactly with big integers, so a number that is too large is reported as such and never wraps.
//! A decimal point needs an exponent or a suffix that makes the number an integer: `1.5e6` and `1.5k` are numbers, `1.5`
//! and `1.55e1` are not.
//!
//! ```text
//! sum     = product (("+" | "-") product)*
//! product = power ("*" power)*
//! power   = atom (("^" | "**") power)?
//! atom    = digits ["." digits] ["e" digits] [suffix] | "(" sum ")"
//! suffix  = "k" | "M" | "G" | "T" | "Ki" | "Mi" | "Gi" | "Ti"
//! ```

pub(crate) mod lines;

use num_bigint::{BigInt, BigUint, Sign};

use crate::error::{Error, Result};

/// A written number may not have more bits than this: enough for heaps of 10^1000, and no room for `9^9^9`.
const MAX_BITS: u64 = 1 << 16;

/// Reads a number that may be any size up to 65,536 bits.
///
/// # Errors
/// [`Error::Number`] when the text is not a number, is negative, or is too large.
///
/// ```
/// let googol = nimsieve::number::parse_big("10^100")?;
/// assert_eq!(googol.bits(), 333);
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn parse_big(text: &str) -> Result<BigUint> {
    let mut parser = Parser { text, rest: text.trim() };
    let value = parser.sum(0)?;
    if !parser.rest.is_empty() {
        return Err(parser.expected("an operator or the end"));
    }
    match value.sign() {
        Sign::Minus => Err(Error::Number(format!("`{text}` is negative; expected a number of at least 0"))),
        _ => Ok(value.into_parts().1),
    }
}

/// Reads a number below 2^64.
///
/// # Errors
/// As [`parse_big`]; a number of 2^64 or more is an error that names the limit.
///
/// ```
/// assert_eq!(nimsieve::number::parse("4e7")?, 40_000_000);
/// assert_eq!(nimsieve::number::parse("1.5e6")?, 1_500_000);
/// assert_eq!(nimsieve::number::parse("3*10^8+1")?, 300_000_001);
/// assert!(nimsieve::number::parse("2^64").is_err());
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn parse(text: &str) -> Result<u64> {
    let value = parse_big(text)?;
    u64::try_from(&value).map_err(|_| too_large(text))
}

fn too_large(text: &str) -> Error {
    Error::Number(format!("`{text}` is too large; the limit is 2^64 - 1 = {}", u64::MAX))
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
}

impl Parser<'_> {
    /// Parentheses may not nest deeper than this; each level is a level of recursion.
    const MAX_DEPTH: u32 = 64;

    fn expected(&self, what: &str) -> Error {
        let place = if self.rest.is_empty() { "the end".to_owned() } else { format!("`{}`", self.rest) };
        Error::Number(format!(
            "`{}` is not a number: expected {what} at {place}; examples: 1000, 1e9, 2^32, 3*10^8+1, 64Ki",
            self.text
        ))
    }

    fn take(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn limited(&self, value: BigInt) -> Result<BigInt> {
        if value.bits() > MAX_BITS {
            return Err(Error::Number(format!("`{}` is too large; the limit is {MAX_BITS} bits", self.text)));
        }
        Ok(value)
    }

    fn sum(&mut self, depth: u32) -> Result<BigInt> {
        let mut value = self.product(depth)?;
        loop {
            if self.take("+") {
                value += self.product(depth)?;
            } else if self.take("-") {
                value -= self.product(depth)?;
            } else {
                return self.limited(value);
            }
        }
    }

    fn product(&mut self, depth: u32) -> Result<BigInt> {
        let mut value = self.power(depth)?;
        while !self.rest.starts_with("**") && self.take("*") {
            let factor = self.power(depth)?;
            value = self.limited(value * factor)?;
        }
        Ok(value)
    }

    fn power(&mut self, depth: u32) -> Result<BigInt> {
        if depth > Self::MAX_DEPTH {
            return Err(self.expected("fewer levels"));
        }
        let base = self.atom(depth)?;
        if !(self.take("**") || self.take("^")) {
            return Ok(base);
        }
        let exponent = self.power(depth + 1)?;
        self.raise(base, &exponent)
    }

    fn raise(&self, base: BigInt, exponent: &BigInt) -> Result<BigInt> {
        let oversized = || Error::Number(format!("`{}` is too large; the limit is {MAX_BITS} bits", self.text));
        if exponent.sign() == Sign::Minus {
            return Err(self.expected("an exponent of at least 0"));
        }
        if base.bits() <= 1 && base.sign() != Sign::Minus {
            // 0 and 1: every power is the base itself, except the zeroth.
            return Ok(if exponent.bits() == 0 { BigInt::from(1) } else { base });
        }
        let exponent = u32::try_from(exponent).map_err(|_| oversized())?;
        if (base.bits() - 1).saturating_mul(u64::from(exponent)) > MAX_BITS {
            return Err(oversized());
        }
        Ok(base.pow(exponent))
    }

    fn digits(&mut self) -> Result<BigInt> {
        let end = self.rest.find(|c: char| !(c.is_ascii_digit() || c == '_')).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        let plain: String = digits.chars().filter(|c| *c != '_').collect();
        if plain.is_empty() || digits.starts_with('_') || digits.ends_with('_') {
            return Err(self.expected("digits"));
        }
        if plain.len() as u64 > MAX_BITS / 3 {
            return Err(Error::Number(format!("a number of {} digits is too large", plain.len())));
        }
        self.rest = rest;
        Ok(plain.parse().expect("only digits are left"))
    }

    fn atom(&mut self, depth: u32) -> Result<BigInt> {
        if self.take("(") {
            if depth >= Self::MAX_DEPTH {
                return Err(self.expected("fewer levels"));
            }
            let value = self.sum(depth + 1)?;
            return if self.take(")") { Ok(value) } else { Err(self.expected("`)`")) };
        }
        let start = self.rest;
        let mut value = self.digits()?;
        // What the decimal point divides by; the exponent and the suffix have to make up for it.
        let mut divisor = None;
        if let Some(rest) = self.rest.strip_prefix('.') {
            self.rest = rest;
            let fraction = self.digits()?;
            let places = start[..start.len() - self.rest.len()].bytes().rev().filter(|b| *b != b'_');
            let scale = self.raise(BigInt::from(10), &places.take_while(u8::is_ascii_digit).count().into())?;
            value = self.limited(value * &scale + fraction)?;
            divisor = Some(scale);
        }
        let mut scaled = false;
        if let Some(rest) = self.rest.strip_prefix(['e', 'E']) {
            self.rest = rest;
            let exponent = self.digits()?;
            let scale = self.raise(BigInt::from(10), &exponent)?;
            value = self.limited(value * scale)?;
            scaled = true;
        }
        const SUFFIXES: [(&str, u64); 8] = [
            ("Ki", 1 << 10),
            ("Mi", 1 << 20),
            ("Gi", 1 << 30),
            ("Ti", 1 << 40),
            ("k", 1_000),
            ("M", 1_000_000),
            ("G", 1_000_000_000),
            ("T", 1_000_000_000_000),
        ];
        for (suffix, factor) in SUFFIXES {
            if let Some(rest) = self.rest.strip_prefix(suffix) {
                self.rest = rest;
                value *= factor;
                scaled = true;
                break;
            }
        }
        if let Some(divisor) = divisor {
            if !scaled || &value % &divisor != BigInt::from(0) {
                let written = &start[..start.len() - self.rest.len()];
                return Err(Error::Number(format!(
                    "`{written}` is not an integer; a decimal point needs an exponent that removes it, as in 1.5e6"
                )));
            }
            value /= divisor;
        }
        self.rest = self.rest.trim_start();
        Ok(value)
    }
}

/// A whole number with a separator between groups of three digits.
pub(crate) fn grouped_by(number: impl ToString, separator: &str) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_forms() {
        for (text, value) in [
            ("0", 0),
            ("1_000_000", 1_000_000),
            ("1e10", 10_000_000_000),
            ("1.5e6", 1_500_000),
            ("1.25e2", 125),
            ("0.000_001e6", 1),
            ("1.50e1", 15),
            ("1.5k+2.5Ki", 4060),
            ("10**9", 1_000_000_000),
            ("2^32", 1 << 32),
            ("2^2^3", 256),
            ("2**3**2", 512),
            ("3*10^8+1", 300_000_001),
            (" 2^30 - 1 ", (1 << 30) - 1),
            ("64Ki", 65_536),
            ("5M", 5_000_000),
            ("(1+2)*3", 9),
            ("2^64-1", u64::MAX),
            ("1^99999999999999", 1),
            ("0^0", 1),
        ] {
            assert_eq!(parse(text).unwrap(), value, "{text}");
        }
    }

    #[test]
    fn refusals_are_errors_not_panics() {
        for text in [
            "",
            " ",
            "-1",
            "1-2",
            "x",
            "1e",
            "1e-3",
            "1.5",
            "1.0",
            "1.55e1",
            "1.5e0",
            ".5e1",
            "1.e1",
            "1.5.5e9",
            "1.0001k",
            "2^64",
            "1e20",
            "9^9^9^9",
            "(1",
            "1)",
            "1 2",
            "_1",
            "1_",
            "2^",
            "++",
            "1e99999999999999999999",
            "64Kii",
            "\u{0661}",
            "1**",
            "(-1)",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(&"(".repeat(100_000)).is_err());
        assert!(parse(&"2^".repeat(100_000)).is_err());
        assert!(parse(&"9".repeat(1_000_000)).is_err());
        let message = parse("2^64").unwrap_err().to_string();
        assert!(message.contains("18446744073709551615"), "{message}");
    }
}
