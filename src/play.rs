//! Play against the perfect player.
//!
//! A [`Game`] knows its moves and the value of its position; [`dialogue`] lets a person play it, line by line, from any
//! reader to any writer. The computer wins when it can, as fast as it can; delays when it must lose; and in a drawn
//! position takes the drawing move that leaves the other player the most ways to go wrong.
//!
//! [`Heaps`] are sums of heaps, each with a subtraction set; [`Chopsticks`] is any two-player game of it.
//!
//! ```
//! use nimsieve::play::{Heaps, Side, dialogue};
//! use nimsieve::sum::Play;
//!
//! let control = nimsieve::run::Control::new();
//! let mut game = Heaps::new(vec![("squares".parse()?, 13)], Play::Normal, &control)?;
//! let mut out = Vec::new();
//! dialogue(&mut game, Side::Human, false, &b"hint\n1\nquit\n"[..], &mut out)?;
//! let text = String::from_utf8_lossy(&out).into_owned();
//! assert!(text.contains("take 1, leaving 12"), "{text}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chopsticks;
mod heaps;

use std::io::{self, BufRead, Write};

pub use chopsticks::Chopsticks;
pub use heaps::{EXACT_MOVES, EXACT_POSITIONS, Heaps};

/// A game between two players with everything known of it.
pub trait Game {
    /// The position, as seen by the player to act.
    fn position(&self) -> String;

    /// How many moves the player to act has.
    fn count(&self) -> usize;

    /// The first `limit` moves, in words, in the order of the rules.
    fn moves(&self, limit: usize) -> Vec<String>;

    /// The move of this number, counted from 0 in that order, in words.
    fn name(&self, number: usize) -> String;

    /// The number of the move that the perfect player makes; none when the game is over.
    fn best(&self) -> Option<usize>;

    /// What best play leads to for the player to act.
    fn value(&self) -> String;

    /// When the game is over, who has won: the player to act, the other, or nobody.
    fn ending(&self) -> Option<Ending>;

    /// Reads a move of the player to act.
    ///
    /// # Errors
    /// What was expected, for the player to read.
    fn read(&self, text: &str) -> Result<usize, String>;

    /// Makes a move.
    fn play(&mut self, number: usize);

    /// Takes the last move back; false when there is none.
    fn undo(&mut self) -> bool;

    /// How a move is written.
    fn help(&self) -> &'static str;
}

/// Who has won a game that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The player to act.
    Acting,
    /// The other player.
    Waiting,
    /// Nobody.
    Nobody,
}

/// The two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    /// Who types.
    #[default]
    Human,
    /// Who knows.
    Computer,
}

/// Lets a person play a game: reads a command from each line of `input` and answers on `out`.
///
/// A line is a move or one of `hint`, `undo`, `value`, `moves`, `help` and `quit`. What is neither is answered with what
/// was expected, and the person may try again. The end of the input ends the dialogue, as the end of the game does.
/// `prompt` asks for a `> ` before each line.
///
/// # Errors
/// What reading and writing return.
pub fn dialogue(
    game: &mut impl Game,
    first: Side,
    prompt: bool,
    mut input: impl BufRead,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut turn = first;
    // The moves of the person and of the computer that undo takes back.
    let mut played = 0_usize;
    writeln!(out, "{}", game.position())?;
    loop {
        if let Some(ending) = game.ending() {
            return writeln!(out, "{}", verdict(ending, turn));
        }
        if turn == Side::Computer {
            let Some(best) = game.best() else { return Ok(()) };
            writeln!(out, "The computer: {}", game.name(best))?;
            game.play(best);
            played += 1;
            turn = Side::Human;
            if game.ending().is_none() {
                writeln!(out, "{}", game.position())?;
            }
            continue;
        }
        if prompt {
            write!(out, "> ")?;
        }
        out.flush()?;
        let Some(line) = read_line(&mut input)? else { return Ok(()) };
        match line.trim().to_lowercase().as_str() {
            "" => {}
            "quit" | "exit" | "q" => return Ok(()),
            "help" | "?" => writeln!(out, "{}\nOr: hint, undo, value, moves, help, quit", game.help())?,
            "value" => writeln!(out, "{}", game.value())?,
            "hint" => {
                if let Some(best) = game.best() {
                    writeln!(out, "{}; best: {}", game.value(), game.name(best))?;
                }
            }
            "moves" => {
                for (number, text) in (1..).zip(game.moves(LISTED)) {
                    writeln!(out, "{number:>4}  {text}")?;
                }
                if game.count() > LISTED {
                    writeln!(out, "      and {} more", game.count() - LISTED)?;
                }
            }
            "undo" => {
                // The computer's answer and the person's move before it.
                if played < 2 {
                    writeln!(out, "There is no move of yours to take back.")?;
                    continue;
                }
                game.undo();
                game.undo();
                played -= 2;
                writeln!(out, "{}", game.position())?;
            }
            text => match game.read(text) {
                Ok(number) => {
                    writeln!(out, "You: {}", game.name(number))?;
                    game.play(number);
                    played += 1;
                    turn = Side::Computer;
                }
                Err(expected) => writeln!(out, "{expected}; or type help")?,
            },
        }
    }
}

/// Who has won, to the person.
const fn verdict(ending: Ending, turn: Side) -> &'static str {
    match (ending, turn) {
        (Ending::Nobody, _) => "The game is over, and nobody has won.",
        (Ending::Acting, Side::Human) | (Ending::Waiting, Side::Computer) => "You have won.",
        (Ending::Acting, Side::Computer) | (Ending::Waiting, Side::Human) => "The computer has won.",
    }
}

/// The most moves that are listed.
const LISTED: usize = 200;

/// The longest line that is looked at.
const LINE: usize = 4_096;

/// Reads a line, whatever it holds; what is too long is cut into lines. Nothing at the end of the input.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    while bytes.len() < LINE {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if available.is_empty() {
            break;
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(available.len(), |end| end + 1).min(LINE - bytes.len());
        bytes.extend_from_slice(&available[..taken]);
        input.consume(taken);
        if bytes.ends_with(b"\n") {
            break;
        }
    }
    Ok(if bytes.is_empty() { None } else { Some(String::from_utf8_lossy(&bytes).into_owned()) })
}
