//! `review --policy-manifest` as its users meet it: which objects reach which policy, what becomes of the answers, and
//! which set-ups are refused. The policy is the real one.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a failed set-up fails the test"
)]

mod common;

use common::Place;
use lws_placement::engine::Module;
use lws_placement::policies::{Chain, Files, Namespaces, setup};
use lws_placement::review::render::{style::Look, table};
use lws_placement::review::source::Source;
use lws_placement::review::{Options, Reviewer};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn policy() -> String {
    let path = std::env::var_os("LWS_PLACEMENT_POLICY")
        .map_or_else(|| root().join("annotated-policy.wasm"), PathBuf::from);
    path.display().to_string()
}

const POD_RULE: &str =
    r#"{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE, UPDATE]}"#;
const SET_RULE: &str = "{apiGroups: [leaderworkerset.x-k8s.io], apiVersions: [v1], resources: [leaderworkersets], operations: [CREATE, UPDATE]}";

/// A cluster-wide policy with these lines in its spec.
fn cluster(name: &str, action: &str, rule: &str, lines: &[&str]) -> String {
    manifest(
        "ClusterAdmissionPolicy",
        &format!("{{name: {name}}}"),
        action,
        rule,
        lines,
    )
}

fn manifest(kind: &str, metadata: &str, action: &str, rule: &str, lines: &[&str]) -> String {
    let mut text = format!(
        "apiVersion: policies.kubewarden.io/v1\nkind: {kind}\nmetadata: {metadata}\nspec:\n  module: registry://registry.test/policy:v1\n  rules: [{rule}]\n  settings: {{action: {action}, replicaSpecificNodeSelector: pool.test/group}}\n"
    );
    for line in lines {
        text.push_str(&format!("  {line}\n"));
    }
    text + "---\n"
}

const MUTATING: &str = "mutating: true";

fn injectors() -> String {
    cluster("pods", "Inject", POD_RULE, &[MUTATING])
        + &cluster("sets", "Inject", SET_RULE, &[MUTATING])
}

/// A set of one replica with two pods.
fn set(namespace: &str, name: &str) -> String {
    format!(
        "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {{name: {name}, namespace: {namespace}}}\nspec:\n  leaderWorkerTemplate:\n    size: 2\n    workerTemplate:\n      metadata: {{labels: {{app: {name}}}}}\n      spec:\n        containers: []\n---\n"
    )
}

/// The policy, compiled once.
static POLICY: LazyLock<Module> = LazyLock::new(|| Module::load(Path::new(&policy())).unwrap());

/// The policies of a text, as `policies.yaml` would hold them.
fn read(policies: &str) -> Files {
    let place = Place::new();
    place.write("policies.yaml", policies);
    let mut files = Files::default();
    files.take(&place.path("policies.yaml")).unwrap();
    files
}

/// What a text says of `policies.yaml` without the folder that it is in.
fn bare(text: &str) -> String {
    let words = text.split_inclusive(' ');
    let bare = words.map(|word| match word.rfind("/policies.yaml") {
        Some(at) => {
            let bracket = if word.starts_with('(') { "(" } else { "" };
            format!("{bracket}{}", &word[at + 1..])
        }
        None => word.to_owned(),
    });
    bare.collect()
}

/// What came out of a review.
#[derive(Debug)]
struct Reviewed {
    stdout: String,
    refused: u64,
}

/// Reviews `input` under `policies`, in namespaces with these labels.
fn review(policies: &str, input: &str, labels: &[&str]) -> Reviewed {
    let files = read(policies);
    assert_eq!(files.faults, []);
    assert_eq!(setup::faults(&files.policies), []);
    let mut namespaces = Namespaces::default();
    for document in lws_manifest::read(input) {
        namespaces.see(&document.unwrap().value);
    }
    for text in labels {
        namespaces.give(text).unwrap();
    }
    let notes = [files.notes, setup::notes(&files.policies)].concat();
    let chain = Chain::new(files.policies, namespaces).unwrap();
    let options = Options {
        replicas: 10,
        objects: false,
    };
    let mut reviewer = Reviewer::under(&*POLICY, &chain, options);
    notes.into_iter().for_each(|note| reviewer.note(note));
    reviewer.take(&Source {
        name: "input.yaml".to_owned(),
        text: input.as_bytes().to_vec(),
    });
    let report = reviewer.finish();
    assert_eq!(report.problems, []);
    let table = table::write(&report, Look::default());
    Reviewed {
        stdout: table.lines().map(|line| bare(line) + "\n").collect(),
        refused: report.sum.refused,
    }
}

