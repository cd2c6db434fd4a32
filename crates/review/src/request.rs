//! An admission request, as it is given to the policy.

use crate::problem::Problem;
use serde_json::{Map, Value};

/// Fields of an admission request that Kubewarden leaves out when they are null (H2).
const OPTIONAL: [&str; 10] = [
    "subResource",
    "requestKind",
    "requestResource",
    "requestSubResource",
    "name",
    "namespace",
    "object",
    "oldObject",
    "dryRun",
    "options",
];

/// A bare admission request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request(Value);

impl Request {
    /// Takes an AdmissionReview or a bare request. Fields that hand-written requests leave out (`uid`, `resource`,
    /// `userInfo`) may be missing; what makes a request one, `kind` and `operation`, may not.
    ///
    /// # Errors
    /// It is neither, and why.
    pub fn from_value(value: Value) -> Result<Self, Problem> {
        let Value::Object(mut map) = value else {
            return Err(Problem::new(
                "",
                format!("is {}, not an admission request", kind_of(&value)),
                "give an AdmissionReview or the map under its \"request\"",
            ));
        };
        let review = map.get("kind").and_then(Value::as_str) == Some("AdmissionReview");
        match map.remove("request") {
            Some(Value::Object(request)) => Self::from_map(request, "/request"),
            Some(other) => Err(Problem::new(
                "/request",
                format!("is {}, not a map", kind_of(&other)),
                "put the admission request there",
            )),
            None if review => Err(Problem::new(
                "/request",
                "is missing: this AdmissionReview asks nothing (is it a response?)".to_owned(),
                "give the review that the API server sends",
            )),
            None => Self::from_map(map, ""),
        }
    }

    /// Takes `value` for the request itself, changing and asking nothing.
    #[must_use]
    pub fn verbatim(value: Value) -> Self {
        Self(value)
    }

    /// The request.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// Its uid; empty where it has none.
    #[must_use]
    pub fn uid(&self) -> &str {
        self.text("uid").unwrap_or_default()
    }

    /// `CREATE`, `UPDATE`, `DELETE` or `CONNECT`.
    #[must_use]
    pub fn operation(&self) -> Option<&str> {
        self.text("operation")
    }

    /// The object asked about; absent at DELETE.
    #[must_use]
    pub fn object(&self) -> Option<&Value> {
        self.0.get("object").filter(|object| !object.is_null())
    }

    /// The same request about another object.
    #[must_use]
    pub fn with_object(&self, object: Value) -> Self {
        let mut value = self.0.clone();
        if let Value::Object(map) = &mut value {
            map.insert("object".to_owned(), object);
        }
        Self(value)
    }

    fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field).and_then(Value::as_str)
    }

    fn from_map(mut map: Map<String, Value>, at: &'static str) -> Result<Self, Problem> {
        match map.get("kind") {
            Some(Value::Object(_)) => {}
            Some(Value::String(kind)) => {
                return Err(Problem::new(
                    &format!("{at}/kind"),
                    format!("is \"{kind}\": this is an object, not an admission request"),
                    "put it under \"object\" of a request, or use \"review\" for manifests",
                ));
            }
            other => {
                return Err(Problem::new(
                    &format!("{at}/kind"),
                    format!("is {}", other.map_or("missing", kind_of)),
                    "give the kind that is asked about as {group, version, kind}",
                ));
            }
        }
        for field in ["operation", "uid"] {
            let given = map.get(field);
            let fits = given.is_some_and(Value::is_string) || (field == "uid" && given.is_none());
            if !fits {
                return Err(Problem::new(
                    &format!("{at}/{field}"),
                    format!("is {}, not a text", given.map_or("missing", kind_of)),
                    match field {
                        "operation" => "give CREATE, UPDATE, DELETE or CONNECT",
                        _ => "quote it, or leave it out",
                    },
                ));
            }
        }
        for field in OPTIONAL {
            if map.get(field).is_some_and(Value::is_null) {
                map.remove(field);
            }
        }
        Ok(Self(Value::Object(map)))
    }
}

/// What a JSON value is, in a word for messages.
#[must_use]
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    }
}
