//! How text from the input enters messages: in quotes, on one line, never at full length (R1, R4).

use std::fmt;

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

/// A piece of a warning: fixed words, or a name that may be shortened.
pub enum Piece<'a> {
    /// Words of ours.
    Words(&'a str),
    /// A name from the input, quoted.
    Name(&'a str),
}

/// A warning of at most 120 characters: while it is longer, its longest name is shortened (R4).
#[must_use]
pub fn warning(pieces: &[Piece<'_>]) -> String {
    let names = pieces.iter().filter_map(|piece| match piece {
        Piece::Name(name) => Some(escaped(name)),
        Piece::Words(_) => None,
    });
    let mut names: Vec<String> = names.collect();
    let words: usize = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Words(words) => words.chars().count(),
            Piece::Name(_) => 2,
        })
        .sum();
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
