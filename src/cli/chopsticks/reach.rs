//! Reachable and unreachable positions, and the longest game.

use std::io::{self, Write};
use std::time::Instant;

use anyhow::Result;
use serde_json::{Value as Json, json};

use super::{Session, positions, print_json, rules_json};
use crate::chopsticks::unreachable::{VERIFIED, formula, formula_kind, formula_verified, is_over_at_once, is_verified};
use crate::chopsticks::{Engine, Machine, Rules, longest, reach, unreachable};
use crate::cli::context::grouped;
use crate::run::with_threads;

pub(super) fn run_reach(rules: &Rules, engine: Engine, list: bool, context: &mut Session<'_>) -> Result<()> {
    let began = Instant::now();
    let (control, memory, status) = (context.control, context.memory, context.status);
    let machine = Machine::within(rules, context.memory, context.control)?;
    let found = reach(&machine, engine, memory, control, |level| {
        status(&format!("depth {}: {} new positions", level.depth, grouped(level.positions)));
    })?;
    let seconds = began.elapsed().as_secs_f64();
    let code = |rank| machine.code(&found.index().unrank(rank));
    if context.json {
        let levels: Vec<Json> = found
            .levels()
            .iter()
            .map(|level| json!({"depth": level.depth, "positions": level.positions, "endings": level.endings}))
            .collect();
        let endings: Vec<Json> =
            found.endings().iter().map(|end| json!({"position": code(end.rank), "moves": end.depth})).collect();
        let mut more = json!({
            "reachable": found.reachable(),
            "unreachable_count": found.unreachable_count(),
            "endings": found.endings().len(),
            "eccentricity": found.eccentricity(),
            "levels": levels,
            "ending_positions": endings,
        });
        if list {
            more["unreachable"] = found.unreachable().map(code).collect();
        }
        more["engine"] = engine.name().into();
        more["seconds"] = seconds.into();
        return print_json(context, rules_json(rules), more);
    }
    let out = &mut *context.out;
    if context.quiet {
        writeln!(out, "{}", found.reachable())?;
        return Ok(());
    }
    writeln!(out, "{rules}: {}", positions(&rules.positions()))?;
    writeln!(out, "  reachable     {}", grouped(found.reachable()))?;
    writeln!(out, "  unreachable   {}", grouped(found.unreachable_count()))?;
    writeln!(out, "  endings       {}", grouped(found.endings().len()))?;
    writeln!(out, "  eccentricity  {}", found.eccentricity())?;
    if machine.is_over(&machine.start()) {
        writeln!(out, "  The game is over before it begins: at most one seat is live.")?;
    }
    writeln!(out, "  engine {engine}, {seconds:.3} s")?;
    writeln!(out, "\n{:>5}  {:>15}  {:>7}", "depth", "positions", "endings")?;
    for level in found.levels() {
        writeln!(out, "{:>5}  {:>15}  {:>7}", level.depth, grouped(level.positions), grouped(level.endings))?;
    }
    if found.endings().len() <= 100 {
        writeln!(out, "\nendings, with the least number of moves to each:")?;
        let mut endings = found.endings().to_vec();
        endings.sort_by_key(|end| end.depth);
        for group in endings.chunk_by(|a, b| a.depth == b.depth) {
            let codes: Vec<String> = group.iter().map(|end| code(end.rank)).collect();
            writeln!(out, "{:>5}  {}", group[0].depth, codes.join(" "))?;
        }
    }
    if list {
        writeln!(out, "\nunreachable:")?;
        found.unreachable().try_for_each(|rank| writeln!(out, "{}", code(rank)))?;
    }
    Ok(())
}

