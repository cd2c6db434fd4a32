//! Pods that share nodes.

use crate::address::Address;
use lws_review::review::report::Outcome;
use serde::Serialize;

/// Pods of a replica that share nodes: all that ask for the same labels and tolerate the same taints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// Labels that the nodes carry: `key=value`. None where the pods ask for no nodes of their own.
    pub labels: Vec<String>,
    /// Taints that the nodes may have: `key=value:effect`, without an effect where any will do.
    pub taints: Vec<String>,
    /// Whether the pods are refused, so that no node ever sees them.
    pub refused: bool,
    /// The pods.
    pub pods: Vec<Card>,
}

/// A pod as it is drawn, or several that get the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Card {
    /// Its name, or their names.
    pub name: String,
    /// What it is in its replica.
    pub role: Role,
    /// How many pods it stands for.
    pub count: u64,
    /// Its subgroup, if it is in one.
    pub subgroup: Option<u64>,
    /// The policy's word for what it did: inject, none, defer or reject; absent where no placement applies.
    pub decision: Option<String>,
    /// Which of the set's refusals is its own, from 1.
    pub refusal: Option<usize>,
    /// Whether it gets its placement only when its gate is lifted, since it had no name when it was created (P7).
    pub lifted: bool,
    /// Its address, to ask for its details; none where it stands for several.
    pub address: Option<Address>,
}

/// What a pod is in its replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// The pod from which the replica has its name.
    Leader,
    /// Another.
    Worker,
    /// Several, the leader maybe among them.
    Several,
}

impl Card {
    /// A card that says what becomes of a pod, and nothing of the pod.
    pub(super) fn of(outcome: &Outcome) -> Self {
        Self {
            name: String::new(),
            role: Role::Several,
            count: 1,
            subgroup: None,
            decision: outcome.decision.clone(),
            refusal: outcome.refusal,
            lifted: false,
            address: None,
        }
    }
}

/// Puts pods together that share nodes, in the order of the first of each.
pub(super) fn grouped(cards: Vec<(&Outcome, Card)>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (outcome, card) in cards {
        let group = Group {
            labels: labels(outcome),
            taints: taints(outcome),
            refused: !outcome.allowed,
            pods: Vec::new(),
        };
        let is_same = |known: &&mut Group| {
            (&known.labels, &known.taints, known.refused)
                == (&group.labels, &group.taints, group.refused)
        };
        match groups.iter_mut().find(is_same) {
            Some(known) => known.pods.push(card),
            None => groups.push(Group {
                pods: vec![card],
                ..group
            }),
        }
    }
    groups
}

fn labels(outcome: &Outcome) -> Vec<String> {
    let entries = outcome.placement.node_selector.iter();
    entries
        .map(|entry| format!("{}={}", entry.key, entry.value))
        .collect()
}

fn taints(outcome: &Outcome) -> Vec<String> {
    let entries = outcome.placement.tolerations.iter();
    entries
        .map(|entry| {
            let effect = entry.effect.as_ref();
            let effect = effect.map_or_else(String::new, |effect| format!(":{effect}"));
            format!("{}={}{effect}", entry.key, entry.value)
        })
        .collect()
}
