//! Whether an update changes what a set's pods are made of.
//!
//! The API server hands over what clients wrote: a controller written in Go sends
//! `creationTimestamp: null` or `resources: {}` where kubectl sends nothing, leaves out what is empty, and writes
//! amounts in another form. LWS hashes the typed object, to which these are one, so they are no change here either
//! (L6). In doubt two sets are alike: a change that is missed leaves the stamp as it is, one that is made up rolls
//! every replica.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::quantity;
use super::view::SetView;
use crate::json::{self, Kind, Raw};
use crate::stamp::STAMP;

/// Fields that Go's encoder writes although they are empty.
const WRITTEN_EMPTY: [&str; 9] = [
    "metadata",
    "annotations",
    "labels",
    "resources",
    "status",
    "spec",
    "nodeSelector",
    "limits",
    "requests",
];

/// Fields that Go's encoder leaves out when they are false or 0, which is also their default.
const LEFT_OUT_ZERO: [&str; 9] = [
    "hostNetwork",
    "hostPID",
    "hostIPC",
    "stdin",
    "stdinOnce",
    "tty",
    "readOnly",
    "hostPort",
    "initialDelaySeconds",
];

/// Maps whose members have names of the user's, so that an empty value is one.
const FREE_MAPS: [&str; 5] = [
    "labels",
    "annotations",
    "nodeSelector",
    "matchLabels",
    "volumeAttributes",
];

/// How deep two templates are compared by what they mean; what lies deeper is compared as text. Kubernetes' own types
/// end at 13, and each level reads the rest of the text once more.
const DEPTH: usize = 16;

/// The longest text that is looked through for whether it tells nothing. Go's encoder writes less for an empty struct.
const EMPTY_LENGTH: usize = 512;

/// Maps and fields of amounts.
const AMOUNTS: [&str; 4] = ["limits", "requests", "capacity", "overhead"];
const AMOUNT: [&str; 2] = ["sizeLimit", "divisor"];

/// Whether two sets are alike in the fields that section 7 of the contract names.
#[must_use]
pub fn is_same(new: &SetView<'_>, old: &SetView<'_>) -> bool {
    same_annotations(new, old)
        && new.topologies == old.topologies
        && (new.replicas, new.surge, new.is_hash) == (old.replicas, old.surge, old.is_hash)
        && same_optional(new.templates, old.templates, Stamps::Count)
}

/// Whether the set's own two annotations are alike.
#[must_use]
pub fn same_annotations(new: &SetView<'_>, old: &SetView<'_>) -> bool {
    new.node_selector == old.node_selector && new.toleration == old.toleration
}

/// Whether the leaderWorkerTemplate is alike but for stamps.
#[must_use]
pub fn same_templates(new: &SetView<'_>, old: &SetView<'_>) -> bool {
    let pairs = new.pair.iter().zip(&old.pair);
    pairs
        .into_iter()
        .all(|(new, old)| new.is_some() == old.is_some())
        && same_optional(new.templates, old.templates, Stamps::Pass)
}

/// Whether stamps are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stamps {
    Count,
    Pass,
}

fn same_optional(a: Option<Raw<'_>>, b: Option<Raw<'_>>, stamps: Stamps) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same_value("leaderWorkerTemplate", a, b, stamps, DEPTH),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Equal JSON, whatever the order of members. `name` is the member that the two are values of, `depth` how many levels
/// are still looked into: input of any depth must not use up the stack.
fn same_value(name: &str, a: Raw<'_>, b: Raw<'_>, stamps: Stamps, depth: usize) -> bool {
    if a.get() == b.get() {
        return true;
    }
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let kind = Kind::of(a);
    if kind != Kind::of(b) {
        return false;
    }
    match kind {
        Kind::Object => same_objects(name, a, b, stamps, depth),
        Kind::Array => same_lists(name, a, b, stamps, depth),
        Kind::String => json::string(a).is_ok_and(|a| json::string(b).is_ok_and(|b| a == b)),
        _ => false,
    }
}

