//! `explain` as its users meet it, and the carets of `explain` and `review`, with the policy itself.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{Done, Place};
use serde_json::Value;

const SETTINGS: &str = "\
replicaSpecificNodeSelector: pool.test/group
replicaSpecificToleration:
  - {key: pool.test/group, effect: NoSchedule}
";

/// A set of two replicas with three pods each.
const SET: &str = "\
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: fruit
  namespace: red
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 3
    workerTemplate:
      spec:
        containers: []
";

/// A worker whose node selector is written as `selector` says.
fn worker(selector: &str) -> String {
    format!(
        "\
apiVersion: v1
kind: Pod
metadata:
  name: fruit-0-1
  namespace: red
  labels:
    leaderworkerset.sigs.k8s.io/name: fruit
  annotations:
    leaderworkerset.sigs.k8s.io/leader-name: fruit-0
spec:
  containers: []
{selector}"
    )
}

/// Runs a command on `input.yaml` with these contents, under [`SETTINGS`], with the policy itself.
fn run(command: &str, input: &str, more: &[&str]) -> Done {
    let place = Place::new();
    place.write("input.yaml", input);
    place.write("settings.yaml", SETTINGS);
    place.run(&arguments(&[&[command, "-f", "input.yaml"], more].concat()))
}

/// These arguments with the settings and the policy.
fn arguments<'a>(before: &[&'a str]) -> Vec<&'a str> {
    const POLICY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../annotated-policy.wasm");
    [before, &["--settings", "settings.yaml", "--policy", POLICY]].concat()
}

fn explain(input: &str, more: &[&str]) -> Done {
    run("explain", input, more)
}

/// The ids that an explanation's lines begin with.
fn ids(done: &Done) -> Vec<&str> {
    let words = done
        .stdout
        .lines()
        .filter_map(|line| line.split(' ').next());
    words
        .filter(|word| {
            let (letter, number) = word.split_at(word.len().min(1));
            letter.chars().all(|c| c.is_ascii_uppercase()) && number.parse::<u32>().is_ok()
        })
        .collect()
}

fn has_line(done: &Done, line: &str) {
    assert!(
        done.stdout.lines().any(|found| found == line),
        "{line}\n{}\n{}",
        done.stdout,
        done.stderr
    );
}

fn last_line(done: &Done) -> &str {
    done.stdout.lines().last().unwrap()
}

/// The texts above carets, line by line.
fn underlined(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines.windows(2).filter(|pair| {
        let bar = pair[1].find('|');
        bar.is_some_and(|bar| {
            let rest = pair[1][bar + 1..].trim();
            !rest.is_empty() && rest.chars().all(|c| c == '^')
        })
    });
    pairs
        .map(|pair| {
            let above: Vec<char> = pair[0].chars().collect();
            let carets = pair[1].chars().enumerate().filter(|(_, c)| *c == '^');
            carets.filter_map(|(column, _)| above.get(column)).collect()
        })
        .collect()
}

#[test]
fn an_accepted_pod() {
    let done = explain(SET, &["--pod", "fruit-1-2"]);
    assert_eq!(done.status, 0, "{done:?}");
    has_line(&done, "Pod red/fruit-1-2  input.yaml:1");
    has_line(
        &done,
        "worker 2 of replica 1 of LeaderWorkerSet red/fruit, as its controller would create it",
    );
    let weighed = [
        "P1", "P2", "P3", "A4", "P4", "P5", "P6", "C7", "P8", "P9", "I1", "I2", "I3", "I4",
    ];
    assert_eq!(ids(&done), weighed);
    has_line(
        &done,
        "C7   the replica value is \"fruit-1\": the leader's name, 7 of at most 63 characters",
    );
    has_line(
        &done,
        "I1   the node selector lacks \"pool.test/group\", which is to be \"fruit-1\"",
    );
    assert_eq!(
        last_line(&done),
        "verdict: accepted, decision inject, replica value \"fruit-1\", patched"
    );
}

#[test]
fn a_refused_pod() {
    let done = explain(
        &worker("  nodeSelector:\n    pool.test/group: manual\n"),
        &[],
    );
    assert_eq!(done.status, 1, "{done:?}");
    has_line(
        &done,
        "I1   nodeSelector \"pool.test/group\" is \"manual\", but replica \"fruit-0\" needs \"fruit-0\"; remove it from the pod template",
    );
    has_line(&done, "  --> input.yaml:13:22");
    has_line(&done, "  13 |     pool.test/group: manual");
    has_line(&done, "     |                      ^^^^^^");
    assert_eq!(
        last_line(&done),
        "verdict: refused with code 422, decision reject, replica value \"fruit-0\""
    );
    assert_eq!(done.stderr, "");
}

