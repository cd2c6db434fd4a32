//! Kubernetes' label selectors: what they match, and whether two of them can ever meet.

use crate::problem::Problem;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Labels by key.
pub type Labels = BTreeMap<String, String>;

/// A selector; one without requirements matches everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector {
    requirements: Vec<Requirement>,
}

/// What a selector wants of one key.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Requirement {
    key: String,
    test: Test,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    In(Vec<String>),
    NotIn(Vec<String>),
    Exists,
    DoesNotExist,
}

/// What is known of a label before there is an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known<'a> {
    /// It is there with this value.
    Is(&'a str),
    /// It is there with some value.
    Present,
    /// It is not there.
    Absent,
    /// It may be there or not, with any value.
    Open,
}

/// A selector as manifests write it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Written {
    #[serde(default)]
    match_labels: Option<BTreeMap<String, String>>,
    #[serde(default)]
    match_expressions: Option<Vec<Expression>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expression {
    key: String,
    operator: Operator,
    #[serde(default)]
    values: Option<Vec<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
enum Operator {
    In,
    NotIn,
    Exists,
    DoesNotExist,
}

impl Selector {
    /// Reads a selector that stands at `field`.
    ///
    /// # Errors
    /// Values where the operator takes none, or none where it needs some: the API server refuses both.
    pub(super) fn read(written: &Written, field: &str) -> Result<Self, Problem> {
        let labels = written.match_labels.iter().flatten();
        let mut requirements: Vec<Requirement> = labels
            .map(|(key, value)| Requirement {
                key: key.clone(),
                test: Test::In(vec![value.clone()]),
            })
            .collect();
        for (index, expression) in written.match_expressions.iter().flatten().enumerate() {
            let values = expression.values.clone().unwrap_or_default();
            let wants = matches!(expression.operator, Operator::In | Operator::NotIn);
            if values.is_empty() == wants {
                let (what, remedy) = if wants {
                    (
                        "has no values",
                        "give the operator the values it compares with",
                    )
                } else {
                    (
                        "has values",
                        "leave them out: this operator looks at the key alone",
                    )
                };
                let field = format!("{field}/matchExpressions/{index}");
                return Err(Problem::new(&field, what.to_owned(), remedy));
            }
            requirements.push(Requirement {
                key: expression.key.clone(),
                test: match expression.operator {
                    Operator::In => Test::In(values),
                    Operator::NotIn => Test::NotIn(values),
                    Operator::Exists => Test::Exists,
                    Operator::DoesNotExist => Test::DoesNotExist,
                },
            });
        }
        Ok(Self { requirements })
    }

    /// A selector for one value of one label.
    #[must_use]
    pub fn label(key: &str, value: &str) -> Self {
        Self {
            requirements: vec![Requirement {
                key: key.to_owned(),
                test: Test::In(vec![value.to_owned()]),
            }],
        }
    }

    /// Whether it matches an object with these labels.
    #[must_use]
    pub fn matches(&self, labels: &Labels) -> bool {
        let fits = |requirement: &Requirement| {
            requirement.holds(labels.get(&requirement.key).map(String::as_str))
        };
        self.requirements.iter().all(fits)
    }

    /// Whether it could match an object of whose labels `known` tells what is known.
    #[must_use]
    pub fn can_match<'a>(&self, known: impl Fn(&str) -> Known<'a>) -> bool {
        // Every requirement is about one key, so a selector can be met where each key can.
        let keys: BTreeSet<&str> = self.keys().collect();
        keys.into_iter().all(|key| {
            let mut values: Vec<Option<&str>> = match known(key) {
                Known::Is(value) => vec![Some(value)],
                Known::Absent => vec![None],
                Known::Present => self.values(key),
                Known::Open => [vec![None], self.values(key)].concat(),
            };
            values.retain(|value| {
                let mut about = self.requirements.iter().filter(|one| one.key == key);
                about.all(|requirement| requirement.holds(*value))
            });
            !values.is_empty()
        })
    }

    /// Whether some object could match both.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        let requirements = [self.requirements.clone(), other.requirements.clone()].concat();
        Self { requirements }.can_match(|_| Known::Open)
    }

    /// The keys it looks at.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.requirements
            .iter()
            .map(|requirement| requirement.key.as_str())
    }

    /// Values that stand for all: those that are named for a key, and one that is not.
    fn values(&self, key: &str) -> Vec<Option<&str>> {
        // No label's value may hold a space.
        const OTHER: &str = "any other";
        let about = self.requirements.iter().filter(|one| one.key == key);
        let named = about.flat_map(|requirement| match &requirement.test {
            Test::In(values) | Test::NotIn(values) => values.as_slice(),
            Test::Exists | Test::DoesNotExist => &[],
        });
        named.map(String::as_str).chain([OTHER]).map(Some).collect()
    }
}

impl Requirement {
    fn holds(&self, value: Option<&str>) -> bool {
        match (&self.test, value) {
            (Test::In(values), Some(value)) => values.iter().any(|one| one == value),
            (Test::NotIn(values), Some(value)) => values.iter().all(|one| one != value),
            (Test::Exists, value) => value.is_some(),
            (Test::DoesNotExist, value) => value.is_none(),
            (Test::In(_), None) => false,
            (Test::NotIn(_), None) => true,
        }
    }
}

