//! For people at a terminal.

use super::style::Look;
use super::{cluster_table, text};
use crate::review::place::Place;
use crate::review::report::{Outcome, PodReview, Refusal, Remark, Report, SetReview};
use comfy_table::{Attribute, Cell, Color, Table};

/// Space between columns.
const GAP: u16 = 2;

/// Writes a report; the last line has no end.
#[must_use]
pub fn write(report: &Report, look: Look) -> String {
    let mut page = Page {
        look,
        lines: Vec::new(),
    };
    for set in &report.sets {
        page.set(set);
        page.gap();
    }
    for pods in report.pods.chunk_by(|a, b| file(a) == file(b)) {
        page.pods(pods);
        page.gap();
    }
    if let Some(found) = &report.cluster {
        page.lines.extend(cluster_table::lines(found, look));
        page.gap();
    }
    page.remarks(report);
    for sum in text::sums(report) {
        page.line(look.strong(sum));
    }
    if let Some(legend) = text::legend(report) {
        page.line(look.faint(legend));
    }
    page.lines.join("\n")
}

fn file(pod: &PodReview) -> Option<&str> {
    pod.place.as_ref().map(|place| place.file.as_str())
}

struct Page {
    look: Look,
    lines: Vec<String>,
}

impl Page {
    fn line(&mut self, text: String) {
        self.lines.push(text);
    }

    fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.lines.push(String::new());
        }
    }

    fn set(&mut self, set: &SetReview) {
        let look = self.look;
        let place = set.place.as_ref().map(Place::line).unwrap_or_default();
        self.line(format!(
            "{}  {}  {}",
            look.strong(set.title()),
            text::size(set),
            look.faint(place)
        ));
        let lines = [text::generated(set), text::sampled(set), text::stamped(set)];
        self.lines.extend(lines.into_iter().flatten());
        for warning in &set.admission.warnings {
            self.warning(warning);
        }
        if let Some(refusal) = &set.admission.refusal {
            self.refusal(&look.bad("refused, so none of its pods are made"), refusal);
            return;
        }
        if !set.shown.is_empty() {
            let rows = set.shown.iter().flat_map(|replica| {
                replica.members.iter().enumerate().map(|(row, members)| {
                    let index = if row == 0 {
                        replica.index.to_string()
                    } else {
                        String::new()
                    };
                    let first = [index, text::value(&members.result), text::pods(members)];
                    (first, members.result.clone())
                })
            });
            let rows: Vec<Row> = rows.collect();
            self.table(["REPLICA", "VALUE", "PODS"], &rows);
        }
        if let Some(hidden) = text::hidden(set) {
            self.line(look.faint(hidden));
        }
        for warning in &set.warnings {
            self.warning(warning);
        }
        for (index, refusal) in set.refusals.iter().enumerate() {
            self.gap();
            let number = format!("[{}] {}", index + 1, text::hit(refusal));
            self.refusal(&format!("{} refused", look.bad(number)), refusal);
        }
    }

    fn pods(&mut self, pods: &[PodReview]) {
        let look = self.look;
        let file = pods.first().and_then(file).unwrap_or_default().to_owned();
        let title = text::counted(u64::try_from(pods.len()).unwrap_or(u64::MAX), "Pod");
        self.line(format!("{}  {}", look.strong(title), look.faint(file)));
        let mut rows: Vec<Row> = Vec::new();
        let mut refusals = Vec::new();
        for pod in pods {
            let mut result = pod.result.clone();
            if let Some(refusal) = &pod.refused {
                refusals.push(refusal);
                result.refusal = Some(refusals.len());
            }
            let line = pod.place.as_ref();
            let line = line.map_or_else(String::new, |place| place.line.to_string());
            let name = format!("{}/{}", pod.namespace, pod.name);
            rows.push(([name, text::value(&result), line], result));
        }
        self.table(["POD", "VALUE", "LINE"], &rows);
        for warning in pods.iter().flat_map(|pod| &pod.warnings) {
            self.warning(warning);
        }
        for (index, refusal) in refusals.into_iter().enumerate() {
            self.gap();
            let number = format!("[{}] {}", index + 1, text::hit(refusal));
            self.refusal(&format!("{} refused", look.bad(number)), refusal);
        }
    }

    fn remarks(&mut self, report: &Report) {
        let look = self.look;
        for policy in &report.policies {
            self.line(policy.to_string());
        }
        if let Some(passed_over) = text::passed_over(report) {
            self.line(passed_over);
        }
        for note in &report.notes {
            self.remark(&look.careful(note.severity.word()), note);
        }
        for problem in &report.problems {
            self.remark(&look.bad("error"), problem);
            self.excerpt(problem.place.as_ref());
        }
        self.gap();
    }

    fn remark(&mut self, word: &str, remark: &Remark) {
        let place = remark
            .place
            .as_ref()
            .map_or_else(String::new, |place| format!("{place}: "));
        self.line(format!("{word}: {place}{}", remark.text));
    }

    fn warning(&mut self, text: &str) {
        let word = self.look.careful("warning");
        self.line(format!("{word}: {text}"));
    }

    fn refusal(&mut self, title: &str, refusal: &Refusal) {
        self.line(title.to_owned());
        let field = refusal.field.as_ref();
        let field = field.map_or_else(String::new, |field| format!(", {field} of the pod"));
        if let Some(place) = &refusal.place {
            self.line(self.look.faint(format!("  --> {place}{field}")));
        }
        self.excerpt(refusal.place.as_ref());
        for place in &refusal.also {
            self.line(self.look.faint(format!("  --> {place}")));
            self.excerpt(Some(place));
        }
        self.line(format!("  {}", refusal.message));
    }

    /// The line of the input, and carets under what is meant.
    fn excerpt(&mut self, place: Option<&Place>) {
        if let Some(place) = place {
            self.lines.extend(place.snippet(self.look));
        }
    }

    /// A table of rows. Where the terminal is too narrow for selector and tolerations side by side, they stand one
    /// above the other.
    fn table(&mut self, header: [&str; 3], rows: &[Row]) {
        let wide = filled(Look::default(), header, rows, false);
        let widths = wide.lines().map(|line| line.trim_end().chars().count());
        let needed = widths.max().unwrap_or_default();
        let is_narrow = self
            .look
            .width
            .is_some_and(|width| usize::from(width) < needed);
        let table = filled(self.look, header, rows, is_narrow).trim_fmt();
        let lines = table.lines().map(|line| line.trim_end().to_owned());
        self.lines.extend(lines);
    }
}

