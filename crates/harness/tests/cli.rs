//! The program as its users meet it: what it prints where, its exit status, and the words of its errors.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::Place;
use serde_json::{Value, json};

const REQUEST: &str = r#"
kind: AdmissionReview
apiVersion: admission.k8s.io/v1
request:
  uid: "7"
  kind: { group: "", version: v1, kind: Pod }
  operation: CREATE
  object:
    apiVersion: v1
    kind: Pod
    metadata: { name: fruit-0, namespace: red }
    spec: { containers: [] }
"#;

/// A place with the request above.
fn place() -> Place {
    let place = Place::new();
    place.write("request.yaml", REQUEST);
    place
}

fn mutated() -> String {
    json!({"accepted": true, "mutated_object": {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "fruit-0", "namespace": "red"},
        "spec": {"containers": [], "nodeSelector": {"pool.test/group": "fruit-0"}},
    }})
    .to_string()
}

/// What was told on standard error, without the lines of files that it shows.
fn without_snippets(stderr: &str) -> String {
    let is_shown = |line: &&str| {
        let margin = line.split('|').next().unwrap_or_default();
        line.contains(" |") && margin.chars().all(|c| c == ' ' || c.is_ascii_digit())
    };
    let lines = stderr.lines().filter(|line| !is_shown(line));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Runs and wants exit status 2, nothing on standard output, and exactly this error.
fn refused(place: &Place, arguments: &[&str], error: &str) {
    let done = place.run(arguments);
    assert_eq!(without_snippets(&done.stderr), format!("error: {error}\n"));
    assert_eq!(done.stdout, "");
    assert_eq!(done.status, 2);
}

#[test]
fn run_takes_reviews_and_bare_requests_from_files_and_standard_input() {
    let place = place();
    let arguments = [
        "run",
        "--settings-json",
        r#"{"accepted":true}"#,
        "--request",
    ];
    let line = "{\"uid\":\"7\",\"allowed\":true,\"auditAnnotations\":null,\"warnings\":null}\n";
    let done = place.run(&[&arguments[..], &["request.yaml"]].concat());
    assert_eq!(
        (done.status, done.stdout.as_str(), done.stderr.as_str()),
        (0, line, "")
    );
    // No uid, resource or userInfo: written by hand.
    let bare = r#"{"kind": {"kind": "Pod"}, "operation": "DELETE", "object": null}"#;
    let done = place.run_with(&[&arguments[..], &["-"]].concat(), bare);
    assert_eq!((done.status, done.stdout), (0, line.replace('7', "")));
}

#[test]
fn run_gives_the_policy_what_kubewarden_gives() {
    let place = place();
    // This policy answers with its payload, which is no answer; the payload is seen at its end.
    let payload = common::policy(
        r#"(call $request (i32.const 1024) (i32.const 65536))
           (if (i32.eq (local.get $operation) (i32.const 17))
             (then (call $response (i32.const 0) (i32.const 14)) (return (i32.const 1))))
           (call $error (i32.const 65536) (local.get $length))
           (i32.const 0)"#,
    );
    place.write("payload.wasm", payload);
    place.write(
        "request.json",
        r#"{"uid": "1", "uid": "2", "operation": "CREATE", "kind": {}, "oldObject": null, "options": null,
            "object": {"b": null, "a": 18446744073709551615, "a": 9007199254740993}}"#,
    );
    let done = place.run(&[
        "run",
        "--request",
        "request.json",
        "--policy",
        "payload.wasm",
    ]);
    let payload = r#"{"request":{"kind":{},"object":{"a":9007199254740993,"b":null},"operation":"CREATE","uid":"2"},"settings":{}}"#;
    assert_eq!(
        done.stderr,
        format!("error: policy answered \"validate\" with an error: {payload}\n")
    );
    // The API server gets an answer even so.
    let answer: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(answer["allowed"], false);
    assert_eq!(answer["status"]["code"], 500);
    assert_eq!(done.status, 1);
}

