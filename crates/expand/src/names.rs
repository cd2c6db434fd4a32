//! The names of labels, annotations and other constants that LWS and Kubernetes' controllers write.

pub(crate) const API_VERSION: &str = "leaderworkerset.x-k8s.io/v1";
pub(crate) const KIND: &str = "LeaderWorkerSet";
pub(crate) const DEFAULT_NAMESPACE: &str = "default";

/// Labels of LWS.
pub(crate) const SET_NAME: &str = "leaderworkerset.sigs.k8s.io/name";
pub(crate) const GROUP_INDEX: &str = "leaderworkerset.sigs.k8s.io/group-index";
pub(crate) const GROUP_KEY: &str = "leaderworkerset.sigs.k8s.io/group-key";
pub(crate) const WORKER_INDEX: &str = "leaderworkerset.sigs.k8s.io/worker-index";
pub(crate) const SUBGROUP_INDEX: &str = "leaderworkerset.sigs.k8s.io/subgroup-index";
pub(crate) const SUBGROUP_KEY: &str = "leaderworkerset.sigs.k8s.io/subgroup-key";
pub(crate) const TEMPLATE_REVISION: &str = "leaderworkerset.sigs.k8s.io/template-revision-hash";

/// Annotations of LWS.
pub(crate) const SIZE: &str = "leaderworkerset.sigs.k8s.io/size";
pub(crate) const LEADER_NAME: &str = "leaderworkerset.sigs.k8s.io/leader-name";
pub(crate) const SUBGROUP_SIZE: &str = "leaderworkerset.sigs.k8s.io/subgroup-size";
pub(crate) const SUBGROUP_POLICY_TYPE: &str = "leaderworkerset.sigs.k8s.io/subgroup-policy-type";
pub(crate) const EXCLUSIVE_TOPOLOGY: &str = "leaderworkerset.sigs.k8s.io/exclusive-topology";
pub(crate) const SUBGROUP_EXCLUSIVE_TOPOLOGY: &str =
    "leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology";
pub(crate) const SUBDOMAIN_POLICY: &str = "leaderworkerset.sigs.k8s.io/subdomainPolicy";
pub(crate) const LEADER_REQUESTS_TPUS: &str = "leaderworkerset.sigs.k8s.io/leader-requests-tpus";

/// Hash identity (KEP-898).
pub(crate) const GROUP_IDENTITY: &str = "leaderworkerset.sigs.k8s.io/group-identity";
pub(crate) const LEADER_ADDRESS: &str = "leaderworkerset.sigs.k8s.io/leader-address";
pub(crate) const GROUP_READY: &str = "leaderworkerset.sigs.k8s.io/group-ready";
pub(crate) const GROUP_REPLACEMENT_GATE: &str = "leaderworkerset.sigs.k8s.io/group-replacement";

/// Labels of Kubernetes' controllers.
pub(crate) const STATEFULSET_POD_NAME: &str = "statefulset.kubernetes.io/pod-name";
pub(crate) const POD_INDEX: &str = "apps.kubernetes.io/pod-index";
pub(crate) const CONTROLLER_REVISION: &str = "controller-revision-hash";
pub(crate) const POD_TEMPLATE_HASH: &str = "pod-template-hash";

/// DisaggregatedSets.
pub(crate) const DISAGGREGATED_API_VERSION: &str = "disaggregatedset.x-k8s.io/v1";
pub(crate) const DISAGGREGATED_KIND: &str = "DisaggregatedSet";
pub(crate) const DISAGGREGATED_NAME: &str = "disaggregatedset.x-k8s.io/name";
pub(crate) const DISAGGREGATED_ROLE: &str = "disaggregatedset.x-k8s.io/role";
pub(crate) const DISAGGREGATED_SLICE: &str = "disaggregatedset.x-k8s.io/slice";
pub(crate) const DISAGGREGATED_REVISION: &str = "disaggregatedset.x-k8s.io/revision";
pub(crate) const INITIAL_REPLICAS: &str = "disaggregatedset.x-k8s.io/initial-replicas";
