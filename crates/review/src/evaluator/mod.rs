//! Whoever answers for the policy: the module on a host, or the policy's own code.

mod fault;

pub use fault::Fault;

use serde::Deserialize;
use serde_json::{Value, json};

/// Answers a policy's requests; what everything here asks.
pub trait Evaluator: Sync {
    /// Answers one waPC operation, `validate` or `validate_settings` (H1, H4).
    ///
    /// # Errors
    /// There is no answer. Later calls are not touched by that.
    fn call(&self, operation: &str, payload: &[u8]) -> Result<Vec<u8>, Fault>;

    /// The bytes with which the policy answers `request`, a `KubernetesAdmissionRequest`, under `settings`.
    ///
    /// # Errors
    /// As [`Evaluator::call`].
    fn validate(&self, settings: &Value, request: &Value) -> Result<Vec<u8>, Fault> {
        self.call("validate", &payload(settings, request))
    }

    /// What the policy says of `settings`.
    ///
    /// # Errors
    /// As [`Evaluator::call`], and an answer that is no settings answer.
    fn validate_settings(&self, settings: &Value) -> Result<SettingsAnswer, Fault> {
        let operation = "validate_settings";
        let answer = self.call(operation, or_none(settings).to_string().as_bytes())?;
        serde_json::from_slice(&answer).map_err(|error| Fault::Malformed {
            operation: operation.to_owned(),
            reason: error.to_string(),
        })
    }
}

/// What the policy says of settings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SettingsAnswer {
    /// Whether a policy server would start with them.
    pub valid: bool,
    /// What is wrong with them.
    pub message: Option<String>,
}

/// Settings and request as Kubewarden hands them over: keys sorted, settings that are null sent as `{}`.
#[must_use]
pub fn payload(settings: &Value, request: &Value) -> Vec<u8> {
    // Written piece by piece: a whole payload as one value would be a copy of the object.
    let settings = or_none(settings);
    format!("{{\"request\":{request},\"settings\":{settings}}}").into_bytes()
}

fn or_none(settings: &Value) -> Value {
    match settings {
        Value::Null => json!({}),
        settings => settings.clone(),
    }
}

/// The policy's code as it is compiled into this program, without a module around it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Native;

impl Evaluator for Native {
    fn call(&self, operation: &str, payload: &[u8]) -> Result<Vec<u8>, Fault> {
        match operation {
            "validate" => Ok(lws_replica_placement::validate(payload)),
            "validate_settings" => Ok(lws_replica_placement::validate_settings(payload)),
            other => Err(Fault::Guest {
                operation: other.to_owned(),
                message: "no such operation; ask for \"validate\" or \"validate_settings\""
                    .to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_policys_own_code_answers() {
        let request =
            json!({"uid": "1", "kind": {"group": "", "version": "v1", "kind": "ConfigMap"}});
        let answer = Native.validate(&Value::Null, &request).unwrap();
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        assert_eq!(answer, json!({"accepted": true}));
        assert!(Native.validate_settings(&Value::Null).unwrap().valid);
    }

    #[test]
    fn a_payload_has_its_keys_sorted() {
        let payload = payload(
            &Value::Null,
            &json!({"uid": "1", "object": {"b": 1, "a": "\""}}),
        );
        assert_eq!(
            String::from_utf8(payload).unwrap(),
            r#"{"request":{"object":{"a":"\"","b":1},"uid":"1"},"settings":{}}"#
        );
    }

    #[test]
    fn it_answers_nothing_else() {
        let fault = Native.call("mutate", b"{}").unwrap_err();
        assert_eq!(
            fault.to_string(),
            "policy answered \"mutate\" with an error: no such operation; ask for \"validate\" or \"validate_settings\""
        );
    }
}
