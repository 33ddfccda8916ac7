//! Heaps that no table holds: games with a closed form.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use num_bigint::BigUint;
use serde_json::{Value, json};

use super::outcome;
use crate::cli::context::{Context, grouped, object};
use crate::closed_form::{ClosedForm, Winning};
use crate::plan::Plan;
use crate::set::{Form, NamedSet, SubtractionSet, least};
use crate::sum::Play;
use crate::table::GrundyTable;

/// Winning moves that are listed of each heap.
const LISTED: usize = 20;
/// A period is looked for among so many values, and takes 8 bytes for each: less than a second, and 160 MB.
const BOUND: u64 = 20_000_000;

/// The closed form of a set, with what to say when there is none.
fn form_of(set: &NamedSet, context: &Context) -> Result<ClosedForm> {
    let (form, _) = context.timed(BOUND, |control| Ok(ClosedForm::of(set, BOUND, control)?))?;
    match form {
        Some(form) => Ok(form),
        None if matches!(set.form(), Form::Finite(_) | Form::AllBut(_)) => bail!(
            "a heap of {set} that is too large for a table needs a certified period, and none shows among the first {} \
             nim-values; `nimsieve period {set}` looks further",
            grouped(BOUND)
        ),
        None => bail!(
            "a heap of {set} that is too large for a table needs a closed form, and none is known; there is one for {}",
            ClosedForm::KNOWN
        ),
    }
}

/// What is said of a position.
struct Answer {
    lines: String,
    cold: bool,
    over: bool,
    nim_values: Value,
    nim_sum: Value,
    /// The heap, what is taken, what is left.
    moves: Vec<(usize, BigUint, BigUint)>,
    complete: bool,
    reasons: Vec<String>,
}

pub(super) fn run(heaps: &[(NamedSet, BigUint)], play: Play, context: &Context) -> Result<ExitCode> {
    let mut answer = match heaps {
        [(set, heap)] => single(set, &form_of(set, context)?, heap, play)?,
        _ => sum(heaps, play, context)?,
    };
    for (index, take, leave) in &answer.moves {
        let from = if heaps.len() > 1 { format!(" from heap {}", index + 1) } else { String::new() };
        writeln!(answer.lines, "take {}{from}, leaving {}", grouped(take), grouped(leave))?;
    }
    if answer.moves.is_empty() {
        let words = match play {
            _ if !answer.over => "no winning move\n",
            Play::Normal => "no move is left: the player to move has lost\n",
            Play::Misere => "no move is left: the player to move has won\n",
        };
        answer.lines += words;
    }
    if !answer.complete {
        answer.lines += "and perhaps more: not all winning moves are listed\n";
    }
    for reason in &answer.reasons {
        writeln!(answer.lines, "closed form: {reason}")?;
    }
    let moves: Vec<Value> = answer
        .moves
        .iter()
        .map(|(heap, take, leave)| json!({"heap": heap, "take": take.to_string(), "leave": leave.to_string()}))
        .collect();
    let main = answer.moves.len().to_string();
    let json = object([
        ("command", "moves".into()),
        ("misere", (play == Play::Misere).into()),
        ("outcome", outcome(answer.cold).into()),
        ("over", answer.over.into()),
        ("nim_values", answer.nim_values),
        ("nim_sum", answer.nim_sum),
        ("moves", moves.into()),
        ("complete", answer.complete.into()),
        ("closed_form", answer.reasons.into()),
    ]);
    context.answer(json, &main, &answer.lines)?;
    Ok(ExitCode::SUCCESS)
}

/// One heap. In misere play it is as good as in normal play without the least element, and the same moves win.
fn single(set: &NamedSet, form: &ClosedForm, heap: &BigUint, play: Play) -> Result<Answer> {
    let least = BigUint::from(least(set)?);
    let over = *heap < least;
    let played = match play {
        Play::Normal => Some(heap.clone()),
        Play::Misere if over => None,
        Play::Misere => Some(heap - &least),
    };
    let cold = played.as_ref().is_some_and(|heap| form.is_cold(heap));
    let winning = played.map_or_else(Winning::default, |heap| form.winning_moves(&heap, LISTED));
    let value = form.nim_value(heap);
    let nim = value.as_ref().map_or(String::new(), |value| format!(", nim-value {}", grouped(value)));
    let text = value.map_or(Value::Null, |value| value.to_string().into());
    Ok(Answer {
        lines: format!("heap {} of {set}: {}{nim}\n", grouped(heap), outcome(cold)),
        cold,
        over,
        nim_values: if text.is_null() { Value::Null } else { json!([text]) },
        nim_sum: text,
        moves: winning.takes.into_iter().map(|take| (0, take.clone(), heap - take)).collect(),
        complete: winning.complete,
        reasons: vec![form.reason()],
    })
}

