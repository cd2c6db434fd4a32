//! A line of a file with carets under what a message is about.
//!
//! ```text
//!    19 |         pool: manual
//!       |               ^^^^^^
//! ```

use crate::review::render::style::Look;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Most characters of a line that are shown; of a longer one the part around the carets.
const SHOWN: usize = 120;

/// Characters that stay before the carets where a line is cut.
const BEFORE: usize = 40;

/// Bytes on either side that are looked at, enough for the characters that are shown. JSON may be one line of many
/// megabytes, which nobody should read anew for each message.
const NEAR: usize = 1_024;

/// Stands for the cut part of a line.
const CUT: &str = "...";

/// A line of a text, or the part of it that matters, and what is underlined in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// What stands before the underlined part.
    before: String,
    /// The underlined part; empty at the end of a line.
    marked: String,
    /// The rest.
    after: String,
}

impl Excerpt {
    /// The line around the byte at `offset`, with `value` underlined where that is what stands there, in quotes or
    /// without; else the one character there. None where the line holds what no terminal should be sent.
    #[must_use]
    pub fn of(text: &[u8], offset: usize, value: &str) -> Option<Self> {
        let before = end_of_line(text.get(..offset)?);
        let rest = start_of_line(text.get(offset..)?, NEAR.saturating_add(2 * value.len()));
        let before = std::str::from_utf8(before).ok()?;
        let rest = std::str::from_utf8(rest).ok()?;
        let rest = rest.trim_end_matches('\r');
        // A byte order mark is no part of the line.
        let before = before.strip_prefix('\u{feff}').unwrap_or(before);
        if before.chars().chain(rest.chars()).any(is_unfit) {
            return None;
        }
        let (marked, after) = rest.split_at_checked(token(rest, value))?;
        Some(Self::windowed(before, marked, after))
    }

    /// Cuts what is far from the marked part off a long line.
    fn windowed(before: &str, marked: &str, after: &str) -> Self {
        let length = |text: &str| text.chars().count();
        if length(before) + length(marked) + length(after) <= SHOWN {
            return Self {
                before: before.to_owned(),
                marked: marked.to_owned(),
                after: after.to_owned(),
            };
        }
        let before = match length(before).checked_sub(BEFORE) {
            Some(skipped) if skipped > CUT.len() => {
                let kept: String = before.chars().skip(skipped).collect();
                format!("{CUT}{kept}")
            }
            _ => before.to_owned(),
        };
        let room = SHOWN.saturating_sub(length(&before));
        let cut = |text: &str, room: usize| {
            if length(text) <= room {
                return text.to_owned();
            }
            let kept: String = text.chars().take(room.saturating_sub(CUT.len())).collect();
            format!("{kept}{CUT}")
        };
        let shown = cut(marked, room);
        let room = room.saturating_sub(length(&shown));
        let is_whole = shown == marked;
        Self {
            before,
            marked: shown,
            after: if is_whole {
                cut(after, room)
            } else {
                String::new()
            },
        }
    }

    /// The two lines, with the line's number in the margin.
    #[must_use]
    pub fn lines(&self, number: usize, look: Look) -> [String; 2] {
        let number = number.to_string();
        let margin = " ".repeat(number.len());
        // Tabs stay tabs, so that the carets stand under their column.
        let indent: String = self
            .before
            .chars()
            .map(|c| match c {
                '\t' => "\t".to_owned(),
                c => " ".repeat(c.width().unwrap_or(0)),
            })
            .collect();
        let carets = "^".repeat(self.marked.width().max(1));
        let Self {
            before,
            marked,
            after,
        } = self;
        [
            format!(
                "  {} {before}{marked}{after}",
                look.faint(format!("{number} |"))
            ),
            format!(
                "  {} {indent}{}",
                look.faint(format!("{margin} |")),
                look.bad(carets)
            ),
        ]
    }
}

/// Whether a character could do harm, or leave the carets in the wrong place.
fn is_unfit(c: char) -> bool {
    c.is_control() && c != '\t'
}

/// How many bytes at the beginning of `rest` say `value`: the text itself, or what is in quotes there; else one
/// character.
fn token(rest: &str, value: &str) -> usize {
    let first = rest.chars().next();
    match first {
        Some(quote @ ('"' | '\'')) => quoted(rest, quote).unwrap_or(1),
        Some(_) if !value.is_empty() && rest.starts_with(value) => value.len(),
        Some(c) => c.len_utf8(),
        None => 0,
    }
}

/// The length of a quoted scalar, quotes included; none where it does not end on this line.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut characters = rest.char_indices().skip(1).peekable();
    while let Some((index, c)) = characters.next() {
        match c {
            '\\' if quote == '"' => {
                characters.next();
            }
            '\'' if quote == '\'' && characters.peek().is_some_and(|(_, next)| *next == '\'') => {
                characters.next();
            }
            c if c == quote => return Some(index + 1),
            _ => {}
        }
    }
    None
}

