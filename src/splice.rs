//! Writes an object with a few new bytes in it, all others as they came (I5, S9).

use crate::findings::{Findings, Spec};
use crate::json::{Kind, Raw};
use crate::key::ReplicaKey;
use crate::taint::ReplicaTaint;

/// The pod with what the findings miss. `spec` is a slice of `object`.
#[must_use]
pub fn place(object: Raw<'_>, spec: &Spec<'_>, findings: &Findings) -> Option<String> {
    let labels: Vec<String> = findings.missing_keys.iter().map(label).collect();
    let tolerations: Vec<String> = findings
        .missing_tolerations
        .iter()
        .map(toleration)
        .collect();
    let mut splice = Splice::of(object);
    let mut new_fields = Vec::new();
    for (name, raw, entries, open, close) in [
        ("nodeSelector", spec.node_selector, labels, '{', '}'),
        ("tolerations", spec.tolerations, tolerations, '[', ']'),
    ] {
        if entries.is_empty() {
            continue;
        }
        let joined = entries.join(",");
        match raw {
            None => new_fields.push(format!("\"{name}\":{open}{joined}{close}")),
            Some(raw) if splice.is_null(raw) => {
                splice.replace(raw, format!("{open}{joined}{close}"))
            }
            Some(raw) => splice.append(raw, &joined),
        }
    }
    if !new_fields.is_empty() {
        splice.prepend(spec.raw, &new_fields.join(","));
    }
    splice.finish()
}

/// Keys and values are label text, which JSON needs no escapes for.
fn label((key, value): &(ReplicaKey, String)) -> String {
    format!("\"{}\":\"{value}\"", key.as_str())
}

fn toleration((taint, value): &(ReplicaTaint, String)) -> String {
    let mut text = format!(
        "{{\"key\":\"{}\",\"operator\":\"Equal\",\"value\":\"{value}\"",
        taint.key.as_str()
    );
    if let Some(effect) = taint.effect {
        text.push_str(",\"effect\":\"");
        text.push_str(effect.name());
        text.push('"');
    }
    text.push('}');
    text
}

struct Edit {
    start: usize,
    end: usize,
    text: String,
}

/// Edits of a JSON text. Every `RawValue` that is given to it must be a slice of that text, and no
/// two edits may overlap.
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
        self.edits.push(Edit {
            start,
            end: start + raw.get().len(),
            text,
        });
    }

    /// Adds entries behind those of a list or map.
    pub fn append(&mut self, raw: Raw<'_>, entries: &str) {
        let start = self.offset(raw) + raw.get().len() - 1;
        let comma = if is_empty(raw) { "" } else { "," };
        self.edits.push(Edit {
            start,
            end: start,
            text: format!("{comma}{entries}"),
        });
    }

    /// Adds entries before those of a list or map.
    pub fn prepend(&mut self, raw: Raw<'_>, entries: &str) {
        let start = self.offset(raw) + 1;
        let comma = if is_empty(raw) { "" } else { "," };
        self.edits.push(Edit {
            start,
            end: start,
            text: format!("{entries}{comma}"),
        });
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
        self.edits.push(Edit {
            start,
            end,
            text: String::new(),
        });
    }

    /// The text with all edits, or `None` where there are none.
    #[must_use]
    pub fn finish(mut self) -> Option<String> {
        if self.edits.is_empty() {
            return None;
        }
        self.edits.sort_by_key(|edit| edit.start);
        let added: usize = self.edits.iter().map(|edit| edit.text.len()).sum();
        let mut out = String::with_capacity(self.object.len() + added);
        let mut at = 0;
        for edit in &self.edits {
            out.push_str(self.object.get(at..edit.start).unwrap_or_default());
            out.push_str(&edit.text);
            at = edit.end;
        }
        out.push_str(self.object.get(at..).unwrap_or_default());
        Some(out)
    }
}

/// Whether a list or map has nothing between its brackets.
fn is_empty(raw: Raw<'_>) -> bool {
    let text = raw.get();
    text.get(1..text.len().saturating_sub(1))
        .is_none_or(|inner| inner.bytes().all(|b| b.is_ascii_whitespace()))
}
