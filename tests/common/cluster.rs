//! A cluster with one set: the stored object goes from request to request, and its pods are made of it.

use lws_expand::{Form, LeaderWorkerSet};
use serde_json::{Value, json};

use super::{ask, ask_as, stamp};

/// What an admitted pod asks of its node: node selector and tolerations.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    pub selector: Value,
    pub tolerations: Value,
}

impl Placed {
    fn of(pod: &Value) -> Self {
        Self {
            selector: pod["spec"]["nodeSelector"].clone(),
            tolerations: pod["spec"]["tolerations"].clone(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.selector.is_null() && self.tolerations.is_null()
    }

    /// The value of a key of the node selector.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.selector[key].as_str()
    }
}

/// A running replica: its leader's placement, and its first worker's.
#[derive(Clone, Debug, PartialEq)]
pub struct Running {
    pub leader: Placed,
    pub worker: Placed,
}

/// What a request about the set did.
#[derive(Clone, Debug)]
pub struct Step {
    /// Whether the policy changed the object.
    pub patched: bool,
    /// Whether the stored leaderWorkerTemplate is another, so that LWS makes a new revision.
    pub rolled: bool,
    /// The audit annotation.
    pub decision: Option<String>,
    pub warnings: Vec<String>,
}

/// A cluster with one set.
pub struct Cluster {
    /// The policy's settings, which may change at any time.
    pub settings: Value,
    /// The set as it is stored.
    pub stored: Value,
    /// The last manifest that was applied.
    pub manifest: Value,
    /// Its replicas, each as it was made when the current revision came or when it was added.
    pub running: Vec<Running>,
    /// Whether leaders are left out of the placement.
    pub leader_left_out: bool,
}

impl Cluster {
    /// Creates a set.
    pub fn create(settings: Value, set: &Value) -> (Self, Step) {
        Self::create_with(settings, set, false)
    }

    /// Creates a set, with leaders left out of the placement or not.
    pub fn create_with(settings: Value, set: &Value, leader_left_out: bool) -> (Self, Step) {
        let mut cluster = Self {
            settings,
            stored: Value::Null,
            manifest: set.clone(),
            running: Vec::new(),
            leader_left_out,
        };
        let answer = cluster.admit_set("CREATE", set);
        let patched = answer.get("mutated_object").is_some();
        cluster.store(answer.get("mutated_object").unwrap_or(set).clone());
        cluster.roll();
        let step = step(&answer, patched, true);
        (cluster, step)
    }

    /// A set that was stored before there was a policy, its pods running without any placement.
    pub fn older_than_the_policy(settings: Value, set: &Value) -> Self {
        let mut cluster = Self {
            settings: json!({}),
            stored: Value::Null,
            manifest: set.clone(),
            running: Vec::new(),
            leader_left_out: false,
        };
        cluster.store(set.clone());
        cluster.roll();
        cluster.settings = settings;
        cluster
    }

    /// Sends an update that must be accepted, carries on with what is stored then, and checks every recreated pod.
    pub fn update(&mut self, object: &Value) -> Step {
        let step = self.update_unchecked(object);
        self.recreate();
        step
    }

    /// [`Cluster::update`] without the check.
    fn update_unchecked(&mut self, object: &Value) -> Step {
        let answer = self.admit_set("UPDATE", object);
        let patched = answer.get("mutated_object").is_some();
        let before = revision(&self.stored);
        self.store(answer.get("mutated_object").unwrap_or(object).clone());
        let rolled = before != revision(&self.stored);
        if rolled {
            self.roll();
        } else {
            self.scale();
        }
        step(&answer, patched, rolled)
    }

    /// Changes the stored set and sends that.
    pub fn edit(&mut self, change: impl FnOnce(&mut Value)) -> Step {
        let mut object = self.stored.clone();
        change(&mut object);
        self.update(&object)
    }

    /// [`Cluster::edit`] without the check, for replicas that are not of one piece.
    pub fn edit_unchecked(&mut self, change: impl FnOnce(&mut Value)) -> Step {
        let mut object = self.stored.clone();
        change(&mut object);
        self.update_unchecked(&object)
    }

    /// The placement of the first replica, leader and workers alike.
    pub fn placed(&self) -> &Placed {
        &self.running[0].worker
    }

    pub fn stamps(&self) -> [Option<&str>; 2] {
        ["leaderTemplate", "workerTemplate"].map(|template| stamp(&self.stored, template))
    }

    /// Every pod that is recreated alone, in whatever form it comes by and whatever the settings are now, is placed as
    /// the one that it stands in for.
    pub fn recreate(&self) {
        for (index, running) in self.running.iter().enumerate() {
            for form in [Form::BeforeWebhook, Form::AfterWebhook] {
                assert_eq!(
                    self.replica(index, form),
                    *running,
                    "replica {index} is recreated otherwise under {}",
                    self.settings
                );
            }
        }
    }

    /// A replica's pods as they would be admitted if they were made now.
    pub fn made_now(&self, index: usize) -> Running {
        self.replica(index, Form::BeforeWebhook)
    }

