//! Running a case and comparing.

use super::expect::{Expect, Text};
use super::untouched::touched;
use super::{Case, Subject};
use crate::answer::{AdmissionResponse, judge};
use crate::evaluator::{Evaluator, Fault};
use crate::request::Request;
use serde_json::{Value, json};

/// Asks `policy` what `case` asks and gives what is not as expected, an entry each; none where all is.
///
/// Of a request that is allowed more is asked than the case says: the patched object sent again must be allowed without
/// another patch (I7), and nothing may have changed but what the policy may change (I5, S9).
#[must_use]
pub fn check(policy: &dyn Evaluator, case: &Case) -> Vec<String> {
    let subject = match case.subject() {
        Ok(subject) => subject,
        Err(problem) => return vec![problem.to_string()],
    };
    let outcome = match subject {
        Subject::Settings => check_settings(policy, case),
        Subject::Request(request) => check_request(policy, case, &request),
    };
    outcome.unwrap_or_else(|fault| vec![fault.to_string()])
}

fn check_settings(policy: &dyn Evaluator, case: &Case) -> Result<Vec<String>, Fault> {
    let answer = policy.validate_settings(&case.settings)?;
    let mut wrong = Vec::new();
    same(
        "valid",
        case.expect.valid.unwrap_or_default(),
        answer.valid,
        &mut wrong,
    );
    text(
        "message",
        case.expect.message.as_ref(),
        answer.message.as_deref(),
        &mut wrong,
    );
    Ok(wrong)
}

fn check_request(
    policy: &dyn Evaluator,
    case: &Case,
    request: &Request,
) -> Result<Vec<String>, Fault> {
    let response = judge(policy, &case.settings, request)?;
    let mut wrong = compare(&case.expect, &response);
    let (true, Some(object)) = (response.allowed, request.object()) else {
        return Ok(wrong);
    };
    let patched = match response.apply(object) {
        Ok(patched) => patched,
        Err(error) => {
            wrong.push(format!("the patch does not fit the object: {error}"));
            return Ok(wrong);
        }
    };
    for path in touched(object, &patched) {
        wrong.push(format!(
            "the patch touches {path}, which is not the policy's to change"
        ));
    }
    let again = judge(policy, &case.settings, &request.with_object(patched))?;
    if !again.allowed {
        let message = again.message().unwrap_or("no reason given");
        wrong.push(format!(
            "the patched object is refused when it is sent again: {message}"
        ));
    }
    if !again.patch().is_empty() {
        let patch = json!(again.patch());
        wrong.push(format!(
            "the patched object is patched again when it is sent again: {patch}"
        ));
    }
    Ok(wrong)
}

/// What of `response` is not as `expect` says.
fn compare(expect: &Expect, response: &AdmissionResponse) -> Vec<String> {
    let mut wrong = Vec::new();
    same(
        "allowed",
        expect.allowed.unwrap_or_default(),
        response.allowed,
        &mut wrong,
    );
    text(
        "message",
        expect.message.as_ref(),
        response.message(),
        &mut wrong,
    );
    if expect.code != response.code() {
        let shown =
            |code: Option<u16>| code.map_or_else(|| "(none)".to_owned(), |code| code.to_string());
        wrong.push(format!(
            "code\n- {}\n+ {}",
            shown(expect.code),
            shown(response.code())
        ));
    }
    warnings(
        expect.warnings.as_deref().unwrap_or_default(),
        response.warnings.as_deref().unwrap_or_default(),
        &mut wrong,
    );
    let patch = json!(expect.patch.as_deref().unwrap_or_default());
    tree("patch", &patch, &json!(response.patch()), &mut wrong);
    let none = std::collections::BTreeMap::new();
    tree(
        "auditAnnotations",
        &json!(expect.audit_annotations.as_ref().unwrap_or(&none)),
        &json!(response.audit_annotations.as_ref().unwrap_or(&none)),
        &mut wrong,
    );
    wrong
}

fn same(field: &str, expected: bool, got: bool, wrong: &mut Vec<String>) {
    if expected != got {
        wrong.push(format!("{field}\n- {expected}\n+ {got}"));
    }
}

fn text(field: &str, expected: Option<&Text>, got: Option<&str>, wrong: &mut Vec<String>) {
    let fits = match (expected, got) {
        (None, None) => true,
        (Some(expected), Some(got)) => expected.fits(got),
        _ => false,
    };
    if !fits {
        let expected = expected.map_or_else(|| "(none)".to_owned(), Text::to_string);
        wrong.push(format!(
            "{field}\n- {expected}\n+ {}",
            got.unwrap_or("(none)")
        ));
    }
}

fn warnings(expected: &[Text], got: &[String], wrong: &mut Vec<String>) {
    for index in 0..expected.len().max(got.len()) {
        text(
            &format!("warnings[{index}]"),
            expected.get(index),
            got.get(index).map(String::as_str),
            wrong,
        );
    }
}

/// Compares values and shows them line by line.
fn tree(field: &str, expected: &Value, got: &Value, wrong: &mut Vec<String>) {
    if expected == got {
        return;
    }
    let (expected, got) = (format!("{expected:#}\n"), format!("{got:#}\n"));
    let diff = similar::TextDiff::from_lines(&expected, &got);
    let lines: String = diff
        .iter_all_changes()
        .map(|change| format!("{} {}", change.tag(), change.value()))
        .collect();
    wrong.push(format!("{field}\n{}", lines.trim_end()));
}
