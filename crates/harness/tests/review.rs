//! What `review` finds, with the policy itself.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a failed set-up fails the test"
)]

use lws_placement::engine::Module;
use lws_placement::evaluator::Evaluator;
use lws_placement::review::render::style::Look;
use lws_placement::review::render::{markdown, table, yaml};
use lws_placement::review::source::Source;
use lws_placement::review::{Options, Report, Reviewer};
use lws_placement::settings::{Settings, from_document};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Instant;

static ROOT: LazyLock<PathBuf> =
    LazyLock::new(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));

/// The policy, compiled once. `LWS_PLACEMENT_POLICY` names another than `make annotated-policy.wasm` builds.
static POLICY: LazyLock<Module> = LazyLock::new(|| {
    let path = std::env::var_os("LWS_PLACEMENT_POLICY")
        .map_or_else(|| ROOT.join("annotated-policy.wasm"), PathBuf::from);
    Module::load(&path).expect("make annotated-policy.wasm builds the policy")
});

/// One key and its toleration.
fn settings() -> Settings {
    from_document(
        "settings.yaml",
        json!({
            "replicaSpecificNodeSelector": "compact-placement-group",
            "replicaSpecificToleration": [{"key": "compact-placement-group", "effect": "NoSchedule"}],
        }),
    )
    .unwrap()
}

fn fixture(name: &str) -> Source {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/review")
        .join(name);
    let mut source = Source::read(&path).expect("the fixture is there");
    source.name = name.to_owned();
    source
}

fn written(text: &str) -> Source {
    Source {
        name: "input.yaml".to_owned(),
        text: text.as_bytes().to_vec(),
    }
}

fn review(settings: &Settings, options: Options, sources: &[Source]) -> Report {
    let mut reviewer = Reviewer::new(&*POLICY, settings, options);
    for source in sources {
        reviewer.take(source);
    }
    reviewer.finish()
}

const SHOWN: Options = Options {
    replicas: 10,
    objects: false,
};

fn table_of(names: &[&str]) -> String {
    let sources: Vec<Source> = names.iter().map(|name| fixture(name)).collect();
    table::write(&review(&settings(), SHOWN, &sources), Look::default())
}

/// A set of one replica and two pods, of that name in that namespace, with this at the end of its worker template.
fn set(namespace: &str, name: &str, template: &str) -> Source {
    written(&format!(
        "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {{name: {name}, namespace: {namespace}}}\nspec:\n  leaderWorkerTemplate:\n    size: 2\n    workerTemplate:\n      spec:\n        containers: []\n{template}"
    ))
}

