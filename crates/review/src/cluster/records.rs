//! What is kept of a dump's objects: names as numbers, and nothing that no question is asked about.

use super::names::{Name, Names};
use super::pod::{Pod, Verdict};
use lws_replica_placement::key::ReplicaKey;
use lws_replica_placement::standing::Demand;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// A cluster, as far as it was read.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) names: Names,
    pub(super) sets: HashMap<SetId, Wanted>,
    pub(super) nodes: HashMap<Name, Node>,
    pub(super) members: Vec<Member>,
    /// Pods of no set that have a node.
    pub(super) others: Vec<Other>,
    pub(super) demands: Vec<Placement>,
    demand_ids: HashMap<Placement, usize>,
    pub(super) namespaces: u64,
    /// All pods that were read.
    pub(super) pods: u64,
    /// Pods that were read again, as where dumps overlap.
    pub(super) repeated: u64,
    /// Nodes that were.
    pub(super) repeated_nodes: u64,
    /// Namespaces and names of pods.
    seen: HashSet<(Name, Name)>,
}

/// Namespace and name of a set.
pub(super) type SetId = (Name, Name);

/// What a set asks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub(super) replicas: u64,
    pub(super) size: u64,
}

/// A node's labels and taints, those that could be a replica's.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) labels: Box<[(Name, Name)]>,
    pub(super) taints: Box<[Taint]>,
}

/// A taint with its value; no effect in a demand stands for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Taint {
    pub(super) key: Name,
    pub(super) value: Name,
    pub(super) effect: Option<Name>,
}

/// What a pod must carry, and so what its node should.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Placement {
    pub(super) labels: Vec<(Name, Name)>,
    pub(super) taints: Vec<Taint>,
}

/// A pod of a set.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: Name,
    pub(super) set: SetId,
    pub(super) leader: Option<Name>,
    pub(super) node: Option<Name>,
    /// Its index in [`Records::demands`].
    pub(super) demand: Option<usize>,
    pub(super) message: Option<Name>,
    pub(super) verdict: Verdict,
    pub(super) is_gated: bool,
}

/// A pod of no set.
#[derive(Debug)]
pub(super) struct Other {
    pub(super) name: Name,
    pub(super) namespace: Name,
    pub(super) node: Name,
}

impl Records {
    /// Counts a pod, and keeps one that is of some account.
    pub(super) fn add_pod(&mut self, pod: Option<Pod>) {
        self.pods += 1;
        let Some(pod) = pod else { return };
        let namespace = self.names.keep(&pod.namespace);
        let node = pod.node.as_deref().map(|node| self.names.keep(node));
        let name = self.names.keep(&pod.name);
        if !self.seen.insert((namespace, name)) {
            self.repeated += 1;
            return;
        }
        match (pod.member, node) {
            (Some(member), node) => {
                let demand = member.demand.map(|demand| self.keep_demand(&demand));
                let mut keep = |text: Option<String>| text.map(|text| self.names.keep(&text));
                let (leader, message) = (keep(member.leader), keep(member.message));
                self.members.push(Member {
                    name,
                    set: (namespace, self.names.keep(&member.set)),
                    leader,
                    node,
                    demand,
                    message,
                    verdict: member.verdict,
                    is_gated: pod.is_gated,
                });
            }
            (None, Some(node)) => self.others.push(Other {
                name,
                namespace,
                node,
            }),
            // One that waits and asks for no replica's nodes is nobody's concern.
            (None, None) => {}
        }
    }

    /// Keeps a set. What it leaves out is what its defaults are.
    pub(super) fn add_set(&mut self, set: &Value) {
        let text = |field| set.pointer(field).and_then(Value::as_str);
        let number = |field| set.pointer(field).and_then(Value::as_u64).unwrap_or(1);
        let Some(name) = text("/metadata/name") else {
            return;
        };
        let namespace = text("/metadata/namespace").unwrap_or("default");
        let id = (self.names.keep(namespace), self.names.keep(name));
        let wanted = Wanted {
            replicas: number("/spec/replicas"),
            size: number("/spec/leaderWorkerTemplate/size"),
        };
        self.sets.insert(id, wanted);
    }

    /// Keeps a node. Which keys matter may only be known later, so everything stays that could hold a replica value
    /// (C5); hostnames, zones and the like cannot.
    pub(super) fn add_node(&mut self, node: &Value) {
        let Some(name) = node.pointer("/metadata/name").and_then(Value::as_str) else {
            return;
        };
        let name = self.names.keep(name);
        // As of pods, the first counts: of two dumps one is to be judged, not a state that never was.
        if self.nodes.contains_key(&name) {
            self.repeated_nodes += 1;
            return;
        }
        let labels = node.pointer("/metadata/labels").and_then(Value::as_object);
        let labels = labels.into_iter().flatten().filter_map(|(key, value)| {
            ReplicaKey::parse(key).ok()?;
            Some((self.names.keep(key), self.names.keep(value.as_str()?)))
        });
        let labels = labels.collect();
        let taints = node.pointer("/spec/taints").and_then(Value::as_array);
        let taints = taints.into_iter().flatten().filter_map(|taint| {
            let text = |field| taint.get(field).and_then(Value::as_str);
            let key = text("key").filter(|key| ReplicaKey::parse(key).is_ok())?;
            Some(Taint {
                key: self.names.keep(key),
                value: self.names.keep(text("value").unwrap_or_default()),
                effect: text("effect").map(|effect| self.names.keep(effect)),
            })
        });
        let taints = taints.collect();
        self.nodes.insert(name, Node { labels, taints });
    }

    /// A name's text.
    pub(super) fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// Two names as `a/b`.
    pub(super) fn path(&self, (namespace, name): (Name, Name)) -> String {
        format!("{}/{}", self.text(namespace), self.text(name))
    }

    fn keep_demand(&mut self, demand: &Demand) -> usize {
        let names = &mut self.names;
        let labels = demand
            .node_selector
            .iter()
            .map(|(key, value)| (names.keep(key.as_str()), names.keep(value)))
            .collect();
        let taints = demand
            .tolerations
            .iter()
            .map(|(taint, value)| Taint {
                key: names.keep(taint.key.as_str()),
                value: names.keep(value),
                effect: taint.effect.map(|effect| names.keep(effect.name())),
            })
            .collect();
        let placement = Placement { labels, taints };
        if let Some(id) = self.demand_ids.get(&placement) {
            return *id;
        }
        let id = self.demands.len();
        self.demands.push(placement.clone());
        self.demand_ids.insert(placement, id);
        id
    }

    /// What a member must carry.
    pub(super) fn demand(&self, member: &Member) -> Option<&Placement> {
        self.demands.get(member.demand?)
    }
}

impl Member {
    /// Whether the policy refuses it.
    pub(super) fn is_refused(&self) -> bool {
        self.verdict != Verdict::Passes
    }
}
