//! The native host of the lws-replica-placement policy.
//!
//! [`engine`] runs the module, [`answer`] makes of its answers what Kubewarden's `kwctl` prints, [`case`] holds it to
//! the cases of the contract, and [`commands`] is the command line on top of all.

pub mod answer;
pub mod case;
pub mod cluster;
pub mod commands;
pub mod diff;
pub mod engine;
pub mod explain;
pub mod input;
pub mod metadata;
pub mod policies;
pub mod problem;
pub mod request;
pub mod review;
pub mod section;
pub mod settings;
pub mod snippet;
