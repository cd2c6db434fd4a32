//! Options about the policies of a cluster.

use super::config::{Config, Under};
use super::error::Error;
use super::options::{SettingsOptions, accepted_by};
use crate::engine::Module;
use crate::policies::{Chain, Files, Namespaces, Policy, own, setup};
use crate::review::report::Remark;
use crate::review::source::{Source, files};
use clap::Args;
use std::path::PathBuf;

/// Which policies a cluster has, and what it knows of its namespaces.
#[derive(Debug, Args)]
pub(crate) struct PolicyManifests {
    /// Do what a cluster with these policies would do: manifests, or folders of them, with ClusterAdmissionPolicies and
    /// AdmissionPolicies. Other kinds in them are passed over, and policies that clearly have another module. Their
    /// module is that of --policy. With this, name the manifests to review by -f
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["settings", "settings_json"]
    )]
    policy_manifest: Vec<PathBuf>,

    /// Labels of a namespace, for policies with a namespaceSelector. Namespace objects in the input count too
    #[arg(long, value_name = "NAMESPACE=KEY=VALUE,...")]
    namespace_labels: Vec<String>,
}

impl PolicyManifests {
    /// Where they stand, by the options or else by the configuration, and what says so; none where settings hold.
    pub(crate) fn given<'a>(
        &'a self,
        settings: &SettingsOptions,
        config: &'a Config,
    ) -> Option<(&'a [PathBuf], String)> {
        if !self.policy_manifest.is_empty() {
            return Some((&self.policy_manifest, "--policy-manifest".to_owned()));
        }
        match (&config.under, &config.path) {
            (Some(Under::Policies(paths)), Some(file)) if !settings.are_given() => {
                Some((paths, format!("{}: policyManifests", file.display())))
            }
            _ => None,
        }
    }

    /// The labels that were given.
    ///
    /// # Errors
    /// They have another form.
    pub(crate) fn labels(&self) -> Result<Namespaces, Error> {
        let mut namespaces = Namespaces::default();
        for text in &self.namespace_labels {
            let wrong = |what| Error::Usage(format!("--namespace-labels: {what}"));
            namespaces.give(text).map_err(wrong)?;
        }
        Ok(namespaces)
    }

    /// Refuses labels where nothing looks at them; `remedy` says where policies are given.
    ///
    /// # Errors
    /// There are labels.
    pub(crate) fn without_policies(&self, remedy: &str) -> Result<(), Error> {
        if self.namespace_labels.is_empty() {
            return Ok(());
        }
        Err(Error::Usage(format!(
            "--namespace-labels is for policies, and there are none; {remedy}"
        )))
    }
}

/// Policies that can be run, and what there is to say of them.
#[derive(Debug)]
pub(crate) struct Policies {
    /// Those that run the module.
    pub(crate) list: Vec<Policy>,
    /// What keeps them from working together.
    pub(crate) faults: Vec<Remark>,
    /// What else there is to know.
    pub(crate) notes: Vec<Remark>,
}

impl Policies {
    /// Checks policies that were read.
    ///
    /// # Errors
    /// One of them can be used by no cluster; every reason in one error, what keeps them from working together too.
    pub(crate) fn check(module: &Module, read: Files) -> Result<Self, Error> {
        let (list, left_out) = own(read.policies);
        let mut faults: Vec<Remark> = read.faults.into_iter().map(Remark::from).collect();
        for policy in &list {
            match accepted_by(module, policy.settings()) {
                Ok(()) => {}
                Err(Error::Settings { faults: wrong, .. }) => faults.extend(wrong),
                Err(other) => return Err(other),
            }
        }
        let together = setup::faults(&list).into_iter().map(Remark::from);
        if !faults.is_empty() {
            faults.extend(together);
            return Err(Error::Policies(faults));
        }
        let notes = read.notes.into_iter().chain(left_out);
        Ok(Self {
            faults: together.collect(),
            notes: notes.chain(setup::notes(&list)).collect(),
            list,
        })
    }

    /// Reads and checks the policies of files and folders.
    ///
    /// # Errors
    /// They cannot be read, or as [`Self::check`].
    pub(crate) fn read(module: &Module, paths: &[PathBuf]) -> Result<Self, Error> {
        let mut read = Files::default();
        for file in files(paths) {
            let file = file.map_err(Error::Pointed)?;
            read.take(&file)?;
        }
        Self::check(module, read)
    }

    /// Their chain, and what there is to say of them; `sources` are looked through for namespaces, of which `labels`
    /// were given too.
    ///
    /// # Errors
    /// They cannot work together, or there are none in what `origin` names.
    pub(crate) fn chain(
        self,
        sources: &[Source],
        labels: &Namespaces,
        origin: &str,
    ) -> Result<(Chain, Vec<Remark>), Error> {
        if !self.faults.is_empty() {
            return Err(Error::Policies(self.faults));
        }
        let mut namespaces = Namespaces::default();
        for source in sources {
            for document in lws_manifest::read(&source.text).into_iter().flatten() {
                for item in document.items() {
                    namespaces.see(item.value);
                }
            }
        }
        namespaces.extend(labels);
        let chain = Chain::new(self.list, namespaces).ok_or_else(|| none(origin))?;
        Ok((chain, self.notes))
    }
}

/// The error about a place that holds no policies.
pub(crate) fn none(origin: &str) -> Error {
    Error::Usage(format!(
        "{origin}: there is no ClusterAdmissionPolicy and no AdmissionPolicy in it"
    ))
}
