//! Words and cells that the formats share.

use crate::diff::report::{
    Change, Class, Diff, Effect, Entry, Given, MembersDiff, PodDiff, Rest, SetDiff, Taint, Verdict,
    When,
};
use crate::review::render::text::{counted, grouped};
use crate::review::report::Refusal;

/// Before a line that is there no more, a line that is new, and one that stays.
const OLD: char = '-';
const NEW: char = '+';
const SAME: char = ' ';

/// Most pieces of a list of pods' names.
const NAMES: usize = 4;

/// Names that fit on one line together.
const LINE: usize = 36;

/// The title over the sets of a class.
#[must_use]
pub fn class(class: Class) -> &'static str {
    match class {
        Class::Refused => "Newly refused",
        Class::Changed => "Placed otherwise",
        Class::NextUpdate => "Placed otherwise from the next update on",
        Class::Split => "Replicas that would split",
    }
}

/// What comes about, and when.
#[must_use]
pub fn effect(effect: &Effect) -> &'static str {
    match (effect.class, effect.when) {
        (Class::Refused, When::Created) if effect.refusal.is_some() => {
            "refused when it is created, so none of its pods are made"
        }
        (Class::Refused, When::Applied | When::RolledOut) if effect.refusal.is_some() => {
            "refused when it is applied, so the stored set stays as it is"
        }
        (Class::Refused, When::Scaled) => "refused when it is scaled",
        (Class::Refused, When::NextRevision) => {
            "refused at its next revision; until then it keeps its placement"
        }
        // Whoever judges only refuses stamped pods too, so no word about stamps here.
        (Class::Refused, When::MadeAgain) => {
            "when a replica is made again from the template that is stored"
        }
        (Class::Refused, When::WorkerMadeAgain) => {
            "when one worker is made again from the template that is stored"
        }
        (_, When::Created) => "when it is created",
        (_, When::Removed) => "when it is deleted",
        (_, When::Applied) => "when it is applied; the other replicas stay",
        (_, When::RolledOut) => "when it is applied, which makes its replicas anew",
        (_, When::MadeAgain) if effect.stamped => {
            "when a replica is made again: the policies treat its pods otherwise"
        }
        (_, When::WorkerMadeAgain) if effect.stamped => {
            "when one worker is made again: the policies treat it otherwise, while the rest of its replica stays where it is"
        }
        (_, When::MadeAgain) => {
            "when a replica is made again: its pods have no stamp and follow the settings of the moment"
        }
        (_, When::WorkerMadeAgain) => {
            "when one worker is made again: it has no stamp and follows the settings of the moment, while the rest of its replica stays where it is"
        }
        (_, When::Scaled) => "when it is scaled; until then it keeps its placement",
        (_, When::NextRevision) => "at its next revision; until then it keeps its placement",
    }
}

/// Whether a set comes or goes, and its replicas.
#[must_use]
pub fn size(set: &SetDiff) -> String {
    let word = match set.change {
        Change::Added => "new, ",
        Change::Removed => "removed, ",
        Change::Kept => "",
    };
    let replicas = match (set.replicas_before, set.replicas_after) {
        (Some(before), Some(after)) if before != after => {
            format!("{} -> {}", grouped(before), counted(after, "replica"))
        }
        (before, after) => after
            .or(before)
            .map_or_else(|| "not made".to_owned(), |count| counted(count, "replica")),
    };
    let judged = set.judged.map_or_else(String::new, |judged| {
        format!(" ({} of them judged)", grouped(judged))
    });
    format!("{word}{replicas}{judged}")
}

/// Replicas that are not shown; none where all are.
#[must_use]
pub fn hidden(effect: &Effect) -> Option<String> {
    (effect.hidden > 0).then(|| {
        let shown = u64::try_from(effect.replicas.len()).unwrap_or(u64::MAX);
        format!(
            "... and {} that differ (--replicas {} shows all)",
            counted(effect.hidden, "replica"),
            shown.saturating_add(effect.hidden)
        )
    })
}

/// The last line: all classes that there are, and the rest.
#[must_use]
pub fn sum(diff: &Diff) -> String {
    let sum = &diff.sum;
    let classes = [
        (sum.refused, "newly refused"),
        (sum.changed, "placed otherwise"),
        (sum.next_update, "placed otherwise from the next update on"),
        (sum.split, "with replicas that would split"),
    ];
    let mut parts: Vec<String> = classes
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, text)| format!("{} {text}", grouped(count)))
        .collect();
    if !diff.differs() {
        parts.push(format!("no difference: {}", rest(&diff.rest)));
    } else if diff.rest.sets + diff.rest.pods > 0 {
        parts.push(format!("the same: {}", rest(&diff.rest)));
    }
    if !diff.problems.is_empty() {
        let count = u64::try_from(diff.problems.len()).unwrap_or(u64::MAX);
        parts.push(format!("{} not compared", grouped(count)));
    }
    parts.join(", ")
}

