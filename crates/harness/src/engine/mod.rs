//! Runs the policy module as Kubewarden does: waPC over WebAssembly, a fresh instance for every request.
//!
//! wasmtime is used directly rather than through `wapc` and `wasmtime-provider`: the provider cannot count fuel (with
//! `consume_fuel(true)` its own initialisation traps), and fuel is the one measure of a policy's cost that is the same
//! on every machine. waPC itself is nine imports and one export, written out in `wapc`; of WASI a Rust policy wants
//! five functions, written out in `wasi`. A module that wants anything else is refused when it is loaded, so
//! nothing that would fail in a cluster passes here.
//!
//! What goes wrong inside a module is a [`Fault`]. A fault ends the request that caused it and nothing else: its
//! instance is dropped, and the next request gets another.

mod bounds;
mod evaluator;
mod fault;
mod guest;
mod host_call;
mod instance;
mod limits;
mod module;
mod ticker;
mod wapc;
mod wasi;

pub use fault::LoadError;
pub use instance::Instance;
pub use limits::Limits;
pub use lws_review::evaluator::Fault;
pub use module::{Log, Module, Outcome};
