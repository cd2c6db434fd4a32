//! What a pod's spec says to the placement that the pod must carry.

use std::borrow::Cow;
use std::fmt;

use crate::affinity;
use crate::json::{self, Fault, Problem, Raw};
use crate::key::ReplicaKey;
use crate::message::{Quoted, Row};
use crate::standing::{Demand, ReplicaName};
use crate::taint::{Effect, ReplicaTaint};
use crate::toleration;

/// The few spec fields that a decision reads.
#[derive(Clone, Copy)]
pub struct Spec<'a> {
    /// The whole spec as it came.
    pub raw: Raw<'a>,
    /// `nodeSelector` as it came, null included.
    pub node_selector: Option<Raw<'a>>,
    /// `tolerations` as it came, null included.
    pub tolerations: Option<Raw<'a>>,
    /// `affinity`
    pub affinity: Option<Raw<'a>>,
    /// Whether `nodeName` is set.
    pub has_node: bool,
    /// Whether any scheduling gate is left.
    pub is_gated: bool,
}

const NODE_SELECTOR: &str = "spec.nodeSelector";

impl<'a> Spec<'a> {
    /// Reads a pod's spec one level deep.
    ///
    /// # Errors
    /// No spec, or a wrong JSON type where the policy reads.
    pub fn read(raw: Option<Raw<'a>>) -> Result<Self, Fault> {
        const NAMES: [&str; 5] = [
            "nodeSelector",
            "tolerations",
            "affinity",
            "nodeName",
            "schedulingGates",
        ];
        let raw = raw.ok_or_else(|| json::missing("spec"))?;
        let [node_selector, tolerations, affinity, node_name, gates] =
            json::members(raw, &NAMES).map_err(|problem| problem.at("spec"))?;
        let gates =
            json::optional_elements(gates).map_err(|problem| problem.at("spec.schedulingGates"))?;
        Ok(Self {
            raw,
            node_selector,
            tolerations,
            affinity,
            has_node: json::text(node_name, "spec.nodeName")?.is_some_and(|name| !name.is_empty()),
            is_gated: !gates.is_empty(),
        })
    }
}

/// Something in a pod that its placement contradicts (I1 to I3). Two are equal where what they hold is, however it is told
/// and wherever its key stands in the demand: an update that keeps a conflict does not bring it in (P10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// The node selector has another value (I1).
    Selector {
        /// The key.
        key: ReplicaKey,
        /// The value there.
        found: String,
        /// The replica's.
        needed: String,
        /// The leader's name.
        replica: String,
    },
    /// No term of the required node affinity can match the replica's nodes (I2).
    Affinity {
        /// The replica's labels.
        labels: Vec<(ReplicaKey, String)>,
        /// The leader's name.
        replica: String,
    },
    /// LWS itself pins the pod by one of the keys (I3).
    Exclusive {
        /// The key.
        key: ReplicaKey,
        /// The annotation that names it.
        annotation: &'static str,
    },
}

/// Something that a pod lacks, by the index of the entry in its demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// A selector key.
    Selector(usize),
    /// A toleration.
    Toleration(usize),
}

/// A pod's spec held against its demand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// What contradicts.
    pub conflicts: Vec<Conflict>,
    /// What Validate misses: selector keys, and tolerations that cover a taint for ever (V1, V2).
    pub lacks: Vec<Lack>,
    /// What Inject adds: selector keys, and tolerations that are not there to the letter (I1, I4).
    pub missing: Vec<Lack>,
}

impl Findings {
    /// Holds a spec against a demand.
    ///
    /// # Errors
    /// A wrong JSON type in node selector, tolerations or node affinity (I5).
    pub fn of(spec: &Spec<'_>, demand: &Demand) -> Result<Self, Fault> {
        let mut findings = Self::default();
        findings.judge_exclusive(demand);
        findings.judge_selector(spec, demand)?;
        findings.judge_tolerations(spec, demand)?;
        let (mut labels, mut keys) = (Vec::new(), Vec::new());
        for (key, value) in &demand.node_selector {
            labels.push((key.as_str(), value.as_str()));
            keys.push(key.as_str());
        }
        if !affinity::Required::read(spec.affinity, &keys)?.admits(&labels) {
            findings.conflicts.push(Conflict::Affinity {
                labels: demand.node_selector.clone(),
                replica: demand.replica.clone(),
            });
        }
        Ok(findings)
    }

    /// Whether the pod carries its placement.
    #[must_use]
    pub fn is_satisfied(&self) -> bool {
        self.lacks.is_empty() && self.contradictions().next().is_none()
    }

    /// The conflicts that Validate refuses too.
    pub fn contradictions(&self) -> impl Iterator<Item = &Conflict> {
        self.conflicts
            .iter()
            .filter(|conflict| conflict.is_of_the_spec())
    }

    fn judge_exclusive(&mut self, demand: &Demand) {
        for (key, _) in demand.values() {
            for (annotation, topology) in &demand.exclusive {
                if topology == key.as_str() {
                    self.conflicts.push(Conflict::Exclusive {
                        key: key.clone(),
                        annotation,
                    });
                }
            }
        }
    }

