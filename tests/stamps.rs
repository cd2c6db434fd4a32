//! S6: which update writes a set's stamps, which revision rolls, and that the pods of a replica agree at any time.
//!
//! Each test is a sequence of requests about one set. The cluster they go to (`common/cluster.rs`) stores what the
//! policy answers, makes the pods of what is stored, and checks after every request that each pod, recreated alone
//! under the settings of that moment, is placed as the rest of its replica.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::cluster::{Cluster, Step};
use common::{
    ask, asking_for, merge, new_image, set, set_stamp, set_with_leader, stamp_for, with, writers,
};
use serde_json::{Value, json};

const KEY: &str = "pool.test/group";
const OTHER: &str = "pool.test/other";
const NODE_SELECTOR: &str = "lws-replica-placement/node-selector";
const TOLERATION: &str = "lws-replica-placement/toleration";

/// A set that is stored with the stamp for [`KEY`].
fn stored(set: &Value) -> Cluster {
    let (cluster, step) = Cluster::create(asking_for(KEY), set);
    assert!(step.patched);
    assert_eq!(step.decision.as_deref(), Some("inject"));
    cluster
}

#[track_caller]
fn untouched(step: &Step) {
    assert!(!step.patched && !step.rolled, "{step:?}");
    assert_eq!(step.decision.as_deref(), Some("none"));
}

#[track_caller]
fn placed_under(cluster: &Cluster, key: &str) {
    assert_eq!(cluster.placed().value(key), Some("fruit-0"));
    assert_eq!(cluster.placed().selector, json!({key: "fruit-0"}));
    assert_eq!(
        cluster.placed().tolerations,
        json!([{"key": key, "operator": "Equal", "value": "fruit-0", "effect": "NoSchedule"}])
    );
    assert_eq!(cluster.stamps()[1], Some(stamp_for(key).as_str()));
}

fn annotate(set: &mut Value, value: Option<&str>) {
    merge(
        set,
        &json!({"metadata": {"annotations": {NODE_SELECTOR: value}}}),
    );
}

#[test]
fn created() {
    let cluster = stored(&set_with_leader());
    let stamp = stamp_for(KEY);
    assert_eq!(cluster.stamps(), [Some(stamp.as_str()); 2]);
    placed_under(&cluster, KEY);

    let cluster = stored(&set());
    assert_eq!(cluster.stamps(), [None, Some(stamp.as_str())]);
}

#[test]
fn created_with_a_stamp_of_its_own() {
    for forged in ["{}", "no JSON", &stamp_for(OTHER)] {
        let mut set = set_with_leader();
        set_stamp(&mut set, "leaderTemplate", Some(forged));
        set_stamp(&mut set, "workerTemplate", Some(forged));
        let cluster = stored(&set);
        placed_under(&cluster, KEY);
        assert_eq!(cluster.stamps()[0], cluster.stamps()[1]);
    }
}

#[test]
fn scaled() {
    let mut cluster = stored(&set());
    untouched(&cluster.edit(|set| *set = writers::scale(set, 5)));
    assert_eq!(cluster.running.len(), 5);
    untouched(&cluster.edit(|set| *set = writers::scale(set, 0)));
    untouched(&cluster.edit(|set| *set = writers::scale(set, 3)));
    assert_eq!(cluster.running[2].leader.value(KEY), Some("fruit-2"));
}

#[test]
fn new_image_rolls_and_keeps_the_placement() {
    let mut cluster = stored(&set());
    let step = cluster.edit(|set| new_image(set, 2));
    assert!(step.rolled && !step.patched);
    assert_eq!(step.decision.as_deref(), Some("none"));
    placed_under(&cluster, KEY);
}

#[test]
fn annotation_on_the_set_from_create_to_removal() {
    let mut annotated = set_with_leader();
    annotate(&mut annotated, Some(OTHER));
    let (mut cluster, _) = Cluster::create(asking_for(KEY), &annotated);
    assert_eq!(
        cluster.placed().selector,
        json!({KEY: "fruit-0", OTHER: "fruit-0"})
    );

    let step = cluster.edit(|set| annotate(set, Some("pool.test/third")));
    assert!(step.patched && step.rolled);
    assert_eq!(
        cluster.placed().selector,
        json!({KEY: "fruit-0", "pool.test/third": "fruit-0"})
    );

    untouched(&cluster.edit(|set| *set = writers::scale(set, 3)));

    let step = cluster.edit(|set| annotate(set, None));
    assert!(step.patched && step.rolled);
    placed_under(&cluster, KEY);
}