/// Where the nim-values of a heap of a sum come from.
enum Source {
    Form(ClosedForm),
    Table(GrundyTable),
}

impl Source {
    /// A table where that is quick, else a closed form.
    fn of(set: &NamedSet, heap: &BigUint, context: &Context) -> Result<Self> {
        if let Some(n) = u64::try_from(heap).ok().and_then(|heap| heap.checked_add(1)) {
            let plan = Plan::grundy(set, n)?;
            if plan.estimate().seconds <= super::NIM_VALUE_SECONDS {
                let mut table = GrundyTable::new(set.name());
                context.timed(n, |control| Ok(plan.run_into(control, &mut table)?))?;
                return Ok(Self::Table(table));
            }
        }
        Ok(Self::Form(form_of(set, context)?))
    }

    fn nim_value(&self, set: &NamedSet, heap: &BigUint) -> Result<BigUint> {
        match self {
            Self::Table(table) => Ok(table.value(u64::try_from(heap)?)?.into()),
            Self::Form(form) => form.nim_value(heap).with_context(|| {
                format!(
                    "of {set} the cold heaps are known in closed form, not the nim-values that a sum needs; ask for one \
                     heap, or for heaps that a table holds"
                )
            }),
        }
    }

    /// What a closed form rests on.
    fn reason(&self) -> Option<String> {
        match self {
            Self::Form(form) => Some(form.reason()),
            Self::Table(_) => None,
        }
    }

    fn moves_to(&self, set: &NamedSet, heap: &BigUint, value: &BigUint) -> Result<Winning> {
        match self {
            Self::Form(form) => Ok(form.moves_to(heap, value, LISTED).unwrap_or_default()),
            Self::Table(table) => {
                let heap = u64::try_from(heap)?;
                let mut takes = Vec::new();
                for take in set.elements().take_while(|&s| s <= heap) {
                    if BigUint::from(table.value(heap - take)?) == *value {
                        takes.push(take.into());
                    }
                }
                Ok(Winning { takes, complete: true })
            }
        }
    }
}

/// Several heaps, by their nim-values (see the head of [`crate::sum`]).
fn sum(heaps: &[(NamedSet, BigUint)], play: Play, context: &Context) -> Result<Answer> {
    let sources = heaps.iter().map(|(set, heap)| Source::of(set, heap, context)).collect::<Result<Vec<Source>>>()?;
    let values = (heaps.iter().zip(&sources))
        .map(|((set, heap), source)| source.nim_value(set, heap))
        .collect::<Result<Vec<BigUint>>>()?;
    let one = BigUint::from(1_u32);
    let xor = |values: &mut dyn Iterator<Item = &BigUint>| values.fold(BigUint::ZERO, |sum, value| sum ^ value);
    let nim_sum = xor(&mut values.iter());
    let tiny = |skipped: Option<usize>| {
        values.iter().enumerate().all(|(index, value)| Some(index) == skipped || *value <= one)
    };
    let cold = match play {
        Play::Misere if tiny(None) => nim_sum == one,
        _ => nim_sum == BigUint::ZERO,
    };
    let (mut lines, mut over, mut moves, mut complete) = (String::new(), true, Vec::new(), true);
    for (index, ((set, heap), source)) in heaps.iter().zip(&sources).enumerate() {
        writeln!(lines, "heap {}: {} of {set}, nim-value {}", index + 1, grouped(heap), grouped(&values[index]))?;
        over &= *heap < least(set)?.into();
        // The one nim-value that makes the sum cold, whatever it is now.
        let others = &nim_sum ^ &values[index];
        let target = if play == Play::Misere && tiny(Some(index)) { others ^ &one } else { others };
        let found = source.moves_to(set, heap, &target)?;
        complete &= found.complete;
        moves.extend(found.takes.into_iter().map(|take| (index, take.clone(), heap - take)));
    }
    writeln!(lines, "nim-sum {}: {}", grouped(&nim_sum), outcome(cold))?;
    Ok(Answer {
        lines,
        cold,
        over,
        nim_values: values.iter().map(|value| Value::from(value.to_string())).collect(),
        nim_sum: nim_sum.to_string().into(),
        moves,
        complete,
        reasons: sources.iter().filter_map(Source::reason).collect(),
    })
}
