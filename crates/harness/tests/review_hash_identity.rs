//! Leaders without a name at their creation: what they get once LeaderWorkerSet lifts their gate.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed set-up fails the test"
)]

mod reviewing;

use lws_placement::review::Options;
use lws_placement::review::render::{markdown, style::Look, table};
use lws_placement::review::report::Moment;
use reviewing::{fixture, review, review_with, set, settings, written};
use serde_json::{Value, json};

fn hash_set() -> Value {
    let mut set = set("team-a", "fleet", 2);
    set["spec"]["groupIdentity"] = json!("Hash");
    set
}

#[test]
fn the_update_that_lifts_the_gate_gives_the_leader_its_workers_placement() {
    let report = review(&settings(json!({})), &[fixture("hash-identity.yaml")]);
    assert_eq!(report.problems, []);
    let [created, lifted, workers] = &report.sets[0].shown[0].members[..] else {
        panic!("{:?}", report.sets[0].shown)
    };
    assert_eq!(
        (created.when, created.result.decision.as_deref()),
        (None, Some("defer"))
    );
    assert!(created.result.placement.is_empty());
    assert_eq!(lifted.when, Some(Moment::GateLifted));
    assert_eq!(lifted.pods, ["fleet-78c59cc99d-bbbbb"]);
    assert_eq!(
        lifted.result.value.as_deref(),
        Some("fleet-78c59cc99d-bbbbb")
    );
    assert_eq!(lifted.result, workers.result);
    assert_eq!((report.sum.node_groups, report.sum.pods.total), (1, 3));
    let text = table::write(&report, Look::default());
    assert!(
        text.contains("fleet-78c59cc99d-bbbbb       +compact-placement-group"),
        "{text}"
    );
    assert!(text.contains("(gate lifted)"), "{text}");
    assert!(markdown::write(&report).contains("`fleet-78c59cc99d-bbbbb`<br>`(gate lifted)`"));
    let data = serde_json::to_value(&report).unwrap();
    let members = &data["sets"][0]["shown"][0]["members"];
    assert_eq!(members[1]["when"], "gateLifted");
    assert_eq!(members[0].get("when"), None);
}

#[test]
fn the_leader_as_it_becomes_has_its_name_and_no_gate() {
    let options = Options {
        replicas: 10,
        objects: true,
    };
    let report = review_with(
        &settings(json!({})),
        options,
        &[written(hash_set().to_string())],
    );
    let leader = &report.sets[0].objects[1];
    let name = &leader["metadata"]["name"];
    assert!(name.as_str().unwrap().starts_with("fleet-"));
    assert_eq!(
        &leader["spec"]["nodeSelector"]["compact-placement-group"],
        name
    );
    assert_eq!(&leader["spec"]["tolerations"][0]["value"], name);
    assert_eq!(leader["spec"].get("schedulingGates"), None);
}

#[test]
fn a_gate_of_somebody_else_does_not_keep_the_placement_away() {
    let mut set = hash_set();
    set["spec"]["leaderWorkerTemplate"]["workerTemplate"]["spec"]["schedulingGates"] =
        json!([{"name": "kueue.x-k8s.io/topology"}]);
    let report = review(&settings(json!({})), &[written(set.to_string())]);
    assert_eq!(report.problems, []);
    let lifted = &report.sets[0].shown[0].members[1];
    assert_eq!(lifted.when, Some(Moment::GateLifted));
    assert!(lifted.result.allowed && !lifted.result.placement.is_empty());
}

#[test]
fn what_the_update_is_refused_for_is_told_of_the_named_leader() {
    // Namespace and generated name together are over 63 characters, which is seen once the name is there.
    let namespace = "a-namespace-of-many-characters-for-a-team-of-many";
    let mut set = hash_set();
    set["metadata"]["namespace"] = json!(namespace);
    let long = settings(json!({"replicaValue": "NamespacedLeaderName"}));
    let report = review(&long, &[written(set.to_string())]);
    let set = &report.sets[0];
    assert!(set.admission.allowed && set.shown[0].members[0].result.allowed);
    let lifted = &set.shown[0].members[1];
    assert!(!lifted.result.allowed);
    let refusal = &set.refusals[lifted.result.refusal.unwrap() - 1];
    assert_eq!(refusal.count, 4, "leaders and workers for one reason");
    assert!(refusal.pods[0].starts_with("fleet-") && !refusal.pods[0].ends_with('*'));
    assert!(refusal.message.contains("has 72 characters"), "{refusal:?}");
    assert_eq!(report.sum.refused, 4);
}

#[test]
fn leaders_that_have_a_name_are_not_updated() {
    let report = review(
        &settings(json!({})),
        &[written(set("a", "plain", 2).to_string())],
    );
    let members = report.sets[0]
        .shown
        .iter()
        .flat_map(|replica| &replica.members);
    assert!(members.clone().count() == 2 && members.clone().all(|member| member.when.is_none()));
}
