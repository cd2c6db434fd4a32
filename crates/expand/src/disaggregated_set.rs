//! A DisaggregatedSet: several roles that serve together, each a LeaderWorkerSet of its own.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::disaggregated_affinity::SlicePlacement;
use crate::disaggregated_role::{self, GeneratedSet};
use crate::error::Error;
use crate::field::Field;
use crate::names;
use crate::set::LeaderWorkerSet;
use crate::stand_in;

/// A DisaggregatedSet (`disaggregatedset.x-k8s.io/v1`), ready to be expanded. Its sets are made when asked for.
#[derive(Debug, Clone)]
pub struct DisaggregatedSet {
    pub(crate) name: String,
    pub(crate) namespace: Option<String>,
    pub(crate) revision: String,
    pub(crate) roles: Vec<Role>,
    pub(crate) placement: Option<SlicePlacement>,
    slices: u64,
}

/// An entry of `spec.roles`.
#[derive(Debug, Clone)]
pub(crate) struct Role {
    pub(crate) name: String,
    pub(crate) metadata: Value,
    pub(crate) spec: Value,
    pub(crate) replicas: u64,
}

/// Most slices that the API server takes.
const MOST_SLICES: i64 = 100;

/// How many roles the API server takes.
const ROLES: std::ops::RangeInclusive<usize> = 2..=10;

/// The longest role name that the API server takes, and the longest label value that Kubernetes takes.
const LONGEST: usize = 63;

/// What LWS keeps free behind a leader's name for its workers' revision label: a dash and a hash of ten characters.
const REVISION_SUFFIX: usize = 11;

