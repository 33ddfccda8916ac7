//! Closed forms: games whose heaps are known however large they are, with big integers.
//!
//! # Powers of a base B ([`ClosedForm::PowersOf`])
//! B odd: every move is odd, so the nim-value of x is x mod 2. B even: let r = x mod (B + 1). The nim-value is 2 if r = B,
//! else r mod 2; the cold heaps are those with r in {0, 2, ..., B - 2}. For B^j is 1 or -1 mod B + 1, as j is even or odd,
//! so a move changes r by 1, up or down, around the cycle 0, 1, ..., B. The values 0, 1, 0, 1, ..., 0, 1, 2 around it differ
//! from their neighbours. A heap with r odd can be reduced by 1 to r - 1, of value 0; a heap with r = B by 1 to B - 1, of
//! value 1, and by B, for it is at least B, to r = 0, of value 0.
//!
//! # Moser-de Bruijn numbers ([`ClosedForm::MoserDeBruijn`])
//! M is the set of the sums of distinct powers of 4, 0 among them; S is M without 0. Every number is a + 2b with a and b
//! in M in exactly one way: a has its binary digits at the even places, 2b at the odd ones. A heap a + 2b is cold if and
//! only if a = 0, and else taking a is the only move that wins. For a heap 2b' that a move s in S leads to comes from
//! s + 2b', and that way to write it is the only one (S. W. Golomb, A mathematical investigation of games of "take-away",
//! J. Combin. Theory 1, 1966).
//!
//! # Prime powers and 1 ([`ClosedForm::PrimePowersWithOne`])
//! A heap is cold if and only if it is a multiple of 6: 1, 2, 3, 4 and 5 are prime powers or 1, so every other heap can be
//! reduced to a multiple of 6; and no multiple of 6 is a prime power, so none leads to another.
//!
//! # Finite and all-but sets ([`ClosedForm::Periodic`])
//! The nim-values repeat as a certificate says (see [`crate::period`]), and one period of them is kept.
//!
//! In misere play a heap is cold exactly if it is cold in normal play when the least element is taken away from it, and
//! the same moves win as do there (Ferguson 1974; [`crate::sink::Misere`]).

use num_bigint::BigUint;

use crate::error::Result;
use crate::period::{Answer, Certificate, Kind, Shape, Watch, find, values_below};
use crate::run::Control;
use crate::set::SubtractionSet;

/// The prime powers below this are looked at for winning moves.
const LISTED: u64 = 1_000_000;

/// A game whose heaps are known however large they are.
///
/// ```
/// use nimsieve::closed_form::ClosedForm;
/// use nimsieve::run::Control;
/// use nimsieve::set::NamedSet;
/// use num_bigint::BigUint;
///
/// let set: NamedSet = "moser-de-bruijn".parse()?;
/// let form = ClosedForm::of(&set, 0, &Control::new())?.expect("a closed form is known");
/// let heap = BigUint::from(4_u32).pow(50) + 2_u32;
/// assert!(!form.is_cold(&heap));
/// let winning = form.winning_moves(&heap, 10);
/// assert_eq!((winning.takes, winning.complete), (vec![heap - 2_u32], true));
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClosedForm {
    /// The powers of a base of at least 2, 1 among them.
    PowersOf(u64),
    /// Sums of distinct powers of 4.
    MoserDeBruijn,
    /// Prime powers and 1.
    PrimePowersWithOne,
    /// A set whose period is certified.
    Periodic(Periodic),
}

/// Nim-values that repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Periodic {
    certificate: Certificate,
    /// Those of the heaps below preperiod + period.
    values: Vec<u64>,
}

/// The moves that win from a heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Winning {
    /// How much is taken, increasing.
    pub takes: Vec<BigUint>,
    /// Whether these are all.
    pub complete: bool,
}

