//! DisaggregatedSets under review: their roles' sets are made, marked as such, admitted and expanded.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed set-up fails the test"
)]

mod reviewing;

use lws_placement::review::render::style::Look;
use lws_placement::review::render::{markdown, table, yaml};
use lws_placement::review::{Options, Report};
use reviewing::{fixture, notes, review, review_with, settings, written};
use serde_json::{Value, json};

fn disaggregated() -> Report {
    review(&settings(json!({})), &[fixture("disaggregated.yaml")])
}

/// The fixture's text with a part replaced; the part must be there.
fn changed(from: &str, to: &str) -> Report {
    let text = String::from_utf8(fixture("disaggregated.yaml").text).unwrap();
    assert!(text.contains(from), "{from}");
    review(&settings(json!({})), &[written(text.replace(from, to))])
}

#[test]
fn every_role_is_a_set_that_is_marked_as_generated() {
    let text = table::write(&disaggregated(), Look::default());
    assert_eq!(
        text,
        "\
LeaderWorkerSet team-a/qwen-0-08d594a1-prefill  2 replicas x 4 pods  disaggregated.yaml:11
generated: role prefill of DisaggregatedSet team-a/qwen (disaggregated.yaml:2), slice 0; 08d594a1 stands in for its revision
+annotation lws-replica-placement/placement in leaderTemplate and workerTemplate
warning: LeaderWorkerSet \"team...fill\": example.com/rack-group has no toleration of its own; on GKE nothing is provisioned for it
REPLICA  VALUE                      PODS                            NODE SELECTOR             TOLERATION
0        qwen-0-08d594a1-prefill-0  qwen-0-08d594a1-prefill-0,      +compact-placement-group  +compact-placement-group:NoSchedule
                                    qwen-0-08d594a1-prefill-0-1..3  +example.com/rack-group
1        qwen-0-08d594a1-prefill-1  qwen-0-08d594a1-prefill-1,      +compact-placement-group  +compact-placement-group:NoSchedule
                                    qwen-0-08d594a1-prefill-1-1..3  +example.com/rack-group

LeaderWorkerSet team-a/qwen-0-08d594a1-decode  1 replica x 2 pods  disaggregated.yaml:28
generated: role decode of DisaggregatedSet team-a/qwen (disaggregated.yaml:2), slice 0; 08d594a1 stands in for its revision
+annotation lws-replica-placement/placement in workerTemplate
REPLICA  VALUE                     PODS                        NODE SELECTOR             TOLERATION
0        qwen-0-08d594a1-decode-0  qwen-0-08d594a1-decode-0,   +compact-placement-group  +compact-placement-group:NoSchedule
                                   qwen-0-08d594a1-decode-0-1

warning: disaggregated.yaml:8:5: the annotation lws-replica-placement/node-selector of DisaggregatedSet team-a/qwen does not reach the LeaderWorkerSets that its roles make; put it into spec.roles[].metadata.annotations or on the roles' templates

3 replicas, 3 node groups, 10 pods, 0 refused
+ added by the policy, = in the pod already"
    );
}

#[test]
fn every_format_says_what_makes_a_set() {
    let report = disaggregated();
    let line = "generated: role decode of DisaggregatedSet team-a/qwen (disaggregated.yaml:2), slice 0; 08d594a1 stands in for its revision";
    assert!(markdown::write(&report).lines().any(|found| found == line));
    let comment = format!("# {line}");
    assert!(
        yaml::write(&report)
            .unwrap()
            .lines()
            .any(|found| found == comment)
    );
    let data = serde_json::to_value(&report).unwrap();
    assert_eq!(
        data["sets"][1]["generated"],
        json!({
            "kind": "DisaggregatedSet",
            "namespace": "team-a",
            "name": "qwen",
            "place": {"file": "disaggregated.yaml", "line": 2, "column": 1},
            "role": "decode",
            "slice": 0,
            "revision": "08d594a1",
        })
    );
    let plain = review(
        &settings(json!({})),
        &[written(reviewing::set("a", "plain", 1).to_string())],
    );
    let data = serde_json::to_value(&plain).unwrap();
    assert_eq!(data["sets"][0].get("generated"), None);
}

#[test]
fn a_roles_metadata_reaches_its_set_and_the_disaggregated_sets_does_not() {
    let report = changed(
        "    - name: decode\n",
        "    - name: decode\n      metadata:\n        annotations:\n          lws-replica-placement/node-selector: example.com/role\n",
    );
    let keys = |set: usize| -> Vec<&str> {
        let placement = &report.sets[set].shown[0].members[0].result.placement;
        let entries = placement.node_selector.iter();
        entries.map(|entry| entry.key.as_str()).collect()
    };
    assert_eq!(
        keys(0),
        ["compact-placement-group", "example.com/rack-group"]
    );
    assert_eq!(keys(1), ["compact-placement-group", "example.com/role"]);
}

#[test]
fn a_refusal_points_into_the_role() {
    let report = changed("disk: ssd", "compact-placement-group: manual");
    let set = &report.sets[1];
    let refusal = set.admission.refusal.as_ref().unwrap();
    assert_eq!(
        refusal.place.as_ref().unwrap().to_string(),
        "input.yaml:37:42"
    );
    assert!(
        refusal
            .message
            .starts_with("LeaderWorkerSet \"team-a/qwen-0-"),
        "{}",
        refusal.message
    );
    assert_eq!(report.sum.refused, 1);
    assert!(report.sets[0].admission.allowed);
}

