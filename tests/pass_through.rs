//! What the policy does not read leaves it byte for byte (I5), whatever it is.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use lws_replica_placement::validate;

const SETTINGS: &str = r#"{"replicaSpecificNodeSelector":"pool.test/group","replicaSpecificToleration":[{"key":"pool.test/group","effect":"NoSchedule"}]}"#;
const METADATA: &str = r#"{"name":"fruit-0","labels":{"leaderworkerset.sigs.k8s.io/name":"fruit","leaderworkerset.sigs.k8s.io/worker-index":"0"}}"#;

fn payload(spec: &str) -> String {
    format!(
        r#"{{"settings":{SETTINGS},"request":{{"kind":{{"group":"","version":"v1","kind":"Pod"}},"operation":"CREATE","namespace":"red","object":{{"metadata":{METADATA},"spec":{spec}}}}}}}"#
    )
}

/// The spec of the mutated object as text.
fn placed(spec: &str) -> String {
    let answer = String::from_utf8(validate(payload(spec).as_bytes())).unwrap();
    let start = format!(r#"{{"accepted":true,"mutated_object":{{"metadata":{METADATA},"spec":"#);
    let rest = answer
        .strip_prefix(&start)
        .unwrap_or_else(|| panic!("unexpected answer {answer}"));
    let end = r#"},"audit_annotations":{"decision":"inject","replica-value":"fruit-0"}}"#;
    rest.strip_suffix(end)
        .unwrap_or_else(|| panic!("unexpected answer {answer}"))
        .to_owned()
}

const SELECTOR: &str = r#""nodeSelector":{"pool.test/group":"fruit-0"}"#;
const TOLERATION: &str =
    r#"{"key":"pool.test/group","operator":"Equal","value":"fruit-0","effect":"NoSchedule"}"#;

#[test]
fn i1_i4_new_fields_stand_first() {
    assert_eq!(
        placed("{}"),
        format!(r#"{{{SELECTOR},"tolerations":[{TOLERATION}]}}"#)
    );
    assert_eq!(
        placed(r#"{ "containers":[]}"#),
        format!(r#"{{{SELECTOR},"tolerations":[{TOLERATION}], "containers":[]}}"#)
    );
}

#[test]
fn i5_null_and_empty_are_filled_in_place() {
    let selector = r#"{"pool.test/group":"fruit-0"}"#;
    for empty in ["null", "{}"] {
        for none in ["null", "[]"] {
            assert_eq!(
                placed(&format!(
                    r#"{{"tolerations":{none},"x":1,"nodeSelector":{empty}}}"#
                )),
                format!(r#"{{"tolerations":[{TOLERATION}],"x":1,"nodeSelector":{selector}}}"#)
            );
        }
    }
    assert_eq!(
        placed(r#"{"nodeSelector":{ },"tolerations":[ ]}"#),
        format!(
            r#"{{"nodeSelector":{{ "pool.test/group":"fruit-0"}},"tolerations":[ {TOLERATION}]}}"#
        )
    );
}

#[test]
fn i5_what_is_there_keeps_bytes_and_order() {
    let odd = concat!(
        r#""futureKnob":{"b":1,"a":[1e400,-0,9007199254740993,18446744073709551616,1.0]},"#,
        r#""initContainers":[{"restartPolicy":"Always"}],"creationTimestamp":null,"#,
        r#""s":"\u0000\ud800 \/ 🍉","a/b~c":"a\/b~c","a/b~c":"twice""#
    );
    let spec = format!(
        r#"{{{odd},"nodeSelector":{{"z":"1","a":"\u0032"}},"tolerations":[{{"operator":"Gt","key":"k","value":"3"}},{{"operator":"Exists"}}]}}"#
    );
    let expected = format!(
        r#"{{{odd},"nodeSelector":{{"z":"1","a":"\u0032","pool.test/group":"fruit-0"}},"tolerations":[{{"operator":"Gt","key":"k","value":"3"}},{{"operator":"Exists"}},{TOLERATION}]}}"#
    );
    assert_eq!(placed(&spec), expected);
}

#[test]
fn i7_own_output_is_left_alone() {
    let again = String::from_utf8(validate(payload(&placed(r#"{"x":1}"#)).as_bytes())).unwrap();
    assert_eq!(
        again,
        r#"{"accepted":true,"audit_annotations":{"decision":"none","replica-value":"fruit-0"}}"#
    );
}

#[test]
fn names_that_differ_by_escapes_only_are_one() {
    let spec = r#"{"node\u0053elector":{"pool\u002etest/group":"fruit\u002d0"}}"#;
    assert_eq!(
        placed(spec),
        format!(
            r#"{{"tolerations":[{TOLERATION}],"node\u0053elector":{{"pool\u002etest/group":"fruit\u002d0"}}}}"#
        )
    );
}

fn rejection(payload: &[u8]) -> String {
    let answer: serde_json::Value = serde_json::from_slice(&validate(payload)).unwrap();
    assert_eq!(answer["accepted"], false);
    assert_eq!(answer["code"], 400);
    answer["message"].as_str().unwrap().to_owned()
}

#[test]
fn r5_twice_is_refused_where_the_policy_reads() {
    for (spec, message) in [
        (
            r#"{"nodeSelector":{},"nodeSelector":{}}"#,
            r#"pod "red/fruit-0": spec: "nodeSelector" stands there twice; keep one"#,
        ),
        (
            r#"{"nodeSelector":{"pool.test/group":"a","pool.test/group":"b"}}"#,
            r#"pod "red/fruit-0": spec.nodeSelector: "pool.test/group" stands there twice; keep one"#,
        ),
        (
            r#"{"tolerations":[{"key":"a","key":"b"}]}"#,
            r#"pod "red/fruit-0": spec.tolerations[0]: "key" stands there twice; keep one"#,
        ),
    ] {
        assert_eq!(rejection(payload(spec).as_bytes()), message);
    }
    let twice = payload("{}").replacen(r#""operation""#, r#""operation":"CREATE","operation""#, 1);
    assert_eq!(
        rejection(twice.as_bytes()),
        "payload: \"operation\" stands there twice; keep one"
    );
}

#[test]
fn r5_no_json_is_told_without_an_echo() {
    for (text, message) in [
        (&b""[..], "payload: no JSON (it ends too early at line 1 column 0); send well-formed JSON"),
        (b"secret", "payload: no JSON (a syntax error at line 1 column 1); send well-formed JSON"),
        (b"\xff", "payload: not UTF-8 at byte 0; send the JSON encoded as UTF-8"),
        (b"[1,{}]", "payload: found a list where a map is due; make it a map"),
        (b"null", "payload: found null where a map is due; make it a map"),
        (b"1", "payload: found a number where a map is due; make it a map"),
        (b"1e999", "payload: found a number where a map is due; make it a map"),
        (b"{} {}", "payload: no JSON (a syntax error at line 1 column 4); send well-formed JSON"),
        (b"{\"request\":\"secret\"}", "request: found a string where a map is due; make it a map"),
        (b"{}", "request: is missing; add it"),
        (b"{\"request\":{\"kind\":{\"kind\":\"Pod\",\"version\":\"v1\"}}}", "request.operation: is missing; add it"),
        (b"{\"request\":{\"kind\":{\"kind\":\"Pod\",\"version\":\"v1\"},\"operation\":\"secret\"}}", "request.operation: has an unknown value; use CREATE, UPDATE, DELETE or CONNECT"),
        (b"{\"request\":{\"kind\":{\"kind\":\"Pod\",\"version\":\"v1\"},\"operation\":\"CREATE\",\"object\":[]}}", "request.object: found a list where a map is due; make it a map"),
        (b"{\"request\":{\"kind\":{\"kind\":\"Pod\",\"version\":\"v1\"},\"operation\":\"CREATE\",\"object\":{\"metadata\":3}}}", "request.object.metadata: found a number where a map is due; make it a map"),
        (b"{\"request\":{\"kind\":{\"kind\":\"Pod\",\"version\":\"v1\"},\"operation\":\"UPDATE\",\"object\":{}}}", "request.oldObject: is missing; add it"),
    ] {
        assert_eq!(rejection(text), message);
    }
}

#[test]
fn size_is_answered_in_one_pass() {
    let deep = format!(r#"{{"x":{}{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
    assert!(placed(&deep).ends_with("]}"));
    let long = format!(r#"{{"x":"{}"}}"#, "y".repeat(1_500_000));
    assert!(placed(&long).len() > 1_500_000);
    let many: Vec<String> = (0..5_000)
        .map(|i| format!(r#"{{"key":"k{i}","operator":"Exists"}}"#))
        .collect();
    let placed = placed(&format!(r#"{{"tolerations":[{}]}}"#, many.join(",")));
    assert!(placed.contains(&format!(r#"{},{TOLERATION}]"#, many[4_999])));
}

#[test]
fn i5_a_wrong_type_of_metadata_in_oldobject_is_told_by_its_place() {
    let text = payload("{}").replacen("CREATE", "UPDATE", 1).replacen(
        r#""object""#,
        r#""oldObject":{"metadata":[]},"object""#,
        1,
    );
    assert_eq!(
        rejection(text.as_bytes()),
        "request.oldObject.metadata: found a list where a map is due; make it a map"
    );
}
