//! Pods that stand in the input themselves.

use super::compare::{given, is_same};
use super::life::Life;
use super::report::{Class, Diff, PodDiff};
use crate::review::objects::Object;
use crate::review::report::Remark;

/// Holds a pod, created as it is under both sides, against itself.
pub(super) fn compare(
    diff: &mut Diff,
    life: &Life<'_>,
    from: Option<&Object<'_>>,
    to: Option<&Object<'_>>,
) {
    let Some(object) = to.or(from) else { return };
    let (before, old_reach) = match from.map(|pod| life.from.pod(pod)) {
        Some((outcome, _, unreached)) => (Some(outcome), unreached),
        None => (None, None),
    };
    let (after, refused, reach) = match to.map(|pod| life.to.pod(pod)) {
        Some((outcome, refused, unreached)) => (Some(outcome), refused, unreached),
        None => (None, None, None),
    };
    let is_refused = after.as_ref().is_some_and(|after| !after.allowed);
    let was_refused = before.as_ref().is_some_and(|before| !before.allowed);
    let same = match (&before, &after) {
        (Some(before), Some(after)) => is_same(before, after),
        _ => false,
    };
    if same {
        diff.rest.pods += 1;
        return;
    }
    diff.pods.push(PodDiff {
        class: if is_refused && !was_refused {
            Class::Refused
        } else {
            Class::Changed
        },
        namespace: object.namespace.clone(),
        name: object.name.clone(),
        place: object.place(),
        before: before.as_ref().map(given),
        after: after.as_ref().map(given),
        refused,
    });
    let is_new = |reach: &Remark| old_reach.as_ref().is_none_or(|old| old.text != reach.text);
    diff.notes.extend(reach.filter(is_new));
}
