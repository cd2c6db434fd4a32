//! Whether two policies' settings mean the same, their action apart.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The settings that decide about placements, each with its default (section 2 of the contract).
fn defaults() -> [(&'static str, Value); 9] {
    [
        ("replicaSpecificNodeSelector", json!([])),
        ("replicaSpecificToleration", json!([])),
        ("workloadAnnotations", json!("Extend")),
        ("workloadKeys", json!([])),
        ("replicaValue", json!("LeaderName")),
        ("overlongValue", json!("Reject")),
        ("placementUnit", json!("Replica")),
        ("members", json!("All")),
        ("unstampedPods", json!("Inject")),
    ]
}

/// The first setting that differs, and what it is on either side.
pub(super) fn difference(one: &Value, other: &Value) -> Option<(&'static str, String, String)> {
    defaults().into_iter().find_map(|(field, default)| {
        let [left, right] = [one, other].map(|settings| {
            settings
                .get(field)
                .filter(|value| !value.is_null())
                .unwrap_or(&default)
        });
        let told = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        (plain(left) != plain(right)).then(|| (field, told(left), told(right)))
    })
}

/// A setting without what makes no difference: one key alone is a list of one, order does not count, and a null field
/// is none.
fn plain(value: &Value) -> Value {
    match value {
        Value::Array(list) => {
            let mut list: Vec<Value> = list.iter().map(entry).collect();
            list.sort_by_cached_key(Value::to_string);
            Value::Array(list)
        }
        // A key; of settings that are a word the list of one is as good as the word.
        Value::String(_) => Value::Array(vec![value.clone()]),
        other => other.clone(),
    }
}

fn entry(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let fields = map.iter().filter(|(_, value)| !value.is_null());
            let sorted: BTreeMap<&String, &Value> = fields.collect();
            json!(sorted)
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn another_way_to_write_it_is_no_difference() {
        let table = [
            (json!({}), json!({"action": "Validate"})),
            (
                json!({"replicaSpecificNodeSelector": "a"}),
                json!({"replicaSpecificNodeSelector": ["a"]}),
            ),
            (
                json!({"replicaSpecificNodeSelector": ["a", "b"]}),
                json!({"replicaSpecificNodeSelector": ["b", "a"]}),
            ),
            (
                json!({"members": null}),
                json!({"members": "All", "workloadKeys": []}),
            ),
            (
                json!({"replicaSpecificToleration": [{"key": "a", "effect": null}]}),
                json!({"replicaSpecificToleration": [{"key": "a"}]}),
            ),
        ];
        for (one, other) in table {
            assert_eq!(difference(&one, &other), None, "{one} {other}");
        }
    }

    #[test]
    fn what_differs_is_named_with_its_default() {
        let found = difference(&json!({"overlongValue": "Hash"}), &json!({})).unwrap();
        assert_eq!(
            found,
            ("overlongValue", "Hash".to_owned(), "Reject".to_owned())
        );
        let taint =
            |effect: &str| json!({"replicaSpecificToleration": [{"key": "a", "effect": effect}]});
        let found = difference(&taint("NoSchedule"), &taint("NoExecute")).unwrap();
        assert_eq!(found.0, "replicaSpecificToleration");
        let keys = |keys: &[&str]| json!({"workloadKeys": keys});
        assert_eq!(
            difference(&keys(&["a"]), &keys(&["a", "b"])).unwrap().0,
            "workloadKeys"
        );
    }
}
