//! `groupIdentity: Hash` (KEP-898, newer than LWS v0.10): leaders come from a Deployment's ReplicaSet, so at mutating
//! admission they have no name, and LWS's webhook gives each a random key and holds it back with a scheduling gate.
//!
//! The key is random in LWS and a stand-in here. Of the annotation's name `group-identity` only the use is public, the
//! spelling follows LWS's other names.

use k8s_openapi::api::core::v1::{PodReadinessGate, PodSchedulingGate};

use crate::draft::Draft;
use crate::leader;
use crate::names;
use crate::replica::Replica;
use crate::set::LeaderWorkerSet;
use crate::stand_in;
use crate::statefulset::controller;
use crate::webhook;

/// The group key of a replica.
pub(crate) fn group_key(set: &LeaderWorkerSet, index: u64) -> String {
    stand_in::sha1(&format!("{}/{}#{index}", set.pod_namespace(), set.name()))
}

/// The name that a leader has once it is stored.
pub(crate) fn leader_name(set: &LeaderWorkerSet, index: u64) -> String {
    stand_in::generated_name(&format!("{}-", replica_set(set)), index)
}

/// The host name that LWS's webhook gives a leader: the set's name and the first 8 characters of the key.
pub(crate) fn hostname(replica: &Replica<'_>) -> String {
    let key: String = replica.group_key().chars().take(8).collect();
    format!("{}-{key}", replica.set().name())
}

/// The leader before LWS's webhook.
pub(crate) fn leader(replica: &Replica<'_>) -> Draft {
    let set = replica.set();
    let mut pod = leader::template(set);
    pod.set_label(
        names::POD_TEMPLATE_HASH,
        stand_in::pod_template_hash(set.name(), &set.template_revision),
    );
    pod.annotate(names::GROUP_IDENTITY, "Hash");
    pod.set_spec("subdomain", set.name());
    if set.size() > 1 {
        pod.append(
            "readinessGates",
            &PodReadinessGate {
                condition_type: names::GROUP_READY.to_owned(),
            },
        );
    }
    let replica_set = replica_set(set);
    pod.metadata.generate_name = Some(format!("{replica_set}-"));
    pod.metadata.namespace = Some(set.pod_namespace().to_owned());
    pod.metadata.owner_references = Some(vec![controller(
        "ReplicaSet",
        set.pod_namespace(),
        &replica_set,
    )]);
    pod
}

/// What LWS's webhook does to a leader without a name.
pub(crate) fn mutate_leader(pod: &mut Draft, replica: &Replica<'_>) {
    pod.set_label(names::GROUP_KEY, replica.group_key());
    pod.set_label(names::GROUP_INDEX, replica.group_key());
    if pod.spec_text("hostname").is_empty() {
        pod.set_spec("hostname", &hostname(replica));
    }
    pod.append(
        "schedulingGates",
        &PodSchedulingGate {
            name: names::GROUP_REPLACEMENT_GATE.to_owned(),
        },
    );
    webhook::mutate(pod);
}

/// What a worker's template carries besides: who its leader is, which its labels no longer tell.
pub(crate) fn annotate_worker(pod: &mut Draft, replica: &Replica<'_>) {
    let set = replica.set();
    let hostname = hostname(replica);
    let subdomain = if set.unique_subdomains {
        &hostname
    } else {
        set.name()
    };
    pod.annotate(names::GROUP_IDENTITY, "Hash");
    pod.annotate(
        names::LEADER_ADDRESS,
        format!("{hostname}.{subdomain}.{}", set.pod_namespace()),
    );
}

/// The name of the ReplicaSet that the Deployment makes: its own, which is the set's, and the template's hash.
fn replica_set(set: &LeaderWorkerSet) -> String {
    format!(
        "{}-{}",
        set.name(),
        stand_in::pod_template_hash(set.name(), &set.template_revision)
    )
}
