//! Any bytes as the payload of an admission request.

use lws_replica_placement::validate;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::generate::changes::{additions, stamps_alone};
use crate::generate::raw;
use crate::generate::request::Answer;
use crate::labels;

/// R5: one clean answer to any bytes. An answer with a patch changes the contract's paths alone and leaves their
/// neighbours' bytes (I5, S9), is left alone in a second pass (I7), passes Validate (V4), and goes to no pod that its
/// update finds ungated (P11).
pub fn run(data: &[u8]) {
    let answer = ask(data);
    let Some(text) = well_formed(data) else {
        assert!(!answer.accepted(), "accepted, and is no JSON");
        return;
    };
    let Some(mutated) = answer.mutated() else {
        return;
    };
    let parts = Parts::of(text);
    assert!(parts.settings()["action"] != "Validate", "V5");
    if parts.kind() == "Pod" {
        let [keys, tolerations] = additions(parts.object, mutated);
        assert!(keys.len() + tolerations.len() > 0, "a patch of nothing");
        for entry in &keys {
            // A name and a value, next to each other.
            let texts: Vec<String> = serde_json::Deserializer::from_str(entry)
                .into_iter()
                .collect::<Result<_, _>>()
                .unwrap();
            let [key, value] = texts.as_slice() else {
                panic!("no entry: {entry}");
            };
            assert!(labels::is_key(key) && labels::is_value(value), "{entry}");
        }
        if let Some(old) = parts.old {
            assert!(is_gated(old), "P11: {text}");
        }
    } else {
        stamps_alone(parts.object, mutated);
    }
    let again = ask(parts.with(mutated, None).as_bytes());
    assert!(again.accepted(), "I7: {}", again.text);
    assert_eq!(again.mutated(), None, "I7");
    let judged = ask(parts.with(mutated, Some("Validate")).as_bytes());
    assert!(judged.accepted(), "V4: {}", judged.text);
    assert_eq!(judged.mutated(), None, "V5");
}

fn ask(payload: &[u8]) -> Answer {
    let answer = Answer::of(validate(payload));
    answer.is_clean();
    answer
}

/// The text, where it is JSON by its grammar.
pub fn well_formed(data: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(data).ok()?;
    serde_json::from_str::<&RawValue>(text).ok()?;
    Some(text)
}

fn is_gated(pod: &str) -> bool {
    let gates = raw::member(pod, "spec").and_then(|spec| raw::member(spec, "schedulingGates"));
    gates.is_some_and(|gates| !raw::pieces(gates).is_empty())
}

/// The members of a payload that was decided, as they are written.
struct Parts<'a> {
    text: &'a str,
    settings: Option<&'a str>,
    kind: &'a str,
    object: &'a str,
    old: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Self {
        let request = raw::member(text, "request").unwrap();
        Self {
            text,
            settings: raw::member(text, "settings"),
            kind: raw::member(request, "kind").unwrap(),
            object: raw::member(request, "object").unwrap(),
            old: raw::member(request, "operation")
                .filter(|text| {
                    serde_json::from_str(text).is_ok_and(|word: String| word == "UPDATE")
                })
                .and_then(|_| raw::member(request, "oldObject")),
        }
    }

    fn kind(&self) -> String {
        let kind = raw::member(self.kind, "kind").unwrap();
        serde_json::from_str(kind).unwrap()
    }

    fn settings(&self) -> Value {
        self.settings
            .map_or(Value::Null, |text| serde_json::from_str(text).unwrap())
    }

    /// The payload with another object, and with another action.
    fn with(&self, object: &str, action: Option<&str>) -> String {
        let mut out = replaced(self.text, self.object, object);
        if let Some(action) = action {
            let mut settings = match self.settings() {
                Value::Object(settings) => Value::Object(settings),
                _ => json!({}),
            };
            settings["action"] = json!(action);
            let settings = settings.to_string();
            out = match raw::member(&out, "settings") {
                Some(old) => replaced(&out, old, &settings),
                None => out.replacen('{', &format!("{{\"settings\":{settings},"), 1),
            };
        }
        out
    }
}

/// `whole` with `new` in the place of `part`, which is a slice of it.
fn replaced(whole: &str, part: &str, new: &str) -> String {
    let start = part.as_ptr() as usize - whole.as_ptr() as usize;
    format!("{}{new}{}", &whole[..start], &whole[start + part.len()..])
}
