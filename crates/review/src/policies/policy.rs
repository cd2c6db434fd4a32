//! One policy, as its manifest describes it, and whether a request reaches it.

use super::fault::Fault;
use super::miss::Miss;
use super::namespaces::{NAME, Namespaces};
use super::rule::Rule;
use super::selector::{Selector, Written};
use super::target::Target;
use crate::input::Document;
use crate::problem::{self, Problem};
use crate::review::place;
use crate::settings::{self, Settings};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// The API group and version of Kubewarden's policies.
const VERSION: &str = "policies.kubewarden.io/v1";

/// The configuration by which LeaderWorkerSet's own webhook is called, which has its place in the order of names (L3).
const LWS: &str = "lws-mutating-webhook-configuration";

/// The fields that Kubewarden's policies have. `kubectl` refuses others.
const FIELDS: [&str; 17] = [
    "allowInsideAdmissionControllerNamespace",
    "backgroundAudit",
    "contextAwareResources",
    "failurePolicy",
    "matchConditions",
    "matchPolicy",
    "message",
    "mode",
    "module",
    "mutating",
    "objectSelector",
    "policyServer",
    "rules",
    "settings",
    "sideEffects",
    "timeoutEvalSeconds",
    "timeoutSeconds",
];

/// A ClusterAdmissionPolicy's own field.
const NAMESPACES: &str = "namespaceSelector";

/// A policy of the cluster.
#[derive(Debug, Clone)]
pub struct Policy {
    kind: &'static str,
    name: String,
    /// The one namespace of an AdmissionPolicy.
    namespace: Option<String>,
    mutating: bool,
    mode: Mode,
    action: Action,
    rules: Vec<Rule>,
    objects: Selector,
    namespaces: Selector,
    conditions: bool,
    module: String,
    settings: Settings,
    unknown: Vec<String>,
    place: Place,
}

/// Where a policy stands.
#[derive(Debug, Clone)]
struct Place {
    source: String,
    document: Arc<Document>,
    pointer: String,
}

/// What a policy server does with a policy's answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// It passes them on.
    #[default]
    Protect,
    /// It writes them down and lets everything pass unchanged.
    Monitor,
}

/// What a policy's settings have it do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It places pods and stamps sets.
    Inject,
    /// It only judges.
    Validate,
}

/// The part of a manifest's spec that decides what happens.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Spec {
    #[serde(default)]
    module: Option<String>,
    #[serde(default)]
    mutating: Option<bool>,
    #[serde(default)]
    mode: Option<Mode>,
    #[serde(default)]
    rules: Option<Vec<Rule>>,
    #[serde(default)]
    object_selector: Option<Written>,
    #[serde(default)]
    namespace_selector: Option<Written>,
    #[serde(default)]
    match_conditions: Option<Vec<Value>>,
}

/// Whether an object is a policy, by its kind.
#[must_use]
pub fn is_policy(object: &Value) -> bool {
    let text = |field| {
        object
            .get(field)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    text("apiVersion").starts_with("policies.kubewarden.io/") && kind_of(text("kind")).is_some()
}

fn kind_of(kind: &str) -> Option<&'static str> {
    ["ClusterAdmissionPolicy", "AdmissionPolicy"]
        .into_iter()
        .find(|known| *known == kind)
}

impl Policy {
    /// Reads the policy at a JSON pointer of a document.
    ///
    /// # Errors
    /// A field that the API server, Kubewarden's controller or this program cannot use.
    pub(super) fn read(
        source: &str,
        document: &Arc<Document>,
        pointer: &str,
        object: &Value,
    ) -> Result<Self, Fault> {
        let place = Place {
            source: source.to_owned(),
            document: Arc::clone(document),
            pointer: pointer.to_owned(),
        };
        Self::from_object(&place, object).map_err(|problem| Fault {
            place: place.at(&problem.field),
            text: problem.to_string(),
        })
    }