impl ClosedForm {
    /// The closed form of a set, if one is known; sets of the grammar are recognised by their names. A period is looked
    /// for among the values below `bound`.
    ///
    /// # Errors
    /// What [`find`] returns for sets whose periods can be proved.
    pub fn of(set: &dyn SubtractionSet, bound: u64, control: &Control) -> Result<Option<Self>> {
        let name = set.name();
        if let Some(base) = name.strip_prefix("powers-of:").and_then(|base| base.parse().ok()) {
            return Ok(Some(Self::PowersOf(base)));
        }
        match &name[..] {
            "moser-de-bruijn" => return Ok(Some(Self::MoserDeBruijn)),
            "prime-powers-1" => return Ok(Some(Self::PrimePowersWithOne)),
            _ if Shape::of(set).is_err() => return Ok(None),
            _ => {}
        }
        match find(set, Kind::Nim, bound, control)? {
            Answer::Period(certificate) => {
                let end = certificate.preperiod() + certificate.period();
                let values = values_below(certificate.shape(), end, Watch::hidden(control))?;
                Ok(Some(Self::Periodic(Periodic { certificate, values })))
            }
            Answer::NotFound { .. } => Ok(None),
        }
    }

    /// Tells whether [`Self::of`] can find one, before any search: it does, or it looks for a period.
    pub fn may_serve(set: &dyn SubtractionSet) -> bool {
        let name = set.name();
        name == "moser-de-bruijn" || name == "prime-powers-1" || Self::may_tell_nim_values(set)
    }

    /// As [`Self::may_serve`], for forms that tell nim-values.
    pub fn may_tell_nim_values(set: &dyn SubtractionSet) -> bool {
        set.name().starts_with("powers-of:") || Shape::of(set).is_ok()
    }

    /// The names of the sets that have one, for messages.
    pub const KNOWN: &str =
        "powers-of:B, moser-de-bruijn, prime-powers-1, and finite and allbut: sets whose period shows";

    /// What it rests on, in one sentence.
    pub fn reason(&self) -> String {
        match self {
            Self::PowersOf(base) if base % 2 == 1 => "every power of an odd base is odd: cold = even".into(),
            Self::PowersOf(base) => {
                format!("powers of {base} are 1 or -1 mod {}: cold = even and below {base} mod {}", base + 1, base + 1)
            }
            Self::MoserDeBruijn => "every number is a + 2b in one way: cold = twice a sum of powers of 4".into(),
            Self::PrimePowersWithOne => "cold = multiples of 6".into(),
            Self::Periodic(Periodic { certificate, .. }) => {
                let saltus = match certificate.saltus() {
                    0 => String::new(),
                    saltus => format!(", saltus {saltus}"),
                };
                let (preperiod, period) = (certificate.preperiod(), certificate.period());
                format!("certified: preperiod {preperiod}, period {period}{saltus}")
            }
        }
    }

    /// Tells whether a heap is cold. O(digits) word operations.
    pub fn is_cold(&self, heap: &BigUint) -> bool {
        match self {
            Self::MoserDeBruijn => even_places(heap) == BigUint::ZERO,
            Self::PrimePowersWithOne => heap % 6_u32 == BigUint::ZERO,
            Self::PowersOf(_) | Self::Periodic(_) => self.nim_value(heap) == Some(BigUint::ZERO),
        }
    }

    /// The nim-value of a heap, where the form tells it.
    pub fn nim_value(&self, heap: &BigUint) -> Option<BigUint> {
        match self {
            Self::PowersOf(base) if base % 2 == 1 => Some(heap % 2_u32),
            Self::PowersOf(base) => {
                let modulus = BigUint::from(*base) + 1_u32;
                let residue = heap % modulus;
                Some(if residue == BigUint::from(*base) { 2_u32.into() } else { residue % 2_u32 })
            }
            Self::MoserDeBruijn | Self::PrimePowersWithOne => None,
            Self::Periodic(periodic) => Some(periodic.nim_value(heap)),
        }
    }