#[test]
fn a_deferred_pod() {
    let set = SET.replace("replicas: 2", "groupIdentity: Hash\n  replicas: 2");
    let unknown = explain(&set, &["--pod", "fruit-0"]);
    assert_eq!(unknown.status, 2);
    // The error names the leader as it can be asked for.
    let name = unknown.stderr.split('"').nth(3).unwrap().to_owned();
    assert!(name.ends_with('*'), "{unknown:?}");
    let done = explain(&set, &["--pod", &name]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(ids(&done).ends_with(&["P5", "P6", "P7"]), "{done:?}");
    assert_eq!(
        last_line(&done),
        "verdict: accepted, decision defer, no patch"
    );
}

#[test]
fn a_set_with_two_faults_has_carets_under_both() {
    let set = format!(
        "{}        nodeSelector: {{pool.test/group: 'manual'}}\n",
        SET.replace("namespace: red", "namespace: red\n  annotations:\n    leaderworkerset.sigs.k8s.io/exclusive-topology: pool.test/group")
    );
    for command in ["explain", "review"] {
        let done = run(command, &set, &[]);
        assert_eq!(done.status, 1, "{done:?}");
        let mut found = underlined(&done.stdout);
        found.sort();
        assert_eq!(found, ["'manual'", "pool.test/group"], "{}", done.stdout);
    }
    let done = explain(&set, &[]);
    assert_eq!(ids(&done), ["P1", "S1", "S2", "S3", "S4"]);
    assert_eq!(
        last_line(&done),
        "verdict: refused with code 422, decision reject"
    );
    // Its pods are never made, and the explanation says so.
    let done = explain(&set, &["--pod", "fruit-0"]);
    assert!(
        done.stdout
            .contains("the set itself is refused, so it is never made"),
        "{done:?}"
    );
}

#[test]
fn carets_stand_under_the_value_in_every_notation() {
    let notations = [
        (
            "  nodeSelector:\n    pool.test/group: manual # by hand\n",
            "manual",
        ),
        (
            "  nodeSelector:\n    pool.test/group: \"manual\"\n",
            "\"manual\"",
        ),
        (
            "  nodeSelector: {zone: a, pool.test/group: manual, b: c}\n",
            "manual",
        ),
        (
            "  nodeSelector: {\"pool.test/group\": 'ma''nual'}\n",
            "'ma''nual'",
        ),
        (
            "  nodeSelector: {\"値\": 値, pool.test/group: manual}\n",
            "manual",
        ),
    ];
    let pods: Vec<String> = notations
        .iter()
        .enumerate()
        .map(|(index, (selector, _))| {
            worker(selector).replace("fruit-0-1", &format!("fruit-0-{}", index + 1))
        })
        .collect();
    let values: Vec<&str> = notations.iter().map(|(_, value)| *value).collect();
    let all = pods.join("---\n");
    // What is wide is two columns wide on the screen, and one character here.
    let narrow = |done: &Done| done.stdout.replace('値', "xx");
    let done = run("review", &all, &[]);
    assert_eq!(underlined(&narrow(&done)), values, "{}", done.stdout);
    for index in [2, 4] {
        let name = format!("fruit-0-{}", index + 1);
        let done = explain(&all, &["--name", &name]);
        assert_eq!(
            underlined(&narrow(&done)),
            [values[index]],
            "{}",
            done.stdout
        );
    }
}

#[test]
fn carets_stand_under_the_value_in_json() {
    let yaml = worker("  nodeSelector: {pool.test/group: manual}\n");
    let pod = lws_manifest::read(&yaml).remove(0).unwrap().value;
    for json in [
        serde_json::to_string(&pod).unwrap(),
        serde_json::to_string_pretty(&pod).unwrap(),
    ] {
        for command in ["explain", "review"] {
            let done = run(command, &json, &[]);
            assert_eq!(underlined(&done.stdout), ["\"manual\""], "{}", done.stdout);
            let longest = done
                .stdout
                .lines()
                .filter(|line| line.contains(" | "))
                .map(str::len)
                .max();
            assert!(longest.unwrap() < 140, "{}", done.stdout);
        }
    }
}

#[test]
fn a_conflict_that_a_template_brings_is_shown_in_the_template() {
    let set = format!(
        "{SET}        affinity:\n          nodeAffinity:\n            requiredDuringSchedulingIgnoredDuringExecution:\n              nodeSelectorTerms:\n                - matchExpressions: [{{key: pool.test/group, operator: DoesNotExist}}]\n"
    );
    let done = explain(&set, &["--pod", "fruit-0-1"]);
    assert_eq!(done.status, 1, "{done:?}");
    has_line(&done, "  --> input.yaml:14:11");
    assert_eq!(underlined(&done.stdout), ["nodeAffinity"]);
    assert!(ids(&done).contains(&"I2"));
}

#[test]
fn what_no_template_says_is_told_by_its_path_in_the_pod() {
    let place = Place::new();
    place.write("input.yaml", SET);
    let refuse = r#"{"accepted": false, "message": "pod \"red/fruit-0-1\": annotation \"leaderworkerset.sigs.k8s.io/leader-name\" is odd", "code": 400}"#;
    let done = place.run(&[
        "explain",
        "-f",
        "input.yaml",
        "--pod",
        "fruit-0-1",
        "--settings-json",
        refuse,
    ]);
    has_line(
        &done,
        "  --> input.yaml:1:1, metadata.annotations[\"leaderworkerset.sigs.k8s.io/leader-name\"] of the pod",
    );
    assert!(underlined(&done.stdout).is_empty(), "{done:?}");
}

#[test]
fn a_request_is_explained_and_pointed_into() {
    let place = Place::new();
    place.write("settings.yaml", SETTINGS);
    let pod = lws_manifest::read(worker("  nodeSelector: {pool.test/group: manual}\n"))
        .remove(0)
        .unwrap()
        .value;
    let request = serde_json::json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "1",
            "kind": {"group": "", "version": "v1", "kind": "Pod"},
            "operation": "UPDATE",
            "namespace": "red",
            "object": pod,
            "oldObject": pod,
        },
    });
    place.write(
        "review.json",
        serde_json::to_string_pretty(&request).unwrap(),
    );
    let arguments = arguments(&["explain", "--request", "review.json"]);
    let done = place.run(&arguments);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(ids(&done).last(), Some(&"P11"));
    assert_eq!(
        last_line(&done),
        "verdict: accepted, decision none, replica value \"fruit-0\", no patch"
    );

    let created = request.to_string().replace("UPDATE", "CREATE");
    place.write("review.json", created);
    let done = place.run(&arguments);
    assert_eq!(done.status, 1, "{done:?}");
    assert_eq!(underlined(&done.stdout), ["\"manual\""], "{}", done.stdout);
}

