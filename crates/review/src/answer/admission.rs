//! Kubernetes' `AdmissionResponse`, with the fields, the order and the bytes that Kubewarden gives it.

use super::policy::PolicyAnswer;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use json_patch::{Patch, PatchOperation};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;

/// Kubewarden's words for a mutated object where there was none to mutate.
const NOTHING_TO_MUTATE: &str = "Incoming object is null, which happens only with DELETE operations, but the policy is attempting a mutation. This is not allowed";

/// What the API server is told.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionResponse {
    /// The request's uid.
    pub uid: String,
    /// Whether it may pass.
    pub allowed: bool,
    /// The patch's type, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    patch_type: Option<&'static str>,
    /// What changes; never empty.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "base64")]
    patch: Option<Patch>,
    /// Message and code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Entries for the audit log. Kubewarden writes `null` where there are none.
    pub audit_annotations: Option<BTreeMap<String, String>>,
    /// Lines for the user. Kubewarden writes `null` where there are none.
    pub warnings: Option<Vec<String>>,
}

/// Why a request was refused.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Status {
    /// In words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// As an HTTP status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<u16>,
}

impl AdmissionResponse {
    /// Kubewarden's response to a request with `uid` and `object` (absent at DELETE) that `answer` was given to.
    #[must_use]
    pub fn new(uid: &str, object: Option<&Value>, answer: &PolicyAnswer) -> Self {
        let patch = match (object, &answer.mutated_object) {
            (_, None) => None,
            (None, Some(_)) => return Self::refusal(uid, NOTHING_TO_MUTATE, None),
            (Some(object), Some(mutated)) => Some(json_patch::diff(object, mutated)),
        };
        let status = Status {
            message: answer.message.clone(),
            code: answer.code,
        };
        Self {
            uid: uid.to_owned(),
            allowed: answer.accepted,
            patch_type: None,
            patch: None,
            status: (status != Status::default()).then_some(status),
            audit_annotations: answer.audit_annotations.clone(),
            warnings: answer.warnings.clone(),
        }
        .with_patch(patch.filter(|patch| !patch.is_empty()))
    }

    /// The response where the policy failed: code 500.
    #[must_use]
    pub fn failure(uid: &str, what: &str) -> Self {
        Self::refusal(uid, &format!("internal server error: {what}"), Some(500))
    }

    /// What becomes of this response under a policy named `policy` with `mutating: false` (H3): a patch is refused in
    /// the policy server's words. Audit annotations and warnings stay.
    #[must_use]
    pub fn without_mutation(self, policy: &str) -> Self {
        if self.patch.is_none() {
            return self;
        }
        Self {
            allowed: false,
            status: Some(Status {
                message: Some(format!(
                    "Request rejected by policy {policy}. The policy attempted to mutate the request, but it is currently configured to not allow mutations."
                )),
                code: None,
            }),
            ..self
        }
        .with_patch(None)
    }

    /// The operations of the patch; empty where there is none.
    #[must_use]
    pub fn patch(&self) -> &[PatchOperation] {
        self.patch.as_deref().unwrap_or_default()
    }

    /// The message, where there is one.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.status.as_ref()?.message.as_deref()
    }

    /// The code, where there is one.
    #[must_use]
    pub fn code(&self) -> Option<u16> {
        self.status.as_ref()?.code
    }

    /// An audit annotation's value.
    #[must_use]
    pub fn audit(&self, key: &str) -> Option<&str> {
        self.audit_annotations
            .as_ref()?
            .get(key)
            .map(String::as_str)
    }

    /// `object` with the patch applied, as the API server applies it.
    ///
    /// # Errors
    /// The patch does not fit `object`: it was made for another.
    pub fn apply(&self, object: &Value) -> Result<Value, json_patch::PatchError> {
        let mut patched = object.clone();
        json_patch::patch(&mut patched, self.patch())?;
        Ok(patched)
    }

    /// The response on one line, without the line's end.
    ///
    /// # Errors
    /// serde_json cannot write it; no value this type can hold is known to do that.
    pub fn to_line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    fn refusal(uid: &str, message: &str, code: Option<u16>) -> Self {
        Self {
            uid: uid.to_owned(),
            allowed: false,
            patch_type: None,
            patch: None,
            status: Some(Status {
                message: Some(message.to_owned()),
                code,
            }),
            audit_annotations: None,
            warnings: None,
        }
    }

    fn with_patch(self, patch: Option<Patch>) -> Self {
        Self {
            patch_type: patch.as_ref().map(|_| "JSONPatch"),
            patch,
            ..self
        }
    }
}

/// A patch travels as base64 of its JSON.
fn base64<S: Serializer>(patch: &Option<Patch>, serializer: S) -> Result<S::Ok, S::Error> {
    let text = serde_json::to_vec(patch).map_err(serde::ser::Error::custom)?;
    serializer.serialize_str(&STANDARD.encode(text))
}
