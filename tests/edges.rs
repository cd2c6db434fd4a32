//! Edges: one less than a limit is legal and one more is not, fields that seldom decide, and what is told there word for
//! word.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::ask;
use lws_replica_placement::{validate, validate_settings};
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

const LABELS: [&str; 2] = [
    "leaderworkerset.sigs.k8s.io/name",
    "leaderworkerset.sigs.k8s.io/worker-index",
];

/// A leader called `name`.
fn leader(name: &str) -> Value {
    json!({
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "red", "labels": {LABELS[0]: "fruit", LABELS[1]: "0"}},
        "spec": {},
    })
}

/// Where the request names no namespace, the pod's own counts; an empty one is none.
#[test]
fn c7_the_namespace_of_a_pod_whose_request_has_none() {
    let settings = json!({
        "replicaSpecificNodeSelector": "pool.test/group",
        "replicaValue": "NamespacedLeaderName",
    });
    for (namespace, value) in [("red", Some("red.fruit-0")), ("", None)] {
        let mut pod = leader("fruit-0");
        pod["metadata"]["namespace"] = json!(namespace);
        let payload = json!({"settings": settings, "request": {
            "kind": {"version": "v1", "kind": "Pod"},
            "operation": "CREATE",
            "object": pod,
        }});
        let answer: Value =
            serde_json::from_slice(&validate(payload.to_string().as_bytes())).unwrap();
        assert_eq!(answer["accepted"], value.is_some(), "{answer}");
        let placed = &answer["mutated_object"]["spec"]["nodeSelector"]["pool.test/group"];
        assert_eq!(*placed, json!(value));
    }
}

/// R3: keys whose values differ are told with them, each once, though taints repeat the selector's and each other's.
#[test]
fn r3_each_key_is_told_once() {
    let name = format!("{}-0", "f".repeat(45));
    let settings = json!({
        "overlongValue": "Hash",
        "replicaSpecificNodeSelector": ["plain", "cloud.google.com/gke-placement-group"],
        "replicaSpecificToleration": [
            {"key": "plain"},
            {"key": "cloud.google.com/gke-placement-group"},
            {"key": "other", "effect": "NoSchedule"},
            {"key": "other", "effect": "NoExecute"},
        ],
    });
    let answer = ask(&settings, "CREATE", &leader(&name), None);
    let told = answer["audit_annotations"]["replica-value"]
        .as_str()
        .unwrap();
    let keys: Vec<&str> = told
        .split(',')
        .map(|pair| pair.split_once('=').unwrap().0)
        .collect();
    assert_eq!(
        keys,
        ["plain", "cloud.google.com/gke-placement-group", "other"]
    );
}

/// P5, word for word: what is said of pods that are nobody's member, at CREATE and where an update changes them.
#[test]
fn p5_bystanders_are_told_so() {
    let settings = json!({"replicaSpecificNodeSelector": "pool.test/group"});
    let mut loose = leader("fruit-0");
    loose["metadata"]["labels"] = json!({LABELS[0]: "fruit"});
    let mut copy = leader("copy");
    copy["metadata"]["labels"]["leaderworkerset.sigs.k8s.io/group-key"] = json!("k");
    for (pod, text) in [
        (
            &loose,
            "pod \"red/fruit-0\" is neither leader nor worker; left as it is",
        ),
        (
            &copy,
            "pod \"red/copy\" is a leader's copy that nothing controls; left as it is",
        ),
    ] {
        let told = json!([text]);
        assert_eq!(ask(&settings, "CREATE", pod, None)["warnings"], told);
        for gates in [json!(null), json!([{"name": "a/b"}])] {
            let mut old = pod.clone();
            old["spec"]["schedulingGates"] = gates;
            let mut new = old.clone();
            new["metadata"]["labels"]["app"] = json!("x");
            let untouched = ask(&settings, "UPDATE", &new, Some(&old));
            assert_eq!(untouched["warnings"], Value::Null, "{untouched}");
            new["spec"]["tolerations"] = json!([{"operator": "Exists"}]);
            let touched = ask(&settings, "UPDATE", &new, Some(&old));
            assert_eq!(touched["warnings"], told, "{touched}");
            assert_eq!(touched["accepted"], true);
        }
    }
    // A pod of no set is nobody's business, whatever is done to it.
    let mut other = leader("other");
    other["metadata"]["labels"] = json!({"app": "x"});
    let mut new = other.clone();
    new["spec"]["tolerations"] = json!([{"operator": "Exists"}]);
    assert_eq!(
        ask(&settings, "UPDATE", &new, Some(&other)),
        json!({"accepted": true})
    );
}