#[test]
fn another_verdict_than_the_modules_is_an_error_of_ours() {
    let place = Place::new();
    place.write("input.yaml", worker(""));
    // The echo policy accepts without a patch, whatever the rules say.
    let settings = r#"{"accepted": true}"#;
    let done = place.run(&["explain", "-f", "input.yaml", "--settings-json", settings]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("error of lws-placement"), "{done:?}");
    assert_eq!(last_line(&done), "verdict: accepted, no patch");
}

/// Explains with the echo policy, for what is settled before the policy is asked.
fn unclear(input: &str, more: &[&str]) -> String {
    let place = Place::new();
    place.write("input.yaml", input);
    let accept = r#"{"accepted": true}"#;
    let arguments = ["explain", "-f", "input.yaml", "--settings-json", accept];
    let done = place.run(&[&arguments, more].concat());
    assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{done:?}");
    done.stderr
}

#[test]
fn what_is_meant_has_to_be_clear() {
    let two = format!("{SET}---\n{}", worker(""));
    assert_eq!(
        unclear(&two, &[]),
        "error: the input holds 2 objects that could be meant; name one with --name: LeaderWorkerSet red/fruit (input.yaml:1), Pod red/fruit-0-1 (input.yaml:14)\n"
    );
    let error = unclear(&two, &["--name", "pear"]);
    assert!(
        error.starts_with("error: the input holds no LeaderWorkerSet or Pod \"pear\"; "),
        "{error}"
    );
    let error = unclear(SET, &["--pod", "fruit-0-3"]);
    assert!(
        error.contains("there is no worker 3; the last is 2"),
        "{error}"
    );
    let error = unclear(SET, &["--pod", "pear-0"]);
    assert!(error.contains("\"fruit-0-1\" (a worker)"), "{error}");
    let error = unclear("kind: List\n  a: b\n", &[]);
    assert!(error.starts_with("error: input.yaml:2:"), "{error}");
    assert!(!underlined(&error).is_empty(), "{error}");
}

#[test]
fn one_of_several_can_be_named() {
    let two = format!("{SET}---\n{}", worker(""));
    let done = explain(&two, &["--name", "red/fruit"]);
    assert!(
        done.stdout
            .starts_with("LeaderWorkerSet red/fruit  input.yaml:1\n"),
        "{done:?}"
    );
    let list = "kind: List\nitems:\n  - ".to_owned() + &worker("").replace('\n', "\n    ");
    let done = explain(&list, &["--name", "/items/0"]);
    assert!(
        done.stdout.starts_with("Pod red/fruit-0-1  input.yaml:3\n"),
        "{done:?}"
    );
    // A pod of the one set that there is needs no name beside it.
    let done = explain(&two, &["--pod", "fruit-2"]);
    assert!(
        done.stdout.contains("it is there in a surge only"),
        "{done:?}"
    );
}

