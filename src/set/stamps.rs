//! When a set's stamps are written, and how (S6, S9).

use super::faults::Judged;
use super::same;
use super::template::Template;
use super::view::SetView;
use crate::json::Raw;
use crate::splice::Splice;
use crate::stamp::{self, STAMP};

/// What an admission does to a set's stamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamping {
    /// All are written anew from settings and annotations.
    Anew,
    /// Those that were lost are put back.
    Restore,
    /// Nothing.
    Leave,
}

/// S6: a set gets its stamps when it is created; later only together with a change that rolls its
/// replicas anyway, because a new stamp by itself would roll them too (L6).
#[must_use]
pub fn what_to_do(new: &SetView<'_>, old: Option<&SetView<'_>>) -> Stamping {
    let Some(old) = old else {
        return Stamping::Anew;
    };
    if !differ_in_stamps_alone(new, old) {
        return Stamping::Anew;
    }
    // What differs now is lost, unless it was rewritten.
    let mut stamping = Stamping::Leave;
    for (new, old) in new.pair.iter().zip(&old.pair) {
        if let (Some(new), Some(old)) = (new, old)
            && new.stamp != old.stamp
        {
            if new.stamp.is_some() {
                return Stamping::Anew;
            }
            stamping = Stamping::Restore;
        }
    }
    stamping
}

/// S6: where nothing is asked by now, an edited stamp counts as a lost one. There is none to write in its place, and to
/// take it away would roll the replicas, only to be put back when the answer comes by again (I7).
#[must_use]
pub fn settled(
    stamping: Stamping,
    new: &SetView<'_>,
    old: Option<&SetView<'_>>,
    judged: &Judged,
) -> Stamping {
    match old {
        Some(old)
            if stamping == Stamping::Anew && !judged.asks() && differ_in_stamps_alone(new, old) =>
        {
            Stamping::Restore
        }
        _ => stamping,
    }
}

fn differ_in_stamps_alone(new: &SetView<'_>, old: &SetView<'_>) -> bool {
    same::same_annotations(new, old) && same::same_templates(new, old)
}

/// The set with its stamps, or `None` where none changes.
#[must_use]
pub fn write<'a>(
    object: Raw<'a>,
    new: &SetView<'_>,
    old: Option<&SetView<'_>>,
    stamping: Stamping,
    judged: &Judged,
) -> Option<Splice<'a>> {
    let mut splice = Splice::of(object);
    for template in new.templates() {
        let stamp = match stamping {
            Stamping::Leave => continue,
            Stamping::Restore => old
                .and_then(|old| old.stamp_for(template))
                .map(str::to_owned),
            // A leader that is left out is stamped too, so that it stays out (L9).
            Stamping::Anew => judged
                .placement_of(template)
                .filter(|_| judged.asks())
                .map(stamp::write),
        };
        if stamp.as_deref() != template.stamp.as_deref() {
            put(&mut splice, template, stamp.as_deref());
        }
    }
    splice.finish()
}

/// Sets, replaces or removes a template's stamp, and nothing beside it.
fn put(splice: &mut Splice<'_>, template: &Template<'_>, stamp: Option<&str>) {
    let entries = template.entries();
    let index = entries.iter().position(|(name, _)| name == STAMP);
    let present = index.and_then(|index| entries.get(index));
    let Some(text) = stamp else {
        let previous = index
            .and_then(|index| index.checked_sub(1))
            .and_then(|index| entries.get(index));
        if let (Some(annotations), Some((_, value))) = (template.annotations, present) {
            splice.remove(annotations, previous.map(|(_, value)| *value), *value);
        }
        return;
    };
    if let Some((_, value)) = present {
        splice.replace(*value, quoted(text));
        return;
    }
    let entry = format!("{}:{}", quoted(STAMP), quoted(text));
    let annotations = format!("\"annotations\":{{{entry}}}");
    match (template.metadata, template.annotations) {
        (Some(metadata), None) if !splice.is_null(metadata) => {
            splice.append(metadata, &annotations);
        }
        (Some(_), Some(raw)) if splice.is_null(raw) => splice.replace(raw, format!("{{{entry}}}")),
        (Some(_), Some(raw)) => splice.append(raw, &entry),
        (Some(null), None) => splice.replace(null, format!("{{{annotations}}}")),
        (None, _) => splice.append(template.raw, &format!("\"metadata\":{{{annotations}}}")),
    }
}

fn quoted(text: &str) -> String {
    let mut out = Vec::new();
    crate::answer::string(&mut out, text);
    String::from_utf8(out).unwrap_or_default()
}
