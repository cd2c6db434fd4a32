//! `diff` as its users meet it, with the policy itself: what it says of each kind of change, its formats, its order and
//! its exit status.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::{Done, Place};
use serde_json::Value;
use std::path::Path;

/// A folder with the fixtures and the policy.
fn place() -> Place {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = Place::with_policy();
    for entry in std::fs::read_dir(crate_folder.join("tests/fixtures/diff")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        place.write(name, std::fs::read(&path).unwrap());
    }
    place
}

fn diff(arguments: &[&str]) -> Done {
    let arguments: Vec<&str> = ["diff"].iter().chain(arguments).copied().collect();
    place().run(&arguments)
}

fn json(arguments: &[&str]) -> Value {
    let done = diff(&[arguments, &["-o", "json"]].concat());
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

/// Each set's name and class, in the order of the output.
fn classes(diff: &Value) -> Vec<(&str, &str)> {
    let sets = diff["sets"].as_array().unwrap().iter();
    sets.map(|set| {
        (
            set["name"].as_str().unwrap(),
            set["class"].as_str().unwrap(),
        )
    })
    .collect()
}

fn set<'a>(diff: &'a Value, name: &str) -> &'a Value {
    let sets = diff["sets"].as_array().unwrap();
    let set = sets.iter().find(|set| set["name"] == name);
    set.unwrap_or_else(|| panic!("{name}: {diff}"))
}

/// A set that is stored with a stamp keeps its placement when settings change, until its next revision.
#[test]
fn another_key_in_the_settings() {
    let done = diff(&[
        "--from",
        "one-key.yaml",
        "--to",
        "other-key.yaml",
        "fleet.yaml",
    ]);
    assert_eq!(
        done.stdout,
        r#"Newly refused: 1 set

LeaderWorkerSet team-a/pinned  1 replica  fleet.yaml:43
refused at its next revision; until then it keeps its placement
  --> fleet.yaml:52:44
  LeaderWorkerSet "team-a/pinned": spec.leaderWorkerTemplate.workerTemplate.spec.nodeSelector["rack.example/group"]: is "manual" for every replica, but each needs its own value; remove it

Placed otherwise from the next update on: 2 sets

LeaderWorkerSet team-a/plain  2 replicas  fleet.yaml:1
at its next revision; until then it keeps its placement
REPLICA  PODS                VERDICT    VALUE     NODE SELECTOR        TOLERATION
0        plain-0, plain-0-1   accepted   plain-0  -pool.example/group  -pool.example/group:NoSchedule
                                                  +rack.example/group  +rack.example/group:NoSchedule
1        plain-1, plain-1-1   accepted   plain-1  -pool.example/group  -pool.example/group:NoSchedule
                                                  +rack.example/group  +rack.example/group:NoSchedule

LeaderWorkerSet team-a/alone  1 replica  fleet.yaml:13
at its next revision; until then it keeps its placement
REPLICA  PODS                   VERDICT    VALUE     NODE SELECTOR        TOLERATION
0        alone-0, alone-0-1..2   accepted   alone-0  -pool.example/group  -pool.example/group:NoSchedule
                                                     +rack.example/group  +rack.example/group:NoSchedule

1 newly refused, 2 placed otherwise from the next update on, the same: 1 set with 3 replicas
- before, + after
"#
    );
    assert_eq!((done.status, done.stderr.as_str()), (1, ""));
}

#[test]
fn settings_that_say_the_same_differ_in_nothing() {
    let place = place();
    let text = String::from_utf8(place.read("one-key.yaml")).unwrap();
    place.write(
        "reworded.yaml",
        format!("# another comment\naction: Inject\n{text}"),
    );
    let files = ["fleet.yaml", "hash.yaml", "stored.yaml"];
    for to in ["one-key.yaml", "reworded.yaml"] {
        let settings = ["diff", "--from", "one-key.yaml", "--to", to];
        let done = place.run(&[&settings[..], &files].concat());
        assert_eq!(
            (done.status, done.stdout.as_str()),
            (0, "no difference: 6 sets with 9 replicas\n"),
            "{done:?}"
        );
    }
}

