//! `artifacthub`: what it writes, and the words of its errors.
#![allow(clippy::unwrap_used, reason = "a failed set-up fails the test")]

mod common;

use common::Place;
use serde_json::{Value, json};

const METADATA: &str = "\
rules:
  - apiGroups: ['']
    apiVersions: [v1]
    resources: [pods]
    operations: [CREATE]
mutating: true
annotations:
  io.artifacthub.displayName: A Policy
  io.artifacthub.keywords: pod, node selector
  io.artifacthub.resources: Pod
  io.kubewarden.policy.title: a-policy
  io.kubewarden.policy.version: 0.2.1
  io.kubewarden.policy.description: Does a thing
  io.kubewarden.policy.author: Ann <ann@example.com>, \"Bob B.\" <bob@example.com>
  io.kubewarden.policy.url: https://example.com/home
  io.kubewarden.policy.source: https://github.com/owner/policy/
  io.kubewarden.policy.ociUrl: ghcr.io/owner/a-policy
  io.kubewarden.policy.license: Apache-2.0
";

const QUESTIONS: &str = "questions:\n- variable: one\n  type: string\n";

const WRITE: [&str; 5] = ["artifacthub", "--metadata", "m.yml", "--output", "pkg.yml"];

const NOON: [&str; 2] = ["--created-at", "2026-12-24T12:00:00Z"];

fn place() -> Place {
    let place = Place::new();
    place.write("m.yml", METADATA);
    place
}

fn written(place: &Place) -> Value {
    lws_manifest::read(place.read("pkg.yml"))
        .remove(0)
        .unwrap()
        .value
}

/// The fields of a package file, in their order.
fn fields(text: &str) -> Vec<&str> {
    let keys = text.lines().filter_map(|line| line.split_once(':'));
    keys.map(|(field, _)| field)
        .filter(|field| field.chars().all(char::is_alphabetic))
        .collect()
}

/// Runs, and wants exit status 2 with this error and nothing written.
fn refused(place: &Place, arguments: &[&str], error: &str) {
    let done = place.run(arguments);
    let head: Vec<&str> = done
        .stderr
        .lines()
        .take_while(|line| !line.contains(" |"))
        .collect();
    assert_eq!(head.join("\n"), format!("error: {error}"));
    assert_eq!((done.status, done.stdout.as_str()), (2, ""));
}

/// kwctl's own fields, values and their order; but how to install is told in our words.
#[test]
fn it_writes_the_fields_that_kwctl_writes() {
    let place = place();
    place.write("q.yml", QUESTIONS);
    let done = place.run(&[&WRITE[..], &NOON, &["--questions", "q.yml"]].concat());
    assert_eq!(
        (done.status, done.stdout.as_str(), done.stderr.as_str()),
        (0, "", "")
    );
    let mut package = written(&place);
    let install = package.as_object_mut().unwrap().remove("install").unwrap();
    let install = install.as_str().unwrap();
    assert!(
        install.contains("\nkwctl pull ghcr.io/owner/a-policy:v0.2.1\n"),
        "{install}"
    );
    assert_eq!(
        package,
        json!({
            "version": "0.2.1",
            "name": "a-policy",
            "displayName": "A Policy",
            "createdAt": "2026-12-24T12:00:00Z",
            "description": "Does a thing",
            "license": "Apache-2.0",
            "homeURL": "https://example.com/home",
            "containersImages": [{"name": "policy", "image": "ghcr.io/owner/a-policy:v0.2.1"}],
            "keywords": ["pod", "node selector"],
            "links": [
                {"name": "policy", "url": "https://github.com/owner/policy/releases/download/v0.2.1/policy.wasm"},
                {"name": "source", "url": "https://github.com/owner/policy/"},
            ],
            "maintainers": [
                {"name": "Ann", "email": "ann@example.com"},
                {"name": "Bob B.", "email": "bob@example.com"},
            ],
            "provider": {"name": "kubewarden"},
            "recommendations": [
                {"url": "https://artifacthub.io/packages/helm/kubewarden/kubewarden-controller"},
            ],
            "annotations": {
                "kubewarden/mutation": "true",
                "kubewarden/questions-ui": QUESTIONS,
                "kubewarden/resources": "Pod",
                "kubewarden/rules":
                    "- apiGroups:\n  - \"\"\n  apiVersions:\n  - v1\n  resources:\n  - pods\n  operations:\n  - CREATE\n",
            },
        })
    );
    let text = String::from_utf8(place.read("pkg.yml")).unwrap();
    assert_eq!(
        fields(&text),
        [
            "version",
            "name",
            "displayName",
            "createdAt",
            "description",
            "license",
            "homeURL",
            "containersImages",
            "keywords",
            "links",
            "install",
            "maintainers",
            "provider",
            "recommendations",
            "annotations",
        ]
    );
}

