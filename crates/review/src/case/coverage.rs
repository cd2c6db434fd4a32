//! Which rules of the contract no case holds.

use super::CaseFile;
pub use crate::explain::contract::ids;
use std::collections::BTreeSet;

/// What is amiss between a contract's `rules` and `cases`, a line each: a rule of one of the `groups` that no case
/// shows on one of its sides, and a rule that a case names but the contract does not have.
#[must_use]
pub fn gaps(rules: &[String], groups: &[char], cases: &[CaseFile]) -> Vec<String> {
    let named = |pick: fn(&CaseFile) -> &Vec<String>| -> BTreeSet<&str> {
        cases.iter().flat_map(pick).map(String::as_str).collect()
    };
    let applies = named(|file| &file.case.rules.applies);
    let does_not = named(|file| &file.case.rules.does_not_apply);
    let mut gaps = Vec::new();
    for rule in rules.iter().filter(|rule| rule.starts_with(groups)) {
        if !applies.contains(rule.as_str()) {
            gaps.push(format!("no case in which {rule} applies"));
        }
        if !does_not.contains(rule.as_str()) {
            gaps.push(format!("no case in which {rule} does not apply"));
        }
    }
    for file in cases {
        let case = &file.case.rules;
        for rule in case.applies.iter().chain(&case.does_not_apply) {
            if !rules.contains(rule) {
                gaps.push(format!(
                    "{}: {rule} is no rule of the contract",
                    file.title()
                ));
            }
        }
    }
    gaps
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::case::Case;
    use serde_json::json;

    fn case(applies: &[&str], does_not_apply: &[&str]) -> CaseFile {
        CaseFile {
            path: "some/p5.yaml".into(),
            case: Case::from_value(&json!({
                "name": "a case",
                "rules": {"applies": applies, "doesNotApply": does_not_apply},
                "request": {},
                "expect": {"allowed": true},
            }))
            .unwrap(),
        }
    }

    #[test]
    fn ids_are_read_from_list_items_alone() {
        let text = "# P1\n- **P5** a\n  - **C12** b\n**P6** no item\n- **Note** no id\n- **P** no number\n- P7 not bold\n";
        assert_eq!(ids(text), ["P5", "C12"]);
    }

    #[test]
    fn both_sides_and_strangers_are_told() {
        let rules = ["P5".to_owned(), "P6".to_owned(), "S1".to_owned()];
        let cases = [case(&["P5", "P6"], &["P5"]), case(&["Q1"], &[])];
        assert_eq!(
            gaps(&rules, &['P'], &cases),
            [
                "no case in which P6 does not apply",
                "p5: Q1 is no rule of the contract"
            ]
        );
        assert!(gaps(&rules, &['P'], &[case(&["P5", "P6"], &["P5", "P6", "S1"])]).is_empty());
    }
}
