//! `diff` between policies as two clusters would have them: which namespaces they reach, their mode, a policy more, a
//! key that changes. The policy is the real one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed set-up fails the test"
)]

mod common;

use common::{Done, Place};
use serde_json::Value;
use std::path::{Path, PathBuf};

const POD_RULE: &str =
    r#"{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE, UPDATE]}"#;
const SET_RULE: &str = "{apiGroups: [leaderworkerset.x-k8s.io], apiVersions: [v1], resources: [leaderworkersets], operations: [CREATE, UPDATE]}";

const PROD: &str = "namespaceSelector: {matchLabels: {env: prod}}";

/// A cluster-wide policy that injects, with these lines in its spec.
fn policy(name: &str, rule: &str, key: &str, lines: &[&str]) -> String {
    let more: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    format!(
        "apiVersion: policies.kubewarden.io/v1\nkind: ClusterAdmissionPolicy\nmetadata: {{name: {name}}}\nspec:\n  module: registry://registry.test/lws-replica-placement:v1\n  mutating: true\n  rules: [{rule}]\n  settings: {{replicaSpecificNodeSelector: {key}}}\n{more}---\n"
    )
}

/// The policies for pods and for sets.
fn both(key: &str, lines: &[&str]) -> String {
    policy("pods", POD_RULE, key, lines) + &policy("sets", SET_RULE, key, lines)
}

/// A set of one replica with two pods.
fn set(namespace: &str, more: &str) -> String {
    format!(
        "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {{name: fruit, namespace: {namespace}}}\nspec:\n  leaderWorkerTemplate:\n    size: 2\n{more}    workerTemplate: {{spec: {{containers: []}}}}\n---\n"
    )
}

const NAMESPACES: &str = "apiVersion: v1\nkind: Namespace\nmetadata: {name: red, labels: {env: prod}}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: blue, labels: {env: test}}\n---\n";

/// A folder with the policy, `from/policies.yaml`, `to/policies.yaml` and `input.yaml`.
fn place(from: &str, to: &str, input: &str) -> Place {
    let place = Place::new();
    let policy = std::env::var_os("LWS_PLACEMENT_POLICY").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../annotated-policy.wasm"),
        PathBuf::from,
    );
    let policy = std::fs::read(policy).expect("make annotated-policy.wasm builds the policy");
    place.write("annotated-policy.wasm", policy);
    place.write("from/policies.yaml", from);
    place.write("to/policies.yaml", to);
    place.write("input.yaml", input);
    place
}

const SIDES: [&str; 6] = ["diff", "--from", "from", "--to", "to", "input.yaml"];

fn diff(from: &str, to: &str, input: &str, more: &[&str]) -> Done {
    place(from, to, input).run(&[&SIDES, more].concat())
}

