//! Generated input: settings, pods, sets and requests from a seed, written as JSON in every legal spelling.
//!
//! The generator is small and its own, so that a case is one number: a failing test prints it, and
//! `PROPERTY_SEED=<number> PROPERTY_FACTOR=0` runs that case alone. `PROPERTY_FACTOR=100` runs a hundred times as many.
#![allow(dead_code)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod affinity;
pub mod changes;
pub mod json;
pub mod mutate;
pub mod pod;
pub mod random;
pub mod raw;
pub mod request;
pub mod set;
pub mod settings;

/// Runs a property for `count` cases, times `PROPERTY_FACTOR`.
pub fn cases(count: u64, mut property: impl FnMut(&mut random::Random)) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first: u64 = number("PROPERTY_SEED").unwrap_or(1);
    let factor: u64 = number("PROPERTY_FACTOR").unwrap_or(1);
    for seed in first..first + (count * factor).max(1) {
        let _told = Told(seed);
        property(&mut random::Random::new(seed));
    }
}

/// Tells which case failed.
struct Told(u64);

impl Drop for Told {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "failed; repeat with PROPERTY_SEED={} PROPERTY_FACTOR=0",
                self.0
            );
        }
    }
}
