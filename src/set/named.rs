//! The grammar of set names: `squares`, `kth-powers:5`, `poly:2k^2+k`, `1,4,9`, `allbut:2,3,7`, `file:PATH`,
//! `union(A,B)`, ...

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::{
    AllBut, Elements, Finite, Form, Polynomial, PowersOf, Random, Rows, Sequence, Squares, SubtractionSet, Union,
    polynomial,
};
use crate::error::{Error, Result};
use crate::number;

/// A set written in the grammar. It prints back in canonical form: `kth-powers:2` as `squares`, `9,4,1` as `1,4,9`.
///
/// ```
/// use nimsieve::set::NamedSet;
/// let set: NamedSet = "poly:k^2+k".parse()?;
/// assert_eq!(set.to_string(), "pronic");
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Clone)]
pub struct NamedSet(Arc<dyn SubtractionSet>);

/// One way of writing a set, for help texts.
#[derive(Debug, Clone, Copy)]
pub struct SetSyntax {
    /// How it is written.
    pub written: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// The ways of writing a set that are not plain [`Sequence`] names.
pub const SETS: &[SetSyntax] = &[
    SetSyntax { written: "squares", meaning: "k^2, k >= 1" },
    SetSyntax { written: "cubes", meaning: "k^3, k >= 1" },
    SetSyntax { written: "kth-powers:E", meaning: "k^E, k >= 1" },
    SetSyntax { written: "triangular", meaning: "k(k+1)/2, k >= 1" },
    SetSyntax { written: "pronic", meaning: "k(k+1), k >= 1" },
    SetSyntax { written: "polygonal:S", meaning: "polygonal numbers with S sides" },
    SetSyntax { written: "poly:2k^2+k", meaning: "positive values of an integer polynomial at k = 1, 2, ..." },
    SetSyntax { written: "powers-of:B", meaning: "1, B, B^2, ..." },
    SetSyntax { written: "1,4,9", meaning: "a finite set" },
    SetSyntax { written: "allbut:2,3,7", meaning: "every positive integer except these" },
    SetSyntax { written: "random:D:SEED", meaning: "each number with probability D, by its SplitMix64 hash" },
    SetSyntax { written: "file:PATH", meaning: "one number a line, # starts a comment" },
    SetSyntax { written: "union(A,B)", meaning: "numbers in any of these sets" },
];

impl NamedSet {
    /// Wraps a set made in any other way.
    pub fn new(set: impl SubtractionSet + 'static) -> Self {
        Self(Arc::new(set))
    }
}

impl FromStr for NamedSet {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        if let Some(sequence) = Sequence::named(text) {
            return Ok(Self::new(sequence));
        }
        if text.starts_with(UNION) {
            return parse_union(text);
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) || text.contains(',') && !text.contains(':') {
            return Ok(Self::new(Finite::new(parse_list(text)?)?));
        }
        let (name, argument) = match text.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text, None),
        };
        match (name, argument) {
            ("squares", None) => Ok(Self::new(Squares)),
            ("cubes", None) => Ok(Self::new(Polynomial::kth_powers(3)?)),
            ("triangular", None) => Ok(Self::new(Polynomial::polygonal(3)?)),
            ("pronic", None) => Ok(Self::new(Polynomial::new(&[0, 1, 1])?)),
            ("kth-powers", Some(exponent)) => {
                // Larger exponents are refused by the polynomial, with the limit.
                let exponent = u32::try_from(number::parse(exponent)?).unwrap_or(u32::MAX);
                Ok(Self::new(Polynomial::kth_powers(exponent)?))
            }
            ("polygonal", Some(sides)) => Ok(Self::new(Polynomial::polygonal(number::parse(sides)?)?)),
            ("poly", Some(formula)) => Ok(Self::new(polynomial::parse(formula)?)),
            ("powers-of", Some(base)) => Ok(Self::new(PowersOf::new(number::parse(base)?)?)),
            ("allbut", Some(excluded)) => Ok(Self::new(AllBut::new(parse_list(excluded)?)?)),
            ("random", Some(argument)) => Ok(Self::new(parse_random(argument)?)),
            ("file", Some(path)) => Ok(Self::new(Finite::read(path)?)),
            _ => Err(unknown(text)),
        }
    }
}

