//! The text of a JSON string.

use std::borrow::Cow;

use super::fault::{Fault, Problem};
use super::raw::{Kind, Raw, due, present};
use super::walk::string_end;

/// The value of a string, unescaped.
///
/// # Errors
/// Another type; an escape that is no character (a lone surrogate).
pub fn string(raw: Raw<'_>) -> Result<Cow<'_, str>, Box<Problem>> {
    due(raw, Kind::String)?;
    let text = raw.get();
    let end = text.len().saturating_sub(1);
    let written = text.get(1..end).unwrap_or_default();
    if string_end(text.as_bytes(), 1) == (end, false) {
        Ok(Cow::Borrowed(written))
    } else {
        unescaped(written).map(Cow::Owned)
    }
}

/// A string field that may be absent or null.
///
/// # Errors
/// Another type, told with the field's path.
pub fn text<'a>(raw: Option<Raw<'a>>, path: &'static str) -> Result<Option<Cow<'a, str>>, Fault> {
    let Some(raw) = present(raw) else {
        return Ok(None);
    };
    match string(raw) {
        Ok(text) => Ok(Some(text)),
        Err(problem) => Err(problem.at(path)),
    }
}

/// What a string means that is written with escapes (RFC 8259, section 7).
pub(super) fn unescaped(written: &str) -> Result<String, Box<Problem>> {
    let mut text = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(length) = rest.bytes().position(|byte| byte == b'\\') {
        text.push_str(rest.get(..length).unwrap_or_default());
        let escape = rest.as_bytes().get(length + 1).copied();
        rest = rest.get(length + 2..).unwrap_or_default();
        text.push(match escape.ok_or(Problem::Escape)? {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => unicode(&mut rest)?,
            itself => char::from(itself),
        });
    }
    text.push_str(rest);
    Ok(text)
}

/// The character of a `\u` escape from behind the `u`, or of two that are a surrogate pair.
fn unicode(rest: &mut &str) -> Result<char, Problem> {
    let first = unit(rest)?;
    let code = match first {
        0xD800..=0xDBFF => {
            *rest = rest.strip_prefix("\\u").ok_or(Problem::Escape)?;
            let second = unit(rest)?;
            if !matches!(second, 0xDC00..=0xDFFF) {
                return Err(Problem::Escape);
            }
            0x1_0000 + ((first & 0x3FF) << 10) + (second & 0x3FF)
        }
        _ => first,
    };
    char::from_u32(code).ok_or(Problem::Escape)
}

/// The number in four hexadecimal digits.
fn unit(rest: &mut &str) -> Result<u32, Problem> {
    let (digits, behind) = rest.split_at_checked(4).ok_or(Problem::Escape)?;
    *rest = behind;
    let mut unit = 0;
    for digit in digits.chars() {
        unit = unit * 16 + digit.to_digit(16).ok_or(Problem::Escape)?;
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
