//! PolicyReports (`wgpolicyk8s.io/v1alpha2`), as Kubewarden's audit scanner fills them.
//!
//! Source: kubewarden/audit-scanner `internal/report/report.go` (label, source, scored, severity, results), and the
//! resource's own definition in kubernetes-sigs/wg-policy-prototypes. The scanner writes a report for each object and
//! names it by the object's uid. Manifests have no uid, so here a report is about a namespace, its results name their
//! objects, and there is no timestamp: the same input gives the same bytes.

use super::entries::{self, Entry};
use super::{cluster, text, yaml};
use crate::cluster::report as found;
use crate::review::place::Place;
use crate::review::report::{Refusal, Report, SetReview};
use crate::severity::Severity;
use serde::Serialize;
use std::collections::BTreeMap;

/// The policy's name, also that of the reports.
const POLICY: &str = "lws-replica-placement";

/// As in the policy's metadata.
const CATEGORY: &str = "Resource validation";

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PolicyReport {
    api_version: &'static str,
    kind: &'static str,
    metadata: Metadata,
    summary: Summary,
    results: Vec<Outcome>,
}

#[derive(Debug, Serialize)]
struct Metadata {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    labels: BTreeMap<&'static str, &'static str>,
}

#[derive(Debug, Default, Serialize)]
struct Summary {
    pass: u64,
    fail: u64,
    warn: u64,
    error: u64,
    skip: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Pass,
    Fail,
    Warn,
    Error,
}

#[derive(Debug, Serialize)]
struct Outcome {
    source: &'static str,
    policy: &'static str,
    rule: &'static str,
    category: &'static str,
    severity: &'static str,
    result: Verdict,
    scored: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resources: Vec<Object>,
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    properties: BTreeMap<&'static str, String>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    api_version: &'static str,
    kind: &'static str,
    namespace: String,
    name: String,
}

/// The request that was judged, as policies' rules name it; a cluster's pods and nodes were looked at.
#[derive(Debug, Clone, Copy)]
enum Rule {
    Sets,
    Pods,
    Running,
    Input,
}

/// Writes a PolicyReport for each namespace, and for what could not be reviewed a ClusterPolicyReport, each as a YAML
/// document; the last line has no end. Notes are comments.
///
/// # Errors
/// A document cannot be written; none is known to be such.
pub fn write(report: &Report) -> Result<String, serde_saphyr::ser::Error> {
    let mut namespaces: BTreeMap<String, Vec<Outcome>> = BTreeMap::new();
    let mut add = |namespace: &str, outcome| {
        let outcomes = namespaces.entry(namespace.to_owned()).or_default();
        outcomes.push(outcome);
    };
    for set in &report.sets {
        of_set(set).for_each(|outcome| add(&set.namespace, outcome));
    }
    for pod in &report.pods {
        let object = Object::new("v1", "Pod", &pod.namespace, &pod.name);
        let judged = judged(Rule::Pods, &object, pod.refused.iter(), pod.place.as_ref());
        let warned = warned(&object, Rule::Pods, &pod.warnings, pod.place.as_ref());
        judged
            .into_iter()
            .chain(warned)
            .for_each(|outcome| add(&pod.namespace, outcome));
    }
    if let Some(found) = &report.cluster {
        for set in &found.sets {
            running(found, set).for_each(|outcome| add(&set.namespace, outcome));
        }
    }
    let remarks = report.problems.iter().chain(&report.notes);
    let problems = remarks.filter_map(|remark| {
        let result = match remark.severity {
            Severity::Error => Verdict::Error,
            Severity::Warning => Verdict::Warn,
            Severity::Note => return None,
        };
        let place = remark.place.as_ref();
        Some(Outcome::new(
            Rule::Input,
            result,
            Vec::new(),
            &remark.text,
            place,
        ))
    });
    let problems: Vec<Outcome> = problems.chain(unowned(report)).collect();
    let mut out = String::new();
    for entry in entries::all(report) {
        if entry.severity == Severity::Note {
            out.push_str(&note(&entry));
        }
    }
    for (namespace, outcomes) in namespaces {
        out.push_str(&yaml::document(&PolicyReport::new(
            Some(namespace),
            outcomes,
        ))?);
    }
    if !problems.is_empty() {
        out.push_str(&yaml::document(&PolicyReport::new(None, problems))?);
    }
    out.truncate(out.trim_end().len());
    Ok(out)
}

fn note(entry: &Entry<'_>) -> String {
    let place = entry
        .place
        .map_or_else(String::new, |place| format!(" {}", place.line()));
    yaml::comment(&format!("note{place}: {}", entry.text))
}

/// The set's own admission, and its pods: they are yet to be made, so the set stands for them.
fn of_set(set: &SetReview) -> impl Iterator<Item = Outcome> {
    let object = Object::set(&set.namespace, &set.name);
    let place = set.place.as_ref();
    let admission = judged(Rule::Sets, &object, set.admission.refusal.iter(), place);
    let pods = set.admission.allowed.then(|| {
        let mut outcomes = judged(Rule::Pods, &object, set.refusals.iter(), place);
        for (outcome, refusal) in outcomes.iter_mut().zip(&set.refusals) {
            outcome.message = format!("{} refused: {}", text::hit(refusal), refusal.message);
        }
        outcomes
    });
    let of_set = warned(&object, Rule::Sets, &set.admission.warnings, place);
    let of_pods = warned(&object, Rule::Pods, &set.warnings, place);
    admission
        .into_iter()
        .chain(pods.into_iter().flatten())
        .chain(of_set)
        .chain(of_pods)
}

