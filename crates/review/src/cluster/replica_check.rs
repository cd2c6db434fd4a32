//! One replica held against its nodes and against what its set says.

use super::finding::{self, About};
use super::labels;
use super::listed::number;
use super::names::Name;
use super::node_check::{self, Checked, ForeignLabel};
use super::pod::Verdict;
use super::records::{Member, Placement, Records};
use super::report::{Finding, Kind, ReplicaReport};
use super::survey::{Index, Replica};
use std::collections::BTreeMap;

/// Checks a replica.
pub(super) fn check(
    records: &Records,
    index: &Index,
    replica: &Replica,
) -> (ReplicaReport, Vec<Finding>) {
    let check = Check {
        records,
        index,
        replica,
        nodes: nodes(records, index, replica),
    };
    let mut findings = Vec::new();
    check.foreign(&mut findings);
    findings.extend(refusals(records, &replica.members, &check.about()));
    check.strangers(&mut findings);
    check.bare(&mut findings);
    check.unscheduled(&mut findings);
    check.missing(&mut findings);
    (check.report(number(findings.len())), findings)
}

/// What the policy says against members, each reason once.
pub(super) fn refusals(records: &Records, members: &[usize], about: &About) -> Vec<Finding> {
    let mut reasons: BTreeMap<(Kind, &str), Vec<String>> = BTreeMap::new();
    for member in members.iter().filter_map(|id| records.members.get(*id)) {
        let kind = match member.verdict {
            Verdict::Passes => continue,
            Verdict::Contradicts => Kind::Contradiction,
            Verdict::Lacks => Kind::WithoutPlacement,
            Verdict::Unclear => Kind::Unclear,
        };
        let message = member
            .message
            .map_or("no reason given", |m| records.text(m));
        let pods = reasons.entry((kind, message)).or_default();
        pods.push(records.text(member.name).to_owned());
    }
    reasons
        .into_iter()
        .map(|((kind, message), pods)| {
            let about = About {
                pods,
                ..about.clone()
            };
            finding::refused(about, kind, message)
        })
        .collect()
}

/// The nodes on which a replica's members run, by name.
fn nodes(records: &Records, index: &Index, replica: &Replica) -> Vec<Checked> {
    let mut nodes: BTreeMap<&str, (Name, Vec<usize>)> = BTreeMap::new();
    for id in replica.members.iter().copied() {
        if let Some(node) = records.members.get(id).and_then(|member| member.node) {
            let (_, members) = nodes
                .entry(records.text(node))
                .or_insert_with(|| (node, Vec::new()));
            members.push(id);
        }
    }
    nodes
        .into_values()
        .map(|(node, members)| node_check::check(records, index, replica, node, &members))
        .collect()
}

struct Check<'a> {
    records: &'a Records,
    index: &'a Index,
    replica: &'a Replica,
    nodes: Vec<Checked>,
}

impl Check<'_> {
    fn members(&self) -> impl Iterator<Item = &Member> {
        let ids = self.replica.members.iter();
        ids.filter_map(|id| self.records.members.get(*id))
    }

    fn about(&self) -> About {
        About {
            set: Some(self.records.path(self.replica.set)),
            replica: Some(self.records.text(self.replica.leader).to_owned()),
            ..About::default()
        }
    }

    fn foreign(&self, findings: &mut Vec<Finding>) {
        for node in &self.nodes {
            let Some(ForeignLabel { key, found, needed }) = node.foreign.first().copied() else {
                continue;
            };
            let pods = node.misplaced.iter();
            let pods = pods.filter_map(|id| self.records.members.get(*id));
            let about = About {
                pods: pods
                    .map(|member| self.records.text(member.name).to_owned())
                    .collect(),
                nodes: vec![node.report.name.clone()],
                ..self.about()
            };
            let owner = self.index.values.get(&(key, found));
            let owner = owner
                .and_then(|replicas| self.index.replicas.get(*replicas.first()?))
                .map(|owner| owner.path(self.records));
            let text = |name| self.records.text(name);
            findings.push(finding::foreign_node(
                about,
                text(key),
                text(found),
                text(needed),
                owner.as_deref(),
            ));
        }
    }

    fn strangers(&self, findings: &mut Vec<Finding>) {
        for node in &self.nodes {
            if !node.untold.is_empty() {
                let about = About {
                    pods: node.untold.clone(),
                    nodes: vec![node.report.name.clone()],
                    ..self.about()
                };
                findings.push(finding::strangers(about));
            }
        }
    }

    /// Nodes without label or taint. Where no member carries its placement, that is said of the members, and the node
    /// need not be anybody's.
    fn bare(&self, findings: &mut Vec<Finding>) {
        let mut unlabelled: BTreeMap<&[String], Vec<String>> = BTreeMap::new();
        let mut untainted: BTreeMap<&[String], Vec<String>> = BTreeMap::new();
        for node in self.nodes.iter().filter(|node| node.is_own) {
            let report = &node.report;
            for (missing, nodes) in [
                (&report.missing_labels, &mut unlabelled),
                (&report.missing_taints, &mut untainted),
            ] {
                if !missing.is_empty() {
                    nodes.entry(missing).or_default().push(report.name.clone());
                }
            }
        }
        let about = |nodes| About {
            nodes,
            ..self.about()
        };
        for (labels, nodes) in unlabelled {
            findings.push(finding::unlabelled(about(nodes), labels));
        }
        for (taints, nodes) in untainted {
            findings.push(finding::untainted(about(nodes), taints));
        }
    }

    fn unscheduled(&self, findings: &mut Vec<Finding>) {
        for are_gated in [false, true] {
            let pods: Vec<String> = self
                .members()
                .filter(|member| member.node.is_none() && member.is_gated == are_gated)
                .map(|member| self.records.text(member.name).to_owned())
                .collect();
            if !pods.is_empty() {
                let about = About {
                    pods,
                    ..self.about()
                };
                findings.push(finding::unscheduled(about, are_gated));
            }
        }
    }

    fn missing(&self, findings: &mut Vec<Finding>) {
        let found = number(self.replica.members.len());
        if let Some(wanted) = self.records.sets.get(&self.replica.set)
            && found < wanted.size
        {
            findings.push(finding::missing_pods(self.about(), found, wanted.size));
        }
    }

    fn report(self, findings: u64) -> ReplicaReport {
        let records = self.records;
        let demands: Vec<&Placement> = self
            .members()
            .filter_map(|member| records.demand(member))
            .collect();
        let all = demands.iter().flat_map(|demand| demand.labels.iter());
        let labels = distinct(all.map(|label| labels::label(records, *label)));
        let all = demands.iter().flat_map(|demand| demand.taints.iter());
        let taints = distinct(all.map(|taint| labels::taint(records, *taint)));
        let count = |is: fn(&&Member) -> bool| number(self.members().filter(is).count());
        ReplicaReport {
            leader: records.text(self.replica.leader).to_owned(),
            labels,
            taints,
            pods: number(self.replica.members.len()),
            unscheduled: count(|member| member.node.is_none()),
            refused: count(|member| member.is_refused()),
            nodes: self.nodes.into_iter().map(|node| node.report).collect(),
            findings,
        }
    }
}

/// Texts in their order, each once.
fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for text in texts {
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}
