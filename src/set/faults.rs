//! What is wrong with a set (S1 to S5).

use std::fmt::{self, Arguments};

use super::names;
use super::template::Template;
use super::view::SetView;
use crate::affinity;
use crate::annotations;
use crate::lws;
use crate::message::{Quoted, holds};
use crate::placement::{Choice, Members, Placement};
use crate::settings::{Settings, UnstampedPods};
use crate::stamp;
use crate::value::ValueError;

/// How many replicas' values are held against a template's node affinity. Terms that list more
/// values than this are judged at the pods.
const REPLICAS_JUDGED: i64 = 64;

/// The longest name of an object. Longer ones are refused by the API server; until then they are not to be written out
/// for every replica and key.
const NAME_LIMIT: usize = 253;

/// A fault of a set.
#[derive(Clone, Debug)]
pub struct SetFault {
    /// The rule of the contract that it breaks.
    pub rule: &'static str,
    /// The field.
    pub path: String,
    /// What is wrong and what to do.
    pub text: String,
    /// 400 for malformed input, 422 for a conflict.
    pub code: u16,
    /// What the fault is about, without what scaling changes.
    about: String,
    /// How bad it is, where scaling changes that: the length of a value.
    extent: usize,
}

impl SetFault {
    /// Whether a set that had these faults had this one too, as bad as it is now (S7).
    #[must_use]
    pub fn is_among(&self, known: &[Self]) -> bool {
        known
            .iter()
            .any(|known| self.is_like(known) && self.extent <= known.extent)
    }

    fn is_like(&self, other: &Self) -> bool {
        self.path == other.path && self.about == other.about
    }
}

impl fmt::Display for SetFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.text)
    }
}

/// Faults, each once.
struct Faults(Vec<SetFault>);

impl Faults {
    /// Input that cannot be read.
    fn malformed(&mut self, rule: &'static str, path: Arguments<'_>, text: Arguments<'_>) {
        self.add(rule, path, text, 400, None, 0);
    }

    /// Things that do not go together.
    fn conflict(
        &mut self,
        rule: &'static str,
        path: Arguments<'_>,
        text: Arguments<'_>,
        about: &str,
    ) {
        self.add(rule, path, text, 422, Some(about), 0);
    }

    fn add(
        &mut self,
        rule: &'static str,
        path: Arguments<'_>,
        text: Arguments<'_>,
        code: u16,
        about: Option<&str>,
        extent: usize,
    ) {
        let text = format!("{text}");
        let fault = SetFault {
            rule,
            path: format!("{path}"),
            about: about.unwrap_or(&text).to_owned(),
            text,
            code,
            extent,
        };
        if !self.0.iter().any(|known| known.is_like(&fault)) {
            self.0.push(fault);
        }
    }
}

/// A set with the placements of its templates.
pub struct Judged {
    /// The placement of the leader's template, where it has one of its own, and of the workers', which
    /// serves for the leader too where it has none.
    placements: [Option<Placement>; 2],
    /// Whether any template asks for something.
    pub asks: bool,
    /// All faults.
    pub faults: Vec<SetFault>,
}

/// Which stamps tell a set's placements.
#[derive(Clone, Copy)]
pub enum Stamps<'s> {
    /// Its own.
    Own,
    /// None: they are written anew.
    Ignored,
    /// Those of the stored set: they are put back.
    Of(&'s SetView<'s>),
}

impl Stamps<'_> {
    fn of<'s>(&'s self, template: &'s Template<'_>) -> Option<&'s str> {
        match self {
            Self::Own => template.stamp.as_deref(),
            Self::Ignored => None,
            Self::Of(old) => old.stamp_for(template),
        }
    }
}

impl Judged {
    /// Judges a set by the stamps that it will have.
    #[must_use]
    pub fn of(
        set: &SetView<'_>,
        settings: &Settings,
        namespace: Option<&str>,
        stamps: Stamps<'_>,
    ) -> Self {
        let mut faults = Faults(Vec::new());
        let mut judged = Self {
            placements: [None, None],
            asks: false,
            faults: Vec::new(),
        };
        for (template, slot) in set.pair.iter().zip(&mut judged.placements) {
            if let Some(template) = template
                && let Some(placement) = placement_of(set, template, settings, stamps, &mut faults)
            {
                judged.asks |= !placement.choice.is_empty();
                *slot = Some(placement);
            }
        }
        judged.judge_agreement(&mut faults);
        judged.judge_topologies(set, &mut faults);
        judged.judge_subgroups(set, &mut faults);
        judged.judge_values(set, namespace, &mut faults);
        judged.judge_identity(set, &mut faults);
        for template in set.templates() {
            judged.judge_template(set, template, namespace, &mut faults);
        }
        judged.faults = faults.0;
        judged
    }

