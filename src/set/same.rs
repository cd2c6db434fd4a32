//! Whether an update changes what a set's pods are made of.
//!
//! The API server hands over what clients wrote: a controller written in Go sends
//! `creationTimestamp: null` or `resources: {}` where kubectl sends nothing, leaves out what is empty, and writes
//! amounts in another form. LWS hashes the typed object, to which these are one, so they are no change here either
//! (L6). In doubt two sets are alike: a change that is missed leaves the stamp as it is, one that is made up rolls
//! every replica.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::quantity;
use super::view::SetView;
use crate::json::{self, Kind};
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

/// Maps and fields of amounts.
const AMOUNTS: [&str; 4] = ["limits", "requests", "capacity", "overhead"];
const AMOUNT: [&str; 2] = ["sizeLimit", "divisor"];

/// Whether two sets are alike in the fields that section 7 of the contract names.
#[must_use]
pub fn is_same(new: &SetView<'_>, old: &SetView<'_>) -> bool {
    let topologies = |set: &SetView<'_>| {
        let keys = set.topologies.iter();
        keys.map(|(path, key)| (*path, key.clone().into_owned()))
            .collect::<Vec<_>>()
    };
    same_annotations(new, old)
        && topologies(new) == topologies(old)
        && (new.replicas, new.surge, new.is_hash) == (old.replicas, old.surge, old.is_hash)
        && same_optional(new.templates, old.templates, Stamps::Count)
}

/// Whether the set's own two annotations are alike.
#[must_use]
pub fn same_annotations(new: &SetView<'_>, old: &SetView<'_>) -> bool {
    new.layer().node_selector == old.layer().node_selector
        && new.layer().toleration == old.layer().toleration
}

/// Whether the leaderWorkerTemplate is alike but for stamps.
#[must_use]
pub fn same_templates(new: &SetView<'_>, old: &SetView<'_>) -> bool {
    new.leader.is_some() == old.leader.is_some()
        && new.worker.is_some() == old.worker.is_some()
        && same_optional(new.templates, old.templates, Stamps::Pass)
}

/// Whether stamps are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stamps {
    Count,
    Pass,
}

fn same_optional(a: Option<&RawValue>, b: Option<&RawValue>, stamps: Stamps) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same_value("leaderWorkerTemplate", a, b, stamps),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Equal JSON, whatever the order of members. `name` is the member that the two are values of.
fn same_value(name: &str, a: &RawValue, b: &RawValue, stamps: Stamps) -> bool {
    if a.get() == b.get() {
        return true;
    }
    match (Kind::of(a), Kind::of(b)) {
        (Kind::Object, Kind::Object) => same_objects(name, a, b, stamps),
        (Kind::Array, Kind::Array) => match (json::elements(a), json::elements(b)) {
            (Ok(a), Ok(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .zip(&b)
                        .all(|(a, b)| same_value(name, a, b, stamps))
            }
            _ => false,
        },
        (Kind::String, Kind::String) => match (json::string(a), json::string(b)) {
            (Ok(a), Ok(b)) => a == b,
            _ => false,
        },
        _ => false,
    }
}

type Entry<'a> = (Cow<'a, str>, &'a RawValue);

fn same_objects(name: &str, a: &RawValue, b: &RawValue, stamps: Stamps) -> bool {
    let (Some(a), Some(b)) = (telling(name, a, stamps), telling(name, b, stamps)) else {
        return false;
    };
    a.len() == b.len()
        && a.iter().zip(&b).all(|((a_name, a), (b_name, b))| {
            let is_amount = AMOUNTS.contains(&name) || AMOUNT.contains(&&**a_name);
            a_name == b_name
                && (same_value(a_name, a, b, stamps)
                    || is_amount && quantity::same(a, b)
                    || a_name == "restartPolicy" && is_former_name(a, b))
        })
}

/// LWS's webhook stores the former `Default` as `None`.
fn is_former_name(a: &RawValue, b: &RawValue) -> bool {
    matches!(
        (a.get(), b.get()),
        (r#""Default""#, r#""None""#) | (r#""None""#, r#""Default""#)
    )
}

/// The members that tell something, by name.
fn telling<'a>(name: &str, raw: &'a RawValue, stamps: Stamps) -> Option<Vec<Entry<'a>>> {
    let is_free = FREE_MAPS.contains(&name);
    let mut entries = json::entries(raw).ok()?;
    entries.retain(|(member, value)| {
        let tells_nothing =
            Kind::of(value) == Kind::Null || !is_free && is_empty(name, member, value, stamps);
        !tells_nothing && (stamps == Stamps::Count || member != STAMP)
    });
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Some(entries)
}

/// Whether a member is as good as absent to Go's types, or has the value that LWS fills in.
fn is_empty(parent: &str, member: &str, raw: &RawValue, stamps: Stamps) -> bool {
    match Kind::of(raw) {
        Kind::Null => true,
        Kind::Array => json::elements(raw).is_ok_and(|all| all.is_empty()),
        Kind::Object => {
            WRITTEN_EMPTY.contains(&member)
                && telling(member, raw, stamps).is_some_and(|all| all.is_empty())
        }
        Kind::Bool => raw.get() == "false" && LEFT_OUT_ZERO.contains(&member),
        Kind::Number => raw.get() == "0" && LEFT_OUT_ZERO.contains(&member),
        Kind::String => {
            raw.get() == r#""""# && member != "storageClassName"
                || member == "divisor" && quantity::is_zero(raw)
                || (parent, member, raw.get()) == ("subGroupPolicy", "type", r#""LeaderWorker""#)
        }
    }
}