#[track_caller]
fn has_line(done: &Reviewed, line: &str) {
    assert!(
        done.stdout.lines().any(|found| found == line),
        "{line}\n{done:?}"
    );
}

/// The policies cannot work together, for these reasons.
#[track_caller]
fn refused(policies: &str, sentences: &[&str]) {
    let files = read(policies);
    assert_eq!(files.faults, []);
    let faults = setup::faults(&files.policies);
    let found: Vec<String> = faults
        .iter()
        .map(|fault| bare(&fault.to_string()))
        .collect();
    let expected: Vec<String> = sentences
        .iter()
        .map(|sentence| format!("policies.yaml:{sentence}"))
        .collect();
    assert_eq!(found, expected);
}

/// The policies can work together.
#[track_caller]
fn fine(policies: &str) {
    refused(policies, &[]);
}

#[test]
fn the_manifests_of_the_installation_do_what_they_are_for() {
    let install = root().join("examples/install");
    let mut files: Vec<String> = std::fs::read_dir(&install)
        .unwrap()
        .map(|entry| entry.unwrap().path().display().to_string())
        .collect();
    files.sort();
    let example = root().join("examples/vllm.yaml").display().to_string();
    let policy = policy();
    // As the shell gives `--policy-manifest examples/install/*.yaml`, and as a folder.
    for manifests in [files, vec![install.display().to_string()]] {
        let mut arguments = vec![
            "review",
            "--policy",
            &policy,
            "-o",
            "json",
            "--policy-manifest",
        ];
        arguments.extend(manifests.iter().map(String::as_str));
        arguments.extend(["-f", &example]);
        let done = Place::new().run(&arguments);
        assert_eq!((done.status, done.stderr.as_str()), (0, ""));
        let report: Value = serde_json::from_str(&done.stdout).unwrap();
        assert_eq!(report["sum"]["nodeGroups"], 2);
        assert_eq!(report["notes"], serde_json::json!([]));
        let seen: Vec<_> = report["policies"]
            .as_array()
            .unwrap()
            .iter()
            .map(|policy| {
                let number = |field: &str| policy[field].as_u64().unwrap();
                (
                    policy["injects"].as_bool().unwrap(),
                    number("sets"),
                    number("pods"),
                    number("refused"),
                )
            })
            .collect();
        let namespaced = (true, 0, 0, 0);
        let expected = [
            (true, 0, 8, 0),
            (true, 1, 0, 0),
            namespaced,
            namespaced,
            (false, 0, 8, 0),
            (false, 1, 0, 0),
        ];
        assert_eq!(seen, expected);
    }
}

#[test]
fn what_a_selector_leaves_out_is_named_with_the_reason() {
    let chosen = cluster(
        "pods",
        "Inject",
        POD_RULE,
        &[MUTATING, "objectSelector: {matchLabels: {app: vllm}}"],
    );
    let done = review(&chosen, &(set("red", "vllm") + &set("red", "fruit")), &[]);
    has_line(
        &done,
        "policy clusterwide-pods (policies.yaml:1) injects: 2 pods",
    );
    for line in [
        "note: input.yaml:1:1: LeaderWorkerSet red/vllm reaches no policy: none has a rule for it",
        "note: input.yaml:12:1: LeaderWorkerSet red/fruit reaches no policy: none has a rule for it",
        "note: input.yaml:12:1: 2 pods of LeaderWorkerSet red/fruit (\"fruit-0\" is the first) reach no policy: clusterwide-pods wants objects with the labels app=vllm",
        "2 replicas, 1 node group, 4 pods, 0 refused",
    ] {
        has_line(&done, line);
    }
    assert_eq!(done.refused, 0);
}

