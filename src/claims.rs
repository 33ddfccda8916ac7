//! Published claims, each computed anew.
//!
//! Three texts of an encyclopaedia are widely read on these games, in translation: *Palillos (juego de manos)* in Spanish
//! and *Hashi (teasobi)*, 箸（手遊び）, in Japanese on Chopsticks, and *Restar un cuadrado* in Spanish on Subtract-a-Square.
//! [`all`] takes every numeric or strategic statement in them and returns a [`Row`] for each: what is said and where, how
//! we read it, what the engines of this library give, and whether that agrees. Nothing is looked up: every row is
//! computed when it is asked for, from the rules.
//!
//! The two texts on Chopsticks do not describe the same basic game: in the Spanish one a hand dies at exactly five and
//! keeps what is above, which is rollover; in the Japanese one it dies at five or more, which is cutoff. Their numbers are
//! the same, and are those of rollover. So `reading` says which game a row is about.
//!
//! ```
//! use nimsieve::claims::{Topic, Verdict, all};
//!
//! let rows = all(&nimsieve::run::Control::new())?;
//! let longest = rows.iter().find(|row| row.statement.starts_with("the longest game")).unwrap();
//! assert_eq!((longest.topic, longest.verdict), (Topic::Chopsticks, Verdict::Fails));
//! # Ok::<(), nimsieve::Error>(())
//! ```

mod chopsticks;
mod general;
mod lab;
mod squares;
mod variants;

use std::fmt;
use std::io::{self, Write};

use crate::error::Result;
use crate::run::Control;
use lab::Lab;

/// What a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// Chopsticks and its variants.
    Chopsticks,
    /// Subtract-a-Square.
    Squares,
}

impl Topic {
    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chopsticks => "chopsticks",
            Self::Squares => "squares",
        }
    }
}

/// Where a claim is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// *Palillos (juego de manos)*.
    Spanish,
    /// *Hashi (teasobi)*.
    Japanese,
    /// Both of these.
    Both,
    /// *Restar un cuadrado*.
    Squares,
}

impl Source {
    /// The title in short, with the language.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spanish => "Palillos (es)",
            Self::Japanese => "Hashi (ja)",
            Self::Both => "Palillos (es), Hashi (ja)",
            Self::Squares => "Restar un cuadrado (es)",
        }
    }
}

/// Whether what is computed agrees with what is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It agrees.
    Holds,
    /// It does not, and `computed` has the true value.
    Fails,
    /// It does under one reading and not under another; `computed` says which.
    Ambiguous,
}

impl Verdict {
    /// The word in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Ambiguous => "ambiguous",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A claim with what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it is about.
    pub topic: Topic,
    /// What is said, in our words.
    pub statement: &'static str,
    /// Where it is said.
    pub source: Source,
    /// Which game is meant, and how what is said is understood.
    pub reading: &'static str,
    /// What the engines give.
    pub computed: String,
    /// Whether that agrees.
    pub verdict: Verdict,
}

/// What a check found.
struct Finding {
    verdict: Verdict,
    computed: String,
}

impl Finding {
    /// Holds or fails.
    fn new(holds: bool, computed: impl Into<String>) -> Self {
        Self { verdict: if holds { Verdict::Holds } else { Verdict::Fails }, computed: computed.into() }
    }

    /// Holds as it is said, or in another reading only, or not at all.
    fn read(literally: bool, otherwise: bool, computed: impl Into<String>) -> Self {
        let verdict = match (literally, otherwise) {
            (true, _) => Verdict::Holds,
            (false, true) => Verdict::Ambiguous,
            (false, false) => Verdict::Fails,
        };
        Self { verdict, computed: computed.into() }
    }
}

/// A claim and how it is checked.
struct Claim {
    statement: &'static str,
    source: Source,
    reading: &'static str,
    check: fn(&mut Lab<'_>) -> Result<Finding>,
}

/// Checks every claim, in the order of the texts. A few seconds, most of them for the squares below forty million.
///
/// # Errors
/// Those of the engines; [`crate::Error::Stopped`] when told to stop.
pub fn all(control: &Control) -> Result<Vec<Row>> {
    let mut lab = Lab::new(control);
    let mut rows = Vec::new();
    for (topic, claims) in [
        (Topic::Chopsticks, chopsticks::CLAIMS),
        (Topic::Chopsticks, general::CLAIMS),
        (Topic::Chopsticks, variants::CLAIMS),
        (Topic::Squares, squares::CLAIMS),
    ] {
        for &Claim { statement, source, reading, check } in claims {
            control.advance(rows.len() as u64)?;
            let Finding { verdict, computed } = check(&mut lab)?;
            rows.push(Row { topic, statement, source, reading, computed, verdict });
        }
    }
    Ok(rows)
}

/// The names of the columns of a table of claims.
pub const COLUMNS: [&str; 6] = ["topic", "verdict", "statement", "computed", "reading", "source"];

impl Row {
    fn cells(&self) -> [&str; COLUMNS.len()] {
        let verdict = self.verdict.name();
        [self.topic.name(), verdict, self.statement, &self.computed, self.reading, self.source.name()]
    }
}

/// Writes the rows as CSV with named columns, every cell in quotation marks.
///
/// # Errors
/// What `out` returns.
pub fn write_csv(rows: &[Row], out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))?;
    for row in rows {
        let cells = row.cells().map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")));
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}
