//! SVG, drawn by plotters.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::theme::{INK, LINES, PAPER, Role, SERIES, SOFT, heat, on_heat};
use super::{Caption, Chart, HeatMap, Mark, Picture, Theme, ticks};
use crate::error::{Error, Result};
use crate::export::Provenance;
use crate::export::html::escaped;

/// The width of a picture. It is a drawing of lines, so this only sets how large letters are beside it.
const WIDTH: u32 = 760;
/// The height of a chart.
const HEIGHT: u32 = 460;
const FONT: &str = "Helvetica, Arial, sans-serif";
const TITLE: f64 = 17.0;
const WORDS: f64 = 13.0;
/// The width of a letter beside its height, about; nothing here can measure fonts.
const LETTER: f64 = 0.56;
/// Room at the left and the right edge.
const MARGIN: i32 = 14;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// What plotters refuses, as text: there is no file and no device that could fail.
fn refused(error: impl std::fmt::Display) -> Error {
    Error::Format(format!("the picture cannot be drawn: {error}"))
}

pub(super) fn draw(picture: &Picture, theme: Theme) -> Result<String> {
    let height = match picture {
        Picture::Chart(_) => HEIGHT,
        Picture::HeatMap(map) => 150 + (map.rows.len() as u32 * row_height(map)).max(120),
    };
    let mut drawn = String::new();
    {
        let area = SVGBackend::with_string(&mut drawn, (WIDTH, height)).into_drawing_area();
        let painter = Painter { theme };
        area.fill(&painter.colour(PAPER)).map_err(refused)?;
        match picture {
            Picture::Chart(chart) => painter.chart(chart, &area)?,
            Picture::HeatMap(map) => painter.heat_map(map, &area)?,
        }
        area.present().map_err(refused)?;
    }
    Ok(labelled(&drawn, picture.caption(), theme))
}

/// Puts the class, the title, the provenance and the style rules behind the opening tag.
fn labelled(drawn: &str, caption: &Caption, theme: Theme) -> String {
    let (head, body) = drawn.split_once(">\n").unwrap_or((drawn, ""));
    format!(
        "{head} class=\"nimsieve\" role=\"img\">\n<title>{}</title>\n<desc>{}; {}</desc>\n{}{body}",
        escaped(&caption.title),
        Provenance::TOOL,
        escaped(&caption.origin),
        theme.style()
    )
}

/// The height of a row of a heat map: all of them together make a picture about as high as wide at most.
fn row_height(map: &HeatMap) -> u32 {
    (560 / map.rows.len().max(1) as u32).clamp(4, 30)
}

struct Painter {
    theme: Theme,
}

impl Painter {
    fn colour(&self, role: Role) -> RGBColor {
        let (r, g, b) = self.theme.of(role);
        RGBColor(r, g, b)
    }

