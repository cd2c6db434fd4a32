//! Words that the formats for people share.

use super::cluster;
use crate::review::placement::{Selector, Toleration};
use crate::review::report::{Extent, Members, Moment, Outcome, Refusal, Report, SetReview};
use std::fmt::Display;

/// Most pieces of a list of pods' names.
const NAMES: usize = 4;

/// Names that fit on one line together.
const LINE: usize = 36;

/// A number and its noun: `1 pod`, `2 pods`. Thousands are set apart.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// A number with its thousands set apart: `1,000,000`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// An extent: `8 pods`, or where not all were judged `104 of 8,000,000 pods judged`.
fn extent(extent: Extent, noun: &str) -> String {
    if extent.is_whole() {
        counted(extent.total, noun)
    } else {
        format!(
            "{} of {} judged",
            grouped(extent.judged),
            counted(extent.total, noun)
        )
    }
}

/// The totals: of manifests, of what runs, or of both, a line each.
pub fn sums(report: &Report) -> impl Iterator<Item = String> {
    let found = report.cluster.as_ref().map(cluster::sum);
    let is_dump_alone = found.is_some() && report.holds_no_manifests();
    let manifests = (!is_dump_alone).then(|| sum(report));
    let unread = (is_dump_alone && !report.problems.is_empty()).then(|| unread(report));
    let sums = manifests.into_iter().chain(found).chain(unread);
    sums.chain(strict(report))
}

/// How many warnings fail the review; none where they do not count.
pub(super) fn strict(report: &Report) -> Option<String> {
    let strict = report.strict?;
    Some(match strict.warnings {
        0 => "strict: no warnings".to_owned(),
        1 => "strict: 1 warning counts as a fault".to_owned(),
        count => format!("strict: {} count as faults", counted(count, "warning")),
    })
}

/// The totals of manifests.
fn sum(report: &Report) -> String {
    let sum = &report.sum;
    let mut parts = vec![
        extent(sum.replicas, "replica"),
        counted(sum.node_groups, "node group"),
        extent(sum.pods, "pod"),
        format!("{} refused", grouped(sum.refused)),
    ];
    if !report.problems.is_empty() {
        parts.push(unread(report));
    }
    parts.join(", ")
}

fn unread(report: &Report) -> String {
    let count = u64::try_from(report.problems.len()).unwrap_or(u64::MAX);
    format!("{} not reviewed", grouped(count))
}

/// `2 replicas x 4 pods`.
pub(super) fn size(set: &SetReview) -> String {
    format!(
        "{} x {}",
        counted(set.replicas.total, "replica"),
        counted(set.size, "pod")
    )
}

/// What makes a set; none where it stands in the input itself.
pub(super) fn generated(set: &SetReview) -> Option<String> {
    let origin = set.generated.as_ref()?;
    let place = origin
        .place
        .as_ref()
        .map_or_else(String::new, |place| format!(" ({})", place.line()));
    Some(format!(
        "generated: role {} of {} {}/{}{place}, slice {}; {} stands in for its revision",
        origin.role, origin.kind, origin.namespace, origin.name, origin.slice, origin.revision
    ))
}

/// Which part of a large set was judged; none where it was all.
pub(super) fn sampled(set: &SetReview) -> Option<String> {
    if !set.admission.allowed || set.pods.is_whole() {
        return None;
    }
    Some(format!(
        "judged: {} and {}, the first and the last of each and those at every change in the number of digits",
        counted(set.replicas.judged, "replica"),
        counted(set.pods.judged, "pod")
    ))
}

/// What is not shown of a set; none where all is.
pub(super) fn hidden(set: &SetReview) -> Option<String> {
    (set.hidden > 0).then(|| {
        let shown = u64::try_from(set.shown.len()).unwrap_or(u64::MAX);
        format!(
            "... and {}, judged but not shown (--replicas {} shows all)",
            counted(set.hidden, "replica"),
            shown.saturating_add(set.hidden)
        )
    })
}

