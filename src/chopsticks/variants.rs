//! A table of the variants: how many positions each has, and who wins.
//!
//! Every variant of the design stands once in each reading that is offered, with rollover and with cutoff, alone but for
//! the combinations that the published text names.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use num_bigint::BigUint;

use crate::chopsticks::moves::Machine;
use crate::chopsticks::reach::{Engine, reach};
use crate::chopsticks::rules::{
    Divisions, Integers, Meta, Overflow, Rules, SelfAddition, Splits, Start, Stumps, SuddenDeath, Swaps, Transfers,
    Winner,
};
use crate::chopsticks::solve::{Value, coalition, solve};
use crate::error::Result;
use crate::run::Control;

/// A variant by name: the options that make it on the command line, the number of players, and the rules.
type Named = (&'static str, u32, fn(Rules) -> Rules);

/// Three hands, which are always allowed.
fn three_hands(rules: Rules, transfers: Transfers, divisions: Divisions) -> Rules {
    rules.hands(3).unwrap_or(rules).splits(Splits { transfers, divisions })
}

const BY_HALVES: fn(bool) -> Splits =
    |odd| Splits { transfers: Transfers::Halves { odd }, divisions: Divisions::Halves { odd } };

/// The variants of the table, in its order.
const VARIANTS: [Named; 46] = [
    ("", 2, |rules| rules),
    ("--misere", 2, |rules| rules.winner(Winner::Dead)),
    ("--suicide", 2, |rules| rules.suicide(true)),
    ("--swaps", 2, |rules| rules.swaps(Swaps::Unlimited)),
    ("--swaps=1", 2, |rules| rules.swaps(Swaps::InARow(1))),
    ("--swaps=3", 2, |rules| rules.swaps(Swaps::InARow(3))),
    ("--sudden-death", 2, |rules| rules.sudden_death(SuddenDeath::Total)),
    ("--sudden-death=1", 2, |rules| rules.sudden_death(SuddenDeath::Lives(1))),
    ("--sudden-death=3", 2, |rules| rules.sudden_death(SuddenDeath::Lives(3))),
    ("--meta", 2, |rules| rules.meta(Meta::Live)),
    ("--meta=any", 2, |rules| rules.meta(Meta::Any)),
    ("--meta --suicide", 2, |rules| rules.meta(Meta::Live).suicide(true)),
    ("--logan", 2, |rules| rules.logan(true)),
    ("--death-attack", 2, |rules| rules.death_attack(true)),
    ("--self-attack", 2, |rules| rules.self_attack(true)),
    ("--self-attack --swaps", 2, |rules| rules.self_attack(true).swaps(Swaps::Unlimited)),
    ("--integers=complement", 2, |rules| rules.integers(Integers::Complement)),
    ("--integers=signed", 2, |rules| rules.integers(Integers::Signed)),
    ("--cherry-bomb", 2, |rules| rules.cherry_bomb(true)),
    ("--self-addition", 2, |rules| rules.self_addition(SelfAddition::InsteadOfTransfers)),
    ("--self-addition=beside-transfers", 2, |rules| rules.self_addition(SelfAddition::BesideTransfers)),
    ("--stumps", 2, |rules| rules.stumps(Stumps::Ones)),
    ("--stumps=any", 2, |rules| rules.stumps(Stumps::Any)),
    ("--suns", 2, |rules| rules.start(Start::Suns)),
    ("--splits none", 2, |rules| rules.splits(Splits::NONE)),
    ("--splits transfers", 2, |rules| rules.splits(Splits::TRANSFERS)),
    ("--splits divisions", 2, |rules| rules.splits(Splits::DIVISIONS)),
    ("--splits divisions --suicide", 2, |rules| rules.splits(Splits::DIVISIONS).suicide(true)),
    ("--splits halves", 2, |rules| rules.splits(Splits::HALVES)),
    ("--splits halves-odd", 2, |rules| {
        rules.splits(Splits { divisions: Divisions::Halves { odd: true }, ..Splits::HALVES })
    }),
    ("--splits pair-halves", 2, |rules| rules.splits(BY_HALVES(false))),
    ("--splits pair-halves-odd", 2, |rules| rules.splits(BY_HALVES(true))),
    ("--hands 1", 2, |rules| rules.hands(1).unwrap_or(rules)),
    ("--hands 3", 2, |rules| three_hands(rules, Transfers::Single, Divisions::Single)),
    ("--hands 3 --splits none", 2, |rules| three_hands(rules, Transfers::None, Divisions::None)),
    ("--hands 3 --splits transfers", 2, |rules| three_hands(rules, Transfers::Single, Divisions::None)),
    ("--hands 3 --splits multiple-transfer", 2, |rules| three_hands(rules, Transfers::Multiple, Divisions::None)),
    ("--hands 3 --splits divisions", 2, |rules| three_hands(rules, Transfers::None, Divisions::Single)),
    ("--hands 3 --splits partition", 2, |rules| three_hands(rules, Transfers::None, Divisions::Partition)),
    ("--hands 3 --splits transfer-and-partition", 2, |rules| three_hands(rules, Transfers::None, Divisions::Several)),
    ("--hands 3 --splits free-division", 2, |rules| three_hands(rules, Transfers::None, Divisions::Free)),
    ("--hands 3 --splits multiple-transfer,free-division", 2, |rules| {
        three_hands(rules, Transfers::Multiple, Divisions::Free)
    }),
    ("--hands 3 --suicide", 2, |rules| three_hands(rules, Transfers::Single, Divisions::Single).suicide(true)),
    ("-p 3", 3, |rules| rules),
    ("-p 3 --zombies", 3, |rules| rules.zombies(true)),
    ("-p 3 --cherry-bomb", 3, |rules| rules.cherry_bomb(true)),
];

/// One game of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The options that name the variant on the command line, without rollover amount and cutoff.
    pub options: &'static str,
    /// The rules.
    pub rules: Rules,
    /// The number of positions that can be reached.
    pub reachable: u64,
    /// The number of endings among them.
    pub endings: u64,
    /// The value of the start for the first player, against the coalition of the others if they are two.
    pub value: Value,
}

