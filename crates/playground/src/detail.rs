//! What becomes of one pod or set: the very answer that a cluster would get.

use crate::address::{Address, Member};
use crate::answer::{Faults, fault};
use crate::ask::{Answered, Ask, pod};
use crate::texts;
use lws_review::review::render::yaml;
use lws_review::review::{lifted, request};
use serde::Serialize;
use serde_json::Value;
use similar::TextDiff;
use std::collections::BTreeMap;

/// Lines that stay around one that changes.
const AROUND: usize = 3;

/// What becomes of a pod or set.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Detail {
    /// Kind, namespace and name.
    pub title: String,
    /// Whether it may pass.
    pub allowed: bool,
    /// Whether this is the update that lifts the leader's gate, since it had no name when it was created (P7).
    pub lifted: bool,
    /// Why it may not pass.
    pub message: Option<String>,
    /// The message's code.
    pub code: Option<u16>,
    /// Warnings about it.
    pub warnings: Vec<String>,
    /// Entries for the audit log.
    pub audit: BTreeMap<String, String>,
    /// The patch, as JSON (RFC 6902).
    pub patch: Value,
    /// The change as lines of YAML, each with `-`, `+` or a space before it, pieces between `@@` lines; empty where
    /// nothing changes.
    pub change: String,
    /// The object as it becomes, as YAML; as it is where it is refused.
    pub yaml: String,
}

/// What becomes of the pod or set at an address in the manifests. Of a pod of a set, the set is admitted first, and the
/// pod is asked about as LeaderWorkerSet's own webhook leaves it.
///
/// # Errors
/// The settings are refused, the manifests have nothing at the address, or LWS could not expand the set.
pub fn detail(manifests: &str, settings: &str, address: &Address) -> Result<Detail, Faults> {
    let settings = texts::settings(settings, "settings")?;
    let ask = Ask(&settings);
    let stored = ask.creation(manifests, address)?;
    match address.pod {
        None => told(stored, false),
        Some(at) => member(&ask, &stored, at),
    }
}

fn member(ask: &Ask<'_>, stored: &Answered, at: Member) -> Result<Detail, Faults> {
    let set = stored.set()?;
    let namespace = request::namespace(&stored.before);
    let replica = set.replica(at.replica);
    let created = ask.about(&request::pod(namespace, &pod(&replica, at.member)))?;
    let update = (at.member == 0 && created.response.allowed)
        .then(|| lifted::update(namespace, &created.after, replica.leader_name()))
        .flatten();
    match update {
        Some(update) => told(ask.about(&update)?, true),
        None => told(created, false),
    }
}

fn told(answered: Answered, lifted: bool) -> Result<Detail, Faults> {
    let Answered {
        response,
        before,
        after,
    } = answered;
    let text = |pointer| before.pointer(pointer).and_then(Value::as_str);
    let title = format!(
        "{} {}/{}",
        text("/kind").unwrap_or("Pod"),
        request::namespace(&before),
        text("/metadata/name")
            .map(str::to_owned)
            .or_else(|| Some(format!("{}*", text("/metadata/generateName")?)))
            .unwrap_or_default()
    );
    let old = written(&before)?;
    let new = written(&after)?;
    Ok(Detail {
        title,
        allowed: response.allowed,
        lifted,
        message: response.message().map(str::to_owned),
        code: response.code(),
        warnings: response.warnings.clone().unwrap_or_default(),
        audit: response.audit_annotations.clone().unwrap_or_default(),
        patch: serde_json::to_value(response.patch()).map_err(fault)?,
        change: change(&old, &new),
        yaml: new,
    })
}

fn written(object: &Value) -> Result<String, Faults> {
    let text = yaml::document(object).map_err(fault)?;
    Ok(text.strip_prefix("---\n").unwrap_or(&text).to_owned())
}

fn change(old: &str, new: &str) -> String {
    TextDiff::from_lines(old, new)
        .unified_diff()
        .context_radius(AROUND)
        .to_string()
}
