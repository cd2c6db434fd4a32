//! Input that nobody means well: the answer is one clean line, and its size and cost stay in proportion.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;
mod generate;

use generate::json::Json;
use generate::mutate::STRANGERS;
use generate::raw;
use generate::request::Answer;
use lws_replica_placement::{validate, validate_settings};
use serde_json::{Value, json};

/// More than any message needs that tells all it may: 64 faults, each with a name of 253 characters.
const MESSAGE_LIMIT: usize = 64 << 10;

fn payload(settings: &Value, object: &Value, old: Option<&Value>) -> Value {
    let kind = object["kind"].as_str().unwrap();
    let group = if kind == "Pod" {
        ""
    } else {
        "leaderworkerset.x-k8s.io"
    };
    let mut request = json!({
        "kind": {"group": group, "version": "v1", "kind": kind},
        "operation": if old.is_some() { "UPDATE" } else { "CREATE" },
        "subResource": "",
        "namespace": "red",
        "object": object,
    });
    if let Some(old) = old {
        request["oldObject"] = old.clone();
    }
    json!({"settings": settings, "request": request})
}

fn rich_settings() -> Value {
    json!({
        "action": "Inject",
        "replicaSpecificNodeSelector": ["pool.test/group", "plain"],
        "replicaSpecificToleration": [{"key": "pool.test/group", "effect": "NoSchedule"}, {"key": "plain"}],
        "workloadAnnotations": "Extend",
        "workloadKeys": ["pool.test/group", "plain"],
        "replicaValue": "NamespacedLeaderName",
        "overlongValue": "Hash",
        "placementUnit": "SubGroup",
        "members": "All",
        "unstampedPods": "Inject",
    })
}

/// A pod in which everything stands that the policy reads.
fn rich_pod() -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "fruit-0-1",
            "generateName": "fruit-0-",
            "namespace": "red",
            "labels": {"leaderworkerset.sigs.k8s.io/name": "fruit", "leaderworkerset.sigs.k8s.io/worker-index": "1",
                "leaderworkerset.sigs.k8s.io/group-key": "x"},
            "annotations": {"leaderworkerset.sigs.k8s.io/leader-name": "fruit-0", "leaderworkerset.sigs.k8s.io/size": "4",
                "leaderworkerset.sigs.k8s.io/subgroup-size": "2", "leaderworkerset.sigs.k8s.io/exclusive-topology": "rack",
                "lws-replica-placement/node-selector": "plain", "lws-replica-placement/toleration": "plain:NoExecute"},
            "ownerReferences": [{"controller": true, "kind": "StatefulSet", "name": "fruit-0"}],
        },
        "spec": {
            "nodeName": "",
            "nodeSelector": {"disk": "ssd"},
            "tolerations": [{"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute", "tolerationSeconds": 3}],
            "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                {"matchExpressions": [{"key": "plain", "operator": "In", "values": ["red.fruit-0.0"]}], "matchFields": []}]}}},
            "schedulingGates": [{"name": "a/b"}],
            "containers": [],
        },
    })
}

/// A set in which everything stands that the policy reads.
fn rich_set() -> Value {
    let template = json!({
        "metadata": {"annotations": {"lws-replica-placement/node-selector": "plain", "lws-replica-placement/placement": "{}",
            "leaderworkerset.sigs.k8s.io/exclusive-topology": "rack"}},
        "spec": {"nodeName": "", "nodeSelector": {"disk": "ssd"}, "containers": [],
            "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                {"matchExpressions": [{"key": "plain", "operator": "Exists", "values": []}]}]}}}},
    });
    json!({
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "fruit", "namespace": "red", "annotations": {"lws-replica-placement/toleration": "plain"}},
        "spec": {
            "replicas": 2,
            "rolloutStrategy": {"rollingUpdateConfiguration": {"maxSurge": "25%"}},
            "groupIdentity": "Ordinal",
            "placementPolicy": {"topology": "zone"},
            "leaderWorkerTemplate": {
                "size": 4,
                "subGroupPolicy": {"subGroupSize": 2, "type": "LeaderWorker", "placementPolicy": {"topology": "zone"}},
                "leaderTemplate": template,
                "workerTemplate": template,
            },
        },
    })
}

/// Payloads in which every member has a use.
fn rich_payloads() -> Vec<Value> {
    let (pod, set) = (rich_pod(), rich_set());
    let mut running = pod.clone();
    running["spec"]["schedulingGates"] = json!(null);
    [
        (&pod, None),
        (&pod, Some(&pod)),
        (&running, Some(&running)),
        (&set, None),
        (&set, Some(&set)),
    ]
    .into_iter()
    .map(|(object, old)| payload(&rich_settings(), object, old))
    .collect()
}

