//! A report, written.

mod cluster;
mod cluster_markdown;
mod cluster_table;
mod entries;
pub mod github;
pub mod junit;
pub mod markdown;
pub(crate) mod page;
pub mod policy_report;
pub mod style;
pub mod table;
pub mod text;
pub mod yaml;
