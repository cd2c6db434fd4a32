//! The objects as they become, as manifests.

use super::text;
use crate::review::place::Place;
use crate::review::report::{Refusal, Remark, Report};
use serde::Serialize;

/// Writes the accepted sets, each followed by the pods of its replicas that are shown, and the accepted pods. What is
/// refused, and what there is to say, stands in comments. A cluster's dump becomes nothing else: of it there is a
/// document with what `-o json` says under `cluster`.
///
/// # Errors
/// An object cannot be written; none that the reader gives is known to be such.
pub fn write(report: &Report) -> Result<String, serde_saphyr::ser::Error> {
    let mut out = String::new();
    for set in &report.sets {
        out.push_str(&comment(&format!(
            "{}{}",
            set.title(),
            at(set.place.as_ref())
        )));
        if let Some(text) = text::generated(set) {
            out.push_str(&comment(&text));
        }
        for found in set.admission.refusal.iter().chain(&set.refusals) {
            out.push_str(&refused(found));
        }
        for object in &set.objects {
            out.push_str(&document(object)?);
        }
    }
    for pod in &report.pods {
        out.push_str(&comment(&format!(
            "Pod {}/{}{}",
            pod.namespace,
            pod.name,
            at(pod.place.as_ref())
        )));
        if let Some(found) = &pod.refused {
            out.push_str(&refused(found));
        }
        if let Some(object) = &pod.object {
            out.push_str(&document(object)?);
        }
    }
    if let Some(found) = &report.cluster {
        out.push_str(&comment("what runs in the cluster"));
        out.push_str(&document(&serde_json::json!({ "cluster": found }))?);
    }
    let said = |word: &str, remark: &Remark| {
        comment(&format!(
            "{word}{}: {}",
            at(remark.place.as_ref()),
            remark.text
        ))
    };
    out.extend(
        report
            .notes
            .iter()
            .map(|note| said(note.severity.word(), note)),
    );
    out.extend(report.problems.iter().map(|problem| said("error", problem)));
    out.extend(text::strict(report).map(|text| comment(&text)));
    out.truncate(out.trim_end().len());
    Ok(out)
}

/// One document. Strings that YAML 1.1, which kubectl speaks, would take for something else are quoted.
///
/// # Errors
/// As [`write`].
pub fn document(object: &impl Serialize) -> Result<String, serde_saphyr::ser::Error> {
    let options = serde_saphyr::ser_options! { prefer_block_scalars: true };
    Ok(format!(
        "---\n{}",
        serde_saphyr::to_string_with_options(object, options)?
    ))
}

fn refused(refusal: &Refusal) -> String {
    comment(&format!(
        "refused{}: {}",
        at(refusal.place.as_ref()),
        refusal.message
    ))
}

fn at(place: Option<&Place>) -> String {
    place.map_or_else(String::new, |place| format!(" at {}", place.line()))
}

/// A comment on one line, whatever is in the text.
pub(super) fn comment(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| {
            if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
                ' '
            } else {
                c
            }
        })
        .collect();
    format!("# {text}\n")
}
