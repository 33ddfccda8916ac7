//! The tables of the studies, one function each.

use crate::export::{Cell, Sheet};
use crate::sink::GrundyCounter;
use crate::study::density::Density;
use crate::study::digits::Digits;
use crate::study::fit::{Method, PowerLaw};
use crate::study::gaps::Gaps;
use crate::study::moves::WinningMoves;
use crate::study::published::published;
use crate::study::residues::{Ranked, Residues};

/// Where a sheet comes from: the set and n.
pub(crate) type Origin = [(&'static str, String); 2];

/// Counts on a grid, with the local exponent and the fit by least squares.
pub(crate) fn density(origin: &Origin, density: &Density) -> Sheet {
    let mut sheet = Sheet::new("density", origin, &["n", "count", "local_exponent", "fit", "count_over_fit"]);
    let fit = density.fit(Method::LeastSquares);
    if let Some(fit) = fit {
        sheet.origin.push(("fit", format!("{} {:.4} n^{:.5}", fit.method.name(), fit.coefficient, fit.exponent)));
    }
    for (row, slope) in density.counts().iter().zip(density.slopes()) {
        let fitted = fit.map(|fit| fit.at(row.n as f64));
        sheet.push(vec![
            row.n.into(),
            row.count.into(),
            Cell::real(slope, 4),
            Cell::real(fitted, 1),
            Cell::real(fitted.map(|fitted| row.count as f64 / fitted), 4),
        ]);
    }
    sheet
}

/// The cold positions at the points of a grid, and their numbers.
pub(crate) fn at_cold(origin: &Origin, density: &Density) -> Sheet {
    let mut sheet = Sheet::new("density", origin, &["position", "count"]);
    density.at_cold().for_each(|(position, count)| sheet.push(vec![position.into(), count.into()]));
    sheet
}

/// Fits, beside what is published of the set.
pub(crate) fn fits(origin: &Origin, fits: &[PowerLaw], set: &str) -> Sheet {
    let columns = ["law", "coefficient", "exponent", "error", "largest_deviation", "status"];
    let mut sheet = Sheet::new("fits", origin, &columns);
    for fit in fits {
        sheet.push(vec![
            fit.method.name().into(),
            Cell::Real(fit.coefficient, 4),
            Cell::Real(fit.exponent, 5),
            Cell::real(fit.error, 5),
            Cell::Real(fit.deviation, 4),
            "fitted here".into(),
        ]);
    }
    for known in published(set) {
        // Fits are published to five digits, exponents of constructions to six.
        let places = if known.coefficient.is_some() { 5 } else { 6 };
        sheet.push(vec![
            known.what.into(),
            Cell::real(known.coefficient, 4),
            Cell::Real(known.exponent, places),
            Cell::Missing,
            Cell::Missing,
            known.status.name().into(),
        ]);
    }
    sheet
}

/// The classes of a modulus.
pub(crate) fn residues(origin: &Origin, study: &Residues) -> Sheet {
    let mut sheet = Sheet::new("residues", origin, &["class", "positions", "share", "last", "standing"]);
    sheet.origin.push(("modulus", study.modulus().to_string()));
    let total = study.total();
    let died_out: Vec<u64> = study.died_out().map(|(class, ..)| class).collect();
    for (class, (&count, &last)) in (0..).zip(study.counts().iter().zip(study.last())) {
        let standing = match count {
            0 => "empty",
            _ if died_out.binary_search(&class).is_ok() => "died out",
            _ => "",
        };
        let share = (total > 0).then(|| count as f64 / total as f64);
        sheet.push(vec![class.into(), count.into(), Cell::real(share, 6), last.into(), standing.into()]);
    }
    sheet
}

/// Moduli by concentration.
pub(crate) fn ranking(origin: &Origin, ranked: &[Ranked]) -> Sheet {
    let mut sheet = Sheet::new("moduli", origin, &["modulus", "concentration", "empty", "died_out"]);
    for row in ranked {
        let concentration = Cell::Real(row.concentration, 5);
        sheet.push(vec![row.modulus.into(), concentration, row.empty.into(), row.died_out.into()]);
    }
    sheet
}

/// Digits by place.
pub(crate) fn digits(origin: &Origin, study: &Digits) -> Sheet {
    let mut sheet = Sheet::new("digits", origin, &["place"]);
    sheet.origin.push(("base", study.base().to_string()));
    sheet.columns.extend((0..study.base()).map(|digit| format!("digit_{digit}")));
    for (place, counts) in (0_u64..).zip(study.counts()) {
        sheet.push(std::iter::once(place.into()).chain(counts.iter().map(|&count| count.into())).collect());
    }
    sheet
}

/// The gaps that are larger than all before.
pub(crate) fn gap_records(origin: &Origin, study: &Gaps) -> Sheet {
    let mut sheet = Sheet::new("largest gaps", origin, &["gap", "after"]);
    study.records().iter().for_each(|&(gap, after)| sheet.push(vec![gap.into(), after.into()]));
    sheet
}

/// How often each gap occurs.
pub(crate) fn gap_histogram(origin: &Origin, study: &Gaps) -> Sheet {
    let mut sheet = Sheet::new("gaps", origin, &["gap", "count"]);
    study.histogram().iter().for_each(|(&gap, &count)| sheet.push(vec![gap.into(), count.into()]));
    sheet
}

/// Positions by winning moves.
pub(crate) fn moves(origin: &Origin, study: &WinningMoves) -> Sheet {
    let mut sheet = Sheet::new("winning moves", origin, &["winning_moves", "positions", "first", "last"]);
    for (moves, row) in (0_u64..).zip(study.rows()) {
        sheet.push(vec![moves.into(), row.positions.into(), row.first.into(), row.last.into()]);
    }
    sheet
}

/// Nim-values with their number and first occurrence.
pub(crate) fn nim(origin: &Origin, counter: &GrundyCounter) -> Sheet {
    let mut sheet = Sheet::new("nim-values", origin, &["nim_value", "positions", "first"]);
    for (value, (&count, &first)) in (0_u64..).zip(counter.histogram().iter().zip(counter.first_occurrences())) {
        sheet.push(vec![value.into(), count.into(), first.into()]);
    }
    sheet
}
