//! Steps through the members of an object and the elements of a list.

use std::borrow::Cow;

use super::fault::Problem;
use super::plain::plain_end;
use super::raw::{Kind, Raw, due, present};
use super::text::unescaped;

/// A place in a well-formed text, behind an opening bracket.
#[derive(Clone)]
pub(super) struct Walk<'a> {
    /// The value that is walked through, or one that it is in.
    within: Raw<'a>,
    pub(super) at: usize,
}

/// A member's name as it is written, between its quotes.
#[derive(Clone, Copy)]
pub(super) struct Name<'a> {
    pub(super) written: &'a str,
    pub(super) has_escapes: bool,
}

impl<'a> Name<'a> {
    /// The name itself.
    pub(super) fn meant(self) -> Result<Cow<'a, str>, Box<Problem>> {
        if self.has_escapes {
            unescaped(self.written).map(Cow::Owned)
        } else {
            Ok(Cow::Borrowed(self.written))
        }
    }
}

impl<'a> Walk<'a> {
    /// Into an object or a list.
    pub(super) fn into(raw: Raw<'a>) -> Self {
        Self { within: raw, at: 1 }
    }

    fn byte(&self) -> Option<u8> {
        self.within.get().as_bytes().get(self.at).copied()
    }

    /// Steps over what separates values and names. The text is well-formed, so what stands where is known.
    #[inline(always)]
    fn separators(&mut self) {
        while self
            .byte()
            .is_some_and(|byte| byte <= b' ' || matches!(byte, b',' | b':'))
        {
            self.at += 1;
        }
    }

    /// The next member's name; its value comes next.
    #[inline(always)]
    pub(super) fn name(&mut self) -> Option<Name<'a>> {
        self.separators();
        if self.byte() != Some(b'"') {
            return None;
        }
        let start = self.at + 1;
        let (end, has_escapes) = string_end(self.within.get().as_bytes(), start);
        self.at = end + 1;
        self.separators();
        Some(Name {
            written: self.within.get().get(start..end)?,
            has_escapes,
        })
    }

    /// The value at this place, which is stepped over.
    #[inline(always)]
    pub(super) fn value(&mut self) -> Raw<'a> {
        let start = self.at;
        let bytes = self.within.get().as_bytes();
        self.at = match bytes.get(start) {
            Some(b'"') => string_end(bytes, start + 1).0 + 1,
            Some(b'{' | b'[') => match self.within.length_of_piece(start) {
                Some(length) => start + length,
                None => behind_container(bytes, start),
            },
            _ => behind_word(bytes, start),
        };
        self.within.piece(start, self.at)
    }

    /// What kind of value comes next.
    pub(super) fn kind(&self) -> Kind {
        Kind::of_first(self.byte())
    }

    /// Into the object that comes next. [`Walk::leave`] goes on behind it.
    pub(super) fn enter(&mut self) {
        self.at += 1;
    }

    /// Out of an object whose names were all read.
    pub(super) fn leave(&mut self) {
        self.at += 1;
    }
}

/// Where a string's closing quote is, from behind its opening one, and whether a backslash stands before it.
#[cfg_attr(target_family = "wasm", target_feature(enable = "simd128"))]
pub(super) fn string_end(bytes: &[u8], start: usize) -> (usize, bool) {
    let mut at = plain_end(bytes, start);
    let has_escapes = bytes.get(at) == Some(&b'\\');
    while bytes.get(at) == Some(&b'\\') {
        at = plain_end(bytes, at + 2);
    }
    (at, has_escapes)
}

/// Where a list or map ends that begins at `start`.
fn behind_container(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    let mut depth = 0_usize;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => at = string_end(bytes, at).0 + 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            _ => {}
        }
    }
    at
}

/// Where a number or a literal ends.
fn behind_word(bytes: &[u8], mut at: usize) -> usize {
    while bytes
        .get(at)
        .is_some_and(|byte| !matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\t' | b'\r'))
    {
        at += 1;
    }
    at
}

/// The elements of a list, in their order; the default has none.
#[derive(Clone, Default)]
pub struct Elements<'a>(Option<Walk<'a>>);

impl Elements<'_> {
    /// Whether none is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.clone().next().is_none()
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Raw<'a>;
    fn next(&mut self) -> Option<Raw<'a>> {
        let walk = self.0.as_mut()?;
        walk.separators();
        match walk.byte() {
            None | Some(b']') => None,
            Some(_) => Some(walk.value()),
        }
    }
}

