//! The leader names that a set will have, and the values that they make.

use super::view::SetView;
use crate::key::ReplicaKey;
use crate::named::Named;
use crate::placement::Placement;
use crate::subgroup;
use crate::value::{PlacementUnit, Unit, ValueError};

/// The longest leader name whose workers' StatefulSet gets a legal revision label (L10).
pub const LEADER_NAME_LIMIT: usize = 52;

/// The shortest and the longest text that a Deployment's ReplicaSet and its pods put behind the
/// set's name: `-`, a hash of 1 to 10 characters, `-`, and 5 of the pod's own (L4).
const GENERATED: [usize; 2] = [8, 17];

/// The longest name that the API server generates: it cuts the prefix to 58 characters.
const GENERATED_LIMIT: usize = 63;

/// The name of the leader with this index (L1).
#[must_use]
pub fn leader(set: &str, index: i64) -> String {
    format!("{set}-{index}")
}

/// Names as long as generated leader names can be, shortest and longest (L4). They stand for their
/// length only.
#[must_use]
pub fn generated(set: &str) -> [String; 2] {
    GENERATED.map(|length| {
        let mut name = format!("{set}-{}", "x".repeat(length - 1));
        name.truncate(GENERATED_LIMIT.max(set.len().min(58) + 5));
        name
    })
}

/// Whether the members of a set are told apart by subgroup.
#[must_use]
pub fn has_subgroup_values(set: &SetView<'_>, placement: &Placement) -> bool {
    set.has_subgroups && placement.value_rules.placement_unit == PlacementUnit::SubGroup
}

/// The subgroup whose index has the most digits, where values are by subgroup.
#[must_use]
pub fn highest_subgroup(set: &SetView<'_>, placement: &Placement) -> Option<i64> {
    if !has_subgroup_values(set, placement) {
        return None;
    }
    let size = set.size.max(1);
    Some(subgroup::index_of_worker(
        size,
        set.subgroup_size()?,
        size - 1,
    ))
}

/// The value of a leader's replica under a key, with the subgroup whose index is longest.
///
/// # Errors
/// As [`crate::value::ValueRules::value`].
pub fn value(
    set: &SetView<'_>,
    placement: &Placement,
    key: &ReplicaKey,
    namespace: Option<&str>,
    leader: &str,
) -> Result<String, ValueError> {
    placement.value_rules.value(
        key,
        Unit {
            // A set without a namespace is not stored anywhere; "default" is where kubectl puts it.
            namespace: namespace.or(set.namespace.as_deref()).or(Some("default")),
            leader,
            subgroup: highest_subgroup(set, placement),
        },
    )
}

/// How a placement names its rules for values, for texts that compare two.
#[must_use]
pub fn rules_differ(a: &Placement, b: &Placement) -> Option<&'static str> {
    let (left, right) = (a.value_rules, b.value_rules);
    if left.replica_value.name() != right.replica_value.name() {
        Some("replicaValue")
    } else if left.overlong_value.name() != right.overlong_value.name() {
        Some("overlongValue")
    } else if left.placement_unit.name() != right.placement_unit.name() {
        Some("placementUnit")
    } else {
        None
    }
}
