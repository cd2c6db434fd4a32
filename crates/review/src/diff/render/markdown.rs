//! For a pull request's comment.

use super::words;
use crate::diff::report::{Diff, Effect, PodDiff, SetDiff};
use crate::review::place::Place;
use crate::review::render::markdown::{code, escape, refusal, remark};
use crate::review::render::page::{Page, Part};

/// Writes a comparison; the last line has no end. What is too much for one comment is left out, the most serious last.
#[must_use]
pub fn write(diff: &Diff) -> String {
    let mut page = Page::default();
    for sets in diff.sets.chunk_by(|a, b| a.class == b.class) {
        let title = sets.first().map(|set| words::class(set.class));
        let mut heading = title.map(|title| format!("### {title}\n\n"));
        for set in sets {
            if page.add(set_parts(heading.as_deref().unwrap_or_default(), set)) {
                heading = None;
            }
        }
    }
    for pods in diff.pods.chunk_by(|a, b| a.class == b.class) {
        let title = pods.first().map_or("", |pod| words::class(pod.class));
        page.add(pods_parts(title, pods));
    }
    let notes = diff
        .notes
        .iter()
        .map(|note| remark(note.severity.markdown(), note));
    let problems = diff
        .problems
        .iter()
        .map(|problem| remark("**Error**", problem));
    page.add(words::passed_over(&diff.rest).map(|text| Part::Text(escape(&text))));
    page.add(Part::list(problems.chain(notes)));
    page.finish(
        "lws-placement diff -o table",
        [format!("**{}**", escape(&words::sum(diff)))],
    )
}

fn set_parts(heading: &str, set: &SetDiff) -> Vec<Part> {
    let place = set.place.as_ref().map(Place::line).unwrap_or_default();
    let mut parts = vec![Part::Text(format!(
        "{heading}**{}** ({}, {})",
        escape(&set.title()),
        escape(&words::size(set)),
        code(&place)
    ))];
    parts.extend(Part::list(
        set.warnings
            .iter()
            .map(|text| format!("Warning: {}", escape(text))),
    ));
    for effect in &set.effects {
        parts.extend(effect_parts(effect));
    }
    parts
}

fn effect_parts(effect: &Effect) -> Vec<Part> {
    let title = words::effect(effect);
    if let Some(found) = &effect.refusal {
        return vec![Part::Text(refusal(&format!("**{title}**"), found))];
    }
    let rows = effect.replicas.iter().flat_map(|replica| {
        replica.members.iter().map(|members| {
            let pods = words::names(&members.pods);
            let pods: Vec<String> = pods.lines().map(code).collect();
            let first = [replica.index.to_string(), pods.join("<br>")];
            row(first, words::members(members))
        })
    });
    let title = Part::Text(format!("{title}:"));
    let mut parts = vec![title, table(["Replica", "Pods"], rows)];
    parts.extend(words::hidden(effect).map(|text| Part::Text(escape(&text))));
    parts.extend(Part::list(effect.refusals.iter().enumerate().map(
        |(index, found)| {
            let title = format!(
                "**\\[{}\\] {} refused**",
                index + 1,
                escape(&words::hit(found))
            );
            refusal(&title, found)
        },
    )));
    parts
}

fn pods_parts(title: &str, pods: &[PodDiff]) -> Vec<Part> {
    let mut refusals = Vec::new();
    let mut rows = Vec::new();
    for pod in pods {
        let number = pod.refused.as_ref().map(|_| refusals.len() + 1);
        if let (Some(found), Some(number)) = (&pod.refused, number) {
            refusals.push(refusal(&format!("**\\[{number}\\] refused**"), found));
        }
        let place = pod.place.as_ref().map(Place::line).unwrap_or_default();
        let first = [
            code(&format!("{}/{}", pod.namespace, pod.name)),
            code(&place),
        ];
        rows.push(row(first, words::pod(pod, number)));
    }
    let title = Part::Text(format!("### {title}: pods"));
    let mut parts = vec![title, table(["Pod", "Place"], rows)];
    parts.extend(Part::list(refusals));
    parts
}

fn table(first: [&str; 2], rows: impl IntoIterator<Item = String>) -> Part {
    let titles: Vec<&str> = first.into_iter().chain(words::COLUMNS).collect();
    Part::table(&titles, rows.into_iter().collect())
}

/// A row; the last cells are lines with signs, of which those that go are struck out.
fn row(first: [String; 2], cells: [String; 4]) -> String {
    let cells = cells.map(|cell| {
        let lines: Vec<String> = cell.lines().map(line).collect();
        lines.join("<br>")
    });
    let all: Vec<String> = first
        .into_iter()
        .chain(cells)
        .map(|cell| cell.replace('|', "\\|"))
        .collect();
    format!("| {} |", all.join(" | "))
}

fn line(text: &str) -> String {
    match (text.chars().next(), text.get(1..)) {
        (Some('-'), Some(rest)) => format!("~~{}~~", code(rest)),
        (Some('+'), Some(rest)) => format!("**{}**", code(rest)),
        (_, Some(rest)) if !rest.is_empty() => code(rest),
        _ => String::new(),
    }
}
