//! LeaderWorkerSets inside of other objects. The policy sees them when somebody unwraps and applies them; the review
//! does not, and says so.

use super::document::GROUP;
use super::place::Located;
use super::report::Remark;
use crate::problem::escape;
use serde_json::Value;

/// A sentence for each LeaderWorkerSet inside an object of another kind.
pub(super) fn remarks(item: &Located<'_>) -> Vec<Remark> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), item.value)];
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::Object(map) if is_set(value) && !pointer.is_empty() => {
                let name = map
                    .get("metadata")
                    .and_then(|metadata| metadata.get("name"));
                let name = name.and_then(Value::as_str).unwrap_or("without a name");
                let text = format!(
                    "{} holds the LeaderWorkerSet \"{name}\" ({}), which is not reviewed here; put it into a file of its own to review it",
                    item.title(),
                    path(&pointer)
                );
                found.push(item.note(&pointer, text));
            }
            Value::Object(map) => {
                // Pushed in reverse, so that the first comes off first.
                let children = map.iter().rev();
                open.extend(
                    children.map(|(key, child)| (format!("{pointer}/{}", escape(key)), child)),
                );
            }
            Value::Array(list) => {
                let children = list.iter().enumerate().rev();
                open.extend(children.map(|(index, child)| (format!("{pointer}/{index}"), child)));
            }
            Value::String(text) if writes_a_set(text) => {
                let text = format!(
                    "{} holds a LeaderWorkerSet in the text of {}, which is not reviewed here; put the text into a file of its own to review it",
                    item.title(),
                    path(&pointer)
                );
                found.push(item.note(&pointer, text));
            }
            _ => {}
        }
    }
    found
}

fn is_set(value: &Value) -> bool {
    let text = |field| value.get(field).and_then(Value::as_str);
    text("kind") == Some("LeaderWorkerSet")
        && text("apiVersion").is_some_and(|version| version.starts_with(GROUP))
}

/// Whether a text, perhaps a template, holds a LeaderWorkerSet's manifest.
fn writes_a_set(text: &str) -> bool {
    let has_kind = text.lines().any(|line| {
        let line = line
            .trim()
            .trim_start_matches("- ")
            .replace(['"', '\'', ' ', ','], "");
        line.contains("kind:LeaderWorkerSet")
    });
    has_kind && text.contains(GROUP)
}

/// A JSON pointer as people write fields: `spec.components[0].template`, `data["set.yaml"]`.
fn path(pointer: &str) -> String {
    let mut path = String::new();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        if !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()) {
            path.push_str(&format!("[{part}]"));
        } else if part.chars().all(|c| c.is_ascii_alphanumeric()) && !part.is_empty() {
            let dot = if path.is_empty() { "" } else { "." };
            path.push_str(&format!("{dot}{part}"));
        } else {
            path.push_str(&format!("[\"{part}\"]"));
        }
    }
    path
}
