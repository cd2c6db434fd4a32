//! What a picture shows: replicas, their nodes and the pods there. Drawn by [`super::dot`] and [`super::svg`].

use super::{cluster, text};
use crate::cluster::report as found;
use crate::review::report::{Members, Outcome, PodReview, Report, SetReview};
use std::collections::BTreeMap;

/// Most sets that are drawn.
const SETS: usize = 50;

/// Most nodes, or groups of nodes, that are drawn of a replica.
const NODES: usize = 12;

/// All that is drawn.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) sections: Vec<Section>,
    /// Totals, and what is left out as a whole.
    pub(super) notes: Vec<String>,
}

/// A set, or the pods of the input.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) title: String,
    pub(super) size: String,
    pub(super) replicas: Vec<Replica>,
    /// Why there is none, or which are left out.
    pub(super) note: Option<String>,
}

/// A replica.
#[derive(Debug)]
pub(super) struct Replica {
    pub(super) title: String,
    pub(super) nodes: Vec<Node>,
    /// Which nodes are left out.
    pub(super) note: Option<String>,
}

/// Nodes of one kind, or of a dump one node.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) state: State,
    /// The node's name, or what the nodes carry: labels and taints; and what is wrong with them.
    pub(super) lines: Vec<String>,
    pub(super) pods: Vec<Pods>,
}

/// What nodes are to the replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Its own.
    Own,
    /// Any, since nothing is asked for.
    Any,
    /// Its own, but others are there too, or something is missing.
    Shared,
    /// None: the pods are refused, or they wait.
    None,
    /// Somebody else's.
    Foreign,
}

/// Pods that get the same.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pods {
    /// Their names, or how many they are.
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) role: Role,
    pub(super) is_refused: bool,
}

/// What pods are in the replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Leader,
    Worker,
    /// Leader or worker; a dump's report does not say.
    Member,
    /// Of another replica, or of no set.
    Stranger,
}

impl Picture {
    /// What to draw of a report. Of the pods of the input there are `limit`, as of a set's replicas.
    pub(super) fn of(report: &Report, limit: usize) -> Self {
        let mut sections: Vec<Section> = report.sets.iter().map(set).collect();
        if !report.pods.is_empty() {
            sections.push(pods(&report.pods, limit));
        }
        sections.extend(
            report
                .cluster
                .iter()
                .flat_map(|found| &found.sets)
                .map(running),
        );
        let mut notes = Vec::new();
        let left_out = sections.len().saturating_sub(SETS);
        if left_out > 0 {
            sections.truncate(SETS);
            let sets = text::counted(number(left_out), "set");
            notes.push(format!("... and {sets} that have no room here"));
        }
        notes.extend(text::sums(report));
        Self { sections, notes }
    }
}

fn set(set: &SetReview) -> Section {
    let refused = set.admission.refusal.as_ref();
    Section {
        title: set.title(),
        size: text::size(set),
        replicas: set
            .shown
            .iter()
            .map(|replica| {
                let leader = format!("{}-{}", set.name, replica.index);
                let title = format!("replica {}", replica.index);
                Replica::new(title, groups(&replica.members, &leader))
            })
            .collect(),
        note: match refused {
            Some(refusal) => Some(format!("refused: {}", refusal.message)),
            None => text::hidden(set),
        },
    }
}

/// The groups of nodes that a replica's pods ask for.
fn groups(members: &[Members], leader: &str) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for members in members {
        let (state, lines) = asked(&members.result);
        let mut pods: Vec<Pods> = Vec::new();
        for name in &members.pods {
            // A leader that is yet to be named is shown with a star.
            let is_leader = name == leader || name.ends_with('*');
            let count = if is_leader { 1 } else { width(name) };
            pods.push(Pods {
                name: name.clone(),
                count,
                role: if is_leader {
                    Role::Leader
                } else {
                    Role::Worker
                },
                is_refused: !members.result.allowed,
            });
        }
        put(&mut nodes, state, lines, pods);
    }
    nodes
}

/// Puts pods on the nodes of this kind.
fn put(nodes: &mut Vec<Node>, state: State, lines: Vec<String>, pods: Vec<Pods>) {
    let known = nodes
        .iter_mut()
        .find(|node| node.state == state && node.lines == lines);
    match known {
        Some(node) => node.pods.extend(pods),
        None => nodes.push(Node { state, lines, pods }),
    }
}

/// How many pods a range such as `v-0-1..3` holds.
fn width(name: &str) -> u64 {
    let range = name.rsplit_once("..").and_then(|(start, last)| {
        let first: u64 = start.rsplit_once('-')?.1.parse().ok()?;
        last.parse::<u64>().ok()?.checked_sub(first)
    });
    range.map_or(1, |more| more.saturating_add(1))
}

/// What nodes a pod asks for.
fn asked(outcome: &Outcome) -> (State, Vec<String>) {
    if !outcome.allowed {
        let number = outcome.refusal;
        let number = number.map_or_else(String::new, |number| format!(" [{number}]"));
        return (State::None, vec![format!("refused{number}")]);
    }
    let placement = &outcome.placement;
    let labels = placement.node_selector.iter();
    let labels = labels.map(|entry| format!("{}={}", entry.key, entry.value));
    let taints = placement.tolerations.iter().map(|entry| {
        let effect = entry.effect.as_deref();
        let effect = effect.map_or_else(String::new, |effect| format!(":{effect}"));
        format!("taint {}={}{effect}", entry.key, entry.value)
    });
    let lines: Vec<String> = labels.chain(taints).collect();
    match (lines.is_empty(), outcome.decision.as_deref()) {
        (false, _) => (State::Own, lines),
        (true, Some("defer")) => (State::None, vec!["once it has a name".to_owned()]),
        (true, _) => (State::Any, vec!["any node".to_owned()]),
    }
}

