//! A cluster's dump, for people at a terminal.

use super::cluster;
use super::style::Look;
use crate::cluster::ClusterReport;
use crate::cluster::report::{SetReport, Severity};
use comfy_table::{Attribute, Cell, Color};

/// Space between columns.
const GAP: u16 = 2;

/// The lines about it.
pub(super) fn lines(report: &ClusterReport, look: Look) -> Vec<String> {
    let mut lines = Vec::new();
    let (sets, rest) = cluster::sets(report);
    for set in sets {
        lines.push(format!(
            "{}  {}",
            look.strong(set.title()),
            cluster::size(set)
        ));
        if !set.shown.is_empty() {
            lines.extend(table(set, look));
        }
        lines.extend(cluster::hidden(set).map(|text| look.faint(text)));
        lines.push(String::new());
    }
    lines.extend(
        rest.into_iter()
            .flat_map(|text| [look.faint(text), String::new()]),
    );
    for (finding, rest) in cluster::findings(report) {
        let word = match finding.severity {
            Severity::Error => look.bad(finding.severity.word()),
            Severity::Warning | Severity::Note => look.careful(finding.severity.word()),
        };
        lines.push(format!("{word}: {}", cluster::sentence(finding)));
        lines.extend(rest.map(|text| look.faint(text)));
    }
    lines
}

fn table(set: &SetReport, look: Look) -> Vec<String> {
    let mut table = look.bare_table();
    let heads =
        cluster::HEADS.map(|head| Cell::new(head.to_uppercase()).add_attribute(Attribute::Dim));
    table.set_header(heads);
    for replica in &set.shown {
        let cells = cluster::row(set, replica).map(Cell::new);
        let is_bad = replica.refused > 0
            || replica
                .nodes
                .iter()
                .any(|node| !node.foreign_labels.is_empty());
        table.add_row(cells.map(|cell| {
            if is_bad {
                cell.fg(Color::DarkRed)
            } else {
                cell
            }
        }));
    }
    let columns = table.column_count();
    for (index, column) in table.column_iter_mut().enumerate() {
        let gap = if index + 1 == columns { 0 } else { GAP };
        column.set_padding((0, gap));
    }
    let text = table.trim_fmt();
    text.lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}
