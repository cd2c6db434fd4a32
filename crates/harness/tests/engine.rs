//! The engine on small modules, good and bad: each fault has its own words, and the request after it is served.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use common::{echo, policy};
use lws_placement::engine::{Fault, Limits, Module};
use lws_placement::evaluator::Evaluator;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn load(bytes: &[u8]) -> Module {
    Module::from_bytes("test.wasm", bytes, Limits::default()).unwrap()
}

/// A module that does `body` when it is asked for `validate_settings`, and answers `{"valid":true}` to the rest.
fn faulty(body: &str, limits: Limits) -> Module {
    let bytes = policy(&format!(
        r#"(call $request (i32.const 1024) (i32.const 65536))
           (if (i32.eq (local.get $operation) (i32.const 17)) (then {body}))
           (call $response (i32.const 0) (i32.const 14))
           (i32.const 1)"#
    ));
    Module::from_bytes("test.wasm", &bytes, limits).unwrap()
}

/// The fault that `body` ends in; the request after it is answered, whatever happened.
fn fault_with(body: &str, limits: Limits) -> Fault {
    let module = faulty(body, limits);
    let fault = module.validate_settings(&json!({})).unwrap_err();
    let answer = module.validate(&json!({}), &json!({})).unwrap();
    assert_eq!(answer, br#"{"valid":true}"#, "after {fault}");
    fault
}

fn fault(body: &str) -> Fault {
    fault_with(body, Limits::default())
}

#[test]
fn payload_is_sorted_and_settings_are_a_map() {
    let module = load(&policy(
        r#"(call $request (i32.const 1024) (i32.const 65536))
           (call $response (i32.const 65536) (local.get $length))
           (i32.const 1)"#,
    ));
    let request: Value = serde_json::from_str(r#"{"uid":"1","kind":{"z":1,"a":2}}"#).unwrap();
    let payload = module.validate(&Value::Null, &request).unwrap();
    assert_eq!(
        String::from_utf8(payload).unwrap(),
        r#"{"request":{"kind":{"a":2,"z":1},"uid":"1"},"settings":{}}"#
    );
}

#[test]
fn protocol_version_is_read() {
    assert_eq!(load(&echo()).protocol_version().unwrap(), "v1");
}

#[test]
fn every_request_gets_a_fresh_instance() {
    let module = load(&policy(
        r#"(global.set $calls (i32.add (global.get $calls) (i32.const 1)))
           (i32.store8 (i32.const 64) (i32.add (i32.const 48) (global.get $calls)))
           (call $response (i32.const 64) (i32.const 1))
           (i32.const 1)"#,
    ));
    for _ in 0..3 {
        assert_eq!(module.call("validate", b"{}").unwrap().answer, b"1");
    }
}

#[test]
fn an_instance_answers_one_call_after_another() {
    let module = load(&policy(
        r#"(global.set $calls (i32.add (global.get $calls) (i32.const 1)))
           (call $request (i32.const 1024) (i32.const 65536))
           (i32.store8 (i32.const 65535) (i32.add (i32.const 48) (global.get $calls)))
           (call $response (i32.const 65535) (i32.add (local.get $length) (i32.const 1)))
           (i32.const 1)"#,
    ));
    let mut instance = module.instance().unwrap();
    for (payload, answer) in [("long", "1long"), ("", "2"), ("go", "3go")] {
        let outcome = instance.call("validate", payload.as_bytes()).unwrap();
        assert_eq!(outcome.answer, answer.as_bytes());
    }
    let other = module.instance().unwrap().call("validate", b"").unwrap();
    assert_eq!(other.answer, b"1");
}

#[test]
fn each_call_of_an_instance_has_its_own_limits() {
    let limits = Limits {
        count_fuel: true,
        ..Limits::default()
    };
    let module = Module::from_bytes("test.wasm", &echo(), limits.clone()).unwrap();
    let payload = br#"{"request":{},"settings":{"a":1}}"#;
    let mut instance = module.instance().unwrap();
    let burnt: Vec<_> = (0..3)
        .map(|_| instance.call("validate", payload).unwrap().fuel.unwrap())
        .collect();
    assert!(burnt.iter().all(|fuel| *fuel == burnt[0]), "{burnt:?}");
    let short = Limits {
        fuel: Some(burnt[0] + 1),
        ..limits
    };
    let module = Module::from_bytes("test.wasm", &echo(), short).unwrap();
    let mut instance = module.instance().unwrap();
    for _ in 0..3 {
        assert!(instance.call("validate", payload).is_ok());
    }
}

#[test]
fn an_instance_that_ended_stays_ended() {
    let module = faulty("unreachable", Limits::default());
    let mut instance = module.instance().unwrap();
    assert!(instance.call("validate", b"{}").is_ok());
    let fault = instance.call("validate_settings", b"{}").unwrap_err();
    assert_eq!(instance.call("validate", b"{}").unwrap_err(), fault);
    assert!(module.call("validate", b"{}").is_ok());
}

#[test]
fn an_error_that_the_guest_tells_does_not_end_its_instance() {
    let module = faulty(
        "(call $error (i32.const 521) (i32.const 7)) (return (i32.const 0))",
        Limits::default(),
    );
    let mut instance = module.instance().unwrap();
    assert!(instance.call("validate_settings", b"{}").is_err());
    assert!(instance.call("validate", b"{}").is_ok());
}

#[test]
fn a_trap_is_named() {
    assert_eq!(
        fault("unreachable").to_string(),
        "policy trapped: wasm trap: wasm `unreachable` instruction executed"
    );
    assert_eq!(
        fault("(i32.store (i32.const -8) (i32.const 1))").to_string(),
        "policy trapped: wasm trap: out of bounds memory access"
    );
}

#[test]
fn a_trap_tells_what_was_printed_before() {
    let body = r#"(i32.store (i32.const 512) (i32.const 520))
                  (i32.store (i32.const 516) (i32.const 8))
                  (drop (call $fd_write (i32.const 2) (i32.const 512) (i32.const 1) (i32.const 600)))
                  unreachable"#;
    assert_eq!(
        fault(body).to_string(),
        "policy trapped: wasm trap: wasm `unreachable` instruction executed (it wrote: oh dear)"
    );
}

#[test]
fn endless_recursion_is_a_trap() {
    assert_eq!(
        fault("(drop (call $sink (i32.const 0)))").to_string(),
        "policy trapped: wasm trap: call stack exhausted"
    );
}

#[test]
fn an_endless_loop_ends_at_the_deadline() {
    let limits = Limits {
        deadline: Duration::from_millis(100),
        ..Limits::default()
    };
    let start = Instant::now();
    let fault = fault_with("(loop $for_ever (br $for_ever))", limits);
    assert_eq!(
        fault.to_string(),
        "policy interrupted: no answer within 100ms"
    );
    assert!(start.elapsed() >= Duration::from_millis(100));
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn an_endless_start_ends_at_the_deadline() {
    let bytes = wat::parse_str(
        r#"(module (memory (export "memory") 1)
             (func (export "wapc_init") (loop $for_ever (br $for_ever)))
             (func (export "__guest_call") (param i32 i32) (result i32) (i32.const 1)))"#,
    )
    .unwrap();
    let limits = Limits {
        deadline: Duration::from_millis(50),
        ..Limits::default()
    };
    let module = Module::from_bytes("test.wasm", &bytes, limits).unwrap();
    let fault = module.call("validate", b"{}").unwrap_err();
    assert_eq!(fault, Fault::Deadline(Duration::from_millis(50)));
}

#[test]
fn memory_over_the_limit_is_a_fault() {
    let limits = Limits {
        memory: 8 << 20,
        ..Limits::default()
    };
    let fault = fault_with(
        "(loop $more (drop (memory.grow (i32.const 16))) (br $more))",
        limits,
    );
    assert_eq!(
        fault.to_string(),
        "policy wanted 9437184 bytes of memory, but a request may have 8388608"
    );
}

#[test]
fn a_module_that_starts_over_the_limit_is_a_fault() {
    let limits = Limits {
        memory: 1 << 20,
        ..Limits::default()
    };
    let module = Module::from_bytes("test.wasm", &echo(), limits).unwrap();
    assert_eq!(
        module.call("validate", b"{}").unwrap_err(),
        Fault::Memory {
            wanted: 64 << 16,
            limit: 1 << 20
        }
    );
}

#[test]
fn garbage_for_settings_is_told() {
    let text =
        fault("(call $response (i32.const 128) (i32.const 11)) (return (i32.const 1))").to_string();
    assert!(
        text.starts_with("policy gave an unreadable answer to \"validate_settings\": "),
        "{text}"
    );
}

#[test]
fn no_answer_is_told() {
    assert_eq!(
        fault("(return (i32.const 1))").to_string(),
        "policy gave no answer to \"validate_settings\""
    );
}

#[test]
fn the_guests_error_is_told() {
    assert_eq!(
        fault("(call $error (i32.const 521) (i32.const 7)) (return (i32.const 0))").to_string(),
        "policy answered \"validate_settings\" with an error: oh dear"
    );
    assert_eq!(
        fault("(return (i32.const 0))").to_string(),
        "policy answered \"validate_settings\" with an error: no reason given"
    );
}

#[test]
fn pieces_outside_the_memory_are_faults() {
    for (body, text) in [
        (
            "(call $response (i32.const 4194300) (i32.const 5)) unreachable",
            "policy gave \"__guest_response\" 5 bytes at 4194300, which is outside its memory",
        ),
        (
            "(call $response (i32.const 16) (i32.const -1)) unreachable",
            "policy gave \"__guest_response\" 4294967295 bytes at 16, which is outside its memory",
        ),
        (
            "(call $request (i32.const 4194303) (i32.const 0)) unreachable",
            "policy gave \"__guest_request\" 17 bytes at 4194303, which is outside its memory",
        ),
        (
            "(drop (call $random_get (i32.const 4194303) (i32.const 2))) unreachable",
            "policy gave \"random_get\" 2 bytes at 4194303, which is outside its memory",
        ),
        (
            "(drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const -1) (i32.const 0))) unreachable",
            "policy gave \"fd_write\" 4294967288 bytes at 0, which is outside its memory",
        ),
        (
            "(drop (call $environ_sizes_get (i32.const 4194302) (i32.const 0))) unreachable",
            "policy gave \"environ_sizes_get\" 4 bytes at 4194302, which is outside its memory",
        ),
    ] {
        assert_eq!(fault(body).to_string(), text);
    }
}

#[test]
fn leaving_is_a_fault() {
    assert_eq!(
        fault("(call $proc_exit (i32.const 3))").to_string(),
        "policy left with exit code 3 instead of answering"
    );
}

#[test]
fn a_huge_answer_comes_through() {
    let module = load(&policy(
        r#"(memory.fill (i32.const 65536) (i32.const 120) (i32.const 4000000))
           (call $response (i32.const 65536) (i32.const 4000000))
           (i32.const 1)"#,
    ));
    let answer = module.call("validate", b"{}").unwrap().answer;
    assert_eq!(answer.len(), 4_000_000);
    assert!(answer.iter().all(|byte| *byte == b'x'));
}

#[test]
fn a_payload_over_the_guests_memory_is_a_fault() {
    let module = load(&echo());
    let payload = vec![b' '; 5 << 20];
    let fault = module.call("validate", &payload).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "policy gave \"__guest_request\" 5242880 bytes at 65536, which is outside its memory"
    );
    assert!(module.call("protocol_version", b"").is_ok());
}

/// Calls the host with `(binding, namespace, operation)`; answers the host's text, or its error.
fn host_call(operation_length: u32) -> (Vec<u8>, Vec<String>) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&lines);
    let module = load(&policy(&format!(
        r#"(if (call $host_call (i32.const 256) (i32.const 10) (i32.const 266) (i32.const 7)
              (i32.const 273) (i32.const {operation_length}) (i32.const 64) (i32.const 4))
             (then
               (call $host_response (i32.const 2048))
               (call $response (i32.const 2048) (call $host_response_len)))
             (else
               (call $host_error (i32.const 2048))
               (call $response (i32.const 2048) (call $host_error_len))))
           (call $console_log (i32.const 521) (i32.const 7))
           (i32.const 1)"#
    )))
    .with_log(Arc::new(move |line: &str| {
        sink.lock().unwrap().push(line.to_owned())
    }));
    let answer = module.call("validate", b"{}").unwrap().answer;
    let lines = lines.lock().unwrap().clone();
    (answer, lines)
}

