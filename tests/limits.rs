//! Limits at their edge, and what is told there word for word: one less is legal, one more is not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::ask;
use lws_replica_placement::validate_settings;
use serde_json::{Value, json};

/// What is wrong with settings.
fn judged(settings: &str) -> String {
    let answer: Value = serde_json::from_slice(&validate_settings(settings.as_bytes())).unwrap();
    answer["message"].as_str().unwrap_or_default().to_owned()
}

/// The second of two fields of one name would win in one reader and lose in another.
#[test]
fn c2_a_field_twice_is_a_fault() {
    assert_eq!(
        judged(r#"{"action":"Inject","action":"Inject"}"#),
        "settings: \"action\" stands there twice; keep one"
    );
}

#[test]
fn c6_what_the_policy_sets_in_a_toleration_is_told_with_its_reason() {
    assert_eq!(
        judged(
            r#"{"replicaSpecificToleration":[{"key":"a","operator":"Equal","value":"b","tolerationSeconds":1,"x":1}]}"#
        ),
        "settings.replicaSpecificToleration[0].operator: is always Equal; remove it. \
         settings.replicaSpecificToleration[0].value: is the replica value; remove it. \
         settings.replicaSpecificToleration[0].tolerationSeconds: would end the toleration; remove it. \
         settings.replicaSpecificToleration[0]: unknown field \"x\"; did you mean \"key\"?"
    );
}

/// C4, across the faults of several tolerations: 64 are told, and whether there are more.
#[test]
fn c4_faults_of_tolerations_are_counted_together() {
    for (faults, has_more) in [
        (63, false),
        (64, false),
        (65, true),
        (66, true),
        (128, true),
    ] {
        // Two faults a toleration; an odd one is of the last.
        let mut items = vec![r#"{"key":"a","value":"x","operator":"y"}"#; faults / 2];
        if faults % 2 == 1 {
            items.push(r#"{"key":"b","value":"x"}"#);
        }
        let keys: Vec<String> = items
            .iter()
            .enumerate()
            .map(|(i, item)| item.replacen("\"a\"", &format!("\"a{i}\""), 1))
            .collect();
        let told = judged(&format!(
            r#"{{"replicaSpecificToleration":[{}]}}"#,
            keys.join(",")
        ));
        assert_eq!(told.matches("remove it").count(), faults.min(64), "{told}");
        assert_eq!(
            told.contains("has more faults"),
            has_more,
            "{faults}: {told}"
        );
    }
}

/// P5: 253 characters are a pod's longest name.
#[test]
fn p5_leader_names_of_253_characters() {
    let settings =
        json!({"replicaSpecificNodeSelector": "pool.test/group", "overlongValue": "Hash"});
    for (length, accepted) in [(252, true), (253, true), (254, false)] {
        let name = "f".repeat(length);
        let pod = json!({
            "kind": "Pod",
            "metadata": {
                "name": "fruit-0-1",
                "namespace": "red",
                "labels": {"leaderworkerset.sigs.k8s.io/name": "fruit"},
                "annotations": {"leaderworkerset.sigs.k8s.io/leader-name": name},
            },
            "spec": {},
        });
        let answer = ask(&settings, "CREATE", &pod, None);
        assert_eq!(answer["accepted"], accepted, "{length}: {answer}");
    }
}

/// P11: a running pod that lacks its placement is spoken of where an update changes what would make it.
#[test]
fn p11_each_field_of_the_spec_that_is_named_brings_the_warning() {
    let settings = json!({
        "replicaSpecificNodeSelector": "pool.test/group",
        "replicaSpecificToleration": [{"key": "pool.test/group"}],
    });
    let old = json!({
        "kind": "Pod",
        "metadata": {
            "name": "fruit-0",
            "namespace": "red",
            "labels": {
                "leaderworkerset.sigs.k8s.io/name": "fruit",
                "leaderworkerset.sigs.k8s.io/worker-index": "0",
            },
        },
        "spec": {"nodeName": "node-1"},
    });
    let warnings = |spec: Value| {
        let mut new = old.clone();
        new["spec"] = spec;
        let answer = ask(&settings, "UPDATE", &new, Some(&old));
        assert_eq!(answer["accepted"], true, "{answer}");
        answer["warnings"].clone()
    };
    let text = "pod \"red/fruit-0\" lacks its replica's placement, which it cannot get any more";
    for field in [
        json!({"tolerations": [{"key": "other", "operator": "Exists"}]}),
        json!({"nodeSelector": {"other": "x"}}),
        json!({"affinity": {}}),
    ] {
        let mut spec = json!({"nodeName": "node-1"});
        common::merge(&mut spec, &field);
        assert_eq!(warnings(spec), json!([text]), "{field}");
    }
    let other = json!({"nodeName": "node-1", "priority": 1});
    assert_eq!(warnings(other), Value::Null);
}
