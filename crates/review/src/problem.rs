//! Something wrong in a document, by its field.

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;
use std::fmt;

/// What is wrong with a field, and what to do. The file and line are added by whoever read the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The field, as a JSON pointer; empty for the whole document.
    pub field: String,
    /// What is wrong, as it follows the field's name.
    pub what: String,
    /// What to do.
    pub remedy: String,
}

impl Problem {
    /// A problem with the field at a JSON pointer.
    #[must_use]
    pub fn new(field: &str, what: String, remedy: &str) -> Self {
        Self {
            field: field.to_owned(),
            what,
            remedy: remedy.to_owned(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.as_str() {
            "" => write!(f, "the document")?,
            field => write!(f, "field \"{field}\"")?,
        }
        write!(f, " {}; {}", self.what, self.remedy)
    }
}

impl std::error::Error for Problem {}

/// Reads `value` as a `T`, naming the field that does not fit.
///
/// # Errors
/// The first field that does not fit.
pub fn read<T: DeserializeOwned>(value: &Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let pointer: String = error
            .path()
            .iter()
            .filter_map(|segment| match segment {
                Segment::Seq { index } => Some(format!("/{index}")),
                Segment::Map { key } => Some(format!("/{}", escape(key))),
                Segment::Enum { .. } | Segment::Unknown => None,
            })
            .collect();
        Problem::new(
            &pointer,
            format!("cannot be used: {}", error.inner()),
            "correct it or leave it out",
        )
    })
}

/// A key as it stands in a JSON pointer (RFC 6901).
#[must_use]
pub fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// A step of a JSON pointer as the key that it names.
#[must_use]
pub fn unescape(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
