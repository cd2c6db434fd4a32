//! `review` of a cluster's dump, as a process and with the policy itself.
//!
//! `fixtures/cluster/healthy.yaml` is what `kubectl get leaderworkersets,pods,nodes,namespaces -A -o yaml` gives of one
//! set with two replicas of two pods, each pod on a node of its own. Every test makes one thing wrong in it.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failed set-up fails the test"
)]

mod common;

use common::{Done, Place};
use serde_json::{Value, json};
use std::path::Path;

/// The key that the fixture is placed by.
const KEY: &str = "compact-placement-group";

const SETTINGS: &str = r#"{"replicaSpecificNodeSelector": "compact-placement-group", "replicaSpecificToleration": [{"key": "compact-placement-group", "effect": "NoSchedule"}]}"#;

fn healthy_text() -> String {
    let path = "tests/fixtures/cluster/healthy.yaml";
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// A cluster's objects.
#[derive(Clone)]
struct Dump(Vec<Value>);

impl Dump {
    fn healthy() -> Self {
        let mut list = lws_manifest::read(healthy_text()).remove(0).unwrap().value;
        Self(serde_json::from_value(list["items"].take()).unwrap())
    }

    /// The one object of this kind and name.
    fn get(&mut self, kind: &str, name: &str) -> &mut Value {
        let is_it =
            |object: &&mut Value| object["kind"] == kind && object["metadata"]["name"] == name;
        self.0.iter_mut().find(is_it).unwrap()
    }

    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    fn json(&self) -> String {
        json!({"apiVersion": "v1", "items": self.0, "kind": "List", "metadata": {"resourceVersion": ""}})
            .to_string()
    }

    fn review(&self) -> Done {
        review(&self.json())
    }

    /// What it says as JSON, under `cluster`.
    fn found(&self) -> Value {
        let done = run(&["-o", "json"], &self.json());
        let report: Value = serde_json::from_str(&done.stdout).unwrap();
        report["cluster"].clone()
    }
}

fn run(arguments: &[&str], input: &str) -> Done {
    let mut all = vec!["review", "-f", "-", "--settings-json", SETTINGS];
    all.extend(arguments);
    Place::with_policy().run_with(&all, input)
}

fn review(input: &str) -> Done {
    run(&[], input)
}

/// The lines that begin with `error: ` or `warning: `.
fn findings(done: &Done) -> Vec<&str> {
    let is_finding = |line: &&str| line.starts_with("error: ") || line.starts_with("warning: ");
    done.stdout.lines().filter(is_finding).collect()
}

#[track_caller]
fn assert_finds(dump: &Dump, status: i32, expected: &[&str]) {
    let done = dump.review();
    assert_eq!(findings(&done), expected, "{done:?}");
    assert_eq!((done.status, done.stderr.as_str()), (status, ""));
}

/// A pod that no set has.
fn notebook(node: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "notebook", "namespace": "research"},
        "spec": {"nodeName": node, "containers": []},
        "status": {"phase": "Running"},
    })
}

#[test]
fn a_healthy_cluster() {
    let done = review(&healthy_text());
    assert_eq!(
        done.stdout,
        "\
LeaderWorkerSet team-a/vllm  2 of 2 replicas x 2 pods
REPLICA  PLACEMENT                                  PODS  NODES                           NAMES
vllm-0   compact-placement-group=vllm-0:NoSchedule  2     2 nodes: 2 labelled, 2 tainted  node-00, node-01
vllm-1   compact-placement-group=vllm-1:NoSchedule  2     2 nodes: 2 labelled, 2 tainted  node-10, node-11

1 set, 2 replicas, 4 members on 4 nodes, 0 errors, 0 warnings
"
    );
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
}

