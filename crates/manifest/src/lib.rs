//! Reads Kubernetes manifests, YAML or JSON, and remembers where each value stands.
//!
//! A text may hold many documents, `kind: List` among them. Scalars become what kubectl makes of
//! them before it talks to the API server (see [`Scalar`]), and every value keeps its line, column
//! and byte offset, so that a message can point into the file.
//!
//! - [`read`] and [`read_with`] take a whole text.
//! - [`Documents`] reads from a stream, one document at a time; with
//!   [`Documents::splitting_lists`] one item of a list at a time, so that a list of any length is
//!   read in the memory of its largest item.
//!
//! ```
//! let text = "kind: Pod\nspec:\n  nodeName: a\n";
//! let document = lws_manifest::read(text).remove(0)?;
//! assert_eq!(document.value["spec"]["nodeName"], "a");
//! assert_eq!(document.locate("/spec/nodeName").line, 3);
//! # Ok::<(), lws_manifest::ReadError>(())
//! ```

mod anchors;
mod builder;
mod document;
mod documents;
mod error;
mod event;
mod float_key;
mod json;
mod limits;
mod mapping;
mod place;
mod position;
mod scalar;
mod source;
mod template;
mod values;
mod yaml;

pub use document::{Document, Item, Note};
pub use documents::{Documents, read, read_with};
pub use error::ReadError;
pub use limits::{Limit, Limits};
pub use position::Position;
pub use scalar::Scalar;