#[test]
fn namespaces_are_chosen_by_labels_from_the_input_the_command_line_and_their_name() {
    let chosen = |selector: &str| {
        let line = format!("namespaceSelector: {selector}");
        cluster("pods", "Inject", POD_RULE, &[MUTATING, &line])
            + &cluster("sets", "Inject", SET_RULE, &[MUTATING, &line])
    };
    let groups = |selector: &str, input: &str, more: &[&str]| {
        let done = review(&chosen(selector), input, more);
        assert_eq!(done.refused, 0, "{done:?}");
        done.stdout
            .contains("1 replica, 1 node group, 2 pods, 0 refused")
    };
    let plain = set("red", "fruit");
    // The Namespace comes after what is in it.
    let labelled = format!(
        "{plain}apiVersion: v1\nkind: Namespace\nmetadata: {{name: red, labels: {{env: prod}}}}\n"
    );
    let prod = "{matchLabels: {env: prod}}";
    assert!(!groups(prod, &plain, &[]));
    assert!(groups(prod, &labelled, &[]));
    assert!(groups(prod, &plain, &["red=env=prod,tier=1"]));
    assert!(!groups(prod, &plain, &["blue=env=prod"]));
    assert!(groups(
        "{matchLabels: {kubernetes.io/metadata.name: red}}",
        &plain,
        &[]
    ));
    let not_red =
        "{matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [red]}]}";
    assert!(!groups(not_red, &plain, &[]));

    let done = review(&chosen(prod), &plain, &[]);
    has_line(
        &done,
        "note: input.yaml:1:1: LeaderWorkerSet red/fruit reaches no policy: clusterwide-sets wants namespaces with the labels env=prod, which \"red\" has not as far as is known (give its Namespace or --namespace-labels)",
    );
}

#[test]
fn an_admission_policy_is_for_its_own_namespace() {
    let own = manifest(
        "AdmissionPolicy",
        "{name: pods, namespace: red}",
        "Inject",
        POD_RULE,
        &[MUTATING],
    );
    let done = review(&own, &(set("red", "fruit") + &set("blue", "fruit")), &[]);
    has_line(
        &done,
        "policy namespaced-red-pods (policies.yaml:1) injects: 2 pods",
    );
    has_line(
        &done,
        "note: input.yaml:12:1: 2 pods of LeaderWorkerSet blue/fruit (\"fruit-0\" is the first) reach no policy: namespaced-red-pods is for the namespace \"red\"",
    );
    has_line(&done, "2 replicas, 1 node group, 4 pods, 0 refused");
}

#[test]
fn the_twin_judges_what_was_injected() {
    let judge = cluster("a-judge", "Validate", POD_RULE, &[]);
    let done = review(&(judge.clone() + &injectors()), &set("red", "fruit"), &[]);
    // Its name comes first, but it does not mutate.
    let policies: Vec<&str> = done
        .stdout
        .lines()
        .filter(|line| line.starts_with("policy "))
        .collect();
    assert_eq!(
        policies,
        [
            "policy clusterwide-pods (policies.yaml:9) injects: 2 pods",
            "policy clusterwide-sets (policies.yaml:18) injects: 1 LeaderWorkerSet",
            "policy clusterwide-a-judge (policies.yaml:1) judges: 2 pods",
        ]
    );
    assert_eq!(done.refused, 0);

    // Alone it refuses, and says whose word that is.
    let done = review(&judge, &set("red", "fruit"), &[]);
    has_line(
        &done,
        "policy clusterwide-a-judge (policies.yaml:1) judges: 2 pods, 2 refused",
    );
    assert!(
        done.stdout.contains("(policy clusterwide-a-judge)"),
        "{done:?}"
    );
    assert_eq!(done.refused, 2);

    // Beside an injector that sees only some of the pods, the reason stands there too.
    let some = cluster(
        "pods",
        "Inject",
        POD_RULE,
        &[MUTATING, "objectSelector: {matchLabels: {app: other}}"],
    );
    let done = review(&(judge + &some), &set("red", "fruit"), &[]);
    has_line(
        &done,
        "note: input.yaml:1:1: 2 pods of LeaderWorkerSet red/fruit (\"fruit-0\" is the first) reach no policy that injects: clusterwide-pods wants objects with the labels app=other",
    );
    assert_eq!(done.refused, 2);
}