/// All classes, the most serious first, and each for its reason.
#[test]
fn sets_without_a_stamp_follow_the_settings_of_the_moment() {
    let diff = json(&[
        "--from",
        "nothing.yaml",
        "--to",
        "other-key.yaml",
        "fleet.yaml",
        "hash.yaml",
        "stored.yaml",
    ]);
    assert_eq!(
        classes(&diff),
        [
            ("pinned", "refused"),
            ("plain", "changed"),
            ("hashed", "changed"),
            ("stored", "nextUpdate"),
            ("alone", "split"),
        ]
    );
    // The whole replica is made again where one pod of it is lost (L9) ...
    let plain = &set(&diff, "plain")["effects"];
    assert_eq!(plain.as_array().unwrap().len(), 1);
    assert_eq!(plain[0]["when"], "madeAgain");
    assert_eq!(plain[0]["replicas"][1]["members"][0]["count"], 2);
    // ... and where a worker is replaced alone, it is the workers that go astray.
    let alone = &set(&diff, "alone")["effects"][0];
    assert_eq!(alone["when"], "workerMadeAgain");
    let members = &alone["replicas"][0]["members"][0];
    assert_eq!(members["pods"], serde_json::json!(["alone-0-1..2"]));
    assert_eq!(members["before"]["nodeSelector"], serde_json::json!([]));
    assert_eq!(
        members["after"]["nodeSelector"],
        serde_json::json!([{"key": "rack.example/group", "value": "alone-0"}])
    );
    // Pods that are refused are told with the place of the fault.
    let pinned = &set(&diff, "pinned")["effects"][0];
    let after = &pinned["replicas"][0]["members"][0]["after"];
    assert_eq!(
        (&after["verdict"], &after["refusal"]),
        (&"refused".into(), &1.into())
    );
    assert_eq!(pinned["refusals"][0]["place"]["line"], 52);
    assert_eq!(pinned["refusals"][0]["count"], 2);
    assert_eq!(diff["rest"]["sets"], 1);
    assert_eq!(
        diff["sum"],
        serde_json::json!({"refused": 1, "changed": 2, "nextUpdate": 1, "split": 1})
    );
}

#[test]
fn sets_without_a_stamp_can_be_left_until_their_next_revision() {
    let place = place();
    let text = String::from_utf8(place.read("one-key.yaml")).unwrap();
    place.write("leave.yaml", format!("{text}unstampedPods: Leave\n"));
    let done = place.run(&[
        "diff",
        "--from",
        "nothing.yaml",
        "--to",
        "leave.yaml",
        "fleet.yaml",
        "-o",
        "json",
    ]);
    let diff: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(
        classes(&diff),
        [
            ("plain", "nextUpdate"),
            ("alone", "nextUpdate"),
            ("pinned", "nextUpdate")
        ]
    );
}

#[test]
fn annotations_that_replace_the_settings_are_the_same_on_both_sides() {
    let place = place();
    let fleet = String::from_utf8(place.read("fleet.yaml")).unwrap();
    let annotated = fleet.split("---\n").nth(2).unwrap();
    place.write("annotated.yaml", annotated);
    let run = |from, to| place.run(&["diff", "--from", from, "--to", to, "annotated.yaml"]);
    let done = run("one-key.yaml", "other-key.yaml");
    assert_eq!(
        (done.status, done.stdout.as_str()),
        (0, "no difference: 1 set with 3 replicas\n")
    );
    // Where they extend the settings, the settings' part differs and theirs does not.
    place.write(
        "a.yaml",
        "replicaSpecificNodeSelector: pool.example/group\n",
    );
    place.write(
        "b.yaml",
        "replicaSpecificNodeSelector: rack.example/group\n",
    );
    let done = run("a.yaml", "b.yaml");
    let cell = "-pool.example/group   own.example/group:NoSchedule\n";
    assert!(done.stdout.contains(cell), "{done:?}");
    assert_eq!(done.status, 1);
}

