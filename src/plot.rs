//! Pictures: charts and heat maps as plain data, drawn as SVG by a library or as text for a terminal.
//!
//! What is in a picture is made in [`figures`], one function a kind; a [`Picture`] knows nothing of how it is drawn. The SVG
//! is the same, byte for byte, whenever the same picture is drawn: it has no dates and no random names. Its colours are the
//! palette of M. Okabe and K. Ito (Color Universal Design, 2008), which readers with any colour vision tell apart, and the
//! scale of heat maps rises in lightness, so that it prints in grey. With [`Theme::Auto`] the file is made for white paper,
//! and a style rule in it gives dark colours to browsers whose reader prefers them; programs that know no such rules
//! (printers, LaTeX) draw it light.

pub mod figures;
mod svg;
mod text;
mod theme;
mod ticks;

pub use theme::Theme;

use crate::error::Result;

/// A picture, ready to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Picture {
    /// Points and lines over two axes.
    Chart(Chart),
    /// A table of shades.
    HeatMap(HeatMap),
}

/// What a picture is of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caption {
    /// The first line.
    pub title: String,
    /// The line below it: where the numbers come from.
    pub origin: String,
}

/// How an axis is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By powers of ten; values that are not positive are left out.
    Log,
}

/// An axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// What is on it.
    pub label: String,
    /// How it is divided.
    pub scale: Scale,
    /// Starts at 0, whatever the least value.
    pub from_zero: bool,
}

impl Axis {
    /// An even axis that is as long as its values need.
    pub fn linear(label: &str) -> Self {
        Self { label: label.into(), scale: Scale::Linear, from_zero: false }
    }

    /// An even axis that starts at 0.
    pub fn from_zero(label: &str) -> Self {
        Self { from_zero: true, ..Self::linear(label) }
    }

    /// An axis by powers of ten.
    pub fn log(label: &str) -> Self {
        Self { scale: Scale::Log, ..Self::linear(label) }
    }

    /// Where a value lies; `None` when it has no place on the axis.
    fn place(&self, value: f64) -> Option<f64> {
        let place = match self.scale {
            Scale::Linear => value,
            Scale::Log => value.log10(),
        };
        Some(place).filter(|place| place.is_finite())
    }
}

/// How points are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A line through them.
    Line,
    /// A broken line through them.
    Dashed,
    /// A dot for each.
    Dots,
    /// A tiny square for each, for thousands of points.
    Specks,
    /// A bar from 0 to each.
    Bars,
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// How they are shown.
    pub mark: Mark,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

/// Points and lines over two axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What it is of.
    pub caption: Caption,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What is shown, the first at the back.
    pub series: Vec<Series>,
}

impl Chart {
    /// The series with their points where the axes put them.
    fn placed(&self) -> Vec<(&Series, Vec<(f64, f64)>)> {
        let place = |&(x, y): &(f64, f64)| Some((self.x.place(x)?, self.y.place(y)?));
        self.series.iter().map(|series| (series, series.points.iter().filter_map(place).collect())).collect()
    }

    /// The ranges of both axes in places, with a little room around the points.
    fn ranges(&self) -> [(f64, f64); 2] {
        let placed = self.placed();
        let range = |axis: &Axis, part: fn(&(f64, f64)) -> f64| {
            let values = placed.iter().flat_map(|(_, points)| points.iter().map(part));
            let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
            if low > high {
                return (0.0, 1.0);
            }
            let low = if axis.from_zero { low.min(0.0) } else { low };
            let room = if high > low { (high - low) * 0.03 } else { 0.5 };
            (if axis.from_zero && low == 0.0 { 0.0 } else { low - room }, high + room)
        };
        [range(&self.x, |p| p.0), range(&self.y, |p| p.1)]
    }
}

/// A table of shades: dark for little, bright for much.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// What it is of.
    pub caption: Caption,
    /// What the columns are.
    pub x: String,
    /// What the rows are.
    pub y: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The names of the rows, the first at the top.
    pub rows: Vec<String>,
    /// The value of each field by row; a field without one stays empty.
    pub values: Vec<Vec<Option<f64>>>,
    /// What a value is.
    pub scale: String,
    /// The value of the brightest shade, and of all larger ones.
    pub full: f64,
    /// Digits after the point of the values written into the fields; `None`: none are written.
    pub written: Option<usize>,
}

impl Picture {
    /// What it is of.
    pub fn caption(&self) -> &Caption {
        match self {
            Self::Chart(chart) => &chart.caption,
            Self::HeatMap(map) => &map.caption,
        }
    }

    /// Draws it as SVG.
    ///
    /// # Errors
    /// [`crate::Error::Format`] when the library that draws refuses.
    pub fn svg(&self, theme: Theme) -> Result<String> {
        svg::draw(self, theme)
    }

    /// Draws it with characters, for a quick look in a terminal `width` columns wide.
    pub fn text(&self, width: usize) -> String {
        text::draw(self, width)
    }
}
