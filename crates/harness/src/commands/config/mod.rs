//! A repository's own configuration, `.lws-placement.yaml`: what the command line need not say every time.

mod file;
mod find;

use super::error::Error;
use super::options::FailOn;
use super::output::complain;
use crate::settings::Settings;
use clap::Args;
use std::path::{Path, PathBuf};

/// The name of the file that is looked for.
pub(crate) const NAME: &str = lws_review::review::source::CONFIGURATION;

/// Which configuration holds.
#[derive(Debug, Args)]
pub(crate) struct ConfigOptions {
    /// The configuration, whose fields are policy, settings, policyManifests, paths and failOn. Without this,
    /// .lws-placement.yaml is looked for in the current folder and those above it, up to one that holds .git. Options
    /// win over it; --verbose tells which one is used
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,

    /// Look for no configuration
    #[arg(long)]
    no_config: bool,
}

/// What a configuration says. Paths are as they are seen from the current folder.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// The file; none where there is none.
    pub(crate) path: Option<PathBuf>,
    /// The policy module.
    pub(crate) policy: Option<PathBuf>,
    /// What the policy runs with.
    pub(crate) under: Option<Under>,
    /// Manifests to review.
    pub(crate) paths: Vec<PathBuf>,
    /// What fails a review.
    pub(crate) fail_on: Option<FailOn>,
}

/// What the policy runs with.
#[derive(Debug, Clone)]
pub(crate) enum Under {
    /// Settings in a file.
    File(PathBuf),
    /// Settings that stand in the configuration.
    Inline(Box<Settings>),
    /// Policies of a cluster, in files and folders.
    Policies(Vec<PathBuf>),
}

impl ConfigOptions {
    /// Finds and reads the configuration; an empty one where there is none. Which it is, is told where `verbose`.
    ///
    /// # Errors
    /// It cannot be read, or says what it must not say.
    pub(crate) fn load(&self, verbose: bool) -> Result<Config, Error> {
        let (path, base) = match &self.config {
            Some(path) => {
                let base = path.parent().unwrap_or(Path::new("")).to_owned();
                (path.clone(), base)
            }
            None if self.no_config => return Ok(Config::default()),
            None => match find::base() {
                Some(base) => (base.join(NAME), base),
                None => return Ok(Config::default()),
            },
        };
        if verbose {
            complain(&format!("configuration: {}", path.display()));
        }
        file::read(path, &base)
    }
}

impl Config {
    /// The manifests that options name, in two ways, or else those of the configuration. There may be none.
    pub(crate) fn manifests(&self, named: &[PathBuf], more: &[PathBuf]) -> Vec<PathBuf> {
        if named.is_empty() && more.is_empty() {
            return self.paths.clone();
        }
        [named, more].concat()
    }

    /// What to do where no manifests were given; `how` says by which options they are.
    pub(crate) fn without_paths(&self, how: &str) -> Error {
        let file = match &self.path {
            Some(path) => path.display().to_string(),
            None => format!("a file {NAME}"),
        };
        Error::Usage(format!(
            "there are no manifests; give them with {how}, or list them as paths in {file}"
        ))
    }
}
