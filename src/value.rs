//! The replica value: what tells one replica from every other.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::key::ReplicaKey;
use crate::message::{Quoted, beginning};
use crate::named;

named! {
    /// From what the replica value is made.
    ReplicaValue {
        /// `<leader>`
        LeaderName,
        /// `<namespace>.<leader>`
        NamespacedLeaderName,
        /// The leader's name cut to fit, `-`, and a hash of `<namespace>/<leader>`.
        HashedLeaderName,
    }
}

named! {
    /// What becomes of a value that is longer than its key allows.
    OverlongValue {
        /// The pod is refused.
        Reject,
        /// Its first characters, `-`, and a hash of the whole value.
        Hash,
    }
}

named! {
    /// Which pods share a value.
    PlacementUnit {
        /// All pods of a replica.
        Replica,
        /// The pods of one subgroup of a replica.
        SubGroup,
    }
}

/// How values are made; a part of the placement, and so of the stamp (A4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueRules {
    /// From what.
    pub replica_value: ReplicaValue,
    /// What if it is too long.
    pub overlong_value: OverlongValue,
    /// For which unit.
    pub placement_unit: PlacementUnit,
}

/// Which replica (or subgroup of one) a value stands for.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// The namespace of the pods.
    pub namespace: Option<&'a str>,
    /// The leader pod's name.
    pub leader: &'a str,
    /// The subgroup's index where the value is a subgroup's.
    pub subgroup: Option<i64>,
}

/// Why a unit has no value for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueError {
    /// Longer than the key's limit, and hashing is not asked for.
    TooLong {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// How many characters a value of this key may have.
        limit: usize,
    },
    /// Not made of the characters that the key's values are made of.
    Illegal {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// The legal characters.
        pattern: &'static str,
    },
    /// The value needs the namespace and neither the object nor the request has one.
    NoNamespace,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { key, value, limit } => write!(
                f,
                "replica value {} has {} characters, but {} holds {limit}; shorten the \
                 LeaderWorkerSet's name or set overlongValue to Hash",
                Quoted(value),
                value.len(),
                Quoted(key)
            ),
            Self::Illegal {
                key,
                value,
                pattern,
            } => write!(
                f,
                "replica value {} is not legal for {}; it takes {pattern}",
                Quoted(value),
                Quoted(key)
            ),
            Self::NoNamespace => f.write_str(
                "the replica value needs a namespace, but neither object nor request has one; \
                 set metadata.namespace",
            ),
        }
    }
}

/// Hexadecimal digits of a hash that a value carries.
const HASH_DIGITS: usize = 16;

impl ValueRules {
    /// The value of a unit under a key.
    ///
    /// # Errors
    /// [`ValueError`]: too long with `Reject`, illegal characters, or no namespace where one is
    /// part of the value.
    pub fn value(&self, key: &ReplicaKey, unit: Unit<'_>) -> Result<String, ValueError> {
        let limit = key.value_limit();
        let suffix = match unit.subgroup {
            Some(index) => format!(".{index}"),
            None => String::new(),
        };
        let namespace = || unit.namespace.ok_or(ValueError::NoNamespace);
        let mut value = match self.replica_value {
            ReplicaValue::LeaderName => unit.leader.to_owned(),
            ReplicaValue::NamespacedLeaderName => format!("{}.{}", namespace()?, unit.leader),
            ReplicaValue::HashedLeaderName => hashed(
                unit.leader,
                &format!("{}/{}", namespace()?, unit.leader),
                limit.saturating_sub(suffix.len()),
            ),
        };
        value.push_str(&suffix);
        if value.len() > limit {
            match self.overlong_value {
                OverlongValue::Hash => value = hashed(&value, &value, limit),
                OverlongValue::Reject => {
                    return Err(ValueError::TooLong {
                        key: key.as_str().to_owned(),
                        value,
                        limit,
                    });
                }
            }
        }
        match key.pattern_broken_by(&value) {
            Some(pattern) => Err(ValueError::Illegal {
                key: key.as_str().to_owned(),
                value,
                pattern,
            }),
            None => Ok(value),
        }
    }
}

