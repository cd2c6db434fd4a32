//! What a review found, as data. Serialized as it is for `-o json`.

use super::place::Place;
use super::placement::Placement;
use crate::cluster::ClusterReport;
use crate::policies::PolicyReview;
use crate::severity::Severity;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// All that a review found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The sets, in the order of the input.
    pub sets: Vec<SetReview>,
    /// The pods that stand in the input themselves.
    pub pods: Vec<PodReview>,
    /// The policies, where manifests of theirs were given, in the order in which they are called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<PolicyReview>,
    /// What a cluster's dump showed; absent where no input was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterReport>,
    /// Objects of other kinds, by kind.
    pub passed_over: BTreeMap<String, u64>,
    /// What readers of the input should know.
    pub notes: Vec<Remark>,
    /// What could not be reviewed, and why.
    pub problems: Vec<Remark>,
    /// Totals.
    pub sum: Sum,
    /// Warnings, where they are to count as faults; absent where they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict: Option<Strict>,
}

/// A review in which warnings are faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Strict {
    /// How many there are: the policy's own, those about a cluster's replicas, and notes that tell of a danger.
    pub warnings: u64,
}

/// A sentence, and the place that it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// How much it matters; an error among problems, never among notes.
    pub severity: Severity,
    /// None where it is about no file.
    pub place: Option<Place>,
    /// The sentence.
    pub text: String,
}

impl Remark {
    /// Something that is wrong.
    #[must_use]
    pub fn error(place: impl Into<Option<Place>>, text: impl Into<String>) -> Self {
        Self::new(Severity::Error, place.into(), text.into())
    }

    /// Something that tells of a danger.
    #[must_use]
    pub fn warning(place: impl Into<Option<Place>>, text: impl Into<String>) -> Self {
        Self::new(Severity::Warning, place.into(), text.into())
    }

    /// Something to know.
    #[must_use]
    pub fn note(place: impl Into<Option<Place>>, text: impl Into<String>) -> Self {
        Self::new(Severity::Note, place.into(), text.into())
    }

    fn new(severity: Severity, place: Option<Place>, text: String) -> Self {
        Self {
            severity,
            place,
            text,
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.text)
    }
}

/// How much was judged of how much.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Extent {
    /// What there is.
    pub total: u64,
    /// What was judged; less than all in sets of more than 10,000 pods.
    pub judged: u64,
}

impl Extent {
    /// Whether all was judged.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.total == self.judged
    }

    /// Both figures added up.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            total: self.total.saturating_add(other.total),
            judged: self.judged.saturating_add(other.judged),
        }
    }
}

/// Totals of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sum {
    /// LeaderWorkerSets.
    pub sets: u64,
    /// Their replicas.
    pub replicas: Extent,
    /// Different replica values, so different groups of nodes, among what was judged.
    pub node_groups: u64,
    /// Pods, those of the sets and those of the input.
    pub pods: Extent,
    /// Sets and pods that are refused, among what was judged.
    pub refused: u64,
}

/// A LeaderWorkerSet.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetReview {
    /// Its namespace, `default` where it names none.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub place: Option<Place>,
    /// What makes it; absent where it stands in the input itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generated: Option<Origin>,
    /// `spec.replicas`.
    pub replicas: Extent,
    /// Pods in a replica.
    pub size: u64,
    /// Pods in all.
    pub pods: Extent,
    /// What becomes of the set itself.
    pub admission: Admission,
    /// Replicas with what their pods get, as many as were asked for.
    pub shown: Vec<ReplicaReview>,
    /// Judged replicas that are not in `shown`.
    pub hidden: u64,
    /// Why pods are refused, each reason once.
    pub refusals: Vec<Refusal>,
    /// Warnings about pods, each text once.
    pub warnings: Vec<String>,
    /// The set and its pods as they become.
    #[serde(skip)]
    pub objects: Vec<Value>,
}

/// The role of a DisaggregatedSet that makes a set.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// `DisaggregatedSet`.
    pub kind: &'static str,
    /// The DisaggregatedSet's namespace, `default` where it names none.
    pub namespace: String,
    /// The DisaggregatedSet's name.
    pub name: String,
    /// Where the DisaggregatedSet stands.
    pub place: Option<Place>,
    /// The role's name.
    pub role: String,
    /// The slice, from 0.
    pub slice: u64,
    /// What stands in the set's name for the revision, which only a cluster knows.
    pub revision: String,
}

