//! What other settings do, as `lws-placement diff` tells it.

use crate::POLICY;
use crate::answer::Faults;
use crate::texts;
use lws_review::diff::render::words;
use lws_review::diff::{Class, Diff, Effect, Options, PodDiff, SetDiff, Under, compare_text};
use lws_review::policies::Namespaces;
use lws_review::review::report::Refusal;
use serde::Serialize;

/// Replicas that are shown of each difference.
const SHOWN: usize = 10;

/// A comparison, as data and in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// All of it, as `lws-placement diff -o json` gives it.
    pub diff: Diff,
    /// The sum in a sentence.
    pub sum: String,
    /// The titles of the rows' cells.
    pub columns: [&'static str; 4],
    /// The sets for which something differs, the most serious first.
    pub sets: Vec<Subject>,
    /// The pods of the manifests for which something differs, likewise.
    pub pods: Vec<Subject>,
}

/// A set or pod for which something differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// Kind, namespace and name.
    pub title: String,
    /// What kind of difference it is, in words.
    pub class: &'static str,
    /// Whether something is newly refused.
    pub refused: bool,
    /// How many replicas, if it is a set.
    pub size: Option<String>,
    /// What differs.
    pub effects: Vec<Told>,
    /// Warnings that are new.
    pub warnings: Vec<String>,
}

/// A difference in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    /// What comes about, and when.
    pub text: String,
    /// Pods that differ.
    pub rows: Vec<Row>,
    /// Replicas that are not in the rows.
    pub hidden: u64,
    /// Why something is refused: whom it hits, and the message.
    pub refusals: Vec<[String; 2]>,
}

/// Pods that differ alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// Their names.
    pub pods: String,
    /// What they had and get; each cell is lines that begin with `-`, `+` or a space.
    pub cells: [String; 4],
}

/// Compares what two maps of settings do with the same manifests.
///
/// # Errors
/// One of the maps cannot be read, or the policy refuses it; faults of the second have places in `other settings`.
pub fn difference(manifests: &str, from: &str, to: &str) -> Result<Difference, Faults> {
    let from = texts::settings(from, "settings")?;
    let to = texts::settings(to, "other settings")?;
    let source = texts::manifests(manifests);
    let sides = [Under::Settings(&from), Under::Settings(&to)];
    let options = Options {
        replicas: SHOWN,
        namespace: None,
        namespaces: &Namespaces::default(),
    };
    let diff = compare_text(&POLICY, sides, source, options);
    Ok(Difference {
        sum: words::sum(&diff),
        columns: words::COLUMNS,
        sets: diff.sets.iter().map(set).collect(),
        pods: diff.pods.iter().map(pod).collect(),
        diff,
    })
}

fn set(set: &SetDiff) -> Subject {
    Subject {
        title: set.title(),
        class: words::class(set.class),
        refused: set.class == Class::Refused,
        size: Some(words::size(set)),
        effects: set.effects.iter().map(effect).collect(),
        warnings: set.warnings.clone(),
    }
}

fn effect(effect: &Effect) -> Told {
    let members = effect.replicas.iter().flat_map(|replica| &replica.members);
    Told {
        text: words::effect(effect).to_owned(),
        rows: members
            .map(|members| Row {
                pods: words::names(&members.pods),
                cells: words::members(members),
            })
            .collect(),
        hidden: effect.hidden,
        refusals: effect
            .refusal
            .iter()
            .map(|found| refusal("the set".to_owned(), found))
            .chain(
                effect
                    .refusals
                    .iter()
                    .map(|found| refusal(words::hit(found), found)),
            )
            .collect(),
    }
}

fn pod(pod: &PodDiff) -> Subject {
    Subject {
        title: format!("Pod {}/{}", pod.namespace, pod.name),
        class: words::class(pod.class),
        refused: pod.class == Class::Refused,
        size: None,
        effects: vec![Told {
            text: String::new(),
            rows: vec![Row {
                pods: pod.name.clone(),
                cells: words::pod(pod, None),
            }],
            hidden: 0,
            refusals: pod
                .refused
                .iter()
                .map(|found| refusal(pod.name.clone(), found))
                .collect(),
        }],
        warnings: Vec::new(),
    }
}

fn refusal(whom: String, found: &Refusal) -> [String; 2] {
    [whom, found.message.clone()]
}
