//! `nimsieve moves SET HEAP...`: the moves that win.

mod closed;

use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use num_bigint::BigUint;
use serde_json::{Value, json};

use super::context::{Context, grouped, object};
use crate::closed_form::ClosedForm;
use crate::number;
use crate::plan::Plan;
use crate::set::{NamedSet, SubtractionSet, least};
use crate::sum::{Heap, Move, Play, is_cold, winning_moves};
use crate::table::{ColdTable, GrundyTable};

/// A single heap whose nim-value would take longer than this is only told cold or hot.
const NIM_VALUE_SECONDS: f64 = 2.0;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// SET HEAP... for heaps of one set, or SET@HEAP... for a sum of heaps of different sets
    #[arg(required = true, value_name = "SET HEAP... | SET@HEAP")]
    position: Vec<String>,

    /// Whoever cannot move wins
    #[arg(long)]
    misere: bool,
}

/// The heaps that were asked for.
fn parse_heaps(arguments: &[String]) -> Result<Vec<(NamedSet, BigUint)>> {
    let (first, rest) = arguments.split_first().context("expected a set")?;
    // The name of a file may have an @: what is a set as it stands, and is followed by heaps, is no SET@HEAP.
    let is_set =
        || !rest.is_empty() && rest.iter().all(|text| !text.contains('@')) && first.parse::<NamedSet>().is_ok();
    if first.contains('@') && !is_set() {
        return arguments
            .iter()
            .map(|text| {
                let (set, heap) = text.rsplit_once('@').with_context(|| mixed(text, "SET@HEAP, as in squares@13"))?;
                Ok((set.parse()?, number::parse_big(heap)?))
            })
            .collect();
    }
    let set: NamedSet = first.parse()?;
    if rest.is_empty() {
        bail!("expected at least one heap after {set}, as in `nimsieve moves squares 13`");
    }
    rest.iter()
        .map(|heap| {
            if heap.contains('@') {
                bail!(mixed(heap, "a heap, as in `nimsieve moves squares 13 20`"));
            }
            Ok((set.clone(), number::parse_big(heap)?))
        })
        .collect()
}

/// The heaps that were asked for, all of them as tables could hold them.
pub(super) fn parse_table_heaps(arguments: &[String]) -> Result<Vec<(NamedSet, u64)>> {
    let small = |(set, heap): (NamedSet, BigUint)| match u64::try_from(&heap) {
        Ok(heap) => Ok((set, heap)),
        Err(_) => bail!("expected a heap below 2^64, found {heap}; `nimsieve moves` serves larger ones of some sets"),
    };
    parse_heaps(arguments)?.into_iter().map(small).collect()
}

/// The heaps as numbers that tables hold, unless one passes all tables, or one of a set with a closed form would take
/// long.
fn within_tables(heaps: &[(NamedSet, BigUint)]) -> Result<Option<Vec<(NamedSet, u64)>>> {
    let mut small = Vec::new();
    for (set, heap) in heaps {
        // One more must fit: a table that holds the heap ends there.
        match u64::try_from(heap) {
            Ok(heap) if heap < u64::MAX => small.push((set.clone(), heap)),
            _ => return Ok(None),
        }
        let slow =
            |heap| Ok::<_, anyhow::Error>(Plan::grundy(set, table_size(heap)?)?.estimate().seconds > NIM_VALUE_SECONDS);
        // In a sum the nim-values are needed, which not every closed form tells.
        let serves = if heaps.len() == 1 { ClosedForm::may_serve(set) } else { ClosedForm::may_tell_nim_values(set) };
        if serves && slow(small[small.len() - 1].1)? {
            return Ok(None);
        }
    }
    Ok(Some(small))
}

/// What to say when the two ways of writing a position are mixed.
fn mixed(found: &str, expected: &str) -> String {
    format!("expected {expected}, found `{found}`; write SET HEAP... or SET@HEAP..., not both")
}

pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<ExitCode> {
    let heaps = parse_heaps(&arguments.position)?;
    let play = if arguments.misere { Play::Misere } else { Play::Normal };
    let Some(heaps) = within_tables(&heaps)? else { return closed::run(&heaps, play, context) };
    // Nim-values are below 2^16; takes and heaps are what may be large.
    for (_, heap) in &heaps {
        context.check_json(*heap)?;
    }
    if let [(set, heap)] = &heaps[..]
        && Plan::grundy(set, table_size(*heap)?)?.estimate().seconds > NIM_VALUE_SECONDS
    {
        return single_cold(set, *heap, play, context);
    }
    // One table a set, as large as its largest heap needs.
    let mut tables: Vec<(String, GrundyTable)> = Vec::new();
    for (set, _) in &heaps {
        let name = set.name();
        if tables.iter().any(|(known, _)| *known == name) {
            continue;
        }
        let largest = heaps.iter().filter(|(other, _)| other.name() == name).map(|&(_, heap)| heap).max();
        let n = table_size(largest.unwrap_or(0))?;
        let plan = Plan::grundy(set, n)?;
        context.check_memory(plan.estimate().memory.saturating_add(n))?;
        let mut table = GrundyTable::new(name.clone());
        context.timed(n, |control| Ok(plan.run_into(control, &mut table)?))?;
        tables.push((name, table));
    }
    let sum: Vec<Heap<'_, NamedSet>> = heaps
        .iter()
        .filter_map(|(set, size)| {
            let name = set.name();
            let (_, table) = tables.iter().find(|(known, _)| *known == name)?;
            Some(Heap { set, table, size: *size })
        })
        .collect();
    let values = sum.iter().map(|heap| heap.table.value(heap.size)).collect::<crate::Result<Vec<u16>>>()?;
    let moves = winning_moves(&sum, play)?;
    let cold = is_cold(values.iter().copied(), play);
    let mut lines = String::new();
    for (index, ((set, size), value)) in heaps.iter().zip(&values).enumerate() {
        let size = grouped(*size);
        lines += &match heaps.len() {
            1 => format!("heap {size} of {set}: {}, nim-value {value}\n", outcome(cold)),
            _ => format!("heap {}: {size} of {set}, nim-value {value}\n", index + 1),
        };
    }
    let nim_sum = values.iter().fold(0, |sum, value| sum ^ value);
    if heaps.len() > 1 {
        lines += &format!("nim-sum {nim_sum}: {}\n", outcome(cold));
    }
    lines += &listed(&heaps, &moves, play)?;
    let json = object([
        ("command", "moves".into()),
        ("misere", arguments.misere.into()),
        ("outcome", outcome(cold).into()),
        ("over", is_over(&heaps)?.into()),
        ("nim_values", values.into()),
        ("nim_sum", nim_sum.into()),
        ("moves", as_json(&heaps, &moves)),
    ]);
    context.answer(json, &moves.len().to_string(), &lines)?;
    Ok(ExitCode::SUCCESS)
}

/// One heap too large for nim-values: cold or hot, by the table of cold positions.
fn single_cold(set: &NamedSet, heap: u64, play: Play, context: &Context) -> Result<ExitCode> {
    // The misere-cold heaps are the cold ones plus the least element (see `sink::Misere`).
    let shift = if play == Play::Misere { least(set)? } else { 0 };
    let n = table_size(heap)?.saturating_sub(shift);
    let plan = Plan::cold(set, n)?;
    context.check_memory(plan.estimate().memory.saturating_add(n / 8))?;
    let mut table = ColdTable::new(set.name(), n)?;
    context.timed(n, |control| Ok(plan.run_into(control, &mut table)?))?;
    let is_cold = |x: u64| x.checked_sub(shift).map_or(Ok(false), |x| table.is_cold(x));
    let mut moves = Vec::new();
    for take in set.elements().take_while(|&s| s <= heap) {
        if is_cold(heap - take)? {
            moves.push(Move { heap: 0, take });
        }
    }
    let cold = is_cold(heap)?;
    let heaps = [(set.clone(), heap)];
    let lines = format!("heap {} of {set}: {}\n{}", grouped(heap), outcome(cold), listed(&heaps, &moves, play)?);
    let json = object([
        ("command", "moves".into()),
        ("misere", (play == Play::Misere).into()),
        ("outcome", outcome(cold).into()),
        ("over", is_over(&heaps)?.into()),
        ("nim_values", Value::Null),
        ("nim_sum", Value::Null),
        ("moves", as_json(&heaps, &moves)),
    ]);
    context.answer(json, &moves.len().to_string(), &lines)?;
    Ok(ExitCode::SUCCESS)
}

/// Tells whether no move is left.
fn is_over(heaps: &[(NamedSet, u64)]) -> Result<bool> {
    for (set, heap) in heaps {
        if *heap >= least(set)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Positions that a table needs to hold a heap.
fn table_size(heap: u64) -> Result<u64> {
    heap.checked_add(1).context("a heap may have at most 2^64 - 2 tokens")
}

fn outcome(cold: bool) -> &'static str {
    if cold { "cold" } else { "hot" }
}

fn listed(heaps: &[(NamedSet, u64)], moves: &[Move], play: Play) -> Result<String> {
    if moves.is_empty() {
        return Ok(match play {
            _ if !is_over(heaps)? => "no winning move\n".into(),
            Play::Normal => "no move is left: the player to move has lost\n".into(),
            Play::Misere => "no move is left: the player to move has won\n".into(),
        });
    }
    Ok(moves
        .iter()
        .map(|m| {
            let from = if heaps.len() > 1 { format!(" from heap {}", m.heap + 1) } else { String::new() };
            format!("take {}{from}, leaving {}\n", grouped(m.take), grouped(heaps[m.heap].1 - m.take))
        })
        .collect())
}

fn as_json(heaps: &[(NamedSet, u64)], moves: &[Move]) -> Value {
    moves.iter().map(|m| json!({"heap": m.heap, "take": m.take, "leave": heaps[m.heap].1 - m.take})).collect()
}
