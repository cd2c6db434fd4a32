//! L8: which subgroup a pod is in, as LWS v0.10 tells it, from the pod's name and from its label alike.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::{ask, with};
use lws_expand::{Form, LeaderWorkerSet};
use serde_json::{Value, json};

const SIZE: &str = "leaderworkerset.sigs.k8s.io/size";
const SUBGROUP_SIZE: &str = "leaderworkerset.sigs.k8s.io/subgroup-size";
const POLICY_TYPE: &str = "leaderworkerset.sigs.k8s.io/subgroup-policy-type";
const LEADER_NAME: &str = "leaderworkerset.sigs.k8s.io/leader-name";
const WORKER_INDEX: &str = "leaderworkerset.sigs.k8s.io/worker-index";
const NAME: &str = "leaderworkerset.sigs.k8s.io/name";

/// Size of the replica, of a subgroup, policy type, index of the pod (0: the leader), its subgroup.
type Row = (i64, i64, &'static str, i64, Option<i64>);

const LEADER_WORKER: &str = "LeaderWorker";
const LEADER_EXCLUDED: &str = "LeaderExcluded";

const TABLE: [Row; 40] = [
    // The subgroup's size divides the replica's: the leader is one of the first subgroup.
    (4, 2, LEADER_WORKER, 0, Some(0)),
    (4, 2, LEADER_WORKER, 1, Some(0)),
    (4, 2, LEADER_WORKER, 2, Some(1)),
    (4, 2, LEADER_WORKER, 3, Some(1)),
    (6, 3, LEADER_WORKER, 2, Some(0)),
    (6, 3, LEADER_WORKER, 3, Some(1)),
    (6, 2, LEADER_WORKER, 5, Some(2)),
    (8, 4, LEADER_WORKER, 3, Some(0)),
    (8, 4, LEADER_WORKER, 4, Some(1)),
    (4, 4, LEADER_WORKER, 3, Some(0)),
    (64, 16, LEADER_WORKER, 63, Some(3)),
    // It divides the number of workers alone: the leader is one more in the first subgroup.
    (5, 2, LEADER_WORKER, 0, Some(0)),
    (5, 2, LEADER_WORKER, 1, Some(0)),
    (5, 2, LEADER_WORKER, 2, Some(0)),
    (5, 2, LEADER_WORKER, 3, Some(1)),
    (5, 2, LEADER_WORKER, 4, Some(1)),
    (9, 4, LEADER_WORKER, 1, Some(0)),
    (9, 4, LEADER_WORKER, 4, Some(0)),
    (9, 4, LEADER_WORKER, 5, Some(1)),
    (9, 4, LEADER_WORKER, 8, Some(1)),
    (7, 3, LEADER_WORKER, 3, Some(0)),
    (7, 3, LEADER_WORKER, 4, Some(1)),
    // Subgroups of one: 1 divides both, so the workers' own index counts.
    (4, 1, LEADER_WORKER, 0, Some(0)),
    (4, 1, LEADER_WORKER, 1, Some(1)),
    (4, 1, LEADER_WORKER, 3, Some(3)),
    (1, 1, LEADER_WORKER, 0, Some(0)),
    // The leader is in no subgroup.
    (5, 2, LEADER_EXCLUDED, 0, None),
    (5, 2, LEADER_EXCLUDED, 1, Some(0)),
    (5, 2, LEADER_EXCLUDED, 2, Some(0)),
    (5, 2, LEADER_EXCLUDED, 3, Some(1)),
    (9, 4, LEADER_EXCLUDED, 0, None),
    (9, 4, LEADER_EXCLUDED, 4, Some(0)),
    (9, 4, LEADER_EXCLUDED, 5, Some(1)),
    (9, 4, LEADER_EXCLUDED, 8, Some(1)),
    (7, 6, LEADER_EXCLUDED, 6, Some(0)),
    // What LWS's webhook for sets does not let pass, its webhook for pods would still number.
    (6, 4, LEADER_WORKER, 3, Some(0)),
    (6, 4, LEADER_WORKER, 4, Some(1)),
    (3, 8, LEADER_WORKER, 2, Some(0)),
    // A size of 9 in tens of pods that are not there: (9 - 1) % 10 is not 0.
    (9, 10, LEADER_WORKER, 8, Some(0)),
    (11, 10, LEADER_WORKER, 10, Some(0)),
];

fn settings() -> Value {
    json!({"replicaSpecificNodeSelector": "pool.test/group", "placementUnit": "SubGroup"})
}

/// A pod of `fruit-0` as its StatefulSet makes it: by its name alone, or by its label with a name that tells nothing.
fn pod(row: Row, by_label: bool) -> Value {
    let (size, subgroup, kind, index, _) = row;
    let mut pod = json!({
        "kind": "Pod",
        "metadata": {
            "namespace": "red",
            "labels": {NAME: "fruit"},
            "annotations": {SIZE: size.to_string(), SUBGROUP_SIZE: subgroup.to_string(), POLICY_TYPE: kind},
        },
        "spec": {"containers": []},
    });
    if index == 0 {
        pod["metadata"]["name"] = json!("fruit-0");
        pod["metadata"]["labels"][WORKER_INDEX] = json!("0");
        return pod;
    }
    pod["metadata"]["annotations"][LEADER_NAME] = json!("fruit-0");
    if by_label {
        pod["metadata"]["name"] = json!("anything");
        pod["metadata"]["labels"][WORKER_INDEX] = json!(index.to_string());
    } else {
        pod["metadata"]["name"] = json!(format!("fruit-0-{index}"));
    }
    pod
}

fn value(answer: &Value) -> Option<&str> {
    assert_eq!(answer["accepted"], true, "{answer}");
    answer["mutated_object"]["spec"]["nodeSelector"]["pool.test/group"].as_str()
}

#[test]
fn l8_from_the_name_and_from_the_label() {
    for row in TABLE {
        let expected = row.4.map(|index| format!("fruit-0.{index}"));
        for by_label in [false, true] {
            let answer = ask(&settings(), "CREATE", &pod(row, by_label), None);
            assert_eq!(value(&answer), expected.as_deref(), "{row:?}, {by_label}");
        }
    }
}

/// The same pods as LWS's own controllers make them, before and after its webhook.
#[test]
fn l8_of_expanded_sets() {
    for row in TABLE {
        let (size, subgroup, kind, index, expected) = row;
        let mut set = common::set();
        set["spec"]["leaderWorkerTemplate"]["size"] = json!(size);
        set["spec"]["leaderWorkerTemplate"]["subGroupPolicy"] =
            json!({"subGroupSize": subgroup, "type": kind});
        let Ok(set) = LeaderWorkerSet::from_value(&set) else {
            assert!(size % subgroup != 0 && (size - 1) % subgroup != 0 || subgroup > size);
            continue;
        };
        for form in [Form::BeforeWebhook, Form::AfterWebhook] {
            let replica = set.replica(0);
            let pod = match index {
                0 => replica.leader(form),
                _ => replica.worker(u64::try_from(index).unwrap(), form),
            };
            let expected = expected.map(|index| format!("fruit-0.{index}"));
            let answer = ask(&settings(), "CREATE", &pod, None);
            assert_eq!(value(&answer), expected.as_deref(), "{row:?} {form:?}");
            let label =
                pod["metadata"]["labels"]["leaderworkerset.sigs.k8s.io/subgroup-index"].as_str();
            if let (Some(label), Some(expected)) = (label, &expected) {
                assert_eq!(format!("fruit-0.{label}"), *expected, "LWS numbers {row:?}");
            }
        }
    }
}

#[test]
fn l8_the_name_counts_before_the_label() {
    let mut pod = pod((4, 2, LEADER_WORKER, 3, None), false);
    pod["metadata"]["labels"][WORKER_INDEX] = json!("1");
    assert_eq!(
        value(&ask(&settings(), "CREATE", &pod, None)),
        Some("fruit-0.1")
    );
}

#[test]
fn l8_worker_0_of_old_kubernetes_is_cut_towards_0() {
    let mut pod = pod((5, 4, LEADER_WORKER, 1, None), false);
    pod["metadata"]["name"] = json!("fruit-0-0");
    pod["metadata"]["labels"][WORKER_INDEX] = json!("0");
    assert_eq!(
        value(&ask(&settings(), "CREATE", &pod, None)),
        Some("fruit-0.0")
    );
}

#[test]
fn l8_sizes_and_indexes_that_are_none() {
    let cases = [
        (SUBGROUP_SIZE, "0"),
        (SUBGROUP_SIZE, "-2"),
        (SUBGROUP_SIZE, "two"),
        (SUBGROUP_SIZE, ""),
        (SUBGROUP_SIZE, "2.0"),
        (SUBGROUP_SIZE, "99999999999"),
        (SIZE, "0"),
        (SIZE, "-4"),
        (SIZE, "four"),
        (SIZE, ""),
    ];
    for (mark, text) in cases {
        let mut pod = pod((4, 2, LEADER_WORKER, 3, None), false);
        pod["metadata"]["annotations"][mark] = json!(text);
        refused(&pod, mark);
        assert_eq!(
            value(&ask(
                &with(settings(), &json!({"placementUnit": "Replica"})),
                "CREATE",
                &pod,
                None
            )),
            Some("fruit-0"),
            "not asked for"
        );
    }
    for text in ["-1", "x", ""] {
        let mut pod = pod((4, 2, LEADER_WORKER, 3, None), true);
        pod["metadata"]["labels"][WORKER_INDEX] = json!(text);
        refused(&pod, WORKER_INDEX);
    }
    let mut pod = pod((4, 2, LEADER_WORKER, 3, None), true);
    pod["metadata"]["labels"]
        .as_object_mut()
        .unwrap()
        .remove(WORKER_INDEX);
    refused(&pod, WORKER_INDEX);
}

#[track_caller]
fn refused(pod: &Value, mark: &str) {
    let answer = ask(&settings(), "CREATE", pod, None);
    assert_eq!(answer["accepted"], false, "{answer}");
    assert_eq!(answer["code"], 400);
    assert!(
        answer["message"].as_str().unwrap().contains(mark),
        "{answer}"
    );
}
