//! `review` as its users meet it: what it reads, what it says of what it cannot review, its formats and exit status.
//!
//! The policy of these tests answers whatever its settings are (see `common::echo`); what the real one makes of sets and
//! pods is in `review.rs`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{Done, Place};
use serde_json::Value;

const ACCEPT: &str = r#"{"accepted": true}"#;

/// A place with the fixtures of this name.
fn place(names: &[&str]) -> Place {
    let place = Place::new();
    for name in names {
        let path = format!(
            "{}/tests/fixtures/review/{name}",
            env!("CARGO_MANIFEST_DIR")
        );
        place.write(name, std::fs::read(path).unwrap());
    }
    place
}

/// Reviews one fixture with a policy that accepts everything.
fn review(name: &str) -> Done {
    place(&[name]).run(&["review", "--settings-json", ACCEPT, name])
}

fn has_line(done: &Done, line: &str) {
    assert!(
        done.stdout.lines().any(|found| found == line),
        "{line}\n{done:?}"
    );
}

#[test]
fn a_helm_template_is_to_be_rendered_first() {
    let done = review("templates.yaml");
    has_line(
        &done,
        "error: templates.yaml:4:9: a template that has not been rendered; render it first: helm template … | lws-placement review -f -",
    );
    has_line(&done, "  4 |   name: {{ .Release.Name }}-serve");
    has_line(&done, "    |         ^");
    // What stands beside it is read all the same.
    has_line(&done, "passed over: 1 Service");
    assert_eq!(done.status, 2);
    assert_eq!(
        done.stderr,
        "error: 1 error in the review; the output tells it\n"
    );

    let done = review("quoted-template.yaml");
    has_line(
        &done,
        "error: quoted-template.yaml:4:3: a template that has not been rendered; render it first: helm template … | lws-placement review -f -",
    );
    assert_eq!(done.status, 2);
}

#[test]
fn sets_inside_of_other_objects_are_told() {
    let done = review("wrapped.yaml");
    has_line(
        &done,
        "note: wrapped.yaml:12:7: AppWrapper \"wrapper\" holds the LeaderWorkerSet \"inner\" (spec.components[1].template), which is not reviewed here; put it into a file of its own to review it",
    );
    has_line(
        &done,
        "note: wrapped.yaml:29:3: ConfigMap \"templates\" holds a LeaderWorkerSet in the text of data[\"set.yaml\"], which is not reviewed here; put the text into a file of its own to review it",
    );
    has_line(
        &done,
        "note: no LeaderWorkerSet and no pod of one is in the input",
    );
    has_line(&done, "passed over: 1 AppWrapper, 1 ConfigMap");
    assert_eq!(done.status, 0);
}

#[test]
fn a_field_that_lws_never_had_is_told_with_its_annotation() {
    let done = review("legacy-field.yaml");
    has_line(
        &done,
        "warning: legacy-field.yaml:6:3: spec.replicaSpecificNodeSelector is not a field of LWS v1; use the annotation lws-replica-placement/node-selector: \"pool.example/group\" on the set or on its templates",
    );
    assert_eq!(done.status, 0);
}

#[test]
fn a_version_that_nobody_serves_is_an_error() {
    let done = review("old-version.yaml");
    has_line(
        &done,
        "error: old-version.yaml:1:1: apiVersion is \"leaderworkerset.x-k8s.io/v1alpha1\", but LeaderWorkerSets are \"leaderworkerset.x-k8s.io/v1\"; correct it, and see that the fields are those of v1",
    );
    assert_eq!(done.status, 2);
}

#[test]
fn settings_that_ask_for_nothing_are_told() {
    let place = place(&["twelve.yaml"]);
    let done = place.run(&["review", "--settings-json", ACCEPT, "twelve.yaml"]);
    assert!(
        done.stdout
            .contains("note: nothing will change: the settings of --settings-json ask for no"),
        "{done:?}"
    );
}

#[test]
fn what_cannot_be_read_is_told_with_its_line_and_the_rest_is_reviewed() {
    let place = place(&[
        "duplicate-key.yaml",
        "not-yaml.yaml",
        "bad-field.yaml",
        "list.yaml",
    ]);
    let done = place.run(&[
        "review",
        "--settings-json",
        ACCEPT,
        "-f",
        "missing.yaml",
        "-f",
        "duplicate-key.yaml",
        "-f",
        "not-yaml.yaml",
        "bad-field.yaml",
        "list.yaml",
    ]);
    for line in [
        "error: cannot read missing.yaml: No such file or directory (os error 2); check the path, or give - for standard input",
        "error: duplicate-key.yaml:5:3: the key \"name\" is here and on line 4; remove one of the two",
        "error: not-yaml.yaml:5:5: not valid YAML: illegal placement of ':' indicator",
        "error: bad-field.yaml:6:3: LeaderWorkerSet \"bad\" cannot be expanded: spec.replicas is -1; it must be from 0 to 2147483647",
        "LeaderWorkerSet default/listed  1 replica x 1 pod  list.yaml:4",
        "passed over: 1 ConfigMap, 2 Service",
        "1 replica, 0 node groups, 1 pod, 0 refused, 4 not reviewed",
    ] {
        has_line(&done, line);
    }
    assert_eq!(done.status, 2);
    assert_eq!(
        done.stderr,
        "error: 4 errors in the review; the output tells them\n"
    );
}