    /// The placement of a template of this set.
    #[must_use]
    pub fn placement_of(&self, template: &Template<'_>) -> Option<&Placement> {
        let [leader, worker] = &self.placements;
        let placement = if template.place.is_leaders {
            leader
        } else {
            worker
        };
        placement.as_ref()
    }

    /// The placements that there are.
    pub fn placements(&self) -> impl Iterator<Item = &Placement> {
        self.placements.iter().filter_map(Option::as_ref)
    }

    /// Whether a template's placement cannot be told, for an annotation or a stamp that cannot be read.
    #[must_use]
    pub fn is_unresolved(&self, set: &SetView<'_>) -> bool {
        set.templates()
            .any(|template| self.placement_of(template).is_none())
    }

    /// A3
    fn judge_agreement(&self, faults: &mut Faults) {
        let [Some(leader), Some(worker)] = &self.placements else {
            return;
        };
        let reason = if leader.choice.is_empty() {
            return;
        } else if !same_choice(&leader.choice, &worker.choice) {
            "their keys or taints differ"
        } else if leader.value_rules != worker.value_rules || leader.members != worker.members {
            "their stamps were made by different settings"
        } else {
            return;
        };
        faults.conflict(
            "A3",
            format_args!("spec.leaderWorkerTemplate.leaderTemplate.metadata.annotations"),
            format_args!(
                "leader and workers of a replica would be placed apart, {reason}; give both \
                 templates the same annotations, or the leader's empty ones"
            ),
            "agreement",
        );
    }

    /// S3
    fn judge_topologies(&self, set: &SetView<'_>, faults: &mut Faults) {
        for (path, topology) in &set.topologies {
            self.judge_topology(set, path, topology, faults);
        }
        for template in set.templates() {
            for (name, topology) in &template.topologies {
                let path = annotation_path(template.place.annotations, name);
                self.judge_topology(set, &path, topology, faults);
            }
        }
    }

    fn judge_topology(&self, set: &SetView<'_>, path: &str, topology: &str, faults: &mut Faults) {
        let is_key = self.placements().any(|placement| {
            let keys = placement.choice.keys();
            keys.iter().any(|key| key.as_str() == topology)
        });
        let named = Quoted(topology);
        if is_key {
            faults.conflict(
                "S3",
                format_args!("{path}"),
                format_args!(
                    "{named} is also a key of the replica's placement, and LeaderWorkerSet would pin \
                     workers to another value of it; use different keys"
                ),
                topology,
            );
        } else if self.is_pinned_to_a_leader_left_out(set, path) {
            faults.conflict(
                "S3",
                format_args!("{path}"),
                format_args!(
                    "workers are pinned to the leader's value of {named}, but the leader is left out of \
                     the placement and stands on other nodes; place the leader too, or remove this"
                ),
                &format!("left out {topology}"),
            );
        }
    }

    /// Whether the topology at a path pins placed workers to a leader that is not placed with them. A
    /// subgroup's topology does not do so to a leader that is in no subgroup.
    fn is_pinned_to_a_leader_left_out(&self, set: &SetView<'_>, path: &str) -> bool {
        let [leader, Some(worker)] = &self.placements else {
            return false;
        };
        if worker.choice.is_empty() {
            return false;
        }
        let is_of_subgroups =
            holds(path, lws::SUBGROUP_EXCLUSIVE_TOPOLOGY) || holds(path, "subGroupPolicy");
        worker.members == Members::Workers
            || leader
                .as_ref()
                .is_some_and(|leader| leader.choice.is_empty())
            || names::leaves_leader_out(set, worker) && !is_of_subgroups
    }

    /// S5
    fn judge_subgroups(&self, set: &SetView<'_>, faults: &mut Faults) {
        let needed = self.placements().any(|placement| {
            !placement.choice.is_empty() && names::has_subgroup_values(set, placement)
        });
        if needed && set.subgroup_size.is_none() {
            faults.malformed(
                "S5",
                format_args!("spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize"),
                format_args!(
                    "placementUnit SubGroup needs a whole number of 1 or more here; set one"
                ),
            );
        }
    }

