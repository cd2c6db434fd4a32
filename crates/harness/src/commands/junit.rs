//! A test report in JUnit's XML, which build servers read.

use super::error::Error;
use super::test::Run;
use crate::review::render::junit::bad;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// The report.
///
/// # Errors
/// XML cannot be written; none is known.
pub(super) fn report(runs: &[Run]) -> Result<String, Error> {
    let took: Duration = runs.iter().map(|run| run.took).sum();
    let mut suite = TestSuite::new("lws-placement");
    suite.set_time(took);
    suite.add_test_cases(runs.iter().map(case));
    let mut report = Report::new("lws-placement test");
    report.set_time(took).add_test_suite(suite);
    let xml = report
        .to_string()
        .map_err(|error| Error::Output(std::io::Error::other(error)))?;
    Ok(xml.trim_end().to_owned())
}

fn case(run: &Run) -> TestCase {
    let status = if run.wrong.is_empty() {
        TestCaseStatus::success()
    } else {
        bad(NonSuccessKind::Failure, &run.wrong.join("\n"))
    };
    let mut case = TestCase::new(run.file.case.name.as_str(), status);
    case.set_classname(run.file.title()).set_time(run.took);
    case
}
