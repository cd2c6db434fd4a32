//! What a set may leave out, and what is told of sets that cannot be expanded.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use lws_expand::{Form, Identity, LeaderWorkerSet};
use serde_json::{Value, json};

fn set() -> Value {
    json!({
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "fruit", "namespace": "red"},
        "spec": {"replicas": 2, "leaderWorkerTemplate": {
            "size": 4,
            "workerTemplate": {"spec": {"containers": [{"name": "main", "image": "example.test/serve:1"}]}}
        }}
    })
}

/// The set with the value at a JSON pointer's place; its parents are made where they are missing.
fn with(pointer: &str, value: Value) -> Value {
    let mut set = set();
    let mut slot = &mut set;
    for key in pointer.split('/').skip(1).map(|key| key.replace("~1", "/")) {
        slot = match slot {
            Value::Array(list) => &mut list[key.parse::<usize>().unwrap()],
            other => {
                if !other.is_object() {
                    *other = json!({});
                }
                other
                    .as_object_mut()
                    .unwrap()
                    .entry(key)
                    .or_insert(Value::Null)
            }
        };
    }
    *slot = value;
    set
}

fn told(set: &Value) -> String {
    LeaderWorkerSet::from_value(set).unwrap_err().to_string()
}

#[test]
fn what_is_absent_or_null_has_lws_defaults() {
    let mut bare = set();
    bare["metadata"]
        .as_object_mut()
        .unwrap()
        .remove("namespace");
    for nothing in [None, Some(Value::Null)] {
        for (pointer, key) in [
            ("/spec", "replicas"),
            ("/spec/leaderWorkerTemplate", "size"),
        ] {
            let object = bare.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
            object.remove(key);
            nothing
                .clone()
                .map(|null| object.insert(key.to_owned(), null));
        }
        let set = LeaderWorkerSet::from_value(&bare).unwrap();
        assert_eq!(
            (set.replicas(), set.size(), set.identity()),
            (1, 1, Identity::Ordinal)
        );
        assert_eq!((set.name(), set.namespace()), ("fruit", None));
        assert_eq!(
            set.replica(0).leader(Form::BeforeWebhook)["metadata"]["namespace"],
            "default"
        );
    }
}

#[test]
fn an_absent_kind_is_taken_at_the_callers_word() {
    let mut set = set();
    set.as_object_mut()
        .unwrap()
        .retain(|key, _| key == "metadata" || key == "spec");
    assert!(LeaderWorkerSet::from_value(&set).is_ok());
}

#[test]
fn zero_replicas_are_a_set_without_pods() {
    let set = LeaderWorkerSet::from_value(&with("/spec/replicas", json!(0))).unwrap();
    assert_eq!(set.all_replicas().count(), 0);
    assert_eq!(
        set.replica(0).leader_name(),
        "fruit-0",
        "a surge may make one"
    );
}

#[test]
fn the_identity_is_reported() {
    for (given, identity) in [
        (json!("Hash"), Identity::Hash),
        (json!("Ordinal"), Identity::Ordinal),
        (json!(""), Identity::Ordinal),
    ] {
        let set = LeaderWorkerSet::from_value(&with("/spec/groupIdentity", given)).unwrap();
        assert_eq!(set.identity(), identity);
    }
}

