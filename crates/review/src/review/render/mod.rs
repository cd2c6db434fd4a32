//! A report, written.

mod cluster;
mod cluster_markdown;
mod cluster_table;
pub mod markdown;
pub mod style;
pub mod table;
pub mod text;
pub mod yaml;
