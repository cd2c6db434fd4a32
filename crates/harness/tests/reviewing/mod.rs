//! What the tests of `review` share: the policy itself, settings, and inputs.
#![allow(
    dead_code,
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "each test file uses its part; a failed set-up fails the test"
)]

use lws_placement::engine::Module;
use lws_placement::review::source::Source;
use lws_placement::review::{Options, Report, Reviewer};
use lws_placement::settings::{Settings, from_document};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The policy, compiled once. `LWS_PLACEMENT_POLICY` names another than `make annotated-policy.wasm` builds.
static POLICY: LazyLock<Module> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = std::env::var_os("LWS_PLACEMENT_POLICY")
        .map_or_else(|| root.join("annotated-policy.wasm"), PathBuf::from);
    Module::load(&path).expect("make annotated-policy.wasm builds the policy")
});

pub const SHOWN: Options = Options {
    replicas: 10,
    objects: false,
};

/// One key and its toleration, and what else is given.
pub fn settings(more: Value) -> Settings {
    let mut value = json!({
        "replicaSpecificNodeSelector": "compact-placement-group",
        "replicaSpecificToleration": [{"key": "compact-placement-group", "effect": "NoSchedule"}],
    });
    value
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    from_document("settings.yaml", value).unwrap()
}

pub fn fixture(name: &str) -> Source {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/review")
        .join(name);
    let mut source = Source::read(&path).expect("the fixture is there");
    source.name = name.to_owned();
    source
}

pub fn written(text: impl AsRef<str>) -> Source {
    Source {
        name: "input.yaml".to_owned(),
        text: text.as_ref().as_bytes().to_vec(),
    }
}

/// A set of this many replicas of two pods.
pub fn set(namespace: &str, name: &str, replicas: u64) -> Value {
    json!({
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"replicas": replicas, "leaderWorkerTemplate": {
            "size": 2,
            "workerTemplate": {"spec": {"containers": []}},
        }},
    })
}

pub fn review(settings: &Settings, sources: &[Source]) -> Report {
    review_with(settings, SHOWN, sources)
}

pub fn review_with(settings: &Settings, options: Options, sources: &[Source]) -> Report {
    let mut reviewer = Reviewer::new(&*POLICY, settings, options);
    for source in sources {
        reviewer.take(source);
    }
    reviewer.finish()
}

/// What a review has to say beside its tables.
pub fn notes(report: &Report) -> Vec<&str> {
    report.notes.iter().map(|note| note.text.as_str()).collect()
}