/// Asks, and holds the answer against section 8 of the contract.
#[track_caller]
fn clean(payload: impl AsRef<[u8]>) -> Answer {
    let answer = Answer::of(validate(payload.as_ref()));
    let message = answer.message();
    if answer.accepted() {
        assert_eq!(answer.value["message"], Value::Null);
    } else {
        assert!(
            [400, 422].contains(&answer.value["code"].as_u64().unwrap()),
            "{}",
            answer.text
        );
        assert!(!message.is_empty() && message.len() <= MESSAGE_LIMIT);
    }
    assert!(!message.contains(char::is_control), "{message}");
    assert!(
        !message.contains(&"y".repeat(254)),
        "an echo of {}",
        message.len()
    );
    for warning in answer.value["warnings"].as_array().into_iter().flatten() {
        assert!(
            warning.as_str().unwrap().chars().count() <= 120,
            "{warning}"
        );
    }
    answer
}

/// Every way into a value: the path to each member and element.
fn paths(value: &Value, path: &str, out: &mut Vec<String>) {
    let below = |name: &str| format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(map) => map
            .iter()
            .map(|(name, value)| (below(name), value))
            .collect(),
        Value::Array(list) => list
            .iter()
            .enumerate()
            .map(|(i, value)| (below(&i.to_string()), value))
            .collect(),
        _ => Vec::new(),
    };
    for (path, value) in inner {
        out.push(path.clone());
        paths(value, &path, out);
    }
}

/// The payload's text with raw text in the place of a member.
fn with(payload: &Value, path: &str, raw: &str) -> String {
    const MARK: &str = "--here--";
    let mut payload = payload.clone();
    *payload.pointer_mut(path).unwrap() = json!(MARK);
    payload.to_string().replacen(&format!("\"{MARK}\""), raw, 1)
}

#[test]
fn r5_cut_at_every_byte() {
    for payload in rich_payloads() {
        let text = payload.to_string();
        assert!(clean(&text).accepted(), "{text}");
        for end in 0..text.len() {
            let answer = clean(&text[..end]);
            assert!(!answer.accepted() && answer.value["code"] == 400);
            assert!(
                answer.message().starts_with("payload: no JSON"),
                "{}",
                answer.message()
            );
        }
    }
    let settings = rich_settings().to_string();
    for end in 0..settings.len() {
        let judged: Value =
            serde_json::from_slice(&validate_settings(&settings.as_bytes()[..end])).unwrap();
        assert_eq!(judged["valid"], false);
    }
}

#[test]
fn r5_every_member_replaced() {
    for payload in rich_payloads() {
        let mut all = Vec::new();
        paths(&payload, "", &mut all);
        for path in all {
            for stranger in STRANGERS {
                let answer = clean(with(&payload, &path, stranger));
                if !answer.accepted() {
                    assert!(answer.message().contains(':'), "{}", answer.message());
                }
            }
        }
    }
}

#[test]
fn r5_every_member_doubled_and_escaped() {
    for payload in rich_payloads() {
        let whole = clean(payload.to_string());
        let mut all = Vec::new();
        paths(&payload, "", &mut all);
        for path in all {
            let (parent, name) = path.rsplit_once('/').unwrap();
            let Some(Value::Object(map)) = payload.pointer(parent) else {
                continue;
            };
            let name = name.replace("~1", "/").replace("~0", "~");
            let escape: String = name
                .encode_utf16()
                .map(|unit| format!("\\u{unit:04x}"))
                .collect();
            let mut others = Json::from(&Value::Object(map.clone())).compact();
            let own = format!("{}:", json!(name));
            // Escaped only: the same member.
            let once = others.replacen(&own, &format!("\"{escape}\":"), 1);
            let replaced = if parent.is_empty() {
                once.clone()
            } else {
                with(&payload, parent, &once)
            };
            let mut answer = clean(&replaced).value;
            // An update whose two objects are spelt differently may look like a change that is worth a warning.
            if payload["request"]["operation"] == "UPDATE" {
                answer["warnings"] = whole.value["warnings"].clone();
            }
            let expected = whole.value.as_object().unwrap().iter();
            assert!(
                expected.clone().all(|(name, value)| answer[name] == *value),
                "{path}"
            );
            // Twice, spelt in two ways: one of the two counts, or the request is refused; nothing else is said.
            others.pop();
            let twice = format!("{others},\"{escape}\":{}}}", map[&name]);
            clean(if parent.is_empty() {
                twice
            } else {
                with(&payload, parent, &twice)
            });
        }
    }
}

