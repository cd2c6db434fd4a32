//! The policy's package file for Artifact Hub.
//!
//! Its fields are those that `kwctl scaffold artifacthub` writes from the metadata's annotations (kw
//! `crates/policy-evaluator/src/policy_artifacthub.rs` `ArtifactHubPkg`), in the same order; only how to install is told
//! in words of our own.

use super::Metadata;
use super::author::{self, Maintainer};
use crate::problem::{Problem, escape};
use jiff::Timestamp;
use semver::Version;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use url::Url;

const TITLE: &str = "io.kubewarden.policy.title";
const VERSION: &str = "io.kubewarden.policy.version";
const DESCRIPTION: &str = "io.kubewarden.policy.description";
const LICENSE: &str = "io.kubewarden.policy.license";
const AUTHOR: &str = "io.kubewarden.policy.author";
const HOME: &str = "io.kubewarden.policy.url";
const SOURCE: &str = "io.kubewarden.policy.source";
const OCI_URL: &str = "io.kubewarden.policy.ociUrl";
const DISPLAY_NAME: &str = "io.artifacthub.displayName";
const KEYWORDS: &str = "io.artifacthub.keywords";
const RESOURCES: &str = "io.artifacthub.resources";

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
        let mut reading = Reading {
            annotations: &metadata.annotations,
            problems: Vec::new(),
        };
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

/// Reads annotations, collecting every problem instead of the first.
struct Reading<'a> {
    annotations: &'a BTreeMap<String, String>,
    problems: Vec<Problem>,
}

impl<'a> Reading<'a> {
    fn text(&self, name: &str) -> Option<&'a str> {
        self.annotations.get(name).map(String::as_str)
    }

    fn needed(&mut self, name: &str) -> String {
        if let Some(text) = self.text(name) {
            return text.to_owned();
        }
        self.problems.push(Problem::new(
            "/annotations",
            format!("has no \"{name}\""),
            "add it: Artifact Hub lists no policy without",
        ));
        String::new()
    }

    fn problem(&mut self, name: &str, what: String, remedy: &str) {
        let field = format!("/annotations/{}", escape(name));
        self.problems.push(Problem::new(&field, what, remedy));
    }

    fn version(&mut self) -> String {
        let text = self.needed(VERSION);
        // A version is part of the module's tag, and a tag has no plus.
        let is_usable = Version::parse(&text).is_ok_and(|version| version.build.is_empty());
        if !text.is_empty() && !is_usable {
            self.problem(
                VERSION,
                format!("is \"{text}\""),
                "give a version as Semantic Versioning has it, without build metadata: \"0.1.0\"",
            );
        }
        text
    }

    /// The module's place in a registry. kwctl reads it as an image reference, which has no scheme.
    fn image(&mut self, version: &str) -> String {
        let place = self.needed(OCI_URL);
        let is_usable = |part: &str| {
            let is_legal =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
            !part.is_empty() && part.chars().all(is_legal)
        };
        let mut parts = place.split('/');
        let host = parts.next().unwrap_or_default();
        let name = host.split_once(':').map_or(host, |(name, _)| name);
        let path: Vec<&str> = parts.collect();
        if !place.is_empty()
            && (!is_usable(name) || path.is_empty() || !path.iter().all(|part| is_usable(part)))
        {
            self.problem(
                OCI_URL,
                format!("is \"{place}\""),
                "give registry and repository in lower case, without scheme and tag: \"ghcr.io/owner/policy\"",
            );
        }
        format!("{place}:v{version}")
    }

    fn url(&mut self, name: &str) -> Option<Url> {
        let text = self.text(name)?;
        match Url::parse(text) {
            Ok(url) => Some(url),
            Err(error) => {
                self.problem(
                    name,
                    format!("is no URL: {error}"),
                    "give it in full, beginning with https://",
                );
                None
            }
        }
    }

    fn keywords(&mut self) -> Vec<String> {
        let Some(text) = self.text(KEYWORDS) else {
            return Vec::new();
        };
        let words: Vec<String> = text.split(',').map(|word| word.trim().to_owned()).collect();
        if words.iter().any(String::is_empty) {
            self.problem(
                KEYWORDS,
                "has an empty keyword".to_owned(),
                "put one comma between two keywords",
            );
        }
        words
    }

    /// The module among the release's files, which GitHub has at a known place, and the source.
    fn links(&mut self, version: &str) -> Vec<Link> {
        let Some(source) = self.url(SOURCE) else {
            return Vec::new();
        };
        let module = (source.host_str() == Some("github.com")).then(|| Link {
            name: "policy",
            url: format!(
                "{}/releases/download/v{version}/policy.wasm",
                source.as_str().trim_end_matches('/')
            ),
        });
        let source = Link {
            name: "source",
            url: source.into(),
        };
        module.into_iter().chain([source]).collect()
    }

    fn maintainers(&mut self) -> Vec<Maintainer> {
        let Some(text) = self.text(AUTHOR) else {
            return Vec::new();
        };
        author::read(text).unwrap_or_else(|what| {
            self.problem(
                AUTHOR,
                what,
                "give a name and an e-mail address each: \"Name <name@example.com>, Other <other@example.com>\"",
            );
            Vec::new()
        })
    }

    /// What Kubewarden's own tools look for in a package.
    fn kubewarden(
        &mut self,
        metadata: &Metadata,
        questions: Option<&str>,
    ) -> BTreeMap<&'static str, String> {
        let mut out = BTreeMap::from([
            ("kubewarden/mutation", metadata.mutating.to_string()),
            ("kubewarden/rules", self.yaml("/rules", &metadata.rules)),
        ]);
        let resources = &metadata.context_aware_resources;
        if !resources.is_empty() {
            let text = self.yaml("/contextAwareResources", resources);
            out.insert("kubewarden/contextAwareResources", text);
        }
        if let Some(text) = self.text(RESOURCES) {
            out.insert("kubewarden/resources", text.to_owned());
        }
        if let Some(text) = questions {
            out.insert("kubewarden/questions-ui", text.to_owned());
        }
        out
    }

    fn yaml<T: Serialize>(&mut self, field: &str, list: &Vec<T>) -> String {
        serde_saphyr::to_string(list).unwrap_or_else(|error| {
            self.problems.push(Problem::new(
                field,
                format!("cannot be written as YAML: {error}"),
                "correct it",
            ));
            String::new()
        })
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
