//! Power laws: c n^a fitted to points (n, count).
//!
//! In logarithms a power law is a straight line. Two lines are offered:
//!
//! - *least squares*, the line that everybody knows;
//! - *repeated medians* (A. F. Siegel, Robust regression using repeated medians, Biometrika 69, 1982, 242-244): the slope
//!   is the median over all points of the median slope to the other points. Up to half of the points may be wild.
//!
//! Counts below growing n are sums of one another, so the residuals of neighbouring points are alike and the textbook
//! error of a slope, which takes them to be independent, is far too small. The error given here is that of the
//! *delete-a-group jackknife*: the points are cut into at most [`GROUPS`] runs of neighbours, the fit is made again
//! without each, and with g groups and fits a_i of mean m the error is sqrt((g - 1) / g * sum (a_i - m)^2). It tells how
//! much the fit hangs on any part of the window, not how far it is from the law of a larger one.

/// Groups of the jackknife.
pub const GROUPS: usize = 10;

/// How a line is laid through points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Least squares of the residuals.
    LeastSquares,
    /// Siegel's repeated medians.
    RepeatedMedians,
}

impl Method {
    /// Both.
    pub const ALL: [Self; 2] = [Self::LeastSquares, Self::RepeatedMedians];

    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::LeastSquares => "least squares",
            Self::RepeatedMedians => "repeated medians",
        }
    }

    /// Intercept and slope of the line through at least two points whose abscissas differ.
    fn line(self, points: &[(f64, f64)]) -> (f64, f64) {
        match self {
            Self::LeastSquares => least_squares(points),
            Self::RepeatedMedians => repeated_medians(points),
        }
    }
}

/// The fit c n^a.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PowerLaw {
    /// How it was made.
    pub method: Method,
    /// c.
    pub coefficient: f64,
    /// a.
    pub exponent: f64,
    /// The jackknife's error of a; none with fewer than four points.
    pub error: Option<f64>,
    /// The largest relative deviation of a point from the fit.
    pub deviation: f64,
}

impl PowerLaw {
    /// Fits points whose coordinates are all positive; `None` when fewer than two have different abscissas.
    ///
    /// O(points) time for least squares, O(points^2 log points) for repeated medians, times the groups.
    ///
    /// ```
    /// use nimsieve::study::fit::{Method, PowerLaw};
    /// let points: Vec<(f64, f64)> = (1..20).map(|k| (f64::from(k), 3.0 * f64::from(k).powf(0.7))).collect();
    /// for method in Method::ALL {
    ///     let fit = PowerLaw::fit(&points, method).unwrap();
    ///     assert!((fit.exponent - 0.7).abs() < 1e-12 && (fit.coefficient - 3.0).abs() < 1e-9);
    /// }
    /// ```
    pub fn fit(points: &[(f64, f64)], method: Method) -> Option<Self> {
        let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
        let spread = |logs: &[(f64, f64)]| logs.iter().any(|&(x, _)| x != logs[0].0);
        if !spread(&logs) {
            return None;
        }
        let (intercept, exponent) = method.line(&logs);
        let deviation = logs.iter().map(|&(x, y)| ((y - intercept - exponent * x).exp() - 1.0).abs());
        let deviation = deviation.fold(0.0, f64::max);
        let groups = GROUPS.min(logs.len() / 2);
        let error = (groups >= 2).then(|| {
            let slopes: Vec<f64> = (0..groups)
                .map(|group| {
                    let cut = |group| group * logs.len() / groups;
                    [&logs[..cut(group)], &logs[cut(group + 1)..]].concat()
                })
                .filter(|rest| spread(rest))
                .map(|rest| method.line(&rest).1)
                .collect();
            let (g, mean) = (slopes.len() as f64, slopes.iter().sum::<f64>() / slopes.len() as f64);
            ((g - 1.0) / g * slopes.iter().map(|slope| (slope - mean).powi(2)).sum::<f64>()).sqrt()
        });
        Some(Self { method, coefficient: intercept.exp(), exponent, error, deviation })
    }

    /// The value at n.
    pub fn at(&self, n: f64) -> f64 {
        self.coefficient * n.powf(self.exponent)
    }
}

fn least_squares(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean_x = points.iter().map(|p| p.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|p| p.1).sum::<f64>() / count;
    let sxx: f64 = points.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
    let sxy: f64 = points.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum();
    let slope = sxy / sxx;
    (mean_y - slope * mean_x, slope)
}

fn repeated_medians(points: &[(f64, f64)]) -> (f64, f64) {
    let slopes = points
        .iter()
        .map(|p| median(points.iter().filter(|q| q.0 != p.0).map(|q| (q.1 - p.1) / (q.0 - p.0)).collect()))
        .collect();
    let slope = median(slopes);
    (median(points.iter().map(|p| p.1 - slope * p.0).collect()), slope)
}

/// The median, the mean of the middle two of an even number; of at least one value.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_squares_by_hand() {
        // y = 1, 3, 2 at x = 0, 1, 2: slope 1/2, intercept 3/2.
        let (intercept, slope) = least_squares(&[(0.0, 1.0), (1.0, 3.0), (2.0, 2.0)]);
        assert!((slope - 0.5).abs() < 1e-15 && (intercept - 1.5).abs() < 1e-15);
    }

    #[test]
    fn repeated_medians_pass_over_wild_points() {
        let mut points: Vec<(f64, f64)> = (1..=21).map(|k| (f64::from(k), f64::from(k).powf(0.5))).collect();
        for wild in [3, 8, 12, 15, 19] {
            points[wild].1 *= 50.0;
        }
        let robust = PowerLaw::fit(&points, Method::RepeatedMedians).unwrap();
        assert!((robust.exponent - 0.5).abs() < 1e-12, "{robust:?}");
        let plain = PowerLaw::fit(&points, Method::LeastSquares).unwrap();
        assert!((plain.exponent - 0.5).abs() > 0.01, "{plain:?}");
        assert!(plain.error.unwrap() > 0.05, "{plain:?}");
    }

    #[test]
    fn the_jackknife_by_hand() {
        // Four points make two groups: the fits without the first two and without the last two have slopes 2 and 0.
        let points = [(0.0, 0.0), (1.0, 0.0), (2.0, 1.0), (3.0, 3.0)].map(|(x, y): (f64, f64)| (x.exp(), y.exp()));
        let fit = PowerLaw::fit(&points, Method::LeastSquares).unwrap();
        assert!((fit.error.unwrap() - 1.0).abs() < 1e-12, "{fit:?}");
    }

    #[test]
    fn too_few_points_have_no_fit_or_no_error() {
        assert!(PowerLaw::fit(&[], Method::LeastSquares).is_none());
        assert!(PowerLaw::fit(&[(2.0, 3.0), (2.0, 4.0)], Method::RepeatedMedians).is_none());
        assert_eq!(PowerLaw::fit(&[(2.0, 3.0), (4.0, 6.0)], Method::LeastSquares).unwrap().error, None);
    }
}
