//! Where an axis has its marks, and what is written there.

use super::Scale;
use crate::number::grouped_by;

/// The most marks of an axis.
const MOST: usize = 9;

/// The places of marks within a range of places, few and round.
pub(super) fn ticks((low, high): (f64, f64), scale: Scale) -> Vec<f64> {
    match scale {
        Scale::Linear => even(low, high, step(high - low)),
        Scale::Log => {
            let decades = high.floor() - low.ceil() + 1.0;
            if decades >= 3.0 {
                return even(low, high, (decades / MOST as f64).ceil());
            }
            // Few decades: 1, 2 and 5 in each.
            let mut marks = Vec::new();
            for decade in low.floor() as i32..=high.ceil() as i32 {
                marks.extend([1.0_f64, 2.0, 5.0].map(|digit| f64::from(decade) + digit.log10()));
            }
            marks.retain(|mark| (low..=high).contains(mark));
            marks
        }
    }
}

/// The least of 1, 2, 5, 10, ... times a power of ten that needs no more than the most marks.
fn step(length: f64) -> f64 {
    let least = length / MOST as f64;
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|step| *step >= least).unwrap_or(10.0 * power)
}

fn even(low: f64, high: f64, step: f64) -> Vec<f64> {
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    (first..=last).map(|k| k as f64 * step).collect()
}

/// What is written at a mark.
pub(super) fn label(place: f64, scale: Scale, range: (f64, f64)) -> String {
    match scale {
        Scale::Linear => {
            let step = step(range.1 - range.0);
            let places = (-step.log10().floor()).max(0.0) as usize;
            let text = format!("{:.places$}", place.abs());
            let sign = if place < 0.0 && text.parse() != Ok(0.0) { "−" } else { "" };
            match text.split_once('.') {
                Some(_) => format!("{sign}{text}"),
                None => format!("{sign}{}", grouped_by(text, ",")),
            }
        }
        Scale::Log => {
            let power = place.floor() + if place - place.floor() > 1.0 - 1e-9 { 1.0 } else { 0.0 };
            let digit = 10_f64.powf(place - power).round();
            match (digit as u32, power as i32) {
                (_, 0..=3) => grouped_by((digit * 10_f64.powf(power)).round(), ","),
                (1, power) => format!("10{}", raised(power)),
                (digit, power) => format!("{digit}·10{}", raised(power)),
            }
        }
    }
}

/// An exponent in raised digits.
fn raised(power: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = power.unsigned_abs().to_string();
    let digits = digits.bytes().map(|digit| DIGITS[usize::from(digit - b'0')]);
    if power < 0 { ['⁻'].into_iter().chain(digits).collect() } else { digits.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, scale: Scale) -> Vec<String> {
        ticks((low, high), scale).into_iter().map(|place| label(place, scale, (low, high))).collect()
    }

    #[test]
    fn marks_are_few_and_round() {
        assert_eq!(labels(0.0, 93.0, Scale::Linear), ["0", "20", "40", "60", "80"]);
        assert_eq!(
            labels(0.648, 0.723, Scale::Linear),
            ["0.65", "0.66", "0.67", "0.68", "0.69", "0.70", "0.71", "0.72"]
        );
        assert_eq!(labels(-2.0, 6.0, Scale::Linear), ["−2", "−1", "0", "1", "2", "3", "4", "5", "6"]);
        assert_eq!(labels(0.0, 4e5, Scale::Linear)[1], "50,000");
        assert_eq!(labels(2.9, 9.1, Scale::Log), ["1,000", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸", "10⁹"]);
        assert_eq!(labels(3.5, 4.8, Scale::Log), ["5,000", "10⁴", "2·10⁴", "5·10⁴"]);
        assert_eq!(labels(0.0, 1.0, Scale::Log), ["1", "2", "5", "10"]);
        for high in [0.001, 0.1, 1.0, 3.0, 7.7, 1e3, 1e9] {
            for scale in [Scale::Linear, Scale::Log] {
                let count = ticks((0.0, if scale == Scale::Log { high % 20.0 } else { high }), scale).len();
                assert!((1..=MOST + 1).contains(&count), "{high} {scale:?}: {count}");
            }
        }
    }
}
