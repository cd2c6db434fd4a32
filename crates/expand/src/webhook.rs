//! LWS's mutating webhook for pods. Like the original it decides from the pod alone, from labels and annotations,
//! wherever these come from.

use crate::affinity;
use crate::draft::Draft;
use crate::environment;
use crate::names;
use crate::stand_in;
use crate::subgroup;
use crate::tpu;

/// Changes a pod as LWS's webhook does at CREATE.
pub(crate) fn mutate(pod: &mut Draft) {
    if pod.label(names::WORKER_INDEX) == Some("0") {
        mutate_leader(pod);
    } else {
        mutate_worker(pod);
    }
    tpu::add_variables(pod);
    environment::add_variables(pod);
}

fn mutate_leader(pod: &mut Draft) {
    if pod.label(names::GROUP_INDEX).is_none()
        && let Some((_, ordinal)) = parent_and_ordinal(pod.name())
    {
        pod.set_label(names::GROUP_INDEX, ordinal);
    }
    if pod.annotation(names::SUBDOMAIN_POLICY) == Some("UniquePerReplica") {
        let host = if hash_identity(pod) {
            pod.spec_text("hostname")
        } else {
            pod.name()
        };
        let host = host.to_owned();
        pod.set_spec("subdomain", &host);
    }
    let group_key = match pod.label(names::GROUP_KEY) {
        Some(key) => key.to_owned(),
        None => stand_in::sha1(&format!("{}/{}", pod.namespace(), pod.name())),
    };
    pod.set_label(names::GROUP_KEY, &group_key);
    if let Some(topology) = pod.annotation(names::EXCLUSIVE_TOPOLOGY).map(str::to_owned) {
        affinity::set_exclusive(pod, names::GROUP_KEY, &group_key, &topology);
    }
    let excluded = pod.annotation(names::SUBGROUP_POLICY_TYPE) == Some("LeaderExcluded");
    if !excluded && joins_subgroup(pod) {
        let owner = if hash_identity(pod) {
            group_key
        } else {
            pod.name().to_owned()
        };
        join_subgroup(pod, &owner, 0);
    }
}

fn mutate_worker(pod: &mut Draft) {
    let Some((parent, worker)) =
        parent_and_ordinal(pod.name()).map(|(parent, ordinal)| (parent.to_owned(), ordinal))
    else {
        // LWS refuses such a pod; a StatefulSet makes none.
        return;
    };
    pod.set_label(names::WORKER_INDEX, worker);
    if !joins_subgroup(pod) {
        return;
    }
    let number = |annotation| {
        pod.annotation(annotation)
            .and_then(|text| text.parse::<i32>().ok().map(i64::from))
    };
    let (Some(size), Some(subgroup_size)) = (number(names::SIZE), number(names::SUBGROUP_SIZE))
    else {
        return;
    };
    let Some(index) = subgroup::index_of(worker, size, subgroup_size) else {
        return;
    };
    let owner = if hash_identity(pod) {
        pod.label(names::GROUP_KEY)
    } else {
        pod.annotation(names::LEADER_NAME)
    };
    let owner = owner.map_or(parent, str::to_owned);
    join_subgroup(pod, &owner, index);
}

/// Whether the pod is to be put into a subgroup: it has a subgroup size and is in none.
fn joins_subgroup(pod: &Draft) -> bool {
    pod.annotation(names::SUBGROUP_SIZE).is_some()
        && pod.label(names::SUBGROUP_INDEX).is_none_or(str::is_empty)
}

/// Puts the pod into a subgroup of its leader. The key is made without the namespace, unlike the group's.
fn join_subgroup(pod: &mut Draft, leader: &str, index: i64) {
    let key = stand_in::sha1(&format!("{leader}/{index}"));
    pod.set_label(names::SUBGROUP_INDEX, index);
    pod.set_label(names::SUBGROUP_KEY, &key);
    if let Some(topology) = pod
        .annotation(names::SUBGROUP_EXCLUSIVE_TOPOLOGY)
        .map(str::to_owned)
    {
        affinity::set_exclusive(pod, names::SUBGROUP_KEY, &key, &topology);
    }
}

fn hash_identity(pod: &Draft) -> bool {
    pod.annotation(names::GROUP_IDENTITY) == Some("Hash")
}

