//! Options that several commands share.

use super::error::Error;
use super::output::complain;
use crate::engine::{Limits, Module};
use crate::input;
use crate::settings::{self, Settings};
use clap::Args;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which policy module runs, and how much it tells.
#[derive(Debug, Args)]
pub(crate) struct PolicyOptions {
    /// The policy module
    #[arg(long, value_name = "FILE", default_value = "annotated-policy.wasm")]
    policy: PathBuf,

    /// Tell on standard error what the policy logs, prints and asks its host for
    #[arg(short, long)]
    verbose: bool,
}

impl PolicyOptions {
    /// Compiles the module.
    ///
    /// # Errors
    /// It is of no use.
    pub(crate) fn load(&self) -> Result<Module, Error> {
        let module = Module::load_with(&self.policy, Limits::default())?;
        Ok(if self.verbose {
            module.with_log(Arc::new(complain))
        } else {
            module
        })
    }
}

/// Under which settings the policy runs.
#[derive(Debug, Args)]
pub(crate) struct SettingsOptions {
    /// Settings: a map, or a ClusterAdmissionPolicy or AdmissionPolicy whose spec.settings are taken; YAML or JSON.
    /// Without settings the policy's defaults hold
    #[arg(long, value_name = "FILE", conflicts_with = "settings_json")]
    settings: Option<PathBuf>,

    /// Settings as JSON text
    #[arg(long, value_name = "JSON")]
    settings_json: Option<String>,
}

impl SettingsOptions {
    /// The file, if they come from one.
    pub(crate) fn path(&self) -> Option<&PathBuf> {
        self.settings.as_ref()
    }

    /// Reads the settings. Whether the policy takes them is another question: see [`accepted_by`].
    ///
    /// # Errors
    /// They cannot be read, or are no settings.
    pub(crate) fn read(&self) -> Result<Settings, Error> {
        match (&self.settings, &self.settings_json) {
            (Some(path), _) => from_file(path),
            (None, Some(text)) => from_text(text),
            (None, None) => Ok(Settings::none("nothing (its own defaults)")),
        }
    }
}

/// Asks the policy whether it takes `settings`, as a policy server does before it starts (H4).
///
/// # Errors
/// It does not, or gives no answer.
pub(crate) fn accepted_by(module: &Module, settings: &Settings) -> Result<(), Error> {
    let faults = settings::faults(module, settings)?;
    if faults.is_empty() {
        return Ok(());
    }
    Err(Error::Settings {
        source: settings.source().to_owned(),
        faults,
    })
}

/// Reads settings from a file.
///
/// # Errors
/// They cannot be read, or are no settings.
pub(crate) fn from_file(path: &Path) -> Result<Settings, Error> {
    let (source, documents) = input::documents(path)?;
    Ok(settings::from_documents(&source, documents)?)
}

fn from_text(text: &str) -> Result<Settings, Error> {
    let source = "--settings-json";
    let value: Value = serde_json::from_str(text).map_err(|error| {
        Error::Usage(format!(
            "{source} is no JSON: {error}; quote it for the shell"
        ))
    })?;
    settings::from_document(source, value)
        .map_err(|problem| Error::Usage(format!("{source}: {problem}")))
}
