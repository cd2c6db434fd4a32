//! What the linker is told about the module.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if var("CARGO_CFG_TARGET_OS").as_deref() != Ok("wasi") {
        return;
    }
    // A quarter of the usual. Nothing recurses with its input but the comparison of templates, to a depth that is bounded,
    // and an instance's memory begins with its stack.
    println!("cargo::rustc-link-arg-cdylib=-zstack-size=262144");
    if var("PROFILE").as_deref() == Ok("release") {
        // Indices are written in as few bytes as they take; the linker leaves room for the longest, which is 7 % of a
        // module. It cannot do so where it keeps what a debugger needs.
        println!("cargo::rustc-link-arg-cdylib=--strip-debug");
        println!("cargo::rustc-link-arg-cdylib=--compress-relocations");
    }
}
