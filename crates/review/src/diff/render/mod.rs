//! A comparison, written.

pub mod markdown;
#[cfg(feature = "host")]
pub mod table;
pub mod words;