/// The last line of a text, or as much of its end as is near.
fn end_of_line(text: &[u8]) -> &[u8] {
    let near = text.len().saturating_sub(NEAR);
    let mut tail = text.get(near..).unwrap_or(text);
    if near > 0 {
        // Not in the middle of a character.
        while let [0x80..=0xbf, rest @ ..] = tail {
            tail = rest;
        }
    }
    let newline = tail.iter().rposition(|byte| *byte == b'\n');
    newline.map_or(tail, |index| tail.get(index + 1..).unwrap_or_default())
}

/// The first line of a text, or as much of its start as is near.
fn start_of_line(text: &[u8], near: usize) -> &[u8] {
    let mut head = text.get(..near).unwrap_or(text);
    if let Some(0x80..=0xbf) = text.get(near) {
        while let [rest @ .., last] = head {
            head = rest;
            if *last >= 0xc0 {
                break;
            }
        }
    }
    let newline = head.iter().position(|byte| *byte == b'\n');
    newline.map_or(head, |index| head.get(..index).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn shown(text: &str, at: &str, value: &str) -> [String; 2] {
        let offset = text.find(at).unwrap();
        let excerpt = Excerpt::of(text.as_bytes(), offset, value).unwrap();
        excerpt.lines(7, Look::default())
    }

    #[test]
    fn a_plain_value_is_underlined_whole() {
        assert_eq!(
            shown("a: 1\npool: manual # why\nb: 2\n", "manual", "manual"),
            ["  7 | pool: manual # why", "    |       ^^^^^^"]
        );
    }

    #[test]
    fn quotes_are_underlined_with_what_is_in_them() {
        assert_eq!(
            shown("{\"pool\": \"ma\\\"nual\", \"x\": 1}", "\"ma", "ma\"nual"),
            [
                "  7 | {\"pool\": \"ma\\\"nual\", \"x\": 1}",
                "    |          ^^^^^^^^^^"
            ]
        );
        assert_eq!(
            shown("pool: 'it''s', b", "'it", "it's"),
            ["  7 | pool: 'it''s', b", "    |       ^^^^^^^"]
        );
    }

    #[test]
    fn what_is_no_plain_value_gets_one_caret() {
        assert_eq!(
            shown("pool: |\n  text\n", "|", "text\n"),
            ["  7 | pool: |", "    |       ^"]
        );
        assert_eq!(
            shown("pool: \"never\n  ends\"", "\"never", "never ends"),
            ["  7 | pool: \"never", "    |       ^"]
        );
        let end = Excerpt::of(b"pool:", 5, "").unwrap();
        assert_eq!(
            end.lines(1, Look::default()),
            ["  1 | pool:", "    |      ^"]
        );
    }

    #[test]
    fn tabs_and_wide_characters_keep_the_carets_in_place() {
        assert_eq!(
            shown("\t{\"a\": \"値\", \"b\": no}", "no", "no"),
            [
                "  7 | \t{\"a\": \"値\", \"b\": no}",
                "    | \t                 ^^"
            ]
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_carets() {
        let text = format!(
            "{{\"a\": \"{}\", \"b\": \"here\", \"c\": \"{}\"}}",
            "x".repeat(500),
            "y".repeat(500)
        );
        let [line, carets] = shown(&text, "\"here\"", "here");
        assert!(line.starts_with("  7 | ...xxx"), "{line}");
        assert!(line.ends_with("yyy..."), "{line}");
        assert!(line.chars().count() <= 6 + SHOWN, "{line}");
        let column = line.find("\"here\"").unwrap();
        assert_eq!(carets.find('^').unwrap(), column);
        assert_eq!(carets.matches('^').count(), 6);
    }

    #[test]
    fn of_a_line_of_megabytes_the_near_part_is_looked_at() {
        let far = "値\u{1b}".repeat(100_000);
        // Every remainder, so that what is near begins and ends within a character too.
        for fill in 0..3 {
            let near = format!("{}{}", "x".repeat(fill), "値".repeat(400));
            let text = format!("{far}{near}manual{near}{far}");
            let offset = far.len() + near.len();
            let excerpt = Excerpt::of(text.as_bytes(), offset, "manual").unwrap();
            let [line, carets] = excerpt.lines(7, Look::default());
            assert!(line.starts_with("  7 | ...値") && line.ends_with("値..."));
            assert!(carets.ends_with(" ^^^^^^"), "{carets}");
        }
    }

    #[test]
    fn a_value_longer_than_the_line_may_be_is_cut_too() {
        let text = format!("a: {}", "z".repeat(400));
        let [line, carets] = shown(&text, "zzz", &"z".repeat(400));
        assert!(line.ends_with("zzz..."), "{line}");
        assert_eq!(line.chars().count(), carets.chars().count());
    }

    #[test]
    fn nothing_that_steers_a_terminal_gets_out() {
        assert_eq!(Excerpt::of(b"a: \x1b[2J", 3, ""), None);
        assert_eq!(Excerpt::of(b"a: \xff", 3, ""), None);
        assert_eq!(Excerpt::of(b"a", 9, ""), None);
    }
}
