//! Files that commands about the policy's metadata read and write.

use super::error::Error;
use crate::input::{self, Document};
use crate::metadata::Metadata;
use crate::problem::Problem;
use std::io::Write;
use std::path::Path;

/// Reads a text; gives the name for messages as well.
///
/// # Errors
/// It cannot be read, or is not UTF-8.
pub(super) fn text(path: &Path) -> Result<(String, String), Error> {
    let (source, bytes) = input::bytes(path)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok((source, text)),
        Err(error) => Err(Error::Usage(format!(
            "{source} is no UTF-8 text: {error}; save it as UTF-8"
        ))),
    }
}

/// Reads the metadata, with the document to point into.
///
/// # Errors
/// They cannot be read; or all that is wrong with their contents, told at once.
pub(super) fn metadata(path: &Path) -> Result<(Document, Metadata), Error> {
    let document = input::single(path, "the policy's metadata")?;
    let metadata =
        Metadata::from_value(document.value()).map_err(|problem| document.point(problem))?;
    let faults = metadata.faults();
    if faults.is_empty() {
        Ok((document, metadata))
    } else {
        Err(all(&document, faults))
    }
}

/// One error of all that is wrong in a document.
pub(super) fn all(document: &Document, problems: Vec<Problem>) -> Error {
    let texts: Vec<String> = problems
        .into_iter()
        .map(|problem| document.point(problem).to_string())
        .collect();
    Error::Usage(texts.join("\n       "))
}

/// Writes `bytes` beside `path` and renames, so that a reader never finds half of them.
///
/// # Errors
/// The folder is missing or may not be written.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::Write {
        path: path.to_owned(),
        error,
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new();
    // Temporary files are for their owner alone by default; what we write is for everybody the umask lets.
    #[cfg(unix)]
    let file = file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = file.tempfile_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
