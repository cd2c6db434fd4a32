//! Where something stands in the input.

use super::render::style::Look;
use super::report::Remark;
use super::source::Source;
use crate::problem::unescape;
use crate::snippet::Excerpt;
use lws_manifest::Item;
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file, or "standard input".
    pub file: String,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// The line and what is underlined in it, where it can be shown.
    #[serde(skip)]
    pub excerpt: Option<Box<Excerpt>>,
}

impl Place {
    /// File and line, without the column.
    #[must_use]
    pub fn line(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// The line of the file with carets under what is meant; nothing where it cannot be shown.
    #[must_use]
    pub fn snippet(&self, look: Look) -> Vec<String> {
        self.excerpt
            .as_ref()
            .map_or_else(Vec::new, |excerpt| excerpt.lines(self.line, look).into())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A scalar as it is written without quotes; none for what is no scalar, or not written at all.
pub(crate) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// An object of the input, and what it takes to point into it.
pub(crate) struct Located<'a> {
    /// The object.
    pub(crate) value: &'a Value,
    source: &'a Source,
    item: &'a Item<'a>,
    /// Where the object's fields stand in the item, as a JSON pointer.
    at: String,
}

impl<'a> Located<'a> {
    /// Whether it stands in a list.
    pub(crate) fn is_of_list(&self) -> bool {
        self.item.index.is_some()
    }

    pub(crate) fn new(source: &'a Source, item: &'a Item<'a>) -> Self {
        let value = item.value;
        Self {
            value,
            source,
            item,
            at: String::new(),
        }
    }

    /// An object that is made of a part of this one. Its fields stand in the input below `at`, as far as they do.
    pub(crate) fn made<'b>(&'b self, value: &'b Value, at: &str) -> Located<'b> {
        Located {
            value,
            source: self.source,
            item: self.item,
            at: format!("{}{at}", self.at),
        }
    }

    /// The key that a JSON pointer names, or the nearest that is there. The object as a whole has a place, but no line
    /// that would say anything.
    pub(crate) fn place(&self, pointer: &str) -> Option<Place> {
        let full = self.full(pointer);
        if !pointer.is_empty() {
            let key = pointer.rsplit('/').next().map(unescape).unwrap_or_default();
            return Some(self.source.place(self.item.locate_key(&full), &key));
        }
        Some(Place {
            excerpt: None,
            ..self.source.place(self.item.locate(&full), "")
        })
    }

    /// The value that a JSON pointer names, for messages that are about it. Of what is no scalar the key: a map may begin
    /// on a line of its own.
    pub(crate) fn point(&self, pointer: &str) -> Option<Place> {
        match self.value.pointer(pointer).and_then(scalar) {
            Some(text) => {
                let at = self.item.locate(&self.full(pointer));
                Some(self.source.place(at, &text))
            }
            None => self.place(pointer),
        }
    }

    /// The places of several fields: the first, and the others.
    pub(crate) fn points(&self, pointers: &[String]) -> (Option<Place>, Vec<Place>) {
        let mut places = pointers.iter().filter_map(|pointer| self.point(pointer));
        (places.next(), places.collect())
    }

    /// A JSON pointer into the object, as one into the item.
    fn full(&self, pointer: &str) -> String {
        format!("{}{pointer}", self.at)
    }

    /// Whether a JSON pointer leads to something.
    pub(crate) fn has(&self, pointer: &str) -> bool {
        self.item.has(&self.full(pointer))
    }

    /// What is wrong with the field at a JSON pointer.
    pub(crate) fn error(&self, pointer: &str, text: impl Into<String>) -> Remark {
        Remark::error(self.place(pointer), text)
    }

    /// A danger that comes of the field at a JSON pointer.
    pub(crate) fn warning(&self, pointer: &str, text: impl Into<String>) -> Remark {
        Remark::warning(self.place(pointer), text)
    }

    /// What there is to know of the field at a JSON pointer.
    pub(crate) fn note(&self, pointer: &str, text: impl Into<String>) -> Remark {
        Remark::note(self.place(pointer), text)
    }

    /// Kind, namespace and name, for a sentence.
    pub(crate) fn title(&self) -> String {
        let text = |pointer| self.value.pointer(pointer).and_then(Value::as_str);
        let kind = text("/kind").unwrap_or("document without kind");
        match text("/metadata/name") {
            Some(name) => format!("{kind} \"{name}\""),
            None => kind.to_owned(),
        }
    }
}
