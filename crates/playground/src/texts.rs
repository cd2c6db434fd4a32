//! The texts that people write: manifests and settings.

use crate::POLICY;
use crate::answer::{Faults, fault};
use lws_review::input;
use lws_review::review::report::Remark;
use lws_review::review::source::Source;
use lws_review::settings::{self, Settings};

/// The manifests as a source of a review, called `manifests` in its messages.
#[must_use]
pub fn manifests(text: &str) -> Source {
    Source {
        name: "manifests".to_owned(),
        text: text.as_bytes().to_vec(),
    }
}

/// Reads settings, and asks the policy whether it takes them. The text may be a map, or a ClusterAdmissionPolicy or
/// AdmissionPolicy that carries one; an empty one means the defaults. `name` is what messages call it.
///
/// # Errors
/// It cannot be read, or the policy refuses the settings: a remark for each fault.
pub fn settings(text: &str, name: &str) -> Result<Settings, Faults> {
    let settings = input::parse(name, text.as_bytes())
        .and_then(|documents| settings::from_documents(name, documents))
        .map_err(|error| vec![Remark::from(error)])?;
    let faults = settings::faults(&POLICY, &settings).map_err(fault)?;
    if faults.is_empty() {
        Ok(settings)
    } else {
        Err(faults)
    }
}
