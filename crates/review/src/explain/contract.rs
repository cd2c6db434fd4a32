//! The contract's rules and facts, as `docs/design.md` words them.

use serde::Serialize;
use std::fmt;
use std::sync::LazyLock;

/// The contract.
const TEXT: &str = include_str!("../../../../docs/design.md");

/// Its file, for readers.
pub const FILE: &str = "docs/design.md";

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| read(TEXT));

/// A rule or a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// `P11`
    pub id: String,
    /// The heading that it stands under.
    pub section: String,
    /// Its line in the contract, from 1.
    pub line: usize,
    /// What it says, in Markdown; lines as they stand there.
    pub text: String,
    /// Where a fact comes from: paths and symbols of public sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Other rules and facts that it names.
    pub names: Vec<String>,
}

/// An id that no rule has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    id: String,
    nearest: Option<String>,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is no rule of {FILE}; ", self.id)?;
        match &self.nearest {
            Some(nearest) => write!(f, "the nearest is {nearest}"),
            None => f.write_str(
                "ids are a letter and a number, such as P11; the letters are L, K, H, C, A, P, I, V, S and R",
            ),
        }
    }
}

impl std::error::Error for Unknown {}

/// All rules, in the contract's order.
#[must_use]
pub fn rules() -> &'static [Rule] {
    &RULES
}

/// The rule with this id, in upper or lower case.
///
/// # Errors
/// There is none; the error tells the nearest.
pub fn rule(id: &str) -> Result<&'static Rule, Unknown> {
    let wanted = id.trim().to_ascii_uppercase();
    let mut all = RULES.iter();
    all.find(|rule| rule.id == wanted).ok_or_else(|| Unknown {
        id: id.to_owned(),
        nearest: nearest(&wanted),
    })
}

/// The id of the same letter with the nearest number, or of another letter with this number.
fn nearest(wanted: &str) -> Option<String> {
    let (letter, number) = parts(wanted)?;
    let of = |rule: &Rule| parts(&rule.id);
    let same_letter = RULES.iter().filter_map(|rule| {
        let (known, index) = of(rule)?;
        (known == letter).then(|| (index.abs_diff(number), &rule.id))
    });
    let close = same_letter.min_by_key(|(distance, _)| *distance);
    let same_number = || {
        let rule = RULES
            .iter()
            .find(|rule| of(rule).is_some_and(|(_, index)| index == number));
        rule.map(|rule| &rule.id)
    };
    close.map(|(_, id)| id).or_else(same_number).cloned()
}

/// Letter and number of an id.
fn parts(id: &str) -> Option<(char, u32)> {
    let letter = id.chars().next().filter(char::is_ascii_uppercase)?;
    Some((letter, id.strip_prefix(letter)?.parse().ok()?))
}

/// Reads the list items that begin with a bold id.
fn read(text: &str) -> Vec<Rule> {
    let ids = ids(text);
    let mut rules: Vec<Rule> = Vec::new();
    let mut section = "";
    let mut is_open = false;
    for (index, line) in text.lines().enumerate() {
        if let Some(heading) = line.strip_prefix('#') {
            section = heading.trim_start_matches('#').trim();
            is_open = false;
        } else if let Some((id, rest)) = item(line).filter(|(id, _)| ids.iter().any(|i| i == id)) {
            rules.push(Rule {
                id: id.to_owned(),
                section: section.to_owned(),
                line: index + 1,
                text: rest.trim().to_owned(),
                source: None,
                names: Vec::new(),
            });
            is_open = true;
        } else if !line.starts_with("  ") {
            is_open = false;
        } else if let Some(rule) = rules.last_mut().filter(|_| is_open) {
            rule.text.push('\n');
            rule.text.push_str(line.trim());
        }
    }
    for rule in &mut rules {
        rule.names = named(&rule.text, &rule.id, &ids);
        if let Some((said, source)) = rule.text.split_once("Source:") {
            rule.source = Some(source.trim().to_owned());
            rule.text = said.trim().to_owned();
        }
    }
    rules
}

/// The id and the first line of a rule's list item.
fn item(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("- **")?.split_once("**")
}

/// The ids in a text, each once, in the order in which they are named.
fn named(text: &str, own: &str, ids: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
        let is_id = word != own && ids.iter().any(|id| id == word);
        if is_id && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

/// The rule ids that a contract defines: every list item that begins with a bold id, `- **P5** …`. Ids are a capital
/// letter and a number.
#[must_use]
pub fn ids(contract: &str) -> Vec<String> {
    contract
        .lines()
        .filter_map(|line| {
            let (id, _) = line.trim_start().strip_prefix("- **")?.split_once("**")?;
            let number = id.strip_prefix(|letter: char| letter.is_ascii_uppercase())?;
            let numbered = !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit());
            numbered.then(|| id.to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_rule_of_the_contract_can_be_told() {
        let ids = ids(TEXT);
        assert!(ids.len() > 60, "{ids:?}");
        for id in &ids {
            let found = rule(id).unwrap();
            assert!(!found.text.is_empty(), "{id}");
            assert!(!found.section.is_empty(), "{id}");
            let line = TEXT.lines().nth(found.line - 1).unwrap();
            assert!(line.starts_with(&format!("- **{id}**")), "{line}");
            assert!(!found.text.contains("Source:"), "{id}");
            assert!(!found.text.contains("- **"), "{id}");
        }
        assert_eq!(ids.len(), rules().len());
    }

    #[test]
    fn facts_have_a_source() {
        for rule in rules() {
            if rule.id.starts_with(['L', 'K', 'H']) {
                assert!(rule.source.is_some(), "{}", rule.id);
            }
        }
    }

    #[test]
    fn a_rule_names_what_it_rests_on() {
        assert_eq!(rule("p11").unwrap().names, ["K3"]);
        assert!(rule("P7").unwrap().names.contains(&"L4".to_owned()));
    }

    #[test]
    fn an_unknown_id_gets_the_nearest() {
        let told = |id: &str| rule(id).unwrap_err().to_string();
        let start = "is no rule of docs/design.md; the nearest is";
        assert_eq!(told("P13"), format!("\"P13\" {start} P12"));
        assert_eq!(told("k0"), format!("\"k0\" {start} K1"));
        assert_eq!(told("Z3"), format!("\"Z3\" {start} L3"));
        assert!(told("nodeSelector").contains("such as P11"));
    }
}
