//! How much a document may cost.

use std::fmt;

/// How much one document (in [`Documents::splitting_lists`](crate::Documents::splitting_lists):
/// one item of a list) may cost. The defaults are far above what an API server takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text in a document. Default 128 MiB.
    pub bytes: usize,
    /// Mappings and sequences inside one another. Default 128.
    pub depth: usize,
    /// Values in a document, those that aliases repeat included. Default 4,000,000.
    pub nodes: usize,
    /// Values that anchors and aliases may copy. Default 200,000.
    pub copied_nodes: usize,
    /// Bytes of text that anchors and aliases may copy. Default 16 MiB.
    pub copied_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 128 << 20,
            depth: 128,
            nodes: 4_000_000,
            copied_nodes: 200_000,
            copied_bytes: 16 << 20,
        }
    }
}

/// Which of the [`Limits`] was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::bytes`].
    Bytes,
    /// [`Limits::depth`].
    Depth,
    /// [`Limits::nodes`].
    Nodes,
    /// [`Limits::copied_nodes`].
    CopiedNodes,
    /// [`Limits::copied_bytes`].
    CopiedBytes,
}

impl fmt::Display for Limit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Bytes => "bytes in a document",
            Self::Depth => "levels of nesting",
            Self::Nodes => "values in a document",
            Self::CopiedNodes => "values copied by anchors and aliases",
            Self::CopiedBytes => "bytes copied by anchors and aliases",
        })
    }
}
