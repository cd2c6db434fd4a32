//! Fields of a set that are misspelt or stand in the wrong place: the API server drops them without a word, and what
//! they ask for never happens.

use super::place::Located;
use super::report::Remark;
use crate::near::near;
use crate::problem::escape;
use serde_json::Value;

/// Where fields of a LeaderWorkerSet stand, and which there are. Later versions may know more, so a name is told only if
/// it is nearly one of these or belongs elsewhere.
const FIELDS: [(&str, &[&str]); 5] = [
    (
        "/spec",
        &[
            "replicas",
            "leaderWorkerTemplate",
            "rolloutStrategy",
            "startupPolicy",
            "networkConfig",
            "groupIdentity",
        ],
    ),
    (
        "/spec/leaderWorkerTemplate",
        &[
            "leaderTemplate",
            "workerTemplate",
            "size",
            "restartPolicy",
            "subGroupPolicy",
            "volumeClaimTemplates",
        ],
    ),
    (
        "/spec/leaderWorkerTemplate/leaderTemplate",
        &["metadata", "spec"],
    ),
    (
        "/spec/leaderWorkerTemplate/workerTemplate",
        &["metadata", "spec"],
    ),
    (
        "/spec/leaderWorkerTemplate/subGroupPolicy",
        &["subGroupSize", "subGroupPolicyType"],
    ),
];

/// Fields of a pod's spec that are often one level too far out.
const OF_A_POD: [&str; 5] = [
    "containers",
    "nodeSelector",
    "tolerations",
    "affinity",
    "volumes",
];

/// A sentence for each field that is misspelt or misplaced.
pub(super) fn remarks(item: &Located<'_>) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for (parent, known) in FIELDS {
        let Some(Value::Object(fields)) = item.value.pointer(parent) else {
            continue;
        };
        for name in fields.keys().filter(|name| !known.contains(&name.as_str())) {
            if let Some(place) = place_of(parent, name, known) {
                let path = dotted(&format!("{parent}/{name}"));
                let text = format!(
                    "{path} is not a field of LeaderWorkerSets, so the cluster would drop it; did you mean {place}?"
                );
                remarks.push(item.warning(&format!("{parent}/{}", escape(name)), text));
            }
        }
    }
    remarks
}

/// Where a field that is not known here belongs; none where nothing is like it.
fn place_of(parent: &str, name: &str, known: &[&str]) -> Option<String> {
    let elsewhere = FIELDS.iter().find(|(other, names)| {
        *other != parent && !names.contains(&"metadata") && names.contains(&name)
    });
    if let Some((other, _)) = elsewhere {
        return Some(dotted(&format!("{other}/{name}")));
    }
    if known.contains(&"metadata") && OF_A_POD.contains(&name) {
        return Some(dotted(&format!("{parent}/spec/{name}")));
    }
    let near = near(name, known)?;
    Some(dotted(&format!("{parent}/{near}")))
}

fn dotted(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}