#[test]
fn in_monitor_mode_patch_and_refusal_are_dropped_and_told() {
    let monitor = "mode: monitor";
    let policies = cluster("pods", "Inject", POD_RULE, &[MUTATING, monitor])
        + &cluster("judge", "Validate", POD_RULE, &[monitor]);
    let done = review(&policies, &set("red", "fruit"), &[]);
    has_line(
        &done,
        "policy clusterwide-pods (policies.yaml:1) only monitors what it would inject: 2 pods; dropped: 2 patches",
    );
    let judge = done
        .stdout
        .lines()
        .find(|line| line.starts_with("policy clusterwide-judge"));
    assert!(
        judge.unwrap().starts_with(
            "policy clusterwide-judge (policies.yaml:11) only monitors what it would refuse: 2 pods; dropped: 2 refusals (pod \"red/fruit-0\": "
        ),
        "{done:?}"
    );
    has_line(&done, "1 replica, 0 node groups, 2 pods, 0 refused");
    assert_eq!(done.refused, 0);
}

#[test]
fn rules_that_leave_out_creation_reach_nothing() {
    let update = r#"{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [UPDATE]}"#;
    let done = review(
        &cluster("pods", "Inject", update, &[MUTATING]),
        &set("red", "fruit"),
        &[],
    );
    has_line(
        &done,
        "policy clusterwide-pods (policies.yaml:1) injects: nothing of the input reaches it",
    );
    has_line(
        &done,
        "note: input.yaml:1:1: 2 pods of LeaderWorkerSet red/fruit (\"fruit-0\" is the first) reach no policy: none has a rule for it",
    );
}

#[test]
fn what_is_not_done_here_is_told() {
    let policies = cluster(
        "pods",
        "Inject",
        POD_RULE,
        &[
            MUTATING,
            "matchConditions: [{name: all, expression: 'true'}]",
            "objectselector: {}",
        ],
    ) + "apiVersion: policies.kubewarden.io/v1\nkind: ClusterAdmissionPolicyGroup\nmetadata: {name: group}\n";
    let done = review(&policies, &set("red", "fruit"), &[]);
    for line in [
        "note: policies.yaml:12: ClusterAdmissionPolicyGroup is not run here",
        "warning: policies.yaml:1: ClusterAdmissionPolicy \"pods\" has the field spec.objectselector, which Kubewarden's policies are not known to have; kubectl may refuse it",
        "note: policies.yaml:1: ClusterAdmissionPolicy \"pods\" has matchConditions, which are not evaluated here: in a cluster fewer requests may reach it",
    ] {
        has_line(&done, line);
    }
}

#[test]
fn an_injector_that_may_not_mutate_is_refused() {
    let what = "ClusterAdmissionPolicy \"pods\" injects, but mutating is not true, so the policy server refuses whatever it would place; set mutating: true, or action: Validate";
    refused(
        &cluster("pods", "Inject", POD_RULE, &["mutating: false"]),
        &[&format!("8:13: {what}")],
    );
    refused(
        &cluster("pods", "Inject", POD_RULE, &[]),
        &[&format!("5:3: {what}")],
    );
}

#[test]
fn a_protecting_twin_beside_a_monitoring_injector_is_refused() {
    let judge = cluster("judge", "Validate", POD_RULE, &["mode: protect"]);
    let policies =
        judge.clone() + &cluster("pods", "Inject", POD_RULE, &[MUTATING, "mode: monitor"]);
    refused(
        &policies,
        &[
            "8:9: ClusterAdmissionPolicy \"judge\" refuses pods without their placement, but ClusterAdmissionPolicy \"pods\" (policies.yaml:10), which should place them, only monitors, so it refuses them all; set mode: monitor here, or mode: protect there",
        ],
    );
    // Sets need no stamp to be accepted.
    let sets = cluster("judge", "Validate", SET_RULE, &[])
        + &cluster("sets", "Inject", SET_RULE, &[MUTATING, "mode: monitor"]);
    fine(&sets);
    // Another injector that protects is enough.
    let both = policies + &cluster("more-pods", "Inject", POD_RULE, &[MUTATING]);
    fine(&both);
}

