//! Finding and reading case files.

use super::Case;
use crate::input::{self, InputError};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

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

/// The case files under `path`, sorted: itself where it is no folder, else every `.yaml`, `.yml` and `.json` in the
/// folder and the folders in it.
///
/// # Errors
/// A folder cannot be read, leads back into itself, or holds a pipe or a device by such a name.
pub fn find(path: &Path) -> Result<Vec<PathBuf>, InputError> {
    let failed = |path: &Path, error| InputError::Read {
        source: path.display().to_string(),
        error,
    };
    if !std::fs::metadata(path)
        .map_err(|error| failed(path, error))?
        .is_dir()
    {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| failed(path, error.into()))?;
        let ending = entry.path().extension().and_then(|ending| ending.to_str());
        if entry.file_type().is_dir() || !matches!(ending, Some("yaml" | "yml" | "json")) {
            continue;
        }
        if !entry.file_type().is_file() {
            let error = std::io::Error::other("it is no regular file");
            return Err(failed(entry.path(), error));
        }
        files.push(entry.into_path());
    }
    Ok(files)
}
