//! A report, written.

pub mod cluster;
mod cluster_markdown;
#[cfg(feature = "host")]
mod cluster_table;
pub mod dot;
mod entries;
pub mod github;
#[cfg(feature = "host")]
pub mod junit;
pub mod markdown;
pub(crate) mod page;
mod picture;
pub mod policy_report;
pub mod style;
pub mod svg;
#[cfg(feature = "host")]
pub mod table;
pub mod text;
pub mod yaml;
