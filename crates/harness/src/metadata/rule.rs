//! Which requests a policy wants to see, in the terms of Kubernetes' webhook configurations.

use super::Operation;
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
