//! The policy's metadata: what Kubewarden reads before it runs a policy.
//!
//! They are written by hand in `policy-metadata.yml` and embedded, as JSON, in a custom section of the module. A usage
//! text goes into one of their annotations, since that is where Kubewarden looks for it.

pub mod artifacthub;
mod check;
mod rule;

pub use lws_review::operation::Operation;
pub use rule::Rule;

use crate::problem::{self, Problem};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The custom section that holds the metadata.
pub const SECTION: &str = "io.kubewarden.metadata";

/// The annotation that holds the usage text.
pub const USAGE: &str = "io.kubewarden.policy.usage";

/// The annotation by which kwctl names its own version. This program is not kwctl and leaves it out.
const KWCTL: &str = "io.kubewarden.kwctl";

/// A policy's metadata, its fields in the order in which kwctl writes them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Metadata {
    /// The version of the protocol that the module speaks. The module is asked; the file need not say it.
    #[serde(default)]
    pub protocol_version: Option<String>,
    /// Which requests the policy wants to see.
    pub rules: Vec<Rule>,
    /// Title, author, licence and the like.
    #[serde(default)]
    pub annotations: BTreeMap<String, String>,
    /// Whether it may change objects.
    pub mutating: bool,
    /// Whether the audit scanner runs it.
    #[serde(default = "yes")]
    pub background_audit: bool,
    /// How it is run.
    #[serde(default)]
    pub execution_mode: ExecutionMode,
    /// What it judges.
    #[serde(default)]
    pub policy_type: PolicyType,
    /// What it reads from the cluster.
    #[serde(default)]
    pub context_aware_resources: Vec<ContextAwareResource>,
    /// The oldest Kubewarden it runs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum_kubewarden_version: Option<String>,
}

/// How a policy is run. Of Kubewarden's ways only waPC is this host's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ExecutionMode {
    /// Over waPC.
    #[default]
    #[serde(rename = "kubewarden-wapc")]
    KubewardenWapc,
}

/// What a policy judges. Of Kubewarden's kinds only this one is ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum PolicyType {
    /// Kubernetes admission requests.
    #[default]
    #[serde(rename = "kubernetes")]
    Kubernetes,
}

/// A kind of objects that a policy reads from the cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContextAwareResource {
    /// Group and version.
    pub api_version: String,
    /// Kind.
    pub kind: String,
}

impl Metadata {
    /// Reads what a file or a section holds.
    ///
    /// # Errors
    /// The first field that does not fit.
    pub fn from_value(value: &Value) -> Result<Self, Problem> {
        problem::read(value)
    }

    /// Every fault that reading cannot see, in the order of the fields.
    #[must_use]
    pub fn faults(&self) -> Vec<Problem> {
        check::faults(self)
    }

    /// The usage text.
    #[must_use]
    pub fn usage(&self) -> Option<&str> {
        self.annotations.get(USAGE).map(String::as_str)
    }

    /// The metadata as the section holds them.
    ///
    /// # Errors
    /// serde_json cannot write them; no value this type can hold is known to do that.
    pub fn to_section(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }
}

fn yes() -> bool {
    true
}