#[test]
fn annotation_that_asks_for_the_same_in_other_words_rolls_nothing() {
    let mut annotated = set();
    annotate(&mut annotated, Some(KEY));
    let mut cluster = stored(&annotated);
    let step = cluster.edit(|set| annotate(set, Some(" pool.test/group ")));
    assert!(!step.patched && !step.rolled, "{step:?}");
    let step = cluster.edit(|set| annotate(set, None));
    assert!(!step.patched && !step.rolled, "{step:?}");
}

#[test]
fn the_last_thing_asked_for_is_taken_back() {
    let mut annotated = set_with_leader();
    annotate(&mut annotated, Some(KEY));
    let (mut cluster, _) = Cluster::create(json!({}), &annotated);
    assert_eq!(cluster.placed().selector, json!({KEY: "fruit-0"}));
    let step = cluster.edit(|set| annotate(set, None));
    assert!(step.patched && step.rolled, "{step:?}");
    assert_eq!(step.decision, None, "nothing is asked any more");
    assert_eq!(cluster.stamps(), [None, None]);
    assert!(cluster.placed().is_empty());
}

#[test]
fn another_annotation_of_the_set_is_nobodys_business() {
    let mut cluster = stored(&set());
    cluster.settings = asking_for(OTHER);
    untouched(&cluster.edit(|set| {
        merge(
            set,
            &json!({"metadata": {"annotations": {"pool.test/note": "1"}, "labels": {"a": "b"}}}),
        );
    }));
}

#[test]
fn annotation_on_a_template() {
    let mut cluster = stored(&set());
    let step = cluster.edit(|set| {
        let asked = json!({"metadata": {"annotations": {NODE_SELECTOR: OTHER}}});
        merge(
            &mut set["spec"]["leaderWorkerTemplate"]["workerTemplate"],
            &asked,
        );
    });
    assert!(step.patched && step.rolled);
    assert_eq!(
        cluster.placed().selector,
        json!({KEY: "fruit-0", OTHER: "fruit-0"})
    );
}

#[test]
fn settings_changed_and_nothing_else() {
    for manifest in [set(), set_with_leader()] {
        let mut cluster = stored(&manifest);
        cluster.settings = asking_for(OTHER);
        // A lone pod that is recreated now stays with the others of its replica.
        cluster.recreate();
        untouched(&cluster.edit(|set| *set = writers::scale(set, 4)));
        assert_eq!(cluster.running[3].worker.value(KEY), Some("fruit-3"));
        placed_under(&cluster, KEY);
        let step = cluster.edit(|set| new_image(set, 2));
        assert!(step.patched && step.rolled);
        assert_eq!(step.decision.as_deref(), Some("inject"));
        placed_under(&cluster, OTHER);
    }
}

#[test]
fn every_setting_of_the_placement_waits_for_the_next_revision() {
    let changes = [
        json!({"replicaValue": "NamespacedLeaderName"}),
        json!({"replicaValue": "HashedLeaderName", "overlongValue": "Hash"}),
        json!({"members": "Workers"}),
        json!({"placementUnit": "SubGroup"}),
        json!({"replicaSpecificToleration": []}),
        json!({"replicaSpecificNodeSelector": [], "replicaSpecificToleration": []}),
    ];
    for change in changes {
        let mut cluster = stored(&set());
        let before = cluster.stored.clone();
        cluster.settings = with(asking_for(KEY), &change);
        cluster.leader_left_out = change["members"] == "Workers";
        cluster.recreate();
        let step = cluster.edit(|set| {
            merge(set, &json!({"metadata": {"labels": {"a": "b"}}}));
        });
        untouched(&step);
        assert_eq!(before["spec"], cluster.stored["spec"]);
        let step = cluster.edit(|set| new_image(set, 2));
        assert!(step.patched && step.rolled, "{change}: {step:?}");
    }
}