fn parse_list(text: &str) -> Result<Vec<u64>> {
    text.split(',')
        .map(|part| {
            let part = part.trim();
            if part.is_empty() {
                return Err(Error::Set(format!(
                    "`{text}` has an empty place; expected numbers with commas between, as in 1,4,9"
                )));
            }
            if part.starts_with('-') {
                return Err(Error::Set(format!("`{part}` is negative; a subtraction set holds numbers of at least 1")));
            }
            number::parse(part)
        })
        .collect()
}

/// Reads what stands after `random:`.
fn parse_random(argument: &str) -> Result<Random> {
    let malformed =
        || Error::Set(format!("random:{argument} needs a density and a seed, as in random:0.3:7 or random:1e-3:7"));
    let (density, seed) = argument.split_once(':').ok_or_else(malformed)?;
    Random::new(density.trim().parse().map_err(|_| malformed())?, number::parse(seed)?)
}

/// How a union begins.
const UNION: &str = "union(";

/// Reads a union. A union within a union only adds its members, so one pass over the text will do; a list of numbers
/// has commas of its own, and its numbers stay together, which matters for `allbut:2,3` alone.
fn parse_union(text: &str) -> Result<NamedSet> {
    let malformed = |what: &str| Error::Set(format!("`{text}`: {what}; expected sets, as in union(squares,cubes)"));
    let mut members: Vec<String> = Vec::new();
    let mut rest = text;
    let mut depth = 0_usize;
    // Whether a set has to come next, and whether the set before it, if any, stands beside it.
    let (mut expected, mut beside) = (true, false);
    while !rest.is_empty() {
        if expected && let Some(inner) = rest.strip_prefix(UNION) {
            (rest, beside) = (inner.trim_start(), false);
            depth += 1;
        } else if expected {
            let end = rest.find([',', ')']).unwrap_or(rest.len());
            let (piece, behind) = rest.split_at(end);
            let piece = piece.trim();
            if piece.is_empty() {
                return Err(malformed("a set is missing"));
            }
            let number = piece.starts_with(|c: char| c.is_ascii_digit());
            match members.last_mut().filter(|last| beside && number && is_list(last)) {
                Some(list) => *list = format!("{list},{piece}"),
                None => members.push(piece.into()),
            }
            (rest, expected, beside) = (behind, false, true);
        } else if depth > 0 && rest.starts_with(',') {
            (rest, expected) = (rest[1..].trim_start(), true);
        } else if depth > 0 && rest.starts_with(')') {
            (rest, beside) = (rest[1..].trim_start(), false);
            depth -= 1;
        } else {
            return Err(malformed(&format!("there is no place for `{rest}`")));
        }
    }
    if expected || depth > 0 {
        return Err(malformed("a bracket is not closed"));
    }
    Union::of(members.iter().map(|member| member.parse()).collect::<Result<Vec<_>>>()?)
}

/// Tells whether numbers with commas between may follow.
fn is_list(text: &str) -> bool {
    text.starts_with("allbut:") || text.starts_with(|c: char| c.is_ascii_digit())
}

fn unknown(text: &str) -> Error {
    let shaped = SETS.iter().map(|syntax| syntax.written);
    let known: Vec<&str> = shaped.chain(super::SEQUENCES.iter().map(|sequence| sequence.name)).collect();
    Error::Set(format!("`{text}` is not a subtraction set; known: {}", known.join(" ")))
}

