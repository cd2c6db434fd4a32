//! How much something matters.

use serde::Serialize;

/// How much something matters, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Something is wrong: a review fails over it.
    Error,
    /// Something may go wrong, or is unfinished: a strict review fails over it.
    Warning,
    /// Something is to be known, and nothing is wrong with it.
    Note,
}
