//! The tolerations that a pod has, and what they cover (K2).

use std::borrow::Cow;

use crate::json::{self, Fault, Problem, Raw};
use crate::taint::ReplicaTaint;

/// An entry of `spec.tolerations`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Toleration<'a> {
    key: Cow<'a, str>,
    operator: Cow<'a, str>,
    value: Cow<'a, str>,
    effect: Cow<'a, str>,
    ends: bool,
}

const PATH: &str = "spec.tolerations";

/// Reads a pod's tolerations and keeps those that may cover a taint of one of the `keys`; null and absent are none.
/// An entry takes two bytes of JSON and fifty of memory, so the others are not kept.
///
/// # Errors
/// A wrong JSON type, named by its path (I5).
pub fn read<'a>(raw: Option<Raw<'a>>, keys: &[&str]) -> Result<Vec<Toleration<'a>>, Fault> {
    let elements = json::optional_elements(raw).map_err(|problem| problem.at(PATH))?;
    let mut kept = Vec::new();
    for (index, raw) in elements.enumerate() {
        entry(raw, keys, &mut kept)
            .map_err(|(problem, below)| problem.at_element(PATH, index, below))?;
    }
    Ok(kept)
}

/// Reads an entry and keeps it where it may cover a taint of one of the keys. A problem comes with its place below the
/// entry.
fn entry<'a>(
    raw: Raw<'a>,
    keys: &[&str],
    kept: &mut Vec<Toleration<'a>>,
) -> Result<(), (Box<Problem>, &'static str)> {
    const NAMES: [&str; 5] = ["key", "operator", "value", "effect", "tolerationSeconds"];
    let [key, operator, value, effect, seconds] =
        json::members(raw, &NAMES).map_err(|problem| (problem, ""))?;
    let seconds = json::present(seconds);
    if let Some(raw) = seconds {
        json::due(raw, json::Kind::Number).map_err(|problem| (problem, ".tolerationSeconds"))?;
    }
    let mut entry = Toleration {
        ends: seconds.is_some(),
        ..Toleration::default()
    };
    for (text, raw, below) in [
        (&mut entry.key, key, ".key"),
        (&mut entry.operator, operator, ".operator"),
        (&mut entry.value, value, ".value"),
        (&mut entry.effect, effect, ".effect"),
    ] {
        if let Some(raw) = json::present(raw) {
            *text = json::string(raw).map_err(|problem| (problem, below))?;
        }
    }
    if entry.speaks_of(keys) {
        kept.push(entry);
    }
    Ok(())
}