#[test]
fn the_example_is_the_table_that_the_readme_shows() {
    let mut source = Source::read(&ROOT.join("examples/vllm.yaml")).unwrap();
    source.name = "examples/vllm.yaml".to_owned();
    let report = review(&settings(), SHOWN, &[source]);
    let text = table::write(&report, Look::default());
    assert_eq!(
        text,
        "\
LeaderWorkerSet default/vllm  2 replicas x 4 pods  examples/vllm.yaml:3
+annotation lws-replica-placement/placement in leaderTemplate and workerTemplate
REPLICA  VALUE   PODS                 NODE SELECTOR             TOLERATION
0        vllm-0  vllm-0, vllm-0-1..3  +compact-placement-group  +compact-placement-group:NoSchedule
1        vllm-1  vllm-1, vllm-1-1..3  +compact-placement-group  +compact-placement-group:NoSchedule

passed over: 1 Service

2 replicas, 2 node groups, 8 pods, 0 refused
+ added by the policy, = in the pod already"
    );
    assert!(text.lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn the_examples_settings_are_these() {
    let text = std::fs::read_to_string(ROOT.join("examples/settings.yaml")).unwrap();
    let document = lws_manifest::read(text).remove(0).unwrap();
    let example = from_document("settings.yaml", document.value).unwrap();
    assert_eq!(example.value(), settings().value());
    assert!(POLICY.validate_settings(example.value()).unwrap().valid);
}

#[test]
fn what_a_pod_has_already_is_marked() {
    let text = table_of(&["placed.yaml"]);
    let row = "0        placed-0  placed-0, placed-0-1  =compact-placement-group  +compact-placement-group:NoSchedule";
    assert!(text.contains(row), "{text}");
}

#[test]
fn a_set_that_pins_the_key_is_refused_where_it_does() {
    let report = review(&settings(), SHOWN, &[fixture("pinned.yaml")]);
    let set = &report.sets[0];
    let refusal = set.admission.refusal.as_ref().unwrap();
    assert_eq!(
        refusal.place.as_ref().unwrap().to_string(),
        "pinned.yaml:19:36"
    );
    assert!(set.shown.is_empty());
    assert_eq!(report.sum.refused, 1);
    assert_eq!(report.sum.pods.total, 0);
    let text = table::write(&report, Look::default());
    assert!(
        text.contains(
            "\
LeaderWorkerSet team-a/pinned  2 replicas x 3 pods  pinned.yaml:1
refused, so none of its pods are made
  --> pinned.yaml:19:36
  19 |           compact-placement-group: manual
     |                                    ^^^^^^
  LeaderWorkerSet \"team-a/pinned\": "
        ),
        "{text}"
    );
}

#[test]
fn refused_pods_of_all_replicas_share_a_reason() {
    // A judging policy alone finds nothing in the pods that an injecting one would have put there.
    let mut value = settings().value().clone();
    value["action"] = json!("Validate");
    let judging = from_document("settings.yaml", value).unwrap();
    let report = review(&judging, SHOWN, &[fixture("twelve.yaml")]);
    let set = &report.sets[0];
    assert!(set.admission.allowed);
    assert_eq!(set.refusals.len(), 1, "{:?}", set.refusals);
    assert_eq!(set.refusals[0].count, 12);
    assert_eq!(set.refusals[0].pods.len(), 6);
    assert_eq!(report.sum.refused, 12);
    assert_eq!((set.shown.len(), set.hidden), (10, 2));
    let note = &report.notes[0].text;
    assert!(
        note.starts_with("the settings only judge (action: Validate)"),
        "{note}"
    );
    let text = table::write(&report, Look::default());
    assert!(
        text.contains("0        many-0  many-0  refused [1]    -"),
        "{text}"
    );
    assert!(
        text.contains("... and 2 replicas, judged but not shown (--replicas 12 shows all)"),
        "{text}"
    );
    assert!(
        text.contains("[1] 12 pods (many-0, many-1, many-2, many-3, many-4, many-5, ...) refused"),
        "{text}"
    );
}

#[test]
fn pods_of_the_input_are_judged_as_they_are() {
    let report = review(&settings(), SHOWN, &[fixture("pods.yaml")]);
    let placed = &report.pods[0];
    assert!(placed.result.allowed);
    assert_eq!(placed.result.value.as_deref(), Some("vllm-0"));
    let refused = report.pods[1].refused.as_ref().unwrap();
    assert_eq!(
        refused.place.as_ref().unwrap().to_string(),
        "pods.yaml:38:30"
    );
    assert_eq!(report.passed_over["Pod of no LeaderWorkerSet"], 1);
    assert_eq!(
        (
            report.sum.pods.total,
            report.sum.refused,
            report.sum.node_groups
        ),
        (2, 1, 1)
    );
}

#[test]
fn a_leader_without_a_name_waits_for_one() {
    let text = table_of(&["hash-identity.yaml"]);
    assert!(
        text.contains("fleet-78c59cc99d-*           once it has a name"),
        "{text}"
    );
    assert!(
        text.contains("fleet-78c59cc99d-bbbbb-1..2  +compact-placement-group"),
        "{text}"
    );
}

#[test]
fn sets_that_share_a_value_are_told() {
    let one = set("team-a", "vllm", "");
    let told = |other: Source| {
        let report = review(&settings(), SHOWN, &[set("team-a", "vllm", ""), other]);
        assert_eq!(report.sum.node_groups, 1);
        report.notes[0].text.clone()
    };
    assert_eq!(
        told(set("team-b", "vllm", "")),
        "LeaderWorkerSet team-b/vllm and LeaderWorkerSet team-a/vllm (input.yaml:1) share the value \"vllm-0\", so their replicas would share nodes, whose labels know no namespace; set replicaValue to NamespacedLeaderName or HashedLeaderName"
    );
    assert_eq!(
        told(one),
        "LeaderWorkerSet team-a/vllm is in the input before (input.yaml:1); of two that are applied the later stands"
    );
}

#[test]
fn what_nobody_asks_for_is_told() {
    let none = from_document("empty.yaml", json!({"action": "Inject"})).unwrap();
    let notes = |sources: &[Source]| {
        let report = review(&none, SHOWN, sources);
        report
            .notes
            .into_iter()
            .map(|note| note.text)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        notes(&[fixture("twelve.yaml")]),
        [
            "nothing will change: the settings of empty.yaml ask for no node selector and no toleration, and nothing here has the annotation lws-replica-placement/node-selector or lws-replica-placement/toleration; give replicaSpecificNodeSelector or replicaSpecificToleration in --settings"
        ]
    );
    assert!(notes(&[fixture("annotated.yaml")]).is_empty());
    assert_eq!(
        notes(&[fixture("annotated.yaml"), fixture("twelve.yaml")]),
        [
            "nothing will change in LeaderWorkerSet team-b/many: neither settings nor annotations ask for a placement"
        ]
    );
}

#[test]
fn a_million_replicas_and_a_million_pods_are_bounded_and_say_so() {
    LazyLock::force(&POLICY);
    let start = Instant::now();
    let text = table_of(&["million.yaml", "wide.yaml"]);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    for line in [
        "LeaderWorkerSet default/many  1,000,000 replicas x 8 pods  million.yaml:1",
        "judged: 13 replicas and 104 pods, the first and the last of each and those at every change in the number of digits",
        "judged: 2 replicas and 26 pods, the first and the last of each and those at every change in the number of digits",
        "15 of 1,000,002 replicas judged, 15 node groups, 130 of 10,000,000 pods judged, 0 refused",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    assert!(text.lines().count() < 40, "{text}");
}

#[test]
fn manifests_read_back_as_the_objects_that_they_are() {
    let odd = r##"
          - {name: odd, image: "yes", args: ["1e3", "0x10", "012", "~", "null", "on", " led", "trail ", "a: b", "# c", "line\nline\n", "line\n\n\n", "\ttab", "it's \"quoted\"", "-", "", "\\", "2001-01-01", "12_000", "1:30", "{{x}}", "é☃😀", "a\u0000b", "LONG"], workingDir: /}"##;
    let long = "word ".repeat(60) + " two  spaces and 'quotes'  ";
    let text = odd.replace("LONG", &long);
    let source = set("team-a", "odd", "").text;
    let source = String::from_utf8(source).unwrap().replace(" []", &text);
    let report = review(
        &settings(),
        Options {
            replicas: 10,
            objects: true,
        },
        &[written(&source)],
    );
    assert_eq!(report.problems, []);
    let objects = &report.sets[0].objects;
    assert_eq!(objects.len(), 3);
    let read: Vec<Value> = lws_manifest::read(yaml::write(&report).unwrap())
        .into_iter()
        .map(|read| read.unwrap().value)
        .collect();
    assert_eq!(&read, objects);
    assert_eq!(
        read[2]["spec"]["nodeSelector"]["compact-placement-group"],
        "odd-0"
    );
    assert_eq!(read[2]["metadata"]["name"], "odd-0-1");
}

#[test]
fn markdown_has_a_row_each_and_the_sum() {
    let report = review(
        &settings(),
        SHOWN,
        &[
            fixture("placed.yaml"),
            fixture("pods.yaml"),
            fixture("pinned.yaml"),
        ],
    );
    let text = markdown::write(&report);
    for line in [
        "### Refused",
        "<summary>LeaderWorkerSet default/placed: 1 replica x 2 pods, 0 refused</summary>",
        "| Replica | Value | Pods | Node selector | Toleration |",
        "| 0 | `placed-0` | `placed-0, placed-0-1` | `=compact-placement-group` | `+compact-placement-group:NoSchedule` |",
        "| `team-a/vllm-0-2` | `vllm-0` | `pods.yaml:21` | **refused \\[1\\]** | - |",
        "passed over: 1 Pod of no LeaderWorkerSet",
        "**1 replica, 2 node groups, 4 pods, 2 refused**",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

#[test]
fn a_narrow_terminal_gets_a_narrow_table() {
    let report = review(&settings(), SHOWN, &[fixture("placed.yaml")]);
    let look = Look {
        colour: false,
        width: Some(60),
    };
    let text = table::write(&report, look);
    let rows = text.lines().skip(2).take_while(|line| !line.is_empty());
    assert!(rows.clone().count() > 2);
    assert!(
        rows.clone().all(|line| line.chars().count() <= 60),
        "{text}"
    );
    assert!(!text.contains('\u{1b}'));
    let colour = table::write(
        &report,
        Look {
            colour: true,
            width: None,
        },
    );
    assert!(colour.contains("\u{1b}["));
}

#[test]
fn two_runs_are_equal() {
    let run = || table_of(&["twelve.yaml", "placed.yaml", "list.yaml", "wrapped.yaml"]);
    assert_eq!(run(), run());
}
