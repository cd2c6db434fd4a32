//! What is wrong with policies, and where.

use crate::review::place::Place;
use crate::review::report::Remark;
use std::fmt;

/// A sentence about a place in a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where in which file.
    pub place: Place,
    /// What is wrong, and what to do.
    pub text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, text } = self;
        write!(f, "{place}: {text}")
    }
}

impl From<Fault> for Remark {
    fn from(fault: Fault) -> Self {
        Self::error(fault.place, fault.text)
    }
}
