//! What each of the page's examples shows.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod texts;

use lws_playground::picture::{Picture, ReplicaDrawing, Role, picture};
use texts::{
    CONFLICT, DISAGGREGATED, HASH, SETTINGS, SUBGROUPS, SUBGROUPS_SETTINGS, TPU, TPU_SETTINGS, VLLM,
};

/// A replica in a line for each of its groups: labels, taints, pods.
fn told(replica: &ReplicaDrawing) -> Vec<String> {
    let groups = replica.groups.iter();
    groups
        .map(|group| {
            let pods: Vec<String> = group
                .pods
                .iter()
                .map(|pod| match pod.subgroup {
                    Some(index) => format!("{}/{index}", pod.name),
                    None => pod.name.clone(),
                })
                .collect();
            format!(
                "[{}] [{}] {}",
                group.labels.join(" "),
                group.taints.join(" "),
                pods.join(" ")
            )
        })
        .collect()
}

fn drawn(picture: &Picture) -> Vec<Vec<String>> {
    let replicas = picture.sets.iter().flat_map(|set| &set.replicas);
    replicas.map(told).collect()
}

#[test]
fn vllm_has_two_replicas_with_nodes_of_their_own() {
    let picture = picture(VLLM, SETTINGS).unwrap();
    assert_eq!(
        drawn(&picture),
        [
            [
                "[compact-placement-group=vllm-0] [compact-placement-group=vllm-0:NoSchedule] vllm-0 vllm-0-1 vllm-0-2 vllm-0-3"
            ],
            [
                "[compact-placement-group=vllm-1] [compact-placement-group=vllm-1:NoSchedule] vllm-1 vllm-1-1 vllm-1-2 vllm-1-3"
            ],
        ]
    );
    let pods = &picture.sets[0].replicas[0].groups[0].pods;
    assert_eq!(pods[0].role, Role::Leader);
    assert!(pods[1..].iter().all(|pod| pod.role == Role::Worker));
    assert_eq!(picture.report.passed_over["Service"], 1);
}

#[test]
fn of_tpu_slices_the_workers_have_nodes_of_their_own_and_the_leader_has_not() {
    let picture = picture(TPU, TPU_SETTINGS).unwrap();
    let replicas = drawn(&picture);
    assert_eq!(replicas.len(), 2);
    assert_eq!(replicas[0][0], "[] [] slice-0");
    assert!(
        replicas[0][1].starts_with("[tpu-slice=slice-0] [tpu-slice=slice-0:NoSchedule] slice-0-1 ")
    );
    assert_eq!(picture.sets[0].replicas[0].groups[1].pods.len(), 8);
    assert_eq!(picture.report.sum.refused, 0);
}

#[test]
fn each_subgroup_has_nodes_of_its_own() {
    let picture = picture(SUBGROUPS, SUBGROUPS_SETTINGS).unwrap();
    assert_eq!(
        drawn(&picture)[0],
        [
            "[rack-group=pipeline-0.0] [rack-group=pipeline-0.0:NoSchedule] pipeline-0/0 pipeline-0-1/0 pipeline-0-2/0 pipeline-0-3/0",
            "[rack-group=pipeline-0.1] [rack-group=pipeline-0.1:NoSchedule] pipeline-0-4/1 pipeline-0-5/1 pipeline-0-6/1 pipeline-0-7/1",
        ]
    );
}

#[test]
fn a_conflicting_template_is_refused_at_its_line() {
    let picture = picture(CONFLICT, SETTINGS).unwrap();
    let set = &picture.report.sets[0];
    let refusal = set.admission.refusal.as_ref().unwrap();
    let line = refusal.place.as_ref().unwrap().line;
    assert_eq!(
        CONFLICT.lines().nth(line - 1).unwrap().trim(),
        "compact-placement-group: manual"
    );
    assert_eq!(refusal.also.len(), 1);
    assert!(picture.sets[0].replicas.is_empty());
    let pod = &picture.report.pods[0];
    let place = pod.refused.as_ref().unwrap().place.as_ref().unwrap();
    assert_eq!(
        CONFLICT.lines().nth(place.line - 1).unwrap().trim(),
        "compact-placement-group: server-1"
    );
}

#[test]
fn leaders_with_random_names_are_placed_when_their_gate_is_lifted() {
    let picture = picture(HASH, SETTINGS).unwrap();
    assert_eq!(picture.sets[0].replicas.len(), 2);
    for replica in &picture.sets[0].replicas {
        let [group] = replica.groups.as_slice() else {
            unreachable!("{replica:?}");
        };
        assert_eq!(
            group.labels,
            [format!("compact-placement-group={}", replica.leader)]
        );
        assert!(group.pods[0].lifted);
        assert_eq!(group.pods[0].name, replica.leader);
        assert_eq!(group.pods[1].name, format!("{}-1", replica.leader));
        assert!(!group.pods[1].lifted);
    }
}

#[test]
fn a_disaggregated_set_is_drawn_as_the_sets_that_its_roles_make() {
    let picture = picture(DISAGGREGATED, SETTINGS).unwrap();
    let roles: Vec<(&str, usize)> = picture
        .report
        .sets
        .iter()
        .zip(&picture.sets)
        .map(|(set, drawing)| {
            let origin = set.generated.as_ref().unwrap();
            (origin.role.as_str(), drawing.replicas.len())
        })
        .collect();
    assert_eq!(roles, [("prefill", 2), ("decode", 1)]);
}
