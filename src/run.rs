//! What a running computation shares with whoever started it: how far it is, whether it should stop, and the memory
//! and the threads it may take.
//!
//! Every engine gets a [`Control`]. It stores its position with a relaxed atomic store after each block and looks at
//! the stop flag at the same place, so a progress bar, Ctrl-C or a time limit costs the inner loops nothing.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::error::{Error, Result};

/// The shared state of one run: a progress counter and a stop flag.
///
/// ```
/// let control = nimsieve::run::Control::new();
/// control.stop();
/// let plan = nimsieve::Plan::cold(&nimsieve::set::Squares, 1_000_000)?;
/// let mut count = nimsieve::sink::ColdCounter::default();
/// assert!(matches!(plan.run_into(&control, &mut count), Err(nimsieve::Error::Stopped { .. })));
/// # Ok::<(), nimsieve::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Control {
    reached: AtomicU64,
    stop: AtomicBool,
}

impl Control {
    /// Makes a control that has reached nothing and lets the run go on.
    pub const fn new() -> Self {
        Self { reached: AtomicU64::new(0), stop: AtomicBool::new(false) }
    }

    /// Asks the run to stop at its next block; it then returns [`Error::Stopped`].
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Tells whether the run was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The position that the run has reached: everything below it is decided.
    pub fn reached(&self) -> u64 {
        self.reached.load(Ordering::Relaxed)
    }

    /// Records that everything below `position` is decided.
    ///
    /// # Errors
    /// [`Error::Stopped`] when somebody asked the run to stop.
    pub fn advance(&self, position: u64) -> Result<()> {
        self.reached.store(position, Ordering::Relaxed);
        self.check()
    }

    /// Looks at the stop flag without recording progress.
    ///
    /// # Errors
    /// [`Error::Stopped`] when somebody asked the run to stop.
    pub fn check(&self) -> Result<()> {
        if self.is_stopped() { Err(Error::Stopped { reached: self.reached() }) } else { Ok(()) }
    }
}

/// Runs `work` in a rayon pool of `threads` threads of its own, or in the current pool when `threads` is `None`.
///
/// # Errors
/// [`Error::Threads`] when the pool cannot be started, and whatever `work` returns.
pub fn with_threads<T: Send>(threads: Option<usize>, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    match threads {
        // From inside the pool: from outside, every step that goes to all threads would wake them and wait.
        None => rayon::scope(|_| work()),
        Some(threads) => rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|source| Error::Threads { threads, source })?
            .install(work),
    }
}

/// Takes memory for `len` elements, each a copy of `value`, and reports a refusal as a value.
///
/// # Errors
/// [`Error::Memory`] when the size passes the address space or the system refuses it.
pub fn try_vec<T: Clone>(what: &'static str, len: u64, value: T) -> Result<Vec<T>> {
    let refusal = || Error::Memory { what, needed: len.saturating_mul(size_of::<T>() as u64) };
    let len = usize::try_from(len).map_err(|_| refusal())?;
    let mut vec = Vec::new();
    vec.try_reserve_exact(len).map_err(|_| refusal())?;
    vec.resize(len, value);
    Ok(vec)
}
