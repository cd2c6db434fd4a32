//! What fails a review: `--strict`, `--fail-on`, and which remarks are warnings.
#![allow(clippy::unwrap_used, reason = "a failed set-up fails the test")]

mod common;

use common::{Done, Place};
use serde_json::Value;

const ACCEPT: &str = r#"{"accepted": true}"#;

fn set(namespace: &str, name: &str) -> String {
    format!(
        "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {{name: {name}, namespace: {namespace}}}\nspec:\n  leaderWorkerTemplate:\n    size: 2\n    workerTemplate: {{spec: {{containers: []}}}}\n---\n"
    )
}

/// Reviews with a policy that answers what these settings say.
fn review(input: &str, settings: &str, more: &[&str]) -> Done {
    let place = Place::new();
    place.write("input.yaml", input);
    place.run(&[&["review", "input.yaml", "--settings-json", settings], more].concat())
}

/// The policy itself; `LWS_PLACEMENT_POLICY` names another than `make annotated-policy.wasm` builds.
fn policy() -> String {
    let policy = concat!(env!("CARGO_MANIFEST_DIR"), "/../../annotated-policy.wasm");
    std::env::var("LWS_PLACEMENT_POLICY").unwrap_or_else(|_| policy.to_owned())
}

fn last_lines(done: &Done) -> Vec<&str> {
    let lines = done.stdout.lines();
    lines.filter(|line| line.starts_with("strict")).collect()
}

/// A field that the cluster would drop is a warning; that a policy does nothing is to be known.
#[test]
fn notes_that_tell_of_a_danger_are_warnings() {
    let misspelt =
        set("red", "fruit").replace("    size: 2\n", "    size: 2\n    restartPolice: None\n");
    let done = review(&misspelt, ACCEPT, &[]);
    assert!(
        done.stdout.contains(
            "\nwarning: input.yaml:7:5: spec.leaderWorkerTemplate.restartPolice is not a field"
        ),
        "{done:?}"
    );
    assert!(
        done.stdout.contains("\nnote: nothing will change"),
        "{done:?}"
    );
    assert_eq!((done.status, last_lines(&done).len()), (0, 0));
    for strict in [&["--strict"][..], &["--fail-on", "warning"]] {
        let done = review(&misspelt, ACCEPT, strict);
        assert_eq!(last_lines(&done), ["strict: 1 warning counts as a fault"]);
        assert_eq!((done.status, done.stderr.as_str()), (1, ""));
    }
    let done = review(&set("red", "fruit"), ACCEPT, &["--strict"]);
    assert_eq!(last_lines(&done), ["strict: no warnings"]);
    assert_eq!(done.status, 0);
}

/// Each warning of the policy counts, at the set and at its pods.
#[test]
fn warnings_of_the_policy_count() {
    let settings = r#"{"accepted": true, "warnings": ["mind this"]}"#;
    let done = review(&set("red", "fruit"), settings, &["--strict", "-o", "json"]);
    let report: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(report.pointer("/strict/warnings"), Some(&2.into()));
    let severities = report.pointer("/notes/0/severity");
    assert_eq!(severities, Some(&"note".into()), "{report}");
    assert_eq!(done.status, 1);
    let done = review(&set("red", "fruit"), settings, &["-o", "json"]);
    let report: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((report.get("strict"), done.status), (None, 0));
    let done = review(
        &set("red", "fruit"),
        settings,
        &["--strict", "-o", "markdown"],
    );
    assert!(
        done.stdout
            .contains("\n\n**strict: 2 warnings count as faults**\n\n"),
        "{}",
        done.stdout
    );
    let done = review(&set("red", "fruit"), settings, &["--strict", "-o", "yaml"]);
    assert!(
        done.stdout
            .ends_with("# strict: 2 warnings count as faults\n"),
        "{done:?}"
    );
}

