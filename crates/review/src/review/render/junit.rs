//! JUnit's XML, which build servers read.

use super::{cluster, text};
use crate::cluster::ClusterReport;
use crate::cluster::report as found;
use crate::review::place::Place;
use crate::review::render::style::Look;
use crate::review::report::{Refusal, Remark, Report, SetReview};
use quick_junit::{NonSuccessKind, SerializeError, TestCase, TestCaseStatus, TestSuite};

/// What was asked of a cluster's replica.
const RUNS: &str = "runs as placed";

/// Writes a report; the last line has no end. A set is a suite: its admission, the pods of each replica that is shown,
/// and one case for all that are not. There are no times in it.
///
/// # Errors
/// XML cannot be written; none is known.
pub fn write(report: &Report) -> Result<String, SerializeError> {
    let mut all = quick_junit::Report::new("lws-placement review");
    all.add_test_suites(report.sets.iter().map(set));
    let pods: Vec<TestCase> = report
        .pods
        .iter()
        .map(|pod| {
            let title = format!("{}/{}", pod.namespace, pod.name);
            case("Pod", &title, refused(pod.refused.iter().collect()))
        })
        .collect();
    let warnings = report.pods.iter().flat_map(|pod| &pod.warnings);
    all.add_test_suites(suite("Pods", pods, warnings.map(String::as_str).collect()));
    if let Some(found) = &report.cluster {
        all.add_test_suites(found.sets.iter().map(|set| running(found, set)));
    }
    let problems: Vec<TestCase> = report.problems.iter().map(problem).collect();
    let notes: Vec<String> = report.notes.iter().map(Remark::to_string).collect();
    let notes = notes.iter().map(String::as_str).collect();
    all.add_test_suites(suite("Input", problems, notes));
    if let Some(strict) = report.strict {
        let told = text::strict(report).unwrap_or_default();
        let status = match strict.warnings {
            0 => TestCaseStatus::success(),
            _ => bad(NonSuccessKind::Failure, &told),
        };
        let case = case("strict", "no warnings", status);
        all.add_test_suites(suite("Strict", vec![case], Vec::new()));
    }
    // Characters that XML cannot hold, even escaped.
    let mut xml = all
        .to_string()?
        .replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    xml.truncate(xml.trim_end().len());
    Ok(xml)
}

/// A case that ended badly: the message is the first line of `text`, which stands in full below it.
#[must_use]
pub fn bad(kind: NonSuccessKind, text: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(text.lines().next().unwrap_or_default());
    status.set_description(text);
    status
}

fn set(set: &SetReview) -> TestSuite {
    let title = set.title();
    let admission = set.admission.refusal.iter().collect();
    let mut cases = vec![case(&title, "admission", refused(admission))];
    let mut told = vec![0_u64; set.refusals.len()];
    for replica in &set.shown {
        for members in &replica.members {
            let number = members.result.refusal;
            let index = number.map(|number| number.saturating_sub(1));
            let refusal = index.and_then(|index| set.refusals.get(index));
            if let Some(count) = index.and_then(|index| told.get_mut(index)) {
                *count = count.saturating_add(members.count);
            }
            let names = text::pods(members).replace('\n', " ");
            let name = format!("replica {}: {names}", replica.index);
            cases.push(case(&title, &name, refused(refusal.into_iter().collect())));
        }
    }
    if let Some(hidden) = text::hidden(set) {
        let rest = set.refusals.iter().zip(told);
        let rest = rest.filter(|(refusal, told)| refusal.count > *told);
        let rest = rest.map(|(refusal, _)| refusal).collect();
        cases.push(case(&title, &hidden, refused(rest)));
    }
    let sampled = text::sampled(set);
    let warnings = set.admission.warnings.iter().chain(&set.warnings);
    let lines = sampled.iter().chain(warnings).map(String::as_str).collect();
    let mut suite = TestSuite::new(title);
    fill(&mut suite, cases, lines);
    suite
}

/// A set as it runs. Its warnings are told beside its cases, since the review does not fail over them.
fn running(report: &ClusterReport, set: &found::SetReport) -> TestSuite {
    let title = set.title();
    let path = format!("{}/{}", set.namespace, set.name);
    let of_set = |finding: &&found::Finding| finding.set.as_deref() == Some(&path);
    let findings: Vec<&found::Finding> = report.findings.iter().filter(of_set).collect();
    let errors = |is_meant: &dyn Fn(Option<&str>) -> bool| {
        let errors = findings.iter().filter(|finding| {
            finding.severity == found::Severity::Error && is_meant(finding.replica.as_deref())
        });
        let lines: Vec<&str> = errors.map(|finding| finding.text.as_str()).collect();
        ended(&lines.join("\n"))
    };
    let mut cases: Vec<TestCase> = set
        .shown
        .iter()
        .map(|replica| {
            let leader = replica.leader.as_str();
            let status = errors(&|name| name == Some(leader));
            case(&title, &format!("replica {leader} {RUNS}"), status)
        })
        .collect();
    let is_rest = |name: Option<&str>| {
        let mut shown = set.shown.iter();
        !shown.any(|replica| name == Some(replica.leader.as_str()))
    };
    let hidden = cluster::hidden(set);
    let rest = hidden.as_deref().unwrap_or("pods of no replica");
    let status = errors(&is_rest);
    if hidden.is_some() || status != TestCaseStatus::success() {
        cases.push(case(&title, rest, status));
    }
    let warnings = findings
        .iter()
        .filter(|finding| finding.severity == found::Severity::Warning);
    let lines: Vec<String> = warnings.map(|finding| cluster::sentence(finding)).collect();
    let mut suite = TestSuite::new(title);
    fill(
        &mut suite,
        cases,
        lines.iter().map(String::as_str).collect(),
    );
    suite
}

fn problem(problem: &Remark) -> TestCase {
    let name = problem.place.as_ref().map(Place::line);
    let name = name.unwrap_or_else(|| "input".to_owned());
    let status = bad(NonSuccessKind::Error, &problem.to_string());
    case("Input", &name, status)
}

/// A suite; none where there is nothing in it.
fn suite(name: &str, cases: Vec<TestCase>, lines: Vec<&str>) -> Option<TestSuite> {
    if cases.is_empty() && lines.is_empty() {
        return None;
    }
    let mut suite = TestSuite::new(name);
    fill(&mut suite, cases, lines);
    Some(suite)
}

fn fill(suite: &mut TestSuite, cases: Vec<TestCase>, lines: Vec<&str>) {
    suite.add_test_cases(cases);
    if !lines.is_empty() {
        suite.set_system_out(lines.join("\n"));
    }
}

fn case(class: &str, name: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(class);
    case
}

fn refused(refusals: Vec<&Refusal>) -> TestCaseStatus {
    let mut lines = Vec::new();
    for refusal in refusals {
        lines.push(refusal.message.clone());
        if let Some(place) = &refusal.place {
            let field = refusal.field.as_ref();
            let field = field.map_or_else(String::new, |field| format!(", {field} of the pod"));
            lines.push(format!("at {place}{field}"));
            lines.extend(place.snippet(Look::default()));
        }
        lines.extend(refusal.also.iter().map(|place| format!("at {place}")));
    }
    ended(&lines.join("\n"))
}

/// Well where there is nothing to tell.
fn ended(text: &str) -> TestCaseStatus {
    if text.is_empty() {
        TestCaseStatus::success()
    } else {
        bad(NonSuccessKind::Failure, text)
    }
}
