//! Checks a text against the grammar of JSON (RFC 8259), once, and notes where its long values end.
//!
//! serde_json could check it as well, for twice the instructions and without the notes. It stays the judge: a text that
//! is refused here is refused in its words (`document`), and the tests and fuzz targets hold the two to one verdict.

/// How deep long values are noted. A pod's `request.object.spec.affinity` is at 4, that of a set's template at 7; the little
/// that is read below is stepped through.
const NOTED_DEPTH: usize = 8;

use super::plain::plain_end;

/// A list or map of this many bytes is long, by its depth. Shorter ones are stepped over as fast as they are looked up,
/// and the deeper, the more there are within others that are stepped over whole.
const LONG: [usize; NOTED_DEPTH] = [32, 32, 32, 32, 32, 128, 256, 256];

/// A long list or map, by the addresses of its first byte and of the byte behind it.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
}

/// The long values of a text, sorted by where they begin.
#[derive(Default)]
pub(super) struct Spans(Vec<Span>);

/// Those of a text of which nothing is known.
pub(super) static UNKNOWN: Spans = Spans(Vec::new());

impl Spans {
    /// How long the value is that begins at an address, if it is one of the long ones.
    pub(super) fn length(&self, address: usize) -> Option<usize> {
        let index = self.0.binary_search_by_key(&address, |span| span.start);
        let span = self.0.get(index.ok()?)?;
        Some(span.end - span.start)
    }
}

/// A text that is one JSON value: that value without the space around it, and its long values.
pub(super) fn check(text: &str) -> Option<(&str, Spans)> {
    let bytes = text.as_bytes();
    let mut open = Open {
        // As many as a pod of ordinary size has.
        spans: Vec::with_capacity(32),
        ..Open::default()
    };
    let start = space(bytes, 0);
    let end = value(bytes, start, &mut open)?;
    let value = text.get(start..end)?;
    (space(bytes, end) == bytes.len()).then_some((value, Spans(open.spans)))
}

// The functions below take where something begins and give where it ends, or nothing where it is not that. Places are
// handed on by value and not kept in a struct, and what is met at every few bytes is inlined: together a fifth of the
// instructions.

/// A value with all that is in it. A loop, so that depth takes no stack.
// With what is inlined into it, `plain_end` above all.
#[cfg_attr(target_family = "wasm", target_feature(enable = "simd128"))]
fn value(bytes: &[u8], start: usize, open: &mut Open) -> Option<usize> {
    let mut at = start;
    loop {
        at = match bytes.get(at)? {
            b'"' => string(bytes, at + 1)?,
            b'{' => {
                open.push(at, true);
                at = space(bytes, at + 1);
                if *bytes.get(at)? != b'}' {
                    at = name(bytes, at)?;
                    continue;
                }
                at
            }
            b'[' => {
                open.push(at, false);
                at = space(bytes, at + 1);
                if *bytes.get(at)? != b']' {
                    continue;
                }
                at
            }
            _ => scalar(bytes, at)?,
        };
        loop {
            if open.depth == 0 {
                return Some(at);
            }
            at = space(bytes, at);
            match (*bytes.get(at)?, open.in_map()) {
                (b',', true) => {
                    at = name(bytes, space(bytes, at + 1))?;
                    break;
                }
                (b',', false) => {
                    at = space(bytes, at + 1);
                    break;
                }
                (b'}', true) | (b']', false) => {
                    at += 1;
                    open.pop(bytes, at);
                }
                _ => return None,
            }
        }
    }
}

#[inline(always)]
fn space(bytes: &[u8], mut at: usize) -> usize {
    // One comparison where there is none, as in most payloads.
    while let Some(byte) = bytes.get(at)
        && *byte <= b' '
        && matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
    {
        at += 1;
    }
    at
}

/// A member's name, to where its value begins.
#[inline(always)]
fn name(bytes: &[u8], at: usize) -> Option<usize> {
    if *bytes.get(at)? != b'"' {
        return None;
    }
    let at = space(bytes, string(bytes, at + 1)?);
    if *bytes.get(at)? != b':' {
        return None;
    }
    Some(space(bytes, at + 1))
}

/// A string from behind its first quote.
#[inline(always)]
fn string(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = plain_end(bytes, at);
        at = match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => escape(bytes, at + 1)?,
            _ => return None,
        };
    }
}

/// An escape from behind its backslash.
fn escape(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 1),
        b'u' => {
            let digits = bytes.get(at + 1..at + 5)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(at + 5)
        }
        _ => None,
    }
}

