//! Finding and reading case files.

use super::Case;
use crate::input::{self, InputError};
use std::path::{Path, PathBuf};

/// A case and the file it stands in.
#[derive(Debug, Clone)]
pub struct CaseFile {
    /// The file.
    pub path: PathBuf,
    /// The case.
    pub case: Case,
}

impl CaseFile {
    /// Reads a case file.
    ///
    /// # Errors
    /// The file cannot be read or is no case.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        let document = input::single(path, "one case")?;
        let case = Case::from_value(document.value()).map_err(|problem| document.point(problem))?;
        Ok(Self {
            path: path.to_owned(),
            case,
        })
    }

    /// The file's name without its ending: what a case is called.
    #[must_use]
    pub fn title(&self) -> String {
        self.path
            .file_stem()
            .unwrap_or(self.path.as_os_str())
            .to_string_lossy()
            .into_owned()
    }

    /// Whether `filter` is in the title, the name, or is one of the rules.
    #[must_use]
    pub fn matches(&self, filter: &str) -> bool {
        let rules = &self.case.rules;
        self.title().contains(filter)
            || self.case.name.contains(filter)
            || rules
                .applies
                .iter()
                .chain(&rules.does_not_apply)
                .any(|rule| rule == filter)
    }
}

/// The case files under `path`, sorted: itself where it is a file, else every `.yaml`, `.yml` and `.json` in the folder
/// and the folders in it.
///
/// # Errors
/// A folder cannot be read.
pub fn find(path: &Path) -> Result<Vec<PathBuf>, InputError> {
    let failed = |error| InputError::Read {
        source: path.display().to_string(),
        error,
    };
    if !std::fs::metadata(path).map_err(failed)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries = std::fs::read_dir(path)
        .and_then(|entries| {
            entries
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<Result<Vec<_>, _>>()
        })
        .map_err(failed)?;
    entries.sort();
    let mut files = Vec::new();
    for entry in entries {
        let ending = entry.extension().and_then(|ending| ending.to_str());
        if entry.is_dir() {
            files.extend(find(&entry)?);
        } else if matches!(ending, Some("yaml" | "yml" | "json")) {
            files.push(entry);
        }
    }
    Ok(files)
}
