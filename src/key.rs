//! Label keys that may hold a replica value.

use std::fmt;

use crate::message::Quoted;

/// GKE's placement group label: its value becomes the name of a node pool (K5).
pub const GKE_PLACEMENT_GROUP: &str = "cloud.google.com/gke-placement-group";

/// The longest label value (K1).
const VALUE_LIMIT: usize = 63;

/// The longest node pool name on GKE (K5).
const GKE_VALUE_LIMIT: usize = 40;

/// A legal label key (K1) that is free to hold a replica value (C5). It is at once the key of a
/// node selector and of a taint: Kubernetes checks both alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaKey(Box<str>);

/// Why a text is no [`ReplicaKey`]. The text itself is told by the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// Nothing there.
    Empty,
    /// More than one `/`.
    Slashes,
    /// The part before the `/` is no DNS-1123 subdomain.
    Prefix,
    /// The part before the `/` is longer than 253 characters; its length.
    PrefixLength(usize),
    /// The name is not made of letters, digits, `-`, `_` and `.`, alphanumeric at both ends.
    Name,
    /// The name is longer than 63 characters; its length.
    NameLength(usize),
    /// The key has a meaning of its own: what it tells, and who sets it.
    Reserved(&'static str),
}

impl ReplicaKey {
    /// Checks a key as Kubernetes does (`IsQualifiedName`) and against the reserved ones.
    ///
    /// # Errors
    /// [`KeyError`] says which rule the text breaks.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        if text.is_empty() {
            return Err(KeyError::Empty);
        }
        let (prefix, name) = match split_once(text, b'/') {
            Some((prefix, name)) => (Some(prefix), name),
            None => (None, text),
        };
        if split_once(name, b'/').is_some() {
            return Err(KeyError::Slashes);
        }
        if let Some(prefix) = prefix {
            if prefix.len() > 253 {
                return Err(KeyError::PrefixLength(prefix.len()));
            }
            if !is_dns_subdomain(prefix) {
                return Err(KeyError::Prefix);
            }
        }
        if name.len() > 63 && name.bytes().all(|b| b.is_ascii()) {
            return Err(KeyError::NameLength(name.len()));
        }
        if !is_qualified(name) {
            return Err(KeyError::Name);
        }
        match reserved(prefix.unwrap_or_default(), name) {
            Some(meaning) => Err(KeyError::Reserved(meaning)),
            None => Ok(Self(text.into())),
        }
    }

    /// As [`ReplicaKey::parse`], with the text and what is wrong with it in a sentence.
    ///
    /// # Errors
    /// The sentence.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|error| format!("{} {error}", Quoted(text)))
    }

    /// The key as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is GKE's placement group label, whose values name node pools (K5).
    #[must_use]
    // Inlined where it is asked, it takes 300 bytes more.
    #[inline(never)]
    pub fn is_gke_placement_group(&self) -> bool {
        &*self.0 == GKE_PLACEMENT_GROUP
    }

    /// How many characters a value of this key may have (K1, K5).
    #[must_use]
    pub fn value_limit(&self) -> usize {
        if self.is_gke_placement_group() {
            GKE_VALUE_LIMIT
        } else {
            VALUE_LIMIT
        }
    }

    /// The pattern that a value of this key must match, if `value` does not (K1, K5).
    #[must_use]
    pub fn pattern_broken_by(&self, value: &str) -> Option<&'static str> {
        if self.is_gke_placement_group() {
            let legal = value.as_bytes().first().is_some_and(u8::is_ascii_lowercase)
                && is_dns_label(value.as_bytes());
            (!legal).then_some("lower-case letters, digits and \"-\", a letter first")
        } else {
            (!is_qualified(value)).then_some("letters, digits, \"-\", \"_\" and \".\"")
        }
    }
}

impl fmt::Display for ReplicaKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Quoted(&self.0).fmt(f)
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty; name a label key"),
            Self::Slashes => f.write_str("has more than one \"/\"; write prefix/name"),
            Self::Prefix => f.write_str(
                "has a prefix that is no DNS subdomain; use lower-case letters, digits, \"-\" and \".\"",
            ),
            Self::PrefixLength(length) => {
                write!(f, "has a prefix of {length} characters; at most 253 are legal")
            }
            Self::Name => f.write_str(
                "is no label key; use letters, digits, \"-\", \"_\" and \".\", a letter or digit at both ends",
            ),
            Self::NameLength(length) => {
                write!(f, "has a name of {length} characters; at most 63 are legal")
            }
            Self::Reserved(meaning) => {
                write!(f, "{meaning} and never holds a replica value; choose a key of your own")
            }
        }
    }
}

/// The keys that have a meaning of their own (C5): domain, name (empty: any) and meaning.
const RESERVED: [(&str, &str, &str); 8] = [
    ("kubernetes.io", "hostname", "names one node"),
    ("kubernetes.io", "os", "tells a node's platform"),
    ("kubernetes.io", "arch", "tells a node's platform"),
    (
        "node.kubernetes.io",
        "instance-type",
        "tells a node's machine type",
    ),
    ("topology.kubernetes.io", "", "tells where a node stands"),
    ("node-role.kubernetes.io", "", "tells a node's role"),
    (
        "leaderworkerset.sigs.k8s.io",
        "",
        "belongs to LeaderWorkerSet",
    ),
    (KARPENTER, "", "belongs to Karpenter"),
];

const KARPENTER: &str = "karpenter.sh";

/// The end of the domains below, in which Karpenter sets keys too.
const BELOW_KARPENTER: &str = ".karpenter.sh";