#[test]
fn settings_that_ask_for_nothing_any_more() {
    let mut cluster = stored(&set());
    cluster.settings = json!({});
    untouched(&cluster.edit(|set| *set = writers::scale(set, 3)));
    placed_under(&cluster, KEY);
    let step = cluster.edit(|set| new_image(set, 2));
    assert!(step.patched && step.rolled);
    assert_eq!(cluster.stamps(), [None, None]);
    assert!(cluster.placed().is_empty());
}

#[test]
fn resent_by_client_side_apply() {
    let mut cluster = stored(&set_with_leader());
    cluster.settings = asking_for(OTHER);
    let manifest = cluster.manifest.clone();
    let object = writers::client_side_apply(&cluster.stored, &manifest, &manifest);
    assert_eq!(
        common::stamp(&object, "workerTemplate"),
        cluster.stamps()[1]
    );
    untouched(&cluster.update(&object));

    let mut changed = manifest.clone();
    new_image(&mut changed, 2);
    let object = writers::client_side_apply(&cluster.stored, &manifest, &changed);
    let step = cluster.update(&object);
    assert!(step.patched && step.rolled);
    placed_under(&cluster, OTHER);
}

/// The two ways of sending a set again that lose its stamps.
fn resent_without_stamps(cluster: &Cluster, manifest: &Value) -> [Value; 2] {
    let objects = [
        writers::server_side_apply(&cluster.stored, &cluster.manifest, manifest),
        writers::replace(&cluster.stored, manifest),
    ];
    for object in &objects {
        assert_eq!(common::stamp(object, "workerTemplate"), None);
        assert_eq!(common::stamp(object, "leaderTemplate"), None);
    }
    objects
}

#[test]
fn resent_by_server_side_apply_and_by_replace() {
    for manifest in [set(), set_with_leader()] {
        for settings in [
            asking_for(KEY),
            asking_for(OTHER),
            with(asking_for(OTHER), &json!({"unstampedPods": "Leave"})),
            json!({}),
        ] {
            for way in 0..2 {
                let mut cluster = stored(&manifest);
                cluster.settings = settings.clone();
                let object = &resent_without_stamps(&cluster, &manifest)[way];
                let before = cluster.stored.clone();
                let step = cluster.update(object);
                assert!(step.patched && !step.rolled, "{settings}: {step:?}");
                assert_eq!(step.decision.as_deref(), Some("inject"));
                assert_eq!(cluster.stored, before, "restored verbatim");
            }
        }
    }
}

/// New settings that this set's templates contradict do not keep it from being sent again as it is.
#[test]
fn resent_over_settings_that_would_refuse_it() {
    let mut pinned = set();
    pinned["spec"]["leaderWorkerTemplate"]["workerTemplate"]["spec"]["nodeSelector"] =
        json!({OTHER: "manual"});
    for way in 0..2 {
        let mut cluster = stored(&pinned);
        cluster.settings = asking_for(OTHER);
        let object = &resent_without_stamps(&cluster, &pinned)[way];
        let step = cluster.update(object);
        assert!(step.patched && !step.rolled, "{step:?}");
        assert_eq!(cluster.stamps()[1], Some(stamp_for(KEY).as_str()));
    }
}

#[test]
fn one_of_two_stamps_is_lost() {
    for template in ["leaderTemplate", "workerTemplate"] {
        let mut cluster = stored(&set_with_leader());
        cluster.settings = asking_for(OTHER);
        let before = cluster.stored.clone();
        let step = cluster.edit(|set| set_stamp(set, template, None));
        assert!(step.patched && !step.rolled, "{step:?}");
        assert_eq!(cluster.stored, before);
    }
}

#[test]
fn stamps_lost_and_scaled() {
    let mut cluster = stored(&set());
    cluster.settings = asking_for(OTHER);
    let manifest = writers::scale(&cluster.manifest, 5);
    let object = writers::replace(&cluster.stored, &manifest);
    let step = cluster.update(&object);
    assert!(step.patched && !step.rolled);
    placed_under(&cluster, KEY);
    assert_eq!(cluster.running.len(), 5);
}

