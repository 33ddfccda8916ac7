//! How much memory is free, and how much this process has taken.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Bytes that can be taken without swapping, within the limits of the control group where there is one.
pub(super) fn available() -> u64 {
    let refresh = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(refresh);
    let machine = system.available_memory();
    system.cgroup_limits().map_or(machine, |limits| machine.min(limits.free_memory))
}

/// Starts measuring the peak of this process's memory, where the system can.
pub(super) fn reset_peak() -> bool {
    // Linux: writing 5 sets the high-water mark back to the present size.
    std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// The peak of this process's memory since [`reset_peak`], in bytes.
pub(super) fn peak() -> Option<u64> {
    status("VmHWM:")
}

/// This process's memory now, in bytes.
pub(super) fn resident() -> Option<u64> {
    status("VmRSS:")
}

fn status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| 1024 * kib)
}
