//! Whether a patch kept to what the policy may change (I5, S9).

use super::pointer;
use serde_json::Value;

/// What may change of a pod.
const POD: [&str; 2] = ["/spec/nodeSelector", "/spec/tolerations"];

/// What may change of a LeaderWorkerSet.
const SET: [&str; 2] = [
    "/spec/leaderWorkerTemplate/leaderTemplate/metadata/annotations/lws-replica-placement~1placement",
    "/spec/leaderWorkerTemplate/workerTemplate/metadata/annotations/lws-replica-placement~1placement",
];

/// The paths that differ between `before` and `after` though the policy may not touch them.
pub(super) fn touched(before: &Value, after: &Value) -> Vec<String> {
    let allowed = match before.get("kind").and_then(Value::as_str) {
        Some("LeaderWorkerSet") => SET,
        _ => POD,
    };
    let (mut left, mut right) = (before.clone(), after.clone());
    for path in allowed {
        pointer::remove(&mut left, path);
        pointer::remove(&mut right, path);
        fold_made_parents(&left, &mut right, path);
    }
    json_patch::diff(&left, &right)
        .iter()
        .map(|operation| operation.path().to_string())
        .collect()
}

/// A stamp may need maps to stand in. Takes away those that are empty now and were not there before.
fn fold_made_parents(before: &Value, after: &mut Value, path: &str) {
    let mut path = path;
    while let Some((parent, _)) = path.rsplit_once('/') {
        if parent.is_empty()
            || after.pointer(parent) != Some(&Value::Object(serde_json::Map::new()))
        {
            return;
        }
        match before.pointer(parent) {
            None => {
                pointer::remove(after, parent);
            }
            Some(Value::Null) => {
                pointer::set_null(after, parent);
                return;
            }
            Some(_) => return,
        }
        path = parent;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)]
    use super::*;
    use serde_json::json;

    #[test]
    fn the_two_fields_of_a_pod_may_change() {
        let before = json!({"kind": "Pod", "spec": {"tolerations": null, "nodeName": "a"}});
        let after = json!({"kind": "Pod", "spec": {"tolerations": [1], "nodeSelector": {"a": "b"}, "nodeName": "a"}});
        assert!(touched(&before, &after).is_empty());
        let after = json!({"kind": "Pod", "spec": {"tolerations": [1], "nodeName": "b"}, "x": 1});
        assert_eq!(touched(&before, &after), ["/spec/nodeName", "/x"]);
    }

    #[test]
    fn an_empty_map_that_appears_beside_is_seen() {
        let before = json!({"kind": "Pod", "spec": {}});
        let after = json!({"kind": "Pod", "spec": {"affinity": {}}});
        assert_eq!(touched(&before, &after), ["/spec/affinity"]);
    }

    #[test]
    fn the_stamps_of_a_set_may_change_and_bring_their_parents() {
        let before = json!({"kind": "LeaderWorkerSet", "spec": {"leaderWorkerTemplate": {
            "leaderTemplate": {"metadata": {"annotations": null}},
            "workerTemplate": {"spec": {}},
        }}});
        let stamp = json!({"annotations": {"lws-replica-placement/placement": "{}"}});
        let mut after = before.clone();
        after["spec"]["leaderWorkerTemplate"]["leaderTemplate"]["metadata"] = stamp.clone();
        after["spec"]["leaderWorkerTemplate"]["workerTemplate"]["metadata"] = stamp;
        assert!(touched(&before, &after).is_empty());
        after["spec"]["leaderWorkerTemplate"]["workerTemplate"]["metadata"]["labels"] = json!({});
        assert_eq!(
            touched(&before, &after),
            ["/spec/leaderWorkerTemplate/workerTemplate/metadata"]
        );
    }
}
