//! One node held against the members of one replica that run on it.

use super::labels;
use super::listed::{first, number};
use super::names::Name;
use super::records::{Member, Node, Placement, Records, Taint};
use super::report::NodeReport;
use super::survey::{Index, Occupant, Replica};

/// What a node is to a replica.
pub(super) struct Checked {
    pub(super) report: NodeReport,
    /// Members whose selector the node's labels contradict.
    pub(super) misplaced: Vec<usize>,
    /// Each label that makes the node somebody else's, the value that it should have and whose it is.
    pub(super) foreign: Vec<ForeignLabel>,
    /// Whether a member that carries its placement runs here, so that the node should be the replica's own.
    pub(super) is_own: bool,
    /// Strangers that are not told as members on a foreign node.
    pub(super) untold: Vec<String>,
}

/// A label with another value than a member needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ForeignLabel {
    pub(super) key: Name,
    pub(super) found: Name,
    pub(super) needed: Name,
}

/// Checks a node on which these members of a replica run.
pub(super) fn check(
    records: &Records,
    index: &Index,
    replica: &Replica,
    name: Name,
    members: &[usize],
) -> Checked {
    let node = records.nodes.get(&name);
    let mut checked = Checked {
        report: NodeReport {
            name: records.text(name).to_owned(),
            in_input: node.is_some(),
            pods: number(members.len()),
            missing_labels: Vec::new(),
            missing_taints: Vec::new(),
            foreign_labels: Vec::new(),
            strangers: Vec::new(),
            stranger_count: 0,
        },
        misplaced: Vec::new(),
        foreign: Vec::new(),
        is_own: false,
        untold: Vec::new(),
    };
    for (id, member) in members
        .iter()
        .filter_map(|id| Some((*id, records.members.get(*id)?)))
    {
        let Some(demand) = records.demand(member) else {
            continue;
        };
        if let Some(node) = node {
            checked.compare(records, node, demand, id);
        }
        checked.is_own |= !member.is_refused();
    }
    checked.is_own &= checked.foreign.is_empty();
    if checked.is_own {
        checked.look_around(records, index, replica, name);
    }
    checked
}

impl Checked {
    fn compare(&mut self, records: &Records, node: &Node, demand: &Placement, member: usize) {
        for (key, needed) in demand.labels.iter().copied() {
            let found = node.labels.iter().find(|(label, _)| *label == key);
            match found {
                Some((_, found)) if *found == needed => {}
                Some((_, found)) => {
                    let found = *found;
                    note(
                        &mut self.report.foreign_labels,
                        labels::label(records, (key, found)),
                    );
                    let foreign = ForeignLabel { key, found, needed };
                    if !self.foreign.contains(&foreign) {
                        self.foreign.push(foreign);
                    }
                    if self.misplaced.last() != Some(&member) {
                        self.misplaced.push(member);
                    }
                }
                None => note(
                    &mut self.report.missing_labels,
                    labels::label(records, (key, needed)),
                ),
            }
        }
        for taint in demand.taints.iter().copied() {
            if !node.taints.iter().any(|found| covers(*found, taint)) {
                note(
                    &mut self.report.missing_taints,
                    labels::taint(records, taint),
                );
            }
        }
    }

    /// Finds pods of other replicas and of no set.
    fn look_around(&mut self, records: &Records, index: &Index, replica: &Replica, name: Name) {
        let is_own =
            |member: &Member| member.set == replica.set && member.leader == Some(replica.leader);
        let mut strangers = Vec::new();
        for occupant in index.occupants.get(&name).into_iter().flatten() {
            let (namespace, pod, is_told) = match occupant {
                Occupant::Member(id) => match records.members.get(*id) {
                    Some(member) if !is_own(member) => {
                        let is_told = is_misplaced(records, member, name);
                        (member.set.0, member.name, is_told)
                    }
                    _ => continue,
                },
                Occupant::Other(id) => match records.others.get(*id) {
                    Some(pod) => (pod.namespace, pod.name, false),
                    None => continue,
                },
            };
            strangers.push((records.path((namespace, pod)), is_told));
        }
        strangers.sort_unstable();
        self.report.stranger_count = number(strangers.len());
        self.report.strangers = first(strangers.iter().map(|(pod, _)| pod.clone()));
        let untold = strangers.into_iter().filter(|(_, is_told)| !is_told);
        self.untold = untold.map(|(pod, _)| pod).collect();
    }
}

/// Whether a member runs on a node with another label than it needs.
fn is_misplaced(records: &Records, member: &Member, node: Name) -> bool {
    let (Some(node), Some(demand)) = (records.nodes.get(&node), records.demand(member)) else {
        return false;
    };
    let mut needed = demand.labels.iter();
    needed.any(|(key, needed)| {
        let mut labels = node.labels.iter();
        labels.any(|(label, found)| label == key && found != needed)
    })
}

/// Whether a node's taint is the one that a demand names.
fn covers(found: Taint, wanted: Taint) -> bool {
    found.key == wanted.key
        && found.value == wanted.value
        && (wanted.effect.is_none() || found.effect == wanted.effect)
}

fn note(list: &mut Vec<String>, text: String) {
    if !list.contains(&text) {
        list.push(text);
    }
}