fn same_lists(name: &str, a: Raw<'_>, b: Raw<'_>, stamps: Stamps, depth: usize) -> bool {
    let (Ok(mut a), Ok(mut b)) = (json::elements(a), json::elements(b)) else {
        return false;
    };
    // Of lists of different lengths nothing is compared.
    if a.clone().count() != b.clone().count() {
        return false;
    }
    while let (Some(a), Some(b)) = (a.next(), b.next()) {
        if !same_value(name, a, b, stamps, depth) {
            return false;
        }
    }
    true
}

/// A member of an object. Ordered by name; doubles as they stand in the text that both are slices of.
struct Member<'a> {
    name: Cow<'a, str>,
    value: Raw<'a>,
}

impl Member<'_> {
    fn order(&self) -> (&str, *const u8) {
        (&self.name, self.value.get().as_ptr())
    }
}

impl Ord for Member<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order().cmp(&other.order())
    }
}

impl PartialOrd for Member<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Member<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.order() == other.order()
    }
}

impl Eq for Member<'_> {}

fn same_objects(name: &str, a: Raw<'_>, b: Raw<'_>, stamps: Stamps, depth: usize) -> bool {
    let Some(mut a) = telling(name, a, stamps) else {
        return false;
    };
    let Some(mut b) = telling(name, b, stamps) else {
        return false;
    };
    if a.len() != b.len() {
        return false;
    }
    // Most writers keep the order.
    if !have_same_names(&a, &b) {
        (a, b) = (sorted(a), sorted(b));
    }
    if !have_same_names(&a, &b) {
        return false;
    }
    for (a, b) in a.iter().zip(&b) {
        if !same_value(&a.name, a.value, b.value, stamps, depth)
            && !is_written_otherwise(name, &a.name, a.value, b.value)
        {
            return false;
        }
    }
    true
}

/// Whether two values that are not the same text mean the same: amounts, and a name that LWS changes.
fn is_written_otherwise(parent: &str, member: &str, a: Raw<'_>, b: Raw<'_>) -> bool {
    let is_amount = AMOUNTS.contains(&parent) || AMOUNT.contains(&member);
    is_amount && quantity::same(a, b) || member == "restartPolicy" && is_former_name(a, b)
}

fn have_same_names(a: &[Member<'_>], b: &[Member<'_>]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.name == b.name)
}

/// By a heap, which is a tenth of the code of `sort_unstable`.
fn sorted(members: Vec<Member<'_>>) -> Vec<Member<'_>> {
    BinaryHeap::from(members).into_sorted_vec()
}

/// LWS's webhook stores the former `Default` as `None`.
fn is_former_name(a: Raw<'_>, b: Raw<'_>) -> bool {
    let names = [r#""Default""#, r#""None""#];
    names.contains(&a.get()) && names.contains(&b.get())
}

/// The members that tell something, as they stand.
fn telling<'a>(parent: &str, raw: Raw<'a>, stamps: Stamps) -> Option<Vec<Member<'a>>> {
    let is_free = FREE_MAPS.contains(&parent);
    let mut members = Vec::new();
    for entry in json::entries(raw).ok()? {
        let (name, value) = entry.ok()?;
        let tells_nothing =
            Kind::of(value) == Kind::Null || !is_free && is_empty(parent, &name, value, stamps);
        if !tells_nothing && (stamps == Stamps::Count || name != STAMP) {
            members.push(Member { name, value });
        }
    }
    Some(members)
}

/// How much of a map there is to look through: a stamp that is passed over may be of any length.
fn told_length(member: &str, raw: Raw<'_>, stamps: Stamps) -> usize {
    let length = raw.get().len();
    if stamps == Stamps::Count || length <= EMPTY_LENGTH {
        return length;
    }
    length.saturating_sub(stamp_length(member, raw))
}

/// How long the stamp in a template's metadata is, or in its annotations.
fn stamp_length(member: &str, raw: Raw<'_>) -> usize {
    let wanted = match member {
        "metadata" => "annotations",
        "annotations" => STAMP,
        _ => return 0,
    };
    let found = json::entries(raw).ok().and_then(|mut entries| {
        entries.find_map(|entry| entry.ok().filter(|(name, _)| name == wanted))
    });
    match found {
        Some((_, stamp)) if member == "annotations" => stamp.get().len(),
        Some((_, annotations)) => stamp_length(wanted, annotations),
        None => 0,
    }
}