#[test]
fn each_fault_names_the_field_and_the_remedy() {
    let template = "/spec/leaderWorkerTemplate";
    let worker = "/spec/leaderWorkerTemplate/workerTemplate";
    let deep = |tail: &str| format!("{worker}{tail}");
    let cases: Vec<(String, Value, &str)> = vec![
        (
            "/kind".into(),
            json!("Pod"),
            "kind is \"Pod\"; it must be LeaderWorkerSet",
        ),
        (
            "/apiVersion".into(),
            json!("apps/v1"),
            "apiVersion is \"apps/v1\"; it must be leaderworkerset.x-k8s.io/v1",
        ),
        (
            "/metadata".into(),
            json!([]),
            "metadata is a list; it must be an object",
        ),
        (
            "/metadata/name".into(),
            Value::Null,
            "metadata.name is missing; give it the set's name, from which its pods' names are made",
        ),
        (
            "/metadata/name".into(),
            json!(""),
            "metadata.name is \"\"; it must be the set's name, from which its pods' names are made",
        ),
        (
            "/metadata/namespace".into(),
            json!(7),
            "metadata.namespace is a number; it must be a string",
        ),
        (
            "/metadata/annotations/a~1b".into(),
            json!(true),
            "metadata.annotations[\"a/b\"] is a boolean; it must be a string",
        ),
        (
            "/spec".into(),
            Value::Null,
            "spec is missing; give it a leaderWorkerTemplate",
        ),
        (
            "/spec".into(),
            json!("x"),
            "spec is a string; it must be an object",
        ),
        (
            "/spec/replicas".into(),
            json!(-1),
            "spec.replicas is -1; it must be from 0 to 2147483647",
        ),
        (
            "/spec/replicas".into(),
            json!("2"),
            "spec.replicas is a string; it must be a whole number",
        ),
        (
            "/spec/replicas".into(),
            json!(1.5),
            "spec.replicas is a fraction; it must be a whole number",
        ),
        (
            "/spec/replicas".into(),
            json!(u64::MAX),
            "spec.replicas is a number out of range; it must be a whole number",
        ),
        (
            "/spec/replicas".into(),
            json!(2_147_483_647),
            "spec.replicas is 2147483647; it must be less: with a size of 4 the most is 536870911",
        ),
        (
            "/spec/groupIdentity".into(),
            json!("Random"),
            "spec.groupIdentity is \"Random\"; it must be Ordinal or Hash",
        ),
        (
            "/spec/networkConfig/subdomainPolicy".into(),
            json!("None"),
            "spec.networkConfig.subdomainPolicy is \"None\"; it must be Shared or UniquePerReplica",
        ),
        (
            "/spec/networkConfig".into(),
            json!([1]),
            "spec.networkConfig is a list; it must be an object",
        ),
        (
            template.into(),
            Value::Null,
            "spec.leaderWorkerTemplate is missing; give it a size and a workerTemplate",
        ),
        (
            format!("{template}/size"),
            json!(0),
            "spec.leaderWorkerTemplate.size is 0; it must be from 1 to 2147483647",
        ),
        (
            format!("{template}/size"),
            json!(2_147_483_648_u64),
            "spec.leaderWorkerTemplate.size is 2147483648; it must be from 1 to 2147483647",
        ),
        (
            worker.into(),
            Value::Null,
            "spec.leaderWorkerTemplate.workerTemplate is missing; give it the workers' pod template",
        ),
        (
            worker.into(),
            json!([]),
            "spec.leaderWorkerTemplate.workerTemplate is a list; it must be an object",
        ),
        (
            format!("{template}/leaderTemplate"),
            json!("x"),
            "spec.leaderWorkerTemplate.leaderTemplate is a string; it must be an object",
        ),
        (
            format!("{template}/leaderTemplate"),
            json!({}),
            "spec.leaderWorkerTemplate.leaderTemplate.spec is missing; give it the pod's spec",
        ),
        (
            deep("/metadata/labels/app"),
            Value::Null,
            "spec.leaderWorkerTemplate.workerTemplate.metadata.labels.app is null; it must be a string",
        ),
        (
            deep("/metadata/labels"),
            json!(["a"]),
            "spec.leaderWorkerTemplate.workerTemplate.metadata.labels is a list; it must be an object",
        ),
        (
            deep("/metadata/finalizers"),
            json!([1]),
            "spec.leaderWorkerTemplate.workerTemplate.metadata.finalizers[0] is a number; it must be a string",
        ),
        (
            deep("/metadata/annotations/leaderworkerset.sigs.k8s.io~1subgroup-size"),
            json!("0"),
            "spec.leaderWorkerTemplate.workerTemplate.metadata.annotations[\"leaderworkerset.sigs.k8s.io/subgroup-size\"] is \"0\"; it must be a number of at least 1",
        ),
        (
            deep("/spec/containers"),
            json!({}),
            "spec.leaderWorkerTemplate.workerTemplate.spec.containers is an object; it must be a list",
        ),
        (
            deep("/spec/containers"),
            json!(["main"]),
            "spec.leaderWorkerTemplate.workerTemplate.spec.containers[0] is a string; it must be an object",
        ),
        (
            deep("/spec/containers"),
            json!([null]),
            "spec.leaderWorkerTemplate.workerTemplate.spec.containers[0] is null; it must be an object",
        ),
        (
            deep("/spec/containers/0/env"),
            json!({"A": "1"}),
            "spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].env is an object; it must be a list",
        ),
        (
            deep("/spec/affinity/podAffinity"),
            json!(3),
            "spec.leaderWorkerTemplate.workerTemplate.spec.affinity.podAffinity is a number; it must be an object",
        ),
        (
            format!("{template}/subGroupPolicy"),
            json!({}),
            "spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize is missing; give it the number of pods in a subgroup",
        ),
        (
            format!("{template}/subGroupPolicy"),
            json!({"subGroupSize": 0}),
            "spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize is 0; it must be from 1 to the set's size, 4",
        ),
        (
            format!("{template}/subGroupPolicy"),
            json!({"subGroupSize": 5}),
            "spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize is 5; it must be from 1 to the set's size, 4",
        ),
        (
            format!("{template}/subGroupPolicy"),
            json!({"subGroupSize": 2, "type": "LeaderExcluded"}),
            "spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize is 2; it must be a divisor of 3, the size less the leader",
        ),
        (
            format!("{template}/subGroupPolicy"),
            json!({"subGroupSize": 1, "type": "LeaderOnly"}),
            "spec.leaderWorkerTemplate.subGroupPolicy.type is \"LeaderOnly\"; it must be LeaderWorker or LeaderExcluded",
        ),
        (
            format!("{template}/volumeClaimTemplates"),
            json!([{"metadata": {}}]),
            "spec.leaderWorkerTemplate.volumeClaimTemplates[0].metadata.name is missing; give it the claim's name",
        ),
    ];
    for (pointer, value, message) in cases {
        let set = with(&pointer, value);
        let error = LeaderWorkerSet::from_value(&set).expect_err(message);
        assert_eq!(error.to_string(), message);
        assert!(
            error.field().pointer().starts_with(&pointer),
            "{pointer} should lead to {:?}",
            error.field().pointer()
        );
    }
}

