//! Holds replicas, nodes and neighbours against one another, once all of them are known.

use super::finding::{self, About};
use super::listed::number;
use super::names::Name;
use super::records::{Records, SetId};
use super::replica_check::{check, refusals};
use super::report::{ClusterReport, Finding, ReplicaReport, SetReport, Severity, Sum};
use crate::review::report::Remark;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A replica of which there are pods.
#[derive(Debug)]
pub(super) struct Replica {
    pub(super) set: SetId,
    pub(super) leader: Name,
    /// Its members, leader first.
    pub(super) members: Vec<usize>,
}

impl Replica {
    /// Namespace and leader.
    pub(super) fn path(&self, records: &Records) -> String {
        records.path((self.set.0, self.leader))
    }
}

/// Who runs on a node.
#[derive(Debug)]
pub(super) enum Occupant {
    Member(usize),
    Other(usize),
}

/// What is looked up again and again.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// By namespace, set and index.
    pub(super) replicas: Vec<Replica>,
    /// Which replicas have a value, by key and value.
    pub(super) values: HashMap<(Name, Name), Vec<usize>>,
    pub(super) occupants: HashMap<Name, Vec<Occupant>>,
    /// Members of which the replica cannot be told.
    stray: BTreeMap<SetId, Vec<usize>>,
}

impl Index {
    fn new(records: &Records) -> Self {
        let mut index = Self::default();
        let mut replicas: HashMap<(SetId, Name), Vec<usize>> = HashMap::new();
        for (id, member) in records.members.iter().enumerate() {
            match member.leader {
                Some(leader) => replicas.entry((member.set, leader)).or_default().push(id),
                None => index.stray.entry(member.set).or_default().push(id),
            }
            if let Some(node) = member.node {
                let occupants = index.occupants.entry(node).or_default();
                occupants.push(Occupant::Member(id));
            }
        }
        for (id, pod) in records.others.iter().enumerate() {
            let occupants = index.occupants.entry(pod.node).or_default();
            occupants.push(Occupant::Other(id));
        }
        index.replicas = replicas
            .into_iter()
            .map(|((set, leader), members)| Replica {
                set,
                leader,
                members,
            })
            .collect();
        index.sort(records);
        index.find_values(records);
        index
    }

    /// The order of people: by number where there is one.
    fn sort(&mut self, records: &Records) {
        let tail = |name: &str, start: &str| {
            let rest = name.strip_prefix(start)?.strip_prefix('-')?;
            rest.parse::<u64>().ok()
        };
        self.replicas.sort_by_cached_key(|replica| {
            let (namespace, set) = replica.set;
            let (set, leader) = (records.text(set), records.text(replica.leader));
            (
                records.text(namespace).to_owned(),
                set.to_owned(),
                tail(leader, set).unwrap_or(u64::MAX),
                leader.to_owned(),
            )
        });
        for replica in &mut self.replicas {
            let leader = records.text(replica.leader);
            replica.members.sort_by_cached_key(|id| {
                let name = records
                    .members
                    .get(*id)
                    .map_or("", |member| records.text(member.name));
                let rank = if name == leader {
                    Some(0)
                } else {
                    tail(name, leader).map(|number| number.saturating_add(1))
                };
                (rank.unwrap_or(u64::MAX), name.to_owned())
            });
        }
    }

    fn find_values(&mut self, records: &Records) {
        for (id, replica) in self.replicas.iter().enumerate() {
            let members = replica.members.iter();
            let members = members.filter_map(|id| records.members.get(*id));
            let mut seen: HashSet<usize> = HashSet::new();
            for demand in members.filter_map(|member| member.demand) {
                if !seen.insert(demand) {
                    continue;
                }
                let Some(demand) = records.demands.get(demand) else {
                    continue;
                };
                let taints = demand.taints.iter().map(|taint| (taint.key, taint.value));
                for value in demand.labels.iter().copied().chain(taints) {
                    let replicas = self.values.entry(value).or_default();
                    if replicas.last() != Some(&id) {
                        replicas.push(id);
                    }
                }
            }
        }
    }
}

/// Makes the report; of each set `limit` replicas are shown.
pub(super) fn report(records: &mut Records, limit: usize) -> ClusterReport {
    records.members.shrink_to_fit();
    let records = &*records;
    let index = Index::new(records);
    let mut sets: BTreeMap<(&str, &str), (SetId, Vec<&Replica>)> = BTreeMap::new();
    let named = |(namespace, name): SetId| (records.text(namespace), records.text(name));
    for id in records.sets.keys().chain(index.stray.keys()) {
        sets.entry(named(*id)).or_insert_with(|| (*id, Vec::new()));
    }
    for replica in &index.replicas {
        let (_, replicas) = sets
            .entry(named(replica.set))
            .or_insert_with(|| (replica.set, Vec::new()));
        replicas.push(replica);
    }
    let mut findings = shared_values(records, &index);
    let mut reports = Vec::with_capacity(sets.len());
    for (id, replicas) in sets.into_values() {
        let (report, found) = set(records, &index, id, &replicas, limit);
        reports.push(report);
        findings.extend(found);
    }
    // Within a kind the order is that of sets and replicas.
    findings.sort_by_key(|finding| finding.kind);
    let count = |severity| number(findings.iter().filter(|f| f.severity == severity).count());
    let nodes: HashSet<Name> = records.members.iter().filter_map(|m| m.node).collect();
    let sum = Sum {
        sets: number(reports.len()),
        replicas: number(index.replicas.len()),
        members: number(records.members.len()),
        member_nodes: number(nodes.len()),
        pods: records.pods,
        nodes: number(records.nodes.len()),
        namespaces: records.namespaces,
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
    };
    ClusterReport {
        sets: reports,
        findings,
        sum,
    }
}

