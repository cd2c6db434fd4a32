//! A comment on GitHub, which takes so many characters and no more.

use super::text::grouped;

/// Most characters of what is added; GitHub takes 65,536 in all. The last lines need some of them.
const ROOM: usize = 60_000;

/// A part of a page. It is cut between rows, never within one.
#[derive(Debug)]
pub(crate) enum Part {
    /// All or nothing.
    Text(String),
    /// Lines under a head, which may be empty: a list, or a table.
    Rows { head: String, rows: Vec<String> },
}

/// A page that is full at some point. What has no room is counted.
#[derive(Debug, Default)]
pub(crate) struct Page {
    blocks: Vec<String>,
    length: usize,
    left_out: usize,
}

impl Page {
    /// Adds parts of which the first says what the others are about. Without room for the first there is none for them.
    /// Tells whether there was.
    pub(crate) fn add(&mut self, parts: impl IntoIterator<Item = Part>) -> bool {
        let mut parts = parts.into_iter();
        let is_begun = parts.next().is_none_or(|first| self.part(first));
        for part in parts {
            if is_begun {
                self.part(part);
            } else {
                self.left_out += part.lines();
            }
        }
        is_begun
    }

    /// Adds parts that are folded away under a summary.
    pub(crate) fn fold(&mut self, summary: &str, parts: Vec<Part>) {
        let opening = format!("<details>\n<summary>{}</summary>", html(summary));
        let closing = "</details>".to_owned();
        let frame = cost(&opening) + cost(&closing);
        if self.length + frame > ROOM {
            self.left_out += parts.iter().map(Part::lines).sum::<usize>();
            return;
        }
        self.length += frame;
        self.blocks.push(opening);
        let empty = self.blocks.len();
        self.add(parts);
        if self.blocks.len() == empty {
            self.blocks.pop();
            self.length -= frame;
        } else {
            self.blocks.push(closing);
        }
    }

    /// The page, with a line about what had no room and which command shows it, and these lines after all.
    pub(crate) fn finish(
        mut self,
        command: &str,
        last: impl IntoIterator<Item = String>,
    ) -> String {
        if self.left_out > 0 {
            let count = grouped(u64::try_from(self.left_out).unwrap_or(u64::MAX));
            let noun = if self.left_out == 1 { "line" } else { "lines" };
            self.blocks.push(format!(
                "... and {count} more {noun} that have no room here; `{command}` shows them"
            ));
        }
        self.blocks.extend(last);
        self.blocks.join("\n\n")
    }

    fn part(&mut self, part: Part) -> bool {
        match part {
            Part::Text(text) => {
                let length = self.length + cost(&text);
                if length > ROOM {
                    self.left_out += 1;
                    return false;
                }
                self.length = length;
                self.blocks.push(text);
                true
            }
            Part::Rows { head, rows } => self.rows(head, rows),
        }
    }

    fn rows(&mut self, head: String, rows: Vec<String>) -> bool {
        let mut length = self.length + cost(&head);
        let mut lines = if head.is_empty() { vec![] } else { vec![head] };
        let (heads, all) = (lines.len(), rows.len());
        for row in rows {
            length += row.chars().count() + 1;
            if length > ROOM {
                break;
            }
            self.length = length;
            lines.push(row);
        }
        let told = lines.len() - heads;
        self.left_out += all - told;
        if told == 0 {
            return all == 0;
        }
        self.blocks.push(lines.join("\n"));
        true
    }
}

impl Part {
    /// A list; none without entries.
    pub(crate) fn list(entries: impl IntoIterator<Item = String>) -> Option<Self> {
        let rows: Vec<String> = entries
            .into_iter()
            .map(|entry| format!("- {entry}"))
            .collect();
        let head = String::new();
        (!rows.is_empty()).then_some(Self::Rows { head, rows })
    }

    /// A table with these titles.
    pub(crate) fn table(titles: &[&str], rows: Vec<String>) -> Self {
        let line = "---|".repeat(titles.len());
        let head = format!("| {} |\n|{line}", titles.join(" | "));
        Self::Rows { head, rows }
    }

    /// How many lines a reader misses without it.
    fn lines(&self) -> usize {
        match self {
            Self::Text(_) => 1,
            Self::Rows { rows, .. } => rows.len(),
        }
    }
}

/// The characters of a block and what parts it from the next.
fn cost(block: &str) -> usize {
    block.chars().count() + 2
}

/// Text between tags, where Markdown is none.
fn html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('@', "&#64;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(count: usize) -> Part {
        Part::table(&["A", "B"], vec!["| a | b |".to_owned(); count])
    }

    #[test]
    fn a_table_is_cut_between_rows() {
        let mut page = Page::default();
        page.fold(
            "a <b> & @c",
            vec![Part::Text("text".to_owned()), rows(10_000)],
        );
        page.fold("later", vec![rows(3)]);
        let text = page.finish("this -o table", ["**sum**".to_owned()]);
        assert!(text.chars().count() < 65_536);
        assert!(text.starts_with("<details>\n<summary>a &lt;b&gt; &amp; &#64;c</summary>\n\ntext\n\n| A | B |\n|---|---|\n| a | b |\n"));
        let (shown, rest) = text.split_once("\n\n</details>\n\n").unwrap_or_default();
        let told = shown.lines().filter(|line| *line == "| a | b |").count();
        assert_eq!(
            rest,
            format!(
                "... and {} more lines that have no room here; `this -o table` shows them\n\n**sum**",
                grouped(u64::try_from(10_003 - told).unwrap_or_default())
            )
        );
    }

    #[test]
    fn what_is_about_something_goes_with_it() {
        let mut page = Page::default();
        assert!(page.add([rows(5_900)]));
        let long = Part::Text("x".repeat(2_000));
        assert!(!page.add([long, rows(2)]));
        assert!(page.add([Part::Text("short".to_owned())]));
        let text = page.finish("c", []);
        assert!(
            text.ends_with("short\n\n... and 3 more lines that have no room here; `c` shows them")
        );
        assert!(!text.contains("xxx"));
    }

    #[test]
    fn a_page_with_room_for_all_says_nothing() {
        let mut page = Page::default();
        page.fold("s", vec![rows(1)]);
        assert_eq!(
            page.finish("c", []),
            "<details>\n<summary>s</summary>\n\n| A | B |\n|---|---|\n| a | b |\n\n</details>"
        );
    }
}
