//! What goes with the policy when it is published: its package file, its form for settings, the change log, and the
//! workflows that make a release of them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed set-up fails the test"
)]

mod common;

use common::Place;
use lws_replica_placement::named::Named;
use lws_replica_placement::placement::Members;
use lws_replica_placement::settings::{Action, FIELDS, UnstampedPods, WorkloadAnnotations};
use lws_replica_placement::taint::Effect;
use lws_replica_placement::value::{OverlongValue, PlacementUnit, ReplicaValue};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Our own reader takes GitHub's `${{ … }}` for a chart's template, and refuses it.
fn yaml(path: impl AsRef<Path>) -> Value {
    let path = path.as_ref();
    serde_saphyr::from_str(&text(path))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A field that has to be there.
fn field<'a>(value: &'a Value, pointer: &str) -> &'a Value {
    value
        .pointer(pointer)
        .unwrap_or_else(|| panic!("no {pointer} in {value}"))
}

fn list<'a>(value: &'a Value, pointer: &str) -> &'a Vec<Value> {
    field(value, pointer).as_array().unwrap()
}

/// The date is the release's, and the file's own.
#[test]
fn the_package_file_is_what_the_metadata_and_the_form_make() {
    let place = Place::new();
    for file in [
        "policy-metadata.yml",
        "questions-ui.yml",
        "artifacthub-pkg.yml",
    ] {
        place.write(file, text(file));
    }
    let arguments = [
        "artifacthub",
        "--metadata",
        "policy-metadata.yml",
        "--questions",
        "questions-ui.yml",
        "--output",
        "artifacthub-pkg.yml",
    ];
    let done = place.run(&arguments);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    assert_eq!(
        String::from_utf8(place.read("artifacthub-pkg.yml")).unwrap(),
        text("artifacthub-pkg.yml"),
        "run make artifacthub-pkg.yml"
    );
}

#[test]
fn one_version_is_told_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    let metadata = yaml("policy-metadata.yml");
    let annotation = field(&metadata, "/annotations/io.kubewarden.policy.version");
    assert_eq!(annotation, version);
    assert_eq!(field(&yaml("artifacthub-pkg.yml"), "/version"), version);
    let log = text("CHANGELOG.md");
    let top = log.lines().find_map(|line| line.strip_prefix("## ["));
    let (top, _) = top.unwrap().split_once(']').unwrap();
    assert!(top == "Unreleased" || top == version, "{top}");
}

/// The names of a setting with a few values, the default first.
fn names<T: Named>() -> Vec<&'static str> {
    T::NAMES.to_vec()
}

fn questions() -> Vec<Value> {
    list(&yaml("questions-ui.yml"), "/questions").clone()
}

fn options(question: &Value) -> Vec<&str> {
    let options = list(question, "/options").iter();
    options.map(|option| option.as_str().unwrap()).collect()
}

#[test]
fn every_setting_has_its_question_with_the_policys_own_default_and_values() {
    let words: BTreeMap<&str, Vec<&str>> = BTreeMap::from([
        ("action", names::<Action>()),
        ("workloadAnnotations", names::<WorkloadAnnotations>()),
        ("replicaValue", names::<ReplicaValue>()),
        ("overlongValue", names::<OverlongValue>()),
        ("placementUnit", names::<PlacementUnit>()),
        ("members", names::<Members>()),
        ("unstampedPods", names::<UnstampedPods>()),
    ]);
    let mut asked = Vec::new();
    for question in &questions() {
        let variable = field(question, "/variable").as_str().unwrap();
        let kind = field(question, "/type").as_str().unwrap();
        let default = field(question, "/default");
        for told in ["/description", "/group", "/label"] {
            let text = field(question, told).as_str().unwrap();
            assert!(!text.trim().is_empty(), "{variable} {told}");
        }
        match words.get(variable) {
            Some(names) => {
                assert_eq!((kind, &options(question)), ("enum", names), "{variable}");
                assert_eq!(Some(default.as_str().unwrap()), names.first().copied());
            }
            None if variable == "replicaSpecificToleration" => {
                assert_eq!((kind, default), ("sequence[", &json!([])));
                let [key, effect] = list(question, "/sequence_questions").as_slice() else {
                    panic!("a toleration has a key and an effect")
                };
                assert_eq!(field(key, "/variable"), "key");
                assert_eq!(field(effect, "/variable"), "effect");
                assert_eq!(options(effect), Effect::ALL.map(Effect::name));
            }
            None => assert_eq!((kind, default), ("array[", &json!([])), "{variable}"),
        }
        asked.push(variable.to_owned());
    }
    let mut settings = FIELDS.map(str::to_owned);
    settings.sort();
    asked.sort();
    assert_eq!(asked, settings);
}

