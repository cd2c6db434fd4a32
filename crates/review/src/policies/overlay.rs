//! What another webhook does to an object, carried over to the object as it has become meanwhile.

use serde_json::Value;

/// A change, as the difference between two forms of one object.
#[derive(Debug, Clone, Copy)]
pub struct Overlay<'a> {
    forms: Option<(&'a Value, &'a Value)>,
}

impl<'a> Overlay<'a> {
    /// What makes `after` of `before`.
    #[must_use]
    pub fn between(before: &'a Value, after: &'a Value) -> Self {
        Self {
            forms: Some((before, after)),
        }
    }

    /// No change.
    #[must_use]
    pub fn none() -> Self {
        Self { forms: None }
    }

    /// Does to `object` what was done to `before`: maps key by key, anything else as a whole.
    pub fn apply(&self, object: &mut Value) {
        if let Some((before, after)) = self.forms {
            merge(before, after, object);
        }
    }
}

fn merge(before: &Value, after: &Value, object: &mut Value) {
    if before == after {
        return;
    }
    let (Value::Object(new), Value::Object(target)) = (after, &mut *object) else {
        *object = after.clone();
        return;
    };
    let none = serde_json::Map::new();
    let old = before.as_object().unwrap_or(&none);
    for (key, value) in new {
        match target.get_mut(key) {
            Some(inner) => merge(old.get(key).unwrap_or(&Value::Null), value, inner),
            None if old.get(key) != Some(value) => {
                target.insert(key.clone(), value.clone());
            }
            None => {}
        }
    }
    for key in old.keys().filter(|key| !new.contains_key(*key)) {
        target.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_changes_are_kept() {
        let before = json!({"labels": {"a": "1", "old": "x"}, "env": [1], "spec": {}});
        let after = json!({"labels": {"a": "1", "b": "2"}, "env": [1, 2], "spec": {"nodeSelector": {"zone": "z"}}});
        let mut object = json!({"labels": {"a": "1", "old": "x"}, "env": [1], "spec": {"nodeSelector": {"group": "v"}}});
        Overlay::between(&before, &after).apply(&mut object);
        assert_eq!(
            object,
            json!({"labels": {"a": "1", "b": "2"}, "env": [1, 2], "spec": {"nodeSelector": {"group": "v", "zone": "z"}}})
        );
        let same = object.clone();
        Overlay::none().apply(&mut object);
        assert_eq!(object, same);
    }
}
