//! What a change does: to the settings or policies, to the manifests, or to both.
//!
//! A side is settings or the policies of a cluster ([`Under`]), and manifests. Each set is followed through its life
//! ([`life`]): stored under the first side, updated to its second manifest under the second side, and then scaled and rolled out anew as people would. At each step the policy itself is
//! asked ([`crate::review`]), and the pods of two steps are compared ([`compare`]). What differs becomes the effects of
//! a [`Diff`] ([`report`]), which [`render`] writes.

mod compare;
mod life;
mod pods;
mod report;
mod shared;
mod stored;

pub mod render;

pub use report::{
    Change, Class, Diff, Effect, Entry, Given, MembersDiff, PodDiff, ReplicaDiff, Rest, SetDiff,
    Sum, Taint, Verdict, When,
};

use crate::evaluator::Evaluator;
use crate::policies::{Chain, Namespaces, Policy};
use crate::review::objects::{Input, Object, Objects};
use crate::review::report::Remark;
use crate::review::source::Source;
use crate::review::stage::Judge;
use crate::settings::Settings;
use life::{Life, Outcome};
use serde_json::Value;
use shared::Shared;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a side's cluster has.
#[derive(Debug, Clone, Copy)]
pub enum Under<'a> {
    /// The policy sees every set and pod, and runs with these settings.
    Settings(&'a Settings),
    /// These policies, in any order. Where there are none, nothing changes anything.
    Policies(&'a [Policy]),
}

/// One side of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// What judges.
    pub under: Under<'a>,
    /// Files and folders of manifests.
    pub files: &'a [PathBuf],
}

/// What holds for both sides.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Replicas to keep of those that differ; all are judged all the same.
    pub replicas: usize,
    /// The namespace of objects that name none; none: `default`.
    pub namespace: Option<&'a str>,
    /// What is known of namespaces beside their objects in the manifests.
    pub namespaces: &'a Namespaces,
}

/// Compares two sides.
#[must_use]
pub fn compare(module: &dyn Evaluator, from: Side<'_>, to: Side<'_>, options: Options<'_>) -> Diff {
    let before = Input::read(from.files, options.namespace);
    // Standard input can be read but once, and a file need not be read twice.
    let after = (from.files != to.files).then(|| Input::read(to.files, options.namespace));
    let inputs = [&before, after.as_ref().unwrap_or(&before)];
    between(module, [from.under, to.under], inputs, options)
}

/// As [`compare`], of one text in place of files.
#[must_use]
pub fn compare_text(
    module: &dyn Evaluator,
    sides: [Under<'_>; 2],
    source: Source,
    options: Options<'_>,
) -> Diff {
    let input = Input::of(source, options.namespace);
    between(module, sides, [&input, &input], options)
}

fn between(
    module: &dyn Evaluator,
    [from, to]: [Under<'_>; 2],
    [before, after]: [&Input; 2],
    options: Options<'_>,
) -> Diff {
    let from_chain = chain(from, before, options.namespaces);
    let to_chain = chain(to, after, options.namespaces);
    let mut diff = Diff::default();
    let (Some(from_judge), Some(to_judge)) = (
        judge(module, from, from_chain.as_ref()),
        judge(module, to, to_chain.as_ref()),
    ) else {
        let text = "there is no policy on one of the sides";
        diff.problems.push(Remark::error(None, text));
        return diff;
    };
    let mut old = before.objects();
    let mut new = after.objects();
    remarks(&mut diff, &mut old, &mut new, !std::ptr::eq(before, after));
    for judge in [&from_judge, &to_judge] {
        diff.notes.extend(judges_only(judge.settings()));
    }
    diff.notes.dedup();
    let life = Life {
        from: &from_judge,
        to: &to_judge,
        same_settings: is_same(from, to),
        replicas: options.replicas,
    };
    let mut shared = Shared::default();
    for (before, after) in pairs(&mut diff, &old.sets, &new.sets) {
        match life.follow(before, after) {
            Ok(outcome) => {
                shared.see(&outcome);
                take(&mut diff, outcome);
            }
            Err(problem) => diff.problems.push(problem),
        }
    }
    for (before, after) in pairs(&mut diff, &old.pods, &new.pods) {
        pods::compare(&mut diff, &life, before, after);
    }
    diff.notes.extend(shared.notes());
    // The order of the input stays within a class.
    diff.sets.sort_by_key(|set| set.class);
    diff.pods.sort_by_key(|pod| pod.class);
    diff.sum = Sum::of(&diff);
    diff
}

/// The policies of a side, in namespaces as its manifests have them and as others know them; none where it has none.
fn chain(under: Under<'_>, input: &Input, known: &Namespaces) -> Option<Chain> {
    let Under::Policies(policies) = under else {
        return None;
    };
    let mut namespaces = input.namespaces();
    namespaces.extend(known);
    Chain::new(policies.to_vec(), namespaces)
}

/// Who judges on a side; none where it has neither settings nor policies.
fn judge<'a>(
    module: &'a dyn Evaluator,
    under: Under<'a>,
    chain: Option<&'a Chain>,
) -> Option<Judge<'a>> {
    match under {
        Under::Settings(settings) => Some(Judge::new(module, settings)),
        Under::Policies(_) => Some(Judge::under(module, chain?)),
    }
}

