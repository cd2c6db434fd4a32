//! What a comparison found, as data. Serialized as it is for `-o json`.

use crate::review::place::Place;
use crate::review::report::{Refusal, Remark};
use serde::Serialize;
use std::collections::BTreeMap;

/// All that a comparison found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diff {
    /// Totals.
    pub sum: Sum,
    /// Sets for which something differs, the most serious first.
    pub sets: Vec<SetDiff>,
    /// Pods of the input for which something differs, likewise.
    pub pods: Vec<PodDiff>,
    /// All others.
    pub rest: Rest,
    /// What readers should know.
    pub notes: Vec<Remark>,
    /// What could not be compared, and why.
    pub problems: Vec<Remark>,
}

impl Diff {
    /// Whether anything differs.
    #[must_use]
    pub fn differs(&self) -> bool {
        !self.sets.is_empty() || !self.pods.is_empty()
    }
}

/// How many sets and pods of the input are in each class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sum {
    /// Newly refused.
    pub refused: u64,
    /// Placed otherwise.
    pub changed: u64,
    /// Placed otherwise from their next update on.
    pub next_update: u64,
    /// With replicas that would split.
    pub split: u64,
}

impl Sum {
    pub(super) fn of(diff: &Diff) -> Self {
        let mut sum = Self::default();
        let sets = diff.sets.iter().map(|set| set.class);
        for class in sets.chain(diff.pods.iter().map(|pod| pod.class)) {
            match class {
                Class::Refused => sum.refused += 1,
                Class::Changed => sum.changed += 1,
                Class::NextUpdate => sum.next_update += 1,
                Class::Split => sum.split += 1,
            }
        }
        sum
    }
}

/// What is the same on both sides.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rest {
    /// LeaderWorkerSets.
    pub sets: u64,
    /// Their replicas.
    pub replicas: u64,
    /// Of the sets, those whose replicas are made anew, each with the placement it has.
    pub rolling: u64,
    /// Of the sets, those with refusals on both sides.
    pub refused: u64,
    /// Pods that stand in the input themselves.
    pub pods: u64,
    /// Objects of other kinds, by kind.
    pub passed_over: BTreeMap<String, u64>,
}

/// What kind of difference it is, the most serious first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Class {
    /// Something is refused that was not.
    Refused,
    /// Pods are placed otherwise.
    Changed,
    /// Nothing yet; the set's next update writes another stamp, and its replicas move.
    NextUpdate,
    /// Nothing yet; a worker that is made again alone would be placed apart from its replica.
    Split,
}

/// What becomes of a set between the sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Change {
    /// It is on the second side alone.
    Added,
    /// It is on the first side alone.
    Removed,
    /// It is on both sides.
    Kept,
}

/// A LeaderWorkerSet for which something differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetDiff {
    /// The most serious of its effects.
    pub class: Class,
    /// Its namespace, `default` where it names none.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Where it stands: on the second side, if it is there.
    pub place: Option<Place>,
    /// Whether it comes, goes or stays.
    pub change: Change,
    /// `spec.replicas` before; absent where there were none.
    pub replicas_before: Option<u64>,
    /// `spec.replicas` after; absent where there are none.
    pub replicas_after: Option<u64>,
    /// Replicas that were judged, where those are not all (sets of more than 10,000 pods).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<u64>,
    /// What differs, the most serious first.
    pub effects: Vec<Effect>,
    /// Warnings of `kubectl apply` that are new.
    pub warnings: Vec<String>,
}

impl SetDiff {
    /// Kind, namespace and name.
    #[must_use]
    pub fn title(&self) -> String {
        format!("LeaderWorkerSet {}/{}", self.namespace, self.name)
    }
}

/// When an effect comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum When {
    /// The set is created.
    Created,
    /// The set is deleted.
    Removed,
    /// The set's manifest is applied, and nothing in it makes replicas anew.
    Applied,
    /// The set's manifest is applied and makes its replicas anew.
    RolledOut,
    /// A replica is made again for whatever reason, from the template that is stored.
    MadeAgain,
    /// A worker is made again, and the rest of its replica is not.
    WorkerMadeAgain,
    /// The set is scaled.
    Scaled,
    /// The set's template is changed for whatever reason.
    NextRevision,
}

/// Something that differs, and when.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Effect {
    /// What kind of difference it is.
    pub class: Class,
    /// When it comes about.
    pub when: When,
    /// Why the set's own request is refused then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// The replicas that differ, as many as were asked for.
    pub replicas: Vec<ReplicaDiff>,
    /// Replicas that differ and are not in `replicas`.
    pub hidden: u64,
    /// Why pods are refused, each reason once.
    pub refusals: Vec<Refusal>,
    /// Of pods that are made again: whether they carry a stamp, so that not settings, but which policies see them and
    /// what becomes of the answers makes the difference.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stamped: bool,
}

/// A replica that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplicaDiff {
    /// Its index.
    pub index: u64,
    /// Its pods that differ, those that differ alike together.
    pub members: Vec<MembersDiff>,
}

/// Pods of a replica that differ alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MembersDiff {
    /// Their names, neighbours as a range.
    pub pods: Vec<String>,
    /// How many they are.
    pub count: u64,
    /// What they had; absent where there were none.
    pub before: Option<Given>,
    /// What they get; absent where there are none.
    pub after: Option<Given>,
}

/// The policy's verdict about a pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// It may pass.
    Accepted,
    /// It may not.
    Refused,
}

/// What a pod gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Given {
    /// Whether it may pass.
    pub verdict: Verdict,
    /// The replica value; `key=value,key=value` where it differs between keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Entries of its node selector that have the replica value.
    pub node_selector: Vec<Entry>,
    /// Its tolerations that have the replica value.
    pub tolerations: Vec<Taint>,
    /// Which of the refusals is its own, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<usize>,
}

/// An entry of a node selector.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Entry {
    /// The label's key.
    pub key: String,
    /// The label's value.
    pub value: String,
}

/// A taint that is tolerated.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Taint {
    /// The taint's key.
    pub key: String,
    /// The taint's value.
    pub value: String,
    /// The taint's effect; absent: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<String>,
}

/// A pod that stands in the input itself and for which something differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodDiff {
    /// Refused or changed.
    pub class: Class,
    /// Its namespace, `default` where it names none.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Where it stands: on the second side, if it is there.
    pub place: Option<Place>,
    /// What it got; absent where it was not there.
    pub before: Option<Given>,
    /// What it gets; absent where it is not there.
    pub after: Option<Given>,
    /// Why it is refused now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
}
