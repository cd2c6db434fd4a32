//! Writing to standard output and standard error.

use super::error::Error;
use std::io::Write;

/// Prints a result, with a line's end.
///
/// # Errors
/// [`Error::Output`].
pub(crate) fn print(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")
        .and_then(|()| out.flush())
        .map_err(Error::Output)
}

/// Tells something on standard error. If even that fails there is no one left to tell.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