#[test]
fn what_may_be_absent_is_left_out() {
    let place = Place::new();
    let needed = ["title", "displayName", "version", "description", "ociUrl"];
    let lines = METADATA.lines().filter(|line| {
        !line.contains(" io.")
            || needed
                .iter()
                .any(|name| line.contains(&format!(".{name}:")))
    });
    let mut text: String = lines.map(|line| format!("{line}\n")).collect();
    text.push_str("contextAwareResources:\n  - { apiVersion: v1, kind: Node }\n");
    place.write("m.yml", text);
    let done = place.run(&[&["artifacthub", "--metadata", "m.yml"][..], &NOON].concat());
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    assert_eq!(
        fields(&done.stdout),
        [
            "version",
            "name",
            "displayName",
            "createdAt",
            "description",
            "containersImages",
            "install",
            "provider",
            "recommendations",
            "annotations",
        ]
    );
    let package = lws_manifest::read(done.stdout).remove(0).unwrap().value;
    assert_eq!(
        package.pointer("/annotations").unwrap(),
        &json!({
            "kubewarden/contextAwareResources": "- apiVersion: v1\n  kind: Node\n",
            "kubewarden/mutation": "true",
            "kubewarden/rules":
                "- apiGroups:\n  - \"\"\n  apiVersions:\n  - v1\n  resources:\n  - pods\n  operations:\n  - CREATE\n",
        })
    );
}

#[test]
fn the_date_stays_with_its_version() {
    let place = place();
    refused(
        &place,
        &WRITE,
        "no date of the release; give it with --created-at",
    );
    assert!(!place.path("pkg.yml").exists());
    // Any offset is taken, and told as UTC.
    place.run(&[&WRITE[..], &["--created-at", "2026-12-24T13:00:00+02:00"]].concat());
    let first = place.read("pkg.yml");
    assert_eq!(
        written(&place).get("createdAt").unwrap(),
        "2026-12-24T11:00:00Z"
    );
    let done = place.run(&WRITE);
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
    assert_eq!(place.read("pkg.yml"), first);

    place.write("m.yml", METADATA.replace("0.2.1", "0.3.0"));
    refused(
        &place,
        &WRITE,
        "pkg.yml is of another version than the metadata; give the date of the release with --created-at",
    );
    assert_eq!(place.read("pkg.yml"), first);
    place.write("pkg.yml", "version: 0.3.0\ncreatedAt: soon\n");
    let done = place.run(&WRITE);
    let told = "error: pkg.yml:2:12 (document 1): field \"/createdAt\" cannot be used: ";
    assert!(done.stderr.starts_with(told), "{}", done.stderr);
    assert_eq!(done.status, 2);
    let done = place.run(&[&WRITE[..], &["--created-at", "soon"]].concat());
    assert!(
        done.stderr.contains("; write it as 2026-12-24T12:00:00Z"),
        "{}",
        done.stderr
    );
    assert_eq!(done.status, 2);
}

