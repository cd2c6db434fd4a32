//! What the policy reads of a LeaderWorkerSet.

use std::borrow::Cow;

use super::template::{LEADERS, Template, WORKERS};
use crate::annotations::{self, Layer};
use crate::json::{self, Fault, Kind, Raw};
use crate::lws;
use crate::number::int32;
use crate::pod::strings;
use crate::stamp;

/// Where LWS takes a topology key from (KEP-1064): each policy's path, and its key's.
const SET_POLICY: [&str; 2] = ["spec.placementPolicy", "spec.placementPolicy.topology"];
const TEMPLATES_POLICY: [&str; 2] = [
    "spec.leaderWorkerTemplate.placementPolicy",
    "spec.leaderWorkerTemplate.placementPolicy.topology",
];
const SUBGROUP_POLICY: [&str; 2] = [
    "spec.leaderWorkerTemplate.subGroupPolicy.placementPolicy",
    "spec.leaderWorkerTemplate.subGroupPolicy.placementPolicy.topology",
];

/// A set split into metadata and spec.
#[derive(Clone, Copy)]
pub struct Outline<'a> {
    metadata: json::Members<'a, 5>,
    spec: Option<Raw<'a>>,
}

impl<'a> Outline<'a> {
    /// Splits a set. `place` is its path, for messages: `request.object`.
    ///
    /// # Errors
    /// The object or its metadata is no map, or a part stands there twice (R5).
    pub fn read(object: Raw<'a>, place: &'static str) -> Result<Self, Fault> {
        const METADATA: [&str; 5] = [
            "name",
            "generateName",
            "namespace",
            "deletionTimestamp",
            "annotations",
        ];
        let mut metadata = [None; 5];
        let spec = json::spec_and_metadata(object, place, &METADATA, &mut metadata)?;
        Ok(Self { metadata, spec })
    }

    /// Whether the set is being deleted.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        let [_, _, _, deletion, _] = self.metadata;
        json::present(deletion).is_some()
    }

    /// What the set is called in messages.
    #[must_use]
    pub fn called(&self, request_namespace: Option<&str>) -> String {
        let [name, generate_name, namespace, ..] = self.metadata;
        crate::message::called(name, generate_name, namespace, request_namespace)
    }

    /// The set.
    ///
    /// # Errors
    /// A wrong JSON type where the policy reads.
    pub fn set(&self) -> Result<Box<SetView<'a>>, Fault> {
        let mut set = Box::<SetView<'_>>::default();
        set.fill(self)?;
        Ok(set)
    }
}

/// A LeaderWorkerSet as far as a decision depends on it.
#[derive(Default)]
pub struct SetView<'a> {
    /// `metadata.name`
    pub name: Option<Cow<'a, str>>,
    /// `metadata.namespace`
    pub namespace: Option<Cow<'a, str>>,
    /// Its annotation that names selector keys.
    pub node_selector: Option<Cow<'a, str>>,
    /// Its annotation that names taints.
    pub toleration: Option<Cow<'a, str>>,
    /// Topology keys by which LWS places pods itself, with their paths (L7).
    pub topologies: Vec<(&'static str, Cow<'a, str>)>,
    /// `spec.replicas`
    pub replicas: i64,
    /// Leaders beyond `replicas` during a roll-out, before it is held against `replicas`.
    pub surge: i64,
    /// The highest index that a leader can have (S4).
    pub highest_index: i64,
    /// `groupIdentity: Hash`: leaders have generated names (L4).
    pub is_hash: bool,
    /// Pods in a replica.
    pub size: i64,
    /// Whether there is a subGroupPolicy.
    pub has_subgroups: bool,
    /// `subGroupSize` as a number of at least 1, or `None` where it is absent or no such number; judged where it is
    /// needed (S5).
    pub subgroup_size: Option<i64>,
    /// Whether the leader is in none of the subgroups.
    pub is_leader_excluded: bool,
    /// The leader's template, where it has one of its own, and the workers'.
    pub pair: [Option<Box<Template<'a>>>; 2],
    /// `spec.leaderWorkerTemplate` as it came.
    pub templates: Option<Raw<'a>>,
}

