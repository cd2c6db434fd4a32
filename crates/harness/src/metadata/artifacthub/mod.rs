//! The policy's package file for Artifact Hub.
//!
//! Its fields are those that `kwctl scaffold artifacthub` writes from the metadata's annotations (kw
//! `crates/policy-evaluator/src/policy_artifacthub.rs` `ArtifactHubPkg`), in the same order; only how to install is told
//! in words of our own.

mod author;
mod reading;

use super::Metadata;
use crate::problem::Problem;
use author::Maintainer;
use jiff::Timestamp;
use reading::Reading;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const TITLE: &str = "io.kubewarden.policy.title";
const VERSION: &str = "io.kubewarden.policy.version";
const DESCRIPTION: &str = "io.kubewarden.policy.description";
const LICENSE: &str = "io.kubewarden.policy.license";
const HOME: &str = "io.kubewarden.policy.url";
const DISPLAY_NAME: &str = "io.artifacthub.displayName";

/// What kwctl recommends beside every policy.
const CONTROLLER: &str = "https://artifacthub.io/packages/helm/kubewarden/kubewarden-controller";

/// What stands in front of the package file.
const HEADER: &str = "\
# This policy's package for https://artifacthub.io, in the fields of \"kwctl scaffold artifacthub\".
# Written by \"make artifacthub-pkg.yml\" from policy-metadata.yml and questions-ui.yml: change those.
";

/// A package of Artifact Hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Package {
    version: String,
    name: String,
    display_name: String,
    created_at: String,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<String>,
    #[serde(rename = "homeURL", skip_serializing_if = "Option::is_none")]
    home_url: Option<String>,
    containers_images: [Image; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keywords: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<Link>,
    install: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    maintainers: Vec<Maintainer>,
    provider: Provider,
    recommendations: [Recommendation; 1],
    annotations: BTreeMap<&'static str, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Image {
    name: &'static str,
    image: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Link {
    name: &'static str,
    url: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Provider {
    name: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Recommendation {
    url: &'static str,
}

/// What a package file says of its release.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Released {
    version: String,
    created_at: Timestamp,
}

impl Released {
    /// When it was released, if what was released is the version that `metadata` names.
    #[must_use]
    pub fn of(&self, metadata: &Metadata) -> Option<Timestamp> {
        let version = metadata.annotations.get(VERSION);
        (version == Some(&self.version)).then_some(self.created_at)
    }
}

impl Package {
    /// Makes the package of a policy that was released at `created_at`, with the text of its form for settings.
    ///
    /// # Errors
    /// Every annotation that is missing, or that kwctl would refuse.
    pub fn new(
        metadata: &Metadata,
        created_at: Timestamp,
        questions: Option<&str>,
    ) -> Result<Self, Vec<Problem>> {
        let mut reading = Reading::new(&metadata.annotations);
        let version = reading.version();
        let image = reading.image(&version);
        let package = Self {
            name: reading.needed(TITLE),
            display_name: reading.needed(DISPLAY_NAME),
            created_at: created_at.to_string(),
            description: reading.needed(DESCRIPTION),
            license: reading.text(LICENSE).map(str::to_owned),
            home_url: reading.url(HOME).map(String::from),
            keywords: reading.keywords(),
            links: reading.links(&version),
            install: install(&image),
            maintainers: reading.maintainers(),
            provider: Provider { name: "kubewarden" },
            recommendations: [Recommendation { url: CONTROLLER }],
            annotations: reading.kubewarden(metadata, questions),
            containers_images: [Image {
                name: "policy",
                image,
            }],
            version,
        };
        if reading.problems.is_empty() {
            Ok(package)
        } else {
            Err(reading.problems)
        }
    }

    /// The package file.
    ///
    /// # Errors
    /// serde-saphyr cannot write it; no value this type can hold is known to do that.
    pub fn to_yaml(&self) -> Result<String, serde_saphyr::ser::Error> {
        Ok(format!("{HEADER}{}", serde_saphyr::to_string(self)?))
    }
}

fn install(image: &str) -> String {
    format!(
        "Fetch the policy:\n\n\
         ```sh\n\
         kwctl pull {image}\n\
         ```\n\n\
         Pods and LeaderWorkerSets take a policy each, with the same module and settings. The repository's\n\
         `examples/install` has both, their judging twins and a policy server. Name this as their module:\n\
         `registry://{image}`\n\n\
         ```sh\n\
         kubectl apply -k examples/install\n\
         ```\n"
    )
}
