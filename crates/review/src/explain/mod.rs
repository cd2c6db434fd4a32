//! Explains the policy's answer to one request: a sentence for every rule of the contract that was weighed.
//!
//! The sentences come from the policy library, built into this program; the verdict from the module, as everywhere
//! else. [`Explanation::of`] holds one against the other. [`contract`] has the text of the rules themselves,
//! [`subject`] finds the pod or set that is meant, and [`render`] writes.

mod envelope;
mod placement;
mod pod;
mod sentence;
mod set;
mod weighing;

pub mod contract;
pub mod render;
pub mod subject;

pub use sentence::{Conclusion, Sentence};

use crate::answer::{AdmissionResponse, judge};
use crate::evaluator::{Evaluator, Fault};
use crate::request::Request;
use crate::review::place::Place;
use sentence::Sentences;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt;

/// Why one request is answered as it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// What the request is about: `Pod team-a/vllm-0-1`.
    pub subject: String,
    /// What more there is to say of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Where it stands, or the set that it is made from.
    pub place: Option<Place>,
    /// `CREATE`, `UPDATE` ...
    pub operation: String,
    /// The rules that were weighed, in the contract's order.
    pub sentences: Vec<Sentence>,
    /// The module's verdict.
    pub verdict: Conclusion,
    /// The module's message, where it refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What the module warns of.
    pub warnings: Vec<String>,
    /// The field that the message is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Place>,
    /// Other fields that it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Place>,
    /// That field where it stands in no file, as LeaderWorkerSet writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What the sentences come to where that is not the module's verdict: an error of this program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disagreement: Option<Conclusion>,
}

impl Explanation {
    /// Weighs the rules for a request, has the module judge it, and compares.
    ///
    /// # Errors
    /// The module gives no answer.
    pub fn of(module: &dyn Evaluator, settings: &Value, request: &Request) -> Result<Self, Fault> {
        let payload = json!({"settings": settings, "request": request.value()}).to_string();
        let mut said = Sentences::default();
        let weighed = envelope::weigh(&payload, request.value(), &mut said);
        let response = judge(module, settings, request)?;
        let verdict = conclusion(&response);
        let text = |pointer| request.value().pointer(pointer).and_then(Value::as_str);
        Ok(Self {
            subject: subject::called(request),
            note: None,
            place: None,
            operation: text("/operation").unwrap_or("request").to_owned(),
            sentences: said.into_list(),
            message: response.message().map(str::to_owned),
            warnings: response.warnings.clone().unwrap_or_default(),
            at: None,
            also: Vec::new(),
            field: None,
            disagreement: (weighed != verdict).then_some(weighed),
            verdict,
        })
    }
}

/// What a response comes to.
fn conclusion(response: &AdmissionResponse) -> Conclusion {
    Conclusion {
        accepted: response.allowed,
        code: response.code(),
        decision: response.audit("decision").map(str::to_owned),
        replica_value: response.audit("replica-value").map(str::to_owned),
        patched: !response.patch().is_empty(),
    }
}

/// Several sentences as one.
fn in_a_row(sentences: &[impl fmt::Display]) -> String {
    let texts: Vec<String> = sentences.iter().map(ToString::to_string).collect();
    texts.join(". ")
}
