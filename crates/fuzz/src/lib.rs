//! What fuzzing holds the policy and the manifest reader to.
//!
//! Each target takes any bytes and panics where a promise of the contract is broken. `fuzz/` runs them under libFuzzer;
//! `tests/corpus.rs` runs them on stable Rust over the kept corpus and over mutations of it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a target tells what it found by panicking"
)]

#[path = "../../../tests/generate/mod.rs"]
mod generate;
#[path = "../../../tests/oracle/labels.rs"]
#[allow(dead_code)]
mod labels;

mod annotations;
mod manifest;
mod mutate;
mod payload;
mod settings;
mod words;

pub use mutate::{any_bytes, json};

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, and the name of its folder in `fuzz/corpus`.
    pub name: &'static str,
    /// Holds bytes to what is promised; panics where a promise is broken.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 4] = [
    Target {
        name: "annotations",
        run: annotations::run,
    },
    Target {
        name: "manifest",
        run: manifest::run,
    },
    Target {
        name: "payload",
        run: payload::run,
    },
    Target {
        name: "settings",
        run: settings::run,
    },
];

/// Runs the target of a name.
///
/// # Panics
/// There is no such target, or a promise is broken.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.expect("a name in TARGETS").run)(data);
}