/// Leaders without a name get their placement with the update that lifts their gate (P7, P10); random parts of names
/// make no difference.
#[test]
fn hash_identity() {
    let diff = json(&[
        "--from",
        "one-key.yaml",
        "--to",
        "other-key.yaml",
        "hash.yaml",
    ]);
    let members = &set(&diff, "hashed")["effects"][0]["replicas"][0]["members"];
    assert_eq!(members.as_array().unwrap().len(), 1);
    assert_eq!(
        members[0]["pods"],
        serde_json::json!(["hashed-*", "hashed-*-1"])
    );
    assert_eq!(members[0]["before"]["value"], "hashed-*");
    assert_eq!(members[0]["after"]["value"], "hashed-*");
    assert_eq!(
        members[0]["after"]["nodeSelector"],
        serde_json::json!([{"key": "rack.example/group", "value": "hashed-*"}])
    );
}

#[test]
fn another_state_of_the_manifests() {
    let files = ["--from-files", "state-1.yaml", "--to-files", "state-2.yaml"];
    let done = diff(&[&files[..], &["--settings", "one-key.yaml"]].concat());
    assert_eq!(
        done.stdout,
        r#"Newly refused: 1 set

LeaderWorkerSet team-a/breaks  1 replica  state-2.yaml:37
refused when it is applied, so the stored set stays as it is
  --> state-2.yaml:45:44
  LeaderWorkerSet "team-a/breaks": spec.leaderWorkerTemplate.workerTemplate.spec.nodeSelector["pool.example/group"]: is "manual" for every replica, but each needs its own value; remove it

Placed otherwise: 4 sets

LeaderWorkerSet team-a/grows  1 -> 3 replicas  state-2.yaml:1
when it is applied; the other replicas stay
REPLICA  PODS                VERDICT    VALUE     NODE SELECTOR        TOLERATION
1        grows-1, grows-1-1  +accepted  +grows-1  +pool.example/group  +pool.example/group:NoSchedule
2        grows-2, grows-2-1  +accepted  +grows-2  +pool.example/group  +pool.example/group:NoSchedule

LeaderWorkerSet team-a/moves  1 replica  state-2.yaml:12
warning: LeaderWorkerSet "team-a/moves": own.example/group has no toleration of its own; on GKE nothing is provisioned for it
when it is applied, which makes its replicas anew
REPLICA  PODS                VERDICT    VALUE     NODE SELECTOR        TOLERATION
0        moves-0, moves-0-1   accepted   moves-0  -pool.example/group   pool.example/group:NoSchedule
                                                  +own.example/group

LeaderWorkerSet team-a/comes  new, 1 replica  state-2.yaml:48
when it is created
REPLICA  PODS     VERDICT    VALUE     NODE SELECTOR        TOLERATION
0        comes-0  +accepted  +comes-0  +pool.example/group  +pool.example/group:NoSchedule

LeaderWorkerSet team-a/goes  removed, 1 replica  state-1.yaml:22
when it is deleted
REPLICA  PODS    VERDICT    VALUE    NODE SELECTOR        TOLERATION
0        goes-0  -accepted  -goes-0  -pool.example/group  -pool.example/group:NoSchedule

1 newly refused, 4 placed otherwise, the same: 1 set with 2 replicas (1 rolled out anew)
- before, + after
"#
    );
    assert_eq!(done.status, 1);
}

/// Both change at once: what rolls out anyway gets its new placement with that, and until the rollout reaches it a
/// replica whose workers are replaced alone can split.
#[test]
fn settings_and_manifests_together() {
    let place = place();
    let fleet = String::from_utf8(place.read("fleet.yaml")).unwrap();
    place.write("new.yaml", fleet.replace("serve:1", "serve:2"));
    let done = place.run(&[
        "diff",
        "--from",
        "nothing.yaml",
        "--to",
        "one-key.yaml",
        "--from-files",
        "fleet.yaml",
        "--to-files",
        "new.yaml",
        "-o",
        "json",
    ]);
    let diff: Value = serde_json::from_str(&done.stdout).unwrap();
    let when = |name: &str| {
        let effects = set(&diff, name)["effects"].as_array().unwrap();
        let when: Vec<&str> = effects
            .iter()
            .map(|effect| effect["when"].as_str().unwrap())
            .collect();
        when.join(" ")
    };
    assert_eq!(when("plain"), "rolledOut");
    assert_eq!(when("alone"), "rolledOut workerMadeAgain");
    assert_eq!(diff["rest"]["rolling"], 1);
    assert_eq!(done.status, 1);
}

