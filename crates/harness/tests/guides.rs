//! The YAML of the pages is what they say it is: each block marked `yaml` of `README.md` and `docs/` goes through the
//! command line.
//!
//! - A map without a kind holds settings; they count for the blocks behind it, to the end of the page. If all its keys
//!   are the policy's annotations, they are put on the example's set instead.
//! - Policies are those under which the example is reviewed.
//! - Anything else is reviewed under the page's settings. Other kinds are only read.
//!
//! A block is accepted, unless a comment says `# expect: refused` and, if it wants, with which words. A block marked
//! `text` holds lines that the block of YAML before it prints.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed set-up fails the test"
)]

mod common;
mod markdown;

use common::{Done, Place};
use rayon::prelude::*;
use serde_json::Value;
use std::path::Path;

/// What a block of YAML is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Settings,
    Annotations,
    Policies,
    Workloads,
    Foreign,
}

/// What its comment says of a block.
enum Expected {
    Accepted,
    Refused(String),
}

/// What became of a page: what its blocks were for, and what they were not as promised.
#[derive(Default)]
struct Outcome {
    uses: Vec<Use>,
    refusals: usize,
    shown: usize,
    faults: Vec<String>,
}

fn documents(text: &str) -> Result<Vec<Value>, String> {
    let read = lws_manifest::read(text).into_iter();
    read.map(|document| {
        document
            .map(|document| document.value)
            .map_err(|error| error.to_string())
    })
    .collect()
}

fn use_of(documents: &[Value]) -> Result<Use, String> {
    let kinds: Option<Vec<&str>> = documents
        .iter()
        .map(|document| document.get("kind").and_then(Value::as_str))
        .collect();
    let Some(kinds) = kinds else {
        let [Value::Object(only)] = documents else {
            return Err("is neither manifests nor one map of settings".to_owned());
        };
        let are_annotations = only
            .keys()
            .all(|key| key.starts_with("lws-replica-placement/"));
        return Ok(if are_annotations {
            Use::Annotations
        } else {
            Use::Settings
        });
    };
    if let Some(kind) = documents.iter().zip(&kinds).find_map(|(document, kind)| {
        let version = document.get("apiVersion").and_then(Value::as_str);
        version.is_none().then_some(kind)
    }) {
        return Err(format!("holds a {kind} without apiVersion"));
    }
    let any = |wanted: &[&str]| kinds.iter().any(|kind| wanted.contains(kind));
    Ok(if any(&["ClusterAdmissionPolicy", "AdmissionPolicy"]) {
        Use::Policies
    } else if any(&["LeaderWorkerSet", "DisaggregatedSet", "Pod", "Node", "List"]) {
        Use::Workloads
    } else {
        Use::Foreign
    })
}

fn expected(text: &str) -> Result<Expected, String> {
    let Some(words) = text
        .lines()
        .find_map(|line| line.strip_prefix("# expect: "))
    else {
        return Ok(Expected::Accepted);
    };
    match (words, words.strip_prefix("refused")) {
        ("accepted", _) => Ok(Expected::Accepted),
        (_, Some(rest)) => Ok(Expected::Refused(rest.trim().to_owned())),
        _ => Err(format!(
            "expects {words:?}; write accepted, or refused and the words"
        )),
    }
}

/// The example's set with these annotations, as JSON.
fn annotated(annotations: &Value) -> String {
    let example = std::fs::read_to_string(markdown::root().join("examples/vllm.yaml")).unwrap();
    let mut set = documents(&example).unwrap().remove(0);
    if let Some(Value::Object(metadata)) = set.get_mut("metadata") {
        metadata.insert("annotations".to_owned(), annotations.clone());
    }
    set.to_string()
}

/// What the program does with a block, in a folder that holds the example.
fn run(place: &Place, what: Use, text: &str, documents: &[Value], settings: Option<&str>) -> Done {
    place.write("block.yaml", text);
    place.write("settings.yaml", settings.unwrap_or("{}"));
    let reviewed =
        |settings: &str, file: &str| place.run(&["review", "--settings", settings, "-f", file]);
    match what {
        Use::Settings => reviewed("block.yaml", "vllm.yaml"),
        Use::Policies => place.run(&[
            "review",
            "--policy-manifest",
            "block.yaml",
            "-f",
            "vllm.yaml",
        ]),
        Use::Workloads | Use::Foreign => reviewed("settings.yaml", "block.yaml"),
        Use::Annotations => {
            let annotations = documents.first().unwrap_or(&Value::Null);
            place.write("annotated.json", annotated(annotations));
            reviewed("settings.yaml", "annotated.json")
        }
    }
}

fn unmet(done: &Done, expected: &Expected) -> Option<String> {
    let Done {
        status,
        stdout,
        stderr,
    } = done;
    match expected {
        Expected::Accepted if *status == 0 => None,
        Expected::Refused(words) if *status == 1 && stdout.contains(words.as_str()) => None,
        Expected::Accepted => Some(format!(
            "is not accepted, but ends with {status}:\n{stdout}{stderr}"
        )),
        Expected::Refused(words) => Some(format!(
            "is not refused with {words:?}, but ends with {status}:\n{stdout}{stderr}"
        )),
    }
}

