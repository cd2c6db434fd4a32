//! Whether required node affinity leaves room for the replica's nodes (I2, K4).

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::json::{self, Fault, Problem, Raw};

const TERMS: &str =
    "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

/// The way to the terms: what is a map, and its member on the way.
const LEVELS: [(&str, &str); 3] = [
    ("spec.affinity", "nodeAffinity"),
    (
        "spec.affinity.nodeAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
    ),
    (
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
        "nodeSelectorTerms",
    ),
];

/// Required node affinity, as far as it speaks of the replica's keys. It is read once and held against one replica
/// after the other.
///
/// Our keys are judged all together in each term; other keys and fields are taken as satisfiable.
/// Null and absent at any level is no requirement.
pub struct Required<'a> {
    /// The terms that can match a node at all; `None` where nothing is required.
    terms: Option<Vec<Term<'a>>>,
}

/// What a term asks of our keys.
type Term<'a> = Vec<Expression<'a>>;

struct Expression<'a> {
    key: Cow<'a, str>,
    operator: Cow<'a, str>,
    values: Vec<Cow<'a, str>>,
}

impl<'a> Required<'a> {
    /// Reads a pod's affinity, keeping what it says of `keys`.
    ///
    /// # Errors
    /// A wrong JSON type, named by its path.
    pub fn read(affinity: Option<Raw<'a>>, keys: &[&str]) -> Result<Self, Fault> {
        let mut level = affinity;
        for (path, name) in LEVELS {
            let Some(raw) = json::present(level) else {
                return Ok(Self { terms: None });
            };
            [level] = json::members(raw, &[name]).map_err(|problem| problem.at(path))?;
        }
        let mut terms = Vec::new();
        let listed = json::optional_elements(level).map_err(|problem| problem.at(TERMS))?;
        for (index, raw) in listed.enumerate() {
            // Every term is read, whatever the others say, so that a wrong type is told wherever it is. Terms are ORed:
            // one that asks nothing of our keys admits every node.
            term(raw, keys, &mut terms)
                .map_err(|(problem, below)| problem.at_element(TERMS, index, below))?;
        }
        Ok(Self { terms: Some(terms) })
    }

    /// Whether some node that carries these labels could satisfy it.
    #[must_use]
    pub fn admits(&self, labels: &[(&str, &str)]) -> bool {
        self.terms.as_ref().is_none_or(|terms| {
            terms
                .iter()
                .any(|term| term.iter().all(|expression| expression.admits(labels)))
        })
    }
}

/// Reads a term and keeps it, unless it is empty and so matches no node (K4). A problem comes with its place below the
/// term.
fn term<'a>(
    raw: Raw<'a>,
    keys: &[&str],
    terms: &mut Vec<Term<'a>>,
) -> Result<(), (Box<Problem>, &'static str)> {
    const EXPRESSIONS: &str = ".matchExpressions";
    let Some(raw) = json::present(Some(raw)) else {
        return Ok(());
    };
    let [expressions, fields] =
        json::members(raw, &["matchExpressions", "matchFields"]).map_err(|p| (p, ""))?;
    let expressions = json::optional_elements(expressions).map_err(|p| (p, EXPRESSIONS))?;
    if expressions.is_empty() {
        let fields = json::optional_elements(fields).map_err(|p| (p, ".matchFields"))?;
        if fields.is_empty() {
            return Ok(());
        }
    }
    let mut term = Vec::new();
    for raw in expressions {
        expression(raw, keys, &mut term).map_err(|p| (p, EXPRESSIONS))?;
    }
    terms.push(term);
    Ok(())
}

/// Reads an expression and keeps it where it is about one of our keys.
fn expression<'a>(raw: Raw<'a>, keys: &[&str], term: &mut Term<'a>) -> Result<(), Box<Problem>> {
    let [key, operator, values] = json::members(raw, &["key", "operator", "values"])?;
    let (Some(key), Some(operator)) = (json::present(key), json::present(operator)) else {
        return Ok(());
    };
    let mut expression = Expression {
        key: json::string(key)?,
        operator: json::string(operator)?,
        values: Vec::new(),
    };
    for value in json::optional_elements(values)? {
        expression.values.push(json::string(value)?);
    }
    if keys.contains(&&*expression.key) {
        term.push(expression);
    }
    Ok(())
}

