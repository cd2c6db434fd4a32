//! Why a text cannot be read.

use std::fmt;

use crate::{limits::Limit, position::Position};

/// Why a document cannot be read. Each text names line and column; the caller adds the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// The text is not YAML.
    Yaml {
        /// Where the parser stopped.
        at: Position,
        /// What it found.
        problem: String,
    },
    /// The text begins as JSON and goes on as something else.
    Json {
        /// Where reading stopped.
        at: Position,
        /// What it found and what it wanted.
        problem: String,
    },
    /// A tab where YAML wants spaces.
    Tab {
        /// Where the parser stopped.
        at: Position,
    },
    /// A template of Helm or of another Go program that has not been rendered.
    Template {
        /// The opening braces.
        at: Position,
    },
    /// The same key twice in one mapping.
    DuplicateKey {
        /// The second one.
        at: Position,
        /// The first one.
        first: Position,
        /// The key.
        key: String,
    },
    /// A key that is null.
    NullKey {
        /// The key.
        at: Position,
    },
    /// A key that is a mapping or a sequence.
    ComplexKey {
        /// The key.
        at: Position,
    },
    /// A number above 9223372036854775807 as a key, which kubectl refuses.
    NumberKey {
        /// The key.
        at: Position,
        /// As it is written.
        text: String,
    },
    /// A tag that is not one of YAML's own.
    Tag {
        /// The tagged value.
        at: Position,
        /// The tag.
        tag: String,
    },
    /// A value that is not what its tag says.
    TagMismatch {
        /// The value.
        at: Position,
        /// The tag.
        tag: String,
        /// What the value is.
        found: String,
    },
    /// Infinity or not-a-number, which JSON does not have.
    NotFinite {
        /// The value.
        at: Position,
        /// As it is written.
        text: String,
    },
    /// A number that no number of JSON's readers can hold.
    NumberTooBig {
        /// The value.
        at: Position,
        /// As it is written, cut where it is long.
        text: String,
    },
    /// An alias without an anchor before it.
    UnknownAlias {
        /// The alias.
        at: Position,
    },
    /// An alias inside the value that it stands for.
    RecursiveAlias {
        /// The alias.
        at: Position,
    },
    /// A merge key `<<` whose value is not a mapping or a list of mappings.
    Merge {
        /// The value.
        at: Position,
    },
    /// A merge key that comes after a key which it brings too: YAML keeps the written one,
    /// kubectl the merged one.
    MergeOverride {
        /// The merge key's value.
        at: Position,
        /// The written key.
        first: Position,
        /// The key.
        key: String,
    },
    /// A document costs more than the reader was allowed.
    Limit {
        /// Where it was passed.
        at: Position,
        /// Which limit.
        limit: Limit,
        /// Its value.
        max: usize,
    },
    /// The bytes are not UTF-8.
    Utf8 {
        /// The first byte that is wrong.
        at: Position,
        /// That byte.
        byte: u8,
    },
    /// The text is UTF-16 or UTF-32.
    Utf16,
    /// A control character, which neither YAML nor JSON allows.
    ControlCharacter {
        /// The character.
        at: Position,
        /// Its code.
        code: u32,
    },
    /// Half of a surrogate pair in an escape such as `\ud800`: not a character.
    LoneSurrogate {
        /// The escape, or the string that holds it.
        at: Position,
    },
    /// While a list was read item by item, its end showed that it is none.
    NotAList {
        /// The key `items`.
        at: Position,
        /// The document's kind, if it has one.
        kind: Option<String>,
    },
    /// The source could not be read further.
    Io {
        /// How far it was read.
        at: Position,
        /// The source's own words.
        problem: String,
    },
}

impl ReadError {
    /// The place that the error is about.
    #[must_use]
    pub fn position(&self) -> Position {
        match self {
            Self::Yaml { at, .. }
            | Self::Json { at, .. }
            | Self::Tab { at }
            | Self::Template { at }
            | Self::DuplicateKey { at, .. }
            | Self::NullKey { at }
            | Self::ComplexKey { at }
            | Self::NumberKey { at, .. }
            | Self::Tag { at, .. }
            | Self::TagMismatch { at, .. }
            | Self::NotFinite { at, .. }
            | Self::NumberTooBig { at, .. }
            | Self::UnknownAlias { at }
            | Self::RecursiveAlias { at }
            | Self::Merge { at }
            | Self::MergeOverride { at, .. }
            | Self::Limit { at, .. }
            | Self::Utf8 { at, .. }
            | Self::ControlCharacter { at, .. }
            | Self::LoneSurrogate { at }
            | Self::NotAList { at, .. }
            | Self::Io { at, .. } => *at,
            Self::Utf16 => Position::START,
        }
    }