    fn judge_selector(&mut self, spec: &Spec<'_>, demand: &Demand) -> Result<(), Fault> {
        let selector = selector(spec.node_selector)?;
        for (index, (key, needed)) in demand.node_selector.iter().enumerate() {
            let mut found = selector.iter().filter(|(name, _)| name == key.as_str());
            match (found.next(), found.next()) {
                (_, Some(_)) => {
                    return Err(
                        Box::new(Problem::Duplicate(key.as_str().to_owned())).at(NODE_SELECTOR)
                    );
                }
                (Some((_, found)), None) if found != needed => {
                    self.conflicts.push(Conflict::Selector {
                        key: key.clone(),
                        found: found.clone().into_owned(),
                        needed: needed.clone(),
                        replica: demand.replica.clone(),
                    });
                }
                (Some(_), None) => {}
                (None, None) => {
                    self.missing.push(Lack::Selector(index));
                    self.lacks.push(Lack::Selector(index));
                }
            }
        }
        Ok(())
    }

    fn judge_tolerations(&mut self, spec: &Spec<'_>, demand: &Demand) -> Result<(), Fault> {
        let mut keys = Vec::new();
        for (taint, _) in &demand.tolerations {
            keys.push(taint.key.as_str());
        }
        let tolerations = toleration::read(spec.tolerations, &keys)?;
        for (index, (taint, value)) in demand.tolerations.iter().enumerate() {
            if !tolerations.iter().any(|t| t.is_entry_for(taint, value)) {
                self.missing.push(Lack::Toleration(index));
            }
            if !tolerations.iter().any(|t| t.covers(taint, value)) {
                self.lacks.push(Lack::Toleration(index));
            }
        }
        Ok(())
    }
}

/// A key and its value.
pub type Entry<'a> = (Cow<'a, str>, Cow<'a, str>);

/// The entries of a node selector; null and absent are none.
///
/// # Errors
/// A wrong JSON type, told from `spec` on (I5).
pub fn selector(raw: Option<Raw<'_>>) -> Result<Vec<Entry<'_>>, Fault> {
    let Some(raw) = json::present(raw) else {
        return Ok(Vec::new());
    };
    let at = |problem: Box<Problem>| problem.at(NODE_SELECTOR);
    let mut selector = Vec::new();
    for entry in json::entries(raw).map_err(at)? {
        let (name, raw) = entry.map_err(at)?;
        match json::string(raw) {
            Ok(value) => selector.push((name, value)),
            Err(problem) => return Err(problem.at(format!("{NODE_SELECTOR}[{}]", Quoted(&name)))),
        }
    }
    Ok(selector)
}

impl Conflict {
    /// Whether Validate refuses it too. A pod that carries its placement beside an exclusive
    /// topology of the same key is no contradiction by itself (V1, V2).
    #[must_use]
    pub fn is_of_the_spec(&self) -> bool {
        !matches!(self, Self::Exclusive { .. })
    }
}

/// The remedy behind a sentence; `{:#}` leaves it out, for answers whose remedy is another.
fn remedy(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    if f.alternate() {
        Ok(())
    } else {
        write!(f, "; {text}")
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Selector {
                key,
                found,
                needed,
                replica,
            } => {
                write!(
                    f,
                    "nodeSelector {key} is {}, but {} needs {}",
                    Quoted(found),
                    ReplicaName(replica),
                    Quoted(needed)
                )?;
                remedy(f, "remove it from the pod template")
            }
            Self::Affinity { labels, replica } => {
                let mut listed = Row::of(", ");
                for (key, value) in labels {
                    listed.add(&format_args!("{key}: {}", Quoted(value)));
                }
                write!(
                    f,
                    "required node affinity excludes the nodes of {} ({})",
                    ReplicaName(replica),
                    listed.as_str()
                )?;
                remedy(
                    f,
                    "remove these keys from its terms in the pod template, and empty terms",
                )
            }
            Self::Exclusive { key, annotation } => {
                write!(
                    f,
                    "{key} is also the key of annotation \"{annotation}\", by which LeaderWorkerSet \
                     places the pod itself"
                )?;
                remedy(f, "use different keys")
            }
        }
    }
}

/// A lack in words, of a pod with this demand.
pub struct Told<'a>(pub Lack, pub &'a Demand);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(lack, demand) = self;
        let replica = ReplicaName(&demand.replica);
        match *lack {
            Lack::Selector(index) => {
                if let Some((key, value)) = demand.node_selector.get(index) {
                    let value = Quoted(value);
                    write!(
                        f,
                        "nodeSelector lacks {key}: {value}, which {replica} needs"
                    )?;
                }
            }
            Lack::Toleration(index) => {
                if let Some((ReplicaTaint { key, effect }, value)) = demand.tolerations.get(index) {
                    write!(
                        f,
                        "no toleration covers the taint {key}: {} ({}) for ever, which {replica} needs",
                        Quoted(value),
                        effect.map_or("all effects", Effect::name),
                    )?;
                }
            }
        }
        remedy(f, "create the pod anew with the injecting policy in force")
    }
}
