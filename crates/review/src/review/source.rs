//! The files of a review: those that are named, those in folders, and standard input.

use super::place::Place;
use super::reason;
use super::report::Remark;
use crate::input;
use crate::snippet::Excerpt;
use lws_manifest::{Document, Position, ReadError};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// What manifests' file names end with; in folders nothing else is read.
const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// The file by which a repository says what to review. It is no manifest.
pub const CONFIGURATION: &str = ".lws-placement.yaml";

/// A text to be reviewed.
#[derive(Debug)]
pub struct Source {
    /// What it is called in messages.
    pub name: String,
    /// The text, as it was read.
    pub text: Vec<u8>,
}

impl Source {
    /// Reads a file, or standard input for `-`.
    ///
    /// # Errors
    /// It cannot be read; the remark says why.
    pub fn read(path: &Path) -> Result<Self, Remark> {
        match input::bytes(path) {
            Ok((name, text)) => Ok(Self { name, text }),
            Err(error) => Err(Remark::error(None, error.to_string())),
        }
    }

    /// Why a document of it cannot be read.
    pub(crate) fn unread(&self, error: &ReadError) -> Remark {
        let place = self.place(error.position(), "");
        Remark::error(place, reason::without_position(error))
    }

    /// What the reader has to say of a document of it: values that are not what is written.
    pub(crate) fn notes(&self, document: &Document) -> impl Iterator<Item = Remark> {
        document.notes().iter().map(|note| {
            let place = self.place(note.position(), "");
            Remark::warning(place, reason::without_position(note))
        })
    }

    /// A place in it, with its line; `value` is underlined there, if that is what the line says.
    pub(crate) fn place(&self, at: Position, value: &str) -> Place {
        Place {
            file: self.name.clone(),
            line: at.line,
            column: at.column,
            excerpt: Excerpt::of(&self.text, at.offset, value).map(Box::new),
        }
    }
}

/// The files that paths name: a file as itself, a folder as the manifests below it, in the order of their names.
///
/// A folder that holds none, or that cannot be walked, is a remark.
#[must_use]
pub fn files(paths: &[PathBuf]) -> Vec<Result<PathBuf, Remark>> {
    paths.iter().flat_map(|path| below(path)).collect()
}

fn below(path: &Path) -> Vec<Result<PathBuf, Remark>> {
    if path.as_os_str() == "-" || !path.is_dir() {
        return vec![Ok(path.to_owned())];
    }
    let walk = WalkDir::new(path).follow_links(true).sort_by_file_name();
    let mut found = Vec::new();
    for entry in walk {
        match entry {
            Ok(entry) if entry.file_type().is_file() && is_manifest(entry.path()) => {
                found.push(Ok(entry.into_path()));
            }
            // A pipe may never end, and was hardly meant.
            Ok(entry) if !entry.file_type().is_dir() && is_manifest(entry.path()) => {
                found.push(Err(Remark::error(
                    None,
                    format!(
                        "{} is no regular file and was left out; name it to have it read",
                        entry.path().display()
                    ),
                )));
            }
            Ok(_) => {}
            Err(error) => found.push(Err(Remark::error(
                None,
                format!("cannot read below {}: {error}", path.display()),
            ))),
        }
    }
    if found.is_empty() {
        found.push(Err(Remark::error(
            None,
            format!(
                "folder {} holds no file that ends in .yaml, .yml or .json; name the files themselves",
                path.display()
            ),
        )));
    }
    found
}

fn is_manifest(path: &Path) -> bool {
    if path.file_name().is_some_and(|name| name == CONFIGURATION) {
        return false;
    }
    path.extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| {
            ENDINGS
                .iter()
                .any(|known| ending.eq_ignore_ascii_case(known))
        })
}
