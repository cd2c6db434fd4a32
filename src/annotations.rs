//! The annotations by which a workload chooses for itself (section 5 of the contract).

use std::fmt;

use crate::fields::unknown_effect;
use crate::key::ReplicaKey;
use crate::message::Quoted;
use crate::placement::{Choice, MOST_KEYS};
use crate::settings::{Settings, WorkloadAnnotations};
use crate::taint::{Effect, ReplicaTaint};

/// Names comma-separated selector keys.
pub const NODE_SELECTOR: &str = "lws-replica-placement/node-selector";
/// Names comma-separated taints, `key[:effect]`.
pub const TOLERATION: &str = "lws-replica-placement/toleration";

/// The two annotations of one object (a set, a template or a pod), as text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layer<'a> {
    /// Where the annotations stand, for messages; empty: on the pod itself.
    pub path: &'static str,
    /// [`NODE_SELECTOR`]
    pub node_selector: Option<&'a str>,
    /// [`TOLERATION`]
    pub toleration: Option<&'a str>,
}

/// An annotation that cannot be used (A2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationError {
    /// Where it stands; empty: on the pod itself.
    pub path: &'static str,
    /// Which one.
    pub annotation: &'static str,
    /// What is wrong and what to do.
    pub text: String,
}

impl fmt::Display for AnnotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            write!(f, "annotation \"{}\": {}", self.annotation, self.text)
        } else {
            write!(f, "{}[\"{}\"]: {}", self.path, self.annotation, self.text)
        }
    }
}

/// What settings and annotations together ask for (A1). `layers` go from the farthest to the
/// nearest: set, then template; a pod's own annotations are its template's.
///
/// # Errors
/// The first annotation that does not parse, or names a key that it may not (A2).
pub fn resolve(settings: &Settings, layers: &[Layer<'_>]) -> Result<Choice, AnnotationError> {
    let mut choice = settings.choice.clone();
    if settings.workload_annotations == WorkloadAnnotations::Ignore {
        return Ok(choice);
    }
    for layer in layers {
        let error = |annotation, text| AnnotationError {
            path: layer.path,
            annotation,
            text,
        };
        if let Some(text) = layer.node_selector {
            let keys = items(text)
                .take(MOST_KEYS + 1)
                .map(|item| key(settings, item))
                .collect::<Result<Vec<_>, String>>()
                .map_err(|text| error(NODE_SELECTOR, text))?;
            merge(settings, &mut choice.node_selector, keys)
                .map_err(|text| error(NODE_SELECTOR, text))?;
            refuse_dots(settings, &choice.selector_keys())
                .map_err(|text| error(NODE_SELECTOR, text))?;
        }
        if let Some(text) = layer.toleration {
            let taints = items(text)
                .take(MOST_KEYS + 1)
                .map(|item| taint(settings, item))
                .collect::<Result<Vec<_>, String>>()
                .map_err(|text| error(TOLERATION, text))?;
            merge(settings, &mut choice.tolerations, taints)
                .map_err(|text| error(TOLERATION, text))?;
            refuse_dots(settings, &choice.taint_keys()).map_err(|text| error(TOLERATION, text))?;
        }
    }
    Ok(choice)
}

fn refuse_dots(settings: &Settings, keys: &[&ReplicaKey]) -> Result<(), String> {
    settings
        .value_rules
        .dotted_gke_key(keys)
        .map_or(Ok(()), Err)
}

/// The items of a comma-separated list; an empty text has none.
fn items(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim_matches([' ', '\t', '\n', '\r']);
    let all = (!text.is_empty()).then(|| text.split(','));
    all.into_iter()
        .flatten()
        .map(|item| item.trim_matches([' ', '\t', '\n', '\r']))
}

fn merge<T: PartialEq>(
    settings: &Settings,
    list: &mut Vec<T>,
    nearer: Vec<T>,
) -> Result<(), String> {
    let items = nearer.len();
    if settings.workload_annotations == WorkloadAnnotations::Replace {
        list.clear();
    }
    for item in nearer {
        if !list.contains(&item) {
            list.push(item);
        }
    }
    if items.max(list.len()) > MOST_KEYS {
        return Err(format!(
            "asks for more than {MOST_KEYS} items, the settings' counted in; ask for fewer"
        ));
    }
    Ok(())
}

fn key(settings: &Settings, text: &str) -> Result<ReplicaKey, String> {
    if text.is_empty() {
        return Err("has an empty item; write keys separated by single commas".to_owned());
    }
    let key = ReplicaKey::parse(text).map_err(|error| format!("{} {error}", Quoted(text)))?;
    if !settings.workload_keys.is_empty() && !settings.workload_keys.contains(&key) {
        return Err(format!(
            "{key} is none of the keys that the policy's workloadKeys allow; use one of those"
        ));
    }
    Ok(key)
}

fn taint(settings: &Settings, text: &str) -> Result<ReplicaTaint, String> {
    if text.contains('=') {
        return Err(format!(
            "{} has a value, but the value is always the replica's; write key:effect",
            Quoted(text)
        ));
    }
    let (name, effect) = match text.split_once(':') {
        Some((name, effect)) => (name, Some(effect)),
        None => (text, None),
    };
    let effect = effect
        .map(|word| Effect::parse(word).ok_or_else(|| unknown_effect(word)))
        .transpose()?;
    Ok(ReplicaTaint {
        key: key(settings, name)?,
        effect,
    })
}
