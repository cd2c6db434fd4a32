//! Pods: over generated members of generated sets, what is injected, what is refused, and what never changes.
//!
//! The oracle (`oracle/`) knows Kubernetes' rules and the contract's text, not the policy's code.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod generate;
mod oracle;

use std::collections::BTreeMap;

use generate::affinity::OTHERS;
use generate::changes::additions;
use generate::json::Json;
use generate::pod::{self, Member};
use generate::random::Random;
use generate::request::{Answer, Request};
use generate::{cases, raw, set, settings};
use lws_expand::Form;
use lws_replica_placement::{validate, validate_settings};
use oracle::api_server;
use oracle::placement::{self, Asked, Unit};
use oracle::scheduler::{self, Node};
use serde_json::{Value, json};

/// A member of a replica with everything that decides about it.
struct Scene {
    settings: Value,
    set: Value,
    replica: usize,
    worker: usize,
    member: Member,
    /// What its template asks for.
    asked: Asked,
    /// Its subgroup, where values are by subgroup.
    subgroup: Option<u64>,
    /// Whether it is left out of the placement.
    is_left_out: bool,
}

impl Scene {
    fn any(random: &mut Random) -> Self {
        let settings = settings::valid(random);
        let set = set::valid(random, settings::has_dots(&settings));
        let size = usize::try_from(
            set["spec"]["leaderWorkerTemplate"]["size"]
                .as_u64()
                .unwrap(),
        );
        let (replica, worker) = (random.below(5), random.below(size.unwrap()));
        Self::of(settings, set, replica, worker, Form::BeforeWebhook)
    }

    fn of(settings: Value, set: Value, replica: usize, worker: usize, form: Form) -> Self {
        let member = pod::member_of(&set, replica, worker, form);
        let asked = Asked::of(&settings, &[&member.pod["metadata"]["annotations"]]);
        let by_subgroup = settings["placementUnit"] == "SubGroup"
            && !set["spec"]["leaderWorkerTemplate"]["subGroupPolicy"].is_null();
        let subgroup = placement::subgroup(&set, u64::try_from(worker).unwrap());
        let is_left_out = asked.is_empty()
            || settings["unstampedPods"] == "Leave"
            || settings["members"] == "Workers" && member.is_leader
            || by_subgroup && subgroup.is_none();
        Self {
            settings,
            set,
            replica,
            worker,
            member,
            asked,
            subgroup: subgroup.filter(|_| by_subgroup),
            is_left_out,
        }
    }

    fn unit(&self) -> Unit<'_> {
        Unit {
            namespace: &self.member.namespace,
            leader: &self.member.leader,
            subgroup: self.subgroup,
        }
    }

    fn value(&self, key: &str) -> Option<String> {
        placement::value(&self.settings, key, self.unit())
    }

    fn has_values(&self) -> bool {
        self.asked
            .all_keys()
            .iter()
            .all(|key| self.value(key).is_some())
    }

    /// Values for generators: the replica's own and others.
    fn values(&self) -> Vec<String> {
        let own = self
            .asked
            .all_keys()
            .into_iter()
            .filter_map(|key| self.value(&key));
        own.chain(["other-1".to_owned(), "7".to_owned()]).collect()
    }

    fn request(&self, pod: String) -> Request {
        Request {
            settings: self.settings.to_string(),
            kind: "Pod",
            namespace: self.member.namespace.clone(),
            object: pod,
            old: None,
        }
    }

    /// Whether LWS places the pod itself by one of the keys (I3).
    fn is_pinned_by_lws(&self, pod: &Value) -> bool {
        let keys = self.asked.all_keys();
        ["exclusive-topology", "subgroup-exclusive-topology"]
            .iter()
            .any(|name| {
                let name = format!("leaderworkerset.sigs.k8s.io/{name}");
                let topology = pod["metadata"]["annotations"][&name].as_str();
                topology.is_some_and(|topology| keys.iter().any(|key| key == topology))
            })
    }
}

fn ask(request: &Request) -> Answer {
    Answer::of(validate(request.payload().as_bytes()))
}

fn judging(request: &Request) -> Request {
    let mut settings: Value = serde_json::from_str(&request.settings).unwrap();
    settings["action"] = json!("Validate");
    Request {
        settings: settings.to_string(),
        ..request.clone()
    }
}

