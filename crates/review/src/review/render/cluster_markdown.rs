//! A cluster's dump, for an issue or a comment.

use super::cluster;
use super::markdown::{code, escape};
use super::page::{Page, Part};
use crate::cluster::ClusterReport;
use crate::cluster::report::SetReport;

/// Adds the sets. What is found in them is told elsewhere.
pub(super) fn add(page: &mut Page, report: &ClusterReport) {
    let (sets, rest) = cluster::sets(report);
    for set in sets {
        let summary = format!("{}: {}", set.title(), cluster::size(set));
        let mut parts = Vec::new();
        if !set.shown.is_empty() {
            parts.push(table(set));
        }
        parts.extend(cluster::hidden(set).map(|text| Part::Text(escape(&text))));
        page.fold(&summary, parts);
    }
    page.add(rest.map(|text| Part::Text(escape(&text))));
}

fn table(set: &SetReport) -> Part {
    let mut rows = Vec::new();
    for replica in &set.shown {
        let [leader, placement, pods, nodes, names] = cluster::row(set, replica);
        let coded = |text: &str, by: &str| {
            let parts = text.split(by).map(|part| match part {
                "-" | "..." => part.to_owned(),
                part => code(part).replace('|', "\\|"),
            });
            parts.collect::<Vec<_>>()
        };
        let cells = [
            coded(&leader, "\n").join(""),
            coded(&placement, "\n").join("<br>"),
            pods,
            nodes,
            coded(&names, ", ").join(", "),
        ];
        rows.push(format!("| {} |", cells.join(" | ")));
    }
    Part::table(&cluster::HEADS, rows)
}
