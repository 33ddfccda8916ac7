//! Solves generalised Chopsticks for two players and rollover amounts 2 to 7: who wins from the start, and how fast?

use std::error::Error;

use nimsieve::chopsticks::{Engine, Machine, Rules, reach, solve};
use nimsieve::run::Control;

pub fn main() -> Result<(), Box<dyn Error>> {
    for rollover in 2..=7 {
        let rules = Rules::new(2, rollover)?;
        let machine = Machine::new(&rules)?;
        let control = Control::new();
        let reachable = reach(&machine, Engine::default(), None, &control, |_| ())?.reachable();
        let value = solve(&machine, None, &control)?.value(&machine.start());
        println!("{rules}: {reachable} reachable positions, {value:?}");
    }
    Ok(())
}
