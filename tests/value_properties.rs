//! C7: values are legal, at most as long as their key allows, and tell replicas apart.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod generate;
mod oracle;

use std::collections::HashSet;

use generate::cases;
use lws_replica_placement::key::ReplicaKey;
use lws_replica_placement::value::{OverlongValue, PlacementUnit, ReplicaValue, Unit, ValueRules};
use oracle::{labels, placement};
use serde_json::json;

const KEYS: [(&str, usize); 2] = [
    ("pool.test/group", 63),
    ("cloud.google.com/gke-placement-group", 40),
];

/// How many replicas are told apart: a hundred thousand, or `PROPERTY_FACTOR` times as many. `make soak` asks for 10.
fn replicas() -> u64 {
    let factor = std::env::var("PROPERTY_FACTOR")
        .ok()
        .and_then(|text| text.parse().ok());
    100_000 * factor.unwrap_or(1_u64).clamp(1, 10)
}

/// A set's name of 60 characters, so that every leader's name passes both limits or one.
#[test]
fn hashed_values_of_one_set_are_distinct() {
    let set = "f".repeat(60);
    for replica_value in [ReplicaValue::HashedLeaderName, ReplicaValue::LeaderName] {
        let rules = ValueRules {
            replica_value,
            overlong_value: OverlongValue::Hash,
            placement_unit: PlacementUnit::Replica,
        };
        for (key, limit) in KEYS {
            let key = ReplicaKey::parse(key).unwrap();
            let mut seen = HashSet::new();
            for index in 0..replicas() {
                let leader = format!("{set}-{index}");
                let unit = Unit {
                    namespace: Some("red"),
                    leader: &leader,
                    subgroup: None,
                };
                let value = rules.value(&key, unit).unwrap();
                assert!(value.len() <= limit && labels::is_value(&value), "{value}");
                if limit == 40 {
                    assert!(labels::is_node_pool(&value), "{value}");
                }
                // The set's name is one, so the end tells as much as the whole and takes less memory.
                let end: [u8; 16] = value.as_bytes()[value.len() - 16..].try_into().unwrap();
                assert!(seen.insert(end), "two replicas have {value}");
            }
        }
    }
}

/// Every combination of rules, lengths and subgroups, against the contract's text.
#[test]
fn values_are_those_of_the_contract() {
    let mut made = 0;
    cases(20_000, |random| {
        let replica_value =
            *random.pick(&["LeaderName", "NamespacedLeaderName", "HashedLeaderName"]);
        let overlong = *random.pick(&["Reject", "Hash"]);
        let settings = json!({"replicaValue": replica_value, "overlongValue": overlong});
        let leader = format!(
            "{}-{}",
            "f".repeat(1 + random.below(66)),
            random.below(1_000_000)
        );
        let namespace = "n".repeat(1 + random.below(63));
        let subgroup = random
            .once_in(3)
            .then(|| random.next() >> (33 + random.below(31)));
        let (key, limit) = *random.pick(&KEYS);
        let is_dotted = replica_value == "NamespacedLeaderName" || subgroup.is_some();
        if key.starts_with("cloud") && is_dotted {
            return;
        }
        let rules = ValueRules {
            replica_value: match replica_value {
                "LeaderName" => ReplicaValue::LeaderName,
                "NamespacedLeaderName" => ReplicaValue::NamespacedLeaderName,
                _ => ReplicaValue::HashedLeaderName,
            },
            overlong_value: if overlong == "Hash" {
                OverlongValue::Hash
            } else {
                OverlongValue::Reject
            },
            placement_unit: PlacementUnit::Replica,
        };
        let unit = Unit {
            namespace: Some(&namespace),
            leader: &leader,
            subgroup: subgroup.map(|index| i64::try_from(index).unwrap()),
        };
        let expected = placement::value(
            &settings,
            key,
            placement::Unit {
                namespace: &namespace,
                leader: &leader,
                subgroup,
            },
        );
        let found = rules.value(&ReplicaKey::parse(key).unwrap(), unit).ok();
        assert_eq!(found, expected, "{settings} {key}");
        if let Some(value) = found {
            made += 1;
            assert!(value.len() <= limit && labels::is_value(&value), "{value}");
        }
    });
    assert!(
        std::env::var("PROPERTY_FACTOR").is_ok() || made > 10_000,
        "{made}"
    );
}

/// Units that may run in one cluster at once, with names that nearly collide; `LeaderName` promises it in a namespace.
#[test]
fn units_of_a_cluster_have_values_of_their_own() {
    let mut leaders = Vec::new();
    for set in [
        "a",
        "a-1",
        "a-1-1",
        "b",
        &"a".repeat(52),
        &"a".repeat(60),
        &"a".repeat(61),
    ] {
        for index in [0, 1, 10, 11, 110, 999_999] {
            leaders.push(format!("{set}-{index}"));
        }
    }
    leaders.sort();
    leaders.dedup();
    for (rule, across) in [
        (ReplicaValue::LeaderName, false),
        (ReplicaValue::NamespacedLeaderName, true),
        (ReplicaValue::HashedLeaderName, true),
    ] {
        let rules = ValueRules {
            replica_value: rule,
            overlong_value: OverlongValue::Hash,
            placement_unit: PlacementUnit::SubGroup,
        };
        let key = ReplicaKey::parse("pool.test/group").unwrap();
        let mut seen = HashSet::new();
        let namespaces: &[&str] = if across {
            &["a", "a-1", "b", "a-0"]
        } else {
            &["a"]
        };
        for namespace in namespaces {
            for leader in &leaders {
                for subgroup in [None, Some(0), Some(1), Some(10), Some(i64::from(i32::MAX))] {
                    let unit = Unit {
                        namespace: Some(namespace),
                        leader,
                        subgroup,
                    };
                    let value = rules.value(&key, unit).unwrap();
                    assert!(
                        labels::is_value(&value) && seen.insert(value.clone()),
                        "{unit:?} {value}"
                    );
                }
            }
        }
    }
}
