//! Whether required node affinity leaves room for the replica's nodes (I2, K4).

use serde_json::value::RawValue;

use crate::json::{self, Fault, Kind, Problem};

const PATH: &str = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";

/// Whether some node that carries these labels could satisfy the pod's required node affinity.
///
/// Our keys are judged all together in each term; other keys and fields are taken as satisfiable.
/// Null and absent at any level is no requirement.
///
/// # Errors
/// A wrong JSON type, named by its path.
pub fn admits(affinity: Option<&RawValue>, labels: &[(&str, &str)]) -> Result<bool, Fault> {
    let Some(required) = required(affinity)? else {
        return Ok(true);
    };
    let [terms] = json::members(required, &["nodeSelectorTerms"]).map_err(|p| p.at(PATH))?;
    let Some(terms) = json::present(terms) else {
        return Ok(false);
    };
    let terms = json::elements(terms).map_err(|p| p.at(format!("{PATH}.nodeSelectorTerms")))?;
    let mut admitted = false;
    for (index, term) in terms.into_iter().enumerate() {
        // Every term is read, admitted or not, so that a wrong type is told wherever it is.
        admitted |= term_admits(index, term, labels)?;
    }
    Ok(admitted)
}

fn required(affinity: Option<&RawValue>) -> Result<Option<&RawValue>, Fault> {
    let Some(affinity) = json::present(affinity) else {
        return Ok(None);
    };
    let [node] = json::members(affinity, &["nodeAffinity"]).map_err(|p| p.at("spec.affinity"))?;
    let Some(node) = json::present(node) else {
        return Ok(None);
    };
    let [required] = json::members(node, &["requiredDuringSchedulingIgnoredDuringExecution"])
        .map_err(|p| p.at("spec.affinity.nodeAffinity"))?;
    Ok(json::present(required))
}

fn term_admits(index: usize, term: &RawValue, labels: &[(&str, &str)]) -> Result<bool, Fault> {
    let at = |problem: Problem, below: &str| {
        problem.at(format!("{PATH}.nodeSelectorTerms[{index}]{below}"))
    };
    if Kind::of(term) == Kind::Null {
        return Ok(false);
    }
    let [expressions, fields] =
        json::members(term, &["matchExpressions", "matchFields"]).map_err(|p| at(p, ""))?;
    let list = |raw, name: &str| match json::present(raw) {
        Some(raw) => json::elements(raw).map_err(|p| at(p, name)),
        None => Ok(Vec::new()),
    };
    let expressions = list(expressions, ".matchExpressions")?;
    if expressions.is_empty() && list(fields, ".matchFields")?.is_empty() {
        return Ok(false);
    }
    let mut admitted = true;
    for expression in expressions {
        admitted &= expression_admits(expression, labels)
            .map_err(|problem| at(problem, ".matchExpressions"))?;
    }
    Ok(admitted)
}

fn expression_admits(expression: &RawValue, labels: &[(&str, &str)]) -> Result<bool, Problem> {
    let [key, operator, values] = json::members(expression, &["key", "operator", "values"])?;
    let (Some(key), Some(operator)) = (json::present(key), json::present(operator)) else {
        return Ok(true);
    };
    let (key, operator) = (json::string(key)?, json::string(operator)?);
    let values = match json::present(values) {
        Some(raw) => json::elements(raw)?,
        None => Vec::new(),
    };
    let values = values
        .into_iter()
        .map(json::string)
        .collect::<Result<Vec<_>, _>>()?;
    let Some((_, label)) = labels.iter().find(|(known, _)| *known == key) else {
        return Ok(true);
    };
    let number = |text: &str| text.parse::<i64>().ok();
    let compared = |holds: fn(i64, i64) -> bool| match values.as_slice() {
        [bound] => number(label)
            .zip(number(bound))
            .is_some_and(|(label, bound)| holds(label, bound)),
        _ => false,
    };
    Ok(match &*operator {
        "In" => values.iter().any(|value| value == label),
        "NotIn" => values.iter().all(|value| value != label),
        "DoesNotExist" => false,
        "Gt" => compared(|label, bound| label > bound),
        "Lt" => compared(|label, bound| label < bound),
        // Exists holds; an operator of a later Kubernetes is not ours to judge.
        _ => true,
    })
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
        admits(Some(raw), &[("a", "fruit-0"), ("n", "5")]).map_err(|fault| fault.to_string())
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
        assert_eq!(admits(None, &[("a", "b")]).ok(), Some(true));
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
