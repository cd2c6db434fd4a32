//! One object held against the policy.

use super::placement::Placement;
use super::reason;
use crate::answer::{AdmissionResponse, judge};
use crate::evaluator::Evaluator;
use crate::policies::Admitted;
use crate::request::Request;
use serde_json::Value;

/// What the policy says of one object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Verdict {
    pub(super) allowed: bool,
    pub(super) message: Option<String>,
    pub(super) code: Option<u16>,
    pub(super) warnings: Vec<String>,
    pub(super) decision: Option<String>,
    pub(super) value: Option<String>,
    pub(super) placement: Placement,
    /// Fields that change, as JSON pointers.
    pub(super) changed: Vec<String>,
    /// The object as it becomes; as it is where it is refused.
    pub(super) object: Value,
}

impl Verdict {
    /// Asks for one object. A module that gives no answer refuses: that is what the API server makes of it.
    pub(super) fn of(module: &dyn Evaluator, settings: &Value, request: &Request) -> Self {
        let before = request.object().unwrap_or(&Value::Null);
        let response = judge(module, settings, request)
            .unwrap_or_else(|fault| AdmissionResponse::failure(request.uid(), &fault.to_string()));
        let (response, object) = match response.apply(before) {
            Ok(object) if response.allowed => (response, object),
            Ok(_) => (response, before.clone()),
            Err(error) => {
                let text = format!("the patch does not fit the object: {error}");
                (
                    AdmissionResponse::failure(request.uid(), &text),
                    before.clone(),
                )
            }
        };
        let value = response
            .audit("replica-value")
            .filter(|value| !value.is_empty());
        Self {
            allowed: response.allowed,
            message: response.message().map(str::to_owned),
            code: response.code(),
            decision: response.audit("decision").map(str::to_owned),
            placement: Placement::between(before, &object, value),
            value: value.map(str::to_owned),
            changed: response
                .patch()
                .iter()
                .map(|operation| operation.path().to_string())
                .collect(),
            warnings: response.warnings.clone().unwrap_or_default(),
            object,
        }
    }

    /// What policies made of `before`.
    pub(super) fn of_chain(before: &Value, admitted: Admitted) -> Self {
        let audit = |key: &str| {
            let value = admitted.audit.get(key).cloned();
            value.filter(|value| !value.is_empty())
        };
        let object = if admitted.allowed {
            admitted.object
        } else {
            before.clone()
        };
        let value = audit("replica-value");
        Self {
            allowed: admitted.allowed,
            code: admitted.code,
            decision: audit("decision"),
            placement: Placement::between(before, &object, value.as_deref()),
            value,
            changed: json_patch::diff(before, &object)
                .iter()
                .map(|operation| operation.path().to_string())
                .collect(),
            message: admitted.message,
            warnings: admitted.warnings,
            object,
        }
    }

    /// What differs from a verdict about the same pod in its other form; none where nothing does. The rest of the pod
    /// is another, so its other fields are not compared.
    pub(super) fn differs(&self, other: &Self) -> Option<String> {
        let told = |verdict: &Self| {
            let what = if verdict.allowed {
                "accepted"
            } else {
                "refused"
            };
            let value = verdict.value.as_deref().unwrap_or("none");
            let message = verdict.message.as_deref().map(reason::after_name);
            let message = message.map_or_else(String::new, |message| format!(" ({message})"));
            format!("{what} with value {value}{message}")
        };
        let same = self.allowed == other.allowed
            && self.code == other.code
            && self.message == other.message
            && self.decision == other.decision
            && self.value == other.value
            && self.placement == other.placement;
        (!same).then(|| {
            let (before, after) = (told(self), told(other));
            if before == after {
                format!("{before}, but not with the same selector and tolerations")
            } else {
                format!("{before} before, {after} after")
            }
        })
    }
}
