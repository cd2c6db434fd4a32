//! Lists read item by item.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::io::Read;

use lws_manifest::{Documents, Limits, ReadError};

/// Number, item, name and the name's line.
type Seen = (usize, Option<usize>, String, usize);

fn split(text: &str) -> Vec<Result<Seen, ReadError>> {
    Documents::splitting_lists(text.as_bytes(), Limits::default())
        .map(|result| {
            result.map(|document| {
                let name = document.value["name"].to_string();
                (
                    document.number,
                    document.item,
                    name,
                    document.locate("/name").line,
                )
            })
        })
        .collect()
}

#[test]
fn items_are_given_one_by_one_and_stay_located() {
    let yaml = "apiVersion: v1\nitems:\n- name: a\n- name: b\nkind: List\n---\nname: c\n---\nkind: PodList\nitems:\n- name: d\n---\nkind: Pod\nname: e\nitems: [1]\n---\nkind: List\nitems: []\n";
    let found: Vec<_> = split(yaml).into_iter().map(Result::unwrap).collect();
    let wanted = [
        (1, Some(0), "\"a\"", 3),
        (1, Some(1), "\"b\"", 4),
        (2, None, "\"c\"", 7),
        (3, Some(0), "\"d\"", 11),
        (4, None, "\"e\"", 14),
    ];
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        assert_eq!((found.0, found.1, found.2.as_str(), found.3), wanted);
    }
    let json =
        "{\"items\": [{\"name\": \"a\"},\n{\"name\": \"b\"}], \"kind\": \"List\"}{\"name\": \"c\"}";
    let found: Vec<_> = split(json).into_iter().map(Result::unwrap).collect();
    assert_eq!(found[1], (1, Some(1), "\"b\"".to_owned(), 2));
    assert_eq!(found[2].0, 2);
}

#[test]
fn items_of_what_is_no_list_end_in_an_error() {
    let found = split("items:\n- name: a\nkind: Shelf\n---\nname: b\n");
    assert!(found[0].is_ok());
    assert_eq!(
        found[1].as_ref().unwrap_err().to_string(),
        "line 2, column 3: a document with `items` whose kind is \"Shelf\", not a List; its items \
         were read one by one"
    );
    assert_eq!(found[2].as_ref().unwrap().0, 2);
    assert_eq!(
        split("{\"items\": [{\"name\": \"a\"}]}")[1]
            .as_ref()
            .unwrap_err()
            .to_string(),
        "line 1, column 11: a document with `items` whose kind is missing, not a List; its items \
         were read one by one"
    );
}

/// A list of many pods that is never in memory as a whole.
struct Endless {
    left: usize,
    rest: Vec<u8>,
    json: bool,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() && self.left > 0 {
            self.left -= 1;
            let comma = if self.left == 0 { "]}" } else { "," };
            self.rest = if self.json {
                format!("{{\"name\": \"pod-{}\", \"é\": [1]}}{comma}\n", self.left).into_bytes()
            } else {
                format!("- name: pod-{}\n  é: [1]\n", self.left).into_bytes()
            };
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

#[test]
fn a_long_list_needs_the_memory_of_its_largest_item() {
    // Limits far below the whole: they hold only if each item is let go.
    let limits = Limits {
        bytes: 300,
        nodes: 12,
        ..Limits::default()
    };
    let count = 20_000;
    for (json, head) in [
        (false, "kind: List\nitems:\n"),
        (true, "{\"kind\": \"List\", \"items\": [\n"),
    ] {
        let rest = head.as_bytes().to_vec();
        let source = Endless {
            left: count,
            rest,
            json,
        };
        let mut seen = 0;
        let mut line = 0;
        for document in Documents::splitting_lists(source, limits) {
            let document = document.unwrap();
            assert_eq!(document.item, Some(seen));
            seen += 1;
            line = document.locate("/é/0").line;
        }
        assert_eq!(seen, count);
        assert_eq!(line, if json { count + 1 } else { 2 * count + 2 });
    }
}

#[test]
fn one_item_over_the_limit_is_named() {
    let limits = Limits {
        bytes: 100,
        ..Limits::default()
    };
    let text = format!(
        "kind: List\nitems:\n- name: a\n- name: {}\n",
        "x".repeat(200)
    );
    let found: Vec<_> = Documents::splitting_lists(text.as_bytes(), limits).collect();
    assert!(found[0].is_ok());
    assert!(
        found[1]
            .as_ref()
            .unwrap_err()
            .to_string()
            .ends_with("more than 100 bytes in a document")
    );
    assert_eq!(found.len(), 2);
}
