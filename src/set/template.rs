//! A pod template of a LeaderWorkerSet.

use std::borrow::Cow;

use crate::annotations::{self, Layer};
use crate::json::{self, Fault, Kind, Problem, Raw};
use crate::lws;
use crate::stamp;

/// A template as far as a decision depends on it.
pub struct Template<'a> {
    /// Its path in the set.
    pub path: &'static str,
    /// Its annotations' path in the set.
    pub annotations_path: &'static str,
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
    pub fn read(
        raw: Option<Raw<'a>>,
        [path, annotations_path]: [&'static str; 2],
    ) -> Result<Option<Self>, Fault> {
        let Some(raw) = json::present(raw) else {
            return Ok(None);
        };
        let [metadata, spec] =
            json::members(raw, &["metadata", "spec"]).map_err(|problem| problem.at(path))?;
        let [annotations] = match json::present(metadata) {
            Some(metadata) => json::members(metadata, &["annotations"])
                .map_err(|problem| problem.at(format!("{path}.metadata")))?,
            None => [None],
        };
        let entries = match json::present(annotations) {
            Some(annotations) => json::all_entries(annotations)
                .map_err(|problem| problem.at(format!("{path}.metadata.annotations")))?,
            None => Vec::new(),
        };
        for (name, value) in &entries {
            json::due(*value, Kind::String).map_err(|problem| {
                let name = crate::message::Quoted(name);
                problem.at(format!("{path}.metadata.annotations[{name}]"))
            })?;
        }
        let [selector, affinity, node_name] = match json::present(spec) {
            Some(spec) => json::members(spec, &["nodeSelector", "affinity", "nodeName"])
                .map_err(|problem| problem.at(format!("{path}.spec")))?,
            None => [None; 3],
        };
        let node_name = json::text(node_name, "spec.nodeName").map_err(|f| f.under(path))?;
        let mut template = Self {
            path,
            annotations_path,
            raw,
            metadata,
            annotations,
            entries,
            node_selector: None,
            toleration: None,
            stamp: None,
            topologies: Vec::new(),
            has_kueue: false,
            selector: crate::findings::selector(selector).map_err(|fault| fault.under(path))?,
            affinity: json::present(affinity),
            has_leader_name: false,
            has_node: node_name.is_some_and(|name| !name.is_empty()),
        };
        template.node_selector = template.annotation(annotations::NODE_SELECTOR)?;
        template.toleration = template.annotation(annotations::TOLERATION)?;
        template.stamp = template.annotation(stamp::STAMP)?;
        for name in [lws::EXCLUSIVE_TOPOLOGY, lws::SUBGROUP_EXCLUSIVE_TOPOLOGY] {
            if let Some(key) = template.annotation(name)? {
                template.topologies.push((name, key));
            }
        }
        template.has_leader_name = template.annotation(lws::LEADER_NAME)?.is_some();
        template.has_kueue = template.entries.iter().any(|(name, _)| is_of_kueue(name));
        Ok(Some(template))
    }

    fn annotation(&self, name: &'static str) -> Result<Option<Cow<'a, str>>, Fault> {
        let mut found = self.entries.iter().filter(|(known, _)| known == name);
        let at = |problem: Box<Problem>| problem.at(format!("{}.metadata.annotations", self.path));
        match (found.next(), found.next()) {
            (_, Some(_)) => Err(at(Problem::Duplicate(name.to_owned()).into())),
            (Some((_, raw)), None) => json::string(*raw).map(Some).map_err(at),
            (None, None) => Ok(None),
        }
    }

    /// Whether it is the leaders' own.
    #[must_use]
    pub fn is_leaders(&self) -> bool {
        self.path.ends_with("leaderTemplate")
    }

    /// The template's two annotations.
    #[must_use]
    pub fn layer(&self) -> Layer<'_> {
        Layer {
            path: self.annotations_path,
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