    /// Whether the source itself failed, so that nothing after it can be read.
    pub(crate) fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Utf8 { .. }
                | Self::Utf16
                | Self::ControlCharacter { .. }
                | Self::Io { .. }
                | Self::Limit {
                    limit: Limit::Bytes,
                    ..
                }
        )
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: ", self.position())?;
        match self {
            Self::Yaml { problem, .. } => write!(out, "not valid YAML: {problem}"),
            Self::Json { problem, .. } => write!(out, "not valid JSON: {problem}"),
            Self::Tab { .. } => out.write_str("a tab where YAML allows none; indent with spaces"),
            Self::Template { .. } => out.write_str(
                "a template that has not been rendered; render it first: \
                 helm template … | lws-placement review -f -",
            ),
            Self::DuplicateKey { first, key, .. } => write!(
                out,
                "the key {key:?} is here and on line {}; remove one of the two",
                first.line
            ),
            Self::NullKey { .. } => {
                out.write_str("a key that is null; if it is a word, put it in quotes")
            }
            Self::ComplexKey { .. } => {
                out.write_str("a key that is a mapping or a list; Kubernetes' keys are strings")
            }
            Self::NumberKey { text, .. } => {
                write!(
                    out,
                    "the number {text} as a key is too big; put it in quotes"
                )
            }
            Self::Tag { tag, .. } => write!(
                out,
                "the tag {} is not one that Kubernetes manifests have; remove it",
                // `%0A` in a tag is a line feed.
                tag.escape_debug()
            ),
            Self::TagMismatch { tag, found, .. } => {
                write!(
                    out,
                    "the tag {tag} is on {found}; remove the tag or correct the value"
                )
            }
            Self::NotFinite { text, .. } => write!(
                out,
                "{text} has no counterpart in JSON, which Kubernetes' API speaks; if it is a \
                 string, put it in quotes"
            ),
            Self::NumberTooBig { text, .. } => write!(
                out,
                "the number {text} is too big to be kept; if it is a string, put it in quotes"
            ),
            Self::UnknownAlias { .. } => out.write_str(
                "an alias without an anchor before it; a * that begins a string needs quotes",
            ),
            Self::RecursiveAlias { .. } => {
                out.write_str("an alias inside the very value that it stands for")
            }
            Self::Merge { .. } => {
                out.write_str("the merge key << wants a mapping or a list of mappings")
            }
            Self::MergeOverride { first, key, .. } => write!(
                out,
                "the merge key << comes after {key:?} (line {}), which it brings too: kubectl \
                 would let the merged value win; put << first",
                first.line
            ),
            Self::Limit { limit, max, .. } => write!(out, "more than {max} {limit}"),
            Self::Utf8 { at, byte } => write!(
                out,
                "the byte 0x{byte:02x} at offset {} is not UTF-8; save the file as UTF-8",
                at.offset
            ),
            Self::Utf16 => out.write_str("the text is UTF-16 or UTF-32; save the file as UTF-8"),
            Self::ControlCharacter { code, .. } => write!(
                out,
                "the control character U+{code:04X} is not allowed; is this a text file, saved \
                 as UTF-8?"
            ),
            Self::LoneSurrogate { .. } => {
                out.write_str("an escape that is half of a surrogate pair, which is no character")
            }
            Self::NotAList { kind, .. } => {
                out.write_str("a document with `items` whose kind is ")?;
                match kind {
                    Some(kind) => write!(out, "{kind:?}")?,
                    None => out.write_str("missing")?,
                }
                out.write_str(", not a List; its items were read one by one")
            }
            Self::Io { problem, .. } => write!(out, "reading stopped: {problem}"),
        }
    }
}

impl std::error::Error for ReadError {}
