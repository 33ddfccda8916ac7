//! The one error type of the library. Every message says what was expected and what to do next.

use std::path::PathBuf;

/// The result of everything in nimsieve that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong, each with the way out in its message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A subtraction set is not one: empty, with a zero, out of order, or written in no known way.
    #[error("{0}")]
    Set(String),

    /// A number is malformed or larger than what it is used for allows.
    #[error("{0}")]
    Number(String),

    /// An engine cannot serve this set or this size.
    #[error("engine `{engine}` declines {set}: {reason}")]
    Declined {
        /// The engine's name, as after `--engine`.
        engine: &'static str,
        /// The set in canonical form.
        set: String,
        /// Why, and what serves instead.
        reason: String,
    },

    /// There is no engine of this name.
    #[error("there is no {kind} engine `{name}`; known: {known}")]
    UnknownEngine {
        /// `cold` or `grundy`.
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// The names that exist.
        known: String,
    },

    /// The work needs more memory than the machine gives.
    #[error("{what} needs {needed} bytes of memory, which the system refuses; lower n")]
    Memory {
        /// What the memory is for.
        what: &'static str,
        /// How many bytes.
        needed: u64,
    },

    /// Rules of Chopsticks or a position that do not make sense, or a game too large for what was asked.
    #[error("{0}")]
    Chopsticks(String),

    /// A position was asked for beyond the end of a table.
    #[error("heap {heap} is beyond this table, which covers the heaps below {end}; compute it to a larger n")]
    BeyondTable {
        /// The heap asked for.
        heap: u64,
        /// The table covers `0..end`.
        end: u64,
    },

    /// A nim-value does not fit the two bytes that a table gives it.
    #[error(
        "the nim-value of heap {heap} is above 65535, the largest that a table holds; ask for an n of at most {heap}"
    )]
    ValueTooLarge {
        /// The first heap whose value does not fit.
        heap: u64,
    },

    /// The engine on residue structure met a heap that what it keeps of a class does not decide.
    #[error(
        "engine `residue` cannot tell whether heap {heap} of {set} has nim-value {value}: it keeps a few heaps of that \
         value where most of them are, and none of those is one move away; everything below {heap} is decided; another \
         engine serves, see `nimsieve plan`"
    )]
    Undecided {
        /// The set in canonical form.
        set: String,
        /// The first heap that is not decided.
        heap: u64,
        /// The nim-value that it may have.
        value: usize,
    },

    /// The run was told to stop.
    #[error("stopped; finished up to position {reached}")]
    Stopped {
        /// The heaps below this had been handed out.
        reached: u64,
    },

    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// A line of a text file does not follow its format.
    #[error("{path}, line {line}: {message}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What was expected.
        message: String,
    },

    /// A file format is unknown, or does not hold what it was asked to.
    #[error("{0}")]
    Format(String),

    /// A table file is damaged, of another kind, or in use.
    #[error("{0}")]
    Table(String),

    /// A thread pool could not be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What rayon said.
        source: rayon::ThreadPoolBuildError,
    },
}

impl Error {
    /// Wraps an I/O error with the path it belongs to.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}
