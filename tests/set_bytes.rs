//! S9: of a set's text only the stamps change, byte for byte, wherever they have to go.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use lws_replica_placement::validate;

const SETTINGS: &str = r#"{"replicaSpecificNodeSelector":"pool.test/group"}"#;
const STAMP: &str =
    r#""lws-replica-placement/placement":"{\"nodeSelector\":[\"pool.test/group\"]}""#;
const FORGED: &str = r#""lws-replica-placement/placement":"forged""#;
const ODD: &str = concat!(
    r#""futureKnob":{"b":1,"a":[1e400,-0,9007199254740993,18446744073709551616,1.0]},"#,
    r#""creationTimestamp":null,"s":"\u0000\ud800 \/ 🍉","a/b~c":"a\/b~c","a/b~c":"twice""#
);

/// The set with these templates, as the policy stores it; `None` where it changes nothing.
fn stored(settings: &str, templates: &str, dry_run: bool) -> Option<String> {
    let before = r#"{"spec":{"x":{"y" : [ ]},"leaderWorkerTemplate":{"#;
    let after = r#"},"networkConfig":null},"metadata":{"name":"fruit"},"status":{"z":1}}"#;
    let payload = format!(
        r#"{{"settings":{settings},"request":{{"kind":{{"group":"leaderworkerset.x-k8s.io","version":"v1","kind":"LeaderWorkerSet"}},"operation":"CREATE","namespace":"red","dryRun":{dry_run},"object":{before}{templates}{after}}}}}"#
    );
    let answer = String::from_utf8(validate(payload.as_bytes())).unwrap();
    let rest = answer
        .strip_prefix(r#"{"accepted":true"#)
        .unwrap_or_else(|| panic!("unexpected answer {answer}"));
    let object = rest.strip_prefix(r#","mutated_object":"#)?;
    let (object, _) = object.split_once(after).expect("the end of the object");
    Some(object.strip_prefix(before).expect("its start").to_owned())
}

#[test]
fn s9_a_stamp_goes_where_it_belongs() {
    let annotations = format!(r#""annotations":{{{STAMP}}}"#);
    let metadata = format!(r#""metadata":{{{annotations}}}"#);
    for (before, after) in [
        (r"{}".to_owned(), format!("{{{metadata}}}")),
        (
            r#"{"spec":{}}"#.to_owned(),
            format!(r#"{{"spec":{{}},{metadata}}}"#),
        ),
        (r#"{"metadata":null}"#.to_owned(), format!("{{{metadata}}}")),
        (r#"{"metadata":{}}"#.to_owned(), format!("{{{metadata}}}")),
        (
            r#"{"metadata":{"annotations":null}}"#.to_owned(),
            format!("{{{metadata}}}"),
        ),
        (
            r#"{"metadata":{"annotations":{}}}"#.to_owned(),
            format!("{{{metadata}}}"),
        ),
        (
            r#"{"metadata":{ "labels" : {"a":"b"} }}"#.to_owned(),
            format!(r#"{{"metadata":{{ "labels" : {{"a":"b"}} ,{annotations}}}}}"#),
        ),
        (
            r#"{"metadata":{"annotations":{"a":"\u0041", "b" : "2"},"x":1},"spec":{}}"#.to_owned(),
            format!(
                r#"{{"metadata":{{"annotations":{{"a":"\u0041", "b" : "2",{STAMP}}},"x":1}},"spec":{{}}}}"#
            ),
        ),
        (
            format!(r#"{{"metadata":{{"annotations":{{"a":"1",{FORGED}, "b":"2"}}}}}}"#),
            format!(r#"{{"metadata":{{"annotations":{{"a":"1",{STAMP}, "b":"2"}}}}}}"#),
        ),
        (
            r#"{"metadata":{"annotations":{"lws-replica-placement\/placement" : "x"}}}"#.to_owned(),
            r#"{"metadata":{"annotations":{"lws-replica-placement\/placement" : "{\"nodeSelector\":[\"pool.test/group\"]}"}}}"#.to_owned(),
        ),
        (
            format!(r#"{{{ODD},"spec":{{{ODD}}}}}"#),
            format!(r#"{{{ODD},"spec":{{{ODD}}},{metadata}}}"#),
        ),
    ] {
        for template in ["workerTemplate", "leaderTemplate"] {
            let before = format!(r#""size" :4,"{template}":{before}"#);
            let after = format!(r#""size" :4,"{template}":{after}"#);
            assert_eq!(stored(SETTINGS, &before, false), Some(after.clone()));
            assert_eq!(stored(SETTINGS, &before, true), Some(after.clone()), "I8");
            assert_eq!(stored(SETTINGS, &after, false), None, "I7");
        }
    }
}

#[test]
fn s9_both_templates_in_either_order() {
    let stamped = format!(r#"{{"metadata":{{"annotations":{{{STAMP}}}}}}}"#);
    for (first, second) in [
        ("leaderTemplate", "workerTemplate"),
        ("workerTemplate", "leaderTemplate"),
    ] {
        assert_eq!(
            stored(
                SETTINGS,
                &format!(r#""{first}":{{}},{ODD},"{second}":{{}}"#),
                false
            ),
            Some(format!(r#""{first}":{stamped},{ODD},"{second}":{stamped}"#))
        );
    }
}

#[test]
fn s9_null_templates_get_none() {
    assert_eq!(
        stored(
            SETTINGS,
            r#""workerTemplate":null,"leaderTemplate":null"#,
            false
        ),
        None
    );
    assert_eq!(
        stored(
            SETTINGS,
            r#""workerTemplate":{},"leaderTemplate":null"#,
            false
        ),
        Some(format!(
            r#""workerTemplate":{{"metadata":{{"annotations":{{{STAMP}}}}}}},"leaderTemplate":null"#
        ))
    );
}

#[test]
fn s9_a_forged_stamp_leaves_nothing_behind() {
    for (before, after) in [
        (FORGED.to_owned(), String::new()),
        (format!(" {FORGED} "), " ".to_owned()),
        (
            format!(r#"{FORGED} ,"a\/b" : "1""#),
            r#""a\/b" : "1""#.to_owned(),
        ),
        (
            format!(r#""a\/b" : "1",{FORGED}"#),
            r#""a\/b" : "1""#.to_owned(),
        ),
        (
            format!(r#""a\/b" : "1" , {FORGED}, "c":"2""#),
            r#""a\/b" : "1", "c":"2""#.to_owned(),
        ),
    ] {
        let template = |annotations: &str| {
            format!(
                r#""workerTemplate":{{"metadata":{{"annotations":{{{annotations}}},"x":null}}}}"#
            )
        };
        assert_eq!(
            stored("{}", &template(&before), false),
            Some(template(&after)),
            "{before}"
        );
        assert_eq!(stored("{}", &template(&after), false), None);
    }
}
