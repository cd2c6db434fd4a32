//! What decides at an edge, or seldom: small sets, second containers, leaders that are unlike their workers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use lws_expand::{DisaggregatedSet, Form, LeaderWorkerSet};
use serde_json::{Value, json};

fn set(spec: &Value, template: &Value) -> LeaderWorkerSet {
    let mut set = json!({
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "fruit", "namespace": "red"},
        "spec": {"replicas": 1, "leaderWorkerTemplate": {"size": 3, "workerTemplate": {"spec": {"containers": [
            {"name": "main", "image": "example.test/serve:1"},
        ]}}}},
    });
    for (name, value) in spec.as_object().unwrap() {
        set["spec"][name] = value.clone();
    }
    for (name, value) in template.as_object().unwrap() {
        set["spec"]["leaderWorkerTemplate"][name] = value.clone();
    }
    LeaderWorkerSet::from_value(&set).unwrap()
}

/// A container's variables of a name, container by container.
fn variables<'a>(pod: &'a Value, name: &str) -> Vec<&'a str> {
    let containers = pod["spec"]["containers"].as_array().unwrap();
    let variables = containers
        .iter()
        .flat_map(|container| container["env"].as_array().unwrap());
    variables
        .filter(|variable| variable["name"] == name)
        .map(|variable| variable["value"].as_str().unwrap())
        .collect()
}

fn asking(name: &str) -> Value {
    json!({"name": name, "image": "example.test/serve:1", "resources": {"limits": {"google.com/tpu": 4}}})
}

#[test]
fn ports_count_on_over_the_containers_that_ask() {
    let containers =
        json!({"spec": {"containers": [asking("one"), asking("two"), asking("three")]}});
    let set = set(&json!({}), &json!({"workerTemplate": containers}));
    let leader = set.replica(0).leader(Form::AfterWebhook);
    assert_eq!(
        variables(&leader, "TPU_PROCESS_PORT"),
        ["8476", "8477", "8478"]
    );
}

#[test]
fn workers_count_from_0_where_the_leader_asks_for_no_tpus() {
    let set = set(
        &json!({}),
        &json!({
            "leaderTemplate": {"spec": {"containers": [{"name": "main", "image": "example.test/lead:1"}]}},
            "workerTemplate": {"spec": {"containers": [asking("main")]}},
        }),
    );
    let replica = set.replica(0);
    for (worker, id) in [(1, "0"), (2, "1")] {
        let pod = replica.worker(worker, Form::AfterWebhook);
        assert_eq!(variables(&pod, "TPU_WORKER_ID"), [id]);
    }
    let leader = replica.leader(Form::AfterWebhook);
    assert!(variables(&leader, "TPU_WORKER_ID").is_empty());
}

/// A leader alone waits for no group.
#[test]
fn hash_leaders_without_workers_have_no_readiness_gate() {
    for (size, gates) in [(1, 0), (2, 1)] {
        let set = set(&json!({"groupIdentity": "Hash"}), &json!({"size": size}));
        let leader = set.replica(0).leader(Form::BeforeWebhook);
        let found = leader["spec"]["readinessGates"].as_array();
        assert_eq!(found.map_or(0, Vec::len), gates, "{size}");
    }
}

/// A Hash leader has no name yet when the webhook sees it, so its host name and its group's key stand for it.
#[test]
fn hash_leaders_are_told_by_host_name_and_group_key() {
    let set = set(
        &json!({"groupIdentity": "Hash", "networkConfig": {"subdomainPolicy": "UniquePerReplica"}}),
        &json!({"size": 2, "subGroupPolicy": {"subGroupSize": 1}}),
    );
    let leader = set.replica(0).leader(Form::AfterWebhook);
    let host = leader["spec"]["hostname"].as_str().unwrap();
    assert!(!host.is_empty());
    assert_eq!(leader["spec"]["subdomain"], host);
    assert!(variables(&leader, "LWS_LEADER_ADDRESS")[0].starts_with(&format!("{host}.{host}.")));
}

#[test]
fn subgroups_may_divide_the_workers_alone() {
    for (size, sub, legal) in [
        (5, 4, true),
        (5, 2, true),
        (6, 3, true),
        (6, 5, true),
        (5, 3, false),
        (7, 4, false),
    ] {
        let set = json!({
            "apiVersion": "leaderworkerset.x-k8s.io/v1",
            "kind": "LeaderWorkerSet",
            "metadata": {"name": "fruit"},
            "spec": {"leaderWorkerTemplate": {
                "size": size,
                "subGroupPolicy": {"subGroupSize": sub},
                "workerTemplate": {"spec": {"containers": []}},
            }},
        });
        let read = LeaderWorkerSet::from_value(&set);
        assert_eq!(read.is_ok(), legal, "{size} {sub}");
    }
}

fn disaggregated(names: [&str; 2]) -> Value {
    let role = |name: &str| {
        json!({"name": name, "spec": {"leaderWorkerTemplate": {
            "workerTemplate": {"spec": {"containers": []}}}}})
    };
    json!({
        "apiVersion": "disaggregatedset.x-k8s.io/v1",
        "kind": "DisaggregatedSet",
        "metadata": {"name": "fruit", "namespace": "red"},
        "spec": {"slices": 3, "roles": names.map(role)},
    })
}

#[test]
fn a_disaggregated_set_says_what_it_is() {
    let set = DisaggregatedSet::from_value(&disaggregated(["prefill", "decode"])).unwrap();
    assert_eq!((set.name(), set.namespace()), ("fruit", Some("red")));
    assert_eq!(set.slices(), 3);
    assert_eq!(set.revision().len(), 8);
    for (slice, made) in (0..3).flat_map(|slice| set.slice(slice).map(move |made| (slice, made))) {
        let name = made.value["metadata"]["name"].as_str().unwrap();
        let start = format!("fruit-{slice}-{}-", set.revision());
        assert!(name.starts_with(&start), "{name}");
    }
    let mut bare = disaggregated(["prefill", "decode"]);
    bare["metadata"]
        .as_object_mut()
        .unwrap()
        .remove("namespace");
    let bare = DisaggregatedSet::from_value(&bare).unwrap();
    assert_eq!(bare.namespace(), None);
}

#[test]
fn role_names_are_dns_labels() {
    for (name, legal) in [
        ("a", true),
        ("a-1", true),
        ("1a", true),
        ("", false),
        ("-a", false),
        ("a-", false),
        ("a_b", false),
        ("a.b", false),
        ("A", false),
        ("é", false),
        (&*"a".repeat(64), false),
    ] {
        let read = DisaggregatedSet::from_value(&disaggregated([name, "other"]));
        assert_eq!(read.is_ok(), legal, "{name}");
    }
}
