//! For a pull request's comment.

use super::words;
use crate::diff::report::{Diff, Effect, PodDiff, SetDiff};
use crate::review::place::Place;
use crate::review::render::markdown::{code, escape, list, refusal, remark};
use crate::review::render::text::counted;

/// Most characters; GitHub takes 65,536 in a comment. The last lines need some of them.
const ROOM: usize = 60_000;

/// Writes a comparison; the last line has no end. What is too much for one comment is left out, the most serious last.
#[must_use]
pub fn write(diff: &Diff) -> String {
    let mut page = Page::default();
    for sets in diff.sets.chunk_by(|a, b| a.class == b.class) {
        let title = sets.first().map(|set| words::class(set.class));
        let mut heading = title.map(|title| format!("### {title}"));
        for set in sets {
            page.add(heading.take().into_iter().chain(set_blocks(set)).collect());
        }
    }
    for pods in diff.pods.chunk_by(|a, b| a.class == b.class) {
        let title = pods.first().map_or("", |pod| words::class(pod.class));
        page.add(pods_blocks(title, pods));
    }
    let notes = diff
        .notes
        .iter()
        .map(|note| remark(note.severity.markdown(), note));
    let problems = diff
        .problems
        .iter()
        .map(|problem| remark("**Error**", problem));
    if let Some(text) = words::passed_over(&diff.rest) {
        page.add(vec![escape(&text)]);
    }
    for line in problems.chain(notes) {
        page.add(vec![format!("- {line}")]);
    }
    if page.left_out > 0 {
        let more = format!(
            "... and {} without room here; `-o table` shows all",
            counted(
                u64::try_from(page.left_out).unwrap_or(u64::MAX),
                "more part"
            )
        );
        page.blocks.push(more);
    }
    page.blocks
        .push(format!("**{}**", escape(&words::sum(diff))));
    page.blocks.join("\n\n")
}

#[derive(Default)]
struct Page {
    blocks: Vec<String>,
    length: usize,
    left_out: usize,
}

impl Page {
    /// Adds blocks that belong together, if there is room.
    fn add(&mut self, blocks: Vec<String>) {
        let length: usize = blocks.iter().map(|block| block.chars().count() + 2).sum();
        if self.length + length > ROOM {
            self.left_out += 1;
            return;
        }
        self.length += length;
        self.blocks.extend(blocks);
    }
}

fn set_blocks(set: &SetDiff) -> Vec<String> {
    let place = set.place.as_ref().map(Place::line).unwrap_or_default();
    let mut blocks = vec![format!(
        "**{}** ({}, {})",
        escape(&set.title()),
        escape(&words::size(set)),
        code(&place)
    )];
    blocks.extend(list(
        set.warnings
            .iter()
            .map(|text| format!("Warning: {}", escape(text))),
    ));
    for effect in &set.effects {
        blocks.extend(effect_blocks(effect));
    }
    blocks
}

fn effect_blocks(effect: &Effect) -> Vec<String> {
    let title = words::effect(effect);
    if let Some(found) = &effect.refusal {
        return vec![refusal(&format!("**{title}**"), found)];
    }
    let rows = effect.replicas.iter().flat_map(|replica| {
        replica.members.iter().map(|members| {
            let pods = words::names(&members.pods);
            let pods: Vec<String> = pods.lines().map(code).collect();
            let first = [replica.index.to_string(), pods.join("<br>")];
            row(first, words::members(members))
        })
    });
    let mut blocks = vec![format!("{title}:"), table(["Replica", "Pods"], rows)];
    blocks.extend(words::hidden(effect).map(|text| escape(&text)));
    blocks.extend(list(effect.refusals.iter().enumerate().map(
        |(index, found)| {
            let title = format!(
                "**\\[{}\\] {} refused**",
                index + 1,
                escape(&words::hit(found))
            );
            refusal(&title, found)
        },
    )));
    blocks
}

fn pods_blocks(title: &str, pods: &[PodDiff]) -> Vec<String> {
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
    let mut blocks = vec![format!("### {title}: pods"), table(["Pod", "Place"], rows)];
    blocks.extend(list(refusals.into_iter()));
    blocks
}

fn table(first: [&str; 2], rows: impl IntoIterator<Item = String>) -> String {
    let titles: Vec<&str> = first.into_iter().chain(words::COLUMNS).collect();
    let mut lines = vec![
        format!("| {} |", titles.join(" | ")),
        format!("|{}", "---|".repeat(titles.len())),
    ];
    lines.extend(rows);
    lines.join("\n")
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