    /// The first `limit` moves that win from a heap, least first; of prime powers only those below a million are looked
    /// at. None when the heap is cold.
    pub fn winning_moves(&self, heap: &BigUint, limit: usize) -> Winning {
        match self {
            _ if self.is_cold(heap) => Winning::default(),
            Self::MoserDeBruijn => Winning { takes: vec![even_places(heap)], complete: true },
            Self::PrimePowersWithOne => {
                let set = crate::set::Sequence::named("prime-powers-1").expect("it is in the list of sequences");
                let listed = set.elements().take_while(|&s| s < LISTED).map(BigUint::from);
                let winning = listed.take_while(|take| take <= heap).filter(|take| self.is_cold(&(heap - take)));
                let found = Winning::first(winning, limit);
                Winning { complete: found.complete && *heap < LISTED.into(), ..found }
            }
            Self::PowersOf(_) | Self::Periodic(_) => {
                self.moves_to(heap, &BigUint::ZERO, limit).expect("the form tells nim-values")
            }
        }
    }

    /// The first `limit` moves from a heap to one of this nim-value, least first; nothing where the form tells no
    /// nim-values.
    pub fn moves_to(&self, heap: &BigUint, value: &BigUint, limit: usize) -> Option<Winning> {
        let leads = |take: &BigUint| take <= heap && self.nim_value(&(heap - take)).as_ref() == Some(value);
        Some(match self {
            Self::MoserDeBruijn | Self::PrimePowersWithOne => return None,
            Self::PowersOf(base) => {
                let powers = std::iter::successors(Some(BigUint::from(1_u32)), |power| Some(power * base));
                Winning::first(powers.take_while(|power| power <= heap).filter(leads), limit)
            }
            Self::Periodic(periodic) => match periodic.certificate.shape() {
                Shape::Finite(elements) => Winning::first(elements.iter().map(|&s| s.into()).filter(leads), limit),
                Shape::AllBut(excluded) => {
                    let takes = periodic.heaps_of(value).into_iter().rev().filter(|other| other < heap);
                    let takes = takes.map(|other| heap - other);
                    let allowed =
                        |take: &BigUint| u64::try_from(take).map_or(true, |s| excluded.binary_search(&s).is_err());
                    Winning::first(takes.filter(allowed), limit)
                }
            },
        })
    }
}

impl Default for Winning {
    /// None at all.
    fn default() -> Self {
        Self { takes: Vec::new(), complete: true }
    }
}

impl Winning {
    fn first(mut takes: impl Iterator<Item = BigUint>, limit: usize) -> Self {
        Self { takes: takes.by_ref().take(limit).collect(), complete: takes.next().is_none() }
    }
}

impl Periodic {
    /// The certificate of the period.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    fn nim_value(&self, heap: &BigUint) -> BigUint {
        let (preperiod, period) = (self.certificate.preperiod(), self.certificate.period());
        if let Some(&value) = usize::try_from(heap).ok().and_then(|heap| self.values.get(heap)) {
            return value.into();
        }
        let beyond = heap - preperiod;
        let place = u64::try_from(&beyond % period).expect("a remainder is below the period") + preperiod;
        let periods = beyond / period;
        periods * self.certificate.saltus() + self.values[place as usize]
    }

    /// The heaps of a nim-value, increasing; there are finitely many, for the saltus of an all-but set is positive.
    fn heaps_of(&self, value: &BigUint) -> Vec<BigUint> {
        let (preperiod, period) = (self.certificate.preperiod(), self.certificate.period());
        let saltus = self.certificate.saltus();
        let mut heaps: Vec<BigUint> = (0..)
            .zip(&self.values)
            .filter_map(|(place, &first)| {
                let first = BigUint::from(first);
                match place < preperiod {
                    true => (first == *value).then(|| place.into()),
                    false if first > *value || saltus == 0 => None,
                    false => {
                        let above = value - first;
                        (&above % saltus == BigUint::ZERO).then(|| above / saltus * period + place)
                    }
                }
            })
            .collect();
        heaps.sort_unstable();
        heaps
    }
}

/// The binary digits at even places, the others made 0.
fn even_places(number: &BigUint) -> BigUint {
    BigUint::new(number.iter_u32_digits().map(|digit| digit & 0x5555_5555).collect())
}