/// Nodes with every combination of the labels that generated affinity speaks of.
fn plain_nodes() -> Vec<Node> {
    let mut nodes = vec![BTreeMap::from([("disk".to_owned(), "ssd".to_owned())])];
    for (key, values) in OTHERS {
        let with = |labels: &BTreeMap<String, String>| {
            let mut all = vec![labels.clone()];
            for value in values {
                let mut labels = labels.clone();
                labels.insert(key.to_owned(), value.to_owned());
                all.push(labels);
            }
            all
        };
        nodes = nodes.iter().flat_map(with).collect();
    }
    let name = |name: &str, labels| Node {
        name: name.to_owned(),
        labels,
        taints: Vec::new(),
    };
    let named = |labels: &BTreeMap<String, String>| {
        ["node-1", "node-2"].map(|node| name(node, labels.clone()))
    };
    nodes.iter().flat_map(named).collect()
}

/// I1 to I7, V1 to V5 and the oracle, on pods that are created.
#[test]
fn created_pods() {
    let plain = plain_nodes();
    let (mut injected, mut refused, mut lonely) = (0, 0, 0);
    cases(2_000, |random| {
        let scene = Scene::any(random);
        let mut pod = Json::from(&scene.member.pod);
        pod::decorate(
            random,
            &mut pod,
            &scene.asked.all_keys(),
            &scene.asked.keys,
            &scene.values(),
        );
        let text = pod.spelt(random);
        let request = scene.request(text.clone());
        let answer = ask(&request);
        let judged = ask(&judging(&request));
        assert_eq!(judged.mutated(), None, "V5");
        if scene.is_left_out {
            assert!(answer.accepted() && judged.accepted(), "{}", answer.text);
            assert_eq!(answer.mutated(), None);
            return;
        }
        let before: Value = pod_value(&text);
        if !answer.accepted() {
            refused += 1;
            assert_eq!(answer.decision(), Some("reject"), "{}", answer.text);
            if !scene.has_values() {
                assert!(
                    answer.message().contains("characters, but"),
                    "{}",
                    answer.text
                );
                return;
            }
            if scene.is_pinned_by_lws(&before) {
                return;
            }
            let mut with_all = before;
            for key in &scene.asked.keys {
                let needed = json!(scene.value(key));
                let slot = &mut with_all["spec"]["nodeSelector"][key];
                if !slot.is_null() && *slot != needed {
                    return;
                }
                *slot = needed;
            }
            let own = plain.iter().map(|like| own_node(&scene, like));
            assert!(
                own.into_iter().all(|mut node| {
                    node.taints.clear();
                    !scheduler::fits(&with_all, &node)
                }),
                "refused, but it could run: {}",
                answer.text
            );
            assert!(
                !judged.accepted(),
                "what Inject refuses for its spec, Validate refuses: {}",
                judged.text
            );
            return;
        }
        assert!(scene.has_values(), "{}", answer.text);
        assert!(!scene.is_pinned_by_lws(&before));
        let after_text = answer.mutated().unwrap_or(&text);
        let after = pod_value(after_text);

        let [keys, tolerations] = additions(&text, after_text);
        assert_eq!(
            answer.mutated().is_some(),
            !(keys.is_empty() && tolerations.is_empty())
        );
        assert_eq!(
            answer.decision(),
            Some(if answer.mutated().is_some() {
                "inject"
            } else {
                "none"
            })
        );
        injected += usize::from(answer.mutated().is_some());
        expected_only(&scene, &before, &keys, &tolerations);

        let again = ask(&Request {
            object: after_text.to_owned(),
            ..request.clone()
        });
        assert!(
            again.accepted() && again.mutated().is_none(),
            "I7: {}",
            again.text
        );
        let judged_after = ask(&judging(&Request {
            object: after_text.to_owned(),
            ..request.clone()
        }));
        assert!(judged_after.accepted(), "V4: {}", judged_after.text);
        assert_eq!(judged_after.decision(), Some("none"));
        assert_eq!(
            judged.accepted(),
            is_placed(&scene, &before),
            "V1, V2: {}",
            judged.text
        );

        assert_eq!(
            api_server::faults(&before),
            Vec::<String>::new(),
            "the generator"
        );
        assert_eq!(api_server::faults(&after), Vec::<String>::new());
        let fits = plain
            .iter()
            .any(|like| scheduler::fits(&after, &own_node(&scene, like)));
        assert!(
            fits,
            "fits no node of its replica: {after} {:?}",
            own_node(&scene, &plain[0])
        );
        if keeps_to_itself(&scene, &after) {
            lonely += 1;
            for other in others(&scene) {
                for like in &plain {
                    let node = placement::node(&other.settings, &other.asked, other.unit(), like);
                    assert!(
                        !scheduler::fits(&after, &node.unwrap()),
                        "fits a node of {}",
                        other.member.leader
                    );
                }
            }
        }
    });
    println!("{injected} injected, {refused} refused, {lonely} held against other replicas' nodes");
    if std::env::var("PROPERTY_FACTOR").is_err() {
        assert!(injected > 800 && refused > 200 && lonely > 800);
    }
}

