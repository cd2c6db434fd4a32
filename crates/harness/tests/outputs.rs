//! The formats of `review` for other programs: GitHub Actions, build servers, policy dashboards, comments, pictures.
//!
//! What each writes is held in `fixtures/outputs`: `UPDATE_SNAPSHOTS=1 cargo test -p lws-placement --test outputs`
//! writes these files anew.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a failed set-up fails the test"
)]

mod common;

use common::{Done, Place};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const SETTINGS: &str = r#"{"replicaSpecificNodeSelector": "compact-placement-group", "replicaSpecificToleration": [{"key": "compact-placement-group", "effect": "NoSchedule"}]}"#;

/// The formats, each with its file's ending.
const FORMATS: [(&str, &str); 6] = [
    ("github", "github.txt"),
    ("junit", "junit.xml"),
    ("policy-report", "policy-report.yaml"),
    ("markdown", "md"),
    ("dot", "dot"),
    ("svg", "svg"),
];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// What the formats are shown of: manifests that are injected, the same judged only, and a cluster's dump.
fn inputs() -> [(&'static str, Vec<&'static str>); 3] {
    let judged = ["mixed.yaml", "--settings-json", JUDGED, "--replicas", "1"];
    [
        ("mixed", vec!["mixed.yaml", "--settings-json", SETTINGS]),
        ("judged", judged.to_vec()),
        ("cluster", vec!["dump.json", "--settings-json", SETTINGS]),
    ]
}

const JUDGED: &str =
    r#"{"action": "Validate", "replicaSpecificNodeSelector": "compact-placement-group"}"#;

/// A place with the inputs. In the dump a notebook is on a replica's node, a worker on another replica's, and a leader
/// lacks its selector.
fn place() -> Place {
    let place = Place::with_policy();
    let mixed = std::fs::read(fixtures().join("outputs/mixed.yaml")).unwrap();
    place.write("mixed.yaml", mixed);
    let healthy = std::fs::read(fixtures().join("cluster/healthy.yaml")).unwrap();
    let mut list = lws_manifest::read(healthy).remove(0).unwrap().value;
    let items = list["items"].as_array_mut().unwrap();
    for item in items.iter_mut().filter(|item| item["kind"] == "Pod") {
        match item["metadata"]["name"].as_str() {
            Some("vllm-1-1") => item["spec"]["nodeName"] = json!("node-01"),
            Some("vllm-1") => item["spec"]["nodeSelector"] = json!({}),
            _ => {}
        }
    }
    items.push(json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "notebook", "namespace": "research"},
        "spec": {"nodeName": "node-00", "containers": []},
        "status": {"phase": "Running"},
    }));
    place.write("dump.json", list.to_string());
    place
}

fn review(place: &Place, format: &str, arguments: &[&str]) -> Done {
    let all = [&["review", "-o", format], arguments].concat();
    place.run(&all)
}

fn output(format: &str, input: usize) -> String {
    let (_, arguments) = &inputs()[input];
    review(&place(), format, arguments).stdout
}

/// Holds a comment to its length, its tags in pairs, and each table to rows of one width.
fn is_balanced(markdown: &str) {
    let count = |text: &str| markdown.matches(text).count();
    for tag in ["details", "summary"] {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        assert_eq!(count(&open), count(&close), "{tag}");
    }
    let bars = |line: &str| line.replace("\\|", "").matches('|').count();
    for block in markdown
        .split("\n\n")
        .filter(|block| block.starts_with('|'))
    {
        let bars: BTreeSet<usize> = block.lines().map(bars).collect();
        assert_eq!(bars.len(), 1, "{block}");
        assert!(block.lines().all(|line| line.ends_with('|')), "{block}");
        assert!(
            block.lines().nth(1).unwrap().starts_with("|---|"),
            "{block}"
        );
    }
    assert!(markdown.chars().count() < 65_536);
}

#[test]
fn each_format_is_as_it_was() {
    let place = place();
    for (name, arguments) in inputs() {
        let table = review(&place, "table", &arguments);
        for (format, ending) in FORMATS {
            let done = review(&place, format, &arguments);
            let path = fixtures().join(format!("outputs/{name}.{ending}"));
            if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
                std::fs::write(&path, &done.stdout).unwrap();
            }
            let known = std::fs::read_to_string(&path).unwrap_or_default();
            assert_eq!(done.stdout, known, "{}", path.display());
            // The format changes nothing of the verdict.
            assert_eq!((done.status, &done.stderr), (table.status, &table.stderr));
        }
    }
}

