//! The labels of namespaces, by which policies choose among them.

use super::selector::Labels;
use super::target::labels;
use serde_json::Value;
use std::collections::BTreeMap;

/// The label that every namespace has, with its own name.
pub const NAME: &str = "kubernetes.io/metadata.name";

/// Namespaces with what is known of their labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Namespaces {
    known: BTreeMap<String, Labels>,
}

impl Namespaces {
    /// Takes the labels of a Namespace object; passes over any other object.
    pub fn see(&mut self, object: &Value) {
        let text = |pointer| object.pointer(pointer).and_then(Value::as_str);
        if text("/apiVersion") == Some("v1")
            && text("/kind") == Some("Namespace")
            && let Some(name) = text("/metadata/name")
        {
            self.known
                .entry(name.to_owned())
                .or_default()
                .extend(labels(object));
        }
    }

    /// Takes what others know, over what is known here.
    pub fn extend(&mut self, other: &Self) {
        for (namespace, labels) in &other.known {
            let known = self.known.entry(namespace.clone()).or_default();
            known.extend(labels.clone());
        }
    }

    /// Takes labels in the form `namespace=key=value,key=value`.
    ///
    /// # Errors
    /// The text has another form: what is wrong.
    pub fn give(&mut self, text: &str) -> Result<(), String> {
        let wrong = |what: &str| format!("\"{text}\" {what}; write NAMESPACE=KEY=VALUE,KEY=VALUE");
        let (namespace, pairs) = text.split_once('=').ok_or_else(|| wrong("has no \"=\""))?;
        if namespace.is_empty() {
            return Err(wrong("names no namespace"));
        }
        let mut labels = Labels::new();
        for pair in pairs.split(',').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair
                .split_once('=')
                .filter(|(key, _)| !key.is_empty())
                .ok_or_else(|| wrong(&format!("has \"{pair}\", which is no label")))?;
            labels.insert(key.to_owned(), value.to_owned());
        }
        self.known
            .entry(namespace.to_owned())
            .or_default()
            .extend(labels);
        Ok(())
    }

    /// A namespace's labels, its name among them.
    #[must_use]
    pub fn labels(&self, namespace: &str) -> Labels {
        let mut labels = self.known.get(namespace).cloned().unwrap_or_default();
        labels.insert(NAME.to_owned(), namespace.to_owned());
        labels
    }

    /// Whether anything was said of a namespace.
    #[must_use]
    pub fn knows(&self, namespace: &str) -> bool {
        self.known.contains_key(namespace)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use serde_json::json;

    #[test]
    fn labels_come_from_objects_and_from_the_command_line_and_the_name_is_always_there() {
        let mut namespaces = Namespaces::default();
        namespaces.see(&json!({
            "apiVersion": "v1", "kind": "Namespace",
            "metadata": {"name": "red", "labels": {"env": "prod", "tier": "1"}},
        }));
        namespaces.see(&json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "blue"}}));
        namespaces.give("red=tier=2,team=x").unwrap();
        namespaces.give("green=").unwrap();
        let labels = |name: &str| {
            let labels = namespaces.labels(name).into_iter();
            labels
                .map(|(key, value)| format!("{key}={value}"))
                .collect::<Vec<_>>()
        };
        let red = [
            "env=prod",
            "kubernetes.io/metadata.name=red",
            "team=x",
            "tier=2",
        ];
        assert_eq!(labels("red"), red);
        assert_eq!(labels("blue"), ["kubernetes.io/metadata.name=blue"]);
        assert!(namespaces.knows("green") && !namespaces.knows("blue"));
    }

    #[test]
    fn what_is_no_label_is_told() {
        let refused = |text: &str| Namespaces::default().give(text).unwrap_err();
        let form = "write NAMESPACE=KEY=VALUE,KEY=VALUE";
        assert_eq!(refused("red"), format!("\"red\" has no \"=\"; {form}"));
        assert_eq!(
            refused("=a=b"),
            format!("\"=a=b\" names no namespace; {form}")
        );
        assert_eq!(
            refused("red=prod"),
            format!("\"red=prod\" has \"prod\", which is no label; {form}")
        );
    }
}