/// Kinds that were passed over; none where there are none.
#[must_use]
pub fn passed_over(rest: &Rest) -> Option<String> {
    let kinds: Vec<String> = rest
        .passed_over
        .iter()
        .map(|(kind, count)| format!("{} {kind}", grouped(*count)))
        .collect();
    (!kinds.is_empty()).then(|| format!("passed over: {}", kinds.join(", ")))
}

fn rest(rest: &Rest) -> String {
    let mut text = format!(
        "{} with {}",
        counted(rest.sets, "set"),
        counted(rest.replicas, "replica")
    );
    if rest.pods > 0 {
        text.push_str(&format!(" and {}", counted(rest.pods, "pod")));
    }
    let mut of_them = Vec::new();
    if rest.rolling > 0 {
        of_them.push(format!("{} rolled out anew", grouped(rest.rolling)));
    }
    if rest.refused > 0 {
        of_them.push(format!("{} refused as before", grouped(rest.refused)));
    }
    if !of_them.is_empty() {
        text.push_str(&format!(" ({})", of_them.join(", ")));
    }
    text
}

/// Names of pods, the first ones where there are many.
#[must_use]
pub fn names(pods: &[String]) -> String {
    let mut names: Vec<&str> = pods.iter().map(String::as_str).take(NAMES).collect();
    if pods.len() > NAMES {
        names.push("...");
    }
    let line = names.join(", ");
    if line.len() > LINE {
        names.join(",\n")
    } else {
        line
    }
}

/// Titles of the columns after those that say which pods.
pub const COLUMNS: [&str; 4] = ["Verdict", "Value", "Node selector", "Toleration"];

/// The cells of what pods had and get: verdict, value, selector, tolerations. Each cell is a small diff.
pub(super) fn cells(before: Option<&Given>, after: Option<&Given>) -> [String; 4] {
    let lines = |of: fn(&Given) -> Vec<String>| {
        let old = before.map(of).unwrap_or_default();
        let new = after.map(of).unwrap_or_default();
        cell(&old, &new)
    };
    [
        lines(verdict),
        lines(value),
        lines(|given| given.node_selector.iter().map(entry).collect()),
        lines(|given| given.tolerations.iter().map(taint).collect()),
    ]
}

/// The cells of a replica's pods.
#[must_use]
pub fn members(members: &MembersDiff) -> [String; 4] {
    cells(members.before.as_ref(), members.after.as_ref())
}

/// The cells of a pod; a refusal is number `number`.
#[must_use]
pub fn pod(pod: &PodDiff, number: Option<usize>) -> [String; 4] {
    let after = pod.after.clone().map(|after| Given {
        refusal: number,
        ..after
    });
    cells(pod.before.as_ref(), after.as_ref())
}

fn verdict(given: &Given) -> Vec<String> {
    let text = match (given.verdict, given.refusal) {
        (Verdict::Accepted, _) => "accepted".to_owned(),
        (Verdict::Refused, None) => "refused".to_owned(),
        (Verdict::Refused, Some(number)) => format!("refused [{number}]"),
    };
    vec![text]
}

fn value(given: &Given) -> Vec<String> {
    let text = given.value.iter().flat_map(|value| value.split(','));
    text.map(str::to_owned).collect()
}

fn entry(entry: &Entry) -> String {
    entry.key.clone()
}

fn taint(taint: &Taint) -> String {
    match &taint.effect {
        Some(effect) => format!("{}:{effect}", taint.key),
        None => taint.key.clone(),
    }
}

/// Lines that go, stay and come, with their signs. Where only the order differs, nothing does.
fn cell(old: &[String], new: &[String]) -> String {
    let signed = |sign: char, line: &String| format!("{sign}{line}");
    let gone = old.iter().filter(|line| !new.contains(line));
    let lines: Vec<String> = gone
        .map(|line| signed(OLD, line))
        .chain(new.iter().map(|line| {
            let sign = if old.contains(line) { SAME } else { NEW };
            signed(sign, line)
        }))
        .collect();
    if lines.is_empty() {
        return SAME.to_string();
    }
    lines.join("\n")
}

/// Whom a refusal hits.
#[must_use]
pub fn hit(refusal: &Refusal) -> String {
    crate::review::render::text::hit(refusal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_a_small_diff() {
        let text = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let old: Vec<String> = text(&["a", "b"]);
        let new: Vec<String> = text(&["b", "c"]);
        assert_eq!(cell(&old, &new), "-a\n b\n+c");
        assert_eq!(cell(&[], &[]), " ");
    }
}
