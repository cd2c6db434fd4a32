//! Builds a document's value, and the tree of its places, from a parser's events.

use serde_json::Value;

use crate::{
    anchors::{Anchors, Cost},
    document::Note,
    error::ReadError,
    event::Event,
    limits::{Limit, Limits},
    mapping::{Key, Mapping},
    place::{Field, Parts, Place},
    position::Position,
    scalar::Scalar,
    values::{key_of, value_of},
};

/// A value and its place.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) place: Place,
}

/// What an event completed.
pub(crate) enum Built {
    Nothing,
    /// An item of the list that is being split.
    Item(usize, Node),
    /// The document; `None` if its items were given one by one.
    Document(Option<Node>),
}

enum Body {
    Sequence(Vec<Value>, Vec<Place>),
    /// A list's items, given away one by one: how many so far.
    Split(usize),
    Mapping(Mapping),
}

struct Frame {
    at: Position,
    anchor: usize,
    body: Body,
    /// The counters when it began.
    before: Cost,
    height: usize,
}

pub(crate) struct Builder {
    limits: Limits,
    /// Whether top-level lists are split.
    split: bool,
    /// Whether whole floating point numbers become integers.
    whole: bool,
    frames: Vec<Frame>,
    root: Option<Node>,
    anchors: Anchors,
    nodes: usize,
    bytes: usize,
    /// The document's own kind, once it is read.
    kind: Option<String>,
    /// Where the items stand that are given one by one.
    items: Option<Position>,
    notes: Vec<Note>,
}

impl Builder {
    pub(crate) fn new(limits: Limits, split: bool, whole: bool) -> Self {
        Self {
            limits,
            split,
            whole,
            frames: Vec::new(),
            root: None,
            anchors: Anchors::default(),
            nodes: 0,
            bytes: 0,
            kind: None,
            items: None,
            notes: Vec::new(),
        }
    }

    /// Forgets a document that is not finished.
    pub(crate) fn reset(&mut self) {
        *self = Self::new(self.limits, self.split, self.whole);
    }

