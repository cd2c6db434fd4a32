//! What an object of the input is, and what there is to say of those that are not reviewed.

use super::embedded;
use super::place::Located;
use super::report::Remark;
use crate::problem::escape;
use serde_json::Value;

/// The API group of LeaderWorkerSets.
pub(super) const GROUP: &str = "leaderworkerset.x-k8s.io";

/// The group of LWS's labels, which is easily taken for that of its objects.
const LABELS: &str = "leaderworkerset.sigs.k8s.io";

/// The version that the policy and this review know.
const VERSION: &str = "leaderworkerset.x-k8s.io/v1";

/// The API group of DisaggregatedSets.
const DISAGGREGATED_GROUP: &str = "disaggregatedset.x-k8s.io";

/// The version that this review knows.
const DISAGGREGATED_VERSION: &str = "disaggregatedset.x-k8s.io/v1";

/// What is said of an item of a list that does not say what it is, as the API server's own lists have them.
pub(crate) const KINDLESS: &str = "an item of a list has no kind and is not judged; kubectl get -o yaml writes kind and apiVersion into each";

/// What is done with an object.
pub(crate) enum Subject {
    /// It is reviewed as a set.
    Set,
    /// The sets that it makes are reviewed.
    DisaggregatedSet,
    /// It is reviewed as a pod.
    Pod,
    /// It is a LeaderWorkerSet, or a DisaggregatedSet, in a version that nobody serves: why.
    Unserved(String),
    /// It is passed over.
    Other {
        /// What it counts as.
        kind: String,
        /// What there is to say of it.
        remarks: Vec<Remark>,
    },
}

/// Tells what an object is.
pub(crate) fn subject(item: &Located<'_>) -> Subject {
    let text = |field| item.value.get(field).and_then(Value::as_str);
    let version = text("apiVersion").unwrap_or_default();
    let group = version.split_once('/').map_or("", |(group, _)| group);
    if let Some(unfit) = unfit(item.value) {
        return Subject::Unserved(unfit);
    }
    match text("kind") {
        None if item.is_of_list() => Subject::Unserved(KINDLESS.to_owned()),
        Some("LeaderWorkerSet") if version == VERSION => Subject::Set,
        Some("LeaderWorkerSet") if [GROUP, LABELS, ""].contains(&group) => {
            Subject::Unserved(format!(
                "apiVersion is {}, but LeaderWorkerSets are \"{VERSION}\"; correct it, and see that the fields are those of v1",
                quoted_or_missing(version)
            ))
        }
        Some("DisaggregatedSet") if version == DISAGGREGATED_VERSION => Subject::DisaggregatedSet,
        Some("DisaggregatedSet") if group == DISAGGREGATED_GROUP => Subject::Unserved(format!(
            "apiVersion is \"{version}\", but DisaggregatedSets are \"{DISAGGREGATED_VERSION}\"; correct it, and see that the fields are those of v1"
        )),
        Some("Pod") if version == "v1" => Subject::Pod,
        Some(kind) => Subject::Other {
            kind: kind.to_owned(),
            remarks: embedded::remarks(item),
        },
        None => Subject::Other {
            kind: "document without kind".to_owned(),
            remarks: Vec::new(),
        },
    }
}

/// Why an object is none that a cluster could hold: a text that names it has characters that no name has, and that a
/// terminal would obey; or its kind is nearly one that is reviewed here.
fn unfit(object: &Value) -> Option<String> {
    let fields = [
        ("kind", "/kind"),
        ("apiVersion", "/apiVersion"),
        ("metadata.name", "/metadata/name"),
        ("metadata.generateName", "/metadata/generateName"),
        ("metadata.namespace", "/metadata/namespace"),
    ];
    for (field, pointer) in fields {
        let text = object.pointer(pointer).and_then(Value::as_str);
        if text.is_some_and(|text| text.chars().any(char::is_control)) {
            return Some(format!(
                "{field} holds a control character, which no name has; remove it"
            ));
        }
    }
    let kind = object.get("kind").and_then(Value::as_str)?;
    let right = ["LeaderWorkerSet", "DisaggregatedSet"];
    let meant = right
        .iter()
        .find(|right| **right != kind && right.eq_ignore_ascii_case(kind))?;
    Some(format!(
        "kind is \"{kind}\", which no cluster knows; write \"{meant}\""
    ))
}

fn quoted_or_missing(text: &str) -> String {
    match text {
        "" => "missing".to_owned(),
        text => format!("\"{text}\""),
    }
}

/// Fields that were once proposed for LeaderWorkerSets and are none: the API server drops them, or refuses the set.
pub(super) fn legacy_fields(item: &Located<'_>) -> Vec<Remark> {
    let fields = [
        (
            "replicaSpecificNodeSelector",
            "lws-replica-placement/node-selector",
            "key,key",
        ),
        (
            "replicaSpecificToleration",
            "lws-replica-placement/toleration",
            "key:NoSchedule,key",
        ),
    ];
    let parents = ["/spec", "/spec/leaderWorkerTemplate"];
    let mut remarks = Vec::new();
    for (field, annotation, form) in fields {
        for parent in parents {
            let pointer = format!("{parent}/{}", escape(field));
            if let Some(value) = item.value.pointer(&pointer) {
                let form = keys(value).unwrap_or_else(|| form.to_owned());
                let path = pointer.trim_start_matches('/').replace('/', ".");
                let text = format!(
                    "{path} is not a field of LWS v1; use the annotation {annotation}: \"{form}\" on the set or on its templates"
                );
                remarks.push(item.warning(&pointer, text));
            }
        }
    }
    remarks
}

/// The keys in such a field, as its annotation has them; none where the field has another shape.
fn keys(value: &Value) -> Option<String> {
    let keys: Vec<&str> = match value {
        Value::String(key) => vec![key],
        Value::Array(keys) => keys.iter().map(Value::as_str).collect::<Option<_>>()?,
        Value::Object(map) => map.keys().map(String::as_str).collect(),
        _ => return None,
    };
    (!keys.is_empty()).then(|| keys.join(","))
}
