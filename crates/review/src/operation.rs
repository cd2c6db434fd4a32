//! What is done to an object, in the terms of Kubernetes' webhook configurations.

use serde::{Deserialize, Serialize};

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
