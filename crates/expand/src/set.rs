//! The set: what of a LeaderWorkerSet its pods depend on.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::error::Error;
use crate::field::Field;
use crate::names;
use crate::replica::Replica;
use crate::stand_in;
use crate::subgroup::SubGroupPolicy;
use crate::template::Template;

/// A LeaderWorkerSet, ready to be expanded. It holds its templates once; replicas and pods are made when asked for.
#[derive(Debug, Clone)]
pub struct LeaderWorkerSet {
    name: String,
    namespace: Option<String>,
    replicas: u64,
    size: u64,
    identity: Identity,
    leader_template: Option<Template>,
    worker_template: Template,
    pub(crate) subgroups: Option<SubGroupPolicy>,
    pub(crate) exclusive_topology: Option<String>,
    pub(crate) subgroup_exclusive_topology: Option<String>,
    pub(crate) unique_subdomains: bool,
    pub(crate) claims: Vec<String>,
    pub(crate) template_revision: String,
}

/// How replicas get their names: `spec.groupIdentity`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Identity {
    /// By number: leaders come from a StatefulSet.
    #[default]
    Ordinal,
    /// At random: leaders come from a Deployment and have no name at admission (KEP-898, newer than LWS v0.10).
    Hash,
}

/// The largest number that LWS's `int32` fields take, and the most pods that a set may have.
const MOST: u64 = i32::MAX as u64;

impl LeaderWorkerSet {
    /// Reads a set as it stands in a manifest or an admission request. `metadata.namespace` may be absent; defaults
    /// are filled in as LWS does.
    ///
    /// Fails on another kind, on fields of a wrong type and on what LWS itself refuses to expand; the error names the
    /// first such field.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        let set = Field::root(value);
        set.required(Field::object, "a LeaderWorkerSet")?;
        set.is_of(names::API_VERSION, names::KIND)?;
        let metadata = set.get("metadata")?;
        let name = metadata.get("name")?;
        let annotations = metadata.get("annotations")?.text_map()?;
        let spec = set.get("spec")?;
        spec.required(Field::object, "a leaderWorkerTemplate")?;
        let template = spec.get("leaderWorkerTemplate")?;
        let template_value = template.required(
            |field| field.object().map(|_| field.value()),
            "a size and a workerTemplate",
        )?;
        let worker_template = template.get("workerTemplate")?;
        worker_template.required(Field::object, "the workers' pod template")?;
        let leader_template = template.get("leaderTemplate")?;
        let replicas = count(&spec.get("replicas")?, 0)?;
        let size = count(&template.get("size")?, 1)?;
        if replicas.saturating_mul(size) > MOST {
            let wanted = format!("less: with a size of {size} the most is {}", MOST / size);
            return Err(spec.get("replicas")?.refused(wanted));
        }
        let claims = claims(&template)?;
        let identity = identity(&spec, &template, &claims)?;
        let network = spec.get("networkConfig")?;
        let unique_subdomains = unique_subdomains(&network)?;
        let policy = if unique_subdomains {
            "UniquePerReplica"
        } else {
            "Shared"
        };
        Ok(Self {
            name: name.nonempty("the set's name, from which its pods' names are made")?,
            namespace: metadata
                .get("namespace")?
                .text()?
                .filter(|text| !text.is_empty())
                .map(str::to_owned),
            replicas,
            size,
            identity,
            leader_template: leader_template
                .object()?
                .map(|_| Template::read(&leader_template))
                .transpose()?,
            worker_template: Template::read(&worker_template)?,
            subgroups: SubGroupPolicy::read(&template.get("subGroupPolicy")?, size)?,
            exclusive_topology: given(&annotations, names::EXCLUSIVE_TOPOLOGY),
            subgroup_exclusive_topology: given(&annotations, names::SUBGROUP_EXCLUSIVE_TOPOLOGY),
            unique_subdomains,
            claims,
            template_revision: stand_in::template_revision(
                template_value,
                &json!({"subdomainPolicy": policy}),
            ),
        })
    }

    /// `metadata.name`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `metadata.namespace`; none when the manifest leaves it to whoever applies it.
    pub fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// `spec.replicas`, 1 when absent. A rolling update with surge makes replicas past it.
    pub fn replicas(&self) -> u64 {
        self.replicas
    }

    /// Pods in each replica, leader included: `spec.leaderWorkerTemplate.size`, 1 when absent.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How replicas get their names.
    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// The replica of an index; of any index, also past [`LeaderWorkerSet::replicas`], as a surge makes them.
    pub fn replica(&self, index: u64) -> Replica<'_> {
        Replica::new(self, index)
    }

    /// All replicas in order, each made when the iterator reaches it.
    pub fn all_replicas(&self) -> impl ExactSizeIterator<Item = Replica<'_>> + DoubleEndedIterator {
        // Both ends fit: LWS's replicas are an int32.
        let replicas = u32::try_from(self.replicas).unwrap_or(u32::MAX);
        (0..replicas).map(|index| self.replica(u64::from(index)))
    }

    /// The namespace that the pods are in.
    pub(crate) fn pod_namespace(&self) -> &str {
        self.namespace().unwrap_or(names::DEFAULT_NAMESPACE)
    }

    /// The template of the leaders: their own, or else the workers'.
    pub(crate) fn leader_template(&self) -> &Template {
        self.leader_template
            .as_ref()
            .unwrap_or(&self.worker_template)
    }

    pub(crate) fn worker_template(&self) -> &Template {
        &self.worker_template
    }
}

/// A count of at least `least`; 1 when absent.
fn count(field: &Field<'_>, least: u64) -> Result<u64, Error> {
    let Some(number) = field.number()? else {
        return Ok(1);
    };
    let count = u64::try_from(number)
        .ok()
        .filter(|count| (least..=MOST).contains(count));
    count.ok_or_else(|| field.refused(format!("from {least} to {MOST}")))
}

/// The names of the volume claim templates; claims are added to leaders and workers alike.
fn claims(template: &Field<'_>) -> Result<Vec<String>, Error> {
    let templates = template.get("volumeClaimTemplates")?.list()?;
    templates
        .iter()
        .map(|claim| {
            claim
                .at(&["metadata", "name"])?
                .nonempty("the claim's name")
        })
        .collect()
}

fn identity(spec: &Field<'_>, template: &Field<'_>, claims: &[String]) -> Result<Identity, Error> {
    let field = spec.get("groupIdentity")?;
    match field.text()? {
        None | Some("" | "Ordinal") => Ok(Identity::Ordinal),
        Some("Hash") if claims.is_empty() => Ok(Identity::Hash),
        Some("Hash") => Err(template
            .get("volumeClaimTemplates")?
            .refused("absent: claims need groupIdentity Ordinal")),
        Some(_) => Err(field.refused("Ordinal or Hash")),
    }
}

fn unique_subdomains(network: &Field<'_>) -> Result<bool, Error> {
    let policy = network.get("subdomainPolicy")?;
    match policy.text()? {
        None | Some("Shared") => Ok(false),
        Some("UniquePerReplica") => Ok(true),
        Some(_) => Err(policy.refused("Shared or UniquePerReplica")),
    }
}

/// An annotation of the set that LWS copies to pods; an empty one counts as absent.
fn given(annotations: &BTreeMap<String, String>, key: &str) -> Option<String> {
    annotations
        .get(key)
        .filter(|value| !value.is_empty())
        .cloned()
}
