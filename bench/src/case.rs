//! The requests that are measured, as Kubewarden hands them over.

// Indexing here builds literal requests; a wrong name would be a fault of this file.
#![allow(clippy::indexing_slicing)]

use crate::object::{self, KEY, Place};
use serde::Serialize;
use serde_json::{Value, json};

/// Sizes of the pods, in KiB of their JSON text.
pub const POD_SIZES: [usize; 6] = [1, 4, 16, 64, 256, 1024];
/// Sizes of the sets, in KiB of their JSON text.
pub const SET_SIZES: [usize; 2] = [3, 17];

/// What the policy decides about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// A pod.
    Pod,
    /// A LeaderWorkerSet.
    Set,
}

/// What the policy decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Accepted, and none of its business: a pod that belongs to no set, a set that is deleted.
    Unread,
    /// Accepted, and nothing to change: all is there, or the update touches nothing that counts.
    Unchanged,
    /// Accepted with a placement, or a stamp.
    Injected,
    /// Refused, as it contradicts its placement.
    Refused,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Unread, Self::Unchanged, Self::Injected, Self::Refused];

    /// One word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unread => "unread",
            Self::Unchanged => "unchanged",
            Self::Injected => "injected",
            Self::Refused => "refused",
        }
    }

    /// Whether an answer, as JSON, decides like this.
    #[must_use]
    pub fn is_of(self, answer: &[u8]) -> bool {
        let Ok(answer) = serde_json::from_slice::<Value>(answer) else {
            return false;
        };
        let is_mutated = answer.get("mutated_object").is_some_and(Value::is_object);
        match answer.get("accepted").and_then(Value::as_bool) {
            Some(true) => is_mutated == (self == Self::Injected) && self != Self::Refused,
            Some(false) => self == Self::Refused && !is_mutated,
            None => false,
        }
    }
}

/// A request.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name in tables and in the file of accepted costs, without spaces.
    pub name: String,
    /// Pod or set.
    pub subject: Subject,
    /// Size of the object's JSON text, in KiB.
    pub kib: usize,
    /// What the policy has to decide.
    pub verdict: Verdict,
    /// What Kubewarden hands over: settings and request.
    pub payload: Vec<u8>,
}

/// Every request: pods by size and verdict, then sets.
#[must_use]
pub fn all() -> Vec<Case> {
    let pods = POD_SIZES
        .iter()
        .flat_map(|kib| Verdict::ALL.map(|verdict| pod(*kib, verdict)));
    let sets = SET_SIZES
        .iter()
        .flat_map(|kib| Verdict::ALL.map(|verdict| set(*kib, verdict)));
    pods.chain(sets).collect()
}

/// A pod of `kib` KiB that is created, about which the policy decides `verdict`.
#[must_use]
pub fn pod(kib: usize, verdict: Verdict) -> Case {
    let place = match verdict {
        Verdict::Unread | Verdict::Injected => Place::Absent,
        Verdict::Unchanged => Place::Right,
        Verdict::Refused => Place::Wrong,
    };
    let pod = object::pod(kib << 10, verdict != Verdict::Unread, place);
    let payload = payload("CREATE", ("", "Pod", "pods"), Some(pod), None);
    case(Subject::Pod, kib, verdict, payload)
}

/// A set of `kib` KiB, about which the policy decides `verdict`: a new one that is stamped or refused, one that is
/// scaled, one that is deleted.
#[must_use]
pub fn set(kib: usize, verdict: Verdict) -> Case {
    let of = |replicas, place| Some(object::set(kib << 10, replicas, place));
    let kind = (
        "leaderworkerset.x-k8s.io",
        "LeaderWorkerSet",
        "leaderworkersets",
    );
    let payload = match verdict {
        Verdict::Unread => payload("DELETE", kind, None, of(2, Place::Absent)),
        Verdict::Unchanged => payload("UPDATE", kind, of(3, Place::Absent), of(2, Place::Absent)),
        Verdict::Injected => payload("CREATE", kind, of(2, Place::Absent), None),
        Verdict::Refused => payload("CREATE", kind, of(2, Place::Wrong), None),
    };
    case(Subject::Set, kib, verdict, payload)
}

fn case(subject: Subject, kib: usize, verdict: Verdict, payload: Value) -> Case {
    let what = match subject {
        Subject::Pod => "pod",
        Subject::Set => "set",
    };
    Case {
        name: format!("{what}-{kib}KiB-{}", verdict.name()),
        subject,
        kib,
        verdict,
        payload: payload.to_string().into_bytes(),
    }
}

/// Settings and request; `kind` is group, kind and resource.
fn payload(
    operation: &str,
    kind: (&str, &str, &str),
    object: Option<Value>,
    old: Option<Value>,
) -> Value {
    let (group, name, resource) = kind;
    let kind = json!({"group": group, "version": "v1", "kind": name});
    let resource = json!({"group": group, "version": "v1", "resource": resource});
    let mut request = json!({
        "uid": "00000000-0000-0000-0000-000000000000",
        "kind": kind,
        "requestKind": kind,
        "resource": resource,
        "requestResource": resource,
        "operation": operation,
        "name": "fruit-0-1",
        "namespace": "red",
        "userInfo": {
            "username": "system:serviceaccount:kube-system:statefulset-controller",
            "uid": "00000000-0000-0000-0000-000000000002",
            "groups": ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
        },
        "dryRun": false,
    });
    if let Some(object) = object {
        request["object"] = object;
    }
    if let Some(old) = old {
        request["oldObject"] = old;
    }
    let settings = json!({
        "replicaSpecificNodeSelector": KEY,
        "replicaSpecificToleration": [{"key": KEY, "effect": "NoSchedule"}],
    });
    json!({"settings": settings, "request": request})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_decides_what_a_case_says() {
        for case in all() {
            let answer = lws_replica_placement::validate(&case.payload);
            assert!(
                case.verdict.is_of(&answer),
                "{}: {}",
                case.name,
                String::from_utf8_lossy(&answer)
            );
        }
    }

    #[test]
    fn names_are_different_and_have_no_spaces() {
        let mut names: Vec<String> = all().into_iter().map(|case| case.name).collect();
        assert!(names.iter().all(|name| !name.contains(char::is_whitespace)));
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!((names.len(), count), (32, 32));
    }
}
