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
            if stamping == Stamping::Anew && !judged.asks && differ_in_stamps_alone(new, old) =>
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
        let written;
        let stamp = match (stamping, judged.placement_of(template)) {
            (Stamping::Leave, _) => continue,
            (Stamping::Restore, _) => old.and_then(|old| old.stamp_for(template)),
            // A leader that is left out is stamped too, so that it stays out (L9).
            (Stamping::Anew, Some(placement)) if judged.asks => {
                written = stamp::write(placement);
                Some(written.as_str())
            }
            (Stamping::Anew, _) => None,
        };
        if stamp != template.stamp.as_deref() {
            put(&mut splice, template, stamp);
        }
    }
    splice.finish()
}

/// Sets, replaces or removes a template's stamp, and nothing beside it.
fn put(splice: &mut Splice<'_>, template: &Template<'_>, stamp: Option<&str>) {
    let mut previous = None;
    let mut present = None;
    for (name, value) in template.entries() {
        if name == STAMP {
            present = Some(*value);
            break;
        }
        previous = Some(*value);
    }
    match (stamp, present, template.annotations) {
        (Some(text), Some(value), _) => splice.replace(value, quoted(text)),
        (Some(text), None, _) => add(splice, template, text),
        (None, Some(value), Some(annotations)) => splice.remove(annotations, previous, value),
        (None, ..) => {}
    }
}

/// Adds a stamp, with the maps that it stands in where they are not there.
fn add(splice: &mut Splice<'_>, template: &Template<'_>, stamp: &str) {
    let stamp = format!("\"{STAMP}\":{}", quoted(stamp));
    let (map, member) = match (template.annotations, template.metadata) {
        (Some(annotations), _) => (annotations, stamp),
        (None, Some(metadata)) => (metadata, format!("\"annotations\":{{{stamp}}}")),
        (None, None) => (
            template.raw,
            format!("\"metadata\":{{\"annotations\":{{{stamp}}}}}"),
        ),
    };
    if splice.is_null(map) {
        splice.replace(map, format!("{{{member}}}"));
    } else {
        splice.append(map, &member);
    }
}

fn quoted(text: &str) -> String {
    let mut out = Vec::new();
    crate::answer::string(&mut out, text);
    String::from_utf8(out).unwrap_or_default()
}