#[test]
fn two_runs_give_the_same_bytes() {
    let place = place();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/vllm.yaml");
    place.write("vllm.yaml", std::fs::read(example).unwrap());
    let all = [
        "vllm.yaml",
        "mixed.yaml",
        "dump.json",
        "--settings-json",
        SETTINGS,
    ];
    for format in FORMATS
        .map(|(format, _)| format)
        .into_iter()
        .chain(["table", "json", "yaml"])
    {
        let run = || review(&place, format, &all);
        let (first, second) = (run(), run());
        assert!(!first.stdout.is_empty());
        assert_eq!(first.stdout, second.stdout, "{format}");
        assert!(!first.stdout.contains('\u{1b}'), "{format}");
    }
}

#[test]
fn github_has_a_line_for_each_refusal_and_the_sum_at_the_end() {
    let text = output("github", 1);
    let lines: Vec<&str> = text.lines().collect();
    let (sum, commands) = lines.split_last().unwrap();
    assert!(!sum.contains("::"), "{sum}");
    // All pods of both replicas are refused for one reason: one line says so.
    let hit = |line: &&&str| line.contains("8 pods (");
    assert_eq!(commands.iter().filter(hit).count(), 1, "{text}");
    for command in commands {
        let (_, rest) = command.split_once("::").unwrap();
        let (head, message) = rest.split_once("::").unwrap();
        let (word, properties) = head.split_once(' ').unwrap();
        assert!(["error", "warning", "notice"].contains(&word), "{command}");
        let names: Vec<&str> = properties
            .split(',')
            .map(|property| property.split_once('=').unwrap().0)
            .collect();
        assert!(names == ["title"] || names == ["file", "line", "col", "title"]);
        assert!(!message.is_empty());
    }
}

#[test]
fn github_names_no_file_for_standard_input_and_escapes_odd_names() {
    let place = place();
    let text = String::from_utf8(place.read("mixed.yaml")).unwrap();
    let done = place.run_with(
        &[
            "review",
            "-o",
            "github",
            "-f",
            "-",
            "--settings-json",
            SETTINGS,
        ],
        &text,
    );
    assert!(!done.stdout.contains("file="), "{done:?}");
    let line = "::error title=LeaderWorkerSet team-b/pinned::standard input:62:36: refused, so none of its pods are made: ";
    assert!(done.stdout.contains(line), "{done:?}");
    place.write("odd, 100%:name.yaml", text);
    let done = review(
        &place,
        "github",
        &["odd, 100%:name.yaml", "--settings-json", SETTINGS],
    );
    assert!(
        done.stdout
            .starts_with("::error file=odd%2C 100%25%3Aname.yaml,line=20,col=9,title="),
        "{done:?}"
    );
}

#[test]
fn junit_counts_what_it_holds() {
    for input in 0..inputs().len() {
        let xml = output("junit", input);
        let parsed = quick_junit::Report::deserialize_from_str(&xml).unwrap();
        let cases = || {
            parsed
                .test_suites
                .iter()
                .flat_map(|suite| &suite.test_cases)
        };
        assert_eq!(parsed.tests, cases().count());
        let of_kind = |wanted| {
            let is_it = |case: &&quick_junit::TestCase| {
                matches!(&case.status, quick_junit::TestCaseStatus::NonSuccess { kind, message, description, .. }
                if *kind == wanted && message.is_some() && description.is_some())
            };
            cases().filter(is_it).count()
        };
        assert_eq!(
            parsed.failures,
            of_kind(quick_junit::NonSuccessKind::Failure)
        );
        assert_eq!(parsed.errors, of_kind(quick_junit::NonSuccessKind::Error));
        assert!(parsed.failures > 0);
        for word in [" time=", " timestamp=", " uuid="] {
            assert!(!xml.contains(word), "{word}");
        }
        let names: BTreeSet<(String, String)> = cases()
            .map(|case| {
                (
                    case.classname.as_ref().unwrap().to_string(),
                    case.name.to_string(),
                )
            })
            .collect();
        assert_eq!(names.len(), parsed.tests, "each case has a name of its own");
    }
    // The replicas that are not shown are refused too, and one case stands for them.
    let judged = output("junit", 1);
    let hidden = "name=\"... and 1 replica, judged but not shown (--replicas 2 shows all)\" classname=\"LeaderWorkerSet team-a/vllm\">\n            <failure";
    assert!(judged.contains(hidden), "{judged}");
}