impl Expression<'_> {
    fn admits(&self, labels: &[(&str, &str)]) -> bool {
        let Some((_, label)) = labels.iter().find(|(known, _)| *known == self.key) else {
            return true;
        };
        let is_listed = self.values.iter().any(|value| value == label);
        match &*self.operator {
            "In" => is_listed,
            "NotIn" => !is_listed,
            "DoesNotExist" => false,
            "Gt" => self.compared(label) == Some(Ordering::Greater),
            "Lt" => self.compared(label) == Some(Ordering::Less),
            // Exists holds; an operator of a later Kubernetes is not ours to judge.
            _ => true,
        }
    }

    /// How a label compares with the only value, if both are numbers.
    fn compared(&self, label: &str) -> Option<Ordering> {
        let [bound] = self.values.as_slice() else {
            return None;
        };
        let (label, bound): (i64, i64) = (label.parse().ok()?, bound.parse().ok()?);
        Some(label.cmp(&bound))
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )]
    use super::*;

    fn judged(affinity: &str) -> Result<bool, String> {
        let raw = json::document(affinity).unwrap();
        Required::read(Some(raw), &["a", "n"])
            .map(|required| required.admits(&[("a", "fruit-0"), ("n", "5")]))
            .map_err(|fault| fault.to_string())
    }

    fn terms(terms: &str) -> Result<bool, String> {
        judged(&format!(
            r#"{{"nodeAffinity":{{"requiredDuringSchedulingIgnoredDuringExecution":{{"nodeSelectorTerms":{terms}}}}}}}"#
        ))
    }

    fn expressions(expressions: &str) -> bool {
        terms(&format!(r#"[{{"matchExpressions":{expressions}}}]"#)).unwrap()
    }

    #[test]
    fn i2_operators() {
        for (expression, admitted) in [
            (
                r#"{"key":"a","operator":"In","values":["x","fruit-0"]}"#,
                true,
            ),
            (r#"{"key":"a","operator":"In","values":["x"]}"#, false),
            (r#"{"key":"a","operator":"In","values":[]}"#, false),
            (r#"{"key":"a","operator":"In"}"#, false),
            (r#"{"key":"a","operator":"NotIn","values":["x"]}"#, true),
            (
                r#"{"key":"a","operator":"NotIn","values":["x","fruit-0"]}"#,
                false,
            ),
            (r#"{"key":"a","operator":"Exists"}"#, true),
            (r#"{"key":"a","operator":"DoesNotExist"}"#, false),
            (r#"{"key":"n","operator":"Gt","values":["4"]}"#, true),
            (r#"{"key":"n","operator":"Gt","values":["5"]}"#, false),
            (r#"{"key":"n","operator":"Lt","values":["6"]}"#, true),
            (r#"{"key":"n","operator":"Lt","values":["5"]}"#, false),
            (r#"{"key":"n","operator":"Lt","values":["6","7"]}"#, false),
            (r#"{"key":"n","operator":"Lt","values":["x"]}"#, false),
            (r#"{"key":"a","operator":"Gt","values":["1"]}"#, false),
            (r#"{"key":"a","operator":"Newer","values":["1"]}"#, true),
            (r#"{"key":"other","operator":"In","values":["x"]}"#, true),
            (r#"{"key":"other","operator":"DoesNotExist"}"#, true),
        ] {
            assert_eq!(
                expressions(&format!("[{expression}]")),
                admitted,
                "{expression}"
            );
        }
    }

    #[test]
    fn k4_terms() {
        const IN: &str = r#"{"key":"a","operator":"In","values":["fruit-0"]}"#;
        const OUT: &str = r#"{"key":"n","operator":"DoesNotExist"}"#;
        assert!(
            !expressions(&format!("[{IN},{OUT}]")),
            "expressions are ANDed"
        );
        for (list, admitted) in [
            ("[]".to_owned(), false),
            ("null".to_owned(), false),
            ("[{}]".to_owned(), false),
            ("[null]".to_owned(), false),
            (
                r#"[{"matchExpressions":[],"matchFields":[]}]"#.to_owned(),
                false,
            ),
            (
                r#"[{"matchFields":[{"key":"metadata.name"}]}]"#.to_owned(),
                true,
            ),
            (
                format!(r#"[{{"matchExpressions":[{OUT}]}},{{"matchExpressions":[{IN}]}}]"#),
                true,
            ),
            (format!(r#"[{{"matchExpressions":[{OUT}]}},{{}}]"#), false),
        ] {
            assert_eq!(terms(&list), Ok(admitted), "{list}");
        }
    }

    #[test]
    fn nothing_is_required() {
        let nothing = Required::read(None, &["a"]).unwrap();
        assert!(nothing.admits(&[("a", "b")]));
        for affinity in [
            "null",
            "{}",
            r#"{"nodeAffinity":null}"#,
            r#"{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":null}}"#,
            r#"{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[]}}"#,
            r#"{"podAffinity":{}}"#,
        ] {
            assert_eq!(judged(affinity), Ok(true), "{affinity}");
        }
    }

    #[test]
    fn wrong_types_are_told_by_their_place() {
        const REQUIRED: &str =
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";
        for (affinity, text) in [
            (
                "[]",
                "spec.affinity: found a list where a map is due; make it a map".to_owned(),
            ),
            (
                r#"{"nodeAffinity":1}"#,
                "spec.affinity.nodeAffinity: found a number where a map is due; make it a map"
                    .to_owned(),
            ),
            (
                r#"{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":"x"}}"#,
                format!("{REQUIRED}: found a string where a map is due; make it a map"),
            ),
        ] {
            let found = judged(affinity).unwrap_err();
            // The place of a map that is none is the one that holds it or its own.
            assert_eq!(found, text);
        }
        for (list, text) in [
            (
                "{}",
                ".nodeSelectorTerms: found a map where a list is due; make it a list",
            ),
            (
                "[1]",
                ".nodeSelectorTerms[0]: found a number where a map is due; make it a map",
            ),
            (
                r#"[{"matchExpressions":{}}]"#,
                ".nodeSelectorTerms[0].matchExpressions: found a map where a list is due; make it a list",
            ),
            (
                r#"[{},{"matchExpressions":[{"key":1,"operator":"In"}]}]"#,
                ".nodeSelectorTerms[1].matchExpressions: found a number where a string is due; make it a string",
            ),
            (
                r#"[{"matchExpressions":[{"key":"a","operator":"In","values":[1]}]}]"#,
                ".nodeSelectorTerms[0].matchExpressions: found a number where a string is due; make it a string",
            ),
        ] {
            assert_eq!(
                terms(list).unwrap_err(),
                format!("{REQUIRED}{text}"),
                "{list}"
            );
        }
    }
}
