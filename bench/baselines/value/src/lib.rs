//! The injection as a Kubewarden policy without types does it: the SDK reads the request, the pod stays a JSON value.
//!
//! It gives the replica's value to pods that are created, and leaves out all else that the policy does: refusals,
//! updates, sets, stamps, annotations of workloads, values other than the leader's name, warnings and audit annotations.
//! What it leaves out makes it cheaper, never dearer.
#![cfg(target_os = "wasi")]
// The exported name is what makes this an entry; nothing unsafe happens behind it.
#![allow(unsafe_code)]

#[path = "../../settings.rs"]
mod settings;

use kubewarden_policy_sdk::request::ValidationRequest;
use kubewarden_policy_sdk::wapc_guest::{self, CallResult};
use kubewarden_policy_sdk::{
    accept_request, mutate_request, protocol_version_guest, validate_settings,
};
use serde_json::{Map, Value, json};
use settings::{LEADER_NAME, SET_NAME, Settings, WORKER_INDEX};

/// Kubewarden calls this once per instance, before the first operation.
#[unsafe(no_mangle)]
pub extern "C" fn wapc_init() {
    wapc_guest::register_function("validate", validate);
    wapc_guest::register_function("validate_settings", validate_settings::<Settings>);
    wapc_guest::register_function("protocol_version", protocol_version_guest);
}

fn validate(payload: &[u8]) -> CallResult {
    let ValidationRequest { settings, request } = ValidationRequest::<Settings>::new(payload)?;
    if request.kind.kind != "Pod" || request.operation != "CREATE" {
        return accept_request();
    }
    let mut pod = request.object;
    match replica_value(&pod) {
        Some(value) if place(&mut pod, &settings, &value)? => mutate_request(pod),
        _ => accept_request(),
    }
}

/// The name of the leader, if this is a pod of a set.
fn replica_value(pod: &Value) -> Option<String> {
    let metadata = pod.get("metadata")?;
    let labels = metadata.get("labels")?;
    labels.get(SET_NAME)?;
    let annotations = metadata.get("annotations");
    if let Some(leader) = annotations.and_then(|annotations| annotations.get(LEADER_NAME)) {
        return leader.as_str().map(str::to_owned);
    }
    let is_leader = labels.get(WORKER_INDEX).is_some_and(|index| index == "0");
    let name = is_leader.then(|| metadata.get("name")).flatten()?;
    name.as_str().map(str::to_owned)
}

/// Adds what is missing; tells whether anything was. Fails on a pod whose fields have other types.
fn place(pod: &mut Value, settings: &Settings, value: &str) -> Result<bool, String> {
    let spec = pod
        .get_mut("spec")
        .and_then(Value::as_object_mut)
        .ok_or("spec is no object")?;
    let mut changed = false;
    for key in settings.keys() {
        let selector = spec
            .entry("nodeSelector")
            .or_insert_with(|| json!({}))
            .as_object_mut()
            .ok_or("spec.nodeSelector is no object")?;
        if !selector.contains_key(key) {
            selector.insert(key.clone(), value.into());
            changed = true;
        }
    }
    for taint in &settings.replica_specific_toleration {
        let mut toleration = Map::new();
        toleration.insert("key".to_owned(), taint.key.clone().into());
        toleration.insert("operator".to_owned(), "Equal".into());
        toleration.insert("value".to_owned(), value.into());
        if let Some(effect) = &taint.effect {
            toleration.insert("effect".to_owned(), effect.clone().into());
        }
        let toleration = Value::Object(toleration);
        let tolerations = spec
            .entry("tolerations")
            .or_insert_with(|| json!([]))
            .as_array_mut()
            .ok_or("spec.tolerations is no list")?;
        if !tolerations.contains(&toleration) {
            tolerations.push(toleration);
            changed = true;
        }
    }
    Ok(changed)
}
