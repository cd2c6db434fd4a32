//! What a cluster's dump showed, as data. Serialized as it is for `-o json` and `-o yaml`.

use serde::Serialize;

pub use crate::severity::Severity;

/// All that a dump showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterReport {
    /// The sets, by namespace and name.
    pub sets: Vec<SetReport>,
    /// What is to be said, the worst first.
    pub findings: Vec<Finding>,
    /// Totals.
    pub sum: Sum,
}

/// Totals of a dump.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sum {
    /// Sets, in the input or named by pods.
    pub sets: u64,
    /// Replicas of which there are pods.
    pub replicas: u64,
    /// Their pods, without those that have ended or are being deleted.
    pub members: u64,
    /// Nodes on which they run.
    pub member_nodes: u64,
    /// Pods in the input, of whatever kind.
    pub pods: u64,
    /// Nodes in the input.
    pub nodes: u64,
    /// Namespaces in the input.
    pub namespaces: u64,
    /// Findings that are errors.
    pub errors: u64,
    /// Findings that are warnings.
    pub warnings: u64,
}

/// A set and its replicas as they run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetReport {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// `spec.replicas`; absent where the set is not in the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<u64>,
    /// Pods that a replica should have; absent likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Replicas of which there are pods.
    pub found: u64,
    /// Findings about the set and its replicas.
    pub findings: u64,
    /// Replicas, as many as were asked for; those with findings go before others.
    pub shown: Vec<ReplicaReport>,
    /// Replicas that are not in `shown`.
    pub hidden: u64,
}

/// A replica as it runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplicaReport {
    /// The leader pod's name.
    pub leader: String,
    /// What its nodes should carry: `key=value`.
    pub labels: Vec<String>,
    /// The taints that its nodes should have: `key=value:effect`, without an effect where any will do.
    pub taints: Vec<String>,
    /// Its pods.
    pub pods: u64,
    /// Those of them that wait for a node.
    pub unscheduled: u64,
    /// Those of them that the policy refuses.
    pub refused: u64,
    /// Where they run, by name.
    pub nodes: Vec<NodeReport>,
    /// Findings about it.
    pub findings: u64,
}

/// A node, as one replica sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeReport {
    /// Its name.
    pub name: String,
    /// Whether the node is in the input; if not, nothing is known of its labels and taints.
    pub in_input: bool,
    /// The replica's pods on it.
    pub pods: u64,
    /// Labels that it lacks.
    pub missing_labels: Vec<String>,
    /// Taints that it lacks.
    pub missing_taints: Vec<String>,
    /// Labels that make it somebody else's.
    pub foreign_labels: Vec<String>,
    /// Pods beside the replica's, as `namespace/name`; the first ones, where there are many.
    pub strangers: Vec<String>,
    /// How many these are.
    pub stranger_count: u64,
}

/// Something to be said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Whether the review fails over it.
    pub severity: Severity,
    /// What it is.
    pub kind: Kind,
    /// The set, as `namespace/name`; absent where it is about several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// The leader pod's name; absent where it is about no replica, or several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replica: Option<String>,
    /// The nodes that it is about; the first ones, where there are many.
    pub nodes: Vec<String>,
    /// The pods that it is about; the first ones, where there are many.
    pub pods: Vec<String>,
    /// How many pods, or if it is about none, how many nodes or replicas it is about.
    pub count: u64,
    /// The sentence.
    pub text: String,
}

/// What a finding is; the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// A member runs on a node that is labelled as another replica's.
    ForeignNode,
    /// A member's spec contradicts its placement.
    Contradiction,
    /// A member lacks its placement.
    WithoutPlacement,
    /// A member's placement cannot be told.
    Unclear,
    /// Several replicas have one value.
    SharedValue,
    /// Other pods run on a replica's node.
    Stranger,
    /// A node lacks the replica's label, although members that ask for it run there.
    Unlabelled,
    /// A node lacks the replica's taint.
    Untainted,
    /// Members wait for a node.
    Unscheduled,
    /// Pods or replicas are missing.
    Incomplete,
}

impl Kind {
    /// Whether the review fails over it.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::ForeignNode | Self::Contradiction | Self::WithoutPlacement | Self::Unclear => {
                Severity::Error
            }
            Self::SharedValue
            | Self::Stranger
            | Self::Unlabelled
            | Self::Untainted
            | Self::Unscheduled
            | Self::Incomplete => Severity::Warning,
        }
    }
}

impl NodeReport {
    /// Whether it is known to carry the labels, where any are asked for.
    #[must_use]
    pub fn is_labelled(&self) -> bool {
        self.in_input && self.missing_labels.is_empty() && self.foreign_labels.is_empty()
    }

    /// Whether it is known to have the taints, where any are asked for.
    #[must_use]
    pub fn is_tainted(&self) -> bool {
        self.in_input && self.missing_taints.is_empty()
    }
}

impl SetReport {
    /// Kind, namespace and name.
    #[must_use]
    pub fn title(&self) -> String {
        format!("LeaderWorkerSet {}/{}", self.namespace, self.name)
    }
}
