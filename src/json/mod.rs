//! JSON as it came: values are read as slices of the payload and never printed again.
//!
//! A pod of a megabyte is mostly what the policy must not touch. So serde_json looks at the text once, whole
//! ([`document`]), and what it found well-formed is then read one level at a time: only the members that are asked for
//! are looked at, and the rest keeps its bytes (I5). Stepping over text that is known to be well-formed takes a tenth of
//! the instructions of parsing it again, and no stack, however deep it is.

mod fault;
mod raw;
mod select;
mod text;
mod walk;

pub use fault::{Fault, Problem, not_utf8};
pub use raw::{Kind, Raw, document, due, present};
pub use select::{Members, members, nested, object_and_metadata};
pub use text::{string, text};
pub use walk::{Elements, Entries, all_entries, elements, entries, optional_elements};