#[test]
fn folders_and_standard_input_are_read() {
    let place = place(&[]);
    let text = std::fs::read_to_string(format!(
        "{}/tests/fixtures/review/list.yaml",
        env!("CARGO_MANIFEST_DIR")
    ))
    .unwrap();
    place.write("manifests/b/two.yml", &text);
    place.write("manifests/a/one.yaml", &text);
    place.write("manifests/notes.txt", "no: [manifest");
    place.write("empty/notes.txt", "");
    let json = r#"{"apiVersion": "v1", "kind": "Namespace"} {"apiVersion": "v1", "kind": "Node"}"#;
    place.write("manifests/c.json", json);
    let done = place.run(&["review", "--settings-json", ACCEPT, "-f", "manifests"]);
    let headings: Vec<&str> = done
        .stdout
        .lines()
        .filter(|line| line.starts_with("LeaderWorkerSet"))
        .collect();
    assert_eq!(
        headings,
        [
            "LeaderWorkerSet default/listed  1 replica x 1 pod  manifests/a/one.yaml:4",
            "LeaderWorkerSet default/listed  1 replica x 1 pod  manifests/b/two.yml:4",
        ]
    );
    has_line(
        &done,
        "passed over: 2 ConfigMap, 1 Namespace, 1 Node, 4 Service",
    );
    assert_eq!(done.status, 0);

    let done = place.run_with(&["review", "--settings-json", ACCEPT, "-f", "-"], &text);
    has_line(
        &done,
        "LeaderWorkerSet default/listed  1 replica x 1 pod  standard input:4",
    );
    assert_eq!(done.status, 0);

    let done = place.run(&["review", "--settings-json", ACCEPT, "empty"]);
    has_line(
        &done,
        "error: folder empty holds no file that ends in .yaml, .yml or .json; name the files themselves",
    );
    assert_eq!(done.status, 2);
}

#[test]
fn a_refusal_is_exit_status_1() {
    let refuse = r#"{"accepted": false, "message": "LeaderWorkerSet \"team-b/many\": spec.replicas: too many; take fewer", "code": 422}"#;
    let done = place(&["twelve.yaml"]).run(&["review", "--settings-json", refuse, "twelve.yaml"]);
    has_line(&done, "refused, so none of its pods are made");
    has_line(&done, "  --> twelve.yaml:7:13");
    has_line(&done, "0 replicas, 0 node groups, 0 pods, 1 refused");
    assert_eq!((done.status, done.stderr.as_str()), (1, ""));
}

#[test]
fn every_format_says_the_same() {
    let place = place(&["twelve.yaml"]);
    let run = |format| {
        let done = place.run(&[
            "review",
            "--settings-json",
            ACCEPT,
            "--replicas",
            "2",
            "-o",
            format,
            "twelve.yaml",
        ]);
        assert_eq!(done.status, 0);
        assert!(!done.stdout.contains('\u{1b}'));
        done.stdout
    };
    let json: Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(json["sets"][0]["place"]["line"], 1);
    assert_eq!(json["sets"][0]["shown"].as_array().unwrap().len(), 2);
    assert_eq!(
        json["sets"][0]["shown"][1]["members"][0]["pods"][0],
        "many-1"
    );
    assert_eq!(json["sets"][0]["hidden"], 10);
    assert_eq!(json["sum"]["pods"]["judged"], 12);
    assert!(
        run("markdown")
            .starts_with("### Accepted\n\n**12 replicas, 0 node groups, 12 pods, 0 refused**\n\n")
    );
    assert!(run("table").contains("\n12 replicas, 0 node groups, 12 pods, 0 refused\n"));
    // The set and the pods of two replicas.
    let manifests = lws_manifest::read(run("yaml"));
    let kinds: Vec<Value> = manifests
        .into_iter()
        .map(|document| document.unwrap().value["kind"].take())
        .collect();
    assert_eq!(kinds, ["LeaderWorkerSet", "Pod", "Pod"]);
}

/// Instructions that write a text into a policy's memory.
fn store(at: usize, text: &str) -> String {
    let bytes = text.bytes().enumerate();
    bytes
        .map(|(index, byte)| format!("(i32.store8 (i32.const {}) (i32.const {byte}))", at + index))
        .collect()
}

