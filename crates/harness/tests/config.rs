//! `.lws-placement.yaml` as its users meet it: where it is found, what wins over it, and what is said of a wrong one.
//!
//! The policy of these tests answers whatever its settings are (see `common::echo`).
#![allow(clippy::unwrap_used, reason = "a failed set-up fails the test")]

mod common;

use common::{Done, Place};
use std::process::Command;

const NAME: &str = ".lws-placement.yaml";

const SET: &str = "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: fruit}\nspec:\n  leaderWorkerTemplate:\n    size: 2\n    workerTemplate: {spec: {containers: []}}\n";

/// A repository with a module, settings that accept and refuse, a set, and this configuration.
fn repository(config: &str) -> Place {
    let place = Place::new();
    std::fs::create_dir_all(place.path(".git")).unwrap();
    std::fs::create_dir_all(place.path("deep/er")).unwrap();
    std::fs::rename(
        place.path("annotated-policy.wasm"),
        place.path("deep/policy.wasm"),
    )
    .unwrap();
    place.write("accept.yaml", "accepted: true\n");
    place.write("refuse.yaml", "accepted: false\nmessage: no\n");
    place.write("manifests/set.yaml", SET);
    place.write(NAME, config);
    place
}

/// Runs in a folder of the repository.
fn run_in(place: &Place, folder: &str, arguments: &[&str]) -> Done {
    let output = Command::new(env!("CARGO_BIN_EXE_lws-placement"))
        .args(arguments)
        .current_dir(place.path(folder))
        .output()
        .unwrap();
    Done {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

const WHOLE: &str = "policy: deep/policy.wasm\nsettings: accept.yaml\npaths: [manifests]\n";

#[test]
fn review_alone_works_in_a_repository_and_below_it() {
    let place = repository(WHOLE);
    let done = run_in(&place, "", &["review"]);
    assert!(
        done.stdout.starts_with(
            "LeaderWorkerSet default/fruit  1 replica x 2 pods  manifests/set.yaml:1\n"
        ),
        "{done:?}"
    );
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    let done = run_in(&place, "deep/er", &["review", "--verbose"]);
    assert!(
        done.stdout.contains("  ../../manifests/set.yaml:1\n"),
        "{done:?}"
    );
    assert!(
        done.stderr
            .starts_with("configuration: ../../.lws-placement.yaml\n"),
        "{done:?}"
    );
    assert_eq!(done.status, 0);
}

/// GitHub knows files by their paths from the repository's root.
#[test]
fn annotations_name_files_from_the_root() {
    let place = repository("policy: deep/policy.wasm\nsettings: refuse.yaml\npaths: [manifests]\n");
    for folder in ["", "deep/er", "manifests"] {
        let done = run_in(&place, folder, &["review", "-o", "github"]);
        assert!(
            done.stdout
                .starts_with("::error file=manifests/set.yaml,line=1,"),
            "{folder}: {done:?}"
        );
    }
}

/// What is there and no file is not as if it were absent: the settings and the bar that it sets would be lost.
#[test]
fn a_configuration_that_cannot_be_read_is_an_error() {
    let place = repository(WHOLE);
    std::fs::remove_file(place.path(NAME)).unwrap();
    std::os::unix::fs::symlink("nowhere", place.path(NAME)).unwrap();
    let done = run_in(&place, "", &["review", "manifests"]);
    assert_eq!(done.status, 2, "{done:?}");
    assert!(
        done.stderr.contains("cannot read .lws-placement.yaml"),
        "{done:?}"
    );
}

#[test]
fn options_win() {
    let place = repository(WHOLE);
    let status = |arguments: &[&str]| {
        let done = run_in(&place, "", &[&["review"], arguments].concat());
        assert_eq!(done.stderr, "");
        done.status
    };
    assert_eq!(status(&[]), 0);
    assert_eq!(status(&["--settings", "refuse.yaml"]), 1);
    assert_eq!(status(&["--settings-json", r#"{"accepted": false}"#]), 1);
    place.write("other.yaml", SET.replace("fruit", "other"));
    let done = run_in(&place, "", &["review", "other.yaml"]);
    assert!(
        done.stdout.contains("default/other") && !done.stdout.contains("default/fruit"),
        "{done:?}"
    );
    let done = run_in(&place, "", &["review", "--policy", "none.wasm"]);
    assert!(
        done.stderr
            .starts_with("error: cannot read policy module \"none.wasm\""),
        "{done:?}"
    );
}

#[test]
fn settings_may_stand_in_it_and_are_pointed_at() {
    let place =
        repository("policy: deep/policy.wasm\nsettings:\n  accepted: true\npaths: [manifests]\n");
    assert_eq!(run_in(&place, "", &["review"]).status, 0);
    let place =
        repository("settings:\n  replicaSpecificNodeSelecter: a.test/a\npaths: [manifests]\n");
    let module = concat!(env!("CARGO_MANIFEST_DIR"), "/../../annotated-policy.wasm");
    let done = run_in(&place, "", &["review", "--policy", module]);
    assert!(
        done.stderr.starts_with("error: the policy refuses the settings in .lws-placement.yaml:\n  .lws-placement.yaml:2:3: "),
        "{done:?}"
    );
    assert_eq!(done.status, 2);
}

#[test]
fn policies_may_be_named_in_it() {
    let policy = "apiVersion: policies.kubewarden.io/v1\nkind: ClusterAdmissionPolicy\nmetadata: {name: all}\nspec:\n  mutating: true\n  rules:\n  - {apiGroups: [\"\"], apiVersions: [v1], resources: [pods], operations: [CREATE]}\n  settings: {accepted: false, message: no}\n";
    let config = "policy: deep/policy.wasm\npolicyManifests: [policies]\npaths: [manifests]\n";
    let place = repository(config);
    place.write("policies/all.yaml", policy);
    let done = run_in(&place, "deep", &["review"]);
    assert!(
        done.stdout
            .contains("policy clusterwide-all (../policies/all.yaml:1) injects: 2 pods, 2 refused"),
        "{done:?}"
    );
    assert_eq!(done.status, 1);
    // Settings on the command line are meant instead.
    assert_eq!(
        run_in(&place, "", &["review", "--settings", "accept.yaml"]).status,
        0
    );
    let done = run_in(&place, "", &["explain", "-f", "manifests"]);
    assert_eq!(
        done.stderr,
        "error: .lws-placement.yaml has policyManifests, and this takes settings; give the policy that is meant with --settings\n"
    );
    let none = repository(config);
    none.write("policies/server.yaml", "kind: PolicyServer\n");
    let done = run_in(&none, "", &["review"]);
    assert_eq!(
        done.stderr,
        "error: .lws-placement.yaml: policyManifests: there is no ClusterAdmissionPolicy and no AdmissionPolicy in it\n"
    );
}

#[test]
fn diff_and_explain_take_from_it_what_is_not_given() {
    let place = repository(WHOLE);
    let done = run_in(
        &place,
        "",
        &["diff", "--from", "accept.yaml", "--to", "refuse.yaml"],
    );
    assert!(
        done.stdout.starts_with("Newly refused: 1 set\n"),
        "{done:?}"
    );
    assert_eq!((done.status, done.stderr.as_str()), (1, ""));
    place.write("old.yaml", "kind: ConfigMap\n");
    let done = run_in(
        &place,
        "",
        &[
            "diff",
            "--from-files",
            "old.yaml",
            "--to-files",
            "manifests",
        ],
    );
    assert_eq!((done.status, done.stderr.as_str()), (0, ""), "{done:?}");
    place.write("manifests/set.yaml", SET);
    let real = concat!(env!("CARGO_MANIFEST_DIR"), "/../../annotated-policy.wasm");
    place.write(
        NAME,
        format!("policy: {real}\nsettings: {{replicaSpecificNodeSelector: pool.test/group}}\n"),
    );
    let done = run_in(
        &place,
        "",
        &["explain", "-f", "manifests", "--pod", "fruit-0"],
    );
    assert!(done.stdout.contains("pool.test/group"), "{done:?}");
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
}

#[test]
fn fail_on_is_taken_unless_an_option_says_otherwise() {
    let place = repository(
        &WHOLE
            .replace("accept", "refuse")
            .replace("paths", "failOn: never\npaths"),
    );
    let status = |arguments: &[&str]| run_in(&place, "", arguments).status;
    assert_eq!(status(&["review"]), 0);
    assert_eq!(status(&["review", "--fail-on", "error"]), 1);
    assert_eq!(status(&["review", "--strict"]), 1);
    let place = repository(&format!("{WHOLE}failOn: warning\n"));
    let done = run_in(&place, "", &["review"]);
    assert!(done.stdout.contains("\nstrict: no warnings"), "{done:?}");
}

#[test]
fn another_file_can_be_named_and_none_at_all() {
    let place = repository("nonsense: true\n");
    place.write(
        "ci/review.yaml",
        "policy: ../deep/policy.wasm\nsettings: ../accept.yaml\npaths: [../manifests]\n",
    );
    let done = run_in(&place, "", &["review", "--config", "ci/review.yaml"]);
    assert!(
        done.stdout.contains("  ci/../manifests/set.yaml:1\n"),
        "{done:?}"
    );
    assert_eq!(done.status, 0);
    let done = run_in(&place, "", &["review", "--no-config"]);
    assert_eq!(
        done.stderr,
        "error: there are no manifests; give them with -f, or list them as paths in a file .lws-placement.yaml\n"
    );
    assert_eq!(done.status, 2);
    let done = run_in(&place, "", &["review", "--config", "missing.yaml"]);
    assert!(
        done.stderr.starts_with("error: cannot read missing.yaml: "),
        "{done:?}"
    );
    let done = run_in(&place, "", &["review", "--config", "a", "--no-config"]);
    assert_eq!(done.status, 2);
}

/// What stands above a repository is none of its business.
#[test]
fn the_search_ends_at_the_repository() {
    let place = repository(WHOLE);
    std::fs::create_dir_all(place.path("deep/.git")).unwrap();
    let done = run_in(&place, "deep/er", &["review"]);
    assert!(
        done.stderr.starts_with("error: there are no manifests; "),
        "{done:?}"
    );
    assert_eq!(
        run_in(
            &place,
            "deep/er",
            &["review", "--settings", "../../accept.yaml"]
        )
        .status,
        2
    );
    // A worktree's .git is a file.
    std::fs::remove_dir(place.path("deep/.git")).unwrap();
    place.write("deep/.git", "gitdir: elsewhere\n");
    assert_eq!(run_in(&place, "deep/er", &["review"]).status, 2);
    std::fs::remove_file(place.path("deep/.git")).unwrap();
    assert_eq!(run_in(&place, "deep/er", &["review"]).status, 0);
}

/// In a folder that is reviewed it is no manifest.
#[test]
fn it_is_not_reviewed_itself() {
    let place = repository("policy: deep/policy.wasm\nsettings: accept.yaml\npaths: [.]\n");
    let done = run_in(&place, "", &["review"]);
    assert!(
        done.stdout
            .contains("passed over: 2 document without kind\n"),
        "{done:?}"
    );
}

#[test]
fn what_is_wrong_in_it_is_pointed_at() {
    for (config, error) in [
        (
            "paths: [a]\nsetings: b\n",
            "2:1: unknown field \"setings\"; did you mean \"settings\"?\n  2 | setings: b\n    | ^^^^^^^\n",
        ),
        (
            "x: 1\n",
            "1:1: unknown field \"x\"; the fields are policy, settings, policyManifests, paths, failOn\n  1 | x: 1\n    | ^\n",
        ),
        (
            "paths: manifests\n",
            "1:8: paths is a text; give a list of paths\n  1 | paths: manifests\n    |        ^^^^^^^^^\n",
        ),
        (
            "paths:\n  - a\n  - 7\n",
            "3:5: paths[1] is a number; give a path\n  3 |   - 7\n    |     ^\n",
        ),
        (
            "policy: true\n",
            "1:9: policy is a boolean; give a text\n  1 | policy: true\n    |         ^^^^\n",
        ),
        (
            "settings: 3\n",
            "1:11: settings is a number; give a path, or the settings as a map\n  1 | settings: 3\n    |           ^\n",
        ),
        (
            "failOn: sometimes\n",
            "1:9: failOn is \"sometimes\"; give error, warning or never\n  1 | failOn: sometimes\n    |         ^^^^^^^^^\n",
        ),
        (
            "settings: a\npolicyManifests: [b]\n",
            "2:1: settings and policyManifests are both given, but policies bring their settings along; remove one of the two\n  2 | policyManifests: [b]\n    | ^^^^^^^^^^^^^^^\n",
        ),
        (
            "policy: ''\n",
            "1:9: the text is empty; write something, or remove it\n  1 | policy: ''\n    |         ^^\n",
        ),
        (
            "paths: ['-']\n",
            "1:9: - is no path; standard input can be given on the command line only\n  1 | paths: ['-']\n    |         ^^^\n",
        ),
        (
            "- a\n",
            "1:1: the configuration is a list; give a map of policy, settings, policyManifests, paths, failOn\n",
        ),
    ] {
        let done = run_in(&repository(config), "", &["review"]);
        assert_eq!(done.stderr, format!("error: {NAME}:{error}"), "{config}");
        assert_eq!((done.status, done.stdout.as_str()), (2, ""));
    }
    let done = run_in(&repository("paths: [\n"), "", &["review"]);
    assert!(
        done.stderr.starts_with(&format!("error: {NAME}: ")),
        "{done:?}"
    );
    let done = run_in(&repository(""), "", &["review"]);
    assert!(done.stderr.contains("holds no document"), "{done:?}");
}

#[test]
fn the_help_says_how_they_relate() {
    let place = repository("");
    let help = run_in(&place, "", &["review", "--help"]).stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in [
        "The same as --fail-on warning",
        "Bad input gives 2 whatever this says",
        "Look for no configuration",
        "Options win over it",
    ] {
        assert!(help.contains(text), "{text}\n{help}");
    }
}