#[test]
fn yaml_and_json_give_the_same_answer() {
    let yaml = review(&healthy_text());
    let json = Dump::healthy().review();
    assert_eq!(yaml.stdout, json.stdout);
    assert_eq!(yaml.status, json.status);
    let compact = run(&["-o", "json"], &healthy_text()).stdout;
    assert_eq!(
        compact,
        run(&["-o", "json"], &Dump::healthy().json()).stdout
    );
    // As documents of their own, as other tools write them.
    let documents: Vec<String> = Dump::healthy().0.iter().map(Value::to_string).collect();
    assert_eq!(review(&documents.join("\n---\n")).stdout, yaml.stdout);
}

#[test]
fn a_dump_in_files_is_one_dump() {
    let dump = Dump::healthy();
    let place = Place::with_policy();
    for kind in ["LeaderWorkerSet", "Pod", "Node"] {
        let of_kind = dump.0.iter().filter(|object| object["kind"] == kind);
        let part = Dump(of_kind.cloned().collect());
        place.write(&format!("dump/{kind}.json"), part.json());
    }
    let done = place.run(&["review", "dump", "--settings-json", SETTINGS]);
    // The sets alone might be manifests, and are reviewed as such beside what runs.
    for line in [
        "LeaderWorkerSet team-a/vllm  2 of 2 replicas x 2 pods",
        "vllm-1   compact-placement-group=vllm-1:NoSchedule  2     2 nodes: 2 labelled, 2 tainted  node-10, node-11",
        "2 replicas, 2 node groups, 4 pods, 0 refused",
        "1 set, 2 replicas, 4 members on 4 nodes, 0 errors, 0 warnings",
    ] {
        assert!(done.stdout.lines().any(|found| found == line), "{done:?}");
    }
    assert_eq!(done.status, 0);
}

#[test]
fn a_stranger_on_a_replicas_node() {
    let dump = Dump::healthy().with(|dump| dump.0.push(notebook("node-01")));
    assert_finds(
        &dump,
        0,
        &[
            "warning: team-a/vllm, replica vllm-0: node \"node-01\" also runs pod research/notebook, which is not the replica's; move it or taint the node",
        ],
    );
    let node = &dump.found()["sets"][0]["shown"][0]["nodes"][1];
    assert_eq!(node["strangers"], json!(["research/notebook"]));
    assert_eq!(node["strangerCount"], 1);
}

#[test]
fn pods_that_take_no_room_are_no_strangers() {
    let dump = Dump::healthy().with(|dump| {
        let mut ended = notebook("node-00");
        ended["status"]["phase"] = "Succeeded".into();
        let mut leaving = notebook("node-00");
        leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
        let mut mirror = notebook("node-00");
        mirror["metadata"]["annotations"] = json!({"kubernetes.io/config.mirror": "0"});
        let mut waiting = notebook("");
        waiting["status"]["phase"] = "Pending".into();
        dump.0.extend([ended, leaving, mirror, waiting]);
    });
    // The DaemonSet's pod with its hostPath volume is in the fixture.
    assert_eq!(dump.get_count("Pod"), 9);
    assert_finds(&dump, 0, &[]);
}

impl Dump {
    fn get_count(&self, kind: &str) -> usize {
        let of_kind = self.0.iter().filter(|object| object["kind"] == kind);
        of_kind.count()
    }
}

#[test]
fn a_node_without_its_taint() {
    let dump = Dump::healthy().with(|dump| {
        dump.get("Node", "node-10")["spec"]["taints"] = Value::Null;
        // Another effect keeps nobody away whom the settings mean to keep away.
        dump.get("Node", "node-11")["spec"]["taints"][0]["effect"] = "PreferNoSchedule".into();
    });
    assert_finds(
        &dump,
        0,
        &[
            "warning: team-a/vllm, replica vllm-1: nodes \"node-10\", \"node-11\" lack taint compact-placement-group=vllm-1:NoSchedule, so other pods may be scheduled there; taint the nodes",
        ],
    );
    assert!(
        dump.review()
            .stdout
            .contains("2 nodes: 2 labelled, 0 tainted")
    );
}

