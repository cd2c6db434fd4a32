//! JSON: one document, or many after one another.

use std::io::Read;

use crate::{
    error::ReadError,
    event::{Event, Events},
    position::Position,
    scalar::Scalar,
    source::Source,
};

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Document,
    Value,
    ItemOrEnd,
    KeyOrEnd,
    Key,
    CommaOrEnd,
    DocumentEnd,
    Nothing,
}

/// A JSON text: values after one another, with or without `---` between them. It reads without
/// recursion and keeps nothing but which brackets are open.
pub(crate) struct Json<R> {
    source: Source<R>,
    next: Next,
    /// The open brackets; true is an object's.
    open: Vec<bool>,
}

impl<R: Read> Json<R> {
    pub(crate) fn new(source: Source<R>) -> Self {
        Self {
            source,
            next: Next::Document,
            open: Vec::new(),
        }
    }

    fn space(&mut self) -> Result<Option<char>, ReadError> {
        loop {
            match self.source.peek()? {
                Some(' ' | '\t' | '\n' | '\r') => self.source.next()?,
                other => return Ok(other),
            };
        }
    }

    fn document(&mut self) -> Result<Option<(Event, Position)>, ReadError> {
        loop {
            match self.space()? {
                None => return Ok(None),
                Some('-') => {
                    for _ in 0..3 {
                        if self.source.peek()? != Some('-') {
                            return Err(self.wrong("--- or the start of an object"));
                        }
                        self.source.next()?;
                    }
                }
                Some('#') => {
                    while !matches!(self.source.peek()?, None | Some('\n' | '\r')) {
                        self.source.next()?;
                    }
                }
                Some('{' | '[') => {
                    self.next = Next::Value;
                    let at = self.source.position();
                    self.source.templates.forget(at.offset);
                    return Ok(Some((Event::DocumentStart, at)));
                }
                Some(_) => return Err(self.wrong("{ or [")),
            }
        }
    }

    fn value(&mut self) -> Result<(Event, Position), ReadError> {
        let first = self.space()?;
        let at = self.source.position();
        let event = match first {
            Some('{') => {
                self.source.next()?;
                self.open.push(true);
                self.next = Next::KeyOrEnd;
                return Ok((Event::MappingStart { anchor: 0 }, at));
            }
            Some('[') => {
                self.source.next()?;
                self.open.push(false);
                self.next = Next::ItemOrEnd;
                return Ok((Event::SequenceStart { anchor: 0 }, at));
            }
            Some('"') => {
                let text = self.string()?;
                let size = text.len();
                (Scalar::Text(text), size)
            }
            Some('-' | '0'..='9') => self.number(at)?,
            Some('a'..='z') => (self.literal(at)?, 0),
            _ => return Err(self.wrong("a value")),
        };
        self.after_value();
        Ok((scalar(event), at))
    }

    fn after_value(&mut self) {
        self.next = if self.open.is_empty() {
            Next::DocumentEnd
        } else {
            Next::CommaOrEnd
        };
    }

    fn key(&mut self) -> Result<(Event, Position), ReadError> {
        if self.space()? != Some('"') {
            return Err(self.wrong("a key in double quotes"));
        }
        let at = self.source.position();
        let text = self.string()?;
        if self.space()? != Some(':') {
            return Err(self.wrong("a colon"));
        }
        self.source.next()?;
        self.next = Next::Value;
        let size = text.len();
        Ok((scalar((Scalar::Text(text), size)), at))
    }

    /// A comma, or the bracket that closes what is open.
    fn comma_or_end(&mut self) -> Result<Option<(Event, Position)>, ReadError> {
        let object = self.open.last().copied().unwrap_or_default();
        match (self.space()?, object) {
            (Some(','), _) => {
                self.source.next()?;
                self.next = if object { Next::Key } else { Next::Value };
                Ok(None)
            }
            (Some('}'), true) | (Some(']'), false) => self.close().map(Some),
            (_, true) => Err(self.wrong("a comma or }")),
            (_, false) => Err(self.wrong("a comma or ]")),
        }
    }

    fn close(&mut self) -> Result<(Event, Position), ReadError> {
        let at = self.source.position();
        self.source.next()?;
        let object = self.open.pop().unwrap_or_default();
        self.after_value();
        let event = if object {
            Event::MappingEnd
        } else {
            Event::SequenceEnd
        };
        Ok((event, at))
    }

    fn string(&mut self) -> Result<String, ReadError> {
        self.source.next()?;
        let mut text = String::new();
        loop {
            match self.source.peek()? {
                None => return Err(self.wrong("the end of a string")),
                Some('"') => {
                    self.source.next()?;
                    return Ok(text);
                }
                Some('\\') => {
                    let at = self.source.position();
                    self.source.next()?;
                    text.push(self.escape(at)?);
                }
                Some('\t' | '\n' | '\r') => {
                    return Err(self.wrong("the end of a string, or an escape such as \\n"));
                }
                Some(c) => {
                    self.source.next()?;
                    text.push(c);
                }
            }
        }
    }