/// Holds a report to what the resource's definition says, and to its own numbers.
fn is_policy_report(report: &Value) {
    let has = |value: &Value, known: &[&str]| {
        for key in value.as_object().unwrap().keys() {
            assert!(known.contains(&key.as_str()), "{key} in {value}");
        }
    };
    has(
        report,
        &["apiVersion", "kind", "metadata", "summary", "results"],
    );
    assert_eq!(report["apiVersion"], "wgpolicyk8s.io/v1alpha2");
    let namespace = report["metadata"].get("namespace");
    let kind = if namespace.is_some() {
        "PolicyReport"
    } else {
        "ClusterPolicyReport"
    };
    assert_eq!(report["kind"], kind);
    assert!(report["metadata"]["name"].is_string());
    let label = &report["metadata"]["labels"]["app.kubernetes.io/managed-by"];
    assert_eq!(label, "kubewarden");
    let results = report["results"].as_array().unwrap();
    has(
        &report["summary"],
        &["pass", "fail", "warn", "error", "skip"],
    );
    for word in ["pass", "fail", "warn", "error", "skip"] {
        let count = results
            .iter()
            .filter(|result| result["result"] == word)
            .count();
        assert_eq!(report["summary"][word], count, "{word}");
    }
    for result in results {
        has(
            result,
            &[
                "source",
                "policy",
                "rule",
                "category",
                "severity",
                "result",
                "scored",
                "resources",
                "message",
                "properties",
            ],
        );
        assert!(
            ["pass", "fail", "warn", "error", "skip"]
                .iter()
                .any(|word| result["result"] == *word)
        );
        assert!(
            ["critical", "high", "medium", "low", "info"]
                .iter()
                .any(|word| result["severity"] == *word)
        );
        assert_eq!(
            (&result["source"], &result["scored"]),
            (&json!("kubewarden"), &json!(true))
        );
        assert!(result["policy"].is_string() && result["rule"].is_string());
        for (_, value) in result["properties"].as_object().into_iter().flatten() {
            assert!(value.is_string(), "{result}");
        }
        for object in result["resources"].as_array().into_iter().flatten() {
            has(object, &["apiVersion", "kind", "namespace", "name"]);
            assert_eq!(Some(&object["namespace"]), namespace);
        }
        assert!(result["result"] == "pass" || result["message"].is_string());
    }
}

#[test]
fn policy_reports_are_as_their_definition_says() {
    let reports = |input| -> Vec<Value> {
        let documents = lws_manifest::read(output("policy-report", input));
        let reports = documents
            .into_iter()
            .map(|document| document.unwrap().value);
        reports.collect()
    };
    for input in 0..inputs().len() {
        let reports = reports(input);
        assert!(!reports.is_empty());
        reports.iter().for_each(is_policy_report);
    }
    let namespaces: Vec<Value> = reports(0)
        .iter()
        .map(|report| report["metadata"]["namespace"].clone())
        .collect();
    assert_eq!(namespaces, [json!("team-a"), json!("team-b"), Value::Null]);
    // What the table says is in the numbers.
    assert_eq!(
        reports(0)[1]["summary"],
        json!({"pass": 2, "fail": 1, "warn": 1, "error": 0, "skip": 0})
    );
}

#[test]
fn markdown_of_thousands_of_refusals_has_room_in_a_comment() {
    let place = place();
    let pod = |index: u32| {
        json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": format!("vllm-{index}-1"),
                "labels": {"leaderworkerset.sigs.k8s.io/name": "vllm"},
                "annotations": {"leaderworkerset.sigs.k8s.io/leader-name": format!("vllm-{index}")},
                "ownerReferences": [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": format!("vllm-{index}"), "uid": "1", "controller": true}],
            },
            "spec": {"containers": [], "nodeSelector": {"compact-placement-group": "<b>|`"}},
        })
    };
    let pods: Vec<Value> = (0..3_000).map(pod).collect();
    place.write(
        "pods.json",
        json!({"apiVersion": "v1", "kind": "List", "items": pods}).to_string(),
    );
    let done = review(
        &place,
        "markdown",
        &["pods.json", "mixed.yaml", "--settings-json", SETTINGS],
    );
    is_balanced(&done.stdout);
    assert!(
        done.stdout
            .starts_with("### Not all could be reviewed\n\n**3 replicas, "),
        "{done:?}"
    );
    let told = done
        .stdout
        .matches(": refused** at `pods.json:1`: ")
        .count();
    assert!(told > 100);
    let last = done.stdout.lines().last().unwrap();
    assert!(
        last.ends_with(
            " more lines that have no room here; `lws-placement review -o table` shows them"
        ),
        "{last}"
    );
    // Without refusals the tables are what is cut.
    place.write("many.json", json!({
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "many"},
        "spec": {"replicas": 800, "leaderWorkerTemplate": {"size": 1, "workerTemplate": {"spec": {"containers": []}}}},
    }).to_string());
    let done = review(
        &place,
        "markdown",
        &[
            "many.json",
            "--replicas",
            "800",
            "--settings-json",
            SETTINGS,
        ],
    );
    is_balanced(&done.stdout);
    let rows = done.stdout.matches("\n| ").count() - 1;
    let rest = format!("... and {} more lines", 800 - rows);
    assert!(done.stdout.contains(&rest), "{rest}");
    assert_eq!(done.status, 0);
}