impl SubtractionSet for NamedSet {
    fn name(&self) -> String {
        self.0.name()
    }
    fn elements(&self) -> Elements<'_> {
        self.0.elements()
    }
    fn form(&self) -> Form<'_> {
        self.0.form()
    }
    fn rows(&self, modulus: u64, n: u64) -> Result<Option<Box<dyn Rows + '_>>> {
        self.0.rows(modulus, n)
    }
    fn expected_below(&self, n: u64) -> Option<f64> {
        self.0.expected_below(n)
    }
}

impl fmt::Display for NamedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl fmt::Debug for NamedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NamedSet").field(&self.name()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_forms_parse_back_to_themselves() {
        for (written, canonical) in [
            ("squares", "squares"),
            ("kth-powers:2", "squares"),
            ("polygonal:4", "squares"),
            ("poly:k^2", "squares"),
            ("kth-powers:3", "cubes"),
            ("kth-powers:5", "kth-powers:5"),
            ("polygonal:3", "triangular"),
            ("polygonal:5", "polygonal:5"),
            ("poly:2k^2-k", "polygonal:6"),
            ("poly:k^2+k", "pronic"),
            ("poly: k + 2*k^2", "poly:2k^2+k"),
            ("poly:-3+k", "poly:k-3"),
            ("powers-of:2", "powers-of:2"),
            ("9,4,1,4", "1,4,9"),
            ("5", "5"),
            ("2^3,1", "1,8"),
            ("allbut:7,3,2", "allbut:2,3,7"),
            ("random:0.30:7", "random:0.3:7"),
            ("random:3e-1:2^3", "random:0.3:8"),
            ("random:1:18446744073709551615", "random:1:18446744073709551615"),
            ("union(squares,cubes)", "union(cubes,squares)"),
            ("union( cubes , union(squares,cubes) )", "union(cubes,squares)"),
            ("union(squares,squares)", "squares"),
            ("union(4,union(1,9))", "1,4,9"),
            ("union(allbut:2,3,7,squares)", "union(allbut:2,3,7,squares)"),
            ("union(allbut:7,3,union(5,squares))", "union(5,allbut:3,7,squares)"),
            ("union(squares,allbut:2,3,7)", "union(allbut:2,3,7,squares)"),
            ("union(poly:2k^2+k+1,random:0.5:1,7)", "union(7,poly:2k^2+k+1,random:0.5:1)"),
        ] {
            let set: NamedSet = written.parse().unwrap();
            assert_eq!(set.to_string(), canonical, "{written}");
            assert_eq!(canonical.parse::<NamedSet>().unwrap().to_string(), canonical);
        }
        for sequence in crate::set::SEQUENCES {
            assert_eq!(sequence.name.parse::<NamedSet>().unwrap().to_string(), sequence.name);
        }
    }

    #[test]
    fn refusals_say_what_was_expected() {
        for text in [
            "",
            "square",
            "squares:2",
            "kth-powers",
            "kth-powers:0",
            "kth-powers:99999999999",
            "polygonal:2",
            "powers-of:1",
            "powers-of:0",
            "0",
            "0,1",
            "1,,2",
            "1,-2",
            "-1,2",
            "1,x",
            "allbut:",
            "allbut:0",
            "poly:-k",
            "poly:0",
            "file:/no/such/file",
            "1,99999999999999999999",
            "random:0.3",
            "random:0:7",
            "random:2:7",
            "random:x:7",
            "random:nan:7",
            "random:0.3:x",
            "random:0.3:-1",
            "union",
            "union(",
            "union()",
            "union(squares",
            "union(squares,)",
            "union(,squares)",
            "union(squares,square)",
            "union(squares,cubes))",
            "union(squares,cubes)7",
            "union(squares,union()",
            "union(squares)cubes",
        ] {
            assert!(text.parse::<NamedSet>().is_err(), "{text}");
        }
    }

    /// However deep, unions take no deeper stack.
    #[test]
    fn unions_nest_as_deep_as_one_likes() {
        let deep = format!("{}squares{}", "union(".repeat(100_000), ",cubes)".repeat(100_000));
        assert_eq!(deep.parse::<NamedSet>().unwrap().to_string(), "union(cubes,squares)");
    }
}
