//! What the StatefulSet controller makes of a template.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use serde_json::{Value, json};

use crate::draft::{Draft, edit_list};
use crate::names;
use crate::stand_in;

/// A StatefulSet as far as its pods depend on it.
#[derive(Debug)]
pub(crate) struct StatefulSet<'a> {
    pub(crate) name: &'a str,
    pub(crate) namespace: &'a str,
    pub(crate) service_name: &'a str,
    pub(crate) claims: &'a [String],
    /// The set's revision, from which this StatefulSet's own is made.
    pub(crate) template_revision: &'a str,
}

impl StatefulSet<'_> {
    /// The pod of an ordinal, made from `pod`, which holds what the template says.
    pub(crate) fn pod(&self, mut pod: Draft, ordinal: u64) -> Draft {
        let name = format!("{}-{ordinal}", self.name);
        pod.set_label(names::STATEFULSET_POD_NAME, &name);
        pod.set_label(names::POD_INDEX, ordinal);
        let revision = stand_in::controller_revision(self.name, self.template_revision);
        pod.set_label(names::CONTROLLER_REVISION, revision);
        pod.set_spec("hostname", &name);
        pod.set_spec("subdomain", self.service_name);
        self.mount_claims(&mut pod, &name);
        pod.metadata.generate_name = Some(format!("{}-", self.name));
        pod.metadata.name = Some(name);
        pod.metadata.namespace = Some(self.namespace.to_owned());
        pod.metadata.owner_references =
            Some(vec![controller("StatefulSet", self.namespace, self.name)]);
        pod
    }

    /// Puts the claims' volumes before the template's; a volume of the same name gives way.
    fn mount_claims(&self, pod: &mut Draft, pod_name: &str) {
        if self.claims.is_empty() {
            return;
        }
        edit_list(&mut pod.spec, "volumes", |volumes| {
            let given = std::mem::take(volumes);
            volumes.extend(
                self.claims
                    .iter()
                    .map(|claim| claim_volume(claim, pod_name)),
            );
            volumes.extend(
                given
                    .into_iter()
                    .filter(|volume| !self.claims_volume(volume)),
            );
        });
    }

    fn claims_volume(&self, volume: &Value) -> bool {
        let name = volume.get("name").and_then(Value::as_str);
        name.is_some_and(|name| self.claims.iter().any(|claim| claim == name))
    }
}

fn claim_volume(claim: &str, pod_name: &str) -> Value {
    json!({
        "name": claim,
        "persistentVolumeClaim": {"claimName": format!("{claim}-{pod_name}")},
    })
}

/// The reference to the controller of a pod.
pub(crate) fn controller(kind: &str, namespace: &str, name: &str) -> OwnerReference {
    OwnerReference {
        api_version: "apps/v1".to_owned(),
        kind: kind.to_owned(),
        name: name.to_owned(),
        uid: stand_in::uid(kind, namespace, name),
        controller: Some(true),
        block_owner_deletion: Some(true),
    }
}
