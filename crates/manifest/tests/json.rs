//! JSON files: what JSON allows and YAML does not, and both read equal.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use lws_manifest::read;
use serde_json::{Value, json};

fn all(text: &str) -> Vec<Value> {
    read(text)
        .into_iter()
        .map(|result| {
            result
                .unwrap_or_else(|error| panic!("{text}: {error}"))
                .value
        })
        .collect()
}

#[test]
fn json_is_read_as_json() {
    let text = "\u{feff} {\t\"a\\/b\" :\t\"\\ud83d\\ude00\\u0000\\b\\f\\n\\r\\t\\\"\\\\\u{7f}\" ,\r\n\t\"yes\": [1.0, -0, 1e2, yes_]}";
    let text = text.replace("yes_", "true");
    assert_eq!(
        all(&text),
        [json!({"a/b": "😀\0\u{8}\u{c}\n\r\t\"\\\u{7f}", "yes": [1.0, -0.0, 100.0, true]})]
    );
    // Numbers keep the form in which they are written: a request must arrive as it was sent.
    assert_eq!(all("{\"a\": [1.0, 1]}")[0].to_string(), "{\"a\":[1.0,1]}");
}

#[test]
fn json_inside_yaml_may_have_tabs() {
    assert_eq!(
        all("---\n{\n\t\"a\":\t[1,\n\t\t2],\n\t\"b\": \"\\/\"\n}\n"),
        [json!({"a": [1, 2], "b": "/"})]
    );
}

#[test]
fn long_keys_and_empty_collections_are_read() {
    let key = "k".repeat(3000);
    assert_eq!(
        all(&format!("{{\"{key}\": {{}}, \"b\": []}}"))[0][key.as_str()],
        json!({})
    );
}

#[test]
fn values_after_one_another_are_documents() {
    assert_eq!(
        all("{\"a\":1}\n{\"b\":2}\n"),
        [json!({"a": 1}), json!({"b": 2})]
    );
    assert_eq!(
        all("{\"a\":1}{\"b\":2}"),
        [json!({"a": 1}), json!({"b": 2})]
    );
    assert_eq!(
        all("{\"a\":1}\n---\n# more\n{\"b\":2}\n---\n"),
        [json!({"a": 1}), json!({"b": 2})]
    );
    assert_eq!(all("[{\"a\":1}]"), [json!([{"a": 1}])]);
}

#[test]
fn what_begins_as_json_and_is_yaml_is_read_as_yaml() {
    assert_eq!(all("{\"a\": b}\n"), [json!({"a": "b"})]);
    assert_eq!(
        all("{\"a\": 1}\n---\nb: 2\n"),
        [json!({"a": 1}), json!({"b": 2})]
    );
    assert_eq!(all("{a: [b, c]}"), [json!({"a": ["b", "c"]})]);
    assert_eq!(all("[a, b]"), [json!(["a", "b"])]);
}

/// A value of every shape, made from a number so that each run is the same.
fn made(state: &mut u64, depth: u32) -> Value {
    let mut next = |bound: u64| {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % bound
    };
    let words = [
        "",
        " ",
        "yes",
        "0777",
        "a: b",
        "- x",
        "#",
        "é\u{1F600}",
        "tab\t",
        "line\nline",
        "'",
        "\"",
        "{{ x }}",
        "<<",
        "~",
        "null",
        "*a",
        "&a",
        "!x",
        "%",
        "@",
        "\\",
        "\u{0}\u{1f}",
        "\u{7f}",
        "\u{85}\u{2028}",
        "2001-01-01",
        "a/b~c",
    ];
    match next(if depth == 0 { 5 } else { 8 }) {
        0 => Value::Null,
        1 => json!(next(2) == 0),
        2 => json!(i64::MIN + next(u64::MAX >> 1) as i64),
        3 => json!((next(1 << 30) as f64 - 5e8) / 1024.0),
        4 => json!(words[next(words.len() as u64) as usize]),
        5 | 6 => {
            let count = next(4);
            (0..count).map(|_| made(state, depth - 1)).collect()
        }
        _ => {
            let count = next(4);
            let mut object = serde_json::Map::new();
            for index in 0..count {
                let word = words[(*state >> 40) as usize % words.len()];
                object.insert(format!("{word}{index}"), made(state, depth - 1));
            }
            Value::Object(object)
        }
    }
}

/// The same value as block YAML with quoted strings.
fn yaml(value: &Value, indent: usize, out: &mut String) {
    let pad = " ".repeat(indent);
    match value {
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                out.push_str(&format!("\n{pad}-"));
                yaml(item, indent + 2, out);
            }
        }
        Value::Object(fields) if !fields.is_empty() => {
            for (key, item) in fields {
                out.push_str(&format!("\n{pad}{}:", escaped(&json!(key))));
                yaml(item, indent + 2, out);
            }
        }
        leaf => out.push_str(&format!(" {}", escaped(leaf))),
    }
}

/// JSON in which characters that YAML does not take as they are stand as escapes.
fn escaped(value: &Value) -> String {
    value
        .to_string()
        .replace('\u{7f}', "\\u007f")
        .replace('\u{85}', "\\u0085")
}

#[test]
fn a_value_reads_back_equal_from_json_and_from_yaml() {
    let mut state = 7;
    let mut nested = 0;
    for _ in 0..2000 {
        let value = json!({ "root": made(&mut state, 4) });
        nested += usize::from(value["root"].is_object());
        assert_eq!(all(&value.to_string()), std::slice::from_ref(&value));
        assert_eq!(
            all(&serde_json::to_string_pretty(&value).unwrap()),
            std::slice::from_ref(&value)
        );
        let mut text = String::new();
        yaml(&value, 0, &mut text);
        let found = all(&text);
        // YAML's whole floats become integers, as in kubectl: compare numbers by what they are.
        assert!(equal(&found[0], &value), "{text}\n{}\n{value}", found[0]);
    }
    assert!(nested > 100, "{nested}");
}

fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|((k, a), (l, b))| k == l && equal(a, b))
        }
        _ => a == b,
    }
}