/// Names of pods, the first ones where there are many.
pub(super) fn pods(members: &Members) -> String {
    let mut names: Vec<&str> = members
        .pods
        .iter()
        .map(String::as_str)
        .take(NAMES)
        .collect();
    if members.pods.len() > NAMES {
        names.push("...");
    }
    let line = names.join(", ");
    let line = if line.len() > LINE {
        names.join(",\n")
    } else {
        line
    };
    match members.when {
        Some(Moment::GateLifted) => format!("{line}\n(gate lifted)"),
        None => line,
    }
}

/// Whom a refusal hits.
pub(crate) fn hit(refusal: &Refusal) -> String {
    let names = refusal.pods.join(", ");
    let more = if refusal.more { ", ..." } else { "" };
    format!("{} ({names}{more})", counted(refusal.count, "pod"))
}

/// The value's cell.
pub(super) fn value(outcome: &Outcome) -> String {
    match &outcome.value {
        None => "-".to_owned(),
        Some(text) => text.replace(',', "\n"),
    }
}

/// The selector's cell: entries with their marks, or why there are none.
pub(super) fn selector(outcome: &Outcome) -> String {
    if let Some(number) = outcome.refusal {
        return format!("refused [{number}]");
    }
    match (outcome.decision.as_deref(), outcome.placement.is_empty()) {
        (_, false) => lines(&outcome.placement.node_selector, |entry: &Selector| {
            format!("{}{}", entry.mark.sign(), entry.key)
        }),
        (Some("defer"), true) => "once it has a name".to_owned(),
        (_, true) => "-".to_owned(),
    }
}

/// The tolerations' cell.
pub(super) fn tolerations(outcome: &Outcome) -> String {
    lines(&outcome.placement.tolerations, |entry: &Toleration| {
        let effect = entry
            .effect
            .as_deref()
            .map_or_else(String::new, |effect| format!(":{effect}"));
        format!("{}{}{effect}", entry.mark.sign(), entry.key)
    })
}

fn lines<T, D: Display>(entries: &[T], line: impl Fn(&T) -> D) -> String {
    if entries.is_empty() {
        return "-".to_owned();
    }
    entries
        .iter()
        .map(|entry| line(entry).to_string())
        .collect::<Vec<_>>()
        .join("\n")
}

/// What the policy writes into the set itself; none where it writes nothing.
pub(super) fn stamped(set: &SetReview) -> Option<String> {
    let templates = &set.admission.stamped;
    (!templates.is_empty()).then(|| {
        format!(
            "+annotation lws-replica-placement/placement in {}",
            templates.join(" and ")
        )
    })
}

/// What the marks mean; none where there are none.
#[cfg(feature = "host")]
pub(super) fn legend(report: &Report) -> Option<&'static str> {
    let mut outcomes = report
        .sets
        .iter()
        .flat_map(|set| &set.shown)
        .flat_map(|replica| &replica.members)
        .map(|members| &members.result)
        .chain(report.pods.iter().map(|pod| &pod.result));
    let marked = outcomes.any(|outcome| !outcome.placement.is_empty());
    marked.then_some("+ added by the policy, = in the pod already")
}

/// Kinds that were passed over; none where there are none.
#[must_use]
pub fn passed_over(report: &Report) -> Option<String> {
    let kinds: Vec<String> = report
        .passed_over
        .iter()
        .map(|(kind, count)| format!("{} {kind}", grouped(*count)))
        .collect();
    (!kinds.is_empty()).then(|| format!("passed over: {}", kinds.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(counted(1, "pod"), "1 pod");
        assert_eq!(counted(0, "pod"), "0 pods");
        assert_eq!(counted(999, "pod"), "999 pods");
        assert_eq!(counted(1_234_567, "pod"), "1,234,567 pods");
        assert_eq!(
            extent(
                Extent {
                    total: 20,
                    judged: 3
                },
                "replica"
            ),
            "3 of 20 replicas judged"
        );
    }
}