pub(super) fn run_unreachable(rules: &Rules, list: bool, context: &mut Session<'_>) -> Result<()> {
    let began = Instant::now();
    let machine = Machine::within(rules, context.memory, context.control)?;
    let found = unreachable(&machine, context.memory, context.control)?;
    let seconds = began.elapsed().as_secs_f64();
    let reachable = rules.positions() - found.count();
    let formula = formula(rules);
    let exact = is_verified(rules);
    if context.json {
        let (missing_key, rest_key) =
            if exact { ("unreachable_count", "reachable") } else { ("unreachable_at_least", "reachable_at_most") };
        let mut more = json!({
            missing_key: found.count(),
            "without_predecessor": found.without_predecessor(),
            rest_key: reachable.to_string(),
            "verified": exact,
            "formula_unreachable": formula.map(|value| value.to_string()),
            "formula_is": formula_kind(rules),
            "seconds": seconds,
        });
        if list {
            more["unreachable"] = found.positions().map(|seats| machine.code(seats)).collect();
        }
        return print_json(context, rules_json(rules), more);
    }
    let out = &mut *context.out;
    if context.quiet {
        if !exact {
            let warning = "a lower bound: enumeration has not confirmed that all others can be reached";
            // A warning that cannot be written is no reason to fail.
            let _ = writeln!(io::stderr(), "nimsieve: {rules}: {warning}");
        }
        writeln!(out, "{}", found.count())?;
        return Ok(());
    }
    let (at_least, at_most) = if exact { ("", "") } else { ("at least ", "at most ") };
    writeln!(out, "{rules}: {}", positions(&rules.positions()))?;
    writeln!(out, "  unreachable          {at_least}{}", grouped(found.count()))?;
    writeln!(out, "  without predecessor  {}", grouped(found.without_predecessor()))?;
    writeln!(out, "  reachable            {at_most}{}", grouped(reachable))?;
    if is_over_at_once(rules) {
        writeln!(out, "  Proved: the game is over at once, so only the start is reached.")?;
    } else if exact {
        writeln!(out, "  Enumeration has confirmed that all others can be reached.")?;
    } else {
        let range: Vec<String> = VERIFIED.iter().map(|(p, r)| format!("({p}, {r})")).collect();
        writeln!(out, "  These certainly cannot be reached; that all others can is confirmed by enumeration only for")?;
        writeln!(out, "  the base game up to (p, r) = {}.", range.join(", "))?;
    }
    if let Some(value) = formula {
        if rules.player_count() == 2 {
            writeln!(out, "  published formula    {}, one too few for every even r >= 4", grouped(value))?;
        } else {
            let ranges: Vec<String> = formula_verified()
                .map(|(p, range)| format!("p = {p}, r = {}..{}", range.start(), range.end()))
                .collect();
            writeln!(out, "  conjectured formula  {}", grouped(value))?;
            writeln!(out, "  The conjecture is confirmed by enumeration for {};", ranges.join("; "))?;
            writeln!(out, "  for more players it was only compared with this count.")?;
        }
    }
    writeln!(out, "  {seconds:.3} s")?;
    if list {
        writeln!(out)?;
        found.positions().try_for_each(|seats| writeln!(out, "{}", machine.code(seats)))?;
    }
    Ok(())
}

pub(super) fn run_longest(rules: &Rules, steps: u64, context: &mut Session<'_>) -> Result<()> {
    let began = Instant::now();
    let machine = Machine::within(rules, context.memory, context.control)?;
    let (control, memory) = (context.control, context.memory);
    let found = with_threads(None, || longest(&machine, steps, memory, control))?;
    let seconds = began.elapsed().as_secs_f64();
    let codes: Vec<String> = found.line.iter().map(|seats| machine.code(seats)).collect();
    if context.json {
        let more = json!({
            "moves": found.moves(),
            "bound": found.bound,
            "proved": found.is_proved(),
            "line": codes,
            "steps": found.steps,
            "seconds": seconds,
        });
        return print_json(context, rules_json(rules), more);
    }
    let out = &mut *context.out;
    if context.quiet {
        writeln!(out, "{}", found.moves())?;
        return Ok(());
    }
    if found.is_proved() {
        writeln!(out, "{rules}: the longest game without a repeated position has {} moves (proved)", found.moves())?;
    } else {
        writeln!(
            out,
            "{rules}: the best line found has {} moves, and none has more than {}; raise --steps to close the gap",
            found.moves(),
            found.bound
        )?;
    }
    writeln!(out, "  every move checked; {} steps, {seconds:.3} s\n", grouped(found.steps))?;
    codes.chunks(16).try_for_each(|codes| writeln!(out, "{}", codes.join(" ")))?;
    Ok(())
}
