//! What of its placement a pod had, and what the policy added.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Selector and tolerations that carry a pod's replica value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Placement {
    /// In `spec.nodeSelector`.
    pub node_selector: Vec<Selector>,
    /// In `spec.tolerations`.
    pub tolerations: Vec<Toleration>,
}

/// Whether an entry is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Mark {
    /// The policy adds it.
    Added,
    /// It is in the pod already.
    Present,
}

impl Mark {
    /// `+` or `=`.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Added => '+',
            Self::Present => '=',
        }
    }
}

/// An entry of a node selector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Selector {
    /// The label's key.
    pub key: String,
    /// The label's value.
    pub value: String,
    /// Whether it is new.
    pub mark: Mark,
}

/// A toleration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Toleration {
    /// The taint's key.
    pub key: String,
    /// The taint's value.
    pub value: String,
    /// The taint's effect; absent: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<String>,
    /// Whether it is new.
    pub mark: Mark,
}

/// The replica value, by key where it differs.
enum Values<'a> {
    One(&'a str),
    ByKey(BTreeMap<&'a str, &'a str>),
}

impl<'a> Values<'a> {
    /// Reads the audit annotation `replica-value` (R3). Neither keys nor values can hold `=` or `,`.
    fn read(text: &'a str) -> Self {
        if text.contains('=') {
            Self::ByKey(
                text.split(',')
                    .filter_map(|pair| pair.split_once('='))
                    .collect(),
            )
        } else {
            Self::One(text)
        }
    }

    /// Whether a key's value is the replica's.
    fn fits(&self, key: &str, value: &str) -> bool {
        match self {
            Self::One(one) => value == *one,
            Self::ByKey(values) => values.get(key) == Some(&value),
        }
    }
}

impl Placement {
    /// Compares a pod as it came with the pod as it became. What is new is the policy's; of what was there, the
    /// entries count that have the replica value.
    pub(super) fn between(before: &Value, after: &Value, replica_value: Option<&str>) -> Self {
        let values = replica_value.map(Values::read);
        let fits = |key: &str, value: &str| {
            values
                .as_ref()
                .is_some_and(|values| values.fits(key, value))
        };
        Self {
            node_selector: selectors(before, after, fits),
            tolerations: tolerations(before, after, fits),
        }
    }

    /// Whether nothing in the pod has to do with its replica.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.node_selector.is_empty() && self.tolerations.is_empty()
    }
}

fn selectors(before: &Value, after: &Value, fits: impl Fn(&str, &str) -> bool) -> Vec<Selector> {
    let map = |pod: &Value| {
        pod.pointer("/spec/nodeSelector")
            .and_then(Value::as_object)
            .cloned()
    };
    let old = map(before).unwrap_or_default();
    let entries = map(after).unwrap_or_default();
    entries
        .into_iter()
        .filter_map(|(key, value)| {
            let mark = if old.contains_key(&key) {
                Mark::Present
            } else {
                Mark::Added
            };
            let value = value.as_str()?.to_owned();
            (mark == Mark::Added || fits(&key, &value)).then_some(Selector { key, value, mark })
        })
        .collect()
}

fn tolerations(
    before: &Value,
    after: &Value,
    fits: impl Fn(&str, &str) -> bool,
) -> Vec<Toleration> {
    let list = |pod: &Value| {
        pod.pointer("/spec/tolerations")
            .and_then(Value::as_array)
            .cloned()
    };
    let old = list(before).unwrap_or_default();
    let entries = list(after).unwrap_or_default();
    entries
        .into_iter()
        .filter_map(|entry| {
            let text = |field| entry.get(field).and_then(Value::as_str);
            let mark = if old.contains(&entry) {
                Mark::Present
            } else {
                Mark::Added
            };
            let key = text("key")?.to_owned();
            let value = text("value").unwrap_or_default().to_owned();
            let equal = matches!(text("operator"), None | Some("" | "Equal"));
            let effect = text("effect")
                .filter(|effect| !effect.is_empty())
                .map(str::to_owned);
            let counts = mark == Mark::Added || (equal && fits(&key, &value));
            counts.then_some(Toleration {
                key,
                value,
                effect,
                mark,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]

    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_new_is_marked_so_and_what_is_foreign_left_out() {
        let before = json!({"spec": {
            "nodeSelector": {"zone": "a", "here": "vllm-0"},
            "tolerations": [{"key": "gpu", "operator": "Exists"}, {"key": "here", "value": "vllm-0"}],
        }});
        let mut after = before.clone();
        after["spec"]["nodeSelector"]["new"] = json!("vllm-0");
        let new =
            json!({"key": "new", "operator": "Equal", "value": "vllm-0", "effect": "NoSchedule"});
        after["spec"]["tolerations"]
            .as_array_mut()
            .unwrap()
            .push(new);
        let placement = Placement::between(&before, &after, Some("vllm-0"));
        let keys: Vec<_> = placement
            .node_selector
            .iter()
            .map(|s| (s.mark.sign(), s.key.as_str()))
            .collect();
        assert_eq!(keys, [('=', "here"), ('+', "new")]);
        let taints: Vec<_> = placement
            .tolerations
            .iter()
            .map(|t| (t.mark.sign(), t.key.as_str()))
            .collect();
        assert_eq!(taints, [('=', "here"), ('+', "new")]);
        assert_eq!(
            placement.tolerations[1].effect.as_deref(),
            Some("NoSchedule")
        );
    }

    #[test]
    fn values_that_differ_between_keys_are_held_against_their_own_key() {
        let pod = json!({"spec": {"nodeSelector": {"a/x": "long", "b/y": "long"}}});
        let placement = Placement::between(&pod, &pod, Some("a/x=long,b/y=short"));
        let keys: Vec<_> = placement
            .node_selector
            .iter()
            .map(|s| s.key.as_str())
            .collect();
        assert_eq!(keys, ["a/x"]);
        assert!(Placement::between(&pod, &pod, None).is_empty());
    }
}
