//! Leaders without a name (L4): their placement follows when LWS lifts their gate (P7, P10), with a patch that the API
//! server takes on an UPDATE (K3).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::{ask, asking_for, merge, set, with};
use lws_expand::{Form, LeaderWorkerSet};
use serde_json::{Value, json};

const KEY: &str = "pool.test/group";
const GATE: &str = "leaderworkerset.sigs.k8s.io/group-replacement";

fn hash_set() -> Value {
    let mut set = set();
    set["spec"]["groupIdentity"] = json!("Hash");
    let answer = ask(&asking_for(KEY), "CREATE", &set, None);
    assert_eq!(answer["accepted"], true, "{answer}");
    assert_eq!(answer["audit_annotations"], json!({"decision": "inject"}));
    let warnings = answer["warnings"].to_string();
    assert!(
        warnings.contains("recreated replica asks for new nodes"),
        "{warnings}"
    );
    answer["mutated_object"].clone()
}

#[test]
fn p7_p10_the_value_follows_when_the_gate_is_lifted() {
    let stored = hash_set();
    let expanded = LeaderWorkerSet::from_value(&stored).unwrap();
    let mut values = Vec::new();
    for index in 0..2 {
        let replica = expanded.replica(index);
        // The settings have changed since the set was stamped.
        let settings = asking_for("pool.test/other");
        for form in [Form::BeforeWebhook, Form::AfterWebhook] {
            let leader = replica.leader(form);
            assert!(leader["metadata"]["name"].is_null());
            let answer = ask(&settings, "CREATE", &leader, None);
            assert_eq!(
                answer,
                json!({"accepted": true, "audit_annotations": {"decision": "defer"}})
            );
            let judged = ask(
                &with(settings.clone(), &json!({"action": "Validate"})),
                "CREATE",
                &leader,
                None,
            );
            assert_eq!(judged, answer, "Validate cannot tell either");
        }
        let mut old = replica.leader(Form::AfterWebhook);
        old["metadata"]["name"] = json!(replica.leader_name());
        assert_eq!(old["spec"]["schedulingGates"], json!([{"name": GATE}]));
        let mut new = old.clone();
        new["spec"]
            .as_object_mut()
            .unwrap()
            .remove("schedulingGates");
        let answer = ask(&settings, "UPDATE", &new, Some(&old));
        assert_eq!(answer["accepted"], true, "{answer}");
        assert_eq!(
            answer["audit_annotations"],
            json!({"decision": "inject", "replica-value": replica.leader_name()})
        );
        let leader = &answer["mutated_object"];
        assert_eq!(
            leader["spec"]["nodeSelector"],
            json!({KEY: replica.leader_name()})
        );
        for member in replica.pods(Form::AfterWebhook).skip(1) {
            let answer = ask(&settings, "CREATE", &member.pod, None);
            let worker = &answer["mutated_object"];
            for field in ["nodeSelector", "tolerations"] {
                assert_eq!(worker["spec"][field], leader["spec"][field]);
            }
        }
        values.push(replica.leader_name().to_owned());
        // The status that follows changes nothing more.
        let mut later = leader.clone();
        later["status"] = json!({"phase": "Pending"});
        assert_eq!(
            ask(&settings, "UPDATE", &later, Some(leader)).get("mutated_object"),
            None
        );
    }
    assert_ne!(values[0], values[1]);
}

/// What may stand in a pod's spec before and after an update that is not the policy's.
fn specs() -> Vec<(Value, Value)> {
    let gates = [
        json!(null),
        json!([]),
        json!([{"name": GATE}]),
        json!([{"name": GATE}, {"name": "kueue.x-k8s.io/admission"}]),
    ];
    let selectors = [
        json!(null),
        json!({}),
        json!({"a": "b"}),
        json!({KEY: "fruit-0"}),
        json!({KEY: "manual"}),
    ];
    let entry =
        json!({"key": KEY, "operator": "Equal", "value": "fruit-0", "effect": "NoSchedule"});
    let mut for_a_while = entry.clone();
    for_a_while["tolerationSeconds"] = json!(5);
    let tolerations = [
        json!(null),
        json!([]),
        json!([{"operator": "Exists"}]),
        json!([for_a_while, {"key": "a", "operator": "Gt", "value": "3"}]),
        json!([{"operator": "Exists"}, entry]),
    ];
    let mut specs = Vec::new();
    let count = |gates: &Value| gates.as_array().map_or(0, Vec::len);
    for old_gates in &gates {
        // Gates are only ever taken away.
        let fewer = |gates: &&Value| count(gates) <= count(old_gates);
        for new_gates in gates.iter().filter(fewer) {
            for selector in &selectors {
                for tolerations in &tolerations {
                    let old = json!({"schedulingGates": old_gates, "nodeSelector": selector, "tolerations": tolerations});
                    let mut new = old.clone();
                    new["schedulingGates"] = new_gates.clone();
                    specs.push((old.clone(), new.clone()));
                    merge(
                        &mut new,
                        &json!({"nodeSelector": {"kueue.test/flavor": "x"}}),
                    );
                    specs.push((old, new));
                }
            }
        }
    }
    specs
}

