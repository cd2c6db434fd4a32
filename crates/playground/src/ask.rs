//! One request, asked of the policy as a cluster would.

use crate::POLICY;
use crate::address::Address;
use crate::answer::{Faults, fault};
use lws_expand::{Form, LeaderWorkerSet, Replica};
use lws_review::answer::{AdmissionResponse, judge};
use lws_review::request::Request;
use lws_review::review::request;
use lws_review::settings::Settings;
use serde_json::Value;

/// Asks under settings.
pub(crate) struct Ask<'a>(pub(crate) &'a Settings);

/// An answer, with the object before and after it.
pub(crate) struct Answered {
    pub(crate) response: AdmissionResponse,
    pub(crate) before: Value,
    pub(crate) after: Value,
}

impl Ask<'_> {
    /// The creation of the set or pod that stands at an address, whichever of its pods is meant.
    ///
    /// # Errors
    /// Nothing stands there.
    pub(crate) fn creation(&self, manifests: &str, at: &Address) -> Result<Answered, Faults> {
        let object = at.find(manifests)?;
        let namespace = request::namespace(&object);
        let is_pod = object.get("kind").and_then(Value::as_str) == Some("Pod");
        self.about(&if is_pod {
            request::pod(namespace, &object)
        } else {
            request::set(namespace, &object)
        })
    }

    /// A request.
    ///
    /// # Errors
    /// There is no answer, or its patch does not fit the object; the policy is known for neither.
    pub(crate) fn about(&self, request: &Request) -> Result<Answered, Faults> {
        let before = request.object().cloned().unwrap_or_default();
        let response = judge(&POLICY, self.0.value(), request).map_err(fault)?;
        let after = response.apply(&before).map_err(fault)?;
        Ok(Answered {
            response,
            before,
            after,
        })
    }
}

impl Answered {
    /// The set that is stored, ready to be expanded.
    ///
    /// # Errors
    /// It is no set that LWS could expand.
    pub(crate) fn set(&self) -> Result<LeaderWorkerSet, Faults> {
        LeaderWorkerSet::from_value(&self.after).map_err(fault)
    }
}

/// A pod as LeaderWorkerSet's own webhook leaves it.
pub(crate) fn pod(replica: &Replica<'_>, member: u64) -> Value {
    match member {
        0 => replica.leader(Form::AfterWebhook),
        _ => replica.worker(member, Form::AfterWebhook),
    }
}