/// The first three cells of a row, and the outcome that gives the others.
type Row = ([String; 3], Outcome);

fn filled(look: Look, header: [&str; 3], rows: &[Row], is_narrow: bool) -> Table {
    let mut table = look.bare_table();
    let title = |text: &str| Cell::new(text).add_attribute(Attribute::Dim);
    let last = if is_narrow {
        vec![title("NODE SELECTOR\nTOLERATION")]
    } else {
        vec![title("NODE SELECTOR"), title("TOLERATION")]
    };
    table.set_header(header.into_iter().map(title).chain(last));
    for (first, outcome) in rows {
        let (selector, tolerations) = (text::selector(outcome), text::tolerations(outcome));
        let last = match (is_narrow, tolerations.as_str()) {
            (false, _) => vec![cell(&selector, outcome), cell(&tolerations, outcome)],
            (true, "-") => vec![cell(&selector, outcome)],
            (true, _) => vec![cell(&format!("{selector}\n{tolerations}"), outcome)],
        };
        table.add_row(first.iter().map(Cell::new).chain(last));
    }
    let columns = table.column_count();
    for (index, column) in table.column_iter_mut().enumerate() {
        let gap = if index + 1 == columns { 0 } else { GAP };
        column.set_padding((0, gap));
    }
    table
}

/// A cell about selector or tolerations, in the colour of what it says.
fn cell(text: &str, outcome: &Outcome) -> Cell {
    let cell = Cell::new(text);
    match text.chars().next() {
        Some('+') => cell.fg(Color::DarkGreen),
        _ if !outcome.allowed && text != "-" => cell.fg(Color::DarkRed),
        _ => cell,
    }
}
