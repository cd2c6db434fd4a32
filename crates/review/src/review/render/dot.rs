//! Replicas and their nodes in Graphviz' language: `lws-placement review -o dot … | dot -Tpdf`.

use super::picture::{Node, Picture, Pods, Replica, Role, Section, State, wrapped};
use crate::review::report::Report;

/// Most characters of a note's line.
const NOTE: usize = 60;

/// Writes a graph; the last line has no end. A set, a replica and a group of nodes are clusters, pods are nodes. Of the
/// pods of the input there are `limit`.
#[must_use]
pub fn write(report: &Report, limit: usize) -> String {
    let picture = Picture::of(report, limit);
    let mut out = Writer::default();
    out.open("graph \"lws-placement review\" {");
    let label = picture.notes.join("\n");
    out.line(&format!(
        "graph [rankdir=LR, fontname=\"sans-serif\", labeljust=l, label={}]",
        quoted(&label)
    ));
    out.line(
        "node [shape=box, style=filled, fillcolor=white, fontname=\"sans-serif\", fontsize=11]",
    );
    for section in &picture.sections {
        out.section(section);
    }
    out.close();
    out.text.trim_end().to_owned()
}

#[derive(Default)]
struct Writer {
    text: String,
    depth: usize,
    clusters: usize,
    nodes: usize,
}

impl Writer {
    fn line(&mut self, line: &str) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.line("}");
    }

    /// Begins a cluster; Graphviz knows them by the name's beginning.
    fn cluster(&mut self, label: &str, look: &str) {
        self.open(&format!("subgraph cluster_{} {{", self.clusters));
        self.clusters += 1;
        self.line(&format!("label={}; {look}", quoted(label)));
    }

    /// A node of Graphviz; gives its name.
    fn node(&mut self, label: &str, look: &str) -> String {
        let name = format!("n{}", self.nodes);
        self.nodes += 1;
        self.line(&format!("{name} [label={}{look}]", quoted(label)));
        name
    }

    fn section(&mut self, section: &Section) {
        let label = format!("{}\n{}", section.title, section.size);
        self.cluster(&label, "color=gray50; fontsize=16");
        for replica in &section.replicas {
            self.replica(replica);
        }
        if let Some(note) = &section.note {
            self.note(note);
        }
        self.close();
    }

    fn replica(&mut self, replica: &Replica) {
        self.cluster(&replica.title, "color=gray70; fontsize=13");
        let mut leader = None;
        let mut workers = Vec::new();
        for node in &replica.nodes {
            for (role, name) in self.group(node) {
                match role {
                    Role::Leader => leader = Some(name),
                    Role::Worker => workers.push(name),
                    Role::Member | Role::Stranger => {}
                }
            }
        }
        for worker in workers {
            if let Some(leader) = &leader {
                self.line(&format!("{leader} -- {worker}"));
            }
        }
        if let Some(note) = &replica.note {
            self.note(note);
        }
        self.close();
    }

    fn group(&mut self, node: &Node) -> Vec<(Role, String)> {
        let look = match node.state {
            State::Own => "style=filled; color=\"#1a7f37\"; fillcolor=\"#dafbe1\"",
            State::Any => "style=filled; color=gray60; fillcolor=\"#f6f8fa\"",
            State::Shared => "style=filled; color=\"#9a6700\"; fillcolor=\"#fff8c5\"",
            State::None => "style=dashed; color=\"#cf222e\"",
            State::Foreign => "style=filled; color=\"#cf222e\"; fillcolor=\"#ffebe9\"",
        };
        self.cluster(&node.lines.join("\n"), &format!("{look}; fontsize=11"));
        let named = node.pods.iter().map(|pods| (pods.role, self.pods(pods)));
        let named = named.collect();
        self.close();
        named
    }

    fn pods(&mut self, pods: &Pods) -> String {
        let word = match pods.role {
            Role::Leader => "\nleader",
            Role::Stranger => "\nother pod",
            Role::Worker | Role::Member => "",
        };
        let refused = if pods.is_refused { "\nrefused" } else { "" };
        let mut look = String::new();
        match pods.role {
            Role::Leader => look.push_str(", penwidth=2.5"),
            Role::Stranger => look.push_str(", style=\"filled,dashed\""),
            Role::Worker | Role::Member => {}
        }
        if pods.is_refused {
            look.push_str(", color=\"#cf222e\", fontcolor=\"#cf222e\"");
        }
        self.node(&format!("{}{word}{refused}", pods.name), &look)
    }

    fn note(&mut self, note: &str) {
        let lines = wrapped(note, NOTE).join("\n");
        self.node(&lines, ", shape=plaintext, style=\"\"");
    }
}

/// A string of Graphviz. A backslash would begin an escape there, such as `\N` for the node's name.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            // Ends a line that stands at the left.
            '\n' => out.push_str("\\l"),
            // Labels are read like HTML's text as to entities.
            '&' => out.push_str("&amp;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    if text.contains('\n') {
        out.push_str("\\l");
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_string() {
        assert_eq!(
            quoted("a\"] \\N &lt;\n\u{0}"),
            "\"a\\\"] \\\\N &amp;lt;\\l \\l\""
        );
    }
}
