//! The modules that the policy is compared with do the same work: on every pod that is injected into, all three give
//! one and the same pod.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed set-up fails the test"
)]

use lws_bench::contender::{Build, limits};
use lws_bench::object::{self, KEY, Place};
use lws_placement::engine::Module;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::OnceLock;

/// The policy and the two baselines, compiled once for all tests.
fn modules() -> &'static [Module; 3] {
    static MODULES: OnceLock<[Module; 3]> = OnceLock::new();
    MODULES.get_or_init(load)
}

fn load() -> [Module; 3] {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let baselines = root.join("target/wasm32-wasip1/release");
    [Build::Policy, Build::Typed, Build::Value].map(|build| {
        let path = build.path(&root.join("policy.wasm"), &baselines);
        let bytes = std::fs::read(&path);
        let bytes = bytes.unwrap_or_else(|error| {
            panic!("{}: {error}; make baselines builds it", path.display())
        });
        Module::from_bytes(build.name(), &bytes, limits()).unwrap()
    })
}

/// What a module makes of a pod that is created: `null` where it is accepted as it is.
fn mutated(module: &Module, settings: &Value, pod: &Value) -> Value {
    let payload = json!({"settings": settings, "request": {
        "uid": "1",
        "kind": {"group": "", "version": "v1", "kind": "Pod"},
        "operation": "CREATE",
        "namespace": "red",
        "object": pod,
    }});
    let outcome = module
        .call("validate", payload.to_string().as_bytes())
        .unwrap();
    let answer: Value = serde_json::from_slice(&outcome.answer).unwrap();
    assert_eq!(answer.get("accepted"), Some(&json!(true)), "{answer}");
    answer.get("mutated_object").cloned().unwrap_or_default()
}

/// Holds the three against each other; tells whether they change the pod.
fn agree(modules: &[Module; 3], settings: &Value, pod: &Value) -> bool {
    let [policy, typed, value] = modules.each_ref().map(|m| mutated(m, settings, pod));
    assert_eq!(policy, typed, "typed, under {settings}");
    assert_eq!(policy, value, "value, under {settings}");
    !policy.is_null()
}

fn settings() -> Value {
    json!({
        "replicaSpecificNodeSelector": KEY,
        "replicaSpecificToleration": [{"key": KEY, "effect": "NoSchedule"}],
    })
}

#[test]
fn pods_of_every_size_come_out_alike() {
    let modules = modules();
    for kib in [1, 4, 16, 64, 1024] {
        for (is_member, place, changes) in [
            (false, Place::Absent, false),
            (true, Place::Absent, true),
            (true, Place::Right, false),
        ] {
            let pod = object::pod(kib << 10, is_member, place);
            let changed = agree(modules, &settings(), &pod);
            assert_eq!(changed, changes, "{kib} KiB, {place:?}");
        }
    }
}

#[test]
fn settings_in_every_form_are_honoured() {
    let modules = modules();
    let pod = object::pod(4 << 10, true, Place::Absent);
    for (settings, changes) in [
        (json!({}), false),
        (json!({"replicaSpecificNodeSelector": KEY}), true),
        (
            json!({"replicaSpecificNodeSelector": [KEY, "pool.test/rack"]}),
            true,
        ),
        (json!({"replicaSpecificNodeSelector": []}), false),
        (
            json!({"replicaSpecificToleration": [{"key": KEY}, {"key": KEY, "effect": "NoExecute"}]}),
            true,
        ),
    ] {
        assert_eq!(agree(modules, &settings, &pod), changes, "{settings}");
    }
}

#[test]
fn only_what_is_missing_is_added() {
    let modules = modules();
    let mut pod = object::pod(4 << 10, true, Place::Right);
    let settings = json!({
        "replicaSpecificNodeSelector": [KEY, "pool.test/rack"],
        "replicaSpecificToleration": [{"key": KEY, "effect": "NoSchedule"}, {"key": "pool.test/rack"}],
    });
    assert!(agree(modules, &settings, &pod));
    let spec = pod.pointer_mut("/spec").unwrap().as_object_mut().unwrap();
    spec.insert(
        "tolerations".to_owned(),
        json!([{"key": "gpu", "operator": "Exists"}]),
    );
    assert!(agree(modules, &settings, &pod));
}

#[test]
fn leaders_get_their_own_name() {
    let modules = modules();
    let mut pod = object::pod(4 << 10, true, Place::Absent);
    let metadata = pod.pointer_mut("/metadata").unwrap();
    *metadata = json!({
        "name": "fruit-0",
        "namespace": "red",
        "labels": {"leaderworkerset.sigs.k8s.io/name": "fruit", "leaderworkerset.sigs.k8s.io/worker-index": "0"},
        "ownerReferences": [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "fruit", "controller": true, "uid": "1"}],
    });
    assert!(agree(modules, &settings(), &pod));
}

#[test]
fn baselines_judge_settings() {
    for module in modules() {
        for settings in [settings(), json!({})] {
            let answer = module
                .call("validate_settings", settings.to_string().as_bytes())
                .unwrap()
                .answer;
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            assert_eq!(answer.get("valid"), Some(&json!(true)));
        }
    }
}
