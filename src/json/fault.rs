//! What can be wrong with JSON.

use std::borrow::Cow;
use std::fmt;

use super::raw::Kind;
use crate::message::Quoted;

/// What is wrong with a piece of JSON, without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Bytes that are no UTF-8; where they begin.
    NotUtf8(usize),
    /// No JSON: the parser's reason without the text, its line and column (from 1).
    Syntax(&'static str, usize, usize),
    /// A string whose escapes are no text: half of a surrogate pair. JSON's grammar has it.
    Escape,
    /// Another type than the one that is due.
    Type {
        /// What is due.
        expected: Kind,
        /// What is there.
        found: Kind,
    },
    /// A member that the policy reads stands there twice, so its value is anyone's guess.
    Duplicate(String),
    /// A member that must be there is not.
    Missing,
    /// A string that is none of the legal words.
    Word(&'static str),
}

impl Problem {
    /// This problem at a place, a path such as `request.object.spec`.
    #[must_use]
    pub fn at(self: Box<Self>, path: impl Into<Cow<'static, str>>) -> Fault {
        Fault::new(path.into(), self)
    }

    /// This problem at an element of a list, or at a place below the element, a path that begins with a dot.
    #[must_use]
    #[cold]
    #[inline(never)]
    pub fn at_element(self: Box<Self>, list: &str, index: usize, below: &str) -> Fault {
        self.at(format!("{list}[{index}]{below}"))
    }

    /// serde_json's message carries text of the input in a few of its errors, so the reason is told in
    /// our words and the payload is not echoed (R5).
    pub(super) fn syntax(error: &serde_json::Error) -> Self {
        let reason = if error.is_eof() {
            "it ends too early"
        } else {
            "a syntax error"
        };
        Self::Syntax(reason, error.line(), error.column())
    }
}

/// Malformed input: a problem and the place where it is.
///
/// It is boxed, as nearly everything that reads may give one and hands it on by value: ten kilobytes of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(Box<Placed>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Placed {
    path: Cow<'static, str>,
    problem: Box<Problem>,
}

/// A member that must be there is not.
#[cold]
#[inline(never)]
#[must_use]
pub fn missing(path: &'static str) -> Fault {
    Box::new(Problem::Missing).at(path)
}

/// A string is none of the legal words.
#[cold]
#[inline(never)]
#[must_use]
pub fn word(legal: &'static str, path: &'static str) -> Fault {
    Box::new(Problem::Word(legal)).at(path)
}

impl Fault {
    #[cold]
    #[inline(never)]
    fn new(path: Cow<'static, str>, problem: Box<Problem>) -> Self {
        Self(Box::new(Placed { path, problem }))
    }

    /// The path from the document's root or, in a pod, from the object.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// What is wrong there.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// The same fault seen from further out: `prefix.path`.
    #[must_use]
    pub fn under(mut self, prefix: &str) -> Self {
        self.0.path = Cow::Owned(format!("{prefix}.{}", self.0.path));
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path(), self.problem())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8(offset) => write!(
                f,
                "not UTF-8 at byte {offset}; send the JSON encoded as UTF-8"
            ),
            Self::Syntax(reason, line, column) => write!(
                f,
                "no JSON ({reason} at line {line} column {column}); send well-formed JSON"
            ),
            Self::Escape => f.write_str(
                "holds a \\u escape that is half of a surrogate pair; write the whole character",
            ),
            Self::Type { expected, found } => {
                let expected = expected.with_article();
                write!(
                    f,
                    "found {} where {expected} is due; make it {expected}",
                    found.with_article(),
                )
            }
            Self::Duplicate(name) => write!(f, "{} stands there twice; keep one", Quoted(name)),
            Self::Missing => f.write_str("is missing; add it"),
            Self::Word(legal) => write!(f, "has an unknown value; use {legal}"),
        }
    }
}

/// The problem of a text that is not UTF-8.
#[must_use]
pub fn not_utf8(error: &std::str::Utf8Error) -> Box<Problem> {
    Problem::NotUtf8(error.valid_up_to()).into()
}
