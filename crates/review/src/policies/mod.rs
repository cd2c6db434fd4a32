//! Kubewarden's policies as a cluster has them: which requests reach which policy, in which order, and what becomes of
//! their answers.
//!
//! [`Files`] reads [`Policy`]s from manifests, [`setup`] finds what cannot work, and a [`Chain`] takes requests. What
//! reaches a policy is decided as the API server decides it, by [`rule`]s and [`selector`]s; `matchConditions` are not
//! evaluated. The namespace that Kubewarden itself runs in, whose requests reach no cluster-wide policy, has no part here:
//! its name is the installation's.

mod chain;
mod fault;
mod files;
mod hits;
mod member_labels;
mod miss;
mod module;
mod namespaces;
mod overlay;
mod policy;
mod twins;

pub mod rule;
pub mod selector;
pub mod setup;
pub mod target;

pub use chain::{Admitted, Chain};
pub use fault::Fault;
pub use files::Files;
pub use hits::PolicyReview;
pub use miss::Miss;
pub use module::own;
pub use namespaces::{NAME, Namespaces};
pub use overlay::Overlay;
pub use policy::{Action, Mode, Policy, is_policy};
