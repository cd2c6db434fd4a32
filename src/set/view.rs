//! What the policy reads of a LeaderWorkerSet.

use std::borrow::Cow;

use super::template::Template;
use crate::annotations::{self, Layer};
use crate::json::{self, Fault, Kind, Raw};
use crate::lws;
use crate::pod::strings;
use crate::stamp;

const TEMPLATES: &str = "spec.leaderWorkerTemplate";
const LEADER_TEMPLATE: [&str; 2] = [
    "spec.leaderWorkerTemplate.leaderTemplate",
    "spec.leaderWorkerTemplate.leaderTemplate.metadata.annotations",
];
const WORKER_TEMPLATE: [&str; 2] = [
    "spec.leaderWorkerTemplate.workerTemplate",
    "spec.leaderWorkerTemplate.workerTemplate.metadata.annotations",
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
    pub fn set(self) -> Result<SetView<'a>, Fault> {
        let [name, _, namespace, _, annotations] = self.metadata;
        let spec = self.spec.ok_or_else(|| json::missing("spec"))?;
        let [replicas, rollout, identity, placement_policy, templates] = json::members(
            spec,
            &[
                "replicas",
                "rolloutStrategy",
                "groupIdentity",
                "placementPolicy",
                "leaderWorkerTemplate",
            ],
        )
        .map_err(|problem| problem.at("spec"))?;
        let replicas = number(replicas, "spec.replicas")?.unwrap_or(1);
        let [node_selector, toleration, exclusive, subgroup_exclusive] = strings(
            annotations,
            "metadata.annotations",
            &[
                annotations::NODE_SELECTOR,
                annotations::TOLERATION,
                lws::EXCLUSIVE_TOPOLOGY,
                lws::SUBGROUP_EXCLUSIVE_TOPOLOGY,
            ],
        )?;
        let templates = json::present(templates);
        let [leader, worker, size, subgroup_policy, inner_policy] = match templates {
            Some(raw) => json::members(
                raw,
                &[
                    "leaderTemplate",
                    "workerTemplate",
                    "size",
                    "subGroupPolicy",
                    "placementPolicy",
                ],
            )
            .map_err(|problem| problem.at(TEMPLATES))?,
            None => [None; 5],
        };
        let [subgroup_size, subgroup_type, subgroup_placement] =
            match json::present(subgroup_policy) {
                Some(raw) => json::members(raw, &["subGroupSize", "type", "placementPolicy"])
                    .map_err(|problem| problem.at("spec.leaderWorkerTemplate.subGroupPolicy"))?,
                None => [None; 3],
            };
        let topologies = [
            (
                "metadata.annotations[\"leaderworkerset.sigs.k8s.io/exclusive-topology\"]",
                exclusive,
            ),
            (
                "metadata.annotations[\"leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology\"]",
                subgroup_exclusive,
            ),
            (
                "spec.placementPolicy.topology",
                topology(placement_policy, "spec.placementPolicy")?,
            ),
            (
                "spec.leaderWorkerTemplate.placementPolicy.topology",
                topology(inner_policy, "spec.leaderWorkerTemplate.placementPolicy")?,
            ),
            (
                "spec.leaderWorkerTemplate.subGroupPolicy.placementPolicy.topology",
                topology(
                    subgroup_placement,
                    "spec.leaderWorkerTemplate.subGroupPolicy.placementPolicy",
                )?,
            ),
        ];
        Ok(SetView {
            name: json::text(name, "metadata.name")?.filter(|name| !name.is_empty()),
            namespace: json::text(namespace, "metadata.namespace")?.filter(|name| !name.is_empty()),
            node_selector,
            toleration,
            topologies: topologies
                .into_iter()
                .filter_map(|(path, key)| Some((path, key.filter(|key| !key.is_empty())?)))
                .collect(),
            replicas,
            surge: surge(rollout, replicas)?,
            is_hash: json::text(identity, "spec.groupIdentity")?.as_deref() == Some("Hash"),
            size: number(size, "spec.leaderWorkerTemplate.size")?.unwrap_or(1),
            has_subgroups: json::present(subgroup_policy).is_some(),
            subgroup_size: json::present(subgroup_size),
            is_leader_excluded: subgroup_type.is_some_and(|raw| {
                json::string(raw).is_ok_and(|text| text == lws::LEADER_EXCLUDED)
            }),
            leader: Template::read(leader, LEADER_TEMPLATE)?,
            worker: Template::read(worker, WORKER_TEMPLATE)?,
            templates,
        })
    }
}

