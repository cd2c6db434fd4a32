//! Which requests a policy wants to see, in the terms of Kubernetes' webhook configurations.

use serde::{Deserialize, Serialize};

/// A rule: every combination of its lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rule {
    /// API groups; the core group is the empty text.
    pub api_groups: Vec<String>,
    /// API versions.
    pub api_versions: Vec<String>,
    /// Resources, lower-case plurals; with `/` a subresource.
    pub resources: Vec<String>,
    /// Operations.
    pub operations: Vec<Operation>,
}

/// What is done to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operation {
    /// It is made.
    #[serde(rename = "CREATE")]
    Create,
    /// It is changed.
    #[serde(rename = "UPDATE")]
    Update,
    /// It is deleted.
    #[serde(rename = "DELETE")]
    Delete,
    /// It is connected to.
    #[serde(rename = "CONNECT")]
    Connect,
    /// Any of these.
    #[serde(rename = "*")]
    All,
}
