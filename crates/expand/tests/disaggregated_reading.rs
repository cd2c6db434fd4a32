//! What is told of DisaggregatedSets that cannot be expanded, and what their names depend on.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use lws_expand::DisaggregatedSet;
use serde_json::{Value, json};

fn role(name: &str) -> Value {
    json!({"name": name, "spec": {"replicas": 2, "leaderWorkerTemplate": {
        "size": 2,
        "workerTemplate": {"spec": {"containers": [{"name": "main", "image": "example.test/serve:1"}]}}
    }}})
}

fn set() -> Value {
    json!({
        "apiVersion": "disaggregatedset.x-k8s.io/v1",
        "kind": "DisaggregatedSet",
        "metadata": {"name": "fruit", "namespace": "red"},
        "spec": {"roles": [role("prefill"), role("decode")]}
    })
}

fn told(change: impl FnOnce(&mut Value)) -> (String, String) {
    let mut set = set();
    change(&mut set);
    let error = DisaggregatedSet::from_value(&set).unwrap_err();
    (error.to_string(), error.field().pointer())
}

fn names(set: &Value) -> Vec<String> {
    let set = DisaggregatedSet::from_value(set).unwrap();
    let name = |made: lws_expand::GeneratedSet| {
        made.value["metadata"]["name"].as_str().unwrap().to_owned()
    };
    set.sets().map(name).collect()
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let long = "x".repeat(50);
    for (pointer, value, text) in [
        (
            "/kind",
            json!("LeaderWorkerSet"),
            "kind is \"LeaderWorkerSet\"; it must be DisaggregatedSet",
        ),
        (
            "/apiVersion",
            json!("disaggregatedset.x-k8s.io/v1alpha1"),
            "apiVersion is \"disaggregatedset.x-k8s.io/v1alpha1\"; it must be disaggregatedset.x-k8s.io/v1",
        ),
        (
            "/metadata/name",
            json!(""),
            "metadata.name is \"\"; it must be the set's name, from which its LeaderWorkerSets' names are made",
        ),
        (
            "/spec",
            Value::Null,
            "spec is missing; give it a list of roles",
        ),
        (
            "/spec/roles",
            Value::Null,
            "spec.roles is missing; give it 2 to 10 roles, each with a name and a LeaderWorkerSet's spec",
        ),
        (
            "/spec/roles",
            json!({}),
            "spec.roles is an object; it must be a list",
        ),
        (
            "/spec/roles",
            json!([role("alone")]),
            "spec.roles is a list of 1; it must be 2 to 10 roles, each with a name and a LeaderWorkerSet's spec",
        ),
        (
            "/spec/roles/1",
            json!("decode"),
            "spec.roles[1] is a string; it must be an object",
        ),
        (
            "/spec/roles/1",
            Value::Null,
            "spec.roles[1] is null; it must be an object",
        ),
        (
            "/spec/roles/1/name",
            Value::Null,
            "spec.roles[1].name is missing; give it a name of lower case letters, digits and dashes, at most 63 of them",
        ),
        (
            "/spec/roles/1/name",
            json!("De_code"),
            "spec.roles[1].name is \"De_code\"; it must be a name of lower case letters, digits and dashes, at most 63 of them",
        ),
        (
            "/spec/roles/1/name",
            json!("decode-"),
            "spec.roles[1].name is \"decode-\"; it must be a name of lower case letters, digits and dashes, at most 63 of them",
        ),
        (
            "/spec/roles/1/name",
            json!("prefill"),
            "spec.roles[1].name is \"prefill\"; it must be a name that no other role has",
        ),
        (
            "/spec/roles/1/name",
            json!(long),
            &*format!(
                "spec.roles[1].name is \"{long}\"; it must be shorter, or the DisaggregatedSet's name \"fruit\": both together may have 38 characters, or workers get no legal revision label"
            ),
        ),
        (
            "/spec/roles/0/spec",
            Value::Null,
            "spec.roles[0].spec is missing; give it a LeaderWorkerSet's spec",
        ),
        (
            "/spec/roles/0/spec/replicas",
            json!("2"),
            "spec.roles[0].spec.replicas is a string; it must be a whole number",
        ),
        (
            "/spec/roles/0/spec/replicas",
            json!(0),
            "spec.roles[1].spec.replicas is 2; it must be 0 in every role, or at least 1 in every role",
        ),
        (
            "/spec/roles/1/spec/leaderWorkerTemplate/size",
            json!(0),
            "spec.roles[1].spec.leaderWorkerTemplate.size is 0; it must be from 1 to 2147483647",
        ),
        (
            "/spec/roles/1/spec/leaderWorkerTemplate/workerTemplate",
            Value::Null,
            "spec.roles[1].spec.leaderWorkerTemplate.workerTemplate is missing; give it the workers' pod template",
        ),
        (
            "/spec/roles/1/spec/rolloutStrategy",
            json!({"type": "OnDelete"}),
            "spec.roles[1].spec.rolloutStrategy.type is \"OnDelete\"; it must be RollingUpdate or absent",
        ),
        (
            "/spec/roles/1/spec/rolloutStrategy",
            json!({"rollingUpdateConfiguration": {"partition": 1}}),
            "spec.roles[1].spec.rolloutStrategy.rollingUpdateConfiguration.partition is 1; it must be absent: a DisaggregatedSet rolls its roles out together",
        ),
        (
            "/spec/roles/1/metadata",
            json!({"annotations": {"a/b": 1}}),
            "spec.roles[1].metadata.annotations[\"a/b\"] is a number; it must be a string",
        ),
        (
            "/spec/slices",
            json!(0),
            "spec.slices is 0; it must be from 1 to 100",
        ),
        (
            "/spec/slices",
            json!(101),
            "spec.slices is 101; it must be from 1 to 100",
        ),
        (
            "/spec/placementPolicy",
            json!({"type": "Near"}),
            "spec.placementPolicy.type is \"Near\"; it must be None, ExclusiveSlice or ExclusiveTopology",
        ),
        (
            "/spec/placementPolicy",
            json!({"type": "ExclusiveSlice"}),
            "spec.placementPolicy.topology is missing; give it the node label whose values are the domains",
        ),
    ] {
        let (message, _) = told(|set| put(set, pointer, value));
        assert_eq!(message, text);
    }
    let error = DisaggregatedSet::from_value(&json!([])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the DisaggregatedSet is a list; it must be an object"
    );
}

