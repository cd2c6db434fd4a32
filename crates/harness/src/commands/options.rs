//! Options that several commands share.

use super::config::{Config, Under};
use super::error::Error;
use super::output::complain;
use crate::engine::{Limits, Module};
use crate::input::{self, Document};
use crate::settings::{self, Settings};
use clap::{Args, ValueEnum};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The module that runs where none is named.
const MODULE: &str = "annotated-policy.wasm";

/// What fails a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum FailOn {
    /// What is refused, and errors about what runs
    #[default]
    Error,
    /// Warnings too: the policy's own, those about what runs, and notes that tell of a danger
    Warning,
    /// Nothing that could be reviewed
    Never,
}

/// Which policy module runs, and how much it tells.
#[derive(Debug, Args)]
pub(crate) struct PolicyOptions {
    /// The policy module [default: annotated-policy.wasm]
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    /// Tell on standard error what the policy logs, prints and asks its host for
    #[arg(short, long)]
    verbose: bool,
}

impl PolicyOptions {
    /// Whether much is to be told.
    pub(crate) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Compiles the module.
    ///
    /// # Errors
    /// It is of no use.
    pub(crate) fn load(&self) -> Result<Module, Error> {
        self.load_or(&Config::default())
    }

    /// As [`Self::load`]; the configuration's module where none was given.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub(crate) fn load_or(&self, config: &Config) -> Result<Module, Error> {
        let path = self.policy.as_deref().or(config.policy.as_deref());
        let path = path.unwrap_or(Path::new(MODULE));
        let module = Module::load_with(path, Limits::default())?;
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

    /// Whether there are any.
    pub(crate) fn are_given(&self) -> bool {
        self.settings.is_some() || self.settings_json.is_some()
    }

    /// As [`Self::read`]; the configuration's settings where none were given.
    ///
    /// # Errors
    /// As [`Self::read`], or the configuration has policies, whose settings are several.
    pub(crate) fn read_or(&self, config: &Config) -> Result<Settings, Error> {
        match &config.under {
            Some(under) if !self.are_given() => match under {
                Under::File(path) => from_file(path),
                Under::Inline(settings) => Ok(settings.as_ref().clone()),
                Under::Policies(_) => Err(Error::Usage(format!(
                    "{} has policyManifests, and this takes settings; give the policy that is meant with --settings",
                    config.path.clone().unwrap_or_default().display()
                ))),
            },
            _ => self.read(),
        }
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

/// The namespace of objects that name none.
#[derive(Debug, Args)]
pub(crate) struct NamespaceOption {
    /// The namespace of objects that name none, as kubectl -n has it [default: default]
    #[arg(short, long, value_name = "NAMESPACE", value_parser = namespace)]
    pub(crate) namespace: Option<String>,
}

/// Takes what a namespace may be called (RFC 1123).
fn namespace(text: &str) -> Result<String, String> {
    let is_edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_name = text.len() <= 63 && text.chars().all(is_inner);
    if is_name && is_edge(text.chars().next()) && is_edge(text.chars().next_back()) {
        Ok(text.to_owned())
    } else {
        Err("use at most 63 of the characters a-z, 0-9 and -, and no - at either end".to_owned())
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
    from_documents(source, documents)
}

/// Takes settings from the documents of the file `source`.
///
/// # Errors
/// They are several, or no settings.
pub(crate) fn from_documents(source: String, documents: Vec<Document>) -> Result<Settings, Error> {
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
