//! Which requests a webhook's rules take, as the API server decides it.

use super::target::Target;
use crate::operation::Operation;
use crate::problem::Problem;
use serde::Deserialize;

/// A rule of a policy: every combination of its lists.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rule {
    #[serde(default)]
    api_groups: Vec<String>,
    #[serde(default)]
    api_versions: Vec<String>,
    #[serde(default)]
    resources: Vec<String>,
    #[serde(default)]
    operations: Vec<Operation>,
    #[serde(default)]
    scope: Option<Scope>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
enum Scope {
    Namespaced,
    Cluster,
    #[serde(rename = "*")]
    All,
}

impl Rule {
    /// What Kubewarden or the API server would refuse in the rule at `field`.
    pub(super) fn fault(&self, field: &str) -> Option<Problem> {
        let lists = [
            ("apiGroups", self.api_groups.len()),
            ("apiVersions", self.api_versions.len()),
            ("resources", self.resources.len()),
            ("operations", self.operations.len()),
        ];
        let (empty, _) = lists.into_iter().find(|(_, length)| *length == 0)?;
        Some(Problem::new(
            &format!("{field}/{empty}"),
            "is missing or empty".to_owned(),
            "name at least one",
        ))
    }

    /// Whether it takes a request. Both resources of this policy are namespaced.
    #[must_use]
    pub fn takes(&self, target: &Target<'_>) -> bool {
        let among = |list: &[String], wanted: &str| {
            list.iter().any(|entry| entry == "*" || entry == wanted)
        };
        self.scope != Some(Scope::Cluster)
            && among(&self.api_groups, target.group)
            && among(&self.api_versions, target.version)
            && self.resources.iter().any(|entry| is_of(entry, target))
            && self
                .operations
                .iter()
                .any(|entry| is(*entry, target.operation))
    }
}

/// `pods`, `pods/status`, `pods/*`, `*`, `*/status`, `*/*`. A star after the slash stands for no subresource too.
fn is_of(entry: &str, target: &Target<'_>) -> bool {
    let (resource, subresource) = entry.split_once('/').unwrap_or((entry, ""));
    (resource == "*" || resource == target.resource)
        && (subresource == "*" || subresource == target.subresource)
}

fn is(entry: Operation, operation: &str) -> bool {
    match entry {
        Operation::All => true,
        Operation::Create => operation == "CREATE",
        Operation::Update => operation == "UPDATE",
        Operation::Delete => operation == "DELETE",
        Operation::Connect => operation == "CONNECT",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::problem;
    use serde_json::{Value, json};

    fn rule(groups: &[&str], versions: &[&str], resources: &[&str], operations: &[&str]) -> Value {
        json!({"apiGroups": groups, "apiVersions": versions, "resources": resources, "operations": operations})
    }

    fn target(resource: &'static str) -> Target<'static> {
        let (resource, subresource) = resource.split_once('/').unwrap_or((resource, ""));
        let group = match resource {
            "leaderworkersets" => "leaderworkerset.x-k8s.io",
            _ => "",
        };
        Target {
            group,
            resource,
            subresource,
            ..Target::pod_created("red")
        }
    }

    #[test]
    fn what_a_rule_takes() {
        let (core, v1, create) = (&[""][..], &["v1"][..], &["CREATE"][..]);
        // The rule, and whether it takes: pods, pods/status, leaderworkersets.
        let table = [
            (rule(core, v1, &["pods"], create), [true, false, false]),
            (
                rule(core, v1, &["pods/status"], create),
                [false, true, false],
            ),
            (rule(core, v1, &["pods/*"], create), [true, true, false]),
            (rule(core, v1, &["*"], create), [true, false, false]),
            (rule(core, v1, &["*/status"], create), [false, true, false]),
            (rule(core, v1, &["*/*"], create), [true, true, false]),
            (rule(&["*"], &["*"], &["*/*"], &["*"]), [true, true, true]),
            (
                rule(&["*"], v1, &["pods", "leaderworkersets"], create),
                [true, false, true],
            ),
            (
                rule(&["leaderworkerset.x-k8s.io"], v1, &["*"], create),
                [false, false, true],
            ),
            (
                rule(&["apps"], v1, &["pods"], create),
                [false, false, false],
            ),
            (
                rule(core, &["v2"], &["pods"], create),
                [false, false, false],
            ),
            (
                rule(core, v1, &["pods"], &["UPDATE", "DELETE"]),
                [false, false, false],
            ),
            (
                rule(core, v1, &["pods"], &["UPDATE", "CREATE"]),
                [true, false, false],
            ),
            (rule(core, v1, &["pod"], create), [false, false, false]),
        ];
        let targets = ["pods", "pods/status", "leaderworkersets"].map(target);
        for (written, expected) in table {
            let rule: Rule = problem::read(&written).unwrap();
            assert_eq!(rule.fault("/spec/rules/0"), None);
            let found = targets.each_ref().map(|target| rule.takes(target));
            assert_eq!(found, expected, "{written}");
        }
    }

    #[test]
    fn a_rule_for_what_has_no_namespace_takes_no_pod() {
        let mut written = rule(&[""], &["v1"], &["pods"], &["CREATE"]);
        for (scope, expected) in [("Cluster", false), ("Namespaced", true), ("*", true)] {
            written
                .as_object_mut()
                .unwrap()
                .insert("scope".to_owned(), json!(scope));
            let rule: Rule = problem::read(&written).unwrap();
            assert_eq!(rule.takes(&target("pods")), expected, "{scope}");
        }
    }

    #[test]
    fn an_empty_list_is_a_fault() {
        let rule: Rule = problem::read(&rule(&[""], &["v1"], &["pods"], &[])).unwrap();
        assert_eq!(
            rule.fault("/spec/rules/1").unwrap().to_string(),
            "field \"/spec/rules/1/operations\" is missing or empty; name at least one"
        );
    }
}