/// The first characters of `visible`, `-`, and the first digits of SHA-256 of `whole`: at most
/// `limit` characters. `visible` is cut only as far as the limit asks.
fn hashed(visible: &str, whole: &str, limit: usize) -> String {
    let room = limit.saturating_sub(HASH_DIGITS + 1);
    let mut value = beginning(visible, room).to_owned();
    value.push('-');
    for byte in Sha256::digest(whole).iter().take(HASH_DIGITS / 2) {
        for nibble in [byte >> 4, byte & 15] {
            value.push(char::from_digit(u32::from(nibble), 16).unwrap_or_default());
        }
    }
    value
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

    fn rules(replica_value: ReplicaValue, overlong_value: OverlongValue) -> ValueRules {
        ValueRules {
            replica_value,
            overlong_value,
            placement_unit: PlacementUnit::Replica,
        }
    }

    fn value_of(
        rules: ValueRules,
        key: &str,
        namespace: Option<&str>,
        leader: &str,
        subgroup: Option<i64>,
    ) -> Result<String, ValueError> {
        let unit = Unit {
            namespace,
            leader,
            subgroup,
        };
        rules.value(&ReplicaKey::parse(key).unwrap(), unit)
    }

    const KEY: &str = "pool.test/group";
    const GKE: &str = "cloud.google.com/gke-placement-group";

    #[test]
    fn c7_values_that_fit() {
        use OverlongValue::Reject;
        use ReplicaValue::{HashedLeaderName, LeaderName, NamespacedLeaderName};
        for (made_of, subgroup, value) in [
            (LeaderName, None, "fruit-0"),
            (LeaderName, Some(1), "fruit-0.1"),
            (NamespacedLeaderName, None, "red.fruit-0"),
            (NamespacedLeaderName, Some(12), "red.fruit-0.12"),
            (HashedLeaderName, None, "fruit-0-e58853c8070e6a52"),
            (HashedLeaderName, Some(1), "fruit-0-e58853c8070e6a52.1"),
        ] {
            let found = value_of(
                rules(made_of, Reject),
                KEY,
                Some("red"),
                "fruit-0",
                subgroup,
            );
            assert_eq!(found.unwrap(), value);
        }
    }

    #[test]
    fn c7_limits() {
        use OverlongValue::{Hash, Reject};
        use ReplicaValue::{HashedLeaderName, LeaderName};
        for (key, limit) in [(KEY, 63), (GKE, 40)] {
            let fits = "a".repeat(limit);
            let over = "a".repeat(limit + 1);
            let reject = rules(LeaderName, Reject);
            assert_eq!(value_of(reject, key, None, &fits, None).unwrap(), fits);
            assert_eq!(
                value_of(reject, key, None, &over, None),
                Err(ValueError::TooLong {
                    key: key.to_owned(),
                    value: over.clone(),
                    limit
                })
            );
            let hash = rules(LeaderName, Hash);
            assert_eq!(value_of(hash, key, None, &fits, None).unwrap(), fits);
            let hashed = value_of(hash, key, None, &over, None).unwrap();
            assert_eq!(hashed.len(), limit);
            assert!(hashed.starts_with(&"a".repeat(limit - 17)), "{hashed}");
            let other = value_of(hash, key, None, &format!("{over}a"), None).unwrap();
            assert_ne!(hashed, other, "hashing keeps values apart");
            let always = rules(HashedLeaderName, Reject);
            let whole = value_of(always, key, Some("red"), &over, None).unwrap();
            assert_eq!(whole.len(), limit, "a hashed leader name always fits");
        }
        let always = rules(HashedLeaderName, Reject);
        let long = "a".repeat(63);
        let value = value_of(always, KEY, Some("red"), &long, Some(10)).unwrap();
        assert_eq!(value.len(), 63);
        assert!(value.ends_with(".10"), "the subgroup stays whole: {value}");
    }

    #[test]
    fn values_of_other_namespaces_differ() {
        let hashed = rules(ReplicaValue::HashedLeaderName, OverlongValue::Reject);
        let of = |namespace| value_of(hashed, KEY, Some(namespace), "fruit-0", None).unwrap();
        assert_ne!(of("red"), of("blue"));
    }

    #[test]
    fn every_error_says_what_to_do() {
        let plain = rules(ReplicaValue::LeaderName, OverlongValue::Reject);
        let namespaced = rules(ReplicaValue::NamespacedLeaderName, OverlongValue::Reject);
        for (rules, key, leader, text) in [
            (
                plain,
                GKE,
                "a2345678901234567890123456789012345678901",
                "replica value \"a2345678901234567890123456789012345678901\" has 41 characters, but \
                 \"cloud.google.com/gke-placement-group\" holds 40; shorten the LeaderWorkerSet's name or \
                 set overlongValue to Hash",
            ),
            (
                plain,
                GKE,
                "0fruit",
                "replica value \"0fruit\" is not legal for \"cloud.google.com/gke-placement-group\"; it \
                 takes lower-case letters, digits and \"-\", a letter first",
            ),
            (
                plain,
                KEY,
                "fruit-",
                "replica value \"fruit-\" is not legal for \"pool.test/group\"; it takes letters, digits, \
                 \"-\", \"_\" and \".\"",
            ),
            (
                namespaced,
                KEY,
                "fruit-0",
                "the replica value needs a namespace, but neither object nor request has one; set \
                 metadata.namespace",
            ),
        ] {
            let error = value_of(rules, key, None, leader, None).unwrap_err();
            assert_eq!(error.to_string(), text);
        }
    }
}
