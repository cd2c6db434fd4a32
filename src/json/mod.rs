//! JSON as it came: values are read as slices of the payload and never printed again.
//!
//! A pod of a megabyte is mostly what the policy must not touch. So the text is checked once, whole ([`Document`]),
//! and what is well-formed is then read one level at a time: only the members that are asked for are looked at, and the
//! rest keeps its bytes (I5). Where long values end is known from the check, so nothing large is gone through twice.

mod check;
mod fault;
mod plain;
mod raw;
mod select;
#[cfg(target_family = "wasm")]
mod simd;
mod text;
mod walk;

pub use fault::{Fault, Problem, missing, not_utf8, word};
pub use raw::{Document, Kind, Raw, document, due, present};
pub use select::{Inside, Members, ROOT, fill, members, nested, spec_and_metadata};
pub use text::{string, text};
pub use walk::{Elements, Entries, all_entries, elements, entries, optional_elements};
