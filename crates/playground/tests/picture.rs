//! The picture: what is drawn pod by pod, what is summed up, and what is told of the texts instead.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod texts;

use lws_playground::picture::{Role, picture};
use lws_playground::review;
use texts::{SETTINGS, VLLM, set};

#[test]
fn a_hundred_pods_are_drawn_one_by_one() {
    let picture = picture(&set(25, 4), SETTINGS).unwrap();
    let cards: usize = picture.sets[0]
        .replicas
        .iter()
        .flat_map(|replica| &replica.groups)
        .map(|group| group.pods.len())
        .sum();
    assert_eq!(cards, 100);
    assert_eq!(picture.sets[0].hidden, 0);
}

#[test]
fn of_many_replicas_the_first_are_drawn_and_the_rest_counted() {
    let picture = picture(&set(100, 8), SETTINGS).unwrap();
    assert_eq!(picture.sets[0].replicas.len(), 32);
    assert_eq!(picture.sets[0].hidden, 68);
}

#[test]
fn a_million_pods_are_summed_up() {
    let picture = picture(&set(125_000, 8), SETTINGS).unwrap();
    assert_eq!(picture.report.sum.pods.total, 1_000_000);
    let drawing = &picture.sets[0];
    assert!(drawing.replicas.len() < 20);
    assert_eq!(drawing.replicas.last().unwrap().leader, "big-124999");
    let shown = u64::try_from(drawing.replicas.len()).unwrap();
    assert_eq!(drawing.hidden, 125_000 - shown);
}

#[test]
fn a_replica_too_large_to_draw_is_one_card() {
    let picture = picture(&set(2, 500_000), SETTINGS).unwrap();
    let [replica, _] = picture.sets[0].replicas.as_slice() else {
        unreachable!("{picture:?}");
    };
    let [card] = replica.groups[0].pods.as_slice() else {
        unreachable!("{replica:?}");
    };
    assert_eq!(card.role, Role::Several);
    assert!(card.name.contains("big-0-499999"), "{}", card.name);
    assert_eq!(card.address, None);
}

#[test]
fn many_sets_share_the_room() {
    let text: Vec<String> = (0..8)
        .map(|index| set(32, 8).replace("name: big", &format!("name: big-{index}x")))
        .collect();
    let picture = picture(&text.join("---\n"), SETTINGS).unwrap();
    let cards: Vec<usize> = picture
        .sets
        .iter()
        .map(|set| {
            set.replicas
                .iter()
                .flat_map(|replica| &replica.groups)
                .map(|group| group.pods.len())
                .sum()
        })
        .collect();
    assert_eq!(cards, [256, 256, 256, 256, 16, 16, 16, 16]);
}

#[test]
fn faults_of_settings_have_their_line() {
    let faults = picture(VLLM, "replicaSpecificNodeSelector: a\nmembres: All\n").unwrap_err();
    let [fault] = faults.as_slice() else {
        unreachable!("{faults:?}");
    };
    let place = fault.place.as_ref().unwrap();
    assert_eq!((place.file.as_str(), place.line), ("settings", 2));
    assert!(
        fault.text.contains("unknown field \"membres\""),
        "{}",
        fault.text
    );
}

#[test]
fn settings_that_are_no_yaml_have_a_line_too() {
    let faults = picture(VLLM, "a: 1\nb: [\n").unwrap_err();
    let place = faults[0].place.as_ref().unwrap();
    assert_eq!(place.file, "settings");
    assert!(!faults[0].text.starts_with("line "), "{}", faults[0].text);
    let faults = picture(VLLM, "a: 1\n---\nb: 1\n").unwrap_err();
    assert!(
        faults[0].text.contains("holds 2 documents"),
        "{}",
        faults[0].text
    );
}

#[test]
fn faults_of_manifests_are_in_the_report_with_their_line() {
    let report = review(&format!("{VLLM}---\na: [\n"), SETTINGS).unwrap();
    assert_eq!(report.sets.len(), 1);
    let place = report.problems[0].place.as_ref().unwrap();
    assert_eq!(place.file, "manifests");
    assert!(place.line > VLLM.lines().count());
}

#[test]
fn settings_may_be_left_empty_or_come_in_a_policy() {
    assert_eq!(review(VLLM, "").unwrap().sum.node_groups, 0);
    let policy = include_str!("../../../examples/install/pods.yaml");
    assert_eq!(review(VLLM, policy).unwrap().sum.node_groups, 2);
}

#[test]
fn a_dump_is_judged_as_what_runs() {
    let dump = include_str!("../../harness/tests/fixtures/cluster/healthy.yaml");
    let report = review(dump, SETTINGS).unwrap();
    assert!(report.cluster.is_some());
}

#[test]
fn a_dump_is_told_in_the_words_of_the_command_line() {
    let dump = include_str!("../../../examples/review/cluster.yaml");
    let picture = picture(dump, SETTINGS).unwrap();
    assert_eq!(
        picture.sum,
        "1 set, 2 replicas, 4 members on 3 nodes, 2 errors, 1 warning"
    );
    let findings = picture.findings.unwrap();
    assert_eq!(findings.len(), 3);
    assert!(
        findings[0]
            .text
            .starts_with("team-a/vllm, replica vllm-1: pod vllm-1-1 on foreign node \"node-b\": "),
        "{}",
        findings[0].text
    );
}

#[test]
fn the_sum_counts_what_was_not_reviewed_and_what_was_passed_over() {
    let text = format!("{VLLM}---\na: [\n---\napiVersion: v1\nkind: Service\n");
    let picture = picture(&text, SETTINGS).unwrap();
    assert_eq!(picture.findings, None);
    assert_eq!(
        picture.sum,
        "2 replicas, 2 node groups, 8 pods, 0 refused, 1 not reviewed; passed over: 2 Service"
    );
}