/// The names of the columns.
pub const COLUMNS: [&str; 9] =
    ["options", "players", "rollover", "overflow", "positions", "reachable", "endings", "value", "plies"];

impl Row {
    /// Enumerates and solves one game.
    fn new(options: &'static str, rules: Rules, memory: Option<u64>, control: &Control) -> Result<Self> {
        let machine = Machine::within(&rules, memory, control)?;
        let found = reach(&machine, Engine::Bits, memory, control, |_| ())?;
        let start = machine.start();
        let value = if rules.player_count() == 2 {
            solve(&machine, memory, control)?.value(&start)
        } else {
            coalition(&machine, memory, control)?.value(&start, 0)
        };
        Ok(Self { options, rules, reachable: found.reachable(), endings: found.endings().len() as u64, value })
    }

    /// `rollover` or `cutoff`.
    pub const fn overflow(&self) -> &'static str {
        match self.rules.overflow_rule() {
            Overflow::Rollover => "rollover",
            Overflow::Cutoff => "cutoff",
        }
    }

    /// The number of positions, N^p.
    pub fn positions(&self) -> BigUint {
        self.rules.positions()
    }

    /// Who wins: `first`, `second` (with more players `others`), or `draw`.
    pub const fn winner(&self) -> &'static str {
        match self.value {
            Value::Win(_) => "first",
            Value::Loss(_) if self.rules.player_count() > 2 => "others",
            Value::Loss(_) => "second",
            Value::Draw => "draw",
        }
    }

    fn cells(&self) -> [String; COLUMNS.len()] {
        [
            self.options.to_owned(),
            self.rules.player_count().to_string(),
            self.rules.rollover().to_string(),
            self.overflow().to_owned(),
            self.positions().to_string(),
            self.reachable.to_string(),
            self.endings.to_string(),
            self.winner().to_owned(),
            self.value.plies().map_or(String::new(), |plies| plies.to_string()),
        ]
    }
}

/// Enumerates and solves every variant for each rollover amount, with rollover and with cutoff where that is a game.
///
/// # Errors
/// Those of [`Rules::new`], [`reach()`] and [`solve()`].
///
/// ```
/// use nimsieve::chopsticks::{Value, variants};
///
/// let rows = variants::table(5..=5, None, &nimsieve::run::Control::new())?;
/// let suicide = rows.iter().find(|row| row.options == "--suicide" && row.overflow() == "cutoff").unwrap();
/// assert_eq!((suicide.reachable, suicide.value), (191, Value::Loss(26)));
/// # Ok::<(), nimsieve::Error>(())
/// ```
pub fn table(rollovers: RangeInclusive<u32>, memory: Option<u64>, control: &Control) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for r in rollovers {
        for (options, players, change) in VARIANTS {
            for overflow in [Overflow::Rollover, Overflow::Cutoff] {
                let rules = change(Rules::new(players, r)?.overflow(overflow));
                if rules.check().is_ok() {
                    rows.push(Row::new(options, rules, memory, control)?);
                }
            }
        }
    }
    Ok(rows)
}

/// Writes the table with aligned columns.
///
/// # Errors
/// What `out` returns.
pub fn write_text(rows: &[Row], out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    let mut lines = vec![COLUMNS.map(String::from)];
    lines.extend(rows.iter().map(Row::cells));
    lines[1..].iter_mut().filter(|line| line[0].is_empty()).for_each(|line| line[0].push_str("(base game)"));
    let mut widths = [0; COLUMNS.len()];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.len().max(*width);
        }
    }
    for line in &lines {
        let [options, cells @ ..] = line;
        let mut text = format!("{options:<width$}", width = widths[0]);
        for (cell, width) in cells.iter().zip(&widths[1..]) {
            text.push_str(&format!("  {cell:>width$}"));
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

/// Writes the table as CSV with named columns; `plies` is empty in a draw.
///
/// # Errors
/// What `out` returns.
pub fn write_csv(rows: &[Row], out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))?;
    for row in rows {
        let [options, cells @ ..] = row.cells();
        writeln!(out, "\"{options}\",{}", cells.join(","))?;
    }
    Ok(())
}
