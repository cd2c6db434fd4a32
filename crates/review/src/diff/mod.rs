//! What a change does: to the settings, to the manifests, or to both.
//!
//! Each set is followed through its life ([`life`]): stored under the first settings, updated to its second manifest
//! under the second settings, and then scaled and rolled out anew as people would. At each step the policy itself is
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

/// One side of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The settings that the policy runs with.
    pub settings: &'a Settings,
    /// Files and folders of manifests.
    pub files: &'a [PathBuf],
}

/// Compares two sides. Of each set the differing replicas are kept, up to `replicas` of them; all are judged all the
/// same.
#[must_use]
pub fn compare(module: &dyn Evaluator, from: Side<'_>, to: Side<'_>, replicas: usize) -> Diff {
    let before = Input::read(from.files);
    // Standard input can be read but once, and a file need not be read twice.
    let after = (from.files != to.files).then(|| Input::read(to.files));
    between(
        module,
        [from.settings, to.settings],
        [&before, after.as_ref().unwrap_or(&before)],
        replicas,
    )
}

/// As [`compare`], of one text under two settings.
#[must_use]
pub fn compare_settings(
    module: &dyn Evaluator,
    from: &Settings,
    to: &Settings,
    source: Source,
    replicas: usize,
) -> Diff {
    let input = Input::of(source);
    between(module, [from, to], [&input, &input], replicas)
}

/// Compares inputs under settings.
fn between(
    module: &dyn Evaluator,
    [from, to]: [&Settings; 2],
    [before, after]: [&Input; 2],
    replicas: usize,
) -> Diff {
    let (from_judge, to_judge) = (Judge::new(module, from), Judge::new(module, to));
    let mut old = before.objects();
    let mut new = after.objects();
    let mut diff = Diff::default();
    remarks(&mut diff, &mut old, &mut new, !std::ptr::eq(before, after));
    for settings in [from, to] {
        diff.notes.extend(judges_only(settings));
    }
    diff.notes.dedup();
    let life = Life {
        from: &from_judge,
        to: &to_judge,
        same_settings: from.value() == to.value(),
        replicas,
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

fn take(diff: &mut Diff, outcome: Outcome) {
    diff.problems.extend(outcome.faults);
    match outcome.set {
        Some(set) => diff.sets.push(set),
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
    (action == Some("Validate")).then(|| Remark {
        place: None,
        text: format!(
            "the settings of {} only judge (action: Validate), so pods are judged without what an injecting policy would have put into them",
            settings.source()
        ),
    })
}

/// What there is to say of the two inputs. What both say is said once.
fn remarks(diff: &mut Diff, old: &mut Objects<'_>, new: &mut Objects<'_>, two: bool) {
    if new.sets.is_empty() && new.pods.is_empty() && old.sets.is_empty() && old.pods.is_empty() {
        diff.notes.push(Remark {
            place: None,
            text: "no LeaderWorkerSet and no pod of one is in the input".to_owned(),
        });
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
            let note = object.remark(format!(
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
