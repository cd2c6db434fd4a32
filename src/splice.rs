//! Writes the pod with its placement: new bytes at two places, all others as they came (I5).

use serde_json::value::RawValue;

use crate::findings::{Findings, Spec};
use crate::json::Kind;
use crate::key::ReplicaKey;
use crate::taint::ReplicaTaint;

/// The pod with what the findings miss. `spec` is a slice of `object`.
#[must_use]
pub fn place(object: &RawValue, spec: &Spec<'_>, findings: &Findings) -> String {
    let labels: Vec<String> = findings.missing_keys.iter().map(label).collect();
    let tolerations: Vec<String> = findings
        .missing_tolerations
        .iter()
        .map(toleration)
        .collect();
    let object = object.get();
    let mut writer = Writer {
        object,
        edits: Vec::new(),
    };
    let mut new_fields = Vec::new();
    writer.extend(
        "nodeSelector",
        spec.node_selector,
        ("{", &labels, "}"),
        &mut new_fields,
    );
    writer.extend(
        "tolerations",
        spec.tolerations,
        ("[", &tolerations, "]"),
        &mut new_fields,
    );
    if !new_fields.is_empty() {
        writer.insert_front(spec.raw, &new_fields);
    }
    writer.finish()
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

struct Writer<'a> {
    object: &'a str,
    edits: Vec<Edit>,
}

impl Writer<'_> {
    /// Where a slice of the object begins in it.
    fn offset(&self, slice: &RawValue) -> usize {
        let start = slice.get().as_ptr() as usize;
        start.saturating_sub(self.object.as_ptr() as usize)
    }

    /// Adds entries at the end of a list or map that is there, in place of its null, or as a new
    /// field of the spec.
    fn extend(
        &mut self,
        name: &str,
        raw: Option<&RawValue>,
        (open, entries, close): (&str, &[String], &str),
        new_fields: &mut Vec<String>,
    ) {
        if entries.is_empty() {
            return;
        }
        let joined = entries.join(",");
        match raw {
            None => new_fields.push(format!("\"{name}\":{open}{joined}{close}")),
            Some(raw) if Kind::of(raw) == Kind::Null => {
                let start = self.offset(raw);
                self.edits.push(Edit {
                    start,
                    end: start + raw.get().len(),
                    text: format!("{open}{joined}{close}"),
                });
            }
            Some(raw) => {
                let start = self.offset(raw) + raw.get().len() - close.len();
                let comma = if is_empty(raw) { "" } else { "," };
                self.edits.push(Edit {
                    start,
                    end: start,
                    text: format!("{comma}{joined}"),
                });
            }
        }
    }

    fn insert_front(&mut self, map: &RawValue, fields: &[String]) {
        let start = self.offset(map) + 1;
        let comma = if is_empty(map) { "" } else { "," };
        self.edits.push(Edit {
            start,
            end: start,
            text: format!("{}{comma}", fields.join(",")),
        });
    }

    fn finish(mut self) -> String {
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
        out
    }
}

/// Whether a list or map has nothing between its brackets.
fn is_empty(raw: &RawValue) -> bool {
    let text = raw.get();
    text.get(1..text.len().saturating_sub(1))
        .is_none_or(|inner| inner.bytes().all(|b| b.is_ascii_whitespace()))
}
