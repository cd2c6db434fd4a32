//! Pods and sets of a given size, as they reach admission: containers with environment, mounts and probes, the
//! `managedFields` that the API server keeps of them, and arguments with quotes and line breaks in them.

// Indexing here builds literal objects; a wrong name would be a fault of this file.
#![allow(clippy::indexing_slicing)]

use serde_json::{Value, json};

/// Key of the selector and of the taint that the requests ask for.
pub const KEY: &str = "pool.test/group";
/// The value of the replica that all pods here belong to.
pub const VALUE: &str = "fruit-0";

/// Where a pod's containers are.
const POD: [&str; 1] = ["/spec/containers"];
/// Where a set's containers are.
const SET: [&str; 2] = [
    "/spec/leaderWorkerTemplate/leaderTemplate/spec/containers",
    "/spec/leaderWorkerTemplate/workerTemplate/spec/containers",
];
/// What the API server keeps of a pod's containers.
const MANAGED: &str = "/metadata/managedFields/0/fieldsV1/f:spec/f:containers";

/// What a pod's spec says about the replica's nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nothing.
    Absent,
    /// What the policy asks for.
    Right,
    /// A node selector with another value.
    Wrong,
}

/// Worker 1 of the replica, its JSON text `size` bytes long, or a little longer where that is not enough for a pod at
/// all. A pod that is no member has no label of LeaderWorkerSet.
#[must_use]
pub fn pod(size: usize, is_member: bool, place: Place) -> Value {
    let mut pod = json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "fruit-0-1",
            "namespace": "red",
            "labels": {"app": "fruit"},
            "annotations": {"leaderworkerset.sigs.k8s.io/size": "4"},
            "ownerReferences": [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": VALUE, "controller": true,
                "uid": "00000000-0000-0000-0000-000000000001"}],
        },
        "spec": {"containers": [], "restartPolicy": "Always"},
    });
    if is_member {
        pod["metadata"]["labels"] = json!({
            "leaderworkerset.sigs.k8s.io/name": "fruit",
            "leaderworkerset.sigs.k8s.io/group-index": "0",
            "leaderworkerset.sigs.k8s.io/group-key": "9ddf1a4b5c6e7f8091a2b3c4d5e6f708192a3b4c",
        });
        pod["metadata"]["annotations"]["leaderworkerset.sigs.k8s.io/leader-name"] = VALUE.into();
    }
    match place {
        Place::Absent => {}
        Place::Wrong => pod["spec"]["nodeSelector"] = json!({KEY: "manual"}),
        Place::Right => {
            pod["spec"]["nodeSelector"] = json!({KEY: VALUE});
            pod["spec"]["tolerations"] =
                json!([{"key": KEY, "operator": "Equal", "value": VALUE, "effect": "NoSchedule"}]);
        }
    }
    if size > 2 << 10 {
        pod["metadata"]["managedFields"] = json!([{
            "apiVersion": "v1",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:spec": {"f:containers": {}, "f:restartPolicy": {}}},
            "manager": "kube-controller-manager",
            "operation": "Update",
            "time": "2026-01-01T00:00:00Z",
        }]);
    }
    fill(&mut pod, &POD, size);
    pod
}

/// A set of two replicas of four pods, its JSON text `size` bytes long, or a little longer where that is not enough.
#[must_use]
pub fn set(size: usize, replicas: u32, place: Place) -> Value {
    let mut set = json!({
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "fruit", "namespace": "red"},
        "spec": {"replicas": replicas, "leaderWorkerTemplate": {
            "size": 4,
            "leaderTemplate": {"metadata": {}, "spec": {"containers": []}},
            "workerTemplate": {"metadata": {}, "spec": {"containers": []}},
        }},
    });
    if place == Place::Wrong {
        set["spec"]["leaderWorkerTemplate"]["workerTemplate"]["spec"]["nodeSelector"] =
            json!({KEY: "manual"});
    }
    fill(&mut set, &SET, size);
    set
}

