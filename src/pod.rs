//! What the policy reads of a pod. The rest stays bytes.

use std::borrow::Cow;

use crate::annotations::{self, Layer};
use crate::json::{self, Fault, Kind, Problem, Raw, text};
use crate::lws;
use crate::message::called;
use crate::stamp;

const MIRROR: &str = "kubernetes.io/config.mirror";

/// The owner that controls a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Controller<'a> {
    /// Its kind: `StatefulSet`.
    pub kind: Cow<'a, str>,
    /// Its name.
    pub name: Cow<'a, str>,
}

/// The labels and annotations that a decision depends on, unescaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks<'a> {
    /// Label `leaderworkerset.sigs.k8s.io/name`.
    pub set: Option<Cow<'a, str>>,
    /// Label `…/worker-index`.
    pub worker_index: Option<Cow<'a, str>>,
    /// Label `…/group-key`.
    pub group_key: Option<Cow<'a, str>>,
    /// Annotation `…/leader-name`.
    pub leader_name: Option<Cow<'a, str>>,
    /// Annotation `…/size`.
    pub size: Option<Cow<'a, str>>,
    /// Annotation `…/subgroup-size`.
    pub subgroup_size: Option<Cow<'a, str>>,
    /// Annotation `…/subgroup-policy-type`.
    pub subgroup_policy_type: Option<Cow<'a, str>>,
    /// Annotation `…/exclusive-topology`.
    pub exclusive_topology: Option<Cow<'a, str>>,
    /// Annotation `…/subgroup-exclusive-topology`.
    pub subgroup_exclusive_topology: Option<Cow<'a, str>>,
    /// The workload's selector keys.
    pub node_selector: Option<Cow<'a, str>>,
    /// The workload's taints.
    pub toleration: Option<Cow<'a, str>>,
    /// The stamp.
    pub stamp: Option<Cow<'a, str>>,
}

impl Marks<'_> {
    /// The pod's two annotations, which are those of its template (L5).
    #[must_use]
    pub fn layer(&self) -> Layer<'_> {
        Layer {
            path: "",
            node_selector: self.node_selector.as_deref(),
            toleration: self.toleration.as_deref(),
        }
    }
}

/// A pod that carries the LeaderWorkerSet name label and is nobody else's business.
#[derive(Clone, Debug)]
pub struct Pod<'a> {
    /// `metadata.name`, absent while the API server has yet to generate it (L4).
    pub name: Option<Cow<'a, str>>,
    /// `metadata.generateName`
    pub generate_name: Option<Cow<'a, str>>,
    /// `metadata.namespace`
    pub namespace: Option<Cow<'a, str>>,
    /// The owner reference with `controller: true`.
    pub controller: Option<Controller<'a>>,
    /// Labels and annotations.
    pub marks: Marks<'a>,
}

/// The two halves of a pod: `metadata` by its parts and `spec` as it came.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    metadata: json::Members<'a, 7>,
    /// `spec`, or `None` where it is absent or null.
    pub spec: Option<Raw<'a>>,
}

const METADATA: [&str; 7] = [
    "name",
    "generateName",
    "namespace",
    "deletionTimestamp",
    "labels",
    "annotations",
    "ownerReferences",
];

impl<'a> Parts<'a> {
    /// Splits a pod. `place` is its path, for messages: `request.object`.
    ///
    /// # Errors
    /// The object or its metadata is no map, or a part stands there twice (R5).
    pub fn read(object: Raw<'a>, place: &'static str) -> Result<Self, Fault> {
        let (spec, metadata) = json::object_and_metadata(object, place, &METADATA)?;
        Ok(Self { metadata, spec })
    }

    /// What a pod is called in messages, as far as it can be told.
    #[must_use]
    pub fn called(&self, request_namespace: Option<&str>) -> String {
        let [name, generate_name, namespace, ..] = self.metadata;
        called(name, generate_name, namespace, request_namespace)
    }

