//! What is known of the labels of a set's pods before there is a set.

use super::selector::{Known, Selector};
use lws_expand::{Form, LeaderWorkerSet, Role};
use serde_json::{Value, json};

/// The domains of LeaderWorkerSet's labels and of its API group. Nobody else labels pods with keys of theirs.
const DOMAINS: [&str; 2] = ["leaderworkerset.sigs.k8s.io/", "leaderworkerset.x-k8s.io/"];

/// The one label whose value is the same on all leaders: `"0"` (L1).
const WORKER_INDEX: &str = "leaderworkerset.sigs.k8s.io/worker-index";

/// Whether a selector could match a leader, and whether it could match a worker, in this form.
///
/// Keys of LeaderWorkerSet's own domain are there as its controllers and its webhook write them; any other label may be
/// in a template or not.
pub(super) fn can_match(selector: &Selector, form: Form) -> [bool; 2] {
    let set = json!({
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "set", "namespace": "default"},
        "spec": {"replicas": 1, "leaderWorkerTemplate": {
            "size": 2, "workerTemplate": {"spec": {"containers": []}},
        }},
    });
    let Ok(set) = LeaderWorkerSet::from_value(&set) else {
        return [true, true];
    };
    let replica = set.replica(0);
    let leader = replica.leader(form);
    let worker = replica.worker(1, form);
    [(Role::Leader, leader), (Role::Worker, worker)]
        .map(|(role, pod)| selector.can_match(|key| known(&pod, &role, key)))
}

fn known<'a>(pod: &Value, role: &Role, key: &str) -> Known<'a> {
    let labels = pod.pointer("/metadata/labels");
    let is_there = labels.is_some_and(|labels| labels.get(key).is_some());
    if !DOMAINS.iter().any(|domain| key.starts_with(domain)) {
        Known::Open
    } else if !is_there {
        Known::Absent
    } else if key == WORKER_INDEX && matches!(role, Role::Leader) {
        Known::Is("0")
    } else {
        Known::Present
    }
}