#[test]
fn a_size_that_no_subgroup_divides_is_refused() {
    let mut set = with("/spec/leaderWorkerTemplate/size", json!(6));
    set["spec"]["leaderWorkerTemplate"]["subGroupPolicy"] = json!({"subGroupSize": 4});
    assert_eq!(
        told(&set),
        "spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize is 4; it must be a divisor of the set's size, 6, or of one less"
    );
}

#[test]
fn hash_identity_takes_no_claims() {
    let mut set = with("/spec/groupIdentity", json!("Hash"));
    set["spec"]["leaderWorkerTemplate"]["volumeClaimTemplates"] =
        json!([{"metadata": {"name": "data"}}]);
    let message = told(&set);
    assert!(
        message.starts_with("spec.leaderWorkerTemplate.volumeClaimTemplates is ["),
        "{message}"
    );
    assert!(
        message.ends_with("it must be absent: claims need groupIdentity Ordinal"),
        "{message}"
    );
}

#[test]
fn what_is_no_object_is_no_set() {
    assert_eq!(
        told(&Value::Null),
        "the LeaderWorkerSet is missing; give it a LeaderWorkerSet"
    );
    assert_eq!(
        told(&json!([])),
        "the LeaderWorkerSet is a list; it must be an object"
    );
}

#[test]
fn a_long_value_is_shortened_in_the_message() {
    let message = told(&with("/kind", json!("x".repeat(10_000))));
    assert!(message.len() < 120, "{} characters", message.len());
}

