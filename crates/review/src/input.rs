//! Reading files and standard input, and saying where in them something is wrong.

use crate::problem::{Problem, unescape};
use crate::review::place::{Place, scalar};
use crate::review::reason;
use crate::review::report::Remark;
use crate::review::source::Source;
use lws_manifest::ReadError;
use serde_json::Value;
use std::fmt;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// Bytes that an input may have, unless it is a cluster's dump, which is read as a stream: far more than any manifest, and
/// few enough for an input without end, such as a device, to be told soon.
pub const MOST: usize = 128 << 20;

/// One document of a file, with what it takes to point into it.
#[derive(Debug)]
pub struct Document {
    source: Arc<Source>,
    manifest: lws_manifest::Document,
}

/// Why an input cannot be used.
#[derive(Debug)]
pub enum InputError {
    /// It cannot be read at all.
    Read {
        /// The file.
        source: String,
        /// What the operating system said.
        error: std::io::Error,
    },
    /// It has more than [`MOST`] bytes.
    TooLarge {
        /// The file.
        source: String,
    },
    /// It is neither YAML nor JSON.
    Parse {
        /// The file.
        source: String,
        /// What is wrong, and where.
        error: ReadError,
        /// The place in the file.
        place: Box<Place>,
    },
    /// It does not hold exactly one document.
    Count {
        /// The file.
        source: String,
        /// The documents it holds: number, line and kind.
        documents: Vec<String>,
        /// What one of them should be.
        wanted: &'static str,
    },
    /// A field is wrong.
    Field {
        /// The document in the file, from 1.
        document: usize,
        /// Where in the file.
        place: Box<Place>,
        /// What is wrong.
        problem: Problem,
    },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { source, error } => {
                write!(
                    f,
                    "cannot read {source}: {error}; check the path, or give - for standard input"
                )
            }
            Self::TooLarge { source } => write!(
                f,
                "{source} holds more than {} MiB; split it into files of its documents",
                MOST >> 20
            ),
            Self::Parse { source, error, .. } => write!(f, "{source}: {error}"),
            Self::Count {
                source,
                documents,
                wanted,
            } if documents.is_empty() => {
                write!(f, "{source} holds no document; put {wanted} into it")
            }
            Self::Count {
                source,
                documents,
                wanted,
            } => write!(
                f,
                "{source} holds {} documents ({}); keep only {wanted} in it",
                documents.len(),
                documents.join(", ")
            ),
            Self::Field {
                document,
                place,
                problem,
            } => write!(f, "{place} (document {document}): {problem}"),
        }
    }
}

impl std::error::Error for InputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { error, .. } => Some(error),
            Self::Parse { error, .. } => Some(error),
            Self::Field { problem, .. } => Some(problem),
            Self::Count { .. } | Self::TooLarge { .. } => None,
        }
    }
}

impl InputError {
    /// Where in a file the error is, if it is at one place.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Parse { place, .. } | Self::Field { place, .. } => Some(place),
            Self::Read { .. } | Self::TooLarge { .. } | Self::Count { .. } => None,
        }
    }
}

impl From<InputError> for Remark {
    fn from(error: InputError) -> Self {
        let text = match &error {
            InputError::Parse { error, .. } => reason::without_position(error),
            InputError::Field { problem, .. } => problem.to_string(),
            InputError::Read { .. } | InputError::Count { .. } | InputError::TooLarge { .. } => {
                error.to_string()
            }
        };
        Self::error(error.place().cloned(), text)
    }
}

impl Document {
    /// The value.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.manifest.value
    }

    /// The parts that stand for themselves: a list's items; of any other document, the document.
    #[must_use]
    pub fn items(&self) -> Vec<lws_manifest::Item<'_>> {
        self.manifest.items()
    }

    /// Where the value stands that a JSON pointer names, or the nearest thing around it. Of what is not there, and of
    /// the document as a whole, no line is shown: it would say nothing.
    #[must_use]
    pub fn value_at(&self, pointer: &str) -> Place {
        let scalar = self.value().pointer(pointer).and_then(scalar);
        let is_shown = scalar.is_some() || !pointer.is_empty() && self.manifest.has(pointer);
        let at = self.manifest.locate(pointer);
        let place = self.source.place(at, &scalar.unwrap_or_default());
        Place {
            excerpt: place.excerpt.filter(|_| is_shown),
            ..place
        }
    }

    /// Where the key stands that a JSON pointer ends with, or the nearest thing around it.
    #[must_use]
    pub fn key_at(&self, pointer: &str) -> Place {
        let key = pointer.rsplit('/').next().map(unescape);
        let at = self.manifest.locate_key(pointer);
        self.source.place(at, &key.unwrap_or_default())
    }

    /// Points `problem` at its place in this document.
    #[must_use]
    pub fn point(&self, problem: Problem) -> InputError {
        InputError::Field {
            document: self.manifest.number,
            place: Box::new(self.value_at(&problem.field)),
            problem,
        }
    }
}