fn json(from: &str, to: &str, input: &str) -> Value {
    let done = diff(from, to, input, &["-o", "json"]);
    assert_eq!((done.status, done.stderr.as_str()), (1, ""), "{done:?}");
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

#[test]
fn the_same_policies_differ_in_nothing_wherever_they_stand() {
    let policies = both("pool.test/group", &[PROD]);
    let input = NAMESPACES.to_owned() + &set("red", "") + &set("blue", "");
    let done = diff(&policies, &policies, &input, &[]);
    let same = "passed over: 2 Namespace\n\nno difference: 2 sets with 2 replicas\n";
    assert_eq!((done.status, done.stdout.as_str()), (0, same), "{done:?}");
    // One file a policy, and a folder that holds other kinds: their order does not matter.
    let place = place(&policies, &policies, &input);
    let (pods, sets) = policies.split_once("---\n").unwrap();
    place.write("pods.yaml", pods);
    place.write("sets.yaml", sets);
    place.write(
        "to/kustomization.yaml",
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
    );
    let done = place.run(&[
        "diff",
        "--from",
        "sets.yaml",
        "--from",
        "pods.yaml",
        "--to",
        "to",
        "input.yaml",
    ]);
    assert_eq!((done.status, done.stdout.as_str()), (0, same), "{done:?}");
}

/// Sets of namespaces that are no longer reached have stamps, but nobody reads them.
#[test]
fn a_narrower_namespace_selector_leaves_namespaces_without_placement() {
    let from = both("pool.test/group", &[]);
    let to = both("pool.test/group", &[PROD]);
    let input = NAMESPACES.to_owned() + &set("red", "") + &set("blue", "");
    let done = diff(&from, &to, &input, &[]);
    assert_eq!(
        done.stdout,
        r#"Placed otherwise: 1 set

LeaderWorkerSet blue/fruit  1 replica  input.yaml:17
when a replica is made again: the policies treat its pods otherwise
REPLICA  PODS                VERDICT    VALUE     NODE SELECTOR     TOLERATION
0        fruit-0, fruit-0-1   accepted  -fruit-0  -pool.test/group

passed over: 2 Namespace
note: input.yaml:17:1: LeaderWorkerSet blue/fruit reaches no policy: clusterwide-sets wants namespaces with the labels env=prod, which "blue" has not
note: input.yaml:17:1: 2 pods of LeaderWorkerSet blue/fruit ("fruit-0" is the first) reach no policy: clusterwide-pods wants namespaces with the labels env=prod, which "blue" has not

1 placed otherwise, the same: 1 set with 1 replica
- before, + after
"#
    );
    assert_eq!((done.status, done.stderr.as_str()), (1, ""));
    // Labels from the command line serve as well, and win.
    let done = diff(&from, &to, &input, &["--namespace-labels", "blue=env=prod"]);
    assert_eq!(done.status, 0, "{done:?}");
    let done = diff(&from, &to, &set("red", ""), &[]);
    assert!(
        done.stdout
            .contains("as far as is known (give its Namespace or --namespace-labels)"),
        "{done:?}"
    );
}

/// A worker that comes back alone is not placed any more, while its leader stays where it is.
#[test]
fn a_policy_that_is_lost_can_split_running_replicas() {
    let input = NAMESPACES.to_owned() + &set("blue", "    restartPolicy: None\n");
    let found = json(
        &both("pool.test/group", &[]),
        &both("pool.test/group", &[PROD]),
        &input,
    );
    assert_eq!(found["sets"][0]["class"], "split");
    let effect = &found["sets"][0]["effects"][0];
    assert_eq!(effect["when"], "workerMadeAgain");
    assert_eq!(effect["stamped"], true);
    let members = &effect["replicas"][0]["members"][0];
    assert_eq!(members["pods"], serde_json::json!(["fruit-0-1"]));
    assert_eq!(members["before"]["value"], "fruit-0");
    assert_eq!(members["after"]["nodeSelector"], serde_json::json!([]));
}

#[test]
fn from_monitor_to_protect_pods_are_placed_and_back_they_are_not() {
    let monitor = both("pool.test/group", &["mode: monitor"]);
    let protect = both("pool.test/group", &["mode: protect"]);
    let there = json(&monitor, &protect, &set("red", ""));
    let effects = there["sets"][0]["effects"].as_array().unwrap();
    // No stamp was kept, so the pods follow the settings, now that somebody heeds them.
    assert_eq!(effects[0]["class"], "changed");
    assert_eq!(effects[0]["when"], "madeAgain");
    assert_eq!(effects[0].get("stamped"), None);
    let members = &effects[0]["replicas"][0]["members"][0];
    assert_eq!(members["before"]["nodeSelector"], serde_json::json!([]));
    assert_eq!(
        members["after"]["nodeSelector"],
        serde_json::json!([{"key": "pool.test/group", "value": "fruit-0"}])
    );
    let back = json(&protect, &monitor, &set("red", ""));
    let effect = &back["sets"][0]["effects"][0];
    assert_eq!(effect["stamped"], true);
    let members = &effect["replicas"][0]["members"][0];
    assert_eq!(members["before"]["verdict"], "accepted");
    assert_eq!(members["after"]["nodeSelector"], serde_json::json!([]));
}

/// The server refuses what it may not change. A set-up that cannot work is told, and compared all the same.
#[test]
fn mutating_false_refuses_what_was_placed() {
    let from = both("pool.test/group", &[]);
    let to = from.replace("mutating: true", "mutating: false");
    let done = diff(&from, &to, &set("red", ""), &[]);
    assert!(
        done.stdout.starts_with("Newly refused: 1 set\n"),
        "{done:?}"
    );
    assert!(
        done.stdout.contains("\nwarning: to/policies.yaml:6:13: ClusterAdmissionPolicy \"pods\" injects, but mutating is not true, so the policy server refuses whatever it would place; set mutating: true, or action: Validate\n"),
        "{done:?}"
    );
    assert_eq!(done.status, 1);
    // The way back is a difference as well.
    let back = json(&to, &from, &set("red", ""));
    assert_eq!(back["sum"]["refused"], 0);
    assert_eq!(back["sum"]["changed"], 1);
}

/// Each policy that sees a set writes the one stamp anew, so the last in the order of names has its way.
#[test]
fn of_a_second_policy_its_place_in_the_order_counts() {
    let from = both("pool.test/group", &[]);
    let place = place(&from, &from, &set("red", ""));
    let with = |name: &str| {
        let more = both("rack.test/group", &[]).replace("{name: ", &format!("{{name: {name}-"));
        place.write("to/more.yaml", more);
        place.run(&[&SIDES[..], &["-o", "json"]].concat())
    };
    let done = with("a");
    assert_eq!(done.status, 0, "{done:?}");
    let done = with("z");
    assert_eq!(done.status, 1, "{done:?}");
    let found: Value = serde_json::from_str(&done.stdout).unwrap();
    let effect = &found["sets"][0]["effects"][0];
    assert_eq!(effect["class"], "nextUpdate");
    let members = &effect["replicas"][0]["members"][0];
    assert_eq!(
        members["before"]["nodeSelector"][0]["key"],
        "pool.test/group"
    );
    assert_eq!(
        members["after"]["nodeSelector"][0]["key"],
        "rack.test/group"
    );
}

#[test]
fn another_key_rolls_out_with_the_next_revision() {
    let from = both("pool.test/group", &[]);
    let to = both("rack.test/group", &[]);
    let done = diff(&from, &to, &set("red", ""), &["-o", "markdown"]);
    assert!(
        done.stdout.starts_with("### Placed otherwise from the next update on\n\n**LeaderWorkerSet red/fruit** (1 replica, `input.yaml:1`)\n\n- Warning: LeaderWorkerSet \"red/fruit\": rack.test/group has no toleration of its own; on GKE nothing is provisioned for it\n\nat its next revision; until then it keeps its placement:\n"),
        "{done:?}"
    );
    assert!(
        done.stdout
            .contains("~~`pool.test/group`~~<br>**`rack.test/group`**"),
        "{done:?}"
    );
    assert_eq!(done.status, 1);
}

#[test]
fn one_side_may_be_settings() {
    let place = place("", &both("pool.test/group", &[]), &set("red", ""));
    place.write(
        "settings.yaml",
        "replicaSpecificNodeSelector: pool.test/group\n",
    );
    let done = place.run(&[
        "diff",
        "--from",
        "settings.yaml",
        "--to",
        "to",
        "input.yaml",
    ]);
    assert_eq!(
        (done.status, done.stdout.as_str()),
        (0, "no difference: 1 set with 1 replica\n"),
        "{done:?}"
    );
}

/// The policies of both sides may be the same, and the manifests differ.
#[test]
fn two_states_of_the_manifests_under_policies() {
    let place = place(&both("pool.test/group", &[PROD]), "", &set("blue", ""));
    place.write("moved.yaml", set("red", ""));
    let done = place.run(&[
        "diff",
        "--policy-manifest",
        "from",
        "--from-files",
        "input.yaml",
        "--to-files",
        "moved.yaml",
        "--namespace-labels",
        "red=env=prod",
        "-o",
        "json",
    ]);
    assert_eq!((done.status, done.stderr.as_str()), (1, ""), "{done:?}");
    let found: Value = serde_json::from_str(&done.stdout).unwrap();
    let sets = found["sets"].as_array().unwrap();
    assert_eq!(sets.len(), 1, "{found}");
    assert_eq!(sets[0]["namespace"], "red");
    assert_eq!(sets[0]["change"], "added");
}

/// Objects that name no namespace are of the one that is given, for policies to choose by.
#[test]
fn objects_without_a_namespace_can_be_given_one() {
    let bare = set("red", "").replace(", namespace: red", "");
    let from = both("pool.test/group", &[PROD]);
    let to = both("rack.test/group", &[PROD]);
    let input = NAMESPACES.to_owned() + &bare;
    assert_eq!(diff(&from, &to, &input, &[]).status, 0);
    let done = diff(&from, &to, &input, &["-n", "red"]);
    assert!(
        done.stdout.contains("LeaderWorkerSet red/fruit"),
        "{done:?}"
    );
    assert_eq!(done.status, 1);
}

/// Pods of the input are judged by the policies that they reach.
#[test]
fn pods_of_the_input_are_compared_too() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: fruit-0\n  namespace: blue\n  labels: {leaderworkerset.sigs.k8s.io/name: fruit, leaderworkerset.sigs.k8s.io/worker-index: \"0\"}\n  annotations: {leaderworkerset.sigs.k8s.io/size: \"2\"}\n  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: fruit, uid: a, controller: true}]\nspec: {containers: []}\n---\n";
    let input = NAMESPACES.to_owned() + pod;
    let done = diff(
        &both("pool.test/group", &[]),
        &both("pool.test/group", &[PROD]),
        &input,
        &[],
    );
    assert!(
        done.stdout.starts_with("Placed otherwise: 1 pod\n"),
        "{done:?}"
    );
    assert!(
        done.stdout.contains("\nnote: input.yaml:9:1: Pod blue/fruit-0 reaches no policy: clusterwide-pods wants namespaces"),
        "{done:?}"
    );
}

#[test]
fn what_is_of_no_use_is_exit_status_2() {
    let good = both("pool.test/group", &[]);
    let place = place(&good, &good, &set("red", ""));
    let ends = |sides: &[&str], text: &str| {
        let done = place.run(&[&["diff", "input.yaml"], sides].concat());
        assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{done:?}");
        assert!(done.stderr.contains(text), "{text}\n{done:?}");
    };
    place.write(
        "wrong/policies.yaml",
        good.replace("replicaSpecificNodeSelector", "replicaSpecificNodeSelecter"),
    );
    ends(
        &["--from", "from", "--to", "wrong"],
        "error: the policies cannot work as they are:\n  wrong/policies.yaml:8:14: ",
    );
    place.write(
        "server/server.yaml",
        "apiVersion: policies.kubewarden.io/v1\nkind: PolicyServer\n",
    );
    place.write("server/other.yaml", "kind: ConfigMap\n");
    ends(
        &["--from", "from", "--to", "server"],
        "error: --to: there is no ClusterAdmissionPolicy and no AdmissionPolicy in it",
    );
    ends(
        &["--from", "from", "--to", "missing.yaml"],
        "error: cannot read missing.yaml: ",
    );
    ends(
        &["--from", "from", "--to", "to", "--policy-manifest", "to"],
        "cannot be used with",
    );
    ends(
        &["--from", "from", "--to", "to", "--namespace-labels", "red"],
        "error: --namespace-labels: \"red\" has no \"=\"",
    );
    place.write("settings.yaml", "{}\n");
    ends(
        &[
            "--from",
            "settings.yaml",
            "--to",
            "settings.yaml",
            "--namespace-labels",
            "red=a=b",
        ],
        "error: --namespace-labels is for policies, and there are none; give them with --from and --to, or with --policy-manifest",
    );
}

/// Settings beside policies would be read by nobody.
#[test]
fn settings_beside_policies_are_told_to_be_passed_over() {
    let good = both("pool.test/group", &[]);
    let place = place(&good, &good, &set("red", ""));
    place.write(
        "settings.yaml",
        "replicaSpecificNodeSelector: rack.test/group\n",
    );
    let done = place.run(&[
        "diff",
        "--from",
        "from",
        "--to",
        "to",
        "--to",
        "settings.yaml",
        "input.yaml",
    ]);
    assert!(
        done.stdout.starts_with("warning: settings.yaml:1:1: is no manifest, so it is passed over: settings are those of the policies beside it\n"),
        "{done:?}"
    );
    assert_eq!(done.status, 0);
}

/// A cluster has a policy for sets beside that for pods; where only one is given, that is told.
#[test]
fn policies_that_leave_sets_or_pods_out_are_told() {
    let pods = policy("pods", POD_RULE, "pool.test/group", &[]);
    let sets = policy("sets", SET_RULE, "pool.test/group", &[]);
    let done = diff(&pods, &sets, &set("red", ""), &[]);
    assert!(
        done.stdout.contains("\nwarning: from/policies.yaml:1: no policy here has a rule for LeaderWorkerSets, so they get no stamp, and their pods follow the settings of the moment; give the policy for sets too, if there is one\nwarning: to/policies.yaml:1: no policy here has a rule for pods, so none is placed; give the policy for pods too, if there is one\n"),
        "{done:?}"
    );
    assert_eq!(done.status, 1);
}

/// A policy without rules is one way to write settings, but no policy of a cluster.
#[test]
fn a_policy_without_rules_stands_alone_or_not_at_all() {
    let good = both("pool.test/group", &[]);
    let bare = policy("bare", POD_RULE, "pool.test/group", &[]);
    let bare: String = bare
        .lines()
        .filter(|line| !line.contains("rules:"))
        .map(|line| format!("{line}\n"))
        .collect();
    let place = place(&good, &bare, &set("red", ""));
    let done = place.run(&SIDES);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{done:?}");
    place.write("to/other.yaml", "apiVersion: v1\nkind: ConfigMap\n");
    let done = place.run(&SIDES);
    assert!(
        done.stderr.contains(
            "field \"/spec/rules\" is missing or empty, so no request would reach the policy"
        ),
        "{done:?}"
    );
    assert_eq!(done.status, 2);
}
