//! Every rule of settings, pods, injection, validation and answers has a case on each side, and cases name no other.
#![allow(clippy::unwrap_used, clippy::panic)]

use lws_placement::case::coverage::{gaps, ids};
use lws_placement::case::{CaseFile, find};
use std::path::Path;

/// The groups that are built.
const GROUPS: [char; 7] = ['C', 'A', 'P', 'I', 'V', 'S', 'R'];

#[test]
fn every_rule_has_a_case_on_each_side() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let contract = std::fs::read_to_string(root.join("docs/design.md")).unwrap();
    let rules = ids(&contract);
    for group in GROUPS {
        let found = rules.iter().any(|rule| rule.starts_with(group));
        assert!(found, "docs/design.md lists no rule of group {group}");
    }
    let cases: Vec<CaseFile> = find(&root.join("e2e-tests/cases"))
        .unwrap()
        .iter()
        .map(|path| CaseFile::read(path).unwrap_or_else(|error| panic!("{error}")))
        .collect();
    let gaps = gaps(&rules, &GROUPS, &cases);
    assert!(gaps.is_empty(), "\n{}", gaps.join("\n"));
}