/// Sets the value at a JSON pointer whose parents are there.
fn put(set: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = set.pointer_mut(parent).unwrap();
    match parent {
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        _ => parent[key] = value,
    }
}

#[test]
fn a_fault_of_a_roles_set_is_found_in_the_file() {
    let (message, pointer) = told(|set| {
        put(
            set,
            "/spec/roles/1/spec/leaderWorkerTemplate/workerTemplate/spec/containers/0",
            json!(7),
        );
    });
    assert_eq!(
        message,
        "spec.roles[1].spec.leaderWorkerTemplate.workerTemplate.spec.containers[0] is a number; it must be an object"
    );
    assert_eq!(
        pointer,
        "/spec/roles/1/spec/leaderWorkerTemplate/workerTemplate/spec/containers/0"
    );
}

#[test]
fn roles_that_are_scaled_from_outside_may_have_none() {
    let mut set = set();
    set["spec"]["roles"][0]["spec"]["replicas"] = json!(0);
    set["spec"]["roles"][0]["scaling"] = json!({"mode": "External"});
    assert!(DisaggregatedSet::from_value(&set).is_ok());
}

#[test]
fn a_template_makes_a_new_revision_and_a_number_of_replicas_does_not() {
    let before = names(&set());
    let mut changed = set();
    changed["spec"]["roles"][0]["spec"]["replicas"] = json!(9);
    changed["spec"]["roles"][0]["spec"]["groupIdentity"] = json!("Ordinal");
    changed["metadata"]["annotations"] = json!({"a": "b"});
    assert_eq!(names(&changed), before);
    changed["spec"]["roles"][0]["spec"]["leaderWorkerTemplate"]["size"] = json!(9);
    let after = names(&changed);
    // Roles roll out together: the name of the other one changes too.
    assert!(
        before
            .iter()
            .zip(&after)
            .all(|(before, after)| before != after)
    );
    let revision = |name: &str| name.split('-').nth(2).unwrap().to_owned();
    assert_eq!(revision(&after[0]), revision(&after[1]));
    assert_eq!(revision(&after[0]).len(), 8);
}

#[test]
fn the_longest_names_leave_room_for_the_workers_revision_label() {
    // 52 characters for a leader: fruit-0-01234567-<role>-1 leaves 33 for the role.
    let mut set = set();
    set["spec"]["roles"][0]["name"] = json!("x".repeat(33));
    assert_eq!(names(&set)[0].len(), 50);
    for (pointer, value) in [
        ("/spec/roles/0/name", json!("x".repeat(34))),
        ("/spec/roles/0/spec/replicas", json!(11)),
        ("/spec/slices", json!(11)),
    ] {
        let mut set = set.clone();
        put(&mut set, pointer, value);
        let error = DisaggregatedSet::from_value(&set).unwrap_err();
        assert_eq!(error.field().pointer(), "/spec/roles/0/name", "{error}");
    }
}

#[test]
fn a_hundred_slices_are_a_hundred_sets_of_each_role() {
    let mut set = set();
    set["spec"]["slices"] = json!(100);
    let names = names(&set);
    assert_eq!(names.len(), 200);
    assert!(names[199].starts_with("fruit-99-") && names[199].ends_with("-decode"));
}