/// Metadata that is gone together with a long stamp counted as a change, and new settings rolled every replica.
#[test]
fn long_stamps_lost() {
    for keys in [1, 8, 64] {
        let keys: Vec<String> = (0..keys).map(|i| format!("pool.test/key-{i}")).collect();
        let taints: Vec<Value> = keys.iter().map(|key| json!({"key": key})).collect();
        let settings =
            json!({"replicaSpecificNodeSelector": keys, "replicaSpecificToleration": taints});
        let (mut cluster, _) = Cluster::create(settings, &set_with_leader());
        cluster.settings = asking_for(OTHER);
        let before = cluster.stored.clone();
        let step = cluster.update(&writers::replace(&cluster.stored, &cluster.manifest));
        assert!(step.patched && !step.rolled, "{step:?}");
        assert_eq!(cluster.stored, before);
    }
}

#[test]
fn stamps_lost_together_with_a_new_image() {
    for way in 0..2 {
        let mut cluster = stored(&set_with_leader());
        cluster.settings = asking_for(OTHER);
        let mut manifest = cluster.manifest.clone();
        new_image(&mut manifest, 2);
        let object = &resent_without_stamps(&cluster, &manifest)[way];
        let step = cluster.update(object);
        assert!(step.patched && step.rolled);
        placed_under(&cluster, OTHER);
        assert_eq!(cluster.stamps()[0], cluster.stamps()[1]);
    }
}

#[test]
fn stamps_lost_together_with_an_annotation() {
    let mut cluster = stored(&set());
    cluster.settings = asking_for(OTHER);
    let mut manifest = cluster.manifest.clone();
    annotate(&mut manifest, Some("pool.test/third"));
    let step = cluster.update(&writers::replace(&cluster.stored.clone(), &manifest));
    assert!(step.patched && step.rolled);
    assert_eq!(
        cluster.placed().selector,
        json!({OTHER: "fruit-0", "pool.test/third": "fruit-0"})
    );
}

#[test]
fn edited_stamps_are_resolved_anew() {
    for forged in ["{}", "", "no JSON", &stamp_for("pool.test/forged")] {
        for templates in [
            &["workerTemplate"][..],
            &["leaderTemplate", "workerTemplate"],
        ] {
            let mut cluster = stored(&set_with_leader());
            let forge = |set: &mut Value| {
                for template in templates {
                    set_stamp(set, template, Some(forged));
                }
            };
            let step = cluster.edit(forge);
            assert!(step.patched && !step.rolled, "{step:?}");
            placed_under(&cluster, KEY);

            cluster.settings = asking_for(OTHER);
            let step = cluster.edit(forge);
            assert!(step.patched && step.rolled, "{step:?}");
            placed_under(&cluster, OTHER);
            assert_eq!(cluster.stamps()[0], cluster.stamps()[1]);
        }
    }
}

/// The stamp was taken away, and put back when the policy saw its own answer.
#[test]
fn an_edited_stamp_is_put_back_where_nothing_is_asked_by_now() {
    for forged in ["{}", "no JSON", &stamp_for("pool.test/forged")] {
        let mut cluster = stored(&set_with_leader());
        cluster.settings = json!({});
        let before = cluster.stored.clone();
        let step = cluster.edit(|set| {
            set_stamp(set, "leaderTemplate", None);
            set_stamp(set, "workerTemplate", Some(forged));
        });
        assert!(step.patched && !step.rolled, "{step:?}");
        assert_eq!(cluster.stored, before);
    }
}

#[test]
fn a_stamp_added_by_hand() {
    let mut cluster = Cluster::older_than_the_policy(asking_for(KEY), &set_with_leader());
    let step = cluster.edit(|set| set_stamp(set, "workerTemplate", Some(&stamp_for(OTHER))));
    assert!(step.patched && step.rolled, "{step:?}");
    placed_under(&cluster, KEY);
    assert_eq!(cluster.stamps()[0], cluster.stamps()[1]);

    let (mut cluster, _) = Cluster::create(json!({}), &set());
    let step = cluster.edit(|set| set_stamp(set, "workerTemplate", Some(&stamp_for(OTHER))));
    assert!(step.patched && !step.rolled, "{step:?}");
    assert_eq!(step.decision, None);
    assert_eq!(cluster.stamps(), [None, None]);
}

