//! Explanations and rules, written for people.

use super::Explanation;
use super::contract::{self, Rule};
use crate::review::render::style::Look;

/// Room for a rule's id.
const ID: usize = 4;

/// Writes an explanation; the last line is the verdict and has no end.
#[must_use]
pub fn explanation(explained: &Explanation, look: Look) -> String {
    let mut title = look.strong(&explained.subject);
    if let Some(place) = &explained.place {
        title.push_str("  ");
        title.push_str(&look.faint(place.line()));
    }
    let mut lines = vec![title];
    lines.extend(
        explained
            .note
            .iter()
            .flat_map(|note| wrapped(note, 0, look)),
    );
    lines.push(String::new());
    for sentence in &explained.sentences {
        let text = wrapped(&sentence.text, ID + 1, look);
        for (index, line) in text.into_iter().enumerate() {
            let id = if index == 0 { sentence.rule } else { "" };
            lines.push(format!("{} {line}", look.careful(format!("{id:ID$}"))));
        }
    }
    lines.push(String::new());
    for warning in &explained.warnings {
        lines.push(format!("{}: {warning}", look.careful("warning")));
    }
    if let Some(message) = &explained.message {
        lines.push(format!("{}: {message}", look.bad("refused")));
        let field = explained.field.as_ref();
        let field = field.map_or_else(String::new, |field| format!(", {field} of the pod"));
        if let Some(place) = &explained.at {
            lines.push(look.faint(format!("  --> {place}{field}")));
            lines.extend(place.snippet(look));
        }
        for place in &explained.also {
            lines.push(look.faint(format!("  --> {place}")));
            lines.extend(place.snippet(look));
        }
    }
    lines.push(format!(
        "{} {}",
        look.strong("verdict:"),
        explained.verdict.words()
    ));
    lines.join("\n")
}

/// Writes rules of the contract, each with its source or with those of the facts that it names.
#[must_use]
pub fn rules(rules: &[&Rule], look: Look) -> String {
    let blocks: Vec<String> = rules.iter().map(|rule| block(rule, look)).collect();
    blocks.join("\n\n")
}

fn block(rule: &Rule, look: Look) -> String {
    let place = format!("{}:{}", contract::FILE, rule.line);
    let mut lines = vec![format!(
        "{}  {}  {}",
        look.strong(&rule.id),
        rule.section,
        look.faint(place)
    )];
    lines.extend(rule.text.lines().map(indented));
    if let Some(source) = &rule.source {
        lines.push(look.faint("Source:"));
        lines.extend(source.lines().map(indented));
    }
    let named: Vec<&Rule> = rule
        .names
        .iter()
        .filter_map(|id| contract::rule(id).ok())
        .collect();
    if rule.source.is_none() {
        for fact in named.iter().filter(|fact| fact.source.is_some()) {
            lines.push(look.faint(format!("Source of {}:", fact.id)));
            lines.extend(
                fact.source
                    .iter()
                    .flat_map(|source| source.lines())
                    .map(indented),
            );
        }
    }
    if !named.is_empty() {
        lines.push(look.faint(format!("See also: {}", rule.names.join(", "))));
    }
    lines.join("\n")
}

fn indented(line: &str) -> String {
    format!("  {line}")
}

/// A text in lines of the terminal's width less `margin`; in one where there is no terminal.
fn wrapped(text: &str, margin: usize, look: Look) -> Vec<String> {
    let width = look.width.map_or(usize::MAX, usize::from);
    let room = width.saturating_sub(margin).max(20);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= room {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_terminal_gets_lines_of_its_width_and_a_pipe_gets_one() {
        let look = |width| Look {
            width,
            ..Look::default()
        };
        let text = "one two three four five six seven";
        assert_eq!(wrapped(text, 0, look(None)), [text]);
        assert_eq!(
            wrapped(text, 5, look(Some(25))),
            ["one two three four", "five six seven"]
        );
    }

    #[test]
    fn a_rule_without_a_source_shows_those_of_its_facts() {
        let rule = contract::rule("P11").unwrap();
        let text = rules(&[rule], Look::default());
        assert!(text.contains("Source of K3:"), "{text}");
    }
}
