//! Changing a value at a JSON pointer.

use crate::problem::Problem;
use serde_json::{Map, Value};

/// The parent's pointer and the last key, its escapes undone.
fn split(pointer: &str) -> Option<(&str, String)> {
    let (parent, last) = pointer.rsplit_once('/')?;
    Some((parent, last.replace("~1", "/").replace("~0", "~")))
}

/// Removes what stands at `pointer` and gives it, where there is something.
pub(super) fn remove(value: &mut Value, pointer: &str) -> Option<Value> {
    let (parent, last) = split(pointer)?;
    match value.pointer_mut(parent)? {
        Value::Object(map) => map.remove(&last),
        Value::Array(list) => {
            let index: usize = last.parse().ok()?;
            (index < list.len()).then(|| list.remove(index))
        }
        _ => None,
    }
}

/// Sets what stands at `pointer` to null; its parent must be there. Says whether it was.
pub(super) fn set_null(value: &mut Value, pointer: &str) -> bool {
    let Some((parent, last)) = split(pointer) else {
        return false;
    };
    match value.pointer_mut(parent) {
        Some(Value::Object(map)) => {
            map.insert(last, Value::Null);
            true
        }
        Some(Value::Array(list)) => {
            let entry = last
                .parse()
                .ok()
                .and_then(|index: usize| list.get_mut(index));
            entry.map(|entry| *entry = Value::Null).is_some()
        }
        _ => false,
    }
}

/// Applies a JSON merge patch (RFC 7386).
pub(super) fn merge(value: &mut Value, patch: Option<&Map<String, Value>>) {
    if let Some(patch) = patch {
        json_patch::merge(value, &Value::Object(patch.clone()));
    }
}

/// Removes every pointer of `list`.
///
/// # Errors
/// One of them, the shorthand's field `field`, points at nothing: a slip of the pen, or a case that no longer shows
/// what it says.
pub(super) fn remove_all(value: &mut Value, list: &[String], field: &str) -> Result<(), Problem> {
    each(list, field, |pointer| remove(value, pointer).is_some())
}

/// Sets every pointer of `list` to null.
///
/// # Errors
/// As [`remove_all`], for the pointer's parent.
pub(super) fn null_all(value: &mut Value, list: &[String], field: &str) -> Result<(), Problem> {
    each(list, field, |pointer| set_null(value, pointer))
}

fn each(list: &[String], field: &str, mut change: impl FnMut(&str) -> bool) -> Result<(), Problem> {
    for (index, pointer) in list.iter().enumerate() {
        if !change(pointer) {
            return Err(Problem::new(
                &format!("{field}/{index}"),
                format!("is \"{pointer}\", which the pod does not have"),
                "give a JSON pointer to something that is there",
            ));
        }
    }
    Ok(())
}
