//! What a request may cost.

use std::time::Duration;

/// Bounds of one request, and what is measured while it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time for one request, initialisation of the instance included. Kubewarden's policy server gives 2 s.
    pub deadline: Duration,
    /// Bytes of linear memory. Kubernetes sends at most 2 MiB, of which a policy holds a few copies at once; 128 MiB
    /// is far above any honest need and far below what would hurt a node that runs many requests side by side.
    pub memory: usize,
    /// Counts the fuel a request burns, about one unit an instruction. Off by default: compiled code that counts is
    /// slower, and only benchmarks read the figure.
    pub count_fuel: bool,
    /// Fuel a request may burn, where fuel is counted. Absent: as much as the deadline allows.
    pub fuel: Option<u64>,
    /// Compiles for the speed of the module, as a policy server does, instead of for the speed of compiling. Off by
    /// default: a command line runs a module for moments, and waits longer for the compiler than for the policy. What
    /// the module answers, and the fuel it burns, are the same.
    pub optimize: bool,
    /// Seed of the numbers that `random_get` hands out. Fixed, so that a run can be repeated to the last unit of fuel.
    pub seed: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(2),
            memory: 128 << 20,
            count_fuel: false,
            fuel: None,
            optimize: false,
            seed: 0x6c77_735f_7365_6564,
        }
    }
}
