//! The texts of the page's examples, as the page offers them.
#![allow(dead_code, missing_docs, reason = "each test file uses its part")]

pub const SETTINGS: &str = include_str!("../../../../examples/settings.yaml");
pub const VLLM: &str = include_str!("../../../../examples/vllm.yaml");
pub const TPU: &str = include_str!("../../../../playground/examples/tpu.yaml");
pub const TPU_SETTINGS: &str = include_str!("../../../../playground/examples/tpu-settings.yaml");
pub const SUBGROUPS: &str = include_str!("../../../../playground/examples/subgroups.yaml");
pub const SUBGROUPS_SETTINGS: &str =
    include_str!("../../../../playground/examples/subgroups-settings.yaml");
pub const CONFLICT: &str = include_str!("../../../../playground/examples/conflict.yaml");
pub const HASH: &str = include_str!("../../../../playground/examples/hash.yaml");
pub const DISAGGREGATED: &str = include_str!("../../../../playground/examples/disaggregated.yaml");

/// A set of `replicas` replicas with `size` pods.
pub fn set(replicas: u64, size: u64) -> String {
    format!(
        "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata:\n  name: big\nspec:\n  replicas: {replicas}\n  leaderWorkerTemplate:\n    size: {size}\n    workerTemplate:\n      spec:\n        containers: []\n"
    )
}