impl<'a> SetView<'a> {
    /// Reads all parts, each in its place: put together at the end they are a kilobyte more.
    fn fill(&mut self, outline: &Outline<'a>) -> Result<(), Fault> {
        let [name, _, namespace, _, annotations] = outline.metadata;
        let spec = outline.spec.ok_or_else(|| json::missing("spec"))?;
        let [replicas, rollout, identity, placement_policy, templates] = members(
            Some(spec),
            "spec",
            &[
                "replicas",
                "rolloutStrategy",
                "groupIdentity",
                "placementPolicy",
                "leaderWorkerTemplate",
            ],
        )?;
        self.replicas = number(replicas, "spec.replicas", 1)?;
        let exclusive;
        let subgroup_exclusive;
        [
            self.node_selector,
            self.toleration,
            exclusive,
            subgroup_exclusive,
        ] = strings(
            annotations,
            "metadata.annotations",
            &[
                annotations::NODE_SELECTOR,
                annotations::TOLERATION,
                lws::EXCLUSIVE_TOPOLOGY,
                lws::SUBGROUP_EXCLUSIVE_TOPOLOGY,
            ],
        )?;
        self.add_topology(
            "metadata.annotations[\"leaderworkerset.sigs.k8s.io/exclusive-topology\"]",
            exclusive,
        );
        self.add_topology(
            "metadata.annotations[\"leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology\"]",
            subgroup_exclusive,
        );
        self.templates = json::present(templates);
        let [leader, worker, size, subgroup_policy, inner_policy] = members(
            templates,
            "spec.leaderWorkerTemplate",
            &[
                "leaderTemplate",
                "workerTemplate",
                "size",
                "subGroupPolicy",
                "placementPolicy",
            ],
        )?;
        let [subgroup_size, subgroup_type, subgroup_placement] = members(
            subgroup_policy,
            "spec.leaderWorkerTemplate.subGroupPolicy",
            &["subGroupSize", "type", "placementPolicy"],
        )?;
        self.has_subgroups = json::present(subgroup_policy).is_some();
        let subgroup_size = number(subgroup_size, "", 0).ok();
        self.subgroup_size = subgroup_size.filter(|size| *size >= 1);
        self.is_leader_excluded = subgroup_type
            .is_some_and(|raw| json::string(raw).is_ok_and(|text| text == lws::LEADER_EXCLUDED));
        self.add_policy(placement_policy, SET_POLICY)?;
        self.add_policy(inner_policy, TEMPLATES_POLICY)?;
        self.add_policy(subgroup_placement, SUBGROUP_POLICY)?;
        self.name = json::text(name, "metadata.name")?.filter(|name| !name.is_empty());
        self.namespace =
            json::text(namespace, "metadata.namespace")?.filter(|name| !name.is_empty());
        self.surge = surge(rollout, self.replicas)?;
        // Neither sum overflows: replicas are a number of 32 bits.
        let surge = self.surge.min(self.replicas).max(0);
        self.highest_index = self.replicas.max(1) + surge - 1;
        self.is_hash = json::text(identity, "spec.groupIdentity")?.as_deref() == Some("Hash");
        self.size = number(size, "spec.leaderWorkerTemplate.size", 1)?;
        let [leaders, workers] = &mut self.pair;
        *leaders = Template::read(leader, &LEADERS)?;
        *workers = Template::read(worker, &WORKERS)?;
        Ok(())
    }

