//! What of a request decides whether it reaches a policy.

use super::selector::Labels;
use crate::request::Request;
use serde_json::Value;

/// A request's resource, operation and namespace, and the labels of its objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target<'a> {
    /// The resource's API group; empty for the core group.
    pub group: &'a str,
    /// The resource's version.
    pub version: &'a str,
    /// The resource, in the plural.
    pub resource: &'a str,
    /// The subresource; empty for none.
    pub subresource: &'a str,
    /// CREATE, UPDATE, DELETE or CONNECT.
    pub operation: &'a str,
    /// The namespace.
    pub namespace: &'a str,
    /// The labels of the object and of the old object, as far as there are any. Either may match (Kubernetes looks at
    /// both).
    pub labels: Vec<Labels>,
}

impl<'a> Target<'a> {
    /// What a request is about.
    #[must_use]
    pub fn of(request: &'a Request) -> Self {
        let value = request.value();
        let text = |pointer| {
            value
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let objects = ["object", "oldObject"]
            .into_iter()
            .filter_map(|field| value.get(field));
        Self {
            group: text("/resource/group"),
            version: text("/resource/version"),
            resource: text("/resource/resource"),
            subresource: text("/subResource"),
            operation: text("/operation"),
            namespace: text("/namespace"),
            labels: objects
                .filter(|object| object.is_object())
                .map(labels)
                .collect(),
        }
    }

    /// A pod's creation, of whose labels nothing is said.
    #[must_use]
    pub fn pod_created(namespace: &'a str) -> Self {
        Self {
            group: "",
            version: "v1",
            resource: "pods",
            subresource: "",
            operation: "CREATE",
            namespace,
            labels: Vec::new(),
        }
    }

    /// A set's creation, of whose labels nothing is said.
    #[must_use]
    pub fn set_created(namespace: &'a str) -> Self {
        Self {
            group: "leaderworkerset.x-k8s.io",
            resource: "leaderworkersets",
            ..Self::pod_created(namespace)
        }
    }
}

/// An object's labels. What is no text is no label: the API server would refuse it.
pub(super) fn labels(object: &Value) -> Labels {
    let map = object
        .pointer("/metadata/labels")
        .and_then(Value::as_object);
    let entries = map.into_iter().flatten();
    entries
        .filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
        .collect()
}
