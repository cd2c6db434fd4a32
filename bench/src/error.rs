//! What can go wrong while measuring.

use lws_placement::engine::{Fault, LoadError};
use lws_placement::section::NotAModule;
use std::fmt;

/// Why there are no figures, or none that can be kept.
#[derive(Debug)]
pub enum Error {
    /// A file cannot be read or written.
    File {
        /// Its path.
        path: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A file is no policy module.
    Load(LoadError),
    /// A file is no module at all.
    Module {
        /// Its path.
        path: String,
        /// What is wrong with it.
        source: NotAModule,
    },
    /// A module gave no answer.
    Fault {
        /// Which module and request.
        what: String,
        /// What ended it.
        source: Fault,
    },
    /// A module gave another answer than the request is there for.
    Answer {
        /// Which module and request.
        what: String,
        /// What was wanted.
        wanted: &'static str,
        /// The answer's beginning.
        answer: String,
    },
    /// The file of accepted costs has a line that is none.
    Accepted {
        /// Counted from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// The file of accepted costs lacks a part.
    Lacks(&'static str),
    /// No reason was given for accepting new costs.
    NoReason,
    /// There is no case of that name.
    NoCase {
        /// The name that was given.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A page has no room for the figures.
    NoMarkers {
        /// Its path.
        path: String,
    },
    /// The figures have no JSON form.
    Json(serde_json::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, source } => {
                write!(f, "{path}: {source}; \"make bench\" builds what it reads")
            }
            Self::Load(source) => source.fmt(f),
            Self::Module { path, source } => write!(f, "{path} {source}"),
            Self::Fault { what, source } => write!(f, "{what}: {source}"),
            Self::Answer {
                what,
                wanted,
                answer,
            } => write!(
                f,
                "{what}: the answer should be of the kind \"{wanted}\" and is {answer}"
            ),
            Self::Accepted { line, text } => write!(
                f,
                "line {line} of the accepted costs is no case with its bytes, fuel and memory: {text}; {REMEDY}"
            ),
            Self::Lacks(what) => write!(f, "the accepted costs have no line \"{what}\"; {REMEDY}"),
            Self::NoReason => write!(
                f,
                "why are the new costs good? Say it: make bench-accept REASON=\"…\""
            ),
            Self::NoCase { name, known } => {
                write!(f, "\"{name}\" is no case; there are {}", known.join(", "))
            }
            Self::NoMarkers { path } => write!(
                f,
                "{path} has no block between \"{}\" and \"{}\"",
                crate::page::BEGIN,
                crate::page::END
            ),
            Self::Json(source) => source.fmt(f),
        }
    }
}

/// What makes the file of accepted costs whole again.
pub const REMEDY: &str = "make bench-accept REASON=\"…\" writes them anew";

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            Self::Load(source) => Some(source),
            Self::Module { source, .. } => Some(source),
            Self::Fault { source, .. } => Some(source),
            Self::Json(source) => Some(source),
            Self::Answer { .. }
            | Self::Accepted { .. }
            | Self::Lacks(_)
            | Self::NoReason
            | Self::NoCase { .. }
            | Self::NoMarkers { .. } => None,
        }
    }
}

impl From<LoadError> for Error {
    fn from(source: LoadError) -> Self {
        Self::Load(source)
    }
}
