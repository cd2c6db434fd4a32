//! Every error's text: place, reason, remedy.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use lws_manifest::{Limits, ReadError, read, read_with};

fn error(text: impl AsRef<[u8]>) -> ReadError {
    let shown = String::from_utf8_lossy(text.as_ref()).into_owned();
    match read(text).into_iter().find_map(Result::err) {
        Some(error) => error,
        None => panic!("no error in {shown:?}"),
    }
}

#[test]
fn every_error_says_where_what_and_how_to_mend_it() {
    let table: &[(&str, &str)] = &[
        (
            "a: b: c\n",
            "line 1, column 5: not valid YAML: mapping values are not allowed in this context",
        ),
        (
            "a: 'b\n",
            "line 1, column 4: not valid YAML: unclosed quote",
        ),
        (
            "a: 1\r\nb: 2\r\n\tc: 3\r\n",
            "line 3, column 1: a tab where YAML allows none; indent with spaces",
        ),
        (
            "a:\n\tb: 1\n",
            "line 2, column 1: a tab where YAML allows none; indent with spaces",
        ),
        (
            "a: 1\nb:\n  a: 1\na: 2\n",
            "line 4, column 1: the key \"a\" is here and on line 1; remove one of the two",
        ),
        (
            "yes: 1\ntrue: 2\n",
            "line 2, column 1: the key \"true\" is here and on line 1; remove one of the two",
        ),
        (
            "{\"a\": 1,\n \"a\": 2}",
            "line 2, column 2: the key \"a\" is here and on line 1; remove one of the two",
        ),
        (
            "{\"a\": 1, \"\\u0061\": 2}",
            "line 1, column 10: the key \"a\" is here and on line 1; remove one of the two",
        ),
        (
            "a: 1\n\"\\x61\": 2\n",
            "line 2, column 1: the key \"a\" is here and on line 1; remove one of the two",
        ),
        (
            "a: &x {b: 1}\nc:\n  <<: *x\n  <<: *x\n",
            "line 4, column 3: the key \"<<\" is here and on line 3; remove one of the two",
        ),
        (
            "~: 1\n",
            "line 1, column 1: a key that is null; if it is a word, put it in quotes",
        ),
        (
            "? [a]\n: 1\n",
            "line 1, column 3: a key that is a mapping or a list; Kubernetes' keys are strings",
        ),
        (
            "? {a: 1}\n: 1\n",
            "line 1, column 3: a key that is a mapping or a list; Kubernetes' keys are strings",
        ),
        (
            "a: &x [1]\n*x : 2\n",
            "line 2, column 1: a key that is a mapping or a list; Kubernetes' keys are strings",
        ),
        (
            "18446744073709551615: 1\n",
            "line 1, column 1: the number 18446744073709551615 as a key is too big; put it in quotes",
        ),
        (
            "a: !vault x\n",
            "line 1, column 11: the tag !vault is not one that Kubernetes manifests have; remove it",
        ),
        (
            "a: !a%00%0Ab x\n",
            "line 1, column 14: the tag !a\\0\\nb is not one that Kubernetes manifests have; remove it",
        ),
        (
            "a: !!binary eA==\n",
            "line 1, column 13: the tag !!binary is not one that Kubernetes manifests have; remove it",
        ),
        (
            "a: !!set {b}\n",
            "line 1, column 10: the tag !!set is not one that Kubernetes manifests have; remove it",
        ),
        (
            "a: !!int b\n",
            "line 1, column 10: the tag !!int is on \"b\"; remove the tag or correct the value",
        ),
        (
            "a: !!map [1]\n",
            "line 1, column 10: the tag !!map is on a list; remove the tag or correct the value",
        ),
        (
            "a: .inf\n",
            "line 1, column 4: .inf has no counterpart in JSON, which Kubernetes' API speaks; if it is a string, put it in quotes",
        ),
        (
            "a: -.Inf\n",
            "line 1, column 4: -.inf has no counterpart in JSON, which Kubernetes' API speaks; if it is a string, put it in quotes",
        ),
        (
            "a: .nan\n",
            "line 1, column 4: .nan has no counterpart in JSON, which Kubernetes' API speaks; if it is a string, put it in quotes",
        ),
        (
            "a: 0xfffffffffffffffff\n",
            "line 1, column 4: the number 0xfffffffffffffffff is too big to be kept; if it is a string, put it in quotes",
        ),
        (
            "{\"a\": 1e999}",
            "line 1, column 7: the number 1e999 is too big to be kept; if it is a string, put it in quotes",
        ),
        (
            "a: *x\n",
            "line 1, column 4: an alias without an anchor before it; a * that begins a string needs quotes",
        ),
        (
            "a: &x [*x]\n",
            "line 1, column 8: an alias inside the very value that it stands for",
        ),
        (
            "a:\n  <<: 1\n",
            "line 2, column 7: the merge key << wants a mapping or a list of mappings",
        ),
        (
            "a: &x {b: 1}\nc:\n  b: 2\n  <<: *x\n",
            "line 4, column 7: the merge key << comes after \"b\" (line 3), which it brings too: kubectl would let the merged value win; put << first",
        ),
        (
            "a: \"\\ud800\"\n",
            "line 1, column 4: an escape that is half of a surrogate pair, which is no character",
        ),
        (
            "{\"a\": \"x\\ud800\"}",
            "line 1, column 9: an escape that is half of a surrogate pair, which is no character",
        ),
        (
            "{\"a\": \"\\udc00\"}",
            "line 1, column 8: an escape that is half of a surrogate pair, which is no character",
        ),
        (
            "a: \u{7}b\n",
            "line 1, column 4: the control character U+0007 is not allowed; is this a text file, saved as UTF-8?",
        ),
        (
            "a: b\0c\n",
            "line 1, column 5: the control character U+0000 is not allowed; is this a text file, saved as UTF-8?",
        ),
        (
            "{\"a\": tru",
            "line 1, column 7: not valid JSON: a word that begins with \"tru\"; wanted a value",
        ),
        (
            "{\"a\": 1",
            "line 1, column 8: not valid JSON: the text ends; wanted a comma or }",
        ),
        (
            "{\"a\": [1 2",
            "line 1, column 10: not valid JSON: found '2'; wanted a comma or ]",
        ),
        (
            "{\"a\" 1}]",
            "line 1, column 6: not valid JSON: found '1'; wanted a colon",
        ),
        (
            "{\"a\": \"\\x\"}}",
            "line 1, column 9: not valid JSON: found 'x'; wanted an escape: one of \" \\ / b f n r t u",
        ),
        (
            "{\"a\": 01}}",
            "line 1, column 7: not valid JSON: a number that begins with 0; wanted another",
        ),
        (
            "{\"a\":\n 1} x",
            "line 2, column 5: not valid JSON: found 'x'; wanted { or [",
        ),
    ];
    for (text, wanted) in table {
        assert_eq!(error(text).to_string(), *wanted, "{text:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8_are_named() {
    assert_eq!(
        error(b"a: 1\nb: \xff\n").to_string(),
        "line 2, column 4: the byte 0xff at offset 8 is not UTF-8; save the file as UTF-8"
    );
    assert_eq!(
        error(b"{\"a\": \"\xc3\x28\"}").to_string(),
        "line 1, column 8: the byte 0xc3 at offset 7 is not UTF-8; save the file as UTF-8"
    );
    for text in [&b"\xff\xfea\0"[..], b"\xfe\xff\0a"] {
        assert_eq!(
            error(text).to_string(),
            "line 1, column 1: the text is UTF-16 or UTF-32; save the file as UTF-8"
        );
    }
}

#[test]
fn templates_are_recognised_wherever_they_stand() {
    let table = [
        ("name: {{ .Values.name }}\n", 1),
        ("name: web-{{ .Release.Name }}\n", 1),
        ("a: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}\n", 2),
        ("{{- if .Values.x }}\na: 1\n{{- end }}\n", 1),
        ("{{ include \"x\" . }}\n", 1),
        ("a:\n  {{- toYaml .Values.a | nindent 2 }}\n", 2),
        ("a: [{{ .Values.x }}]\n", 1),
        (
            "# {{ not this }}\na: \"{{ nor this }}\"\nb: '{{ nor }}'\nc: {{ this }}\n",
            4,
        ),
        ("a: ${{ not.this }}\nb: {{ this }}\n", 2),
        ("a: ${{ not.this }}-{{ this }}\n", 1),
        ("a: |\n  {{ not }}\nb:\n  {{- if this }}\n", 4),
        ("{\"a\": {{ .Values.x }}}\n", 1),
        ("{\"a\": \"{{ not }}\",\n \"b\": {{ .Values.x }}}\n", 2),
    ];
    for (text, line) in table {
        let error = error(text);
        assert!(
            matches!(error, ReadError::Template { .. }),
            "{text}: {error}"
        );
        assert_eq!(error.position().line, line, "{text}: {error}");
    }
    assert_eq!(
        error("a: {{ .Values.x }}\n").to_string(),
        "line 1, column 4: a template that has not been rendered; render it first: \
         helm template … | lws-placement review -f -"
    );
}

#[test]
fn braces_in_strings_and_comments_are_no_template() {
    for text in [
        "# {{ x }}\na: 1\n",
        "a: \"{{ x }}\"\nb: '{{ x }}'\n",
        "a: |\n  {{ range . }}\n  {{ end }}\n",
        "a: \"one\n  {{ x }}\"\n",
        "a: b # {{ x }}\n",
        "{\"a\": \"\\\"{{ x }}\"}",
        "a: b{{c\n",
        // An expression of GitHub's workflows, which often share a folder's tree with manifests.
        "a: ${{ github.sha }}\nb:\n  - x-${{ matrix.os }}\n",
        "a: {b: {c: {}}}\n",
    ] {
        assert!(
            read(text).iter().all(Result::is_ok),
            "{text}: {:?}",
            read(text)
        );
    }
    // An error elsewhere stays that error.
    assert!(matches!(
        error("a: |\n  {{ x }}\nb: c: d\n"),
        ReadError::Yaml { .. }
    ));
}

#[test]
fn limits_name_themselves_and_the_place() {
    let limits = Limits {
        bytes: 30,
        depth: 3,
        nodes: 8,
        copied_nodes: 6,
        copied_bytes: 12,
    };
    let table = [
        (
            "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\n# 23456\n",
            "line 6, column 6: more than 30 bytes in a document",
        ),
        (
            "[[[[1]]]]",
            "line 1, column 4: more than 3 levels of nesting",
        ),
        (
            "a: {b: {c: {}}}",
            "line 1, column 12: more than 3 levels of nesting",
        ),
        (
            "- - - - 1",
            "line 1, column 7: more than 3 levels of nesting",
        ),
        (
            "[1,2,3,4,5,6,7,8]",
            "line 1, column 16: more than 8 values in a document",
        ),
        (
            "- &a [1,1]\n- [*a,*a]",
            "line 2, column 7: more than 6 values copied by anchors and aliases",
        ),
        (
            "- &a abcdefg\n- *a\n",
            "line 2, column 3: more than 12 bytes copied by anchors and aliases",
        ),
        (
            "- &a [[1]]\n- [[*a]]\n",
            "line 2, column 5: more than 3 levels of nesting",
        ),
    ];
    for (text, wanted) in table {
        let error = read_with(text, &limits).into_iter().find_map(Result::err);
        assert_eq!(error.expect(text).to_string(), wanted, "{text:?}");
    }
}

#[test]
fn documents_after_a_bad_one_are_read() {
    let text = "a: 1\n---\nb: [\n---\nc: {{ x }}\n---\nd: 1\nd: 2\n---\n# nothing\n---\ne: 5\n";
    let found: Vec<_> = read(text)
        .into_iter()
        .map(|result| {
            result
                .map(|d| (d.number, d.line()))
                .map_err(|e| e.position().line)
        })
        .collect();
    assert_eq!(found, [Ok((1, 1)), Err(3), Err(5), Err(8), Ok((5, 12))]);
    let found = read("{\"a\":1}{\"b\":1,\"b\":2}{\"c\":3}");
    assert!(found[0].is_ok() && found[1].is_err());
    assert_eq!(found[2].as_ref().unwrap().number, 3);
}
