//! How text from the input enters messages: in quotes, on one line, never at full length (R1, R4).

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use crate::json::{self, Raw};

/// The longest text that a message quotes whole, in characters: a pod's name fits.
const QUOTE_LIMIT: usize = 253;

/// The longest warning, in characters: the API server cuts longer ones (R4).
const WARNING_LIMIT: usize = 120;

/// A piece of the input as it stands in a message: `"vllm-0"`.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", escaped(&shortened(self.0, QUOTE_LIMIT)))
    }
}

/// Whether a short text has a part. `str::contains` would do, and brings five kilobytes of searcher for long ones.
#[must_use]
pub fn holds(text: &str, part: &str) -> bool {
    let mut pieces = text.as_bytes().windows(part.len().max(1));
    part.is_empty() || pieces.any(|piece| piece == part.as_bytes())
}

/// A text without characters that would break a line or a quote.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut buffer = [0; 4];
    for c in text.chars() {
        out.push_str(match c {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\t' => "\\t",
            '\u{2028}' | '\u{2029}' => " ",
            // Marks that turn the text around would let a name hide what follows it.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => "?",
            c if c.is_control() => "?",
            c => c.encode_utf8(&mut buffer),
        });
    }
    out
}

/// Where the characters of a text begin.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    (0..text.len()).filter(|at| text.is_char_boundary(*at))
}

/// How many characters a text has.
fn length(text: &str) -> usize {
    starts(text).count()
}

/// Where the character of this number begins, counted from 0.
fn offset(text: &str, number: usize) -> usize {
    starts(text).nth(number).unwrap_or(text.len())
}

/// The first characters of a text, at most so many.
#[must_use]
pub fn beginning(text: &str, limit: usize) -> &str {
    text.get(..offset(text, limit)).unwrap_or_default()
}

/// A text of at most `limit` characters: a longer one loses its middle to `...`.
fn shortened(text: &str, limit: usize) -> Cow<'_, str> {
    let length = length(text);
    if length <= limit {
        return text.into();
    }
    let kept = limit.saturating_sub(3);
    let head = beginning(text, kept - kept / 2);
    let tail = text.get(offset(text, length - kept / 2)..);
    format!("{head}...{}", tail.unwrap_or_default()).into()
}

/// What an object is called: `namespace/name`, as far as it can be told. `request_namespace` is
/// the request's and counts first, as it does for the API server; a name that is yet to be generated is its
/// prefix and `*`.
#[must_use]
pub fn called(
    name: Option<Raw<'_>>,
    generate_name: Option<Raw<'_>>,
    namespace: Option<Raw<'_>>,
    request_namespace: Option<&str>,
) -> String {
    let name = match (text(name), text(generate_name)) {
        (Some(name), _) => name.into_owned(),
        (None, Some(prefix)) => format!("{prefix}*"),
        (None, None) => "without a name".to_owned(),
    };
    match request_namespace.or(text(namespace).as_deref()) {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name,
    }
}