#[test]
fn logging_is_answered_and_told() {
    let (answer, lines) = host_call(3);
    assert_eq!(answer, b"");
    assert_eq!(lines, ["policy log: \"v1\"", "policy console: oh dear"]);
}

#[test]
fn other_host_calls_are_refused_and_told() {
    let (answer, lines) = host_call(2);
    assert_eq!(
        String::from_utf8(answer).unwrap(),
        "host call kubewarden/tracing/lo is not available here; only kubewarden/tracing/log is"
    );
    assert_eq!(
        lines[0],
        "policy asked its host for kubewarden/tracing/lo: refused"
    );
}

#[test]
fn randomness_is_repeatable_and_seeded() {
    let bytes = policy(
        r#"(drop (call $random_get (i32.const 2048) (i32.const 19)))
           (call $response (i32.const 2048) (i32.const 20))
           (i32.const 1)"#,
    );
    let draw = |seed| {
        let limits = Limits {
            seed,
            ..Limits::default()
        };
        let module = Module::from_bytes("test.wasm", &bytes, limits).unwrap();
        module.call("validate", b"{}").unwrap().answer
    };
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
    assert_eq!(draw(1)[19], 0, "no more than was asked for");
    assert_ne!(draw(1)[..8], draw(1)[8..16]);
}

