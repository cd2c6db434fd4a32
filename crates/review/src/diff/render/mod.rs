//! A comparison, written.

pub mod markdown;
pub mod table;

mod words;
