//! What is wrong with a set (S1 to S5).

use std::fmt;

use super::names;
use super::template::Template;
use super::view::SetView;
use crate::affinity;
use crate::annotations;
use crate::key::ReplicaKey;
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

/// A set with the placements of its templates.
pub struct Judged {
    /// The leader's placement, where it has a template of its own.
    pub leader: Option<Placement>,
    /// The worker's, and the leader's where it has no template of its own.
    pub worker: Option<Placement>,
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
            Self::Of(old) => old.stamp_for(template.path),
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
        let mut judged = Self {
            leader: None,
            worker: None,
            faults: Vec::new(),
        };
        judged.leader = judged.placement(set, set.leader.as_ref(), settings, stamps);
        judged.worker = judged.placement(set, set.worker.as_ref(), settings, stamps);
        judged.judge_agreement();
        judged.judge_topologies(set);
        judged.judge_subgroups(set);
        judged.judge_values(set, namespace);
        judged.judge_identity(set);
        for template in set.templates() {
            judged.judge_template(set, template, namespace);
        }
        judged
    }

    /// The placement of a template of this set.
    #[must_use]
    pub fn placement_of(&self, template: &Template<'_>) -> Option<&Placement> {
        if template.is_leaders() {
            self.leader.as_ref()
        } else {
            self.worker.as_ref()
        }
    }

    /// The placements that there are.
    pub fn placements(&self) -> impl Iterator<Item = &Placement> {
        self.leader.iter().chain(self.worker.iter())
    }

    /// Whether any template asks for something.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.placements()
            .any(|placement| !placement.choice.is_empty())
    }

    fn fault(
        &mut self,
        rule: &'static str,
        path: impl Into<String>,
        text: String,
        code: u16,
        about: String,
    ) {
        self.fault_of(SetFault {
            rule,
            path: path.into(),
            text,
            code,
            about,
            extent: 0,
        });
    }

    fn fault_of(&mut self, fault: SetFault) {
        if !self.faults.iter().any(|known| known.is_like(&fault)) {
            self.faults.push(fault);
        }
    }

    /// Whether a template's placement cannot be told, for an annotation or a stamp that cannot be read.
    #[must_use]
    pub fn is_unresolved(&self, set: &SetView<'_>) -> bool {
        set.templates()
            .any(|template| self.placement_of(template).is_none())
    }

    /// S1, A2: the stamp where it counts, else settings and annotations.
    fn placement(
        &mut self,
        set: &SetView<'_>,
        template: Option<&Template<'_>>,
        settings: &Settings,
        stamps: Stamps<'_>,
    ) -> Option<Placement> {
        let template = template?;
        let resolved =
            annotations::resolve(settings, &[set.layer(), template.layer()]).map_err(|error| {
                let path = format!("{}[\"{}\"]", error.path, error.annotation);
                self.fault("A2", path, error.text.clone(), 400, error.text);
            });
        if let Some(text) = stamps.of(template) {
            return match stamp::read(text) {
                Ok(placement) => Some(placement),
                Err(error) => {
                    let path = format!("{}.metadata.annotations", template.path);
                    self.fault("A4", path, error.to_string(), 400, error.to_string());
                    None
                }
            };
        }
        let anew = matches!(stamps, Stamps::Ignored);
        if !anew && settings.unstamped_pods == UnstampedPods::Leave {
            return Some(Placement::default());
        }
        Some(settings.placement(resolved.ok()?))
    }

    /// A3
    fn judge_agreement(&mut self) {
        let (Some(leader), Some(worker)) = (&self.leader, &self.worker) else {
            return;
        };
        let none = leader.choice.is_empty();
        let differ = if !same_choice(&leader.choice, &worker.choice) {
            Some("their keys or taints differ")
        } else if names::rules_differ(leader, worker).is_some() || leader.members != worker.members
        {
            Some("their stamps were made by different settings")
        } else {
            None
        };
        if let Some(reason) = differ.filter(|_| !none) {
            let text = format!(
                "leader and workers of a replica would be placed apart, {reason}; give both \
                 templates the same annotations, or the leader's empty ones"
            );
            self.fault(
                "A3",
                "spec.leaderWorkerTemplate.leaderTemplate.metadata.annotations",
                text,
                422,
                "agreement".to_owned(),
            );
        }
    }

    /// S3
    fn judge_topologies(&mut self, set: &SetView<'_>) {
        let mut topologies: Vec<(String, String)> = Vec::new();
        for (path, key) in &set.topologies {
            topologies.push(((*path).to_owned(), key.clone().into_owned()));
        }
        for template in set.templates() {
            for (name, key) in &template.topologies {
                let path = format!("{}.metadata.annotations[\"{name}\"]", template.path);
                topologies.push((path, key.clone().into_owned()));
            }
        }
        let keys: Vec<ReplicaKey> = self
            .placements()
            .flat_map(|placement| placement.choice.keys())
            .cloned()
            .collect();
        for (path, topology) in topologies {
            if let Some(key) = keys.iter().find(|key| key.as_str() == topology) {
                let text = format!(
                    "{key} is also a key of the replica's placement, and LeaderWorkerSet would pin \
                     workers to another value of it; use different keys"
                );
                self.fault("S3", path, text, 422, topology);
            } else if self.is_pinned_to_a_leader_left_out(set, &path) {
                let text = format!(
                    "workers are pinned to the leader's value of {}, but the leader is left out of \
                     the placement and stands on other nodes; place the leader too, or remove this",
                    Quoted(&topology)
                );
                self.fault("S3", path, text, 422, format!("left out {topology}"));
            }
        }
    }

    /// Whether the topology at a path pins placed workers to a leader that is not placed with them. A
    /// subgroup's topology does not do so to a leader that is in no subgroup.
    fn is_pinned_to_a_leader_left_out(&self, set: &SetView<'_>, path: &str) -> bool {
        let Some(worker) = self.worker.as_ref().filter(|w| !w.choice.is_empty()) else {
            return false;
        };
        let is_of_subgroups =
            holds(path, lws::SUBGROUP_EXCLUSIVE_TOPOLOGY) || holds(path, "subGroupPolicy");
        let leader = self.leader.as_ref();
        worker.members == Members::Workers
            || leader.is_some_and(|leader| leader.choice.is_empty())
            || names::leaves_leader_out(set, worker) && !is_of_subgroups
    }

    /// S5
    fn judge_subgroups(&mut self, set: &SetView<'_>) {
        let needed = self.placements().any(|placement| {
            !placement.choice.is_empty() && names::has_subgroup_values(set, placement)
        });
        if needed && set.subgroup_size().is_none() {
            self.fault(
                "S5",
                "spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize",
                "placementUnit SubGroup needs a whole number of 1 or more here; set one".to_owned(),
                400,
                "subGroupSize".to_owned(),
            );
        }
    }

    /// S4
    fn judge_values(&mut self, set: &SetView<'_>, namespace: Option<&str>) {
        let Some(name) = set.name.as_deref() else {
            return;
        };
        let leader = if set.is_hash {
            let [shortest, _] = names::generated(name);
            shortest
        } else {
            names::leader(name, set.highest_index())
        };
        let faults: Vec<SetFault> = self
            .placements()
            .flat_map(|placement| {
                placement
                    .choice
                    .keys()
                    .into_iter()
                    .map(move |k| (placement, k))
            })
            .filter_map(|(placement, key)| {
                names::value(set, placement, key, namespace, &leader).err()
            })
            .map(|error| {
                let text = error.to_string();
                let (about, extent) = match error {
                    ValueError::TooLong { key, value, .. } => (key, value.len()),
                    ValueError::Illegal { key, .. } => (key, 0),
                    ValueError::NoNamespace => (String::new(), 0),
                };
                SetFault {
                    rule: "S4",
                    path: "metadata.name".to_owned(),
                    text,
                    code: 422,
                    about,
                    extent,
                }
            })
            .collect();
        for fault in faults {
            self.fault_of(fault);
        }
    }

    /// P5: a leader whose template marks it as a worker would stand on the nodes of the replica that it names.
    fn judge_identity(&mut self, set: &SetView<'_>) {
        let leaders = set.leader.as_ref().or(set.worker.as_ref());
        if let Some(template) = leaders.filter(|template| template.has_leader_name)
            && self.asks()
        {
            self.fault(
                "S1",
                format!(
                    "{}.metadata.annotations[\"{}\"]",
                    template.path,
                    lws::LEADER_NAME
                ),
                "marks every leader as a worker; remove it, LeaderWorkerSet sets it where it belongs"
                    .to_owned(),
                422,
                "leader-name".to_owned(),
            );
        }
    }

    /// S2
    fn judge_template(
        &mut self,
        set: &SetView<'_>,
        template: &Template<'_>,
        namespace: Option<&str>,
    ) {
        let Some(placement) = self.placement_of(template).cloned() else {
            return;
        };
        if template.is_leaders() && names::leaves_leader_out(set, &placement) {
            return;
        }
        let only = only_value(set, &placement, namespace);
        for key in &placement.choice.node_selector {
            let mut found = template.selector.iter();
            let Some((_, found)) = found.find(|(name, _)| name == key.as_str()) else {
                continue;
            };
            if only.as_ref().and_then(|only| only(key)).as_deref() == Some(&**found) {
                continue;
            }
            let path = format!("{}.spec.nodeSelector[{key}]", template.path);
            let text = format!(
                "is {} for every replica, but each needs its own value; remove it",
                Quoted(found)
            );
            self.fault("S2", path, text, 422, found.clone().into_owned());
        }
        self.judge_affinity(set, template, &placement, namespace);
    }

    fn judge_affinity(
        &mut self,
        set: &SetView<'_>,
        template: &Template<'_>,
        placement: &Placement,
        namespace: Option<&str>,
    ) {
        if template.affinity.is_none() || placement.choice.node_selector.is_empty() {
            return;
        }
        let path = format!(
            "{}.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
            template.path
        );
        let keys: Vec<&str> = placement
            .choice
            .node_selector
            .iter()
            .map(ReplicaKey::as_str)
            .collect();
        let required = match affinity::Required::read(template.affinity, &keys) {
            Ok(required) => required,
            Err(fault) => {
                let fault = fault.under(template.path);
                let text = fault.problem().to_string();
                self.fault("I5", fault.path(), text.clone(), 400, text);
                return;
            }
        };
        let name = set.name.as_deref().unwrap_or("set");
        if name.len() > NAME_LIMIT {
            return;
        }
        let last = set.highest_index();
        let leaders = (0..last.min(REPLICAS_JUDGED)).chain([last]);
        let leaders = leaders.take(if set.is_hash { 1 } else { usize::MAX });
        for index in leaders {
            let leader = if set.is_hash {
                let [shortest, _] = names::generated(name);
                shortest
            } else {
                names::leader(name, index)
            };
            let values: Vec<(&ReplicaKey, String)> = placement
                .choice
                .node_selector
                .iter()
                .filter_map(|key| {
                    let value = names::value(set, placement, key, namespace, &leader);
                    Some((key, value.ok()?))
                })
                .collect();
            let labels: Vec<(&str, &str)> = values
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str()))
                .collect();
            if !required.admits(&labels) {
                let text = format!(
                    "excludes the nodes of replica {}; remove the replica's keys from its terms, \
                     and empty terms",
                    Quoted(&leader)
                );
                self.fault("S2", path, text, 422, "excludes".to_owned());
                return;
            }
        }
    }
}

/// The one value that a template may fix: that of a set with a single replica.
fn only_value<'s>(
    set: &'s SetView<'_>,
    placement: &'s Placement,
    namespace: Option<&'s str>,
) -> Option<impl Fn(&ReplicaKey) -> Option<String> + use<'s>> {
    let name = set.name.as_deref()?;
    let single =
        set.highest_index() == 0 && !set.is_hash && !names::has_subgroup_values(set, placement);
    let leader = names::leader(name, 0);
    single.then_some(move |key: &ReplicaKey| {
        names::value(set, placement, key, namespace, &leader).ok()
    })
}

/// Whether two choices ask for the same, in whatever order.
fn same_choice(a: &Choice, b: &Choice) -> bool {
    fn same<T: PartialEq>(a: &[T], b: &[T]) -> bool {
        a.len() == b.len() && a.iter().all(|item| b.contains(item))
    }
    same(&a.node_selector, &b.node_selector) && same(&a.tolerations, &b.tolerations)
}