/// The elements of a list.
///
/// # Errors
/// Another type.
pub fn elements(raw: Raw<'_>) -> Result<Elements<'_>, Box<Problem>> {
    due(raw, Kind::Array)?;
    Ok(Elements(Some(Walk::into(raw))))
}

/// The elements of a list that may be absent or null, which has none.
///
/// # Errors
/// Another type.
pub fn optional_elements(raw: Option<Raw<'_>>) -> Result<Elements<'_>, Box<Problem>> {
    present(raw).map_or_else(|| Ok(Elements::default()), elements)
}

/// The members of an object, names unescaped, in their order, doubles included. A name whose escapes are no text is an
/// error in its place.
pub struct Entries<'a>(Walk<'a>);

impl<'a> Iterator for Entries<'a> {
    type Item = Result<(Cow<'a, str>, Raw<'a>), Box<Problem>>;
    fn next(&mut self) -> Option<Self::Item> {
        let name = self.0.name()?;
        let value = self.0.value();
        Some(name.meant().map(|name| (name, value)))
    }
}

/// The members of an object.
///
/// # Errors
/// Another type.
pub fn entries(raw: Raw<'_>) -> Result<Entries<'_>, Box<Problem>> {
    due(raw, Kind::Object)?;
    Ok(Entries(Walk::into(raw)))
}

/// All members of an object at once.
///
/// # Errors
/// As [`entries`], and a name whose escapes are no text.
pub fn all_entries(raw: Raw<'_>) -> Result<Vec<(Cow<'_, str>, Raw<'_>)>, Box<Problem>> {
    let mut all = Vec::new();
    for entry in entries(raw)? {
        all.push(entry?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    use crate::json::{document, string};
    use serde_json::Value;

    /// Reads a value by steps alone.
    fn walked(raw: Raw<'_>) -> Value {
        match Kind::of(raw) {
            Kind::Array => elements(raw).unwrap().map(walked).collect(),
            Kind::Object => entries(raw)
                .unwrap()
                .map(|entry| entry.unwrap())
                .map(|(name, value)| (name.into_owned(), walked(value)))
                .collect(),
            Kind::String => Value::String(string(raw).unwrap().into_owned()),
            _ => serde_json::from_str(raw.get()).unwrap(),
        }
    }

    #[test]
    fn steps_read_what_serde_json_reads() {
        for text in [
            "{}",
            "[]",
            "[[]]",
            "[{}]",
            "[ ]",
            "{ }",
            "7",
            "-1.5e+3",
            "true",
            "null",
            r#""""#,
            r#"{"a":1,"b":[2,[3,{"c":null}],"d"],"e":{"f":{}}}"#,
            " { \"a\" : [ 1 ,\t2\r\n, -0.5E-7 ] , \"b\" : { \"c\" : false } } ",
            r#"["{","[","]","}",",",":","\"","\\","a\"]}","\\\"","\u0022"]"#,
            r#"{"]":"}","\"}":"{\"","a\\":[",:"],"":0}"#,
        ] {
            let raw = document(text).unwrap();
            assert_eq!(
                walked(raw),
                serde_json::from_str::<Value>(text).unwrap(),
                "{text}"
            );
        }
    }

    /// A quote, a backslash and bytes that are like them, at each place of those that are looked at together.
    #[test]
    fn strings_of_every_length_end_where_they_end() {
        for length in 0..40 {
            let filling = "x".repeat(length);
            for (piece, meant) in [
                ("", ""),
                ("\\\"", "\""),
                ("\\\\", "\\"),
                (
                    "!#[]\u{7f}\u{a2}\u{dc}\u{2022}",
                    "!#[]\u{7f}\u{a2}\u{dc}\u{2022}",
                ),
            ] {
                for rest in ["", "y", "yyyyyyyyyyyy"] {
                    let text = format!(r#"["{filling}{piece}{rest}","{piece}"]"#);
                    let read: Vec<_> = elements(document(&text).unwrap()).unwrap().collect();
                    let read: Vec<_> = read.into_iter().map(|raw| string(raw).unwrap()).collect();
                    assert_eq!(read, [format!("{filling}{meant}{rest}"), meant.to_owned()]);
                }
            }
        }
    }

    #[test]
    fn depth_takes_no_stack() {
        let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        let within = elements(document(&deep).unwrap()).unwrap().next().unwrap();
        assert_eq!(within.get().len(), deep.len() - 2);
    }

    #[test]
    fn absent_lists_have_no_elements() {
        assert!(optional_elements(None).unwrap().is_empty());
        assert!(
            optional_elements(Some(document("null").unwrap()))
                .unwrap()
                .is_empty()
        );
        assert!(
            optional_elements(Some(document("[]").unwrap()))
                .unwrap()
                .is_empty()
        );
        assert!(
            !optional_elements(Some(document("[1]").unwrap()))
                .unwrap()
                .is_empty()
        );
        assert!(optional_elements(Some(document("{}").unwrap())).is_err());
    }
}
