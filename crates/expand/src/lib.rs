//! Expands a LeaderWorkerSet into the pods that its controllers would create, as JSON values, without a cluster.
//!
//! ```
//! use lws_expand::{Form, LeaderWorkerSet};
//!
//! let set = LeaderWorkerSet::from_value(&serde_json::json!({
//!     "apiVersion": "leaderworkerset.x-k8s.io/v1",
//!     "kind": "LeaderWorkerSet",
//!     "metadata": {"name": "fruit", "namespace": "red"},
//!     "spec": {"replicas": 2, "leaderWorkerTemplate": {"size": 4, "workerTemplate": {
//!         "spec": {"containers": [{"name": "main", "image": "example.test/serve:1"}]}
//!     }}}
//! }))?;
//! let worker = set.replica(1).worker(3, Form::BeforeWebhook);
//! assert_eq!(worker["metadata"]["name"], "fruit-1-3");
//! # Ok::<(), lws_expand::Error>(())
//! ```
//!
//! # What is mirrored, and from where
//!
//! A pod is built as it reaches admission at CREATE, in two forms: [`Form::BeforeWebhook`], as the StatefulSet
//! controller sends it, and [`Form::AfterWebhook`], after LWS's own mutating webhook. The behaviour is that of LWS
//! v0.10 (`kubernetes-sigs/lws`) and of Kubernetes 1.28 and newer:
//!
//! | what | its source | here |
//! |---|---|---|
//! | defaults of `replicas`, `size`, `subGroupPolicy.type`, `subdomainPolicy`; what LWS refuses | `api/leaderworkerset/v1/leaderworkerset_types.go`, `pkg/webhooks/leaderworkerset_webhook.go` | `set` |
//! | labels and annotations of the leaders' template | `pkg/controllers/leaderworkerset_controller.go` | `leader` |
//! | labels, annotations and service of the workers' template | `pkg/controllers/pod_controller.go` | `worker` |
//! | name, hostname, subdomain, labels, owner, volumes of claims | Kubernetes, `pkg/controller/statefulset/stateful_set_utils.go`, `pkg/controller/controller_utils.go` | `statefulset` |
//! | group, worker and subgroup labels, the UniquePerReplica subdomain | `pkg/webhooks/pod_webhook.go` | `webhook`, `subgroup` |
//! | exclusive placement | the same | `affinity` |
//! | `LWS_*` environment variables | `pkg/utils/pod/pod_utils.go` | `environment` |
//! | `TPU_*` environment variables | `pkg/utils/accelerators/tpu.go` | `tpu` |
//! | the LeaderWorkerSets of a DisaggregatedSet's roles | `pkg/controllers/disaggregatedset/lws_manager.go`, `pkg/utils/disaggregatedset`, `pkg/webhooks/disaggregatedset`, as on main | `disaggregated_set`, `disaggregated_role`, `disaggregated_affinity` |
//! | `groupIdentity: Hash` | KEP-898 and `pkg/controllers/leaderworkerset_hash.go`, both newer than v0.10 | `hash_identity` |
//!
//! A template's `spec` passes through as it is written: fields that no client knows yet, nulls and numbers stay. Of a
//! template's `metadata` only labels, annotations and finalizers reach a pod, as with Kubernetes' controllers.
//!
//! Newer versions of LWS (main, 1.0) differ: workers carry `subgroup-policy-type` too and an annotation
//! `leader-address`, `group-index` and `group-key` replace what a template has, and `placementPolicy` fields join
//! `exclusive-topology`.
//!
//! # Stand-ins
//!
//! Some values exist only in a cluster. They are replaced by values of the same shape, the same in every run:
//!
//! - UIDs in owner references are UUIDs of version 5 over `<Kind>/<namespace>/<name>`.
//! - `template-revision-hash` is 32-bit FNV-1 in Kubernetes' safe alphabet, as LWS's own, but over the set's fields as
//!   they are written, in the order of their names: LWS hashes what its Go types make of them.
//! - `controller-revision-hash` and the names of a ReplicaSet and its pods are made likewise.
//! - With `groupIdentity: Hash` the group key, in LWS random, is SHA-1 of `<namespace>/<set>#<index>`.
//! - The revision in the names of a DisaggregatedSet's LeaderWorkerSets is eight hexadecimal digits over its roles' names,
//!   identities and templates, as LWS's own, but of SHA-1 and over the fields as they are written.
//! - A set without a namespace is expanded as if applied to `default`.
//!
//! # What is left out
//!
//! - Fields that the API server or other admission fills in: `restartPolicy`, service account and its token volume,
//!   default tolerations, `priority`.
//! - The node selector by which LWS pins workers under exclusive-topology: its value is read from the leader's node.
//! - Pod groups of gang scheduling, which an installation has to turn on.
//! - What LWS's webhook refuses (a replica numbered over 2^31-1, a leader that asks for TPUs and is in no subgroup of
//!   its set's) is expanded without the values that it would lack. TPU host lists end at 4,096 workers.
//! - Of a DisaggregatedSet, roll-outs (a first one is shown), scaling from outside (`scaling.mode: External`: the role's
//!   own `replicas` count), names from before there were slices, and the environment variables that newer versions add.
//! - Whether a pod would be accepted: leader names over 52 characters never get workers, yet are expanded.

mod affinity;
mod disaggregated_affinity;
mod disaggregated_role;
mod disaggregated_set;
mod draft;
mod environment;
mod error;
mod field;
mod hash_identity;
mod leader;
mod metadata;
mod names;
mod replica;
mod set;
mod stand_in;
mod statefulset;
mod subgroup;
mod template;
mod tpu;
mod webhook;
mod worker;

pub use disaggregated_role::GeneratedSet;
pub use disaggregated_set::DisaggregatedSet;
pub use error::{Error, Fault, FieldPath};
pub use replica::{Form, Member, Replica, Role};
pub use set::{Identity, LeaderWorkerSet};
