//! Everything that a review has to say of its input, the worst first, for formats that tell it entry by entry.

use super::cluster;
use super::text;
use crate::review::place::Place;
use crate::review::report::{PodReview, Refusal, Remark, Report, SetReview};
use crate::severity::Severity;

/// Something to be said.
#[derive(Debug, Clone)]
pub(super) struct Entry<'a> {
    pub(super) severity: Severity,
    /// Kind, namespace and name of what it is about; none where it is about no single object, or the text says so.
    pub(super) object: Option<String>,
    /// The number by which tables name a refusal.
    pub(super) number: Option<usize>,
    /// What happens, before the reason in `text`: `4 pods (v-0, v-0-1..3) refused`.
    pub(super) what: Option<String>,
    pub(super) place: Option<&'a Place>,
    /// Other fields that the text names.
    pub(super) also: &'a [Place],
    /// The field of the pod, where it does not stand in the input.
    pub(super) field: Option<&'a str>,
    pub(super) text: String,
}

/// All entries of a report. Of a cluster's findings there are as many as the formats for people tell.
pub(super) fn all(report: &Report) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    report.sets.iter().for_each(|set| of_set(set, &mut entries));
    let mut refused = 0;
    for pod in &report.pods {
        of_pod(pod, &mut refused, &mut entries);
    }
    for (finding, rest) in report.cluster.iter().flat_map(cluster::findings) {
        let severity = finding.severity;
        entries.push(Entry::new(severity, None, None, cluster::sentence(finding)));
        entries.extend(rest.map(|text| Entry::new(severity, None, None, text)));
    }
    entries.extend(report.problems.iter().chain(&report.notes).map(Entry::told));
    entries.sort_by_key(|entry| entry.severity);
    entries
}

fn of_set<'a>(set: &'a SetReview, entries: &mut Vec<Entry<'a>>) {
    if let Some(refusal) = &set.admission.refusal {
        let what = "refused, so none of its pods are made".to_owned();
        entries.push(Entry::refused(set.title(), None, what, refusal));
    }
    for (index, refusal) in set.refusals.iter().enumerate() {
        let what = format!("{} refused", text::hit(refusal));
        entries.push(Entry::refused(set.title(), Some(index + 1), what, refusal));
    }
    let warnings = set.admission.warnings.iter().chain(&set.warnings);
    entries.extend(warnings.map(|warning| {
        let place = set.place.as_ref();
        Entry::new(Severity::Warning, Some(set.title()), place, warning.clone())
    }));
}

fn of_pod<'a>(pod: &'a PodReview, refused: &mut usize, entries: &mut Vec<Entry<'a>>) {
    let title = || format!("Pod {}/{}", pod.namespace, pod.name);
    if let Some(refusal) = &pod.refused {
        *refused += 1;
        let what = "refused".to_owned();
        entries.push(Entry::refused(title(), Some(*refused), what, refusal));
    }
    entries.extend(pod.warnings.iter().map(|warning| {
        let place = pod.place.as_ref();
        Entry::new(Severity::Warning, Some(title()), place, warning.clone())
    }));
}

impl<'a> Entry<'a> {
    fn new(
        severity: Severity,
        object: Option<String>,
        place: Option<&'a Place>,
        text: String,
    ) -> Self {
        Self {
            severity,
            object,
            number: None,
            what: None,
            place,
            also: &[],
            field: None,
            text,
        }
    }

    fn told(remark: &'a Remark) -> Self {
        Self::new(
            remark.severity,
            None,
            remark.place.as_ref(),
            remark.text.clone(),
        )
    }

    fn refused(object: String, number: Option<usize>, what: String, refusal: &'a Refusal) -> Self {
        Self {
            severity: Severity::Error,
            object: Some(object),
            number,
            what: Some(what),
            place: refusal.place.as_ref(),
            also: &refusal.also,
            field: refusal.field.as_deref(),
            text: refusal.message.clone(),
        }
    }
}