#[test]
fn a_node_that_lost_its_label() {
    let dump = Dump::healthy().with(|dump| {
        let labels = &mut dump.get("Node", "node-00")["metadata"]["labels"];
        labels.as_object_mut().unwrap().remove(KEY);
    });
    assert_finds(
        &dump,
        0,
        &[
            "warning: team-a/vllm, replica vllm-0: node \"node-00\" lacks label compact-placement-group=vllm-0, which the pods there select; somebody removed it, label the node again",
        ],
    );
}

#[test]
fn a_member_on_a_foreign_node() {
    let dump = Dump::healthy().with(|dump| {
        dump.get("Pod", "vllm-1-1")["spec"]["nodeName"] = "node-01".into();
    });
    // Once: that vllm-0 has a stranger on its node is the same thing.
    assert_finds(
        &dump,
        1,
        &[
            "error: team-a/vllm, replica vllm-1: pod vllm-1-1 on foreign node \"node-01\": label compact-placement-group is \"vllm-0\", replica team-a/vllm-0's, not \"vllm-1\"; delete it to have it scheduled anew",
        ],
    );
    let shown = dump.found()["sets"][0]["shown"].clone();
    assert_eq!(
        shown[1]["nodes"][0]["foreignLabels"],
        json!(["compact-placement-group=vllm-0"])
    );
    assert_eq!(
        shown[0]["nodes"][1]["strangers"],
        json!(["team-a/vllm-1-1"])
    );
}

#[test]
fn a_node_of_a_replica_that_is_gone() {
    let dump = Dump::healthy().with(|dump| {
        dump.get("Node", "node-11")["metadata"]["labels"][KEY] = "vllm-7".into();
    });
    assert_finds(
        &dump,
        1,
        &[
            "error: team-a/vllm, replica vllm-1: pod vllm-1-1 on foreign node \"node-11\": label compact-placement-group is \"vllm-7\", that of no replica in the input, not \"vllm-1\"; delete it to have it scheduled anew",
        ],
    );
}

#[test]
fn members_without_their_placement() {
    let dump = Dump::healthy().with(|dump| {
        for pod in ["vllm-0", "vllm-0-1"] {
            let spec = dump.get("Pod", pod)["spec"].as_object_mut().unwrap();
            spec.remove("nodeSelector");
        }
    });
    let done = dump.review();
    let found = findings(&done);
    let [finding] = found.as_slice() else {
        panic!("{done:?}");
    };
    // What follows is the policy's own sentence, told once for both.
    assert!(
        finding.starts_with("error: team-a/vllm, replica vllm-0: pods vllm-0, vllm-0-1 without the placement: nodeSelector lacks \"compact-placement-group\""),
        "{finding}"
    );
    assert_eq!(done.status, 1);
    assert!(done.stdout.contains("2, 2 refused"), "{done:?}");
    let found = dump.found();
    assert_eq!(found["findings"][0]["kind"], "withoutPlacement");
    assert_eq!(found["findings"][0]["count"], 2);
    assert_eq!(found["sum"]["errors"], 1);
}

#[test]
fn a_member_that_contradicts_its_placement() {
    let dump = Dump::healthy().with(|dump| {
        dump.get("Pod", "vllm-0-1")["spec"]["nodeSelector"][KEY] = "manual".into();
    });
    let done = dump.review();
    let found = findings(&done);
    assert!(
        found.len() == 1
            && found[0].starts_with("error: team-a/vllm, replica vllm-0: pod vllm-0-1 against the placement: nodeSelector \"compact-placement-group\" is \"manual\""),
        "{done:?}"
    );
    assert_eq!(done.status, 1);
}

#[test]
fn a_member_whose_replica_cannot_be_told() {
    let dump = Dump::healthy().with(|dump| {
        dump.get("Pod", "vllm-0-1")["metadata"]["annotations"]["leaderworkerset.sigs.k8s.io/leader-name"] =
            "".into();
    });
    let done = dump.review();
    let found = findings(&done);
    assert!(
        found.iter().any(|line| line.starts_with("error: team-a/vllm: pod vllm-0-1 with no placement that can be told: annotation \"leaderworkerset.sigs.k8s.io/leader-name\" is empty")),
        "{done:?}"
    );
    assert_eq!(done.status, 1);
}

