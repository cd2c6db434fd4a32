//! Why a request does not reach a policy.

use std::fmt;

/// Why a request does not reach a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Miss {
    /// No rule takes it.
    Rules,
    /// The object's labels do not fit; the selector.
    Objects(String),
    /// The namespace's labels do not fit.
    Namespaces {
        /// The selector.
        selector: String,
        /// The namespace.
        namespace: String,
        /// Whether the namespace's labels were told.
        known: bool,
    },
    /// It is in another namespace than the AdmissionPolicy's, which is this.
    OtherNamespace(String),
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules => f.write_str("has no rule for it"),
            Self::Objects(selector) => {
                write!(f, "wants objects with the labels {selector}")
            }
            Self::Namespaces {
                selector,
                namespace,
                known,
            } => {
                write!(
                    f,
                    "wants namespaces with the labels {selector}, which \"{namespace}\" has not"
                )?;
                if !known {
                    f.write_str(" as far as is known (give its Namespace or --namespace-labels)")?;
                }
                Ok(())
            }
            Self::OtherNamespace(own) => write!(f, "is for the namespace \"{own}\""),
        }
    }
}
