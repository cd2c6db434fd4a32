//! Where values stand.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use lws_manifest::{Document, read};

fn one(text: &str) -> Document {
    read(text).remove(0).unwrap()
}

/// Line and column of a pointer; the offset must agree with them.
fn at(text: &str, document: &Document, pointer: &str) -> (usize, usize) {
    let found = document.locate(pointer);
    let before = &text[..found.offset];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let column = before[start..]
        .trim_start_matches('\u{feff}')
        .chars()
        .count()
        + 1;
    assert_eq!(
        (line, column),
        (found.line, found.column),
        "{pointer}: {found:?}"
    );
    (found.line, found.column)
}

#[test]
fn block_and_flow_values_are_located() {
    let text = "é: ü\nspec:\n  list:\n  - a: 1\n    b: \"ö\" # ä\n  - [x, {k: z}]\n  text: |\n    line\n  a/b~c: 5\nnone:\nlast: 1\n";
    let document = one(text);
    let table = [
        ("", (1, 1)),
        ("/é", (1, 4)),
        ("/spec", (3, 3)),
        ("/spec/list", (4, 5)),
        ("/spec/list/0", (4, 5)),
        ("/spec/list/0/a", (4, 8)),
        ("/spec/list/0/b", (5, 8)),
        ("/spec/list/1", (6, 5)),
        ("/spec/list/1/0", (6, 6)),
        ("/spec/list/1/1/k", (6, 13)),
        ("/spec/text", (8, 5)),
        ("/spec/a~1b~0c", (9, 10)),
        ("/none", (10, 5)),
        ("/last", (11, 7)),
        // What is not there: its nearest parent.
        ("/spec/list/7/a", (4, 5)),
        ("/spec/list/x", (4, 5)),
        ("/last/a/b", (11, 7)),
        ("/gone", (1, 1)),
    ];
    for (pointer, wanted) in table {
        assert_eq!(at(text, &document, pointer), wanted, "{pointer}");
    }
    assert_eq!(document.locate_key("/spec/list").line, 3);
    assert_eq!(document.locate_key("/spec/list").column, 3);
    assert_eq!(document.locate_key("/spec/list/1/1/k").column, 10);
    assert_eq!(document.locate_key("/spec/list/0").line, 4);
    assert_eq!(document.locate_key("/spec/gone").line, 2);
    assert!(document.has("/spec/list/1/1/k") && !document.has("/spec/gone"));
}

#[test]
fn byte_order_marks_and_carriage_returns_count_as_they_are() {
    let text = "\u{feff}a: 1\r\nb:\r\n  c: é\r\n  d: 2\r\n";
    let document = one(text);
    assert_eq!(
        document.value,
        serde_json::json!({"a": 1, "b": {"c": "é", "d": 2}})
    );
    assert_eq!(at(text, &document, "/a"), (1, 4));
    assert_eq!(at(text, &document, "/b/d"), (4, 6));
    assert_eq!(document.locate("/a").offset, 6);
}

#[test]
fn json_is_located_too() {
    let text = "{\n\t\"a\": [1, {\"b\": \"é\"}, \"c\"],\n\t\"d\": null\n}\n{\"e\": 1}";
    let documents: Vec<_> = read(text).into_iter().map(Result::unwrap).collect();
    assert_eq!(at(text, &documents[0], "/a"), (2, 7));
    assert_eq!(at(text, &documents[0], "/a/1/b"), (2, 17));
    assert_eq!(at(text, &documents[0], "/a/2"), (2, 23));
    assert_eq!(at(text, &documents[0], "/d"), (3, 7));
    assert_eq!(documents[0].locate_key("/d").column, 2);
    assert_eq!(at(text, &documents[1], "/e"), (5, 7));
}

#[test]
fn documents_are_numbered_and_empty_ones_skipped() {
    let text = "# head\n---\n---\na: 1\n...\n---\nnull\n--- # next\nb: 2\n--- {c: 3}\n%YAML 1.1\n";
    let text = text.trim_end_matches("%YAML 1.1\n");
    let found: Vec<_> = read(text)
        .into_iter()
        .map(|d| d.map(|d| (d.number, d.line())).unwrap())
        .collect();
    assert_eq!(found, [(1, 4), (2, 9), (3, 10)]);
    assert!(read("").is_empty());
    assert!(read("# only this\n").is_empty());
    assert!(read(" \n\n").is_empty());
}

#[test]
fn an_alias_stands_where_it_is_written_and_its_parts_at_the_anchor() {
    let text = "a: &x\n  b: 1\nc: *x\nd:\n  <<: *x\n  e: 2\n";
    let document = one(text);
    assert_eq!(at(text, &document, "/c"), (3, 4));
    assert_eq!(at(text, &document, "/c/b"), (2, 6));
    assert_eq!(at(text, &document, "/d/b"), (2, 6));
    assert_eq!(at(text, &document, "/d/e"), (6, 6));
}

#[test]
fn lists_fall_into_their_items() {
    let text = "apiVersion: v1\nitems:\n- kind: Pod\n  metadata: {name: a}\n- kind: PodList\n  items:\n  - kind: Pod\n    metadata: {name: b}\n- 7\nkind: List\n";
    let document = one(text);
    let items = document.items();
    let found: Vec<_> = items
        .iter()
        .map(|item| (item.pointer.as_str(), item.index, item.line()))
        .collect();
    assert_eq!(
        found,
        [
            ("/items/0", Some(0), 3),
            ("/items/1/items/0", Some(0), 7),
            ("/items/2", Some(2), 9)
        ]
    );
    assert_eq!(items[1].value["metadata"]["name"], "b");
    assert_eq!(items[1].locate("/metadata/name").line, 8);
    assert_eq!(items[1].locate_key("/metadata").column, 5);
    assert_eq!(
        document.locate("/items/1/items/0/metadata/name"),
        items[1].locate("/metadata/name")
    );
    // What is no list stays whole, whatever fields it has.
    let pod = one("kind: Pod\nitems: [1, 2]\n");
    let items = pod.items();
    assert_eq!(
        (items.len(), items[0].index, items[0].pointer.as_str()),
        (1, None, "")
    );
    assert_eq!(one("kind: List\nitems: []\n").items().len(), 0);
}
