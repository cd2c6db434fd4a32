//! Any text as the annotations of a workload and as a stamp.

use lws_replica_placement::annotations::{Layer, resolve};
use lws_replica_placement::json::document;
use lws_replica_placement::placement::Placement;
use lws_replica_placement::settings::Settings;
use lws_replica_placement::stamp;
use serde_json::{Value, json};

use crate::generate::request::Request;
use crate::payload;

const SETTINGS: [&str; 4] = [
    r#"{"replicaSpecificNodeSelector":"plain","workloadAnnotations":"Extend"}"#,
    r#"{"replicaSpecificNodeSelector":["plain"],"replicaSpecificToleration":[{"key":"plain"}],"workloadAnnotations":"Replace","replicaValue":"HashedLeaderName"}"#,
    r#"{"replicaSpecificNodeSelector":"plain","workloadAnnotations":"Ignore","unstampedPods":"Leave"}"#,
    r#"{"workloadKeys":["a","b/c"],"placementUnit":"SubGroup","overlongValue":"Hash","members":"Workers"}"#,
];

/// A1, A2, A4: three lines, for the two annotations and the stamp. What is read as a placement and written as a stamp is
/// read again as the same; pods and sets that carry the texts get answers as [`payload::run`] wants them.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let mut lines = text.splitn(3, '\n');
    let mut line = || lines.next().unwrap_or_default();
    let [node_selector, toleration, stamp] = [line(), line(), line()];

    if let Ok(placement) = stamp::read(stamp) {
        reads_back(&placement);
    }
    for settings in SETTINGS {
        let raw = document(settings).unwrap();
        let read = Settings::read(Some(raw)).unwrap();
        let layer = Layer {
            path: "",
            node_selector: Some(node_selector),
            toleration: Some(toleration),
        };
        if let Ok(choice) = resolve(&read, &[layer]) {
            reads_back(&Placement {
                choice,
                value_rules: read.value_rules,
                members: read.members,
            });
        }
        for (kind, object, old) in objects(node_selector, toleration, stamp) {
            let request = Request {
                settings: settings.to_owned(),
                kind,
                namespace: "red".to_owned(),
                object: object.to_string(),
                old: old.map(|old| old.to_string()),
            };
            payload::run(request.payload().as_bytes());
        }
    }
}

fn reads_back(placement: &Placement) {
    let text = stamp::write(placement);
    let again = stamp::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(again, *placement, "{text}");
    assert_eq!(stamp::write(&again), text);
}

/// Pods without and with the stamp, and sets that carry it in a template.
fn objects(
    node_selector: &str,
    toleration: &str,
    stamp: &str,
) -> Vec<(&'static str, Value, Option<Value>)> {
    let asked = json!({
        "lws-replica-placement/node-selector": node_selector,
        "lws-replica-placement/toleration": toleration,
    });
    let stamped = json!({"lws-replica-placement/placement": stamp});
    let pod = |annotations: &Value| {
        let mut annotations = annotations.clone();
        annotations["leaderworkerset.sigs.k8s.io/leader-name"] = json!("fruit-0");
        json!({
            "metadata": {
                "name": "fruit-0-1",
                "labels": {"leaderworkerset.sigs.k8s.io/name": "fruit"},
                "annotations": annotations,
            },
            "spec": {"schedulingGates": [{"name": "a/b"}]},
        })
    };
    let set = |set: &Value, worker: &Value| {
        json!({
            "metadata": {"name": "fruit", "annotations": set},
            "spec": {"replicas": 2, "leaderWorkerTemplate": {
                "size": 2,
                "workerTemplate": {"metadata": {"annotations": worker}, "spec": {}},
            }},
        })
    };
    let none = json!({});
    vec![
        ("Pod", pod(&asked), None),
        ("Pod", pod(&stamped), None),
        ("Pod", pod(&stamped), Some(pod(&none))),
        ("LeaderWorkerSet", set(&asked, &stamped), None),
        (
            "LeaderWorkerSet",
            set(&none, &asked),
            Some(set(&none, &stamped)),
        ),
    ]
}
