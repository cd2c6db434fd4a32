//! The policy's settings, from a map or from the Kubewarden manifest that carries them.

use crate::evaluator::{Evaluator, Fault};
use crate::input::{Document, InputError, too_many};
use crate::problem::{Problem, escape};
use crate::request::kind_of;
use crate::review::report::Remark;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The API group of Kubewarden's policies.
const GROUP: &str = "policies.kubewarden.io/";

/// The name by which a policy server refuses a mutation where no manifest gives another.
const NAME: &str = "lws-replica-placement";

/// The policy's settings and where they come from.
#[derive(Debug, Clone)]
pub struct Settings {
    source: String,
    value: Value,
    policy: String,
    /// Where the map stands in its document, as a JSON pointer.
    at: String,
    document: Option<Arc<Document>>,
}

impl Settings {
    /// No settings, so the policy's defaults.
    #[must_use]
    pub fn none(source: &str) -> Self {
        Self::new(source, Map::new(), NAME.to_owned())
    }

    /// The settings, always a map.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Where they come from, for messages.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The policy's name in a policy server.
    #[must_use]
    pub fn policy(&self) -> &str {
        &self.policy
    }

    /// The same settings with the document they were read from, so that faults can be pointed at.
    #[must_use]
    pub fn with_document(self, document: Document) -> Self {
        self.within(Arc::new(document), "")
    }

    /// As [`Settings::with_document`], where they were read from what stands at a JSON pointer of the document.
    #[must_use]
    pub fn within(self, document: Arc<Document>, pointer: &str) -> Self {
        Self {
            at: format!("{pointer}{}", self.at),
            document: Some(document),
            ..self
        }
    }

    /// One of the policy's sentences about these settings, with its place where there is a file.
    #[must_use]
    pub fn point(&self, sentence: &str) -> Remark {
        let (field, is_key) = self.field(sentence);
        let document = self.document.as_ref();
        let place = document.map(|document| {
            if is_key {
                document.key_at(&field)
            } else {
                document.value_at(&field)
            }
        });
        Remark::error(place, sentence)
    }

    /// The field that one of the policy's sentences is about, as a JSON pointer into the document, and whether it is
    /// about the key rather than the value. The policy names it first, `settings.replicaSpecificToleration[0].key: …`,
    /// or the map that an unknown field stands in.
    fn field(&self, sentence: &str) -> (String, bool) {
        let (path, rest) = sentence.split_once(": ").unwrap_or((sentence, ""));
        let path = path.strip_prefix("settings").unwrap_or_default();
        let unknown = rest
            .strip_prefix("unknown field \"")
            .and_then(|rest| rest.split('"').next());
        let field = path
            .split(['.', '['])
            .map(|step| step.trim_end_matches(']'))
            .chain(unknown)
            .filter(|step| !step.is_empty())
            .fold(self.at.clone(), |field, step| field + "/" + &escape(step));
        (field, unknown.is_some())
    }

    fn new(source: &str, settings: Map<String, Value>, policy: String) -> Self {
        Self {
            source: source.to_owned(),
            value: Value::Object(settings),
            policy,
            at: String::new(),
            document: None,
        }
    }
}

/// Takes the settings from a document: a settings map as it is, of a ClusterAdmissionPolicy or AdmissionPolicy its
/// `spec.settings`. Null, or no settings in a policy, is an empty map (C1).
///
/// What is in the map is for the policy to judge.
///
/// # Errors
/// The document is neither.
pub fn from_document(source: &str, document: Value) -> Result<Settings, Problem> {
    let map = match document {
        Value::Null => Map::new(),
        Value::Object(map) => map,
        other => {
            return Err(Problem::new(
                "",
                format!("is {}, not settings", kind_of(&other)),
                "give a map of settings, or a ClusterAdmissionPolicy or AdmissionPolicy",
            ));
        }
    };
    // No setting is called "kind" or "apiVersion", so a document with both is a manifest.
    let text = |field: &str| map.get(field).and_then(Value::as_str);
    let (Some(version), Some(kind)) = (text("apiVersion"), text("kind")) else {
        return Ok(Settings::new(source, map, NAME.to_owned()));
    };
    if !version.starts_with(GROUP) || !matches!(kind, "ClusterAdmissionPolicy" | "AdmissionPolicy")
    {
        return Err(Problem::new(
            "/kind",
            format!("is \"{kind}\" of \"{version}\", which carries no settings of this policy"),
            "give a map of settings, or a ClusterAdmissionPolicy or AdmissionPolicy",
        ));
    }
    let spec = match map.get("spec") {
        Some(Value::Object(spec)) => spec,
        other => {
            return Err(Problem::new(
                "/spec",
                format!("is {}, not a map", other.map_or("missing", kind_of)),
                "give the policy a spec with its settings",
            ));
        }
    };
    let settings = match spec.get("settings") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(settings)) => settings.clone(),
        Some(other) => {
            return Err(Problem::new(
                "/spec/settings",
                format!("is {}, not a map", kind_of(other)),
                "give a map of settings",
            ));
        }
    };
    let policy = server_name(kind, map.get("metadata"));
    Ok(Settings {
        at: "/spec/settings".to_owned(),
        ..Settings::new(source, settings, policy)
    })
}

/// Takes the settings from the documents of `source`: none of them means no settings.
///
/// # Errors
/// There are several documents, or the one is no settings.
pub fn from_documents(source: &str, mut documents: Vec<Document>) -> Result<Settings, InputError> {
    if documents.len() > 1 {
        return Err(too_many(source.to_owned(), &documents, "the settings"));
    }
    let Some(document) = documents.pop() else {
        return Ok(Settings::none(source));
    };
    let settings = from_document(source, document.value().clone())
        .map_err(|problem| document.point(problem))?;
    Ok(settings.with_document(document))
}

/// What the policy says against `settings`, asked as a policy server asks before it starts (H4): a remark for each
/// fault, none where it takes them.
///
/// # Errors
/// The policy gives no answer.
pub fn faults(policy: &dyn Evaluator, settings: &Settings) -> Result<Vec<Remark>, Fault> {
    let answer = policy.validate_settings(settings.value())?;
    if answer.valid {
        return Ok(Vec::new());
    }
    let message = answer
        .message
        .unwrap_or_else(|| "no reason given".to_owned());
    Ok(sentences(&message)
        .map(|fault| settings.point(fault))
        .collect())
}

/// The policy's sentences; each begins with the field it is about (C4).
fn sentences(message: &str) -> impl Iterator<Item = &str> {
    let starts = message
        .match_indices(". settings")
        .map(|(index, _)| index + 2);
    let mut cuts: Vec<usize> = std::iter::once(0).chain(starts).collect();
    cuts.push(message.len());
    let pairs: Vec<_> = cuts
        .iter()
        .copied()
        .zip(cuts.iter().copied().skip(1))
        .collect();
    pairs.into_iter().filter_map(|(start, end)| {
        let sentence = message.get(start..end)?.trim_end();
        Some(sentence.strip_suffix('.').unwrap_or(sentence))
    })
}

/// The name that Kubewarden's controller gives a policy in its policy server.
fn server_name(kind: &str, metadata: Option<&Value>) -> String {
    let text = |field: &str| {
        metadata
            .and_then(|metadata| metadata.get(field))
            .and_then(Value::as_str)
    };
    let name = text("name").unwrap_or(NAME);
    match kind {
        "ClusterAdmissionPolicy" => format!("clusterwide-{name}"),
        _ => format!(
            "namespaced-{}-{name}",
            text("namespace").unwrap_or("default")
        ),
    }
}
