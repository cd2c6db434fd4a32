//! The native host of the lws-replica-placement policy.
//!
//! [`engine`] runs the module, and [`commands`] is the command line on top of all. What they tell of manifests and
//! clusters, and how they hold the module to cases, comes from `lws-review`, whose parts stand here too.

pub mod commands;
pub mod engine;
pub mod metadata;
pub mod section;

pub use lws_review::{
    answer, case, cluster, diff, evaluator, explain, input, policies, problem, request, review,
    settings, snippet,
};
