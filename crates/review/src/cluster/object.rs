//! What an object of the input is, and whether only a cluster can have given it.

use lws_manifest::Document;
use serde_json::Value;

/// The API group of LeaderWorkerSets.
const GROUP: &str = "leaderworkerset.x-k8s.io/";

/// The label by which the policy knows the pods of sets (P2).
const NAME: &str = "/metadata/labels/leaderworkerset.sigs.k8s.io~1name";

/// An object, as far as a dump's review needs it.
#[derive(Debug)]
pub(super) enum Object {
    /// A LeaderWorkerSet.
    Set(Value),
    /// A pod.
    Pod(Value),
    /// A node.
    Node(Value),
    /// A namespace.
    Namespace,
    /// Anything else, by its kind.
    Other(String),
    /// What does not say what it is.
    Kindless,
}

impl Object {
    /// The objects of a document, lists in it taken apart.
    pub(super) fn all(document: Document) -> Vec<Self> {
        let kind = document.value.get("kind").and_then(Value::as_str);
        if !kind.is_some_and(|kind| kind.ends_with("List")) {
            return vec![Self::of(document.value)];
        }
        let items = document.items().into_iter();
        items.map(|item| Self::of(item.value.clone())).collect()
    }

    /// Tells what an object is.
    pub(super) fn of(value: Value) -> Self {
        let text = |field| value.get(field).and_then(Value::as_str);
        let version = text("apiVersion").unwrap_or_default();
        match text("kind") {
            Some("LeaderWorkerSet") if version.starts_with(GROUP) => Self::Set(value),
            Some("Pod") if version == "v1" => Self::Pod(value),
            Some("Node") if version == "v1" => Self::Node(value),
            Some("Namespace") if version == "v1" => Self::Namespace,
            Some(kind) => Self::Other(kind.to_owned()),
            None => Self::Kindless,
        }
    }

    /// Whether this object makes its input a dump: a node with a name, a pod that the API server has given a `status.phase`, or a
    /// set's pod with a `spec.nodeName`. Nobody writes these into manifests.
    pub(super) fn is_of_a_cluster(&self) -> bool {
        let text = |pod: &Value, pointer| {
            pod.pointer(pointer)
                .and_then(Value::as_str)
                .is_some_and(|text| !text.is_empty())
        };
        match self {
            Self::Node(node) => text(node, "/metadata/name"),
            Self::Pod(pod) => {
                text(pod, "/status/phase")
                    || (pod.pointer(NAME).is_some() && text(pod, "/spec/nodeName"))
            }
            Self::Set(_) | Self::Namespace | Self::Other(_) | Self::Kindless => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_only_a_cluster_gives() {
        let is = |object: Value| Object::of(object).is_of_a_cluster();
        let pod = |labels: Value, spec: Value, status: Value| json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": labels}, "spec": spec, "status": status});
        let member = json!({"leaderworkerset.sigs.k8s.io/name": "vllm"});
        assert!(is(
            json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}})
        ));
        assert!(!is(json!({"apiVersion": "v1", "kind": "Node"})));
        assert!(is(pod(json!({}), json!({}), json!({"phase": "Pending"}))));
        assert!(is(pod(
            member.clone(),
            json!({"nodeName": "n"}),
            Value::Null
        )));
        // Pinned by hand, or with the empty status that generators write.
        assert!(!is(pod(json!({}), json!({"nodeName": "n"}), json!({}))));
        assert!(!is(pod(member, json!({"nodeName": ""}), json!({}))));
        assert!(!is(json!({"apiVersion": "v1", "kind": "Namespace"})));
        assert!(!is(
            json!({"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet", "status": {"replicas": 1}})
        ));
    }
}