#[test]
fn an_annotation_that_does_not_parse_is_found_in_the_roles_template() {
    let text = String::from_utf8(fixture("disaggregated.yaml").text).unwrap();
    let at = text.rfind("example.com/rack-group").unwrap();
    let mut text = text;
    text.replace_range(at..at + "example.com/rack-group".len(), "no key!");
    let report = review(&settings(json!({})), &[written(text)]);
    let refusal = report.sets[0].admission.refusal.as_ref().unwrap();
    assert_eq!(refusal.code, Some(400));
    assert_eq!(refusal.place.as_ref().unwrap().line, 25);
}

#[test]
fn what_makes_no_sets_is_an_error_with_its_place() {
    for (from, to, place, text) in [
        (
            "size: 2",
            "size: 0",
            "input.yaml:32:11",
            "DisaggregatedSet \"qwen\" cannot be expanded: spec.roles[1].spec.leaderWorkerTemplate.size is 0; it must be from 1 to 2147483647",
        ),
        (
            "name: decode",
            "name: prefill",
            "input.yaml:28:7",
            "DisaggregatedSet \"qwen\" cannot be expanded: spec.roles[1].name is \"prefill\"; it must be a name that no other role has",
        ),
        (
            "  name: qwen",
            "  name: \"{{ .Release.Name }}\"",
            "input.yaml:5:3",
            "a template that has not been rendered; render it first: helm template … | lws-placement review -f -",
        ),
        (
            "disaggregatedset.x-k8s.io/v1",
            "disaggregatedset.x-k8s.io/v1alpha1",
            "input.yaml:2:1",
            "apiVersion is \"disaggregatedset.x-k8s.io/v1alpha1\", but DisaggregatedSets are \"disaggregatedset.x-k8s.io/v1\"; correct it, and see that the fields are those of v1",
        ),
    ] {
        let report = changed(from, to);
        assert!(report.sets.is_empty());
        let [problem] = &report.problems[..] else {
            panic!("{:?}", report.problems)
        };
        assert_eq!(problem.text, text);
        assert!(
            problem
                .place
                .as_ref()
                .unwrap()
                .to_string()
                .starts_with(place),
            "{:?}",
            problem.place
        );
    }
}

#[test]
fn another_groups_kind_of_that_name_is_passed_over() {
    let report = changed("disaggregatedset.x-k8s.io/v1", "example.com/v1");
    assert_eq!(report.passed_over["DisaggregatedSet"], 1);
    assert!(report.problems.is_empty());
}

#[test]
fn every_slice_has_its_sets_and_of_many_the_ends_are_reviewed() {
    let report = changed("spec:\n  roles:", "spec:\n  slices: 3\n  roles:");
    let names: Vec<&str> = report.sets.iter().map(|set| set.name.as_str()).collect();
    let revision = &report.sets[0].generated.as_ref().unwrap().revision;
    let expected: Vec<String> = (0..3)
        .flat_map(|slice| {
            ["prefill", "decode"].map(|role| format!("qwen-{slice}-{revision}-{role}"))
        })
        .collect();
    assert_eq!(names, expected);
    assert_eq!(report.sum.node_groups, 9);

    let report = changed("spec:\n  roles:", "spec:\n  slices: 100\n  roles:");
    assert_eq!(report.sets.len(), 10);
    let note = "of the 100 slices of DisaggregatedSet team-a/qwen 0, 1, 9, 10 and 99 are reviewed; the others differ from them in their number alone";
    assert!(notes(&report).contains(&note), "{:?}", report.notes);
}

#[test]
fn a_role_that_is_scaled_from_outside_is_told() {
    let report = changed(
        "    - name: decode\n",
        "    - name: decode\n      scaling: {mode: External}\n",
    );
    let note = "role \"decode\" of DisaggregatedSet team-a/qwen is scaled from outside; it is reviewed with its own spec.replicas, and with more of them its leaders' names may get longer";
    assert!(notes(&report).contains(&note), "{:?}", report.notes);
}

#[test]
fn in_a_list_places_hold_too() {
    let text = String::from_utf8(fixture("disaggregated.yaml").text).unwrap();
    let object = lws_manifest::read(text).remove(0).unwrap().value;
    let list =
        json!({"apiVersion": "v1", "kind": "List", "items": [reviewing::set("a", "b", 1), object]});
    let text = serde_json::to_string_pretty(&list).unwrap();
    let line = 1 + text
        .lines()
        .position(|line| line.contains("\"name\": \"prefill\""))
        .unwrap();
    let report = review(&settings(json!({})), &[written(&text)]);
    assert_eq!(report.sets.len(), 3);
    // The role's brace stands on the line before its name.
    assert_eq!(report.sets[1].place.as_ref().unwrap().line, line - 1);
}

#[test]
fn the_objects_are_the_generated_sets_as_patched() {
    let options = Options {
        replicas: 10,
        objects: true,
    };
    let report = review_with(
        &settings(json!({})),
        options,
        &[fixture("disaggregated.yaml")],
    );
    let text = yaml::write(&report).unwrap();
    let objects: Vec<Value> = lws_manifest::read(text)
        .into_iter()
        .map(|read| read.unwrap().value)
        .collect();
    assert_eq!(objects[0]["kind"], "LeaderWorkerSet");
    assert_eq!(
        objects[0]["metadata"]["labels"]["disaggregatedset.x-k8s.io/role"],
        "prefill"
    );
    let stamp = "/spec/leaderWorkerTemplate/workerTemplate/metadata/annotations/lws-replica-placement~1placement";
    assert!(objects[0].pointer(stamp).is_some());
    let pods = objects.iter().filter(|object| object["kind"] == "Pod");
    assert!(
        pods.clone().count() == 10
            && pods
                .clone()
                .all(|pod| pod["metadata"]["labels"]["disaggregatedset.x-k8s.io/slice"] == "0")
    );
}
