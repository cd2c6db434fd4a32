//! The module and the native library are one policy: the same bytes to every payload; and what a payload costs is in
//! proportion to its size, up to what a policy server takes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed set-up fails the test"
)]

#[path = "../../../tests/generate/mod.rs"]
mod generate;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use generate::{cases, request, settings};
use lws_placement::engine::{Limits, Module, Outcome};

/// The policy, compiled once. `LWS_PLACEMENT_POLICY` names another than `make annotated-policy.wasm` builds.
static POLICY: LazyLock<PathBuf> = LazyLock::new(|| {
    std::env::var_os("LWS_PLACEMENT_POLICY").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../annotated-policy.wasm"),
        PathBuf::from,
    )
});

static MODULE: LazyLock<Module> = LazyLock::new(|| {
    // The memory is the one that every request has. The time is measured elsewhere: here other tests run beside, and
    // the fuel is the exact measure.
    let limits = Limits {
        deadline: Duration::from_secs(60),
        optimize: true,
        count_fuel: true,
        ..Limits::default()
    };
    Module::load_with(&POLICY, limits).unwrap()
});

/// What a policy server takes at most, and what Kubernetes sends at most.
const LARGEST: usize = 2 << 20;

/// Fuel that passes within a policy server's two seconds: optimised code burns four to twelve thousand million units a
/// second.
const FUEL: u64 = 6_000_000_000;

fn call(operation: &str, payload: &[u8]) -> Outcome {
    MODULE
        .call(operation, payload)
        .unwrap_or_else(|fault| panic!("{fault}: {}", start(payload)))
}

fn start(payload: &[u8]) -> String {
    String::from_utf8_lossy(&payload[..payload.len().min(300)]).into_owned()
}

#[test]
fn module_and_library_agree_on_every_byte() {
    cases(1_500, |random| {
        let payload = request::any(random);
        let native = lws_replica_placement::validate(&payload);
        assert!(
            call("validate", &payload).answer == native,
            "{}",
            String::from_utf8_lossy(&payload)
        );
    });
    cases(500, |random| {
        let settings = settings::any(random).into_bytes();
        let native = lws_replica_placement::validate_settings(&settings);
        assert!(call("validate_settings", &settings).answer == native);
    });
}

/// The module looks at sixteen bytes of a string at a time, the library at eight: both find each byte that ends the plain
/// text, at every place, in names and in values.
#[test]
fn module_and_library_see_the_same_strings() {
    let (before, after) = (
        payload("Pod", SETTINGS, &pod(",\"MARK\":\"MARK\"", "", "{}"), None),
        "xy",
    );
    let pieces: Vec<&str> = before.split("MARK").collect();
    for byte in 0..=u8::MAX {
        for length in 0..36 {
            let filling = "x".repeat(length);
            let text = [filling.as_bytes(), &[byte], after.as_bytes()].concat();
            let payload = [
                pieces[0].as_bytes(),
                &text,
                pieces[1].as_bytes(),
                &text,
                pieces[2].as_bytes(),
            ]
            .concat();
            let native = lws_replica_placement::validate(&payload);
            assert!(
                call("validate", &payload).answer == native,
                "{byte} behind {length}"
            );
        }
    }
}

const SETTINGS: &str = r#"{"replicaSpecificNodeSelector":["pool.test/group","plain"],"replicaSpecificToleration":[{"key":"pool.test/group","effect":"NoSchedule"}]}"#;

