//! The replica value: what tells one replica from every other.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::key::ReplicaKey;
use crate::message::Quoted;
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
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let room = limit.saturating_sub(HASH_DIGITS + 1);
    let mut value: String = visible.chars().take(room).collect();
    value.push('-');
    for byte in Sha256::digest(whole).iter().take(HASH_DIGITS / 2) {
        for nibble in [byte >> 4, byte & 15] {
            value.extend(
                DIGITS
                    .get(usize::from(nibble))
                    .map(|digit| char::from(*digit)),
            );
        }
    }
    value
}
