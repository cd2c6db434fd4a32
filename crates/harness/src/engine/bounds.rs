//! Reading and writing a guest's memory, never past its end.

use super::guest::Guest;
use lws_review::evaluator::Fault;
use wasmtime::{Caller, Extern, Memory};

/// Carries a [`Fault`] through wasmtime, out of a host function.
#[derive(Debug)]
pub(super) struct Raised(pub(super) Fault);

impl std::fmt::Display for Raised {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Raised {}

/// Makes a fault into the error that ends the guest.
pub(super) fn raise(fault: Fault) -> wasmtime::Error {
    wasmtime::Error::new(Raised(fault))
}

/// A piece of guest memory that a host function was given, and that function's name for the error.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    import: &'static str,
    start: u32,
    length: u32,
}

impl Piece {
    /// WebAssembly's `i32` are addresses here, so the sign is dropped.
    pub(super) fn new(import: &'static str, start: i32, length: i32) -> Self {
        Self {
            import,
            start: start.cast_unsigned(),
            length: length.cast_unsigned(),
        }
    }

    /// Length in bytes.
    pub(super) fn len(self) -> usize {
        self.length as usize
    }

    fn outside(self) -> wasmtime::Error {
        raise(Fault::OutOfBounds {
            import: self.import,
            start: self.start,
            length: self.length,
        })
    }

    /// The bytes of this piece.
    pub(super) fn bytes(self, data: &[u8]) -> wasmtime::Result<&[u8]> {
        let start = self.start as usize;
        data.get(start..start.saturating_add(self.len()))
            .ok_or_else(|| self.outside())
    }

    /// The bytes of this piece, to be written.
    pub(super) fn bytes_mut(self, data: &mut [u8]) -> wasmtime::Result<&mut [u8]> {
        let start = self.start as usize;
        data.get_mut(start..start.saturating_add(self.len()))
            .ok_or_else(|| self.outside())
    }
}

/// The guest's memory, by its export.
pub(super) fn memory(caller: &mut Caller<'_, Guest>) -> wasmtime::Result<Memory> {
    match caller.get_export("memory") {
        Some(Extern::Memory(memory)) => Ok(memory),
        _ => Err(raise(Fault::Host(
            "the module exports no memory".to_owned(),
        ))),
    }
}

/// A copy of a piece of the guest's memory.
pub(super) fn read(caller: &mut Caller<'_, Guest>, piece: Piece) -> wasmtime::Result<Vec<u8>> {
    let memory = memory(caller)?;
    Ok(piece.bytes(memory.data(&*caller))?.to_vec())
}

/// A piece of the guest's memory as text; what is not UTF-8 is replaced, since it is only shown.
pub(super) fn read_text(caller: &mut Caller<'_, Guest>, piece: Piece) -> wasmtime::Result<String> {
    let memory = memory(caller)?;
    Ok(String::from_utf8_lossy(piece.bytes(memory.data(&*caller))?).into_owned())
}

/// Writes what `pick` takes from the guest's state to `start`.
pub(super) fn write(
    caller: &mut Caller<'_, Guest>,
    import: &'static str,
    start: i32,
    pick: impl Fn(&Guest) -> &[u8],
) -> wasmtime::Result<()> {
    let memory = memory(caller)?;
    let (data, guest) = memory.data_and_store_mut(caller);
    let from = pick(guest);
    let length = i32::try_from(from.len()).unwrap_or(-1);
    Piece::new(import, start, length)
        .bytes_mut(data)?
        .copy_from_slice(from);
    Ok(())
}
