//! Reads a text, whole or as a stream.

use std::io::Read;

use serde_json::Value;

use crate::{
    builder::{Builder, Built, Node},
    document::Document,
    error::ReadError,
    event::{Event, Events},
    json::Json,
    limits::Limits,
    source::Source,
    yaml::Yaml,
};

/// The documents of a stream, one after another, each in the memory that it needs itself.
///
/// A document with an error is an item of this iterator, and the next one follows, unless the text
/// cannot be read on. A text that begins with `{` and a quote, or with `[`, is read by JSON's
/// rules, objects after one another included; any other by YAML's. A stream cannot be begun again:
/// what begins as JSON and goes on as YAML is an error here, and only [`read`] reads it.
pub struct Documents<'a> {
    events: Option<Box<dyn Events + 'a>>,
    builder: Builder,
    number: usize,
    /// Whether the document at hand has given something and counts.
    counted: bool,
    pending: Option<ReadError>,
}

impl<'a> Documents<'a> {
    /// Reads documents as they are.
    #[must_use]
    pub fn new(reader: impl Read + 'a, limits: Limits) -> Self {
        Self::open(reader, limits, false, false)
    }

    /// Reads a document of kind `List` (or `PodList` and so on) as its items, so that a list may be
    /// longer than memory. The list's own metadata is left out. Where `items` comes before `kind`,
    /// the items are given before it is certain that this is a list; if it is not, an error
    /// ([`ReadError::NotAList`]) follows them.
    #[must_use]
    pub fn splitting_lists(reader: impl Read + 'a, limits: Limits) -> Self {
        Self::open(reader, limits, true, false)
    }

    fn open(reader: impl Read + 'a, limits: Limits, split: bool, yaml: bool) -> Self {
        let mut source = Source::new(reader, &limits);
        let mut pending = None;
        let mut json = false;
        let events: Option<Box<dyn Events + 'a>> = match source.open() {
            Err(error) => {
                pending = Some(error);
                None
            }
            Ok(true) if !yaml => {
                json = true;
                Some(Box::new(Json::new(source)))
            }
            Ok(_) => {
                source.json = false;
                Some(Box::new(Yaml::new(source, &limits)))
            }
        };
        Self {
            events,
            builder: Builder::new(limits, split, !json),
            number: 0,
            counted: false,
            pending,
        }
    }

    fn count(&mut self) {
        if !self.counted {
            self.number += 1;
            self.counted = true;
        }
    }

    fn document(&mut self, node: Node, item: Option<usize>) -> Document {
        self.count();
        Document {
            value: node.value,
            number: self.number,
            item,
            place: node.place,
            notes: self.builder.notes(),
        }
    }

    /// One event further; `None` while nothing is complete.
    fn step(&mut self) -> Result<Option<Step>, ReadError> {
        let Some(events) = &mut self.events else {
            return Ok(Some(Step::End));
        };
        let Some((event, at)) = events.next_event()? else {
            return Ok(Some(Step::End));
        };
        if matches!(event, Event::DocumentStart) {
            self.counted = false;
        }
        let built = self.builder.take(event, at)?;
        if !matches!(built, Built::Nothing) {
            events.settle();
        }
        Ok(match built {
            Built::Nothing | Built::Document(None) => None,
            Built::Document(Some(node)) if node.value == Value::Null => None,
            Built::Document(Some(node)) => Some(Step::Document(self.document(node, None))),
            Built::Item(index, node) => Some(Step::Document(self.document(node, Some(index)))),
        })
    }

    /// Leaves a document that has an error.
    fn leave(&mut self, error: ReadError) -> ReadError {
        self.count();
        let document_is_over = matches!(error, ReadError::NotAList { .. });
        self.builder.reset();
        let Some(events) = &mut self.events else {
            return error;
        };
        let template = events.template(error.position().offset);
        if error.is_final() {
            self.events = None;
        } else if !document_is_over {
            match events.skip_document() {
                Ok(true) => {}
                Ok(false) => self.events = None,
                Err(next) => {
                    self.events = None;
                    self.pending = Some(next);
                }
            }
        }
        match (&error, template) {
            (
                ReadError::Yaml { .. }
                | ReadError::Json { .. }
                | ReadError::Tab { .. }
                | ReadError::ComplexKey { .. }
                | ReadError::UnknownAlias { .. },
                Some(at),
            ) => ReadError::Template { at },
            _ => error,
        }
    }
}

enum Step {
    Document(Document),
    End,
}

impl Iterator for Documents<'_> {
    type Item = Result<Document, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.pending.take() {
            return Some(Err(error));
        }
        loop {
            match self.step() {
                Ok(None) => {}
                Ok(Some(Step::Document(document))) => return Some(Ok(document)),
                Ok(Some(Step::End)) => {
                    self.events = None;
                    return None;
                }
                Err(error) => return Some(Err(self.leave(error))),
            }
        }
    }
}

/// Reads a whole text, with the default [`Limits`].
///
/// ```
/// let found = lws_manifest::read("a: 1\n---\nb: [\n---\nc: 3\n");
/// assert!(found[0].is_ok() && found[1].is_err() && found[2].is_ok());
/// ```
#[must_use]
pub fn read(text: impl AsRef<[u8]>) -> Vec<Result<Document, ReadError>> {
    read_with(text, &Limits::default())
}

/// Reads a whole text: its documents, and an error in place of each one that cannot be read. A text
/// that begins as JSON but is not JSON is read as YAML, if it is YAML throughout.
#[must_use]
pub fn read_with(text: impl AsRef<[u8]>, limits: &Limits) -> Vec<Result<Document, ReadError>> {
    let text = text.as_ref();
    let found: Vec<_> = Documents::new(text, *limits).collect();
    let is_json_error = |result: &Result<_, _>| matches!(result, Err(ReadError::Json { .. }));
    if found.iter().any(is_json_error) {
        let yaml: Result<Vec<_>, _> = Documents::open(text, *limits, false, true).collect();
        if let Ok(yaml) = yaml {
            return yaml.into_iter().map(Ok).collect();
        }
    }
    found
}
