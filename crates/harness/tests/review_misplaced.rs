//! What nobody's cluster would keep: misspelt and misplaced fields, names with control characters, kinds in another case.
#![allow(clippy::unwrap_used, reason = "a failed set-up fails the test")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Standard output and the exit status of a review.
fn review(manifest: &str) -> (String, i32) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut child = Command::new(env!("CARGO_BIN_EXE_lws-placement"))
        .args(["review", "-f", "-", "--settings", "examples/settings.yaml"])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(manifest.as_bytes()).unwrap();
    drop(stdin);
    let done = child.wait_with_output().unwrap();
    (
        String::from_utf8(done.stdout).unwrap(),
        done.status.code().unwrap(),
    )
}

#[test]
fn misspelt_and_misplaced_fields_are_told() {
    let (told, status) = review(
        "apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: fruit}
spec:
  replica: 3
  futureKnob: 1
  leaderTemplate: {spec: {containers: []}}
  leaderWorkerTemplate:
    sizes: 2
    workerTemplate:
      nodeSelector: {a: b}
      spec: {containers: []}
",
    );
    assert_eq!(status, 0, "{told}");
    for sentence in [
        "standard input:5:3: spec.replica is not a field of LeaderWorkerSets, so the cluster would drop it; did you mean spec.replicas?",
        "spec.leaderTemplate is not a field of LeaderWorkerSets, so the cluster would drop it; did you mean spec.leaderWorkerTemplate.leaderTemplate?",
        "spec.leaderWorkerTemplate.sizes is not a field of LeaderWorkerSets, so the cluster would drop it; did you mean spec.leaderWorkerTemplate.size?",
        "spec.leaderWorkerTemplate.workerTemplate.nodeSelector is not a field of LeaderWorkerSets, so the cluster would drop it; did you mean spec.leaderWorkerTemplate.workerTemplate.spec.nodeSelector?",
    ] {
        assert!(told.contains(sentence), "{sentence}\n{told}");
    }
    assert!(
        !told.contains("futureKnob"),
        "a later LWS may know it: {told}"
    );
}

#[test]
fn a_kind_in_another_case_is_told() {
    let (told, status) = review(
        "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerset, metadata: {name: a}}",
    );
    assert_eq!(status, 2, "{told}");
    let sentence = "kind is \"LeaderWorkerset\", which no cluster knows; write \"LeaderWorkerSet\"";
    assert!(told.contains(sentence), "{told}");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    for manifest in [
        r#"{"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet", "metadata": {"name": "a\u001b[31m"}}"#,
        r#"{"apiVersion": "v1", "kind": "Po\u001b[31md"}"#,
        r#"{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "b\nc"}}"#,
    ] {
        let (told, status) = review(manifest);
        assert_eq!(status, 2, "{told:?}");
        assert!(
            told.contains("holds a control character, which no name has; remove it"),
            "{told:?}"
        );
        assert!(!told.contains('\u{1b}'), "{told:?}");
    }
}
