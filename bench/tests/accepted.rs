//! The module costs what was accepted, to the last unit of fuel.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed set-up fails the test"
)]

use lws_bench::accepted::Costs;
use lws_bench::environment::toolchain;
use lws_bench::error::REMEDY;
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Whether the compiler here is the one whose module was accepted: without rustup it may be another.
fn is_pinned() -> bool {
    let version = Command::new("rustc")
        .arg("--version")
        .current_dir(root())
        .output()
        .unwrap();
    String::from_utf8_lossy(&version.stdout).starts_with(&format!("rustc {} ", toolchain()))
}

#[test]
fn the_module_costs_what_was_accepted() {
    if !is_pinned() {
        eprintln!("left out: the compiler is not Rust {}", toolchain());
        return;
    }
    let module =
        std::fs::read(root().join("policy.wasm")).expect("make policy.wasm builds the module");
    let text = std::fs::read_to_string(root().join("bench/accepted.txt")).unwrap();
    let accepted = Costs::parse(&text).unwrap();
    let now = Costs::measure(&module, &accepted.reason).unwrap();
    let differences = accepted.differences(&now);
    assert!(
        differences.is_empty(),
        "the module costs something else than bench/accepted.txt says; if that is good, {REMEDY}\n{}",
        differences.join("\n")
    );
    assert_eq!(text, accepted.to_string(), "{REMEDY}");
}
