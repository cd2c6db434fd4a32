//! The requests that the API server would send while manifests are applied.

use crate::request::Request;
use serde_json::{Value, json};

/// The namespace of objects that name none, as with `kubectl` by default.
pub(super) const NAMESPACE: &str = "default";

/// The namespace of an object, `default` where it names none.
#[must_use]
pub fn namespace(object: &Value) -> &str {
    object
        .pointer("/metadata/namespace")
        .and_then(Value::as_str)
        .filter(|namespace| !namespace.is_empty())
        .unwrap_or(NAMESPACE)
}

/// The creation of a pod by one of Kubernetes' controllers.
#[must_use]
pub fn pod(namespace: &str, object: &Value) -> Request {
    let user = "system:serviceaccount:kube-system:statefulset-controller";
    create(&["", "v1", "Pod", "pods"], user, namespace, object)
}

/// The update of a pod by LeaderWorkerSet's controller.
pub(super) fn pod_update(namespace: &str, old: &Value, new: &Value) -> Request {
    let user = "system:serviceaccount:lws-system:lws-controller-manager";
    update(
        &create(&["", "v1", "Pod", "pods"], user, namespace, new),
        old,
    )
}

/// The creation of a LeaderWorkerSet by a user.
#[must_use]
pub fn set(namespace: &str, object: &Value) -> Request {
    let kind = [
        "leaderworkerset.x-k8s.io",
        "v1",
        "LeaderWorkerSet",
        "leaderworkersets",
    ];
    create(&kind, "kubernetes-admin", namespace, object)
}

/// The update of a LeaderWorkerSet by a user.
pub(super) fn set_update(namespace: &str, old: &Value, new: &Value) -> Request {
    update(&set(namespace, new), old)
}

/// The update to the object of a creation from `old`.
fn update(creation: &Request, old: &Value) -> Request {
    let mut request = creation.value().clone();
    if let Value::Object(map) = &mut request {
        map.insert("operation".to_owned(), json!("UPDATE"));
        map.insert("oldObject".to_owned(), old.clone());
    }
    Request::verbatim(request)
}

fn create(kind: &[&str; 4], user: &str, namespace: &str, object: &Value) -> Request {
    let [group, version, kind, resource] = kind;
    let kind = json!({"group": group, "version": version, "kind": kind});
    let resource = json!({"group": group, "version": version, "resource": resource});
    let mut request = json!({
        "uid": "00000000-0000-4000-8000-000000000000",
        "kind": kind,
        "resource": resource,
        "requestKind": kind,
        "requestResource": resource,
        "namespace": namespace,
        "operation": "CREATE",
        "userInfo": {"username": user},
        "dryRun": false,
    });
    // What is yet to be named has no name in its request either.
    let name = object
        .pointer("/metadata/name")
        .filter(|name| name.is_string());
    if let Value::Object(map) = &mut request {
        map.insert("object".to_owned(), object.clone());
        if let Some(name) = name {
            map.insert("name".to_owned(), name.clone());
        }
    }
    Request::verbatim(request)
}
