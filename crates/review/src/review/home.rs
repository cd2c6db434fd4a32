//! The namespace of objects that name none: `default`, or the one that `kubectl -n` would send them to.

use super::source::Source;
use lws_manifest::{Document, ReadError};
use serde_json::{Value, json};

/// Kinds that are reviewed, all of which live in a namespace.
const KINDS: [&str; 3] = ["LeaderWorkerSet", "DisaggregatedSet", "Pod"];

/// The documents of a source, and an error for each one that cannot be read. With a namespace, the objects that name
/// none are of it, as `kubectl apply -n` makes them.
pub(crate) fn documents(
    source: &Source,
    namespace: Option<&str>,
) -> Vec<Result<Document, ReadError>> {
    let mut documents = lws_manifest::read(&source.text);
    if let Some(namespace) = namespace {
        for document in documents.iter_mut().flatten() {
            settle(document, namespace);
        }
    }
    documents
}

fn settle(document: &mut Document, namespace: &str) {
    let items = document.items().into_iter();
    let pointers: Vec<String> = items.map(|item| item.pointer).collect();
    for pointer in pointers {
        let Some(object) = document.value.pointer_mut(&pointer) else {
            continue;
        };
        let kind = object.get("kind").and_then(Value::as_str);
        if !kind.is_some_and(|kind| KINDS.contains(&kind)) {
            continue;
        }
        if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
            let names_none = match metadata.get("namespace") {
                None | Some(Value::Null) => true,
                Some(named) => named == "",
            };
            if names_none {
                metadata.insert("namespace".to_owned(), json!(namespace));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "a failed set-up fails the test"
    )]

    use super::*;

    #[test]
    fn only_what_names_no_namespace_is_moved() {
        let source = Source {
            name: "list.yaml".to_owned(),
            text: b"kind: List\nitems:\n- {kind: Pod, metadata: {name: a}}\n- {kind: Pod, metadata: {namespace: red}}\n- {kind: Pod, metadata: {namespace: ''}}\n- {kind: Node, metadata: {name: n}}\n".to_vec(),
        };
        let namespaces = |wanted: Option<&str>| {
            let documents = documents(&source, wanted);
            let value = &documents[0].as_ref().unwrap().value;
            let items = value["items"].as_array().unwrap().iter();
            let namespaces = items.map(|item| item["metadata"]["namespace"].clone());
            namespaces.collect::<Vec<Value>>()
        };
        assert_eq!(
            namespaces(Some("blue")),
            [json!("blue"), json!("red"), json!("blue"), Value::Null]
        );
        assert_eq!(
            namespaces(None),
            [Value::Null, json!("red"), json!(""), Value::Null]
        );
    }
}
