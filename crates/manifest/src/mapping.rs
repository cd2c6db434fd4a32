//! A mapping while it is read: duplicate keys and merge keys.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::{
    builder::Node,
    error::ReadError,
    place::{Field, Parts, Place, field},
    position::Position,
};

/// A key whose value is awaited.
pub(crate) enum Key {
    Field(String, Position),
    Merge,
}

/// The entries so far.
#[derive(Default)]
pub(crate) struct Mapping {
    pub(crate) values: Map<String, Value>,
    /// In the order of the text. A written key stands after the merged one that it replaces.
    pub(crate) fields: Vec<(Box<str>, Field)>,
    /// Keys that came by a merge key and that a written key may replace.
    pub(crate) merged: BTreeSet<String>,
    pub(crate) merge: Option<Position>,
    pub(crate) key: Option<Key>,
}

impl Mapping {
    /// Where a key stands that is here already.
    pub(crate) fn position(&self, name: &str) -> Option<Position> {
        if !self.values.contains_key(name) {
            return None;
        }
        let found = self.fields.iter().find(|(key, _)| key.as_ref() == name);
        found.map(|(_, field)| field.key)
    }

    pub(crate) fn finish(mut self) -> (Value, Parts) {
        // The sort is stable, so of two equal keys the later one is the written one.
        self.fields.sort_by(|(a, _), (b, _)| a.cmp(b));
        self.fields.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                std::mem::swap(later, earlier);
            }
            same
        });
        (
            Value::Object(self.values),
            Parts::Fields(self.fields.into()),
        )
    }

    /// Takes over what a merge key brings. Of several mappings the first one that has a key wins.
    pub(crate) fn merge(&mut self, node: Node) -> Result<(), ReadError> {
        let at = node.place.at;
        let sources = match (node.value, node.place.parts) {
            (Value::Array(values), Parts::Items(places)) => {
                values.into_iter().zip(places).collect()
            }
            (value, parts) => vec![(value, Place { at, parts })],
        };
        for (value, place) in sources {
            let (Value::Object(values), Parts::Fields(fields)) = (value, place.parts) else {
                return Err(ReadError::Merge { at: place.at });
            };
            for (key, value) in values {
                let Some(field) = field(&fields, &key) else {
                    continue;
                };
                if let Some(own) = self.values.get(&key) {
                    if !self.merged.contains(&key) && *own != value {
                        let first = self.position(&key).unwrap_or(at);
                        return Err(ReadError::MergeOverride { at, first, key });
                    }
                    continue;
                }
                self.fields.push((key.as_str().into(), field.clone()));
                self.merged.insert(key.clone());
                self.values.insert(key, value);
            }
        }
        Ok(())
    }
}