#[test]
fn twins_whose_settings_differ_are_refused_unless_they_never_meet() {
    let judge = |lines: &[&str]| {
        cluster("judge", "Validate", POD_RULE, lines)
            .replace("pool.test/group", "[pool.test/group, pool.test/other]")
    };
    let policies = judge(&[]) + &injectors();
    refused(
        &policies,
        &[
            "7:61: ClusterAdmissionPolicy \"judge\" judges by other settings than ClusterAdmissionPolicy \"pods\" (policies.yaml:9) injects by: replicaSpecificNodeSelector is [\"pool.test/group\",\"pool.test/other\"] here and pool.test/group there; give both the same",
        ],
    );
    let elsewhere = judge(&["namespaceSelector: {matchLabels: {env: test}}"])
        + &cluster(
            "pods",
            "Inject",
            POD_RULE,
            &[MUTATING, "namespaceSelector: {matchLabels: {env: prod}}"],
        );
    fine(&elsewhere);
}

#[test]
fn a_selector_that_misses_the_pods_of_sets_is_refused() {
    let choosing = |lines: &[&str], key: &str| {
        let selector =
            format!("objectSelector: {{matchExpressions: [{{key: {key}, operator: Exists}}]}}");
        cluster(
            "pods",
            "Inject",
            POD_RULE,
            &[&[MUTATING, selector.as_str()], lines].concat(),
        )
    };
    let sentence = |who: &str, key: &str| {
        format!(
            "9:19: ClusterAdmissionPolicy \"pods\" never sees {who} of a LeaderWorkerSet: its objectSelector ({key}) matches none of them, since it is called before LeaderWorkerSet's own webhook writes its labels; select by \"leaderworkerset.sigs.k8s.io/name\" with the operator Exists"
        )
    };
    for (who, key) in [
        ("the pods", "leaderworkerset.x-k8s.io/name"),
        ("the pods", "leaderworkerset.sigs.k8s.io/set-name"),
        ("the leaders", "leaderworkerset.sigs.k8s.io/group-index"),
        ("the workers", "leaderworkerset.sigs.k8s.io/worker-index"),
    ] {
        refused(&choosing(&[], key), &[&sentence(who, key)]);
    }
    // Labels of one's own are a choice, and leaders that are left out need not come by.
    for key in ["app", "leaderworkerset.sigs.k8s.io/name"] {
        fine(&choosing(&[], key));
    }
    let workers = choosing(&[], "leaderworkerset.sigs.k8s.io/group-index")
        .replace("{action: Inject", "{members: Workers, action: Inject");
    fine(&workers);
}

#[test]
fn settings_that_keep_the_policy_server_from_starting_are_refused_with_all_else() {
    let policies = injectors().replace(
        "replicaSpecificNodeSelector: pool.test/group",
        "replicaSpecificNodeSelecto: pool.test/group",
    ) + &cluster("pods", "Inject", POD_RULE, &[MUTATING])
        + "apiVersion: policies.kubewarden.io/v1alpha2\nkind: ClusterAdmissionPolicy\nmetadata: {name: old}\n";
    let place = Place::new();
    place.write("policies.yaml", &policies);
    place.write("input.yaml", set("red", "fruit"));
    let module = policy();
    let done = place.run(&[
        "review",
        "--policy",
        &module,
        "--policy-manifest",
        "policies.yaml",
        "-f",
        "input.yaml",
    ]);
    assert!(
        done.stderr.contains(
            "
  28 | apiVersion: policies.kubewarden.io/v1alpha2
     |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
"
        ),
        "{done:?}"
    );
    let is_excerpt = |line: &&str| line.contains(" | ");
    let (excerpts, lines): (Vec<&str>, Vec<&str>) = done.stderr.lines().partition(is_excerpt);
    assert_eq!((lines.len(), excerpts.len()), (5, 8), "{done:?}");
    assert_eq!(
        lines[1],
        "  policies.yaml:28:13: field \"/apiVersion\" is \"policies.kubewarden.io/v1alpha2\"; give \"policies.kubewarden.io/v1\""
    );
    assert!(
        lines[2].starts_with("  policies.yaml:7:")
            && lines[2].contains("replicaSpecificNodeSelector"),
        "{done:?}"
    );
    assert!(lines[3].starts_with("  policies.yaml:16:"), "{done:?}");
    assert_eq!(
        lines[4],
        "  policies.yaml:21:18: ClusterAdmissionPolicy \"pods\" is in policies.yaml:1 too; remove one of the two, since the later would replace the earlier"
    );
    assert_eq!(done.status, 2);
}

