//! What tests of the pages share: which pages there are, and what is in them.
#![allow(
    dead_code,
    missing_docs,
    clippy::unwrap_used,
    reason = "each test file uses its part; a failed set-up fails the test"
)]

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The repository's folder.
pub fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    folder.canonicalize().unwrap()
}

/// The README and the pages under `docs/`, sorted.
pub fn pages() -> Vec<PathBuf> {
    let mut pages = markdown_under(&root().join("docs"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// Every Markdown file of the repository, sorted; what is built or hidden is left out.
pub fn all() -> Vec<PathBuf> {
    markdown_under(&root())
}

fn markdown_under(folder: &Path) -> Vec<PathBuf> {
    let is_ours = |name: &str| !matches!(name, "target" | "node_modules") && !name.starts_with('.');
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(folder)
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || is_ours(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    files.sort();
    files
}

/// A block of code that stands between fences.
pub struct Fence {
    /// What stands behind the opening fence.
    pub language: String,
    pub text: String,
    /// The line of the opening fence, from 1.
    pub line: usize,
}

/// The blocks of a page, in their order.
pub fn fences(page: &str) -> Vec<Fence> {
    let mut fences: Vec<Fence> = Vec::new();
    let mut inside = false;
    for (event, range) in events(page) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                inside = true;
                fences.push(Fence {
                    language: language.into_string(),
                    text: String::new(),
                    line: line(page, &range),
                });
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(text) if inside => {
                if let Some(fence) = fences.last_mut() {
                    fence.text.push_str(&text);
                }
            }
            _ => {}
        }
    }
    fences
}

/// Where the links and images of a page lead, with the line that each is in.
pub fn links(page: &str) -> Vec<(usize, String)> {
    events(page)
        .filter_map(|(event, range)| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some((line(page, &range), dest_url.into_string()))
            }
            _ => None,
        })
        .collect()
}

/// What a fragment may name in a page: its headings as GitHub writes them, and `<a id="…">`.
pub fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut heading: Option<String> = None;
    for (event, _) in events(page) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let slug = slug(&heading.take().unwrap_or_default());
                let next = |count: usize| match count {
                    0 => slug.clone(),
                    _ => format!("{slug}-{count}"),
                };
                let free = (0..).map(next).find(|slug| !anchors.contains(slug));
                anchors.extend(free);
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                let ids = html.split("id=\"").skip(1);
                anchors.extend(ids.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
            }
            _ => {}
        }
    }
    anchors
}

fn slug(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    let lower = heading.trim().to_lowercase();
    lower
        .chars()
        .filter(kept)
        .collect::<String>()
        .replace(' ', "-")
}

fn events(page: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(page, Options::ENABLE_TABLES).into_offset_iter()
}

fn line(page: &str, range: &Range<usize>) -> usize {
    let before = page.get(..range.start).unwrap_or_default();
    before.matches('\n').count() + 1
}

#[test]
fn anchors_are_githubs() {
    let page = "# `a`, *b* & C-d_e\n## Twice\n## Twice\n<a id=\"by-hand\"></a>Text\n";
    let wanted = ["a-b--c-d_e", "by-hand", "twice", "twice-1"];
    assert_eq!(anchors(page), wanted.map(str::to_owned).into());
}

#[test]
fn fences_know_their_language_and_line() {
    let page = "Text\n\n```yaml\na: 1\n\nb: 2\n```\n\n    indented\n\n```\nplain\n```\n";
    let found: Vec<_> = fences(page)
        .into_iter()
        .map(|fence| (fence.language, fence.text, fence.line))
        .collect();
    let yaml = ("yaml".to_owned(), "a: 1\n\nb: 2\n".to_owned(), 3);
    let plain = (String::new(), "plain\n".to_owned(), 11);
    assert_eq!(found, [yaml, plain]);
}
