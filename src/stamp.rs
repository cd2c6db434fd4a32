//! The stamp: the placement as the policy records it in a pod template (A4).
//!
//! It is read as a whole: beside it none of the settings that it holds counts, so that a pod that is
//! recreated after the settings changed still matches the rest of its replica.

use std::fmt;

use crate::fields::{FieldFault, Fields, Place};
use crate::json;
use crate::message::Listed;
use crate::named::Named;
use crate::placement::{Choice, Placement};
use crate::value::ValueRules;

/// The annotation that holds the stamp.
pub const STAMP: &str = "lws-replica-placement/placement";

/// Its name, as messages give it.
const QUOTED: &str = "\"lws-replica-placement/placement\"";

const FIELDS: [&str; 6] = [
    "nodeSelector",
    "tolerations",
    "replicaValue",
    "overlongValue",
    "placementUnit",
    "members",
];

/// A stamp that the policy cannot have written; every fault in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StampError(Vec<FieldFault>);

impl fmt::Display for StampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "annotation {}; the policy writes this annotation, remove it from the template",
            Listed(self.0.iter())
        )
    }
}

/// Reads a stamp.
///
/// # Errors
/// What makes it one that this policy does not write: no JSON, unknown fields, keys that no
/// replica value may have.
pub fn read(text: &str) -> Result<Placement, StampError> {
    let object = |raw| json::due(raw, json::Kind::Object).map(|()| raw);
    let raw = match json::document(text).and_then(object) {
        Ok(raw) => raw,
        Err(problem) => {
            let fault = FieldFault::at(QUOTED, &Place::WHOLE, &problem);
            return Err(StampError(vec![fault]));
        }
    };
    let mut fields = Fields::read(Some(raw), QUOTED, &FIELDS);
    let placement = Placement {
        choice: Choice {
            node_selector: fields.distinct_keys("nodeSelector"),
            tolerations: fields.taints("tolerations"),
        },
        value_rules: ValueRules::read(&mut fields),
        members: fields.word("members"),
    };
    if placement.choice.asks_for_gke()
        && let Some(text) = placement.value_rules.fault_of_gke_key()
    {
        fields.fault(&Place::WHOLE, &text);
    }
    let faults = fields.into_faults();
    if faults.is_empty() {
        Ok(placement)
    } else {
        Err(StampError(faults))
    }
}

/// Writes a stamp: the same text for the same placement, defaults left out, so that equal
/// placements never make a new revision (L6).
#[must_use]
pub fn write(placement: &Placement) -> String {
    let mut text = String::from("{");
    let choice = &placement.choice;
    if !choice.node_selector.is_empty() {
        push(&mut text, &["\"nodeSelector\":["]);
        for key in &choice.node_selector {
            push(&mut text, &["\"", key.as_str(), "\""]);
        }
        text.push(']');
    }
    if !choice.tolerations.is_empty() {
        push(&mut text, &["\"tolerations\":["]);
        for taint in &choice.tolerations {
            push(&mut text, &["{\"key\":\"", taint.key.as_str(), "\""]);
            if let Some(effect) = taint.effect {
                push(&mut text, &["\"effect\":\"", effect.name(), "\""]);
            }
            text.push('}');
        }
        text.push(']');
    }
    let rules = placement.value_rules;
    word(&mut text, "replicaValue", rules.replica_value);
    word(&mut text, "overlongValue", rules.overlong_value);
    word(&mut text, "placementUnit", rules.placement_unit);
    word(&mut text, "members", placement.members);
    text.push('}');
    text
}

/// Appends a piece of JSON, behind a comma where another stands before it. Keys are label text, which needs no escapes.
fn push(text: &mut String, piece: &[&str]) {
    if !matches!(text.as_bytes().last(), Some(b'{' | b'[')) {
        text.push(',');
    }
    for part in piece {
        text.push_str(part);
    }
}

fn word<T: Named>(text: &mut String, field: &str, value: T) {
    push_word(text, field, T::NAMES, value.index());
}

