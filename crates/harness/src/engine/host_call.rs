//! What a policy may ask its host for.

use super::guest::Guest;

/// Who is asked for what, in waPC's three words.
pub(super) struct HostCall {
    pub(super) binding: String,
    pub(super) namespace: String,
    pub(super) operation: String,
    pub(super) payload: Vec<u8>,
}

/// Answers a host call: the response, or the text of a refusal.
///
/// Kubewarden's `tracing`/`log` is answered; its cluster, registry and network look-ups are not there without a
/// cluster, and this policy's metadata asks for none (`contextAwareResources` is empty).
pub(super) fn answer(guest: &Guest, call: &HostCall) -> Result<Vec<u8>, String> {
    let HostCall {
        binding,
        namespace,
        operation,
        payload,
    } = call;
    if binding == "kubewarden" && namespace == "tracing" && operation == "log" {
        guest.say(&format!("policy log: {}", String::from_utf8_lossy(payload)));
        return Ok(Vec::new());
    }
    guest.say(&format!(
        "policy asked its host for {binding}/{namespace}/{operation}: refused"
    ));
    Err(format!(
        "host call {binding}/{namespace}/{operation} is not available here; only kubewarden/tracing/log is"
    ))
}