/// Whether two sides judge alike, as far as that can be told without asking them.
fn is_same(from: Under<'_>, to: Under<'_>) -> bool {
    match (from, to) {
        (Under::Settings(from), Under::Settings(to)) => from.value() == to.value(),
        _ => false,
    }
}

fn take(diff: &mut Diff, outcome: Outcome) {
    diff.problems.extend(outcome.faults);
    match outcome.set {
        Some(set) => {
            diff.sets.push(set);
            diff.notes.extend(outcome.notes);
        }
        None => {
            let rest = &mut diff.rest;
            rest.sets += 1;
            rest.replicas = rest.replicas.saturating_add(outcome.replicas);
            rest.rolling += u64::from(outcome.rolls);
            rest.refused += u64::from(outcome.is_refused);
        }
    }
}

/// What settings that only judge make of a comparison.
fn judges_only(settings: &Settings) -> Option<Remark> {
    let action = settings.value().get("action").and_then(Value::as_str);
    (action == Some("Validate")).then(|| {
        let text = format!(
            "the settings of {} only judge (action: Validate), so pods are judged without what an injecting policy would have put into them",
            settings.source()
        );
        Remark::note(None, text)
    })
}

/// What there is to say of the two inputs. What both say is said once.
fn remarks(diff: &mut Diff, old: &mut Objects<'_>, new: &mut Objects<'_>, two: bool) {
    if new.sets.is_empty() && new.pods.is_empty() && old.sets.is_empty() && old.pods.is_empty() {
        let text = "no LeaderWorkerSet and no pod of one is in the input";
        diff.notes.push(Remark::note(None, text));
    }
    if two {
        diff.notes.append(&mut old.notes);
        diff.problems.append(&mut old.problems);
    }
    diff.notes.append(&mut new.notes);
    diff.problems.append(&mut new.problems);
    diff.rest.passed_over = std::mem::take(&mut new.passed_over);
}

/// An object before and after.
type Pair<'o, 'a> = (Option<&'o Object<'a>>, Option<&'o Object<'a>>);

/// The objects of the second side in their order, then those that only the first has.
fn pairs<'o, 'a>(
    diff: &mut Diff,
    old: &'o [Object<'a>],
    new: &'o [Object<'a>],
) -> Vec<Pair<'o, 'a>> {
    let known = named(diff, old);
    let wanted = named(diff, new);
    let is_it = |object: &&Object<'a>, map: &BTreeMap<_, &'o Object<'a>>| {
        map.get(&key(object))
            .is_some_and(|last| std::ptr::eq(*last, *object))
    };
    let stays = new
        .iter()
        .filter(|object| is_it(object, &wanted))
        .map(|object| (known.get(&key(object)).copied(), Some(object)));
    let goes = old
        .iter()
        .filter(|object| is_it(object, &known) && !wanted.contains_key(&key(object)))
        .map(|object| (Some(object), None));
    stays.chain(goes).collect()
}

fn key<'o>(object: &'o Object<'_>) -> (&'o str, &'o str) {
    (&object.namespace, &object.name)
}

/// Objects by namespace and name; of two with one name the later.
fn named<'o, 'a>(
    diff: &mut Diff,
    objects: &'o [Object<'a>],
) -> BTreeMap<(&'o str, &'o str), &'o Object<'a>> {
    let mut map = BTreeMap::new();
    for object in objects {
        if map.insert(key(object), object).is_some() {
            let note = object.note(format!(
                "{}/{} is in the input before; of two that are applied the later stands",
                object.namespace, object.name
            ));
            // Where both sides are one input, this is said once.
            if !diff.notes.contains(&note) {
                diff.notes.push(note);
            }
        }
    }
    map
}
