//! Turns bytes into characters and keeps count of where they stand.

use std::{collections::VecDeque, io::Read};

use crate::{
    error::ReadError,
    limits::{Limit, Limits},
    position::Position,
    template::Templates,
};

const CHUNK: usize = 64 * 1024;
/// The parser looks no further ahead than this many lines.
const REMEMBERED_TABS: usize = 16;

/// A source of characters over a source of bytes: checks UTF-8 and control characters, counts
/// lines, holds the limit of a document's bytes.
pub(crate) struct Source<R> {
    reader: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    at: Position,
    after_return: bool,
    characters: usize,
    /// Characters longer than a byte, by their index: the bytes in addition to one a character,
    /// up to and with this one.
    wide: VecDeque<(usize, usize)>,
    wide_before: usize,
    wide_total: usize,
    settled: usize,
    limit: usize,
    /// The last tabs that indent a line, oldest first: the parser's own errors name another place.
    tabs: VecDeque<Position>,
    indenting: bool,
    pub(crate) json: bool,
    pub(crate) templates: Templates,
    /// What ended the source, for the parser that only sees that it ended.
    pub(crate) failure: Option<ReadError>,
}

impl<R: Read> Source<R> {
    pub(crate) fn new(reader: R, limits: &Limits) -> Self {
        Self {
            reader,
            buffer: vec![0; CHUNK],
            start: 0,
            end: 0,
            ended: false,
            at: Position::START,
            after_return: false,
            characters: 0,
            wide: VecDeque::new(),
            wide_before: 0,
            wide_total: 0,
            settled: 0,
            limit: limits.bytes,
            tabs: VecDeque::new(),
            indenting: true,
            json: false,
            templates: Templates::default(),
            failure: None,
        }
    }

    /// Reads the first bytes: takes a byte order mark away, and says whether the text is JSON.
    pub(crate) fn open(&mut self) -> Result<bool, ReadError> {
        self.fill(CHUNK / 2)?;
        let head = self.head();
        if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) {
            return Err(ReadError::Utf16);
        }
        if head.starts_with(&[0xef, 0xbb, 0xbf]) {
            self.start += 3;
            self.at.offset = 3;
            self.wide_before = 3;
            self.wide_total = 3;
        }
        self.json = begins_as_json(self.head());
        Ok(self.json)
    }

    /// Where the next character stands.
    pub(crate) fn position(&self) -> Position {
        self.at
    }

    /// The next character, left where it is.
    pub(crate) fn peek(&mut self) -> Result<Option<char>, ReadError> {
        match self.head().first() {
            Some(&byte) if (0x20..0x7f).contains(&byte) => Ok(Some(char::from(byte))),
            _ => self.decode(),
        }
    }

    /// The next character.
    pub(crate) fn next(&mut self) -> Result<Option<char>, ReadError> {
        let Some(c) = self.peek()? else {
            return Ok(None);
        };
        if self.at.offset - self.settled >= self.limit {
            return Err(ReadError::Limit {
                at: self.at,
                limit: Limit::Bytes,
                max: self.limit,
            });
        }
        self.templates.see(c, self.at);
        self.see_indentation(c);
        let length = c.len_utf8();
        self.start += length;
        self.at.offset += length;
        // JSON's reader takes positions from here and never asks for an index.
        if length > 1 && !self.json {
            self.wide_total += length - 1;
            self.wide.push_back((self.characters, self.wide_total));
        }
        self.characters += 1;
        let second_half = c == '\n' && self.after_return;
        self.after_return = c == '\r';
        if c == '\r' || c == '\n' {
            if !second_half {
                self.at.line += 1;
            }
            self.at.column = 1;
        } else {
            self.at.column += 1;
        }
        Ok(Some(c))
    }

    /// The byte offset of a character by its index. Earlier indices are not asked for again.
    pub(crate) fn offset_of(&mut self, character: usize) -> usize {
        while let Some(&(index, total)) = self.wide.front() {
            if index >= character {
                break;
            }
            self.wide_before = total;
            self.wide.pop_front();
        }
        character + self.wide_before
    }

    /// The first tab that indents a line from `line` on, as far as the text was read.
    pub(crate) fn tab_from(&self, line: usize) -> Option<Position> {
        self.tabs.iter().find(|at| at.line >= line).copied()
    }

    fn see_indentation(&mut self, c: char) {
        match c {
            '\n' | '\r' => self.indenting = true,
            '\t' if self.indenting => {
                self.indenting = false;
                if self.tabs.len() == REMEMBERED_TABS {
                    self.tabs.pop_front();
                }
                self.tabs.push_back(self.at);
            }
            ' ' => {}
            _ => self.indenting = false,
        }
    }

    /// Lets the limit of bytes count from an offset.
    pub(crate) fn settle(&mut self, offset: usize) {
        self.settled = self.settled.max(offset.min(self.at.offset));
    }

    /// Lifts the limit of bytes while a document is only passed over.
    pub(crate) fn set_limit(&mut self, limit: usize) -> usize {
        std::mem::replace(&mut self.limit, limit)
    }

    fn head(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    fn fill(&mut self, wanted: usize) -> Result<(), ReadError> {
        while self.end - self.start < wanted && !self.ended {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            let free = self.buffer.get_mut(self.end..).unwrap_or_default();
            match self.reader.read(free) {
                Ok(0) => self.ended = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    return Err(ReadError::Io {
                        at: self.at,
                        problem: error.to_string(),
                    });
                }
            }
        }
        Ok(())
    }

    fn decode(&mut self) -> Result<Option<char>, ReadError> {
        self.fill(1)?;
        let Some(&byte) = self.head().first() else {
            return Ok(None);
        };
        let length = match byte {
            0..0x80 => 1,
            0xc0..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 4,
        };
        self.fill(length)?;
        let text = self.head().get(..length).map(std::str::from_utf8);
        let Some(c) = text.and_then(Result::ok).and_then(|t| t.chars().next()) else {
            return Err(ReadError::Utf8 { at: self.at, byte });
        };
        // YAML leaves out DEL and the C1 controls too; JSON does not.
        let control = match c {
            '\t' | '\n' | '\r' | '\u{85}' => false,
            _ if self.json => c < ' ',
            _ => c.is_control(),
        };
        if control {
            return Err(ReadError::ControlCharacter {
                at: self.at,
                code: u32::from(c),
            });
        }
        Ok(Some(c))
    }
}

/// Whether a text begins as JSON does: an object whose first key is in quotes, or an array.
fn begins_as_json(head: &[u8]) -> bool {
    let mut rest = head.iter().filter(|byte| !byte.is_ascii_whitespace());
    match (rest.next(), rest.next()) {
        (Some(b'{'), next) => matches!(next, Some(b'"' | b'}') | None),
        (Some(b'['), Some(next)) => {
            matches!(next, b'[' | b'{' | b'"' | b']' | b'-' | b'0'..=b'9')
        }
        (Some(b'['), None) => true,
        _ => false,
    }
}
