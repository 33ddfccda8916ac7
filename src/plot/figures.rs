//! What is drawn: one function for each kind of picture, from a study to plain data.

use std::collections::BTreeSet;

use super::{Axis, Caption, Chart, HeatMap, Mark, Picture, Series};
use crate::chopsticks::reach::Level;
use crate::number::grouped_by;
use crate::sink::{GrundyCounter, NimValues};
use crate::study::density::Density;
use crate::study::digits::Digits;
use crate::study::fit::{Method, PowerLaw};
use crate::study::nim;
use crate::study::published::{Status, published};

fn grouped(number: u64) -> String {
    grouped_by(number, ",")
}

fn caption(title: String, set: &str, n: u64) -> Caption {
    Caption { title, origin: format!("set {set}, positions below {}", grouped(n)) }
}

fn series(name: impl Into<String>, mark: Mark, points: Vec<(f64, f64)>) -> Series {
    Series { name: name.into(), mark, points }
}

/// A fit as the legend names it: the exponent with two digits of its error behind it, in units of its last digits.
fn law(fit: &PowerLaw) -> String {
    let places = fit.error.map_or(5, |error| (1.0 - error.log10().floor()).clamp(2.0, 8.0) as usize);
    let error = fit.error.map_or_else(String::new, |error| format!("({:.0})", error * 10_f64.powi(places as i32)));
    format!("{}: {:.4} n^{:.places$}{error}", fit.method.name(), fit.coefficient, fit.exponent)
}

/// Counts below n, with the fit by repeated medians and the published one, if there is one.
pub fn density(set: &str, n: u64, density: &Density) -> Picture {
    let points = density.points();
    let ends: Vec<f64> = [points.first(), points.last()].into_iter().flatten().map(|point| point.0).collect();
    let mut all = Vec::new();
    if let Some(fit) = density.fit(Method::RepeatedMedians) {
        all.push(series(law(&fit), Mark::Line, ends.iter().map(|&n| (n, fit.at(n))).collect()));
    }
    for known in published(set) {
        if let Some(coefficient) = known.coefficient {
            let points = ends.iter().map(|&n| (n, coefficient * n.powf(known.exponent))).collect();
            let name = format!("{}: {coefficient} n^{}", known.what, known.exponent);
            all.push(series(name, Mark::Dashed, points));
        }
    }
    all.push(series("counted", Mark::Dots, points));
    Picture::Chart(Chart {
        caption: caption(format!("Cold positions of {set} below n"), set, n),
        x: Axis::log("n"),
        y: Axis::log("cold positions below n"),
        series: all,
    })
}

/// Local exponents, one an octave back from each point, beside the fitted and the published exponent.
pub fn exponent(set: &str, n: u64, density: &Density) -> Picture {
    let counts = density.counts().iter().zip(density.slopes());
    let points: Vec<(f64, f64)> = counts.filter_map(|(count, slope)| Some((count.n as f64, slope?))).collect();
    let ends: Vec<f64> = [points.first(), points.last()].into_iter().flatten().map(|point| point.0).collect();
    let level = |exponent: f64| ends.iter().map(|&n| (n, exponent)).collect::<Vec<_>>();
    let mut all = vec![series("local, over the octave below n", Mark::Line, points.clone())];
    if let Some(fit) = density.fit(Method::RepeatedMedians) {
        all.push(series(format!("fitted by repeated medians: {:.5}", fit.exponent), Mark::Dashed, level(fit.exponent)));
    }
    // Of the proved exponents of larger sets the least and the greatest: those between would cover each other.
    let proved: Vec<_> = published(set).iter().filter(|known| known.status == Status::Proved).collect();
    for known in proved.first().into_iter().chain(proved.last().filter(|_| proved.len() > 1)) {
        all.push(series(format!("{}: {}", known.what, known.exponent), Mark::Dashed, level(known.exponent)));
    }
    Picture::Chart(Chart {
        caption: caption(format!("Local exponent of the cold positions of {set}"), set, n),
        x: Axis::log("n"),
        y: Axis::linear("exponent"),
        series: all,
    })
}

/// Residue classes by octave: the share of each class times the modulus, 1 when all are alike. Classes without a position
/// in an octave stay empty; octaves with fewer positions than classes are left out.
pub fn residues(set: &str, n: u64, modulus: u64, octaves: &[(u64, Vec<u64>)]) -> Picture {
    let kept = octaves.iter().rev().filter(|(_, counts)| counts.iter().sum::<u64>() >= modulus);
    let values: Vec<Vec<Option<f64>>> = kept
        .clone()
        .map(|(_, counts)| {
            let total: u64 = counts.iter().sum();
            let value = |&count: &u64| (count > 0).then(|| count as f64 * modulus as f64 / total as f64);
            counts.iter().map(value).collect()
        })
        .collect();
    Picture::HeatMap(HeatMap {
        caption: caption(format!("Cold positions of {set} by residue mod {modulus} and octave"), set, n),
        x: format!("residue mod {modulus}"),
        y: "octave from".into(),
        columns: (0..modulus).map(|class| class.to_string()).collect(),
        rows: kept.map(|(start, _)| format!("2^{}", start.ilog2())).collect(),
        full: largest(&values),
        values,
        scale: "share of the octave × modulus (1: even; blank: none)".into(),
        written: None,
    })
}