#[test]
fn json_has_the_same() {
    let done = explain(SET, &["--pod", "fruit-0", "-o", "json"]);
    let value: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(value["subject"], "Pod red/fruit-0");
    assert_eq!(value["operation"], "CREATE");
    assert_eq!(value["verdict"]["accepted"], true);
    assert_eq!(value["verdict"]["replicaValue"], "fruit-0");
    assert_eq!(value["sentences"][0]["rule"], "P1");
    assert!(value.get("disagreement").is_none());
    let done = Place::new().run(&["explain", "L3", "K3", "-o", "json"]);
    let value: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(value[1]["id"], "K3");
    assert!(
        value[0]["source"]
            .as_str()
            .unwrap()
            .contains("pod_webhook.go")
    );
}

#[test]
fn every_rule_is_printed_with_its_source() {
    let contract = include_str!("../../../docs/design.md");
    let ids = lws_placement::case::coverage::ids(contract);
    let arguments: Vec<&str> = std::iter::once("explain")
        .chain(ids.iter().map(String::as_str))
        .collect();
    let done = Place::new().run(&arguments);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    for id in &ids {
        let title = format!("{id}  ");
        assert!(
            done.stdout.lines().any(|line| line.starts_with(&title)),
            "{id}"
        );
    }
    let done = Place::new().run(&["explain", "P11"]);
    assert!(
        done.stdout.starts_with("P11  4. Pods  docs/design.md:"),
        "{done:?}"
    );
    has_line(&done, "Source of K3:");
    let done = Place::new().run(&["explain", "P11", "P99"]);
    assert_eq!(done.status, 2);
    assert_eq!(
        done.stderr,
        "error: \"P99\" is no rule of docs/design.md; the nearest is P12\n"
    );
    assert_eq!(Place::new().run(&["explain"]).status, 2);
    assert_eq!(Place::new().run(&["explain", "P1", "-f", "x"]).status, 2);
}

#[test]
fn faults_in_settings_have_carets_too() {
    let place = Place::new();
    place.write("input.yaml", SET);
    place.write(
        "settings.yaml",
        "apiVersion: policies.kubewarden.io/v1\nkind: ClusterAdmissionPolicy\nspec:\n  settings:\n    replicaSpecificNodeSelector: [ok, kubernetes.io/hostname]\n    replicaSpecificToleration: [{key: ok, effect: nope}]\n    actoin: Inject\n",
    );
    for command in ["explain", "review"] {
        let done = place.run(&arguments(&[command, "-f", "input.yaml"]));
        assert_eq!(done.status, 2);
        assert_eq!(
            underlined(&done.stderr),
            ["actoin", "kubernetes.io/hostname", "nope"],
            "{}",
            done.stderr
        );
    }
    place.write(
        "settings.yaml",
        "{\"kind\": \"ConfigMap\", \"apiVersion\": \"v1\"}",
    );
    let done = place.run(&arguments(&["explain", "-f", "input.yaml"]));
    assert_eq!(done.status, 2);
    assert_eq!(
        underlined(&done.stderr),
        ["\"ConfigMap\""],
        "{}",
        done.stderr
    );
}

/// The sets that a DisaggregatedSet makes are explained like those that stand in the input, with places in their role.
#[test]
fn sets_that_a_disaggregated_set_makes_can_be_named() {
    let input = include_str!("fixtures/review/disaggregated.yaml");
    let done = explain(input, &[]);
    assert_eq!(done.status, 2, "{done:?}");
    assert_eq!(
        done.stderr,
        "error: the input holds 2 objects that could be meant; name one with --name: LeaderWorkerSet team-a/qwen-0-08d594a1-prefill (input.yaml:11), LeaderWorkerSet team-a/qwen-0-08d594a1-decode (input.yaml:28)\n"
    );
    let name = ["--name", "team-a/qwen-0-08d594a1-decode"];
    let pod = ["--pod", "qwen-0-08d594a1-decode-0-1"];
    let done = explain(input, &[name, pod].concat());
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{done:?}");
    assert!(
        done.stdout.contains("worker 1 of replica 0 of LeaderWorkerSet team-a/qwen-0-08d594a1-decode, as its controller would create it"),
        "{done:?}"
    );
    let pinned = input.replace("disk: ssd", "pool.test/group: manual");
    // What stands in for the revision depends on the roles.
    let told = explain(&pinned, &[]).stderr;
    let name = told
        .split([' ', ','])
        .find(|word| word.ends_with("-decode"));
    let name = name.unwrap();
    let pod = format!("{}-0-1", name.split_once('/').unwrap().1);
    let done = explain(&pinned, &["--name", name, "--pod", &pod]);
    assert_eq!(done.status, 1, "{done:?}");
    assert!(
        done.stdout.contains("input.yaml:37:34") && done.stdout.contains("^^^^^^"),
        "{}",
        done.stdout
    );
}
