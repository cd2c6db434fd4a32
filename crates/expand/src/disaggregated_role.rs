//! The LeaderWorkerSet that a role of a DisaggregatedSet makes.

use serde_json::{Map, Value, json};

use crate::disaggregated_set::{DisaggregatedSet, Role};
use crate::draft::edit_object;
use crate::names;
use crate::stand_in;

/// A LeaderWorkerSet of a DisaggregatedSet, as its controller creates it.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneratedSet {
    /// The role's name.
    pub role: String,
    /// Where the role stands in `spec.roles`. A field of the generated set that the role has too stands below
    /// `spec.roles[role_index]` under the same path.
    pub role_index: usize,
    /// The slice, from 0.
    pub slice: u64,
    /// The LeaderWorkerSet.
    pub value: Value,
}

/// A generated set's name.
pub(crate) fn set_name(set: &str, slice: u64, revision: &str, role: &str) -> String {
    format!("{set}-{slice}-{revision}-{role}")
}

/// Makes a role's set. The DisaggregatedSet's own labels and annotations do not reach it.
pub(crate) fn generate(
    set: &DisaggregatedSet,
    slice: u64,
    role_index: usize,
    role: &Role,
) -> GeneratedSet {
    let name = set_name(&set.name, slice, &set.revision, &role.name);
    let labels = [
        ("app", format!("{}-{slice}-{}", set.name, role.name)),
        (names::DISAGGREGATED_NAME, set.name.clone()),
        (names::DISAGGREGATED_REVISION, set.revision.clone()),
        (names::DISAGGREGATED_ROLE, role.name.clone()),
        (names::DISAGGREGATED_SLICE, slice.to_string()),
    ];
    let mut metadata = role.metadata.clone();
    if let Value::Object(metadata) = &mut metadata {
        metadata.insert("name".to_owned(), json!(name));
        if let Some(namespace) = &set.namespace {
            metadata.insert("namespace".to_owned(), json!(namespace));
        }
        add(metadata, "labels", &labels);
        let replicas = [(names::INITIAL_REPLICAS, role.replicas.to_string())];
        add(metadata, "annotations", &replicas);
        let namespace = set.namespace.as_deref().unwrap_or(names::DEFAULT_NAMESPACE);
        let owner = json!([{
            "apiVersion": names::DISAGGREGATED_API_VERSION,
            "kind": names::DISAGGREGATED_KIND,
            "name": set.name,
            "uid": stand_in::uid(names::DISAGGREGATED_KIND, namespace, &set.name),
            "controller": true,
        }]);
        metadata.insert("ownerReferences".to_owned(), owner);
    }
    let mut spec = role.spec.clone();
    if let Value::Object(spec) = &mut spec {
        spec.insert("replicas".to_owned(), json!(role.replicas));
        edit_object(spec, "leaderWorkerTemplate", |templates| {
            for template in ["leaderTemplate", "workerTemplate"] {
                if templates.get(template).is_some_and(Value::is_object) {
                    edit_object(templates, template, |template| {
                        edit_object(template, "metadata", |metadata| {
                            add(metadata, "labels", &labels);
                        });
                        if let Some(placement) = &set.placement {
                            edit_object(template, "spec", |pod| {
                                placement.write(pod, &set.name, slice);
                            });
                        }
                    });
                }
            }
        });
    }
    GeneratedSet {
        role: role.name.clone(),
        role_index,
        slice,
        value: json!({
            "apiVersion": names::API_VERSION,
            "kind": names::KIND,
            "metadata": metadata,
            "spec": spec,
        }),
    }
}

/// Sets entries of a map of texts, over those that it has.
fn add(object: &mut Map<String, Value>, map: &str, entries: &[(&str, String)]) {
    edit_object(object, map, |map| {
        for (key, value) in entries {
            map.insert((*key).to_owned(), json!(value));
        }
    });
}
