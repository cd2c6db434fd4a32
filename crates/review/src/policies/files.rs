//! Reads policies from manifests.

use super::fault::Fault;
use super::policy::{Policy, is_policy};
use crate::input::{self, Document, InputError};
use crate::review::report::Remark;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

/// The policies of some files, in the order in which they stand there.
#[derive(Debug, Default)]
pub struct Files {
    /// The policies.
    pub policies: Vec<Policy>,
    /// What cannot be used of them.
    pub faults: Vec<Fault>,
    /// What else there is to say.
    pub notes: Vec<Remark>,
}

impl Files {
    /// Takes the policies of a file. Objects of other kinds (PolicyServer, Kustomization ...) are passed over, but
    /// policy groups are told: they would see requests too.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn take(&mut self, path: &Path) -> Result<(), InputError> {
        let (source, documents) = input::documents(path)?;
        self.see(&source, documents);
        Ok(())
    }

    /// As [`Self::take`], of a file that was read already and is called `source`.
    pub fn see(&mut self, source: &str, documents: Vec<Document>) {
        for document in documents.into_iter().map(Arc::new) {
            for item in document.items() {
                if is_policy(item.value) {
                    match Policy::read(source, &document, &item.pointer, item.value) {
                        Ok(policy) => self.policies.push(policy),
                        Err(fault) => self.faults.push(fault),
                    }
                } else if let Some(kind) = group(item.value) {
                    let line = document.value_at(&item.pointer).line();
                    let text = format!("{line}: {kind} is not run here");
                    self.notes.push(Remark::note(None, text));
                }
            }
        }
    }
}

/// The kind of a policy group.
fn group(object: &Value) -> Option<&str> {
    let kind = object.get("kind").and_then(Value::as_str)?;
    ["AdmissionPolicyGroup", "ClusterAdmissionPolicyGroup"]
        .into_iter()
        .find(|known| *known == kind)
}
