//! The tolerations that a pod has, and what they cover (K2).

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::json::{self, Fault, Problem};
use crate::taint::ReplicaTaint;

/// An entry of `spec.tolerations`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toleration<'a> {
    key: Cow<'a, str>,
    operator: Cow<'a, str>,
    value: Cow<'a, str>,
    effect: Cow<'a, str>,
    ends: bool,
}

const PATH: &str = "spec.tolerations";

/// Reads a pod's tolerations; null and absent are none.
///
/// # Errors
/// A wrong JSON type, named by its path (I5).
pub fn read(raw: Option<&RawValue>) -> Result<Vec<Toleration<'_>>, Fault> {
    let Some(raw) = json::present(raw) else {
        return Ok(Vec::new());
    };
    let elements = json::elements(raw).map_err(|problem| problem.at(PATH))?;
    elements.into_iter().enumerate().map(entry).collect()
}

fn entry((index, raw): (usize, &RawValue)) -> Result<Toleration<'_>, Fault> {
    const NAMES: [&str; 5] = ["key", "operator", "value", "effect", "tolerationSeconds"];
    let at = |problem: Problem, name: &str| problem.at(format!("{PATH}[{index}]{name}"));
    let [key, operator, value, effect, seconds] =
        json::members(raw, &NAMES).map_err(|problem| at(problem, ""))?;
    let text = |raw, name: &str| match json::present(raw) {
        Some(raw) => json::string(raw).map_err(|problem| at(problem, name)),
        None => Ok(Cow::Borrowed("")),
    };
    let seconds = json::present(seconds);
    if let Some(raw) = seconds {
        json::due(raw, json::Kind::Number).map_err(|problem| at(problem, ".tolerationSeconds"))?;
    }
    Ok(Toleration {
        key: text(key, ".key")?,
        operator: text(operator, ".operator")?,
        value: text(value, ".value")?,
        effect: text(effect, ".effect")?,
        ends: seconds.is_some(),
    })
}

impl Toleration<'_> {
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
