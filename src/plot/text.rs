//! Pictures of characters: charts in Braille dots, two by four to a character, and heat maps in shaded blocks.

use super::{Chart, HeatMap, Mark, Picture, ticks};

/// Lines of a chart.
const LINES: usize = 18;
/// From nothing to much.
const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];

pub(super) fn draw(picture: &Picture, width: usize) -> String {
    let caption = picture.caption();
    let body = match picture {
        Picture::Chart(chart) => draw_chart(chart, width.clamp(30, 200)),
        Picture::HeatMap(map) => draw_map(map, width.clamp(30, 200)),
    };
    format!("{}\n{}\n\n{body}", caption.title, caption.origin)
}

/// A field of Braille characters.
struct Dots {
    wide: usize,
    cells: Vec<u8>,
}

impl Dots {
    /// Sets the dot at column x of 2 × wide and row y of 4 × high, from the top left.
    fn set(&mut self, x: usize, y: usize) {
        const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        if let Some(cell) = self.cells.get_mut(y / 4 * self.wide + x / 2) {
            *cell |= BITS[y % 4][x % 2];
        }
    }

    fn row(&self, y: usize) -> String {
        let row = &self.cells[y * self.wide..][..self.wide];
        // Braille patterns are U+2800 and 256 more, one for each set of dots.
        row.iter().map(|&cell| char::from_u32(0x2800 + u32::from(cell)).unwrap_or(' ')).collect()
    }
}

fn draw_chart(chart: &Chart, width: usize) -> String {
    let [x_range, y_range] = chart.ranges();
    let marks = ticks::ticks(y_range, chart.y.scale);
    let label = |place: f64| ticks::label(place, chart.y.scale, y_range);
    let margin = marks.iter().map(|&mark| label(mark).chars().count()).max().unwrap_or(0);
    let wide = width.saturating_sub(margin + 2).max(10);
    let mut dots = Dots { wide, cells: vec![0; wide * LINES] };
    let column = |x: f64| ((x - x_range.0) / (x_range.1 - x_range.0) * (2 * wide - 1) as f64).round() as usize;
    let row = |y: f64| ((y_range.1 - y) / (y_range.1 - y_range.0) * (4 * LINES - 1) as f64).round() as usize;
    for (series, points) in chart.placed() {
        match series.mark {
            Mark::Dots | Mark::Specks => points.iter().for_each(|&(x, y)| dots.set(column(x), row(y))),
            Mark::Bars => points.iter().for_each(|&(x, y)| (row(y)..4 * LINES).for_each(|r| dots.set(column(x), r))),
            Mark::Line | Mark::Dashed => {
                for pair in points.windows(2) {
                    let (from, to) = ((column(pair[0].0), row(pair[0].1)), (column(pair[1].0), row(pair[1].1)));
                    let steps = from.0.abs_diff(to.0).max(from.1.abs_diff(to.1)).max(1);
                    for step in (0..=steps).filter(|step| series.mark == Mark::Line || step / 3 % 2 == 0) {
                        let between = |a: usize, b: usize| {
                            (a as f64 + (b as f64 - a as f64) * step as f64 / steps as f64).round() as usize
                        };
                        dots.set(between(from.0, to.0), between(from.1, to.1));
                    }
                }
            }
        }
    }
    let mut text = format!("{}\n", chart.y.label);
    for line in 0..LINES {
        let here = marks.iter().find(|&&mark| row(mark) / 4 == line).map(|&mark| label(mark)).unwrap_or_default();
        text += &format!("{here:>margin$} │{}\n", dots.row(line));
    }
    // The names of the marks below, each where it belongs if there is room.
    let mut names: Vec<char> = vec![' '; wide];
    let mut free = 0;
    for mark in ticks::ticks(x_range, chart.x.scale) {
        let name: Vec<char> = ticks::label(mark, chart.x.scale, x_range).chars().collect();
        let start = (column(mark) / 2).saturating_sub(name.len() / 2);
        if start >= free && start + name.len() <= wide {
            names[start..start + name.len()].copy_from_slice(&name);
            free = start + name.len() + 1;
        }
    }
    let names: String = names.into_iter().collect();
    text += &format!("{:margin$} └{}\n{:margin$}  {}\n", "", "─".repeat(wide), "", names.trim_end());
    text += &format!("{:margin$}  {}\n", "", chart.x.label);
    if chart.series.len() > 1 {
        let names: Vec<&str> = chart.series.iter().map(|series| &series.name[..]).collect();
        text += &format!("{:margin$}  shown: {}\n", "", names.join("; "));
    }
    text
}

fn draw_map(map: &HeatMap, width: usize) -> String {
    let margin = map.rows.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let wide = (width.saturating_sub(margin + 2) / map.columns.len().max(1)).clamp(1, 8);
    let mut text = String::new();
    for (name, values) in map.rows.iter().zip(&map.values) {
        let shades = values.iter().map(|value| match value {
            // What there is, however little, is seen.
            Some(value) => SHADES[1 + ((value / map.full * 4.0) as usize).min(3)],
            None => SHADES[0],
        });
        let fields: String = shades.flat_map(|shade| std::iter::repeat_n(shade, wide)).collect();
        text += &format!("{name:>margin$} │{fields}│\n");
    }
    let (first, last) = (map.columns.first().map_or("", |name| name), map.columns.last().map_or("", |name| name));
    text += &format!("{:margin$}  {}: {first} to {last}; rows: {}\n", "", map.x, map.y);
    text + &format!("{:margin$}  ░ little, █ {:.2}: {}\n", "", map.full, map.scale)
}