    fn escape(&mut self, at: Position) -> Result<char, ReadError> {
        let simple = match self.source.peek()? {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                self.source.next()?;
                return self.unicode(at);
            }
            _ => return Err(self.wrong("an escape: one of \" \\ / b f n r t u")),
        };
        self.source.next()?;
        Ok(simple)
    }

    fn unicode(&mut self, at: Position) -> Result<char, ReadError> {
        let high = self.hex()?;
        let code = if (0xd800..0xdc00).contains(&high) {
            for wanted in ['\\', 'u'] {
                if self.source.peek()? != Some(wanted) {
                    return Err(ReadError::LoneSurrogate { at });
                }
                self.source.next()?;
            }
            let low = self.hex()?;
            if !(0xdc00..0xe000).contains(&low) {
                return Err(ReadError::LoneSurrogate { at });
            }
            0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
        } else {
            high
        };
        char::from_u32(code).ok_or(ReadError::LoneSurrogate { at })
    }

    fn hex(&mut self) -> Result<u32, ReadError> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.source.peek()?.and_then(|c| c.to_digit(16)) else {
                return Err(self.wrong("four hexadecimal digits"));
            };
            self.source.next()?;
            code = code * 16 + digit;
        }
        Ok(code)
    }

    fn digits(&mut self, text: &mut String) -> Result<(), ReadError> {
        if !matches!(self.source.peek()?, Some('0'..='9')) {
            return Err(self.wrong("a digit"));
        }
        while let Some(c @ '0'..='9') = self.source.peek()? {
            self.source.next()?;
            text.push(c);
        }
        Ok(())
    }

    fn number(&mut self, at: Position) -> Result<(Scalar, usize), ReadError> {
        let mut text = String::new();
        if self.source.peek()? == Some('-') {
            self.source.next()?;
            text.push('-');
        }
        if self.source.peek()? == Some('0') {
            self.source.next()?;
            text.push('0');
            if matches!(self.source.peek()?, Some('0'..='9')) {
                return Err(ReadError::Json {
                    at,
                    problem: "a number that begins with 0; wanted another".to_owned(),
                });
            }
        } else {
            self.digits(&mut text)?;
        }
        let mut whole = true;
        if self.source.peek()? == Some('.') {
            whole = false;
            self.source.next()?;
            text.push('.');
            self.digits(&mut text)?;
        }
        if let Some(c @ ('e' | 'E')) = self.source.peek()? {
            whole = false;
            self.source.next()?;
            text.push(c);
            if let Some(sign @ ('+' | '-')) = self.source.peek()? {
                self.source.next()?;
                text.push(sign);
            }
            self.digits(&mut text)?;
        }
        let size = text.len();
        let float = text.parse::<f64>().ok().filter(|value| value.is_finite());
        let scalar = if whole && text != "-0" {
            if let Ok(value) = text.parse() {
                Scalar::Int(value)
            } else if let Ok(value) = text.parse() {
                Scalar::Uint(value)
            } else if float.is_some() {
                Scalar::BigInt(text)
            } else {
                Scalar::TooBig(text)
            }
        } else {
            float.map_or(Scalar::TooBig(text), Scalar::Float)
        };
        Ok((scalar, size))
    }

    fn literal(&mut self, at: Position) -> Result<Scalar, ReadError> {
        let mut word = String::new();
        while let Some(c @ ('a'..='z' | 'A'..='Z' | '0'..='9' | '_')) = self.source.peek()? {
            if word.len() > 5 {
                break;
            }
            self.source.next()?;
            word.push(c);
        }
        match word.as_str() {
            "true" => Ok(Scalar::Bool(true)),
            "false" => Ok(Scalar::Bool(false)),
            "null" => Ok(Scalar::Null),
            _ => Err(ReadError::Json {
                at,
                problem: format!("a word that begins with {word:?}; wanted a value"),
            }),
        }
    }

    fn wrong(&mut self, wanted: &str) -> ReadError {
        let at = self.source.position();
        match self.source.peek() {
            Err(error) => error,
            Ok(found) => {
                if found == Some('{') {
                    // The second brace of a template shows itself only when it is read.
                    if let Err(error) = self.source.next() {
                        return error;
                    }
                }
                let found = match found {
                    None => "the text ends".to_owned(),
                    Some(c) => format!("found {c:?}"),
                };
                ReadError::Json {
                    at,
                    problem: format!("{found}; wanted {wanted}"),
                }
            }
        }
    }

    fn step(&mut self) -> Result<Option<(Event, Position)>, ReadError> {
        loop {
            return match self.next {
                Next::Document => self.document(),
                Next::Nothing => Ok(None),
                Next::Value => self.value().map(Some),
                Next::ItemOrEnd => match self.space()? {
                    Some(']') => self.close().map(Some),
                    _ => self.value().map(Some),
                },
                Next::KeyOrEnd => match self.space()? {
                    Some('}') => self.close().map(Some),
                    _ => self.key().map(Some),
                },
                Next::Key => self.key().map(Some),
                Next::CommaOrEnd => match self.comma_or_end()? {
                    None => continue,
                    event => Ok(event),
                },
                Next::DocumentEnd => {
                    self.next = Next::Document;
                    Ok(Some((Event::DocumentEnd, self.source.position())))
                }
            };
        }
    }
}

fn scalar((scalar, size): (Scalar, usize)) -> Event {
    Event::Scalar {
        scalar,
        anchor: 0,
        size,
    }
}

impl<R: Read> Events for Json<R> {
    fn next_event(&mut self) -> Result<Option<(Event, Position)>, ReadError> {
        let event = self.step();
        if event.is_err() {
            // After an error nothing tells where the next value begins.
            self.next = Next::Nothing;
        }
        event
    }

    fn skip_document(&mut self) -> Result<bool, ReadError> {
        let limit = self.source.set_limit(usize::MAX);
        let found = loop {
            match self.next_event() {
                Ok(Some((Event::DocumentEnd, _))) => break Ok(true),
                Ok(Some(_)) => {}
                Ok(None) => break Ok(false),
                // The document's first error is told; that it goes on badly is no news.
                Err(_) => break Ok(false),
            }
        };
        self.source.set_limit(limit);
        self.settle();
        found
    }

    fn settle(&mut self) {
        let offset = self.source.position().offset;
        self.source.settle(offset);
    }

    fn template(&self, from: usize) -> Option<Position> {
        self.source.templates.first(from)
    }
}
