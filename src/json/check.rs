//! Checks a text against the grammar of JSON (RFC 8259), once, and notes where its long values end.
//!
//! serde_json could check it as well, for twice the instructions and without the notes. It stays the judge: a text that
//! is refused here is refused in its words (`document`), and the tests and fuzz targets hold the two to one verdict.

/// A list or map of this many bytes is long. Shorter ones are stepped over as fast as they are looked up.
const LONG: usize = 64;

/// How deep long values are noted. What the policy reads is not deeper: a payload's `request.object.spec.affinity` is at 4.
const NOTED_DEPTH: usize = 8;

/// A long list or map, by the addresses of its first byte and of the byte behind it.
#[derive(Clone, Copy)]
pub(super) struct Span {
    start: usize,
    end: usize,
}

/// How long the value is that begins at an address, if it is one of the long ones. They are sorted by where they begin.
pub(super) fn length(spans: &[Span], address: usize) -> Option<usize> {
    let index = spans.binary_search_by_key(&address, |span| span.start);
    let span = spans.get(index.ok()?)?;
    Some(span.end - span.start)
}

/// A text that is one JSON value: that value without the space around it, and its long values.
pub(super) fn check(text: &str) -> Option<(&str, Vec<Span>)> {
    let mut check = Check {
        bytes: text.as_bytes(),
        at: 0,
        open: Open::default(),
        spans: Vec::new(),
        noted: [0; NOTED_DEPTH],
    };
    check.space();
    let start = check.at;
    check.value()?;
    let end = check.at;
    check.space();
    let value = text.get(start..end)?;
    (check.at == text.len()).then_some((value, check.spans))
}

struct Check<'t> {
    bytes: &'t [u8],
    at: usize,
    open: Open,
    spans: Vec<Span>,
    /// For each open list or map that is not too deep its place in `spans`.
    noted: [usize; NOTED_DEPTH],
}

impl Check<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// A value with all that is in it. A loop, so that depth takes no stack.
    fn value(&mut self) -> Option<()> {
        loop {
            match self.next()? {
                b'"' => self.string()?,
                b'{' => {
                    self.begin(true);
                    self.space();
                    if self.peek()? != b'}' {
                        self.name()?;
                        continue;
                    }
                }
                b'[' => {
                    self.begin(false);
                    self.space();
                    if self.peek()? != b']' {
                        continue;
                    }
                }
                b't' => self.word(b"rue")?,
                b'f' => self.word(b"alse")?,
                b'n' => self.word(b"ull")?,
                b'-' => {
                    let first = self.next()?;
                    self.number(first)?;
                }
                first => self.number(first)?,
            }
            loop {
                if self.open.depth == 0 {
                    return Some(());
                }
                self.space();
                match (self.next()?, self.open.in_map()) {
                    (b',', true) => {
                        self.space();
                        self.name()?;
                        break;
                    }
                    (b',', false) => {
                        self.space();
                        break;
                    }
                    (b'}', true) | (b']', false) => self.end(),
                    _ => return None,
                }
            }
        }
    }

    fn begin(&mut self, is_map: bool) {
        if let Some(noted) = self.noted.get_mut(self.open.depth) {
            *noted = self.spans.len();
            let start = self.bytes.as_ptr() as usize + self.at - 1;
            self.spans.push(Span { start, end: start });
        }
        self.open.push(is_map);
    }

    fn end(&mut self) {
        self.open.pop();
        let noted = self.noted.get(self.open.depth).copied();
        if let Some(noted) = noted
            && let Some(span) = self.spans.get_mut(noted)
        {
            span.end = self.bytes.as_ptr() as usize + self.at;
            if span.end - span.start < LONG {
                // It is the last: what is within it is shorter, and was dropped before.
                self.spans.truncate(noted);
            }
        }
    }

    /// A member's name, to where its value begins.
    fn name(&mut self) -> Option<()> {
        if self.next()? != b'"' {
            return None;
        }
        self.string()?;
        self.space();
        if self.next()? != b':' {
            return None;
        }
        self.space();
        Some(())
    }

    /// A string from behind its first quote.
    fn string(&mut self) -> Option<()> {
        loop {
            self.at = plain_end(self.bytes, self.at);
            match self.next()? {
                b'"' => return Some(()),
                b'\\' => self.escape()?,
                _ => return None,
            }
        }
    }

    fn escape(&mut self) -> Option<()> {
        match self.next()? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(()),
            b'u' => {
                for _ in 0..4 {
                    if !self.next()?.is_ascii_hexdigit() {
                        return None;
                    }
                }
                Some(())
            }
            _ => None,
        }
    }

    fn word(&mut self, rest: &[u8]) -> Option<()> {
        let end = self.at + rest.len();
        let is_there = self.bytes.get(self.at..end)? == rest;
        self.at = end;
        is_there.then_some(())
    }

    /// A number from behind its first digit.
    fn number(&mut self, first: u8) -> Option<()> {
        match first {
            // A 0 stands alone.
            b'0' => {}
            b'1'..=b'9' => self.digits(),
            _ => return None,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.some_digits()?;
        }
        Some(())
    }

    fn some_digits(&mut self) -> Option<()> {
        if !self.next()?.is_ascii_digit() {
            return None;
        }
        self.digits();
        Some(())
    }

    fn digits(&mut self) {
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
    }
}

