//! What is wrong with policies, and where.

use std::fmt;

/// A sentence about a place in a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub source: String,
    /// Line and column, from 1.
    pub at: (usize, usize),
    /// What is wrong, and what to do.
    pub text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            source,
            at: (line, column),
            text,
        } = self;
        write!(f, "{source}:{line}:{column}: {text}")
    }
}
