//! Tables of many games: the grid and the variants.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value as Json, json};

use super::{Session, TableFormat, VariantsFormat, choose_format, finish, open};
use crate::chopsticks::{Rules, grid, variants};
use crate::export::Provenance;
use crate::run::with_threads;

/// The grid of numbers of players and rollover amounts.
pub(super) fn run_grid(
    rules: &Rules,
    (players, rollovers): (RangeInclusive<u32>, RangeInclusive<u32>),
    format: Option<TableFormat>,
    path: Option<&Path>,
    context: &mut Session<'_>,
) -> Result<()> {
    // One JSON object or bare numbers have no other form; a file is written as its name says.
    let quiet = context.quiet && path.is_none();
    let format = if context.json || quiet { None } else { choose_format(format, path)? };
    let format = format.unwrap_or(TableFormat::Text);
    let target = open(path)?;
    let (control, memory) = (context.control, context.memory);
    let rows = with_threads(None, || grid::grid(players, rollovers, rules, memory, control))?;
    let mut text = Vec::new();
    if context.json {
        serde_json::to_writer(&mut text, &grid_json(&rows))?;
        text.push(b'\n');
    } else if quiet {
        rows.iter().try_for_each(|row| writeln!(text, "{}", row.reachable))?;
    } else {
        match format {
            TableFormat::Text => grid::write_text(&rows, &mut text)?,
            TableFormat::Csv => grid::write_csv(&rows, &mut text)?,
            TableFormat::Latex => grid::write_latex(&rows, &mut text)?,
        }
        let remarks = grid::remarks(&rows);
        if format == TableFormat::Text && !remarks.is_empty() {
            writeln!(text, "\n{}", remarks.join("\n"))?;
        }
    }
    finish(target, &text, context.out)
}

/// The table of variants.
pub(super) fn run_variants(
    rollovers: RangeInclusive<u32>,
    format: Option<VariantsFormat>,
    path: Option<&Path>,
    context: &mut Session<'_>,
) -> Result<()> {
    let quiet = context.quiet && path.is_none();
    let format = if context.json || quiet { None } else { choose_format(format, path)? };
    let target = open(path)?;
    let (control, memory) = (context.control, context.memory);
    let rows = with_threads(None, || variants::table(rollovers, memory, control))?;
    let mut text = Vec::new();
    if context.json {
        let rows: Vec<Json> = rows
            .iter()
            .map(|row| {
                json!({
                    "options": row.options,
                    "players": row.rules.player_count(),
                    "rollover": row.rules.rollover(),
                    "overflow": row.overflow(),
                    "positions": row.positions().to_string(),
                    "reachable": row.reachable,
                    "endings": row.endings,
                    "value": row.winner(),
                    "plies": row.value.plies(),
                })
            })
            .collect();
        writeln!(text, "{}", json!({"tool": Provenance::TOOL, "command": "chopsticks", "rows": rows}))?;
    } else if quiet {
        writeln!(text, "{}", rows.len())?;
    } else {
        match format.unwrap_or(VariantsFormat::Text) {
            VariantsFormat::Text => variants::write_text(&rows, &mut text)?,
            VariantsFormat::Csv => variants::write_csv(&rows, &mut text)?,
        }
    }
    finish(target, &text, context.out)
}

fn grid_json(rows: &[grid::Row]) -> Json {
    let title = grid::title(rows);
    let rows: Vec<Json> = rows
        .iter()
        .map(|row| {
            json!({
                "players": row.rules.player_count(),
                "rollover": row.rules.rollover(),
                "positions": row.positions.to_string(),
                "reachable": row.reachable,
                "unreachable_count": row.unreachable().to_string(),
                "formula": row.formula.as_ref().map(ToString::to_string),
                "difference": row.difference().map(|difference| difference.to_string()),
                "endings": row.endings,
                "eccentricity": row.eccentricity,
            })
        })
        .collect();
    json!({"tool": Provenance::TOOL, "command": "chopsticks", "rules": title, "rows": rows})
}
