//! The waPC entry: what Kubewarden calls in the module.

// The exported name is what makes this an entry; nothing unsafe happens behind it.
#![allow(unsafe_code)]

use kubewarden_policy_sdk::{protocol_version_guest, wapc_guest};
use wapc_guest::CallResult;

/// Kubewarden calls this once per instance, before the first operation.
#[unsafe(no_mangle)]
pub extern "C" fn wapc_init() {
    wapc_guest::register_function("validate", validate);
    wapc_guest::register_function("validate_settings", validate_settings);
    wapc_guest::register_function("protocol_version", protocol_version_guest);
}

fn validate(payload: &[u8]) -> CallResult {
    Ok(crate::validate(payload))
}

fn validate_settings(payload: &[u8]) -> CallResult {
    Ok(crate::validate_settings(payload))
}
