//! What both parsers, YAML's and JSON's, tell the builder.

use crate::{error::ReadError, position::Position, scalar::Scalar};

/// One step through a document.
#[derive(Debug)]
pub(crate) enum Event {
    DocumentStart,
    DocumentEnd,
    SequenceStart {
        anchor: usize,
    },
    SequenceEnd,
    MappingStart {
        anchor: usize,
    },
    MappingEnd,
    Scalar {
        scalar: Scalar,
        anchor: usize,
        size: usize,
    },
    Alias {
        anchor: usize,
    },
}

/// A parser: it gives events and can leave a document that has an error.
pub(crate) trait Events {
    /// The next event and where it stands; `None` at the end of the text.
    fn next_event(&mut self) -> Result<Option<(Event, Position)>, ReadError>;

    /// Goes to the next document after an error; false if there is none to be found.
    fn skip_document(&mut self) -> Result<bool, ReadError>;

    /// Says that what was read so far is done with: limits count from here.
    fn settle(&mut self);

    /// The first braces of a template that were read and not explained by a string, in the
    /// document in which the offset `from` lies.
    fn template(&self, from: usize) -> Option<Position>;
}