#[test]
fn usage_that_is_wrong_is_exit_status_2() {
    let error = |arguments: &[&str]| {
        let place = Place::new();
        place.write("policies.yaml", injectors());
        place.write(
            "server.yaml",
            "apiVersion: policies.kubewarden.io/v1\nkind: PolicyServer\n",
        );
        place.write("input.yaml", set("red", "fruit"));
        let policy = policy();
        let done = place.run(
            &[
                &["review", "--policy", &policy, "-f", "input.yaml"],
                arguments,
            ]
            .concat(),
        );
        assert_eq!((done.status, done.stdout.as_str()), (2, ""), "{done:?}");
        done.stderr
    };
    let both = error(&[
        "--policy-manifest",
        "policies.yaml",
        "--settings",
        "policies.yaml",
    ]);
    assert!(both.contains("cannot be used with"), "{both}");
    let json = error(&[
        "--policy-manifest",
        "policies.yaml",
        "--settings-json",
        "{}",
    ]);
    assert!(json.contains("cannot be used with"), "{json}");
    let alone = error(&["--namespace-labels", "red=a=b"]);
    assert!(alone.contains("--policy-manifest"), "{alone}");
    assert_eq!(
        error(&[
            "--policy-manifest",
            "policies.yaml",
            "--namespace-labels",
            "red"
        ]),
        "error: --namespace-labels: \"red\" has no \"=\"; write NAMESPACE=KEY=VALUE,KEY=VALUE\n"
    );
    assert_eq!(
        error(&["--policy-manifest", "server.yaml"]),
        "error: --policy-manifest: there is no ClusterAdmissionPolicy and no AdmissionPolicy in it\n"
    );
    assert!(
        error(&["--policy-manifest", "missing.yaml"])
            .starts_with("error: cannot read missing.yaml")
    );
}

/// A folder of a cluster's manifests holds other policies too; what those do is not known here.
#[test]
fn policies_of_other_modules_are_left_out_and_told() {
    let place = Place::new();
    let own = "registry://registry.test:5000/lws-replica-placement:v0.1.0";
    let foreign = "registry://registry.test:5000/lws-replica-placement/pod-privileged:v1.0.0";
    let with =
        |text: String, module: &str| text.replace("registry://registry.test/policy:v1", module);
    // Settings that only the other module understands.
    let other = with(cluster("other", "Inject", POD_RULE, &[MUTATING]), foreign)
        .replace("settings: {action: Inject, ", "settings: {skipped: [a], ");
    place.write("policies/own.yaml", with(injectors(), own));
    place.write("policies/other.yaml", &other);
    place.write("input.yaml", set("red", "fruit"));
    let module = policy();
    let review = |policies: &str| {
        place.run(&[
            "review",
            "--policy",
            &module,
            "--policy-manifest",
            policies,
            "-f",
            "input.yaml",
        ])
    };
    let done = review("policies");
    let note = format!(
        "note: policies/other.yaml:1: ClusterAdmissionPolicy \"other\" is left out: its module is \"{foreign}\", not lws-replica-placement"
    );
    assert!(done.stdout.lines().any(|line| line == note), "{done:?}");
    assert!(
        !done.stdout.contains("policy clusterwide-other"),
        "{done:?}"
    );
    assert!(done.stdout.contains("policy clusterwide-pods"), "{done:?}");
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    // Where no name is known, all are run: the module may be stored under any name.
    let done = review("policies/other.yaml");
    assert!(
        done.stderr.contains("unknown field \"skipped\""),
        "{done:?}"
    );
    assert_eq!(done.status, 2);
}