#[test]
fn r5_every_member_huge_or_deep() {
    let long = format!("\"{}\"", "y".repeat(30_000));
    let dirty = format!("\"{}\"", "\\u0000\\\\\\\"\\n\u{2028}é".repeat(2_000));
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let map = format!("{}0{}", "{\"metadata\":".repeat(2_000), "}".repeat(2_000));
    let wide = format!("[{}\"\"]", "\"y\",".repeat(3_000));
    let objects = format!("[{}{{}}]", "{},".repeat(3_000));
    let members: Vec<String> = (0..3_000).map(|i| format!("\"y{i}\":\"y\"")).collect();
    let members = format!("{{{}}}", members.join(","));
    let repeated = format!("{{{}\"action\":1}}", "\"action\":1,".repeat(3_000));
    // Of the updates the one of a pod that runs: it reads what the others read.
    for payload in rich_payloads().into_iter().step_by(2) {
        let mut all = Vec::new();
        paths(&payload, "", &mut all);
        for path in all {
            for text in [
                &long, &dirty, &deep, &map, &wide, &objects, &members, &repeated,
            ] {
                clean(with(&payload, &path, text));
            }
        }
    }
}

#[test]
fn r5_bytes_that_are_no_text() {
    for payload in rich_payloads() {
        let text = payload.to_string().into_bytes();
        for at in (0..text.len()).step_by(3) {
            for byte in [0xff, 0xc0, 0xed, 0x80, 0x00] {
                let mut bytes = text.clone();
                bytes[at] = byte;
                clean(&bytes);
            }
        }
    }
}

fn set_with(template: &str, name: &str, identity: &str) -> String {
    format!(
        r#"{{"metadata":{{"name":"{name}","namespace":"red"}},"spec":{{"replicas":100,"groupIdentity":"{identity}","leaderWorkerTemplate":{template}}}}}"#
    )
}

