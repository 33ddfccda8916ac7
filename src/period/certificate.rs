//! Certificates: what is claimed of a period, and the check that needs no trust in how it was found.

use super::search::{Values, stream};
use super::values::Task;
use super::{Kind, Shape, Watch};
use crate::error::{Error, Result};
use crate::run::Control;
use crate::set::{NamedSet, SubtractionSet};

/// A period and what proves it: a window of agreement, long enough by the theorems in the head of [`crate::period`].
///
/// One that [`super::find`] returns is right. One that was read from a file says what [`Certificate::check`] verifies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    shape: Shape,
    kind: Kind,
    preperiod: u64,
    period: u64,
    saltus: u64,
}

/// What is wrong with a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// The window does not come again.
    #[error("the window at {preperiod} does not agree with the one at {later}")]
    NoPeriod {
        /// Where the first window starts.
        preperiod: u64,
        /// Where the second one does.
        later: u64,
    },
    /// A part of the period is a period.
    #[error("{smaller} is a period too, so the one given is not the least")]
    SmallerPeriod {
        /// The shorter period.
        smaller: u64,
    },
    /// The agreement begins before the preperiod.
    #[error("the values agree from {earlier} on, so the preperiod given is not the least")]
    EarlierStart {
        /// A position before the preperiod, from which on the values agree.
        earlier: u64,
    },
    /// The nim-values grow by something else.
    #[error("the values grow by {found} in a period, not by {claimed}")]
    OtherSaltus {
        /// What the certificate says.
        claimed: u64,
        /// What they do.
        found: i64,
    },
}

impl Certificate {
    pub(super) fn new(shape: Shape, kind: Kind, preperiod: u64, period: u64, saltus: u64) -> Self {
        Self { shape, kind, preperiod, period, saltus }
    }

    /// States a claim about a set, to be checked.
    ///
    /// # Errors
    /// [`Error::Set`] when the set is in no known form or its period cannot be proved; [`Error::Number`] for a period of 0,
    /// a saltus where there can be none, or numbers that pass 2^63 together.
    pub fn claimed(set: &str, kind: Kind, preperiod: u64, period: u64, saltus: u64) -> Result<Self> {
        let set: NamedSet = set.parse()?;
        let shape = Shape::of(&set)?;
        if period == 0 {
            return Err(Error::Number("a period is at least 1".into()));
        }
        if saltus != 0 && !shape.by_differences(kind) {
            return Err(Error::Number(format!(
                "the {kind} sequence of {} has no saltus; expected 0, found {saltus}",
                set.name()
            )));
        }
        let end = preperiod.checked_add(period).and_then(|end| end.checked_add(shape.window(kind)));
        if end.is_none_or(|end| end >= 1 << 63) {
            return Err(Error::Number(
                "the certificate speaks of positions from 2^63 on; nobody can check that".into(),
            ));
        }
        Ok(Self { shape, kind, preperiod, period, saltus })
    }

    /// The set.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Which sequence repeats.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The first position from which on the values repeat.
    pub fn preperiod(&self) -> u64 {
        self.preperiod
    }

    /// The number of positions after which they do.
    pub fn period(&self) -> u64 {
        self.period
    }

    /// What is added to the nim-values in each period; 0 for finite sets and outcomes.
    pub fn saltus(&self) -> u64 {
        self.saltus
    }

    /// The number of positions, from the preperiod on, whose agreement with those a period later proves the period.
    pub fn window(&self) -> u64 {
        self.shape.window(self.kind)
    }

    /// The values below this were compared; [`Self::check`] computes so many.
    pub fn reach(&self) -> u64 {
        self.preperiod + self.period + self.window()
    }

    /// The claim, and the agreement that proves it, in words.
    pub fn claim(&self) -> String {
        let Self { shape, preperiod, period, saltus, .. } = self;
        let value = match self.kind {
            Kind::Outcome => "outcome",
            Kind::Nim => "nim-value",
        };
        let same = match saltus {
            0 => "the same".to_owned(),
            saltus => format!("larger by {saltus}"),
        };
        format!(
            "for every x >= {preperiod} the {value} of x + {period} is {same}, because it is for {preperiod} <= x < {}, \
             and {} values in a row determine all that follow; no smaller period and no smaller start will do (set {})",
            preperiod + self.window(),
            self.window(),
            shape.name(),
        )
    }

    /// Computes the values up to the end of the second window and compares what the claim rests on: the windows, and that
    /// preperiod and period are the least.
    ///
    /// O(reach) values and memory for one window, and one more for each prime divisor of the period.
    ///
    /// # Errors
    /// [`Error::Memory`], [`Error::Stopped`]. A certificate that is wrong is no error but a [`Flaw`].
    pub fn check(&self, control: &Control) -> Result<Option<Flaw>> {
        self.shape.run(self.kind, Check { certificate: self, watch: Watch { control, shows: true } })
    }
}

struct Check<'a> {
    certificate: &'a Certificate,
    watch: Watch<'a>,
}

/// Values from some position on, kept while they go by.
struct Kept<T> {
    start: u64,
    len: usize,
    values: Vec<T>,
}

impl<T: Copy> Kept<T> {
    fn new(start: u64, len: usize) -> Result<Self> {
        let mut values = Vec::new();
        let needed = (len * size_of::<T>()) as u64;
        values.try_reserve_exact(len).map_err(|_| Error::Memory { what: "a window of a certificate", needed })?;
        Ok(Self { start, len, values })
    }