/// The policy's answer to settings.
fn taken(settings: &Value) -> Value {
    let answer = lws_replica_placement::validate_settings(settings.to_string().as_bytes());
    serde_json::from_slice(&answer).unwrap()
}

#[test]
fn the_policy_takes_what_the_form_gives() {
    let valid = json!({"valid": true});
    let mut all = Map::new();
    for question in &questions() {
        let variable = field(question, "/variable").as_str().unwrap();
        let default = field(question, "/default");
        assert_eq!(taken(&json!({variable: default})), valid, "{variable}");
        all.insert(variable.to_owned(), default.clone());
    }
    assert_eq!(taken(&Value::Object(all.clone())), valid);
    for effect in Effect::ALL {
        let toleration = json!([{"key": "pool.test/group", "effect": effect.name()}]);
        all.insert("replicaSpecificToleration".to_owned(), toleration);
        all.insert(
            "replicaSpecificNodeSelector".to_owned(),
            json!(["pool.test/group"]),
        );
        assert_eq!(
            taken(&Value::Object(all.clone())),
            valid,
            "{}",
            effect.name()
        );
    }
}

/// A question that is hidden by another's value names that question and values that it has.
#[test]
fn what_hides_a_question_is_there() {
    let questions = questions();
    let mut hidden = 0;
    for question in &questions {
        let Some(conditions) = question.get("show_if").and_then(Value::as_str) else {
            continue;
        };
        for condition in conditions.split("||") {
            let (variable, value) = condition.split_once('=').unwrap();
            let other = questions
                .iter()
                .find(|question| field(question, "/variable") == variable)
                .unwrap_or_else(|| panic!("no question {variable}"));
            assert!(options(other).contains(&value), "{condition}");
            hidden += 1;
        }
    }
    assert_eq!(hidden, 4);
}

/// The workflows, by file name.
fn workflows() -> Vec<(String, String, Value)> {
    let folder = root().join(".github/workflows");
    let mut all: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, text(&path), yaml(&path))
        })
        .collect();
    all.sort_by(|left, right| left.0.cmp(&right.0));
    all
}

fn jobs(workflow: &Value) -> impl Iterator<Item = (&String, &Value)> {
    field(workflow, "/jobs").as_object().unwrap().iter()
}

fn steps(job: &Value) -> impl Iterator<Item = &Value> {
    list(job, "/steps").iter()
}

#[test]
fn the_workflows_are_these() {
    let names: Vec<String> = workflows().into_iter().map(|(name, _, _)| name).collect();
    assert_eq!(names, ["pages.yml", "release.yml", "test.yml"]);
}

#[test]
fn every_action_is_pinned_by_its_commit_and_says_its_version() {
    let mut count = 0;
    for (name, text, workflow) in workflows() {
        let mut used: Vec<&str> = jobs(&workflow)
            .flat_map(|(_, job)| steps(job))
            .filter_map(|step| step.get("uses")?.as_str())
            .collect();
        for action in &used {
            let (_, commit) = action.split_once('@').unwrap();
            let is_commit = commit.len() == 40 && commit.chars().all(|c| c.is_ascii_hexdigit());
            assert!(is_commit, "{name}: {action}");
        }
        // One action, one commit, one version: the comment is what people read.
        let told: Vec<(&str, &str)> = text
            .lines()
            .filter_map(|line| {
                line.trim_start()
                    .trim_start_matches("- ")
                    .strip_prefix("uses: ")
            })
            .map(|line| {
                line.split_once(" # v")
                    .unwrap_or_else(|| panic!("{name}: no version behind {line}"))
            })
            .collect();
        for (_, version) in &told {
            let numbers: Vec<&str> = version.split('.').collect();
            let is_version =
                numbers.len() == 3 && numbers.iter().all(|number| number.parse::<u32>().is_ok());
            assert!(is_version, "{name}: {version}");
        }
        let mut told: Vec<&str> = told.into_iter().map(|(action, _)| action).collect();
        told.sort_unstable();
        used.sort_unstable();
        assert_eq!(told, used, "{name}");
        count += used.len();
    }
    assert!(count >= 10, "{count} actions");
}

#[test]
fn one_action_has_one_commit_in_all_workflows() {
    let mut commits: BTreeMap<String, String> = BTreeMap::new();
    for (name, _, workflow) in workflows() {
        for step in jobs(&workflow).flat_map(|(_, job)| steps(job)) {
            let Some(action) = step.get("uses").and_then(Value::as_str) else {
                continue;
            };
            let (action, commit) = action.split_once('@').unwrap();
            let known = commits
                .entry(action.to_owned())
                .or_insert_with(|| commit.to_owned());
            assert_eq!(known, commit, "{name}: {action}");
        }
    }
}

