//! Inputs made to hurt the program: it ends by itself, in bounded memory, and says where the fault is.
//!
//! Memory is bounded by the kernel (`ulimit -d`), so a test fails where the program wants more; the time limit is far above
//! any honest need and only there against hanging.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{Done, Place};
use std::os::unix::fs::symlink;
use std::process::Command;

/// KiB of data that the program may have: the largest input a few times over.
const MEMORY: &str = "1500000";
/// Seconds after which it is taken to hang.
const TIME: &str = "300";

const SET: &str = "apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: { name: fruit, namespace: red }
spec: { replicas: 1, leaderWorkerTemplate: { size: 1, workerTemplate: { spec: { containers: [] } } } }
";

/// Runs the program within bounds.
fn bounded(place: &Place, arguments: &[&str]) -> Done {
    let mut all = vec![
        "-c",
        "ulimit -d \"$1\"; shift; exec timeout --kill-after=5 \"$@\"",
        "bounded",
        MEMORY,
        TIME,
        env!("CARGO_BIN_EXE_lws-placement"),
    ];
    all.extend(arguments);
    let output = Command::new("sh")
        .args(all)
        .current_dir(place.path(""))
        .output()
        .unwrap();
    let status = output.status.code();
    assert!(
        matches!(status, Some(0..=2)),
        "{arguments:?}: {:?} {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Done {
        status: status.unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Reviews files with a policy that accepts everything.
fn review(place: &Place, files: &[&str]) -> Done {
    let settings = ["review", "--settings-json", r#"{"accepted": true}"#];
    bounded(place, &[&settings[..], files].concat())
}

/// The review told exactly this error, and reviewed the set beside it.
fn tells_beside(done: &Done, error: &str) {
    let errors: Vec<&str> = done
        .stdout
        .lines()
        .filter(|line| line.starts_with("error: "))
        .collect();
    assert_eq!(errors, [format!("error: {error}")], "{done:?}");
    assert!(
        done.stdout.contains("LeaderWorkerSet red/fruit"),
        "{done:?}"
    );
    assert_eq!(done.status, 2);
}

#[test]
fn what_has_no_end_is_refused_wherever_it_is_given() {
    let place = Place::new();
    place.write("set.yaml", SET);
    place.write("metadata.yml", "rules: []\n");
    let text = "/dev/zero holds more than 128 MiB; split it into files of its documents";
    tells_beside(&review(&place, &["/dev/zero", "set.yaml"]), text);
    for arguments in [
        &["review", "--settings", "/dev/zero", "set.yaml"][..],
        &["explain", "-f", "/dev/zero"],
        &[
            "diff",
            "--from",
            "/dev/zero",
            "--to",
            "/dev/zero",
            "-f",
            "set.yaml",
        ],
        &["run", "--request", "/dev/zero"],
        &["test", "/dev/zero"],
        &["review", "--policy-manifest", "/dev/zero", "-f", "set.yaml"],
        &["inspect", "/dev/zero"],
        &[
            "annotate",
            "--metadata",
            "/dev/zero",
            "--output",
            "out.wasm",
            "annotated-policy.wasm",
        ],
    ] {
        let done = bounded(&place, arguments);
        assert_eq!(done.stderr, format!("error: {text}\n"), "{arguments:?}");
        assert_eq!(done.status, 2);
    }
    let done = bounded(&place, &["review", "--policy", "/dev/zero", "set.yaml"]);
    assert_eq!(
        done.stderr,
        "error: cannot read policy module \"/dev/zero\": it holds more than 128 MiB; build it with \"make annotated-policy.wasm\" or name another with --policy\n"
    );
}

#[test]
fn a_file_of_200_mb_is_refused_and_its_neighbour_reviewed() {
    let place = Place::new();
    place.write("set.yaml", SET);
    // Sparse: it takes no room on the disk.
    let large = std::fs::File::create(place.path("large.yaml")).unwrap();
    large.set_len(200 << 20).unwrap();
    tells_beside(
        &review(&place, &["large.yaml", "set.yaml"]),
        "large.yaml holds more than 128 MiB; split it into files of its documents",
    );
}

fn make_pipe(place: &Place, name: &str) {
    let made = Command::new("mkfifo").arg(place.path(name)).status();
    assert!(made.unwrap().success());
}

#[test]
fn a_pipe_in_a_folder_is_left_out() {
    let place = Place::new();
    place.write("folder/set.yaml", SET);
    make_pipe(&place, "folder/pipe.yaml");
    tells_beside(
        &review(&place, &["folder"]),
        "folder/pipe.yaml is no regular file and was left out; name it to have it read",
    );
    let done = bounded(&place, &["test", "folder"]);
    assert_eq!(
        done.stderr,
        "error: cannot read folder/pipe.yaml: it is no regular file; check the path, or give - for standard input\n"
    );
}

#[test]
fn a_pipe_that_is_named_is_read() {
    let place = Place::new();
    make_pipe(&place, "pipe");
    let writer = place.path("pipe");
    let writer = std::thread::spawn(move || std::fs::write(writer, SET));
    let done = review(&place, &["pipe"]);
    writer.join().unwrap().unwrap();
    assert!(
        done.stdout.contains("LeaderWorkerSet red/fruit") && done.stdout.contains("pipe:1"),
        "{done:?}"
    );
    assert_eq!(done.status, 0);
}

/// Two links in each folder would be two to the power of the deepest path, were they followed.
#[test]
fn folders_that_lead_into_themselves_are_walked_once() {
    let place = Place::new();
    place.write("folder/inner/set.yaml", SET);
    for link in ["folder/inner/one", "folder/inner/two"] {
        symlink(place.path("folder"), place.path(link)).unwrap();
    }
    let done = review(&place, &["folder"]);
    let errors: Vec<&str> = done
        .stdout
        .lines()
        .filter(|line| line.starts_with("error: "))
        .collect();
    assert_eq!(
        errors,
        ["one", "two"].map(|link| format!(
            "error: cannot read below folder: File system loop found: folder/inner/{link} points to an ancestor folder"
        ))
    );
    assert_eq!(done.stdout.matches("LeaderWorkerSet red/fruit").count(), 1);
    assert_eq!(done.status, 2);
    let done = bounded(&place, &["test", "folder"]);
    assert_eq!(
        done.stderr,
        "error: cannot read folder: File system loop found: folder/inner/one points to an ancestor folder; check the path, or give - for standard input\n"
    );
}

/// It can be opened and not be read, by root as well.
#[test]
fn a_file_that_cannot_be_read_is_named() {
    let place = Place::new();
    place.write("folder/set.yaml", SET);
    symlink("/proc/self/mem", place.path("folder/a.yaml")).unwrap();
    tells_beside(
        &review(&place, &["folder"]),
        "cannot read folder/a.yaml: Input/output error (os error 5); check the path, or give - for standard input",
    );
}

/// Texts, and the error with its place; the set in the next file is reviewed all the same.
#[test]
fn hostile_texts_are_told_at_their_place() {
    let bomb: String = (1..30)
        .map(|level| {
            let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
            format!("a{level}: &a{level} [{aliases}]\n")
        })
        .collect();
    let bomb = format!("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n{bomb}");
    let long = "x".repeat(1 << 20);
    for (text, error) in [
        (
            "[".repeat(100_000).into_bytes(),
            "1:129: more than 128 levels of nesting",
        ),
        (
            "{\"a\":".repeat(100_000).into_bytes(),
            "1:641: more than 128 levels of nesting",
        ),
        (
            "- ".repeat(100_000).into_bytes(),
            "1:257: more than 128 levels of nesting",
        ),
        (
            bomb.into_bytes(),
            "5:9: more than 200000 values copied by anchors and aliases",
        ),
        (
            format!("a: &a {long}\nb: [{}]\n", vec!["*a"; 100].join(", ")).into_bytes(),
            "2:",
        ),
        (
            b"a: 1\na: 2\n".to_vec(),
            "2:1: the key \"a\" is here and on line 1; remove one of the two",
        ),
        (
            br#"{"kind": "Pod", "k\u0069nd": "Node"}"#.to_vec(),
            "1:17: the key \"kind\" is here and on line 1; remove one of the two",
        ),
        (
            b"kind: Pod\n\"k\\x69nd\": Node\n".to_vec(),
            "2:1: the key \"kind\" is here and on line 1; remove one of the two",
        ),
        (
            b"a: \xff\n".to_vec(),
            "1:4: the byte 0xff at offset 3 is not UTF-8; save the file as UTF-8",
        ),
        (
            b"{\"a\": \"\\ud800\"}".to_vec(),
            "1:8: an escape that is half of a surrogate pair, which is no character",
        ),
        (b"\xff\xfea\0".to_vec(), "1:1: "),
        (
            b"a: 0xfffffffffffffffff\n".to_vec(),
            "1:4: the number 0xfffffffffffffffff is too big to be kept; if it is a string, put it in quotes",
        ),
        (
            b"{\"a\": 1e999}".to_vec(),
            "1:7: the number 1e999 is too big to be kept; if it is a string, put it in quotes",
        ),
        (
            b"a: .nan\n".to_vec(),
            "1:4: .nan has no counterpart in JSON",
        ),
        (
            b"a: !!python/object:os.system x\n".to_vec(),
            "1:30: the tag ",
        ),
        (
            b"a: *x\n".to_vec(),
            "1:4: an alias without an anchor before it",
        ),
        (
            b"a:\r\n\tb: 1\r\n".to_vec(),
            "2:1: a tab where YAML allows none; indent with spaces",
        ),
        (
            b"a: b\0c\n".to_vec(),
            "1:5: the control character U+0000 is not allowed",
        ),
    ] {
        let place = Place::new();
        place.write("set.yaml", SET);
        place.write("a.yaml", &text);
        let done = review(&place, &["a.yaml", "set.yaml"]);
        let shown = String::from_utf8_lossy(&text[..text.len().min(40)]).into_owned();
        let told = done
            .stdout
            .lines()
            .filter(|line| line.starts_with("error: "));
        let told: Vec<&str> = told.collect();
        assert!(
            told.len() == 1 && told[0].starts_with(&format!("error: a.yaml:{error}")),
            "{shown}: {told:?}"
        );
        assert!(done.stdout.len() < 4_000, "{shown}: {}", done.stdout.len());
        assert!(done.stdout.contains("LeaderWorkerSet red/fruit"), "{shown}");
        assert_eq!(done.status, 2, "{shown}");
    }
}

/// Size alone is no fault: a list of many items, a long text, a byte order mark, Windows' line ends.
#[test]
fn large_and_odd_texts_are_read() {
    let items = "- {kind: ConfigMap, apiVersion: v1}\n".repeat(20_000);
    let long = format!("kind: ConfigMap\ndata: {{ a: {} }}\n", "x".repeat(8 << 20));
    for (text, counted) in [
        (format!("kind: List\nitems:\n{items}"), "20,000 ConfigMap"),
        (long, "1 ConfigMap"),
        (
            "\u{feff}kind: ConfigMap\r\ndata: {}\r\n".to_owned(),
            "1 ConfigMap",
        ),
    ] {
        let place = Place::new();
        place.write("a.yaml", text);
        let done = review(&place, &["a.yaml"]);
        assert!(done.stdout.contains(counted), "{}", done.stdout);
        assert_eq!(done.status, 0);
    }
}
