//! P10 to P12: pods through generated sequences of updates, each of which the API server would take.
//!
//! Between the requests the pods are stored as the policy answered, bound to nodes, and judged under changing settings.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod generate;
mod oracle;

use generate::json::Json;
use generate::random::Random;
use generate::request::{Answer, Request};
use generate::{cases, mutate, pod, set, settings};
use lws_expand::Form;
use lws_replica_placement::validate;
use oracle::api_server;
use serde_json::{Value, json};

const LEADER_NAME: &str = "leaderworkerset.sigs.k8s.io/leader-name";
const STAMP: &str = "lws-replica-placement/placement";

/// A pod in a cluster.
struct Stored {
    settings: Value,
    pod: Value,
}

impl Stored {
    fn any(random: &mut Random) -> Self {
        let settings = settings::valid(random);
        let set = set::valid(random, settings::has_dots(&settings));
        let form = *random.pick(&[Form::BeforeWebhook, Form::AfterWebhook]);
        let mut pod = pod::member(random, &set, form).pod;
        if random.once_in(2) {
            pod["spec"]["schedulingGates"] = json!([{"name": "a/b"}, {"name": "c/d"}]);
        }
        let mut stored = Self { settings, pod };
        let is_older_than_the_policy = random.once_in(3);
        let name = stored.pod["metadata"]["name"].clone();
        if random.once_in(4) && stored.pod["metadata"]["annotations"][LEADER_NAME].is_null() {
            stored.pod["metadata"]
                .as_object_mut()
                .unwrap()
                .remove("name");
        }
        if !is_older_than_the_policy {
            let answer = stored.ask(&stored.pod, None, "Inject");
            if answer.accepted() {
                stored.pod = after(&answer, &stored.pod);
            }
        }
        stored.pod["metadata"]["name"] = name;
        stored
    }

    fn ask(&self, new: &Value, old: Option<&Value>, action: &str) -> Answer {
        let mut settings = self.settings.clone();
        settings["action"] = json!(action);
        let request = Request {
            settings: settings.to_string(),
            kind: "Pod",
            namespace: "red".to_owned(),
            object: new.to_string(),
            old: old.map(Value::to_string),
        };
        Answer::of(validate(request.payload().as_bytes()))
    }

    /// Whether the pod carries its own placement, as the policy judges a pod that is created.
    fn is_satisfied(&self) -> bool {
        let mut pod = self.pod.clone();
        pod["spec"]
            .as_object_mut()
            .unwrap()
            .remove("schedulingGates");
        let answer = self.ask(&pod, None, "Validate");
        answer.accepted() && answer.decision() == Some("none")
    }
}

fn after(answer: &Answer, sent: &Value) -> Value {
    answer
        .mutated()
        .map_or_else(|| sent.clone(), |text| serde_json::from_str(text).unwrap())
}

/// A change to a pod, and whether the contract names what it changes.
fn edit(random: &mut Random, pod: &mut Value) -> bool {
    let text = random.pick(&["fruit-0", "fruit-1", "", "Bad!"]).to_string();
    let key = *random.pick(&settings::KEYS);
    let is_gated = !api_server::gates(pod).is_empty();
    match random.below(12) {
        0 => pod["metadata"]["labels"]["app"] = json!(text),
        1 => pod["metadata"]["finalizers"] = json!([text]),
        2 => pod["status"]["phase"] = json!(text),
        3 => pod["metadata"]["annotations"]["note"] = json!(text),
        4 => pod["metadata"]["annotations"][LEADER_NAME] = json!(text),
        5 => {
            let stamp = match random.below(4) {
                0 => "{}".to_owned(),
                1 => "no stamp".to_owned(),
                _ => json!({"nodeSelector": [key], "tolerations": [{"key": key}]}).to_string(),
            };
            pod["metadata"]["annotations"][STAMP] = json!(stamp);
        }
        6 => {
            pod["metadata"]["annotations"]["lws-replica-placement/node-selector"] = json!(key);
        }
        7 => {
            let labels = pod["metadata"]["labels"].as_object_mut().unwrap();
            labels.remove(&format!(
                "leaderworkerset.sigs.k8s.io/{}",
                random.pick(&["name", "worker-index", "group-key"])
            ));
        }
        8 if is_gated => {
            let gates = pod["spec"]["schedulingGates"].as_array_mut().unwrap();
            gates.pop();
            if random.once_in(2) {
                gates.clear();
            }
        }
        9 => {
            let toleration = pod::toleration(random, &[key.to_owned()], &["fruit-0".to_owned()]);
            let list = &mut pod["spec"]["tolerations"];
            if list.is_null() {
                *list = json!([]);
            }
            let list = list.as_array_mut().unwrap();
            list.insert(random.below(list.len() + 1), toleration);
        }
        10 if is_gated => {
            pod["spec"]["nodeSelector"][key] = json!(if text == "Bad!" { "x" } else { &text })
        }
        11 => {
            pod["metadata"]
                .as_object_mut()
                .unwrap()
                .remove("annotations");
        }
        _ => return false,
    }
    true
}

/// Whether two pods are alike in all that the contract reads.
fn is_same(new: &Value, old: &Value) -> bool {
    let read = |pod: &Value| {
        let mut pod = pod.clone();
        for (map, name) in [("labels", "app"), ("annotations", "note")] {
            if let Some(map) = pod["metadata"][map].as_object_mut() {
                map.remove(name);
            }
        }
        if pod["metadata"]["annotations"] == json!({}) {
            pod["metadata"]["annotations"] = Value::Null;
        }
        json!([
            pod["metadata"]["labels"],
            pod["metadata"]["annotations"],
            pod["spec"]
        ])
    };
    read(new) == read(old)
}

