//! The sections of a WebAssembly module: listing, reading and replacing them.

use std::fmt;
use std::ops::Range;
use wasmparser::{Encoding, Parser, Payload};

/// Bytes before the first section: magic number and version.
const HEADER: usize = 8;

/// A section as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// `type`, `code` …; of a custom section its own name, quoted.
    pub title: String,
    /// Name, for a custom section.
    pub custom: Option<String>,
    /// Where the whole section stands, its own header included.
    pub range: Range<usize>,
    /// Where a custom section's data stand.
    pub data: Range<usize>,
}

/// The bytes are no WebAssembly module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAModule(String);

/// How every module begins.
const MAGIC: &[u8] = b"\0asm";

impl fmt::Display for NotAModule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "is no WebAssembly module: {}; give a policy built for wasm32-wasip1",
            self.0
        )
    }
}

impl std::error::Error for NotAModule {}

impl From<wasmparser::BinaryReaderError> for NotAModule {
    fn from(error: wasmparser::BinaryReaderError) -> Self {
        Self(one_line(&error.to_string()))
    }
}

impl NotAModule {
    /// What is wrong with the bytes, for a sentence.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.0
    }
}

/// Looks at the first bytes alone: whether a file is a module at all. What a parser says of one that is not is a list of
/// bytes.
///
/// # Errors
/// [`NotAModule`].
pub fn begins(module: &[u8]) -> Result<(), NotAModule> {
    let what = match module {
        [] => "it is empty",
        module if !module.starts_with(MAGIC) => "it does not begin as one",
        _ => return Ok(()),
    };
    Err(NotAModule(what.to_owned()))
}

/// A parser's message on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The sections of `module`, in order.
///
/// # Errors
/// [`NotAModule`].
pub fn sections(module: &[u8]) -> Result<Vec<Section>, NotAModule> {
    begins(module)?;
    let mut sections = Vec::new();
    let mut end = HEADER;
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        if let Payload::Version {
            encoding: Encoding::Component,
            ..
        } = payload
        {
            return Err(NotAModule("it is a component".to_owned()));
        }
        let Some((id, contents)) = payload.as_section() else {
            continue;
        };
        let (custom, data) = match &payload {
            Payload::CustomSection(reader) => (
                Some(reader.name().to_owned()),
                reader.data_offset()..reader.range().end,
            ),
            _ => (None, contents.clone()),
        };
        sections.push(Section {
            title: custom
                .as_ref()
                .map_or_else(|| title(id).to_owned(), |name| format!("\"{name}\"")),
            custom,
            range: end..contents.end,
            data,
        });
        end = contents.end;
    }
    Ok(sections)
}

/// The data of the first custom section called `name`; Kubewarden reads the first as well.
///
/// # Errors
/// [`NotAModule`].
pub fn custom<'a>(module: &'a [u8], name: &str) -> Result<Option<&'a [u8]>, NotAModule> {
    let all = sections(module)?;
    let found = all
        .into_iter()
        .find(|section| section.custom.as_deref() == Some(name));
    Ok(found.and_then(|section| module.get(section.data)))
}

/// `module` with one custom section called `name`, at its end, and none other of that name. Every other section keeps
/// its bytes.
///
/// # Errors
/// [`NotAModule`].
pub fn with_custom(module: &[u8], name: &str, data: &[u8]) -> Result<Vec<u8>, NotAModule> {
    let mut out: Vec<u8> = module.iter().take(HEADER).copied().collect();
    for section in sections(module)? {
        if section.custom.as_deref() != Some(name) {
            out.extend_from_slice(module.get(section.range).unwrap_or_default());
        }
    }
    let mut contents = Vec::new();
    leb128(&mut contents, name.len());
    contents.extend_from_slice(name.as_bytes());
    contents.extend_from_slice(data);
    // Id 0 is a custom section's.
    out.push(0);
    leb128(&mut out, contents.len());
    out.extend_from_slice(&contents);
    Ok(out)
}

/// Appends an unsigned number as WebAssembly writes lengths: seven bits a byte, lowest first.
fn leb128(out: &mut Vec<u8>, mut number: usize) {
    loop {
        let low = u8::try_from(number & 0x7f).unwrap_or_default();
        number >>= 7;
        if number == 0 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}

/// The specification's names of the sections.
fn title(id: u8) -> &'static str {
    match id {
        1 => "type",
        2 => "import",
        3 => "function",
        4 => "table",
        5 => "memory",
        6 => "global",
        7 => "export",
        8 => "start",
        9 => "element",
        10 => "code",
        11 => "data",
        12 => "data count",
        13 => "tag",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]
    use super::*;

    fn module() -> Vec<u8> {
        wat::parse_str(r#"(module (memory (export "memory") 1) (@custom "old" "first") (@custom "old" "second"))"#).unwrap()
    }

    #[test]
    fn sections_cover_the_file() {
        let module = module();
        let all = sections(&module).unwrap();
        let titles: Vec<_> = all.iter().map(|section| section.title.as_str()).collect();
        assert_eq!(titles, ["memory", "export", "\"old\"", "\"old\""]);
        assert_eq!(all[0].range.start, HEADER);
        assert_eq!(all[3].range.end, module.len());
        for pair in all.windows(2) {
            assert_eq!(pair[0].range.end, pair[1].range.start);
        }
    }

    #[test]
    fn the_first_custom_section_is_read() {
        assert_eq!(custom(&module(), "old").unwrap(), Some(&b"first"[..]));
        assert_eq!(custom(&module(), "new").unwrap(), None);
    }

    #[test]
    fn replacing_keeps_every_other_section() {
        let long = vec![7_u8; 300];
        let replaced = with_custom(&module(), "old", &long).unwrap();
        assert_eq!(custom(&replaced, "old").unwrap(), Some(&long[..]));
        let all = sections(&replaced).unwrap();
        assert_eq!(all.len(), 3);
        assert_eq!(replaced[..all[1].range.end], module()[..all[1].range.end]);
        assert_eq!(with_custom(&replaced, "old", &long).unwrap(), replaced);
    }

    #[test]
    fn no_module_is_told_as_such() {
        let text = |bytes: &[u8]| sections(bytes).unwrap_err().to_string();
        assert_eq!(
            text(b"not wasm at all"),
            "is no WebAssembly module: it does not begin as one; give a policy built for wasm32-wasip1"
        );
        assert_eq!(
            text(b""),
            "is no WebAssembly module: it is empty; give a policy built for wasm32-wasip1"
        );
        assert_eq!(text(b"\0asm\x02\0\0\0").lines().count(), 1);
        let component = b"\0asm\x0d\0\x01\0";
        assert_eq!(
            sections(component).unwrap_err().to_string(),
            "is no WebAssembly module: it is a component; give a policy built for wasm32-wasip1"
        );
    }
}
