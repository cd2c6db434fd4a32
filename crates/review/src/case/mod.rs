//! Cases: the contract's rules as requests and the answers they must get.
//!
//! A case is a YAML file. [`Case`] reads it, [`Case::request`] makes the request, [`check`](check::check) runs it and
//! compares, and [`coverage`] says which rules no case holds.

pub mod check;
pub mod coverage;
mod expect;
mod files;
mod member;
mod pointer;
mod set;
mod untouched;

pub use expect::{Expect, Text};
pub use files::{CaseFile, find};
pub use member::Member;
pub use set::Set;

use crate::problem::{self, Problem};
use crate::request::Request;
use serde::Deserialize;
use serde_json::{Map, Value};

/// One case.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Case {
    /// What happens, in a sentence.
    pub name: String,
    /// The rules that it holds.
    #[serde(default)]
    pub rules: Rules,
    /// The settings; absent: none.
    #[serde(default)]
    pub settings: Value,
    /// A whole admission request, given to the policy as it is.
    request: Option<Value>,
    /// A pod of a replica, to be made into a request.
    member: Option<Member>,
    /// A LeaderWorkerSet, to be made into a request.
    set: Option<Set>,
    /// The answer it must get.
    pub expect: Expect,
}

/// Rule ids of the contract.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rules {
    /// Rules that decide in this case.
    #[serde(default)]
    pub applies: Vec<String>,
    /// Rules whose other side it shows: nearly met, and yet not.
    #[serde(default)]
    pub does_not_apply: Vec<String>,
}

/// What is judged in a case.
#[derive(Debug, Clone, PartialEq)]
pub enum Subject {
    /// The settings alone.
    Settings,
    /// A request.
    Request(Request),
}

impl Case {
    /// Reads a case and checks that it says one thing only.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub fn from_value(value: &Value) -> Result<Self, Problem> {
        let mut case: Self = problem::read(value)?;
        if case.settings.is_null() {
            case.settings = Value::Object(Map::new());
        }
        let subjects = [
            case.request.is_some(),
            case.member.is_some(),
            case.set.is_some(),
        ];
        let given = subjects.into_iter().filter(|given| *given).count();
        if given > 1 {
            return Err(Problem::new(
                "",
                "has more than one of \"request\", \"member\" and \"set\"".to_owned(),
                "split it into a case each",
            ));
        }
        case.expect.fits(given == 1)?;
        case.subject()?;
        Ok(case)
    }

    /// What is judged.
    ///
    /// # Errors
    /// A shorthand cannot be made into a request.
    pub fn subject(&self) -> Result<Subject, Problem> {
        if let Some(request) = &self.request {
            return Ok(Subject::Request(Request::verbatim(request.clone())));
        }
        if let Some(member) = &self.member {
            return member.request().map(Subject::Request);
        }
        if let Some(set) = &self.set {
            return set.request().map(Subject::Request);
        }
        Ok(Subject::Settings)
    }
}
