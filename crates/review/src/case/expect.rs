//! The answer that a case expects. What it does not name must not be there.

use crate::problem::Problem;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// The answer that a case expects.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Expect {
    /// For a request: whether it may pass.
    pub allowed: Option<bool>,
    /// For settings: whether they are taken.
    pub valid: Option<bool>,
    /// The message.
    pub message: Option<Text>,
    /// Its code.
    pub code: Option<u16>,
    /// The warnings, in order.
    pub warnings: Option<Vec<Text>>,
    /// The patch's operations, in order.
    pub patch: Option<Vec<Value>>,
    /// The audit annotations.
    pub audit_annotations: Option<BTreeMap<String, String>>,
}

/// A text, or what must be in it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "a text, or {contains: [text, …]}"
)]
pub enum Text {
    /// The whole text.
    Exact(String),
    /// Parts of it, in any order.
    Contains {
        /// The parts.
        contains: Vec<String>,
    },
}

impl Text {
    /// Whether `text` is what is expected.
    #[must_use]
    pub fn fits(&self, text: &str) -> bool {
        match self {
            Self::Exact(exact) => exact == text,
            Self::Contains { contains } => contains.iter().all(|part| text.contains(part.as_str())),
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(exact) => f.write_str(exact),
            Self::Contains { contains } => {
                let parts: Vec<String> = contains.iter().map(|part| format!("{part:?}")).collect();
                write!(f, "(a text with {})", parts.join(" and "))
            }
        }
    }
}

impl Expect {
    /// Checks that a request's case expects what requests get, and a settings' case what settings get.
    pub(super) fn fits(&self, request: bool) -> Result<(), Problem> {
        let fault = |field: &str, what: &str, remedy: &str| {
            Err(Problem::new(
                &format!("/expect{field}"),
                what.to_owned(),
                remedy,
            ))
        };
        if let Some(Text::Contains { contains }) = &self.message
            && contains.is_empty()
        {
            return fault(
                "/message/contains",
                "is empty",
                "name what the message must hold",
            );
        }
        if request {
            return match (self.valid, self.allowed) {
                (Some(_), _) => fault("/valid", "is for settings alone", "give \"allowed\""),
                (None, None) => fault("/allowed", "is missing", "say true or false"),
                (None, Some(_)) => Ok(()),
            };
        }
        let others = self.code.is_some()
            || self.warnings.is_some()
            || self.patch.is_some()
            || self.audit_annotations.is_some();
        match (self.valid, self.allowed) {
            (_, Some(_)) => fault(
                "/allowed",
                "is for requests, but this case has none",
                "give \"request\", \"member\" or \"set\", or expect \"valid\"",
            ),
            (None, None) => fault(
                "/valid",
                "is missing",
                "say true or false, or give a request",
            ),
            (Some(_), None) if others => fault(
                "",
                "names what only a request's answer has",
                "of settings expect \"valid\" and \"message\" alone",
            ),
            (Some(_), None) => Ok(()),
        }
    }
}