#[test]
fn updated_pods() {
    let (mut patched, mut refused, mut lifted, mut turned) = (0, 0, 0, 0);
    cases(700, |random| {
        let mut stored = Stored::any(random);
        for _ in 0..8 {
            let was_gated = !api_server::gates(&stored.pod).is_empty();
            if random.once_in(6) {
                stored.settings = settings::valid(random);
            }
            if random.once_in(8) && !was_gated {
                stored.pod["spec"]["nodeName"] = json!("node-1");
            }
            let mut new = stored.pod.clone();
            for _ in 0..1 + random.below(2) {
                edit(random, &mut new);
            }
            if !api_server::update_faults(&new, &stored.pod).is_empty() {
                continue;
            }
            let is_gated = !api_server::gates(&new).is_empty();
            let answer = stored.ask(&new, Some(&stored.pod), "Inject");
            let judged = stored.ask(&new, Some(&stored.pod), "Validate");
            assert_eq!(judged.mutated(), None, "V5");
            if !answer.accepted() {
                refused += 1;
                assert!(
                    was_gated || stored.is_satisfied() && new["spec"]["nodeName"].is_null(),
                    "P11: {}",
                    answer.text
                );
                turned += usize::from(!was_gated);
                assert!(
                    !is_same(&new, &stored.pod),
                    "nothing of the contract's was touched: {}",
                    answer.text
                );
                continue;
            }
            let result = after(&answer, &new);
            if answer.mutated().is_some() {
                patched += 1;
                assert!(was_gated, "P11: {}", answer.text);
                assert_eq!(
                    api_server::update_faults(&result, &stored.pod),
                    Vec::<String>::new()
                );
                let mut plain = result.clone();
                for field in ["nodeSelector", "tolerations"] {
                    plain["spec"][field] = new["spec"][field].clone();
                }
                let mut sent = new.clone();
                for field in ["nodeSelector", "tolerations"] {
                    sent["spec"][field] = new["spec"][field].clone();
                }
                assert_eq!(plain, sent, "I5");
                let [kept, all] = [&new, &result].map(|pod| {
                    pod["spec"]["tolerations"]
                        .as_array()
                        .cloned()
                        .unwrap_or_default()
                });
                assert_eq!(kept, all[..kept.len()]);
            }
            let again = stored.ask(&result, Some(&stored.pod), "Inject");
            assert!(
                again.accepted() && again.mutated().is_none(),
                "I7: {}",
                again.text
            );
            let judged = stored.ask(&result, Some(&stored.pod), "Validate");
            assert!(judged.accepted(), "V4: {}", judged.text);
            if was_gated && !is_gated {
                lifted += 1;
                let created = stored.ask(&result, None, "Validate");
                assert!(
                    created.accepted(),
                    "P10: scheduled without its placement: {}",
                    created.text
                );
            }
            stored.pod = result;
        }
    });
    println!(
        "{patched} patched, {refused} refused ({turned} turned away from their placement), {lifted} gates lifted"
    );
    if std::env::var("PROPERTY_FACTOR").is_err() {
        assert!(patched > 100 && refused > 200 && lifted > 50 && turned > 30);
    }
}

/// P12, S7: whatever is stored, however malformed, keeps its finalizers, labels and status.
#[test]
fn what_is_stored_can_always_be_touched() {
    let mut told = 0;
    cases(3_000, |random| {
        let settings = settings::valid(random);
        let made = set::valid(random, settings::has_dots(&settings));
        let kind = *random.pick(&["Pod", "LeaderWorkerSet"]);
        let mut old = Json::from(&made);
        if kind == "Pod" {
            old = Json::from(&pod::member(random, &made, Form::AfterWebhook).pod);
            pod::decorate(
                random,
                &mut old,
                &settings::KEYS.map(str::to_owned),
                &settings::KEYS.map(str::to_owned),
                &["fruit-0".to_owned()],
            );
        }
        for _ in 0..random.below(4) {
            mutate::anywhere(random, &mut old);
        }
        let mut new = old.clone();
        match random.below(3) {
            0 => new.set("status", json!({"phase": "Running"})),
            1 if matches!(new.get("metadata"), Some(Json::Map(_))) => {
                new.at("metadata").set("finalizers", json!(["a/b"]));
            }
            _ => {}
        }
        let request = Request {
            settings: settings.to_string(),
            kind,
            namespace: "red".to_owned(),
            object: new.compact(),
            old: Some(old.compact()),
        };
        let answer = Answer::of(validate(request.payload().as_bytes()));
        if answer.message().starts_with("request.") || answer.message().starts_with("payload") {
            // No map, no metadata: nothing that a cluster can have stored.
            told += 1;
            return;
        }
        assert!(answer.accepted(), "{} {}", request.payload(), answer.text);
        let is_gated = old
            .get("spec")
            .is_some_and(|spec| spec.get("schedulingGates").is_some());
        assert!(is_gated || answer.mutated().is_none(), "{}", answer.text);
        assert!(answer.value["warnings"].is_null(), "{}", answer.text);
    });
    assert!(
        std::env::var("PROPERTY_FACTOR").is_ok() || told < 1_200,
        "{told}"
    );
}
