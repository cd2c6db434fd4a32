//! What people and controllers do to a stored set.

use serde_json::{Map, Value, json};

/// The set's pod templates.
const TEMPLATES: [&str; 2] = ["leaderTemplate", "workerTemplate"];

/// The annotation that is the stamp (A4).
const STAMP: &str = "lws-replica-placement/placement";

/// The annotation by which `kubectl rollout restart` changes templates.
const RESTARTED: &str = "kubectl.kubernetes.io/restartedAt";

/// Whether an object was read from a cluster: only the API server gives a uid. Such a set is not created any more.
pub(super) fn is_from_a_cluster(object: &Value) -> bool {
    let uid = object.pointer("/metadata/uid").and_then(Value::as_str);
    uid.is_some_and(|uid| !uid.is_empty())
}

/// The stamps of a set, template by template.
pub(super) fn stamps(set: &Value) -> Vec<Option<&str>> {
    let stamp = |template: &&str| annotations(set, template)?.get(STAMP)?.as_str();
    TEMPLATES.iter().map(stamp).collect()
}

/// A manifest as `kubectl apply` sends it over `stored`: stamps stay, since they are in no manifest.
pub(super) fn applied(manifest: &Value, stored: &Value) -> Value {
    let mut set = manifest.clone();
    for template in TEMPLATES {
        let old = annotations(stored, template).and_then(|map| map.get(STAMP));
        let has = annotations(manifest, template).is_some_and(|map| map.contains_key(STAMP));
        if let (Some(old), false) = (old, has) {
            annotate(&mut set, template, STAMP, old.clone());
        }
    }
    set
}

/// The set with one replica more; none where LWS would not have it.
pub(super) fn scaled(set: &Value, replicas: u64) -> Option<Value> {
    let more = i32::try_from(replicas).ok()?.checked_add(1)?;
    let mut set = set.clone();
    let spec = set.get_mut("spec")?.as_object_mut()?;
    spec.insert("replicas".to_owned(), json!(more));
    Some(set)
}

/// The set with another revision of its templates, as a new image or `kubectl rollout restart` makes it.
pub(super) fn revised(set: &Value) -> Value {
    let mut set = set.clone();
    annotate(&mut set, "workerTemplate", RESTARTED, json!("now"));
    set
}

/// Whether LWS makes all replicas anew when `old` becomes `new` (L6).
pub(super) fn is_rolled_out(old: &Value, new: &Value) -> bool {
    ["/spec/leaderWorkerTemplate", "/spec/networkConfig"]
        .into_iter()
        .any(|field| old.pointer(field) != new.pointer(field))
}

/// Whether a lost worker can be made again while the rest of its replica stays (L9). `RecreateGroupAfterStart` takes
/// the whole replica only once all its pods have started.
pub(super) fn replaces_workers_alone(set: &Value) -> bool {
    let policy = set
        .pointer("/spec/leaderWorkerTemplate/restartPolicy")
        .and_then(Value::as_str);
    matches!(policy, Some("None" | "Default" | "RecreateGroupAfterStart"))
}

fn annotations<'a>(set: &'a Value, template: &str) -> Option<&'a Map<String, Value>> {
    let at = format!("/spec/leaderWorkerTemplate/{template}/metadata/annotations");
    set.pointer(&at)?.as_object()
}

/// Writes an annotation of a template; where there is no such template, nothing.
fn annotate(set: &mut Value, template: &str, key: &str, value: Value) {
    let at = format!("/spec/leaderWorkerTemplate/{template}");
    let mut map = set.pointer_mut(&at).and_then(Value::as_object_mut);
    for field in ["metadata", "annotations"] {
        map = map.and_then(|map| {
            let inner = map.entry(field).or_insert(Value::Null);
            if inner.is_null() {
                *inner = Value::Object(Map::new());
            }
            inner.as_object_mut()
        });
    }
    if let Some(map) = map {
        map.insert(key.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(worker: &Value) -> Value {
        json!({"spec": {"leaderWorkerTemplate": {"workerTemplate": worker}}})
    }

    #[test]
    fn stamps_are_carried_to_templates_that_have_none() {
        let stored = set(&json!({"metadata": {"annotations": {STAMP: "{}", "a": "b"}}}));
        let sent = applied(&set(&json!({"metadata": null, "spec": {}})), &stored);
        assert_eq!(stamps(&sent), [None, Some("{}")]);
        assert_eq!(annotations(&sent, "workerTemplate").map(Map::len), Some(1));
        let own = set(&json!({"metadata": {"annotations": {STAMP: "{\"members\":\"All\"}"}}}));
        assert_eq!(applied(&own, &stored), own);
    }

    #[test]
    fn a_revision_rolls_and_a_scale_does_not() {
        let old = set(&json!({"spec": {}}));
        assert!(is_rolled_out(&old, &revised(&old)));
        let more = scaled(&old, 3);
        assert_eq!(
            more.as_ref().map(|more| is_rolled_out(&old, more)),
            Some(false)
        );
        assert_eq!(scaled(&old, 2_147_483_647), None);
    }
}
