//! The choice of moduli, by how far they concentrate the cold numbers of the beginning.
//!
//! The *concentration* of a modulus M is M times the sum of the squared shares of its classes: 1 when the cold numbers
//! are spread evenly, M when they all lie in one class. It is measured without the bias of a small sample, from pairs
//! of different numbers. Work goes down with its square, and a larger modulus has a longer near range, so a stage may
//! begin when there are columns enough, and is worth its plans when it concentrates clearly better than the one before.

use super::StagePlan;
use crate::cold::sieve::sample;
use crate::error::Result;
use crate::run::Control;
use crate::set::{Form, SubtractionSet, elements_below};

/// The sieve's share, from which the moduli are chosen.
pub(crate) const PREFIX: u64 = 1 << 20;
/// The largest modulus: there is little to gain beyond, and plans grow with its square.
pub const MAX_MODULUS: u32 = 1 << 16;
/// Columns below a stage when it begins; and half as many again as the modulus, because plans grow with its square. With
/// fewer, the near range and the plans weigh too much; with more, the stage before, whose modulus concentrates less,
/// goes on for too long.
const COLUMNS: u64 = 11_000;
/// A modulus must concentrate this much, and this much more than the modulus of the stage before.
const LEAST_GAIN: f64 = 1.3;
/// The first modulus must gain more: against it stands the sieve, which has no overhead.
const LEAST_FIRST: f64 = 2.0;
/// A modulus up to twice as large that concentrates this much of it replaces the one before: with more classes it gains
/// more as the cold numbers thin out. Squares: 1625 and 1105 are equal at 10^6, and 1625 is twice as good at 10^9.
const AS_GOOD: f64 = 0.97;
/// A last stage that does not grow by this factor is not begun.
const LEAST_LENGTH: f64 = 1.5;
/// Prime powers below this are tried by themselves.
const LARGEST_POWER: u32 = 1 << 10;
/// A prime is used when one of its powers concentrates this much.
const USEFUL: f64 = 1.25;

/// M times the sum of the squared shares of the classes mod M, estimated from pairs of different numbers.
fn concentration(numbers: &[u64], modulus: u32) -> f64 {
    let mut counts = vec![0_u32; modulus as usize];
    numbers.iter().for_each(|x| counts[(x % u64::from(modulus)) as usize] += 1);
    let pairs: f64 = counts.iter().map(|&c| f64::from(c) * (f64::from(c) - 1.0)).sum();
    let count = numbers.len() as f64;
    if numbers.len() < 2 { 1.0 } else { f64::from(modulus) * pairs / (count * (count - 1.0)) }
}

/// Primes whose powers concentrate.
fn useful_primes(numbers: &[u64]) -> Vec<u32> {
    let is_prime = |p: u32| (2..p).take_while(|d| d * d <= p).all(|d| !p.is_multiple_of(d));
    let useful = |p: u32| {
        std::iter::successors(Some(p), |power| power.checked_mul(p))
            .take_while(|&power| power <= LARGEST_POWER)
            .any(|power| concentration(numbers, power) > USEFUL)
    };
    (2..64).filter(|&p| is_prime(p) && useful(p)).collect()
}

/// All products of the primes up to the largest modulus, increasing.
fn products(primes: &[u32]) -> Vec<u32> {
    let mut products = vec![1];
    for &p in primes {
        let mut index = 0;
        while index < products.len() {
            let next = products[index] * p;
            if next <= MAX_MODULUS {
                products.push(next);
            }
            index += 1;
        }
    }
    products.sort_unstable();
    products.dedup();
    products.retain(|&m| m > 1);
    products
}

/// Plays the game below [`PREFIX`] and chooses the stages for the numbers from there to `n`; none when `n` is not
/// beyond.
///
/// # Errors
/// Those of the set; within, the reason why there are no stages, when nothing concentrates or the set has no formula.
pub(crate) fn stages(set: &dyn SubtractionSet, n: u64) -> Result<Result<Vec<StagePlan>, String>> {
    match set.form() {
        Form::Polynomial(polynomial) if polynomial.degree() >= 2 && n > PREFIX => {
            let elements = elements_below(set, PREFIX, &Control::new())?;
            Ok(choose(&sample(&elements, PREFIX)?, n))
        }
        Form::Polynomial(polynomial) if polynomial.degree() >= 2 => Ok(Ok(Vec::new())),
        _ => Ok(Err("it serves polynomials of degree 2 and more; use the sieve".into())),
    }
}

/// Chooses the stages for numbers from [`PREFIX`] to `n`, from the cold numbers below [`PREFIX`].
fn choose(beginning: &[u64], n: u64) -> Result<Vec<StagePlan>, String> {
    let newer = &beginning[beginning.len() / 8..];
    let mut stages: Vec<StagePlan> = Vec::new();
    let mut best = (0.0, 0);
    for modulus in products(&useful_primes(newer)) {
        let columns = COLUMNS + u64::from(modulus) / 2;
        let from = (u64::from(modulus) * columns).max(PREFIX);
        if n / u64::from(modulus) >= 1 << 31 || (n as f64) < LEAST_LENGTH * from as f64 && from > PREFIX {
            continue;
        }
        let measured = concentration(newer, modulus);
        if measured > best.0 {
            best = (measured, modulus);
        }
        let before = stages.last().and_then(|stage| stage.concentration.map(|c| (stage.modulus, c)));
        match before {
            None if measured < LEAST_FIRST => continue,
            Some((close, before)) if modulus < 2 * close && measured >= AS_GOOD * before => {
                // Takes the place of the stage before, which has hardly begun when this one can.
                stages.pop();
            }
            Some((_, before)) if measured < LEAST_GAIN * before => continue,
            _ => {}
        }
        if let Some(last) = stages.last_mut() {
            last.to = from;
        }
        stages.push(StagePlan { modulus, from, to: n, concentration: Some(measured) });
        stages.retain(|stage| stage.from < stage.to);
    }
    if stages.is_empty() {
        let best = match best {
            (_, 0) => {
                "no modulus of small prime powers below 65536 concentrates them, or n has too many columns".into()
            }
            (measured, modulus) => format!("the best modulus, {modulus}, has a concentration of {measured:.2}"),
        };
        return Err(format!("the cold numbers are spread over all residue classes: {best}; use the sieve"));
    }
    Ok(stages)
}
