//! The choice of keys and taints, and the placement that it makes of a template.

use crate::fields::Fields;
use crate::key::{GKE_PLACEMENT_GROUP, ReplicaKey};
use crate::named;
use crate::taint::ReplicaTaint;
use crate::value::{PlacementUnit, ReplicaValue, ValueRules};

named! {
    /// Which pods of a replica are placed.
    Members {
        /// Leader and workers.
        All,
        /// Workers only: the leader runs on other machines.
        Workers,
    }
}

/// How many selector keys a placement may have, and how many taints. People ask for one or two; without a bound a
/// text of a megabyte would ask for a hundred thousand, each written into the pod with its value, and each held against
/// every entry that is there.
pub const MOST_KEYS: usize = 64;

/// Which selector keys and taints are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Node selector keys that get the replica value.
    pub node_selector: Vec<ReplicaKey>,
    /// Taints that are tolerated with the replica value.
    pub tolerations: Vec<ReplicaTaint>,
}

impl Choice {
    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.node_selector.is_empty() && self.tolerations.is_empty()
    }

    /// The keys of the taints.
    pub fn taint_keys(&self) -> impl Iterator<Item = &ReplicaKey> {
        self.tolerations.iter().map(|taint| &taint.key)
    }

    /// Whether GKE's placement group key is among the keys of either.
    #[must_use]
    pub fn asks_for_gke(&self) -> bool {
        let is_gke = ReplicaKey::is_gke_placement_group;
        self.node_selector.iter().any(is_gke) || self.taint_keys().any(is_gke)
    }

    /// Every key once: the selector's in their order, then those that only taints have.
    #[must_use]
    pub fn keys(&self) -> Vec<&ReplicaKey> {
        let mut keys = Vec::new();
        for key in &self.node_selector {
            keys.push(key);
        }
        for key in self.taint_keys() {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }
}

/// What a template's pods are to carry: all that a member's selector and tolerations depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Keys and taints.
    pub choice: Choice,
    /// How their values are made.
    pub value_rules: ValueRules,
    /// For which pods.
    pub members: Members,
}

impl ValueRules {
    /// Reads them from settings or a stamp, which call them alike.
    pub fn read(fields: &mut Fields<'_>) -> Self {
        Self {
            replica_value: fields.word("replicaValue"),
            overlong_value: fields.word("overlongValue"),
            placement_unit: fields.word("placementUnit"),
        }
    }

    /// The fault of asking for GKE's placement group key, where these rules make values that hold a dot (C6).
    #[must_use]
    pub fn fault_of_gke_key(&self) -> Option<String> {
        let field = if self.replica_value == ReplicaValue::NamespacedLeaderName {
            "replicaValue NamespacedLeaderName"
        } else if self.placement_unit == PlacementUnit::SubGroup {
            "placementUnit SubGroup"
        } else {
            return None;
        };
        Some(format!(
            "\"{GKE_PLACEMENT_GROUP}\" names a node pool, and {field} puts a dot into its name; use another key or \
             another value"
        ))
    }
}