#[test]
fn nothing_is_asked() {
    let (mut cluster, step) = Cluster::create(json!({}), &set_with_leader());
    assert!(!step.patched);
    assert_eq!((step.decision, step.warnings), (None, Vec::new()));
    let step = cluster.edit(|set| new_image(set, 2));
    assert!(!step.patched && step.rolled);
    assert_eq!(step.decision, None);
    assert!(cluster.placed().is_empty());

    let mut forged = set_with_leader();
    set_stamp(&mut forged, "workerTemplate", Some(&stamp_for(KEY)));
    let (cluster, step) = Cluster::create(json!({}), &forged);
    assert!(step.patched);
    assert_eq!(step.decision, None, "nothing is asked");
    assert_eq!(cluster.stamps(), [None, None]);
    assert!(cluster.placed().is_empty());
}

/// What HPA and DisaggregatedSet do again and again must not roll a set whose settings have changed.
#[test]
fn updated_by_controllers() {
    let mut manifest = set_with_leader();
    manifest["spec"]["leaderWorkerTemplate"]["workerTemplate"]["spec"]["containers"][0]["resources"] = json!({
        "limits": {"nvidia.com/gpu": 8, "cpu": "1000m"},
        "requests": {"memory": "1024Mi", "cpu": "0.5"},
    });
    let leader = &mut manifest["spec"]["leaderWorkerTemplate"]["leaderTemplate"];
    leader["spec"]["containers"][0]["env"] = json!([]);
    let mut cluster = stored(&manifest);
    cluster.settings = asking_for(OTHER);

    untouched(&cluster.edit(|set| *set = writers::scale(set, 3)));
    untouched(&cluster.edit(|set| *set = writers::through_go_types(set)));
    untouched(&cluster.edit(|set| {
        *set = writers::through_go_types(set);
        set["spec"]["replicas"] = json!(4);
        let bookkeeping = json!({"metadata": {
            "annotations": {"disaggregatedset.x-k8s.io/initial-replicas": "4"},
            "labels": {"disaggregatedset.x-k8s.io/revision": "1"},
        }});
        merge(set, &bookkeeping);
    }));
    placed_under(&cluster, KEY);
    assert_eq!(cluster.running.len(), 4);

    let step = cluster.edit(|set| {
        *set = writers::through_go_types(set);
        new_image(set, 2);
    });
    assert!(step.patched && step.rolled);
    placed_under(&cluster, OTHER);
}

/// A controller that builds the spec from a template of its own knows no stamp.
#[test]
fn updated_by_a_controller_that_writes_the_whole_spec() {
    let mut cluster = stored(&set());
    cluster.settings = asking_for(OTHER);
    let role = writers::through_go_types(&cluster.manifest)["spec"].clone();
    let before = cluster.stored["spec"]["leaderWorkerTemplate"].clone();
    let step = cluster.edit(|set| {
        set["spec"] = role;
        set["spec"]["replicas"] = json!(3);
    });
    assert!(step.patched && !step.rolled, "{step:?}");
    let after = &cluster.stored["spec"]["leaderWorkerTemplate"];
    assert_eq!(
        after["workerTemplate"]["metadata"]["annotations"],
        before["workerTemplate"]["metadata"]["annotations"]
    );
    placed_under(&cluster, KEY);
}

/// What LWS's own webhook fills in is not there yet when this policy's runs before it.
#[test]
fn sent_again_without_what_lws_fills_in() {
    let mut manifest = set();
    let template = &mut manifest["spec"]["leaderWorkerTemplate"];
    template["subGroupPolicy"] = json!({"subGroupSize": 3});
    template["restartPolicy"] = json!("Default");
    let mut cluster = stored(&manifest);
    let filled_in = &mut cluster.stored["spec"]["leaderWorkerTemplate"];
    filled_in["subGroupPolicy"]["type"] = json!("LeaderWorker");
    filled_in["restartPolicy"] = json!("None");
    cluster.settings = asking_for(OTHER);
    let object = writers::replace(&cluster.stored, &manifest);
    let step = cluster.update(&object);
    assert!(step.patched, "{step:?}");
    assert_eq!(cluster.stamps()[1], Some(stamp_for(KEY).as_str()));
}