/// A string that is there and not empty.
fn text(raw: Option<Raw<'_>>) -> Option<Cow<'_, str>> {
    let text = json::string(json::present(raw)?).ok()?;
    (!text.is_empty()).then_some(text)
}

/// A piece of a warning: fixed words, or a name that may be shortened.
#[derive(Clone, Copy)]
pub enum Piece<'a> {
    /// Words of ours.
    Words(&'a str),
    /// A name from the input, quoted.
    Name(&'a str),
    /// A sentence that may be shortened.
    Text(&'a str),
}

impl Piece<'_> {
    /// What stands around it.
    fn quote(&self) -> &'static str {
        match self {
            Self::Name(_) => "\"",
            Self::Words(_) | Self::Text(_) => "",
        }
    }
}

/// A warning of at most 120 characters: while it is longer, its longest name is shortened (R4).
#[must_use]
pub fn warning(pieces: &[Piece<'_>]) -> String {
    let mut texts = Vec::with_capacity(pieces.len());
    for piece in pieces {
        texts.push(match piece {
            Piece::Words(text) | Piece::Text(text) => Cow::Borrowed(*text),
            Piece::Name(name) => Cow::Owned(escaped(name)),
        });
    }
    loop {
        let mut whole = 0;
        let mut longest = None;
        for (piece, text) in pieces.iter().zip(&mut texts) {
            let length = length(text);
            whole += length + 2 * piece.quote().len();
            if !matches!(piece, Piece::Words(_))
                && longest.as_ref().is_none_or(|(most, _)| length >= *most)
            {
                longest = Some((length, text));
            }
        }
        match (whole.saturating_sub(WARNING_LIMIT), longest) {
            (excess @ 1.., Some((length @ 5.., text))) => {
                let limit = length.saturating_sub(excess).max(4);
                *text = Cow::Owned(shortened(text, limit).into_owned());
            }
            _ => break,
        }
    }
    let mut out = String::with_capacity(WARNING_LIMIT);
    for (piece, text) in pieces.iter().zip(&texts) {
        for text in [piece.quote(), text, piece.quote()] {
            out.push_str(text);
        }
    }
    out
}

/// Texts in a row with words between them.
pub struct Row {
    text: String,
    between: &'static str,
}

impl Row {
    /// None yet.
    #[must_use]
    pub fn of(between: &'static str) -> Self {
        let text = String::new();
        Self { text, between }
    }

    /// No sentences yet.
    #[must_use]
    pub fn of_sentences() -> Self {
        Self::of(". ")
    }

    /// Adds one at the end.
    pub fn add(&mut self, item: &dyn fmt::Display) {
        let between = if self.text.is_empty() {
            ""
        } else {
            self.between
        };
        // Writing to memory does not fail.
        let _ = write!(self.text, "{between}{item}");
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// All of them.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// All of them, to keep.
    #[must_use]
    pub fn text(self) -> String {
        self.text
    }
}

/// Items in a row, `a, b, c`, without a list in memory.
pub struct Listed<I>(pub I);

impl<I: Iterator<Item = T> + Clone, T: fmt::Display> fmt::Display for Listed<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.clone().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{item}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )]
    use super::*;

    #[test]
    fn r1_quoted_text_stays_on_its_line() {
        for (text, quoted) in [
            ("vllm-0", r#""vllm-0""#),
            ("", r#""""#),
            (r#"a"b\c"#, r#""a\"b\\c""#),
            ("a\nb\tc", r#""a\nb\tc""#),
            ("a\u{0}b\u{7f}c", r#""a?b?c""#),
            ("a\u{2028}b\u{2029}c", r#""a b c""#),
            ("🍉", r#""🍉""#),
        ] {
            assert_eq!(Quoted(text).to_string(), quoted);
        }
        let whole = "x".repeat(253);
        assert_eq!(Quoted(&whole).to_string(), format!("\"{whole}\""));
        let long = format!("{whole}yz");
        let quoted = Quoted(&long).to_string();
        assert_eq!(quoted.chars().count(), 255);
        assert!(
            quoted.contains("...") && quoted.ends_with("yz\""),
            "{quoted}"
        );
    }

    #[test]
    fn texts_lose_their_middle() {
        for (text, limit, short) in [
            ("abcdefgh", 8, "abcdefgh"),
            ("abcdefgh", 7, "ab...gh"),
            ("abcdefgh", 6, "ab...h"),
            ("abcdefgh", 5, "a...h"),
            ("abcdefgh", 4, "a..."),
            ("äöüäöüäö", 5, "ä...ö"),
        ] {
            assert_eq!(shortened(text, limit), short);
        }
    }

    #[test]
    fn names_of_objects() {
        let raw = |text| json::document(text).ok();
        let (name, prefix, red) = (raw(r#""a""#), raw(r#""p-""#), raw(r#""red""#));
        for (name, generate_name, namespace, request, called_so) in [
            (name, prefix, red, None, "red/a"),
            (name, None, red, Some("blue"), "blue/a"),
            (name, None, None, None, "a"),
            (None, prefix, red, None, "red/p-*"),
            (raw(r#""""#), prefix, None, None, "p-*"),
            (None, None, None, None, "without a name"),
            (raw("1"), None, raw("[]"), None, "without a name"),
        ] {
            assert_eq!(called(name, generate_name, namespace, request), called_so);
        }
    }

    /// There is nothing to shorten in a name of four characters, so it must not be tried for ever.
    #[test]
    fn r4_short_names_stay_beside_words_that_are_too_long() {
        let words = "w".repeat(130);
        let text = warning(&[Piece::Words(&words), Piece::Name("abcd")]);
        assert_eq!(text, format!("{words}\"abcd\""));
    }

    #[test]
    fn r4_warnings_are_no_longer_than_120_characters() {
        let long = "n".repeat(200);
        for (pieces, text) in [
            (
                vec![
                    Piece::Words("pod "),
                    Piece::Name("a/b"),
                    Piece::Words(" waits"),
                ],
                r#"pod "a/b" waits"#.to_owned(),
            ),
            (
                vec![Piece::Name(&long), Piece::Words("!")],
                format!("\"{}...{}\"!", "n".repeat(57), "n".repeat(57)),
            ),
            (
                vec![Piece::Name("short"), Piece::Words(": "), Piece::Text(&long)],
                format!("\"short\": {}...{}", "n".repeat(54), "n".repeat(54)),
            ),
            (vec![Piece::Name("a\"b")], r#""a\"b""#.to_owned()),
        ] {
            let found = warning(&pieces);
            assert_eq!(found, text);
            assert!(found.chars().count() <= 120);
        }
        let both = warning(&[Piece::Name(&long), Piece::Words(" "), Piece::Name(&long)]);
        assert_eq!(both.chars().count(), 120);
    }

    #[test]
    fn lists() {
        assert_eq!(Listed(["a", "b", "c"].iter()).to_string(), "a, b, c");
        assert_eq!(Listed(["a"].iter()).to_string(), "a");
        assert_eq!(Listed(std::iter::empty::<&str>()).to_string(), "");
    }
}
