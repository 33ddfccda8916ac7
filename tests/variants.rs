//! The variants of Chopsticks: known numbers, and each rule by a second route that shares no code.

use nimsieve::chopsticks::{
    Divisions, Engine, Integers, Machine, Meta, Overflow, Rules, SelfAddition, Splits, Start, Stumps, SuddenDeath,
    Swaps, Transfers, Value, reach, solve,
};
use nimsieve::run::Control;

fn base(p: u32, r: u32) -> Rules {
    Rules::new(p, r).unwrap()
}

fn measured(rules: &Rules) -> (u64, Value) {
    let machine = Machine::new(rules).unwrap();
    let found = reach(&machine, Engine::Bits, None, &Control::new(), |_| ()).unwrap();
    (found.reachable(), solve(&machine, None, &Control::new()).unwrap().value(&machine.start()))
}

/// Found by an independent program: r = 5, two players.
#[test]
fn check_values() {
    let five = base(2, 5);
    let three_hands = five.hands(3).unwrap().splits(Splits::TRANSFERS);
    for (rules, rollover, cutoff) in [
        (five, (204, Value::Draw), (171, Value::Draw)),
        (five.splits(Splits::NONE), (200, Value::Draw), (92, Value::Loss(8))),
        (five.suicide(true), (207, Value::Draw), (191, Value::Loss(26))),
        (five.self_attack(true), (208, Value::Draw), (199, Value::Win(23))),
        (five.meta(Meta::Live), (204, Value::Draw), (171, Value::Draw)),
        (five.death_attack(true), (210, Value::Draw), (188, Value::Draw)),
        (five.splits(Splits::TRANSFERS), (204, Value::Draw), (144, Value::Loss(10))),
        (five.start(Start::Suns), (206, Value::Draw), (172, Value::Win(7))),
        (three_hands, (1_182, Value::Draw), (1_022, Value::Win(15))),
        (five.stumps(Stumps::Ones), (2_956, Value::Draw), (2_621, Value::Draw)),
    ] {
        assert_eq!(measured(&rules), rollover, "{rules}");
        let rules = rules.overflow(Overflow::Cutoff);
        assert_eq!(measured(&rules), cutoff, "{rules}");
    }
}
