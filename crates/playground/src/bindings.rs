//! The border to JavaScript. Texts go in, JSON texts come out; what is wrong is in them, as a value.

use crate::address::Address;
use crate::answer::json;
use crate::{detail, difference, picture, policies, result};
use wasm_bindgen::prelude::wasm_bindgen;

/// Answers an admission request: the bytes that the policy module answers to `validate`.
#[wasm_bindgen]
#[must_use]
pub fn validate(payload: &[u8]) -> Vec<u8> {
    lws_replica_placement::validate(payload)
}

/// Judges settings: the bytes that the policy module answers to `validate_settings`.
#[wasm_bindgen(js_name = validateSettings)]
#[must_use]
pub fn validate_settings(payload: &[u8]) -> Vec<u8> {
    lws_replica_placement::validate_settings(payload)
}

/// [`crate::review`] as JSON.
#[wasm_bindgen]
#[must_use]
pub fn review(manifests: &str, settings: &str) -> String {
    json(crate::review(manifests, settings))
}

/// [`picture::picture`] as JSON.
#[wasm_bindgen]
#[must_use]
pub fn picture(manifests: &str, settings: &str) -> String {
    json(picture::picture(manifests, settings))
}

/// [`detail::detail`] as JSON; the address is JSON too.
#[wasm_bindgen]
#[must_use]
pub fn detail(manifests: &str, settings: &str, address: &str) -> String {
    let address = Address::read(address);
    json(address.and_then(|address| detail::detail(manifests, settings, &address)))
}

/// [`result::result`] as JSON.
#[wasm_bindgen]
#[must_use]
pub fn result(manifests: &str, settings: &str) -> String {
    json(result::result(manifests, settings))
}

/// [`difference::difference`] as JSON.
#[wasm_bindgen]
#[must_use]
pub fn difference(manifests: &str, from: &str, to: &str) -> String {
    json(difference::difference(manifests, from, to))
}

/// [`policies::policies`] as JSON.
#[wasm_bindgen]
#[must_use]
pub fn policies(settings: &str) -> String {
    json(policies::policies(settings))
}
