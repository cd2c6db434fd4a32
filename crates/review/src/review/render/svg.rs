//! Replicas and their nodes as a picture that browsers show.
//!
//! A picture stands alone: no script, nothing from elsewhere, and colours for light and dark. What colour says, words
//! say too.

use super::picture::{Node, Picture, Pods, Replica, Role, Section, State, number, wrapped};
use crate::review::report::Report;

/// Room around everything, and between replicas.
const MARGIN: usize = 24;
const GAP: usize = 16;

/// A replica's width, and the room between its edge and its nodes, and between theirs and what is in them.
const CARD: usize = 372;
const PAD: usize = 12;

/// Replicas side by side.
const COLUMNS: std::ops::RangeInclusive<usize> = 2..=3;

/// Heights of a line of small text and of a row of pods.
const LINE: usize = 16;
const ROW: usize = 18;

/// A pod's square with the room to the next, and most of them in a row.
const SQUARE: usize = 12;
const STEP: usize = 16;
const SQUARES: usize = 12;

/// Tenths of a pixel that a character takes at most, by the class of its text.
const SMALL: usize = 68;
const PLAIN: usize = 74;
const LARGE: usize = 105;

const STYLE: &str = "\
text{font-family:system-ui,sans-serif;font-size:12px;fill:#1f2328}\
.large{font-size:16px;font-weight:600}.bold{font-weight:600}.muted{fill:#59636e}\
.mono{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:11px}\
.page{fill:#ffffff}.card{fill:#f6f8fa;stroke:#d1d9e0}\
.own{fill:#dafbe1;stroke:#1a7f37}.any{fill:#eff2f5;stroke:#818b98}.shared{fill:#fff8c5;stroke:#9a6700}\
.none{fill:none;stroke:#cf222e;stroke-dasharray:4 3}.foreign{fill:#ffebe9;stroke:#cf222e}\
.leader{fill:#0969da;stroke:#0969da}.worker{fill:#80ccff;stroke:#0969da}.dot{fill:#ffffff}\
.stranger{fill:none;stroke:#59636e;stroke-dasharray:2 2}.refused{fill:none;stroke:#cf222e;stroke-width:1.5}\
@media(prefers-color-scheme:dark){\
text{fill:#e6edf3}.muted{fill:#9198a1}.page{fill:#0d1117}.card{fill:#151b23;stroke:#3d444d}\
.own{fill:#12261e;stroke:#3fb950}.any{fill:#212830;stroke:#656c76}.shared{fill:#272115;stroke:#d29922}\
.none{stroke:#f85149}.foreign{fill:#301b1e;stroke:#f85149}\
.leader{fill:#4493f8;stroke:#4493f8}.worker{fill:#0c2d6b;stroke:#4493f8}.dot{fill:#0d1117}\
.stranger{stroke:#9198a1}.refused{stroke:#f85149}}";

/// Writes a picture; the last line has no end. Of the pods of the input there are `limit`.
#[must_use]
pub fn write(report: &Report, limit: usize) -> String {
    let picture = Picture::of(report, limit);
    let most = picture
        .sections
        .iter()
        .map(|section| section.replicas.len());
    let columns = most.max().unwrap_or_default();
    let columns = columns.clamp(*COLUMNS.start(), *COLUMNS.end());
    let mut canvas = Canvas {
        body: String::new(),
        width: 2 * MARGIN + columns * CARD + (columns - 1) * GAP,
        columns,
    };
    let mut y = MARGIN;
    for section in &picture.sections {
        y = canvas.section(section, y);
    }
    y = canvas.legend(&picture, y);
    for note in &picture.notes {
        y = canvas.paragraph("bold", note, y);
    }
    canvas.page(&picture, y + MARGIN - LINE)
}

struct Canvas {
    body: String,
    width: usize,
    columns: usize,
}

