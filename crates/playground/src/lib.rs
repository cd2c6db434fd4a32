//! The policy's own code in a browser and in Node: the same library that the module is built of, asked through
//! `lws-review`.
//!
//! Every function takes texts and gives a value, or remarks about the texts: [`review`] the review as data, [`picture`]
//! the replicas as they are drawn, [`detail`] what becomes of one pod or set, [`result`] all manifests as they become,
//! [`difference`] what another map of settings does, [`policies`] the manifests that install the policy. The border to
//! JavaScript (`bindings`) is compiled for WebAssembly alone; JSON texts cross it, and no exception.

pub mod address;
pub mod answer;
mod ask;
#[cfg(target_arch = "wasm32")]
pub mod bindings;
pub mod detail;
pub mod difference;
pub mod picture;
pub mod policies;
pub mod result;
pub mod texts;

use answer::Faults;
use lws_review::evaluator::Native;
use lws_review::review::{Options, Report, Reviewer};
use lws_review::settings::Settings;

/// What answers for the policy: its own code.
const POLICY: Native = Native;

/// Replicas of each set that a report shows, as `lws-placement review -o json` does.
const SHOWN: usize = 10;

/// Reviews manifests under settings. The report is that of `lws-placement review -o json`.
///
/// # Errors
/// The settings cannot be read, or the policy refuses them.
pub fn review(manifests: &str, settings: &str) -> Result<Report, Faults> {
    let options = Options {
        replicas: SHOWN,
        objects: false,
    };
    let settings = texts::settings(settings, "settings")?;
    Ok(reviewed(manifests, &settings, options))
}

fn reviewed(manifests: &str, settings: &Settings, options: Options) -> Report {
    let mut reviewer = Reviewer::new(&POLICY, settings, options);
    reviewer.see(&texts::manifests(manifests));
    reviewer.finish()
}