fn own_node(scene: &Scene, like: &Node) -> Node {
    placement::node(&scene.settings, &scene.asked, scene.unit(), like).unwrap()
}

/// The value of text whose numbers may be more than serde's.
fn pod_value(text: &str) -> Value {
    let mut value = json!({});
    for piece in raw::pieces(text) {
        if piece.meant() == "spec" {
            for field in raw::pieces(piece.value) {
                if field.meant() != "futureKnob" {
                    value["spec"][field.meant()] = serde_json::from_str(field.value).unwrap();
                }
            }
        } else {
            value[piece.meant()] = serde_json::from_str(piece.value).unwrap();
        }
    }
    value
}

/// What was added is what the contract names, in its order, and was not there.
fn expected_only(scene: &Scene, before: &Value, keys: &[String], tolerations: &[String]) {
    let selector = api_server::selector(before);
    let expected: Vec<String> = scene
        .asked
        .keys
        .iter()
        .filter(|key| !selector.contains_key(*key))
        .map(|key| format!("{}{}", json!(key), json!(scene.value(key))))
        .collect();
    assert_eq!(keys, expected);
    let present = api_server::tolerations(before);
    let expected: Vec<Value> = scene
        .asked
        .taints
        .iter()
        .map(|(key, effect)| {
            let mut toleration =
                json!({"key": key, "operator": "Equal", "value": scene.value(key)});
            if !effect.is_empty() {
                toleration["effect"] = json!(effect);
            }
            toleration
        })
        .filter(|toleration| {
            let mut short = toleration.clone();
            short.as_object_mut().unwrap().remove("operator");
            !present.contains(toleration) && !present.contains(&short)
        })
        .collect();
    let found: Vec<Value> = tolerations
        .iter()
        .map(|text| serde_json::from_str(text).unwrap())
        .collect();
    assert_eq!(found, expected);
}

/// Whether a pod carries its placement as the scheduler sees it.
fn is_placed(scene: &Scene, pod: &Value) -> bool {
    let selector = api_server::selector(pod);
    let selects = scene
        .asked
        .keys
        .iter()
        .all(|key| selector.get(key) == Some(&json!(scene.value(key))));
    let tolerates = scene.asked.taints.iter().all(|(key, effect)| {
        let value = scene.value(key).unwrap();
        let mut pod = pod.clone();
        if effect.is_empty() {
            // All effects asked for need an entry without effect, whatever several entries cover together.
            if let Some(list) = pod["spec"]["tolerations"].as_array_mut() {
                list.retain(|entry| entry["effect"].as_str().unwrap_or_default().is_empty());
            }
        }
        scheduler::tolerated_for_ever(&pod, &(key.clone(), value, effect.clone()))
    });
    selects && tolerates
}

/// Whether selector or taints keep a pod off other replicas' nodes: it selects, or it is asked to tolerate a taint that
/// keeps pods out and tolerates no other replica's of the kind.
fn keeps_to_itself(scene: &Scene, pod: &Value) -> bool {
    !scene.asked.keys.is_empty()
        || others(scene).iter().all(|other| {
            let node = placement::node(
                &other.settings,
                &other.asked,
                other.unit(),
                &Node::default(),
            )
            .unwrap();
            node.taints
                .iter()
                .any(|taint| taint.2 != "PreferNoSchedule" && !scheduler::tolerated(pod, taint))
        }) && scene
            .asked
            .taints
            .iter()
            .any(|(_, effect)| effect != "PreferNoSchedule")
}

/// The same member of other replicas that the settings promise to tell apart.
fn others(scene: &Scene) -> Vec<Scene> {
    let at = |set: &Value, replica: usize| {
        Scene::of(
            scene.settings.clone(),
            set.clone(),
            replica,
            scene.worker,
            Form::BeforeWebhook,
        )
    };
    let mut others = vec![
        at(&scene.set, scene.replica + 1),
        at(&scene.set, scene.replica + 10),
    ];
    let mut set = scene.set.clone();
    set["metadata"]["name"] = json!(format!(
        "{}-0",
        scene.set["metadata"]["name"].as_str().unwrap()
    ));
    if set["metadata"]["name"].as_str().unwrap().len() < 60 {
        others.push(at(&set, scene.replica));
    }
    if matches!(
        scene.settings["replicaValue"].as_str(),
        Some("NamespacedLeaderName" | "HashedLeaderName")
    ) {
        let mut set = scene.set.clone();
        set["metadata"]["namespace"] = json!("green");
        others.push(at(&set, scene.replica));
    }
    others.retain(Scene::has_values);
    others
}

