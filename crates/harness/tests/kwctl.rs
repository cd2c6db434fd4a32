//! The bytes of `kwctl run` 1.36 and of `kwctl annotate`, as recorded in `tests/kwctl`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{Done, Place};
use lws_placement::metadata::Metadata;
use serde_json::{Value, json};

fn pod() -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "fruit-0", "namespace": "red"},
        "spec": {"containers": [{"name": "main", "image": "registry.example/serve:1"}]},
    })
}

fn request(operation: &str, object: Value) -> Value {
    json!({
        "uid": "1299d386-525b-4032-98ae-1949f69f9cfc",
        "kind": {"group": "", "version": "v1", "kind": "Pod"},
        "resource": {"group": "", "version": "v1", "resource": "pods"},
        "operation": operation,
        "userInfo": {},
        "object": object,
        "oldObject": null,
    })
}

fn run(settings: &Value, request: &Value, more: &[&str]) -> Done {
    let place = Place::new();
    place.write("request.json", request.to_string());
    let settings = settings.to_string();
    let mut arguments = vec![
        "run",
        "--request",
        "request.json",
        "--settings-json",
        &settings,
    ];
    arguments.extend_from_slice(more);
    place.run(&arguments)
}

/// The recorded line for this answer.
fn holds(recorded: &str, answer: &Value) {
    holds_for(recorded, answer, &request("CREATE", pod()));
}

fn holds_for(recorded: &str, answer: &Value, request: &Value) {
    let done = run(answer, request, &[]);
    assert_eq!(done.stdout, recorded);
    assert_eq!(done.stderr, "");
    assert_eq!(done.status, 0);
}

#[test]
fn accepted() {
    holds(
        include_str!("kwctl/accepted.json"),
        &json!({"accepted": true}),
    );
}

#[test]
fn accepted_with_warnings() {
    holds(
        include_str!("kwctl/warnings.json"),
        &json!({"accepted": true, "warnings": ["w1", "w2"], "audit_annotations": {"decision": "none"}}),
    );
}

#[test]
fn rejected() {
    holds(
        include_str!("kwctl/rejected.json"),
        &json!({"accepted": false, "message": "no", "code": 422, "warnings": ["w"]}),
    );
}

#[test]
fn mutated() {
    let mut object = pod();
    object["spec"]["nodeSelector"] = json!({"pool.test/group": "fruit-0"});
    holds(
        include_str!("kwctl/mutated.json"),
        &json!({"accepted": true, "mutated_object": object, "audit_annotations": {"decision": "inject"}}),
    );
}

#[test]
fn mutated_to_the_same() {
    holds(
        include_str!("kwctl/mutated-same.json"),
        &json!({"accepted": true, "mutated_object": pod()}),
    );
}

#[test]
fn mutated_at_delete() {
    holds_for(
        include_str!("kwctl/mutated-delete.json"),
        &json!({"accepted": true, "mutated_object": pod(), "warnings": ["lost"]}),
        &request("DELETE", Value::Null),
    );
}

fn mutated_otherwise() -> Value {
    let mut object = pod();
    object["metadata"]["name"] = json!("x");
    object.as_object_mut().unwrap().remove("spec");
    json!({"accepted": true, "mutated_object": object})
}

#[test]
fn mutated_though_metadata_say_no() {
    holds(
        include_str!("kwctl/mutated-not-allowed.json"),
        &mutated_otherwise(),
    );
}

/// What the policy server does there, other than kwctl.
#[test]
fn mutating_false_refuses_in_the_policy_servers_words() {
    let answer = mutated_otherwise();
    let done = run(&answer, &request("CREATE", pod()), &["--mutating", "false"]);
    assert_eq!(
        done.stdout,
        "{\"uid\":\"1299d386-525b-4032-98ae-1949f69f9cfc\",\"allowed\":false,\"status\":{\"message\":\"Request rejected by policy lws-replica-placement. The policy attempted to mutate the request, but it is currently configured to not allow mutations.\"},\"auditAnnotations\":null,\"warnings\":null}\n"
    );
    assert_eq!(done.status, 0);
    let unchanged = json!({"accepted": true, "mutated_object": pod()});
    let done = run(
        &unchanged,
        &request("CREATE", pod()),
        &["--mutating", "false"],
    );
    assert_eq!(done.stdout, include_str!("kwctl/mutated-same.json"));
}

#[test]
fn an_answer_that_cannot_be_read() {
    holds(
        include_str!("kwctl/malformed-answer.json"),
        &json!({"accepted": "yes"}),
    );
}

/// `annotate` writes the section that kwctl wrote, but for the annotation by which kwctl names itself.
#[test]
fn the_metadata_section() {
    let recorded = include_str!("kwctl/metadata-section.json");
    let ours = recorded.replace("\"io.kubewarden.kwctl\":\"1.36.0-beta.1\",", "");
    assert_ne!(ours, recorded);
    let place = Place::new();
    let mut metadata: Value = serde_json::from_str(&ours).unwrap();
    metadata.as_object_mut().unwrap().remove("protocolVersion");
    place.write("policy-metadata.yml", metadata.to_string());
    let arguments = [
        "annotate",
        "--metadata",
        "policy-metadata.yml",
        "-o",
        "out.wasm",
        "annotated-policy.wasm",
    ];
    let done = place.run(&arguments);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    let module = place.read("out.wasm");
    let section = lws_placement::section::custom(&module, "io.kubewarden.metadata").unwrap();
    assert_eq!(String::from_utf8_lossy(section.unwrap()), ours);
    let read = Metadata::from_value(&serde_json::from_str(&ours).unwrap()).unwrap();
    assert_eq!(read.protocol_version.as_deref(), Some("v1"));
    assert!(read.faults().is_empty());
}
