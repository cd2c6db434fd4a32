//! Exclusive placement: the affinities that keep one group, or one subgroup, alone in a topology domain.

use k8s_openapi::api::core::v1::PodAffinityTerm;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, LabelSelectorRequirement};
use serde_json::{Map, Value};

use crate::draft::{Draft, edit_list, edit_object, value};

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";

/// Requires of the pod that its domain of `topology` holds pods whose `label` is `key`, and no others that have the
/// label. Does nothing when both kinds of term for that topology are there.
pub(crate) fn set_exclusive(pod: &mut Draft, label: &str, key: &str, topology: &str) {
    edit_object(&mut pod.spec, "affinity", |affinity| {
        if has_term(affinity, "podAffinity", topology)
            && has_term(affinity, "podAntiAffinity", topology)
        {
            return;
        }
        let same = vec![requirement(label, "In", Some(key))];
        append_term(affinity, "podAffinity", same, topology);
        let others = vec![
            requirement(label, "Exists", None),
            requirement(label, "NotIn", Some(key)),
        ];
        append_term(affinity, "podAntiAffinity", others, topology);
    });
}

fn requirement(label: &str, operator: &str, key: Option<&str>) -> LabelSelectorRequirement {
    LabelSelectorRequirement {
        key: label.to_owned(),
        operator: operator.to_owned(),
        values: key.map(|key| vec![key.to_owned()]),
    }
}

fn append_term(
    affinity: &mut Map<String, Value>,
    kind: &str,
    expressions: Vec<LabelSelectorRequirement>,
    topology: &str,
) {
    let selector = LabelSelector {
        match_expressions: Some(expressions),
        match_labels: None,
    };
    let term = PodAffinityTerm {
        label_selector: Some(selector),
        topology_key: topology.to_owned(),
        ..PodAffinityTerm::default()
    };
    edit_object(affinity, kind, |fields| {
        edit_list(fields, REQUIRED, |terms| terms.push(value(&term)))
    });
}

fn has_term(affinity: &Map<String, Value>, kind: &str, topology: &str) -> bool {
    let terms = affinity
        .get(kind)
        .and_then(|fields| fields.get(REQUIRED))
        .and_then(Value::as_array);
    let of_topology =
        |term: &Value| term.get("topologyKey").and_then(Value::as_str) == Some(topology);
    terms.is_some_and(|terms| terms.iter().any(of_topology))
}