    fn words(&self, size: f64, role: Role) -> TextStyle<'static> {
        (FONT, size).into_font().color(&self.colour(role))
    }

    /// Draws title and origin, and returns the height that they take.
    fn caption(&self, caption: &Caption, area: &Area<'_>) -> Result<i32> {
        let put = |text: &str, y: i32, style: TextStyle<'static>| {
            area.draw(&Text::new(text.to_owned(), (MARGIN, y), style)).map_err(refused)
        };
        put(&caption.title, 12, self.words(TITLE, INK))?;
        put(&caption.origin, 36, self.words(WORDS, SOFT))?;
        Ok(58)
    }

    /// Draws a sample and the name of each series, in lines, and returns where they end.
    fn legend(&self, chart: &Chart, top: i32, area: &Area<'_>) -> Result<i32> {
        const SAMPLE: i32 = 26;
        let (mut x, mut y) = (MARGIN, top + 8);
        if chart.series.len() < 2 {
            return Ok(top);
        }
        for (index, series) in chart.series.iter().enumerate() {
            let width = SAMPLE + 8 + (series.name.chars().count() as f64 * WORDS * LETTER * 0.9) as i32 + 14;
            if x + width > WIDTH as i32 && x > MARGIN {
                (x, y) = (MARGIN, y + 20);
            }
            let colour = self.colour(SERIES[index % SERIES.len()]);
            match series.mark {
                Mark::Line | Mark::Dashed => {
                    let style = colour.stroke_width(2);
                    // Two strokes stand for a broken line.
                    let parts = if series.mark == Mark::Line { vec![(0, SAMPLE)] } else { vec![(0, 10), (16, SAMPLE)] };
                    for (from, to) in parts {
                        let line = PathElement::new(vec![(x + from, y), (x + to, y)], style);
                        area.draw(&line).map_err(refused)?;
                    }
                }
                Mark::Dots | Mark::Specks => {
                    area.draw(&Circle::new((x + SAMPLE / 2, y), 4, colour.filled())).map_err(refused)?;
                }
                Mark::Bars => {
                    let bar = Rectangle::new([(x + 8, y - 5), (x + SAMPLE - 8, y + 5)], colour.filled());
                    area.draw(&bar).map_err(refused)?;
                }
            }
            let style = self.words(WORDS, INK).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(series.name.clone(), (x + SAMPLE + 8, y), style)).map_err(refused)?;
            x += width;
        }
        Ok(y + 14)
    }

    fn chart(&self, chart: &Chart, area: &Area<'_>) -> Result<()> {
        let top = self.caption(&chart.caption, area)?;
        let top = self.legend(chart, top, area)?;
        let (_, body) = area.split_vertically(top);
        let [x_range, y_range] = chart.ranges();
        let (x_ticks, y_ticks) = (ticks::ticks(x_range, chart.x.scale), ticks::ticks(y_range, chart.y.scale));
        let y_widest = y_ticks.iter().map(|&tick| ticks::label(tick, chart.y.scale, y_range).chars().count()).max();
        let y_room = 38 + (y_widest.unwrap_or(1) as f64 * WORDS * LETTER) as u32;
        let mut context = ChartBuilder::on(&body)
            .margin_top(10)
            .margin_right(MARGIN + 8)
            .margin_left(4)
            .margin_bottom(8)
            .x_label_area_size(46)
            .y_label_area_size(y_room)
            .build_cartesian_2d(Places { range: x_range, marks: x_ticks }, Places { range: y_range, marks: y_ticks })
            .map_err(refused)?;
        context
            .configure_mesh()
            .bold_line_style(self.colour(LINES))
            .light_line_style(TRANSPARENT)
            .axis_style(self.colour(SOFT))
            .label_style(self.words(WORDS, INK))
            .axis_desc_style(self.words(WORDS, INK))
            .x_desc(chart.x.label.clone())
            .y_desc(chart.y.label.clone())
            .x_label_formatter(&|&place| ticks::label(place, chart.x.scale, x_range))
            .y_label_formatter(&|&place| ticks::label(place, chart.y.scale, y_range))
            .draw()
            .map_err(refused)?;
        for (index, (series, points)) in chart.placed().into_iter().enumerate() {
            let colour = self.colour(SERIES[index % SERIES.len()]);
            series_on(&mut context, series.mark, points, colour, y_range.0)?;
        }
        Ok(())
    }

    fn heat_map(&self, map: &HeatMap, area: &Area<'_>) -> Result<()> {
        let top = self.caption(&map.caption, area)? + 34;
        let names = map.rows.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let left = MARGIN + 24 + (names as f64 * WORDS * LETTER) as i32;
        let (wide, high) = (WIDTH as i32 - MARGIN - left, (map.rows.len() as u32 * row_height(map)) as i32);
        let column = |index: usize| left + (wide as usize * index / map.columns.len().max(1)) as i32;
        let row = |index: usize| top + index as i32 * row_height(map) as i32;
        let put = |text: &str, at: (i32, i32), style: TextStyle<'static>| {
            area.draw(&Text::new(text.to_owned(), at, style)).map_err(refused)
        };
        self.heat_scale(map, (left, top - 26), area)?;
        let middle = |style: TextStyle<'static>| style.pos(Pos::new(HPos::Center, VPos::Center));
        for (r, values) in map.values.iter().enumerate() {
            for (c, value) in values.iter().enumerate() {
                let Some(value) = value else { continue };
                let (corner, other) = ((column(c), row(r)), (column(c + 1), row(r + 1)));
                let (red, green, blue) = heat(value / map.full);
                area.draw(&Rectangle::new([corner, other], RGBColor(red, green, blue).filled())).map_err(refused)?;
                if let Some(places) = map.written {
                    let text = format!("{value:.places$}");
                    let (red, green, blue) = on_heat(value / map.full);
                    let style = (FONT, WORDS).into_font().color(&RGBColor(red, green, blue));
                    put(&text, ((corner.0 + other.0) / 2, (corner.1 + other.1) / 2), middle(style))?;
                }
            }
        }
        // A frame, so that empty fields at the edges are seen to be fields.
        area.draw(&Rectangle::new([(left, top), (left + wide, top + high)], self.colour(SOFT))).map_err(refused)?;
        let row_style = self.words(WORDS, INK).pos(Pos::new(HPos::Right, VPos::Center));
        for r in (0..map.rows.len()).step_by(every(map.rows.len(), row_height(map) as f64, 17.0)) {
            put(&map.rows[r], (left - 7, (row(r) + row(r + 1)) / 2), row_style.clone())?;
        }
        let widest = map.columns.iter().map(|name| name.chars().count()).max().unwrap_or(1);
        let field = f64::from(wide) / map.columns.len().max(1) as f64;
        let needed = widest as f64 * WORDS * LETTER + 8.0;
        for c in (0..map.columns.len()).step_by(every(map.columns.len(), field, needed)) {
            put(&map.columns[c], ((column(c) + column(c + 1)) / 2, top + high + 13), middle(self.words(WORDS, INK)))?;
        }
        put(&map.x, (left + wide / 2, top + high + 34), middle(self.words(WORDS, INK)))?;
        let turned = (FONT, WORDS).into_font().transform(FontTransform::Rotate270).color(&self.colour(INK));
        put(&map.y, (MARGIN, top + high / 2), middle(turned))
    }

    /// Draws the shades with the values at their ends.
    fn heat_scale(&self, map: &HeatMap, (left, top): (i32, i32), area: &Area<'_>) -> Result<()> {
        const STEPS: i32 = 40;
        const STEP: i32 = 4;
        let put = |text: String, x: i32| {
            let style = self.words(WORDS, INK).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(text, (x, top + 6), style)).map_err(refused)
        };
        put("0".into(), left)?;
        let start = left + 14;
        for step in 0..STEPS {
            let (red, green, blue) = heat(f64::from(step) / f64::from(STEPS - 1));
            let x = start + step * STEP;
            area.draw(&Rectangle::new([(x, top), (x + STEP, top + 12)], RGBColor(red, green, blue).filled()))
                .map_err(refused)?;
        }
        let end = if map.full < 10.0 { format!("{:.2}", map.full) } else { format!("{:.0}", map.full) };
        put(format!("{end}   {}", map.scale), start + STEPS * STEP + 6)
    }
}

