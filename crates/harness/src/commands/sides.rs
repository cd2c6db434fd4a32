//! What a side of a comparison names: settings, or policies of a cluster.

use super::config::Config;
use super::error::Error;
use super::options::{SettingsOptions, accepted_by, from_documents};
use super::policies::{Policies, PolicyManifests, none};
use crate::diff::Under;
use crate::engine::Module;
use crate::input::{self, Document};
use crate::policies::{Files, Policy, is_policy, setup};
use crate::review::report::Remark;
use crate::review::source::files;
use crate::settings::Settings;
use std::path::PathBuf;

/// What judges on a side.
#[derive(Debug)]
pub(super) enum Ruling {
    /// The policy, under settings.
    Settings(Settings),
    /// Policies of a cluster.
    Policies {
        /// The policies.
        list: Vec<Policy>,
        /// What there is to say of them.
        notes: Vec<Remark>,
    },
}

impl Ruling {
    /// Reads what the option `--from` or `--to` names, and has the policy judge its settings. Policies in it are those
    /// of a cluster. A policy without rules is not one that a cluster could have, but a way to write settings.
    ///
    /// # Errors
    /// It cannot be read, or is neither settings nor policies.
    pub(super) fn of_option(
        module: &Module,
        paths: &[PathBuf],
        option: &str,
    ) -> Result<Self, Error> {
        let mut read = Vec::new();
        for file in files(paths) {
            read.push(input::documents(&file.map_err(Error::Pointed)?)?);
        }
        if let [(_, documents)] = read.as_slice()
            && is_settings(documents)
            && let Some((source, documents)) = read.pop()
        {
            return Self::of_settings(module, from_documents(source, documents)?);
        }
        let mut policies = Files::default();
        for (source, documents) in read {
            let strays = documents.iter().filter(|document| is_stray(document));
            let strays = strays.map(|document| {
                let text = "is no manifest, so it is passed over: settings are those of the policies beside it";
                Remark::warning(document.value_at(""), text)
            });
            policies.notes.extend(strays);
            policies.see(&source, documents);
        }
        let policies = Policies::check(module, policies)?;
        if policies.list.is_empty() {
            return Err(none(option));
        }
        Ok(Self::of_policies(policies))
    }

    /// What both sides have: the settings or policies of the options, or else of the configuration.
    ///
    /// # Errors
    /// They cannot be read, or are of no use.
    pub(super) fn of_both(
        module: &Module,
        policies: &PolicyManifests,
        settings: &SettingsOptions,
        config: &Config,
    ) -> Result<Self, Error> {
        let Some((paths, origin)) = policies.given(settings, config) else {
            return Self::of_settings(module, settings.read_or(config)?);
        };
        let policies = Policies::read(module, paths)?;
        if policies.list.is_empty() {
            return Err(none(&origin));
        }
        Ok(Self::of_policies(policies))
    }

    fn of_settings(module: &Module, settings: Settings) -> Result<Self, Error> {
        accepted_by(module, &settings)?;
        Ok(Self::Settings(settings))
    }

    /// Policies that cannot work together can be compared all the same: what comes of them is the difference.
    fn of_policies(policies: Policies) -> Self {
        let faults = policies.faults.into_iter();
        let faults = faults.map(|fault| Remark::warning(fault.place, fault.text));
        let faults = faults.chain(setup::gaps(&policies.list));
        let notes = policies.notes.into_iter().chain(faults).collect();
        Self::Policies {
            list: policies.list,
            notes,
        }
    }

    /// For a comparison.
    pub(super) fn under(&self) -> Under<'_> {
        match self {
            Self::Settings(settings) => Under::Settings(settings),
            Self::Policies { list, .. } => Under::Policies(list),
        }
    }

    /// What there is to say of the policies.
    pub(super) fn notes(&self) -> &[Remark] {
        match self {
            Self::Settings(_) => &[],
            Self::Policies { notes, .. } => notes,
        }
    }
}

/// Whether a file holds settings, not policies: none at all, or one without rules.
fn is_settings(documents: &[Document]) -> bool {
    let items = documents.iter().flat_map(Document::items);
    let policies: Vec<_> = items.filter(|item| is_policy(item.value)).collect();
    match policies.as_slice() {
        [] => true,
        [one] => one.value.pointer("/spec/rules").is_none(),
        _ => false,
    }
}

/// Whether a document is none that a cluster knows, as settings are.
fn is_stray(document: &Document) -> bool {
    let value = document.value();
    !value.is_null() && value.get("kind").is_none() && value.get("apiVersion").is_none()
}