fn ask_about_set(object: &str, old: Option<&str>) -> Answer {
    let (operation, old) = match old {
        Some(old) => ("UPDATE", format!(r#","oldObject":{old}"#)),
        None => ("CREATE", String::new()),
    };
    clean(format!(
        r#"{{"settings":{{"replicaSpecificNodeSelector":"plain"}},"request":{{"kind":{{"group":"leaderworkerset.x-k8s.io","version":"v1","kind":"LeaderWorkerSet"}},"operation":"{operation}","namespace":"red","object":{object}{old}}}}}"#
    ))
}

/// What is JSON and no map is told as such, even where no type of ours can hold it.
#[test]
fn r5_numbers_and_surrogates_are_no_maps() {
    for (path, name) in [("/request/object", "object"), ("/request/kind", "kind")] {
        for (text, found) in [("1e999", "a number"), ("\"\\ud800\"", "a string")] {
            let answer = clean(with(&rich_payloads()[0], path, text));
            assert_eq!(
                answer.message(),
                format!("request.{name}: found {found} where a map is due; make it a map")
            );
        }
    }
}

/// A set's name comes by before anyone has checked it; a cut through one of its characters used to end the module.
#[test]
fn l4_names_of_any_letters() {
    for name in [
        "é".repeat(40),
        format!("a{}", "é".repeat(40)),
        "🍉".repeat(15),
        format!("abc{}", "🍉".repeat(20)),
    ] {
        for identity in ["Hash", "Ordinal"] {
            let answer =
                ask_about_set(&set_with(r#"{"workerTemplate":{}}"#, &name, identity), None);
            assert_eq!(answer.value["code"], 422, "no label value: {}", answer.text);
        }
    }
}

/// Two templates that differ below any depth used to use up the stack.
#[test]
fn l6_templates_of_any_depth() {
    for (open, close) in [
        ("{\"x\":", "}"),
        ("[", "]"),
        ("{\"metadata\":", "}"),
        ("[{\"spec\":", "}]"),
    ] {
        for depth in [30, 1_000, 100_000] {
            let template = |core: &str| {
                let deep = format!("{}{core}{}", open.repeat(depth), close.repeat(depth));
                set_with(
                    &format!(r#"{{"workerTemplate":{{"x":{deep}}}}}"#),
                    "fruit",
                    "Ordinal",
                )
            };
            assert!(ask_about_set(&template("1"), Some(&template("2"))).accepted());
        }
    }
}

/// Each level used to be read again from every level above it.
#[test]
fn l6_depth_does_not_multiply_size() {
    let text = "x".repeat(100_000);
    let template = |core: &str| {
        let deep = format!(
            "{}\"{text}{core}\"{}",
            "{\"metadata\":".repeat(100),
            "}".repeat(100)
        );
        set_with(
            &format!(r#"{{"workerTemplate":{{"x":{deep}}}}}"#),
            "fruit",
            "Ordinal",
        )
    };
    let started = std::time::Instant::now();
    ask_about_set(&template("1"), Some(&template("2")));
    // It was fifteen seconds; the fuel in the harness's tests is the exact measure.
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}

fn annotated(node_selector: &str, toleration: &str, settings: &str) -> Answer {
    clean(format!(
        r#"{{"settings":{settings},"request":{{"kind":{{"version":"v1","kind":"Pod"}},"operation":"CREATE","namespace":"red","object":{{"metadata":{{"name":"fruit-0","labels":{{"leaderworkerset.sigs.k8s.io/name":"fruit","leaderworkerset.sigs.k8s.io/worker-index":"0"}},"annotations":{{"lws-replica-placement/node-selector":"{node_selector}","lws-replica-placement/toleration":"{toleration}"}}}},"spec":{{}}}}}}}}"#
    ))
}

/// A workload asks for 64 keys at most, together with the settings: a megabyte of them would be written out with their
/// values and held against each other.
#[test]
fn c6_a2_keys_are_counted() {
    let keys = |count: usize| {
        (0..count)
            .map(|i| format!("k{i}"))
            .collect::<Vec<_>>()
            .join(",")
    };
    let most = annotated(&keys(64), &keys(64), "{}");
    assert!(most.accepted(), "{}", most.text);
    let spec = raw::member(most.mutated().unwrap(), "spec").unwrap();
    assert_eq!(
        raw::pieces(raw::member(spec, "nodeSelector").unwrap()).len(),
        64
    );
    assert_eq!(
        raw::pieces(raw::member(spec, "tolerations").unwrap()).len(),
        64
    );
    let text = "asks for more than 64 items, the settings' counted in; ask for fewer";
    for (node_selector, toleration, settings, annotation) in [
        (keys(65), String::new(), "{}", "node-selector"),
        (keys(300_000), String::new(), "{}", "node-selector"),
        (
            vec!["a"; 65].join(","),
            String::new(),
            "{}",
            "node-selector",
        ),
        (
            keys(64),
            String::new(),
            r#"{"replicaSpecificNodeSelector":"plain"}"#,
            "node-selector",
        ),
        (String::new(), keys(65), "{}", "toleration"),
        (String::new(), keys(300_000), "{}", "toleration"),
        (
            String::new(),
            keys(64),
            r#"{"replicaSpecificToleration":[{"key":"plain"}]}"#,
            "toleration",
        ),
    ] {
        let answer = annotated(&node_selector, &toleration, settings);
        assert_eq!(answer.value["code"], 400);
        assert_eq!(
            answer.message(),
            format!(
                "pod \"red/fruit-0\": annotation \"lws-replica-placement/{annotation}\": {text}"
            )
        );
    }
    let replacing = r#"{"replicaSpecificNodeSelector":"plain","workloadAnnotations":"Replace"}"#;
    assert!(annotated(&keys(64), "", replacing).accepted());
    for (field, item) in [
        ("replicaSpecificNodeSelector", "\"k\""),
        ("replicaSpecificToleration", "{\"key\":\"k\"}"),
    ] {
        let list: Vec<String> = (0..65)
            .map(|i| item.replace('k', &format!("k{i}")))
            .collect();
        let list = list.join(",").replace("k64y", "key");
        let list = (0..65).fold(list, |list, i| list.replace(&format!("k{i}ey"), "key"));
        let judged: Value = serde_json::from_slice(&validate_settings(
            format!(r#"{{"{field}":[{list}]}}"#).as_bytes(),
        ))
        .unwrap();
        assert_eq!(
            judged["message"],
            format!("settings.{field}: has 65 items; at most 64 are legal")
        );
    }
}

/// C4 tells every fault that somebody can have made, and stops before the answer outgrows the question.
#[test]
fn c4_faults_are_told_up_to_64() {
    for (count, more) in [(64, None), (65, Some(())), (100_000, Some(()))] {
        let fields: Vec<String> = (0..count).map(|i| format!("\"action{i}\":1")).collect();
        let judged = validate_settings(format!("{{{}}}", fields.join(",")).as_bytes());
        let judged: Value = serde_json::from_slice(&judged).unwrap();
        let message = judged["message"].as_str().unwrap();
        assert_eq!(message.matches("unknown field").count(), 64);
        let rest = more.map(|()| "settings: has more faults; correct these first".to_owned());
        assert_eq!(message.split(". ").nth(64).map(str::to_owned), rest);
    }
    let faulty = format!(
        "{{\"replicaSpecificToleration\":[{}{{}}]}}",
        "{\"x\":1,\"y\":2,\"effect\":3},".repeat(60)
    );
    let judged = validate_settings(faulty.as_bytes());
    assert!(
        judged.len() < MESSAGE_LIMIT && String::from_utf8(judged).unwrap().contains(" more faults")
    );
}
