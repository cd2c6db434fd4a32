//! The ways in which clients write a set that is stored already.

use serde_json::{Value, json};

use super::STAMP;

const TEMPLATES: [&str; 2] = ["leaderTemplate", "workerTemplate"];

/// `kubectl apply`: what the manifest names is set, what it named the last time and does not name now is removed, the
/// rest of the live object stays. Lists are replaced whole, as in every custom resource.
pub fn client_side_apply(live: &Value, last: &Value, manifest: &Value) -> Value {
    let (Value::Object(live), Value::Object(manifest)) = (live, manifest) else {
        return manifest.clone();
    };
    let mut out = live.clone();
    for (name, value) in manifest {
        let merged = match live.get(name) {
            Some(found) => client_side_apply(found, &last[name], value),
            None => value.clone(),
        };
        out.insert(name.clone(), merged);
    }
    if let Value::Object(last) = last {
        for name in last.keys().filter(|name| !manifest.contains_key(*name)) {
            out.remove(name);
        }
    }
    Value::Object(out)
}

/// `kubectl apply --server-side`: what a webhook changed belongs to the manager whose request it changed, so the
/// stamps count as named the last time, and are removed.
pub fn server_side_apply(live: &Value, last: &Value, manifest: &Value) -> Value {
    let mut last = last.clone();
    for template in TEMPLATES {
        if live["spec"]["leaderWorkerTemplate"][template]["metadata"]["annotations"][STAMP]
            .is_string()
        {
            super::set_stamp(&mut last, template, Some("owned"));
        }
    }
    client_side_apply(live, &last, manifest)
}

/// `kubectl replace`: the manifest is the object, but for what the API server keeps.
pub fn replace(live: &Value, manifest: &Value) -> Value {
    let mut out = manifest.clone();
    for field in ["uid", "creationTimestamp", "generation", "resourceVersion"] {
        if !live["metadata"][field].is_null() {
            out["metadata"][field] = live["metadata"][field].clone();
        }
    }
    out
}

/// An autoscaler, or `kubectl scale`, where `/scale` comes by as an update of the set.
pub fn scale(live: &Value, replicas: u32) -> Value {
    let mut out = live.clone();
    out["spec"]["replicas"] = json!(replicas);
    out
}

/// The object as a controller written in Go sends it back after reading it into its types: fields without `omitempty`
/// appear, empty ones with it are gone, quantities are text in canonical form.
pub fn through_go_types(live: &Value) -> Value {
    let mut out = live.clone();
    out["status"] = json!({});
    for name in TEMPLATES {
        let Some(template) = out["spec"]["leaderWorkerTemplate"].get_mut(name) else {
            continue;
        };
        template["metadata"]["creationTimestamp"] = Value::Null;
        let containers = template["spec"]["containers"].as_array_mut().unwrap();
        for container in containers {
            let container = container.as_object_mut().unwrap();
            container.entry("resources").or_insert_with(|| json!({}));
            for list in ["env", "args"] {
                if container.get(list) == Some(&json!([])) {
                    container.remove(list);
                }
            }
            for kind in ["limits", "requests"] {
                if let Some(Value::Object(quantities)) = container["resources"].get_mut(kind) {
                    for quantity in quantities.values_mut() {
                        *quantity = json!(canonical(quantity));
                    }
                }
            }
        }
    }
    out
}

/// The few quantities that the tests write, as Go writes them.
pub fn canonical(quantity: &Value) -> String {
    match quantity {
        Value::Number(number) => number.to_string(),
        Value::String(text) => match text.as_str() {
            "1000m" => "1".to_owned(),
            "0.5" => "500m".to_owned(),
            "1024Mi" => "1Gi".to_owned(),
            other => other.to_owned(),
        },
        other => panic!("no quantity: {other}"),
    }
}
