//! What the tests share: requests to the policy, sets, and a small stand-in for a cluster.
#![allow(dead_code)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod cluster;
pub mod writers;

use lws_replica_placement::validate;
use serde_json::{Value, json};

/// The stamp's annotation.
pub const STAMP: &str = "lws-replica-placement/placement";

/// Settings that ask for one key and its taint.
pub fn asking_for(key: &str) -> Value {
    json!({
        "replicaSpecificNodeSelector": key,
        "replicaSpecificToleration": [{"key": key, "effect": "NoSchedule"}],
    })
}

/// The stamp that [`asking_for`] makes.
pub fn stamp_for(key: &str) -> String {
    format!(
        r#"{{"nodeSelector":["{key}"],"tolerations":[{{"key":"{key}","effect":"NoSchedule"}}]}}"#
    )
}

/// `settings` with further fields.
pub fn with(mut settings: Value, more: &Value) -> Value {
    merge(&mut settings, more);
    settings
}

/// Applies a JSON merge patch (RFC 7386).
pub fn merge(value: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *value = patch.clone();
        return;
    };
    if !value.is_object() {
        *value = json!({});
    }
    let map = value.as_object_mut().unwrap();
    for (name, patch) in patch {
        if patch.is_null() {
            map.remove(name);
        } else {
            merge(map.entry(name.clone()).or_insert(Value::Null), patch);
        }
    }
}

/// The policy's answer to a request about an object.
pub fn ask(settings: &Value, operation: &str, object: &Value, old: Option<&Value>) -> Value {
    ask_as(settings, operation, object, old, false)
}

/// [`ask`], as a dry run or not.
pub fn ask_as(
    settings: &Value,
    operation: &str,
    object: &Value,
    old: Option<&Value>,
    dry_run: bool,
) -> Value {
    let kind = object["kind"].as_str().unwrap();
    let group = match kind {
        "Pod" => "",
        _ => "leaderworkerset.x-k8s.io",
    };
    let mut request = json!({
        "kind": {"group": group, "version": "v1", "kind": kind},
        "operation": operation,
        "namespace": object["metadata"]["namespace"],
        "object": object,
        "dryRun": dry_run,
    });
    if let Some(old) = old {
        request["oldObject"] = old.clone();
    }
    let payload = json!({"settings": settings, "request": request});
    serde_json::from_slice(&validate(payload.to_string().as_bytes())).unwrap()
}

/// A set of two replicas of three pods without a leaderTemplate.
pub fn set() -> Value {
    json!({
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "fruit", "namespace": "red"},
        "spec": {
            "replicas": 2,
            "leaderWorkerTemplate": {
                "size": 3,
                "restartPolicy": "None",
                "workerTemplate": {
                    "spec": {"containers": [{"name": "main", "image": "registry.example/serve:1"}]},
                },
            },
        },
    })
}

/// The same set with a leaderTemplate of its own.
pub fn set_with_leader() -> Value {
    let mut set = set();
    set["spec"]["leaderWorkerTemplate"]["leaderTemplate"] = json!({
        "metadata": {"labels": {"role": "leader"}},
        "spec": {"containers": [{"name": "main", "image": "registry.example/lead:1"}]},
    });
    set
}

/// Sets another image in the workers' template.
pub fn new_image(set: &mut Value, tag: u32) {
    set["spec"]["leaderWorkerTemplate"]["workerTemplate"]["spec"]["containers"][0]["image"] =
        json!(format!("registry.example/serve:{tag}"));
}

/// A template's stamp.
pub fn stamp<'a>(set: &'a Value, template: &str) -> Option<&'a str> {
    let template = &set["spec"]["leaderWorkerTemplate"][template];
    template["metadata"]["annotations"][STAMP].as_str()
}

/// Writes or removes a template's stamp.
pub fn set_stamp(set: &mut Value, template: &str, stamp: Option<&str>) {
    let patch = json!({"spec": {"leaderWorkerTemplate": {template: {"metadata": {"annotations": {STAMP: stamp}}}}}});
    merge(set, &patch);
}