/// V1: that LWS places a pod by our key too is no contradiction of its spec, so Validate lets its gate be lifted.
#[test]
fn v1_validate_passes_over_a_topology_of_the_same_key() {
    let mut old = leader("fruit-0");
    old["metadata"]["annotations"] =
        json!({"leaderworkerset.sigs.k8s.io/exclusive-topology": "pool.test/group"});
    old["spec"] = json!({
        "schedulingGates": [{"name": "a/b"}],
        "nodeSelector": {"pool.test/group": "fruit-0"},
    });
    let mut new = old.clone();
    new["spec"]["schedulingGates"] = json!([]);
    for (action, accepted) in [("Validate", true), ("Inject", false)] {
        let settings = json!({"action": action, "replicaSpecificNodeSelector": "pool.test/group"});
        let answer = ask(&settings, "UPDATE", &new, Some(&old));
        assert_eq!(answer["accepted"], accepted, "{action}: {answer}");
    }
}

/// S9: a stamp is taken out with one comma, wherever it stands and however it is spaced.
#[test]
fn s9_a_stamp_is_taken_out_whole() {
    let stamp = r#""lws-replica-placement/placement":"{}""#;
    for (before, after) in [
        (format!(r#"{{{stamp}}}"#), "{}"),
        (format!(r#"{{{stamp},"a":"b"}}"#), r#"{"a":"b"}"#),
        (format!(r#"{{{stamp} , "a":"b"}}"#), r#"{ "a":"b"}"#),
        (format!(r#"{{"a":"b",{stamp}}}"#), r#"{"a":"b"}"#),
        (
            format!(r#"{{"a":"b" , {stamp} ,"c":"d"}}"#),
            r#"{"a":"b" ,"c":"d"}"#,
        ),
    ] {
        let set = |annotations: &str| {
            format!(
                r#"{{"metadata":{{"name":"fruit"}},"spec":{{"leaderWorkerTemplate":{{"workerTemplate":{{"metadata":{{"annotations":{annotations}}}}}}}}}}}"#
            )
        };
        let payload = format!(
            r#"{{"request":{{"kind":{{"group":"leaderworkerset.x-k8s.io","version":"v1","kind":"LeaderWorkerSet"}},"operation":"CREATE","object":{}}}}}"#,
            set(&before)
        );
        let answer = String::from_utf8(validate(payload.as_bytes())).unwrap();
        let expected = format!(r#"{{"accepted":true,"mutated_object":{}}}"#, set(after));
        assert_eq!(answer, expected, "{before}");
    }
}

fn set_of(change: impl FnOnce(&mut Value)) -> Value {
    let mut set = common::set();
    change(&mut set);
    set
}

/// S7: a set that was stored with one wrong type may not get another.
#[test]
fn s7_another_wrong_type_is_new() {
    let settings = json!({"replicaSpecificNodeSelector": "pool.test/group"});
    let wrong = |field: &str| set_of(|set| set["metadata"][field] = json!("text"));
    let stored = set_of(|set| set["spec"]["replicas"] = json!("text"));
    let known = ask(&settings, "UPDATE", &stored, Some(&stored));
    assert_eq!(known["accepted"], true, "{known}");
    let answer = ask(&settings, "UPDATE", &wrong("annotations"), Some(&stored));
    assert_eq!(
        (&answer["accepted"], &answer["code"]),
        (&json!(false), &json!(400))
    );
}

/// Affinity is read where a selector key is asked for, and nowhere else.
#[test]
fn s2_affinity_is_read_for_selector_keys_alone() {
    let set = set_of(|set| {
        set["spec"]["leaderWorkerTemplate"]["workerTemplate"]["spec"]["affinity"] = json!("text");
    });
    for (settings, accepted) in [
        (
            json!({"replicaSpecificToleration": [{"key": "plain"}]}),
            true,
        ),
        (json!({"replicaSpecificNodeSelector": "plain"}), false),
    ] {
        let answer = ask(&settings, "CREATE", &set, None);
        assert_eq!(answer["accepted"], accepted, "{answer}");
    }
}

/// A longer name is refused by the API server, and not written out for every replica until then.
#[test]
fn s2_names_of_253_characters_are_held_against_affinity() {
    let settings = json!({
        "replicaSpecificNodeSelector": "plain",
        "replicaValue": "HashedLeaderName",
    });
    for (length, is_held) in [(252, true), (253, true), (254, false), (255, false)] {
        let set = set_of(|set| {
            set["metadata"]["name"] = json!("f".repeat(length));
            set["spec"]["leaderWorkerTemplate"]["workerTemplate"]["spec"]["affinity"] = json!(
                {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                    {"matchExpressions": [{"key": "plain", "operator": "DoesNotExist"}]},
                ]}}}
            );
        });
        let answer = ask(&settings, "CREATE", &set, None);
        let message = answer["message"].as_str().unwrap_or_default();
        assert_eq!(message.contains("affinity"), is_held, "{length}: {answer}");
    }
}

/// S4: a quarter of 8 replicas are 2 more during a surge, up to index 9; what is over a quarter is rounded up to 3.
#[test]
fn s4_a_surge_in_percent_is_a_share() {
    let settings = json!({"replicaSpecificNodeSelector": "plain"});
    for (surge, accepted) in [("25%", true), ("26%", false), ("100%", false)] {
        let set = set_of(|set| {
            set["metadata"]["name"] = json!("f".repeat(61));
            set["spec"]["replicas"] = json!(8);
            set["spec"]["rolloutStrategy"] =
                json!({"rollingUpdateConfiguration": {"maxSurge": surge}});
        });
        let answer = ask(&settings, "CREATE", &set, None);
        assert_eq!(answer["accepted"], accepted, "{surge}: {answer}");
    }
}

/// S8: what the leader's template lacks is told as well, unless the leader is left out.
#[test]
fn s8_either_template_may_lack_a_machine() {
    let key = "cloud.google.com/gke-placement-group";
    let machine = json!({"cloud.google.com/gke-accelerator": "x"});
    for (bare, members, is_told) in [
        ("leaderTemplate", "All", true),
        ("workerTemplate", "All", true),
        ("leaderTemplate", "Workers", false),
        ("workerTemplate", "Workers", true),
        ("", "All", false),
    ] {
        let mut set = common::set_with_leader();
        for template in ["leaderTemplate", "workerTemplate"] {
            if template != bare {
                let spec = &mut set["spec"]["leaderWorkerTemplate"][template]["spec"];
                spec["nodeSelector"] = machine.clone();
            }
        }
        let settings = json!({
            "replicaSpecificNodeSelector": key,
            "replicaSpecificToleration": [{"key": key}],
            "members": members,
        });
        let answer = ask(&settings, "CREATE", &set, None);
        let warnings = answer["warnings"].to_string();
        let told = warnings.contains("needs an accelerator or compute class");
        assert_eq!(told, is_told, "{bare} {members}: {answer}");
    }
}

/// H4: settings that are no text are refused, and say where.
#[test]
fn settings_that_are_no_text() {
    let answer: Value = serde_json::from_slice(&validate_settings(b"{\"a\": \"\xff\"}")).unwrap();
    assert_eq!(answer["valid"], false);
    let message = answer["message"].as_str().unwrap();
    assert!(message.starts_with("settings: "), "{message}");
}
