//! Any bytes as the policy's settings.

use lws_replica_placement::{validate, validate_settings};
use serde_json::Value;

use crate::generate::request::{Answer, Request};
use crate::payload;

const POD: &str = r#"{"metadata":{"name":"fruit-0","labels":{"leaderworkerset.sigs.k8s.io/name":"fruit","leaderworkerset.sigs.k8s.io/worker-index":"0"}},"spec":{}}"#;
const SET: &str = r#"{"metadata":{"name":"fruit"},"spec":{"replicas":2,"leaderWorkerTemplate":{"size":2,"workerTemplate":{}}}}"#;

/// C1 to C6: the settings' checker gives one answer to any bytes, in one line, and accepts exactly what a decision uses:
/// what it refuses is refused there in the same words, what it accepts places a pod and a set.
pub fn run(data: &[u8]) {
    let judged: Value = serde_json::from_slice(&validate_settings(data)).unwrap();
    let is_valid = judged["valid"].as_bool().unwrap();
    let message = judged["message"].as_str();
    assert_eq!(is_valid, message.is_none(), "{judged}");
    assert!(
        !message.is_some_and(|text| text.is_empty() || text.contains(char::is_control)),
        "{judged}"
    );
    let Some(text) = payload::well_formed(data) else {
        assert!(!is_valid, "valid, and is no JSON");
        return;
    };
    for (kind, object) in [("Pod", POD), ("LeaderWorkerSet", SET)] {
        let request = Request {
            settings: text.to_owned(),
            kind,
            namespace: "red".to_owned(),
            object: object.to_owned(),
            old: None,
        };
        let payload = request.payload();
        let answer = Answer::of(validate(payload.as_bytes()));
        if !is_valid {
            assert_eq!(Some(answer.message()), message, "{text}");
            assert_eq!(answer.value["code"], 400);
            continue;
        }
        let is_judged = serde_json::from_str::<Value>(text).unwrap()["action"] == "Validate";
        assert!(
            answer.accepted() || is_judged && !answer.message().starts_with("settings"),
            "{text}: {}",
            answer.text
        );
        payload::run(payload.as_bytes());
    }
}