#[test]
fn markdown_of_a_comparison_and_of_a_cluster_has_room_in_a_comment() {
    let place = place();
    place.write("one.json", SETTINGS);
    place.write(
        "other.json",
        r#"{"replicaSpecificNodeSelector": "rack.example/group"}"#,
    );
    let sets: Vec<Value> = (0..3).map(|index| json!({
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": format!("a-model-with-a-name-that-fills-its-row-{index}")},
        "spec": {"replicas": 400, "leaderWorkerTemplate": {"size": 1, "workerTemplate": {"spec": {"containers": []}}}},
    })).collect();
    place.write(
        "sets.json",
        json!({"apiVersion": "v1", "kind": "List", "items": sets}).to_string(),
    );
    let done = place.run(&[
        "diff",
        "--from",
        "one.json",
        "--to",
        "other.json",
        "sets.json",
        "--replicas",
        "400",
        "-o",
        "markdown",
    ]);
    is_balanced(&done.stdout);
    assert!(
        done.stdout.contains(
            "more lines that have no room here; `lws-placement diff -o table` shows them"
        ),
        "{done:?}"
    );
    assert!(
        done.stdout
            .lines()
            .filter(|line| line.starts_with("| "))
            .count()
            > 100
    );

    let healthy = String::from_utf8(place.read("dump.json")).unwrap();
    let list: Value = serde_json::from_str(&healthy).unwrap();
    let mut items = Vec::new();
    for index in 0..400 {
        let renamed = list["items"]
            .to_string()
            .replace("vllm-0", &format!("vllm-{}", 2 * index))
            .replace("vllm-1", &format!("vllm-{}", 2 * index + 1))
            .replace("node-", &format!("node-{index}-"))
            .replace("notebook", &format!("notebook-{index}"));
        let renamed: Vec<Value> = serde_json::from_str(&renamed).unwrap();
        items.extend(renamed);
    }
    place.write(
        "dump.json",
        json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string(),
    );
    let done = review(
        &place,
        "markdown",
        &[
            "dump.json",
            "--replicas",
            "800",
            "--settings-json",
            SETTINGS,
        ],
    );
    is_balanced(&done.stdout);
    assert!(
        done.stdout
            .starts_with("### Errors in the cluster\n\n**1 set, 800 replicas, "),
        "{done:?}"
    );
    assert_eq!(done.status, 1);
}

/// A set whose names try to end strings and tags, and one of more replicas than are shown.
fn hostile() -> Place {
    let place = place();
    let pod = json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "x\"]; <script>alert(1)</script> & \\N",
            "labels": {"leaderworkerset.sigs.k8s.io/name": "x"},
        },
        "spec": {"containers": []},
    });
    let set = json!({
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "many"},
        "spec": {"replicas": 30, "leaderWorkerTemplate": {"size": 40, "workerTemplate": {"spec": {"containers": []}}}},
    });
    let list = json!({"apiVersion": "v1", "kind": "List", "items": [pod, set]});
    place.write("hostile.json", list.to_string());
    place
}

fn hostile_output(format: &str) -> String {
    let arguments = ["hostile.json", "--settings-json", SETTINGS];
    review(&hostile(), format, &arguments).stdout
}

/// The lines of a graph without what stands in quotes.
fn outside_of_strings(line: &str) -> String {
    let mut out = String::new();
    let (mut is_in, mut is_escaped) = (false, false);
    for c in line.chars() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_in => is_escaped = true,
            '"' => is_in = !is_in,
            c if !is_in => out.push(c),
            _ => {}
        }
    }
    assert!(!is_in, "{line}");
    out
}

