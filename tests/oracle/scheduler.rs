//! The scheduler's filters: node selector and required node affinity, taints and tolerations.

use std::collections::BTreeMap;

use serde_json::Value;

use super::api_server;

/// A node as the filters see it.
#[derive(Clone, Debug, Default)]
pub struct Node {
    pub name: String,
    pub labels: BTreeMap<String, String>,
    /// Key, value, effect.
    pub taints: Vec<(String, String, String)>,
}

/// Whether a pod may be put on a node.
pub fn fits(pod: &Value, node: &Node) -> bool {
    selected(pod, node)
        && attracted(pod, node)
        && node
            .taints
            .iter()
            .all(|taint| keeps_out(taint) <= tolerated(pod, taint))
}

fn keeps_out((_, _, effect): &(String, String, String)) -> bool {
    effect != "PreferNoSchedule"
}

fn selected(pod: &Value, node: &Node) -> bool {
    let selector = api_server::selector(pod);
    selector
        .iter()
        .all(|(key, value)| node.labels.get(key).map(String::as_str) == value.as_str())
}

fn attracted(pod: &Value, node: &Node) -> bool {
    let required =
        &pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"];
    if required.is_null() {
        return true;
    }
    let terms = required["nodeSelectorTerms"].as_array();
    terms.is_some_and(|terms| terms.iter().any(|term| matches(term, node)))
}

fn matches(term: &Value, node: &Node) -> bool {
    let list = |name: &str| term[name].as_array().cloned().unwrap_or_default();
    let (expressions, fields) = (list("matchExpressions"), list("matchFields"));
    if expressions.is_empty() && fields.is_empty() {
        return false;
    }
    expressions.iter().all(|expression| {
        let key = expression["key"].as_str().unwrap();
        meets(expression, node.labels.get(key).map(String::as_str))
    }) && fields.iter().all(|field| {
        assert_eq!(field["key"], "metadata.name");
        meets(field, Some(&node.name))
    })
}

fn meets(expression: &Value, label: Option<&str>) -> bool {
    let values = expression["values"].as_array().cloned().unwrap_or_default();
    let is_listed = label.is_some_and(|label| values.iter().any(|value| value == label));
    let compared = || {
        let label: i64 = label?.parse().ok()?;
        let bound: i64 = values.first()?.as_str()?.parse().ok()?;
        Some(label.cmp(&bound))
    };
    match expression["operator"].as_str().unwrap() {
        "In" => is_listed,
        "NotIn" => !is_listed,
        "Exists" => label.is_some(),
        "DoesNotExist" => label.is_none(),
        "Gt" => compared().is_some_and(std::cmp::Ordering::is_gt),
        "Lt" => compared().is_some_and(std::cmp::Ordering::is_lt),
        other => panic!("no operator: {other}"),
    }
}

/// Whether a pod tolerates a taint, for however long.
pub fn tolerated(pod: &Value, (key, value, effect): &(String, String, String)) -> bool {
    api_server::tolerations(pod).iter().any(|toleration| {
        let text = |name: &str| toleration[name].as_str().unwrap_or_default();
        let value = match text("operator") {
            "Exists" => true,
            "" | "Equal" => text("value") == value,
            "Gt" | "Lt" => {
                let numbers = (value.parse::<i64>(), text("value").parse::<i64>());
                matches!(numbers, (Ok(taint), Ok(bound)) if (taint > bound) == (text("operator") == "Gt") && taint != bound)
            }
            _ => false,
        };
        value
            && (text("key").is_empty() || text("key") == key)
            && (text("effect").is_empty() || text("effect") == effect)
    })
}

/// Whether a pod tolerates a taint for ever.
pub fn tolerated_for_ever(pod: &Value, taint: &(String, String, String)) -> bool {
    let mut lasting = pod.clone();
    if let Some(list) = lasting["spec"]["tolerations"].as_array_mut() {
        list.retain(|toleration| toleration["tolerationSeconds"].is_null());
    }
    tolerated(&lasting, taint)
}
