//! A Kubewarden policy that gives every LeaderWorkerSet replica nodes of its own.
//!
//! Into each pod of a replica it injects a node selector and a toleration, both valued with the
//! replica's leader pod name, so that a cluster autoscaler builds one set of nodes per replica. It
//! also judges pods and LeaderWorkerSets that get this wrong.
//!
//! The decision is pure: bytes in, bytes out, without I/O, clock or randomness. The waPC entry
//! (`src/wapc.rs`) is compiled for WASI alone, so the same library serves the native host and the
//! browser. `docs/design.md` is the contract; the ids in the code (P6, I4 ...) are its rules.
//!
//! Read the modules in this order: [`json`] how a payload is read, [`request`] the envelope, [`settings`], [`annotations`],
//! [`placement`] and [`stamp`] what is asked for, [`pod`], [`marks`] and [`member`] whose pod it is, [`value`] and
//! [`subgroup`] the replica value, [`standing`] all this put together, [`findings`] with [`affinity`] and [`toleration`]
//! what the pod has already, [`decide`] the decision, [`splice`] and [`answer`] what goes back; [`set`] the same for
//! LeaderWorkerSets. The rest are words and helpers: [`key`], [`taint`], [`lws`], [`named`], [`number`], [`message`],
//! [`fields`].

pub mod affinity;
pub mod annotations;
pub mod answer;
pub mod decide;
pub mod fields;
pub mod findings;
pub mod json;
pub mod key;
pub mod lws;
pub mod marks;
pub mod member;
pub mod message;
pub mod named;
pub mod number;
pub mod placement;
pub mod pod;
pub mod request;
pub mod set;
pub mod settings;
pub mod splice;
pub mod stamp;
pub mod standing;
pub mod subgroup;
pub mod taint;
pub mod toleration;
pub mod value;

use fields::{FieldFault, Place};

#[cfg(target_os = "wasi")]
mod wapc;

/// Answers one admission request.
///
/// Takes Kubewarden's payload, `{"settings": {...}, "request": {...}}`, as UTF-8 JSON, and gives a
/// `ValidationResponse` as JSON. It never fails: a payload that cannot be read is answered with a
/// rejection that names the place (R5).
#[must_use]
pub fn validate(payload: &[u8]) -> Vec<u8> {
    decide::answer(payload)
}

/// Judges settings: takes the settings as JSON and gives Kubewarden's
/// `SettingsValidationResponse`, `{"valid": true}` or `{"valid": false, "message": "..."}` with a
/// sentence for each fault (C4). It never fails.
#[must_use]
pub fn validate_settings(payload: &[u8]) -> Vec<u8> {
    let document = std::str::from_utf8(payload)
        .map_err(|error| json::not_utf8(&error))
        .and_then(json::document);
    let faults = match document {
        Err(problem) => vec![FieldFault::at("settings", &Place::WHOLE, &problem)],
        Ok(raw) => settings::Settings::read(Some(raw))
            .err()
            .unwrap_or_default(),
    };
    answer::settings_json(&faults)
}