impl Canvas {
    /// The whole file.
    fn page(&self, picture: &Picture, height: usize) -> String {
        let Self { body, width, .. } = self;
        let sections = picture.sections.iter();
        let sections = sections.map(|section| format!("{}: {}", section.title, section.size));
        let description: Vec<String> = sections.chain(picture.notes.iter().cloned()).collect();
        let description = escape(&description.join(". "));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             style=\"max-width:100%;height:auto\" role=\"img\" aria-labelledby=\"title desc\">\n\
             <title id=\"title\">LeaderWorkerSet replicas and their nodes</title>\n\
             <desc id=\"desc\">{description}</desc>\n\
             <style>{STYLE}</style>\n\
             <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n\
             {body}</svg>"
        )
    }

    /// Draws a set from `y` on; gives where it ends.
    fn section(&mut self, section: &Section, y: usize) -> usize {
        let room = self.width - 2 * MARGIN;
        self.text("large", MARGIN, y + 16, &section.title, room);
        self.text("muted", MARGIN, y + 36, &section.size, room);
        let mut y = y + 48;
        for row in section.replicas.chunks(self.columns) {
            let height = row.iter().map(height_of_replica).max().unwrap_or_default();
            for (column, replica) in row.iter().enumerate() {
                self.replica(replica, MARGIN + column * (CARD + GAP), y, height);
            }
            y += height + GAP;
        }
        if let Some(note) = &section.note {
            y = self.paragraph("muted", note, y);
        }
        y + GAP
    }

    fn replica(&mut self, replica: &Replica, x: usize, y: usize, height: usize) {
        self.rect("card", [x, y, CARD, height], 8);
        self.text("bold", x + PAD, y + 22, &replica.title, CARD - 2 * PAD);
        let mut y = y + 34;
        for node in &replica.nodes {
            let height = height_of_node(node);
            self.node(node, x + PAD, y, height);
            y += height + PAD;
        }
        if let Some(note) = &replica.note {
            self.text("muted", x + PAD, y + 10, note, CARD - 2 * PAD);
        }
    }

    fn node(&mut self, node: &Node, x: usize, y: usize, height: usize) {
        let class = match node.state {
            State::Own => "own",
            State::Any => "any",
            State::Shared => "shared",
            State::None => "none",
            State::Foreign => "foreign",
        };
        let room = CARD - 4 * PAD;
        self.rect(class, [x, y, CARD - 2 * PAD, height], 5);
        let mut y = y + PAD;
        for line in &node.lines {
            self.text("mono", x + PAD, y + 9, line, room);
            y += LINE;
        }
        y += 4;
        for pods in &node.pods {
            let squares = drawn(pods);
            self.squares(pods, x + PAD, y, squares);
            let (x, room, more) = if is_beside(pods) {
                let used = squares * STEP + 4;
                (x + PAD + used, room - used, "")
            } else {
                y += ROW;
                (
                    x + PAD,
                    room,
                    if pods.count > number(squares) {
                        "..."
                    } else {
                        ""
                    },
                )
            };
            if !more.is_empty() {
                let end = x + squares * STEP + 4;
                self.text("mono", end, y - ROW + 10, more, room);
            }
            let word = match (pods.role, pods.is_refused) {
                (Role::Leader, false) => " (leader)",
                (Role::Leader, true) => " (leader, refused)",
                (Role::Stranger, _) => " (other pod)",
                (_, true) => " (refused)",
                (Role::Worker | Role::Member, false) => "",
            };
            let short = fit(&pods.name, (room * 10 / SMALL).saturating_sub(word.len()));
            self.text("mono", x, y + 10, &format!("{short}{word}"), room);
            y += ROW;
        }
    }

    fn squares(&mut self, pods: &Pods, x: usize, y: usize, count: usize) {
        self.body
            .push_str(&format!("<g><title>{}</title>", escape(&pods.name)));
        for index in 0..count {
            self.square(pods.role, pods.is_refused, x + index * STEP, y);
        }
        self.body.push_str("</g>\n");
    }

    fn square(&mut self, role: Role, is_refused: bool, x: usize, y: usize) {
        let class = match (is_refused, role) {
            (true, _) => "refused",
            (false, Role::Leader) => "leader",
            (false, Role::Worker | Role::Member) => "worker",
            (false, Role::Stranger) => "stranger",
        };
        self.rect(class, [x, y, SQUARE, SQUARE], 2);
        let (left, top) = (x + SQUARE / 2, y + SQUARE / 2);
        let mark = match (is_refused, role) {
            (true, _) => format!(
                "<path class=\"refused\" d=\"M{} {}l6 6m0 -6l-6 6\"/>",
                x + 3,
                y + 3
            ),
            (false, Role::Leader) => {
                format!("<circle class=\"dot\" cx=\"{left}\" cy=\"{top}\" r=\"2.5\"/>")
            }
            (false, _) => return,
        };
        self.body.push_str(&mark);
    }

    /// What the squares mean that are there.
    fn legend(&mut self, picture: &Picture, y: usize) -> usize {
        let pods: Vec<(Role, bool)> = picture
            .sections
            .iter()
            .flat_map(|section| &section.replicas)
            .flat_map(|replica| &replica.nodes)
            .flat_map(|node| &node.pods)
            .map(|pods| (pods.role, pods.is_refused))
            .collect();
        let mut x = MARGIN;
        for (role, is_refused, word) in [
            (Role::Leader, false, "leader"),
            (Role::Worker, false, "worker"),
            (Role::Member, false, "leader or worker"),
            (Role::Stranger, false, "other pod"),
            (Role::Worker, true, "refused"),
        ] {
            let is_there = pods
                .iter()
                .any(|(known, refused)| *refused == is_refused && (is_refused || *known == role));
            if is_there {
                self.square(role, is_refused, x, y);
                self.text("muted", x + STEP + 4, y + 10, word, self.width);
                x += STEP + 20 + word.len() * SMALL / 10;
            }
        }
        if x == MARGIN { y } else { y + 2 * LINE }
    }

    /// Text over the whole width, on as many lines as it takes; gives where the next one begins.
    fn paragraph(&mut self, class: &str, text: &str, y: usize) -> usize {
        let room = self.width - 2 * MARGIN;
        let mut y = y;
        for line in wrapped(text, room * 10 / PLAIN) {
            self.text(class, MARGIN, y + 10, &line, room);
            y += LINE + 2;
        }
        y
    }

    fn rect(&mut self, class: &str, [x, y, width, height]: [usize; 4], round: usize) {
        self.body.push_str(&format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\"/>"
        ));
    }

    /// A line of text in so many pixels; what has no room is cut out of its middle and shown as a tip.
    fn text(&mut self, class: &str, x: usize, y: usize, text: &str, room: usize) {
        let character = match class {
            "large" => LARGE,
            "mono" => SMALL,
            _ => PLAIN,
        };
        let short = fit(text, room * 10 / character);
        let tip = if short == text {
            String::new()
        } else {
            format!("<title>{}</title>", escape(text))
        };
        self.body.push_str(&format!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{tip}{}</text>\n",
            escape(&short)
        ));
    }
}

