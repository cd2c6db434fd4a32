//! A pod while it is being built: typed metadata, and the spec as the template has it.

use crate::metadata::Metadata;
use serde::Serialize;
use serde_json::{Map, Value};

/// A pod on its way through the controllers. The spec stays a JSON object: a typed one would lose unknown fields.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) metadata: Metadata,
    pub(crate) spec: Map<String, Value>,
}

impl Draft {
    /// Sets a label, replacing the template's.
    pub(crate) fn set_label(&mut self, key: &str, value: impl ToString) {
        self.metadata
            .labels
            .get_or_insert_default()
            .insert(key.to_owned(), value.to_string());
    }

    /// Sets an annotation, replacing the template's.
    pub(crate) fn annotate(&mut self, key: &str, value: impl ToString) {
        self.metadata
            .annotations
            .get_or_insert_default()
            .insert(key.to_owned(), value.to_string());
    }

    pub(crate) fn label(&self, key: &str) -> Option<&str> {
        self.metadata.labels.as_ref()?.get(key).map(String::as_str)
    }

    pub(crate) fn annotation(&self, key: &str) -> Option<&str> {
        self.metadata
            .annotations
            .as_ref()?
            .get(key)
            .map(String::as_str)
    }

    /// The pod's name; empty while it has none, as in Kubernetes.
    pub(crate) fn name(&self) -> &str {
        self.metadata.name.as_deref().unwrap_or_default()
    }

    pub(crate) fn namespace(&self) -> &str {
        self.metadata.namespace.as_deref().unwrap_or_default()
    }

    /// A string field of the spec; empty when absent.
    pub(crate) fn spec_text(&self, key: &str) -> &str {
        self.spec
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    pub(crate) fn set_spec(&mut self, key: &str, value: &str) {
        self.spec.insert(key.to_owned(), Value::from(value));
    }

    /// Appends an entry to a list of the spec, which null and absent leave empty.
    pub(crate) fn append(&mut self, list: &str, entry: &impl Serialize) {
        edit_list(&mut self.spec, list, |entries| entries.push(value(entry)));
    }

    /// The pod as it stands in an admission request.
    pub(crate) fn into_value(self) -> Value {
        let fields = [
            ("apiVersion", Value::from("v1")),
            ("kind", Value::from("Pod")),
            ("metadata", value(&self.metadata)),
            ("spec", Value::Object(self.spec)),
        ];
        let fields = fields.map(|(key, value)| (key.to_owned(), value));
        Value::Object(fields.into_iter().collect())
    }
}

/// A typed piece of a pod as JSON. These types hold nothing but strings, booleans, lists and maps of strings, which
/// always serialise.
pub(crate) fn value(typed: &impl Serialize) -> Value {
    serde_json::to_value(typed).unwrap_or_default()
}

/// Edits the list at `key`; null and absent are an empty one.
pub(crate) fn edit_list(
    object: &mut Map<String, Value>,
    key: &str,
    edit: impl FnOnce(&mut Vec<Value>),
) {
    let slot = object
        .entry(key)
        .or_insert_with(|| Value::Array(Vec::new()));
    if slot.is_null() {
        *slot = Value::Array(Vec::new());
    }
    // Anything else was refused when the set was read.
    if let Value::Array(entries) = slot {
        edit(entries);
    }
}

/// Edits the object at `key`; null and absent are an empty one.
pub(crate) fn edit_object(
    object: &mut Map<String, Value>,
    key: &str,
    edit: impl FnOnce(&mut Map<String, Value>),
) {
    let slot = object
        .entry(key)
        .or_insert_with(|| Value::Object(Map::new()));
    if slot.is_null() {
        *slot = Value::Object(Map::new());
    }
    // Anything else was refused when the set was read.
    if let Value::Object(fields) = slot {
        edit(fields);
    }
}
