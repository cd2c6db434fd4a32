//! Finds the field that a message is about, so that the report can point at it.

use super::place::Located;
use crate::problem::escape;
use serde_json::Value;

/// Template of the workers, and of the leaders where they have none of their own (L5).
const WORKER: &str = "/spec/leaderWorkerTemplate/workerTemplate";

/// Template of the leaders.
const LEADER: &str = "/spec/leaderWorkerTemplate/leaderTemplate";

/// The field of a set that a message about one of its pods is about, as a JSON pointer; empty for the set itself.
pub(super) fn of_pod_in_set(set: &Located<'_>, is_leader: bool, message: &str) -> String {
    let has_leader = set.value.pointer(LEADER).is_some_and(Value::is_object);
    let template = if is_leader && has_leader {
        LEADER
    } else {
        WORKER
    };
    in_pod(set, template, message)
        .or_else(|| named(set, "/metadata/annotations", message))
        .unwrap_or_default()
}

/// The field of a pod that stands in the input itself.
pub(super) fn of_pod(pod: &Located<'_>, message: &str) -> String {
    in_pod(pod, "", message).unwrap_or_default()
}

/// The field of a set that a message about the set is about.
pub(super) fn of_set(set: &Located<'_>, message: &str) -> String {
    path(message)
        .filter(|pointer| set.has(pointer))
        .or_else(|| named(set, "/metadata/annotations", message))
        .or_else(|| in_pod(set, LEADER, message))
        .or_else(|| in_pod(set, WORKER, message))
        .unwrap_or_default()
}

fn in_pod(item: &Located<'_>, at: &str, message: &str) -> Option<String> {
    let selector = || {
        message
            .contains("nodeSelector")
            .then(|| named(item, &format!("{at}/spec/nodeSelector"), message))
            .flatten()
    };
    let affinity = || {
        let field = format!("{at}/spec/affinity/nodeAffinity");
        (message.contains("node affinity") && item.has(&field)).then_some(field)
    };
    let written = || {
        let field = format!("{at}{}", path(message)?);
        item.has(&field).then_some(field)
    };
    selector()
        .or_else(affinity)
        .or_else(|| named(item, &format!("{at}/metadata/annotations"), message))
        .or_else(|| named(item, &format!("{at}/metadata/labels"), message))
        .or_else(written)
}

/// The entry of the map at `at` whose key a message names in quotes.
fn named(item: &Located<'_>, at: &str, message: &str) -> Option<String> {
    let map = item.value.pointer(at)?.as_object()?;
    let key = map
        .keys()
        .find(|key| message.contains(&format!("\"{key}\"")))?;
    Some(format!("{at}/{}", escape(key)))
}

/// The first field path in a message, such as `spec.tolerations[2].effect` or `metadata.annotations["a/b"]`, as a JSON
/// pointer.
fn path(message: &str) -> Option<String> {
    let start = ["spec.", "metadata."]
        .iter()
        .filter_map(|top| message.find(top))
        .min()?;
    let mut rest = message.get(start..)?;
    let mut pointer = String::new();
    loop {
        if let Some(quoted) = rest.strip_prefix("[\"") {
            let (key, after) = quoted.split_once("\"]")?;
            pointer.push_str(&format!("/{}", escape(key)));
            rest = after;
        } else if let Some(index) = rest.strip_prefix('[') {
            let (index, after) = index.split_once(']')?;
            pointer.push_str(&format!("/{index}"));
            rest = after;
        } else {
            let name = rest.strip_prefix('.').unwrap_or(rest);
            let end = name
                .find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(name.len());
            let (name, after) = name.split_at_checked(end)?;
            if name.is_empty() || (!pointer.is_empty() && !rest.starts_with('.')) {
                break;
            }
            pointer.push_str(&format!("/{name}"));
            rest = after;
        }
    }
    Some(pointer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_a_message_becomes_a_pointer() {
        assert_eq!(
            path("x: spec.tolerations[2].effect is a map").as_deref(),
            Some("/spec/tolerations/2/effect")
        );
        assert_eq!(
            path("request.object.spec.nodeSelector: no").as_deref(),
            Some("/spec/nodeSelector")
        );
        assert_eq!(
            path("at metadata.annotations[\"a/b\"]; go").as_deref(),
            Some("/metadata/annotations/a~1b")
        );
        assert_eq!(
            path("spec.replicas. And more").as_deref(),
            Some("/spec/replicas")
        );
        assert_eq!(path("nothing here"), None);
    }
}
