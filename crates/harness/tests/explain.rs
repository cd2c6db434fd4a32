//! Explanations, with the policy itself: over every case of the contract the sentences come to the module's verdict,
//! and each names a rule that there is.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "a failed set-up fails the test"
)]

use lws_placement::case::{Case, CaseFile, Subject, find};
use lws_placement::engine::Module;
use lws_placement::explain::{Explanation, contract};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

static ROOT: LazyLock<PathBuf> =
    LazyLock::new(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));

/// The policy, compiled once. `LWS_PLACEMENT_POLICY` names another than `make annotated-policy.wasm` builds.
static POLICY: LazyLock<Module> = LazyLock::new(|| {
    let path = std::env::var_os("LWS_PLACEMENT_POLICY")
        .map_or_else(|| ROOT.join("annotated-policy.wasm"), PathBuf::from);
    Module::load(&path).expect("make annotated-policy.wasm builds the policy")
});

/// The contract's cases that are about a request, with their explanations.
static EXPLAINED: LazyLock<Vec<(String, Case, Explanation)>> = LazyLock::new(|| {
    let paths = find(&ROOT.join("e2e-tests/cases")).unwrap();
    let explained = paths.par_iter().filter_map(|path| {
        let file = CaseFile::read(path).unwrap_or_else(|error| panic!("{error}"));
        let Subject::Request(request) = file.case.subject().unwrap() else {
            return None;
        };
        let explained = Explanation::of(&*POLICY, &file.case.settings, &request).unwrap();
        Some((file.title(), file.case, explained))
    });
    explained.collect()
});

#[test]
fn the_sentences_of_every_case_come_to_the_modules_verdict() {
    assert!(EXPLAINED.len() > 300, "{}", EXPLAINED.len());
    let wrong: Vec<String> = EXPLAINED
        .iter()
        .filter_map(|(title, _, explained)| {
            let ours = explained.disagreement.as_ref()?;
            Some(format!(
                "{title}: {}, but the module: {}",
                ours.words(),
                explained.verdict.words()
            ))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_sentence_names_a_rule_that_there_is() {
    for (title, _, explained) in EXPLAINED.iter() {
        assert!(!explained.sentences.is_empty(), "{title}");
        for sentence in &explained.sentences {
            assert!(
                contract::rule(sentence.rule).is_ok(),
                "{title}: {}",
                sentence.rule
            );
            assert!(!sentence.text.is_empty(), "{title}: {}", sentence.rule);
            assert!(!sentence.text.contains('\n'), "{title}: {}", sentence.text);
        }
    }
}

/// Which rules a pod or a set can meet: those that decide, as opposed to facts, to rules for settings, and to those that
/// say how answers are written or what is left alone.
#[test]
fn every_rule_that_decides_is_told_of_somewhere() {
    let told: BTreeSet<&str> = EXPLAINED
        .iter()
        .flat_map(|(_, _, explained)| &explained.sentences)
        .map(|sentence| sentence.rule)
        .collect();
    let decide = [
        "A1", "A2", "A3", "A4", "C7", "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10",
        "P11", "P12", "I1", "I2", "I3", "I4", "I5", "V1", "V2", "V3", "S1", "S2", "S3", "S4", "S5",
        "S6", "S7", "S8", "R5",
    ];
    let silent: Vec<&&str> = decide
        .iter()
        .filter(|rule| !told.contains(**rule))
        .collect();
    assert!(silent.is_empty(), "{silent:?}");
}

/// A refusal's message is made of the reasons that the sentences give.
#[test]
fn a_refusal_is_told_by_a_sentence_that_has_its_reason() {
    for (title, case, explained) in EXPLAINED.iter() {
        if explained.verdict.accepted {
            continue;
        }
        let message = explained.message.as_deref().unwrap();
        // The first part of a message names the pod or the set.
        // P11's remedy is to undo the update, whatever the reasons are.
        let undone =
            message.strip_suffix("; undo this update's change of its labels or annotations");
        let reasons: Vec<&str> = match undone {
            Some(reasons) => reasons.split(", and ").collect(),
            None => message.split("; also, ").collect(),
        };
        let told = |reason: &str| {
            explained.sentences.iter().any(|sentence| {
                let text = sentence.text.trim_start_matches("refused: ");
                text.contains(reason) || reason.contains(text)
            })
        };
        let is_told = reasons
            .iter()
            .all(|reason| told(reason) || reason.split_once("\": ").is_some_and(|(_, r)| told(r)));
        assert!(
            is_told,
            "{title} ({:?}): {message}\n{:#?}",
            case.rules, explained.sentences
        );
    }
}