/// A new set that is refused, one that was refused and is mended, and one that is refused as before.
#[test]
fn refusals_of_sets_themselves() {
    let place = place();
    let fleet = String::from_utf8(place.read("fleet.yaml")).unwrap();
    let pinned = fleet.split("---\n").nth(3).unwrap();
    let named = |name: &str| pinned.replace("pinned", name);
    let mended = named("mended").replace("{rack.example/group: manual}", "{}");
    place.write(
        "old.yaml",
        format!("{}---\n{}", named("mended"), named("as-ever")),
    );
    place.write(
        "new.yaml",
        format!("{mended}---\n{}---\n{}", named("as-ever"), named("fresh")),
    );
    let files = ["diff", "--from-files", "old.yaml", "--to-files", "new.yaml"];
    let done = place.run(&[&files[..], &["--settings", "other-key.yaml", "-o", "json"]].concat());
    let diff: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(
        classes(&diff),
        [("fresh", "refused"), ("mended", "changed")]
    );
    assert_eq!(set(&diff, "fresh")["change"], "added");
    assert_eq!(set(&diff, "fresh")["effects"][0]["when"], "created");
    assert_eq!(set(&diff, "mended")["effects"][0]["when"], "created");
    assert_eq!(diff["rest"]["refused"], 1);
    assert_eq!(done.status, 1);
}

/// Replicas 0 to 9 have values of 63 characters, which replica 10 would exceed (S4). Nobody asked before.
#[test]
fn refused_when_scaled() {
    let place = place();
    let fleet = String::from_utf8(place.read("fleet.yaml")).unwrap();
    let plain = fleet.split("---\n").next().unwrap();
    let long = plain
        .replace("plain", &"n".repeat(61))
        .replace("replicas: 2", "replicas: 10");
    place.write("long.yaml", long);
    let settings = ["diff", "--from", "nothing.yaml", "--to", "one-key.yaml"];
    let done = place.run(&[&settings[..], &["long.yaml", "-o", "json"]].concat());
    let diff: Value = serde_json::from_str(&done.stdout).unwrap();
    let effects = &diff["sets"][0]["effects"];
    assert_eq!(effects[0]["when"], "scaled", "{diff}");
    assert_eq!(effects[0]["class"], "refused");
    let message = effects[0]["refusal"]["message"].as_str().unwrap();
    assert!(message.contains("63"), "{message}");
    assert_eq!(effects[1]["when"], "madeAgain");
    assert_eq!(effects[1]["replicas"].as_array().unwrap().len(), 10);
}

#[test]
fn values_that_come_to_be_shared_are_told() {
    let place = place();
    let fleet = String::from_utf8(place.read("fleet.yaml")).unwrap();
    place.write(
        "twins.yaml",
        format!("{fleet}---\n{}", fleet.replace("team-a", "team-b")),
    );
    let run = |from, to| place.run(&["diff", "--from", from, "--to", to, "twins.yaml"]);
    let note = "warning: LeaderWorkerSet team-b/plain and LeaderWorkerSet team-a/plain come to share the value \"plain-0\"";
    let done = run("namespaced.yaml", "one-key.yaml");
    assert!(done.stdout.contains(note), "{done:?}");
    // They share it on both sides.
    let done = run("one-key.yaml", "other-key.yaml");
    assert!(!done.stdout.contains("come to share"), "{done:?}");
}

#[test]
fn settings_that_only_judge_are_told() {
    let place = place();
    let text = String::from_utf8(place.read("one-key.yaml")).unwrap();
    place.write("judge.yaml", format!("{text}action: Validate\n"));
    let done = place.run(&[
        "diff",
        "--from",
        "one-key.yaml",
        "--to",
        "judge.yaml",
        "fleet.yaml",
    ]);
    assert!(
        done.stdout
            .contains("note: the settings of judge.yaml only judge (action: Validate)"),
        "{done:?}"
    );
    assert!(done.stdout.contains("Newly refused: 4 sets"), "{done:?}");
}