/// The pods of the input: each stands for itself, those that ask for the same nodes together.
fn pods(pods: &[PodReview], limit: usize) -> Section {
    let mut found: BTreeMap<String, Vec<Node>> = BTreeMap::new();
    for pod in pods.iter().take(limit) {
        let (state, lines) = asked(&pod.result);
        let value = pod.result.value.as_deref();
        let title = value.map_or_else(|| "pods".to_owned(), |value| format!("value {value}"));
        let pods = Pods {
            name: format!("{}/{}", pod.namespace, pod.name),
            count: 1,
            role: Role::Member,
            is_refused: !pod.result.allowed,
        };
        let nodes = found.entry(title).or_default();
        put(nodes, state, lines, vec![pods]);
    }
    let replicas = found.into_iter();
    let replicas = replicas.map(|(title, nodes)| Replica::new(title, nodes));
    let hidden = number(pods.len().saturating_sub(limit));
    Section {
        title: "Pods of the input".to_owned(),
        size: text::counted(number(pods.len()), "pod"),
        replicas: replicas.collect(),
        note: (hidden > 0).then(|| {
            let hidden = text::counted(hidden, "pod");
            format!("... and {hidden} (--replicas {} shows all)", pods.len())
        }),
    }
}

fn running(set: &found::SetReport) -> Section {
    Section {
        title: set.title(),
        size: cluster::size(set),
        replicas: set
            .shown
            .iter()
            .map(|replica| {
                let mut title = format!("replica {}", replica.leader);
                if replica.refused > 0 {
                    title.push_str(&format!(": {} of its pods refused", replica.refused));
                }
                let mut nodes: Vec<Node> = replica
                    .nodes
                    .iter()
                    .map(|node| real(replica, node))
                    .collect();
                if replica.unscheduled > 0 {
                    nodes.push(Node {
                        state: State::None,
                        lines: vec!["no node yet".to_owned()],
                        pods: vec![Pods::members(replica.unscheduled)],
                    });
                }
                Replica::new(title, nodes)
            })
            .collect(),
        note: cluster::hidden(set),
    }
}

/// A node of a dump, as one replica sees it.
fn real(replica: &found::ReplicaReport, node: &found::NodeReport) -> Node {
    let is_foreign = !node.foreign_labels.is_empty();
    let lacks = |what: &str, missing: &[String]| {
        let lines = missing
            .iter()
            .map(|missing| format!("lacks {what} {missing}"));
        lines.collect::<Vec<_>>()
    };
    let mut lines = vec![format!("node {}", node.name)];
    let foreign = node.foreign_labels.iter();
    lines.extend(foreign.map(|label| format!("foreign: {label}")));
    if !node.in_input {
        lines.push("not in the input".to_owned());
    } else if !is_foreign {
        let has = |missing: &[String], all: &[String]| {
            let there = all.iter().filter(|label| !missing.contains(label));
            there.cloned().collect::<Vec<_>>()
        };
        lines.extend(has(&node.missing_labels, &replica.labels));
        let taints = has(&node.missing_taints, &replica.taints);
        lines.extend(taints.iter().map(|taint| format!("taint {taint}")));
        lines.extend(lacks("label", &node.missing_labels));
        lines.extend(lacks("taint", &node.missing_taints));
    }
    let mut pods = vec![Pods::members(node.pods)];
    pods.extend(node.strangers.iter().map(|name| Pods::stranger(name, 1)));
    let more = node
        .stranger_count
        .saturating_sub(number(node.strangers.len()));
    if more > 0 {
        pods.push(Pods::stranger(&text::counted(more, "other pod"), more));
    }
    let lacks = !node.missing_labels.is_empty() || !node.missing_taints.is_empty();
    let state = match (is_foreign, lacks || node.stranger_count > 0) {
        (true, _) => State::Foreign,
        (false, true) => State::Shared,
        (false, false) if replica.labels.is_empty() && replica.taints.is_empty() => State::Any,
        (false, false) => State::Own,
    };
    Node { state, lines, pods }
}

impl Replica {
    fn new(title: String, mut nodes: Vec<Node>) -> Self {
        let left_out = nodes.len().saturating_sub(NODES);
        nodes.truncate(NODES);
        Self {
            title,
            nodes,
            note: (left_out > 0).then(|| format!("... and {left_out} more")),
        }
    }
}

impl Pods {
    fn members(count: u64) -> Self {
        Self {
            name: text::counted(count, "member"),
            count,
            role: Role::Member,
            is_refused: false,
        }
    }

    fn stranger(name: &str, count: u64) -> Self {
        Self {
            name: name.to_owned(),
            count,
            role: Role::Stranger,
            is_refused: false,
        }
    }
}

/// A length as the reports count.
pub(super) fn number(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// Text in lines of at most so many characters, broken between words where there are any.
pub(super) fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let word: Vec<char> = word.chars().collect();
        for piece in word.chunks(room.max(1)) {
            let used = line.chars().count();
            if used > 0 && used + 1 + piece.len() > room {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.extend(piece);
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_says_how_many_pods_it_holds() {
        assert_eq!(width("v-0-1..3"), 3);
        assert_eq!(width("v-0-7"), 1);
        assert_eq!(width("v..w"), 1);
    }

    #[test]
    fn words_are_broken_where_they_must() {
        assert_eq!(wrapped("to be or not", 5), ["to be", "or", "not"]);
        assert_eq!(wrapped("abcdefgh i", 3), ["abc", "def", "gh", "i"]);
    }
}