#[test]
fn run_prints_patch_and_object() {
    let place = place();
    let mutated = mutated();
    let arguments = [
        "run",
        "--request",
        "request.yaml",
        "--settings-json",
        &mutated,
        "-o",
    ];
    let done = place.run(&[&arguments[..], &["patch"]].concat());
    let patch =
        r#"[{"op":"add","path":"/spec/nodeSelector","value":{"pool.test/group":"fruit-0"}}]"#;
    assert_eq!((done.status, done.stdout), (0, format!("{patch}\n")));
    let done = place.run(&[&arguments[..], &["object"]].concat());
    let object: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(object["spec"]["nodeSelector"]["pool.test/group"], "fruit-0");
    assert_eq!(object["metadata"]["name"], "fruit-0");
}

#[test]
fn run_without_change_prints_an_empty_patch_and_the_object() {
    let place = place();
    let arguments = [
        "run",
        "--request",
        "request.yaml",
        "--settings-json",
        r#"{"accepted":true}"#,
        "-o",
    ];
    assert_eq!(
        place.run(&[&arguments[..], &["patch"]].concat()).stdout,
        "[]\n"
    );
    let done = place.run(&[&arguments[..], &["object"]].concat());
    assert!(
        done.stdout
            .starts_with(r#"{"apiVersion":"v1","kind":"Pod""#),
        "{}",
        done.stdout
    );
}

#[test]
fn run_of_a_refusal_is_good_but_leaves_no_patch_or_object() {
    let place = place();
    let settings = r#"{"accepted":false,"message":"not here"}"#;
    let arguments = [
        "run",
        "--request",
        "request.yaml",
        "--settings-json",
        settings,
    ];
    assert_eq!(place.run(&arguments).status, 0);
    for output in ["patch", "object"] {
        let done = place.run(&[&arguments[..], &["-o", output]].concat());
        assert_eq!((done.status, done.stdout.as_str()), (1, ""));
        assert_eq!(done.stderr, "refused: not here\n");
    }
}

#[test]
fn run_of_a_delete_has_no_object() {
    let place = place();
    place.write("delete.yaml", "{kind: {}, operation: DELETE}");
    refused(
        &place,
        &[
            "run",
            "--request",
            "delete.yaml",
            "--settings-json",
            r#"{"accepted":true}"#,
            "-o",
            "object",
        ],
        "the request has no object to print (it is a DELETE); use -o answer",
    );
}

#[test]
fn run_names_what_is_no_request() {
    let place = Place::new();
    for (text, error) in [
        (
            "---\n# a pod\napiVersion: v1\nkind: Pod\n",
            "r.yaml:4:7 (document 1): field \"/kind\" is \"Pod\": this is an object, not an admission request; put it under \"object\" of a request, or use \"review\" for manifests",
        ),
        (
            "kind: AdmissionReview\nresponse: {}\n",
            "r.yaml:1:1 (document 1): field \"/request\" is missing: this AdmissionReview asks nothing (is it a response?); give the review that the API server sends",
        ),
        (
            "request: 7\n",
            "r.yaml:1:10 (document 1): field \"/request\" is a number, not a map; put the admission request there",
        ),
        (
            "request:\n  kind: {}\n",
            "r.yaml:2:3 (document 1): field \"/request/operation\" is missing, not a text; give CREATE, UPDATE, DELETE or CONNECT",
        ),
        (
            "kind: {}\noperation: CREATE\nuid: 7\n",
            "r.yaml:3:6 (document 1): field \"/uid\" is a number, not a text; quote it, or leave it out",
        ),
        (
            "operation: CREATE\n",
            "r.yaml:1:1 (document 1): field \"/kind\" is missing; give the kind that is asked about as {group, version, kind}",
        ),
        (
            "- a\n",
            "r.yaml:1:1 (document 1): the document is a list, not an admission request; give an AdmissionReview or the map under its \"request\"",
        ),
        (
            "kind: Pod\n---\nkind: List\nmetadata: {name: b}\n",
            "r.yaml holds 2 documents (1 at line 1: Pod, 2 at line 3: List \"b\"); keep only one admission request in it",
        ),
        (
            "",
            "r.yaml holds no document; put one admission request into it",
        ),
    ] {
        place.write("r.yaml", text);
        refused(&place, &["run", "--request", "r.yaml"], error);
    }
}

#[test]
fn run_names_what_cannot_be_read() {
    let place = place();
    let done = place.run(&["run", "--request", "none.json"]);
    assert!(
        done.stderr.starts_with("error: cannot read none.json: "),
        "{}",
        done.stderr
    );
    assert_eq!(done.status, 2);
    place.write("r.yaml", "kind: [\n");
    let done = place.run(&["run", "--request", "r.yaml"]);
    assert!(
        done.stderr
            .starts_with("error: r.yaml: line 1, column 7: not valid YAML: "),
        "{}",
        done.stderr
    );
    let done = place.run(&["run", "--request", "request.yaml", "--policy", "none.wasm"]);
    assert!(
        done.stderr
            .starts_with("error: cannot read policy module \"none.wasm\": ")
    );
    let done = place.run(&["run"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("--request"), "{}", done.stderr);
}

#[test]
fn settings_are_a_map_or_a_policys() {
    let place = place();
    let arguments = ["run", "--request", "request.yaml", "--settings"];
    let message = |file: &str| -> Value {
        let done = place.run(&[&arguments[..], &[file]].concat());
        let answer: Value = serde_json::from_str(&done.stdout).unwrap();
        answer["status"]["message"].clone()
    };
    place.write("map.yaml", "accepted: false\nmessage: as a map\n");
    assert_eq!(message("map.yaml"), "as a map");
    for (kind, name) in [
        ("ClusterAdmissionPolicy", "clusterwide-replicas"),
        ("AdmissionPolicy", "namespaced-red-replicas"),
    ] {
        let policy = json!({
            "apiVersion": "policies.kubewarden.io/v1",
            "kind": kind,
            "metadata": {"name": "replicas", "namespace": "red"},
            "spec": {"mutating": true, "settings": serde_json::from_str::<Value>(&mutated()).unwrap()},
        });
        place.write("policy.json", policy.to_string());
        let done = place.run(&[&arguments[..], &["policy.json", "--mutating", "false"]].concat());
        assert!(
            done.stdout.contains(&format!("rejected by policy {name}.")),
            "{}",
            done.stdout
        );
    }
}

#[test]
fn settings_that_are_none_are_named() {
    let place = place();
    let arguments = ["run", "--request", "request.yaml", "--settings", "s.yaml"];
    for (text, error) in [
        (
            "apiVersion: v1\nkind: ConfigMap\n",
            "s.yaml:2:7 (document 1): field \"/kind\" is \"ConfigMap\" of \"v1\", which carries no settings of this policy; give a map of settings, or a ClusterAdmissionPolicy or AdmissionPolicy",
        ),
        (
            "apiVersion: policies.kubewarden.io/v1\nkind: AdmissionPolicy\n",
            "s.yaml:1:1 (document 1): field \"/spec\" is missing, not a map; give the policy a spec with its settings",
        ),
        (
            "apiVersion: policies.kubewarden.io/v1\nkind: AdmissionPolicy\nspec:\n  settings: []\n",
            "s.yaml:4:13 (document 1): field \"/spec/settings\" is a list, not a map; give a map of settings",
        ),
        (
            "true\n",
            "s.yaml:1:1 (document 1): the document is a boolean, not settings; give a map of settings, or a ClusterAdmissionPolicy or AdmissionPolicy",
        ),
        (
            "a: 1\n---\nkind: AdmissionPolicy\nmetadata: {name: b}\n",
            "s.yaml holds 2 documents (1 at line 1: a map, 2 at line 3: AdmissionPolicy \"b\"); keep only the settings in it",
        ),
        (
            "valid: false\nmessage: nothing fits\n",
            "the policy refuses the settings in s.yaml:\n  s.yaml:1:1: nothing fits",
        ),
        (
            "apiVersion: policies.kubewarden.io/v1\nkind: AdmissionPolicy\nspec:\n  settings:\n    message: 'settings.zlist[1].key: is bad. settings: unknown field \"wea\"; did you mean something?'\n    valid: false\n    wea: 1\n    zlist:\n      - key: x\n      - key: y\n",
            "the policy refuses the settings in s.yaml:\n  s.yaml:10:14: settings.zlist[1].key: is bad\n  s.yaml:7:5: settings: unknown field \"wea\"; did you mean something?",
        ),
    ] {
        place.write("s.yaml", text);
        refused(&place, &arguments, error);
    }
    refused(
        &place,
        &["run", "--request", "request.yaml", "--settings-json", "3"],
        "--settings-json: the document is a number, not settings; give a map of settings, or a ClusterAdmissionPolicy or AdmissionPolicy",
    );
    let done = place.run(&[
        "run",
        "--request",
        "request.yaml",
        "--settings-json",
        "{a: 1}",
    ]);
    assert!(
        done.stderr
            .starts_with("error: --settings-json is no JSON: "),
        "{}",
        done.stderr
    );
    // Empty and null settings are the defaults; here the policy's answer to none is none.
    for text in ["", "null\n"] {
        place.write("s.yaml", text);
        let done = place.run(&arguments);
        assert!(
            done.stdout.contains("missing field `accepted`"),
            "{}",
            done.stdout
        );
        assert_eq!(done.status, 0);
    }
}

fn case(name: &str, settings: &Value, expect: &Value) -> String {
    json!({
        "name": name,
        "rules": {"applies": ["P9"]},
        "settings": settings,
        "member": {"worker": 1, "podRemove": ["/spec"], "pod": {"metadata": {"labels": null}}},
        "expect": expect,
    })
    .to_string()
}

#[test]
fn cases_that_pass_are_good() {
    let place = Place::new();
    let refusal =
        json!({"accepted": false, "message": "go away", "code": 422, "warnings": ["careful"]});
    let expected = json!({"allowed": false, "message": {"contains": ["go", "away"]}, "code": 422, "warnings": ["careful"]});
    place.write("cases/b.yaml", case("second", &refusal, &expected));
    place.write(
        "cases/a/a.yaml",
        case(
            "first",
            &json!({"accepted": true}),
            &json!({"allowed": true}),
        ),
    );
    place.write("cases/c.yaml", "name: third\nsettings: {message: bad, valid: false}\nexpect: {valid: false, message: bad}\n");
    place.write("cases/notes.txt", "no case");
    let done = place.run(&["test", "cases"]);
    assert_eq!(
        done.stdout,
        "ok     a: first\nok     b: second\nok     c: third\n3 passed, 0 failed\n"
    );
    assert_eq!(done.status, 0);
    let done = place.run(&["test", "cases", "--filter", "P9"]);
    assert!(
        done.stdout.ends_with("\n2 passed, 0 failed\n"),
        "{}",
        done.stdout
    );
    let done = place.run(&["test", "cases", "--filter", "thir"]);
    assert_eq!(done.stdout, "ok     c: third\n1 passed, 0 failed\n");
}

#[test]
fn cases_that_fail_say_why() {
    let place = Place::new();
    let answer = json!({"accepted": false, "message": "stay", "code": 400, "audit_annotations": {"decision": "reject"}});
    let expected = json!({"allowed": true, "message": {"contains": ["go"]}, "warnings": ["careful"], "auditAnnotations": {"decision": "inject"}});
    place.write("c.yaml", case("wrong", &answer, &expected));
    let done = place.run(&["test", "c.yaml"]);
    assert_eq!(
        done.stdout,
        "\
FAILED c: wrong
         allowed
           - true
           + false
         message
           - (a text with \"go\")
           + stay
         code
           - (none)
           + 400
         warnings[0]
           - careful
           + (none)
         auditAnnotations
             {
           -   \"decision\": \"inject\"
           +   \"decision\": \"reject\"
             }
0 passed, 1 failed
"
    );
    assert_eq!(done.status, 1);
    let done = place.run(&["test", "c.yaml", "-o", "junit"]);
    assert!(
        done.stdout
            .contains("tests=\"1\" skipped=\"0\" errors=\"0\" failures=\"1\""),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout
            .contains("<failure message=\"allowed\">allowed\n- true"),
        "{}",
        done.stdout
    );
    assert_eq!(done.status, 1);
}

#[test]
fn cases_see_what_the_patch_touches() {
    let place = Place::new();
    let object = json!({"kind": "Pod", "metadata": {"name": "x"}, "spec": {}});
    let mut mutated = object.clone();
    mutated["spec"] = json!({"nodeSelector": {}, "nodeName": "a"});
    place.write(
        "c.yaml",
        json!({
            "name": "too far",
            "settings": {"accepted": true, "mutated_object": mutated},
            "request": {"object": object},
            "expect": {"allowed": true, "patch": [
                {"op": "add", "path": "/spec/nodeName", "value": "a"},
                {"op": "add", "path": "/spec/nodeSelector", "value": {}},
            ]},
        })
        .to_string(),
    );
    let done = place.run(&["test", "c.yaml"]);
    assert_eq!(
        done.stdout,
        "FAILED c: too far\n         the patch touches /spec/nodeName, which is not the policy's to change\n0 passed, 1 failed\n"
    );
}

#[test]
fn cases_are_exported_for_other_hosts() {
    let place = Place::new();
    place.write(
        "a.yaml",
        case(
            "first",
            &json!({"accepted": true}),
            &json!({"allowed": true}),
        ),
    );
    let done = place.run(&["test", "a.yaml", "--export", "out"]);
    assert_eq!(done.status, 0);
    assert_eq!(place.read("out/a.settings.json"), b"{\"accepted\":true}\n");
    let request: Value = serde_json::from_slice(&place.read("out/a.request.json")).unwrap();
    assert_eq!(request["object"]["metadata"]["name"], "fruit-0-1");
    assert_eq!(request["name"], "fruit-0-1");
    assert!(request["object"].get("spec").is_none());
    assert_eq!(
        place.read("out/a.module-answer.json"),
        b"{\"accepted\":true}"
    );
    let line = String::from_utf8(place.read("out/a.answer.json")).unwrap();
    assert!(
        line.ends_with("\"allowed\":true,\"auditAnnotations\":null,\"warnings\":null}\n"),
        "{line}"
    );
}

#[test]
fn files_that_are_no_case_are_named() {
    let place = Place::new();
    for (text, error) in [
        (
            "name: a\nexpect: {allowed: true}\n",
            "c.yaml:2:19 (document 1): field \"/expect/allowed\" is for requests, but this case has none; give \"request\", \"member\" or \"set\", or expect \"valid\"",
        ),
        (
            "name: a\nrequest: {}\nexpect: {}\n",
            "c.yaml:3:9 (document 1): field \"/expect/allowed\" is missing; say true or false",
        ),
        (
            "name: a\nrequest: {}\nmember: {}\nexpect: {allowed: true}\n",
            "c.yaml:1:1 (document 1): the document has more than one of \"request\", \"member\" and \"set\"; split it into a case each",
        ),
        (
            "name: a\nmember:\n  size: 2\n  worker: 2\nexpect: {allowed: true}\n",
            "c.yaml:4:11 (document 1): field \"/member/worker\" is 2, but a replica of 2 has workers 1 to 1; give one of them, or a larger \"size\"",
        ),
        (
            "name: a\nmember:\n  podRemove: [/spec/nope]\nexpect: {allowed: true}\n",
            "c.yaml:3:15 (document 1): field \"/member/podRemove/0\" is \"/spec/nope\", which the pod does not have; give a JSON pointer to something that is there",
        ),
        (
            "name: a\nmember: {newPod: {}}\nexpect: {allowed: true}\n",
            "c.yaml:2:18 (document 1): field \"/member/newPod\" is for an UPDATE; give \"operation: UPDATE\", or use \"pod\"",
        ),
        (
            "name: a\nset: {object: {}, oldObject: {}}\nexpect: {allowed: true}\n",
            "c.yaml:2:30 (document 1): field \"/set/oldObject\" is given at a CREATE; give it with \"operation: UPDATE\", and only then",
        ),
        (
            "name: a\nexpect: {valid: true, code: 400}\n",
            "c.yaml:2:9 (document 1): field \"/expect\" names what only a request's answer has; of settings expect \"valid\" and \"message\" alone",
        ),
    ] {
        place.write("c.yaml", text);
        refused(&place, &["test", "c.yaml"], error);
    }
    place.write(
        "c.yaml",
        "name: a\nmember:\n  wroker: 1\nexpect: {allowed: true}\n",
    );
    let done = place.run(&["test", "c.yaml"]);
    let start = "error: c.yaml:3:11 (document 1): field \"/member/wroker\" cannot be used: unknown field `wroker`, expected one of `set`";
    assert!(done.stderr.starts_with(start), "{}", done.stderr);
    place.write(
        "c.yaml",
        "name: a\nexpect: {valid: true, message: {contians: [a]}}\n",
    );
    let done = place.run(&["test", "c.yaml"]);
    assert!(
        done.stderr
            .contains("expected a text, or {contains: [text, …]}")
            || done.stderr.contains("a text, or {contains"),
        "{}",
        done.stderr
    );
    std::fs::create_dir(place.path("empty")).unwrap();
    refused(
        &place,
        &["test", "empty"],
        "no case found; give .yaml files, or folders that hold some",
    );
    place.write("c.yaml", "name: a\nexpect: {valid: true}\n");
    refused(
        &place,
        &["test", "c.yaml", "--filter", "Z9"],
        "no case matches \"Z9\"; leave out --filter to run all",
    );
}

const METADATA: &str = "\
rules:
  - apiGroups: [\"\"]
    apiVersions: [v1]
    resources: [pods]
    operations: [CREATE, UPDATE]
mutating: true
annotations:
  io.kubewarden.policy.title: a title
";

const ANNOTATE: [&str; 6] = [
    "annotate",
    "--metadata",
    "m.yml",
    "--output",
    "out.wasm",
    "annotated-policy.wasm",
];

#[test]
fn annotate_embeds_and_inspect_reads_back() {
    let place = Place::new();
    place.write("m.yml", METADATA);
    place.write("usage.md", "# How\n\nUse it.\n");
    let done = place.run(&[&ANNOTATE[..], &["--usage", "usage.md"]].concat());
    assert_eq!(
        (done.status, done.stdout.as_str(), done.stderr.as_str()),
        (0, "", "")
    );
    let report: Value =
        serde_json::from_str(&place.run(&["inspect", "out.wasm", "-o", "json"]).stdout).unwrap();
    assert_eq!(
        report["metadata"],
        json!({
            "protocolVersion": "v1",
            "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE", "UPDATE"]}],
            "annotations": {"io.kubewarden.policy.title": "a title", "io.kubewarden.policy.usage": "# How\n\nUse it.\n"},
            "mutating": true,
            "backgroundAudit": true,
            "executionMode": "kubewarden-wapc",
            "policyType": "kubernetes",
            "contextAwareResources": [],
        })
    );
    let size = place.read("out.wasm").len();
    assert_eq!(report["size"], size);
    let sections: u64 = report["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["size"].as_u64().unwrap())
        .sum();
    assert_eq!(sections + 8, size as u64);
    assert_eq!(
        report["imports"][0],
        json!({"module": "wapc", "name": "__guest_request"})
    );
    assert_eq!(
        report["exports"][0],
        json!({"kind": "memory", "name": "memory"})
    );

    // It still runs, and annotating again changes nothing.
    place.write("request.yaml", REQUEST);
    let done = place.run(&[
        "run",
        "--policy",
        "out.wasm",
        "--request",
        "request.yaml",
        "--settings-json",
        "{\"accepted\":true}",
    ]);
    assert_eq!(done.status, 0);
    let once = place.read("out.wasm");
    place.write("annotated-policy.wasm", &once);
    place.run(&[&ANNOTATE[..], &["--usage", "usage.md"]].concat());
    assert_eq!(place.read("out.wasm"), once);

    let text = place.run(&["inspect", "out.wasm"]).stdout;
    assert!(
        text.contains("\n  io.kubewarden.policy.title: a title\n"),
        "{text}"
    );
    assert!(text.ends_with("\nUsage\n\n# How\n\nUse it.\n"), "{text}");
}

#[test]
fn annotate_names_every_fault_and_writes_nothing() {
    let place = Place::new();
    place.write(
        "m.yml",
        "protocolVersion: v2\nrules:\n  - apiGroups: []\n    apiVersions: [v1, '*']\n    resources: [Pod]\n    operations: [CREATE, '*']\nmutating: true\nannotations:\n  io.kubewarden.kwctl: '1'\n  a: ''\n",
    );
    refused(
        &place,
        &ANNOTATE,
        "m.yml:1:18 (document 1): field \"/protocolVersion\" is \"v2\"; leave it out, or give \"v1\"
       m.yml:3:16 (document 1): field \"/rules/0/apiGroups\" is empty, so the rule matches nothing; name at least one
       m.yml:4:18 (document 1): field \"/rules/0/apiVersions\" has more beside \"*\"; leave \"*\" alone, or name each
       m.yml:6:17 (document 1): field \"/rules/0/operations\" has more beside \"*\"; leave \"*\" alone, or name each
       m.yml:5:17 (document 1): field \"/rules/0/resources/0\" is \"Pod\"; give a resource's plural in lower case, \"pods\" for one
       m.yml:10:6 (document 1): field \"/annotations/a\" is empty; give it a text or leave it out
       m.yml:9:24 (document 1): field \"/annotations/io.kubewarden.kwctl\" is what kwctl writes of itself; leave it out",
    );
    for (text, error) in [
        ("mutating: true\n", "missing field `rules`"),
        ("rules: []\n", "missing field `mutating`"),
        (
            "mutating: maybe\n",
            "invalid type: string \"maybe\", expected a boolean",
        ),
        ("mutatin: true\n", "unknown field `mutatin`"),
        (
            "executionMode: opa\n",
            "unknown variant `opa`, expected `kubewarden-wapc`",
        ),
    ] {
        place.write("m.yml", text);
        let done = place.run(&ANNOTATE);
        assert!(done.stderr.contains(error), "{}", done.stderr);
        assert!(
            done.stderr.starts_with("error: m.yml:1:"),
            "{}",
            done.stderr
        );
        assert_eq!(done.status, 2);
    }
    place.write("m.yml", "rules: []\nmutating: true\n");
    refused(
        &place,
        &ANNOTATE,
        "m.yml:1:8 (document 1): field \"/rules\" is empty, so the policy would see no request; name the resources it is for",
    );
    assert!(!place.path("out.wasm").exists());
}

#[test]
fn annotate_refuses_two_usages_and_other_modules() {
    let place = Place::new();
    place.write(
        "m.yml",
        format!("{METADATA}  io.kubewarden.policy.usage: here\n"),
    );
    refused(
        &place,
        &[&ANNOTATE[..], &["--usage", "m.yml"]].concat(),
        "both --usage and the metadata give \"io.kubewarden.policy.usage\"; leave one of them out",
    );
    place.write("m.yml", METADATA);
    place.write("usage.md", [0xff_u8, 0xfe]);
    let done = place.run(&[&ANNOTATE[..], &["--usage", "usage.md"]].concat());
    assert!(
        done.stderr
            .starts_with("error: usage.md is no UTF-8 text: "),
        "{}",
        done.stderr
    );
    place.write("annotated-policy.wasm", "no module");
    let done = place.run(&ANNOTATE);
    assert!(
        done.stderr
            .starts_with("error: \"annotated-policy.wasm\" is no usable WebAssembly module: it does not begin as one; ")
    );
    assert_eq!(done.status, 2);
    let done = place.run(&["inspect", "annotated-policy.wasm"]);
    assert_eq!(
        done.stderr,
        "error: annotated-policy.wasm is no WebAssembly module: it does not begin as one; give a policy built for wasm32-wasip1\n"
    );
    place.write("annotated-policy.wasm", common::echo());
    let mut arguments = ANNOTATE;
    arguments[4] = "no/such/folder/out.wasm";
    let done = place.run(&arguments);
    assert!(
        done.stderr
            .starts_with("error: cannot write no/such/folder/out.wasm: "),
        "{}",
        done.stderr
    );
    assert_eq!(done.status, 2);
}

#[test]
fn every_command_has_help_with_examples_and_completions_are_there() {
    let place = Place::new();
    for command in [
        "run",
        "test",
        "annotate",
        "artifacthub",
        "inspect",
        "completions",
    ] {
        let done = place.run(&[command, "--help"]);
        assert_eq!(done.status, 0);
        let example = format!("Examples:\n  lws-placement {command} ");
        assert!(done.stdout.contains(&example), "{}", done.stdout);
    }
    for shell in ["bash", "zsh", "fish"] {
        let done = place.run(&["completions", shell]);
        assert!(done.stdout.contains("lws-placement"));
        assert_eq!(done.status, 0);
    }
}

#[test]
fn verbose_tells_what_the_policy_says() {
    let place = place();
    let talkative = common::policy(
        r#"(call $console_log (i32.const 521) (i32.const 7))
           (call $response (i32.const 0) (i32.const 14))
           (i32.const 1)"#,
    );
    place.write("talk.wasm", talkative);
    let done = place.run(&[
        "run",
        "--request",
        "request.yaml",
        "--policy",
        "talk.wasm",
        "-v",
    ]);
    assert_eq!(
        done.stderr,
        "policy console: oh dear\npolicy console: oh dear\n"
    );
    assert!(
        done.stdout.contains("missing field `accepted`"),
        "{}",
        done.stdout
    );
    let done = place.run(&["run", "--request", "request.yaml", "--policy", "talk.wasm"]);
    assert_eq!(done.stderr, "");
}
