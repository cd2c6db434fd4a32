//! Whole payloads, and the policy's answers with their bytes.

use lws_expand::Form;
use serde_json::{Value, json};

use super::json::Json;
use super::random::Random;
use super::{mutate, pod, raw, set, settings};

/// A request about an object, each part as text.
#[derive(Clone, Debug)]
pub struct Request {
    pub settings: String,
    pub kind: &'static str,
    pub namespace: String,
    pub object: String,
    pub old: Option<String>,
}

impl Request {
    pub fn payload(&self) -> String {
        let (group, operation) = match self.kind {
            "Pod" => ("", self.operation()),
            _ => ("leaderworkerset.x-k8s.io", self.operation()),
        };
        let old = match &self.old {
            Some(old) => format!(r#","oldObject":{old}"#),
            None => String::new(),
        };
        format!(
            r#"{{"settings":{},"request":{{"kind":{{"group":"{group}","version":"v1","kind":"{}"}},"operation":"{operation}","namespace":"{}","object":{}{old}}}}}"#,
            self.settings, self.kind, self.namespace, self.object
        )
    }

    fn operation(&self) -> &'static str {
        if self.old.is_some() {
            "UPDATE"
        } else {
            "CREATE"
        }
    }
}

/// An answer as it came.
#[derive(Clone, Debug)]
pub struct Answer {
    pub text: String,
    pub value: Value,
}

impl Answer {
    pub fn of(bytes: Vec<u8>) -> Self {
        let text = String::from_utf8(bytes).expect("an answer in UTF-8");
        // What serde's numbers cannot hold passes through the answer, so only what the policy wrote is parsed.
        let mut value = json!({});
        for piece in raw::pieces(&text) {
            if piece.meant() != "mutated_object" {
                value[piece.meant()] = serde_json::from_str(piece.value).unwrap();
            }
        }
        Self { text, value }
    }

    pub fn accepted(&self) -> bool {
        self.value["accepted"].as_bool().unwrap()
    }

    pub fn mutated(&self) -> Option<&str> {
        raw::member(&self.text, "mutated_object")
    }

    pub fn decision(&self) -> Option<&str> {
        self.value["audit_annotations"]["decision"].as_str()
    }

    pub fn message(&self) -> &str {
        self.value["message"].as_str().unwrap_or_default()
    }

    /// Checks the form that every answer has (section 8 of the contract).
    pub fn is_clean(&self) {
        let names = [
            "accepted",
            "message",
            "code",
            "mutated_object",
            "audit_annotations",
            "warnings",
        ];
        for piece in raw::pieces(&self.text) {
            assert!(names.contains(&&*piece.meant()), "{}", self.text);
        }
        if self.accepted() {
            assert!(self.value["message"].is_null() && self.value["code"].is_null());
        } else {
            assert!(self.mutated().is_none());
            assert!([400, 422].contains(&self.value["code"].as_u64().unwrap()));
            assert!(!self.message().is_empty());
        }
        assert!(
            !self
                .message()
                .contains(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'))
        );
        for warning in self.value["warnings"].as_array().into_iter().flatten() {
            let warning = warning.as_str().unwrap();
            assert!(
                warning.chars().count() <= 120 && !warning.contains(char::is_control),
                "{warning}"
            );
        }
    }
}

/// A payload of any kind: most near to valid ones, some far from it.
pub fn any(random: &mut Random) -> Vec<u8> {
    let chosen = settings::valid(random);
    let dots = settings::has_dots(&chosen);
    let made = set::valid(random, dots);
    let (keys, values): (Vec<String>, Vec<String>) = (
        settings::KEYS.map(str::to_owned).to_vec(),
        ["fruit-0", "fruit-1", "x"].map(str::to_owned).to_vec(),
    );
    let kind = *random.pick(&["Pod", "Pod", "LeaderWorkerSet"]);
    let mut object = Json::from(&made);
    if kind == "Pod" {
        let form = *random.pick(&[Form::BeforeWebhook, Form::AfterWebhook]);
        object = Json::from(&pod::member(random, &made, form).pod);
        pod::decorate(random, &mut object, &keys, &keys, &values);
        if random.once_in(4) {
            object
                .at("spec")
                .set("schedulingGates", json!([{"name": "x/y"}]));
        }
    }
    let mut old = random.once_in(2).then(|| object.clone());
    let mut chosen = Json::from(&chosen);
    for _ in 0..random.below(3) {
        match random.below(5) {
            0 => mutate::anywhere(random, &mut chosen),
            1 => {
                if let Some(old) = &mut old {
                    mutate::anywhere(random, old);
                }
            }
            _ => mutate::anywhere(random, &mut object),
        }
    }
    let request = Request {
        settings: chosen.spelt(random),
        kind,
        namespace: "red".to_owned(),
        object: object.spelt(random),
        old: old.map(|old| old.spelt(random)),
    };
    let payload = request.payload();
    if random.once_in(5) {
        mutate::bytes(random, &payload)
    } else {
        payload.into_bytes()
    }
}
