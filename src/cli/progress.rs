//! The progress bar, the only user of indicatif.
//!
//! A thread of its own looks at the control's counter a few times a second and draws; no worker ever waits for it. The
//! bar appears after a second, on standard error, and only when that is a terminal.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::plan::duration;
use crate::run::Control;

/// How long a run may take without a bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two looks.
const TICK: Duration = Duration::from_millis(200);

/// A bar that is there as long as this value lives.
pub(super) struct Progress {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts to watch a run over `total` positions, or whatever the unit is.
    pub(super) fn start(control: Arc<Control>, total: u64, unit: &'static str) -> Self {
        if !stderr().is_terminal() {
            return Self { done: None, thread: None };
        }
        let (done, wait) = channel();
        let thread = std::thread::spawn(move || watch(&control, total, unit, &wait));
        Self { done: Some(done), thread: Some(thread) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(thread) = self.thread.take() {
            // A bar that failed to draw is no reason to fail.
            let _ = thread.join();
        }
    }
}

fn watch(control: &Control, total: u64, unit: &str, done: &Receiver<()>) {
    let start = Instant::now();
    if done.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
        return;
    }
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    // No colours: nothing to switch off for NO_COLOR.
    if let Ok(style) =
        ProgressStyle::with_template(&format!("{{bar:30}} {{human_pos}} of {{human_len}} {unit}, {{msg}}"))
    {
        bar.set_style(style);
    }
    while done.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        let reached = control.reached().min(total);
        bar.set_position(reached);
        bar.set_message(match reached {
            _ if control.is_stopped() => "stopping".to_owned(),
            0 => "starting".to_owned(),
            _ => format!("about {} left", duration(left(reached, total, start.elapsed().as_secs_f64()))),
        });
    }
    bar.finish_and_clear();
}

/// Seconds left, if the work below a position grows with its power 3/2, as a sieve's does for the squares.
fn left(reached: u64, total: u64, elapsed: f64) -> f64 {
    elapsed * ((total as f64 / reached as f64).powf(1.5) - 1.0)
}

/// Progress of a search that goes level by level: a line that changes, under the same conditions as a bar.
pub(super) struct Levels {
    line: ProgressBar,
    start: Instant,
}

impl Levels {
    /// Starts to show levels, if they are wanted.
    pub(super) fn start(wanted: bool) -> Self {
        let visible = wanted && stderr().is_terminal();
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let line = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            line.set_style(style);
        }
        Self { line, start: Instant::now() }
    }

    /// Shows the level that was just finished.
    pub(super) fn show(&self, text: &str) {
        if self.start.elapsed() >= PATIENCE {
            self.line.set_message(text.to_owned());
            self.line.tick();
        }
    }
}

impl Drop for Levels {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}
