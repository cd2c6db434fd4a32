//! What an unquoted word is, as kubectl's YAML resolves it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use lws_manifest::read;
use serde_json::{Value, json};

/// The value of `a: <written>`.
fn value(written: &str) -> Value {
    let document = read(format!("a: {written}\n")).remove(0);
    document
        .unwrap_or_else(|error| panic!("{written}: {error}"))
        .value["a"]
        .clone()
}

/// The only key of `<written>: x`.
fn key(written: &str) -> String {
    let document = read(format!("{written}: x\n")).remove(0);
    let value = document
        .unwrap_or_else(|error| panic!("{written}: {error}"))
        .value;
    value.as_object().unwrap().keys().next().unwrap().clone()
}

#[test]
fn words_become_what_kubectl_makes_of_them() {
    let table = [
        ("", json!(null)),
        ("~", json!(null)),
        ("null", json!(null)),
        ("Null", json!(null)),
        ("NULL", json!(null)),
        ("nULL", json!("nULL")),
        ("true", json!(true)),
        ("True", json!(true)),
        ("TRUE", json!(true)),
        ("tRUE", json!("tRUE")),
        ("yes", json!(true)),
        ("Yes", json!(true)),
        ("on", json!(true)),
        ("ON", json!(true)),
        ("y", json!(true)),
        ("Y", json!(true)),
        ("false", json!(false)),
        ("no", json!(false)),
        ("NO", json!(false)),
        ("off", json!(false)),
        ("Off", json!(false)),
        ("n", json!(false)),
        ("N", json!(false)),
        ("0", json!(0)),
        ("-0", json!(0)),
        ("+12", json!(12)),
        ("-12", json!(-12)),
        ("1_000", json!(1000)),
        ("_1", json!("_1")),
        ("0777", json!(511)),
        ("0o777", json!(511)),
        ("0O17", json!(15)),
        ("-0o17", json!(-15)),
        ("0x1F", json!(31)),
        ("0X1f", json!(31)),
        ("-0x1F", json!(-31)),
        ("0b101", json!(5)),
        ("-0b101", json!(-5)),
        ("0b12", json!("0b12")),
        ("0xfg", json!("0xfg")),
        ("089", json!(89)),
        ("0o8", json!("0o8")),
        ("9223372036854775807", json!(i64::MAX)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("18446744073709551615", json!(u64::MAX)),
        ("9007199254740993", json!(9_007_199_254_740_993_i64)),
        ("1.5", json!(1.5)),
        ("-1.5e3", json!(-1500)),
        ("1.0", json!(1)),
        ("1.", json!(1)),
        (".5", json!(0.5)),
        ("+.5", json!(0.5)),
        ("1e3", json!(1000)),
        ("1E+3", json!(1000)),
        ("1e-3", json!(0.001)),
        ("1e", json!("1e")),
        ("1e400", json!("1e400")),
        ("1e21", json!(1e21)),
        ("-0.0", json!(-0.0)),
        (".", json!(".")),
        ("--", json!("--")),
        ("+-1", json!("+-1")),
        ("1.2.3", json!("1.2.3")),
        ("0x1p-2", json!("0x1p-2")),
        ("10Gi", json!("10Gi")),
        ("12:30:45", json!("12:30:45")),
        ("2001-12-14", json!("2001-12-14")),
        ("2001-12-14T21:59:43Z", json!("2001-12-14T21:59:43Z")),
        ("'yes'", json!("yes")),
        ("\"0777\"", json!("0777")),
        ("\"\"", json!("")),
        ("'<<'", json!("<<")),
        ("!!str 12", json!("12")),
        ("!!str", json!("")),
        ("! 12", json!("12")),
        ("!!int \"12\"", json!(12)),
        ("!!float 12", json!(12)),
        ("!!bool \"yes\"", json!(true)),
        ("!!null \"\"", json!(null)),
        ("!!timestamp 2001-12-14", json!("2001-12-14")),
        ("!!seq [1]", json!([1])),
        ("!!map {b: 1}", json!({"b": 1})),
        (
            "\"\\u00e9 \\U0001F600 \\uD83D\\uDE00 \\/\"",
            json!("é 😀 😀 /"),
        ),
    ];
    for (written, wanted) in table {
        let found = value(written);
        assert_eq!(found, wanted, "{written}");
        // 1 and 1.0 are equal to the eye only.
        assert_eq!(found.to_string(), wanted.to_string(), "{written}");
    }
}

#[test]
fn keys_become_strings_as_kubectl_makes_them() {
    let table = [
        ("1", "1"),
        ("0x10", "16"),
        ("-5", "-5"),
        ("true", "true"),
        ("yes", "true"),
        ("off", "false"),
        ("1.5", "1.5"),
        ("1.0", "1"),
        ("1e6", "1e+06"),
        ("123456.0", "123456"),
        ("0.00001", "1e-05"),
        ("0.0001", "0.0001"),
        ("1.25e10", "1.25e+10"),
        (".inf", ".inf"),
        ("-.inf", "-.inf"),
        (".nan", ".nan"),
        ("\"1\"", "1"),
        ("2001-12-14", "2001-12-14"),
    ];
    for (written, wanted) in table {
        assert_eq!(key(written), wanted, "{written}");
    }
}

#[test]
fn an_integer_beyond_64_bits_is_a_float_and_noted() {
    for text in ["a: 18446744073709551616\n", "{\"a\": 18446744073709551616}"] {
        let document = read(text).remove(0).unwrap();
        assert_eq!(document.value["a"], json!(18_446_744_073_709_551_616.0));
        let notes: Vec<_> = document.notes().iter().map(ToString::to_string).collect();
        let column = document.locate("/a").column;
        assert_eq!(
            notes,
            [format!(
                "line 1, column {column}: the integer 18446744073709551616 does not fit into 64 \
                 bits and is read as 1.8446744073709552e+19, as kubectl does; if it is a string, \
                 put it in quotes"
            )]
        );
    }
    assert!(
        read("a: 18446744073709551615\n")
            .remove(0)
            .unwrap()
            .notes()
            .is_empty()
    );
}

#[test]
fn block_scalars_keep_and_fold_lines() {
    let text = "a: |\n  one\n   two\n\nb: >-\n  one\n  two\n\n  three\nc: |+\n  x\n\nd: |2\n    y";
    let value = read(text).remove(0).unwrap().value;
    assert_eq!(
        value,
        json!({"a": "one\n two\n", "b": "one two\nthree", "c": "x\n\n", "d": "  y"})
    );
}

#[test]
fn merge_keys_bring_what_is_not_written() {
    let text = "base: &base {a: 1, b: 2}\nmore: &more {b: 3, c: 4}\n\
                one:\n  <<: *base\n  b: 9\nboth:\n  <<: [*base, *more]\nnested:\n  <<: {x: [1]}\n";
    let value = read(text).remove(0).unwrap().value;
    assert_eq!(value["one"], json!({"a": 1, "b": 9}));
    assert_eq!(value["both"], json!({"a": 1, "b": 2, "c": 4}));
    assert_eq!(value["nested"], json!({"x": [1]}));
    let document = read(text).remove(0).unwrap();
    assert_eq!(document.locate("/one/b").line, 5);
    assert_eq!(document.locate("/one/a").line, 1);
    assert_eq!(document.locate("/both/c").line, 2);
}

#[test]
fn aliases_repeat_values_and_keys() {
    let text = "a: &x [1, {b: 2}]\nc: *x\nd: &k name\n*k : 5\n&y e: *y\n";
    let value = read(text).remove(0).unwrap().value;
    assert_eq!(
        value,
        json!({"a": [1, {"b": 2}], "c": [1, {"b": 2}], "d": "name", "name": 5, "e": "e"})
    );
}

#[test]
fn directives_are_followed() {
    let text = "%YAML 1.1\n---\na: 1\n...\n%TAG !k! tag:yaml.org,2002:\n---\nb: !k!str 2\n";
    let values: Vec<_> = read(text).into_iter().map(|d| d.unwrap().value).collect();
    assert_eq!(values, [json!({"a": 1}), json!({"b": "2"})]);
}