/// A number or a literal.
fn scalar(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b't' => word(bytes, at, b"true"),
        b'f' => word(bytes, at, b"false"),
        b'n' => word(bytes, at, b"null"),
        b'-' => number(bytes, at + 1),
        _ => number(bytes, at),
    }
}

fn word(bytes: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let end = at + word.len();
    (bytes.get(at..end)? == word).then_some(end)
}

/// A number without its sign.
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = match bytes.get(at)? {
        // A 0 stands alone.
        b'0' => at + 1,
        _ => digits(bytes, at)?,
    };
    if bytes.get(at) == Some(&b'.') {
        at = digits(bytes, at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = bytes.get(at) {
            at += 1;
        }
        at = digits(bytes, at)?;
    }
    Some(at)
}

/// One digit or more.
fn digits(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while let Some(b'0'..=b'9') = bytes.get(at) {
        at += 1;
    }
    (at > start).then_some(at)
}

/// The lists and maps that are open, and the long ones that were.
#[derive(Default)]
struct Open {
    depth: usize,
    /// A bit for each of the innermost, true for a map.
    innermost: u64,
    /// The bits that did not fit, 64 together.
    outer: Vec<u64>,
    spans: Vec<Span>,
    /// For each that is not too deep where it begins, and its place in `spans` should it be long.
    noted: [(usize, usize); NOTED_DEPTH],
}

impl Open {
    fn in_map(&self) -> bool {
        self.innermost & 1 == 1
    }