#[test]
fn values_that_namespaces_share_are_a_warning() {
    let place = Place::new();
    place.write("input.yaml", set("red", "fruit") + &set("blue", "fruit"));
    let policy = policy();
    let review = |value: &str| {
        let settings = format!(
            r#"{{"replicaSpecificNodeSelector": "pool.test/group", "replicaSpecificToleration": [{{"key": "pool.test/group"}}], "replicaValue": "{value}"}}"#
        );
        place.run(&[
            "review",
            "--strict",
            "--policy",
            &policy,
            "--settings-json",
            &settings,
            "input.yaml",
        ])
    };
    let done = review("LeaderName");
    assert!(
        done.stdout.contains(
            "\nwarning: input.yaml:9:1: LeaderWorkerSet blue/fruit and LeaderWorkerSet red/fruit"
        ),
        "{done:?}"
    );
    assert_eq!(last_lines(&done), ["strict: 1 warning counts as a fault"]);
    assert_eq!(done.status, 1);
    let done = review("NamespacedLeaderName");
    assert_eq!(
        (last_lines(&done), done.status),
        (vec!["strict: no warnings"], 0)
    );
}

/// A running replica beside a stranger is a warning, one without its placement an error.
#[test]
fn warnings_about_what_runs_count() {
    let place = Place::new();
    place.write(
        "dump.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: fruit-0\n  namespace: red\n  labels: {leaderworkerset.sigs.k8s.io/name: fruit}\n  annotations: {leaderworkerset.sigs.k8s.io/size: \"2\"}\nspec: {nodeName: n, containers: []}\nstatus: {phase: Running}\n---\n".to_owned() + &set("red", "fruit"),
    );
    let policy = policy();
    let review = |more: &[&str]| {
        let asked = ["review", "dump.yaml", "--policy", &policy, "-o", "json"];
        place.run(&[&asked[..], more].concat())
    };
    let done = review(&["--strict"]);
    let report: Value = serde_json::from_str(&done.stdout).unwrap();
    let warnings = report
        .pointer("/cluster/sum/warnings")
        .and_then(Value::as_u64);
    assert_eq!(warnings, Some(1), "{report}");
    assert_eq!(report.pointer("/strict/warnings"), Some(&1.into()));
    assert_eq!((done.status, review(&[]).status), (1, 0));
}

#[test]
fn never_is_0_unless_the_input_is_bad() {
    let refuse = r#"{"accepted": false, "message": "no"}"#;
    for (more, status) in [
        (&[][..], 1),
        (&["--fail-on", "error"], 1),
        (&["--fail-on", "never"], 0),
    ] {
        let done = review(&set("red", "fruit"), refuse, more);
        assert!(done.stdout.contains("1 refused"), "{done:?}");
        assert_eq!(done.status, status, "{done:?}");
    }
    let torn = review("kind: [", ACCEPT, &["--fail-on", "never"]);
    assert_eq!(torn.status, 2, "{torn:?}");
    let both = review("", ACCEPT, &["--fail-on", "never", "--strict"]);
    assert!(both.stderr.contains("cannot be used with"), "{both:?}");
    assert_eq!(both.status, 2);
}

/// Whatever reads the output learns that a warning fails the review.
#[test]
fn every_output_tells_that_warnings_fail() {
    let settings = r#"{"accepted": true, "warnings": ["mind this"]}"#;
    let strict = |output| review(&set("red", "fruit"), settings, &["--strict", "-o", output]);
    let done = strict("markdown");
    let heading = "### Warnings, which this review counts as faults\n";
    assert!(done.stdout.starts_with(heading), "{done:?}");
    let done = strict("junit");
    assert!(done.stdout.contains("failures=\"1\""), "{done:?}");
    assert!(
        done.stdout.contains("strict: 2 warnings count as faults"),
        "{done:?}"
    );
}

/// The group of LWS's labels, which is easily taken for that of its objects.
#[test]
fn another_group_of_the_kind_is_an_error() {
    let slip =
        set("red", "fruit").replace("leaderworkerset.x-k8s.io", "leaderworkerset.sigs.k8s.io");
    let done = review(&slip, ACCEPT, &[]);
    assert_eq!(done.status, 2, "{done:?}");
    let text = "apiVersion is \"leaderworkerset.sigs.k8s.io/v1\", but LeaderWorkerSets are \"leaderworkerset.x-k8s.io/v1\"";
    assert!(done.stdout.contains(text), "{done:?}");
}
