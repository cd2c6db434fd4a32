//! Inputs made to cost much.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::time::{Duration, Instant};

use lws_manifest::{Documents, Limit, Limits, ReadError, read};

fn limit(text: &str) -> Limit {
    let started = Instant::now();
    let error = read(text).into_iter().find_map(Result::err);
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "{:?}",
        started.elapsed()
    );
    match error {
        Some(ReadError::Limit { limit, .. }) => limit,
        other => panic!("{other:?}"),
    }
}

#[test]
fn deep_nesting_answers_at_once() {
    for text in [
        "[", "{\"a\":", "- ", "{a: ", "? ", "[a, ", "a: [", "!!seq [", "&a [",
    ] {
        let text = text.repeat(100_000);
        let started = Instant::now();
        let found = read(&text);
        assert!(found.iter().any(Result::is_err), "{}", &text[..10]);
        assert!(
            started.elapsed() < Duration::from_secs(5),
            "{}",
            &text[..10]
        );
    }
    assert_eq!(limit(&"[".repeat(100_000)), Limit::Depth);
    assert_eq!(limit(&format!("a: {}", "[".repeat(100_000))), Limit::Depth);
    assert_eq!(limit(&"- ".repeat(100_000)), Limit::Depth);
}

#[test]
fn aliases_of_aliases_stop_at_their_limit() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..30 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    assert_eq!(limit(&text), Limit::CopiedNodes);
    let long = "x".repeat(1 << 20);
    let text = format!("a: &a {long}\nb: [{}]\n", vec!["*a"; 100].join(", "));
    assert_eq!(limit(&text), Limit::CopiedBytes);
    // A chain that grows deeper by one level an alias.
    let mut text = "- &a0 [x]\n".to_owned();
    for level in 1..500 {
        text.push_str(&format!("- &a{level} [*a{}]\n", level - 1));
    }
    assert_eq!(limit(&text), Limit::Depth);
}

#[test]
fn the_cost_of_size_is_linear() {
    let time = |count: usize| {
        let mut text = String::new();
        for index in 0..count {
            text.push_str(&format!("key{index}: [1, {{a: é}}, \"x\"]\n"));
        }
        let started = Instant::now();
        let document = read(&text).remove(0).unwrap();
        assert_eq!(document.value.as_object().unwrap().len(), count);
        assert_eq!(document.locate(&format!("/key{}", count - 1)).line, count);
        started.elapsed()
    };
    time(1000);
    let (small, large) = (time(2000), time(20_000));
    // Ten times the text; quadratic cost would be a hundred times.
    assert!(
        large < small * 40 + Duration::from_millis(500),
        "{small:?} {large:?}"
    );
}

#[test]
fn no_piece_of_a_manifest_and_no_stray_byte_makes_it_fail_otherwise_than_by_an_error() {
    let text = "\u{feff}a: &x [1, {b: \"\\u00e9\"}]\nc: *x\nd: |\n  {{ é }}\n? e\n: !!str 1\n<<: {f: .5}\n---\n{\"g\": [\"\\ud83d\\ude00\"]}\n";
    let bytes = text.as_bytes();
    let mut read_well = 0;
    for end in 0..=bytes.len() {
        read_well += usize::from(read(&bytes[..end]).iter().all(Result::is_ok));
        for stray in [
            b'\0', b'\t', b'{', b'"', b'*', b'&', b'-', b':', b'\n', b'\r', 0xff, 0xc3,
        ] {
            let mut changed = bytes.to_vec();
            changed.insert(end, stray);
            for result in read(&changed) {
                match result {
                    Ok(document) => {
                        assert!(document.locate("/a/1/b").offset <= changed.len());
                    }
                    Err(error) => assert!(error.position().offset <= changed.len(), "{error}"),
                }
            }
        }
    }
    assert!(read_well > 20, "{read_well}");
}

#[test]
fn a_source_that_fails_says_so() {
    struct Broken(usize);
    impl std::io::Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if self.0 == 0 {
                return Err(std::io::Error::other("the disk is gone"));
            }
            self.0 -= 1;
            buffer[..5].copy_from_slice(b"- ab\n");
            Ok(5)
        }
    }
    let found: Vec<_> = Documents::new(Broken(20_000), Limits::default()).collect();
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].as_ref().unwrap_err().to_string(),
        "line 20001, column 1: reading stopped: the disk is gone"
    );
}
