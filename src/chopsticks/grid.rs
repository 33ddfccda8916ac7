//! A table of games: reachable and unreachable positions for ranges of p and r, beside the formula.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use num_bigint::{BigInt, BigUint};

use crate::chopsticks::moves::Machine;
use crate::chopsticks::reach::{Engine, reach};
use crate::chopsticks::rules::Rules;
use crate::chopsticks::unreachable::{formula, formula_kind, formula_verified};
use crate::error::Result;
use crate::run::Control;

/// One game of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The rules.
    pub rules: Rules,
    /// The number of positions, N^p.
    pub positions: BigUint,
    /// How many of them can be reached, by enumeration.
    pub reachable: u64,
    /// What the formula gives for that number, where there is one; see [`formula`].
    pub formula: Option<BigUint>,
    /// The number of endings that can be reached.
    pub endings: u64,
    /// The largest least number of moves to a position.
    pub eccentricity: u32,
}

impl Row {
    /// Enumerates one game.
    ///
    /// # Errors
    /// Those of [`reach()`].
    pub fn new(rules: &Rules, memory: Option<u64>, control: &Control) -> Result<Self> {
        let found = reach(&Machine::within(rules, memory, control)?, Engine::Bits, memory, control, |_| ())?;
        let positions = rules.positions();
        Ok(Self {
            rules: *rules,
            formula: formula(rules).map(|unreachable| &positions - unreachable),
            positions,
            reachable: found.reachable(),
            endings: found.endings().len() as u64,
            eccentricity: found.eccentricity(),
        })
    }

    /// The number of positions that cannot be reached.
    pub fn unreachable(&self) -> BigUint {
        &self.positions - self.reachable
    }

    /// The reachable positions less what the formula gives.
    pub fn difference(&self) -> Option<BigInt> {
        let formula = self.formula.as_ref()?;
        Some(BigInt::from(self.reachable) - BigInt::from(formula.clone()))
    }

    fn cells(&self) -> [String; COLUMNS.len()] {
        let optional = |value: Option<String>| value.unwrap_or_default();
        [
            self.rules.player_count().to_string(),
            self.rules.rollover().to_string(),
            self.positions.to_string(),
            self.reachable.to_string(),
            self.unreachable().to_string(),
            optional(self.formula.as_ref().map(BigUint::to_string)),
            optional(self.difference().map(|difference| difference.to_string())),
            self.endings.to_string(),
            self.eccentricity.to_string(),
        ]
    }
}

/// The names of the columns, in the order in which every format has them.
pub const COLUMNS: [&str; 9] = [
    "players",
    "rollover",
    "positions",
    "reachable",
    "unreachable",
    "formula",
    "difference",
    "endings",
    "eccentricity",
];

/// Enumerates the games of all given numbers of players and rollover amounts, with the other settings of `rules`.
///
/// # Errors
/// Those of [`Rules::new`] and [`reach()`].
///
/// ```
/// use nimsieve::chopsticks::{Rules, grid};
///
/// let rows = grid::grid(2..=2, 4..=5, &Rules::new(2, 5)?, None, &nimsieve::run::Control::new())?;
/// assert_eq!(rows.iter().map(|row| row.reachable).collect::<Vec<_>>(), [84, 204]);
/// assert_eq!(rows[0].difference(), Some((-1).into())); // the published formula fails for even r
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn grid(
    players: RangeInclusive<u32>,
    rollovers: RangeInclusive<u32>,
    rules: &Rules,
    memory: Option<u64>,
    control: &Control,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for p in players {
        for r in rollovers.clone() {
            rows.push(Row::new(&rules.sized(p, r)?, memory, control)?);
        }
    }
    Ok(rows)
}

/// Which games these are: the rules that all rows share.
pub fn title(rows: &[Row]) -> Option<String> {
    Some(format!("(p, r) {}", rows.first()?.rules.variant()))
}

/// What has to be said of the formula of these rows.
pub fn remarks(rows: &[Row]) -> Vec<String> {
    let has = |kind| rows.iter().any(|row| formula_kind(&row.rules) == Some(kind));
    let mut remarks = Vec::new();
    if has("published") {
        remarks.push("formula for p = 2: the published one, which is one too many for every even r >= 4".into());
    }
    if has("conjecture") {
        let ranges: Vec<String> =
            formula_verified().map(|(p, range)| format!("p = {p}, r = {}..{}", range.start(), range.end())).collect();
        remarks.push(format!("formula for r > p >= 3: a conjecture, enumerated for {}", ranges.join("; ")));
    }
    remarks
}

/// Writes the table with a title and aligned columns.
///
/// # Errors
/// What `out` returns.
pub fn write_text(rows: &[Row], out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    let mut lines = vec![COLUMNS.map(String::from)];
    lines.extend(rows.iter().map(Row::cells));
    let mut widths = [0; COLUMNS.len()];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.len().max(*width);
        }
    }
    if let Some(title) = title(rows) {
        writeln!(out, "{title}")?;
    }
    for line in &lines {
        let cells: Vec<String> = line.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

/// Writes the table as CSV with named columns, the rules in words last; a formula that does not exist is an empty cell.
///
/// # Errors
/// What `out` returns.
pub fn write_csv(rows: &[Row], out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    writeln!(out, "{},rules", COLUMNS.join(","))?;
    rows.iter().try_for_each(|row| writeln!(out, "{},\"{}\"", row.cells().join(","), row.rules))
}

/// Writes the table as finished rows for a LaTeX `tabular` with `booktabs`, digits grouped by thin spaces.
///
/// # Errors
/// What `out` returns.
pub fn write_latex(rows: &[Row], out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    if let Some(title) = title(rows) {
        writeln!(out, "% {title}")?;
    }
    writeln!(out, "\\begin{{tabular}}{{@{{}}{}@{{}}}}", "r".repeat(COLUMNS.len()))?;
    writeln!(out, "\\toprule")?;
    writeln!(out, "$p$ & $r$ & $N^p$ & reachable & unreachable & formula & difference & endings & eccentricity \\\\")?;
    writeln!(out, "\\midrule")?;
    for (i, row) in rows.iter().enumerate() {
        if i > 0 && row.rules.player_count() != rows[i - 1].rules.player_count() {
            writeln!(out, "\\addlinespace")?;
        }
        writeln!(out, "{} \\\\", row.cells().map(|cell| grouped(&cell)).join(" & "))?;
    }
    writeln!(out, "\\bottomrule\n\\end{{tabular}}")
}

/// Groups the digits of an integer by threes for LaTeX.
fn grouped(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let text = crate::number::grouped_by(digits, "\\,");
    if number.is_empty() { "---".into() } else { format!("${sign}{text}$") }
}
