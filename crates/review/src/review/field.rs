//! Finds the field that a message is about, so that the report can point at it.

use crate::problem::{escape, unescape};
use serde_json::Value;

/// Template of the workers, and of the leaders where they have none of their own (L5).
const WORKER: &str = "/spec/leaderWorkerTemplate/workerTemplate";

/// Template of the leaders.
const LEADER: &str = "/spec/leaderWorkerTemplate/leaderTemplate";

/// The reasons that a message gives: the policy names all that is wrong in one (I6, S7).
fn reasons(message: &str) -> Vec<&str> {
    message
        .split("; also, ")
        .flat_map(|part| {
            let starts = [". spec.", ". metadata."]
                .into_iter()
                .flat_map(|start| part.match_indices(start))
                .map(|(index, _)| index + 2);
            let mut cuts: Vec<usize> = starts.chain([0, part.len()]).collect();
            cuts.sort_unstable();
            let ends: Vec<usize> = cuts.iter().copied().skip(1).collect();
            let pairs: Vec<_> = cuts.into_iter().zip(ends).collect();
            pairs
                .into_iter()
                .filter_map(|(start, end)| part.get(start..end))
        })
        .collect()
}

/// The fields that a message is about, each once, as `of` finds the one of a single reason; the object itself where
/// none is found.
pub(crate) fn all(message: &str, of: impl Fn(&str) -> String + Copy) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for pointer in reasons(message).into_iter().map(of) {
        if !pointer.is_empty() && !found.contains(&pointer) {
            found.push(pointer);
        }
    }
    if found.is_empty() {
        found.push(of(message));
    }
    found
}

/// The field of a set that a message about one of its pods is about, as a JSON pointer; empty for the set itself.
pub(crate) fn of_pod_in_set(set: &Value, is_leader: bool, message: &str) -> String {
    let has_leader = set.pointer(LEADER).is_some_and(Value::is_object);
    let template = if is_leader && has_leader {
        LEADER
    } else {
        WORKER
    };
    in_pod(set, template, message)
        .or_else(|| named(set, "/metadata/annotations", message))
        .unwrap_or_default()
}

/// The field of a pod that stands in the input itself, as a JSON pointer; empty for the pod.
pub(crate) fn of_pod(pod: &Value, message: &str) -> String {
    in_pod(pod, "", message).unwrap_or_default()
}

/// The field of a set that a message about the set is about.
pub(crate) fn of_set(set: &Value, message: &str) -> String {
    path(message)
        .filter(|pointer| set.pointer(pointer).is_some())
        .or_else(|| named(set, "/metadata/annotations", message))
        .or_else(|| in_pod(set, LEADER, message))
        .or_else(|| in_pod(set, WORKER, message))
        .unwrap_or_default()
}

fn in_pod(item: &Value, at: &str, message: &str) -> Option<String> {
    let selector = || {
        message
            .contains("nodeSelector")
            .then(|| named(item, &format!("{at}/spec/nodeSelector"), message))
            .flatten()
    };
    let affinity = || {
        let field = format!("{at}/spec/affinity/nodeAffinity");
        (message.contains("node affinity") && item.pointer(&field).is_some()).then_some(field)
    };
    let written = || {
        let field = format!("{at}{}", path(message)?);
        item.pointer(&field).is_some().then_some(field)
    };
    selector()
        .or_else(affinity)
        .or_else(|| named(item, &format!("{at}/metadata/annotations"), message))
        .or_else(|| named(item, &format!("{at}/metadata/labels"), message))
        .or_else(written)
}

/// The entry of the map at `at` whose key a message names in quotes.
fn named(item: &Value, at: &str, message: &str) -> Option<String> {
    let map = item.pointer(at)?.as_object()?;
    let key = map
        .keys()
        .find(|key| message.contains(&format!("\"{key}\"")))?;
    Some(format!("{at}/{}", escape(key)))
}

/// A JSON pointer as messages write it: `metadata.annotations["a/b"]`, `spec.tolerations[2]`.
pub(crate) fn dotted(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').skip(1).map(unescape) {
        let is_number = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
        if is_number {
            path.push_str(&format!("[{step}]"));
        } else if step.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            let dot = if path.is_empty() { "" } else { "." };
            path.push_str(&format!("{dot}{step}"));
        } else {
            path.push_str(&format!("[\"{step}\"]"));
        }
    }
    path
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

    #[test]
    fn every_reason_of_a_message_is_one() {
        let message = "pod \"a/b\": nodeSelector \"x\" is bad; remove it; also, required node affinity excludes it";
        let found = reasons(message);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found.last(), Some(&"required node affinity excludes it"));
        let message = "LeaderWorkerSet \"a\": spec.x: is bad; remove it. metadata.name: too long. spec.y: worse";
        let last = ["metadata.name: too long. ", "spec.y: worse"];
        assert_eq!(reasons(message).get(1..), Some(last.as_slice()));
        assert_eq!(
            all(message, |reason| path(reason).unwrap_or_default()),
            ["/spec/x", "/metadata/name", "/spec/y"]
        );
        assert_eq!(all("nothing", |_| String::new()), [""]);
    }

    #[test]
    fn a_pointer_is_written_as_messages_write_it() {
        let text = "spec.tolerations[2].effect";
        assert_eq!(dotted("/spec/tolerations/2/effect"), text);
        let text = "metadata.annotations[\"a/b~\"]";
        assert_eq!(dotted("/metadata/annotations/a~1b~0"), text);
        assert_eq!(dotted(""), "");
    }
}
