//! A pod template of a LeaderWorkerSet.

use std::borrow::Cow;

use super::view::members;
use crate::annotations::{self, Layer};
use crate::json::{self, Fault, Kind, Problem, Raw};
use crate::lws;
use crate::stamp;

/// Where annotations stand in a template.
const ANNOTATIONS: &str = "metadata.annotations";

/// Where a set has a template.
pub struct Place {
    /// Whether the template is the leaders' own.
    pub is_leaders: bool,
    /// Its path in the set.
    pub path: &'static str,
    /// Its annotations' path in the set.
    pub annotations: &'static str,
}

/// The leaders' template, where they have one of their own.
pub static LEADERS: Place = Place {
    is_leaders: true,
    path: "spec.leaderWorkerTemplate.leaderTemplate",
    annotations: "spec.leaderWorkerTemplate.leaderTemplate.metadata.annotations",
};

/// The workers' template, which serves for leaders too where they have none.
pub static WORKERS: Place = Place {
    is_leaders: false,
    path: "spec.leaderWorkerTemplate.workerTemplate",
    annotations: "spec.leaderWorkerTemplate.workerTemplate.metadata.annotations",
};

/// A template as far as a decision depends on it.
pub struct Template<'a> {
    /// Where it stands.
    pub place: &'static Place,
    /// The template as it came.
    pub raw: Raw<'a>,
    /// `metadata` as it came, null included.
    pub metadata: Option<Raw<'a>>,
    /// `metadata.annotations` as it came, null included.
    pub annotations: Option<Raw<'a>>,
    entries: Vec<(Cow<'a, str>, Raw<'a>)>,
    node_selector: Option<Cow<'a, str>>,
    toleration: Option<Cow<'a, str>>,
    /// The stamp's text.
    pub stamp: Option<Cow<'a, str>>,
    /// The keys of the two exclusive-topology annotations, which reach the pods from here too.
    pub topologies: Vec<(&'static str, Cow<'a, str>)>,
    /// Whether an annotation asks Kueue to place the pods by the template (S8).
    pub has_kueue: bool,
    /// `spec.nodeSelector`, names and values.
    pub selector: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// `spec.affinity`
    pub affinity: Option<Raw<'a>>,
    /// Whether `spec.nodeName` is set.
    pub has_node: bool,
    /// Whether it carries LWS's leader-name annotation, which marks workers (P5).
    pub has_leader_name: bool,
}

impl<'a> Template<'a> {
    /// Reads a template; null and absent is none.
    ///
    /// # Errors
    /// A wrong JSON type where the policy reads, told by its path in the set.
    pub fn read(raw: Option<Raw<'a>>, place: &'static Place) -> Result<Option<Box<Self>>, Fault> {
        let Some(raw) = json::present(raw) else {
            return Ok(None);
        };
        let [metadata, spec] = members(Some(raw), place.path, &["metadata", "spec"])?;
        let mut template = Box::new(Self {
            place,
            raw,
            metadata,
            annotations: None,
            entries: Vec::new(),
            node_selector: None,
            toleration: None,
            stamp: None,
            topologies: Vec::new(),
            has_kueue: false,
            selector: Vec::new(),
            affinity: None,
            has_leader_name: false,
            has_node: false,
        });
        match template.fill(spec) {
            Ok(()) => Ok(Some(template)),
            Err(fault) => Err(fault.under(place.path)),
        }
    }

    /// Reads what is in metadata and spec. Faults are told by their paths in the template.
    fn fill(&mut self, spec: Option<Raw<'a>>) -> Result<(), Fault> {
        [self.annotations] = members(self.metadata, "metadata", &["annotations"])?;
        if let Some(annotations) = json::present(self.annotations) {
            self.entries =
                json::all_entries(annotations).map_err(|problem| problem.at(ANNOTATIONS))?;
        }
        for (name, value) in &self.entries {
            json::due(*value, Kind::String).map_err(|problem| {
                problem.at(format!("{ANNOTATIONS}[{}]", crate::message::Quoted(name)))
            })?;
            self.has_kueue |= is_of_kueue(name);
        }
        let [selector, affinity, node_name] =
            members(spec, "spec", &["nodeSelector", "affinity", "nodeName"])?;
        self.has_node =
            json::text(node_name, "spec.nodeName")?.is_some_and(|name| !name.is_empty());
        self.selector = crate::findings::selector(selector)?;
        self.affinity = json::present(affinity);
        self.node_selector = self.annotation(annotations::NODE_SELECTOR)?;
        self.toleration = self.annotation(annotations::TOLERATION)?;
        self.stamp = self.annotation(stamp::STAMP)?;
        for name in [lws::EXCLUSIVE_TOPOLOGY, lws::SUBGROUP_EXCLUSIVE_TOPOLOGY] {
            if let Some(key) = self.annotation(name)? {
                self.topologies.push((name, key));
            }
        }
        self.has_leader_name = self.annotation(lws::LEADER_NAME)?.is_some();
        Ok(())
    }

    fn annotation(&self, name: &'static str) -> Result<Option<Cow<'a, str>>, Fault> {
        let mut found = None;
        for (known, value) in &self.entries {
            if known == name && found.replace(*value).is_some() {
                return Err(Box::new(Problem::Duplicate(name.to_owned())).at(ANNOTATIONS));
            }
        }
        json::text(found, ANNOTATIONS)
    }

    /// The template's two annotations.
    #[must_use]
    pub fn layer(&self) -> Layer<'_> {
        Layer {
            path: self.place.annotations,
            node_selector: self.node_selector.as_deref(),
            toleration: self.toleration.as_deref(),
        }
    }

    /// The annotations as they came, names unescaped.
    #[must_use]
    pub fn entries(&self) -> &[(Cow<'a, str>, Raw<'a>)] {
        &self.entries
    }
}

/// Annotations by which Kueue places a workload's pods or has nodes provisioned for them.
fn is_of_kueue(name: &str) -> bool {
    let topology = name
        .strip_prefix("kueue.x-k8s.io/podset-")
        .is_some_and(|name| crate::message::holds(name, "topology"));
    topology || name.starts_with("provreq.kueue.x-k8s.io/")
}
