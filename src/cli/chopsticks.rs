//! `nimsieve chopsticks`: reach, unreachable, solve, longest, grid, graph.

use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use crate::chopsticks::unreachable::{VERIFIED, formula, formula_kind, formula_verified, is_over_at_once, is_verified};
use crate::chopsticks::{
    Engine, Graph, Machine, Overflow, Rules, Splits, Start, State, Value, Winner, coalition, grid, longest, reach,
    solve, unreachable,
};
use crate::run::{Control, with_threads};
use anyhow::{Result, anyhow, bail};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Map, Value as Json, json};

use super::context::{Context, grouped, object};
use super::memory;
use super::progress::Levels;
use crate::export::{Output, Provenance};

/// What every command here needs.
struct Session<'a> {
    /// Print one JSON object.
    json: bool,
    /// Print the one main number only.
    quiet: bool,
    /// The most bytes of memory that an engine may take; no limit when there is none.
    memory: Option<u64>,
    /// Progress and the stop flag.
    control: &'a Control,
    /// Told of every level of a reach, as text.
    status: &'a (dyn Fn(&str) + Sync),
    /// Standard output.
    out: &'a mut dyn Write,
}

/// Enumerate and solve generalised (p, r) Chopsticks
#[derive(Debug, Subcommand)]
pub(super) enum ChopsticksCommand {
    /// Count the positions that can be reached, level by level
    Reach {
        #[command(flatten)]
        rules: RuleArgs,
        /// How to enumerate: plain, bits
        #[arg(long, default_value_t)]
        engine: Engine,
        /// Also list the positions that cannot be reached
        #[arg(long)]
        list: bool,
    },
    /// Count the positions that cannot be reached, without enumerating those that can
    Unreachable {
        #[command(flatten)]
        rules: RuleArgs,
        /// Also list them
        #[arg(long)]
        list: bool,
    },
    /// Tell who wins, how fast, and by which moves
    Solve {
        #[command(flatten)]
        rules: RuleArgs,
        /// The position to solve, as 1312 or 0,10|3,11; the start when left out
        position: Option<String>,
    },
    /// Find the longest game without a repeated position
    Longest {
        #[command(flatten)]
        rules: RuleArgs,
        /// Stop after this many steps of the search, with the best line so far and a bound
        #[arg(long, default_value = "100000", value_parser = crate::number::parse)]
        steps: u64,
    },
    /// Tabulate reachable positions for ranges of players and rollover amounts
    Grid {
        #[command(flatten)]
        variant: VariantArgs,
        /// Numbers of players, both ends included
        #[arg(long, short, default_value = "2..4", value_parser = parse_range)]
        players: RangeInclusive<u32>,
        /// Rollover amounts, both ends included
        #[arg(long, short, default_value = "2..10", value_parser = parse_range)]
        rollover: RangeInclusive<u32>,
        /// The form of the table; by default that of the file's ending, and text
        #[arg(long)]
        format: Option<TableFormat>,
        /// Write to this file; `-` is standard output
        #[arg(long, short)]
        output: Option<PathBuf>,
    },
    /// Write the graph of positions and moves
    Graph {
        #[command(flatten)]
        rules: RuleArgs,
        /// The form of the graph; by default that of the file's ending, and dot
        #[arg(long)]
        format: Option<GraphFormat>,
        /// Write to this file; `-` is standard output
        #[arg(long, short)]
        output: Option<PathBuf>,
    },
}

/// Which game is played.
#[derive(Debug, Args)]
pub(super) struct RuleArgs {
    /// The number of players, p
    #[arg(long, short, default_value = "2", value_parser = parse_u32)]
    players: u32,
    /// The rollover amount, r: a hand holds 0 to r - 1 fingers
    #[arg(long, short, default_value = "5", value_parser = parse_u32)]
    rollover: u32,
    #[command(flatten)]
    variant: VariantArgs,
}

