//! What crosses the border to JavaScript: a value, or what is wrong with the input.

use lws_review::review::report::Remark;
use serde::Serialize;

/// What is wrong, each with its place in the text where it has one.
pub type Faults = Vec<Remark>;

/// A result as it is serialized: `{"ok": …}` or `{"faults": […]}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer<T> {
    /// What was asked for.
    Ok(T),
    /// Why there is none.
    Faults(Faults),
}

impl<T> From<Result<T, Faults>> for Answer<T> {
    fn from(result: Result<T, Faults>) -> Self {
        match result {
            Ok(value) => Self::Ok(value),
            Err(faults) => Self::Faults(faults),
        }
    }
}

/// A fault that has no place in a text.
#[must_use]
pub fn fault(text: impl ToString) -> Faults {
    vec![Remark::error(None, text.to_string())]
}

/// A result as JSON. What cannot be written, which no value here is known to be, is told as a fault.
#[must_use]
pub fn json<T: Serialize>(result: Result<T, Faults>) -> String {
    serde_json::to_string(&Answer::from(result)).unwrap_or_else(|error| {
        let text = format!("the answer cannot be written as JSON: {error}; please report it");
        serde_json::json!({"faults": [{"severity": "error", "place": null, "text": text}]})
            .to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_and_faults_are_told_apart_by_one_key() {
        assert_eq!(json(Ok(1)), r#"{"ok":1}"#);
        assert_eq!(
            json::<u8>(Err(fault("why"))),
            r#"{"faults":[{"severity":"error","place":null,"text":"why"}]}"#
        );
    }
}
