//! The policy's settings (section 2 of the contract).

use crate::fields::{FieldFault, Fields, Place};
use crate::json::Raw;
use crate::key::ReplicaKey;
use crate::named;
use crate::placement::{Choice, Members, Placement};
use crate::value::ValueRules;

named! {
    /// What the policy does.
    Action {
        /// Injects placements, and refuses pods that contradict theirs.
        Inject,
        /// Judges only, after all mutation.
        Validate,
    }
}

named! {
    /// What a workload's annotations do to the settings' lists (A1).
    WorkloadAnnotations {
        /// They add to them.
        Extend,
        /// The nearest list is the whole one.
        Replace,
        /// Nothing: they are not looked at.
        Ignore,
    }
}

named! {
    /// What becomes of pods whose template carries no stamp.
    UnstampedPods {
        /// They are placed by settings and annotations.
        Inject,
        /// They are left as they are.
        Leave,
    }
}

/// Settings that hold rules C1 to C6.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Inject or judge.
    pub action: Action,
    /// The lists asked for by default.
    pub choice: Choice,
    /// What annotations do to the lists.
    pub workload_annotations: WorkloadAnnotations,
    /// The only keys that annotations may name; empty: any legal key.
    pub workload_keys: Vec<ReplicaKey>,
    /// How values are made.
    pub value_rules: ValueRules,
    /// Which pods of a replica are placed.
    pub members: Members,
    /// Pods without a stamp.
    pub unstamped_pods: UnstampedPods,
}

/// Every setting by its name. Anything else is refused (C2).
pub const FIELDS: [&str; 10] = [
    "action",
    "replicaSpecificNodeSelector",
    "replicaSpecificToleration",
    "workloadAnnotations",
    "workloadKeys",
    "replicaValue",
    "overlongValue",
    "placementUnit",
    "members",
    "unstampedPods",
];

impl Settings {
    /// Reads settings from JSON; null and absent are the defaults (C1).
    ///
    /// # Errors
    /// All faults at once (C4): each is its place and a sentence that ends with the remedy.
    pub fn read(raw: Option<Raw<'_>>) -> Result<Self, Vec<FieldFault>> {
        let mut fields = Fields::read(raw, "settings", &FIELDS);
        let settings = Self {
            action: fields.word("action"),
            choice: Choice {
                node_selector: fields.distinct_keys("replicaSpecificNodeSelector"),
                tolerations: fields.taints("replicaSpecificToleration"),
            },
            workload_annotations: fields.word("workloadAnnotations"),
            workload_keys: fields.keys("workloadKeys"),
            value_rules: ValueRules::read(&mut fields),
            members: fields.word("members"),
            unstamped_pods: fields.word("unstampedPods"),
        };
        if let Some(text) = settings.value_rules.fault_of_gke_key() {
            let is_gke = ReplicaKey::is_gke_placement_group;
            for (name, is_asked_for) in [
                (
                    "replicaSpecificNodeSelector",
                    settings.choice.node_selector.iter().any(is_gke),
                ),
                (
                    "replicaSpecificToleration",
                    settings.choice.taint_keys().any(is_gke),
                ),
                ("workloadKeys", settings.workload_keys.iter().any(is_gke)),
            ] {
                if is_asked_for {
                    fields.fault(&Place::field(name), &text);
                }
            }
        }
        let faults = fields.into_faults();
        if faults.is_empty() {
            Ok(settings)
        } else {
            Err(faults)
        }
    }

    /// The placement that a choice makes with these settings' rules for values and members.
    #[must_use]
    pub fn placement(&self, choice: Choice) -> Placement {
        Placement {
            choice,
            value_rules: self.value_rules,
            members: self.members,
        }
    }
}
