//! A report, written.

pub mod markdown;
pub mod style;
pub mod table;
pub mod text;
pub mod yaml;