fn outcome_of(page: &Path) -> Outcome {
    let place = Place::with_policy();
    let example = markdown::root().join("examples/vllm.yaml");
    place.write("vllm.yaml", std::fs::read(example).unwrap());
    let mut outcome = Outcome::default();
    let mut settings: Option<String> = None;
    let mut printed: Option<String> = None;
    let text = std::fs::read_to_string(page).unwrap();
    for block in markdown::fences(&text) {
        let mut fault = |fault: String| {
            outcome
                .faults
                .push(format!("{}:{}: {fault}", page.display(), block.line));
        };
        match block.language.as_str() {
            // Files of a repository, which `pipelines.rs` puts there and runs.
            "yaml" if block.text.starts_with("# .") => continue,
            "yaml" => {}
            "text" => {
                outcome.shown += 1;
                let printed = printed.take().unwrap_or_default();
                for line in block
                    .text
                    .lines()
                    .filter(|line| !printed.lines().any(|found| found.trim_end() == *line))
                {
                    fault(format!(
                        "{line:?} is not in the output of the block before:\n{printed}"
                    ));
                }
                continue;
            }
            _ => {
                printed = None;
                continue;
            }
        }
        let judged = documents(&block.text)
            .and_then(|documents| Ok((use_of(&documents)?, expected(&block.text)?, documents)));
        let (what, expected, documents) = match judged {
            Ok(judged) => judged,
            Err(problem) => {
                fault(problem);
                continue;
            }
        };
        let is_guide = page
            .parent()
            .is_some_and(|folder| folder.ends_with("docs/guides"));
        if is_guide && block.text.starts_with("# settings\n") != (what == Use::Settings) {
            fault(format!(
                "is {what:?}, but begins otherwise; settings begin with # settings"
            ));
        }
        let done = run(&place, what, &block.text, &documents, settings.as_deref());
        if let Some(problem) = unmet(&done, &expected) {
            fault(problem);
        }
        outcome.refusals += usize::from(matches!(expected, Expected::Refused(_)));
        outcome.uses.push(what);
        if what == Use::Settings {
            settings = Some(block.text);
        }
        printed = Some(done.stdout);
    }
    outcome
}

#[test]
fn yaml_of_the_pages_does_what_they_say() {
    let outcomes: Vec<Outcome> = markdown::pages()
        .par_iter()
        .map(|page| outcome_of(page))
        .collect();
    let faults: Vec<&str> = outcomes
        .iter()
        .flat_map(|outcome| outcome.faults.iter().map(String::as_str))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // That nothing was found would look like success.
    let uses: Vec<Use> = outcomes
        .iter()
        .flat_map(|outcome| outcome.uses.iter().copied())
        .collect();
    for (wanted, at_least) in [
        (Use::Settings, 12),
        (Use::Annotations, 1),
        (Use::Policies, 1),
        (Use::Workloads, 20),
        (Use::Foreign, 3),
    ] {
        let found = uses.iter().filter(|found| **found == wanted).count();
        assert!(
            found >= at_least,
            "{found} blocks of {wanted:?}, at least {at_least} are there"
        );
    }
    let sum = |count: fn(&Outcome) -> usize| outcomes.iter().map(count).sum::<usize>();
    assert!(sum(|outcome| outcome.refusals) >= 3);
    assert!(sum(|outcome| outcome.shown) >= 8);
}

#[test]
fn expectations_are_read() {
    let refused = expected("# expect: refused by this\nkind: A\n");
    assert!(matches!(refused, Ok(Expected::Refused(words)) if words == "by this"));
    assert!(matches!(expected("kind: A\n"), Ok(Expected::Accepted)));
    assert!(expected("# expect: denied\n").is_err());
}

#[test]
fn blocks_are_told_apart_by_what_they_hold() {
    for (text, wanted) in [
        ("replicaSpecificNodeSelector: a\n", Ok(Use::Settings)),
        (
            "lws-replica-placement/node-selector: a\n",
            Ok(Use::Annotations),
        ),
        ("apiVersion: v1\nkind: Pod\n", Ok(Use::Workloads)),
        ("apiVersion: v1\nkind: Service\n", Ok(Use::Foreign)),
        (
            "apiVersion: v1\nkind: Service\n---\napiVersion: policies.kubewarden.io/v1\nkind: AdmissionPolicy\n",
            Ok(Use::Policies),
        ),
        (
            "kind: Pod\n",
            Err("holds a Pod without apiVersion".to_owned()),
        ),
        (
            "- 1\n",
            Err("is neither manifests nor one map of settings".to_owned()),
        ),
    ] {
        assert_eq!(use_of(&documents(text).unwrap()), wanted, "{text}");
    }
}
