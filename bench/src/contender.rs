//! The modules that answer, and what each of them is asked.

use crate::case::{Case, Subject, Verdict};
use crate::error::Error;
use lws_placement::engine::{Fault, Limits, Module, Outcome};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A module that is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Build {
    /// The policy.
    Policy,
    /// The injection with k8s-openapi's types.
    Typed,
    /// The injection with serde_json's values.
    Value,
    /// Nothing at all.
    Noop,
}

impl Build {
    /// All of them, the policy first.
    pub const ALL: [Self; 4] = [Self::Policy, Self::Typed, Self::Value, Self::Noop];

    /// One word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Typed => "typed",
            Self::Value => "value",
            Self::Noop => "no-op",
        }
    }

    /// Where its module is: the policy's by its path, the others in the folder that cargo builds them into.
    #[must_use]
    pub fn path(self, policy: &Path, baselines: &Path) -> PathBuf {
        match self {
            Self::Policy => policy.to_owned(),
            Self::Typed => baselines.join("lws_baseline_typed.wasm"),
            Self::Value => baselines.join("lws_baseline_value.wasm"),
            Self::Noop => baselines.join("lws_baseline_noop.wasm"),
        }
    }
}

/// A module with an operation of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Contender {
    /// The policy.
    Policy,
    /// The injection with k8s-openapi's types.
    Typed,
    /// The injection with serde_json's values.
    Value,
    /// Accepts without a look.
    Noop,
    /// Accepts after one look at the whole JSON text.
    Scan,
    /// Accepts after one look at each byte.
    Bytes,
}

impl Contender {
    /// All of them, the policy first.
    pub const ALL: [Self; 6] = [
        Self::Policy,
        Self::Typed,
        Self::Value,
        Self::Noop,
        Self::Scan,
        Self::Bytes,
    ];

    /// The module that it is in.
    #[must_use]
    pub fn build(self) -> Build {
        match self {
            Self::Policy => Build::Policy,
            Self::Typed => Build::Typed,
            Self::Value => Build::Value,
            Self::Noop | Self::Scan | Self::Bytes => Build::Noop,
        }
    }

    /// What the module is asked.
    #[must_use]
    pub fn operation(self) -> &'static str {
        match self {
            Self::Policy | Self::Typed | Self::Value | Self::Noop => "validate",
            Self::Scan => "scan",
            Self::Bytes => "bytes",
        }
    }

    /// Whether the answer to a case is its to give. The two baselines refuse nothing and know no sets.
    #[must_use]
    pub fn answers(self, case: &Case) -> bool {
        match self {
            Self::Typed | Self::Value => {
                case.subject == Subject::Pod && case.verdict != Verdict::Refused
            }
            Self::Policy | Self::Noop | Self::Scan | Self::Bytes => true,
        }
    }

    /// What its answer to a case is, if it is right.
    #[must_use]
    pub fn verdict(self, case: &Case) -> Verdict {
        match self {
            Self::Policy | Self::Typed | Self::Value => case.verdict,
            Self::Noop | Self::Scan | Self::Bytes => Verdict::Unread,
        }
    }

    /// A module that gave no answer to a case.
    #[must_use]
    pub fn fault(self, case: &Case, source: Fault) -> Error {
        Error::Fault {
            what: self.about(case),
            source,
        }
    }

    /// Which module and request, for errors.
    fn about(self, case: &Case) -> String {
        format!("{self:?}, {}", case.name)
    }

    /// Whether its time is taken, beside its fuel.
    #[must_use]
    pub fn is_timed(self) -> bool {
        !matches!(self, Self::Scan | Self::Bytes)
    }
}

/// Limits under which nothing here ends early, whatever else the machine does.
#[must_use]
pub fn limits() -> Limits {
    Limits {
        deadline: Duration::from_secs(120),
        memory: 1 << 30,
        ..Limits::default()
    }
}

/// Compiles a module that counts fuel. The figure does not depend on how well the compiler optimises.
///
/// # Errors
/// The bytes are no policy module.
pub fn counting(name: &str, bytes: &[u8]) -> Result<Module, Error> {
    let limits = Limits {
        count_fuel: true,
        ..limits()
    };
    Ok(Module::from_bytes(name, bytes, limits)?)
}

/// Compiles a module as a policy server does: optimised, and without counting.
///
/// # Errors
/// The bytes are no policy module.
pub fn optimized(name: &str, bytes: &[u8]) -> Result<Module, Error> {
    let limits = Limits {
        optimize: true,
        ..limits()
    };
    Ok(Module::from_bytes(name, bytes, limits)?)
}

/// Asks a module about a case in a fresh instance.
///
/// # Errors
/// The module gives no answer, or not the right one.
pub fn ask(contender: Contender, module: &Module, case: &Case) -> Result<Outcome, Error> {
    let outcome = module
        .call(contender.operation(), &case.payload)
        .map_err(|source| contender.fault(case, source))?;
    let wanted = contender.verdict(case);
    if !wanted.is_of(&outcome.answer) {
        let answer = String::from_utf8_lossy(&outcome.answer);
        return Err(Error::Answer {
            what: contender.about(case),
            wanted: wanted.name(),
            answer: answer.chars().take(300).collect(),
        });
    }
    Ok(outcome)
}

/// Reads a file.
///
/// # Errors
/// The file cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|source| Error::File {
        path: path.display().to_string(),
        source,
    })
}