fn set(
    records: &Records,
    index: &Index,
    id: SetId,
    replicas: &[&Replica],
    limit: usize,
) -> (SetReport, Vec<Finding>) {
    let about = About {
        set: Some(records.path(id)),
        ..About::default()
    };
    let mut findings = Vec::new();
    if let Some(stray) = index.stray.get(&id) {
        findings.extend(refusals(records, stray, &about));
    }
    let mut shown = Vec::new();
    for replica in replicas {
        let (report, found) = check(records, index, replica);
        findings.extend(found);
        shown.push(report);
    }
    let wanted = records.sets.get(&id);
    let found = number(replicas.len());
    if let Some(wanted) = wanted
        && found < wanted.replicas
        && records.pods > 0
    {
        findings.push(finding::missing_replicas(about, found, wanted.replicas));
    }
    let shown = first_of(shown, limit);
    let report = SetReport {
        namespace: records.text(id.0).to_owned(),
        name: records.text(id.1).to_owned(),
        replicas: wanted.map(|wanted| wanted.replicas),
        size: wanted.map(|wanted| wanted.size),
        found,
        findings: number(findings.len()),
        hidden: found.saturating_sub(number(shown.len())),
        shown,
    };
    (report, findings)
}

/// `limit` replicas in their order, those with findings before others.
fn first_of(replicas: Vec<ReplicaReport>, limit: usize) -> Vec<ReplicaReport> {
    let faulty = replicas.iter().filter(|r| r.findings > 0).count();
    let mut faulty_room = faulty.min(limit);
    let mut sound_room = limit - faulty_room;
    let is_shown = |replica: &ReplicaReport| {
        let room = if replica.findings > 0 {
            &mut faulty_room
        } else {
            &mut sound_room
        };
        let fits = *room > 0;
        *room = room.saturating_sub(1);
        fits
    };
    replicas.into_iter().filter(is_shown).collect()
}

/// Values that several replicas have.
fn shared_values(records: &Records, index: &Index) -> Vec<Finding> {
    let mut shared: BTreeMap<(&[usize], &str), Vec<&str>> = BTreeMap::new();
    for ((key, value), replicas) in &index.values {
        if replicas.len() > 1 {
            let keys = shared.entry((replicas, records.text(*value))).or_default();
            keys.push(records.text(*key));
        }
    }
    shared
        .into_iter()
        .map(|((ids, value), mut keys)| {
            keys.sort_unstable();
            let replicas = ids.iter().filter_map(|id| index.replicas.get(*id));
            let namespaces: HashSet<Name> = replicas.clone().map(|r| r.set.0).collect();
            let paths = replicas.map(|replica| replica.path(records)).collect();
            finding::shared_value(&keys, value, paths, namespaces.len() == 1)
        })
        .collect()
}

/// What readers should know of the dump as a whole.
pub(super) fn notes(records: &Records, report: &ClusterReport) -> Vec<Remark> {
    let mut notes = Vec::new();
    if records.pods == 0 {
        notes.push("the dump holds no pods, so nothing is judged; get leaderworkersets,pods,nodes,namespaces together".to_owned());
        return notes
            .into_iter()
            .map(|text| Remark::note(None, text))
            .collect();
    }
    let members = &records.members;
    let is_silent =
        |member: &super::records::Member| member.demand.is_none() && !member.is_refused();
    if !members.is_empty() && members.iter().all(is_silent) {
        notes.push("no pod's placement is judged: neither settings, stamps nor annotations ask for one; give the cluster's settings in --settings".to_owned());
    }
    let unknown: HashSet<Name> = members.iter().filter_map(|member| member.node).collect();
    let unknown = unknown
        .iter()
        .filter(|node| !records.nodes.contains_key(node));
    match unknown.count() {
        0 => {}
        count => notes.push(format!(
            "nodes of members that are not in the input: {count}; their labels and taints are not judged, get nodes too"
        )),
    }
    let absent = report.sets.iter().filter(|set| set.replicas.is_none());
    match absent.count() {
        0 => {}
        count => notes.push(format!(
            "sets of pods that are not in the input: {count}; how many pods they should have is not judged, get leaderworkersets too"
        )),
    }
    match records.repeated {
        0 => {}
        count => notes.push(format!(
            "pods that are in the input again: {count}; the first of each counts"
        )),
    }
    let again = (records.repeated_nodes > 0).then(|| {
        let text = format!(
            "nodes that are in the input again: {}; the first of each counts, so give one cluster's dump of one moment",
            records.repeated_nodes
        );
        Remark::warning(None, text)
    });
    let notes = notes.into_iter().map(|text| Remark::note(None, text));
    again.into_iter().chain(notes).collect()
}
