//! The floor: what a waPC module costs before it does anything.
//!
//! | operation | what it does |
//! |---|---|
//! | `validate` | accepts; the payload is copied into the module, as waPC does with each, and not looked at |
//! | `scan` | looks at the whole payload once as JSON, keeps nothing of it, and accepts |
//! | `bytes` | looks at each byte of the payload once, without knowing that it is JSON, and accepts |
//!
//! `scan` is the cheapest complete look at a JSON text that a policy in Rust usually has: serde_json reads it into
//! [`IgnoredAny`](https://docs.rs/serde/latest/serde/de/struct.IgnoredAny.html). `bytes` is there to compare.
#![cfg(target_os = "wasi")]
// The exported name is what makes this an entry; nothing unsafe happens behind it.
#![allow(unsafe_code)]

use serde::de::IgnoredAny;
use std::hint::black_box;
use wapc_guest::CallResult;

/// The host calls this once per instance, before the first operation.
#[unsafe(no_mangle)]
pub extern "C" fn wapc_init() {
    wapc_guest::register_function("validate", validate);
    wapc_guest::register_function("scan", scan);
    wapc_guest::register_function("bytes", bytes);
}

fn accept() -> CallResult {
    Ok(b"{\"accepted\":true}".to_vec())
}

fn validate(_payload: &[u8]) -> CallResult {
    accept()
}

fn scan(payload: &[u8]) -> CallResult {
    serde_json::from_slice::<IgnoredAny>(payload)?;
    accept()
}

fn bytes(payload: &[u8]) -> CallResult {
    // Nobody reads the sum, and without the box nobody would count it.
    black_box(
        payload
            .iter()
            .fold(0_u32, |sum, byte| sum ^ u32::from(*byte)),
    );
    accept()
}
