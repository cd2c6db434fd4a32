//! The manifests that install the policy under given settings.
//!
//! They are those of `examples/install`, reasons included, with other settings in them.

use crate::answer::{Faults, fault};
use crate::texts;
use lws_review::review::render::yaml;
use serde_json::{Value, json};

const SERVER: &str = include_str!("../../../examples/install/policy-server.yaml");

/// Those that inject, and those that judge what is there.
const INJECTING: [&str; 2] = [
    include_str!("../../../examples/install/pods.yaml"),
    include_str!("../../../examples/install/leaderworkersets.yaml"),
];
const JUDGING: [&str; 2] = [
    include_str!("../../../examples/install/pods-validate.yaml"),
    include_str!("../../../examples/install/leaderworkersets-validate.yaml"),
];

/// Before a policy's settings, which are the last of it.
const SETTINGS: &str = "\n  settings:\n";

/// A policy server and ClusterAdmissionPolicies with these settings: two that inject with their judging twins, or the
/// twins alone where the settings only judge.
///
/// # Errors
/// The settings cannot be read, or the policy refuses them.
pub fn policies(settings: &str) -> Result<String, Faults> {
    let settings = texts::settings(settings, "settings")?;
    let action = settings.value().get("action").and_then(Value::as_str);
    let injecting: &[&str] = if action == Some("Validate") {
        &[]
    } else {
        &INJECTING
    };
    let mut documents = vec![SERVER.trim_end().to_owned()];
    for (files, action) in [(injecting, "Inject"), (&JUDGING, "Validate")] {
        let mut settings = settings.value().clone();
        if let Value::Object(map) = &mut settings {
            map.insert("action".to_owned(), json!(action));
        }
        let settings = indented(&settings)?;
        for file in files {
            let policy = file
                .split_once(SETTINGS)
                .map_or(*file, |(policy, _)| policy);
            documents.push(format!("{policy}{SETTINGS}{settings}"));
        }
    }
    Ok(documents.join("\n---\n") + "\n")
}

/// Settings as they stand in a policy's spec.
fn indented(settings: &Value) -> Result<String, Faults> {
    let text = yaml::document(settings).map_err(fault)?;
    let lines = text.trim_end().lines().filter(|line| *line != "---");
    let lines: Vec<String> = lines.map(|line| format!("    {line}")).collect();
    Ok(lines.join("\n"))
}
