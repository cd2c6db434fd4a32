//! What an input turns out to be, and what is read of a dump.

use super::object::Object;
use crate::review::report::Remark;
use crate::review::source::Source;

/// What an input turned out to be.
#[derive(Debug)]
pub enum Reading {
    /// A dump, which was judged.
    Dump,
    /// Something else: the text, whole.
    Plain(Source),
}

/// Objects that were read one after another.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) objects: Vec<Object>,
    pub(super) problems: Vec<Remark>,
}
