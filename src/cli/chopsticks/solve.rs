//! Values: who wins, and play.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use serde_json::{Value as Json, json};

use super::{Session, print_json, rules_json};
use crate::chopsticks::{Engine, Machine, Rules, State, Value, coalition, reach, solve};
use crate::cli::context::{Context, grouped};
use crate::cli::{memory, play};
use crate::play::Chopsticks;
use crate::run::with_threads;

/// The winner of a position in which the player to act is the first.
const fn winner(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "first",
        Value::Loss(_) => "second",
        Value::Draw => "draw",
    }
}

pub(super) fn run_solve(machine: &Machine, seats: &[State], context: &mut Session<'_>) -> Result<()> {
    let began = Instant::now();
    let (control, memory) = (context.control, context.memory);
    let (found, solution) = with_threads(None, || {
        // First what needs more memory, whose refusal names the way out.
        let solution = solve(machine, memory, control)?;
        Ok((reach(machine, Engine::Bits, memory, control, |_| ())?, solution))
    })?;
    let is_reachable = found.contains(found.index().rank(seats));
    let seconds = began.elapsed().as_secs_f64();
    let value = solution.value(seats);
    let tally = solution.count(|rank| found.contains(rank));
    let line = solution.line(seats);
    let choices = solution.choices(seats);
    let codes: Vec<String> = line.positions.iter().map(|seats| machine.code(seats)).collect();
    if context.json {
        let moves: Vec<Json> = choices
            .iter()
            .map(|choice| {
                json!({
                    "after": machine.code(&choice.after),
                    "value": choice.value.to_string(),
                    "replies": choice.replies,
                    "losing_replies": choice.losing_replies,
                })
            })
            .collect();
        let more = json!({
            "position": machine.code(seats),
            "reachable": is_reachable,
            "value": winner(value),
            "plies": value.plies(),
            "wins": tally.wins,
            "losses": tally.losses,
            "draws": tally.draws,
            "longest": tally.longest.0,
            "moves": moves,
            "line": codes,
            "repeats_from": line.repeats,
            "seconds": seconds,
        });
        return print_json(context, rules_json(machine.rules()), more);
    }
    let out = &mut *context.out;
    if context.quiet {
        writeln!(out, "{}", winner(value))?;
        return Ok(());
    }
    let verdict = match value {
        Value::Win(plies) => format!("won by the player to act in {plies} plies"),
        Value::Loss(plies) => format!("lost by the player to act in {plies} plies"),
        Value::Draw => "a draw".into(),
    };
    writeln!(out, "{}: {} is {verdict}", machine.rules(), machine.code(seats))?;
    if !is_reachable {
        writeln!(out, "  this position cannot be reached from the start")?;
    }
    writeln!(
        out,
        "  of {} reachable positions {} are won, {} lost and {} drawn for the player to act",
        grouped(found.reachable()),
        grouped(tally.wins),
        grouped(tally.losses),
        grouped(tally.draws)
    )?;
    if tally.longest.0 > 0 {
        let code = machine.code(&found.index().unrank(tally.longest.1));
        writeln!(out, "  the longest forced win takes {} plies, as from {code}", tally.longest.0)?;
    }
    writeln!(out, "  {seconds:.3} s")?;
    if machine.is_over(seats) {
        writeln!(out, "  The game is over: at most one seat is live.")?;
    }
    if !choices.is_empty() {
        writeln!(out, "\nmoves, best first (of a draw's replies, how many lose):")?;
        for choice in &choices {
            let code = machine.code(&choice.after);
            write!(out, "  {code}  {}", choice.value)?;
            match choice.value {
                Value::Draw => writeln!(out, "  {} of {} replies lose", choice.losing_replies, choice.replies)?,
                _ => writeln!(out)?,
            }
        }
    }
    write!(out, "\nline of best play:\n  {}", codes.join(" "))?;
    match line.repeats {
        Some(place) => writeln!(out, " and back to {}", codes[place])?,
        None => writeln!(out)?,
    }
    Ok(())
}

pub(super) fn run_coalition(machine: &Machine, seats: &[State], context: &mut Session<'_>) -> Result<()> {
    let began = Instant::now();
    let (control, memory) = (context.control, context.memory);
    let solution = coalition(machine, memory, control)?;
    let found = with_threads(None, || reach(machine, Engine::Bits, memory, control, |_| ()))?;
    let is_reachable = found.contains(found.index().rank(seats));
    let seconds = began.elapsed().as_secs_f64();
    let values: Vec<Value> = (0..machine.players()).map(|seat| solution.value(seats, seat)).collect();
    if context.json {
        let seats_json: Vec<Json> = (1..)
            .zip(&values)
            .map(|(seat, value)| {
                let word = match value {
                    Value::Win(_) => "win",
                    Value::Loss(_) => "loss",
                    Value::Draw => "draw",
                };
                json!({"seat": seat, "value": word, "plies": value.plies()})
            })
            .collect();
        let more = json!({
            "position": machine.code(seats),
            "reachable": is_reachable,
            "seats": seats_json,
            "seconds": seconds,
        });
        return print_json(context, rules_json(machine.rules()), more);
    }
    if !context.quiet {
        writeln!(
            context.out,
            "{}: {}, each seat against the coalition of all others",
            machine.rules(),
            machine.code(seats)
        )?;
    }
    if machine.is_over(seats) && !context.quiet {
        writeln!(context.out, "  The game is over: at most one seat is live.")?;
    }
    if !is_reachable && !context.quiet {
        writeln!(context.out, "  this position cannot be reached from the start")?;
    }
    for (seat, value) in (1..).zip(values) {
        if context.quiet {
            writeln!(context.out, "{value}")?;
        } else {
            writeln!(context.out, "  seat {seat}  {value}")?;
        }
    }
    if !context.quiet {
        writeln!(context.out, "  {seconds:.3} s")?;
    }
    Ok(())
}

pub(super) fn run_play(
    rules: &Rules,
    sides: &play::Sides,
    position: Option<&str>,
    context: &Context,
) -> Result<ExitCode> {
    play::check(context.options.json)?;
    if rules.player_count() != 2 {
        bail!("{rules} has {} players, and the perfect player plays against one; leave -p out", rules.player_count());
    }
    let memory = (!context.options.force).then(memory::available);
    let machine = Machine::within(rules, memory, context.control())?;
    let seats = position.map_or_else(|| Ok(machine.start()), |code| machine.parse(code))?;
    let solution = solve(&machine, memory, context.control())?;
    play::converse(&mut Chopsticks::new(&machine, &solution, seats), sides, context)
}