/// Which of `count` names fit when each needs `needed` and has room for `field`: every first, second, fifth, ...
fn every(count: usize, field: f64, needed: f64) -> usize {
    (0..)
        .flat_map(|power| [1, 2, 5].map(|digit| digit * 10_usize.pow(power)))
        .find(|&step| field * step as f64 >= needed || step >= count)
        .unwrap_or(1)
}

/// An axis of places, with marks where we want them.
#[derive(Clone)]
struct Places {
    range: (f64, f64),
    marks: Vec<f64>,
}

impl Ranged for Places {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let share = (value - self.range.0) / (self.range.1 - self.range.0);
        (f64::from(limit.0) + f64::from(limit.1 - limit.0) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.marks.clone() }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.range.0..self.range.1
    }
}

fn series_on(
    context: &mut ChartContext<'_, SVGBackend<'_>, Cartesian2d<Places, Places>>,
    mark: Mark,
    points: Vec<(f64, f64)>,
    colour: RGBColor,
    floor: f64,
) -> Result<()> {
    match mark {
        Mark::Line => context.draw_series(LineSeries::new(points, colour.stroke_width(2))).map(drop),
        Mark::Dashed => context.draw_series(DashedLineSeries::new(points, 7, 5, colour.stroke_width(2))).map(drop),
        Mark::Dots => {
            let radius = if points.len() > 80 { 2 } else { 3 };
            context.draw_series(points.into_iter().map(|p| Circle::new(p, radius, colour.filled()))).map(drop)
        }
        Mark::Specks => {
            let speck = |p| EmptyElement::at(p) + Rectangle::new([(0, 0), (2, 2)], colour.filled());
            context.draw_series(points.into_iter().map(speck)).map(drop)
        }
        Mark::Bars => {
            let gap = points.windows(2).map(|pair| pair[1].0 - pair[0].0).fold(f64::INFINITY, f64::min);
            let half = if gap.is_finite() { gap * 0.4 } else { 0.4 };
            let bar = |(x, y): (f64, f64)| Rectangle::new([(x - half, floor), (x + half, y)], colour.filled());
            context.draw_series(points.into_iter().map(bar)).map(drop)
        }
    }
    .map_err(refused)
}