/// A StatefulSet pod's name in its two parts, the StatefulSet's name and the number. LWS reads an int32; a pod with a
/// larger number it refuses.
pub(crate) fn parent_and_ordinal(name: &str) -> Option<(&str, i64)> {
    let (parent, ordinal) = name.rsplit_once('-')?;
    if !ordinal.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((parent, ordinal.parse::<i32>().ok()?.into()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]

    use super::*;
    use crate::{Form, LeaderWorkerSet};
    use serde_json::{Value, json};

    /// The pods of a set whose template has this metadata and spec, after the webhook.
    fn pods(metadata: Value, spec: Value, annotations: Value, size: u64) -> Vec<Value> {
        let set = LeaderWorkerSet::from_value(&json!({
            "metadata": {"name": "fruit", "namespace": "red", "annotations": annotations},
            "spec": {"leaderWorkerTemplate": {"size": size, "workerTemplate": {"metadata": metadata, "spec": spec}}}
        }));
        set.unwrap()
            .replica(0)
            .pods(Form::AfterWebhook)
            .map(|member| member.pod)
            .collect()
    }

    #[test]
    fn a_name_ends_in_its_number() {
        assert_eq!(parent_and_ordinal("fruit-0-12"), Some(("fruit-0", 12)));
        assert_eq!(
            parent_and_ordinal("fruit-2147483647"),
            Some(("fruit", 2_147_483_647))
        );
        for other in [
            "",
            "fruit",
            "fruit-",
            "fruit-x",
            "fruit-+1",
            "fruit-2147483648",
            "12",
        ] {
            assert_eq!(parent_and_ordinal(other), None, "{other}");
        }
    }

    #[test]
    fn affinities_that_are_there_are_not_added_again() {
        let term = json!([{"topologyKey": "rack", "labelSelector": {}}]);
        let required = json!({"requiredDuringSchedulingIgnoredDuringExecution": term});
        let affinity = json!({"podAffinity": required, "podAntiAffinity": required});
        let annotations = json!({names::EXCLUSIVE_TOPOLOGY: "rack"});
        let leader = &pods(
            json!({}),
            json!({"affinity": affinity}),
            annotations.clone(),
            1,
        )[0];
        assert_eq!(leader["spec"]["affinity"], affinity);

        let one = json!({"podAffinity": required, "podAntiAffinity": null});
        let leader = &pods(json!({}), json!({"affinity": one}), annotations, 1)[0];
        let terms = &leader["spec"]["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"];
        assert_eq!(
            terms.as_array().unwrap().len(),
            2,
            "both kinds have to be there"
        );
    }

    #[test]
    fn a_subgroup_that_a_template_fixes_is_kept() {
        let metadata = json!({"annotations": {names::SUBGROUP_SIZE: "2"}, "labels": {names::SUBGROUP_INDEX: "7"}});
        for pod in pods(metadata, json!({}), json!({}), 3) {
            assert_eq!(pod["metadata"]["labels"][names::SUBGROUP_INDEX], "7");
            assert_eq!(pod["metadata"]["labels"].get(names::SUBGROUP_KEY), None);
        }
    }

    #[test]
    fn a_subgroup_size_in_a_template_counts_without_a_policy() {
        let metadata = json!({"annotations": {names::SUBGROUP_SIZE: "2"}});
        let found = pods(metadata, json!({}), json!({}), 3);
        let indexes: Vec<_> = found
            .iter()
            .map(|pod| &pod["metadata"]["labels"][names::SUBGROUP_INDEX])
            .collect();
        assert_eq!(indexes, ["0", "0", "0"]);
    }

    #[test]
    fn a_worker_that_calls_itself_a_leader_is_taken_for_one() {
        let metadata = json!({"labels": {names::WORKER_INDEX: "0"}});
        let worker = &pods(metadata, json!({}), json!({}), 2)[1];
        assert_eq!(worker["metadata"]["labels"][names::WORKER_INDEX], "0");
        assert_eq!(
            worker["metadata"]["labels"][names::GROUP_INDEX],
            "0",
            "its template's label stays"
        );
    }

    #[test]
    fn variables_that_a_template_sets_give_way_in_every_container() {
        let env = json!([{"name": "LWS_WORKER_INDEX", "valueFrom": {"x": 1}}, {"name": "A", "value": "1"}, "odd"]);
        let spec =
            json!({"containers": [{"name": "a", "env": env}], "initContainers": [{"name": "b"}]});
        let worker = &pods(json!({}), spec, json!({}), 2)[1];
        let ours = json!([
            {"name": "LWS_LEADER_ADDRESS", "value": "fruit-0.fruit.red"},
            {"name": "LWS_GROUP_SIZE", "value": "2"},
            {"name": "LWS_WORKER_INDEX", "value": "1"}
        ]);
        assert_eq!(worker["spec"]["initContainers"][0]["env"], ours);
        let rest = &worker["spec"]["containers"][0]["env"].as_array().unwrap()[3..];
        assert_eq!(rest, [json!({"name": "A", "value": "1"}), json!("odd")]);
    }

    #[test]
    fn a_container_with_its_own_tpu_variables_gets_no_others() {
        let own = json!([{"name": "TPU_WORKER_ID", "value": "5"}]);
        let spec = json!({"containers": [
            {"name": "main", "env": own, "resources": {"limits": {"google.com/tpu": 4}}}
        ]});
        let worker = &pods(json!({}), spec, json!({}), 2)[1];
        let env = worker["spec"]["containers"][0]["env"].as_array().unwrap();
        assert_eq!(env.len(), 4, "{env:?}");
    }

    #[test]
    fn a_leader_in_subgroups_gets_the_remainder_of_minus_one() {
        // LWS annotates only workers with leader-requests-tpus, and Go's remainder keeps the sign.
        let metadata = json!({"annotations": {names::SUBGROUP_SIZE: "2"}});
        let spec = json!({"containers": [{"name": "main", "resources": {"limits": {"google.com/tpu": 4}}}]});
        let found = pods(metadata, spec, json!({}), 4);
        let variable = |pod: &Value, name: &str| {
            let env = pod["spec"]["containers"][0]["env"]
                .as_array()
                .unwrap()
                .clone();
            env.into_iter().find(|entry| entry["name"] == name).unwrap()["value"].clone()
        };
        let ids: Vec<_> = found
            .iter()
            .map(|pod| variable(pod, "TPU_WORKER_ID"))
            .collect();
        assert_eq!(ids, ["-1", "1", "0", "1"]);
        let hosts: Vec<_> = found
            .iter()
            .map(|pod| variable(pod, "TPU_WORKER_HOSTNAMES"))
            .collect();
        let (first, second) = (
            "fruit-0.fruit,fruit-0-1.fruit",
            "fruit-0-2.fruit,fruit-0-3.fruit",
        );
        assert_eq!(hosts, [first, first, second, second]);
    }
}
