//! A set costs what is read of it, however many replicas it asks for.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use lws_expand::{Form, LeaderWorkerSet, Role};
use serde_json::{Value, json};

fn set(replicas: u64, size: u64, identity: &str) -> LeaderWorkerSet {
    let containers = json!([{"name": "main", "resources": {"limits": {"google.com/tpu": 4}}}]);
    LeaderWorkerSet::from_value(&json!({
        "metadata": {"name": "fruit", "namespace": "red"},
        "spec": {"replicas": replicas, "groupIdentity": identity, "leaderWorkerTemplate": {
            "size": size, "workerTemplate": {"spec": {"containers": containers}}
        }}
    }))
    .unwrap()
}

#[test]
fn the_last_of_a_million_replicas_is_read_directly() {
    let started = Instant::now();
    let set = set(1_000_000, 4, "Ordinal");
    let last = set.replica(999_999);
    assert_eq!(last.leader_name(), "fruit-999999");
    assert_eq!(
        last.worker(3, Form::BeforeWebhook)["metadata"]["name"],
        "fruit-999999-3"
    );
    assert_eq!(
        last.leader(Form::AfterWebhook)["metadata"]["labels"]["leaderworkerset.sigs.k8s.io/group-index"],
        "999999"
    );
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "building a million replicas takes far longer"
    );
}

#[test]
fn iterating_makes_only_what_is_reached() {
    let started = Instant::now();
    let set = set(1_000_000, 4, "Ordinal");
    let mut replicas = set.all_replicas();
    assert_eq!(replicas.len(), 1_000_000);
    let ends = [replicas.next(), replicas.next_back()].map(|replica| replica.unwrap().index());
    assert_eq!(ends, [0, 999_999]);
    assert_eq!(replicas.nth(499_998).unwrap().leader_name(), "fruit-499999");
    assert!(
        started.elapsed() < Duration::from_secs(30),
        "skipping is no building"
    );
}

#[test]
fn the_first_pods_of_a_huge_replica_cost_nothing_more() {
    let set = set(1, 2_147_483_647, "Ordinal");
    let names: Vec<Value> = set
        .replica(0)
        .pods(Form::AfterWebhook)
        .take(3)
        .map(|member| member.pod["metadata"]["name"].clone())
        .collect();
    assert_eq!(names, ["fruit-0", "fruit-0-1", "fruit-0-2"]);
    let last = set.replica(0).worker(2_147_483_646, Form::AfterWebhook);
    assert_eq!(
        last["metadata"]["labels"]["leaderworkerset.sigs.k8s.io/worker-index"],
        "2147483646"
    );
}

#[test]
fn the_members_come_leader_first_and_are_all_there() {
    let set = set(1, 4, "Ordinal");
    let members: Vec<_> = set.replica(0).pods(Form::BeforeWebhook).collect();
    let order: Vec<_> = members
        .iter()
        .map(|member| (member.role, member.worker_index))
        .collect();
    assert_eq!(
        order,
        [
            (Role::Leader, 0),
            (Role::Worker, 1),
            (Role::Worker, 2),
            (Role::Worker, 3)
        ]
    );
    assert_eq!(members[0].pod, set.replica(0).leader(Form::BeforeWebhook));
    assert_eq!(
        members[3].pod,
        set.replica(0).worker(3, Form::BeforeWebhook)
    );
}

#[test]
fn an_expansion_is_the_same_in_every_run() {
    for identity in ["Ordinal", "Hash"] {
        let (one, other) = (set(2, 3, identity), set(2, 3, identity));
        for form in [Form::BeforeWebhook, Form::AfterWebhook] {
            assert!(one.replica(1).pods(form).eq(other.replica(1).pods(form)));
        }
    }
}

#[test]
fn replicas_have_names_and_keys_of_their_own() {
    for identity in ["Ordinal", "Hash"] {
        let set = set(1000, 2, identity);
        let label = |replica: &lws_expand::Replica<'_>| {
            let worker = replica.worker(1, Form::BeforeWebhook);
            worker["metadata"]["labels"]["leaderworkerset.sigs.k8s.io/group-key"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        let names: BTreeSet<_> = set
            .all_replicas()
            .map(|replica| replica.leader_name().to_owned())
            .collect();
        let keys: BTreeSet<_> = set.all_replicas().map(|replica| label(&replica)).collect();
        assert_eq!((names.len(), keys.len()), (1000, 1000), "{identity}");
    }
}
