//! Leaders, as LWS's set controller asks for them: one StatefulSet, named after the set.

use crate::draft::Draft;
use crate::names;
use crate::replica::Replica;
use crate::set::LeaderWorkerSet;
use crate::statefulset::StatefulSet;

/// The leader of a replica, before LWS's webhook.
pub(crate) fn pod(replica: &Replica<'_>) -> Draft {
    let set = replica.set();
    let statefulset = StatefulSet {
        name: set.name(),
        namespace: set.pod_namespace(),
        service_name: set.name(),
        claims: &set.claims,
        template_revision: &set.template_revision,
    };
    statefulset.pod(template(set), replica.index())
}

/// The leaders' pod template: the set's, with LWS's labels and annotations over its own.
pub(crate) fn template(set: &LeaderWorkerSet) -> Draft {
    let mut pod = set.leader_template().draft();
    pod.set_label(names::SET_NAME, set.name());
    pod.set_label(names::WORKER_INDEX, 0);
    pod.set_label(names::TEMPLATE_REVISION, &set.template_revision);
    pod.annotate(names::SIZE, set.size());
    if let Some(topology) = &set.exclusive_topology {
        pod.annotate(names::EXCLUSIVE_TOPOLOGY, topology);
    }
    if let Some(policy) = &set.subgroups {
        pod.annotate(names::SUBGROUP_POLICY_TYPE, policy.kind);
        pod.annotate(names::SUBGROUP_SIZE, policy.size);
        if let Some(topology) = &set.subgroup_exclusive_topology {
            pod.annotate(names::SUBGROUP_EXCLUSIVE_TOPOLOGY, topology);
        }
    }
    if set.unique_subdomains {
        pod.annotate(names::SUBDOMAIN_POLICY, "UniquePerReplica");
    }
    pod
}