#[test]
fn a_graph_is_one_that_graphviz_reads() {
    let mut graphs: Vec<String> = (0..inputs().len())
        .map(|input| output("dot", input))
        .collect();
    graphs.push(hostile_output("dot"));
    for graph in &graphs {
        let mut depth = 0_i32;
        let mut names = BTreeSet::new();
        for line in graph.lines().map(outside_of_strings) {
            depth += i32::try_from(line.matches('{').count()).unwrap();
            depth -= i32::try_from(line.matches('}').count()).unwrap();
            assert!(depth >= 0);
            let mut words = line.split_whitespace();
            match words.next() {
                Some("subgraph") => {
                    assert!(names.insert(words.next().unwrap().to_owned()), "{line}")
                }
                Some(name) if name.starts_with('n') && words.next() == Some("--") => {
                    assert!(
                        names.contains(name) && names.contains(words.next().unwrap()),
                        "{line}"
                    );
                }
                Some(name) if name.starts_with('n') && name != "node" => {
                    assert!(names.insert(name.to_owned()), "{line}");
                }
                _ => {}
            }
        }
        assert_eq!(depth, 0);
    }
    assert!(
        graphs[0].contains("[label=\"vllm-0\\lleader\\l\", penwidth=2.5]"),
        "{}",
        graphs[0]
    );
    assert!(
        graphs[2].contains("foreign: compact-placement-group=vllm-0"),
        "{}",
        graphs[2]
    );
    assert!(
        graphs[2].contains("research/notebook\\lother pod"),
        "{}",
        graphs[2]
    );
    assert!(
        graphs[3].contains("... and 20 replicas, judged but not shown"),
        "{}",
        graphs[3]
    );
    for graph in &graphs {
        let place = Place::new();
        place.write("graph.dot", graph);
        let mut dot = std::process::Command::new("dot");
        match dot.arg("-Tcanon").arg(place.path("graph.dot")).output() {
            Ok(done) => assert!(done.status.success() && done.stderr.is_empty(), "{done:?}"),
            Err(_) => println!("left out: Graphviz is not installed"),
        }
    }
}

#[test]
fn a_picture_stands_alone_and_fits() {
    let mut pictures: Vec<String> = (0..inputs().len())
        .map(|input| output("svg", input))
        .collect();
    pictures.push(hostile_output("svg"));
    for picture in &pictures {
        let read = roxmltree::Document::parse(picture).unwrap();
        let root = read.root_element();
        assert_eq!(
            (root.tag_name().name(), root.attribute("role")),
            ("svg", Some("img"))
        );
        for id in root.attribute("aria-labelledby").unwrap().split(' ') {
            let named = root
                .children()
                .find(|child| child.attribute("id") == Some(id));
            assert!(named.unwrap().text().is_some_and(|text| !text.is_empty()));
        }
        let size = |name| root.attribute(name).unwrap().parse::<usize>().unwrap();
        let (width, height) = (size("width"), size("height"));
        for element in root.descendants().filter(roxmltree::Node::is_element) {
            let name = element.tag_name().name();
            assert!(
                [
                    "svg", "title", "desc", "style", "rect", "text", "g", "path", "circle"
                ]
                .contains(&name),
                "{name}"
            );
            for attribute in element.attributes() {
                assert!(!attribute.name().contains("href") && !attribute.name().starts_with("on"));
            }
            let at = |name| {
                element
                    .attribute(name)
                    .map_or(0, |at| at.parse::<usize>().unwrap())
            };
            if name == "rect" {
                assert!(at("x") + at("width") <= width && at("y") + at("height") <= height);
            }
            if name == "text" {
                let shown: String = element
                    .children()
                    .filter(roxmltree::Node::is_text)
                    .filter_map(|node| node.text())
                    .collect();
                // Six pixels a character are less than any of its fonts takes.
                assert!(
                    at("x") + 6 * shown.chars().count() <= width && at("y") <= height,
                    "{shown}"
                );
            }
        }
        let style = root
            .children()
            .find(|child| child.tag_name().name() == "style")
            .unwrap();
        let style = style.text().unwrap();
        assert!(style.contains("prefers-color-scheme:dark"));
        assert!(!style.contains("url(") && !style.contains("@import"));
    }
    let cards = pictures[3].matches("class=\"card\"").count();
    assert_eq!(cards, 11, "ten replicas of thirty, and the pod");
    assert!(
        pictures[3].contains("... and 20 replicas, judged but not shown (--replicas 30 shows all)")
    );
    for (picture, words) in [
        (0, "(leader)"),
        (1, "(leader, refused)"),
        (2, "(other pod)"),
        (2, "foreign: "),
    ] {
        assert!(pictures[picture].contains(words), "{words}");
    }
}