/// The answer to the set's own admission request.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Admission {
    /// Whether it may pass.
    pub allowed: bool,
    /// Why not, and where.
    pub refusal: Option<Refusal>,
    /// Lines that `kubectl apply` would show.
    pub warnings: Vec<String>,
    /// Templates into which the policy writes its annotation `lws-replica-placement/placement`.
    pub stamped: Vec<String>,
    /// Fields that the policy changes, as JSON pointers.
    pub changed: Vec<String>,
}

/// A replica.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplicaReview {
    /// Its index.
    pub index: u64,
    /// Its pods, those that get the same together.
    pub members: Vec<Members>,
}

/// Pods of a replica that get the same.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Members {
    /// Their names, neighbours as a range: `vllm-0`, `vllm-0-1..3`.
    pub pods: Vec<String>,
    /// How many they are.
    pub count: u64,
    /// When they get it; absent: when they are created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Moment>,
    /// What they get.
    #[serde(flatten)]
    pub result: Outcome,
}

/// A moment in a pod's life after its creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Moment {
    /// The leader has its name, and an UPDATE lifts the scheduling gate by which LeaderWorkerSet held it back.
    GateLifted,
}

/// What a pod gets.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// Whether it may pass.
    pub allowed: bool,
    /// The policy's word for what it did: inject, none, defer or reject; absent where no placement applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// The replica value; `key=value,key=value` where it differs between keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What is in its spec now.
    #[serde(flatten)]
    pub placement: Placement,
    /// Which of the refusals is its own, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<usize>,
}

/// Why something is refused.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// The policy's message, for the first of the pods.
    pub message: String,
    /// Its code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<u16>,
    /// The field at fault, or the set.
    pub place: Option<Place>,
    /// Other fields that the message names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Place>,
    /// The field of the pod where it does not stand in the input, as LeaderWorkerSet itself writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Whom it hits; the first ones, where there are many.
    pub pods: Vec<String>,
    /// Whether there are more than `pods` names.
    pub more: bool,
    /// How many it hits.
    pub count: u64,
}

/// A pod that stands in the input itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodReview {
    /// Its namespace, `default` where it names none.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub place: Option<Place>,
    /// What it gets.
    #[serde(flatten)]
    pub result: Outcome,
    /// Why it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
    /// Warnings about it.
    pub warnings: Vec<String>,
    /// The pod as it becomes.
    #[serde(skip)]
    pub object: Option<Value>,
}

impl SetReview {
    /// Kind, namespace and name.
    #[must_use]
    pub fn title(&self) -> String {
        format!("LeaderWorkerSet {}/{}", self.namespace, self.name)
    }
}

impl Report {
    /// Whether neither a set nor a pod was reviewed as a manifest.
    #[must_use]
    pub fn holds_no_manifests(&self) -> bool {
        self.sets.is_empty() && self.pods.is_empty()
    }

    /// What fails the review: refused sets and pods, and what is wrong with a cluster's replicas; warnings too where the
    /// review is strict.
    #[must_use]
    pub fn faults(&self) -> u64 {
        let errors = self.cluster.as_ref().map_or(0, |found| found.sum.errors);
        let warnings = self.strict.map_or(0, |strict| strict.warnings);
        let refused = self.sum.refused;
        refused.saturating_add(errors).saturating_add(warnings)
    }

    /// The same report with its warnings counted as faults.
    #[must_use]
    pub fn made_strict(self) -> Self {
        let of_sets = self.sets.iter().map(|set| {
            let admission = &set.admission.warnings;
            admission.len().saturating_add(set.warnings.len())
        });
        let of_pods = self.pods.iter().map(|pod| pod.warnings.len());
        let is_warning = |note: &&Remark| note.severity == Severity::Warning;
        let notes = self.notes.iter().filter(is_warning).count();
        let told = of_sets.chain(of_pods).fold(notes, usize::saturating_add);
        let of_cluster = self.cluster.as_ref().map_or(0, |found| found.sum.warnings);
        let told = u64::try_from(told).unwrap_or(u64::MAX);
        Self {
            strict: Some(Strict {
                warnings: told.saturating_add(of_cluster),
            }),
            ..self
        }
    }

    /// An empty report.
    pub(super) fn new() -> Self {
        Self {
            sets: Vec::new(),
            pods: Vec::new(),
            policies: Vec::new(),
            cluster: None,
            passed_over: BTreeMap::new(),
            notes: Vec::new(),
            problems: Vec::new(),
            sum: Sum::default(),
            strict: None,
        }
    }
}
