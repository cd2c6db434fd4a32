//! Looks for the configuration upwards from the current folder.

use super::NAME;
use std::path::{Path, PathBuf};

/// The folder of the configuration, as it is seen from the current one: `` for that itself, `..` for the next. None
/// where there is no configuration up to the repository's folder, or to the root.
pub(super) fn base() -> Option<PathBuf> {
    let current = std::env::current_dir().ok()?;
    above(&current)
}

fn above(folder: &Path) -> Option<PathBuf> {
    let mut base = PathBuf::new();
    for folder in folder.ancestors() {
        // What is there and cannot be read is an error, not as if it were absent.
        if folder.join(NAME).symlink_metadata().is_ok() {
            return Some(base);
        }
        // A worktree has a file of that name.
        if folder.join(".git").exists() {
            return None;
        }
        base.push("..");
    }
    None
}