/// Whether a list has no elements.
fn is_blank_list(raw: Raw<'_>) -> bool {
    let mut inner = raw.get().bytes().skip(1);
    inner.find(|byte| !byte.is_ascii_whitespace()) == Some(b']')
}

/// Whether a member is as good as absent to Go's types, or has the value that LWS fills in.
fn is_empty(parent: &str, member: &str, raw: Raw<'_>, stamps: Stamps) -> bool {
    match Kind::of(raw) {
        Kind::Null => true,
        Kind::Array => is_blank_list(raw),
        Kind::Object => {
            WRITTEN_EMPTY.contains(&member)
                && told_length(member, raw, stamps) <= EMPTY_LENGTH
                && telling(member, raw, stamps).is_some_and(|all| all.is_empty())
        }
        Kind::Bool | Kind::Number => {
            matches!(raw.get(), "false" | "0") && LEFT_OUT_ZERO.contains(&member)
        }
        Kind::String => {
            raw.get() == r#""""# && member != "storageClassName"
                || member == "divisor" && quantity::is_zero(raw)
                || (parent, member, raw.get()) == ("subGroupPolicy", "type", r#""LeaderWorker""#)
        }
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

    use super::super::view::Outline;

    /// Whether two leaderWorkerTemplates are alike, but for stamps and with them.
    fn compared(a: &str, b: &str) -> [bool; 2] {
        let of = |template: &str| {
            format!(
                r#"{{"metadata":{{"name":"fruit"}},"spec":{{"leaderWorkerTemplate":{template}}}}}"#
            )
        };
        let (a, b) = (of(a), of(b));
        let a = Outline::read(json::document(&a).unwrap(), "request.object")
            .unwrap()
            .set()
            .unwrap();
        let b = Outline::read(json::document(&b).unwrap(), "request.object")
            .unwrap()
            .set()
            .unwrap();
        assert_eq!(same_templates(&a, &b), same_templates(&b, &a));
        assert_eq!(is_same(&a, &b), is_same(&b, &a));
        [same_templates(&a, &b), is_same(&a, &b)]
    }

    fn worker(template: &str) -> String {
        format!(r#"{{"workerTemplate":{template}}}"#)
    }

    fn container(fields: &str) -> String {
        worker(&format!(
            r#"{{"spec":{{"containers":[{{"name":"main"{fields}}}]}}}}"#
        ))
    }

    #[test]
    fn l6_no_change() {
        for (a, b) in [
            (
                r#"{"size":4,"x":[1, 2]}"#.to_owned(),
                r#"{"x":[1,2],"size":4}"#.to_owned(),
            ),
            (r#"{"x":"\u0041"}"#.to_owned(), r#"{"x":"A"}"#.to_owned()),
            (r#"{"x":null}"#.to_owned(), "{}".to_owned()),
            (
                r#"{"restartPolicy":"Default"}"#.to_owned(),
                r#"{"restartPolicy":"None"}"#.to_owned(),
            ),
            (
                r#"{"subGroupPolicy":{"subGroupSize":2}}"#.to_owned(),
                r#"{"subGroupPolicy":{"type":"LeaderWorker","subGroupSize":2}}"#.to_owned(),
            ),
            (r#"{"leaderTemplate":null}"#.to_owned(), "{}".to_owned()),
            (
                worker("{}"),
                worker(r#"{"metadata":{"creationTimestamp":null},"spec":{"containers":null}}"#),
            ),
            (
                worker("{}"),
                worker(r#"{"metadata":{"annotations":{},"labels":null}}"#),
            ),
            (container(""), container(r#","resources":{}"#)),
            (
                container(""),
                container(r#","resources":{"limits":{},"requests":null}"#),
            ),
            (
                container(""),
                container(r#","env":[],"args":[],"workingDir":"","tty":false"#),
            ),
            (
                container(r#","resources":{"limits":{"nvidia.com/gpu":8,"memory":"1024Mi"}}"#),
                container(r#","resources":{"limits":{"nvidia.com/gpu":"8","memory":"1Gi"}}"#),
            ),
            (
                container(r#","env":[{"name":"A"}]"#),
                container(r#","env":[{"name":"A","value":""}]"#),
            ),
            (
                container(
                    r#","env":[{"valueFrom":{"resourceFieldRef":{"resource":"limits.cpu"}}}]"#,
                ),
                container(
                    r#","env":[{"valueFrom":{"resourceFieldRef":{"resource":"limits.cpu","divisor":"0"}}}]"#,
                ),
            ),
        ] {
            assert_eq!(compared(&a, &b), [true; 2], "{a} {b}");
        }
    }

    #[test]
    fn l6_a_change() {
        for (a, b) in [
            (r#"{"size":4}"#.to_owned(), r#"{"size":5}"#.to_owned()),
            (r#"{"x":[1,2]}"#.to_owned(), r#"{"x":[2,1]}"#.to_owned()),
            (r#"{"x":[1]}"#.to_owned(), r#"{"x":[1,2]}"#.to_owned()),
            (r#"{"x":1}"#.to_owned(), r#"{"x":"1"}"#.to_owned()),
            (
                r#"{"restartPolicy":"None"}"#.to_owned(),
                r#"{"restartPolicy":"RecreateGroupOnPodRestart"}"#.to_owned(),
            ),
            (
                r#"{"subGroupPolicy":{"subGroupSize":2}}"#.to_owned(),
                r#"{"subGroupPolicy":{"type":"LeaderExcluded","subGroupSize":2}}"#.to_owned(),
            ),
            (r#"{"leaderTemplate":{}}"#.to_owned(), "{}".to_owned()),
            (worker("{}"), "{}".to_owned()),
            (worker("{}"), worker(r#"{"metadata":{"labels":{"a":""}}}"#)),
            (
                worker(r#"{"metadata":{"annotations":{"a":"1"}}}"#),
                worker(r#"{"metadata":{"annotations":{"a":"2"}}}"#),
            ),
            (worker("{}"), worker(r#"{"spec":{"hostNetwork":true}}"#)),
            (
                worker("{}"),
                worker(r#"{"spec":{"automountServiceAccountToken":false}}"#),
            ),
            (container(""), container(r#","securityContext":{}"#)),
            (container(""), container(r#","priority":0"#)),
            (container(""), container(r#","ports":[{"hostPort":1}]"#)),
            (
                container(r#","ports":[{"hostPort":1}]"#),
                container(r#","ports":[{"hostPort":0}]"#),
            ),
            (container(r#","initialDelaySeconds":5"#), container("")),
            (container(r#","tty":true"#), container("")),
            (
                container(r#","resources":{"x":"0"}"#),
                container(r#","resources":{}"#),
            ),
            (
                container(r#","resources":{"limits":{"nvidia.com/gpu":8}}"#),
                container(r#","resources":{"limits":{"nvidia.com/gpu":4}}"#),
            ),
            (
                container(r#","env":[{"name":"A","value":"1"}]"#),
                container(r#","env":[{"name":"A","value":"1000m"}]"#),
            ),
        ] {
            assert_eq!(compared(&a, &b), [false; 2], "{a} {b}");
        }
    }

    /// A stamp may be longer than what is looked through; other text may not.
    #[test]
    fn s6_a_long_stamp_is_no_change_of_a_template() {
        let metadata = |name: &str, length: usize| {
            worker(&format!(
                r#"{{"metadata":{{"annotations":{{"{name}":"{}"}}}}}}"#,
                "x".repeat(length)
            ))
        };
        for length in [1, EMPTY_LENGTH, 50_000] {
            let stamped = metadata(STAMP, length);
            for bare in [
                worker("{}"),
                worker(r#"{"metadata":{"labels":{}}}"#),
                worker(r#"{"metadata":{"annotations":{}}}"#),
            ] {
                assert_eq!(compared(&stamped, &bare), [true, false], "{length} {bare}");
            }
            let other = metadata("other", length);
            assert_eq!(compared(&other, &worker("{}")), [false; 2], "{length}");
        }
        // Nothing but empty maps, in more text than is looked through: a change, in doubt.
        for (spaces, alike) in [(EMPTY_LENGTH - 2, true), (EMPTY_LENGTH - 1, false)] {
            let blank = format!(r#"{{"metadata":{{{}}}}}"#, " ".repeat(spaces));
            assert_eq!(compared(&worker(&blank), &worker("{}")), [alike; 2]);
        }
    }

    /// Fields are left out where they are 0, and no others.
    #[test]
    fn l6_zeros() {
        let zero = container(r#","initialDelaySeconds":0"#);
        assert_eq!(compared(&container(""), &zero), [true; 2]);
    }

    #[test]
    fn a_set_without_templates_is_another() {
        let [with, without] = [r#","leaderWorkerTemplate":{}"#, ""].map(|template| {
            format!(r#"{{"metadata":{{"name":"fruit"}},"spec":{{"replicas":1{template}}}}}"#)
        });
        let [a, b] = [&with, &without].map(|text| {
            let outline = Outline::read(json::document(text).unwrap(), "request.object").unwrap();
            outline.set().unwrap()
        });
        assert!(!is_same(&a, &b) && !is_same(&b, &a) && is_same(&b, &b));
    }

    #[test]
    fn s6_stamps_are_no_change_of_a_template() {
        let stamped = |stamp: &str| {
            worker(&format!(
                r#"{{"metadata":{{"annotations":{{"lws-replica-placement/placement":"{stamp}"}}}}}}"#
            ))
        };
        for (a, b) in [
            (stamped("a"), stamped("b")),
            (stamped("a"), worker("{}")),
            (stamped("a"), worker(r#"{"metadata":null}"#)),
            (stamped("a"), worker(r#"{"metadata":{"annotations":{}}}"#)),
        ] {
            assert_eq!(compared(&a, &b), [true, false], "{a} {b}");
        }
    }

    #[test]
    fn s7_what_else_a_set_has() {
        let of = |metadata: &str, spec: &str| {
            format!(
                r#"{{"metadata":{{"name":"fruit"{metadata}}},"spec":{{"leaderWorkerTemplate":{{}}{spec}}}}}"#
            )
        };
        const NODE_SELECTOR: &str = r#","annotations":{"lws-replica-placement/node-selector":"a"}"#;
        const EXCLUSIVE: &str =
            r#","annotations":{"leaderworkerset.sigs.k8s.io/exclusive-topology":"a"}"#;
        const SURGE: &str =
            r#","replicas":4,"rolloutStrategy":{"rollingUpdateConfiguration":{"maxSurge":"25%"}}"#;
        for (a, b, alike) in [
            (
                of("", ""),
                of(r#","labels":{"a":"b"},"annotations":{"x":"y"}"#, ""),
                true,
            ),
            (
                of("", ""),
                of("", r#","startupPolicy":"LeaderReady","networkConfig":{}"#),
                true,
            ),
            (of("", ""), of("", r#","replicas":1"#), true),
            (
                of("", SURGE),
                of(
                    "",
                    r#","replicas":4,"rolloutStrategy":{"rollingUpdateConfiguration":{"maxSurge":1}}"#,
                ),
                true,
            ),
            (of("", ""), of("", r#","replicas":2"#), false),
            (of("", r#","replicas":4"#), of("", SURGE), false),
            (of("", ""), of(NODE_SELECTOR, ""), false),
            (of("", ""), of(EXCLUSIVE, ""), false),
            (of("", ""), of("", r#","groupIdentity":"Hash""#), false),
            (
                of("", ""),
                of("", r#","placementPolicy":{"topology":"a"}"#),
                false,
            ),
        ] {
            let new = Outline::read(json::document(&a).unwrap(), "request.object")
                .unwrap()
                .set()
                .unwrap();
            let old = Outline::read(json::document(&b).unwrap(), "request.object")
                .unwrap()
                .set()
                .unwrap();
            assert_eq!(is_same(&new, &old), alike, "{a} {b}");
        }
    }
}