/// The largest value, or 1 when there is none.
fn largest(values: &[Vec<Option<f64>>]) -> f64 {
    values.iter().flatten().flatten().copied().reduce(f64::max).unwrap_or(1.0)
}

/// Digits by place, in percent of the place.
pub fn digits(set: &str, n: u64, study: &Digits) -> Picture {
    let percent = |counts: &Vec<u64>| {
        let total: u64 = counts.iter().sum();
        counts.iter().map(|&count| (count > 0).then(|| 100.0 * count as f64 / total as f64)).collect()
    };
    let values: Vec<Vec<Option<f64>>> = study.counts().iter().map(percent).collect();
    // The highest place says more of n than of the positions, and would outshine the others.
    let full = largest(&values[..values.len().saturating_sub(1).max(1).min(values.len())]);
    Picture::HeatMap(HeatMap {
        caption: caption(format!("Base-{} digits of the cold positions of {set}", study.base()), set, n),
        x: "digit".into(),
        y: "place (0: units)".into(),
        columns: (0..study.base()).map(|digit| digit.to_string()).collect(),
        rows: (0..study.counts().len()).map(|place| place.to_string()).collect(),
        full,
        values,
        scale: "or more percent of the place (blank: never)".into(),
        written: (study.base() <= 12).then_some(2),
    })
}

/// Nim-values by position. Of points that would cover each other one is kept.
pub fn nim_values(set: &str, n: u64, values: NimValues<'_>) -> Picture {
    /// Columns of the picture.
    const COLUMNS: u64 = 1200;
    let mut seen = BTreeSet::new();
    let points: Vec<(f64, f64)> = (0..)
        .zip(values.iter())
        .filter(|&(x, value)| seen.insert((u128::from(x) * u128::from(COLUMNS) / u128::from(n.max(1)), value)))
        .map(|(x, value): (u64, u16)| (x as f64, f64::from(value)))
        .collect();
    Picture::Chart(Chart {
        caption: caption(format!("Nim-values of {set}"), set, n),
        x: Axis::from_zero("heap"),
        y: Axis::from_zero("nim-value"),
        series: vec![series("nim-values", Mark::Specks, points)],
    })
}

/// How many positions have each nim-value.
pub fn histogram(set: &str, n: u64, counter: &GrundyCounter) -> Picture {
    let points = (0_u32..).zip(counter.histogram()).map(|(value, &count)| (f64::from(value), count as f64)).collect();
    Picture::Chart(Chart {
        caption: caption(format!("Positions of {set} by nim-value"), set, n),
        x: Axis::linear("nim-value"),
        y: Axis::from_zero("positions"),
        series: vec![series("positions", Mark::Bars, points)],
    })
}

/// The number of nim-values that occur below n, with a fitted power law from position `from` on.
pub fn growth(set: &str, n: u64, from: u64, counter: &GrundyCounter) -> Picture {
    let points = nim::growth(counter);
    let mut all = Vec::new();
    if let (Some(fit), Some(last)) = (nim::fit(counter, from, Method::LeastSquares), points.last()) {
        let ends = [(from as f64).max(1.0), last.0];
        all.push(series(law(&fit), Mark::Line, ends.map(|n| (n, fit.at(n))).to_vec()));
    }
    all.push(series("counted", Mark::Dots, points));
    Picture::Chart(Chart {
        caption: caption(format!("Nim-values of {set} that occur below n"), set, n),
        x: Axis::log("n"),
        y: Axis::log("nim-values below n"),
        series: all,
    })
}

/// Positions of a game of Chopsticks that are first reached after each number of moves, and the endings among them.
pub fn chopsticks(rules: &str, levels: &[Level]) -> Picture {
    let points = |value: fn(&Level) -> u64| -> Vec<(f64, f64)> {
        let all = levels.iter().map(|level| (f64::from(level.depth), value(level) as f64));
        all.filter(|point| point.1 > 0.0).collect()
    };
    let total: u64 = levels.iter().map(|level| level.positions).sum();
    Picture::Chart(Chart {
        caption: Caption {
            title: format!("Positions of {rules} by depth"),
            origin: format!("{} positions can be reached", grouped(total)),
        },
        x: Axis::from_zero("moves from the start"),
        y: Axis::log("positions first reached"),
        series: vec![
            series("positions", Mark::Line, points(|level| level.positions)),
            series("of them endings", Mark::Dots, points(|level| level.endings)),
        ],
    })
}