    /// Whether the pod is being deleted (P3).
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        let [_, _, _, deletion, ..] = self.metadata;
        json::present(deletion).is_some()
    }

    /// The pod, or `None` where it is no LeaderWorkerSet pod (P2) or somebody else's (P3).
    ///
    /// # Errors
    /// A wrong JSON type where the policy reads (I5).
    pub fn pod(&self) -> Result<Option<Pod<'a>>, Fault> {
        let [
            name,
            generate_name,
            namespace,
            _,
            labels,
            annotations,
            owners,
        ] = self.metadata;
        let [set, worker_index, group_key] = strings(
            labels,
            "metadata.labels",
            &[lws::NAME, lws::WORKER_INDEX, lws::GROUP_KEY],
        )?;
        if set.is_none() || self.is_deleted() {
            return Ok(None);
        }
        let controller = controller(owners)?;
        let [
            mirror,
            leader_name,
            size,
            subgroup_size,
            subgroup_policy_type,
            exclusive_topology,
            subgroup_exclusive_topology,
            node_selector,
            toleration,
            stamp,
        ] = strings(
            annotations,
            "metadata.annotations",
            &[
                MIRROR,
                lws::LEADER_NAME,
                lws::SIZE,
                lws::SUBGROUP_SIZE,
                lws::SUBGROUP_POLICY_TYPE,
                lws::EXCLUSIVE_TOPOLOGY,
                lws::SUBGROUP_EXCLUSIVE_TOPOLOGY,
                annotations::NODE_SELECTOR,
                annotations::TOLERATION,
                stamp::STAMP,
            ],
        )?;
        let foreign = controller
            .as_ref()
            .is_some_and(|owner| matches!(&*owner.kind, "DaemonSet" | "Node"));
        if mirror.is_some() || foreign {
            return Ok(None);
        }
        Ok(Some(Pod {
            name: text(name, "metadata.name")?.filter(|name| !name.is_empty()),
            generate_name: text(generate_name, "metadata.generateName")?,
            namespace: text(namespace, "metadata.namespace")?.filter(|name| !name.is_empty()),
            controller,
            marks: Marks {
                set,
                worker_index,
                group_key,
                leader_name,
                size,
                subgroup_size,
                subgroup_policy_type,
                exclusive_topology,
                subgroup_exclusive_topology,
                node_selector,
                toleration,
                stamp,
            },
        }))
    }
}

/// The named values of a map of strings; null and absent are an empty one (I5).
///
/// # Errors
/// No map, a value that is no string (whichever its name), or one of the names twice.
pub fn strings<'a, const N: usize>(
    raw: Option<Raw<'a>>,
    path: &'static str,
    names: &[&str; N],
) -> Result<[Option<Cow<'a, str>>; N], Fault> {
    let mut values = [const { None }; N];
    fill(raw, path, names, &mut values)?;
    Ok(values)
}

/// [`strings`] for any number of names, so that it is compiled once.
fn fill<'a>(
    raw: Option<Raw<'a>>,
    path: &'static str,
    names: &[&str],
    values: &mut [Option<Cow<'a, str>>],
) -> Result<(), Fault> {
    let Some(raw) = json::present(raw) else {
        return Ok(());
    };
    for entry in json::entries(raw).map_err(|problem| problem.at(path))? {
        let (name, raw) = entry.map_err(|problem| problem.at(path))?;
        let at =
            |problem: Box<Problem>| problem.at(format!("{path}[{}]", crate::message::Quoted(&name)));
        let slot = names.iter().position(|known| *known == name);
        match slot.and_then(|index| values.get_mut(index)) {
            Some(Some(_)) => return Err(Problem::Duplicate(name.into_owned()).at(path)),
            Some(slot) => *slot = Some(json::string(raw).map_err(at)?),
            None => json::due(raw, Kind::String).map_err(at)?,
        }
    }
    Ok(())
}

/// The owner that controls the pod, if any.
fn controller(owners: Option<Raw<'_>>) -> Result<Option<Controller<'_>>, Fault> {
    const PATH: &str = "metadata.ownerReferences";
    let Some(owners) = json::present(owners) else {
        return Ok(None);
    };
    for owner in json::elements(owners).map_err(|problem| problem.at(PATH))? {
        let [controls, kind, name] = json::members(owner, &["controller", "kind", "name"])
            .map_err(|problem| problem.at(PATH))?;
        if controls.is_some_and(|raw| raw.get() == "true") {
            return Ok(Some(Controller {
                kind: text(kind, "metadata.ownerReferences.kind")?.unwrap_or_default(),
                name: text(name, "metadata.ownerReferences.name")?.unwrap_or_default(),
            }));
        }
    }
    Ok(None)
}