    /// Takes what belongs here of a piece that starts at `start`.
    fn take(&mut self, start: u64, piece: &[T]) {
        let next = self.start + self.values.len() as u64;
        let missing = self.len - self.values.len();
        if missing > 0 && next < start + piece.len() as u64 && next >= start {
            let rest = &piece[(next - start) as usize..];
            self.values.extend_from_slice(&rest[..rest.len().min(missing)]);
        }
    }
}

impl Task for Check<'_> {
    type Output = Option<Flaw>;

    fn run<V: Values>(self, make: impl Fn() -> Result<V>, read: impl Fn(V::Value) -> i64) -> Result<Option<Flaw>> {
        let Certificate { preperiod, period, saltus, ref shape, kind } = *self.certificate;
        let mut values = make()?;
        let order = values.order();
        // A window at the preperiod, and with it the value before it.
        let early = preperiod.min(1);
        let first = preperiod - early;
        let mut windows = Vec::new();
        for shift in [0, period].into_iter().chain(prime_divisors(period).map(|q| period / q)) {
            windows.push(Kept::new(first + shift, order + early as usize)?);
        }
        let mut total = 0;
        stream(&mut values, preperiod + period + order as u64, self.watch, |start, piece| {
            windows.iter_mut().for_each(|window| window.take(start, piece));
            if shape.by_differences(kind) {
                let within = |x: u64| (preperiod..preperiod + period).contains(&x);
                let inside = (start..).zip(piece).filter(|(x, _)| within(*x));
                total += inside.map(|(_, &value)| read(value)).sum::<i64>();
            }
            Ok(true)
        })?;
        let agree = |a: &Kept<V::Value>, b: &Kept<V::Value>| a.values[early as usize..] == b.values[early as usize..];
        let (here, later) = (&windows[0], &windows[1]);
        if !agree(here, later) {
            return Ok(Some(Flaw::NoPeriod { preperiod, later: preperiod + period }));
        }
        if let Some(window) = windows[2..].iter().find(|window| agree(here, window)) {
            return Ok(Some(Flaw::SmallerPeriod { smaller: window.start - first }));
        }
        if early == 1 && here.values[0] == later.values[0] {
            return Ok(Some(Flaw::EarlierStart { earlier: first }));
        }
        if total != saltus as i64 {
            return Ok(Some(Flaw::OtherSaltus { claimed: saltus, found: total }));
        }
        Ok(None)
    }
}

/// The primes that divide a number, by trial.
fn prime_divisors(mut number: u64) -> impl Iterator<Item = u64> {
    let mut candidate = 2;
    std::iter::from_fn(move || {
        while number > 1 {
            if candidate * candidate > number {
                return Some(std::mem::replace(&mut number, 1));
            }
            if number.is_multiple_of(candidate) {
                while number.is_multiple_of(candidate) {
                    number /= candidate;
                }
                return Some(candidate);
            }
            candidate += 1;
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors() {
        for (number, primes) in [(1, &[][..]), (2, &[2]), (12, &[2, 3]), (97, &[97]), (2 * 49 * 11, &[2, 7, 11])] {
            assert_eq!(prime_divisors(number).collect::<Vec<_>>(), primes);
        }
    }

    #[test]
    fn each_flaw_is_found() {
        let check = |set, kind, preperiod, period, saltus| {
            Certificate::claimed(set, kind, preperiod, period, saltus).unwrap().check(&Control::new()).unwrap()
        };
        assert_eq!(check("2,8,9", Kind::Nim, 21, 11, 0), None);
        assert_eq!(check("2,8,9", Kind::Nim, 20, 11, 0), Some(Flaw::NoPeriod { preperiod: 20, later: 31 }));
        assert_eq!(check("2,8,9", Kind::Nim, 22, 11, 0), Some(Flaw::EarlierStart { earlier: 21 }));
        assert_eq!(check("2,8,9", Kind::Nim, 21, 22, 0), Some(Flaw::SmallerPeriod { smaller: 11 }));
        assert_eq!(check("2,8,9", Kind::Nim, 21, 12, 0), Some(Flaw::NoPeriod { preperiod: 21, later: 33 }));
        assert_eq!(check("2,8,9", Kind::Outcome, 11, 11, 0), None);
        let right =
            match super::super::find(&"allbut:2,3,7".parse::<NamedSet>().unwrap(), Kind::Nim, 1000, &Control::new())
                .unwrap()
            {
                super::super::Answer::Period(certificate) => certificate,
                answer => panic!("{answer:?}"),
            };
        assert_eq!((right.period(), right.saltus()), (4, 2));
        assert_eq!(right.check(&Control::new()).unwrap(), None);
        let wrong = check("allbut:2,3,7", Kind::Nim, right.preperiod(), 4, 3);
        assert_eq!(wrong, Some(Flaw::OtherSaltus { claimed: 3, found: 2 }));
        for (set, kind, period, saltus) in [
            ("squares", Kind::Nim, 1, 0),
            ("1,2", Kind::Nim, 0, 0),
            ("1,2", Kind::Nim, 3, 1),
            ("1,2", Kind::Nim, u64::MAX, 0),
        ] {
            assert!(Certificate::claimed(set, kind, 0, period, saltus).is_err(), "{set} {period}");
        }
    }
}