/// The lists and maps that are open: a bit each, true for a map.
#[derive(Default)]
struct Open {
    depth: usize,
    innermost: u64,
    /// The bits that did not fit, 64 together.
    outer: Vec<u64>,
}

impl Open {
    fn in_map(&self) -> bool {
        self.innermost & 1 == 1
    }

    fn push(&mut self, is_map: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.innermost);
        }
        self.innermost = self.innermost << 1 | u64::from(is_map);
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth -= 1;
        self.innermost >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.innermost = self.outer.pop().unwrap_or_default();
        }
    }
}

/// Eight times the same byte.
const fn eight(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The highest bit of each byte that is below `limit`, of the first such byte for certain.
fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(eight(limit)) & !word & eight(0x80)
}

/// Where a string's plain text ends that begins at `at`: at a quote, a backslash or a control character. Eight bytes
/// at a time, as most of a pod is in its strings.
pub(super) fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let found =
            below(word ^ eight(b'"'), 1) | below(word ^ eight(b'\\'), 1) | below(word, b' ');
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while bytes
        .get(at)
        .is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..b' '))
    {
        at += 1;
    }
    at
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

    /// A string that ends in a bracket, a quote or a fault, at each place of the eight bytes that are looked at together.
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
        let filling = "x".repeat(60);
        let text = format!(
            r#" {{"a":["{filling}"],"b":[1,2,{{"c":[3]}}],"d":{{"e":"{filling}","f":[["{filling}"]]}}}}"#
        );
        let (value, spans) = check(&text).unwrap_or_default();
        let noted: Vec<&str> = spans
            .iter()
            .map(|span| {
                let start = span.start - text.as_ptr() as usize;
                text.get(start..start + span.end - span.start)
                    .unwrap_or_default()
            })
            .collect();
        let list = format!(r#"["{filling}"]"#);
        assert!(list.len() == LONG);
        let lists = format!("[{list}]");
        let map = format!(r#"{{"e":"{filling}","f":{lists}}}"#);
        assert_eq!(noted, [value, &list, &map, &lists, &list]);
        for span in &spans {
            assert_eq!(length(&spans, span.start), Some(span.end - span.start));
        }
        assert_eq!(length(&spans, text.as_ptr() as usize), None);
        // Deep ones are not: a list of brackets must not take more memory than its text.
        let deep = format!("{}\"{filling}\"{}", "[".repeat(100), "]".repeat(100));
        assert_eq!(
            check(&deep).map(|(_, spans)| spans.len()),
            Some(NOTED_DEPTH)
        );
    }
}
