//! What both baselines read: the policy's two main settings, and LeaderWorkerSet's marks on a pod.

use kubewarden_policy_sdk::settings::Validatable;
use serde::Deserialize;

/// Label with the set's name; pods without it are none of the policy's.
pub const SET_NAME: &str = "leaderworkerset.sigs.k8s.io/name";
/// Annotation of workers with their leader's name.
pub const LEADER_NAME: &str = "leaderworkerset.sigs.k8s.io/leader-name";
/// Label that is `0` on leaders.
pub const WORKER_INDEX: &str = "leaderworkerset.sigs.k8s.io/worker-index";

/// The settings that injection needs; others are passed over.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub struct Settings {
    replica_specific_node_selector: Keys,
    /// Taints that are tolerated with the replica's value.
    pub replica_specific_toleration: Vec<Taint>,
}

/// One label key, or a list of them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Keys {
    One(String),
    Many(Vec<String>),
}

impl Default for Keys {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

/// A taint; without an effect, all effects.
#[derive(Deserialize)]
pub struct Taint {
    /// Its key.
    pub key: String,
    /// Its effect.
    pub effect: Option<String>,
}

impl Settings {
    /// The keys of the node selector that get the replica's value.
    pub fn keys(&self) -> &[String] {
        match &self.replica_specific_node_selector {
            Keys::One(key) => std::slice::from_ref(key),
            Keys::Many(keys) => keys,
        }
    }
}

impl Validatable for Settings {
    fn validate(&self) -> Result<(), String> {
        let taints = &self.replica_specific_toleration;
        let mut keys = self.keys().iter().chain(taints.iter().map(|t| &t.key));
        if keys.any(String::is_empty) {
            return Err("a key is empty".to_owned());
        }
        Ok(())
    }
}
