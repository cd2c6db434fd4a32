//! The requests that are measured.

// Indexing here builds literal requests; a wrong name would be a fault of this file.
#![allow(clippy::indexing_slicing)]

use serde_json::{Value, json};

/// Every request with its name, as Kubewarden hands it over.
pub fn all() -> Vec<(&'static str, String)> {
    let placed = json!({"pool.test/group": "fruit-0"});
    let toleration = json!([{"key": "pool.test/group", "operator": "Equal", "value": "fruit-0", "effect": "NoSchedule"}]);
    let mut there = pod(2);
    there["spec"]["nodeSelector"] = placed;
    there["spec"]["tolerations"] = toleration;
    let mut other = pod(2);
    other["metadata"]["labels"] = json!({"app": "web"});
    vec![
        ("no request at all (the floor)", "{}".to_owned()),
        (
            "CREATE of another pod",
            payload("CREATE", "Pod", &other, None),
        ),
        (
            "CREATE of a worker, injected",
            payload("CREATE", "Pod", &pod(2), None),
        ),
        (
            "CREATE of a worker, there already",
            payload("CREATE", "Pod", &there, None),
        ),
        (
            "UPDATE of a running worker",
            payload("UPDATE", "Pod", &there, Some(&there)),
        ),
        (
            "CREATE of a worker of 100 containers",
            payload("CREATE", "Pod", &pod(100), None),
        ),
        (
            "CREATE of a set",
            payload("CREATE", "LeaderWorkerSet", &set(), None),
        ),
        (
            "UPDATE of a set, scaled",
            payload("UPDATE", "LeaderWorkerSet", &set(), Some(&set())),
        ),
    ]
}

fn payload(operation: &str, kind: &str, object: &Value, old: Option<&Value>) -> String {
    let group = match kind {
        "Pod" => "",
        _ => "leaderworkerset.x-k8s.io",
    };
    let mut request = json!({
        "uid": "00000000-0000-0000-0000-000000000000",
        "kind": {"group": group, "version": "v1", "kind": kind},
        "operation": operation,
        "namespace": "red",
        "object": object,
        "userInfo": {"username": "system:serviceaccount:kube-system:statefulset-controller"},
    });
    if let Some(old) = old {
        request["oldObject"] = old.clone();
    }
    let settings = json!({
        "replicaSpecificNodeSelector": "pool.test/group",
        "replicaSpecificToleration": [{"key": "pool.test/group", "effect": "NoSchedule"}],
    });
    json!({"settings": settings, "request": request}).to_string()
}

fn pod(containers: usize) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "fruit-0-1",
            "namespace": "red",
            "labels": {
                "leaderworkerset.sigs.k8s.io/name": "fruit",
                "leaderworkerset.sigs.k8s.io/group-index": "0",
                "leaderworkerset.sigs.k8s.io/group-key": "9ddf1a4b5c6e7f8091a2b3c4d5e6f708192a3b4c",
                "leaderworkerset.sigs.k8s.io/template-revision-hash": "5f6d8b7c9",
                "apps.kubernetes.io/pod-index": "1",
            },
            "annotations": {
                "leaderworkerset.sigs.k8s.io/leader-name": "fruit-0",
                "leaderworkerset.sigs.k8s.io/size": "4",
            },
            "ownerReferences": [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "fruit-0", "controller": true,
                "uid": "00000000-0000-0000-0000-000000000001", "blockOwnerDeletion": true}],
        },
        "spec": spec(containers),
    })
}

fn spec(containers: usize) -> Value {
    let environment: Vec<Value> = (0..20)
        .map(|i| json!({"name": format!("SETTING_{i}"), "value": format!("value number {i} of the container")}))
        .collect();
    let mounts: Vec<Value> = (0..8)
        .map(|i| json!({"name": format!("volume-{i}"), "mountPath": format!("/mnt/volume-{i}"), "readOnly": i % 2 == 0}))
        .collect();
    let container = |i: usize| {
        json!({
            "name": format!("container-{i}"),
            "image": "registry.example.com/inference/server:v1.2.3",
            "command": ["sh", "-c"],
            "args": ["serve \"/models/large\" --tensor-parallel-size 8 --pipeline-parallel-size \"$LWS_GROUP_SIZE\"\n"],
            "env": environment,
            "volumeMounts": mounts,
            "resources": {"limits": {"example.com/accelerator": "8", "memory": "1800Gi"}, "requests": {"cpu": "180"}},
            "readinessProbe": {"httpGet": {"path": "/health", "port": 8000}, "periodSeconds": 10, "failureThreshold": 3},
        })
    };
    json!({
        "containers": (0..containers).map(container).collect::<Vec<_>>(),
        "restartPolicy": "Always",
        "terminationGracePeriodSeconds": 30,
        "serviceAccountName": "default",
        "schedulerName": "default-scheduler",
    })
}

fn set() -> Value {
    json!({
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "fruit", "namespace": "red"},
        "spec": {"replicas": 2, "leaderWorkerTemplate": {
            "size": 4,
            "leaderTemplate": {"spec": spec(2)},
            "workerTemplate": {"spec": spec(2)},
        }},
    })
}
