//! What the policy does, told to people: with manifests ([`review`]), with a change of them or of settings ([`diff`]),
//! with what runs in a cluster ([`cluster`]), and why ([`explain`]).
//!
//! Nothing here knows how the policy is run. An [`evaluator::Evaluator`] answers for it: the module on a native host, or
//! the policy's own code in a browser. Without the feature `host` nothing needs a terminal, a thread or a clock.

pub mod answer;
pub mod case;
pub mod cluster;
pub mod diff;
pub mod evaluator;
pub mod explain;
pub mod input;
pub mod near;
pub mod operation;
mod parallel;
pub mod policies;
pub mod problem;
mod progress;
pub mod request;
pub mod review;
pub mod settings;
pub mod severity;
pub mod snippet;
