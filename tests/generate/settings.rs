//! Settings, and what a workload's annotations ask for.

use serde_json::{Value, json};

use super::random::Random;

/// Keys that may hold a replica value; the last one is GKE's, with its own limit.
pub const KEYS: [&str; 5] = [
    "pool.test/group",
    "pool.test/other",
    "plain",
    "node-restriction.kubernetes.io/replica",
    "cloud.google.com/gke-placement-group",
];

const EFFECTS: [&str; 4] = ["", "NoSchedule", "PreferNoSchedule", "NoExecute"];

/// A list of keys as settings and annotations have it.
pub fn keys(random: &mut Random, dots: bool) -> Vec<String> {
    let legal = if dots { &KEYS[..4] } else { &KEYS[..] };
    let keys = random.some(legal);
    keys.into_iter().map(str::to_owned).collect()
}

/// Taints, each a key and an effect; no effect is empty.
pub fn taints(random: &mut Random, dots: bool) -> Vec<(String, String)> {
    let mut taints = Vec::new();
    for key in keys(random, dots) {
        for effect in random.some(&EFFECTS).into_iter().take(2) {
            taints.push((key.clone(), effect.to_owned()));
        }
    }
    taints
}

/// Settings that are valid.
pub fn valid(random: &mut Random) -> Value {
    let mut settings = json!({});
    for (name, words) in [
        (
            "replicaValue",
            &["LeaderName", "NamespacedLeaderName", "HashedLeaderName"][..],
        ),
        ("overlongValue", &["Reject", "Hash"]),
        ("placementUnit", &["Replica", "SubGroup"]),
        ("members", &["All", "All", "All", "Workers"]),
        ("workloadAnnotations", &["Extend", "Replace", "Ignore"]),
        ("unstampedPods", &["Inject", "Inject", "Inject", "Leave"]),
    ] {
        if random.once_in(2) {
            settings[name] = json!(random.pick(words));
        }
    }
    let dots = has_dots(&settings);
    let keys = keys(random, dots);
    settings["replicaSpecificNodeSelector"] = match keys.as_slice() {
        [key] if random.once_in(2) => json!(key),
        keys => json!(keys),
    };
    let taints: Vec<Value> = taints(random, dots)
        .into_iter()
        .map(|(key, effect)| {
            if effect.is_empty() && random.once_in(2) {
                json!({"key": key})
            } else {
                json!({"key": key, "effect": effect})
            }
        })
        .collect();
    settings["replicaSpecificToleration"] = json!(taints);
    settings
}

/// Whether values hold a dot, which GKE's key does not take.
pub fn has_dots(settings: &Value) -> bool {
    settings["replicaValue"] == "NamespacedLeaderName" || settings["placementUnit"] == "SubGroup"
}

/// The two annotations of a workload; most have none.
pub fn annotations(random: &mut Random, dots: bool) -> Value {
    let mut annotations = json!({});
    if random.once_in(4) {
        annotations["lws-replica-placement/node-selector"] = json!(keys(random, dots).join(","));
    }
    if random.once_in(4) {
        let taints: Vec<String> = taints(random, dots)
            .into_iter()
            .map(|(key, effect)| match &*effect {
                "" => key,
                effect => format!("{key}:{effect}"),
            })
            .collect();
        annotations["lws-replica-placement/toleration"] = json!(taints.join(" , "));
    }
    annotations
}

/// Settings of any kind: valid ones with one fault, or something else altogether.
pub fn any(random: &mut Random) -> String {
    let mut settings = super::json::Json::from(valid(random));
    for _ in 0..random.below(3) {
        super::mutate::anywhere(random, &mut settings);
    }
    settings.spelt(random)
}
