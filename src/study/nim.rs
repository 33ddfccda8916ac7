//! Nim-values: how the largest one grows.
//!
//! A position of nim-value v has options of all smaller values, so value v occurs first after v - 1 did: the first
//! occurrences are the positions where the largest nim-value grows, by one each time. A [`GrundyCounter`] therefore knows
//! the growth, and no table of values is needed for it.

use super::fit::{Method, PowerLaw};
use crate::sink::GrundyCounter;

/// The growth of the largest nim-value as points (n, number of nim-values that occur below n), one for each first
/// occurrence from nim-value 1 on: the values 0, ..., v occur below n when n is the first occurrence of v plus 1.
pub fn growth(counter: &GrundyCounter) -> Vec<(f64, f64)> {
    let first = (0_u32..).zip(counter.first_occurrences()).skip(1);
    first.filter_map(|(value, first)| Some(((*first)? as f64 + 1.0, f64::from(value) + 1.0))).collect()
}

/// The power law of the growth from position `from` on; `None` when there are too few values.
///
/// ```
/// use nimsieve::run::Control;
/// use nimsieve::set::Squares;
/// use nimsieve::sink::GrundyCounter;
/// use nimsieve::study::{fit::Method, nim};
///
/// let mut counter = GrundyCounter::default();
/// nimsieve::Plan::grundy(&Squares, 100_000)?.run_into(&Control::new(), &mut counter)?;
/// let fit = nim::fit(&counter, 1000, Method::LeastSquares).unwrap();
/// assert!((0.30..0.40).contains(&fit.exponent));
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn fit(counter: &GrundyCounter, from: u64, method: Method) -> Option<PowerLaw> {
    let points: Vec<(f64, f64)> = growth(counter).into_iter().filter(|point| point.0 > from as f64).collect();
    PowerLaw::fit(&points, method)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;
    use crate::run::Control;
    use crate::set::Squares;

    #[test]
    fn growth_counts_the_values_below() {
        let n = 5000;
        let mut counter = GrundyCounter::default();
        Plan::grundy(&Squares, n).unwrap().run_into(&Control::new(), &mut counter).unwrap();
        let values: Vec<u16> = crate::grundy(&Squares, n).unwrap().iter().collect();
        for (n, count) in growth(&counter) {
            let largest = values[..n as usize].iter().max().unwrap();
            assert_eq!(f64::from(*largest) + 1.0, count);
            assert_eq!(values[..n as usize - 1].iter().max().unwrap() + 1, *largest, "it grows just here");
        }
        assert!(fit(&counter, n, Method::LeastSquares).is_none());
    }
}