/// How the game differs from the base game.
#[derive(Debug, Args)]
pub(super) struct VariantArgs {
    /// The number of hands of a player
    #[arg(long, default_value = "2", value_parser = parse_u32)]
    hands: u32,
    /// A hand that reaches the rollover amount is dead, rather than keeping the rest
    #[arg(long)]
    cutoff: bool,
    /// Which splits are allowed
    #[arg(long, default_value = "all")]
    splits: SplitsName,
    /// Every hand starts with r - 1 fingers
    #[arg(long)]
    suns: bool,
    /// The player whose hands are all dead wins
    #[arg(long)]
    misere: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SplitsName {
    All,
    None,
    Transfers,
    Divisions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TableFormat {
    #[value(alias = "txt")]
    Text,
    Csv,
    #[value(alias = "tex")]
    Latex,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum GraphFormat {
    #[value(alias = "gv")]
    Dot,
    Graphml,
    Svg,
}

fn parse_u32(text: &str) -> Result<u32> {
    let value = crate::number::parse(text)?;
    u32::try_from(value).map_err(|_| anyhow!("{value} is too large; the limit is {}", u32::MAX))
}

fn parse_range(text: &str) -> Result<RangeInclusive<u32>> {
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (parse_u32(first)?, parse_u32(last.strip_prefix('=').unwrap_or(last))?),
        None => (parse_u32(text)?, parse_u32(text)?),
    };
    if first > last {
        bail!("the range {text} is empty; expected the smaller end first, as in 2..10");
    }
    Ok(first..=last)
}

impl VariantArgs {
    fn rules(&self, players: u32, rollover: u32) -> crate::Result<Rules> {
        let splits = match self.splits {
            SplitsName::All => Splits::ALL,
            SplitsName::None => Splits::NONE,
            SplitsName::Transfers => Splits::TRANSFERS,
            SplitsName::Divisions => Splits::DIVISIONS,
        };
        Ok(Rules::new(players, rollover)?
            .hands(self.hands)?
            .overflow(if self.cutoff { Overflow::Cutoff } else { Overflow::Rollover })
            .splits(splits)
            .start(if self.suns { Start::Suns } else { Start::Ones })
            .winner(if self.misere { Winner::Dead } else { Winner::Alive }))
    }
}

impl RuleArgs {
    fn rules(&self) -> crate::Result<Rules> {
        self.variant.rules(self.players, self.rollover)
    }
}

/// The name of a game, and how many positions are first reached after each number of moves.
#[cfg(feature = "plot")]
pub(super) fn levels(rules: &RuleArgs, context: &Context) -> Result<(String, Vec<crate::chopsticks::reach::Level>)> {
    let rules = rules.rules()?;
    let memory = (!context.options.force).then(memory::available);
    let machine = Machine::within(&rules, memory, context.control())?;
    let found = reach(&machine, Engine::default(), memory, context.control(), |_| ())?;
    Ok((rules.to_string(), found.levels().to_vec()))
}

/// Runs one command.
pub(super) fn run(command: &ChopsticksCommand, context: &Context) -> Result<ExitCode> {
    let levels = Levels::start(!context.options.no_status);
    let mut out = BufWriter::new(io::stdout().lock());
    let session = Session {
        json: context.options.json,
        quiet: context.options.quiet,
        memory: (!context.options.force).then(memory::available),
        control: context.control(),
        status: &|text| levels.show(text),
        out: &mut out,
    };
    run_command(command, session)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn run_command(command: &ChopsticksCommand, mut context: Session<'_>) -> Result<()> {
    match command {
        ChopsticksCommand::Reach { rules, engine, list } => run_reach(&rules.rules()?, *engine, *list, &mut context)?,
        ChopsticksCommand::Unreachable { rules, list } => run_unreachable(&rules.rules()?, *list, &mut context)?,
        ChopsticksCommand::Solve { rules, position } => {
            let machine = Machine::within(&rules.rules()?, context.memory, context.control)?;
            let seats = match position {
                Some(code) => machine.parse(code)?,
                None => machine.start(),
            };
            if machine.players() == 2 {
                run_solve(&machine, &seats, &mut context)?;
            } else {
                run_coalition(&machine, &seats, &mut context)?;
            }
        }
        ChopsticksCommand::Longest { rules, steps } => run_longest(&rules.rules()?, *steps, &mut context)?,
        ChopsticksCommand::Grid { variant, players, rollover, format, output } => {
            let rules = variant.rules(*players.start(), *rollover.start())?;
            // One JSON object or bare numbers have no other form.
            let format = if context.json || context.quiet {
                TableFormat::Text
            } else {
                choose_format(*format, output.as_deref())?.unwrap_or(TableFormat::Text)
            };
            let target = open(output.as_deref())?;
            let (control, memory) = (context.control, context.memory);
            let rows = with_threads(None, || grid::grid(players.clone(), rollover.clone(), &rules, memory, control))?;
            let mut text = Vec::new();
            if context.json {
                serde_json::to_writer(&mut text, &grid_json(&rows))?;
                text.push(b'\n');
            } else if context.quiet {
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
            finish(target, &text, context.out)?;
        }
        ChopsticksCommand::Graph { rules, format, output } => {
            if context.json || context.quiet {
                bail!("a graph is written as dot, graphml or svg only, so leave out --json and --quiet; see --format");
            }
            let machine = Machine::within(&rules.rules()?, context.memory, context.control)?;
            let format = choose_format(*format, output.as_deref())?.unwrap_or(GraphFormat::Dot);
            let target = open(output.as_deref())?;
            let (control, memory) = (context.control, context.memory);
            let graph = with_threads(None, || Graph::new(&machine, memory, control))?;
            let mut text = Vec::new();
            match format {
                GraphFormat::Dot => graph.write_dot(&mut text)?,
                GraphFormat::Graphml => graph.write_graphml(&mut text)?,
                GraphFormat::Svg => text.extend_from_slice(graph.to_svg()?.as_bytes()),
            }
            finish(target, &text, context.out)?;
        }
    }
    Ok(())
}

/// The format that was asked for, or that the file's ending names; none for no file and a file without an ending.
fn choose_format<F: ValueEnum + Copy>(asked: Option<F>, path: Option<&Path>) -> Result<Option<F>> {
    let Some(ending) = path.and_then(Path::extension).filter(|_| asked.is_none()) else { return Ok(asked) };
    let ending = ending.to_string_lossy();
    let Ok(format) = F::from_str(&ending, true) else {
        let known: Vec<String> = F::value_variants()
            .iter()
            .filter_map(F::to_possible_value)
            .flat_map(|value| value.get_name_and_aliases().map(|name| format!(".{name}")).collect::<Vec<_>>())
            .collect();
        bail!("the ending .{ending} names no format; known: {}; or give --format", known.join(", "));
    };
    Ok(Some(format))
}

/// How many positions, in words.
fn positions(count: &(impl ToString + ?Sized)) -> String {
    let count = count.to_string();
    format!("{} position{}", grouped(&count), if count == "1" { "" } else { "s" })
}

/// Opens a file before the work begins; `None` is standard output.
fn open(path: Option<&Path>) -> Result<Option<Output>> {
    Ok(path.filter(|path| *path != Path::new("-")).map(Output::create).transpose()?)
}

/// Writes a table or a graph where it goes.
fn finish(target: Option<Output>, bytes: &[u8], out: &mut dyn Write) -> Result<()> {
    match target {
        Some(mut output) => {
            output.put(bytes)?;
            output.finish()?;
        }
        None => out.write_all(bytes)?,
    }
    Ok(())
}

/// The description of the rules with which every JSON answer begins.
fn rules_json(rules: &Rules) -> Map<String, Json> {
    let mut object = object([("tool", Provenance::TOOL.into()), ("command", "chopsticks".into())]);
    object.insert("rules".into(), rules.to_string().into());
    object.insert("players".into(), rules.player_count().into());
    object.insert("rollover".into(), rules.rollover().into());
    object.insert("hands".into(), rules.hand_count().into());
    object.insert("positions".into(), rules.positions().to_string().into());
    object
}

fn print_json(context: &mut Session<'_>, mut object: Map<String, Json>, more: Json) -> Result<()> {
    if let Json::Object(more) = more {
        object.extend(more);
    }
    writeln!(context.out, "{}", Json::Object(object))?;
    Ok(())
}

fn run_reach(rules: &Rules, engine: Engine, list: bool, context: &mut Session<'_>) -> Result<()> {
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

fn run_unreachable(rules: &Rules, list: bool, context: &mut Session<'_>) -> Result<()> {
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

/// The winner of a position in which the player to act is the first.
const fn winner(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "first",
        Value::Loss(_) => "second",
        Value::Draw => "draw",
    }
}

fn run_solve(machine: &Machine, seats: &[State], context: &mut Session<'_>) -> Result<()> {
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

fn run_coalition(machine: &Machine, seats: &[State], context: &mut Session<'_>) -> Result<()> {
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

fn run_longest(rules: &Rules, steps: u64, context: &mut Session<'_>) -> Result<()> {
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
