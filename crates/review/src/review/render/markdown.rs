//! For a pull request's comment.

use super::{cluster_markdown, text};
use crate::review::place::Place;
use crate::review::report::{Outcome, PodReview, Refusal, Remark, Report, SetReview};

/// Writes a report; the last line has no end.
#[must_use]
pub fn write(report: &Report) -> String {
    let mut blocks: Vec<String> = report.sets.iter().flat_map(set).collect();
    if !report.pods.is_empty() {
        blocks.extend(pods(&report.pods));
    }
    if let Some(found) = &report.cluster {
        blocks.extend(cluster_markdown::blocks(found));
    }
    blocks.extend(list(
        report
            .policies
            .iter()
            .map(|policy| escape(&policy.to_string())),
    ));
    blocks.extend(text::passed_over(report).map(|text| escape(&text)));
    let notes = report
        .notes
        .iter()
        .map(|note| remark(note.severity.markdown(), note));
    let problems = report
        .problems
        .iter()
        .map(|problem| remark("**Error**", problem));
    blocks.extend(list(notes.chain(problems)));
    blocks.extend(text::sums(report).map(|sum| format!("**{sum}**")));
    blocks.join("\n\n")
}

fn set(set: &SetReview) -> Vec<String> {
    let place = set.place.as_ref().map(Place::line).unwrap_or_default();
    let mut blocks = vec![
        format!("### {}", escape(&set.title())),
        format!("{}, {}", text::size(set), code(&place)),
    ];
    blocks.extend(
        [text::generated(set), text::sampled(set), text::stamped(set)]
            .into_iter()
            .flatten()
            .map(|text| escape(&text)),
    );
    blocks.extend(list(
        set.admission.warnings.iter().map(|text| warning(text)),
    ));
    if let Some(found) = &set.admission.refusal {
        blocks.extend(list(std::iter::once(refusal("**Refused**", found))));
        return blocks;
    }
    if !set.shown.is_empty() {
        let rows = set.shown.iter().flat_map(|replica| {
            replica.members.iter().map(|members| {
                let first = [
                    replica.index.to_string(),
                    text::value(&members.result),
                    text::pods(members),
                ];
                row(first, &members.result)
            })
        });
        blocks.push(table(["Replica", "Value", "Pods"], rows));
    }
    blocks.extend(text::hidden(set).map(|text| escape(&text)));
    let warnings = set.warnings.iter().map(|text| warning(text));
    let refusals = set.refusals.iter().enumerate();
    let refusals = refusals.map(|(index, found)| {
        refusal(
            &format!(
                "**\\[{}\\] {} refused**",
                index + 1,
                escape(&text::hit(found))
            ),
            found,
        )
    });
    blocks.extend(list(warnings.chain(refusals)));
    blocks
}

fn pods(pods: &[PodReview]) -> Vec<String> {
    let mut refusals = Vec::new();
    let mut rows = Vec::new();
    for pod in pods {
        let mut result = pod.result.clone();
        if let Some(found) = &pod.refused {
            result.refusal = Some(refusals.len() + 1);
            refusals.push(refusal(
                &format!("**\\[{}\\] refused**", refusals.len() + 1),
                found,
            ));
        }
        let place = pod.place.as_ref().map(Place::line).unwrap_or_default();
        let first = [
            format!("{}/{}", pod.namespace, pod.name),
            text::value(&result),
            place,
        ];
        rows.push(row(first, &result));
    }
    let warnings = pods
        .iter()
        .flat_map(|pod| &pod.warnings)
        .map(|text| warning(text));
    let mut blocks = vec![
        "### Pods".to_owned(),
        table(["Pod", "Value", "Place"], rows),
    ];
    blocks.extend(list(warnings.chain(refusals)));
    blocks
}

fn table(first: [&str; 3], rows: impl IntoIterator<Item = String>) -> String {
    let [a, b, c] = first;
    let mut lines = vec![
        format!("| {a} | {b} | {c} | Node selector | Toleration |"),
        "|---|---|---|---|---|".to_owned(),
    ];
    lines.extend(rows);
    lines.join("\n")
}

fn row(first: [String; 3], outcome: &Outcome) -> String {
    let cells = first
        .into_iter()
        .chain([text::selector(outcome), text::tolerations(outcome)]);
    let cells: Vec<String> = cells
        .map(|cell| {
            cell.split('\n')
                .map(cell_code)
                .collect::<Vec<_>>()
                .join("<br>")
        })
        .collect();
    format!("| {} |", cells.join(" | "))
}

/// A cell's line; names stand as code.
pub(crate) fn cell_code(text: &str) -> String {
    match text {
        "" | "-" => text.to_owned(),
        text if text.chars().all(|c| c.is_ascii_digit()) => text.to_owned(),
        text if text.starts_with("refused [") => format!("**{}**", escape(text)),
        text => code(text).replace('|', "\\|"),
    }
}

fn warning(text: &str) -> String {
    format!("Warning: {}", escape(text))
}

pub(crate) fn remark(word: &str, remark: &Remark) -> String {
    let place = remark
        .place
        .as_ref()
        .map_or_else(String::new, |place| format!(" {}", code(&place.line())));
    format!("{word}{place}: {}", escape(&remark.text))
}

pub(crate) fn refusal(title: &str, refusal: &Refusal) -> String {
    let place = refusal
        .place
        .as_ref()
        .map_or_else(String::new, |place| format!(" at {}", code(&place.line())));
    format!("{title}{place}: {}", escape(&refusal.message))
}

/// A list's block; none for no entries.
pub(crate) fn list(entries: impl Iterator<Item = String>) -> Option<String> {
    let lines: Vec<String> = entries.map(|entry| format!("- {entry}")).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Text as code. A backtick cannot be escaped there, so it becomes a quote.
pub(crate) fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', "'"))
}

/// Text that Markdown takes as it is.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // A mention would notify whoever has that name.
            '@' => out.push_str("&#64;"),
            '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_input_becomes_markup() {
        assert_eq!(
            escape("<b> *x* @all a|b"),
            "&lt;b&gt; \\*x\\* &#64;all a\\|b"
        );
        assert_eq!(cell_code("a`b|c"), "`a'b\\|c`");
        assert_eq!(cell_code("refused [1]"), "**refused \\[1\\]**");
    }
}
