//! What one set alone does not show: sets whose replicas would meet on the same nodes. And leaders without workers.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a failed set-up fails the test"
)]

mod reviewing;

use reviewing::{notes, review, set, settings, written};
use serde_json::{Value, json};

fn told(more: Value, sets: &[Value]) -> Vec<String> {
    let sources: Vec<_> = sets.iter().map(|set| written(set.to_string())).collect();
    let report = review(&settings(more), &sources);
    assert_eq!(report.problems, []);
    notes(&report).into_iter().map(str::to_owned).collect()
}

#[test]
fn one_name_in_two_namespaces_is_told_with_its_remedy() {
    let sets = [set("team-a", "vllm", 3), set("team-b", "vllm", 2)];
    assert_eq!(
        told(json!({}), &sets),
        [
            "LeaderWorkerSet team-b/vllm and LeaderWorkerSet team-a/vllm (input.yaml:1) share the value \"vllm-0\", so their replicas would share nodes, whose labels know no namespace; set replicaValue to NamespacedLeaderName or HashedLeaderName"
        ]
    );
    for value in ["NamespacedLeaderName", "HashedLeaderName"] {
        assert!(
            told(json!({"replicaValue": value}), &sets).is_empty(),
            "{value}"
        );
    }
}

#[test]
fn the_same_value_under_different_keys_is_another_node() {
    let own_key = |namespace: &str, key: &str| {
        let mut set = set(namespace, "vllm", 1);
        set["metadata"]["annotations"] = json!({
            "lws-replica-placement/node-selector": key,
            "lws-replica-placement/toleration": key,
        });
        set
    };
    let replace = json!({"workloadAnnotations": "Replace"});
    let apart = [
        own_key("team-a", "example.com/a"),
        own_key("team-b", "example.com/b"),
    ];
    assert!(told(replace.clone(), &apart).is_empty());
    let together = [
        own_key("team-a", "example.com/a"),
        own_key("team-b", "example.com/a"),
    ];
    assert_eq!(told(replace, &together).len(), 1);
}

#[test]
fn values_cut_to_one_are_no_matter_since_the_hash_differs() {
    let long = |namespace: &str| set(namespace, &"v".repeat(45), 1);
    let hashed = json!({"replicaValue": "HashedLeaderName"});
    assert!(told(hashed, &[long("team-a"), long("team-b")]).is_empty());
}

#[test]
fn leaders_that_will_never_get_workers_are_told() {
    let name = "v".repeat(50);
    assert!(told(json!({}), &[set("a", &name, 10)]).is_empty());
    assert_eq!(
        told(json!({}), &[set("a", &name, 11)]),
        [format!(
            "LeaderWorkerSet a/{name}: its leaders from {name}-10 on have names of over 52 characters and will never get workers, whose revision label would be too long; shorten the set's name to 49 characters"
        )]
    );
    let name = "v".repeat(51);
    let all = told(json!({}), &[set("a", &name, 1)]);
    assert!(
        all[0].contains(": its leaders have names of over 52 characters"),
        "{all:?}"
    );
    assert!(
        all[0].ends_with("shorten the set's name to 50 characters"),
        "{all:?}"
    );
}

#[test]
fn they_are_told_too_where_the_policy_asks_for_nothing() {
    let mut set = set("a", &"v".repeat(55), 1);
    set["metadata"]["annotations"] = json!({"lws-replica-placement/node-selector": ""});
    let replace = json!({"workloadAnnotations": "Replace", "replicaSpecificToleration": []});
    let all = told(replace, &[set]);
    assert!(
        all.iter()
            .any(|note| note.contains("will never get workers")),
        "{all:?}"
    );
}

#[test]
fn who_needs_no_workers_lacks_none() {
    let mut alone = set("a", &"v".repeat(55), 1);
    alone["spec"]["leaderWorkerTemplate"]["size"] = json!(1);
    assert!(told(json!({}), &[alone]).is_empty());
    assert!(told(json!({}), &[set("a", &"v".repeat(55), 0)]).is_empty());
}

#[test]
fn generated_names_count_as_they_are() {
    let hash = |length: usize| {
        let mut set = set("a", &"v".repeat(length), 2);
        set["spec"]["groupIdentity"] = json!("Hash");
        told(json!({}), &[set])
    };
    assert!(hash(30).is_empty());
    let all = hash(40);
    assert!(
        all[0].contains(": its leaders have names of over 52 characters"),
        "{all:?}"
    );
}
