//! The annotations by which a workload chooses for itself (section 3 of the contract).

use std::fmt;

use crate::key::{ReplicaKey, split_once};
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
        for (annotation, text) in [
            (NODE_SELECTOR, layer.node_selector),
            (TOLERATION, layer.toleration),
        ] {
            let Some(text) = text else {
                continue;
            };
            add(settings, &mut choice, annotation, text).map_err(|text| AnnotationError {
                path: layer.path,
                annotation,
                text,
            })?;
        }
    }
    Ok(choice)
}

/// Adds what an annotation asks for to a choice, or puts it in the place of what is there.
fn add(
    settings: &Settings,
    choice: &mut Choice,
    annotation: &str,
    text: &str,
) -> Result<(), String> {
    let is_gke = ReplicaKey::is_gke_placement_group;
    let items = items(text);
    let (count, asks_for_gke) = if annotation == NODE_SELECTOR {
        let keys = &mut choice.node_selector;
        merge(settings, keys, &items, key)?;
        (keys.len(), keys.iter().any(is_gke))
    } else {
        merge(settings, &mut choice.tolerations, &items, taint)?;
        (choice.tolerations.len(), choice.taint_keys().any(is_gke))
    };
    if items.len().max(count) > MOST_KEYS {
        return Err(format!(
            "asks for more than {MOST_KEYS} items, the settings' counted in; ask for fewer"
        ));
    }
    match settings.value_rules.fault_of_gke_key() {
        Some(text) if asks_for_gke => Err(text),
        _ => Ok(()),
    }
}

fn merge<T: PartialEq>(
    settings: &Settings,
    list: &mut Vec<T>,
    items: &[&str],
    read: fn(&Settings, &str) -> Result<T, String>,
) -> Result<(), String> {
    if settings.workload_annotations == WorkloadAnnotations::Replace {
        *list = Vec::new();
    }
    for item in items {
        let item = read(settings, item)?;
        if !list.contains(&item) {
            list.push(item);
        }
    }
    Ok(())
}

/// The items of a comma-separated list, or one more of them than may be asked for; an empty text has none.
fn items(text: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let mut rest = Some(trimmed(text)).filter(|text| !text.is_empty());
    while let Some(text) = rest
        && items.len() <= MOST_KEYS
    {
        let (item, behind) = match split_once(text, b',') {
            Some((item, behind)) => (item, Some(behind)),
            None => (text, None),
        };
        items.push(trimmed(item));
        rest = behind;
    }
    items
}

/// A text without JSON's white space around it.
fn trimmed(text: &str) -> &str {
    let mut bytes = text.as_bytes();
    while let [b' ' | b'\t' | b'\n' | b'\r', rest @ ..]
    | [rest @ .., b' ' | b'\t' | b'\n' | b'\r'] = bytes
    {
        bytes = rest;
    }
    std::str::from_utf8(bytes).unwrap_or_default()
}

fn key(settings: &Settings, text: &str) -> Result<ReplicaKey, String> {
    if text.is_empty() {
        return Err("has an empty item; write keys separated by single commas".to_owned());
    }
    let key = ReplicaKey::read(text)?;
    if !settings.workload_keys.is_empty() && !settings.workload_keys.contains(&key) {
        return Err(format!(
            "{key} is none of the keys that the policy's workloadKeys allow; use one of those"
        ));
    }
    Ok(key)
}

fn taint(settings: &Settings, text: &str) -> Result<ReplicaTaint, String> {
    if split_once(text, b'=').is_some() {
        return Err(format!(
            "{} has a value, but the value is always the replica's; write key:effect",
            Quoted(text)
        ));
    }
    let (name, word) = match split_once(text, b':') {
        Some((name, word)) => (name, Some(word)),
        None => (text, None),
    };
    let effect = match word {
        Some(word) => Some(Effect::read(word)?),
        None => None,
    };
    Ok(ReplicaTaint {
        key: key(settings, name)?,
        effect,
    })
}