    /// What there is to say about the values since the last call.
    pub(crate) fn notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    pub(crate) fn take(&mut self, event: Event, at: Position) -> Result<Built, ReadError> {
        match event {
            Event::DocumentStart => {
                self.reset();
                Ok(Built::Nothing)
            }
            Event::DocumentEnd => self.end_document(),
            Event::SequenceStart { anchor } => {
                let body = if self.is_list_items(anchor) {
                    self.items = Some(at);
                    Body::Split(0)
                } else {
                    Body::Sequence(Vec::new(), Vec::new())
                };
                self.open(body, anchor, at)
            }
            Event::MappingStart { anchor } => {
                self.open(Body::Mapping(Mapping::default()), anchor, at)
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Scalar {
                scalar,
                anchor,
                size,
            } => self.scalar(scalar, anchor, size, at),
            Event::Alias { anchor } => self.alias(anchor, at),
        }
    }

    fn end_document(&mut self) -> Result<Built, ReadError> {
        let root = self.root.take();
        if let Some(at) = self.items.take() {
            let kind = self.kind.take();
            if !kind.as_deref().is_some_and(|kind| kind.ends_with("List")) {
                return Err(ReadError::NotAList { at, kind });
            }
            return Ok(Built::Document(None));
        }
        Ok(Built::Document(root))
    }

    /// Whether a sequence that begins here is the items of a list to be split. The kind may come
    /// after the items (kubectl sorts keys); the document's end looks at it then.
    fn is_list_items(&self, anchor: usize) -> bool {
        let kind = self.kind.as_deref();
        let [frame] = self.frames.as_slice() else {
            return false;
        };
        self.split
            && anchor == 0
            && frame.anchor == 0
            && self.items.is_none()
            && kind.is_none_or(|kind| kind.ends_with("List"))
            && matches!(
                &frame.body,
                Body::Mapping(Mapping { key: Some(Key::Field(name, _)), .. }) if name == "items"
            )
    }

    fn wants_key(&mut self) -> Option<&mut Mapping> {
        match self.frames.last_mut() {
            Some(Frame {
                body: Body::Mapping(mapping @ Mapping { key: None, .. }),
                ..
            }) => Some(mapping),
            _ => None,
        }
    }

    fn count(&mut self, nodes: usize, bytes: usize, at: Position) -> Result<(), ReadError> {
        self.nodes = self.nodes.saturating_add(nodes);
        self.bytes = self.bytes.saturating_add(bytes);
        if self.nodes > self.limits.nodes {
            return Err(ReadError::Limit {
                at,
                limit: Limit::Nodes,
                max: self.limits.nodes,
            });
        }
        Ok(())
    }

    fn check_depth(&self, height: usize, at: Position) -> Result<(), ReadError> {
        if self.frames.len().saturating_add(height) > self.limits.depth {
            return Err(ReadError::Limit {
                at,
                limit: Limit::Depth,
                max: self.limits.depth,
            });
        }
        Ok(())
    }

    fn open(&mut self, body: Body, anchor: usize, at: Position) -> Result<Built, ReadError> {
        if self.wants_key().is_some() {
            return Err(ReadError::ComplexKey { at });
        }
        self.check_depth(1, at)?;
        let before = Cost {
            nodes: self.nodes,
            bytes: self.bytes,
            height: 0,
        };
        self.count(1, 0, at)?;
        self.frames.push(Frame {
            at,
            anchor,
            body,
            before,
            height: 1,
        });
        Ok(Built::Nothing)
    }

    fn close(&mut self) -> Result<Built, ReadError> {
        let Some(frame) = self.frames.pop() else {
            return Ok(Built::Nothing);
        };
        let (value, parts) = match frame.body {
            Body::Sequence(values, places) => (Value::Array(values), Parts::Items(places.into())),
            Body::Split(_) => (Value::Array(Vec::new()), Parts::None),
            Body::Mapping(mapping) => mapping.finish(),
        };
        let node = Node {
            value,
            place: Place {
                at: frame.at,
                parts,
            },
        };
        let cost = Cost {
            nodes: self.nodes.saturating_sub(frame.before.nodes),
            bytes: self.bytes.saturating_sub(frame.before.bytes),
            height: frame.height,
        };
        self.complete(node, frame.anchor, cost)
    }

    fn scalar(
        &mut self,
        scalar: Scalar,
        anchor: usize,
        size: usize,
        at: Position,
    ) -> Result<Built, ReadError> {
        self.count(1, size, at)?;
        let cost = Cost {
            nodes: 1,
            bytes: size,
            height: 0,
        };
        if self.wants_key().is_some() {
            let key = if scalar == Scalar::Merge {
                Key::Merge
            } else {
                Key::Field(key_of(scalar, at)?, at)
            };
            if let (true, Key::Field(name, _)) = (anchor != 0, &key) {
                let node = Node {
                    value: Value::String(name.clone()),
                    place: Place::leaf(at),
                };
                self.anchors.keep(anchor, &node, cost, &self.limits)?;
            }
            return self.key(key, at);
        }
        let node = Node {
            value: value_of(scalar, at, self.whole, &mut self.notes)?,
            place: Place::leaf(at),
        };
        self.complete(node, anchor, cost)
    }

    fn alias(&mut self, anchor: usize, at: Position) -> Result<Built, ReadError> {
        let (node, cost) = self.anchors.repeat(anchor, at, &self.limits)?;
        if self.wants_key().is_some() {
            let scalar = match node.value {
                Value::Null => Scalar::Null,
                Value::Bool(value) => Scalar::Bool(value),
                Value::String(text) => Scalar::Text(text),
                Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                    (Some(value), _) => Scalar::Int(value),
                    (None, Some(value)) => Scalar::Uint(value),
                    (None, None) => Scalar::Float(number.as_f64().unwrap_or_default()),
                },
                Value::Array(_) | Value::Object(_) => return Err(ReadError::ComplexKey { at }),
            };
            return self.key(Key::Field(key_of(scalar, at)?, at), at);
        }
        self.check_depth(cost.height, at)?;
        self.count(cost.nodes, cost.bytes, at)?;
        self.complete(node, 0, cost)
    }

    fn key(&mut self, key: Key, at: Position) -> Result<Built, ReadError> {
        let Some(mapping) = self.wants_key() else {
            return Ok(Built::Nothing);
        };
        let first = match &key {
            Key::Merge => mapping.merge.replace(at),
            Key::Field(name, _) if mapping.merged.contains(name) => None,
            Key::Field(name, _) => mapping.position(name),
        };
        if let Some(first) = first {
            let key = match key {
                Key::Merge => "<<".to_owned(),
                Key::Field(name, _) => name,
            };
            return Err(ReadError::DuplicateKey { at, first, key });
        }
        mapping.key = Some(key);
        Ok(Built::Nothing)
    }

    /// Puts a finished value where it belongs.
    fn complete(&mut self, node: Node, anchor: usize, cost: Cost) -> Result<Built, ReadError> {
        if anchor != 0 {
            self.anchors.keep(anchor, &node, cost, &self.limits)?;
        }
        let top = self.frames.len() == 1;
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(node);
            return Ok(Built::Nothing);
        };
        frame.height = frame.height.max(cost.height + 1);
        match &mut frame.body {
            Body::Sequence(values, places) => {
                values.push(node.value);
                places.push(node.place);
            }
            Body::Split(count) => {
                let index = *count;
                *count += 1;
                self.nodes = 0;
                self.bytes = 0;
                return Ok(Built::Item(index, node));
            }
            Body::Mapping(mapping) => match mapping.key.take() {
                Some(Key::Field(name, key)) => {
                    if top && name == "kind" {
                        self.kind = node.value.as_str().map(str::to_owned);
                    }
                    mapping.merged.remove(&name);
                    let field = Field {
                        key,
                        place: node.place,
                    };
                    mapping.fields.push((name.as_str().into(), field));
                    mapping.values.insert(name, node.value);
                }
                Some(Key::Merge) => mapping.merge(node)?,
                None => {}
            },
        }
        Ok(Built::Nothing)
    }
}
