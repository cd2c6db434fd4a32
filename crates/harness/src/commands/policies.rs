//! Options about the policies of a cluster.

use super::error::Error;
use super::options::accepted_by;
use crate::engine::Module;
use crate::policies::{Chain, Files, Namespaces, setup};
use crate::review::report::Remark;
use crate::review::source::{Source, files};
use clap::Args;
use std::path::PathBuf;

/// Which policies a cluster has, and what it knows of its namespaces.
#[derive(Debug, Args)]
pub(crate) struct PolicyManifests {
    /// Do what a cluster with these policies would do: manifests, or folders of them, with ClusterAdmissionPolicies and
    /// AdmissionPolicies. Other kinds in them are passed over. Their module is that of --policy. With this, name the
    /// manifests to review by -f
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["settings", "settings_json"]
    )]
    policy_manifest: Vec<PathBuf>,

    /// Labels of a namespace, for policies with a namespaceSelector. Namespace objects in the input count too
    #[arg(
        long,
        value_name = "NAMESPACE=KEY=VALUE,...",
        requires = "policy_manifest"
    )]
    namespace_labels: Vec<String>,
}

impl PolicyManifests {
    /// Whether there are any.
    pub(crate) fn are_given(&self) -> bool {
        !self.policy_manifest.is_empty()
    }

    /// Reads and checks the policies. Gives their chain and what there is to say of them; `sources` are looked through
    /// for namespaces.
    ///
    /// # Errors
    /// They cannot be read, or cannot work: every reason in one error.
    pub(crate) fn read(
        &self,
        module: &Module,
        sources: &[Source],
    ) -> Result<(Chain, Vec<String>), Error> {
        let mut read = Files::default();
        for file in files(&self.policy_manifest) {
            let file = file.map_err(Error::Pointed)?;
            read.take(&file)?;
        }
        let namespaces = self.namespaces(sources)?;
        let mut faults: Vec<Remark> = read.faults.into_iter().map(Remark::from).collect();
        for policy in &read.policies {
            match accepted_by(module, policy.settings()) {
                Ok(()) => {}
                Err(Error::Settings { faults: wrong, .. }) => faults.extend(wrong),
                Err(other) => return Err(other),
            }
        }
        let together = setup::faults(&read.policies);
        faults.extend(together.into_iter().map(Remark::from));
        if !faults.is_empty() {
            return Err(Error::Policies(faults));
        }
        read.notes.extend(setup::notes(&read.policies));
        let chain = Chain::new(read.policies, namespaces).ok_or_else(|| {
            Error::Usage(
                "--policy-manifest: there is no ClusterAdmissionPolicy and no AdmissionPolicy in it"
                    .to_owned(),
            )
        })?;
        Ok((chain, read.notes))
    }

    fn namespaces(&self, sources: &[Source]) -> Result<Namespaces, Error> {
        let mut namespaces = Namespaces::default();
        for source in sources {
            // What cannot be read is told when it is reviewed.
            for document in lws_manifest::read(&source.text).iter().flatten() {
                for item in document.items() {
                    namespaces.see(item.value);
                }
            }
        }
        for text in &self.namespace_labels {
            let wrong = |what| Error::Usage(format!("--namespace-labels: {what}"));
            namespaces.give(text).map_err(wrong)?;
        }
        Ok(namespaces)
    }
}
