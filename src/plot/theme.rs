//! Colours: what each part of a picture looks like on white paper and on a dark screen.

use std::str::FromStr;

use crate::error::{Error, Result};

/// The ground that a picture is made for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// White, and dark in browsers whose reader prefers that.
    #[default]
    Auto,
    /// White.
    Light,
    /// Dark.
    Dark,
}

impl FromStr for Theme {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "auto" => Ok(Self::Auto),
            "light" => Ok(Self::Light),
            "dark" => Ok(Self::Dark),
            _ => Err(Error::Format(format!("there is no theme `{name}`; known: auto, light, dark"))),
        }
    }
}

/// A colour in red, green and blue.
pub(super) type Colour = (u8, u8, u8);

/// A colour on white and on dark ground.
#[derive(Debug, Clone, Copy)]
pub(super) struct Role {
    pub(super) light: Colour,
    pub(super) dark: Colour,
}

pub(super) const PAPER: Role = Role { light: (255, 255, 255), dark: (22, 22, 22) };
pub(super) const INK: Role = Role { light: (28, 28, 28), dark: (232, 232, 232) };
pub(super) const SOFT: Role = Role { light: (92, 92, 92), dark: (168, 168, 168) };
pub(super) const LINES: Role = Role { light: (226, 226, 226), dark: (52, 52, 52) };

/// The colours of series, from Okabe and Ito; the first three are lifted on dark ground.
pub(super) const SERIES: [Role; 5] = [
    Role { light: (0, 114, 178), dark: (86, 180, 233) },
    Role { light: (213, 94, 0), dark: (255, 140, 60) },
    Role { light: (0, 158, 115), dark: (60, 200, 155) },
    Role { light: (204, 121, 167), dark: (222, 150, 190) },
    Role { light: (230, 159, 0), dark: (240, 180, 50) },
];

/// Every role.
fn roles() -> impl Iterator<Item = Role> {
    [PAPER, INK, SOFT, LINES].into_iter().chain(SERIES)
}

impl Theme {
    /// The colour of a role as it is drawn.
    pub(super) fn of(self, role: Role) -> Colour {
        match self {
            Self::Auto | Self::Light => role.light,
            Self::Dark => role.dark,
        }
    }

    /// The style rules that go into the file.
    pub(super) fn style(self) -> String {
        if self != Self::Auto {
            return String::new();
        }
        let mut rules = String::new();
        for role in roles() {
            let (light, dark) = (hex(role.light), hex(role.dark));
            rules += &format!(
                "svg.nimsieve [fill=\"{light}\"]{{fill:{dark}}}svg.nimsieve [stroke=\"{light}\"]{{stroke:{dark}}}\n"
            );
        }
        format!("<style>\n@media (prefers-color-scheme:dark){{\n{rules}}}\n</style>\n")
    }
}

/// As SVG writes a colour.
pub(super) fn hex((r, g, b): Colour) -> String {
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// The ends and the corners of a scale that rises from dark blue to bright yellow, evenly in lightness, and is read alike by
/// readers with any colour vision (after cividis: J. R. Nuñez, C. R. Anderton, R. S. Renslow, PLoS ONE 13, 2018).
const HEAT: [Colour; 6] =
    [(0, 34, 78), (53, 69, 108), (102, 105, 112), (148, 142, 119), (200, 184, 102), (254, 232, 56)];

/// The shade of a value from 0 to 1.
pub(super) fn heat(value: f64) -> Colour {
    let place = value.clamp(0.0, 1.0) * (HEAT.len() - 1) as f64;
    let index = (place as usize).min(HEAT.len() - 2);
    let (a, b, t) = (HEAT[index], HEAT[index + 1], place - index as f64);
    let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * t).round() as u8;
    (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// The colour of words on a shade, dark or light, whichever stands out more. Neither is a role's, so no style rule changes
/// it.
pub(super) fn on_heat(value: f64) -> Colour {
    // Contrast to black and to white is the same at this luminance.
    const EVEN: f64 = 0.179;
    if luminance(heat(value)) > EVEN { (1, 1, 1) } else { (254, 254, 254) }
}

/// Relative luminance, from 0 to 1, as the W3C defines it (WCAG 2.1).
fn luminance((r, g, b): Colour) -> f64 {
    let part = |c: u8| match f64::from(c) / 255.0 {
        c if c <= 0.04045 => c / 12.92,
        c => ((c + 0.055) / 1.055).powf(2.4),
    };
    0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast as the W3C defines it.
    fn contrast(a: Colour, b: Colour) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn words_and_lines_stand_out_from_their_ground() {
        for theme in [Theme::Light, Theme::Dark] {
            for words in [INK, SOFT] {
                assert!(contrast(theme.of(words), theme.of(PAPER)) >= 4.5);
            }
            // The first two carry most pictures.
            for line in &SERIES[..3] {
                assert!(contrast(theme.of(*line), theme.of(PAPER)) >= 3.0, "{line:?}");
            }
        }
        for step in 0..=100 {
            let value = f64::from(step) / 100.0;
            assert!(contrast(on_heat(value), heat(value)) >= 4.4, "{value}");
        }
    }

    #[test]
    fn no_two_roles_share_a_colour() {
        let light: Vec<Colour> = roles().map(|role| role.light).collect();
        assert!((1..light.len()).all(|i| !light[..i].contains(&light[i])), "a style rule would change both");
        for step in 0..=1000 {
            assert!(!light.contains(&heat(f64::from(step) / 1000.0)));
        }
    }
}
