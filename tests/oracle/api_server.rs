//! The API server's checks of what this policy writes: node selectors, tolerations, and what an update may change.

use serde_json::{Map, Value};

use super::labels;

/// What is wrong with a pod's node selector and tolerations.
pub fn faults(pod: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for (key, value) in selector(pod) {
        if !labels::is_key(&key) || !value.as_str().is_some_and(labels::is_value) {
            faults.push(format!("nodeSelector {key}: {value}"));
        }
    }
    for toleration in tolerations(pod) {
        if !is_legal(&toleration) {
            faults.push(format!("toleration {toleration}"));
        }
    }
    faults
}

fn is_legal(toleration: &Value) -> bool {
    let text = |name: &str| toleration[name].as_str().unwrap_or_default();
    let (key, operator, value, effect) =
        (text("key"), text("operator"), text("value"), text("effect"));
    let key_is_legal = if key.is_empty() {
        operator == "Exists"
    } else {
        labels::is_key(key)
    };
    let value_is_legal = match operator {
        "" | "Equal" => labels::is_value(value),
        "Exists" => value.is_empty(),
        "Gt" | "Lt" => value.parse::<i64>().is_ok(),
        _ => false,
    };
    let effects = ["", "NoSchedule", "PreferNoSchedule", "NoExecute"];
    key_is_legal
        && value_is_legal
        && effects.contains(&effect)
        && (toleration["tolerationSeconds"].is_null() || effect == "NoExecute")
}

/// What an update changes that it may not.
pub fn update_faults(new: &Value, old: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let (new_gates, old_gates) = (gates(new), gates(old));
    if new_gates.iter().any(|gate| !old_gates.contains(gate)) {
        faults.push("a scheduling gate is added".to_owned());
    }
    let (new_selector, old_selector) = (selector(new), selector(old));
    let gains_only = old_selector
        .iter()
        .all(|(key, value)| new_selector.get(key) == Some(value));
    if new_selector != old_selector && (old_gates.is_empty() || !gains_only) {
        faults.push("nodeSelector is changed".to_owned());
    }
    let kept = tolerations(new);
    if tolerations(old)
        .iter()
        .any(|toleration| !kept.contains(toleration))
    {
        faults.push("a toleration is lost".to_owned());
    }
    let node = |pod: &Value| {
        pod["spec"]["nodeName"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    if node(new) != node(old) {
        faults.push("nodeName is changed".to_owned());
    }
    faults.extend(self::faults(new));
    faults
}

/// A pod's node selector; null and absent is none.
pub fn selector(pod: &Value) -> Map<String, Value> {
    let selector = pod["spec"]["nodeSelector"].as_object();
    selector.cloned().unwrap_or_default()
}

/// A pod's tolerations as Go's types hold them: what is empty is absent.
pub fn tolerations(pod: &Value) -> Vec<Value> {
    let mut tolerations = pod["spec"]["tolerations"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    for toleration in &mut tolerations {
        let fields = toleration.as_object_mut().unwrap();
        fields.retain(|_, value| !value.is_null() && value != "");
    }
    tolerations
}

/// The names of a pod's scheduling gates.
pub fn gates(pod: &Value) -> Vec<Value> {
    pod["spec"]["schedulingGates"]
        .as_array()
        .cloned()
        .unwrap_or_default()
}
