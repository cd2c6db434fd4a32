//! A report, written.

mod cluster;
mod cluster_markdown;
#[cfg(feature = "host")]
mod cluster_table;
pub mod markdown;
pub mod style;
#[cfg(feature = "host")]
pub mod table;
pub mod text;
pub mod yaml;
