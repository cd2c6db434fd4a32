//! YAML: the parser's events as the builder wants them.

use std::{cell::RefCell, io::Read, rc::Rc};

use granit_parser::{
    ErrorKind, Event as Raw, FallibleBufferedInput, Marker, Parser, ScalarStyle, ScanError, Span,
    Tag, options,
};

use crate::{
    error::ReadError,
    event::{Event, Events},
    limits::{Limit, Limits},
    position::Position,
    scalar::Scalar,
    source::Source,
    template,
};

/// YAML's own tags of which kubectl can make JSON. (It decodes `!!binary` too, but what comes out
/// may be no text.)
const CORE: [&str; 9] = [
    "str",
    "int",
    "float",
    "bool",
    "null",
    "timestamp",
    "merge",
    "map",
    "seq",
];

type Shared<R> = Rc<RefCell<Source<R>>>;

/// The parser's view of the source. A failure is kept in the source, which says more about it than
/// the parser's error can hold.
struct Characters<R>(Shared<R>);

impl<R: Read> Iterator for Characters<R> {
    type Item = Result<char, ErrorKind>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut source = self.0.borrow_mut();
        match source.next() {
            Ok(c) => c.map(Ok),
            Err(error) => {
                source.failure = Some(error);
                Some(Err(ErrorKind::Custom(String::new())))
            }
        }
    }
}

/// A YAML text.
pub(crate) struct Yaml<R: Read> {
    parser: Parser<'static, FallibleBufferedInput<Characters<R>>>,
    source: Shared<R>,
    depth: usize,
    /// Where the last event began: everything before is done with.
    reached: usize,
}

impl<R: Read> Yaml<R> {
    pub(crate) fn new(source: Source<R>, limits: &Limits) -> Self {
        let source = Rc::new(RefCell::new(source));
        // The builder holds the depth; the parser's own limits only bound what it keeps itself.
        let options = options! {
            flow_nesting_limit: limits.depth.saturating_add(1),
            block_nesting_limit: limits.depth.saturating_add(1),
            // As kubectl's YAML does.
            block_scalar_eof_without_line_feed: true,
        };
        let characters = Characters(Rc::clone(&source));
        Self {
            parser: Parser::new_from_fallible_iter_with_options(characters, options),
            source,
            depth: limits.depth,
            reached: 0,
        }
    }

    fn position(&self, mark: &Marker) -> Position {
        Position {
            offset: self.source.borrow_mut().offset_of(mark.index()),
            line: mark.line(),
            column: mark.col() + 1,
        }
    }

    fn error(&self, error: &ScanError) -> ReadError {
        if let Some(failure) = self.source.borrow_mut().failure.take() {
            return failure;
        }
        let at = self.position(error.marker());
        match error.kind() {
            ErrorKind::RecursionLimitExceeded => ReadError::Limit {
                at,
                limit: Limit::Depth,
                max: self.depth,
            },
            ErrorKind::UnknownAnchor => ReadError::UnknownAlias { at },
            ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabAtBlockScalarStart
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar => {
                let tab = self.source.borrow().tab_from(at.line);
                ReadError::Tab {
                    at: tab.unwrap_or(at),
                }
            }
            ErrorKind::InvalidLowSurrogate
            | ErrorKind::MissingLowSurrogate
            | ErrorKind::UnpairedLowSurrogate => ReadError::LoneSurrogate { at },
            _ => ReadError::Yaml {
                at,
                problem: error.info(),
            },
        }
    }

