//! The leader names that a set will have, and the values that they make.

use super::view::SetView;
use crate::key::ReplicaKey;
use crate::placement::{Members, Placement};
use crate::subgroup;
use crate::value::{PlacementUnit, Unit, ValueError};

/// The longest leader name whose workers' StatefulSet gets a legal revision label (L10).
pub const LEADER_NAME_LIMIT: usize = 52;

/// The shortest and the longest text that a Deployment's ReplicaSet and its pods put behind the
/// set's name: `-`, a hash of 1 to 10 characters, `-`, and 5 of the pod's own (L4). They stand for their length only.
const SHORTEST: &str = "-xxxxxxx";
const LONGEST: &str = "-xxxxxxxxxxxxxxxx";

/// The longest name that the API server generates: it cuts the prefix to 58 characters.
const GENERATED_LIMIT: usize = 63;

/// The name of the leader with this index (L1), or one as short as a generated name can be (L4).
#[must_use]
pub fn leader(set: &SetView<'_>, name: &str, index: i64) -> String {
    if set.is_hash {
        generated(name, SHORTEST)
    } else {
        format!("{name}-{index}")
    }
}

/// A leader name as long as generated ones can be (L4).
#[must_use]
pub fn longest_generated(name: &str) -> String {
    generated(name, LONGEST)
}

/// A name of other letters than ASCII is no set's name, but comes by here before anyone checks it.
fn generated(name: &str, ending: &str) -> String {
    let mut name = format!("{name}{ending}");
    name.truncate(name.floor_char_boundary(GENERATED_LIMIT));
    name
}

/// Whether the members of a set are told apart by subgroup.
#[must_use]
pub fn has_subgroup_values(set: &SetView<'_>, placement: &Placement) -> bool {
    set.has_subgroups && placement.value_rules.placement_unit == PlacementUnit::SubGroup
}

/// Whether a placement leaves the leader as it is: by its members, or because it is in no subgroup
/// where values are by subgroup.
#[must_use]
pub fn leaves_leader_out(set: &SetView<'_>, placement: &Placement) -> bool {
    placement.members == Members::Workers
        || set.is_leader_excluded && has_subgroup_values(set, placement)
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
        set.subgroup_size?,
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

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )]
    use super::*;

    use super::super::view::Outline;
    use crate::json;
    use crate::value::ValueRules;

    #[test]
    fn l1_leaders() {
        let set = r#"{"spec":{}}"#;
        let outline = Outline::read(json::document(set).unwrap(), "request.object").unwrap();
        let set = outline.set().unwrap();
        assert_eq!(leader(&set, "fruit", 0), "fruit-0");
        assert_eq!(leader(&set, "fruit", 999_999), "fruit-999999");
    }

    /// The length of a set's name, of the shortest and of the longest name that is generated of it.
    #[test]
    fn l4_generated_names() {
        for (length, shortest, longest) in [(5, 13, 22), (46, 54, 63), (55, 63, 63), (63, 63, 63)] {
            let name = "f".repeat(length);
            let lengths = [SHORTEST, LONGEST].map(|ending| generated(&name, ending).len());
            assert_eq!(lengths, [shortest, longest], "{length}");
        }
    }

    fn by_subgroup() -> Placement {
        Placement {
            value_rules: ValueRules {
                placement_unit: PlacementUnit::SubGroup,
                ..ValueRules::default()
            },
            ..Placement::default()
        }
    }

    #[test]
    fn l8_highest_subgroups() {
        for (template, highest) in [
            (r#"{"size":9,"subGroupPolicy":{"subGroupSize":4}}"#, Some(1)),
            (r#"{"size":4,"subGroupPolicy":{"subGroupSize":2}}"#, Some(1)),
            (r#"{"size":4,"subGroupPolicy":{"subGroupSize":4}}"#, Some(0)),
            (
                r#"{"size":40,"subGroupPolicy":{"subGroupSize":1}}"#,
                Some(39),
            ),
            (r#"{"subGroupPolicy":{"subGroupSize":1}}"#, Some(0)),
            (
                r#"{"size":-3,"subGroupPolicy":{"subGroupSize":2}}"#,
                Some(0),
            ),
            (r#"{"size":4,"subGroupPolicy":{"subGroupSize":0}}"#, None),
            (r#"{"size":4,"subGroupPolicy":{"subGroupSize":"x"}}"#, None),
            (r#"{"size":4,"subGroupPolicy":{}}"#, None),
            (r#"{"size":4,"subGroupPolicy":null}"#, None),
            (r#"{"size":4}"#, None),
        ] {
            let set = format!(
                r#"{{"metadata":{{"name":"fruit"}},"spec":{{"leaderWorkerTemplate":{template}}}}}"#
            );
            let outline = Outline::read(json::document(&set).unwrap(), "request.object").unwrap();
            let set = outline.set().unwrap();
            assert_eq!(
                highest_subgroup(&set, &by_subgroup()),
                highest,
                "{template}"
            );
            assert_eq!(highest_subgroup(&set, &Placement::default()), None);
        }
    }

    #[test]
    fn c7_values_name_the_namespace_and_the_longest_subgroup() {
        let placement = Placement {
            value_rules: ValueRules {
                replica_value: crate::value::ReplicaValue::NamespacedLeaderName,
                placement_unit: PlacementUnit::SubGroup,
                ..ValueRules::default()
            },
            ..Placement::default()
        };
        let key = ReplicaKey::parse("pool.test/group").unwrap();
        for (metadata, request, expected) in [
            (r#"{"namespace":"red"}"#, None, "red.fruit-0.1"),
            (r#"{"namespace":"red"}"#, Some("blue"), "blue.fruit-0.1"),
            ("{}", None, "default.fruit-0.1"),
        ] {
            let set = format!(
                r#"{{"metadata":{metadata},"spec":{{"leaderWorkerTemplate":{{"size":4,"subGroupPolicy":{{"subGroupSize":2}}}}}}}}"#
            );
            let outline = Outline::read(json::document(&set).unwrap(), "request.object").unwrap();
            let set = outline.set().unwrap();
            let found = value(&set, &placement, &key, request, "fruit-0");
            assert_eq!(found.unwrap(), expected);
        }
    }
}
