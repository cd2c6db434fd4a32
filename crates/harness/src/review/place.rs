//! Where something stands in the input.

use super::report::Remark;
use super::source::Source;
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
    /// The line's text, where it can be shown.
    #[serde(skip)]
    pub excerpt: Option<String>,
}

impl Place {
    /// File and line, without the column.
    #[must_use]
    pub fn line(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// An object of the input, and what it takes to point into it.
pub(super) struct Located<'a> {
    /// The object.
    pub(super) value: &'a Value,
    source: &'a Source,
    item: &'a Item<'a>,
    /// Where the object's fields stand in the item, as a JSON pointer.
    at: String,
}

impl<'a> Located<'a> {
    pub(super) fn new(source: &'a Source, item: &'a Item<'a>) -> Self {
        let value = item.value;
        Self {
            value,
            source,
            item,
            at: String::new(),
        }
    }

    /// An object that is made of a part of this one. Its fields stand in the input below `at`, as far as they do.
    pub(super) fn made<'b>(&'b self, value: &'b Value, at: &str) -> Located<'b> {
        Located {
            value,
            source: self.source,
            item: self.item,
            at: format!("{}{at}", self.at),
        }
    }

    /// The key that a JSON pointer names, or the nearest that is there. The object as a whole has a place, but no line
    /// that would say anything.
    pub(super) fn place(&self, pointer: &str) -> Option<Place> {
        let full = format!("{}{pointer}", self.at);
        if !pointer.is_empty() {
            return self.source.place(self.item.locate_key(&full));
        }
        let place = self.source.place(self.item.locate(&full))?;
        Some(Place {
            excerpt: None,
            ..place
        })
    }

    /// Whether a JSON pointer leads to something.
    pub(super) fn has(&self, pointer: &str) -> bool {
        self.item.has(&format!("{}{pointer}", self.at))
    }

    /// A remark about the field at a JSON pointer.
    pub(super) fn remark(&self, pointer: &str, text: String) -> Remark {
        Remark {
            place: self.place(pointer),
            text,
        }
    }

    /// Kind, namespace and name, for a sentence.
    pub(super) fn title(&self) -> String {
        let text = |pointer| self.value.pointer(pointer).and_then(Value::as_str);
        let kind = text("/kind").unwrap_or("document without kind");
        match text("/metadata/name") {
            Some(name) => format!("{kind} \"{name}\""),
            None => kind.to_owned(),
        }
    }
}
