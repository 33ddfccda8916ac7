//! Two-player Chopsticks, of any rules, as a game for [`dialogue`](super::dialogue).

use crate::chopsticks::{Machine, Move, Solution, State, Value};
use crate::play::{Ending, Game};

/// A position of Chopsticks with the values of all positions behind it.
#[derive(Debug)]
pub struct Chopsticks<'a> {
    machine: &'a Machine,
    solution: &'a Solution<'a>,
    /// The positions so far, each as the player to act sees it.
    line: Vec<Vec<State>>,
}

impl<'a> Chopsticks<'a> {
    /// Starts from a position.
    pub fn new(machine: &'a Machine, solution: &'a Solution<'a>, seats: Vec<State>) -> Self {
        Self { machine, solution, line: vec![seats] }
    }

    fn here(&self) -> &[State] {
        &self.line[self.line.len() - 1]
    }

    /// The positions that a move leads to, each once and with the first move that does.
    fn choices(&self) -> Vec<(Move, Vec<State>)> {
        let mut choices: Vec<(Move, Vec<State>)> = Vec::new();
        self.machine.for_each_move(self.here(), |step, next| {
            if choices.iter().all(|(_, known)| known != next) {
                choices.push((step, next.to_vec()));
            }
        });
        choices
    }

    fn describe(&self, step: Move) -> String {
        let machine = self.machine;
        let seat = |s: State| machine.code(&[s]);
        let acting = self.here()[0];
        let Some(weapon) = step.turn.weapon else {
            return if step.turn.other == acting || machine.hands(step.turn.other) == machine.hands(acting) {
                "exchange your hands".into()
            } else {
                format!("{} into {}", seat(acting), seat(step.turn.other))
            };
        };
        let target = step.target.map_or_else(String::new, |(_, from, to)| format!("{} into {}", seat(from), seat(to)));
        match machine.weapon_hand(weapon) {
            Some(hand) => format!("hit with {}: {target}", machine.hand_code(hand)),
            None => format!("cherry bomb: {target}"),
        }
    }
}

impl Game for Chopsticks<'_> {
    fn position(&self) -> String {
        let here = self.here();
        let [mine, theirs] = [here[0], here[1]].map(|s| self.machine.code(&[s]));
        format!("{}: {mine} to act against {theirs}.", self.machine.code(here))
    }

    fn count(&self) -> usize {
        self.choices().len()
    }

    fn moves(&self, limit: usize) -> Vec<String> {
        let code = |next: &[State]| self.machine.code(next);
        let choices = self.choices().into_iter().take(limit);
        choices.map(|(step, next)| format!("{}  {}", code(&next), self.describe(step))).collect()
    }

    fn name(&self, number: usize) -> String {
        self.moves(number + 1).pop().unwrap_or_default()
    }

    fn best(&self) -> Option<usize> {
        let best = self.solution.choices(self.here()).into_iter().next()?;
        self.choices().iter().position(|(_, next)| *next == best.after)
    }

    fn value(&self) -> String {
        match self.solution.value(self.here()) {
            Value::Win(plies) => format!("The player to act wins in {plies}"),
            Value::Loss(plies) => format!("The player to act loses in {plies}"),
            Value::Draw => "A draw".into(),
        }
    }

    fn ending(&self) -> Option<Ending> {
        self.machine.is_over(self.here()).then(|| match self.solution.value(self.here()) {
            Value::Win(_) => Ending::Acting,
            Value::Loss(_) => Ending::Waiting,
            Value::Draw => Ending::Nobody,
        })
    }

    fn read(&self, text: &str) -> Result<usize, String> {
        let choices = self.choices();
        if let Ok(seats) = self.machine.parse(text)
            && let Some(number) = choices.iter().position(|(_, next)| *next == seats)
        {
            return Ok(number);
        }
        match text.parse::<usize>() {
            Ok(number) if (1..=choices.len()).contains(&number) => Ok(number - 1),
            _ => {
                let codes: Vec<String> = choices.iter().map(|(_, next)| self.machine.code(next)).collect();
                Err(format!("`{text}` is no move here; expected a number from 1 or one of {}", codes.join(" ")))
            }
        }
    }

    fn play(&mut self, number: usize) {
        if let Some((_, next)) = self.choices().into_iter().nth(number) {
            self.line.push(next);
        }
    }

    fn undo(&mut self) -> bool {
        self.line.len() > 1 && self.line.pop().is_some()
    }

    fn help(&self) -> &'static str {
        "A move is its number in the list of moves, or the position after it as the next player sees it, as in 1211"
    }
}
