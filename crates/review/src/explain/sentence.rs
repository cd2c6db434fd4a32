//! What an explanation says, and what it concludes.

use lws_replica_placement::answer::Decision;
use serde::Serialize;

/// A rule that was weighed, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sentence {
    /// The rule's id in the contract.
    pub rule: &'static str,
    /// What came of it.
    pub text: String,
}

/// The answer that the rules make.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Conclusion {
    /// Whether the object may pass.
    pub accepted: bool,
    /// The code of a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<u16>,
    /// Audit annotation `decision`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// Audit annotation `replica-value`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replica_value: Option<String>,
    /// Whether the object is changed.
    pub patched: bool,
}

impl Conclusion {
    /// Accepted as it is, and no placement applies.
    pub(super) fn accepted() -> Self {
        Self {
            accepted: true,
            ..Self::default()
        }
    }

    /// Refused.
    pub(super) fn refused(code: u16) -> Self {
        Self {
            code: Some(code),
            ..Self::default()
        }
    }

    /// The same with audit annotations. An object is changed where the decision is to inject.
    pub(super) fn with(self, decision: Decision, replica_value: Option<String>) -> Self {
        Self {
            decision: Some(decision.name().to_owned()),
            replica_value,
            ..self
        }
    }

    /// The same with a change to the object.
    pub(super) fn patched(self, patched: bool) -> Self {
        Self { patched, ..self }
    }

    /// In words: `accepted, decision inject, replica value "vllm-0", patched`.
    #[must_use]
    pub fn words(&self) -> String {
        let mut words = vec![match (self.accepted, self.code) {
            (true, _) => "accepted".to_owned(),
            (false, Some(code)) => format!("refused with code {code}"),
            (false, None) => "refused".to_owned(),
        }];
        if let Some(decision) = &self.decision {
            words.push(format!("decision {decision}"));
        }
        match &self.replica_value {
            Some(value) if !value.is_empty() => words.push(format!("replica value \"{value}\"")),
            _ => {}
        }
        if self.accepted {
            let change = if self.patched { "patched" } else { "no patch" };
            words.push(change.to_owned());
        }
        words.join(", ")
    }
}

/// The sentences so far.
#[derive(Debug, Default)]
pub(super) struct Sentences(Vec<Sentence>);

impl Sentences {
    pub(super) fn say(&mut self, rule: &'static str, text: impl Into<String>) {
        self.0.push(Sentence {
            rule,
            text: text.into(),
        });
    }

    pub(super) fn into_list(self) -> Vec<Sentence> {
        self.0
    }
}