#[test]
fn k3_every_patch_of_an_update_is_one_that_the_api_server_takes() {
    let mut settings = Vec::new();
    for more in [
        json!({}),
        json!({"replicaSpecificNodeSelector": []}),
        json!({"replicaSpecificToleration": []}),
        json!({"replicaSpecificNodeSelector": [KEY, "pool.test/other"]}),
        json!({"action": "Validate"}),
        json!({"unstampedPods": "Leave"}),
    ] {
        settings.push(with(asking_for(KEY), &more));
    }
    let stamps = [
        None,
        Some("{}"),
        Some(r#"{"nodeSelector":["pool.test/stamped"]}"#),
        Some("no JSON"),
    ];
    let (mut patches, mut keys, mut none) = (0, 0, 0);
    for (old_spec, new_spec) in specs() {
        for settings in &settings {
            for stamp in stamps {
                let pod = |spec: &Value| {
                    json!({
                        "kind": "Pod",
                        "metadata": {
                            "name": "fruit-0", "namespace": "red",
                            "labels": {
                                "leaderworkerset.sigs.k8s.io/name": "fruit",
                                "leaderworkerset.sigs.k8s.io/worker-index": "0",
                            },
                            "annotations": {common::STAMP: stamp.unwrap_or_default()},
                        },
                        "spec": spec,
                    })
                };
                let (mut old, mut new) = (pod(&old_spec), pod(&new_spec));
                if stamp.is_none() {
                    for pod in [&mut old, &mut new] {
                        pod["metadata"]
                            .as_object_mut()
                            .unwrap()
                            .remove("annotations");
                    }
                }
                let answer = ask(settings, "UPDATE", &new, Some(&old));
                let Some(mutated) = answer.get("mutated_object") else {
                    none += 1;
                    continue;
                };
                patches += 1;
                assert_eq!(answer["accepted"], true);
                let is_gated = old["spec"]["schedulingGates"]
                    .as_array()
                    .is_some_and(|gates| !gates.is_empty());
                assert!(is_gated, "a patch of a pod without gate: {answer}");
                keys += usize::from(only_gains(&new, mutated));
            }
        }
    }
    assert!(
        patches > 1_000 && keys > 1_000 && none > 1_000,
        "{patches} {keys} {none}"
    );
}

/// Nothing but new keys of the node selector and new tolerations at the end; whether there are new keys.
fn only_gains(before: &Value, after: &Value) -> bool {
    let empty_map = serde_json::Map::new();
    let empty_list = Vec::new();
    let selector = |pod: &Value| {
        let selector = pod["spec"]["nodeSelector"].as_object();
        selector.unwrap_or(&empty_map).clone()
    };
    let tolerations = |pod: &Value| {
        let tolerations = pod["spec"]["tolerations"].as_array();
        tolerations.unwrap_or(&empty_list).clone()
    };
    let (old, new) = (selector(before), selector(after));
    for (key, value) in &old {
        assert_eq!(new.get(key), Some(value), "a key is lost or changed");
    }
    assert!(
        tolerations(after).starts_with(&tolerations(before)),
        "a toleration is lost, changed or moved"
    );
    let rest = |pod: &Value| {
        let mut pod = pod.clone();
        let spec = pod["spec"].as_object_mut().unwrap();
        spec.remove("nodeSelector");
        spec.remove("tolerations");
        pod
    };
    assert_eq!(rest(before), rest(after), "another field is changed");
    new.len() > old.len()
}
