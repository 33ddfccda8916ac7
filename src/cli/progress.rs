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

/// What a run has to go through: the positions from a start, which were known before, to an end, where the work below a
/// position grows like a power of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Course {
    start: u64,
    end: u64,
    growth: f64,
    unit: &'static str,
}

impl Course {
    /// From 0 to `end`, with the work of a sieve for the squares.
    pub(super) fn to(end: u64) -> Self {
        Self { start: 0, end, growth: 1.5, unit: "positions" }
    }

    /// From where a plan continues, as its engine goes.
    pub(super) fn new(start: u64, end: u64, growth: f64) -> Self {
        Self { start, end, growth, unit: "positions" }
    }

    /// From 0 to `end` of what is no position, each as much work as any other.
    pub(super) fn of(unit: &'static str, end: u64) -> Self {
        Self { start: 0, end, growth: 1.0, unit }
    }

    /// Seconds left at a position that was reached after some; `None` while nothing tells.
    fn left(&self, reached: u64, elapsed: f64) -> Option<f64> {
        let work = |position: u64| (position as f64).powf(self.growth);
        let done = work(reached) - work(self.start);
        (reached > self.start).then(|| elapsed * (work(self.end) - work(reached)) / done)
    }
}

/// Tells whether there is a terminal to draw on.
pub(super) fn is_visible() -> bool {
    stderr().is_terminal()
}

/// A bar that is there as long as this value lives.
pub(super) struct Progress {
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts to watch a run.
    pub(super) fn start(control: Arc<Control>, course: Course) -> Self {
        if !is_visible() {
            return Self { done: None, thread: None };
        }
        let (done, wait) = channel();
        let thread = std::thread::spawn(move || watch(&control, course, &wait));
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

fn watch(control: &Control, course: Course, done: &Receiver<()>) {
    let start = Instant::now();
    if done.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
        return;
    }
    let bar = ProgressBar::with_draw_target(Some(course.end), ProgressDrawTarget::stderr());
    // No colours: nothing to switch off for NO_COLOR.
    let template = format!("{{bar:30}} {{human_pos}} of {{human_len}} {}, {{msg}}", course.unit);
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    while done.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        let reached = control.reached().min(course.end);
        bar.set_position(reached.max(course.start));
        bar.set_message(match course.left(reached, start.elapsed().as_secs_f64()) {
            _ if control.is_stopped() => "stopping".to_owned(),
            Some(seconds) => format!("about {} left", duration(seconds)),
            None => "starting".to_owned(),
        });
    }
    bar.finish_and_clear();
}

/// Progress of a search that goes level by level: a line that changes, under the same conditions as a bar.
pub(super) struct Levels {
    line: ProgressBar,
    start: Instant,
}

impl Levels {
    /// Starts to show levels, if they are wanted.
    pub(super) fn start(wanted: bool) -> Self {
        let visible = wanted && is_visible();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_knows_that_positions_grow_dearer_and_where_the_run_began() {
        let close = |course: Course, reached, expected: f64| {
            let left = course.left(reached, 10.0).unwrap();
            assert!((left - expected).abs() < 1e-9, "{left}");
        };
        // Work 1 of 8 is done after 10 seconds, and 3 of 4 of another run.
        close(Course::to(400), 100, 70.0);
        close(Course::new(0, 400, 1.0), 300, 10.0 / 3.0);
        // From 100 to 400: work 8 - 1, of which nothing is done before 100.
        let resumed = Course::new(100, 900, 1.5);
        close(resumed, 400, 10.0 * 19.0 / 7.0);
        assert_eq!(resumed.left(900, 10.0), Some(0.0));
        assert!([0, 99, 100].iter().all(|&reached| resumed.left(reached, 10.0).is_none()));
    }
}
