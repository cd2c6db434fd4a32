//! The environment variables by which a container knows its place in the group.

use k8s_openapi::api::core::v1::EnvVar;
use serde_json::Value;

use crate::draft::{Draft, edit_list, value};
use crate::names;

/// Adds `LWS_LEADER_ADDRESS`, `LWS_GROUP_SIZE` and `LWS_WORKER_INDEX` to every container and init container. They come
/// first, so that a template's own variables can refer to them, and take the place of the template's of that name.
pub(crate) fn add_variables(pod: &mut Draft) {
    let variables = [
        variable("LWS_LEADER_ADDRESS", leader_address(pod)),
        variable(
            "LWS_GROUP_SIZE",
            pod.annotation(names::SIZE).unwrap_or_default(),
        ),
        variable(
            "LWS_WORKER_INDEX",
            pod.label(names::WORKER_INDEX).unwrap_or_default(),
        ),
    ];
    for container in containers(pod) {
        if let Value::Object(fields) = container {
            edit_list(fields, "env", |env| {
                let given = std::mem::take(env);
                env.extend(variables.iter().map(value));
                env.extend(
                    given
                        .into_iter()
                        .filter(|entry| !variables.iter().any(|new| names_it(entry, &new.name))),
                );
            });
        }
    }
}

/// The leader's name in DNS: with hash identity as the worker's annotation or the leader's own host name tells it,
/// else the leader's name under the pod's subdomain.
fn leader_address(pod: &Draft) -> String {
    if let Some(address) = pod
        .annotation(names::LEADER_ADDRESS)
        .filter(|address| !address.is_empty())
    {
        return address.to_owned();
    }
    let set = pod.label(names::SET_NAME).unwrap_or_default();
    let group = pod.label(names::GROUP_INDEX).unwrap_or_default();
    let host = match pod.annotation(names::GROUP_IDENTITY) {
        Some("Hash") => pod.spec_text("hostname").to_owned(),
        _ => format!("{set}-{group}"),
    };
    format!("{host}.{}.{}", pod.spec_text("subdomain"), pod.namespace())
}

/// The pod's containers and init containers, in this order.
pub(crate) fn containers(pod: &mut Draft) -> impl Iterator<Item = &mut Value> {
    // Two fields of one map cannot be borrowed by name at once; the order among them matters.
    let mut lists: Vec<(usize, &mut Value)> = pod
        .spec
        .iter_mut()
        .filter_map(|(key, list)| match key.as_str() {
            "containers" => Some((0, list)),
            "initContainers" => Some((1, list)),
            _ => None,
        })
        .collect();
    lists.sort_by_key(|(order, _)| *order);
    lists
        .into_iter()
        .filter_map(|(_, list)| list.as_array_mut())
        .flatten()
}

pub(crate) fn variable(name: &str, text: impl Into<String>) -> EnvVar {
    EnvVar {
        name: name.to_owned(),
        value: Some(text.into()),
        value_from: None,
    }
}

/// Whether an entry of `env` is the variable of that name.
pub(crate) fn names_it(entry: &Value, name: &str) -> bool {
    entry.get("name").and_then(Value::as_str) == Some(name)
}