/// Whether pods' name stands beside their squares.
fn is_beside(pods: &Pods) -> bool {
    pods.count <= 1
}

/// How many squares stand for pods.
fn drawn(pods: &Pods) -> usize {
    usize::try_from(pods.count).map_or(SQUARES, |count| count.min(SQUARES))
}

fn height_of_node(node: &Node) -> usize {
    let rows = node
        .pods
        .iter()
        .map(|pods| if is_beside(pods) { 1 } else { 2 });
    2 * PAD + node.lines.len() * LINE + rows.sum::<usize>() * ROW
}

fn height_of_replica(replica: &Replica) -> usize {
    let nodes = replica.nodes.iter().map(|node| height_of_node(node) + PAD);
    let note = if replica.note.is_some() { LINE + 4 } else { 0 };
    34 + nodes.sum::<usize>() + note
}

/// Text in so many characters: of a longer one its beginning and its end, since numbers stand there.
fn fit(text: &str, room: usize) -> String {
    let length = text.chars().count();
    if length <= room {
        return text.to_owned();
    }
    let kept = room.saturating_sub(1);
    let end = kept / 2;
    let start: String = text.chars().take(kept - end).collect();
    let end: String = text.chars().skip(length - end).collect();
    format!("{start}\u{2026}{end}")
}

/// Text as XML 1.0 lets it stand. Control characters have no place in XML at all, not even escaped.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other if other.is_control() || matches!(other, '\u{fffe}' | '\u{ffff}') => {
                out.push('\u{fffd}');
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_the_xml() {
        assert_eq!(
            escape("a<b> & \"c\"\u{0}\n"),
            "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}\u{fffd}"
        );
    }

    #[test]
    fn long_names_keep_their_ends() {
        assert_eq!(fit("vllm-0-1", 8), "vllm-0-1");
        assert_eq!(fit("a-long-name-0-1", 9), "a-lo\u{2026}-0-1");
        assert_eq!(fit("abc", 0), "\u{2026}");
    }
}