impl DisaggregatedSet {
    /// Reads a DisaggregatedSet as it stands in a manifest or an admission request.
    ///
    /// Fails on another kind, on fields of a wrong type, on what its API or LWS's webhook refuses, and on a role that
    /// makes no LeaderWorkerSet; the error names the first such field.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        let set = Field::top(value, "the DisaggregatedSet");
        set.required(Field::object, "a DisaggregatedSet")?;
        set.is_of(names::DISAGGREGATED_API_VERSION, names::DISAGGREGATED_KIND)?;
        let metadata = set.get("metadata")?;
        let name = metadata
            .get("name")?
            .nonempty("the set's name, from which its LeaderWorkerSets' names are made")?;
        let spec = set.get("spec")?;
        spec.required(Field::object, "a list of roles")?;
        let slices = slices(&spec.get("slices")?)?;
        let list = spec.get("roles")?;
        let wanted = "2 to 10 roles, each with a name and a LeaderWorkerSet's spec";
        list.required(|field| Ok(field.value()), wanted)?;
        let fields = list.list()?;
        if !ROLES.contains(&fields.len()) {
            return Err(list.refused_as(format!("a list of {}", fields.len()), wanted));
        }
        let mut names = BTreeSet::new();
        let roles = fields
            .iter()
            .map(|field| {
                let role = role(field)?;
                if !names.insert(role.name.clone()) {
                    return Err(field.get("name")?.refused("a name that no other role has"));
                }
                check_length(field, &name, slices, &role)?;
                Ok(role)
            })
            .collect::<Result<Vec<_>, Error>>()?;
        all_or_none(&fields, &roles)?;
        Ok(Self {
            namespace: metadata
                .get("namespace")?
                .text()?
                .filter(|text| !text.is_empty())
                .map(str::to_owned),
            revision: revision(&roles),
            placement: SlicePlacement::read(&spec.get("placementPolicy")?)?,
            name,
            roles,
            slices,
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

    /// What stands for the revision in the sets' names: a stand-in, since LWS's own is known in a cluster only.
    pub fn revision(&self) -> &str {
        &self.revision
    }

    /// `spec.slices`, 1 when absent: how often the roles are made.
    pub fn slices(&self) -> u64 {
        self.slices
    }

    /// The LeaderWorkerSets of one slice, in the order of the roles; of any slice, also past
    /// [`DisaggregatedSet::slices`].
    pub fn slice(&self, slice: u64) -> impl Iterator<Item = GeneratedSet> {
        let roles = self.roles.iter().enumerate();
        roles.map(move |(index, role)| disaggregated_role::generate(self, slice, index, role))
    }

    /// The LeaderWorkerSets of all slices, each made when the iterator reaches it.
    pub fn sets(&self) -> impl Iterator<Item = GeneratedSet> {
        (0..self.slices).flat_map(|slice| self.slice(slice))
    }
}

/// Reads and checks a role. What is wrong with its set is told where it stands in the DisaggregatedSet.
fn role(field: &Field<'_>) -> Result<Role, Error> {
    field.required(
        Field::object,
        "a role with a name and a LeaderWorkerSet's spec",
    )?;
    let name = field.get("name")?;
    let wanted = "a name of lower case letters, digits and dashes, at most 63 of them";
    let text = name.required(Field::text, wanted)?;
    if !is_role_name(text) {
        return Err(name.refused(wanted));
    }
    field
        .get("spec")?
        .required(Field::object, "a LeaderWorkerSet's spec")?;
    let metadata = field.get("metadata")?;
    let labels = metadata.get("labels")?.text_map()?;
    let annotations = metadata.get("annotations")?.text_map()?;
    check_rollout(&field.get("spec")?.get("rolloutStrategy")?)?;
    let spec = field.get("spec")?.value().cloned().unwrap_or_default();
    // Of a role's metadata only these reach the set.
    let metadata = json!({"name": text, "labels": labels, "annotations": annotations});
    let set = LeaderWorkerSet::from_value(&json!({"metadata": &metadata, "spec": &spec}));
    Ok(Role {
        replicas: set.map_err(|error| error.below(field.path()))?.replicas(),
        name: text.to_owned(),
        metadata,
        spec,
    })
}

/// `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`.
fn is_role_name(text: &str) -> bool {
    let is_inner = |letter: char| matches!(letter, 'a'..='z' | '0'..='9' | '-');
    !text.is_empty()
        && text.len() <= LONGEST
        && text.chars().all(is_inner)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// A DisaggregatedSet rolls its roles out together, so their own sets may not.
fn check_rollout(strategy: &Field<'_>) -> Result<(), Error> {
    let kind = strategy.get("type")?;
    if kind
        .text()?
        .is_some_and(|text| !matches!(text, "" | "RollingUpdate"))
    {
        return Err(kind.refused("RollingUpdate or absent"));
    }
    let partition = strategy.at(&["rollingUpdateConfiguration", "partition"])?;
    match partition.number()? {
        None | Some(0) => Ok(()),
        Some(_) => {
            Err(partition.refused("absent: a DisaggregatedSet rolls its roles out together"))
        }
    }
}

fn slices(field: &Field<'_>) -> Result<u64, Error> {
    let number = field.number()?.unwrap_or(1);
    let slices = u64::try_from(number)
        .ok()
        .filter(|_| (1..=MOST_SLICES).contains(&number));
    slices.ok_or_else(|| field.refused(format!("from 1 to {MOST_SLICES}")))
}

/// LWS's webhook refuses names that leave no room for the workers' revision label.
fn check_length(field: &Field<'_>, set: &str, slices: u64, role: &Role) -> Result<(), Error> {
    let last = slices.saturating_sub(1);
    let name = disaggregated_role::set_name(set, last, "01234567", &role.name);
    let leader = format!("{name}-{}", role.replicas.saturating_sub(1));
    let length = leader.len() + REVISION_SUFFIX;
    if length <= LONGEST {
        return Ok(());
    }
    let most = (set.len() + role.name.len()).saturating_sub(length - LONGEST);
    Err(field.get("name")?.refused(format!(
        "shorter, or the DisaggregatedSet's name \"{set}\": both together may have {most} characters, or workers get no legal revision label"
    )))
}

/// The API server takes no replicas in every role, or some in every role. Roles that are scaled from outside do not
/// count.
fn all_or_none(fields: &[Field<'_>], roles: &[Role]) -> Result<(), Error> {
    let mut first = None;
    for (field, role) in fields.iter().zip(roles) {
        if field.at(&["scaling", "mode"])?.text()? == Some("External") {
            continue;
        }
        let at_most_one = role.replicas.min(1);
        if *first.get_or_insert(at_most_one) != at_most_one {
            let wanted = "0 in every role, or at least 1 in every role";
            return Err(field.at(&["spec", "replicas"])?.refused(wanted));
        }
    }
    Ok(())
}

/// What stands in for the revision: as LWS's, eight hexadecimal digits over the roles' names, identities and templates;
/// but of SHA-1, over the fields as they are written, in the order of their names.
fn revision(roles: &[Role]) -> String {
    let hashed = roles.iter().map(|role| {
        let identity = role.spec.get("groupIdentity").and_then(Value::as_str);
        json!({
            "name": role.name,
            "groupIdentity": identity.filter(|identity| *identity != "Ordinal").unwrap_or_default(),
            "template": role.spec.get("leaderWorkerTemplate"),
        })
    });
    let mut hashed: Value = hashed.collect();
    hashed.sort_all_objects();
    stand_in::sha1(&hashed.to_string())
        .chars()
        .take(8)
        .collect()
}