#[test]
fn pods_that_wait() {
    let dump = Dump::healthy().with(|dump| {
        for pod in ["vllm-0-1", "vllm-1-1"] {
            let pod = dump.get("Pod", pod);
            pod["status"]["phase"] = "Pending".into();
            pod["spec"].as_object_mut().unwrap().remove("nodeName");
        }
        dump.get("Pod", "vllm-1-1")["spec"]["schedulingGates"] = json!([{"name": "kueue"}]);
    });
    assert_finds(
        &dump,
        0,
        &[
            "warning: team-a/vllm, replica vllm-0: pod vllm-0-1 waits for a node; see whether the autoscaler builds one, kubectl describe the pod",
            "warning: team-a/vllm, replica vllm-1: pod vllm-1-1 waits behind a scheduling gate; see who lifts it",
        ],
    );
    assert!(dump.review().stdout.contains("2, 1 waiting"));
}

#[test]
fn a_gated_pod_may_still_lack_its_placement() {
    let dump = Dump::healthy().with(|dump| {
        let pod = dump.get("Pod", "vllm-1-1");
        let spec = pod["spec"].as_object_mut().unwrap();
        spec.remove("nodeName");
        spec.remove("nodeSelector");
        spec.insert("schedulingGates".to_owned(), json!([{"name": "kueue"}]));
    });
    assert_finds(
        &dump,
        0,
        &[
            "warning: team-a/vllm, replica vllm-1: pod vllm-1-1 waits behind a scheduling gate; see who lifts it",
        ],
    );
}

