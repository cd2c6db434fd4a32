//! A module that fails at one request, seen from the command line: that request's failure is told with its name, and the
//! next request is answered.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::Place;
use serde_json::{Value, json};

const PODS: &str = r#"
{apiVersion: v1, kind: Pod, metadata: {name: apple-0, namespace: red, labels: {leaderworkerset.sigs.k8s.io/name: apple}}, spec: {}}
---
{apiVersion: v1, kind: Pod, metadata: {name: bad-0, namespace: red, labels: {leaderworkerset.sigs.k8s.io/name: bad}}, spec: {}}
---
{apiVersion: v1, kind: Pod, metadata: {name: cherry-0, namespace: red, labels: {leaderworkerset.sigs.k8s.io/name: cherry}}, spec: {}}
"#;

/// A policy that does `body` where the payload has the text `"bad-0"`, and accepts otherwise.
fn failing(body: &str) -> Vec<u8> {
    common::policy(&format!(
        r#"(if (i32.eq (local.get $operation) (i32.const 17))
             (then (call $response (i32.const 0) (i32.const 14)) (return (i32.const 1))))
           (call $request (i32.const 1024) (i32.const 65536))
           (i64.store (i32.const 3000) (i64.const 0x22302d64616222))
           (local.set $at (i32.const 65536))
           (block $absent
             (loop $next
               (br_if $absent (i32.ge_u (local.get $at) (i32.add (i32.const 65536) (local.get $length))))
               (if (call $same (local.get $at) (i32.const 3000) (i32.const 7)) (then {body}))
               (local.set $at (i32.add (local.get $at) (i32.const 1)))
               (br $next)))
           (i64.store (i32.const 3100) (i64.const 0x747065636361227b))
           (i64.store (i32.const 3108) (i64.const 0x657572743a226465))
           (i32.store8 (i32.const 3116) (i32.const 125))
           (call $response (i32.const 3100) (i32.const 17))
           (i32.const 1)"#
    ))
}

#[test]
fn the_request_is_named_and_the_next_unharmed() {
    for (body, text) in [
        (
            "unreachable",
            "policy trapped: wasm trap: wasm `unreachable` instruction executed",
        ),
        (
            "(drop (call $sink (i32.const 0)))",
            "policy trapped: wasm trap: call stack exhausted",
        ),
        (
            "(loop $ever (br $ever))",
            "policy interrupted: no answer within 2s",
        ),
        (
            "(loop $more (drop (memory.grow (i32.const 64))) (br $more))",
            "policy wanted 138412032 bytes of memory, but a request may have 134217728",
        ),
        (
            "(return (i32.const 1))",
            "policy gave no answer to \"validate\"",
        ),
        (
            "(call $error (i32.const 521) (i32.const 7)) (return (i32.const 0))",
            "policy answered \"validate\" with an error: oh dear",
        ),
        (
            "(call $proc_exit (i32.const 3))",
            "policy left with exit code 3 instead of answering",
        ),
        (
            "(call $response (i32.const 512) (i32.const 16)) (return (i32.const 1))",
            "invalid response from policy: ",
        ),
    ] {
        let place = Place::new();
        place.write("annotated-policy.wasm", failing(body));
        place.write("pods.yaml", PODS);
        let done = place.run(&["review", "--settings-json", "{}", "-o", "json", "pods.yaml"]);
        let report: Value = serde_json::from_str(&done.stdout).unwrap();
        let pods = report["pods"].as_array().unwrap();
        let allowed: Vec<&Value> = pods.iter().map(|pod| &pod["allowed"]).collect();
        assert_eq!(allowed, [true, false, true], "{text}: {done:?}");
        let refused = &pods[1]["refused"];
        let told = refused["message"].as_str().unwrap();
        assert!(
            told.starts_with(&format!("internal server error: {text}")),
            "{told}"
        );
        assert_eq!(
            (&pods[1]["name"], &refused["code"]),
            (&json!("bad-0"), &json!(500))
        );
        assert_eq!(done.status, 1, "{text}");
    }
}