/// L3, C7: all members of a replica (or subgroup) get one placement, whichever side of LWS's webhook; two replicas
/// never the same.
#[test]
fn replicas_are_of_one_piece() {
    cases(300, |random| {
        let first = Scene::any(random);
        let size = first.set["spec"]["leaderWorkerTemplate"]["size"]
            .as_u64()
            .unwrap();
        let mut seen: BTreeMap<(usize, Option<u64>), Value> = BTreeMap::new();
        for replica in [0, 1, 10, 11] {
            for worker in 0..usize::try_from(size).unwrap() {
                let mut forms = Vec::new();
                for form in [Form::BeforeWebhook, Form::AfterWebhook] {
                    let scene = Scene::of(
                        first.settings.clone(),
                        first.set.clone(),
                        replica,
                        worker,
                        form,
                    );
                    let pod = scene.member.pod.to_string();
                    let answer = ask(&scene.request(pod.clone()));
                    if !answer.accepted() {
                        forms.push(json!(answer.value));
                        continue;
                    }
                    let after: Value =
                        serde_json::from_str(answer.mutated().unwrap_or(&pod)).unwrap();
                    let placed =
                        json!([after["spec"]["nodeSelector"], after["spec"]["tolerations"]]);
                    let same_choice = scene.asked == first.asked;
                    if !scene.is_left_out && same_choice {
                        let known = seen
                            .entry((replica, scene.subgroup))
                            .or_insert_with(|| placed.clone());
                        assert_eq!(*known, placed, "{}", scene.member.pod);
                    }
                    forms.push(placed);
                }
                assert_eq!(forms[0], forms[1], "before and after LWS's webhook");
            }
        }
        let placements: Vec<&Value> = seen.values().collect();
        for (i, placed) in placements.iter().enumerate() {
            assert!(
                !placements[..i].contains(placed),
                "two with one placement: {placed}"
            );
        }
    });
}

/// P11, and everything else that may come by: no panic, one clean answer, whatever the payload.
#[test]
fn any_payload_gets_a_clean_answer() {
    let (mut accepted, mut patched) = (0, 0);
    cases(5_000, |random| {
        let payload = generate::request::any(random);
        let answer = Answer::of(validate(&payload));
        answer.is_clean();
        accepted += usize::from(answer.accepted());
        patched += usize::from(answer.mutated().is_some());
        let twice = validate(&payload);
        assert_eq!(
            answer.text.as_bytes(),
            twice,
            "the same answer to the same payload"
        );
    });
    println!("{accepted} accepted, {patched} of them with a patch");
}

/// The settings checker accepts exactly what a decision can use.
#[test]
fn settings_that_are_valid_are_those_that_decide() {
    let member = json!({"metadata": {"name": "fruit-0", "labels":
        {"leaderworkerset.sigs.k8s.io/name": "fruit", "leaderworkerset.sigs.k8s.io/worker-index": "0"}}, "spec": {}});
    let set = json!({"metadata": {"name": "fruit"}, "spec": {"leaderWorkerTemplate": {"workerTemplate": {}}}});
    let (mut valid, mut invalid) = (0, 0);
    cases(5_000, |random| {
        let settings = settings::any(random);
        let judged: Value =
            serde_json::from_slice(&validate_settings(settings.as_bytes())).unwrap();
        let is_valid = judged["valid"].as_bool().unwrap();
        assert_eq!(is_valid, judged["message"].is_null());
        valid += usize::from(is_valid);
        invalid += usize::from(!is_valid);
        for (kind, object) in [("Pod", &member), ("LeaderWorkerSet", &set)] {
            let request = Request {
                settings: settings.clone(),
                kind,
                namespace: "red".to_owned(),
                object: object.to_string(),
                old: None,
            };
            let answer = ask(&request);
            answer.is_clean();
            assert_eq!(
                answer.message().starts_with("settings"),
                !is_valid,
                "{settings} {}",
                answer.text
            );
            if !is_valid {
                assert_eq!(answer.message(), judged["message"], "the same words");
                assert_eq!(answer.value["code"], 400);
            } else {
                assert!(answer.accepted(), "{settings} {}", answer.text);
            }
        }
    });
    assert!(
        std::env::var("PROPERTY_FACTOR").is_ok() || valid > 1_000 && invalid > 1_000,
        "{valid} {invalid}"
    );
}