#[test]
fn the_environment_is_empty_and_files_are_not_there() {
    let module = load(&policy(
        r#"(i32.store (i32.const 2048) (i32.const -1))
           (i32.store (i32.const 2052) (i32.const -1))
           (i32.store8 (i32.const 2056) (call $environ_sizes_get (i32.const 2048) (i32.const 2052)))
           (i32.store8 (i32.const 2057) (call $environ_get (i32.const 0) (i32.const 0)))
           (i32.store8 (i32.const 2058) (call $fd_write (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 0)))
           (call $response (i32.const 2048) (i32.const 11))
           (i32.const 1)"#,
    ));
    let answer = module.call("validate", b"{}").unwrap().answer;
    assert_eq!(answer, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8]);
}

#[test]
fn fuel_is_the_same_in_every_run_and_can_run_out() {
    let limits = Limits {
        count_fuel: true,
        ..Limits::default()
    };
    let payload = br#"{"request":{},"settings":{"a":1}}"#;
    let module = Module::from_bytes("test.wasm", &echo(), limits.clone()).unwrap();
    let fuel = module.call("validate", payload).unwrap().fuel.unwrap();
    assert!((100..100_000).contains(&fuel), "{fuel}");
    assert_eq!(module.call("validate", payload).unwrap().fuel, Some(fuel));
    let enough = Limits {
        fuel: Some(fuel),
        ..limits.clone()
    };
    let short = Limits {
        fuel: Some(fuel / 2),
        ..limits
    };
    let run = |limits| {
        Module::from_bytes("test.wasm", &echo(), limits)
            .unwrap()
            .call("validate", payload)
    };
    assert_eq!(run(enough).unwrap().fuel, Some(fuel));
    assert_eq!(
        run(short).unwrap_err().to_string(),
        format!(
            "policy interrupted: it burnt all of its {} units of fuel",
            fuel / 2
        )
    );
}

