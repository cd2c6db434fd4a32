//! What the policy reads of a pod. The rest stays bytes.

use std::borrow::Cow;

use crate::json::{self, Fault, Kind, Problem, Raw, text};
use crate::marks::{Mark, Marks};
use crate::message::called;

/// The owner that controls a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Controller<'a> {
    /// Its kind: `StatefulSet`.
    pub kind: Cow<'a, str>,
    /// Its name.
    pub name: Cow<'a, str>,
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
        let mut metadata = [None; 7];
        let spec = json::spec_and_metadata(object, place, &METADATA, &mut metadata)?;
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
        let mut marks = Marks::default();
        marks.read_labels(labels)?;
        if marks.get(Mark::Set).is_none() || self.is_deleted() {
            return Ok(None);
        }
        let controller = controller(owners)?;
        marks.read_annotations(annotations)?;
        let foreign = controller
            .as_ref()
            .is_some_and(|owner| matches!(&*owner.kind, "DaemonSet" | "Node"));
        if marks.get(Mark::Mirror).is_some() || foreign {
            return Ok(None);
        }
        Ok(Some(Pod {
            name: text(name, "metadata.name")?.filter(|name| !name.is_empty()),
            generate_name: text(generate_name, "metadata.generateName")?,
            namespace: text(namespace, "metadata.namespace")?.filter(|name| !name.is_empty()),
            controller,
            marks,
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

/// Puts the named values of a map of strings into their places: [`strings`] for any number of names, compiled once.
///
/// # Errors
/// As [`strings`].
pub fn fill<'a>(
    raw: Option<Raw<'a>>,
    path: &'static str,
    names: &[&str],
    places: &mut [Option<Cow<'a, str>>],
) -> Result<(), Fault> {
    let Some(raw) = json::present(raw) else {
        return Ok(());
    };
    for entry in json::entries(raw).map_err(|problem| problem.at(path))? {
        let (name, raw) = entry.map_err(|problem| problem.at(path))?;
        let at = |problem: Box<Problem>| {
            problem.at(format!("{path}[{}]", crate::message::Quoted(&name)))
        };
        let slot = names.iter().position(|known| *known == name);
        match slot.and_then(|index| places.get_mut(index)) {
            Some(Some(_)) => return Err(Box::new(Problem::Duplicate(name.into_owned())).at(path)),
            Some(place) => *place = Some(json::string(raw).map_err(at)?),
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
