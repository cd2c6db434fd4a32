//! Names that LeaderWorkerSet gives its objects (kubernetes-sigs/lws,
//! `api/leaderworkerset/v1/leaderworkerset_types.go`).

/// Label: the set's name.
pub const NAME: &str = "leaderworkerset.sigs.k8s.io/name";
/// Label: a pod's index in its replica; "0" is the leader.
pub const WORKER_INDEX: &str = "leaderworkerset.sigs.k8s.io/worker-index";
/// Label: what all pods of a replica share.
pub const GROUP_KEY: &str = "leaderworkerset.sigs.k8s.io/group-key";
/// Annotation on workers: the leader pod's name.
pub const LEADER_NAME: &str = "leaderworkerset.sigs.k8s.io/leader-name";
/// Annotation: how many pods a replica has.
pub const SIZE: &str = "leaderworkerset.sigs.k8s.io/size";
/// Annotation: how many pods a subgroup has.
pub const SUBGROUP_SIZE: &str = "leaderworkerset.sigs.k8s.io/subgroup-size";
/// Annotation: whether the leader belongs to a subgroup.
pub const SUBGROUP_POLICY_TYPE: &str = "leaderworkerset.sigs.k8s.io/subgroup-policy-type";
/// The policy type that leaves the leader out of the subgroups.
pub const LEADER_EXCLUDED: &str = "LeaderExcluded";
/// Annotation: the topology that a replica has for itself (L7).
pub const EXCLUSIVE_TOPOLOGY: &str = "leaderworkerset.sigs.k8s.io/exclusive-topology";
/// Annotation: the topology that a subgroup has for itself (L7).
pub const SUBGROUP_EXCLUSIVE_TOPOLOGY: &str =
    "leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology";
