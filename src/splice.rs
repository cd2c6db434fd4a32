//! Writes an object with a few new bytes in it, all others as they came (I5, S9).

use crate::findings::{Findings, Lack, Spec};
use crate::json::{Kind, Raw};
use crate::standing::Demand;

/// The pod with what the findings miss, if that is anything. `spec` is a slice of `object`.
#[must_use]
pub fn place<'a>(
    object: Raw<'a>,
    spec: &Spec<'_>,
    findings: &Findings,
    demand: &Demand,
) -> Option<Splice<'a>> {
    let mut splice = Splice::of(object);
    let mut new_fields = String::new();
    let mut add = |name: &str, raw: Option<Raw<'_>>, entries: &str, [open, close]: [&str; 2]| {
        if entries.is_empty() {
            return;
        }
        match raw {
            None => put(&mut new_fields, &["\"", name, "\":", open, entries, close]),
            Some(raw) if splice.is_null(raw) => {
                splice.replace(raw, joined(&[open, entries, close]));
            }
            Some(raw) => splice.append(raw, entries),
        }
    };
    add(
        "nodeSelector",
        spec.node_selector,
        &labels(findings, demand),
        ["{", "}"],
    );
    add(
        "tolerations",
        spec.tolerations,
        &tolerations(findings, demand),
        ["[", "]"],
    );
    if !new_fields.is_empty() {
        splice.prepend(spec.raw, &new_fields);
    }
    splice.finish()
}

// Keys and values are label text, which JSON needs no escapes for. Each request that injects writes a few, so they are
// put together from their pieces: `format!` takes three times the instructions.

fn labels(findings: &Findings, demand: &Demand) -> String {
    let mut text = String::new();
    for lack in &findings.missing {
        if let Lack::Selector(index) = *lack
            && let Some((key, value)) = demand.node_selector.get(index)
        {
            put(&mut text, &["\"", key.as_str(), "\":\"", value, "\""]);
        }
    }
    text
}

fn tolerations(findings: &Findings, demand: &Demand) -> String {
    let mut text = String::new();
    for lack in &findings.missing {
        let Lack::Toleration(index) = *lack else {
            continue;
        };
        let Some((taint, value)) = demand.tolerations.get(index) else {
            continue;
        };
        let [before, effect] = match taint.effect {
            Some(effect) => ["\",\"effect\":\"", effect.name()],
            None => ["", ""],
        };
        let [key, operator] = [taint.key.as_str(), "\",\"operator\":\"Equal\",\"value\":\""];
        put(
            &mut text,
            &["{\"key\":\"", key, operator, value, before, effect, "\"}"],
        );
    }
    text
}

/// Adds an entry, behind a comma where it is not the first.
fn put(text: &mut String, pieces: &[&str]) {
    if !text.is_empty() {
        text.push(',');
    }
    text.push_str(&joined(pieces));
}

/// Pieces as one text. `concat` is a kilobyte, and `format!` three times the instructions.
fn joined(pieces: &[&str]) -> String {
    let mut text = String::with_capacity(256);
    for piece in pieces {
        text.push_str(piece);
    }
    text
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

/// Edits of a JSON text. Every [`Raw`] that is given to it must be a slice of that text, and no
/// two edits may overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice<'a> {
    object: &'a str,
    edits: Vec<Edit>,
}

impl<'a> Splice<'a> {
    /// No edits yet.
    #[must_use]
    pub fn of(object: Raw<'a>) -> Self {
        Self {
            object: object.get(),
            edits: Vec::new(),
        }
    }

    /// Whether a value is null.
    #[must_use]
    pub fn is_null(&self, raw: Raw<'_>) -> bool {
        Kind::of(raw) == Kind::Null
    }

    /// Where a slice of the object begins in it.
    fn offset(&self, slice: Raw<'_>) -> usize {
        let start = slice.get().as_ptr() as usize;
        start.saturating_sub(self.object.as_ptr() as usize)
    }

    /// Puts another value in a value's place.
    pub fn replace(&mut self, raw: Raw<'_>, text: String) {
        let start = self.offset(raw);
        self.edit(start, start + raw.get().len(), text);
    }

    /// Adds entries behind those of a list or map.
    pub fn append(&mut self, raw: Raw<'_>, entries: &str) {
        let start = self.offset(raw) + raw.get().len() - 1;
        let comma = if is_empty(raw) { "" } else { "," };
        self.edit(start, start, joined(&[comma, entries]));
    }

    /// Adds entries before those of a list or map.
    pub fn prepend(&mut self, raw: Raw<'_>, entries: &str) {
        let start = self.offset(raw) + 1;
        let comma = if is_empty(raw) { "" } else { "," };
        self.edit(start, start, joined(&[entries, comma]));
    }

    /// Takes a member out of a map, with its name and one comma. `previous` is the value before it.
    pub fn remove(&mut self, map: Raw<'_>, previous: Option<Raw<'_>>, value: Raw<'_>) {
        let after = |raw: Raw<'_>| self.offset(raw) + raw.get().len();
        let mut end = after(value);
        let start = match previous {
            Some(previous) => after(previous),
            None => {
                let rest = self.object.get(end..).unwrap_or_default();
                let spaces = rest.len() - rest.trim_ascii_start().len();
                if rest.trim_ascii_start().starts_with(',') {
                    end += spaces + 1;
                }
                self.offset(map) + 1
            }
        };
        self.edit(start, end, String::new());
    }

    /// Notes an edit, in the order of the text.
    fn edit(&mut self, start: usize, end: usize, text: String) {
        let index = self.edits.partition_point(|edit| edit.start <= start);
        self.edits.insert(index, Edit { start, end, text });
    }

    /// These edits, or `None` where there are none.
    #[must_use]
    pub fn finish(self) -> Option<Self> {
        (!self.edits.is_empty()).then_some(self)
    }

    /// At most how long the text is with all edits, in bytes.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.object.len() + self.edits.iter().map(|edit| edit.text.len()).sum::<usize>()
    }

    /// Writes the text with all edits.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        let mut at = 0;
        for edit in &self.edits {
            let kept = self.object.get(at..edit.start).unwrap_or_default();
            out.extend_from_slice(kept.as_bytes());
            out.extend_from_slice(edit.text.as_bytes());
            at = edit.end;
        }
        let kept = self.object.get(at..).unwrap_or_default();
        out.extend_from_slice(kept.as_bytes());
    }
}

/// Whether a list or map has nothing between its brackets.
fn is_empty(raw: Raw<'_>) -> bool {
    let text = raw.get();
    text.get(1..text.len().saturating_sub(1))
        .is_none_or(|inner| inner.bytes().all(|b| b.is_ascii_whitespace()))
}
