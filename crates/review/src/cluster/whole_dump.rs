//! Reads an input as one text, where there are no threads to read while others judge.

use super::object::Object;
use super::reading::{Batch, Reading};
use crate::review::report::Remark;
use crate::review::source::Source;
use std::path::Path;

/// Reads an input and gives a dump's objects to `sink`, all in one batch.
///
/// # Errors
/// It cannot be read; the remark says why.
pub(super) fn read(path: &Path, sink: impl FnMut(Batch)) -> Result<Reading, Remark> {
    read_again(&Source::read(path)?, sink)
}

/// As [`read`], of an input whose text is there already.
///
/// # Errors
/// None is known.
pub(super) fn read_again(source: &Source, mut sink: impl FnMut(Batch)) -> Result<Reading, Remark> {
    let mut batch = Batch::default();
    for document in lws_manifest::read(&source.text) {
        match document {
            Ok(document) => {
                batch.objects.extend(Object::all(document));
            }
            Err(error) => batch.problems.push(source.unread(&error)),
        }
    }
    if batch.objects.iter().any(Object::is_of_a_cluster) {
        sink(batch);
        return Ok(Reading::Dump);
    }
    Ok(Reading::Plain(Source {
        name: source.name.clone(),
        text: source.text.clone(),
    }))
}