    /// Opens the list or map that begins at `at`.
    fn push(&mut self, at: usize, is_map: bool) {
        if let Some(noted) = self.noted.get_mut(self.depth) {
            *noted = (at, self.spans.len());
        }
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.innermost);
        }
        self.innermost = self.innermost << 1 | u64::from(is_map);
        self.depth += 1;
    }

    /// Closes the innermost, which ends before `end`.
    fn pop(&mut self, bytes: &[u8], end: usize) {
        self.depth = self.depth.saturating_sub(1);
        self.innermost >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.innermost = self.outer.pop().unwrap_or_default();
        }
        if let Some((start, index)) = self.noted.get(self.depth).copied()
            && LONG
                .get(self.depth)
                .is_some_and(|long| end - start >= *long)
        {
            // Before those that are within it, which were closed earlier.
            let text = bytes.as_ptr() as usize;
            let span = Span {
                start: text + start,
                end: text + end,
            };
            self.spans.insert(index, span);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)]
    use super::*;

    use serde_json::value::RawValue;

    /// serde_json's verdict, and ours is held to it.
    fn is_json(text: &str) -> bool {
        let judged = serde_json::from_str::<&RawValue>(text).ok();
        let checked = check(text).map(|(value, _)| value);
        assert_eq!(checked, judged.map(RawValue::get), "{text:?}");
        checked.is_some()
    }

    #[test]
    fn the_grammar() {
        for text in [
            "0",
            "-0",
            "10",
            "-1.5",
            "1e9",
            "1E+9",
            "0e-0",
            "1.0e01",
            "1e999",
            "null",
            "true",
            "false",
            r#""""#,
            "{}",
            "[]",
            " \t\r\n[ ]\n",
            "[[],{},[0]]",
            r#"{"a":{"b":[1,"c",null]},"":true}"#,
            "{ \"a\" : 1 , \"a\" : 2 }",
            r#""\"\\\/\b\f\n\r\t\u00fF\ud800""#,
            "\"\u{7f}\u{80}\u{2028}\"",
        ] {
            assert!(is_json(text), "{text}");
        }
        for text in [
            "",
            " ",
            "00",
            "01",
            "-",
            "+1",
            ".5",
            "1.",
            "1.e1",
            "1e",
            "1e+",
            "0x1",
            "nul",
            "nulll",
            "True",
            "tru e",
            "'a'",
            "\"",
            r#""\""#,
            r#""\x""#,
            r#""\u12g4""#,
            r#""\u123"#,
            "\"\t\"",
            "\"\u{0}\"",
            "{",
            "}",
            "[",
            "]",
            "[1",
            "[1,]",
            "[,1]",
            "[1 2]",
            "[1}",
            "{]",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\" 1}",
            "{\"a\":1,}",
            "{,}",
            "{a:1}",
            "{1:1}",
            "{\"a\":1]",
            "[[[]]",
            "1 1",
            "{}{}",
            "\u{feff}{}",
            "[1,\u{a0}2]",
            "{\"a\":1 \"b\":2}",
            "nan",
            "-a",
            "[-]",
        ] {
            assert!(!is_json(text), "{text}");
        }
    }

    /// A string that ends in a bracket, a quote or a fault, at each place of the bytes that are looked at
    /// together: eight here; sixteen in the module, which is held to the library by tests of its own.
    #[test]
    fn strings_of_every_length() {
        for length in 0..20 {
            for filling in ["x", "\u{e4}", "\u{2022}", "!", "#", "]", "[", "\\\\"] {
                for (end, good) in [
                    ("", true),
                    ("\\\"", true),
                    ("\\u0041", true),
                    ("\u{1f}", false),
                    ("\n", false),
                    ("\\", false),
                    ("\"", false),
                    ("\u{7f}", true),
                    ("\u{a0}", true),
                    ("\\u004", false),
                    ("\\a", false),
                ] {
                    let text = format!("[\"{}{end}\",1]", filling.repeat(length));
                    assert_eq!(is_json(&text), good, "{text:?}");
                }
            }
        }
    }

    /// More levels than fit the bits of one word.
    #[test]
    fn brackets_match_at_every_depth() {
        for depth in [1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 200] {
            let open: String = (0..depth)
                .map(|level| ["[", "{\"a\":"][usize::from(level % 3 == 1)])
                .collect();
            let close: String = (0..depth)
                .rev()
                .map(|level| ["]", "}"][usize::from(level % 3 == 1)])
                .collect();
            assert!(is_json(&format!("{open}0{close}")));
            for wrong in 0..depth {
                let mut close = close.clone();
                let other = if close.get(wrong..=wrong) == Some("]") {
                    "}"
                } else {
                    "]"
                };
                close.replace_range(wrong..=wrong, other);
                assert!(!is_json(&format!("{open}0{close}")), "{depth} {wrong}");
            }
        }
    }

    /// Texts that are changed at random, byte by byte: both give the same verdict on each.
    #[test]
    fn changed_texts() {
        const PIECES: &[&str] = &[
            "{", "}", "[", "]", ",", ":", "\"", "\\", "0", "-", ".", "e", "null", " ", "\n",
            "\\u00e9", "1", "\u{1}", "a",
        ];
        let text = r#"{"a":[1,-2.5e+3,{"b":"c\"\\\u0041"},[]],"dd":{"e":null,"f":[true,false]}, "g" : [ {} , "h" ] }"#;
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or_default() % below
        };
        let mut good = 0;
        for _ in 0..40_000 {
            let mut changed: Vec<u8> = text.bytes().collect();
            for _ in 0..=random(3) {
                let start = random(changed.len());
                let end = (start + random(3)).min(changed.len());
                let piece = PIECES
                    .get(random(PIECES.len()))
                    .copied()
                    .unwrap_or_default();
                changed.splice(start..end, piece.bytes());
            }
            good += usize::from(is_json(&String::from_utf8_lossy(&changed)));
        }
        assert!((2_000..38_000).contains(&good), "{good}");
    }

    /// Each long value is noted, by its place and length, and no other.
    #[test]
    fn long_values_are_noted() {
        let filling = "x".repeat(28);
        let text = format!(
            r#" {{"a":["{filling}"],"b":[1,2,{{"c":[3]}}],"d":{{"e":"{filling}","f":[["{filling}"]]}}}}"#
        );
        let (value, spans) = check(&text).unwrap_or_default();
        let noted: Vec<&str> = spans
            .0
            .iter()
            .map(|span| {
                let start = span.start - text.as_ptr() as usize;
                text.get(start..start + span.end - span.start)
                    .unwrap_or_default()
            })
            .collect();
        let list = format!(r#"["{filling}"]"#);
        assert_eq!(Some(&list.len()), LONG.get(1));
        let lists = format!("[{list}]");
        let map = format!(r#"{{"e":"{filling}","f":{lists}}}"#);
        assert_eq!(noted, [value, &list, &map, &lists, &list]);
        for span in &spans.0 {
            assert_eq!(spans.length(span.start), Some(span.end - span.start));
        }
        assert_eq!(spans.length(text.as_ptr() as usize), None);
        // Deep ones are not: a list of brackets must not take more memory than its text.
        let deep = format!("{}{}", "[".repeat(1_000), "]".repeat(1_000));
        assert_eq!(
            check(&deep).map(|(_, spans)| spans.0.len()),
            Some(NOTED_DEPTH)
        );
    }
}
