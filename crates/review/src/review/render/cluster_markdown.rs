//! A cluster's dump, for an issue or a comment.

use super::cluster;
use super::markdown::{code, escape, list};
use crate::cluster::ClusterReport;
use crate::cluster::report::SetReport;

/// The blocks about it.
pub(super) fn blocks(report: &ClusterReport) -> Vec<String> {
    let mut blocks = Vec::new();
    let (sets, rest) = cluster::sets(report);
    for set in sets {
        blocks.push(format!("### {}", escape(&set.title())));
        blocks.push(cluster::size(set));
        if !set.shown.is_empty() {
            blocks.push(table(set));
        }
        blocks.extend(cluster::hidden(set).map(|text| escape(&text)));
    }
    blocks.extend(rest.map(|text| escape(&text)));
    let findings = cluster::findings(report);
    let entries = findings.into_iter().flat_map(|(finding, rest)| {
        let word = finding.severity.markdown();
        let entry = format!("{word}: {}", escape(&cluster::sentence(finding)));
        std::iter::once(entry).chain(rest.map(|text| escape(&text)))
    });
    blocks.extend(list(entries));
    blocks
}

fn table(set: &SetReport) -> String {
    let mut lines = vec![
        format!("| {} |", cluster::HEADS.join(" | ")),
        "|---|---|---|---|---|".to_owned(),
    ];
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
        lines.push(format!("| {} |", cells.join(" | ")));
    }
    lines.join("\n")
}
