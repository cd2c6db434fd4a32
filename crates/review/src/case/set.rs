//! The shorthand for a request about a LeaderWorkerSet.

use crate::problem::Problem;
use crate::request::Request;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A LeaderWorkerSet and what is done to it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Set {
    /// What is done.
    #[serde(default)]
    operation: Operation,
    /// Whether it is a dry run.
    #[serde(default)]
    dry_run: bool,
    /// The set, as it is to be.
    object: Map<String, Value>,
    /// The set as it was; at UPDATE only.
    old_object: Option<Map<String, Value>>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Operation {
    #[default]
    Create,
    Update,
}

impl Set {
    /// The request that the API server would send.
    ///
    /// # Errors
    /// An UPDATE without an old set, or a CREATE with one.
    pub fn request(&self) -> Result<Request, Problem> {
        let update = self.operation == Operation::Update;
        if update != self.old_object.is_some() {
            return Err(Problem::new(
                "/set/oldObject",
                if update {
                    "is missing at an UPDATE"
                } else {
                    "is given at a CREATE"
                }
                .to_owned(),
                "give it with \"operation: UPDATE\", and only then",
            ));
        }
        let kind = json!({"group": "leaderworkerset.x-k8s.io", "version": "v1", "kind": "LeaderWorkerSet"});
        let resource = json!({"group": "leaderworkerset.x-k8s.io", "version": "v1", "resource": "leaderworkersets"});
        let metadata = |field: &str| {
            let metadata = self.object.get("metadata")?;
            metadata
                .get(field)
                .filter(|value| value.is_string())
                .cloned()
        };
        let mut request = json!({
            "uid": "00000000-0000-4000-8000-000000000000",
            "kind": kind,
            "resource": resource,
            "requestKind": kind,
            "requestResource": resource,
            "operation": if update { "UPDATE" } else { "CREATE" },
            "userInfo": {"username": "kubernetes-admin"},
            "object": self.object,
            "dryRun": self.dry_run,
        });
        let optional = [
            ("name", metadata("name")),
            ("namespace", metadata("namespace")),
            ("oldObject", self.old_object.clone().map(Value::Object)),
        ];
        if let Value::Object(map) = &mut request {
            for (field, value) in optional {
                map.extend(value.map(|value| (field.to_owned(), value)));
            }
        }
        Ok(Request::verbatim(request))
    }
}
