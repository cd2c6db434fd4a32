//! What Kubewarden or Kubernetes would refuse in metadata that can be read.

use super::{KWCTL, Metadata, Operation, Rule};
use crate::problem::{Problem, escape};

/// Kubewarden's protocol has one version.
const PROTOCOL: &str = "v1";

/// Every fault, in the order of the fields.
pub(super) fn faults(metadata: &Metadata) -> Vec<Problem> {
    let mut faults = Vec::new();
    if let Some(version) = metadata.protocol_version.as_deref()
        && version != PROTOCOL
    {
        faults.push(Problem::new(
            "/protocolVersion",
            format!("is \"{version}\""),
            "leave it out, or give \"v1\"",
        ));
    }
    if metadata.rules.is_empty() {
        faults.push(Problem::new(
            "/rules",
            "is empty, so the policy would see no request".to_owned(),
            "name the resources it is for",
        ));
    }
    for (index, rule) in metadata.rules.iter().enumerate() {
        rule_faults(&format!("/rules/{index}"), rule, &mut faults);
    }
    for (key, value) in &metadata.annotations {
        annotation_faults(key, value, &mut faults);
    }
    faults
}

fn annotation_faults(key: &str, value: &str, faults: &mut Vec<Problem>) {
    let field = format!("/annotations/{}", escape(key));
    if key == KWCTL {
        faults.push(Problem::new(
            &field,
            "is what kwctl writes of itself".to_owned(),
            "leave it out",
        ));
    } else if value.trim().is_empty() {
        faults.push(Problem::new(
            &field,
            "is empty".to_owned(),
            "give it a text or leave it out",
        ));
    }
}

/// A webhook rule's lists: none empty, and `*` alone where it stands.
fn rule_faults(at: &str, rule: &Rule, faults: &mut Vec<Problem>) {
    let texts = [
        ("apiGroups", &rule.api_groups),
        ("apiVersions", &rule.api_versions),
        ("resources", &rule.resources),
    ];
    for (name, list) in texts {
        let all = list.iter().any(|entry| entry == "*");
        list_faults(&format!("{at}/{name}"), list.len(), all, faults);
    }
    let all = rule.operations.contains(&Operation::All);
    list_faults(
        &format!("{at}/operations"),
        rule.operations.len(),
        all,
        faults,
    );
    for (index, resource) in rule.resources.iter().enumerate() {
        if resource.is_empty() || resource.chars().any(char::is_uppercase) {
            faults.push(Problem::new(
                &format!("{at}/resources/{index}"),
                format!("is \"{resource}\""),
                "give a resource's plural in lower case, \"pods\" for one",
            ));
        }
    }
}

fn list_faults(field: &str, length: usize, all: bool, faults: &mut Vec<Problem>) {
    if length == 0 {
        faults.push(Problem::new(
            field,
            "is empty, so the rule matches nothing".to_owned(),
            "name at least one",
        ));
    }
    if all && length > 1 {
        faults.push(Problem::new(
            field,
            "has more beside \"*\"".to_owned(),
            "leave \"*\" alone, or name each",
        ));
    }
}