#[test]
fn a_million_replicas_are_bounded_and_told() {
    let place = place();
    let fleet = String::from_utf8(place.read("fleet.yaml")).unwrap();
    let plain = fleet.split("---\n").next().unwrap();
    place.write(
        "many.yaml",
        plain.replace("replicas: 2", "replicas: 1000000"),
    );
    let settings = ["diff", "--from", "one-key.yaml", "--to", "other-key.yaml"];
    let done = place.run(&[&settings[..], &["many.yaml", "--replicas", "2"]].concat());
    assert!(
        done.stdout
            .contains("1,000,000 replicas (13 of them judged)"),
        "{done:?}"
    );
    assert!(
        done.stdout
            .contains("... and 11 replicas that differ (--replicas 13 shows all)"),
        "{done:?}"
    );
}

#[test]
fn pods_of_the_input() {
    let place = place();
    let pods = format!(
        "{}/tests/fixtures/review/pods.yaml",
        env!("CARGO_MANIFEST_DIR")
    );
    place.write("pods.yaml", std::fs::read(pods).unwrap());
    place.write(
        "a.yaml",
        "replicaSpecificNodeSelector: compact-placement-group\n",
    );
    let done = place.run(&[
        "diff",
        "--from",
        "nothing.yaml",
        "--to",
        "a.yaml",
        "pods.yaml",
    ]);
    assert!(
        done.stdout.starts_with("Newly refused: 1 pod\n"),
        "{done:?}"
    );
    assert!(
        done.stdout.contains("Placed otherwise: 1 pod\n"),
        "{done:?}"
    );
    assert!(
        done.stdout.contains("[1] refused\n  --> pods.yaml:38:30\n"),
        "{done:?}"
    );
}

#[test]
fn markdown_for_a_comment() {
    let files = ["fleet.yaml", "-o", "markdown"];
    let done = diff(
        &[
            &["--from", "one-key.yaml", "--to", "other-key.yaml"][..],
            &files,
        ]
        .concat(),
    );
    assert!(
        done.stdout.starts_with("### Newly refused\n\n**LeaderWorkerSet team-a/pinned** (1 replica, `fleet.yaml:43`)\n\n**refused at its next revision; until then it keeps its placement** at `fleet.yaml:52`: "),
        "{done:?}"
    );
    let row = "| 0 | `plain-0, plain-0-1` | `accepted` | `plain-0` | ~~`pool.example/group`~~<br>**`rack.example/group`** | ~~`pool.example/group:NoSchedule`~~<br>**`rack.example/group:NoSchedule`** |\n";
    assert!(done.stdout.contains(row), "{done:?}");
}

#[test]
fn markdown_has_room_in_a_comment() {
    let place = place();
    let fleet = String::from_utf8(place.read("fleet.yaml")).unwrap();
    let plain = fleet.split("---\n").next().unwrap();
    let plain = plain
        .replace("replicas: 2", "replicas: 10")
        .replace("size: 2", "size: 1");
    let many: Vec<String> = (0..40)
        .map(|index| plain.replace("plain", &format!("plain-{index}")))
        .collect();
    place.write("many.yaml", many.join("---\n"));
    let settings = ["diff", "--from", "one-key.yaml", "--to", "other-key.yaml"];
    let done = place.run(&[&settings[..], &["many.yaml", "-o", "markdown"]].concat());
    assert!(done.stdout.chars().count() < 65_536);
    assert!(
        done.stdout.contains(
            "more lines that have no room here; `lws-placement diff -o table` shows them"
        )
    );
    assert!(
        done.stdout
            .ends_with("**40 placed otherwise from the next update on**\n"),
        "{done:?}"
    );
}

