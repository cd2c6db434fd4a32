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

impl Severity {
    /// The word before a line about it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }

    /// The word before an entry about it in Markdown.
    #[must_use]
    pub fn markdown(self) -> &'static str {
        match self {
            Self::Error => "**Error**",
            Self::Warning => "Warning",
            Self::Note => "Note",
        }
    }
}
