//! How text from the input enters messages: in quotes, on one line, never at full length (R1, R4).

use std::fmt;

use serde_json::value::RawValue;

use crate::json;

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

/// A text without characters that would break a line or a quote.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\u{2028}' | '\u{2029}' => out.push(' '),
            c if c.is_control() => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

/// A text of at most `limit` characters: a longer one loses its middle to `...`.
fn shortened(text: &str, limit: usize) -> String {
    let length = text.chars().count();
    if length <= limit {
        return text.to_owned();
    }
    let kept = limit.saturating_sub(3);
    let head = kept - kept / 2;
    let tail = length - kept / 2;
    text.chars()
        .enumerate()
        .filter(|(i, _)| *i < head || *i >= tail)
        .flat_map(|(i, c)| {
            let ellipsis = if i + 1 == head { "..." } else { "" };
            std::iter::once(c).chain(ellipsis.chars())
        })
        .collect()
}

/// What an object is called: `namespace/name`, as far as it can be told. `request_namespace` is
/// the request's and counts first, as it does for the API server; a name that is yet to be generated is its
/// prefix and `*`.
#[must_use]
pub fn called(
    name: Option<&RawValue>,
    generate_name: Option<&RawValue>,
    namespace: Option<&RawValue>,
    request_namespace: Option<&str>,
) -> String {
    let text = |raw| {
        let raw = json::present(raw)?;
        json::string(raw).ok().filter(|text| !text.is_empty())
    };
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

/// A piece of a warning: fixed words, or a name that may be shortened.
pub enum Piece<'a> {
    /// Words of ours.
    Words(&'a str),
    /// A name from the input, quoted.
    Name(&'a str),
    /// A sentence that may be shortened.
    Text(&'a str),
}

impl Piece<'_> {
    /// Characters that cannot be spared, and the text that can be shortened.
    fn split(&self) -> (usize, Option<String>) {
        match self {
            Self::Words(words) => (words.chars().count(), None),
            Self::Name(name) => (2, Some(escaped(name))),
            Self::Text(text) => (0, Some((*text).to_owned())),
        }
    }
}

/// A warning of at most 120 characters: while it is longer, its longest name is shortened (R4).
#[must_use]
pub fn warning(pieces: &[Piece<'_>]) -> String {
    let split: Vec<(usize, Option<String>)> = pieces.iter().map(Piece::split).collect();
    let words: usize = split.iter().map(|(fixed, _)| fixed).sum();
    let mut names: Vec<String> = split.into_iter().filter_map(|(_, name)| name).collect();
    let length = |text: &String| text.chars().count();
    loop {
        let excess =
            (words + names.iter().map(length).sum::<usize>()).saturating_sub(WARNING_LIMIT);
        let longest = names.iter_mut().max_by_key(|name| name.chars().count());
        match longest {
            Some(name) if excess > 0 && length(name) > 4 => {
                *name = shortened(name, length(name).saturating_sub(excess).max(4));
            }
            _ => break,
        }
    }
    let mut names = names.into_iter();
    let mut out = String::with_capacity(WARNING_LIMIT);
    for piece in pieces {
        match piece {
            Piece::Words(words) => out.push_str(words),
            Piece::Name(_) => {
                out.push('"');
                out.push_str(&names.next().unwrap_or_default());
                out.push('"');
            }
            Piece::Text(_) => out.push_str(&names.next().unwrap_or_default()),
        }
    }
    out
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
