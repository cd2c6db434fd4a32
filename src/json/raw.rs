//! A JSON value as a slice of the text that it stands in.

use serde_json::value::RawValue;

use super::fault::Problem;

/// A well-formed JSON value, as it is written, without space around it.
///
/// It is either checked by serde_json ([`document`], [`RawValue`]) or cut out of such a value, so what reads it need not
/// look for faults of the grammar again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// Its text.
    #[must_use]
    pub fn get(self) -> &'a str {
        self.0
    }

    /// A piece of a checked text. Where the offsets do not fit it, the piece is empty, which reads as no member or element.
    pub(super) fn piece(text: &'a str, start: usize, end: usize) -> Self {
        Self(text.get(start..end).unwrap_or_default())
    }
}

impl<'a> From<&'a RawValue> for Raw<'a> {
    fn from(value: &'a RawValue) -> Self {
        Self(value.get())
    }
}

/// A whole text as one JSON value.
///
/// # Errors
/// [`Problem::Syntax`] where it is none.
pub fn document(text: &str) -> Result<Raw<'_>, Problem> {
    serde_json::from_str::<&RawValue>(text)
        .map(Raw::from)
        .map_err(|error| Problem::syntax(&error))
}

/// A value that may be absent: null counts as absent, as it does for the API server.
#[must_use]
pub fn present(raw: Option<Raw<'_>>) -> Option<Raw<'_>> {
    raw.filter(|raw| Kind::of(*raw) != Kind::Null)
}

/// Refuses a value of another type than the one that is due.
///
/// # Errors
/// [`Problem::Type`].
pub fn due(raw: Raw<'_>, expected: Kind) -> Result<(), Problem> {
    match Kind::of(raw) {
        found if found == expected => Ok(()),
        found => Err(Problem::Type { expected, found }),
    }
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
        match raw.get().as_bytes().first() {
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