#[test]
fn every_job_has_the_permissions_it_needs_and_a_time_limit() {
    let mut writes = Vec::new();
    for (name, _, workflow) in workflows() {
        assert_eq!(field(&workflow, "/permissions"), &json!({}), "{name}");
        field(&workflow, "/concurrency/group");
        for (job_name, job) in jobs(&workflow) {
            let permissions = field(job, "/permissions").as_object().unwrap();
            for (permission, level) in permissions {
                match level.as_str() {
                    Some("read") => assert_eq!(permission, "contents", "{name}: {job_name}"),
                    Some("write") => writes.push(format!("{name} {job_name} {permission}")),
                    level => panic!("{name}: {job_name}: {level:?}"),
                }
            }
            let minutes = field(job, "/timeout-minutes").as_u64().unwrap();
            assert!(minutes <= 90, "{name}: {job_name}");
        }
    }
    assert_eq!(
        writes,
        [
            "pages.yml deploy id-token",
            "pages.yml deploy pages",
            "release.yml push id-token",
            "release.yml push packages",
            "release.yml release contents",
            "release.yml sign attestations",
            "release.yml sign id-token",
        ]
    );
}

/// Who may write must not run what a pull request brings, nor what the repository's own build does.
#[test]
fn jobs_that_may_write_build_nothing_and_leave_no_credentials() {
    for (name, text, workflow) in workflows() {
        assert!(!text.contains("pull_request_target"), "{name}");
        assert!(!text.contains("secrets."), "{name}");
        for (job_name, job) in jobs(&workflow) {
            let may_write = field(job, "/permissions")
                .as_object()
                .unwrap()
                .values()
                .any(|level| level == "write");
            for step in steps(job) {
                let run = step.get("run").and_then(Value::as_str).unwrap_or_default();
                let builds = ["make ", "cargo ", "npm "];
                if may_write {
                    let is_build = builds.iter().any(|word| run.contains(word));
                    assert!(!is_build, "{name}: {job_name}: {run}");
                }
                assert!(
                    !run.contains("${{"),
                    "{name}: {job_name}: pass it by an environment variable"
                );
                let action = step.get("uses").and_then(Value::as_str).unwrap_or_default();
                if action.starts_with("actions/checkout@") {
                    let kept = field(step, "/with/persist-credentials");
                    assert_eq!(kept, &json!(false), "{name}: {job_name}");
                }
                if name == "release.yml" {
                    assert!(!action.starts_with("actions/cache"), "{job_name}");
                }
            }
        }
    }
}

/// What a release carries under which name, and where the package file says the module is.
#[test]
fn the_release_has_the_module_where_the_package_file_links_to() {
    let package = yaml("artifacthub-pkg.yml");
    let link = field(&package, "/links/0/url").as_str().unwrap();
    let (_, asset) = link.rsplit_once('/').unwrap();
    let release = text(".github/workflows/release.yml");
    assert!(release.contains(&format!("cp annotated-policy.wasm module/{asset}\n")));
    let image = field(&package, "/containersImages/0/image")
        .as_str()
        .unwrap();
    let home = field(&package, "/homeURL").as_str().unwrap();
    let repository = home.strip_prefix("https://github.com/").unwrap();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(image, format!("ghcr.io/{repository}:v{version}"));
    assert!(release.contains("IMAGE: ghcr.io/${{ github.repository }}\n"));
    assert!(release.contains(" release/policy.wasm \"$IMAGE:$GITHUB_REF_NAME\""));
}

#[test]
fn issue_forms_have_what_github_wants() {
    let folder = root().join(".github/ISSUE_TEMPLATE");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let form = yaml(&path);
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name == "config.yml" {
            let allowed = field(&form, "/blank_issues_enabled").as_bool();
            assert_eq!(allowed, Some(false));
            assert!(list(&form, "/contact_links").iter().all(|link| {
                ["/name", "/url", "/about"]
                    .iter()
                    .all(|part| field(link, part).is_string())
            }));
        } else {
            assert!(field(&form, "/name").is_string(), "{name}");
            assert!(field(&form, "/description").is_string(), "{name}");
            let body = list(&form, "/body");
            let mut ids: Vec<&str> = Vec::new();
            for part in body {
                match field(part, "/type").as_str() {
                    Some("markdown") => assert!(field(part, "/attributes/value").is_string()),
                    Some("textarea" | "input" | "dropdown") => {
                        assert!(field(part, "/attributes/label").is_string(), "{name}");
                        ids.push(field(part, "/id").as_str().unwrap());
                    }
                    other => panic!("{name}: {other:?}"),
                }
            }
            let count = ids.len();
            ids.sort_unstable();
            ids.dedup();
            assert!(count > 0 && ids.len() == count, "{name}: {ids:?}");
        }
        names.push(name);
    }
    names.sort();
    let wanted = [
        "bug.yml",
        "config.yml",
        "feature.yml",
        "wrong-placement.yml",
    ];
    assert_eq!(names, wanted);
}