#[test]
fn two_runs_are_equal() {
    for output in ["table", "json"] {
        let files = ["fleet.yaml", "hash.yaml", "stored.yaml", "-o", output];
        let run = || {
            diff(
                &[
                    &["--from", "nothing.yaml", "--to", "other-key.yaml"][..],
                    &files,
                ]
                .concat(),
            )
        };
        assert_eq!(run().stdout, run().stdout);
    }
}

#[test]
fn standard_input_is_read_once_for_both_sides() {
    let place = place();
    let fleet = String::from_utf8(place.read("fleet.yaml")).unwrap();
    let settings = [
        "diff",
        "--from",
        "one-key.yaml",
        "--to",
        "other-key.yaml",
        "-f",
        "-",
    ];
    let done = place.run_with(&settings, &fleet);
    assert!(done.stdout.contains("standard input:43"), "{done:?}");
    assert_eq!(done.status, 1);
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let place = place();
    let ends = |arguments: &[&str], text: &str| {
        let arguments: Vec<&str> = ["diff"].iter().chain(arguments).copied().collect();
        let done = place.run(&arguments);
        assert_eq!(done.status, 2, "{done:?}");
        let all = format!("{}{}", done.stdout, done.stderr);
        assert!(all.contains(text), "{text}\n{done:?}");
    };
    ends(
        &["--settings", "one-key.yaml", "fleet.yaml"],
        "error: there is nothing to compare; give two settings or sets of policies with --from and --to, or two states of the manifests with --from-files and --to-files",
    );
    ends(
        &["--from", "one-key.yaml", "--to", "other-key.yaml"],
        "error: there are no manifests; give them with -f, or two states of them with --from-files and --to-files, or list them as paths in a file .lws-placement.yaml",
    );
    ends(&["--from", "one-key.yaml", "fleet.yaml"], "--to <FILE>");
    ends(&["--from-files", "fleet.yaml"], "--to-files <FILE>");
    ends(
        &["--from", "-", "--to", "one-key.yaml", "-f", "-"],
        "error: standard input can be read but once; give only one file as -",
    );
    place.write("wrong.yaml", "replicaSpecificNodeSelecter: a.example/a\n");
    ends(
        &["--from", "one-key.yaml", "--to", "wrong.yaml", "fleet.yaml"],
        "error: the policy refuses the settings in wrong.yaml:\n  wrong.yaml:1:",
    );
    place.write("torn.yaml", "kind: [");
    ends(
        &[
            "--from",
            "one-key.yaml",
            "--to",
            "other-key.yaml",
            "fleet.yaml",
            "torn.yaml",
        ],
        "error: 1 error in the comparison; the output tells it",
    );
    ends(
        &[
            "--from",
            "one-key.yaml",
            "--to",
            "other-key.yaml",
            "missing.yaml",
        ],
        "error: cannot read missing.yaml: ",
    );
}

#[test]
fn the_help_has_examples() {
    let done = diff(&["--help"]);
    assert_eq!(done.status, 0);
    assert!(
        done.stdout.contains(
            "lws-placement diff --from old-settings.yaml --to new-settings.yaml -f manifests/"
        ),
        "{done:?}"
    );
}

/// What a DisaggregatedSet makes is named after its revision, so there is nothing to hold against each other.
#[test]
fn a_disaggregated_set_is_told_to_be_passed_over() {
    let place = place();
    place.write(
        "disaggregated.yaml",
        include_str!("fixtures/review/disaggregated.yaml"),
    );
    let settings = ["diff", "--from", "one-key.yaml", "--to", "other-key.yaml"];
    let done = place.run(&[&settings[..], &["-o", "json", "disaggregated.yaml"]].concat());
    let diff: Value = serde_json::from_str(&done.stdout).unwrap();
    let texts: Vec<&str> = diff["notes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| note["text"].as_str().unwrap())
        .collect();
    assert!(
        texts.contains(&"DisaggregatedSet \"qwen\" is not compared: the sets that its roles make have other names at each of its revisions; review tells their placement"),
        "{texts:?}"
    );
    assert_eq!(diff["rest"]["passedOver"]["DisaggregatedSet"], 1, "{diff}");
    assert_eq!((done.status, done.stderr.as_str()), (0, ""));
}