/// Appends a field that is one of these names, unless it is the default's, the first.
fn push_word(text: &mut String, field: &str, names: &[&str], index: usize) {
    if let Some(name) = names.get(index)
        && index > 0
    {
        push(text, &["\"", field, "\":\"", name, "\""]);
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )]
    use super::*;

    use crate::placement::Members;
    use crate::value::{OverlongValue, PlacementUnit, ReplicaValue};

    /// Stamps as the policy writes them: read and written again they are the same text.
    #[test]
    fn a4_written_stamps() {
        for text in [
            "{}",
            r#"{"nodeSelector":["pool.test/group"]}"#,
            r#"{"nodeSelector":["a","b/c"],"tolerations":[{"key":"a"},{"key":"a","effect":"NoExecute"}]}"#,
            r#"{"tolerations":[{"key":"a","effect":"NoSchedule"},{"key":"b","effect":"PreferNoSchedule"}]}"#,
            r#"{"nodeSelector":["a"],"replicaValue":"NamespacedLeaderName"}"#,
            r#"{"nodeSelector":["a"],"replicaValue":"HashedLeaderName","overlongValue":"Hash","placementUnit":"SubGroup","members":"Workers"}"#,
        ] {
            assert_eq!(write(&read(text).unwrap()), text);
        }
    }

    /// Stamps as other hands may write them, and what the policy would have written.
    #[test]
    fn a4_other_spellings() {
        for (text, written) in [
            (" { } ", "{}"),
            (r#"{"nodeSelector":null,"members":null}"#, "{}"),
            (r#"{"nodeSelector":"a"}"#, r#"{"nodeSelector":["a"]}"#),
            (r#"{"replicaValue":"LeaderName","members":"All"}"#, "{}"),
            (
                r#"{"tolerations":[{"effect":"","key":"a"}],"nodeSelector":["a"]}"#,
                r#"{"nodeSelector":["a"],"tolerations":[{"key":"a"}]}"#,
            ),
        ] {
            assert_eq!(write(&read(text).unwrap()), written, "{text}");
        }
    }

    #[test]
    fn every_field_is_read() {
        let placement = read(
            r#"{"nodeSelector":["a"],"replicaValue":"HashedLeaderName","overlongValue":"Hash","placementUnit":"SubGroup","members":"Workers"}"#,
        )
        .unwrap();
        let rules = placement.value_rules;
        assert_eq!(rules.replica_value, ReplicaValue::HashedLeaderName);
        assert_eq!(rules.overlong_value, OverlongValue::Hash);
        assert_eq!(rules.placement_unit, PlacementUnit::SubGroup);
        assert_eq!(placement.members, Members::Workers);
        assert_eq!(placement.choice.keys().len(), 1);
    }

    #[test]
    fn every_error_says_where_and_what_to_do() {
        const REMEDY: &str = "; the policy writes this annotation, remove it from the template";
        for (text, faults) in [
            (
                "",
                "annotation \"lws-replica-placement/placement\": no JSON (it ends too early at line 1 column 0); send well-formed JSON",
            ),
            (
                "null",
                "annotation \"lws-replica-placement/placement\": found null where a map is due; make it a map",
            ),
            (
                "[]",
                "annotation \"lws-replica-placement/placement\": found a list where a map is due; make it a map",
            ),
            (
                r#"{"node":[]}"#,
                "annotation \"lws-replica-placement/placement\": unknown field \"node\"; did you mean \"nodeSelector\"?",
            ),
            (
                r#"{"nodeSelector":["-a"],"members":"None"}"#,
                "annotation \"lws-replica-placement/placement\".nodeSelector[0]: \"-a\" is no label key; use letters, digits, \"-\", \"_\" and \".\", a letter or digit at both ends, \"lws-replica-placement/placement\".members: is \"None\"; use one of All, Workers",
            ),
            (
                r#"{"nodeSelector":["kubernetes.io/hostname"]}"#,
                "annotation \"lws-replica-placement/placement\".nodeSelector[0]: \"kubernetes.io/hostname\" names one node and never holds a replica value; choose a key of your own",
            ),
            (
                r#"{"nodeSelector":["cloud.google.com/gke-placement-group"],"placementUnit":"SubGroup"}"#,
                "annotation \"lws-replica-placement/placement\": \"cloud.google.com/gke-placement-group\" names a node pool, and placementUnit SubGroup puts a dot into its name; use another key or another value",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.to_string(), format!("{faults}{REMEDY}"), "{text}");
        }
    }
}
