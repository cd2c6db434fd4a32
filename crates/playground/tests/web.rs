//! The border to JavaScript, in Node and in a browser: JSON comes out whatever goes in, and nothing traps.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod texts;

use lws_playground::bindings::{
    detail, difference, picture, policies, result, review, validate, validate_settings,
};
use serde_json::{Value, json};
use texts::{CONFLICT, DISAGGREGATED, HASH, SETTINGS, SUBGROUPS, TPU, VLLM, set};
use wasm_bindgen_test::wasm_bindgen_test;

fn read(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// Every function, on the same texts.
fn all(manifests: &str, settings: &str) -> Vec<Value> {
    let drawn = read(&picture(manifests, settings));
    let address = drawn["ok"]["sets"][0]["address"].to_string();
    let answers = [
        review(manifests, settings),
        detail(manifests, settings, &address),
        result(manifests, settings),
        difference(manifests, settings, SETTINGS),
        policies(settings),
    ];
    let mut all = vec![drawn];
    all.extend(answers.iter().map(|answer| read(answer)));
    all
}

/// Whether an answer is a value or faults, and not both.
fn is_answer(answer: &Value) -> bool {
    answer.get("ok").is_some() != answer.get("faults").is_some()
}

#[wasm_bindgen_test]
fn what_is_asked_for_comes_as_json() {
    for manifests in [VLLM, TPU, SUBGROUPS, CONFLICT, HASH, DISAGGREGATED] {
        let answers = all(manifests, SETTINGS);
        assert!(
            answers.iter().all(|answer| answer.get("ok").is_some()),
            "{answers:?}"
        );
    }
}

#[wasm_bindgen_test]
fn faults_come_as_values() {
    let answer = read(&review(VLLM, "members: Nobody\n"));
    assert_eq!(answer["faults"][0]["place"]["line"], 1);
    let answer = read(&detail(VLLM, SETTINGS, "no address"));
    let text = answer["faults"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("the address cannot be read: "), "{text}");
}

#[wasm_bindgen_test]
fn nothing_traps() {
    let deep = "[".repeat(20_000);
    let deep_map = "{a: ".repeat(20_000);
    let indented: String = (0..500)
        .map(|depth| format!("{}a:\n", " ".repeat(depth)))
        .collect();
    let aliases = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n";
    let huge = set(u64::MAX, u64::MAX);
    let large = set(2_147_483_647, 1);
    let texts = [
        "",
        "\u{0}",
        "---\n---\n",
        "a: b: c",
        "\u{feff}kind: Pod",
        deep.as_str(),
        deep_map.as_str(),
        indented.as_str(),
        aliases,
        huge.as_str(),
        large.as_str(),
        "kind: LeaderWorkerSet\n",
        "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: []\nspec: 1\n",
        "apiVersion: disaggregatedset.x-k8s.io/v1\nkind: DisaggregatedSet\nspec: {roles: [1]}\n",
        "!!binary x",
        "? [a]: b",
        "a: 1e999",
        "\"\\ud800\"",
    ];
    for text in texts {
        for answer in all(text, SETTINGS).iter().chain(&all(VLLM, text)) {
            assert!(is_answer(answer), "{answer}");
        }
        let answer = read(std::str::from_utf8(&validate(text.as_bytes())).unwrap());
        assert_eq!(answer["accepted"], false);
        let answer = read(std::str::from_utf8(&validate_settings(text.as_bytes())).unwrap());
        assert!(answer["valid"].is_boolean());
    }
}

#[wasm_bindgen_test]
fn bytes_that_are_no_text_are_answered() {
    let answer = read(std::str::from_utf8(&validate(b"\xff\xfe")).unwrap());
    assert_eq!(answer["code"], 400);
    let answer = read(std::str::from_utf8(&validate_settings(b"{}")).unwrap());
    assert_eq!(answer, json!({"valid": true}));
}