    /// The topology key of a placement policy.
    fn add_policy(
        &mut self,
        policy: Option<Raw<'a>>,
        [path, key_path]: [&'static str; 2],
    ) -> Result<(), Fault> {
        let [key] = members(policy, path, &["topology"])?;
        self.add_topology(key_path, json::text(key, key_path)?);
        Ok(())
    }

    fn add_topology(&mut self, path: &'static str, key: Option<Cow<'a, str>>) {
        if let Some(key) = key
            && !key.is_empty()
        {
            self.topologies.push((path, key));
        }
    }
}

impl SetView<'_> {
    /// The set's own two annotations.
    #[must_use]
    pub fn layer(&self) -> Layer<'_> {
        Layer {
            path: "metadata.annotations",
            node_selector: self.node_selector.as_deref(),
            toleration: self.toleration.as_deref(),
        }
    }

    /// The templates that there are, the leader's first.
    pub fn templates(&self) -> impl Iterator<Item = &Template<'_>> {
        self.pair.iter().filter_map(Option::as_deref)
    }

    /// The stamp of this set's template at the place of another's. Workers' templates serve for leaders too where
    /// those have none of their own (L5), so a template that is new here had the workers' stamp. A stamp that cannot be
    /// read is not carried there: what is wrong stays where it is (S7).
    #[must_use]
    pub fn stamp_for(&self, template: &Template<'_>) -> Option<&str> {
        let [leader, worker] = &self.pair;
        let worker = worker.as_deref();
        let same = if template.place.is_leaders {
            leader.as_deref()
        } else {
            worker
        };
        match same {
            Some(same) => same.stamp.as_deref(),
            None => {
                let stamp = worker?.stamp.as_deref();
                stamp.filter(|text| stamp::read(text).is_ok())
            }
        }
    }
}

/// A whole number, or a default where it is absent or null.
fn number(raw: Option<Raw<'_>>, path: &'static str, default: i64) -> Result<i64, Fault> {
    let Some(raw) = json::present(raw) else {
        return Ok(default);
    };
    json::due(raw, Kind::Number).map_err(|problem| problem.at(path))?;
    match int32(raw.get()) {
        Some(number) => Ok(i64::from(number)),
        None => Err(json::word("a whole number of 32 bits", path)),
    }
}

/// `maxSurge` in leaders: a number, or a percentage of the replicas rounded up.
fn surge(rollout: Option<Raw<'_>>, replicas: i64) -> Result<i64, Fault> {
    const PATH: &str = "spec.rolloutStrategy.rollingUpdateConfiguration.maxSurge";
    let [configuration] = members(
        rollout,
        "spec.rolloutStrategy",
        &["rollingUpdateConfiguration"],
    )?;
    let [surge] = members(
        configuration,
        "spec.rolloutStrategy.rollingUpdateConfiguration",
        &["maxSurge"],
    )?;
    let Some(raw) = surge.filter(|raw| Kind::of(*raw) == Kind::String) else {
        return number(surge, PATH, 0);
    };
    let text = json::string(raw).map_err(|problem| problem.at(PATH))?;
    let percent = text.strip_suffix('%').and_then(int32);
    match percent {
        Some(percent) => {
            let share = i64::from(percent).max(0) * replicas.max(0);
            Ok(share / 100 + i64::from(share % 100 > 0))
        }
        None => Err(json::word(
            "a whole number or a percentage such as \"25%\"",
            PATH,
        )),
    }
}

/// The members of a map that have these names; null and absent has none.
///
/// # Errors
/// As [`json::members`].
// Inlined, as members that are handed on by value are copied twice.
#[inline(always)]
pub fn members<'a, const N: usize>(
    raw: Option<Raw<'a>>,
    path: &'static str,
    names: &[&'static str; N],
) -> Result<json::Members<'a, N>, Fault> {
    let mut members = [None; N];
    fill(raw, path, names, &mut members)?;
    Ok(members)
}

/// [`members`] for any number of names, so that it is compiled once.
fn fill<'a>(
    raw: Option<Raw<'a>>,
    path: &'static str,
    names: &[&'static str],
    members: &mut [Option<Raw<'a>>],
) -> Result<(), Fault> {
    match json::present(raw) {
        Some(raw) => json::fill(raw, names, members).map_err(|problem| problem.at(path)),
        None => Ok(()),
    }
}
