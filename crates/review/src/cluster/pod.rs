//! What there is to know of one pod, before it is kept.

use lws_replica_placement::standing::Demand;
use serde_json::Value;

/// The annotation of a static pod's mirror.
const MIRROR: &str = "/metadata/annotations/kubernetes.io~1config.mirror";

/// The label by which the policy knows the pods of sets (P2).
const NAME: &str = "/metadata/labels/leaderworkerset.sigs.k8s.io~1name";

/// Why a pod is of no account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PassedOver {
    /// It has ended (`status.phase` is Succeeded or Failed): it takes no room.
    Ended,
    /// It is being deleted: the policy passes it over (P3), and its room is free soon.
    Leaving,
    /// One that every node has: a DaemonSet's, or a static pod's mirror.
    Everywhere,
}

/// A pod that takes room, or waits for it.
#[derive(Debug)]
pub(super) struct Pod {
    pub(super) namespace: String,
    pub(super) name: String,
    /// Where it runs; none while it waits.
    pub(super) node: Option<String>,
    /// Whether a scheduling gate keeps it waiting.
    pub(super) is_gated: bool,
    /// Its part in a set.
    pub(super) member: Option<Member>,
}

/// A pod of a set.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) set: String,
    /// The leader pod's name; none where it cannot be told.
    pub(super) leader: Option<String>,
    /// What it must carry; none where nothing is asked, or where it cannot be told.
    pub(super) demand: Option<Demand>,
    pub(super) verdict: Verdict,
    /// The policy's words where it refuses, without the pod's name.
    pub(super) message: Option<String>,
}

/// What the policy makes of a pod of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It passes, placed or not asked to be.
    Passes,
    /// It lacks what it must carry.
    Lacks,
    /// It carries something else.
    Contradicts,
    /// What it must carry cannot be told, or the module failed.
    Unclear,
}

/// Why a pod is of no account; none where it is of some.
pub(super) fn passed_over(pod: &Value) -> Option<PassedOver> {
    let phase = text(pod, "/status/phase");
    if matches!(phase, Some("Succeeded" | "Failed")) {
        return Some(PassedOver::Ended);
    }
    let is_there = |pointer| pod.pointer(pointer).is_some_and(|value| !value.is_null());
    if is_there("/metadata/deletionTimestamp") {
        return Some(PassedOver::Leaving);
    }
    (is_there(MIRROR) || is_controlled_everywhere(pod)).then_some(PassedOver::Everywhere)
}

/// The pod as one of no set.
pub(super) fn ordinary(pod: &Value) -> Pod {
    let gates = pod.pointer("/spec/schedulingGates");
    Pod {
        namespace: text(pod, "/metadata/namespace")
            .unwrap_or("default")
            .to_owned(),
        name: text(pod, "/metadata/name")
            .unwrap_or("without a name")
            .to_owned(),
        node: text(pod, "/spec/nodeName").map(str::to_owned),
        is_gated: gates
            .and_then(Value::as_array)
            .is_some_and(|gates| !gates.is_empty()),
        member: None,
    }
}

/// The set that a pod says it belongs to.
pub(super) fn set(pod: &Value) -> Option<&str> {
    // A wrong type there is for the policy to refuse.
    pod.pointer(NAME)
        .map(|name| name.as_str().unwrap_or_default())
}

fn is_controlled_everywhere(pod: &Value) -> bool {
    let owners = pod.pointer("/metadata/ownerReferences");
    let mut owners = owners.and_then(Value::as_array).into_iter().flatten();
    owners.any(|owner| {
        owner.get("controller") == Some(&Value::Bool(true))
            && matches!(
                owner.get("kind").and_then(Value::as_str),
                Some("DaemonSet" | "Node")
            )
    })
}

fn text<'a>(pod: &'a Value, pointer: &str) -> Option<&'a str> {
    pod.pointer(pointer)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pods_of_no_account() {
        let owned = |kind: &str, controller: bool| json!({"metadata": {"ownerReferences": [{"kind": kind, "name": "x", "controller": controller}]}});
        for (pod, expected) in [
            (json!({"status": {"phase": "Failed"}}), PassedOver::Ended),
            (
                json!({"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}}),
                PassedOver::Leaving,
            ),
            (
                json!({"metadata": {"annotations": {"kubernetes.io/config.mirror": "x"}}}),
                PassedOver::Everywhere,
            ),
            (owned("DaemonSet", true), PassedOver::Everywhere),
            (owned("Node", true), PassedOver::Everywhere),
        ] {
            assert_eq!(passed_over(&pod), Some(expected), "{pod}");
        }
        for pod in [
            json!({"status": {"phase": "Pending"}, "metadata": {"deletionTimestamp": null}}),
            owned("DaemonSet", false),
            owned("StatefulSet", true),
        ] {
            assert_eq!(passed_over(&pod), None, "{pod}");
        }
    }
}