/// Every value of a rich set is replaced by every odd one: each is expanded or refused, and a refusal names a field
/// on the way to the one that was changed or below it.
#[test]
fn no_value_anywhere_makes_it_panic() {
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(2_147_483_647),
        json!(1.5),
        json!(u64::MAX),
        json!(""),
        json!("0"),
        json!("x".repeat(300)),
        json!("\u{0}\u{1F34E}"),
        json!([]),
        json!([null]),
        json!({}),
        json!({"": null}),
    ];
    let mut rich = set();
    rich["metadata"]["annotations"] = json!({
        "leaderworkerset.sigs.k8s.io/exclusive-topology": "rack",
        "leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology": "host"
    });
    rich["spec"]["networkConfig"] = json!({"subdomainPolicy": "UniquePerReplica"});
    rich["spec"]["groupIdentity"] = json!("Ordinal");
    let template = &mut rich["spec"]["leaderWorkerTemplate"];
    template["subGroupPolicy"] = json!({"subGroupSize": 2, "type": "LeaderWorker"});
    template["volumeClaimTemplates"] = json!([{"metadata": {"name": "data"}}]);
    template["leaderTemplate"] = json!({
        "metadata": {
            "labels": {"app": "x", "leaderworkerset.sigs.k8s.io/subgroup-index": "1"},
            "annotations": {"leaderworkerset.sigs.k8s.io/subgroup-size": "2"},
            "finalizers": ["example.test/hold"]
        },
        "spec": {
            "containers": [{"env": [{"name": "A"}], "resources": {"limits": {"google.com/tpu": "4"}}}],
            "initContainers": [{"name": "b", "env": null, "resources": {"requests": {"google.com/tpu": 1}}}],
            "volumes": [{"name": "data"}],
            "schedulingGates": [{"name": "g"}],
            "readinessGates": [{"conditionType": "c"}],
            "affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "rack"}]}}
        }
    });
    template["workerTemplate"] = template["leaderTemplate"].clone();
    let mut hash = rich.clone();
    hash["spec"]["groupIdentity"] = json!("Hash");
    hash["spec"]["leaderWorkerTemplate"]
        .as_object_mut()
        .unwrap()
        .remove("volumeClaimTemplates");

    let (mut expanded, mut refused) = (0, 0);
    for whole in [rich, hash] {
        LeaderWorkerSet::from_value(&whole).unwrap();
        let mut pointers = Vec::new();
        collect_pointers(&whole, String::new(), &mut pointers);
        for pointer in &pointers {
            for value in &odd {
                let mut changed = whole.clone();
                *changed.pointer_mut(pointer).unwrap() = value.clone();
                match LeaderWorkerSet::from_value(&changed) {
                    Ok(set) => {
                        expanded += 1;
                        for index in [0, u64::MAX] {
                            for form in [Form::BeforeWebhook, Form::AfterWebhook] {
                                assert!(
                                    set.replica(index)
                                        .pods(form)
                                        .take(3)
                                        .all(|member| member.pod["kind"] == "Pod")
                                );
                                assert_eq!(
                                    set.replica(index).worker(u64::MAX, form)["kind"],
                                    "Pod"
                                );
                            }
                        }
                    }
                    Err(error) => {
                        refused += 1;
                        assert!(!error.to_string().contains('\n'));
                    }
                }
            }
        }
    }
    assert!(
        expanded > 500 && refused > 500,
        "{expanded} expanded, {refused} refused"
    );
}

fn collect_pointers(value: &Value, at: String, pointers: &mut Vec<String>) {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| (key.replace('~', "~0").replace('/', "~1"), value))
            .collect(),
        Value::Array(entries) => entries
            .iter()
            .enumerate()
            .map(|(index, value)| (index.to_string(), value))
            .collect(),
        _ => Vec::new(),
    };
    for (key, value) in below {
        let pointer = format!("{at}/{key}");
        pointers.push(pointer.clone());
        collect_pointers(value, pointer, pointers);
    }
}