/// What a key's own meaning is (C5).
fn reserved(prefix: &str, name: &str) -> Option<&'static str> {
    let domain = if prefix.ends_with(BELOW_KARPENTER) {
        KARPENTER
    } else {
        prefix
    };
    RESERVED
        .iter()
        .find(|(own, named, _)| *own == domain && (named.is_empty() || *named == name))
        .map(|(_, _, meaning)| *meaning)
}

/// A DNS-1123 subdomain by its characters: labels of lower-case letters, digits and `-`.
/// Mirrors Kubernetes' `IsDNS1123Subdomain`, the length aside.
#[must_use]
pub fn is_dns_subdomain(text: &str) -> bool {
    text.as_bytes().split(|b| *b == b'.').all(is_dns_label)
}

fn is_dns_label(label: &[u8]) -> bool {
    is_made_of(
        label,
        |b| b.is_ascii_lowercase() || b.is_ascii_digit(),
        |b| b == b'-',
    )
}

/// Kubernetes' qualified name characters, shared by the names of keys and by label values.
fn is_qualified(text: &str) -> bool {
    is_made_of(
        text.as_bytes(),
        |b| b.is_ascii_alphanumeric(),
        |b| matches!(b, b'-' | b'_' | b'.'),
    )
}

/// Whether a text begins and ends with alphanumeric characters, and has only these and some others between.
fn is_made_of(text: &[u8], is_alphanumeric: fn(u8) -> bool, is_other: fn(u8) -> bool) -> bool {
    let is_end = |i| i == 0 || i + 1 == text.len();
    let mut characters = text.iter().enumerate();
    !text.is_empty() && characters.all(|(i, b)| is_alphanumeric(*b) || is_other(*b) && !is_end(i))
}

/// What stands before and behind the first of these ASCII characters. `str::split_once` brings a searcher of several
/// hundred bytes to each place that calls it.
#[must_use]
pub fn split_once(text: &str, separator: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|b| b == separator)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn error(text: &str) -> KeyError {
        ReplicaKey::parse(text).unwrap_err()
    }

    #[test]
    fn k1_legal_keys() {
        let longest_name = "a".repeat(63);
        let longest_prefix = format!(
            "{}/x",
            [
                "a".repeat(63),
                "b".repeat(63),
                "c".repeat(63),
                "d".repeat(61)
            ]
            .join(".")
        );
        for key in [
            "a",
            "A-b_c.9",
            "pool.test/group",
            "x-k8s.io/y",
            "node-restriction.kubernetes.io/x",
            "kubernetes.io/other",
            "notkarpenter.sh/x",
            "k8s.io/x",
            &longest_name,
            &longest_prefix,
        ] {
            assert_eq!(ReplicaKey::parse(key).unwrap().as_str(), key);
        }
    }

    #[test]
    fn k1_malformed_keys() {
        assert_eq!(error(""), KeyError::Empty);
        assert_eq!(error("a/b/c"), KeyError::Slashes);
        for key in ["/x", "-a/x", "a-/x", "A.b/x", "a..b/x", ".a/x", "a_b/x"] {
            assert_eq!(error(key), KeyError::Prefix, "{key}");
        }
        for key in ["-bad", "bad-", "a b", "a/", "ä", "a:b", "a=b", "."] {
            assert_eq!(error(key), KeyError::Name, "{key}");
        }
        assert_eq!(error(&"a".repeat(64)), KeyError::NameLength(64));
        assert_eq!(
            error(&format!("{}/x", "a".repeat(254))),
            KeyError::PrefixLength(254)
        );
    }

    #[test]
    fn c5_reserved_keys() {
        for key in [
            "kubernetes.io/hostname",
            "kubernetes.io/os",
            "kubernetes.io/arch",
            "node.kubernetes.io/instance-type",
            "topology.kubernetes.io/zone",
            "node-role.kubernetes.io/x",
            "karpenter.sh/x",
            "eks.karpenter.sh/x",
            "leaderworkerset.sigs.k8s.io/x",
        ] {
            assert!(matches!(error(key), KeyError::Reserved(_)), "{key}");
        }
    }

    #[test]
    fn every_error_says_what_to_do() {
        let texts: Vec<String> = [
            KeyError::Empty,
            KeyError::Slashes,
            KeyError::Prefix,
            KeyError::PrefixLength(254),
            KeyError::Name,
            KeyError::NameLength(64),
            KeyError::Reserved("names one node"),
        ]
        .iter()
        .map(ToString::to_string)
        .collect();
        assert_eq!(
            texts,
            [
                "is empty; name a label key",
                "has more than one \"/\"; write prefix/name",
                "has a prefix that is no DNS subdomain; use lower-case letters, digits, \"-\" and \".\"",
                "has a prefix of 254 characters; at most 253 are legal",
                "is no label key; use letters, digits, \"-\", \"_\" and \".\", a letter or digit at both ends",
                "has a name of 64 characters; at most 63 are legal",
                "names one node and never holds a replica value; choose a key of your own",
            ]
        );
    }

    #[test]
    fn k5_values() {
        let gke = ReplicaKey::parse("cloud.google.com/gke-placement-group").unwrap();
        assert_eq!(gke.value_limit(), 40);
        for legal in ["a", "a-0", "vllm-0"] {
            assert_eq!(gke.pattern_broken_by(legal), None, "{legal}");
        }
        for illegal in ["", "0a", "a-", "a.b", "A", "a_b", "-"] {
            assert!(gke.pattern_broken_by(illegal).is_some(), "{illegal}");
        }
        let own = ReplicaKey::parse("pool.test/group").unwrap();
        assert_eq!(own.value_limit(), 63);
        for legal in ["0a", "a.b", "A", "a_b"] {
            assert_eq!(own.pattern_broken_by(legal), None, "{legal}");
        }
        for illegal in ["", "a-", "-", "a b"] {
            assert!(own.pattern_broken_by(illegal).is_some(), "{illegal}");
        }
    }
}
