//! The injection as a Kubewarden policy usually does it: the SDK reads the request, k8s-openapi's types hold the pod.
//!
//! It gives the replica's value to pods that are created, and leaves out all else that the policy does: refusals,
//! updates, sets, stamps, annotations of workloads, values other than the leader's name, warnings and audit annotations.
//! What it leaves out makes it cheaper, never dearer.
#![cfg(target_os = "wasi")]
// The exported name is what makes this an entry; nothing unsafe happens behind it.
#![allow(unsafe_code)]

#[path = "../../settings.rs"]
mod settings;

use k8s_openapi::api::core::v1::{Pod, Toleration};
use kubewarden_policy_sdk::request::ValidationRequest;
use kubewarden_policy_sdk::wapc_guest::{self, CallResult};
use kubewarden_policy_sdk::{
    accept_request, mutate_request, protocol_version_guest, validate_settings,
};
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
    let mut pod = serde_json::from_value::<Pod>(request.object)?;
    match replica_value(&pod) {
        Some(value) if place(&mut pod, &settings, &value) => {
            mutate_request(serde_json::to_value(pod)?)
        }
        _ => accept_request(),
    }
}

/// The name of the leader, if this is a pod of a set.
fn replica_value(pod: &Pod) -> Option<String> {
    let labels = pod.metadata.labels.as_ref()?;
    labels.get(SET_NAME)?;
    let annotations = pod.metadata.annotations.as_ref();
    if let Some(leader) = annotations.and_then(|annotations| annotations.get(LEADER_NAME)) {
        return Some(leader.clone());
    }
    let is_leader = labels.get(WORKER_INDEX).is_some_and(|index| index == "0");
    is_leader.then(|| pod.metadata.name.clone()).flatten()
}

/// Adds what is missing; tells whether anything was.
fn place(pod: &mut Pod, settings: &Settings, value: &str) -> bool {
    let spec = pod.spec.get_or_insert_default();
    let mut changed = false;
    for key in settings.keys() {
        let selector = spec.node_selector.get_or_insert_default();
        if !selector.contains_key(key) {
            selector.insert(key.clone(), value.to_owned());
            changed = true;
        }
    }
    for taint in &settings.replica_specific_toleration {
        let toleration = Toleration {
            key: Some(taint.key.clone()),
            operator: Some("Equal".to_owned()),
            value: Some(value.to_owned()),
            effect: taint.effect.clone(),
            toleration_seconds: None,
        };
        let tolerations = spec.tolerations.get_or_insert_default();
        if !tolerations.contains(&toleration) {
            tolerations.push(toleration);
            changed = true;
        }
    }
    changed
}