/// A LeaderWorkerSet as far as a decision depends on it.
pub struct SetView<'a> {
    /// `metadata.name`
    pub name: Option<Cow<'a, str>>,
    /// `metadata.namespace`
    pub namespace: Option<Cow<'a, str>>,
    node_selector: Option<Cow<'a, str>>,
    toleration: Option<Cow<'a, str>>,
    /// Topology keys by which LWS places pods itself, with their paths (L7).
    pub topologies: Vec<(&'static str, Cow<'a, str>)>,
    /// `spec.replicas`
    pub replicas: i64,
    /// Leaders beyond `replicas` during a roll-out, before it is held against `replicas`.
    pub surge: i64,
    /// `groupIdentity: Hash`: leaders have generated names (L4).
    pub is_hash: bool,
    /// Pods in a replica.
    pub size: i64,
    /// Whether there is a subGroupPolicy.
    pub has_subgroups: bool,
    /// `subGroupSize` as it came; judged where it is needed (S5).
    pub subgroup_size: Option<Raw<'a>>,
    /// Whether the leader is in none of the subgroups.
    pub is_leader_excluded: bool,
    /// The leader's template, where it has one of its own.
    pub leader: Option<Template<'a>>,
    /// The worker's template.
    pub worker: Option<Template<'a>>,
    /// `spec.leaderWorkerTemplate` as it came.
    pub templates: Option<Raw<'a>>,
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
        self.leader.iter().chain(self.worker.iter())
    }

    /// The stamp of the template at a path. Workers' templates serve for leaders too where those have
    /// none of their own (L5), so a template that is new here had the workers' stamp. A stamp that cannot be
    /// read is not carried there: what is wrong stays where it is (S7).
    #[must_use]
    pub fn stamp_for(&self, path: &str) -> Option<&str> {
        match self.templates().find(|template| template.path == path) {
            Some(same) => same.stamp.as_deref(),
            None => {
                let stamp = self.worker.as_ref()?.stamp.as_deref();
                stamp.filter(|text| stamp::read(text).is_ok())
            }
        }
    }

    /// The highest index that a leader can have (S4).
    #[must_use]
    pub fn highest_index(&self) -> i64 {
        let surge = self.surge.min(self.replicas).max(0);
        self.replicas.max(1).saturating_add(surge).saturating_sub(1)
    }

    /// `subGroupSize` as a number of at least 1, or `None` where it is absent or no such number.
    #[must_use]
    pub fn subgroup_size(&self) -> Option<i64> {
        let size = number(self.subgroup_size, "").ok().flatten();
        size.filter(|size| *size >= 1)
    }
}

/// A whole number that may be absent or null.
fn number(raw: Option<Raw<'_>>, path: &'static str) -> Result<Option<i64>, Fault> {
    let Some(raw) = json::present(raw) else {
        return Ok(None);
    };
    json::due(raw, Kind::Number).map_err(|problem| problem.at(path))?;
    match raw.get().parse::<i32>() {
        Ok(number) => Ok(Some(i64::from(number))),
        Err(_) => Err(json::word("a whole number of 32 bits", path)),
    }
}

/// `maxSurge` in leaders: a number, or a percentage of the replicas rounded up.
fn surge(rollout: Option<Raw<'_>>, replicas: i64) -> Result<i64, Fault> {
    const PATH: &str = "spec.rolloutStrategy.rollingUpdateConfiguration.maxSurge";
    let Some(rollout) = json::present(rollout) else {
        return Ok(0);
    };
    let [configuration] = json::members(rollout, &["rollingUpdateConfiguration"])
        .map_err(|problem| problem.at("spec.rolloutStrategy"))?;
    let Some(configuration) = json::present(configuration) else {
        return Ok(0);
    };
    let [surge] = json::members(configuration, &["maxSurge"])
        .map_err(|problem| problem.at("spec.rolloutStrategy.rollingUpdateConfiguration"))?;
    let Some(surge) = json::present(surge) else {
        return Ok(0);
    };
    if Kind::of(surge) != Kind::String {
        return Ok(number(Some(surge), PATH)?.unwrap_or(0));
    }
    let text = json::string(surge).map_err(|problem| problem.at(PATH))?;
    let percent = text
        .strip_suffix('%')
        .and_then(|text| text.parse::<i32>().ok());
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

/// The topology key of a placement policy (KEP-1064).
fn topology<'a>(
    policy: Option<Raw<'a>>,
    path: &'static str,
) -> Result<Option<Cow<'a, str>>, Fault> {
    let Some(policy) = json::present(policy) else {
        return Ok(None);
    };
    let [topology] = json::members(policy, &["topology"]).map_err(|problem| problem.at(path))?;
    let topology = json::present(topology)
        .map(json::string)
        .transpose()
        .map_err(|problem| problem.at(format!("{path}.topology")))?;
    Ok(topology.filter(|key| !key.is_empty()))
}
