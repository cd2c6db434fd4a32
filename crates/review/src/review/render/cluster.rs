//! Words about a cluster's dump that the formats for people share.

use super::text::{counted, grouped};
use crate::cluster::ClusterReport;
use crate::cluster::report::{Finding, Kind, NodeReport, ReplicaReport, SetReport, Severity};
use crate::review::report::Remark;
use std::collections::BTreeMap;

/// Findings of a kind that are told in full; a program reads the others from `-o json`.
const FINDINGS: usize = 20;

/// Sets that are told in full.
const SETS: usize = 20;

/// Nodes of a replica that are named.
const NODES: usize = 3;

/// The totals.
pub(super) fn sum(report: &ClusterReport) -> String {
    let sum = &report.sum;
    format!(
        "{}, {}, {} on {}, {}, {}",
        counted(sum.sets, "set"),
        counted(sum.replicas, "replica"),
        counted(sum.members, "member"),
        counted(sum.member_nodes, "node"),
        counted(sum.errors, "error"),
        counted(sum.warnings, "warning"),
    )
}

/// The sets to be told: all where they are few, else those with findings; and the sentence about the others.
pub(super) fn sets(report: &ClusterReport) -> (Vec<&SetReport>, Option<String>) {
    let all = &report.sets;
    if all.len() <= SETS {
        return (all.iter().collect(), None);
    }
    let faulty: Vec<&SetReport> = all.iter().filter(|set| set.findings > 0).collect();
    let shown: Vec<&SetReport> = faulty.iter().take(SETS).copied().collect();
    let number = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
    let sound = number(all.len().saturating_sub(faulty.len()));
    let hidden = number(faulty.len().saturating_sub(shown.len()));
    let mut parts = Vec::new();
    if hidden > 0 {
        parts.push(format!("{} with findings", counted(hidden, "further set")));
    }
    if sound > 0 {
        parts.push(format!("{} without", counted(sound, "set")));
    }
    let text = format!("... and {} (-o json tells all)", parts.join(", "));
    (shown, (!parts.is_empty()).then_some(text))
}

/// `2 of 2 replicas x 4 pods`; where the set is not in the input, how many replicas there are.
pub(super) fn size(set: &SetReport) -> String {
    match (set.replicas, set.size) {
        (Some(replicas), Some(size)) => format!(
            "{} of {} x {}",
            grouped(set.found),
            counted(replicas, "replica"),
            counted(size, "pod")
        ),
        _ => format!("{}, set not in the input", counted(set.found, "replica")),
    }
}

/// What is not shown of a set; none where all is.
pub(super) fn hidden(set: &SetReport) -> Option<String> {
    (set.hidden > 0).then(|| {
        format!(
            "... and {} (--replicas {} shows all)",
            counted(set.hidden, "replica"),
            set.found
        )
    })
}

/// The cells of a replica: leader, what its nodes should carry, pods, nodes in numbers, their names.
pub(super) fn row(set: &SetReport, replica: &ReplicaReport) -> [String; 5] {
    [
        replica.leader.clone(),
        asked(replica),
        pods(set, replica),
        nodes(replica),
        names(replica),
    ]
}

/// The heads of these cells.
pub(super) const HEADS: [&str; 5] = ["Replica", "Placement", "Pods", "Nodes", "Names"];

fn asked(replica: &ReplicaReport) -> String {
    let mut lines: Vec<&str> = replica.taints.iter().map(String::as_str).collect();
    // A taint says the label as well, where both are asked for.
    let is_said = |label: &str| {
        replica
            .taints
            .iter()
            .any(|taint| taint.split_once(':').map_or(taint.as_str(), |(l, _)| l) == label)
    };
    let labels = replica.labels.iter().map(String::as_str);
    lines.extend(labels.filter(|label| !is_said(label)));
    match lines.as_slice() {
        [] => "-".to_owned(),
        lines => lines.join("\n"),
    }
}

