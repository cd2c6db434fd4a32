//! Any bytes as a manifest.

use lws_manifest::{Document, Documents, Limits, ReadError, read};
use serde_json::Value;

/// As many values are looked up in a document.
const LOOKED_UP: usize = 200;

/// The reader gives documents and errors whose places are in the text, and each error in one line. What is JSON is read
/// as JSON's values, and read by YAML's rules as the same.
pub fn run(data: &[u8]) {
    let found = read(data);
    for result in &found {
        match result {
            Ok(document) => hold(document, data.len()),
            Err(error) => hold_error(error, data.len()),
        }
    }
    for result in Documents::splitting_lists(data, Limits::default()) {
        match result {
            Ok(document) => hold(&document, data.len()),
            Err(error) => hold_error(&error, data.len()),
        }
    }
    let value = serde_json::from_slice::<Value>(data).ok();
    let Some(value @ (Value::Object(_) | Value::Array(_))) = value else {
        return;
    };
    let is_refused = |result: &Result<_, _>| matches!(result, Err(ReadError::Json { .. }));
    assert!(!found.iter().any(is_refused), "{found:?}");
    same(&found, &value);
    same(&read([b"---\n", data].concat()), &value);
}

fn hold_error(error: &ReadError, length: usize) {
    assert!(error.position().offset <= length, "{error}");
    let text = error.to_string();
    assert!(!text.contains(char::is_control), "{text:?}");
}

fn hold(document: &Document, length: usize) {
    let mut open = vec![(String::new(), &document.value)];
    for _ in 0..LOOKED_UP {
        let Some((pointer, value)) = open.pop() else {
            break;
        };
        assert!(document.has(&pointer), "{pointer}");
        for at in [document.locate(&pointer), document.locate_key(&pointer)] {
            assert!(at.offset <= length && at.line > 0 && at.column > 0, "{at}");
        }
        match value {
            Value::Object(map) => open.extend(map.iter().map(|(name, value)| {
                let name = name.replace('~', "~0").replace('/', "~1");
                (format!("{pointer}/{name}"), value)
            })),
            Value::Array(list) => open.extend(
                list.iter()
                    .enumerate()
                    .map(|(index, value)| (format!("{pointer}/{index}"), value)),
            ),
            _ => {}
        }
    }
    for item in document.items() {
        assert_eq!(
            document.value.pointer(&item.pointer),
            Some(item.value),
            "{}",
            item.pointer
        );
    }
}

/// What was read, where it was, is one document with this value.
fn same(found: &[Result<Document, ReadError>], value: &Value) {
    if let [Ok(document)] = found {
        assert!(
            alike(&document.value, value),
            "{} was read as {}",
            value,
            document.value
        );
    }
}

/// Whether values are equal. A whole number that is written as a fraction, `1e9` or `-0`, is an integer in YAML, as kubectl
/// has it.
fn alike(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(name, value)| right.get(name).is_some_and(|other| alike(value, other)))
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| alike(left, right))
        }
        (Value::Number(left), Value::Number(right)) if left.is_f64() != right.is_f64() => {
            left.as_f64() == right.as_f64()
        }
        _ => left == right,
    }
}