/// A set as it runs: its findings, and that it is sound where there is no error.
fn running(report: &found::ClusterReport, set: &found::SetReport) -> impl Iterator<Item = Outcome> {
    let path = format!("{}/{}", set.namespace, set.name);
    let findings = report
        .findings
        .iter()
        .filter(|finding| finding.set.as_deref() == Some(&path));
    let outcomes: Vec<Outcome> = findings.map(|finding| of_finding(finding, set)).collect();
    let is_sound = outcomes.iter().all(|found| found.result != Verdict::Fail);
    let object = Object::set(&set.namespace, &set.name);
    let pass = is_sound.then(|| Outcome::new(Rule::Running, Verdict::Pass, vec![object], "", None));
    pass.into_iter().chain(outcomes)
}

fn of_finding(finding: &found::Finding, set: &found::SetReport) -> Outcome {
    let result = match finding.severity {
        Severity::Error => Verdict::Fail,
        Severity::Warning | Severity::Note => Verdict::Warn,
    };
    let pods = finding.pods.iter();
    let pods = pods.map(|name| Object::new("v1", "Pod", &set.namespace, name));
    let set = Object::set(&set.namespace, &set.name);
    let objects = match result {
        // Of these the pods are the members at fault; of others they are neighbours.
        Verdict::Fail => pods.chain([set]).collect(),
        _ => vec![set],
    };
    Outcome::new(
        Rule::Running,
        result,
        objects,
        &cluster::sentence(finding),
        None,
    )
}

/// Findings about several sets, which belong to no namespace.
fn unowned(report: &Report) -> impl Iterator<Item = Outcome> {
    let findings = report.cluster.iter().flat_map(|found| &found.findings);
    let unowned = findings.filter(|finding| finding.set.is_none());
    unowned.map(|finding| {
        let text = cluster::sentence(finding);
        Outcome::new(Rule::Running, Verdict::Warn, Vec::new(), &text, None)
    })
}

/// A failure for each refusal; without any a pass.
fn judged<'a>(
    rule: Rule,
    object: &Object,
    refusals: impl Iterator<Item = &'a Refusal>,
    place: Option<&Place>,
) -> Vec<Outcome> {
    let objects = || vec![object.clone()];
    let mut outcomes: Vec<Outcome> = refusals
        .map(|refusal| {
            let place = refusal.place.as_ref().or(place);
            Outcome::new(rule, Verdict::Fail, objects(), &refusal.message, place)
        })
        .collect();
    if outcomes.is_empty() {
        outcomes.push(Outcome::new(rule, Verdict::Pass, objects(), "", place));
    }
    outcomes
}

fn warned(object: &Object, rule: Rule, texts: &[String], place: Option<&Place>) -> Vec<Outcome> {
    let texts = texts.iter();
    let warned =
        texts.map(|text| Outcome::new(rule, Verdict::Warn, vec![object.clone()], text, place));
    warned.collect()
}

impl PolicyReport {
    fn new(namespace: Option<String>, results: Vec<Outcome>) -> Self {
        let count = |verdict| {
            let results = results.iter().filter(|outcome| outcome.result == verdict);
            u64::try_from(results.count()).unwrap_or(u64::MAX)
        };
        Self {
            api_version: "wgpolicyk8s.io/v1alpha2",
            kind: match namespace {
                Some(_) => "PolicyReport",
                None => "ClusterPolicyReport",
            },
            metadata: Metadata {
                name: POLICY,
                namespace,
                labels: BTreeMap::from([("app.kubernetes.io/managed-by", "kubewarden")]),
            },
            summary: Summary {
                pass: count(Verdict::Pass),
                fail: count(Verdict::Fail),
                warn: count(Verdict::Warn),
                error: count(Verdict::Error),
                skip: 0,
            },
            results,
        }
    }
}

impl Outcome {
    fn new(
        rule: Rule,
        result: Verdict,
        resources: Vec<Object>,
        message: &str,
        place: Option<&Place>,
    ) -> Self {
        let properties = place.into_iter().flat_map(|place| {
            [
                ("file", place.file.clone()),
                ("line", place.line.to_string()),
                ("column", place.column.to_string()),
            ]
        });
        Self {
            source: "kubewarden",
            policy: POLICY,
            rule: match rule {
                Rule::Sets => "leaderworkersets",
                Rule::Pods => "pods",
                Rule::Running => "cluster",
                Rule::Input => "input",
            },
            category: CATEGORY,
            severity: "medium",
            result,
            scored: true,
            resources,
            message: message.to_owned(),
            properties: properties.collect(),
        }
    }
}

impl Object {
    fn new(api_version: &'static str, kind: &'static str, namespace: &str, name: &str) -> Self {
        Self {
            api_version,
            kind,
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        }
    }

    fn set(namespace: &str, name: &str) -> Self {
        let kind = "LeaderWorkerSet";
        Self::new("leaderworkerset.x-k8s.io/v1", kind, namespace, name)
    }
}
