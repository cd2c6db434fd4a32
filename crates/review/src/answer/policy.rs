//! What a policy answers to `validate`.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Kubewarden's `ValidationResponse`, as a policy sends it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PolicyAnswer {
    /// Whether the request may pass.
    pub accepted: bool,
    /// Why not.
    pub message: Option<String>,
    /// HTTP status that goes with the message.
    pub code: Option<u16>,
    /// The object as it should be; absent: as it is.
    pub mutated_object: Option<Value>,
    /// Entries for the API server's audit log.
    pub audit_annotations: Option<BTreeMap<String, String>>,
    /// Lines that `kubectl` shows to the user.
    pub warnings: Option<Vec<String>>,
}

impl PolicyAnswer {
    /// Reads an answer. Fields that Kubewarden does not know are passed over, as it passes them over.
    ///
    /// # Errors
    /// What is wrong with it, in serde_json's words: Kubewarden shows those.
    pub fn parse(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }
}
