//! The text of a JSON string.

use std::borrow::Cow;
use std::str::Chars;

use super::fault::{Fault, Problem};
use super::raw::{Kind, Raw, due, present};
use super::walk::string_end;

/// The value of a string, unescaped.
///
/// # Errors
/// Another type; an escape that is no character (a lone surrogate).
pub fn string(raw: Raw<'_>) -> Result<Cow<'_, str>, Box<Problem>> {
    due(raw, Kind::String)?;
    let (end, has_escapes) = string_end(raw.get().as_bytes(), 1);
    let written = raw.get().get(1..end).unwrap_or_default();
    if has_escapes {
        unescaped(written).map(Cow::Owned)
    } else {
        Ok(Cow::Borrowed(written))
    }
}

/// A string field that may be absent or null.
///
/// # Errors
/// Another type, told with the field's path.
pub fn text<'a>(raw: Option<Raw<'a>>, path: &'static str) -> Result<Option<Cow<'a, str>>, Fault> {
    present(raw)
        .map(|raw| string(raw).map_err(|problem| problem.at(path)))
        .transpose()
}

/// What a string means that is written with escapes (RFC 8259, section 7).
pub(super) fn unescaped(written: &str) -> Result<String, Box<Problem>> {
    let mut text = String::with_capacity(written.len());
    let mut rest = written.chars();
    while let Some(character) = rest.next() {
        text.push(if character == '\\' {
            escaped(&mut rest)?
        } else {
            character
        });
    }
    Ok(text)
}

/// What stands behind a backslash.
fn escaped(rest: &mut Chars<'_>) -> Result<char, Box<Problem>> {
    Ok(match rest.next().ok_or(Problem::Escape)? {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => unicode(rest)?,
        itself => itself,
    })
}

/// The character of a `\u` escape, or of two that are a surrogate pair.
fn unicode(rest: &mut Chars<'_>) -> Result<char, Box<Problem>> {
    let first = unit(rest)?;
    if let Some(character) = char::from_u32(first) {
        return Ok(character);
    }
    let second = match (rest.next(), rest.next()) {
        (Some('\\'), Some('u')) => unit(rest)?,
        _ => return Err(Problem::Escape.into()),
    };
    match (first, second) {
        (0xD800..=0xDBFF, 0xDC00..=0xDFFF) => {
            char::from_u32(0x1_0000 + ((first & 0x3FF) << 10) + (second & 0x3FF))
                .ok_or_else(|| Problem::Escape.into())
        }
        _ => Err(Problem::Escape.into()),
    }
}

/// The number in four hexadecimal digits.
fn unit(rest: &mut Chars<'_>) -> Result<u32, Box<Problem>> {
    let mut unit = 0;
    for _ in 0..4 {
        let digit = rest.next().and_then(|digit| digit.to_digit(16));
        unit = unit * 16 + digit.ok_or(Problem::Escape)?;
    }
    Ok(unit)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    use crate::json::document;

    #[test]
    fn escapes_mean_what_serde_json_says() {
        for text in [
            r#""plain""#,
            r#""\"\\\/\b\f\n\r\t""#,
            r#""\u0041\u00e9\u20AC\ud83d\ude00\u0000""#,
            r#""\ud7ff\ue000\uffff\udbff\udfff\ud800\udc00""#,
            r#""a\u0062c\\u0041""#,
            r#""\\""#,
        ] {
            let raw = document(text).unwrap();
            assert_eq!(
                string(raw).unwrap(),
                serde_json::from_str::<String>(text).unwrap(),
                "{text}"
            );
        }
    }

    #[test]
    fn half_a_pair_is_no_text() {
        for text in [
            r#""\ud800""#,
            r#""\udc00""#,
            r#""\ud800x""#,
            r#""\ud800\n""#,
            r#""\ud800\u0041""#,
            r#""\ud800\ud800""#,
            r#""\udfff\udbff""#,
            r#""\udc00\udc00""#,
        ] {
            let problem = string(document(text).unwrap()).unwrap_err();
            assert_eq!(
                problem.to_string(),
                "holds a \\u escape that is half of a surrogate pair; write the whole character",
                "{text}"
            );
        }
    }
}
