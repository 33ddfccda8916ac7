//! Ctrl-C and its kin: the first asks the run to stop, the second ends the program at once. Neither leaves an unfinished
//! file behind.

use std::sync::Arc;

use anyhow::{Context as _, Result};

use crate::export::exit;
use crate::run::Control;

/// What each signal does.
fn interrupt(control: &Control) {
    if control.is_stopped() {
        exit(2);
    }
    control.stop();
}

/// Listens for what ends a program: Ctrl-C, `kill`, and a terminal that is closed.
#[cfg(unix)]
pub(super) fn listen(control: Arc<Control>) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    // A signal that was ignored when the program started stays ignored: that is how `nohup` works, and how a shell keeps
    // Ctrl-C from what runs in the background.
    let heeded: Vec<i32> = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|&signal| !is_ignored(signal)).collect();
    let mut signals = signal_hook::iterator::Signals::new(heeded).context("cannot listen for Ctrl-C")?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || signals.forever().for_each(|_| interrupt(&control)))
        .context("cannot listen for Ctrl-C")?;
    Ok(())
}

/// Tells whether the program was started with this signal ignored. Linux writes it down; elsewhere a hang-up is taken for
/// ignored, for `nohup` is more often meant than a closed terminal matters.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mask = std::fs::read_to_string("/proc/self/status").ok().and_then(|status| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    });
    match mask {
        Some(mask) => mask >> (signal - 1) & 1 == 1,
        None => signal == signal_hook::consts::SIGHUP,
    }
}

/// Listens for Ctrl-C.
#[cfg(not(unix))]
pub(super) fn listen(control: Arc<Control>) -> Result<()> {
    ctrlc::set_handler(move || interrupt(&control)).context("cannot listen for Ctrl-C")
}
