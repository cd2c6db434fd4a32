//! For a job of GitHub Actions: workflow commands, which become annotations beside the lines of a change.

use super::entries::{self, Entry};
use super::text;
use crate::input::STANDARD_INPUT;
use crate::review::place::Place;
use crate::review::report::Report;
use crate::severity::Severity;
use std::path::{Component, Path, PathBuf};

/// What an annotation is called that is about no single object.
const TITLE: &str = "lws-placement review";

/// Writes a report whose files are named from `folder`, itself seen from the repository's root; the last line, which is no command, has no end. A refusal is one annotation, however many pods it
/// hits.
#[must_use]
pub fn write(report: &Report, folder: &Path) -> String {
    let entries = entries::all(report);
    let mut lines: Vec<String> = entries.iter().map(|entry| command(entry, folder)).collect();
    lines.push(text::sums(report).collect::<Vec<_>>().join("; "));
    lines.join("\n")
}

fn command(entry: &Entry<'_>, folder: &Path) -> String {
    let word = match entry.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    // What was read from standard input is no file that a line could be shown of.
    let is_file = |place: &&Place| place.file != STANDARD_INPUT;
    let mut properties = entry.place.filter(is_file).map_or_else(String::new, |at| {
        let file = property(&from_root(folder, &at.file));
        format!("file={file},line={},col={},", at.line, at.column)
    });
    let title = entry.object.as_deref().unwrap_or(TITLE);
    properties.push_str(&format!("title={}", property(title)));
    format!("::{word} {properties}::{}", data(&message(entry)))
}

/// A file as seen from the repository's root: GitHub knows no other paths.
fn from_root(folder: &Path, file: &str) -> String {
    let mut path = PathBuf::new();
    for part in folder.join(file).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if path.file_name().is_some() => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path.display().to_string()
}

fn message(entry: &Entry<'_>) -> String {
    let mut message = String::new();
    if let Some(place) = entry.place.filter(|place| place.file == STANDARD_INPUT) {
        message.push_str(&format!("{place}: "));
    }
    if let Some(what) = &entry.what {
        message.push_str(&format!("{what}: "));
    }
    message.push_str(&entry.text);
    if let Some(field) = entry.field {
        message.push_str(&format!(" ({field} of the pod)"));
    }
    for place in entry.also {
        message.push_str(&format!("; see also {place}"));
    }
    message
}

/// A message as a command takes it.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property's value as a command takes it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_command_or_a_property() {
        assert_eq!(
            data("100% a:b,c\r\n::error::"),
            "100%25 a:b,c%0D%0A::error::"
        );
        assert_eq!(property("a:b,c%2C\n"), "a%3Ab%2Cc%252C%0A");
    }
}