#[test]
fn two_namespaces_that_share_a_value() {
    let dump = Dump::healthy().with(|dump| {
        for object in dump.0.clone() {
            if object["metadata"]["namespace"] == "team-a" {
                let mut other = object;
                other["metadata"]["namespace"] = "team-b".into();
                if other["kind"] == "Pod" && other["metadata"]["name"] != "vllm-0" {
                    other["spec"]["nodeName"] = Value::Null;
                    other["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
                }
                dump.0.push(other);
            }
        }
        let set = dump.0.iter_mut().find(|object| {
            object["kind"] == "LeaderWorkerSet" && object["metadata"]["namespace"] == "team-b"
        });
        set.unwrap()["spec"] = json!({"replicas": 1, "leaderWorkerTemplate": {"size": 1}});
    });
    assert_finds(
        &dump,
        0,
        &[
            "warning: value \"vllm-0\" of compact-placement-group is that of 2 replicas, team-a/vllm-0, team-b/vllm-0, so they share nodes; set replicaValue to NamespacedLeaderName or HashedLeaderName",
            "warning: team-a/vllm, replica vllm-0: node \"node-00\" also runs pod team-b/vllm-0, which is not the replica's; move it or taint the node",
            "warning: team-b/vllm, replica vllm-0: node \"node-00\" also runs pod team-a/vllm-0, which is not the replica's; move it or taint the node",
        ],
    );
}

#[test]
fn what_is_missing_is_told() {
    let dump = Dump::healthy().with(|dump| {
        dump.0
            .retain(|object| object["metadata"]["name"] != "vllm-1-1");
        dump.get("LeaderWorkerSet", "vllm")["spec"]["replicas"] = 3.into();
    });
    assert_finds(
        &dump,
        0,
        &[
            "warning: team-a/vllm, replica vllm-1: 1 of 2 pods are there; see the events of its StatefulSet",
            "warning: team-a/vllm: 2 of 3 replicas are there; see the events of the LeaderWorkerSet",
        ],
    );
}

#[test]
fn pods_alone_are_a_dump_too() {
    let dump = Dump::healthy().with(|dump| dump.0.retain(|object| object["kind"] == "Pod"));
    let done = dump.review();
    for line in [
        "LeaderWorkerSet team-a/vllm  2 replicas, set not in the input",
        "vllm-0   compact-placement-group=vllm-0:NoSchedule  2     2 nodes: 2 not in the input  node-00, node-01",
        "note: nodes of members that are not in the input: 4; their labels and taints are not judged, get nodes too",
        "note: sets of pods that are not in the input: 1; how many pods they should have is not judged, get leaderworkersets too",
    ] {
        assert!(
            done.stdout.lines().any(|found| found == line),
            "{line}\n{done:?}"
        );
    }
    assert_eq!(done.status, 0);
}

#[test]
fn stamps_say_more_than_settings() {
    let dump = Dump::healthy().with(|dump| {
        for pod in ["vllm-0", "vllm-0-1", "vllm-1", "vllm-1-1"] {
            let annotations = &mut dump.get("Pod", pod)["metadata"]["annotations"];
            annotations["lws-replica-placement/placement"] =
                r#"{"nodeSelector":["compact-placement-group"]}"#.into();
        }
        for node in ["node-00", "node-01", "node-10", "node-11"] {
            dump.get("Node", node)["spec"]["taints"] = Value::Null;
        }
    });
    assert_finds(&dump, 0, &[]);
    assert!(dump.review().stdout.contains(
        "vllm-0   compact-placement-group=vllm-0  2     2 nodes: 2 labelled  node-00, node-01"
    ));
}

#[test]
fn settings_that_ask_for_nothing_are_told() {
    let done = Place::with_policy().run_with(&["review", "-f", "-"], &healthy_text());
    assert!(
        done.stdout.contains("note: no pod's placement is judged"),
        "{done:?}"
    );
    assert!(
        done.stdout
            .contains("vllm-0   -          2     2 nodes  node-00, node-01"),
        "{done:?}"
    );
    assert_eq!(done.status, 0);
}

#[test]
fn markdown_and_yaml() {
    let dump = Dump::healthy().with(|dump| {
        dump.0.push(notebook("node-01"));
        dump.get("Pod", "vllm-1-1")["spec"]["nodeName"] = "node-01".into();
    });
    let done = run(&["-o", "markdown"], &dump.json());
    for line in [
        "### Errors in the cluster",
        "<summary>LeaderWorkerSet team-a/vllm: 2 of 2 replicas x 2 pods</summary>",
        "| `vllm-1` | `compact-placement-group=vllm-1:NoSchedule` | 2 | 2 nodes: 1 labelled, 1 tainted, 1 foreign | `node-01`, `node-10` |",
        "- Warning: team-a/vllm, replica vllm-0: node \"node-01\" also runs pod research/notebook, which is not the replica's; move it or taint the node",
        "**1 set, 2 replicas, 4 members on 3 nodes, 1 error, 1 warning**",
    ] {
        assert!(
            done.stdout.lines().any(|found| found == line),
            "{line}\n{done:?}"
        );
    }
    assert_eq!(done.status, 1);
    // What YAML says is what JSON says.
    let yaml = run(&["-o", "yaml"], &dump.json()).stdout;
    let document = lws_manifest::read(yaml).remove(0).unwrap();
    assert_eq!(document.value["cluster"], dump.found());
}

#[test]
fn manifests_stay_manifests() {
    let dump = Dump::healthy().with(|dump| {
        dump.0.retain(|object| object["kind"] == "LeaderWorkerSet");
    });
    let done = dump.review();
    assert!(
        done.stdout
            .contains("2 replicas, 2 node groups, 4 pods, 0 refused"),
        "{done:?}"
    );
    let report: Value = serde_json::from_str(&run(&["-o", "json"], &dump.json()).stdout).unwrap();
    assert_eq!(report.get("cluster"), None);
}

#[test]
fn a_dump_that_breaks_off() {
    let text = healthy_text();
    let half = text
        .get(..text.find("name: node-10").unwrap() + 20)
        .unwrap();
    let broken = format!("{half}\n  }}\n");
    let done = review(&broken);
    assert!(done.stdout.contains("error: standard input:"), "{done:?}");
    assert_eq!(done.status, 2);
    // What came before is judged.
    assert!(done.stdout.contains("team-a/vllm"), "{done:?}");
}

#[test]
fn overlapping_dumps_count_once() {
    let dump = Dump::healthy().with(|dump| {
        let pods = dump.0.iter().filter(|object| object["kind"] == "Pod");
        let pods: Vec<Value> = pods.cloned().collect();
        dump.0.extend(pods);
    });
    let done = dump.review();
    assert!(
        done.stdout
            .contains("note: pods that are in the input again: 4; the first of each counts"),
        "{done:?}"
    );
    assert!(
        done.stdout
            .contains("4 members on 4 nodes, 0 errors, 0 warnings"),
        "{done:?}"
    );
}

#[test]
fn a_large_cluster_is_summed_up() {
    let healthy = Dump::healthy().json();
    let mut dump = Dump(Vec::new());
    for number in 0..25 {
        let text = healthy
            .replace("vllm", &format!("model{number:02}"))
            .replace("node-", &format!("node{number:02}-"))
            .replace("log-agent-x7x2p", &format!("log-agent-{number}"));
        let mut list: Value = serde_json::from_str(&text).unwrap();
        dump.0
            .extend(serde_json::from_value::<Vec<Value>>(list["items"].take()).unwrap());
        if number != 3 && number != 7 {
            let mut pod = notebook(&format!("node{number:02}-00"));
            pod["metadata"]["name"] = format!("notebook-{number}").into();
            dump.0.push(pod);
        }
    }
    let done = run(&["--replicas", "1"], &dump.json());
    let count = |start: &str| {
        done.stdout
            .lines()
            .filter(|line| line.starts_with(start))
            .count()
    };
    assert_eq!(
        (count("LeaderWorkerSet "), count("warning: ")),
        (20, 20),
        "{done:?}"
    );
    for line in [
        "... and 1 replica (--replicas 2 shows all)",
        "... and 3 further sets with findings, 2 sets without (-o json tells all)",
        "... and 3 more nodes with other pods (-o json tells all)",
        "25 sets, 50 replicas, 100 members on 100 nodes, 0 errors, 23 warnings",
    ] {
        assert!(
            done.stdout.lines().any(|found| found == line),
            "{line}\n{done:?}"
        );
    }
    assert_eq!(done.status, 0);
    let found = dump.found();
    assert_eq!(found["sets"].as_array().unwrap().len(), 25);
    assert_eq!(found["findings"].as_array().unwrap().len(), 23);
    assert_eq!(found["sum"]["pods"], 25 * 5 + 23);
}

#[test]
fn another_versions_policy_is_told() {
    // The echo policy takes settings that the library beside this program does not know.
    let arguments = [
        "review",
        "-f",
        "-",
        "--settings-json",
        r#"{"accepted": true}"#,
    ];
    let done = Place::new().run_with(&arguments, &healthy_text());
    assert!(
        done.stdout.contains("error: a dump cannot be judged under these settings: settings: unknown field \"accepted\""),
        "{done:?}"
    );
    assert_eq!(done.status, 2);
}

/// Policy manifests tell the settings; a DisaggregatedSet beside the dump does not ask for sets of its own there.
#[test]
fn a_dump_beside_policy_manifests_and_a_disaggregated_set() {
    let place = Place::with_policy();
    place.write(
        "policies.yaml",
        "\
apiVersion: policies.kubewarden.io/v1
kind: ClusterAdmissionPolicy
metadata: {name: pods}
spec:
  module: registry.example/policy:v1
  mutating: true
  rules:
    - {apiGroups: [\"\"], apiVersions: [v1], resources: [pods], operations: [CREATE, UPDATE]}
  settings:
    replicaSpecificNodeSelector: compact-placement-group
    replicaSpecificToleration:
      - {key: compact-placement-group, effect: NoSchedule}
",
    );
    place.write(
        "set.yaml",
        include_str!("fixtures/review/disaggregated.yaml"),
    );
    let dump = Dump::healthy().with(|dump| {
        let pod = dump.get("Pod", "vllm-0-1");
        pod["spec"]["nodeSelector"] = json!({});
    });
    place.write("dump.json", dump.json());
    let arguments = ["review", "-o", "json", "-f", "set.yaml", "dump.json"];
    let done = place.run(&[&arguments[..], &["--policy-manifest", "policies.yaml"]].concat());
    let report: Value = serde_json::from_str(&done.stdout).unwrap();
    let kinds: Vec<&str> = report["cluster"]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["withoutPlacement"], "{done:?}");
    assert_eq!(report["cluster"]["sum"]["sets"], 1, "{done:?}");
    assert_eq!(report["sets"].as_array().unwrap().len(), 2, "{done:?}");
    assert!(
        done.stdout.contains("what runs is judged by the settings of clusterwide-pods alone, whichever policy its pods would reach"),
        "{done:?}"
    );
    assert_eq!(done.status, 1, "{done:?}");
}

/// A List in a List is taken apart, as `kubectl apply` does.
#[test]
fn lists_in_lists_are_a_dump_too() {
    let foreign = Dump::healthy().with(|dump| {
        let node = dump.get("Pod", "vllm-0")["spec"]["nodeName"].clone();
        dump.get("Pod", "vllm-1-1")["spec"]["nodeName"] = node;
    });
    let inner: Value = serde_json::from_str(&foreign.json()).unwrap();
    let outer = json!({"apiVersion": "v1", "kind": "List", "items": [inner]}).to_string();
    let (flat, nested) = (foreign.review(), review(&outer));
    assert_eq!((flat.status, nested.status), (1, 1), "{nested:?}");
    assert_eq!(flat.stdout, nested.stdout);
}

/// The API server's own lists leave kind and apiVersion out of their items.
#[test]
fn items_without_a_kind_are_an_error() {
    let mut dump = Dump::healthy();
    let pod = dump.get("Pod", "vllm-0").as_object_mut().unwrap();
    pod.remove("kind");
    let done = dump.review();
    assert_eq!(done.status, 2, "{done:?}");
    assert!(
        done.stdout.contains("error: 1 object of the dump without a kind, not judged; kubectl get -o yaml writes kind and apiVersion into each"),
        "{}",
        done.stdout
    );
    let alone =
        json!({"apiVersion": "v1", "kind": "PodList", "items": [{"metadata": {"name": "a"}}]});
    let done = review(&alone.to_string());
    assert_eq!(done.status, 2, "{done:?}");
    assert!(
        done.stdout
            .contains("an item of a list has no kind and is not judged"),
        "{}",
        done.stdout
    );
}

/// As of pods the first counts, and since the two may say different things it is a warning.
#[test]
fn nodes_that_come_again_are_told() {
    let dump = Dump::healthy().with(|dump| {
        let mut again = dump.get("Node", "node-11").clone();
        again["metadata"]["labels"] = json!({});
        dump.0.push(again);
    });
    let done = dump.review();
    assert_eq!(done.status, 0, "{done:?}");
    assert!(
        done.stdout
            .contains("warning: nodes that are in the input again: 1; the first of each counts"),
        "{}",
        done.stdout
    );
}

/// No cluster stores such names, but a file may hold them.
#[test]
fn names_cannot_steer_what_reads_the_output() {
    let dump = Dump::healthy().with(|dump| {
        dump.get("Pod", "vllm-0")["spec"]["nodeName"] = "n\n\n::error::@octocat\u{1b}[2J".into();
    });
    for output in [
        "table",
        "github",
        "markdown",
        "yaml",
        "junit",
        "dot",
        "svg",
        "policy-report",
    ] {
        let done = run(&["-o", output], &dump.json());
        assert!(!done.stdout.contains('\u{1b}'), "{output}: {}", done.stdout);
        assert!(
            !done.stdout.contains("\n::error::@"),
            "{output}: {}",
            done.stdout
        );
    }
}
