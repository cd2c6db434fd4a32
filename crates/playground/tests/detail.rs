//! Details of a pod or set, the result, the difference and the policies.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod texts;

use lws_playground::address::{Address, Member};
use lws_playground::detail::{Detail, detail};
use lws_playground::difference::difference;
use lws_playground::picture::picture;
use lws_playground::result::result;
use serde_json::json;
use texts::{CONFLICT, DISAGGREGATED, HASH, SETTINGS, VLLM};

fn address(text: &str, set: usize, pod: Option<(u64, u64)>) -> Address {
    let drawn = picture(text, SETTINGS).unwrap();
    let address = drawn.sets[set].address.clone().unwrap();
    match pod {
        Some((replica, member)) => address.member(replica, member),
        None => address,
    }
}

fn told(text: &str, set: usize, pod: Option<(u64, u64)>) -> Detail {
    detail(text, SETTINGS, &address(text, set, pod)).unwrap()
}

#[test]
fn a_worker_gets_a_selector_and_a_toleration() {
    let detail = told(VLLM, 0, Some((1, 2)));
    assert_eq!(detail.title, "Pod default/vllm-1-2");
    assert_eq!(
        detail.patch,
        json!([
            {"op": "add", "path": "/spec/nodeSelector", "value": {"compact-placement-group": "vllm-1"}},
            {"op": "add", "path": "/spec/tolerations/1", "value": {
                "effect": "NoSchedule", "key": "compact-placement-group", "operator": "Equal", "value": "vllm-1"
            }},
        ])
    );
    let added: Vec<&str> = detail
        .change
        .lines()
        .filter(|line| line.starts_with('+'))
        .collect();
    assert_eq!(added[0], "+  nodeSelector:");
    assert_eq!(added[1], "+    compact-placement-group: vllm-1");
    assert!(!detail.change.lines().any(|line| line.starts_with('-')));
    assert_eq!(detail.audit["replica-value"], "vllm-1");
    assert!(detail.yaml.contains("\n  name: vllm-1-2\n"));
}

#[test]
fn a_set_gets_its_stamp() {
    let detail = told(VLLM, 0, None);
    assert_eq!(detail.title, "LeaderWorkerSet default/vllm");
    let stamps = detail
        .change
        .lines()
        .filter(|line| line.contains("lws-replica-placement/placement"));
    assert_eq!(stamps.count(), 2);
}

#[test]
fn a_refused_set_and_a_refused_pod_say_why() {
    let detail = told(CONFLICT, 0, None);
    assert!(!detail.allowed);
    assert!(detail.message.unwrap().contains("\"manual\""));
    assert_eq!(detail.change, "");
    let drawn = picture(CONFLICT, SETTINGS).unwrap();
    let pod = drawn.pods[0].clone().unwrap();
    let detail = lws_playground::detail::detail(CONFLICT, SETTINGS, &pod).unwrap();
    assert_eq!(detail.title, "Pod default/server-0");
    assert_eq!(detail.code, Some(422));
}

#[test]
fn a_leader_with_a_random_name_is_shown_as_its_gate_is_lifted() {
    let detail = told(HASH, 0, Some((0, 0)));
    assert!(detail.lifted);
    let pod = picture(HASH, SETTINGS).unwrap().sets[0].replicas[0]
        .leader
        .clone();
    assert_eq!(detail.title, format!("Pod default/{pod}"));
    assert!(
        detail
            .change
            .contains(&format!("+    compact-placement-group: {pod}\n"))
    );
    assert!(!told(HASH, 0, Some((0, 1))).lifted);
}

#[test]
fn sets_of_a_disaggregated_set_are_found_by_their_names() {
    let detail = told(DISAGGREGATED, 1, Some((0, 1)));
    assert!(detail.title.contains("-decode-0-1"), "{}", detail.title);
}

#[test]
fn an_address_of_another_text_is_told() {
    let address = address(VLLM, 0, None);
    let faults = detail("a: 1\n", SETTINGS, &address).unwrap_err();
    assert_eq!(
        faults[0].text,
        "\"vllm\" is not in the manifests any more; choose another pod"
    );
    let faults = Address::read("{}").unwrap_err();
    assert!(
        faults[0]
            .text
            .starts_with("the address cannot be read: missing field `line`")
    );
    let text = serde_json::to_string(&address.member(0, 1)).unwrap();
    assert_eq!(
        Address::read(&text).unwrap().pod,
        Some(Member {
            replica: 0,
            member: 1
        })
    );
}

#[test]
fn the_result_is_all_of_it_as_manifests() {
    let text = result(VLLM, SETTINGS).unwrap();
    let objects = lws_manifest::read(&text)
        .into_iter()
        .filter(Result::is_ok)
        .count();
    assert_eq!(objects, 9, "the set and its eight pods");
}

#[test]
fn other_settings_make_a_difference() {
    let other = SETTINGS.replace("compact-placement-group", "rack-group");
    let found = difference(VLLM, SETTINGS, &other).unwrap();
    assert!(found.diff.differs());
    assert_eq!(found.sets[0].title, "LeaderWorkerSet default/vllm");
    assert!(!found.sets[0].effects[0].rows.is_empty());
    assert!(found.sum.contains("1 "), "{}", found.sum);
    let same = difference(VLLM, SETTINGS, SETTINGS).unwrap();
    assert!(!same.diff.differs());
    assert_eq!(same.sum, "no difference: 1 set with 2 replicas");
    let faults = difference(VLLM, SETTINGS, "x: 1").unwrap_err();
    assert_eq!(faults[0].place.as_ref().unwrap().file, "other settings");
}
