//! For people at a terminal.

use super::words;
use crate::diff::report::{Class, Diff, Effect, PodDiff, SetDiff};
use crate::review::place::Place;
use crate::review::render::style::Look;
use crate::review::report::{Refusal, Remark};
use comfy_table::{Attribute, Cell, Color};

/// Space between columns.
const GAP: u16 = 2;

/// Writes a comparison; the last line has no end.
#[must_use]
pub fn write(diff: &Diff, look: Look) -> String {
    let mut page = Page {
        look,
        lines: Vec::new(),
    };
    for sets in diff.sets.chunk_by(|a, b| a.class == b.class) {
        if let Some(set) = sets.first() {
            page.heading(set.class, sets.len(), "set");
        }
        for set in sets {
            page.set(set);
            page.gap();
        }
    }
    for pods in diff.pods.chunk_by(|a, b| a.class == b.class) {
        if let Some(pod) = pods.first() {
            page.heading(pod.class, pods.len(), "pod");
        }
        page.pods(pods);
        page.gap();
    }
    page.lines.extend(words::passed_over(&diff.rest));
    for note in &diff.notes {
        page.remark(&look.careful(note.severity.word()), note);
    }
    for problem in &diff.problems {
        page.remark(&look.bad("error"), problem);
    }
    page.gap();
    page.lines.push(look.strong(words::sum(diff)));
    if diff.differs() {
        let legend = "- before, + after";
        page.lines.push(look.faint(legend));
    }
    page.lines.join("\n")
}

struct Page {
    look: Look,
    lines: Vec<String>,
}

impl Page {
    fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.lines.push(String::new());
        }
    }

    fn heading(&mut self, class: Class, count: usize, noun: &str) {
        let count =
            crate::review::render::text::counted(u64::try_from(count).unwrap_or(u64::MAX), noun);
        let title = format!("{}: {count}", words::class(class));
        let title = match class {
            Class::Refused => self.look.bad(title),
            _ => self.look.strong(title),
        };
        self.lines.push(title);
        self.gap();
    }

    fn set(&mut self, set: &SetDiff) {
        let look = self.look;
        let place = set.place.as_ref().map(Place::line).unwrap_or_default();
        self.lines.push(format!(
            "{}  {}  {}",
            look.strong(set.title()),
            words::size(set),
            look.faint(place)
        ));
        for warning in &set.warnings {
            self.lines
                .push(format!("{}: {warning}", look.careful("warning")));
        }
        for effect in &set.effects {
            self.effect(effect);
        }
    }

    fn effect(&mut self, effect: &Effect) {
        let look = self.look;
        let text = words::effect(effect);
        if let Some(refusal) = &effect.refusal {
            self.refusal(&look.bad(text), refusal);
            return;
        }
        self.lines.push(text.to_owned());
        let rows: Vec<Vec<String>> = effect
            .replicas
            .iter()
            .flat_map(|replica| {
                replica.members.iter().enumerate().map(|(row, members)| {
                    let index = match row {
                        0 => replica.index.to_string(),
                        _ => String::new(),
                    };
                    let first = [index, words::names(&members.pods)];
                    first.into_iter().chain(words::members(members)).collect()
                })
            })
            .collect();
        self.table(&["Replica", "Pods"], &rows);
        if let Some(hidden) = words::hidden(effect) {
            self.lines.push(look.faint(hidden));
        }
        for (index, refusal) in effect.refusals.iter().enumerate() {
            let title = look.bad(format!("[{}] {}", index + 1, words::hit(refusal)));
            self.refusal(&format!("{title} refused"), refusal);
        }
    }

    fn pods(&mut self, pods: &[PodDiff]) {
        let mut refusals = Vec::new();
        let mut rows = Vec::new();
        for pod in pods {
            refusals.extend(&pod.refused);
            let number = pod.refused.as_ref().map(|_| refusals.len());
            let place = pod.place.as_ref().map(Place::line).unwrap_or_default();
            let first = [format!("{}/{}", pod.namespace, pod.name), place];
            rows.push(first.into_iter().chain(words::pod(pod, number)).collect());
        }
        self.table(&["Pod", "Place"], &rows);
        for (index, refusal) in refusals.into_iter().enumerate() {
            let title = self.look.bad(format!("[{}]", index + 1));
            self.refusal(&format!("{title} refused"), refusal);
        }
    }

    fn refusal(&mut self, title: &str, refusal: &Refusal) {
        self.lines.push(title.to_owned());
        if let Some(place) = &refusal.place {
            let field = refusal.field.as_ref();
            let field = field.map_or_else(String::new, |field| format!(", {field} of the pod"));
            self.lines
                .push(self.look.faint(format!("  --> {place}{field}")));
        }
        for place in &refusal.also {
            self.lines.push(self.look.faint(format!("  --> {place}")));
        }
        self.lines.push(format!("  {}", refusal.message));
    }

    fn remark(&mut self, word: &str, remark: &Remark) {
        let place = remark
            .place
            .as_ref()
            .map_or_else(String::new, |place| format!("{place}: "));
        self.lines.push(format!("{word}: {place}{}", remark.text));
    }

    fn table(&mut self, first: &[&str], rows: &[Vec<String>]) {
        let look = self.look;
        let mut table = look.bare_table();
        let titles = first.iter().chain(&words::COLUMNS);
        table.set_header(
            titles.map(|title| Cell::new(title.to_uppercase()).add_attribute(Attribute::Dim)),
        );
        for row in rows {
            table.add_row(row.iter().enumerate().map(|(index, text)| {
                // Names of pods have no sign.
                if index < first.len() {
                    Cell::new(text)
                } else {
                    cell(text)
                }
            }));
        }
        let columns = table.column_count();
        for (index, column) in table.column_iter_mut().enumerate() {
            let gap = if index + 1 == columns { 0 } else { GAP };
            column.set_padding((0, gap));
        }
        let table = table.trim_fmt();
        let lines = table.lines().map(|line| line.trim_end().to_owned());
        self.lines.extend(lines);
    }
}

/// A cell in the colour of what it says: green where all is new, red where all is gone, yellow where it changes.
fn cell(text: &str) -> Cell {
    let (old, new) = (
        text.lines().any(|line| line.starts_with('-')),
        text.lines().any(|line| line.starts_with('+')),
    );
    let refused = text.lines().any(|line| line.starts_with("+refused"));
    let cell = Cell::new(text);
    match (refused, old, new) {
        (true, ..) | (_, true, false) => cell.fg(Color::DarkRed),
        (_, true, true) => cell.fg(Color::DarkYellow),
        (_, false, true) => cell.fg(Color::DarkGreen),
        _ => cell,
    }
}
