//! The request that Kubewarden's audit scanner makes of a pod that is there already (H2): a creation by nobody.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// What the module is given. Written field by field, so that the pod is printed once and never copied as a value.
#[derive(Debug, Serialize)]
pub(super) struct Payload<'a> {
    settings: &'a Value,
    request: Request<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a> {
    kind: Kind,
    name: &'a str,
    namespace: &'a str,
    object: &'a RawValue,
    operation: &'static str,
    resource: Resource,
    uid: &'static str,
    user_info: UserInfo,
}

#[derive(Debug, Serialize)]
struct Kind {
    group: &'static str,
    kind: &'static str,
    version: &'static str,
}

#[derive(Debug, Serialize)]
struct Resource {
    group: &'static str,
    resource: &'static str,
    version: &'static str,
}

#[derive(Debug, Serialize)]
struct UserInfo {}

impl<'a> Payload<'a> {
    /// The question about a pod.
    pub(super) fn new(
        settings: &'a Value,
        namespace: &'a str,
        name: &'a str,
        object: &'a RawValue,
    ) -> Self {
        Self {
            settings,
            request: Request {
                kind: Kind {
                    group: "",
                    kind: "Pod",
                    version: "v1",
                },
                name,
                namespace,
                object,
                operation: "CREATE",
                resource: Resource {
                    group: "",
                    resource: "Pod",
                    version: "v1",
                },
                uid: "",
                user_info: UserInfo {},
            },
        }
    }
}