#[test]
fn older_than_the_policy_and_injected() {
    let mut cluster = Cluster::older_than_the_policy(asking_for(KEY), &set_with_leader());
    let answer = ask(
        &cluster.settings,
        "UPDATE",
        &writers::scale(&cluster.stored, 3),
        Some(&cluster.stored),
    );
    assert_eq!(answer["accepted"], true);
    assert_eq!(
        answer.get("mutated_object"),
        None,
        "no stamp, so no roll-out"
    );
    assert_eq!(answer["audit_annotations"], json!({"decision": "none"}));
    // A pod that is made now is placed, though the rest of its replica is not: this is what Leave is for.
    assert!(cluster.running[0].leader.is_empty());
    assert_eq!(cluster.made_now(0).worker.value(KEY), Some("fruit-0"));
    let step = cluster.edit_unchecked(|set| new_image(set, 2));
    assert!(step.patched && step.rolled);
    placed_under(&cluster, KEY);
    cluster.recreate();
    cluster.settings = asking_for(OTHER);
    untouched(&cluster.edit(|set| *set = writers::scale(set, 3)));
    placed_under(&cluster, KEY);
}

#[test]
fn older_than_the_policy_and_left() {
    let settings = with(asking_for(KEY), &json!({"unstampedPods": "Leave"}));
    let mut cluster = Cluster::older_than_the_policy(settings, &set_with_leader());
    cluster.recreate();
    let step = cluster.edit(|set| *set = writers::scale(set, 3));
    assert!(!step.patched && !step.rolled);
    assert_eq!(step.decision, None, "nothing is asked of this set yet");
    assert!(cluster.running[2].worker.is_empty());
    let step = cluster.edit(|set| new_image(set, 2));
    assert!(step.patched && step.rolled);
    assert_eq!(step.decision.as_deref(), Some("inject"));
    placed_under(&cluster, KEY);
}

#[test]
fn leader_template_added_later() {
    let mut cluster = stored(&set());
    cluster.settings = asking_for(OTHER);
    let leader = &set_with_leader()["spec"]["leaderWorkerTemplate"]["leaderTemplate"];
    let step = cluster.edit(|set| {
        set["spec"]["leaderWorkerTemplate"]["leaderTemplate"] = leader.clone();
    });
    assert!(step.patched && step.rolled);
    placed_under(&cluster, OTHER);
    assert_eq!(cluster.stamps()[0], cluster.stamps()[1]);
}

#[test]
fn leader_template_removed() {
    let mut cluster = stored(&set_with_leader());
    cluster.settings = asking_for(OTHER);
    let step = cluster.edit(|set| {
        let template = set["spec"]["leaderWorkerTemplate"].as_object_mut().unwrap();
        template.remove("leaderTemplate");
    });
    assert!(step.patched && step.rolled);
    placed_under(&cluster, OTHER);
    assert_eq!(cluster.stamps()[0], None);
}

/// A leader that asks for nothing keeps doing so after the settings have changed.
#[test]
fn leader_left_out_by_annotation() {
    let settings = with(asking_for(KEY), &json!({"workloadAnnotations": "Replace"}));
    let mut manifest = set_with_leader();
    manifest["spec"]["leaderWorkerTemplate"]["leaderTemplate"]["metadata"]["annotations"] =
        json!({NODE_SELECTOR: "", TOLERATION: ""});
    let (mut cluster, _) = Cluster::create_with(settings.clone(), &manifest, true);
    assert_eq!(
        cluster.stamps(),
        [Some("{}"), Some(stamp_for(KEY).as_str())]
    );
    cluster.settings = asking_for(OTHER);
    untouched(&cluster.edit(|set| *set = writers::scale(set, 3)));
    let object = writers::replace(&cluster.stored, &manifest);
    let step = cluster.update(&object);
    assert!(step.patched && !step.rolled);
    assert_eq!(cluster.stamps()[0], Some("{}"));

    cluster.settings = with(asking_for(OTHER), &settings_fields(&settings));
    let step = cluster.edit(|set| new_image(set, 2));
    assert!(step.patched && step.rolled);
    assert_eq!(
        cluster.stamps(),
        [Some("{}"), Some(stamp_for(OTHER).as_str())]
    );
}

fn settings_fields(settings: &Value) -> Value {
    json!({"workloadAnnotations": settings["workloadAnnotations"]})
}

