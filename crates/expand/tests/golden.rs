//! Each folder under `tests/golden` is a set and the pods that it becomes, derived by hand from LWS's rules; `why.md`
//! beside them has the reasoning. Never write these files from this crate's output.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::fs;
use std::path::{Path, PathBuf};

use lws_expand::{Form, LeaderWorkerSet, Role};
use serde_json::{Value, json};
use similar::TextDiff;

/// The shapes that must be there: a folder that goes missing must not make the test pass.
const SHAPES: [&str; 13] = [
    "exclusive-topology",
    "hash-identity",
    "leader-template-absent",
    "plain-2x4",
    "size-1",
    "subdomain-unique-per-replica",
    "subgroups-even",
    "subgroups-leader-excluded",
    "subgroups-leader-extra",
    "surge-index",
    "tpu",
    "tpu-subgroups-workers-only",
    "volume-claim-templates",
];

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn read(path: &Path) -> Value {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pods that the golden file lists, as the crate makes them, in the same order.
fn expanded(set: &LeaderWorkerSet, listed: &Value, form: Form) -> Value {
    let member = |entry: &Value| {
        let (replica, worker) = (
            entry["replica"].as_u64().unwrap(),
            entry["workerIndex"].as_u64().unwrap(),
        );
        let made = set
            .replica(replica)
            .pods(form)
            .find(|member| member.worker_index == worker)
            .unwrap();
        assert_eq!(made.role == Role::Leader, worker == 0);
        json!({"replica": replica, "workerIndex": worker, "pod": made.pod})
    };
    listed.as_array().unwrap().iter().map(member).collect()
}

/// The difference of two JSON texts with sorted keys, a few lines around each change; empty when they are equal.
fn difference(mut expected: Value, mut made: Value) -> String {
    expected.sort_all_objects();
    made.sort_all_objects();
    let (expected, made) = (
        serde_json::to_string_pretty(&expected).unwrap(),
        serde_json::to_string_pretty(&made).unwrap(),
    );
    TextDiff::from_lines(&expected, &made)
        .unified_diff()
        .header("expected", "made")
        .to_string()
}

#[test]
fn every_shape_becomes_the_pods_that_were_derived_by_hand() {
    let mut found = Vec::new();
    let mut failures = String::new();
    for entry in fs::read_dir(golden()).unwrap() {
        let folder = entry.unwrap().path();
        let shape = folder.file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            folder.join("why.md").is_file(),
            "{shape}: the reasoning is missing"
        );
        let set = LeaderWorkerSet::from_value(&read(&folder.join("set.json"))).unwrap();
        for (file, form) in [
            ("before.json", Form::BeforeWebhook),
            ("after.json", Form::AfterWebhook),
        ] {
            let listed = read(&folder.join(file));
            assert!(
                !listed.as_array().unwrap().is_empty(),
                "{shape}/{file} lists no pod"
            );
            let difference = difference(listed.clone(), expanded(&set, &listed, form));
            if !difference.is_empty() {
                failures.push_str(&format!("{shape}/{file}:\n{difference}\n"));
            }
        }
        found.push(shape);
    }
    found.sort();
    assert_eq!(found, SHAPES);
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn a_difference_shows_what_was_expected_and_what_was_made() {
    let text = difference(json!({"a": 1, "b": [2]}), json!({"b": [3], "a": 1}));
    assert!(text.contains("-    2\n+    3\n"), "{text}");
    assert!(difference(json!({"a": 1, "b": 2}), json!({"b": 2, "a": 1})).is_empty());
}