#[test]
fn an_answer_that_depends_on_lwss_webhook_is_an_error_of_the_policy() {
    // This policy sees a replica value in what has the group-key label, which LWS's webhook gives to leaders.
    let (word, plain) = ("group-key", r#"{"accepted":true}"#);
    let valued = r#"{"accepted":true,"audit_annotations":{"decision":"none","replica-value":"v"}}"#;
    let policy = common::policy(&format!(
        r#"(call $request (i32.const 1024) (i32.const 65536))
           (if (i32.eq (local.get $operation) (i32.const 17))
             (then (call $response (i32.const 0) (i32.const 14)) (return (i32.const 1))))
           {} {} {}
           (local.set $at (i32.const 65536))
           (loop $on
             (if (call $same (local.get $at) (i32.const 2048) (i32.const {}))
               (then (call $response (i32.const 3072) (i32.const {})) (return (i32.const 1))))
             (local.set $at (i32.add (local.get $at) (i32.const 1)))
             (br_if $on (i32.lt_u (local.get $at) (i32.add (i32.const 65536) (local.get $length)))))
           (call $response (i32.const 2560) (i32.const {}))
           (i32.const 1)"#,
        store(2048, word),
        store(2560, plain),
        store(3072, valued),
        word.len(),
        valued.len(),
        plain.len(),
    ));
    let place = place(&["twelve.yaml"]);
    place.write("moody.wasm", policy);
    let done = place.run(&["review", "--policy", "moody.wasm", "twelve.yaml"]);
    has_line(
        &done,
        "error: twelve.yaml:1:1: LeaderWorkerSet team-b/many: the answer for pod \"many-0\" (and 11 more pods) depends on whether LeaderWorkerSet's own webhook has run: accepted with value none before, accepted with value v after; this is a fault of the policy, please report it",
    );
    assert_eq!(done.status, 2);
}

#[test]
fn usage_that_is_wrong_is_exit_status_2() {
    let place = place(&["list.yaml"]);
    assert_eq!(place.run(&["review"]).status, 2);
    assert_eq!(place.run(&["review", "-o", "dvi", "list.yaml"]).status, 2);
    let done = place.run(&["review", "--policy", "none.wasm", "list.yaml"]);
    assert!(
        done.stderr
            .starts_with("error: cannot read policy module \"none.wasm\""),
        "{done:?}"
    );
    assert_eq!((done.status, done.stdout.as_str()), (2, ""));
    let done = place.run(&[
        "review",
        "--settings-json",
        r#"{"message":"bad","valid":false}"#,
        "list.yaml",
    ]);
    assert_eq!(done.status, 2);
}

/// A set that names no namespace.
fn bare_set(replicas: u64, size: u64) -> String {
    format!(
        "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {{name: fruit}}\nspec:\n  replicas: {replicas}\n  leaderWorkerTemplate:\n    size: {size}\n    workerTemplate: {{spec: {{containers: []}}}}\n"
    )
}

#[test]
fn one_of_a_thing_is_told_in_the_singular() {
    let place = Place::new();
    place.write("large.yaml", bare_set(1, 20_000));
    let done = place.run(&["review", "--settings-json", ACCEPT, "large.yaml"]);
    assert!(done.stdout.contains("\njudged: 1 replica and "), "{done:?}");
    place.write("small.yaml", bare_set(1, 1));
    let explain = |pod: &str| {
        let asked = [
            "explain",
            "--settings-json",
            ACCEPT,
            "-f",
            "small.yaml",
            "--pod",
        ];
        place.run(&[&asked[..], &[pod]].concat())
    };
    let done = explain("fruit-0-1");
    assert!(
        done.stderr
            .contains("have 1 pod, so there is no worker 1; there is none at all"),
        "{done:?}"
    );
    let done = explain("fruit-1");
    assert!(
        done.stdout.contains("the set asks for 1 replica, so"),
        "{done:?}"
    );
}

#[test]
fn objects_that_name_no_namespace_can_be_given_one() {
    let place = Place::new();
    place.write(
        "sets.yaml",
        bare_set(1, 2)
            + "---\n"
            + &bare_set(1, 2).replace("{name: fruit}", "{name: other, namespace: red}"),
    );
    let review = |more: &[&str]| {
        let asked = ["review", "--settings-json", ACCEPT, "sets.yaml"];
        place.run(&[&asked[..], more].concat())
    };
    let titles = |done: &Done| -> Vec<String> {
        let lines = done.stdout.lines();
        let lines = lines.filter(|line| line.starts_with("LeaderWorkerSet "));
        lines
            .map(|line| line.split("  ").next().unwrap().to_owned())
            .collect()
    };
    let named = |namespace: &str| {
        [
            format!("LeaderWorkerSet {namespace}/fruit"),
            "LeaderWorkerSet red/other".to_owned(),
        ]
    };
    assert_eq!(titles(&review(&[])), named("default"));
    assert_eq!(titles(&review(&["-n", "team-a"])), named("team-a"));
    assert_eq!(titles(&review(&["--namespace", "blue"])), named("blue"));
    // As it becomes, it says so.
    let done = review(&["-n", "team-a", "-o", "yaml"]);
    assert!(done.stdout.contains("namespace: team-a\n"), "{done:?}");
    for wrong in ["", "Team", "-a", "a_b"] {
        let done = review(&[&format!("--namespace={wrong}")]);
        assert!(done.stderr.contains("--namespace"), "{done:?}");
        assert_eq!(done.status, 2);
    }
}