#[test]
fn fuel_is_not_counted_unasked_and_memory_is() {
    let outcome = load(&echo()).call("protocol_version", b"").unwrap();
    assert_eq!(outcome.fuel, None);
    assert_eq!(outcome.memory, 64 << 16);
}

#[test]
fn requests_run_side_by_side() {
    let module = load(&echo());
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let module = &module;
            scope.spawn(move || {
                for call in 0..50 {
                    let settings = json!({"accepted": true, "message": format!("{thread} {call}")});
                    let answer = module.validate(&settings, &json!({})).unwrap();
                    assert_eq!(serde_json::from_slice::<Value>(&answer).unwrap(), settings);
                }
            });
        }
    });
}

fn refusal(text: &str) -> String {
    let bytes = wat::parse_str(text).unwrap();
    match Module::from_bytes("test.wasm", &bytes, Limits::default()) {
        Ok(_) => panic!("loaded: {text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn an_unknown_import_is_named() {
    let text = r#"(module (import "env" "now" (func)) (memory (export "memory") 1)
        (func (export "__guest_call") (param i32 i32) (result i32) (i32.const 1)))"#;
    assert_eq!(
        refusal(text),
        "policy module \"test.wasm\" wants unknown import \"now\" of \"env\"; a policy may import from \"wapc\" and the few functions of \"wasi_snapshot_preview1\" that need no files, network or clock"
    );
    let clock = text.replace(
        "\"env\" \"now\"",
        "\"wasi_snapshot_preview1\" \"clock_time_get\"",
    );
    assert!(
        refusal(&clock).contains("unknown import \"clock_time_get\" of \"wasi_snapshot_preview1\"")
    );
}

#[test]
fn an_import_of_another_type_does_not_fit() {
    let text = r#"(module (import "wapc" "__guest_request" (func (param i64))) (memory (export "memory") 1)
        (func (export "__guest_call") (param i32 i32) (result i32) (i32.const 1)))"#;
    let refusal = refusal(text);
    assert!(
        refusal.starts_with("policy module \"test.wasm\" does not fit this host: "),
        "{refusal}"
    );
}

#[test]
fn what_is_no_policy_is_told() {
    assert_eq!(
        refusal("(module)"),
        "policy module \"test.wasm\" has no export \"memory\"; it is no waPC policy"
    );
    assert_eq!(
        refusal(r#"(module (memory (export "memory") 1))"#),
        "policy module \"test.wasm\" has no export \"__guest_call\"; it is no waPC policy"
    );
    let error = match Module::from_bytes("test.wasm", b"\x7fELF", Limits::default()) {
        Ok(_) => panic!("loaded"),
        Err(error) => error.to_string(),
    };
    assert!(
        error.starts_with("\"test.wasm\" is no usable WebAssembly module: "),
        "{error}"
    );
    let error = match Module::load(std::path::Path::new("no/such.wasm")) {
        Ok(_) => panic!("loaded"),
        Err(error) => error.to_string(),
    };
    assert!(
        error.starts_with("cannot read policy module \"no/such.wasm\": "),
        "{error}"
    );
}
