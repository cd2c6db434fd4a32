//! JSON text cut into its members and elements without looking into them: how bytes are compared with bytes.

/// A member of a map or an element of a list, as it is written; `name` is empty in lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// With its quotes and escapes.
    pub name: &'a str,
    pub value: &'a str,
}

impl Piece<'_> {
    /// The name as it is meant.
    pub fn meant(&self) -> String {
        serde_json::from_str(self.name).unwrap_or_default()
    }
}

/// The pieces of a map or list; of anything else none.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let text = text.trim_matches([' ', '\n', '\t', '\r']);
    let bytes = text.as_bytes();
    let is_map = bytes.first() == Some(&b'{');
    let mut pieces = Vec::new();
    if !is_map && bytes.first() != Some(&b'[') {
        return pieces;
    }
    let mut at = 1;
    loop {
        at = skip_space(bytes, at);
        if matches!(bytes[at], b'}' | b']') {
            return pieces;
        }
        let mut name = "";
        if is_map {
            let end = skip_value(bytes, at);
            name = &text[at..end];
            at = skip_space(bytes, end);
            assert_eq!(bytes[at], b':');
            at = skip_space(bytes, at + 1);
        }
        let end = skip_value(bytes, at);
        pieces.push(Piece {
            name,
            value: &text[at..end],
        });
        at = skip_space(bytes, end);
        if bytes[at] == b',' {
            at += 1;
        }
    }
}

/// The value of a member, by the meaning of its name.
pub fn member<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut pieces = pieces(text).into_iter();
    pieces
        .find(|piece| piece.meant() == name)
        .map(|piece| piece.value)
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes[at].is_ascii_whitespace() {
        at += 1;
    }
    at
}

fn skip_value(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    let mut depth = 0_usize;
    loop {
        match bytes[at] {
            b'"' => {
                at += 1;
                while bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {
                // A number or a literal ends before what follows it.
                if depth == 0
                    && at + 1 < bytes.len()
                    && !matches!(bytes[at + 1], b',' | b'}' | b']')
                    && !bytes[at + 1].is_ascii_whitespace()
                {
                    at += 1;
                    continue;
                }
            }
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
}