    fn store(&mut self, mut object: Value) {
        object["metadata"]["uid"] = json!("3f0c7a9e-7c6b-4f0a-9a55-0d2f6f1f6a10");
        object["metadata"]["creationTimestamp"] = json!("2026-01-01T00:00:00Z");
        self.stored = object;
    }

    /// The answer to a request about the set, which must be an acceptance, the same as a dry run, and one that
    /// leaves its own output alone.
    fn admit_set(&self, operation: &str, object: &Value) -> Value {
        let old = (operation == "UPDATE").then_some(&self.stored);
        let answer = ask(&self.settings, operation, object, old);
        assert_eq!(answer["accepted"], true, "{answer}");
        let dry = ask_as(&self.settings, operation, object, old, true);
        assert_eq!(dry, answer, "I8");
        if let Some(mutated) = answer.get("mutated_object") {
            let again = ask(&self.settings, operation, mutated, old);
            assert_eq!(again["accepted"], true, "I7: {again}");
            assert_eq!(again.get("mutated_object"), None, "I7");
            let judging = super::with(self.settings.clone(), &json!({"action": "Validate"}));
            let judged = ask(&judging, operation, mutated, old);
            assert_eq!(judged["accepted"], true, "V4: {judged}");
            assert_eq!(judged.get("mutated_object"), None, "V5");
            assert_eq!(unstamped(mutated), unstamped(object), "S9");
        }
        answer
    }

    /// All replicas are made anew.
    fn roll(&mut self) {
        self.running.clear();
        self.scale();
    }

    /// As many replicas as are asked for.
    fn scale(&mut self) {
        let replicas = usize::try_from(self.expanded().replicas()).unwrap();
        self.running.truncate(replicas);
        for index in self.running.len()..replicas {
            let replica = self.replica(index, Form::BeforeWebhook);
            if self.leader_left_out {
                assert!(replica.leader.is_empty(), "{replica:?}");
            } else {
                assert_eq!(replica.leader, replica.worker, "replica {index}");
            }
            assert!(
                replica.worker.is_empty()
                    || self
                        .running
                        .iter()
                        .all(|other| other.worker != replica.worker),
                "two replicas with one placement: {replica:?}"
            );
            self.running.push(replica);
        }
    }

    fn expanded(&self) -> LeaderWorkerSet {
        LeaderWorkerSet::from_value(&self.stored).unwrap()
    }

    /// The pods of a replica as they are admitted now; its workers must all be alike.
    fn replica(&self, index: usize, form: Form) -> Running {
        let set = self.expanded();
        let replica = set.replica(u64::try_from(index).unwrap());
        let leader = self.admit_pod(&replica.leader(form));
        let workers: Vec<Placed> = (1..set.size())
            .map(|worker| self.admit_pod(&replica.worker(worker, form)))
            .collect();
        let worker = workers.first().unwrap_or(&leader).clone();
        assert!(workers.iter().all(|other| *other == worker), "{workers:?}");
        Running { leader, worker }
    }

    fn admit_pod(&self, pod: &Value) -> Placed {
        let answer = ask(&self.settings, "CREATE", pod, None);
        assert_eq!(answer["accepted"], true, "{answer}");
        Placed::of(answer.get("mutated_object").unwrap_or(pod))
    }
}

/// What LWS hashes into a revision: the typed leaderWorkerTemplate, to which null and what Go writes for empty structs
/// are nothing, and quantities are numbers.
fn revision(set: &Value) -> Value {
    let mut template = set["spec"]["leaderWorkerTemplate"].clone();
    typed(&mut template);
    template
}

fn typed(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for kind in ["limits", "requests"] {
                if let Some(Value::Object(quantities)) = map.get_mut(kind) {
                    for quantity in quantities.values_mut() {
                        *quantity = json!(super::writers::canonical(quantity));
                    }
                }
            }
            map.values_mut().for_each(typed);
            map.retain(|name, value| {
                let written = [
                    "metadata",
                    "annotations",
                    "labels",
                    "resources",
                    "status",
                    "env",
                    "args",
                ];
                let empty = *value == json!({}) || *value == json!([]);
                !(value.is_null() || empty && written.contains(&name.as_str()))
            });
        }
        Value::Array(list) => list.iter_mut().for_each(typed),
        _ => {}
    }
}

/// A set without stamps and without the maps that they may have needed.
fn unstamped(set: &Value) -> Value {
    let mut set = set.clone();
    for name in ["leaderTemplate", "workerTemplate"] {
        let Some(template) = set["spec"]["leaderWorkerTemplate"].get_mut(name) else {
            continue;
        };
        let Some(template) = template.as_object_mut() else {
            continue;
        };
        let Some(metadata) = template.get_mut("metadata") else {
            continue;
        };
        if let Some(annotations) = metadata["annotations"].as_object_mut() {
            annotations.remove(super::STAMP);
        }
        typed(metadata);
        if metadata.is_null() || *metadata == json!({}) {
            template.remove("metadata");
        }
    }
    set
}

fn step(answer: &Value, patched: bool, rolled: bool) -> Step {
    Step {
        patched,
        rolled,
        decision: answer["audit_annotations"]["decision"]
            .as_str()
            .map(str::to_owned),
        warnings: answer["warnings"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|warning| warning.as_str().unwrap().to_owned())
            .collect(),
    }
}
