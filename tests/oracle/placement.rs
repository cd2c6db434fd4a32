//! What a member of a replica should carry, from the contract's text: which keys and taints (A1), which value (C7).

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::scheduler::Node;

const NODE_SELECTOR: &str = "lws-replica-placement/node-selector";
const TOLERATION: &str = "lws-replica-placement/toleration";
const GKE: &str = "cloud.google.com/gke-placement-group";

/// Keys and taints (key and effect) that are asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    pub keys: Vec<String>,
    pub taints: Vec<(String, String)>,
}

impl Asked {
    /// What settings and the annotations of some objects, the farthest first, ask for together.
    pub fn of(settings: &Value, layers: &[&Value]) -> Self {
        let mut asked = Self {
            keys: match &settings["replicaSpecificNodeSelector"] {
                Value::String(key) => vec![key.clone()],
                keys => list(keys)
                    .iter()
                    .map(|key| key.as_str().unwrap().to_owned())
                    .collect(),
            },
            taints: list(&settings["replicaSpecificToleration"])
                .iter()
                .map(|taint| {
                    let effect = taint["effect"].as_str().unwrap_or_default();
                    (taint["key"].as_str().unwrap().to_owned(), effect.to_owned())
                })
                .collect(),
        };
        let replace = settings["workloadAnnotations"] == "Replace";
        for layer in layers {
            if settings["workloadAnnotations"] == "Ignore" {
                break;
            }
            if let Some(text) = layer[NODE_SELECTOR].as_str() {
                join(&mut asked.keys, items(text), replace);
            }
            if let Some(text) = layer[TOLERATION].as_str() {
                let taints = items(text).into_iter().map(|item| {
                    let (key, effect) = item.split_once(':').unwrap_or((&item, ""));
                    (key.to_owned(), effect.to_owned())
                });
                join(&mut asked.taints, taints.collect(), replace);
            }
        }
        asked
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.taints.is_empty()
    }

    /// Every key once.
    pub fn all_keys(&self) -> Vec<String> {
        let mut keys = self.keys.clone();
        for (key, _) in &self.taints {
            if !keys.contains(key) {
                keys.push(key.clone());
            }
        }
        keys
    }
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn items(text: &str) -> Vec<String> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    text.split(',').map(|item| item.trim().to_owned()).collect()
}

fn join<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>, replace: bool) {
    if replace {
        all.clear();
    }
    for item in more {
        if !all.contains(&item) {
            all.push(item);
        }
    }
}

/// Whose value it is.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    pub namespace: &'a str,
    pub leader: &'a str,
    pub subgroup: Option<u64>,
}

/// The value of a unit under a key, or `None` where it is too long.
pub fn value(settings: &Value, key: &str, unit: Unit<'_>) -> Option<String> {
    let limit = if key == GKE { 40 } else { 63 };
    let Unit {
        namespace,
        leader,
        subgroup,
    } = unit;
    let suffix = subgroup.map_or(String::new(), |index| format!(".{index}"));
    let value = match settings["replicaValue"].as_str().unwrap_or("LeaderName") {
        "LeaderName" => format!("{leader}{suffix}"),
        "NamespacedLeaderName" => format!("{namespace}.{leader}{suffix}"),
        _ => {
            let room = limit - suffix.len() - 17;
            let cut = &leader[..leader.len().min(room)];
            return Some(format!(
                "{cut}-{}{suffix}",
                hash(&format!("{namespace}/{leader}"))
            ));
        }
    };
    if value.len() <= limit {
        Some(value)
    } else if settings["overlongValue"] == "Hash" {
        Some(format!("{}-{}", &value[..limit - 17], hash(&value)))
    } else {
        None
    }
}

fn hash(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The subgroup of a member as LWS numbers them; `None` where it is in none.
pub fn subgroup(set: &Value, worker: u64) -> Option<u64> {
    let template = &set["spec"]["leaderWorkerTemplate"];
    let sub = template["subGroupPolicy"]["subGroupSize"].as_u64()?;
    let size = template["size"].as_u64().unwrap();
    if worker == 0 {
        let excluded = template["subGroupPolicy"]["type"] == "LeaderExcluded";
        return (!excluded).then_some(0);
    }
    // Where the workers alone fill whole subgroups, the leader is one more in the first.
    let leader_is_extra = (size - 1).is_multiple_of(sub) && !size.is_multiple_of(sub);
    Some((worker - u64::from(leader_is_extra)) / sub)
}

/// A node that was made for a unit: labelled and tainted for it, and beyond that as `like`. `None` where the unit has
/// no value for some key.
pub fn node(settings: &Value, asked: &Asked, unit: Unit<'_>, like: &Node) -> Option<Node> {
    let mut node = like.clone();
    for key in &asked.keys {
        node.labels.insert(key.clone(), value(settings, key, unit)?);
    }
    for (key, effect) in &asked.taints {
        let all = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
        for each in all {
            if effect.is_empty() || effect == each {
                let taint = (key.clone(), value(settings, key, unit)?, each.to_owned());
                node.taints.push(taint);
            }
        }
    }
    Some(node)
}
