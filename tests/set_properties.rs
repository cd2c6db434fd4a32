//! S6 to S9: sets through generated sequences of requests under changing settings.
//!
//! The cluster (`common/cluster.rs`) checks each answer: a dry run is the same, its own output is left alone and passes
//! Validate, stamps alone are touched; and each running replica, recreated at any time, is placed as it was.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;
mod generate;

use common::cluster::Cluster;
use common::{ask, writers};
use generate::json::Json;
use generate::random::Random;
use generate::request::{Answer, Request};
use generate::{cases, changes, settings};
use lws_replica_placement::validate;
use serde_json::{Value, json};

const STAMP: &str = "lws-replica-placement/placement";

/// Settings under which leader and workers are placed alike, so that the cluster can compare them.
fn plain_settings(random: &mut Random) -> Value {
    let mut settings = settings::valid(random);
    let map = settings.as_object_mut().unwrap();
    map.remove("members");
    map.remove("placementUnit");
    settings
}

/// A change to a set, as people and controllers make them.
fn edit(random: &mut Random, set: &mut Value, last: &Value) {
    let key = random.pick(&[
        "pool.test/group",
        "plain",
        "pool.test/other",
        "",
        "pool.test/group,plain",
    ]);
    let template = *random.pick(&["leaderTemplate", "workerTemplate"]);
    let has_leader = set["spec"]["leaderWorkerTemplate"]["leaderTemplate"].is_object();
    match random.below(13) {
        0 => *set = writers::scale(set, u32::try_from(1 + random.below(4)).unwrap()),
        1 => common::new_image(set, u32::try_from(random.below(9)).unwrap()),
        2 => set["metadata"]["annotations"]["lws-replica-placement/node-selector"] = json!(key),
        3 => set["metadata"]["annotations"]["lws-replica-placement/toleration"] = json!(key),
        4 => {
            set["metadata"]
                .as_object_mut()
                .unwrap()
                .remove("annotations");
        }
        5 if template == "workerTemplate" || has_leader => common::set_stamp(set, template, None),
        6 if template == "workerTemplate" || has_leader => {
            let forged = random.pick(&["{}", "no stamp", r#"{"nodeSelector":["forged"]}"#]);
            common::set_stamp(set, template, Some(forged));
        }
        7 => {
            let templates = set["spec"]["leaderWorkerTemplate"].as_object_mut().unwrap();
            if templates.remove("leaderTemplate").is_none() {
                let mut leader = templates["workerTemplate"].clone();
                leader.as_object_mut().unwrap().remove("metadata");
                templates.insert("leaderTemplate".to_owned(), leader);
            }
        }
        8 => *set = writers::through_go_types(set),
        9 => *set = writers::replace(set, last),
        10 => set["metadata"]["labels"]["app"] = json!(key.replace(['/', ','], "-")),
        11 => set["status"]["replicas"] = json!(random.below(5)),
        _ => {
            let restart = random.pick(&["None", "Default", "RecreateGroupOnPodRestart"]);
            set["spec"]["leaderWorkerTemplate"]["restartPolicy"] = json!(restart);
        }
    }
}

/// Whether all that two sets differ in is none of the contract's fields.
fn touches_nothing(new: &Value, old: &Value) -> bool {
    let read = |set: &Value| {
        let annotations = &set["metadata"]["annotations"];
        json!([annotations, set["spec"]])
    };
    read(new) == read(old)
}

#[test]
fn sequences_of_requests() {
    let (mut updates, mut stamped, mut refused) = (0, 0, 0);
    cases(80, |random| {
        let set = if random.once_in(2) {
            common::set()
        } else {
            common::set_with_leader()
        };
        let settings = plain_settings(random);
        if ask(&settings, "CREATE", &set, None)["accepted"] != true {
            return;
        }
        let mut cluster = match random.below(4) {
            0 => Cluster::older_than_the_policy(settings, &set),
            _ => Cluster::create(settings, &set).0,
        };
        for _ in 0..8 {
            if random.once_in(4) {
                cluster.settings = plain_settings(random);
            }
            let mut new = cluster.stored.clone();
            edit(random, &mut new, &set);
            let answer = ask(&cluster.settings, "UPDATE", &new, Some(&cluster.stored));
            if answer["accepted"] != true {
                refused += 1;
                assert!(!touches_nothing(&new, &cluster.stored), "S7: {answer}");
                continue;
            }
            updates += 1;
            let before = cluster.stored.clone();
            let step = cluster.edit_unchecked(|set| *set = new.clone());
            stamped += usize::from(step.patched);
            if touches_nothing(&new, &before) {
                assert!(
                    !step.patched && step.warnings.is_empty(),
                    "S6, S7: {step:?}"
                );
            }
            // Without a stamp pods follow the settings of the moment.
            if cluster.stamps()[1].is_some() {
                cluster.recreate();
            }
        }
    });
    println!("{updates} updates, {stamped} stamped, {refused} refused");
}

/// S9, I5: the bytes of everything but the stamps, in any spelling.
#[test]
fn stamps_alone_are_written() {
    let mut stamped = 0;
    cases(1_000, |random| {
        let settings = settings::valid(random);
        let dots = settings::has_dots(&settings);
        let mut set = Json::from(&generate::set::valid(random, dots));
        for template in ["leaderTemplate", "workerTemplate"] {
            let templates = set.at("spec").at("leaderWorkerTemplate");
            if templates.get(template).is_none() {
                continue;
            }
            dress(random, templates.at(template));
        }
        let text = set.spelt(random);
        let request = |object: &str, action: &str| {
            let mut settings = settings.clone();
            settings["action"] = json!(action);
            let request = Request {
                settings: settings.to_string(),
                kind: "LeaderWorkerSet",
                namespace: "red".to_owned(),
                object: object.to_owned(),
                old: None,
            };
            Answer::of(validate(request.payload().as_bytes()))
        };
        let answer = request(&text, "Inject");
        let Some(mutated) = answer.mutated() else {
            return;
        };
        stamped += 1;
        changes::stamps_alone(&text, mutated);
        let again = request(mutated, "Inject");
        assert!(
            again.accepted() && again.mutated().is_none(),
            "I7: {}",
            again.text
        );
        let judged = request(mutated, "Validate");
        assert!(
            judged.accepted() && judged.mutated().is_none(),
            "V4: {}",
            judged.text
        );
    });
    assert!(
        std::env::var("PROPERTY_FACTOR").is_ok() || stamped > 300,
        "{stamped}"
    );
}

/// Metadata and annotations of a template: absent, null, empty, with others, with a stamp among them.
fn dress(random: &mut Random, template: &mut Json) {
    match random.below(6) {
        0 => template.remove("metadata"),
        1 => template.scatter(random, "metadata", Json::Raw("null".to_owned())),
        2 => template.scatter(random, "metadata", json!({})),
        3 => {
            let annotations = Json::Raw((*random.pick(&["null", "{}", "{ }"])).to_owned());
            template
                .at("metadata")
                .scatter(random, "annotations", annotations);
        }
        _ => {
            let metadata = template.at("metadata");
            let annotations = metadata.at("annotations");
            annotations.scatter(random, "z", json!("\u{0}/\"\\"));
            annotations.scatter(random, "a", json!("b"));
            if random.once_in(2) {
                let stamp = random.pick(&["{}", "forged", ""]).to_string();
                annotations.scatter(random, STAMP, json!(stamp));
            }
            if random.once_in(4) {
                annotations.remove("a");
                annotations.remove("z");
            }
        }
    }
    let odd = generate::pod::odd(random);
    template.scatter(random, "futureKnob", odd);
}