#[test]
fn leader_left_out_by_the_settings() {
    let settings = with(asking_for(KEY), &json!({"members": "Workers"}));
    let (mut cluster, _) = Cluster::create_with(settings, &set(), true);
    assert!(
        cluster.stamps()[1]
            .unwrap()
            .contains(r#""members":"Workers""#)
    );
    cluster.settings = asking_for(KEY);
    untouched(&cluster.edit(|set| *set = writers::scale(set, 3)));
    cluster.leader_left_out = false;
    let step = cluster.edit(|set| new_image(set, 2));
    assert!(step.patched && step.rolled);
    placed_under(&cluster, KEY);
}

/// An annotation that the settings have come to refuse stays where it is: the set keeps its placement.
#[test]
fn an_annotation_that_is_refused_by_now() {
    let mut annotated = set_with_leader();
    annotate(&mut annotated, Some(OTHER));
    let (mut cluster, _) = Cluster::create(asking_for(KEY), &annotated);
    let stamp = cluster.stamps()[1].unwrap().to_owned();
    cluster.settings = with(
        asking_for("pool.test/third"),
        &json!({"workloadKeys": [KEY]}),
    );
    untouched(&cluster.edit(|set| *set = writers::scale(set, 3)));
    let step = cluster.edit(|set| new_image(set, 2));
    assert!(!step.patched && step.rolled, "{step:?}");
    assert!(!step.warnings.is_empty());
    assert_eq!(cluster.stamps(), [Some(stamp.as_str()); 2]);
}

/// What is wrong with a stored stamp stays where it is. It is not carried into a leaders' template that is added while
/// nothing can be resolved anew; Validate would refuse what Inject made (V4).
#[test]
fn a_broken_stamp_is_not_carried_to_another_template() {
    let mut old = set();
    annotate(&mut old, Some("no key"));
    set_stamp(&mut old, "workerTemplate", Some("no JSON"));
    let mut new = set_with_leader();
    annotate(&mut new, Some("no key"));
    set_stamp(&mut new, "workerTemplate", Some("no JSON"));
    for action in ["Inject", "Validate"] {
        let settings = with(asking_for(KEY), &json!({"action": action}));
        let answer = ask(&settings, "UPDATE", &new, Some(&old));
        assert_eq!(answer["accepted"], true, "{answer}");
        assert_eq!(answer.get("mutated_object"), None, "{answer}");
    }
}

#[test]
fn deletion_and_finalizers_pass() {
    let pinned = json!({"spec": {"leaderWorkerTemplate": {"workerTemplate": {"spec": {"nodeSelector": {KEY: "manual"}}}}}});
    let mut old = set();
    merge(&mut old, &pinned);
    merge(
        &mut old,
        &json!({"metadata": {"finalizers": ["pool.test/keep"]}}),
    );
    for settings in [
        asking_for(KEY),
        with(asking_for(KEY), &json!({"action": "Validate"})),
    ] {
        let mut new = old.clone();
        merge(&mut new, &json!({"metadata": {"finalizers": null}}));
        let answer = ask(&settings, "UPDATE", &new, Some(&old));
        assert_eq!(answer["accepted"], true);
        assert_eq!(answer.get("mutated_object"), None);
        assert_eq!(answer.get("warnings"), None);
        for object in [&old, &new] {
            let mut deleted = object.clone();
            deleted["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
            assert_eq!(
                ask(&settings, "UPDATE", &deleted, Some(&old)),
                json!({"accepted": true})
            );
        }
    }
}

#[test]
fn validate_never_patches() {
    let inject = asking_for(KEY);
    let validate = with(inject.clone(), &json!({"action": "Validate"}));
    let mut stamped = set_with_leader();
    for template in ["leaderTemplate", "workerTemplate"] {
        set_stamp(&mut stamped, template, Some(&stamp_for(KEY)));
    }
    let mut newer = stamped.clone();
    new_image(&mut newer, 2);
    let mut bare = newer.clone();
    set_stamp(&mut bare, "workerTemplate", None);
    for (operation, object, old, patched) in [
        ("CREATE", &set_with_leader(), None, true),
        ("CREATE", &stamped, None, false),
        ("UPDATE", &newer, Some(&set_with_leader()), false),
        ("UPDATE", &bare, Some(&stamped), true),
        ("UPDATE", &set_with_leader(), Some(&stamped), true),
    ] {
        let answer = ask(&inject, operation, object, old);
        assert_eq!(answer["accepted"], true, "{answer}");
        assert_eq!(answer.get("mutated_object").is_some(), patched, "{answer}");
        let answer = ask(&validate, operation, object, old);
        assert_eq!(answer["accepted"], true, "{answer}");
        assert_eq!(answer.get("mutated_object"), None);
        assert_eq!(answer["audit_annotations"], json!({"decision": "none"}));
    }
}

/// Whatever order requests and new settings come in: no pod that is recreated alone is placed otherwise than its
/// replica (checked after each step), and nothing rolls that its author did not change.
#[test]
fn any_sequence_of_requests_keeps_replicas_together() {
    any_sequence(&asking_settings());
}

/// The same where settings may ask for nothing: then a set has no stamp, and once they ask, only Leave keeps its pods
/// as they are.
#[test]
fn any_sequence_of_requests_keeps_replicas_together_where_nothing_is_asked_at_times() {
    let mut settings = asking_settings();
    settings.push(json!({}));
    for settings in &mut settings {
        settings["unstampedPods"] = json!("Leave");
    }
    any_sequence(&settings);
}

fn asking_settings() -> Vec<Value> {
    vec![
        asking_for(KEY),
        asking_for(OTHER),
        with(
            asking_for(KEY),
            &json!({"replicaValue": "NamespacedLeaderName"}),
        ),
        with(
            asking_for(OTHER),
            &json!({"replicaValue": "HashedLeaderName", "workloadAnnotations": "Replace"}),
        ),
        json!({"replicaSpecificToleration": [{"key": KEY}]}),
    ]
}

fn any_sequence(settings: &[Value]) {
    let leader = &set_with_leader()["spec"]["leaderWorkerTemplate"]["leaderTemplate"];
    for seed in 1..=25 {
        let mut dice = Dice(seed);
        let (mut cluster, _) = Cluster::create(dice.pick(settings).clone(), &set());
        let mut trail = vec![format!("seed {seed}"), cluster.settings.to_string()];
        for tag in 2..14 {
            let action = dice.roll(10);
            let mut manifest = cluster.manifest.clone();
            match action {
                0 => cluster.settings = dice.pick(settings).clone(),
                1 => manifest = writers::scale(&manifest, 1 + dice.roll(3)),
                2 => new_image(&mut manifest, tag),
                3 => annotate(
                    &mut manifest,
                    *dice.pick(&[None, Some("pool.test/third"), Some("")]),
                ),
                4 => {
                    let template = manifest["spec"]["leaderWorkerTemplate"]
                        .as_object_mut()
                        .unwrap();
                    if template.remove("leaderTemplate").is_none() {
                        template.insert("leaderTemplate".to_owned(), leader.clone());
                    }
                }
                _ => {}
            }
            let stored = &cluster.stored;
            let by = dice.roll(3);
            let mut object = match by {
                0 => writers::client_side_apply(stored, &cluster.manifest, &manifest),
                1 => writers::server_side_apply(stored, &cluster.manifest, &manifest),
                _ => writers::replace(stored, &manifest),
            };
            match action {
                5 => object = writers::through_go_types(&object),
                6 if asks(&cluster) => set_stamp(&mut object, "workerTemplate", Some("{}")),
                _ => {}
            }
            trail.push(format!("{action} by {by} under {}", cluster.settings));
            cluster.recreate();
            cluster.manifest = manifest;
            let step = cluster.update(&object);
            match action {
                // An edited stamp and an annotation are resolved anew, which may come to the same.
                3 | 6 => {}
                2 | 4 => assert!(step.rolled, "{trail:#?}"),
                _ => assert!(!step.rolled, "{trail:#?}"),
            }
        }
    }
}

/// Whether the settings ask for something of every set.
fn asks(cluster: &Cluster) -> bool {
    !cluster.settings["replicaSpecificToleration"].is_null()
}

/// Numbers that look random and are the same in every run (xorshift).
struct Dice(u32);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        for _ in 0..3 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 17;
            self.0 ^= self.0 << 5;
        }
        self.0 % sides
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[usize::try_from(self.roll(u32::try_from(from.len()).unwrap())).unwrap()]
    }
}
