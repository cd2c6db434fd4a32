//! The five functions of WASI preview 1 that a Rust policy imports: no files, no network, no clock.

use super::bounds::{Piece, memory, raise};
use super::guest::Guest;
use lws_review::evaluator::Fault;
use wasmtime::{Caller, Linker};

const WASI: &str = "wasi_snapshot_preview1";

/// WASI's `errno`: all went well.
const SUCCESS: i32 = 0;
/// WASI's `errno`: no such file descriptor.
const BADF: i32 = 8;

/// Adds them to `linker`.
pub(super) fn add(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    linker.func_wrap(WASI, "random_get", random_get)?;
    linker.func_wrap(WASI, "environ_sizes_get", environ_sizes_get)?;
    // The environment is empty, so there is nothing to write.
    linker.func_wrap(WASI, "environ_get", |_pointers: i32, _bytes: i32| SUCCESS)?;
    linker.func_wrap(WASI, "fd_write", fd_write)?;
    linker.func_wrap(WASI, "proc_exit", |code: i32| -> wasmtime::Result<()> {
        Err(raise(Fault::Exit(code)))
    })?;
    Ok(())
}

/// Fills a buffer with repeatable bytes.
fn random_get(mut caller: Caller<'_, Guest>, at: i32, length: i32) -> wasmtime::Result<i32> {
    let memory = memory(&mut caller)?;
    let (data, guest) = memory.data_and_store_mut(&mut caller);
    for chunk in Piece::new("random_get", at, length)
        .bytes_mut(data)?
        .chunks_mut(8)
    {
        for (to, from) in chunk.iter_mut().zip(guest.random()) {
            *to = from;
        }
    }
    Ok(SUCCESS)
}

/// No variables, no bytes.
fn environ_sizes_get(
    mut caller: Caller<'_, Guest>,
    count: i32,
    bytes: i32,
) -> wasmtime::Result<i32> {
    let memory = memory(&mut caller)?;
    let data = memory.data_mut(&mut caller);
    for at in [count, bytes] {
        Piece::new("environ_sizes_get", at, 4)
            .bytes_mut(data)?
            .fill(0);
    }
    Ok(SUCCESS)
}

/// Keeps what the guest writes to standard output and error; there is no other file.
fn fd_write(
    mut caller: Caller<'_, Guest>,
    descriptor: i32,
    vectors: i32,
    count: i32,
    written: i32,
) -> wasmtime::Result<i32> {
    if !matches!(descriptor, 1 | 2) {
        return Ok(BADF);
    }
    let memory = memory(&mut caller)?;
    let (data, guest) = memory.data_and_store_mut(&mut caller);
    let mut total = 0_u32;
    // A vector is an address and a length, four bytes each.
    let all = Piece::new("fd_write", vectors, count.saturating_mul(8)).bytes(data)?;
    for vector in all.chunks_exact(8) {
        let (start, length) = vector.split_at(4);
        let piece = Piece::new("fd_write", word(start), word(length));
        guest.capture(piece.bytes(data)?);
        total = total.saturating_add(word(length).cast_unsigned());
    }
    Piece::new("fd_write", written, 4)
        .bytes_mut(data)?
        .copy_from_slice(&total.to_le_bytes());
    Ok(SUCCESS)
}

/// Four bytes as WebAssembly orders them.
fn word(bytes: &[u8]) -> i32 {
    bytes
        .iter()
        .rev()
        .fold(0_i32, |word, byte| (word << 8) | i32::from(*byte))
}
