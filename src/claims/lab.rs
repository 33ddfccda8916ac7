//! What the checks share: small games enumerated and solved, and the cold numbers below forty million.

use crate::chopsticks::{Engine, Machine, Overflow, Reach, Rules, State, Value, reach, solve};
use crate::error::Result;
use crate::plan::Plan;
use crate::run::Control;
use crate::set::Squares;
use crate::table::ColdTable;

/// How far Subtract-a-Square is played.
pub(super) const FORTY_MILLION: u64 = 40_000_000;

pub(super) struct Lab<'a> {
    pub(super) control: &'a Control,
    squares: Option<ColdTable>,
}

impl<'a> Lab<'a> {
    pub(super) const fn new(control: &'a Control) -> Self {
        Self { control, squares: None }
    }

    /// Which positions of a game can be reached.
    pub(super) fn reach(&self, machine: &Machine) -> Result<Reach> {
        reach(machine, Engine::Bits, None, self.control, |_| ())
    }

    /// How many positions can be reached.
    pub(super) fn reachable(&self, rules: &Rules) -> Result<u64> {
        Ok(self.reach(&Machine::new(rules)?)?.reachable())
    }

    /// The positions that can be reached, in lexicographic order.
    pub(super) fn positions(&self, machine: &Machine) -> Result<Vec<Vec<State>>> {
        let found = self.reach(machine)?;
        Ok((0..found.index().len())
            .filter(|&rank| found.contains(rank))
            .map(|rank| found.index().unrank(rank))
            .collect())
    }

    /// The positions that cannot be reached, as they are written.
    pub(super) fn unreachable(&self, machine: &Machine) -> Result<Vec<String>> {
        let found = self.reach(machine)?;
        Ok(found.unreachable().map(|rank| machine.code(&found.index().unrank(rank))).collect())
    }

    /// The value of a position of a two-player game, or of its start.
    pub(super) fn value(&self, rules: &Rules, code: Option<&str>) -> Result<Value> {
        let machine = Machine::new(rules)?;
        let seats = code.map_or_else(|| Ok(machine.start()), |code| machine.parse(code))?;
        Ok(solve(&machine, None, self.control)?.value(&seats))
    }

    /// The cold numbers of Subtract-a-Square below forty million.
    pub(super) fn squares(&mut self) -> Result<&ColdTable> {
        if self.squares.is_none() {
            let mut table = ColdTable::new("squares".into(), FORTY_MILLION)?;
            Plan::cold(&Squares, FORTY_MILLION)?.run_into(&Control::new(), &mut table)?;
            self.squares = Some(table);
        }
        self.control.check()?;
        Ok(self.squares.as_ref().expect("just computed"))
    }
}

/// The base game.
pub(super) fn base(p: u32, r: u32) -> Result<Rules> {
    Rules::new(p, r)
}

/// The game of two players and five fingers, with rollover.
pub(super) fn five() -> Result<Machine> {
    Machine::new(&base(2, 5)?)
}

/// The positions after `code`, as they are written, in order.
pub(super) fn after(machine: &Machine, code: &str) -> Result<Vec<String>> {
    let mut codes: Vec<String> =
        machine.successors(&machine.parse(code)?).iter().map(|seats| machine.code(seats)).collect();
    codes.sort();
    Ok(codes)
}

/// The positions before `code`, as they are written, in order.
pub(super) fn before(machine: &Machine, code: &str) -> Result<Vec<String>> {
    let mut codes = Vec::new();
    machine.for_each_before(&machine.parse(code)?, |seats| codes.push(machine.code(seats)));
    codes.sort();
    codes.dedup();
    Ok(codes)
}

/// Who wins, in words.
pub(super) fn winner(value: Value) -> String {
    match value {
        Value::Win(plies) => format!("the first player wins in {plies}"),
        Value::Loss(plies) => format!("the second player wins in {plies}"),
        Value::Draw => "a draw".into(),
    }
}

/// The same rules with rollover and with cutoff.
pub(super) fn both_overflows(rules: Rules) -> [(&'static str, Rules); 2] {
    [("rollover", rules.overflow(Overflow::Rollover)), ("cutoff", rules.overflow(Overflow::Cutoff))]
}