/// Adds containers in turn to each of the lists while there is room, then settings to the first of them, then text.
fn fill(object: &mut Value, lists: &[&str], size: usize) {
    for list in lists {
        push(object, list, small());
    }
    let mut room = size.saturating_sub(length(object));
    let managed = managed();
    let is_managed = object.pointer(MANAGED).is_some();
    for (index, list) in lists.iter().cycle().enumerate() {
        let container = container(index);
        // With a comma each, and the name of the container in `managedFields`.
        let mut more = length(&container) + 1;
        if is_managed {
            more += length(&managed) + length(&Value::from(managed_name(index))) + 2;
        }
        if more > room {
            break;
        }
        room -= more;
        push(object, list, container);
        if is_managed {
            object["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"]["f:containers"]
                [managed_name(index)] = managed.clone();
        }
    }
    let first = format!("{}/0/env", lists.first().copied().unwrap_or_default());
    for index in 0.. {
        let setting = setting(index);
        if length(object) + length(&setting) + 1 > size {
            break;
        }
        push(object, &first, setting);
    }
    let missing = size.saturating_sub(length(object));
    let name = object.pointer_mut(&format!("{first}/0/value"));
    if let Some(Value::String(text)) = name {
        text.extend(std::iter::repeat_n('x', missing));
    }
}

fn push(object: &mut Value, list: &str, entry: Value) {
    if let Some(Value::Array(list)) = object.pointer_mut(list) {
        list.push(entry);
    }
}

/// Bytes of the JSON text.
fn length(value: &Value) -> usize {
    value.to_string().len()
}

/// The container that every pod has.
fn small() -> Value {
    json!({"name": "main", "image": "registry.example.com/server:v1", "env": [{"name": "A", "value": ""}]})
}

fn setting(index: usize) -> Value {
    json!({"name": format!("SETTING_{index}"), "value": format!("value number {index} of the container")})
}

fn container(index: usize) -> Value {
    let mount = |i: usize| json!({"name": format!("volume-{i}"), "mountPath": format!("/mnt/volume-{i}"), "readOnly": i.is_multiple_of(2)});
    json!({
        "name": format!("container-{index}"),
        "image": "registry.example.com/inference/server:v1.2.3",
        "command": ["sh", "-c"],
        "args": ["serve \"/models/large\" --tensor-parallel-size 8 --pipeline-parallel-size \"$LWS_GROUP_SIZE\"\n"],
        "env": (0..6).map(setting).collect::<Vec<_>>(),
        "volumeMounts": (0..3).map(mount).collect::<Vec<_>>(),
        "resources": {"limits": {"example.com/accelerator": "8", "memory": "1800Gi"}, "requests": {"cpu": "180"}},
        "readinessProbe": {"httpGet": {"path": "/health", "port": 8000}, "periodSeconds": 10, "failureThreshold": 3},
    })
}

fn managed_name(index: usize) -> String {
    format!("k:{{\"name\":\"container-{index}\"}}")
}

fn managed() -> Value {
    let mut settings = json!({".": {}});
    for i in 0..6 {
        settings[format!("k:{{\"name\":\"SETTING_{i}\"}}")] =
            json!({".": {}, "f:name": {}, "f:value": {}});
    }
    json!({
        ".": {}, "f:args": {}, "f:command": {}, "f:env": settings, "f:image": {}, "f:name": {},
        "f:readinessProbe": {".": {}, "f:failureThreshold": {}, "f:httpGet": {".": {}, "f:path": {}, "f:port": {}}},
        "f:resources": {".": {}, "f:limits": {".": {}, "f:memory": {}}, "f:requests": {".": {}, "f:cpu": {}}},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_have_the_size_that_was_asked_for() {
        for kib in [1, 4, 16, 64] {
            for (is_member, place) in [
                (false, Place::Absent),
                (true, Place::Absent),
                (true, Place::Right),
                (true, Place::Wrong),
            ] {
                let pod = pod(kib << 10, is_member, place);
                assert_eq!(length(&pod), kib << 10, "{kib} KiB, {place:?}");
            }
        }
        for kib in [3, 17] {
            for place in [Place::Absent, Place::Wrong] {
                assert_eq!(length(&set(kib << 10, 2, place)), kib << 10);
            }
        }
    }
}
