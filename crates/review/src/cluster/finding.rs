//! The sentences: who, what is wrong, what to do.

use super::listed::{first, listed, number};
use super::report::{Finding, Kind};

/// Whom a finding is about.
#[derive(Debug, Clone, Default)]
pub(super) struct About {
    /// `namespace/name`.
    pub(super) set: Option<String>,
    /// The leader's name.
    pub(super) replica: Option<String>,
    /// The pods.
    pub(super) pods: Vec<String>,
    /// The nodes.
    pub(super) nodes: Vec<String>,
}

impl About {
    /// A finding about it.
    fn finding(self, kind: Kind, text: String) -> Finding {
        let count = if self.pods.is_empty() {
            self.nodes.len()
        } else {
            self.pods.len()
        };
        Finding {
            severity: kind.severity(),
            kind,
            set: self.set,
            replica: self.replica,
            nodes: first(self.nodes),
            pods: first(self.pods),
            count: number(count),
            text,
        }
    }

    fn pod_names(&self) -> String {
        let names = listed(&first(self.pods.iter().cloned()), number(self.pods.len()));
        format!("{} {names}", plural(self.pods.len(), "pod", "pods"))
    }

    fn node_names(&self) -> String {
        let quoted = self.nodes.iter().map(|node| format!("\"{node}\""));
        let names = listed(&first(quoted), number(self.nodes.len()));
        format!("{} {names}", plural(self.nodes.len(), "node", "nodes"))
    }
}

/// Members on a node whose label says that it is another replica's.
pub(super) fn foreign_node(
    about: About,
    key: &str,
    found: &str,
    needed: &str,
    owner: Option<&str>,
) -> Finding {
    let owner = match owner {
        Some(owner) => format!("replica {owner}'s"),
        None => "that of no replica in the input".to_owned(),
    };
    let them = if about.pods.len() == 1 { "it" } else { "them" };
    let text = format!(
        "{} on foreign {}: label {key} is \"{found}\", {owner}, not \"{needed}\"; delete {them} to have {them} scheduled anew",
        about.pod_names(),
        about.node_names(),
    );
    about.finding(Kind::ForeignNode, text)
}

/// Members that the policy refuses; `message` is the policy's.
pub(super) fn refused(about: About, kind: Kind, message: &str) -> Finding {
    let what = match kind {
        Kind::Contradiction => "against the placement",
        Kind::WithoutPlacement => "without the placement",
        _ => "with no placement that can be told",
    };
    let text = format!("{} {what}: {message}", about.pod_names());
    about.finding(kind, text)
}

/// Replicas with one value. `replicas` are their paths, of which there are `count`.
pub(super) fn shared_value(
    keys: &[&str],
    value: &str,
    replicas: Vec<String>,
    are_of_one_namespace: bool,
) -> Finding {
    let count = replicas.len();
    let replicas = first(replicas);
    let remedy = if are_of_one_namespace {
        "rename one of the sets"
    } else {
        "set replicaValue to NamespacedLeaderName or HashedLeaderName"
    };
    let text = format!(
        "value \"{value}\" of {} is that of {count} replicas, {}, so they share nodes; {remedy}",
        keys.join(", "),
        listed(&replicas, number(count)),
    );
    Finding {
        count: number(count),
        ..About::default().finding(Kind::SharedValue, text)
    }
}

/// Pods on a replica's node that are not the replica's.
pub(super) fn strangers(about: About) -> Finding {
    let is_one = about.pods.len() == 1;
    let text = format!(
        "{} also runs {}, which {} not the replica's; move {} or taint the node",
        about.node_names(),
        about.pod_names(),
        if is_one { "is" } else { "are" },
        if is_one { "it" } else { "them" },
    );
    about.finding(Kind::Stranger, text)
}

/// Nodes without the label that the members on them ask for.
pub(super) fn unlabelled(about: About, labels: &[String]) -> Finding {
    let text = format!(
        "{} {} label {}, which the pods there select; somebody removed it, label the {} again",
        about.node_names(),
        plural(about.nodes.len(), "lacks", "lack"),
        labels.join(", "),
        plural(about.nodes.len(), "node", "nodes"),
    );
    about.finding(Kind::Unlabelled, text)
}

/// Nodes without the taint that keeps others away.
pub(super) fn untainted(about: About, taints: &[String]) -> Finding {
    let text = format!(
        "{} {} taint {}, so other pods may be scheduled there; taint the {}",
        about.node_names(),
        plural(about.nodes.len(), "lacks", "lack"),
        taints.join(", "),
        plural(about.nodes.len(), "node", "nodes"),
    );
    about.finding(Kind::Untainted, text)
}

/// Members without a node.
pub(super) fn unscheduled(about: About, are_gated: bool) -> Finding {
    let why = if are_gated {
        "behind a scheduling gate; see who lifts it"
    } else {
        "for a node; see whether the autoscaler builds one, kubectl describe the pod"
    };
    let text = format!(
        "{} {} {why}",
        about.pod_names(),
        plural(about.pods.len(), "waits", "wait")
    );
    about.finding(Kind::Unscheduled, text)
}

/// A replica with fewer pods than its set says.
pub(super) fn missing_pods(about: About, found: u64, wanted: u64) -> Finding {
    let text = format!("{found} of {wanted} pods are there; see the events of its StatefulSet");
    Finding {
        count: wanted.saturating_sub(found),
        ..about.finding(Kind::Incomplete, text)
    }
}

/// A set with fewer replicas than it says.
pub(super) fn missing_replicas(about: About, found: u64, wanted: u64) -> Finding {
    let text =
        format!("{found} of {wanted} replicas are there; see the events of the LeaderWorkerSet");
    Finding {
        count: wanted.saturating_sub(found),
        ..about.finding(Kind::Incomplete, text)
    }
}

fn plural(count: usize, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}