    fn convert(
        &self,
        raw: Raw<'static>,
        span: &Span,
    ) -> Result<Option<(Event, Position)>, ReadError> {
        let at = match raw {
            // An end stands where the next token begins; nobody asks where.
            Raw::MappingEnd | Raw::SequenceEnd | Raw::DocumentEnd => Position::START,
            _ => self.position(&span.start),
        };
        let event = match raw {
            Raw::DocumentStart(..) => {
                self.source.borrow_mut().templates.forget(at.offset);
                Event::DocumentStart
            }
            Raw::DocumentEnd => Event::DocumentEnd,
            Raw::SequenceStart(_, anchor, tag) => {
                collection_tag(tag.as_deref(), "seq", "a list", at)?;
                Event::SequenceStart { anchor }
            }
            Raw::SequenceEnd => Event::SequenceEnd,
            Raw::MappingStart(_, anchor, tag) => {
                collection_tag(tag.as_deref(), "map", "a mapping", at)?;
                Event::MappingStart { anchor }
            }
            Raw::MappingEnd => Event::MappingEnd,
            Raw::Alias(anchor) => Event::Alias { anchor },
            Raw::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain;
                // The parser writes ~ for a value that is not there.
                let absent = plain && span.is_empty() && text == "~";
                let text = if absent {
                    String::new()
                } else {
                    text.into_owned()
                };
                if plain {
                    self.refuse_template(&text, at)?;
                } else {
                    let end = self.source.borrow_mut().offset_of(span.end.index());
                    self.source.borrow_mut().templates.forget(end);
                }
                let size = text.len();
                let scalar = match tag {
                    None if plain => Scalar::plain(&text),
                    None => Scalar::Text(text),
                    Some(tag) => tagged(text, &tag, at)?,
                };
                Event::Scalar {
                    scalar,
                    anchor,
                    size,
                }
            }
            _ => return Ok(None),
        };
        Ok(Some((event, at)))
    }

    /// `name: web-{{ .Values.x }}` is good YAML, and still a template.
    fn refuse_template(&self, text: &str, at: Position) -> Result<(), ReadError> {
        let is_template = text.match_indices("{{").any(|(open, _)| {
            let (before, rest) = text.split_at(open);
            template::may_follow(before.chars().next_back()) && rest.contains("}}")
        });
        if !is_template {
            return Ok(());
        }
        let mut source = self.source.borrow_mut();
        source.templates.forget(at.offset);
        let at = source.templates.first(at.offset).unwrap_or(at);
        Err(ReadError::Template { at })
    }
}

impl<R: Read> Events for Yaml<R> {
    fn next_event(&mut self) -> Result<Option<(Event, Position)>, ReadError> {
        loop {
            let (raw, span) = match self.parser.next_event() {
                None => return Ok(None),
                Some(Ok(next)) => next,
                Some(Err(error)) => return Err(self.error(&error)),
            };
            if let Some((event, at)) = self.convert(raw, &span)? {
                self.reached = self.reached.max(at.offset);
                return Ok(Some((event, at)));
            }
        }
    }

    fn skip_document(&mut self) -> Result<bool, ReadError> {
        let limit = self.source.borrow_mut().set_limit(usize::MAX);
        let found = self.parser.proceed_next_document();
        let mut source = self.source.borrow_mut();
        source.set_limit(limit);
        let offset = source.position().offset;
        source.settle(offset);
        drop(source);
        found.map_err(|error| self.error(&error))
    }

    fn settle(&mut self) {
        self.source.borrow_mut().settle(self.reached);
    }

    fn template(&self, from: usize) -> Option<Position> {
        self.source.borrow().templates.first(from)
    }
}

fn collection_tag(
    tag: Option<&Tag>,
    own: &str,
    found: &str,
    at: Position,
) -> Result<(), ReadError> {
    let Some(tag) = tag else { return Ok(()) };
    match core(tag, at)? {
        suffix if suffix == own || suffix.is_empty() => Ok(()),
        suffix => Err(ReadError::TagMismatch {
            at,
            tag: format!("!!{suffix}"),
            found: found.to_owned(),
        }),
    }
}

/// A tag's name among YAML's own; empty for the bare `!`.
fn core(tag: &Tag, at: Position) -> Result<&'static str, ReadError> {
    let suffix = tag.suffix_in_namespace("tag:yaml.org,2002:");
    let bare = tag.handle().is_empty() && tag.suffix() == "!";
    let known = CORE.iter().find(|name| suffix.as_deref() == Some(name));
    match known {
        Some(name) => Ok(name),
        None if bare => Ok(""),
        None => Err(ReadError::Tag {
            at,
            tag: tag.original(),
        }),
    }
}

fn tagged(text: String, tag: &Tag, at: Position) -> Result<Scalar, ReadError> {
    let suffix = core(tag, at)?;
    if matches!(suffix, "" | "str" | "timestamp") {
        return Ok(Scalar::Text(text));
    }
    match (suffix, Scalar::plain(&text)) {
        ("int", scalar @ (Scalar::Int(_) | Scalar::Uint(_) | Scalar::BigInt(_))) => Ok(scalar),
        ("float", scalar @ (Scalar::Float(_) | Scalar::BigInt(_))) => Ok(scalar),
        #[allow(clippy::cast_precision_loss)]
        ("float", Scalar::Int(value)) => Ok(Scalar::Float(value as f64)),
        ("bool", scalar @ Scalar::Bool(_))
        | ("null", scalar @ Scalar::Null)
        | ("merge", scalar @ Scalar::Merge) => Ok(scalar),
        _ => Err(ReadError::TagMismatch {
            at,
            tag: format!("!!{suffix}"),
            found: format!("{text:?}"),
        }),
    }
}
