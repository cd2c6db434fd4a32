//! Values that only a cluster can give, replaced by values of the same shape that are the same in every run.

use serde_json::Value;
use sha1::{Digest, Sha1};
use uuid::Uuid;

/// SHA-1 in hexadecimal: not a stand-in, but LWS's own way to make group and subgroup keys.
pub(crate) fn sha1(text: &str) -> String {
    Sha1::digest(text.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A UID for an owner: version 5, over `<kind>/<namespace>/<name>`.
pub(crate) fn uid(kind: &str, namespace: &str, name: &str) -> String {
    Uuid::new_v5(
        &Uuid::NAMESPACE_URL,
        format!("{kind}/{namespace}/{name}").as_bytes(),
    )
    .to_string()
}

/// A set's template-revision-hash: what LWS hashes, in LWS's way, but as the set has it written (LWS hashes what its
/// Go types make of it). The order of fields does not count.
pub(crate) fn template_revision(leader_worker_template: &Value, network_config: &Value) -> String {
    let mut hashed = serde_json::json!({
        "spec": {"leaderWorkerTemplate": leader_worker_template, "networkConfig": network_config}
    });
    hashed.sort_all_objects();
    short_hash(&hashed.to_string())
}

/// The revision of a StatefulSet's pods: its name and a hash, as the StatefulSet controller forms it.
pub(crate) fn controller_revision(statefulset: &str, template_revision: &str) -> String {
    format!(
        "{statefulset}-{}",
        short_hash(&format!("StatefulSet/{statefulset}/{template_revision}"))
    )
}

/// The pod-template-hash of the ReplicaSet that holds a set's leaders.
pub(crate) fn pod_template_hash(set: &str, template_revision: &str) -> String {
    short_hash(&format!("ReplicaSet/{set}/{template_revision}"))
}

/// A name as the API server generates it: the base, cut to leave room, and five characters of the safe alphabet. They
/// are unique among the first 27^5 indexes.
pub(crate) fn generated_name(base: &str, index: u64) -> String {
    const LETTERS: u64 = SAFE_ALPHABET.len() as u64;
    const SPACE: u64 = LETTERS.pow(5);
    // A factor without a divisor in common with the space visits every number once; neighbours look unalike.
    const FACTOR: u64 = 8_121_001;
    let mut rest = (index % SPACE) * FACTOR;
    let mut name: String = base.chars().take(63 - 5).collect();
    for _ in 0..5 {
        name.push(safe_letter(rest));
        rest /= LETTERS;
    }
    name
}

/// Kubernetes' alphabet for hashes and generated names: no vowels and no digits that look like them.
const SAFE_ALPHABET: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";

/// The letter for a number's last digit.
fn safe_letter(number: u64) -> char {
    let index = usize::try_from(number % SAFE_ALPHABET.len() as u64).unwrap_or_default();
    SAFE_ALPHABET
        .get(index)
        .map_or('b', |letter| char::from(*letter))
}

/// 32-bit FNV-1, its decimal digits put into the safe alphabet, as Kubernetes and LWS write revisions.
fn short_hash(text: &str) -> String {
    let hash = text.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        hash.wrapping_mul(0x0100_0193) ^ u32::from(byte)
    });
    hash.to_string()
        .bytes()
        .map(|digit| safe_letter(u64::from(digit)))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn sha1_is_lowercase_hexadecimal() {
        // The test vector of FIPS 180.
        assert_eq!(sha1("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    }

    #[test]
    fn keys_are_those_that_lws_documents() {
        // The examples on LWS's reference page of labels, there shortened: 689ce1b5...b07 and 92904e74...801 (the
        // second lost three digits after 92904).
        let group = sha1("default/leaderworkerset-multi-template-0");
        assert!(
            group.starts_with("689ce1b5") && group.ends_with("b07"),
            "{group}"
        );
        let subgroup = sha1("leaderworkerset-multi-template-0/0");
        assert!(
            subgroup.starts_with("92904c8ae74") && subgroup.ends_with("801"),
            "{subgroup}"
        );
    }

    #[test]
    fn a_short_hash_is_fnv_1_in_the_safe_alphabet() {
        // FNV-1 of nothing is the offset basis, 2166136261.
        assert_eq!(short_hash(""), "65bb57b6b5");
        // FNV-1 (not 1a) of "a" is 0x050c5d7e = 84696446.
        assert_eq!(short_hash("a"), "d8bfb88b");
    }

    #[test]
    fn the_order_of_fields_does_not_change_a_revision() {
        let one: Value = serde_json::from_str(r#"{"a":1,"b":{"c":2,"d":3}}"#).unwrap_or_default();
        let two: Value = serde_json::from_str(r#"{"b":{"d":3,"c":2},"a":1}"#).unwrap_or_default();
        assert_eq!(
            template_revision(&one, &Value::Null),
            template_revision(&two, &Value::Null)
        );
        assert_ne!(
            template_revision(&one, &Value::Null),
            template_revision(&Value::Null, &one)
        );
    }

    #[test]
    fn generated_names_differ_and_keep_to_63_characters() {
        let base = "x".repeat(70);
        let names: BTreeSet<String> = (0..10_000)
            .map(|index| generated_name(&base, index))
            .collect();
        assert_eq!(names.len(), 10_000);
        assert!(names.iter().all(|name| name.len() == 63));
    }
}