impl fmt::Display for Selector {
    /// As `kubectl` writes selectors.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Requirement { key, test }) in self.requirements.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            match test {
                Test::In(values) if values.len() == 1 => write!(f, "{key}={}", values.concat())?,
                Test::In(values) => write!(f, "{key} in ({})", values.join(", "))?,
                Test::NotIn(values) => write!(f, "{key} notin ({})", values.join(", "))?,
                Test::Exists => f.write_str(key)?,
                Test::DoesNotExist => write!(f, "!{key}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::problem;
    use serde_json::{Value, json};

    fn selector(value: &Value) -> Result<Selector, Problem> {
        Selector::read(&problem::read(value)?, "/spec/objectSelector")
    }

    fn labels(pairs: &[(&str, &str)]) -> Labels {
        let pairs = pairs.iter();
        pairs
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect()
    }

    fn one(operator: &str, values: &[&str]) -> Value {
        let values: Option<&[&str]> = (!values.is_empty()).then_some(values);
        json!({"matchExpressions": [{"key": "env", "operator": operator, "values": values}]})
    }

    #[test]
    fn what_matches() {
        let both = json!({
            "matchLabels": {"app": "x"},
            "matchExpressions": [{"key": "env", "operator": "Exists"}],
        });
        // The selector, and whether it matches: no labels, env=prod, env=test, env="" and app=x, app=x alone.
        let table = [
            (json!({}), [true, true, true, true, true]),
            (
                json!({"matchLabels": {}, "matchExpressions": []}),
                [true, true, true, true, true],
            ),
            (json!({"matchLabels": null}), [true, true, true, true, true]),
            (
                json!({"matchLabels": {"env": "prod"}}),
                [false, true, false, false, false],
            ),
            (
                json!({"matchLabels": {"env": ""}}),
                [false, false, false, true, false],
            ),
            (
                json!({"matchLabels": {"env": "", "app": "x"}}),
                [false, false, false, true, false],
            ),
            (
                one("In", &["prod", "test"]),
                [false, true, true, false, false],
            ),
            (
                one("NotIn", &["prod", "test"]),
                [true, false, false, true, true],
            ),
            (one("NotIn", &[""]), [true, true, true, false, true]),
            (one("Exists", &[]), [false, true, true, true, false]),
            (one("DoesNotExist", &[]), [true, false, false, false, true]),
            (both, [false, false, false, true, false]),
        ];
        let objects = [
            labels(&[]),
            labels(&[("env", "prod")]),
            labels(&[("env", "test")]),
            labels(&[("env", ""), ("app", "x")]),
            labels(&[("app", "x")]),
        ];
        for (written, expected) in table {
            let selector = selector(&written).unwrap();
            let found = objects.each_ref().map(|labels| selector.matches(labels));
            assert_eq!(found, expected, "{written}");
        }
    }

    #[test]
    fn what_the_api_server_refuses_is_refused() {
        let message = |written| selector(&written).unwrap_err().to_string();
        assert_eq!(
            message(one("In", &[])),
            "field \"/spec/objectSelector/matchExpressions/0\" has no values; give the operator the values it compares with"
        );
        assert_eq!(
            message(one("Exists", &["a"])),
            "field \"/spec/objectSelector/matchExpressions/0\" has values; leave them out: this operator looks at the key alone"
        );
        assert!(message(one("Near", &["a"])).contains("/matchExpressions/0/operator"));
        assert!(message(json!({"matchLabel": {}})).contains("unknown field `matchLabel`"));
    }

    #[test]
    fn two_selectors_meet_where_each_key_can() {
        let table = [
            (one("In", &["a", "b"]), one("In", &["b", "c"]), true),
            (one("In", &["a"]), one("In", &["b"]), false),
            (one("In", &["a"]), one("NotIn", &["a"]), false),
            (one("In", &["a", "b"]), one("NotIn", &["a"]), true),
            (one("NotIn", &["a"]), one("NotIn", &["b"]), true),
            (one("Exists", &[]), one("NotIn", &["a"]), true),
            (one("Exists", &[]), one("DoesNotExist", &[]), false),
            (one("In", &["a"]), one("DoesNotExist", &[]), false),
            (one("NotIn", &["a"]), one("DoesNotExist", &[]), true),
            (
                one("In", &["a"]),
                json!({"matchLabels": {"app": "x"}}),
                true,
            ),
            (one("In", &["a"]), json!({}), true),
        ];
        for (left, right, expected) in table {
            let (one, other) = (selector(&left).unwrap(), selector(&right).unwrap());
            assert_eq!(one.meets(&other), expected, "{left} {right}");
            assert_eq!(other.meets(&one), expected, "{right} {left}");
        }
    }

    #[test]
    fn what_is_known_of_a_label_counts() {
        let can = |written: &Value, known| selector(written).unwrap().can_match(|_| known);
        assert!(can(&one("Exists", &[]), Known::Present));
        assert!(!can(&one("Exists", &[]), Known::Absent));
        assert!(can(&one("NotIn", &["0"]), Known::Present));
        assert!(!can(&one("NotIn", &["0"]), Known::Is("0")));
        assert!(can(&one("NotIn", &["0"]), Known::Absent));
        assert!(!can(&one("DoesNotExist", &[]), Known::Present));
        assert!(can(&one("DoesNotExist", &[]), Known::Open));
    }

    #[test]
    fn it_is_written_as_kubectl_writes_it() {
        let written = json!({
            "matchLabels": {"app": "x"},
            "matchExpressions": [
                {"key": "env", "operator": "NotIn", "values": ["a", "b"]},
                {"key": "env", "operator": "Exists"},
                {"key": "old", "operator": "DoesNotExist"},
            ],
        });
        let text = selector(&written).unwrap().to_string();
        assert_eq!(text, "app=x, env notin (a, b), env, !old");
    }
}