fn pods(set: &SetReport, replica: &ReplicaReport) -> String {
    let mut parts = vec![match set.size {
        Some(size) if size != replica.pods => {
            format!("{} of {}", grouped(replica.pods), grouped(size))
        }
        _ => grouped(replica.pods),
    }];
    for (count, what) in [
        (replica.refused, "refused"),
        (replica.unscheduled, "waiting"),
    ] {
        if count > 0 {
            parts.push(format!("{} {what}", grouped(count)));
        }
    }
    parts.join(", ")
}

fn nodes(replica: &ReplicaReport) -> String {
    let count = |is: fn(&NodeReport) -> bool| {
        u64::try_from(replica.nodes.iter().filter(|node| is(node)).count()).unwrap_or(u64::MAX)
    };
    let all = count(|_| true);
    if all == 0 {
        return "-".to_owned();
    }
    let mut parts = Vec::new();
    let known = count(|node| node.in_input);
    if known > 0 && !replica.labels.is_empty() {
        parts.push(format!("{} labelled", count(NodeReport::is_labelled)));
    }
    if known > 0 && !replica.taints.is_empty() {
        parts.push(format!("{} tainted", count(NodeReport::is_tainted)));
    }
    for (count, what) in [
        (count(|node| !node.foreign_labels.is_empty()), "foreign"),
        (count(|node| node.stranger_count > 0), "shared"),
        (all.saturating_sub(known), "not in the input"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    let nodes = counted(all, "node");
    if parts.is_empty() {
        nodes
    } else {
        format!("{nodes}: {}", parts.join(", "))
    }
}

fn names(replica: &ReplicaReport) -> String {
    let names = replica.nodes.iter().map(|node| node.name.as_str());
    let more = replica.nodes.len() > NODES;
    let names: Vec<&str> = names.take(NODES).chain(more.then_some("...")).collect();
    match names.as_slice() {
        [] => "-".to_owned(),
        names => names.join(", "),
    }
}

/// The findings to be told as remarks, with whom each is about; how many others of a kind there are is a note.
#[must_use]
pub fn remarks(report: &ClusterReport) -> Vec<Remark> {
    let remark = |severity, text| Remark {
        severity,
        place: None,
        text,
    };
    findings(report)
        .into_iter()
        .flat_map(|(finding, rest)| {
            let told = remark(finding.severity, sentence(finding));
            let rest = rest.map(|text| remark(Severity::Note, text));
            std::iter::once(told).chain(rest)
        })
        .collect()
}

/// The findings to be told, and after each kind's last the sentence about the others of that kind.
pub(super) fn findings(report: &ClusterReport) -> Vec<(&Finding, Option<String>)> {
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    for finding in &report.findings {
        *counts.entry(finding.kind).or_default() += 1;
    }
    let mut told: BTreeMap<Kind, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for finding in &report.findings {
        let told = told.entry(finding.kind).or_default();
        *told += 1;
        if *told > FINDINGS {
            continue;
        }
        let all = counts.get(&finding.kind).copied().unwrap_or_default();
        let more = all.saturating_sub(FINDINGS);
        let rest = (*told == FINDINGS && more > 0).then(|| {
            format!(
                "... and {} more {} (-o json tells all)",
                grouped(u64::try_from(more).unwrap_or(u64::MAX)),
                kind(finding.kind)
            )
        });
        found.push((finding, rest));
    }
    found
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::ForeignNode => "with members on foreign nodes",
        Kind::Contradiction => "with members against their placement",
        Kind::WithoutPlacement => "with members without their placement",
        Kind::Unclear => "with members of which the placement cannot be told",
        Kind::SharedValue => "shared values",
        Kind::Stranger => "nodes with other pods",
        Kind::Unlabelled => "with nodes without their label",
        Kind::Untainted => "with nodes without their taint",
        Kind::Unscheduled => "with members that wait",
        Kind::Incomplete => "that are incomplete",
    }
}

/// A finding's sentence, with whom it is about.
pub(super) fn sentence(finding: &Finding) -> String {
    let about = match (&finding.set, &finding.replica) {
        (Some(set), Some(replica)) => format!("{set}, replica {replica}: "),
        (Some(set), None) => format!("{set}: "),
        _ => String::new(),
    };
    format!("{about}{}", finding.text)
}
