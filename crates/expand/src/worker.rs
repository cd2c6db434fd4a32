//! Workers, as LWS's pod controller asks for them: a StatefulSet a replica, named after the leader, counting from 1.

use crate::draft::Draft;
use crate::hash_identity;
use crate::names;
use crate::replica::Replica;
use crate::set::Identity;
use crate::statefulset::StatefulSet;

/// A worker of a replica, before LWS's webhook.
pub(crate) fn pod(replica: &Replica<'_>, worker_index: u64) -> Draft {
    let set = replica.set();
    let leader_subdomain = match set.identity() {
        _ if !set.unique_subdomains => set.name().to_owned(),
        Identity::Ordinal => replica.leader_name().to_owned(),
        Identity::Hash => hash_identity::hostname(replica),
    };
    let statefulset = StatefulSet {
        name: replica.leader_name(),
        namespace: set.pod_namespace(),
        service_name: &leader_subdomain,
        claims: &set.claims,
        template_revision: &set.template_revision,
    };
    statefulset.pod(template(replica), worker_index)
}

/// The workers' pod template: the set's, with LWS's labels and annotations over its own.
fn template(replica: &Replica<'_>) -> Draft {
    let set = replica.set();
    let mut pod = set.worker_template().draft();
    pod.set_label(names::SET_NAME, set.name());
    pod.set_label(names::GROUP_INDEX, replica.group_index());
    pod.set_label(names::GROUP_KEY, replica.group_key());
    pod.set_label(names::TEMPLATE_REVISION, &set.template_revision);
    pod.annotate(names::SIZE, set.size());
    pod.annotate(names::LEADER_NAME, replica.leader_name());
    if let Some(topology) = &set.exclusive_topology {
        pod.annotate(names::EXCLUSIVE_TOPOLOGY, topology);
    }
    if let Some(policy) = &set.subgroups {
        pod.annotate(names::SUBGROUP_SIZE, policy.size);
        if let Some(topology) = &set.subgroup_exclusive_topology {
            pod.annotate(names::SUBGROUP_EXCLUSIVE_TOPOLOGY, topology);
        }
    }
    if set.leader_template().requests_tpus() {
        pod.annotate(names::LEADER_REQUESTS_TPUS, true);
    }
    if set.identity() == Identity::Hash {
        hash_identity::annotate_worker(&mut pod, replica);
    }
    pod
}
