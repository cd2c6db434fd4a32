//! What the process has in memory, over the run.

use std::sync::atomic::{AtomicU64, Ordering};

/// The most resident bytes seen in each tenth of the requests.
pub struct Memory {
    count: usize,
    tenths: [AtomicU64; 10],
}

impl Memory {
    /// For a run of so many requests.
    pub fn new(count: usize) -> Self {
        Self {
            count,
            tenths: Default::default(),
        }
    }

    /// Looks once in a thousandth of the run.
    pub fn sample(&self, index: usize) {
        let often = (self.count / 1_000).max(1);
        if index.is_multiple_of(often) {
            let tenth = (index * 10 / self.count).min(9);
            self.tenths[tenth].fetch_max(field("VmRSS"), Ordering::Relaxed);
        }
    }

    /// Resident bytes in the first tenth.
    pub fn first(&self) -> u64 {
        self.tenths[0].load(Ordering::Relaxed)
    }

    /// Resident bytes in the last tenth.
    pub fn last(&self) -> u64 {
        self.tenths[9].load(Ordering::Relaxed)
    }

    /// The most that the process ever had, by the kernel's count.
    pub fn peak() -> u64 {
        field("VmHWM")
    }
}

/// A field of `/proc/self/status`, in bytes; 0 where there is no such file.
fn field(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
        .and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok())
        .map_or(0, |kib| kib * 1024)
}
