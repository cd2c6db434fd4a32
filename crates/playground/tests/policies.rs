//! The policies that settings make, put through the reader of policies and held to what the settings do.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod texts;

use lws_playground::policies::policies;
use lws_playground::review;
use lws_review::evaluator::Native;
use lws_review::policies::{Action, Chain, Files, Namespaces, setup};
use lws_review::review::{Options, Report, Reviewer};
use serde_json::Value;
use std::io::Write;
use texts::{SETTINGS, SUBGROUPS, SUBGROUPS_SETTINGS, TPU, TPU_SETTINGS, VLLM};

/// The policies, read back; nothing may be wrong with them.
fn read(text: &str) -> Files {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let mut files = Files::default();
    files.take(file.path()).unwrap();
    assert_eq!(files.faults, []);
    assert_eq!(setup::faults(&files.policies), []);
    assert_eq!(setup::notes(&files.policies), []);
    files
}

fn reviewed(manifests: &str, policies: Files) -> Report {
    let chain = Chain::new(policies.policies, Namespaces::default()).unwrap();
    let options = Options {
        replicas: 10,
        objects: false,
    };
    let mut reviewer = Reviewer::under(&Native, &chain, options);
    reviewer.see(&lws_playground::texts::manifests(manifests));
    reviewer.finish()
}

#[test]
fn they_inject_as_the_settings_do() {
    for (manifests, settings) in [
        (VLLM, SETTINGS),
        (TPU, TPU_SETTINGS),
        (SUBGROUPS, SUBGROUPS_SETTINGS),
    ] {
        let files = read(&policies(settings).unwrap());
        let actions: Vec<Action> = files
            .policies
            .iter()
            .map(|policy| policy.action())
            .collect();
        assert_eq!(
            actions,
            [
                Action::Inject,
                Action::Inject,
                Action::Validate,
                Action::Validate
            ]
        );
        let by_policies = reviewed(manifests, files);
        let by_settings = review(manifests, settings).unwrap();
        assert_eq!(by_policies.sum.refused, 0);
        assert_eq!(by_policies.sets[0].shown, by_settings.sets[0].shown);
        assert!(by_settings.sum.node_groups > 0);
    }
}

#[test]
fn settings_that_judge_make_the_twins_alone() {
    let text = policies(&format!("action: Validate\n{SETTINGS}")).unwrap();
    let files = read(&text);
    assert_eq!(files.policies.len(), 2);
    assert!(
        files
            .policies
            .iter()
            .all(|policy| policy.action() == Action::Validate)
    );
}

#[test]
fn the_examples_own_settings_make_the_files_of_the_examples() {
    let files = [
        "policy-server",
        "pods",
        "leaderworkersets",
        "pods-validate",
        "leaderworkersets-validate",
    ];
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/install");
    let text: Vec<String> = files
        .iter()
        .map(|file| std::fs::read_to_string(format!("{root}/{file}.yaml")).unwrap())
        .collect();
    let objects = |text: &str| -> Vec<Value> {
        let documents = lws_manifest::read(text).into_iter();
        documents.map(|document| document.unwrap().value).collect()
    };
    assert_eq!(
        objects(&policies(SETTINGS).unwrap()),
        objects(&text.join("---\n"))
    );
}

#[test]
fn refused_settings_make_none() {
    assert!(policies("members: Nobody\n").is_err());
}
