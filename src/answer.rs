//! What goes back to Kubewarden (section 8 of the contract).

use crate::fields::FieldFault;
use crate::message::Row;
use crate::splice::Splice;

/// What was done about a placement (R3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It was injected, whole or in part.
    Inject,
    /// Nothing had to be done.
    None,
    /// It follows with a later request.
    Defer,
    /// The request is refused.
    Reject,
}

impl Decision {
    /// How the audit annotation names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Inject => "inject",
            Self::None => "none",
            Self::Defer => "defer",
            Self::Reject => "reject",
        }
    }
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// One line: who, what is wrong, what to do (R1).
    pub message: String,
    /// 400 or 422 (R2).
    pub code: u16,
}

/// Kubewarden's `ValidationResponse`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer<'a> {
    /// Why it is refused; `None`: accepted.
    pub rejection: Option<Rejection>,
    /// The whole object as it is to be stored.
    pub mutated_object: Option<Splice<'a>>,
    /// Audit annotation `decision`.
    pub decision: Option<Decision>,
    /// Audit annotation `replica-value`.
    pub replica_value: Option<String>,
    /// Shown to whoever sent the request.
    pub warnings: Vec<String>,
}

impl Answer<'_> {
    /// Accepted as it is, nothing to tell.
    #[must_use]
    #[inline(never)]
    pub fn accept() -> Self {
        Self::default()
    }

    /// Refused.
    #[must_use]
    #[inline(never)]
    pub fn reject(message: String, code: u16) -> Self {
        Self {
            rejection: Some(Rejection { message, code }),
            ..Self::default()
        }
    }

    /// Refused because no decision can be made with such settings; a policy server that checked
    /// them first never starts with them (H4).
    #[must_use]
    pub fn invalid_settings(faults: &[FieldFault]) -> Self {
        Self::reject(sentences(faults), 400)
    }

    /// The same answer with its audit annotations.
    #[must_use]
    #[inline(never)]
    pub fn with(mut self, decision: Decision, replica_value: Option<String>) -> Self {
        self.decision = Some(decision);
        self.replica_value = replica_value;
        self
    }

    /// The answer as Kubewarden reads it. The mutated object is written here and nowhere before, so that a pod of a
    /// megabyte is in memory twice and not three times.
    #[must_use]
    pub fn into_json(self) -> Vec<u8> {
        let object = self.mutated_object.as_ref().map_or(0, Splice::capacity);
        let mut out = Vec::with_capacity(object + 256);
        out.extend_from_slice(b"{\"accepted\":");
        let accepted: &[u8] = if self.rejection.is_none() {
            b"true"
        } else {
            b"false"
        };
        out.extend_from_slice(accepted);
        if let Some(rejection) = &self.rejection {
            out.extend_from_slice(b",\"message\":");
            string(&mut out, &rejection.message);
            out.extend_from_slice(format!(",\"code\":{}", rejection.code).as_bytes());
        }
        if let Some(object) = &self.mutated_object {
            out.extend_from_slice(b",\"mutated_object\":");
            object.write_to(&mut out);
        }
        if let Some(decision) = self.decision {
            out.extend_from_slice(b",\"audit_annotations\":{\"decision\":");
            string(&mut out, decision.name());
            if let Some(value) = &self.replica_value {
                out.extend_from_slice(b",\"replica-value\":");
                string(&mut out, value);
            }
            out.push(b'}');
        }
        for (i, warning) in self.warnings.iter().enumerate() {
            let before: &[u8] = if i == 0 { b",\"warnings\":[" } else { b"," };
            out.extend_from_slice(before);
            string(&mut out, warning);
        }
        if !self.warnings.is_empty() {
            out.push(b']');
        }
        out.push(b'}');
        out
    }
}

/// Kubewarden's `SettingsValidationResponse`: valid without faults, else all of them (C4).
#[must_use]
pub fn settings_json(faults: &[FieldFault]) -> Vec<u8> {
    if faults.is_empty() {
        return b"{\"valid\":true}".to_vec();
    }
    let mut out = b"{\"valid\":false,\"message\":".to_vec();
    string(&mut out, &sentences(faults));
    out.push(b'}');
    out
}

/// Faults as one line of sentences.
fn sentences(faults: &[FieldFault]) -> String {
    let mut sentences = Row::of_sentences();
    for fault in faults {
        sentences.add(fault);
    }
    sentences.text()
}

/// Appends a JSON string. Writing to memory does not fail, and a string always has a JSON form.
pub fn string(out: &mut Vec<u8>, text: &str) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, text).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"\"\"");
    }
}