    /// S4
    fn judge_values(&self, set: &SetView<'_>, namespace: Option<&str>, faults: &mut Faults) {
        let Some(name) = set.name.as_deref() else {
            return;
        };
        let leader = names::leader(set, name, set.highest_index);
        for placement in self.placements() {
            for key in &placement.choice.keys() {
                let Err(error) = names::value(set, placement, key, namespace, &leader) else {
                    continue;
                };
                let (about, extent) = match &error {
                    ValueError::TooLong { key, value, .. } => (key.as_str(), value.len()),
                    ValueError::Illegal { key, .. } => (key.as_str(), 0),
                    ValueError::NoNamespace => ("", 0),
                };
                faults.add(
                    "S4",
                    format_args!("metadata.name"),
                    format_args!("{error}"),
                    422,
                    Some(about),
                    extent,
                );
            }
        }
    }

    /// P5: a leader whose template marks it as a worker would stand on the nodes of the replica that it names.
    fn judge_identity(&self, set: &SetView<'_>, faults: &mut Faults) {
        if let Some(template) = set.templates().next()
            && template.has_leader_name
            && self.asks
        {
            faults.conflict(
                "S1",
                format_args!("{}[\"{}\"]", template.place.annotations, lws::LEADER_NAME),
                format_args!("marks every leader as a worker; remove it, LeaderWorkerSet sets it where it belongs"),
                "leader-name",
            );
        }
    }

    /// S2
    fn judge_template(
        &self,
        set: &SetView<'_>,
        template: &Template<'_>,
        namespace: Option<&str>,
        faults: &mut Faults,
    ) {
        let Some(placement) = self.placement_of(template) else {
            return;
        };
        if template.place.is_leaders && names::leaves_leader_out(set, placement) {
            return;
        }
        let only = only_leader(set, placement);
        for key in &placement.choice.node_selector {
            let mut found = template.selector.iter();
            let Some((_, found)) = found.find(|(name, _)| name == key.as_str()) else {
                continue;
            };
            if let Some(leader) = &only
                && let Ok(value) = names::value(set, placement, key, namespace, leader)
                && value == *found
            {
                continue;
            }
            faults.conflict(
                "S2",
                format_args!("{}.spec.nodeSelector[{key}]", template.place.path),
                format_args!(
                    "is {} for every replica, but each needs its own value; remove it",
                    Quoted(found)
                ),
                found,
            );
        }
        judge_affinity(set, template, placement, namespace, faults);
    }
}

/// S1, A2: the stamp where it counts, else settings and annotations.
fn placement_of(
    set: &SetView<'_>,
    template: &Template<'_>,
    settings: &Settings,
    stamps: Stamps<'_>,
    faults: &mut Faults,
) -> Option<Placement> {
    let choice = match annotations::resolve(settings, &[set.layer(), template.layer()]) {
        Ok(choice) => Some(choice),
        Err(error) => {
            faults.malformed(
                "A2",
                format_args!("{}[\"{}\"]", error.path, error.annotation),
                format_args!("{}", error.text),
            );
            None
        }
    };
    if let Some(text) = stamps.of(template) {
        return match stamp::read(text) {
            Ok(placement) => Some(placement),
            Err(error) => {
                faults.malformed(
                    "A4",
                    format_args!("{}", template.place.annotations),
                    format_args!("{error}"),
                );
                None
            }
        };
    }
    let anew = matches!(stamps, Stamps::Ignored);
    if !anew && settings.unstamped_pods == UnstampedPods::Leave {
        return Some(Placement::default());
    }
    Some(settings.placement(choice?))
}

/// S2: node affinity that excludes a replica's nodes.
fn judge_affinity(
    set: &SetView<'_>,
    template: &Template<'_>,
    placement: &Placement,
    namespace: Option<&str>,
    faults: &mut Faults,
) {
    let selector = &placement.choice.node_selector;
    if template.affinity.is_none() || selector.is_empty() {
        return;
    }
    let mut keys = Vec::new();
    for key in selector {
        keys.push(key.as_str());
    }
    let required = match affinity::Required::read(template.affinity, &keys) {
        Ok(required) => required,
        Err(fault) => {
            faults.malformed(
                "I5",
                format_args!("{}.{}", template.place.path, fault.path()),
                format_args!("{}", fault.problem()),
            );
            return;
        }
    };
    let name = set.name.as_deref().unwrap_or("set");
    if name.len() > NAME_LIMIT {
        return;
    }
    // Generated names differ in no way that can be told here.
    let last = if set.is_hash { 0 } else { set.highest_index };
    let mut index = 0;
    loop {
        let leader = names::leader(set, name, index);
        if !has_nodes(set, placement, namespace, &leader, &required) {
            faults.conflict(
                "S2",
                format_args!(
                    "{}.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
                    template.place.path
                ),
                format_args!(
                    "excludes the nodes of replica {}; remove the replica's keys from its terms, \
                 and empty terms",
                    Quoted(&leader)
                ),
                "excludes",
            );
            return;
        }
        if index == last {
            return;
        }
        // The first ones, and the last.
        index = if index + 1 < REPLICAS_JUDGED {
            index + 1
        } else {
            last
        };
    }
}

