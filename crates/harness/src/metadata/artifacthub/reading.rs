//! What a package takes from the metadata's annotations.

use super::author::{self, Maintainer};
use super::{Link, VERSION};
use crate::metadata::Metadata;
use crate::problem::{Problem, escape};
use semver::Version;
use serde::Serialize;
use std::collections::BTreeMap;
use url::Url;

const AUTHOR: &str = "io.kubewarden.policy.author";
const SOURCE: &str = "io.kubewarden.policy.source";
const OCI_URL: &str = "io.kubewarden.policy.ociUrl";
const KEYWORDS: &str = "io.artifacthub.keywords";
const RESOURCES: &str = "io.artifacthub.resources";

/// Reads annotations, collecting every problem instead of the first.
pub(super) struct Reading<'a> {
    annotations: &'a BTreeMap<String, String>,
    pub(super) problems: Vec<Problem>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(annotations: &'a BTreeMap<String, String>) -> Self {
        Self {
            annotations,
            problems: Vec::new(),
        }
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.annotations.get(name).map(String::as_str)
    }

    pub(super) fn needed(&mut self, name: &str) -> String {
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

    pub(super) fn version(&mut self) -> String {
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
    pub(super) fn image(&mut self, version: &str) -> String {
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

    pub(super) fn url(&mut self, name: &str) -> Option<Url> {
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

    pub(super) fn keywords(&mut self) -> Vec<String> {
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
    pub(super) fn links(&mut self, version: &str) -> Vec<Link> {
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

    pub(super) fn maintainers(&mut self) -> Vec<Maintainer> {
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
    pub(super) fn kubewarden(
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
