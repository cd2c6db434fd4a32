//! A JSON value as a slice of the text that it stands in.

use std::fmt;

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::check::{Spans, UNKNOWN, check};
use super::fault::Problem;

/// A well-formed JSON value, as it is written, without space around it.
///
/// It is either checked ([`Document`], [`document`], a [`RawValue`]) or cut out of such a value, so what reads it need not
/// look for faults of the grammar again.
#[derive(Clone, Copy)]
pub struct Raw<'a> {
    text: &'a str,
    /// The long values of the text that it stands in.
    spans: &'a Spans,
}

impl<'a> Raw<'a> {
    /// Its text.
    #[must_use]
    pub fn get(self) -> &'a str {
        self.text
    }

    /// A value within this one. Where the offsets are not those of one, it is empty, and reads as a number of no digits.
    pub(super) fn piece(self, start: usize, end: usize) -> Self {
        Self {
            text: self.text.get(start..end).unwrap_or_default(),
            ..self
        }
    }

    /// How long the value is that begins within this one, where that is known.
    pub(super) fn length_of_piece(self, start: usize) -> Option<usize> {
        self.spans.length(self.text.as_ptr() as usize + start)
    }
}

/// Equal as text.
impl PartialEq for Raw<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Raw<'_> {}

impl fmt::Debug for Raw<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

impl<'a> From<&'a RawValue> for Raw<'a> {
    fn from(value: &'a RawValue) -> Self {
        Self {
            text: value.get(),
            spans: &UNKNOWN,
        }
    }
}

/// A large text as one JSON value. What is known of it makes reading one part after the other fast.
pub struct Document<'t> {
    text: &'t str,
    spans: Spans,
}

impl<'t> Document<'t> {
    /// Checks a text.
    ///
    /// # Errors
    /// [`Problem::Syntax`] where it is no JSON.
    pub fn read(text: &'t str) -> Result<Self, Box<Problem>> {
        if let Some((text, spans)) = check(text) {
            return Ok(Self { text, spans });
        }
        match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => Ok(Self {
                text: text.trim_ascii(),
                spans: Spans::default(),
            }),
            Err(error) => Err(Problem::syntax(&error).into()),
        }
    }

    /// The value that the text is.
    #[must_use]
    pub fn root(&self) -> Raw<'_> {
        Raw {
            text: self.text,
            spans: &self.spans,
        }
    }
}

/// A short text as one JSON value.
///
/// # Errors
/// [`Problem::Syntax`] where it is none.
pub fn document(text: &str) -> Result<Raw<'_>, Box<Problem>> {
    let text = Document::read(text)?.text;
    Ok(Raw {
        text,
        spans: &UNKNOWN,
    })
}

/// A value that may be absent: null counts as absent, as it does for the API server.
#[must_use]
pub fn present(raw: Option<Raw<'_>>) -> Option<Raw<'_>> {
    raw.filter(|raw| raw.get().as_bytes().first() != Some(&b'n'))
}

/// Refuses a value of another type than the one that is due.
///
/// # Errors
/// [`Problem::Type`].
pub fn due(raw: Raw<'_>, expected: Kind) -> Result<(), Box<Problem>> {
    let found = Kind::of(raw);
    if found == expected {
        return Ok(());
    }
    Err(Problem::Type { expected, found }.into())
}

/// A JSON type, named as a user knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// Any number
    Number,
    /// A string
    String,
    /// A list
    Array,
    /// A map
    Object,
}

impl Kind {
    /// The type of a value, told by its first byte.
    #[must_use]
    pub fn of(raw: Raw<'_>) -> Self {
        Self::of_first(raw.get().as_bytes().first().copied())
    }

    pub(super) fn of_first(byte: Option<u8>) -> Self {
        match byte {
            Some(b'{') => Self::Object,
            Some(b'[') => Self::Array,
            Some(b'"') => Self::String,
            Some(b't' | b'f') => Self::Bool,
            Some(b'n') => Self::Null,
            _ => Self::Number,
        }
    }

    pub(super) fn with_article(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "a list",
            Self::Object => "a map",
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn values_are_equal_as_they_are_written() {
        let read = |text| document(text).unwrap();
        assert!(read("[1]") == read(" [1] "));
        assert!(read("[1]") != read("[1 ]"));
    }
}