/// Whether node affinity leaves nodes to a leader's replica.
fn has_nodes(
    set: &SetView<'_>,
    placement: &Placement,
    namespace: Option<&str>,
    leader: &str,
    required: &affinity::Required<'_>,
) -> bool {
    let mut values = Vec::new();
    for key in &placement.choice.node_selector {
        if let Ok(value) = names::value(set, placement, key, namespace, leader) {
            values.push((key.as_str(), value));
        }
    }
    let mut labels = Vec::new();
    for (key, value) in &values {
        labels.push((*key, value.as_str()));
    }
    required.admits(&labels)
}

/// The one leader whose value a template may fix: that of a set with a single replica.
fn only_leader(set: &SetView<'_>, placement: &Placement) -> Option<String> {
    let name = set.name.as_deref()?;
    let single =
        set.highest_index == 0 && !set.is_hash && !names::has_subgroup_values(set, placement);
    single.then(|| names::leader(set, name, 0))
}

/// Where an annotation stands.
fn annotation_path(annotations: &str, name: &str) -> String {
    format!("{annotations}[\"{name}\"]")
}

/// Whether two choices ask for the same, in whatever order.
fn same_choice(a: &Choice, b: &Choice) -> bool {
    fn same<T: PartialEq>(a: &[T], b: &[T]) -> bool {
        a.len() == b.len() && a.iter().all(|item| b.contains(item))
    }
    same(&a.node_selector, &b.node_selector) && same(&a.tolerations, &b.tolerations)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    use super::super::view::Outline;
    use crate::json;

    /// The faults of a set whose leaders have one stamp and workers another.
    fn judged(leader: &str, worker: &str) -> Vec<String> {
        let template = |stamp: &str| {
            let stamp = stamp.replace('"', "\\\"");
            format!(
                r#"{{"metadata":{{"annotations":{{"{}":"{stamp}"}}}}}}"#,
                stamp::STAMP
            )
        };
        let (leader, worker) = (template(leader), template(worker));
        let set = format!(
            r#"{{"metadata":{{"name":"fruit"}},"spec":{{"leaderWorkerTemplate":{{"leaderTemplate":{leader},"workerTemplate":{worker}}}}}}}"#
        );
        let outline = Outline::read(json::document(&set).unwrap(), "request.object").unwrap();
        let set = outline.set().unwrap();
        let judged = Judged::of(&set, &Settings::default(), None, Stamps::Own);
        judged.faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a3_stamps_that_differ() {
        const PLAIN: &str = r#"{"nodeSelector":["pool.test/group"]}"#;
        const OTHER: &str = r#"{"nodeSelector":["pool.test/other"]}"#;
        let faults = |reason: &str| {
            vec![format!(
                "spec.leaderWorkerTemplate.leaderTemplate.metadata.annotations: leader and workers \
                 of a replica would be placed apart, {reason}; give both templates the same \
                 annotations, or the leader's empty ones"
            )]
        };
        assert_eq!(judged(PLAIN, PLAIN), Vec::<String>::new());
        assert_eq!(judged("{}", PLAIN), Vec::<String>::new());
        assert_eq!(judged(PLAIN, OTHER), faults("their keys or taints differ"));
        for rule in [
            r#""replicaValue":"HashedLeaderName""#,
            r#""overlongValue":"Hash""#,
            r#""placementUnit":"SubGroup""#,
            r#""members":"Workers""#,
        ] {
            let stamp = format!(r#"{{"nodeSelector":["pool.test/group"],{rule}}}"#);
            let differ = faults("their stamps were made by different settings");
            assert_eq!(judged(&stamp, PLAIN), differ, "{rule}");
            assert_eq!(judged(PLAIN, &stamp), differ, "{rule}");
        }
    }
}
