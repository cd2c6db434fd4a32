//! A DisaggregatedSet: not reviewed itself, since the policy does not see it, but the sets that its roles make.

use super::place::Located;
use super::report::{Origin, Remark};
use super::{request, sample, set};
use crate::problem::escape;
use lws_expand::{DisaggregatedSet, GeneratedSet};
use serde_json::Value;

/// The beginning of the policy's annotations.
const ANNOTATION: &str = "lws-replica-placement/";

/// More slices than these are told apart by their first and last, and by every change in the number of digits.
const SLICES: u64 = 10;

/// The sets that are reviewed for a DisaggregatedSet.
pub(crate) struct Made {
    /// Each with what makes it.
    pub(crate) sets: Vec<(GeneratedSet, Origin)>,
    /// What readers should know.
    pub(crate) notes: Vec<Remark>,
}

/// Makes the sets of a DisaggregatedSet.
///
/// # Errors
/// LWS could not make them: the field, and what is wrong with it.
pub(crate) fn expand(item: &Located<'_>) -> Result<Made, Remark> {
    set::rendered(item)?;
    let whole = DisaggregatedSet::from_value(item.value)
        .map_err(|error| set::unexpandable(item, &error))?;
    let namespace = request::namespace(item.value).to_owned();
    let title = format!("DisaggregatedSet {namespace}/{}", whole.name());
    let mut notes = lost_annotations(item, &title);
    notes.extend(scaled_elsewhere(item, &title));
    let slices = if whole.slices() > SLICES {
        sample::marks(whole.slices())
    } else {
        (0..whole.slices()).collect()
    };
    if let Some(note) = left_out(item, &title, &slices, whole.slices()) {
        notes.push(note);
    }
    let place = item.place("");
    let sets = slices.into_iter().flat_map(|slice| whole.slice(slice));
    let sets = sets.map(|made| {
        let origin = Origin {
            kind: "DisaggregatedSet",
            namespace: namespace.clone(),
            name: whole.name().to_owned(),
            place: place.clone(),
            role: made.role.clone(),
            slice: made.slice,
            revision: whole.revision().to_owned(),
        };
        (made, origin)
    });
    Ok(Made {
        sets: sets.collect(),
        notes,
    })
}

/// Where a generated set's fields stand in the DisaggregatedSet.
pub(crate) fn role_pointer(made: &GeneratedSet) -> String {
    format!("/spec/roles/{}", made.role_index)
}

/// Annotations on the DisaggregatedSet that somebody took for the policy's business.
fn lost_annotations(item: &Located<'_>, title: &str) -> Vec<Remark> {
    let annotations = item.value.pointer("/metadata/annotations");
    let keys = annotations.and_then(Value::as_object).into_iter();
    let keys = keys.flat_map(serde_json::Map::keys);
    let lost = keys.filter(|key| key.starts_with(ANNOTATION)).map(|key| {
        let text = format!(
            "the annotation {key} of {title} does not reach the LeaderWorkerSets that its roles make; put it into spec.roles[].metadata.annotations or on the roles' templates"
        );
        item.warning(&format!("/metadata/annotations/{}", escape(key)), text)
    });
    lost.collect()
}

/// Roles whose replicas somebody else sets.
fn scaled_elsewhere(item: &Located<'_>, title: &str) -> Vec<Remark> {
    let roles = item.value.pointer("/spec/roles").and_then(Value::as_array);
    let roles = roles.into_iter().flatten().enumerate();
    let scaled = roles.filter_map(|(index, role)| {
        let mode = role.pointer("/scaling/mode").and_then(Value::as_str);
        let name = role.get("name").and_then(Value::as_str)?;
        (mode == Some("External")).then(|| {
            let text = format!(
                "role \"{name}\" of {title} is scaled from outside; it is reviewed with its own spec.replicas, and with more of them its leaders' names may get longer"
            );
            item.note(&format!("/spec/roles/{index}/scaling/mode"), text)
        })
    });
    scaled.collect()
}

/// Slices that are not reviewed; none where all are.
fn left_out(item: &Located<'_>, title: &str, slices: &[u64], all: u64) -> Option<Remark> {
    let (last, rest) = slices.split_last()?;
    (usize::try_from(all) != Ok(slices.len())).then(|| {
        let rest: Vec<String> = rest.iter().map(u64::to_string).collect();
        let text = format!(
            "of the {all} slices of {title} {} and {last} are reviewed; the others differ from them in their number alone",
            rest.join(", ")
        );
        item.note("/spec/slices", text)
    })
}