    fn from_object(place: &Place, object: &Value) -> Result<Self, Problem> {
        let text = |pointer| object.pointer(pointer).and_then(Value::as_str);
        let kind = text("/kind").and_then(kind_of).unwrap_or("AdmissionPolicy");
        let version = text("/apiVersion").unwrap_or_default();
        if version != VERSION {
            let what = format!("is \"{version}\"");
            return Err(Problem::new(
                "/apiVersion",
                what,
                &format!("give \"{VERSION}\""),
            ));
        }
        let name = text("/metadata/name")
            .filter(|name| !name.is_empty())
            .ok_or_else(|| {
                Problem::new(
                    "/metadata/name",
                    "is missing".to_owned(),
                    "give the policy a name",
                )
            })?;
        let settings = settings::from_document(&place.source, object.clone())?;
        let written = object.get("spec").unwrap_or(&Value::Null);
        let spec: Spec = problem::read(written).map_err(|problem| Problem {
            field: format!("/spec{}", problem.field),
            ..problem
        })?;
        let rules = spec.rules.unwrap_or_default();
        if rules.is_empty() {
            let what = "is missing or empty, so no request would reach the policy".to_owned();
            return Err(Problem::new(
                "/spec/rules",
                what,
                "name the resources it is for",
            ));
        }
        let faults = rules.iter().enumerate();
        if let Some(problem) = faults
            .filter_map(|(index, rule)| rule.fault(&format!("/spec/rules/{index}")))
            .next()
        {
            return Err(problem);
        }
        let read = |written: Option<Written>, field: &str| {
            written.map_or_else(
                || Ok(Selector::default()),
                |written| Selector::read(&written, &format!("/spec/{field}")),
            )
        };
        let is_cluster = kind == "ClusterAdmissionPolicy";
        if !is_cluster && spec.namespace_selector.is_some() {
            return Err(Problem::new(
                &format!("/spec/{NAMESPACES}"),
                "is no field of an AdmissionPolicy, which is for its own namespace alone"
                    .to_owned(),
                "remove it, or make this a ClusterAdmissionPolicy",
            ));
        }
        let namespace = (!is_cluster).then(|| text("/metadata/namespace").unwrap_or("default"));
        let namespaces = match namespace {
            Some(namespace) => Selector::label(NAME, namespace),
            None => read(spec.namespace_selector, NAMESPACES)?,
        };
        let validates = settings.value().get("action").and_then(Value::as_str) == Some("Validate");
        let fields = written.as_object().into_iter().flat_map(|map| map.keys());
        let unknown =
            fields.filter(|field| !FIELDS.contains(&field.as_str()) && *field != NAMESPACES);
        Ok(Self {
            kind,
            name: name.to_owned(),
            namespace: namespace.map(str::to_owned),
            mutating: spec.mutating.unwrap_or_default(),
            mode: spec.mode.unwrap_or_default(),
            action: if validates {
                Action::Validate
            } else {
                Action::Inject
            },
            rules,
            objects: read(spec.object_selector, "objectSelector")?,
            namespaces,
            conditions: spec
                .match_conditions
                .is_some_and(|conditions| !conditions.is_empty()),
            module: spec.module.unwrap_or_default(),
            settings: settings.within(Arc::clone(&place.document), &place.pointer),
            unknown: unknown.cloned().collect(),
            place: place.clone(),
        })
    }

    /// The name that Kubewarden's controller gives its webhook, by which webhooks are ordered:
    /// `clusterwide-<name>`, `namespaced-<namespace>-<name>`.
    #[must_use]
    pub fn webhook(&self) -> &str {
        self.settings.policy()
    }

    /// Kind and name, for a sentence.
    #[must_use]
    pub fn title(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("{} \"{namespace}/{}\"", self.kind, self.name),
            None => format!("{} \"{}\"", self.kind, self.name),
        }
    }

    /// File and line.
    #[must_use]
    pub fn line(&self) -> String {
        self.place.at("").line()
    }

    /// The settings, which always are a map.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// `spec.mutating`.
    #[must_use]
    pub fn mutating(&self) -> bool {
        self.mutating
    }

    /// `spec.mode`.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// `spec.settings.action`.
    #[must_use]
    pub fn action(&self) -> Action {
        self.action
    }

    /// `spec.module`; empty where it is missing.
    #[must_use]
    pub fn module(&self) -> &str {
        &self.module
    }

    /// `spec.objectSelector`.
    #[must_use]
    pub fn objects(&self) -> &Selector {
        &self.objects
    }

    /// Whether it has `spec.matchConditions`.
    #[must_use]
    pub fn has_conditions(&self) -> bool {
        self.conditions
    }

    /// Fields of its spec that Kubewarden's policies are not known to have.
    #[must_use]
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// Whether it is called before LeaderWorkerSet's own webhook: it mutates, and its name comes first.
    #[must_use]
    pub fn is_before_lws(&self) -> bool {
        self.mutating && self.webhook() < LWS
    }

    /// A sentence about the field at a JSON pointer of the policy.
    #[must_use]
    pub fn fault(&self, field: &str, text: String) -> Fault {
        Fault {
            place: self.place.at(field),
            text,
        }
    }

    /// Whether a request reaches it.
    ///
    /// # Errors
    /// It does not, and why.
    pub fn takes(&self, target: &Target<'_>, namespaces: &Namespaces) -> Result<(), Miss> {
        if !self.has_rule_for(target) {
            return Err(Miss::Rules);
        }
        match &self.namespace {
            Some(own) if own != target.namespace => return Err(Miss::OtherNamespace(own.clone())),
            None if !self
                .namespaces
                .matches(&namespaces.labels(target.namespace)) =>
            {
                return Err(Miss::Namespaces {
                    selector: self.namespaces.to_string(),
                    namespace: target.namespace.to_owned(),
                    known: namespaces.knows(target.namespace),
                });
            }
            _ => {}
        }
        if target
            .labels
            .iter()
            .any(|labels| self.objects.matches(labels))
        {
            Ok(())
        } else {
            Err(Miss::Objects(self.objects.to_string()))
        }
    }

    /// Whether one of its rules takes a request.
    #[must_use]
    pub fn has_rule_for(&self, target: &Target<'_>) -> bool {
        self.rules.iter().any(|rule| rule.takes(target))
    }

    /// Whether some object of the target's resource could reach both this policy and another.
    #[must_use]
    pub fn meets(&self, other: &Self, target: &Target<'_>) -> bool {
        self.has_rule_for(target)
            && other.has_rule_for(target)
            && self.namespaces.meets(&other.namespaces)
            && self.objects.meets(&other.objects)
    }
}

impl Place {
    fn at(&self, field: &str) -> place::Place {
        self.document.value_at(&format!("{}{field}", self.pointer))
    }
}
