//! Every case of the contract through the policy's own code: what `lws-placement test` asks the module, asked without one.
#![allow(clippy::unwrap_used, clippy::panic)]

use lws_review::case::check::check;
use lws_review::case::{CaseFile, find};
use lws_review::evaluator::Native;
use std::path::Path;

#[test]
fn every_case_gets_its_answer_from_the_library() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../e2e-tests/cases");
    let files = find(&cases).unwrap();
    assert!(files.len() > 500, "{} files", files.len());
    let mut wrong = Vec::new();
    for path in files {
        let file = CaseFile::read(&path).unwrap_or_else(|error| panic!("{error}"));
        for what in check(&Native, &file.case) {
            wrong.push(format!("{}: {what}", file.title()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
