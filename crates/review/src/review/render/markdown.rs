//! For a pull request's comment.

use super::entries::{self, Entry};
use super::page::{Page, Part};
use super::{cluster_markdown, text};
use crate::review::place::Place;
use crate::review::report::{Outcome, PodReview, Refusal, Remark, Report, SetReview};

/// Writes a report; the last line has no end. What is refused stands first, details are folded away, and what is too
/// much for one comment is left out.
#[must_use]
pub fn write(report: &Report) -> String {
    let mut page = Page::default();
    page.add([Part::Text(format!("### {}", verdict(report)))]);
    page.add(text::sums(report).map(|sum| Part::Text(format!("**{sum}**"))));
    page.add(Part::list(entries::all(report).iter().map(entry)));
    let policies = report.policies.iter();
    page.add(Part::list(
        policies.map(|policy| escape(&policy.to_string())),
    ));
    page.add(text::passed_over(report).map(|text| Part::Text(escape(&text))));
    for set in &report.sets {
        page.fold(&summary(set), details(set));
    }
    if !report.pods.is_empty() {
        let count = u64::try_from(report.pods.len()).unwrap_or(u64::MAX);
        page.fold(&text::counted(count, "Pod"), vec![pods(&report.pods)]);
    }
    if let Some(found) = &report.cluster {
        cluster_markdown::add(&mut page, found);
    }
    page.finish("lws-placement review -o table", [])
}

fn verdict(report: &Report) -> &'static str {
    if !report.problems.is_empty() {
        "Not all could be reviewed"
    } else if report.sum.refused > 0 {
        "Refused"
    } else if report
        .cluster
        .as_ref()
        .is_some_and(|found| found.sum.errors > 0)
    {
        "Errors in the cluster"
    } else if report.faults() > 0 {
        "Warnings, which this review counts as faults"
    } else {
        "Accepted"
    }
}

fn entry(entry: &Entry<'_>) -> String {
    let Some(what) = &entry.what else {
        let place = entry.place;
        // The place of a warning about an object would be that of the object that it names.
        let place = place.filter(|_| entry.object.is_none());
        return told(entry.severity.markdown(), place, &entry.text);
    };
    let object = entry.object.as_deref().unwrap_or_default();
    let number = entry
        .number
        .map_or_else(String::new, |number| format!(" [{number}]"));
    let head = format!("**{}**", escape(&format!("{object}{number}: {what}")));
    refused(&head, entry.place, &entry.text)
}

fn summary(set: &SetReview) -> String {
    let refused = match set.admission.allowed {
        false => "refused".to_owned(),
        true => {
            let count = set.refusals.iter().map(|refusal| refusal.count).sum();
            format!("{} refused", text::grouped(count))
        }
    };
    format!("{}: {}, {refused}", set.title(), text::size(set))
}

fn details(set: &SetReview) -> Vec<Part> {
    let place = set.place.as_ref().map(Place::line).unwrap_or_default();
    let mut parts = vec![Part::Text(format!("{}, {}", text::size(set), code(&place)))];
    let lines = [text::generated(set), text::sampled(set), text::stamped(set)];
    let lines = lines.into_iter().flatten();
    parts.extend(lines.map(|text| Part::Text(escape(&text))));
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
        parts.push(table(["Replica", "Value", "Pods"], rows));
    }
    parts.extend(text::hidden(set).map(|text| Part::Text(escape(&text))));
    parts
}

fn pods(pods: &[PodReview]) -> Part {
    let mut refused = 0;
    let mut rows = Vec::new();
    for pod in pods {
        let mut result = pod.result.clone();
        if pod.refused.is_some() {
            refused += 1;
            result.refusal = Some(refused);
        }
        let place = pod.place.as_ref().map(Place::line).unwrap_or_default();
        let first = [
            format!("{}/{}", pod.namespace, pod.name),
            text::value(&result),
            place,
        ];
        rows.push(row(first, &result));
    }
    table(["Pod", "Value", "Place"], rows)
}

fn table(first: [&str; 3], rows: impl IntoIterator<Item = String>) -> Part {
    let [a, b, c] = first;
    let titles = [a, b, c, "Node selector", "Toleration"];
    Part::table(&titles, rows.into_iter().collect())
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

/// A remark after a word for it.
pub(crate) fn remark(word: &str, remark: &Remark) -> String {
    told(word, remark.place.as_ref(), &remark.text)
}

fn told(word: &str, place: Option<&Place>, text: &str) -> String {
    let place = place.map_or_else(String::new, |place| format!(" {}", code(&place.line())));
    format!("{word}{place}: {}", escape(text))
}

/// A refusal after a title, which is Markdown.
pub(crate) fn refusal(title: &str, refusal: &Refusal) -> String {
    refused(title, refusal.place.as_ref(), &refusal.message)
}

fn refused(title: &str, place: Option<&Place>, message: &str) -> String {
    let place = place.map_or_else(String::new, |place| format!(" at {}", code(&place.line())));
    format!("{title}{place}: {}", escape(message))
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
