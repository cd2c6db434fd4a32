//! Values that aliases repeat.

use std::collections::HashMap;

use crate::{
    builder::Node,
    error::ReadError,
    limits::{Limit, Limits},
    position::Position,
};

/// What a value costs to copy.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    pub(crate) nodes: usize,
    pub(crate) bytes: usize,
    /// Levels of mappings and sequences in it.
    pub(crate) height: usize,
}

/// The anchored values of one document. Keeping one and repeating one both count as a copy, so
/// that neither a "billion laughs" nor anchors inside anchors cost more than the limits say.
#[derive(Default)]
pub(crate) struct Anchors {
    kept: HashMap<usize, (Node, Cost)>,
    nodes: usize,
    bytes: usize,
}

impl Anchors {
    /// Keeps a value under an anchor's number.
    pub(crate) fn keep(
        &mut self,
        anchor: usize,
        node: &Node,
        cost: Cost,
        limits: &Limits,
    ) -> Result<(), ReadError> {
        self.charge(cost, node.place.at, limits)?;
        self.kept.insert(anchor, (node.clone(), cost));
        Ok(())
    }

    /// A copy of the value that an alias at `at` stands for.
    pub(crate) fn repeat(
        &mut self,
        anchor: usize,
        at: Position,
        limits: &Limits,
    ) -> Result<(Node, Cost), ReadError> {
        // The parser knows the anchor; if it is not kept yet, the alias stands inside it.
        let cost = match self.kept.get(&anchor) {
            Some((_, cost)) => *cost,
            None => return Err(ReadError::RecursiveAlias { at }),
        };
        self.charge(cost, at, limits)?;
        match self.kept.get(&anchor) {
            Some((node, _)) => {
                let mut node = node.clone();
                node.place.at = at;
                Ok((node, cost))
            }
            None => Err(ReadError::RecursiveAlias { at }),
        }
    }

    fn charge(&mut self, cost: Cost, at: Position, limits: &Limits) -> Result<(), ReadError> {
        self.nodes = self.nodes.saturating_add(cost.nodes);
        self.bytes = self.bytes.saturating_add(cost.bytes);
        let (limit, max) = if self.nodes > limits.copied_nodes {
            (Limit::CopiedNodes, limits.copied_nodes)
        } else if self.bytes > limits.copied_bytes {
            (Limit::CopiedBytes, limits.copied_bytes)
        } else {
            return Ok(());
        };
        Err(ReadError::Limit { at, limit, max })
    }
}
