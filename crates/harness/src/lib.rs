//! The native host of the lws-replica-placement policy.
//!
//! [`engine`] runs the module, [`case`] holds it to the cases of the contract, and [`commands`] is the command line on
//! top of all. What they tell of manifests and clusters comes from `lws-review`, whose parts stand here too.

pub mod case;
pub mod commands;
pub mod engine;
pub mod metadata;
pub mod section;

pub use lws_review::{
    answer, cluster, diff, evaluator, explain, input, policies, problem, request, review, settings,
    snippet,
};