/// What standard input is called in messages.
pub const STANDARD_INPUT: &str = "standard input";

/// Reads a file's bytes, or standard input's where `path` is `-`; gives the name for messages as well.
///
/// # Errors
/// [`InputError::Read`] and [`InputError::TooLarge`].
pub fn bytes(path: &Path) -> Result<(String, Vec<u8>), InputError> {
    let (source, read) = if path.as_os_str() == "-" {
        (STANDARD_INPUT.to_owned(), at_most(std::io::stdin().lock()))
    } else {
        (shown(path), std::fs::File::open(path).and_then(at_most))
    };
    match read {
        Ok(Some(bytes)) => Ok((source, bytes)),
        Ok(None) => Err(InputError::TooLarge { source }),
        Err(error) => Err(InputError::Read { source, error }),
    }
}

/// A path for people: without what a terminal, or whoever reads the output line by line, would obey.
#[must_use]
pub fn shown(path: &Path) -> String {
    path.display()
        .to_string()
        .replace(char::is_control, "\u{fffd}")
}

/// All bytes of `reader`, or `None` where there are more than [`MOST`].
///
/// # Errors
/// It cannot be read.
pub fn at_most(reader: impl Read) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(MOST).unwrap_or(u64::MAX);
    reader.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= MOST).then_some(bytes))
}

/// The documents of a file, YAML or JSON; empty ones count.
///
/// # Errors
/// [`InputError::Read`] and [`InputError::Parse`].
pub fn documents(path: &Path) -> Result<(String, Vec<Document>), InputError> {
    let (source, bytes) = bytes(path)?;
    let documents = parse(&source, &bytes)?;
    Ok((source, documents))
}

/// The documents of a text that is already in memory.
///
/// # Errors
/// [`InputError::Parse`].
pub fn parse(source: &str, bytes: &[u8]) -> Result<Vec<Document>, InputError> {
    let origin = Arc::new(Source {
        name: source.to_owned(),
        text: bytes.to_vec(),
    });
    lws_manifest::read(bytes)
        .into_iter()
        .map(|document| match document {
            Ok(manifest) => Ok(Document {
                source: Arc::clone(&origin),
                manifest,
            }),
            Err(error) => Err(InputError::Parse {
                source: source.to_owned(),
                place: Box::new(origin.place(error.position(), "")),
                error,
            }),
        })
        .collect()
}

/// The one document of a file. `wanted` says what it should be.
///
/// # Errors
/// Any [`InputError`] but [`InputError::Field`].
pub fn single(path: &Path, wanted: &'static str) -> Result<Document, InputError> {
    let (source, documents) = documents(path)?;
    only(source, documents, wanted)
}

/// The one document among `documents` of `source`.
///
/// # Errors
/// [`InputError::Count`]: there is none, or more than one.
pub fn only(
    source: String,
    mut documents: Vec<Document>,
    wanted: &'static str,
) -> Result<Document, InputError> {
    if documents.len() > 1 {
        return Err(too_many(source, &documents, wanted));
    }
    documents.pop().ok_or(InputError::Count {
        source,
        documents: Vec::new(),
        wanted,
    })
}

/// The error that names the documents of `source`.
#[must_use]
pub fn too_many(source: String, documents: &[Document], wanted: &'static str) -> InputError {
    InputError::Count {
        source,
        documents: documents.iter().map(describe).collect(),
        wanted,
    }
}

/// A document's number, line and kind, for a message.
fn describe(document: &Document) -> String {
    let value = document.value();
    let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str);
    let name = text("/metadata/name").map_or_else(String::new, |name| format!(" \"{name}\""));
    format!(
        "{} at line {}: {}{name}",
        document.manifest.number,
        document.manifest.locate("").line,
        text("/kind").unwrap_or(crate::request::kind_of(value)),
    )
}