fn payload(kind: &str, settings: &str, object: &str, old: Option<&str>) -> String {
    let group = if kind == "Pod" {
        ""
    } else {
        "leaderworkerset.x-k8s.io"
    };
    let (operation, old) = match old {
        Some(old) => ("UPDATE", format!(r#","oldObject":{old}"#)),
        None => ("CREATE", String::new()),
    };
    format!(
        r#"{{"settings":{settings},"request":{{"kind":{{"group":"{group}","version":"v1","kind":"{kind}"}},"operation":"{operation}","namespace":"red","object":{object}{old}}}}}"#
    )
}

fn pod(annotations: &str, labels: &str, spec: &str) -> String {
    format!(
        r#"{{"metadata":{{"name":"fruit-0-1","labels":{{"leaderworkerset.sigs.k8s.io/name":"fruit"{labels}}},"annotations":{{"leaderworkerset.sigs.k8s.io/leader-name":"fruit-0"{annotations}}}}},"spec":{spec}}}"#
    )
}

fn set(name: &str, annotations: &str, template: &str) -> String {
    format!(
        r#"{{"metadata":{{"name":"{name}","annotations":{{{annotations}}}}},"spec":{{"replicas":1000000,"leaderWorkerTemplate":{template}}}}}"#
    )
}

/// One piece over and over, up to a size.
fn filled(size: usize, piece: impl Fn(usize) -> String) -> String {
    let mut out = String::with_capacity(size);
    let mut index = 0;
    while out.len() < size {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&piece(index));
        index += 1;
    }
    out
}

fn nested(size: usize, open: &str, core: &str, close: &str) -> String {
    let depth = size / (open.len() + close.len());
    format!("{}{core}{}", open.repeat(depth), close.repeat(depth))
}

/// A way to fill a payload of a size.
type Shape = (&'static str, fn(usize) -> String);

const AFFINITY: [&str; 2] = [
    r#"{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":["#,
    r#"]}}}"#,
];

/// Places where a payload may be large.
const SHAPES: [Shape; 33] = [
    ("a pod's unknown text", |n| {
        created(&pod("", "", &format!(r#"{{"x":"{}"}}"#, "y".repeat(n))))
    }),
    ("a pod's unknown depth", |n| {
        created(&pod(
            "",
            "",
            &format!(r#"{{"x":{}}}"#, nested(n, "[", "", "]")),
        ))
    }),
    ("depth that is no pod", |n| {
        nested(n, "{\"request\":", "1", "}")
    }),
    ("escapes", |n| {
        created(&pod(
            &format!(r#","x":"{}""#, "\\u0041".repeat(n / 6)),
            "",
            "{}",
        ))
    }),
    ("empty tolerations", |n| {
        created(&pod(
            "",
            "",
            &format!(r#"{{"tolerations":[{}]}}"#, filled(n, |_| "{}".into())),
        ))
    }),
    ("tolerations", |n| {
        let one = |i| format!(r#"{{"key":"plain","value":"v{i}","effect":"NoSchedule"}}"#);
        created(&pod(
            "",
            "",
            &format!(r#"{{"tolerations":[{}]}}"#, filled(n, one)),
        ))
    }),
    ("a node selector", |n| {
        let selector = filled(n, |i| format!(r#""k{i}":"v""#));
        created(&pod(
            "",
            "",
            &format!(r#"{{"nodeSelector":{{{selector}}}}}"#),
        ))
    }),
    ("scheduling gates", |n| {
        created(&pod(
            "",
            "",
            &format!(r#"{{"schedulingGates":[{}]}}"#, filled(n, |_| "0".into())),
        ))
    }),
    ("labels", |n| {
        created(&pod(
            "",
            &format!(",{}", filled(n, |i| format!(r#""l{i}":"""#))),
            "{}",
        ))
    }),
    ("annotations", |n| {
        created(&pod(
            &format!(",{}", filled(n, |i| format!(r#""a{i}":"""#))),
            "",
            "{}",
        ))
    }),
    ("owners", |n| {
        let owners = filled(n, |_| "{}".into());
        let pod = pod("", "", "{}").replacen(
            "\"metadata\":{",
            &format!("\"metadata\":{{\"ownerReferences\":[{owners}],"),
            1,
        );
        created(&pod)
    }),
    ("selector terms", |n| {
        let term = r#"{"matchExpressions":[{"key":"plain","operator":"In","values":["x"]}]}"#;
        created(&pod(
            "",
            "",
            &format!(
                r#"{{"affinity":{}{}{}}}"#,
                AFFINITY[0],
                filled(n, |_| term.into()),
                AFFINITY[1]
            ),
        ))
    }),
    ("selector values", |n| {
        let values = filled(n, |i| format!("\"{i}\""));
        let term = format!(
            r#"{{"matchExpressions":[{{"key":"plain","operator":"In","values":[{values}]}}]}}"#
        );
        created(&pod(
            "",
            "",
            &format!(r#"{{"affinity":{}{term}{}}}"#, AFFINITY[0], AFFINITY[1]),
        ))
    }),
    ("keys in an annotation", |n| {
        let keys = filled(n, |i| format!("k{i}"));
        created(&pod(
            &format!(r#","lws-replica-placement/node-selector":"{keys}""#),
            "",
            "{}",
        ))
    }),
    ("commas in an annotation", |n| {
        created(&pod(
            &format!(
                r#","lws-replica-placement/toleration":"{}""#,
                " ,".repeat(n / 2)
            ),
            "",
            "{}",
        ))
    }),
    ("keys in a stamp", |n| {
        let keys = filled(n, |i| format!(r#"\"k{i}\""#));
        created(&pod(
            &format!(r#","lws-replica-placement/placement":"{{\"nodeSelector\":[{keys}]}}""#),
            "",
            "{}",
        ))
    }),
    ("unknown fields in a stamp", |n| {
        let fields = filled(n, |i| format!(r#"\"replicaSpecificNodeSelect{i}\":0"#));
        created(&pod(
            &format!(r#","lws-replica-placement/placement":"{{{fields}}}""#),
            "",
            "{}",
        ))
    }),
    ("doubled fields in a stamp", |n| {
        let unknown = filled(n / 2, |i| format!(r#"\"u{i}\":0"#));
        let fields = filled(n / 2, |_| r#"\"members\":\"All\""#.into());
        created(&pod(
            &format!(r#","lws-replica-placement/placement":"{{{unknown},{fields}}}""#),
            "",
            "{}",
        ))
    }),
    ("depth in a stamp", |n| {
        created(&pod(
            &format!(
                r#","lws-replica-placement/placement":"{{\"members\":{}}}""#,
                nested(n, "[", "", "]")
            ),
            "",
            "{}",
        ))
    }),
    ("a leader's name", |n| {
        created(&pod("", "", "{}").replace("fruit-0", &"f".repeat(n / 2)))
    }),
    ("a selector's value", |n| {
        created(&pod(
            "",
            "",
            &format!(r#"{{"nodeSelector":{{"plain":"{}"}}}}"#, "v".repeat(n)),
        ))
    }),
    ("an update of a pod", |n| {
        let old = pod(
            "",
            "",
            &format!(r#"{{"tolerations":[{}]}}"#, filled(n / 2, |_| "{}".into())),
        );
        let new = old.replacen("fruit\"", "melon\"", 1);
        payload("Pod", SETTINGS, &new, Some(&old))
    }),
    ("workloadKeys", |n| {
        let settings = format!(
            r#"{{"workloadKeys":[{}]}}"#,
            filled(n, |i| format!("\"k{i}\""))
        );
        payload(
            "Pod",
            &settings,
            &pod(
                r#","lws-replica-placement/node-selector":"a,b,c""#,
                "",
                "{}",
            ),
            None,
        )
    }),
    ("settings' keys", |n| {
        let settings = format!(
            r#"{{"replicaSpecificNodeSelector":[{}]}}"#,
            filled(n, |i| format!("\"k{i}\""))
        );
        payload("Pod", &settings, &pod("", "", "{}"), None)
    }),
    ("settings' wrong keys", |n| {
        let settings = format!(r#"{{"workloadKeys":[{}]}}"#, filled(n, |_| "0".into()));
        payload("Pod", &settings, &pod("", "", "{}"), None)
    }),
    ("a set's name", |n| {
        let affinity = format!(
            r#"{{"workerTemplate":{{"spec":{{"affinity":{}{{}}{}}}}}}}"#,
            AFFINITY[0], AFFINITY[1]
        );
        made(&set(&"f".repeat(n), "", &affinity), None)
    }),
    ("a set's selector terms", |n| {
        let term =
            r#"{"matchExpressions":[{"key":"plain","operator":"NotIn","values":["fruit-0"]}]}"#;
        let affinity = format!(
            "{}{}{}",
            AFFINITY[0],
            filled(n, |_| term.into()),
            AFFINITY[1]
        );
        made(
            &set(
                "fruit",
                "",
                &format!(r#"{{"workerTemplate":{{"spec":{{"affinity":{affinity}}}}}}}"#),
            ),
            None,
        )
    }),
    ("a set's selector values", |n| {
        let values = filled(n, |i| format!("\"v{i}\""));
        let term = format!(
            r#"{{"matchExpressions":[{{"key":"plain","operator":"In","values":[{values}]}}]}}"#
        );
        let affinity = format!("{}{term}{}", AFFINITY[0], AFFINITY[1]);
        made(
            &set(
                "fruit",
                "",
                &format!(r#"{{"workerTemplate":{{"spec":{{"affinity":{affinity}}}}}}}"#),
            ),
            None,
        )
    }),
    ("a set's node selector", |n| {
        let selector = filled(n, |i| format!(r#""k{i}":"v""#));
        made(
            &set(
                "fruit",
                "",
                &format!(r#"{{"workerTemplate":{{"spec":{{"nodeSelector":{{{selector}}}}}}}}}"#),
            ),
            None,
        )
    }),
    ("a set's changed depth", |n| {
        changed(|core| nested(n / 2, "{\"x\":", core, "}"))
    }),
    ("a set's changed empty depth", |n| {
        changed(|core| nested(n / 2, "{\"metadata\":", core, "}"))
    }),
    ("a set's changed text under depth", |n| {
        changed(|core| {
            let text = format!("\"{}{core}\"", "y".repeat(n / 2));
            format!("{}{text}{}", "{\"metadata\":".repeat(100), "}".repeat(100))
        })
    }),
    ("a set's changed lists", |n| {
        changed(|core| {
            format!(
                "[{},{core}]",
                filled(n / 2, |_| r#"{"metadata":{"a":[]}}"#.into())
            )
        })
    }),
];

fn created(pod: &str) -> String {
    payload("Pod", SETTINGS, pod, None)
}

fn made(set: &str, old: Option<&str>) -> String {
    payload("LeaderWorkerSet", SETTINGS, set, old)
}

fn changed(template: impl Fn(&str) -> String) -> String {
    let of = |core| {
        set(
            "fruit",
            "",
            &format!(r#"{{"workerTemplate":{{"x":{}}}}}"#, template(core)),
        )
    };
    made(&of("1"), Some(&of("2")))
}

/// Twice the size costs twice, and the largest payload passes with the memory and the time that a request has.
#[test]
fn r5_cost_is_in_proportion_to_size() {
    let mut dearest = (0, 0);
    for (name, shape) in SHAPES {
        let cost = |size: usize| {
            let payload = shape(size);
            let started = std::time::Instant::now();
            let outcome = call("validate", payload.as_bytes());
            assert!(
                outcome.answer.len() < payload.len() + (128 << 10),
                "{name}: {}",
                start(&outcome.answer)
            );
            (outcome.fuel.unwrap(), outcome.memory, started.elapsed())
        };
        let [(small, ..), (double, ..)] = [cost(100_000), cost(200_000)];
        assert!(
            double < small / 2 * 5,
            "{name}: {small} for 100 kB, {double} for 200 kB"
        );
        let (fuel, memory, time) = cost(LARGEST - 2_000);
        println!("{name}: {fuel} fuel, {} MiB, {time:?}", memory >> 20);
        assert!(fuel < FUEL, "{name}: {fuel}");
        dearest = (dearest.0.max(fuel), dearest.1.max(memory));
    }
    println!("dearest: {} fuel, {} MiB", dearest.0, dearest.1 >> 20);
}

/// Settings are judged by the same code, but alone.
#[test]
fn c4_large_settings() {
    for settings in [
        filled(LARGEST, |i| format!(r#""action{i}":0"#)),
        filled(LARGEST, |_| r#""action":"Inject""#.into()),
        format!(
            r#""replicaSpecificToleration":[{}]"#,
            filled(LARGEST, |_| "{\"x\":0}".into())
        ),
        format!(
            r#""workloadKeys":[{}]"#,
            filled(LARGEST, |i| format!("\"-{i}\""))
        ),
        format!(r#""action":{}"#, nested(LARGEST, "[", "", "]")),
    ] {
        let settings = format!("{{{settings}}}");
        let outcome = call("validate_settings", settings.as_bytes());
        assert!(
            outcome.answer.starts_with(br#"{"valid":false"#) && outcome.answer.len() < 64 << 10
        );
        assert!(
            outcome.fuel.unwrap() < FUEL,
            "{}",
            start(settings.as_bytes())
        );
    }
}
