//! `--color` beside `NO_COLOR`, as a process whose output is a pipe.
#![allow(clippy::unwrap_used, reason = "a failed set-up fails the test")]

mod common;

use common::Place;

const SET: &str = "\
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: v
spec:
  leaderWorkerTemplate:
    size: 1
    workerTemplate:
      spec:
        containers: []
";

const SETTINGS: &str = r#"{"replicaSpecificNodeSelector": "k.example/group"}"#;

fn place() -> Place {
    let place = Place::with_policy();
    place.write("v.yaml", SET);
    place
}

fn review(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let own = ["review", "v.yaml", "--settings-json", SETTINGS];
    let all: Vec<&str> = own.iter().chain(arguments).copied().collect();
    let done = place().run_in(&all, environment);
    assert_eq!(done.status, 0, "{done:?}");
    done.stdout
}

/// Text without its escape sequences.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or(part, |(_, rest)| rest)
    })
}

#[test]
fn a_pipe_has_no_colour_of_itself() {
    for arguments in [&[][..], &["--color", "auto"], &["--color=never"]] {
        assert!(!review(arguments, &[]).contains('\u{1b}'), "{arguments:?}");
    }
}

#[test]
fn always_is_always_and_as_wide_as_it_takes() {
    let coloured = review(&["--color", "always"], &[]);
    // Green, for what the policy adds, and bold.
    assert!(coloured.contains("\u{1b}[38;5;2m"), "{coloured:?}");
    assert!(coloured.contains("\u{1b}[1m"), "{coloured:?}");
    let trimmed = |text: &str| {
        let lines = text.lines().map(|line| line.trim_end().to_owned());
        lines.collect::<Vec<_>>()
    };
    assert_eq!(trimmed(&plain(&coloured)), trimmed(&review(&[], &[])));
}

#[test]
fn always_goes_before_no_color() {
    let no_color = [("NO_COLOR", "1"), ("TERM", "dumb")];
    assert_eq!(
        review(&["--color", "always"], &no_color),
        review(&["--color", "always"], &[])
    );
    assert!(!review(&[], &no_color).contains('\u{1b}'));
}

#[test]
fn it_may_stand_before_the_command_and_errors_obey_it() {
    let place = place();
    let fails = |color: &str| {
        let done = place.run(&[
            "--color",
            color,
            "review",
            "v.yaml",
            "--policy",
            "none.wasm",
        ]);
        assert_eq!(done.status, 2);
        done.stderr
    };
    assert!(fails("always").starts_with("\u{1b}[1m\u{1b}[31merror\u{1b}[0m: "));
    assert!(fails("never").starts_with("error: "));
}

#[test]
fn every_command_takes_it_and_other_words_are_refused() {
    let place = place();
    for command in [
        "review",
        "diff",
        "explain",
        "run",
        "test",
        "annotate",
        "inspect",
        "completions",
    ] {
        let done = place.run(&[command, "--help", "--color", "always"]);
        assert!(
            done.stdout.contains("--color <WHEN>"),
            "{command}: {done:?}"
        );
    }
    let explained = ["explain", "P11", "--color", "always"];
    assert!(place.run(&explained).stdout.contains('\u{1b}'));
    let done = place.run(&["explain", "P11", "--color", "sometimes"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("--color"), "{done:?}");
}
