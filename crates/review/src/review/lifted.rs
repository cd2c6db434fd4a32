//! A leader without a name at its creation (L4): stored with a name, held back by a gate, and updated once LeaderWorkerSet
//! lifts the gate. Only then can the policy place it (P7, P10).

use super::request;
use super::verdict::Verdict;
use crate::request::Request;
use serde_json::{Value, json};

/// The gate by which LeaderWorkerSet holds such a leader back.
const GATE: &str = "leaderworkerset.sigs.k8s.io/group-replacement";

const GATES: &str = "/spec/schedulingGates";

/// The update that lifts the gate of a leader that was created as `created` and has got `name`. None where the leader
/// has its name from the start, or no gate.
#[must_use]
pub fn update(namespace: &str, created: &Value, name: &str) -> Option<Request> {
    let has_name = created
        .pointer("/metadata/name")
        .and_then(Value::as_str)
        .is_some_and(|name| !name.is_empty());
    if has_name {
        return None;
    }
    let mut old = created.clone();
    let metadata = old.pointer_mut("/metadata")?.as_object_mut()?;
    metadata.insert("name".to_owned(), json!(name));
    let mut new = old.clone();
    let gates = new.pointer_mut(GATES)?.as_array_mut()?;
    let count = gates.len();
    gates.retain(|gate| gate.get("name").and_then(Value::as_str) != Some(GATE));
    if gates.len() == count {
        return None;
    }
    if gates.is_empty()
        && let Some(spec) = new.pointer_mut("/spec").and_then(Value::as_object_mut)
    {
        spec.remove("schedulingGates");
    }
    Some(request::pod_update(namespace, &old, &new))
}

/// What of the policy's answer the API server would not take (K3): of a pod that is there already only the node selector
/// and the tolerations may gain entries. None where it would take all.
pub(super) fn untakeable(update: &Request, verdict: &Verdict) -> Option<String> {
    let foreign = verdict.changed.iter().find(|pointer| {
        let is_in = |field: &str| {
            pointer
                .strip_prefix(field)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        !is_in("/spec/nodeSelector") && !is_in("/spec/tolerations")
    });
    if let Some(pointer) = foreign {
        return Some(format!("it changes {pointer}"));
    }
    let old = update.value().get("oldObject")?;
    let entries = |pod: &Value| {
        let map = pod.pointer("/spec/nodeSelector").and_then(Value::as_object);
        map.cloned().unwrap_or_default()
    };
    let after = entries(&verdict.object);
    let lost = entries(old)
        .into_iter()
        .find(|(key, value)| after.get(key) != Some(value));
    if let Some((key, _)) = lost {
        return Some(format!("it takes \"{key}\" from the node selector"));
    }
    let entries = |pod: &Value| {
        let list = pod.pointer("/spec/tolerations").and_then(Value::as_array);
        list.cloned().unwrap_or_default()
    };
    let after = entries(&verdict.object);
    let is_lost = entries(old).iter().any(|entry| !after.contains(entry));
    is_lost.then(|| "it takes a toleration away".to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "a failed set-up fails the test"
    )]

    use super::super::placement::Placement;
    use super::*;

    fn leader() -> Value {
        json!({
            "metadata": {"generateName": "v-"},
            "spec": {
                "schedulingGates": [{"name": GATE}, {"name": "example.test/wait"}],
                "nodeSelector": {"a": "b"},
                "tolerations": [{"key": "a"}],
            },
        })
    }

    fn answer(changed: &str, spec: Value) -> Verdict {
        Verdict {
            allowed: true,
            message: None,
            code: None,
            warnings: Vec::new(),
            decision: None,
            value: None,
            placement: Placement::default(),
            changed: vec![changed.to_owned()],
            object: json!({ "spec": spec }),
        }
    }

    #[test]
    fn the_old_pod_is_named_and_gated_and_the_new_one_lost_that_gate_alone() {
        let request = update("d", &leader(), "v-x").unwrap();
        let at = |pointer: &str| request.value().pointer(pointer).cloned();
        assert_eq!(request.operation(), Some("UPDATE"));
        for side in ["oldObject", "object"] {
            assert_eq!(at(&format!("/{side}/metadata/name")), Some(json!("v-x")));
        }
        assert_eq!(
            at("/oldObject/spec/schedulingGates/0/name"),
            Some(json!(GATE))
        );
        let left = json!([{"name": "example.test/wait"}]);
        assert_eq!(at("/object/spec/schedulingGates"), Some(left));
    }

    #[test]
    fn the_last_gate_goes_with_its_list() {
        let mut leader = leader();
        leader["spec"]["schedulingGates"] = json!([{ "name": GATE }]);
        let request = update("d", &leader, "v-x").unwrap();
        assert!(
            request
                .value()
                .pointer("/object/spec/schedulingGates")
                .is_none()
        );
    }

    #[test]
    fn who_has_a_name_or_no_gate_is_not_updated() {
        let mut named = leader();
        named["metadata"]["name"] = json!("v-0");
        assert!(update("d", &named, "v-x").is_none());
        let mut free = leader();
        free["spec"]["schedulingGates"] = json!([{"name": "example.test/wait"}]);
        assert!(update("d", &free, "v-x").is_none());
        assert!(update("d", &json!({"metadata": {}}), "v-x").is_none());
    }

    #[test]
    fn the_api_server_takes_additions_to_two_fields() {
        let request = update("d", &leader(), "v-x").unwrap();
        let told = |changed: &str, spec: Value| untakeable(&request, &answer(changed, spec));
        let more = json!({"nodeSelector": {"a": "b", "k": "v"}, "tolerations": [{"key": "a"}, {"key": "k"}]});
        assert_eq!(told("/spec/nodeSelector/k", more.clone()), None);
        assert_eq!(told("/spec/tolerations", more.clone()), None);
        assert_eq!(
            told("/spec/nodeSelectors", more).as_deref(),
            Some("it changes /spec/nodeSelectors")
        );
        let other = json!({"nodeSelector": {"a": "c"}, "tolerations": [{"key": "a"}]});
        assert_eq!(
            told("/spec/nodeSelector/a", other).as_deref(),
            Some("it takes \"a\" from the node selector")
        );
        let less = json!({"nodeSelector": {"a": "b"}, "tolerations": []});
        assert_eq!(
            told("/spec/tolerations/0", less).as_deref(),
            Some("it takes a toleration away")
        );
    }
}
