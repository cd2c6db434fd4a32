//! All sets and pods as they become.

use crate::answer::{Faults, fault};
use crate::{reviewed, texts};
use lws_review::review::Options;
use lws_review::review::render::yaml;

/// Replicas of each set that are written.
const WRITTEN: usize = 10;

/// The manifests as they become under settings, as `lws-placement review -o yaml` writes them.
///
/// # Errors
/// The settings cannot be read, or the policy refuses them.
pub fn result(manifests: &str, settings: &str) -> Result<String, Faults> {
    let options = Options {
        replicas: WRITTEN,
        objects: true,
    };
    let settings = texts::settings(settings, "settings")?;
    yaml::write(&reviewed(manifests, &settings, options)).map_err(fault)
}