impl Toleration<'_> {
    /// Whether it may cover a taint of one of the keys: an empty key stands for all, but only with Exists (K2).
    fn speaks_of(&self, keys: &[&str]) -> bool {
        if self.key.is_empty() {
            self.operator == "Exists"
        } else {
            keys.contains(&&*self.key)
        }
    }

    fn is_equal(&self) -> bool {
        matches!(&*self.operator, "" | "Equal")
    }

    /// Whether this is the very entry that the policy appends (I4).
    #[must_use]
    pub fn is_entry_for(&self, taint: &ReplicaTaint, value: &str) -> bool {
        self.is_equal()
            && self.key == taint.key.as_str()
            && self.value == value
            && self.effect == taint.effect.map_or("", crate::taint::Effect::name)
            && !self.ends
    }

    /// Whether this tolerates the taint for ever, as the scheduler judges (V2): no effect asked
    /// needs an entry without effect.
    #[must_use]
    pub fn covers(&self, taint: &ReplicaTaint, value: &str) -> bool {
        let effect = self.effect.is_empty()
            || taint
                .effect
                .is_some_and(|effect| self.effect == effect.name());
        let key = self.key.is_empty() || self.key == taint.key.as_str();
        let value = match &*self.operator {
            "Exists" => true,
            "" | "Equal" => self.value == value && !self.key.is_empty(),
            _ => false,
        };
        effect && key && value && !self.ends
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

    use crate::key::ReplicaKey;
    use crate::taint::Effect;

    fn taint(effect: Option<Effect>) -> ReplicaTaint {
        ReplicaTaint {
            key: ReplicaKey::parse("a").unwrap(),
            effect,
        }
    }

    /// An entry; whether it is ours, and whether it covers, for NoSchedule and for all effects.
    #[test]
    fn i4_v2_one_entry() {
        for (entry, [is_one, covers_one, is_all, covers_all]) in [
            (
                r#"{"key":"a","operator":"Equal","value":"v","effect":"NoSchedule"}"#,
                [true, true, false, false],
            ),
            (
                r#"{"key":"a","value":"v","effect":"NoSchedule"}"#,
                [true, true, false, false],
            ),
            (
                r#"{"key":"a","operator":"","value":"v","effect":"NoSchedule","tolerationSeconds":null}"#,
                [true, true, false, false],
            ),
            (
                r#"{"key":"a","operator":"Equal","value":"v"}"#,
                [false, true, true, true],
            ),
            (
                r#"{"key":"a","value":"v","effect":""}"#,
                [false, true, true, true],
            ),
            (
                r#"{"key":"a","value":"v","effect":"NoExecute"}"#,
                [false, false, false, false],
            ),
            (
                r#"{"key":"a","value":"w","effect":"NoSchedule"}"#,
                [false, false, false, false],
            ),
            (
                r#"{"key":"b","value":"v","effect":"NoSchedule"}"#,
                [false, false, false, false],
            ),
            (
                r#"{"key":"a","operator":"Equal","value":"v","effect":"NoSchedule","tolerationSeconds":0}"#,
                [false, false, false, false],
            ),
            (r#"{"operator":"Exists"}"#, [false, true, false, true]),
            (
                r#"{"operator":"Exists","effect":"NoSchedule"}"#,
                [false, true, false, false],
            ),
            (
                r#"{"key":"a","operator":"Exists"}"#,
                [false, true, false, true],
            ),
            (
                r#"{"key":"b","operator":"Exists"}"#,
                [false, false, false, false],
            ),
            (
                r#"{"operator":"Exists","tolerationSeconds":9}"#,
                [false, false, false, false],
            ),
            (r#"{"value":"v"}"#, [false, false, false, false]),
            (
                r#"{"key":"a","operator":"equal","value":"v"}"#,
                [false, false, false, false],
            ),
            (
                r#"{"key":"a","operator":"Gt","value":"v"}"#,
                [false, false, false, false],
            ),
            (r#"{}"#, [false, false, false, false]),
        ] {
            let list = format!("[{entry}]");
            let read = read(Some(json::document(&list).unwrap()), &["a"]).unwrap();
            let any = |holds: &dyn Fn(&Toleration<'_>) -> bool| read.iter().any(holds);
            let one = taint(Some(Effect::NoSchedule));
            let all = taint(None);
            assert_eq!(
                [
                    any(&|t| t.is_entry_for(&one, "v")),
                    any(&|t| t.covers(&one, "v")),
                    any(&|t| t.is_entry_for(&all, "v")),
                    any(&|t| t.covers(&all, "v")),
                ],
                [is_one, covers_one, is_all, covers_all],
                "{entry}"
            );
        }
    }

    #[test]
    fn i5_none() {
        assert_eq!(read(None, &["a"]).map(|list| list.len()).ok(), Some(0));
        for none in ["null", "[]"] {
            assert!(
                read(Some(json::document(none).unwrap()), &["a"])
                    .unwrap()
                    .is_empty()
            );
        }
    }

    #[test]
    fn i5_wrong_types_are_told_by_their_place() {
        for (list, text) in [
            (
                "{}",
                "spec.tolerations: found a map where a list is due; make it a list",
            ),
            (
                "[1]",
                "spec.tolerations[0]: found a number where a map is due; make it a map",
            ),
            (
                r#"[{},{"key":1}]"#,
                "spec.tolerations[1].key: found a number where a string is due; make it a string",
            ),
            (
                r#"[{"operator":[]}]"#,
                "spec.tolerations[0].operator: found a list where a string is due; make it a string",
            ),
            (
                r#"[{"value":true}]"#,
                "spec.tolerations[0].value: found a boolean where a string is due; make it a string",
            ),
            (
                r#"[{"effect":{}}]"#,
                "spec.tolerations[0].effect: found a map where a string is due; make it a string",
            ),
            (
                r#"[{"tolerationSeconds":"5"}]"#,
                "spec.tolerations[0].tolerationSeconds: found a string where a number is due; make it a number",
            ),
        ] {
            let fault = read(Some(json::document(list).unwrap()), &["a"]).unwrap_err();
            assert_eq!(fault.to_string(), text);
        }
    }
}
