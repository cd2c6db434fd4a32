//! What Kubernetes would say, from its documented rules and written apart from the policy.
//!
//! <https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/>,
//! <https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/>,
//! <https://kubernetes.io/docs/concepts/scheduling-eviction/pod-scheduling-readiness/>,
//! <https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/>.
#![allow(dead_code)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod api_server;
pub mod labels;
pub mod placement;
pub mod scheduler;