#[test]
fn every_fault_of_the_annotations_is_told_with_its_place() {
    let place = Place::new();
    let annotations = [
        "io.artifacthub.keywords: pod,,node",
        "io.kubewarden.policy.title: a-policy",
        "io.kubewarden.policy.version: 0.1.0+build",
        "io.kubewarden.policy.author: the maintainers",
        "io.kubewarden.policy.url: example.com",
        "io.kubewarden.policy.source: '@&*'",
        "io.kubewarden.policy.ociUrl: registry://ghcr.io/owner/a",
    ];
    let (head, _) = METADATA.split_once("  io.").unwrap();
    let lines: Vec<String> = annotations
        .iter()
        .map(|line| format!("  {line}\n"))
        .collect();
    place.write("m.yml", format!("{head}{}", lines.concat()));
    refused(
        &place,
        &[&WRITE[..], &NOON].concat(),
        "\
m.yml:10:33 (document 1): field \"/annotations/io.kubewarden.policy.version\" is \"0.1.0+build\"; give a version as Semantic Versioning has it, without build metadata: \"0.1.0\"
       m.yml:14:32 (document 1): field \"/annotations/io.kubewarden.policy.ociUrl\" is \"registry://ghcr.io/owner/a\"; give registry and repository in lower case, without scheme and tag: \"ghcr.io/owner/policy\"
       m.yml:8:3 (document 1): field \"/annotations\" has no \"io.artifacthub.displayName\"; add it: Artifact Hub lists no policy without
       m.yml:8:3 (document 1): field \"/annotations\" has no \"io.kubewarden.policy.description\"; add it: Artifact Hub lists no policy without
       m.yml:12:29 (document 1): field \"/annotations/io.kubewarden.policy.url\" is no URL: relative URL without a base; give it in full, beginning with https://
       m.yml:8:28 (document 1): field \"/annotations/io.artifacthub.keywords\" has an empty keyword; put one comma between two keywords
       m.yml:13:32 (document 1): field \"/annotations/io.kubewarden.policy.source\" is no URL: relative URL without a base; give it in full, beginning with https://
       m.yml:11:32 (document 1): field \"/annotations/io.kubewarden.policy.author\" has \"the maintainers\": Missing separator character '@'.; give a name and an e-mail address each: \"Name <name@example.com>, Other <other@example.com>\"",
    );
    assert!(!place.path("pkg.yml").exists());
    for (place_of_module, is_usable) in [
        ("ghcr.io/owner/a:v1", false),
        ("ghcr.io", false),
        ("ghcr.io/Owner/a", false),
        ("ghcr.io//a", false),
        ("localhost:5000/a", true),
    ] {
        place.write(
            "m.yml",
            METADATA.replace("ghcr.io/owner/a-policy", place_of_module),
        );
        let status = place.run(&[&WRITE[..], &NOON].concat()).status;
        assert_eq!(status == 0, is_usable, "{place_of_module}");
    }
    for (author, told) in [
        ("ann@example.com", "an address without a name"),
        ("Ann <ann@example.com>,", "has \"\": "),
        ("Ann <ann>", "has \"Ann <ann>\": "),
    ] {
        let line = format!("policy.author: {author}\n");
        let (head, tail) = METADATA.split_once("policy.author:").unwrap();
        let (_, tail) = tail.split_once('\n').unwrap();
        place.write("m.yml", format!("{head}{line}{tail}"));
        let done = place.run(&[&WRITE[..], &NOON].concat());
        assert!(done.stderr.contains(told), "{author}: {}", done.stderr);
        assert_eq!(done.status, 2);
    }
}

#[test]
fn questions_are_a_list_and_metadata_are_checked_as_ever() {
    let place = place();
    for text in ["questions: []\n", "questions: one\n", "other: [1]\n"] {
        place.write("q.yml", text);
        let done = place.run(&[&WRITE[..], &NOON, &["--questions", "q.yml"]].concat());
        assert!(
            done.stderr.contains(
                "field \"/questions\" is no list of questions; give the form's questions as a list"
            ),
            "{}",
            done.stderr
        );
        assert_eq!(done.status, 2);
    }
    let piped = [&WRITE[..], &NOON, &["--questions", "-"]].concat();
    assert_eq!(place.run_with(&piped, QUESTIONS).status, 0);
    let pointer = "/annotations/kubewarden~1questions-ui";
    assert_eq!(written(&place).pointer(pointer).unwrap(), QUESTIONS);
    std::fs::remove_file(place.path("pkg.yml")).unwrap();
    place.write("q.yml", "");
    let arguments = [&WRITE[..], &NOON, &["--questions", "q.yml"]].concat();
    refused(
        &place,
        &arguments,
        "q.yml holds no document; put the questions into it",
    );
    place.write("m.yml", "rules: []\nmutating: true\n");
    refused(
        &place,
        &WRITE,
        "m.yml:1:8 (document 1): field \"/rules\" is empty, so the policy would see no request; name the resources it is for",
    );
    assert!(!place.path("pkg.yml").exists());
}
