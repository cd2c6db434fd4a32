//! The nine functions of the waPC protocol that a guest imports.

use super::bounds::{Piece, read, read_text, write};
use super::guest::Guest;
use super::host_call::{self, HostCall};
use wasmtime::{Caller, Linker};

const WAPC: &str = "wapc";

/// Adds waPC's host side to `linker`.
pub(super) fn add(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    add_guest_side(linker)?;
    add_host_calls(linker)?;
    linker.func_wrap(
        WAPC,
        "__console_log",
        |mut caller: Caller<'_, Guest>, at: i32, length: i32| {
            let text = read_text(&mut caller, Piece::new("__console_log", at, length))?;
            caller.data().say(&format!("policy console: {text}"));
            Ok(())
        },
    )?;
    Ok(())
}

/// The request in, the answer or an error out.
fn add_guest_side(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    linker.func_wrap(
        WAPC,
        "__guest_request",
        |mut caller: Caller<'_, Guest>, operation: i32, payload: i32| {
            write(&mut caller, "__guest_request", operation, |guest| {
                &guest.operation
            })?;
            write(&mut caller, "__guest_request", payload, |guest| {
                &guest.payload
            })
        },
    )?;
    linker.func_wrap(
        WAPC,
        "__guest_response",
        |mut caller: Caller<'_, Guest>, at: i32, length: i32| {
            let answer = read(&mut caller, Piece::new("__guest_response", at, length))?;
            caller.data_mut().answer = Some(answer);
            Ok(())
        },
    )?;
    linker.func_wrap(
        WAPC,
        "__guest_error",
        |mut caller: Caller<'_, Guest>, at: i32, length: i32| {
            let text = read_text(&mut caller, Piece::new("__guest_error", at, length))?;
            caller.data_mut().error = Some(text);
            Ok(())
        },
    )?;
    Ok(())
}

/// What the guest asks of its host, and how it fetches the answer.
fn add_host_calls(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    linker.func_wrap(WAPC, "__host_call", host_call)?;
    linker.func_wrap(
        WAPC,
        "__host_response_len",
        |caller: Caller<'_, Guest>| -> i32 { length(&caller.data().host_response) },
    )?;
    linker.func_wrap(
        WAPC,
        "__host_response",
        |mut caller: Caller<'_, Guest>, at: i32| {
            write(&mut caller, "__host_response", at, |guest| {
                &guest.host_response
            })
        },
    )?;
    linker.func_wrap(
        WAPC,
        "__host_error_len",
        |caller: Caller<'_, Guest>| -> i32 { length(&caller.data().host_error) },
    )?;
    linker.func_wrap(
        WAPC,
        "__host_error",
        |mut caller: Caller<'_, Guest>, at: i32| {
            write(&mut caller, "__host_error", at, |guest| &guest.host_error)
        },
    )?;
    Ok(())
}

/// Both are our own short texts.
fn length(bytes: &[u8]) -> i32 {
    i32::try_from(bytes.len()).unwrap_or(i32::MAX)
}

/// 1: there is a response to fetch; 0: an error.
#[allow(clippy::too_many_arguments, reason = "the protocol's own signature")]
fn host_call(
    mut caller: Caller<'_, Guest>,
    binding: i32,
    binding_length: i32,
    namespace: i32,
    namespace_length: i32,
    operation: i32,
    operation_length: i32,
    payload: i32,
    payload_length: i32,
) -> wasmtime::Result<i32> {
    let piece = |start, length| Piece::new("__host_call", start, length);
    let call = HostCall {
        binding: read_text(&mut caller, piece(binding, binding_length))?,
        namespace: read_text(&mut caller, piece(namespace, namespace_length))?,
        operation: read_text(&mut caller, piece(operation, operation_length))?,
        payload: read(&mut caller, piece(payload, payload_length))?,
    };
    let outcome = host_call::answer(caller.data(), &call);
    let guest = caller.data_mut();
    match outcome {
        Ok(response) => {
            guest.host_response = response;
            guest.host_error.clear();
            Ok(1)
        }
        Err(text) => {
            guest.host_response.clear();
            guest.host_error = text.into_bytes();
            Ok(0)
        }
    }
}
